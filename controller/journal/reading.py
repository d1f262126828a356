"""Reading a journal: every line held against the chain, every signature against its key.

Nothing is passed over: a line that is not what it was is named, with its file and its place.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import msgspec

from controller.errors import JournalError, JournalOpenError
from controller.journal import keys
from controller.journal.chain import FIRST, Closed, link, open_line
from controller.journal.records import FORMAT, Line, decode_line
from controller.regular_file import open_regular

_FIRST: Final = b'{"format":'
_ENTRY: Final = b'{"n":'
_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
MOST_BYTES: Final = 8_000_000
"""How long a line may be: a checkpoint, the longest one, has some ten thousand bytes."""


class JournalDamagedError(JournalOpenError):
    """A line of a journal is not what was written there, or is missing; `why` says it without the file."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(
            f"{where}: {why}; keep the file as it is, for whoever looks into it, and move it away"
        )
        self.where = where
        self.why = why


class NoJournalError(JournalDamagedError):
    """What is in a file is no journal, or one of another format."""


class OtherFormatError(NoJournalError):
    """A file is a journal, whole as it begins, of a format that this version does not read."""


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


def older_files_of(journal: Path) -> dict[int, Path]:
    """The files of a journal before the one that is written, by their numbers, in their order. Raises
    JournalError where the folder cannot be read."""
    name = re.compile(re.escape(_stem(journal)) + r"\.(\d{4,9})" + re.escape(journal.suffix), re.ASCII)
    try:
        numbered = [
            (found, file) for file in journal.parent.iterdir() if (found := name.fullmatch(file.name))
        ]
    except OSError as error:
        raise JournalError(f"{journal}: the journal cannot be read: {error.strerror}") from None
    return dict(sorted((int(found[1]), file) for found, file in numbered))


def files_of(journal: Path) -> list[Path]:
    """All files of a journal that are there, the one that is written last. Raises JournalError."""
    files = [*older_files_of(journal).values(), journal]
    return [file for file in files if file.is_file()]


def older_file(journal: Path, number: int) -> Path:
    """Where file `number` of a journal stands once another one is written."""
    return journal.with_name(f"{_stem(journal)}.{number:04d}{journal.suffix}")


def next_file(journal: Path) -> Path:
    """Where a journal's next file stands until it has the name of the last one."""
    return journal.with_name(journal.name + ".next")


def _stem(journal: Path) -> str:
    return journal.name.removesuffix(journal.suffix)


