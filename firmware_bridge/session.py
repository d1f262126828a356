"""One device for one poll loop: its port, its link, and coming back after everything that can happen to them.

The loop asks for `fileno`, `wants_write` and `next_timer` after every call, for they change. A descriptor is
never replaced by another within one call: `fileno` is None in between, so that even a new one of the same
number is seen. One that hung up is closed in the call that noticed it, so a loop never spins on it. No call
waits, and none raises for what a device or a port does: that is told by `Down`.
"""

import secrets
from collections.abc import Callable
from typing import Final

from firmware_bridge.codes import CloseReason
from firmware_bridge.diagnostics import FrameTrace, LinkCounts
from firmware_bridge.discovery import PortSource
from firmware_bridge.errors import (
    BridgeError,
    DeviceGone,
    DeviceRestarted,
    LinkLost,
    PortDenied,
    PortMissing,
    ProofFailed,
    WrongDevice,
)
from firmware_bridge.events import (
    Down,
    Expect,
    Identity,
    LinkEvent,
    LinkUp,
    Lost,
    Mark,
    Received,
    SessionEvent,
    Ticked,
    Up,
)
from firmware_bridge.header import OLDER_MAX, ahead
from firmware_bridge.link import Link
from firmware_bridge.messages import Close, Message, Order
from firmware_bridge.port import SerialPort
from firmware_bridge.trust import Trust

__all__ = ["Down", "Expect", "Identity", "Mark", "Received", "Session", "SessionEvent", "Ticked", "Up"]

RETRY_S: Final = 0.100
"""Between attempts in the first 3 s, while a device may still be coming up."""
RETRY_LATER_S: Final = 0.500
"""Between attempts afterwards, and after an error that will not go away by itself."""
SHORT_S: Final = 2.0
"""A session that was over sooner is none that one can rely on: after each further one in a row the next comes
later."""
RETRY_MAX_S: Final = 8.0
PATIENCE_S: Final = 3.0
"""A port that is missing or denied for so long is no device that was just plugged in."""
POLL_S: Final = 0.010
"""Between reads of a port that has no descriptor to wait for."""
QUEUE_MAX: Final = 512
"""Orders that may wait for a device that takes none."""

_NEVER = float("inf")
_PASSING = (PortMissing, PortDenied, DeviceGone, LinkLost)


