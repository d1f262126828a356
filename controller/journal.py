"""The durable record: one line of JSON an entry, appended and never changed (docs/journal.md).

A line holds an event, what followed from it and where it came from. Fields that may tell a hidden card are
left out of the line and kept sealed beside it. Lines are written and synced in groups by a thread of their
own.
"""

import base64
import contextlib
import errno
import fcntl
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated, Final, NamedTuple, Protocol

import msgspec

from controller.decisions import AnyDecision, Command, HandBegan, PhaseEntered
from controller.errors import JournalError, JournalOpenError
from controller.events import AnyEvent, DeviceName
from controller.seal import Seal, sync_folder

_MOST_ENTRIES: Final = 1 << 52
_STOPPED: Final = "{}: the journal's writer has stopped; report it as a fault of the program"
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


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
        """Waits until all is durable and lets the file go. JournalError where it could not be written."""


class _Entry(NamedTuple):
    number: int
    at: datetime
    record: Record


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
        self._size = 0
        self._failure: str | None = None
        self._queue: SimpleQueue[_Entry | None] = SimpleQueue()
        self._open()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._write_groups, name="journal", daemon=True)
        self._thread.start()

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists() and not self._path.is_file():
                raise JournalOpenError(f"{self._path}: this is no file that a journal can be")
            self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise JournalOpenError(f"{self._path}: the journal cannot be opened: {error.strerror}") from None
        try:
            # The key beside it is the running table's until nobody else can be writing.
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            whole = self._read_existing()
            if os.fstat(self._fd).st_size > whole:
                # A torn line was never durable: nothing was acknowledged or commanded on its word.
                os.ftruncate(self._fd, whole)
            self._size = whole
            sync_folder(self._path.parent)
            self._seal.go_on()
        except BlockingIOError:
            os.close(self._fd)
            why = "another table writes it; stop that one or choose another file"
            raise JournalOpenError(f"{self._path}: {why}") from None
        except OSError as error:
            os.close(self._fd)
            raise JournalOpenError(f"{self._path}: the journal cannot be opened: {error.strerror}") from None
        except JournalError as error:  # of the key
            os.close(self._fd)
            raise JournalOpenError(str(error)) from None
        self._durable = self.last

    def _read_existing(self) -> int:
        """Finds the last number and the devices' marks; the bytes up to the end of the last whole line."""
        marks: dict[DeviceName, Source] = {}
        whole = 0
        decoder = msgspec.json.Decoder(_Head)
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                try:
                    head = decoder.decode(line)
                except msgspec.DecodeError:
                    raise self._no_journal(number, "no journal entry") from None
                if self.last and head.n != self.last + 1:
                    raise self._no_journal(number, f"entry {head.n} stands behind entry {self.last}")
                self.last = head.n
                if head.source is not None:
                    marks[head.source.device] = head.source
        self.marks = marks
        return whole

    def _no_journal(self, line: int, why: str) -> JournalOpenError:
        return JournalOpenError(f"{self._path}, line {line}: {why}; move the file away")

    @property
    def durable(self) -> int:
        """The number of the last entry that is on the disk."""
        return self._durable

    def append(self, record: Record) -> int:
        """Hands a record to the writer."""
        self._check()
        self.last += 1
        self._queue.put(_Entry(self.last, self._now(), record))
        return self.last

    def _line(self, entry: _Entry) -> bytes:
        """An entry as it is stored. The key is another before a hand begins and after one is over."""
        number, at, record = entry
        if any(isinstance(decision, HandBegan) for decision in record.decisions):
            self._seal.renew()
        event, hidden_event = split(record.event)
        decisions, hidden_decisions = [], []
        for decision in record.decisions:
            shown, hidden = split(decision)
            decisions.append(shown)
            if hidden and isinstance(decision, Command):
                hidden_decisions.append({"ref": decision.ref, **hidden})
        line: dict[str, object] = {"n": number, "at": at.isoformat(timespec="milliseconds")}
        if record.source is not None:
            line["source"] = record.source
        line |= {"event": event, "decisions": decisions}
        if hidden_event or hidden_decisions:
            hidden_part = msgspec.json.encode({"event": hidden_event, "decisions": hidden_decisions})
            line["sealed"] = base64.b64encode(self._seal.close(number, hidden_part)).decode()
        if any(decision == PhaseEntered(phase="done") for decision in record.decisions):
            self._seal.renew()
        return msgspec.json.encode(line) + b"\n"

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
                room = "; make room" if error.errno in _NO_ROOM else ""
                self._failure = f"{self._path}: the journal cannot be written: {error.strerror}{room}"
            except JournalError as error:  # of the seal
                self._failure = str(error)
            finally:
                if not written and self._failure is None:  # nobody foresaw why, but nobody must wait for it
                    self._failure = _STOPPED.format(self._path)
                with contextlib.suppress(BlockingIOError):  # full: it is readable anyway
                    os.write(self._wake_write, b"\0")
            running = running and written

    def _write(self, group: Sequence[_Entry]) -> None:
        if not group:
            return
        self._be_there()
        view = memoryview(b"".join(self._line(entry) for entry in group))
        while view:
            written = os.write(self._fd, view)
            self._size += written
            view = view[written:]
        os.fdatasync(self._fd)
        self._durable = group[-1].number

    def _be_there(self) -> None:
        """Raises JournalError where somebody else has moved, changed or removed the file by now."""
        try:
            named = os.stat(self._path)
        except OSError:
            named = None
        opened = os.fstat(self._fd)
        other = named is None or (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino)
        if other or opened.st_size != self._size:
            raise JournalError(
                f"{self._path}: the journal was taken away or changed while it was written; start again"
            )

    def _check(self) -> None:
        if self._failure is not None:
            raise JournalError(self._failure)

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
        self._check()


class _Head(msgspec.Struct):
    n: Annotated[int, msgspec.Meta(ge=1, lt=_MOST_ENTRIES)]
    source: Source | None = None


def split(value: AnyEvent | AnyDecision) -> tuple[dict[str, object], dict[str, object]]:
    """The open and the hidden fields of an event or a decision, as a line of the journal has them."""
    shown: dict[str, object] = msgspec.to_builtins(value, str_keys=True)
    hidden = {name: shown.pop(name) for name in value.HIDDEN if shown.get(name)}
    for name in value.HIDDEN:
        shown.pop(name, None)
    return shown, hidden
