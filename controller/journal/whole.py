"""All files of a journal as one: read in their order while a table may be writing the last of them.

Reading only: a file that is written on, or turned over to the next one meanwhile, is read as it was.
"""

import fcntl
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import msgspec

from controller.errors import JournalError
from controller.journal.chain import open_line
from controller.journal.reading import (
    MOST_BYTES,
    Chain,
    JournalDamagedError,
    NoJournalError,
    OtherFormatError,
    Read,
    Reading,
    older_file,
    older_files_of,
)
from controller.journal.records import decode_line

_GONE: Final = "the last file of the journal is missing, which goes on behind {}"


class FileOf(NamedTuple):
    """A file of a journal and its number, as its name says it; 0 for the one that is written."""

    path: Path
    number: int


class Whole:
    """A journal from its oldest file that is there to its newest, for one reading.

    Iterating gives every line with the file that it stands in, and raises JournalDamagedError at the first
    that does not hold, JournalError where a file cannot be read. `chain` says how far it came; `torn` is how
    many bytes stand behind the last whole line.
    """

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.chain = Chain()
        self.torn = 0
        self.read: list[FileOf] = []
        """Files that were begun so far."""

    def __iter__(self) -> Iterator[tuple[Path, Read]]:
        with ExitStack() as stack:
            # Opened before its folder is looked through: what is turned over in between is not missed.
            last = stack.enter_context(open_journal(self.journal))
            chain: Chain | None = None
            for number, path in older_files_of(self.journal).items():
                if _is_same(last, path):  # turned over just now: this one is the last of this reading
                    break
                self._must_follow(chain, number)
                with open_journal(path) as file:
                    chain = yield from self._lines(FileOf(path, number), file, chain)
            self._must_follow(chain, 0, last)
            yield from self._lines(FileOf(self.journal, 0), last, chain)

    def _must_follow(self, chain: Chain | None, number: int, last: BinaryIO | None = None) -> None:
        """Raises JournalDamagedError where a file is missing before file `number`, or before the last."""
        if last is not None:
            number = _number_of(last)
        if chain is not None and number > chain.file + 1:
            missing = older_file(self.journal, chain.file + 1)
            raise JournalDamagedError(str(missing), f"file {chain.file + 1} of the journal is missing")

    def _lines(
        self, at: FileOf, file: BinaryIO, before: Chain | None
    ) -> Generator[tuple[Path, Read], None, Chain]:
        self.read.append(at)
        reading = Reading(at.path, before)
        self.chain = reading.chain
        try:
            for read in reading.of(file):
                if reading.lines == 1 and at.number not in (0, reading.chain.file):
                    why = f"this is file {reading.chain.file} of the journal, not file {at.number}"
                    raise JournalDamagedError(f"{at.path}, line 1", why)
                yield at.path, read
        except NoJournalError as error:
            if not isinstance(error, OtherFormatError) and _goes_on_as_a_journal(file):
                raise JournalDamagedError(error.where, error.why) from None
            raise
        except OSError as error:
            raise JournalError(f"{at.path}: the journal cannot be read: {error.strerror}") from None
        self.torn = reading.torn
        if reading.lines and not at.number:
            reading.must_be_whole()
        if not reading.lines and not reading.torn and at.number + len(self.read) == 1:
            raise JournalError(f"{at.path}: there is no journal there: the file is empty")
        if not reading.lines:
            raise JournalDamagedError(str(at.path), "the file was emptied")
        if reading.torn and at.number:
            raise JournalDamagedError(str(at.path), "the file ends in the middle of a line")
        return reading.chain


def open_journal(path: Path) -> BinaryIO:
    """A file of a journal, to be read. JournalDamagedError where the last one is missing behind others,
    JournalError where there is none."""
    try:
        if path.exists() and not path.is_file():
            raise JournalError(f"{path}: there is no journal there: this is no file")
        return path.open("rb")
    except FileNotFoundError:
        older = older_files_of(path) if path.parent.is_dir() else {}
        if older:
            raise JournalDamagedError(str(path), _GONE.format(f"file {max(older)}")) from None
        raise JournalError(f"{path}: there is no journal there") from None
    except OSError as error:
        raise JournalError(f"{path}: the journal cannot be read: {error.strerror}") from None
    except ValueError:
        raise JournalError(f"{path}: no file has such a name") from None


def _is_same(opened: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(opened.fileno()), path.stat())
    except OSError:
        return False


def _number_of(file: BinaryIO) -> int:
    """Which of a journal's files one says that it is; 0 where it says nothing."""
    closed = open_line(file.readline(MOST_BYTES))
    try:
        line = None if closed is None else decode_line(closed.body)
    except msgspec.DecodeError:
        line = None
    return line.file.number if line is not None and line.file is not None else 0


def _goes_on_as_a_journal(file: BinaryIO) -> bool:
    """Whether only the first line of a file is none of a journal: then it was changed."""
    file.seek(0)
    file.readline(MOST_BYTES)
    return open_line(file.readline(MOST_BYTES)) is not None


def is_written(journal: Path) -> bool:
    """Whether a table has the journal open to write it. JournalError where it cannot be read."""
    with open_journal(journal) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False
