"""The durable record of a table: one line of JSON an entry, chained, appended and never changed
(docs/journal.md).

`records` says what a line holds, `chain` how lines hang together, `seal` and `keys` who may open and sign
what, `writer` words and signs them, `disk` is the file, `reading` holds what was written against itself.
"""

from typing import Protocol

from controller.journal.records import Record, Source, Start, Stop, split
from controller.journal.writer import Bounds, FileJournal

__all__ = ["Bounds", "FileJournal", "Journal", "MemoryJournal", "Record", "Source", "Start", "Stop", "split"]


class Journal(Protocol):
    """Where records go. Numbers count from 1 and go on over restarts."""

    @property
    def durable(self) -> int:
        """The number of the last entry that a loss of power would leave."""

    @property
    def last(self) -> int:
        """The number of the last entry."""

    @property
    def trouble(self) -> str:
        """Why nothing can be written now, empty while all is well."""

    def append(self, record: Record) -> int:
        """Takes a record and returns its number at once; it is durable later. JournalError if writing has
        failed."""

    def keep(self, state: bytes, hand: int) -> int:
        """Takes a hand's checkpoint in the same way."""

    def wake_fd(self) -> int | None:
        """A descriptor that becomes readable when `durable` or `trouble` has changed."""

    def drain_wake(self) -> None:
        """Empties `wake_fd`. JournalError if writing has failed meanwhile."""

    def close(self) -> None:
        """Waits until all is durable and lets the file go. JournalError where it could not be written."""


class MemoryJournal:
    """Keeps the number and no more: for a table without a wire, where nothing survives the process."""

    trouble = ""

    def __init__(self) -> None:
        self.last = 0

    @property
    def durable(self) -> int:
        """All of it, at once."""
        return self.last

    def append(self, record: Record) -> int:
        """Counts a record."""
        del record
        self.last += 1
        return self.last

    def keep(self, state: bytes, hand: int) -> int:
        """Counts a checkpoint."""
        del state, hand
        self.last += 1
        return self.last

    def wake_fd(self) -> int | None:
        """None: it is never behind."""
        return None

    def drain_wake(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to let go."""
