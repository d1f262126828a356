"""Following a journal while a table writes it: entries as they come, from file to file. Reading only."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from controller.errors import JournalError
from controller.journal.reading import Chain, Read, Reading, older_file
from controller.journal.whole import open_journal

_GONE = "the journal was taken away or changed while it was read"


class Following:
    """The lines of a journal's last file, and of those that follow it, held against the chain as they come.

    A last line that is not whole yet is waited for. `wait` is called where there is nothing to read, and
    ends it all by returning False.
    """

    def __init__(self, journal: Path, wait: Callable[[], bool]) -> None:
        self._journal = journal
        self._wait = wait

    def __iter__(self) -> Iterator[Read]:
        """Raises JournalDamagedError for a line that does not hold, JournalError where the file is gone."""
        file = open_journal(self._journal)
        chain: Chain | None = None
        try:
            while True:
                reading = Reading(self._journal, chain)
                yield from reading.of(file)
                while (following := self._following(file, reading)) is None:
                    if not self._wait():
                        return
                    yield from reading.of(file)
                yield from reading.of(file)  # what came before another file was begun
                file.close()
                file, chain = following, reading.chain
        finally:
            file.close()

    def _following(self, file: BinaryIO, reading: Reading) -> BinaryIO | None:
        """The next file, once there is one. Raises JournalError where this one is no part of the journal any
        more."""
        opened = os.fstat(file.fileno())
        if opened.st_size < reading.whole:
            raise JournalError(f"{self._journal}: {_GONE}")
        try:
            if os.path.samestat(opened, self._journal.stat()):
                return None
        except FileNotFoundError:
            pass
        except OSError as error:
            raise JournalError(f"{self._journal}: the journal cannot be read: {error.strerror}") from None
        turned = older_file(self._journal, reading.chain.file)
        if not turned.exists() or not os.path.samestat(opened, turned.stat()):
            raise JournalError(f"{self._journal}: {_GONE}")
        following = older_file(self._journal, reading.chain.file + 1)
        if following.exists():
            return open_journal(following)
        return open_journal(self._journal) if self._journal.exists() else None
