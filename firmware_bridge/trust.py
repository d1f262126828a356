"""Which devices are taken, and by which keys: what a table's key file says, as a link asks it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, TypeAlias

from firmware_bridge.codes import DeviceKind
from firmware_bridge.secrecy import PairKey


class Plain(Enum):
    """Whether a device without a key may be spoken to in the clear."""

    REFUSED = "refused"
    ALLOWED = "allowed"
    """For a bench."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A device whose key was taken back: since when (an ISO date or time), and why."""

    since: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HalfPaired:
    """A device whose pairing was begun (an ISO date or time) and not finished: nobody knows its key."""

    since: str


Standing: TypeAlias = PairKey | Withdrawn | HalfPaired


class Trust(Protocol):
    """What is known of the devices that may come. Asked anew at each greeting."""

    @property
    def plain(self) -> Plain:
        """Whether one without a key is taken too."""

    def of(self, kind: DeviceKind, serial: str) -> Standing | None:
        """What is known of a device; None for nothing."""


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Devices by kind and serial number. Shows no key."""

    held: Mapping[tuple[DeviceKind, str], Standing] = field(default_factory=dict, repr=False)
    plain: Plain = Plain.REFUSED

    def of(self, kind: DeviceKind, serial: str) -> Standing | None:
        """What is known of a device; None for nothing."""
        return self.held.get((kind, serial))


NO_KEYS: Final = KeyRing(plain=Plain.ALLOWED)
"""For a bench: no keys, and every device is taken as what it says that it is."""