class Reading:
    """One file of a journal, read line by line. `chain` says where it has come to.

    With a `chain` of the file before it the two must follow each other; else the file's own first line says
    what it follows.
    """

    def __init__(self, file: Path, chain: Chain | None = None) -> None:
        self.file = file
        self._follows = chain is not None and chain.file > 0
        self.chain = chain if chain is not None else Chain()
        self.lines = 0
        self.whole = 0
        """Bytes up to the end of the last whole line."""
        self.torn = 0
        """Bytes behind it."""
        self._tail = b""

    def __iter__(self) -> Iterator[Read]:
        """The lines in their order. Raises JournalDamagedError at the first that does not hold."""
        try:
            opened = open_regular(self.file)
        except OSError as error:
            raise JournalOpenError(f"{self.file}: the journal cannot be read: {error.strerror}") from None
        with opened:
            yield from self.of(opened)

    def of(self, opened: BinaryIO) -> Iterator[Read]:
        """The same, of the file as somebody has opened it: what follows the lines that were taken so far."""
        opened.seek(self.whole)
        while raw := opened.readline(MOST_BYTES):
            if not raw.endswith(b"\n"):
                if len(raw) == MOST_BYTES:
                    self.lines += 1
                    raise self._no_line()
                self.torn, self._tail = len(raw), raw
                return
            yield self.take(raw)
        self.torn, self._tail = 0, b""

    def must_be_whole(self) -> None:
        """Raises JournalDamagedError where what was read is not all that a crash can leave of a file: it has
        its first entry if it is not the journal's first, and behind its last line nothing but the begin of
        another, which may not have reached the disk in full."""
        if self.lines == 1 and self.chain.file > 1:
            raise self._damaged("the file ends behind its first line")
        begun = self._tail.rstrip(b"\0")
        first = _FIRST if not self.lines else _ENTRY
        if _CONTROL.search(begun) or not (begun.startswith(first) or first.startswith(begun)):
            self.lines += 1
            raise self._no_line()
        if begun != self._tail and not self.lines:
            self.lines = 1
            raise self._no_line()

    def take(self, raw: bytes) -> Read:
        """The next line, with its end. Raises JournalDamagedError where it does not hold."""
        self.lines += 1
        closed = open_line(raw)
        if closed is None:
            raise self._no_line()
        try:
            line = decode_line(closed.body)
        except msgspec.DecodeError:
            raise self._no_line() from None
        if self.lines == 1:
            self._begins(line, closed)
        if link(self.chain.last, closed.body) != closed.chain:
            self._is_next(line)
            why = "does not follow what stands before it: one of them was changed"
            raise self._damaged(f"{_what(line)} {why}")
        self._comes_next(line)
        self._is_signed(line, closed)
        self.chain.last = closed.chain
        read = Read(line, closed, self.whole)
        self.whole += len(raw)
        return read

    def _begins(self, line: Line, closed: Closed) -> None:
        if line.file is None and line.n is not None:
            what = f"entry {line.n} stands where a journal begins"
            raise self._no_line(f"{what}: an extract is read and verified in its whole journal")
        if line.file is None:
            raise self._no_line("this is no journal of this version")
        if link(bytes.fromhex(line.file.follows), closed.body) != closed.chain:
            raise self._damaged(f"{_what(line)} was changed")
        if line.format != FORMAT:
            why = f"the journal has format {line.format}, this version reads {FORMAT}"
            raise OtherFormatError(f"{self.file}, line 1", why)
        if self._follows and (line.file.number, line.file.follows) != (
            self.chain.file + 1,
            self.chain.last.hex(),
        ):
            raise self._damaged(f"this file does not follow file {self.chain.file} of the journal")
        self.chain.file = line.file.number
        self.chain.last = bytes.fromhex(line.file.follows)
        if (line.file.number > 1) != (line.keys is not None):
            raise self._damaged("the file's first line does not say by which key it follows")
        if line.keys is not None:
            if self.chain.signer not in ("", line.keys.sign):
                raise self._damaged("another key than the table's is to sign from here on")
            self.chain.signer = line.keys.sign

    def _comes_next(self, line: Line) -> None:
        if line.n is None:
            if self.lines > 1:
                raise self._damaged("a line without a number stands among entries")
            return
        self._is_next(line)
        self.chain.number = line.n
        if self.lines == 2 and self.chain.file == 1 and (line.n != 1 or line.start is None or not line.keys):
            raise self._damaged(f"{_what(line)} is not the start of the table, with which a journal begins")
        if self.lines == 2 and self.chain.file > 1 and line.checkpoint is None:
            raise self._damaged(f"{_what(line)} is not the checkpoint with which a further file begins")

    def _is_next(self, line: Line) -> None:
        before, number = self.chain.number, line.n
        if not before or number is None or number == before + 1:
            return
        if number > before:
            raise self._damaged(f"entry {before + 1} is missing: entry {number} stands in its place")
        raise self._damaged(f"entry {number} stands behind entry {before}")

    def _is_signed(self, line: Line, closed: Closed) -> None:
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
            raise self._damaged(f"{_what(line)} does not bear the table's signature")
        if line.keys is not None:
            self.chain.signer = line.keys.sign

    def _damaged(self, why: str) -> JournalDamagedError:
        return JournalDamagedError(f"{self.file}, line {self.lines}", why)

    def _no_line(self, why: str = "this is no line of a journal") -> JournalDamagedError:
        first = self.lines == 1 and not self._follows
        return (NoJournalError if first else JournalDamagedError)(f"{self.file}, line {self.lines}", why)


def _what(line: Line) -> str:
    return f"entry {line.n}" if line.n is not None else "the file's first line"


def as_it_stands(files: Iterable[Path]) -> Iterator[Line]:
    """The lines of files that need not hold, without those that are none; nothing in them is to be believed.

    Raises JournalError where a file cannot be read.
    """
    for file in files:
        try:
            with file.open("rb") as opened:
                while raw := opened.readline(MOST_BYTES):
                    closed = open_line(raw)
                    if closed is not None:
                        with contextlib.suppress(msgspec.DecodeError):
                            yield decode_line(closed.body)
        except OSError as error:
            raise JournalError(f"{file}: the journal cannot be read: {error.strerror}") from None
