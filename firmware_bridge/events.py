"""What a link and a session are told and what they tell."""

from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.capabilities import Capabilities
from firmware_bridge.codes import DeviceKind
from firmware_bridge.errors import BridgeError
from firmware_bridge.messages import Event, Order


@dataclass(frozen=True, slots=True)
class Expect:
    """The device that must be at the other end; ``serial`` None: any of that kind."""

    kind: DeviceKind
    serial: str | None = None

    def __str__(self) -> str:
        return f"{self.kind.label} {self.serial}" if self.serial else f"any {self.kind.label}"


@dataclass(frozen=True, slots=True)
class Mark:
    """An event of a device for ever: the boot's nonce and the event's number in it."""

    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers: its kind, serial number, firmware version (``1.2.3``) and the nonce of this boot."""

    kind: DeviceKind
    serial: str
    firmware: str
    boot: int


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A link's session is open.

    ``lost_events``: events that were never stored are gone from the device. ``reborn``: it has booted anew
    although its nonce is the known one, for it never had the events that are known of that boot. ``sealed``:
    it holds its key, and every frame is authenticated.
    """

    identity: Identity
    capabilities: Capabilities
    lost_events: bool
    reborn: bool = False
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """A device's event; once, in order. Acknowledge ``number`` (of ``boot``) when it is durable."""

    number: int
    message: Event
    boot: int


@dataclass(frozen=True, slots=True)
class Ticked:
    """The device's time, milliseconds since its boot; every event before it was received."""

    time_ms: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A link is over and will say nothing more."""

    error: BridgeError


@dataclass(frozen=True, slots=True)
class Up:
    """A device is there.

    ``restarted``: it is another boot than the last that was known, so what it was doing is unknown.
    ``lost_events``: events are gone that were never stored; the host must align. ``sealed``: it holds its
    key, and every frame is authenticated; never so on a bench without keys.
    """

    identity: Identity
    capabilities: Capabilities
    restarted: bool
    lost_events: bool
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Down:
    """A device is not there, and why.

    May come again with another error before the next `Up`. Nothing is sent again by itself: orders in
    ``unsent`` never left, those in ``unconfirmed`` may have arrived. Send again what is safe; RECALL what
    moves cards.
    """

    error: BridgeError
    unsent: tuple[Order, ...] = ()
    unconfirmed: tuple[Order, ...] = ()


LinkEvent: TypeAlias = LinkUp | Received | Ticked | Lost
SessionEvent: TypeAlias = Up | Received | Ticked | Down