class Session:
    """A device at a port, over all unplugging, restarting and silence. For one thread.

    ``trust`` knows which devices are taken, and by which keys. A device that fails a challenge stays refused
    as long as this object lives: somebody must have looked at it before another is made.
    ``mark`` is the last event that was made durable, of any boot. ``opener`` opens a port by name and baud
    rate; ``random`` gives a number of so many bits. Times are monotonic seconds.
    """

    def __init__(
        self,
        name: str,
        source: PortSource,
        expect: Expect,
        *,
        trust: Trust,
        mark: Mark | None = None,
        opener: Callable[..., SerialPort] = SerialPort.open,
        random: Callable[[int], int] = secrets.randbits,
    ) -> None:
        self.name: Final = name
        self._source = source
        self._expect = expect
        self._trust = trust
        self._opener = opener
        self._random = random
        self._mark = mark
        self._delivered: Mark | None = None
        self._boot = mark.boot if mark else None
        self._port: SerialPort | None = None
        self._link: Link | None = None
        self._last_session = 0
        self._rest = b""  # of a frame that is partly written
        self._up = False
        self._up_at = -_NEVER
        self._short = 0
        self._fault: BridgeError | None = None  # noticed by a call that gives no events
        self._away_since: float | None = None
        self._retry_at = -_NEVER
        self._polled_at = -_NEVER
        self._reported: set[str] = set()
        self._last_trace: list[FrameTrace] = []
        self._closed = False
        self._refused = False
        self.stale_acks = 0

    # What the poll loop asks for

    def fileno(self) -> int | None:
        """The descriptor to wait for; None where there is none now. Ask after every call."""
        return self._port.fileno() if self._port else None

    def wants_write(self) -> bool:
        """Whether `on_writable` is to be called when the port takes bytes again."""
        return bool(self._rest) and self._port is not None

    def next_timer(self) -> float:
        """When `on_timer` must be called at the latest."""
        if self._closed or (self._refused and self._fault is None):
            return _NEVER
        if self._fault is not None:
            return -_NEVER
        if self._port is None or self._link is None:
            return self._retry_at
        # What cannot be written now is not due: the port will say when it can.
        due = self._link.lost_at() if self._rest else min(self._link.lost_at(), self._link.due_at())
        return min(due, self._polled_at + POLL_S) if self._port.fileno() is None else due

    # What the poll loop calls

    def on_readable(self, now: float) -> list[SessionEvent]:
        """The port has bytes, or hung up."""
        events = self._faults(now)
        if self._port is not None:
            events += self._read(now)
            events += self._flush(now)
        return events

    def on_writable(self, now: float) -> list[SessionEvent]:
        """The port takes bytes again."""
        events = self._faults(now)
        return events + self._flush(now)

    def on_timer(self, now: float) -> list[SessionEvent]:
        """Opens, greets, repeats, notices silence, comes back. May be called at any time."""
        if self._closed:
            return []
        events = self._faults(now)
        if events or self._refused:
            return events
        if self._port is None:
            return self._attempt(now) if now >= self._retry_at else []
        # A loop that was late itself must not take what it has not read yet for silence.
        events += self._read(now)
        if self._link is not None:
            events += self._told(self._link.expire(now), now)
        return events + self._flush(now)

    # What the owner calls

    def send(self, message: Message, now: float) -> bool:
        """Queues an order; it leaves when the window has room, at once if it can.

        False where no session is up: then nothing is queued, as before an `Up` nothing is known of the
        device. Raises `BadMessage` where a value does not fit, and `TypeError` where it is no order.
        """
        if not isinstance(message, Order):
            raise TypeError(f"{message.NAME} is no order to a device")
        link = self._link
        if link is None or not link.is_open or self._fault is not None:
            return False
        if len(link.window) >= QUEUE_MAX:
            self._fault = LinkLost(
                self.name, f"{QUEUE_MAX} orders wait for it, and it takes none", "see to it"
            )
            return False
        link.send(message)
        self._write_quietly(now)
        return True

    def challenge(self, now: float) -> None:
        """The device has to prove its key anew; nothing where no sealed session is up."""
        if self._link is not None and self._fault is None:
            self._link.challenge(now)
            self._write_quietly(now)

    def acknowledge(self, number: int, now: float, *, boot: int | None = None) -> None:
        """The event ``number`` and all before it are durable, and what they caused was sent.

        ``boot`` is that of its `Received`; give it wherever the device may have restarted meanwhile. What
        was never received, or is of a boot that is over, is passed over and counted in ``stale_acks``.
        """
        last = self._delivered
        if last is None or boot not in (None, last.boot) or ahead(last.number, number) > OLDER_MAX:
            self.stale_acks += 1
            return
        mark = self._mark
        if mark and mark.boot == last.boot and not 0 < ahead(number, mark.number) <= OLDER_MAX:
            return
        self._mark = Mark(last.boot, number)
        # Where no session is up, OPEN says it.
        if self._up and self._link is not None and self._boot == last.boot:
            self._acknowledge(self._link, number)
            self._write_quietly(now)

    def unacknowledged(self) -> int:
        """Orders that are queued or under way to the device."""
        return len(self._link.window) if self._link else 0

    def close(self, now: float) -> None:
        """Says goodbye as far as the port takes it at once, and closes. The session is over."""
        if self._link is not None and self._port is not None and not self._rest:
            self._rest = self._link.close(Close(CloseReason.GOING_DOWN), now)
            if self._write(now) is None and not self._rest:
                self._port.close()  # the farewell may still be on its way
                self._port = None
        self._drop_port()
        self._link = None
        self._up = False
        self._fault = None
        self._closed = True

    # For diagnostics

    @property
    def latency_ms(self) -> int | None:
        """How long the port's driver may hold bytes back, in milliseconds; None where it does not say."""
        return self._port.latency_ms if self._port else None

    @property
    def counts(self) -> LinkCounts | None:
        """What the present link has dropped; None where there is none."""
        return self._link.counts if self._link else None

    def trace(self) -> list[FrameTrace]:
        """The last frames of the present link, or of the last one that was up, without their bodies."""
        return self._link.trace() if self._link and (self._up or not self._last_trace) else self._last_trace

    # Inside

    def _attempt(self, now: float) -> list[SessionEvent]:
        if self._away_since is None:
            self._away_since = now
        try:
            name = self._source.resolve()
            self._port = self._opener(name, baudrate=self._source.baudrate)
        except BridgeError as error:
            return self._down(error, now)
        self._polled_at = now
        self._greet(now)
        return self._flush(now)

    def _greet(self, now: float) -> None:
        self._rest = b""
        self._link = Link(
            self.name,
            self._expect,
            trust=self._trust,
            now=now,
            random=self._random,
            mark=self._mark,
            delivered=self._delivered,
            last_session=self._last_session,
        )
        self._last_session = self._link.session

    def _read(self, now: float) -> list[SessionEvent]:
        if self._port is None or self._link is None:
            return []
        self._polled_at = now
        try:
            data = self._port.read()
        except BridgeError as error:
            return self._down(error, now)
        return self._told(self._link.receive(data, now), now) if data else []

    def _flush(self, now: float) -> list[SessionEvent]:
        error = self._write(now)
        return self._down(error, now) if error else []

    def _write_quietly(self, now: float) -> None:
        error = self._write(now)
        if error is not None:
            self._fault = error
            self._drop_port()  # at once: nobody may wait for a descriptor that hung up

    def _write(self, now: float) -> BridgeError | None:
        """Writes what is due, as far as the port takes it."""
        port, link = self._port, self._link
        if port is None or link is None:
            return None
        try:
            while self._rest or (due := link.outgoing(now)):
                self._rest = self._rest or due
                self._rest = self._rest[port.write(self._rest) :]
                if self._rest:
                    break
        except BridgeError as error:
            return error
        return None

    def _told(self, events: list[LinkEvent], now: float) -> list[SessionEvent]:
        told: list[SessionEvent] = []
        for event in events:
            match event:
                case LinkUp():
                    told.append(self._on_up(event, now))
                case Received():
                    self._delivered = Mark(event.boot, event.number)
                    told.append(event)
                case Ticked():
                    told.append(event)
                case Lost():
                    told += self._down(event.error, now)
        return told

    def _on_up(self, event: LinkUp, now: float) -> Up:
        boot = event.identity.boot
        restarted = event.reborn or (self._boot is not None and boot != self._boot)
        self._boot = boot
        if event.reborn:
            self._mark = self._delivered = None  # of an earlier boot with this nonce
        self._up, self._up_at = True, now
        self._away_since = None
        self._reported.clear()
        if self._mark and self._link and self._mark.boot == boot and self._delivered:
            # It may have become durable between HELLO and now.
            self._acknowledge(self._link, self._mark.number)
        return Up(event.identity, event.capabilities, restarted, event.lost_events, event.sealed)

    def _acknowledge(self, link: Link, number: int) -> None:
        try:
            link.acknowledge(number)
        except ValueError:
            self.stale_acks += 1

    def _faults(self, now: float) -> list[SessionEvent]:
        error, self._fault = self._fault, None
        return self._down(error, now) if error else []

    def _down(self, error: BridgeError, now: float) -> list[SessionEvent]:
        link, was_up = self._link, self._up
        self._link, self._up = None, False
        if link is not None and was_up:
            self._last_trace = link.trace()
            # A plug that is pulled is no trick: it is looked for as soon as ever.
            cut_short = now < self._up_at + SHORT_S and not isinstance(error, DeviceGone)
            self._short = self._short + 1 if cut_short else 0
        if self._away_since is None:
            self._away_since = now
        self._refused = isinstance(error, ProofFailed)
        if isinstance(error, DeviceRestarted) and self._port is not None and self._short < 2:
            self._greet(now)  # the port is well
        else:
            self._drop_port()
            self._retry_at = now + self._pause(error, now, self._away_since)
        if link is not None and was_up:
            return [Down(error, link.window.unsent(), link.window.unconfirmed())]
        return self._reportable(error, now)

    def _pause(self, error: BridgeError, now: float, away_since: float) -> float:
        """Seconds until the next attempt."""
        if self._short > 1:  # whoever can end sessions at will is not to fill the journal with them
            return min(RETRY_LATER_S * 2.0 ** min(self._short - 2, 8), RETRY_MAX_S)
        soon = isinstance(error, _PASSING) and now < away_since + PATIENCE_S
        return RETRY_S if soon else RETRY_LATER_S

    def _reportable(self, error: BridgeError, now: float) -> list[SessionEvent]:
        """Each cause once between two `Up`, and only when waiting has not helped."""
        since = now if self._away_since is None else self._away_since
        if isinstance(error, PortMissing | PortDenied | DeviceRestarted) and now < since + PATIENCE_S:
            return []
        cause = f"{type(error).__name__} {error.found if isinstance(error, WrongDevice) else ''}"
        if cause in self._reported:
            return []
        self._reported.add(cause)
        local = isinstance(error, PortMissing) and "://" not in str(self._source)
        return [Down(self._source.missing() if local else error)]

    def _drop_port(self) -> None:
        self._rest = b""
        port, self._port = self._port, None
        if port is not None:
            port.discard()
            port.close()
