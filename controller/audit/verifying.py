"""Whether a journal is what its table wrote: chain, signatures, order of files, openings, and what was noted
elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from controller.errors import JournalError
from controller.journal.chain import Mark
from controller.journal.openings import Opening, OpeningsDamagedError, openings_file, read_openings
from controller.journal.reading import JournalDamagedError, NoJournalError, Read, older_file
from controller.journal.records import Opened, Start
from controller.journal.whole import Whole, is_written

Ended = Literal["stopped", "written", "open", "torn", "unread"]
"""How a journal ends: with the stop of its table; with a line that a running table may go on behind; without
a stop; in the middle of a line; behind something that does not hold, so that nobody knows."""


@dataclass
class FileFound:
    """A file of a journal: its number, and its first and last entry (0: none)."""

    path: Path
    number: int
    first: int = 0
    last: int = 0


class Anchor(NamedTuple):
    """What was signed at an entry of how far the record of openings had come."""

    entry: int
    opened: Opened


@dataclass
class Verified:
    """What was found. `faults` is what does not hold, a line each: a journal without any is what its table
    wrote, as far as it is signed. `notes` is what whoever looks has to know beside."""

    journal: Path
    files: list[FileFound] = field(default_factory=list)
    first: int = 0
    last: Mark | None = None
    key: str = ""
    """The key with which trust begins: all signatures follow from it."""
    signed: Mark | None = None
    """The last line that is signed: nobody without the table's keys can change it, or anything before it."""
    checkpoint: Mark | None = None
    signatures: int = 0
    starts: list[tuple[int, Start]] = field(default_factory=list)
    """With the entry that each is."""
    ended: Ended = "open"
    openings: int | None = None
    """None where the record of them cannot be read, or does not hold."""
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Verifying:
    """One reading of a journal, line by line, that finds out on the way whether it holds.

    Iterating gives the lines that hold and ends with the first that does not; then `found` says it all.
    `noted` are marks that were kept elsewhere; `first_key` is the key that was noted when the table was set
    up, empty for none.
    """

    def __init__(self, journal: Path, *, noted: Sequence[Mark] = (), first_key: str = "") -> None:
        self.found = Verified(journal)
        self._whole = Whole(journal)
        self._first_key = first_key
        self._removed: set[str] = set()
        self._stopped = self._broken = False
        self._anchors: list[Anchor] = []
        self._openings = self._read_openings(journal)
        self._noted = list(noted)
        said = {mark for opening, _ in self._openings or () if (mark := opening.mark) is not None}
        self._looked_for = {mark.number: "" for mark in (*noted, *said)}

    def _read_openings(self, journal: Path) -> list[tuple[Opening, Mark]] | None:
        """None where they cannot be compared with anything."""
        try:
            return read_openings(openings_file(journal))
        except OpeningsDamagedError as error:
            self.found.faults.append(str(error))
        except JournalError as error:
            self.found.notes.append(f"{error}; it was not held against the journal")
        return None

    def __iter__(self) -> Iterator[Read]:
        """Raises NoJournalError and JournalError where there is no journal to verify."""
        found = self.found
        try:
            for path, read in self._whole:
                self._take(path, read)
                yield read
            self._ends()
        except NoJournalError:
            raise
        except JournalDamagedError as error:
            self._broken = True
            found.ended = "unread"
            found.faults.append(f"{error.where}: {error.why}")
            if found.last is not None:
                found.notes.append(f"what stands up to entry {found.last.number} holds")
        self._begins_where()
        self._is_as_noted()
        self._is_as_opened()

    def verify(self) -> Verified:
        """Reads all of it."""
        for _ in self:
            pass
        return self.found

    def _take(self, path: Path, read: Read) -> None:
        found, line, chain = self.found, read.line, read.closed.chain.hex()
        if line.file is not None:
            found.files.append(FileFound(path, line.file.number))
            self._removed.update(line.file.removed)
            if not found.key and line.keys is not None:
                found.key = line.keys.sign
        if line.n is None:
            return
        mark = Mark(line.n, chain)
        found.first, found.last = found.first or line.n, mark
        file = found.files[-1]
        file.first, file.last = file.first or line.n, line.n
        if line.n in self._looked_for:
            self._looked_for[line.n] = chain
        self._stopped = line.stop is not None
        if read.closed.signature is None:
            return
        found.signed = mark
        found.signatures += 1
        if line.start is not None:
            found.starts.append((line.n, line.start))
            if not found.key and line.keys is not None:
                found.key = line.keys.sign
        if line.checkpoint is not None:
            found.checkpoint = mark
        if line.opened is not None:
            self._anchors.append(Anchor(line.n, line.opened))

    def _ends(self) -> None:
        found = self.found
        if self._whole.torn:
            found.ended = "written" if is_written(found.journal) else "torn"
        elif self._stopped:
            found.ended = "stopped"
        else:
            found.ended = "written" if is_written(found.journal) else "open"

    def _begins_where(self) -> None:
        """Trust begins with one key, which must be the one that was noted."""
        found, roots = self.found, self._whole.chain.roots
        begun = found.files[0].number if found.files else 1
        for root in roots[1:] if begun == 1 else roots:
            found.faults.append(f"entry {root} begins with a key for which no key before it vouches")
        if begun > 1:
            named = f"files 1 to {begun - 1} of the journal are" if begun > 2 else "file 1 of the journal is"
            last = older_file(found.journal, begun - 1)
            if last.name in self._removed:
                found.notes.append(f"{named} not there: removed, because there were too many")
            else:
                found.faults.append(f"{last}: {named} missing, and the journal does not say why")
        if not self._first_key or self._first_key == found.key or (self._broken and not found.key):
            return
        if not found.key:
            found.faults.append(f"nothing in it is signed, by {self._first_key} or by another key")
        elif begun > 1 and self._is_anchored:
            found.notes.append(
                f"the journal begins with the key {found.key} by now, because its first files are not there; "
                "the entries that were noted vouch for it"
            )
        elif begun > 1:
            found.faults.append(
                f"the journal begins with the key {found.key}, and not with {self._first_key}: its first "
                "files are not there; only a noted entry that still is can vouch for it (--expect)"
            )
        else:
            found.faults.append(
                f"the journal begins with the key {found.key}, and not with {self._first_key}: another "
                "journal was put in its place"
            )

    @property
    def _is_anchored(self) -> bool:
        """Whether an entry is there that was noted: then all before it is what it was, and so is what the
        journal says there of files that were removed."""
        return any(self._looked_for[mark.number] == mark.chain for mark in self._noted)

    def _is_as_noted(self) -> None:
        found = self.found
        for mark in self._noted:
            chain = self._looked_for[mark.number]
            if chain and chain != mark.chain:
                found.faults.append(
                    f"entry {mark.number} is not the one that was noted: the journal was made anew"
                )
            elif chain:
                continue
            elif found.last is None or mark.number < found.first:
                why = f"entry {mark.number}, which was noted, stood in a file that is not there any more"
                (found.notes if self._is_anchored else found.faults).append(why)
            elif self._broken:
                found.faults.append(f"entry {mark.number}, which was noted, was not reached")
            else:
                found.faults.append(
                    f"entry {mark.number}, which was noted, is missing: the journal was shortened"
                )

    def _is_as_opened(self) -> None:
        """The record of openings is as the table saw it, and its journal is as those saw it who opened it."""
        found, file = self.found, openings_file(self.found.journal)
        unread = {anchor.opened.unread: anchor.entry for anchor in self._anchors if anchor.opened.unread}
        for why, entry in unread.items():
            found.notes.append(
                f"{file}: the table could not read it, at entry {entry} for the last time: {why}"
            )
        if self._openings is None:
            return
        found.openings = len(self._openings)
        marks = {mark.number: mark.chain for _, mark in self._openings}
        anchors = [anchor for anchor in self._anchors if not anchor.opened.unread]
        most = max(anchors, key=lambda anchor: anchor.opened.number, default=None)
        if most is not None and most.opened.number not in marks:
            found.faults.append(
                f"{file}: {most.opened.number} openings stood there at entry {most.entry}, and {len(marks)} "
                "stand there now: the record was shortened or taken away"
            )
        for number, entry in {
            anchor.opened.number: anchor.entry
            for anchor in reversed(anchors)
            if marks.get(anchor.opened.number, anchor.opened.chain) != anchor.opened.chain
        }.items():
            found.faults.append(f"{file}: opening {number} is another one than at entry {entry}")
        for opening, mark in self._openings:
            found.faults.extend(self._why_other(opening, mark))

    def _why_other(self, opening: Opening, mark: Mark) -> Iterator[str]:
        """Why a journal is not the one that somebody had before him when he opened it."""
        upto, last = opening.mark, self.found.last
        if upto is None or last is None:
            return
        chain = self._looked_for[upto.number]
        if chain and chain != upto.chain:
            yield f"entry {upto.number} is not the one that {opening.who} saw last (opening {mark.number})"
        elif upto.number > last.number and not self._broken:
            yield (
                f"entry {upto.number}, the last when {opening.who} opened it (opening {mark.number}), is "
                "missing: the journal was shortened"
            )
