"""A poll loop with one session, and a device on a pty that comes and goes."""

import select
from pathlib import Path
from typing import TypeVar

from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import PortSource
from firmware_bridge.session import Expect, Received, Session, SessionEvent
from firmware_bridge.trust import NO_KEYS
from tests.bridge.fake_device import FakeDevice
from tests.bridge.ptys import Pty

SHOE = Expect(DeviceKind.SHOE, "SH-0007")
E_ = TypeVar("E_")


class Table:
    """A poll loop with one session, a device on a pty that comes and goes, and a clock turned by hand."""

    def __init__(self, path: Path, session: Session | None = None) -> None:
        self.path = path
        self.session = session or Session("shoe", PortSource(str(path)), SHOE, trust=NO_KEYS)
        self.device = FakeDevice()
        self.pty: Pty | None = None
        self.now = 1000.0
        self.events: list[SessionEvent] = []
        self.acknowledge = True
        self.heard = b""

    def plug(self) -> None:
        """The device appears, at another terminal than before."""
        self.pty = Pty(self.path)

    def unplug(self) -> None:
        assert self.pty is not None
        self.pty.unplug()
        self.pty = None

    def step(self) -> None:
        """The device speaks; the loop serves what is ready; the device listens."""
        if self.pty is not None:
            self.pty.write(self.device.poll(self.now))
        self.serve()
        if self.pty is not None:
            heard = self.pty.read()
            self.heard += heard
            self.device.feed(heard, self.now)

    def serve(self) -> None:
        session = self.session
        fd_ = session.fileno()
        if fd_ is not None:
            ready = select.select([fd_], [fd_] if session.wants_write() else [], [], 0)
            if ready[0]:
                self.take(session.on_readable(self.now))
            if ready[1] and session.fileno() == fd_:
                self.take(session.on_writable(self.now))
        if self.now >= session.next_timer():
            self.take(session.on_timer(self.now))

    def take(self, events: list[SessionEvent]) -> None:
        self.events += events
        for event in events:
            if self.acknowledge and isinstance(event, Received):
                self.session.acknowledge(event.number, self.now, boot=event.boot)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 0.010
            self.step()

    def until(self, kind: type[E_], seconds: float = 5) -> E_:
        """The next event of that kind; the clock goes on until it comes."""
        seen = len(self.events)
        end = self.now + seconds
        while self.now < end:
            self.now += 0.010
            self.step()
            for event in self.events[seen:]:
                if isinstance(event, kind):
                    return event
        raise AssertionError(f"no {kind.__name__} within {seconds} s; there came {self.events[seen:]}")

    def all(self, kind: type[E_]) -> list[E_]:
        return [event for event in self.events if isinstance(event, kind)]
