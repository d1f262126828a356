"""The journal's writer: its thread, the group commit, the keys that change (docs/journal.md, "Order").

Lines are worded, chained, sealed, written and synced in groups by a thread of their own.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

import msgspec

from controller.errors import JournalError, JournalOpenError
from controller.journal import keys
from controller.journal.chain import FIRST, close, link
from controller.journal.disk import Disk, must_be_new, unopened
from controller.journal.openings import last_opening
from controller.journal.reading import Chain, Reading, older_file
from controller.journal.records import (
    FORMAT,
    Checkpointed,
    File,
    Keys,
    Line,
    Record,
    Start,
    Stop,
    encode_line,
    line_of,
    moment,
    sealed_text,
)
from controller.journal.seal import Auditor, seal

_STOPPED: Final = "{}: the journal's writer has stopped; report it as a fault of the program"


@dataclass(frozen=True)
class Bounds:
    """How large a file grows, in bytes, before the next hand begins another, and how many older files stay,
    0 for all."""

    file_bytes: int = 64_000_000
    older_files: int = 0


class _Kept(NamedTuple):
    """A checkpoint to be written."""

    state: bytes
    hand: int


_What = Record | _Kept | Start | Stop


class _Entry(NamedTuple):
    number: int
    at: datetime
    what: _What


class FileJournal:
    """An open journal. `chain` is what was there when it was opened: an empty one is new.

    Raises JournalOpenError where the file or its keys cannot be used, JournalDamagedError (one of these)
    where it is not as it was written. `trouble` says why nothing can be written now, empty while all is well.
    """

    def __init__(
        self,
        path: Path,
        *,
        auditor: Auditor | None = None,
        bounds: Bounds | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._path = path
        self._auditor = auditor
        self._bounds = bounds or Bounds()
        self._now = now
        self._key_file = keys.key_file_of(path)
        self._chain = Chain()
        self._root: Keys | None = None
        self._basis = "", ""
        self.last = 0
        self._durable = 0
        self._failure: str | None = None
        self.trouble = ""
        self._queue: SimpleQueue[_Entry | None] = SimpleQueue()
        self._disk = Disk(path, self._is_in)
        try:
            self._take_up()
        except OSError as error:
            self._disk.close()
            raise unopened(path, error) from None
        except JournalOpenError:
            self._disk.close()
            raise
        except JournalError as error:  # of the keys
            self._disk.close()
            raise JournalOpenError(str(error)) from None
        self._durable = self.last
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._write_groups, name="journal", daemon=True)
        self._thread.start()

    # Opening

    def _take_up(self) -> None:
        # The keys beside it are the running table's until nobody else can be writing: the file is locked.
        reading = Reading(self._path)
        hand = ""
        for read in reading:
            if read.line.keys is not None and read.line.keys.hand:
                hand = read.line.keys.hand
        if not reading.lines:
            must_be_new(self._path)
        reading.must_be_whole()
        self._disk.keep(reading.whole, reading.chain.file)
        self._chain = reading.chain
        self.last = reading.chain.number
        if not self._disk.size:
            first = Line(format=FORMAT, at=moment(self._now()), file=File(1, FIRST.hex()))
            self._disk.begin(self._closed(first))
            self._chain.file = 1
        self._secrets = self._secrets_for(hand)

    def _secrets_for(self, hand: str) -> keys.Secrets:
        """The secrets that the journal goes on with: those that its last checkpoint names."""
        if not self._chain.signer:
            secrets = keys.fresh()
            self._write_secrets(secrets)
            self._root = self._announced(secrets.hand[-1], secrets.sign[-1])
            return secrets
        known = keys.read_secrets(self._key_file)
        signs = [key for key in (known.sign if known else ()) if keys.public_of(key) == self._chain.signer]
        opens = [key for key in (known.hand if known else ()) if keys.hand_key_id(key) == hand]
        if known is None or not signs or not opens:
            raise JournalError(
                f"{self._key_file}: the keys of this journal are not there: the hand under way cannot go on; "
                "bring them back, or move all files of this journal away to begin another"
            )
        secrets = keys.Secrets((opens[0],), (signs[0],), known.order)
        if secrets != known:  # a crash came while a checkpoint was written
            self._write_secrets(secrets)
        return secrets

    def _write_secrets(self, secrets: keys.Secrets) -> None:
        try:
            keys.write_secrets(self._key_file, secrets)
        except OSError as error:
            why = f"the journal's keys cannot be written: {error.strerror}"
            raise JournalError(f"{self._key_file}: {why}") from None

    def _announced(self, hand_key: bytes, sign_key: bytes) -> Keys:
        auditor = self._auditor
        return Keys(
            sign=keys.public_of(sign_key),
            hand=keys.hand_key_id(hand_key),
            auditor=auditor.name if auditor is not None else "",
            box=sealed_text(auditor.box(hand_key)) if auditor is not None else "",
        )

    @property
    def order(self) -> bytes:
        """The secret by which the decks' tables are ordered, the same for every start of this journal."""
        return self._secrets.order

    @property
    def hand_key(self) -> bytes:
        """The key of the hand under way, for a start that goes on; as it was when the journal was opened."""
        return self._secrets.hand[-1]

    # Taking

    @property
    def durable(self) -> int:
        """The number of the last entry that is on the disk."""
        return self._durable

    def append(self, record: Record) -> int:
        """Hands a record to the writer."""
        return self._put(record)

    def keep(self, state: bytes, hand: int) -> int:
        """Hands a hand's checkpoint to the writer, as JSON: from there on another key seals, and signs."""
        return self._put(_Kept(state, hand))

    def start(self, start: Start) -> int:
        """A table begins to write here."""
        return self._put(start)

    def _put(self, what: _What) -> int:
        self._check()
        self.last += 1
        self._queue.put(_Entry(self.last, self._now(), what))
        return self.last

    def _check(self) -> None:
        if self._failure is not None:
            raise JournalError(self._failure)

    # Writing

    def _write_groups(self) -> None:
        """Words, writes and syncs whatever has gathered, again and again, until told to stop.

        Entries are worded here and not where they are handed over: the table's thread has a command to send.
        """
        running = True
        while running:
            item = self._queue.get()
            group: list[_Entry] = []
            while item is not None:
                group.append(item)
                if self._queue.empty():
                    break
                item = self._queue.get()
            running = item is not None
            written = False
            try:
                self._write(group)
                written = True
            except OSError as error:
                self._failure = self._disk.why(error)
            except JournalError as error:
                self._failure = str(error)
            finally:
                if not written and self._failure is None:  # nobody foresaw why, but nobody must wait for it
                    self._failure = _STOPPED.format(self._path)
                self._wake()
            running = running and written

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full: it is readable anyway
            os.write(self._wake_write, b"\0")

    def _is_in(self, trouble: str) -> None:
        self.trouble = trouble
        self._wake()

    def _write(self, group: Sequence[_Entry]) -> None:
        """A group; what changes the keys ends one part of it, and is durable before the next is sealed."""
        part: list[bytes] = []
        for entry in group:
            if isinstance(entry.what, _Kept):
                self._write_through(b"".join(part), entry.number - 1)
                part = []
                self._checkpoint(entry, entry.what)
            else:
                part.append(self._worded(entry))
        if group:
            self._write_through(b"".join(part), group[-1].number)

    def _worded(self, entry: _Entry) -> bytes:
        number, at, what = entry
        match what:
            case Record():
                line, hidden = line_of(number, at, what)
                if hidden is not None:
                    line.sealed = sealed_text(seal(self._secrets.hand[-1], number, hidden))
                return self._closed(line)
            case Start():
                self._basis = what.software, what.setup
                line = Line(
                    n=number, at=moment(at), start=what, keys=self._root, opened=last_opening(self._path)
                )
                self._root = None
                return self._closed(line, self._secrets.sign[-1])
            case Stop():
                line = Line(n=number, at=moment(at), stop=what, opened=last_opening(self._path))
                return self._closed(line, self._secrets.sign[-1])
            case _:
                raise TypeError(what)

    def _closed(self, line: Line, sign_key: bytes | None = None) -> bytes:
        """A line with its hash, and its signature under a key."""
        body = encode_line(line)
        chain = link(self._chain.last, body)
        self._chain.last = chain
        return close(body, chain, keys.sign(sign_key, chain) if sign_key is not None else None)

    def _checkpoint(self, entry: _Entry, kept: _Kept) -> None:
        """A hand's checkpoint, and new keys: those before it open and sign nothing any more."""
        old, sign_key = self._secrets, self._secrets.sign[-1]
        hand_key, next_sign = keys.fresh_hand_key(), keys.fresh_sign_key()
        both = replace_keys(old, (old.hand[-1], hand_key), (sign_key, next_sign))
        self._disk.patiently(lambda: keys.write_secrets(self._key_file, both))
        first = self._first_of_next(entry.at) if self._disk.size >= self._bounds.file_bytes else None
        line = Line(
            n=entry.number,
            at=moment(entry.at),
            checkpoint=Checkpointed(kept.hand, *self._basis, msgspec.Raw(kept.state)),
            keys=self._announced(hand_key, next_sign),
            opened=last_opening(self._path),
        )
        closed = self._closed(line, sign_key)
        if first is None:
            self._write_through(closed, entry.number)
        else:
            self._turn(first, closed)
            self._durable = entry.number
        self._secrets = replace_keys(old, (hand_key,), (next_sign,))
        self._chain.signer = keys.public_of(next_sign)
        self._disk.patiently(lambda: keys.write_secrets(self._key_file, self._secrets))

    def _first_of_next(self, at: datetime) -> bytes:
        """The line with which another file begins, with the hash of the line that it follows."""
        number = self._chain.file + 1
        line = Line(
            format=FORMAT,
            at=moment(at),
            file=File(number, self._chain.last.hex(), tuple(file.name for file in self._too_old(number))),
            keys=Keys(sign=keys.public_of(self._secrets.sign[-1]), hand=""),
        )
        return self._closed(line)

    def _turn(self, first: bytes, checkpoint: bytes) -> None:
        number = self._chain.file + 1
        self._disk.turn(first + checkpoint, number, self._too_old(number))
        self._chain.file = number

    def _too_old(self, number: int) -> list[Path]:
        """Older files that a journal with a bound has no room for once file `number` begins."""
        if not self._bounds.older_files:
            return []
        oldest = number - self._bounds.older_files
        older = (older_file(self._path, gone) for gone in range(1, oldest))
        return [file for file in older if file.exists()]

    def _write_through(self, lines: bytes, number: int | None = None) -> None:
        """Writes and syncs; entries up to `number` are durable then."""
        if lines:
            self._disk.append(lines)
        if number is not None:
            self._durable = number

    # The loop's side

    def wake_fd(self) -> int | None:
        """Readable when a group has become durable, or writing has failed."""
        return self._wake_read

    def drain_wake(self) -> None:
        """Empties the pipe."""
        try:
            while os.read(self._wake_read, 4096):
                pass
        except BlockingIOError:
            pass
        self._check()

    def close(self, stop: Stop | None = None) -> None:
        """Waits for the last group, which is then a `stop` if the table ends in good order."""
        if stop is not None and self._failure is None:
            self._put(stop)
        self._disk.give_up()
        self._queue.put(None)
        self._thread.join()
        self._disk.close()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._check()


def replace_keys(secrets: keys.Secrets, hand: tuple[bytes, ...], sign: tuple[bytes, ...]) -> keys.Secrets:
    """The same secrets with other keys."""
    return msgspec.structs.replace(secrets, hand=hand, sign=sign)
