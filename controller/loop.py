"""The running process: one poll loop for a table's ports, its journal and its doors. Nothing here ever
blocks."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType
from typing import Final, Literal, Protocol

from controller.decisions import Alert
from controller.devices import WRITTEN_AGAIN
from controller.door import DoorServer
from controller.equipment import WITH_STATE
from controller.errors import JournalError
from controller.events import DeviceName
from controller.journal import Journal
from controller.notices import Notice
from controller.service import Service
from firmware_bridge import events as bridge
from firmware_bridge import messages as wire
from firmware_bridge.errors import BridgeError, DeviceGone, DeviceRestarted, PortMissing, SecurityError

MOST_WAIT_S: Final = 0.25
UNPOLLABLE_S: Final = 0.002
"""How often a port without a descriptor (rfc2217://) is looked at."""
SLOW_MS: Final = 1
"""A driver that holds bytes back for longer costs more than all that the table does with them."""
_NO_NEWS: Final = (PortMissing, DeviceGone, DeviceRestarted)
"""What keeps a device away of which it was told already that it is away."""


RETURN_S: Final = 3.0
"""How long a device may take to answer a table that goes on where it was, before it counts as lost."""


FINISH_S: Final = 1.0
"""How long a table that ends waits for the disk."""


class Line(Protocol):
    """What the loop needs of a session."""

    def fileno(self) -> int | None: ...
    def wants_write(self) -> bool: ...
    def on_readable(self, now: float) -> list[bridge.SessionEvent]: ...
    def on_writable(self, now: float) -> list[bridge.SessionEvent]: ...
    def on_timer(self, now: float) -> list[bridge.SessionEvent]: ...
    def next_timer(self) -> float: ...
    def send(self, message: wire.Message, now: float) -> bool: ...
    def acknowledge(self, number: int, now: float, *, boot: int | None = None) -> None: ...
    def challenge(self, now: float) -> None: ...
    def unacknowledged(self) -> int: ...
    @property
    def latency_ms(self) -> int | None: ...
    def close(self, now: float) -> None: ...


class Startup(Exception):  # noqa: N818 - it ends the start, and carries the reason
    """A device could not be had when the table started; `error` says which and why."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class TableLoop:
    """Sessions, journal and doors of one table, served by one thread.

    A table that `begins` anew needs every device; one that goes on where it was goes on without those that do
    not come back, as it does when one is lost.
    """

    def __init__(
        self,
        service: Service,
        journal: Journal,
        lines: Mapping[DeviceName, Line],
        *,
        begins: Literal["anew", "where-it-was"] = "anew",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._service = service
        self._journal = journal
        self._lines = dict(lines)
        self._now = now
        self._up: set[DeviceName] = set()
        self._met: set[DeviceName] = set()
        self.begins: Final = begins
        self._missed_at = now() + RETURN_S if begins == "where-it-was" else None
        # They tell what they kept, and then their state, when they answer again.
        self._untold = set(self._lines) & set(WITH_STATE) if begins == "where-it-was" else set[DeviceName]()
        if self._untold:
            service.hold_deadlines()
        self._trouble = ""
        self._stopping = False
        self._life_line: int | None = None
        self.orphaned = False
        """Whether whoever started this table is gone."""
        self._closed = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self.door: DoorServer | None = None
        self.listeners: list[Callable[[Notice], None]] = []
        """Called with every notice, in order, by the loop's own thread."""
        self.in_trouble: list[Callable[[Alert], None]] = []
        """Called when the journal cannot be written, or can again, before that is a notice."""

    @property
    def at_rest(self) -> bool:
        """Whether every device answers and nothing is under way: nothing unhandled, unstored, unsent or
        unanswered."""
        return not self.away and self.rests_but_for(())

    @property
    def away(self) -> tuple[DeviceName, ...]:
        """Devices that do not answer now."""
        return tuple(name for name in self._lines if name not in self._up)

    def rests_but_for(self, devices: Sequence[DeviceName]) -> bool:
        """Whether nothing is under way but what these devices owe."""
        here = (line for name, line in self._lines.items() if name not in devices)
        return self._service.rests_but_for(devices) and not any(line.unacknowledged() for line in here)

    @property
    def started(self) -> bool:
        """Whether every device has answered once."""
        return len(self._met) == len(self._lines)

    def stop(self) -> None:
        """Ends `run` soon; safe in a signal handler, and at any time."""
        self._stopping = True
        if not self._closed:
            with contextlib.suppress(BlockingIOError):
                os.write(self._wake_write, b"\0")

    def stop_on_signals(self) -> None:
        """SIGTERM, SIGINT and SIGHUP end the loop in good order."""

        def ended(_signal: int, _frame: FrameType | None) -> None:
            self.stop()

        signal.signal(signal.SIGTERM, ended)
        signal.signal(signal.SIGINT, ended)
        signal.signal(signal.SIGHUP, ended)

    def stop_when_closed(self, fd: int) -> None:
        """Ends `run` when the other end of a pipe is gone: whoever started this table lives no more."""
        self._life_line = fd

    def run(self, *, deadline: float | None = None) -> None:
        """Serves until stopped.

        Until every device has answered once, a device that cannot be had ends the loop with Startup;
        `deadline` (monotonic seconds) is how long a start may take. JournalError when the journal cannot be
        written.
        """
        try:
            while not self._stopping:
                self.turn()
                late = deadline is not None and self._now() > deadline
                if late and self.begins == "anew" and not self.started:
                    self._start_is_late()
        finally:
            self.close()

    def turn(self) -> None:
        """One turn: waits for the first thing to happen, and handles all that has."""
        poller = select.poll()
        by_fd: dict[int, DeviceName] = {}
        now = self._now()
        wait = MOST_WAIT_S
        for name, line in self._lines.items():
            wait = min(wait, line.next_timer() - now)
            fd = line.fileno()
            if fd is None:
                if name in self._up:
                    wait = min(wait, UNPOLLABLE_S)
                continue
            by_fd[fd] = name
            poller.register(fd, select.POLLIN | (select.POLLOUT if line.wants_write() else 0))
        journal_fd = self._journal.wake_fd()
        people_fd = self._service.checker.wake_fd()
        for fd in (journal_fd, people_fd, self._wake_read, self._life_line):
            if fd is not None:
                poller.register(fd, select.POLLIN)
        for fd, writes in (self.door.interests() if self.door else {}).items():
            poller.register(fd, select.POLLIN | (select.POLLOUT if writes else 0))
        for fd, what in poller.poll(max(0.0, wait) * 1000):
            self._serve(fd, what, by_fd, journal_fd)
        self._timers()
        self._hand_over()
        self._publish()

    def _tell_trouble(self) -> None:
        """What is wrong with the journal cannot be written down before it is told."""
        alert = Alert(code="journal-stalled", text=self._trouble or WRITTEN_AGAIN)
        for urgent in self.in_trouble:
            urgent(alert)
        if self.door is not None:
            self.door.say_at_once(alert)

    def _publish(self) -> None:
        while self._service.notices:
            notice = self._service.notices.popleft()
            for listener in self.listeners:
                listener(notice)
            if self.door is not None:
                self.door.keep(notice)
        if self.door is not None:
            self.door.publish()

    def _serve(self, fd: int, what: int, by_fd: Mapping[int, DeviceName], journal_fd: int | None) -> None:
        if fd in by_fd:
            name = by_fd[fd]
            line = self._lines[name]
            if what & ~select.POLLOUT:
                self._hear(name, line.on_readable(self._now()))
            if what & select.POLLOUT:
                self._hear(name, line.on_writable(self._now()))
            self._hand_over()
        elif fd == journal_fd:
            self._journal.drain_wake()
            if self._trouble != self._journal.trouble:
                self._trouble = self._journal.trouble
                self._tell_trouble()
                self._service.journal_is_in(self._trouble)
            self._service.settle()
            self._hand_over()
        elif fd == self._life_line:
            self._stopping = self.orphaned = True
        elif fd == self._wake_read:
            os.read(self._wake_read, 64)
        elif fd == self._service.checker.wake_fd():
            self._service.checker.deliver()
            self._service.settle()
        elif self.door is not None:
            if what & ~select.POLLOUT:
                self._publish()
                self.door.readable(fd)
            if what & select.POLLOUT:
                self.door.writable(fd)

    def _timers(self) -> None:
        now = self._now()
        if self._missed_at is not None and now >= self._missed_at:
            self._missed_at = None
            for name in [name for name in self._lines if name not in self._met]:
                self._met.add(name)
                self._service.lost(name, f"{name}: no answer since the table goes on; see to it")
            self._has_told(*self._untold)
        for name, line in self._lines.items():
            if line.fileno() is None and name in self._up:
                self._hear(name, line.on_readable(now))
            if line.next_timer() <= now:
                self._hear(name, line.on_timer(now))

    def _hear(self, name: DeviceName, events: Iterable[bridge.SessionEvent]) -> None:
        for event in events:
            match event:
                case bridge.Up():
                    self._up.add(name)
                    self._met.add(name)
                    self._service.answers(
                        name,
                        event.identity.boot,
                        event.capabilities,
                        identity=event.identity,
                        restarted=event.restarted,
                        lost=int(event.lost_events),
                    )
                    if (self._lines[name].latency_ms or 0) > SLOW_MS:
                        self._service.line_is_slow(name)
                case bridge.Received():
                    self._service.received(name, event.number, event.message)
                    if isinstance(event.message, wire.Fed | wire.DeckReady):
                        self._challenge_all()
                    if isinstance(event.message, wire.ShoeState | wire.ShufflerState | wire.ZonesState):
                        self._has_told(name)
                case bridge.Ticked():
                    self._service.ticked(name, event.time_ms)
                case bridge.Down():
                    refused = isinstance(event.error, SecurityError)
                    if not self.started and (refused or self.begins == "anew"):
                        raise Startup(event.error)
                    if refused:  # the journal has each refusal, of one that was away too
                        self._service.refused(name, str(event.error))
                    news = name not in self._met or not isinstance(event.error, _NO_NEWS)
                    if name in self._up or news:
                        self._up.discard(name)
                        self._met.add(name)
                        self._service.lost(name, _said_of(name, event.error))
                        self._has_told(name)

    def _has_told(self, *names: DeviceName) -> None:
        """These devices have told what they kept, or are not waited for any more."""
        if self._untold:
            self._untold.difference_update(names)
            if not self._untold:
                self._service.release_deadlines()

    def _challenge_all(self) -> None:
        """A deck was changed: whoever is to deal or follow it must prove that it is still who it was."""
        now = self._now()
        for line in self._lines.values():
            line.challenge(now)

    def _hand_over(self) -> None:
        """Commands first, then the acknowledgements of what led to them."""
        now = self._now()
        outbox = self._service.outbox
        for name, message in _gate_first(outbox):
            if name in self._up:
                self._lines[name].send(message, now)
        outbox.clear()
        self._acknowledge(now)

    def _finish(self) -> None:
        """What has happened is written down before the end, and told and acknowledged then, unless the disk
        takes too long."""
        until = self._now() + FINISH_S
        fd = self._journal.wake_fd()
        try:
            while fd is not None and self._journal.durable < self._journal.last and self._now() < until:
                select.select([fd], [], [], FINISH_S)
                self._journal.drain_wake()
        except JournalError:
            return  # whoever closes the journal is told
        self._service.settle()
        self._acknowledge(self._now())
        self._publish()

    def _acknowledge(self, now: float) -> None:
        while self._service.acks:
            name, mark = self._service.acks.popleft()
            # To a device that is away the next session says it.
            self._lines[name].acknowledge(mark.number, now, boot=mark.boot)

    def _start_is_late(self) -> None:
        silent = [name for name in self._lines if name not in self._met]
        raise Startup(
            TimeoutError(f"{', '.join(silent)}: no answer; is the device on, and does it speak cutcard?")
        )

    def close(self) -> None:
        """Takes leave of the devices and shuts the doors; nothing the second time."""
        if self._closed:
            return
        self._closed = True
        self._finish()
        now = self._now()
        for line in self._lines.values():
            line.close(now)
        if self.door is not None:
            self.door.close()
        self._service.checker.close()
        os.close(self._wake_read)
        os.close(self._wake_write)


def _gate_first(
    outbox: Iterable[tuple[DeviceName, wire.Message]],
) -> list[tuple[DeviceName, wire.Message]]:
    """What leaves, each device's in its order: before a gate has shut another card may pass, while a prompt
    is for people."""
    leaving = list(outbox)
    if any(isinstance(message, wire.Lock) for _, message in leaving):
        leaving.sort(key=lambda sent: sent[0] != "shoe")
    return leaving


def _said_of(name: DeviceName, error: BridgeError) -> str:
    """What happened to a device, in one line that names it, and its port where that is what is meant."""
    at = "" if error.where == name else f"{name} at "
    return f"{at}{error}"
