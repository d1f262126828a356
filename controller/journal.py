"""The durable record: one line of JSON an entry, appended and never changed (docs/journal.md).

A line holds an event, what followed from it and where it came from. Fields that may tell a hidden card are
left out of
the line and kept sealed beside it. Lines are written and synced in groups by a thread of their own.
"""

import base64
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Protocol

import msgspec

from controller.decisions import AnyDecision, Command, HandBegan
from controller.errors import JournalError
from controller.events import AnyEvent, DeviceName
from controller.seal import Seal

FORMAT: Final = 1


class Source(msgspec.Struct, frozen=True):
    """The device event that an entry came from: device, its boot, the event's number."""

    device: DeviceName
    boot: int
    number: int


@dataclass(frozen=True)
class Record:
    """One event and all that followed from it."""

    event: AnyEvent
    decisions: tuple[AnyDecision, ...]
    source: Source | None = None


class Journal(Protocol):
    """Where records go. Numbers count from 1 and go on over restarts."""

    @property
    def durable(self) -> int:
        """The number of the last entry that a loss of power would leave."""

    @property
    def last(self) -> int:
        """The number of the last entry."""

    def append(self, record: Record) -> int:
        """Takes a record and returns its number at once; it is durable later. JournalError if writing has
        failed."""

    def wake_fd(self) -> int | None:
        """A descriptor that becomes readable when `durable` has moved on."""

    def drain_wake(self) -> None:
        """Empties `wake_fd`. JournalError if writing has failed meanwhile."""

    def close(self) -> None:
        """Waits until all is durable and lets the file go."""


class MemoryJournal:
    """Keeps the number and no more: for a table without a wire, where nothing survives the process."""

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

    def wake_fd(self) -> int | None:
        """None: it is never behind."""
        return None

    def drain_wake(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to let go."""


class FileJournal:
    """The file, its writer thread and the group commit. Raises JournalError where the file cannot be used."""

    def __init__(
        self, path: Path, seal: Seal, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._path = path
        self._seal = seal
        self._now = now
        self.marks: Mapping[DeviceName, Source] = {}
        """The last event of each device that is in the journal."""
        self.last = 0
        self._durable = 0
        self._failure: str | None = None
        self._queue: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
        self._open()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        self._thread = threading.Thread(target=self._write_groups, name="journal", daemon=True)
        self._thread.start()

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            whole = self._read_existing()
            self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            if not whole:
                os.write(self._fd, b"\n")
        except OSError as error:
            raise JournalError(f"{self._path}: the journal cannot be opened: {error.strerror}") from None
        self._durable = self.last

    def _read_existing(self) -> bool:
        """Finds the last number and the devices' marks; False where the last line was torn off."""
        if not self._path.exists():
            return True
        marks: dict[DeviceName, Source] = {}
        whole = True
        decoder = msgspec.json.Decoder(_Head)
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                whole = line.endswith(b"\n")
                if not whole or line == b"\n":
                    continue
                try:
                    head = decoder.decode(line)
                except msgspec.DecodeError:
                    why = f"{self._path}, line {number}: no journal entry; move the file away"
                    raise JournalError(why) from None
                self.last = head.n
                if head.source is not None:
                    marks[head.source.device] = head.source
        self.marks = marks
        return whole

    @property
    def durable(self) -> int:
        """The number of the last entry that is on the disk."""
        return self._durable

    def append(self, record: Record) -> int:
        """Hands a record to the writer."""
        self._check()
        self.last += 1
        if any(isinstance(decision, HandBegan) for decision in record.decisions):
            self._seal.new_hand()
        self._queue.put((self.last, self._line(self.last, record)))
        return self.last

    def _line(self, number: int, record: Record) -> bytes:
        event, hidden_event = split(record.event)
        decisions, hidden_decisions = [], []
        for decision in record.decisions:
            shown, hidden = split(decision)
            decisions.append(shown)
            if hidden and isinstance(decision, Command):
                hidden_decisions.append({"ref": decision.ref, **hidden})
        entry: dict[str, object] = {"n": number, "at": self._now().isoformat(timespec="milliseconds")}
        if record.source is not None:
            entry["source"] = record.source
        entry |= {"event": event, "decisions": decisions}
        if hidden_event or hidden_decisions:
            hidden_part = msgspec.json.encode({"event": hidden_event, "decisions": hidden_decisions})
            entry["sealed"] = base64.b64encode(self._seal.close(number, hidden_part)).decode()
        return msgspec.json.encode(entry) + b"\n"

    def _write_groups(self) -> None:
        """Writes and syncs whatever has gathered, again and again, until told to stop."""
        running = True
        while running:
            item = self._queue.get()
            group = b""
            last = self._durable
            while item is not None:
                last = item[0]
                group += item[1]
                if self._queue.empty():
                    break
                item = self._queue.get()
            running = item is not None
            try:
                view = memoryview(group)
                while view:
                    view = view[os.write(self._fd, view) :]
                if group:
                    os.fdatasync(self._fd)
                self._durable = last
            except OSError as error:
                self._failure = error.strerror or "unknown"
                running = False
            os.write(self._wake_write, b"\0")

    def _check(self) -> None:
        if self._failure is not None:
            raise JournalError(f"{self._path}: the journal cannot be written: {self._failure}; make room")

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

    def close(self) -> None:
        """Waits for the last group."""
        self._queue.put(None)
        self._thread.join()
        os.close(self._fd)
        os.close(self._wake_read)
        os.close(self._wake_write)


class _Head(msgspec.Struct):
    n: int = 0
    source: Source | None = None


def split(value: AnyEvent | AnyDecision) -> tuple[dict[str, object], dict[str, object]]:
    """The open and the hidden fields of an event or a decision, as a line of the journal has them."""
    shown: dict[str, object] = msgspec.to_builtins(value, str_keys=True)
    hidden = {name: shown.pop(name) for name in value.HIDDEN if shown.get(name)}
    for name in value.HIDDEN:
        shown.pop(name, None)
    return shown, hidden
