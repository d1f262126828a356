"""Reading a journal: every line held against the chain, every signature against its key.

Nothing is passed over: a line that is not what it was is named, with its file and its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from controller.errors import JournalError, JournalOpenError
from controller.journal import keys
from controller.journal.chain import FIRST, Closed, link, open_line
from controller.journal.records import FORMAT, Line, decode_line

Ended = Literal["stopped", "open", "torn"]
"""How a journal ends: with the stop of its table, without, or in the middle of a line."""


class JournalDamagedError(JournalOpenError):
    """A line of a journal is not what was written there, or is missing."""


class Read(NamedTuple):
    """A line, taken apart and held against the chain. `at` is where it stands, in bytes from the file's
    start."""

    line: Line
    closed: Closed
    at: int


@dataclass
class Chain:
    """How far a journal was read: the hash of its last line, the number of its last entry, the key that what
    is signed next must bear (empty before the first line that names one)."""

    last: bytes = FIRST
    number: int = 0
    signer: str = ""
    file: int = 0
    roots: list[int] = field(default_factory=list)
    """Entries at which a new key begins to sign that no key before it vouches for: the first of a journal, as
    a rule the only one."""


def files_of(journal: Path) -> list[Path]:
    """All files of a journal, the one that is written last. Raises JournalError where there is none."""
    older = sorted(
        (file for file in journal.parent.glob(f"{_stem(journal)}.*{journal.suffix}") if _numbered(file)),
        key=_number,
    )
    if not journal.is_file():
        raise JournalError(f"{journal}: there is no journal there")
    return [*older, journal]


def older_file(journal: Path, number: int) -> Path:
    """Where file `number` of a journal stands once another one is written."""
    return journal.with_name(f"{_stem(journal)}.{number:04d}{journal.suffix}")


def _stem(journal: Path) -> str:
    return journal.name.removesuffix(journal.suffix)


def _numbered(file: Path) -> bool:
    return file.stem.rpartition(".")[2].isdigit()


def _number(file: Path) -> int:
    return int(file.stem.rpartition(".")[2])


class Reading:
    """One file of a journal, read line by line. `chain` says where it has come to.

    With a `chain` of the file before it the two must follow each other; else the file's own first line says
    what it follows.
    """

    def __init__(self, file: Path, chain: Chain | None = None) -> None:
        self.file = file
        self._follows = chain is not None and chain.file > 0
        self.chain = chain if chain is not None else Chain()
        self.whole = 0
        """Bytes up to the end of the last whole line."""
        self.torn = 0
        """Bytes behind it."""

    def __iter__(self) -> Iterator[Read]:
        """The lines in their order. Raises JournalDamagedError at the first that does not hold."""
        with self.file.open("rb") as opened:
            for number, raw in enumerate(opened, start=1):
                if not raw.endswith(b"\n"):
                    self._torn(raw)
                    return
                read = self._held(number, raw)
                self.whole += len(raw)
                yield read

    def _torn(self, raw: bytes) -> None:
        self.torn = len(raw)

    def _held(self, at_line: int, raw: bytes) -> Read:
        closed = open_line(raw)
        if closed is None:
            raise self._damaged(at_line, "this is no line of a journal")
        try:
            line = decode_line(closed.body)
        except msgspec.DecodeError:
            raise self._damaged(at_line, "this is no line of a journal") from None
        if at_line == 1:
            self._begins(line)
        if link(self.chain.last, closed.body) != closed.chain:
            raise self._damaged(at_line, f"{_what(line)} was changed, or what stood before it was")
        self._comes_next(at_line, line)
        self._is_signed(at_line, line, closed)
        self.chain.last = closed.chain
        return Read(line, closed, self.whole)

    def _begins(self, line: Line) -> None:
        if line.file is None:
            raise self._damaged(1, "this is no journal of this version")
        if line.format != FORMAT:
            raise self._damaged(1, f"the journal has format {line.format}, this version reads {FORMAT}")
        if self._follows and (line.file.number, line.file.follows) != (
            self.chain.file + 1,
            self.chain.last.hex(),
        ):
            raise self._damaged(1, f"this file does not follow file {self.chain.file} of the journal")
        self.chain.file = line.file.number
        self.chain.last = bytes.fromhex(line.file.follows)
        if line.keys is not None:
            if self.chain.signer not in ("", line.keys.sign):
                raise self._damaged(1, "another key than the table's is to sign from here on")
            self.chain.signer = line.keys.sign

    def _comes_next(self, at_line: int, line: Line) -> None:
        if line.n is None:
            if at_line > 1:
                raise self._damaged(at_line, "a line without a number stands among entries")
            return
        if self.chain.number and line.n != self.chain.number + 1:
            raise self._damaged(at_line, f"entry {line.n} stands behind entry {self.chain.number}")
        self.chain.number = line.n

    def _is_signed(self, at_line: int, line: Line, closed: Closed) -> None:
        """What must be signed is, under the key that was announced."""
        signature, signer = closed.signature, self.chain.signer
        if signature is None and not (line.checkpoint or line.start or line.stop):
            return
        holds = signature is not None and keys.is_signed(signer, closed.chain, signature)
        if not holds and line.start is not None and line.keys is not None and signature is not None:
            signer = line.keys.sign
            holds = keys.is_signed(signer, closed.chain, signature)
            self.chain.roots.append(line.n or 0)
        if not holds:
            raise self._damaged(at_line, f"{_what(line)} does not bear the table's signature")
        if line.keys is not None:
            self.chain.signer = line.keys.sign

    def _damaged(self, at_line: int, why: str) -> JournalDamagedError:
        return JournalDamagedError(
            f"{self.file}, line {at_line}: {why}; keep the file as it is, for whoever looks into it, and "
            "move it away"
        )


def _what(line: Line) -> str:
    return f"entry {line.n}" if line.n is not None else "the file's first line"


def read_all(files: Sequence[Path]) -> Iterator[tuple[Path, Read]]:
    """All lines of a journal's files, one after the other. Raises JournalDamagedError, JournalError."""
    chain: Chain | None = None
    for file in files:
        reading = Reading(file, chain)
        try:
            for read in reading:
                yield file, read
        except OSError as error:
            raise JournalError(f"{file}: the journal cannot be read: {error.strerror}") from None
        chain = reading.chain
