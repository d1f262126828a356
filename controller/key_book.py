"""The devices of a room and their keys: who is paired, whose pairing was not finished, who was revoked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from controller.errors import KeyRefusedError
from controller.events import DeviceName
from firmware_bridge.codes import DeviceKind
from firmware_bridge.secrecy import PairKey
from firmware_bridge.trust import HalfPaired, KeyRing, Plain, Standing, Withdrawn

StateName = Literal["paired", "unfinished", "revoked"]
REASON_LETTERS: Final = 200


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One device. Only one that is paired has a key; ``since`` is when it came into its state (UTC), ``by``
    the user who did it."""

    kind: DeviceName
    serial: str
    state: StateName
    since: str
    by: str
    key: PairKey | None = field(default=None, repr=False)
    reason: str = ""

    @property
    def standing(self) -> Standing:
        """What a link is told of it."""
        if self.state == "revoked":
            return Withdrawn(self.since, self.reason)
        return self.key if self.state == "paired" and self.key is not None else HalfPaired(self.since)


@dataclass(frozen=True, slots=True)
class KeyBook:
    """All devices of a key file, each once."""

    entries: tuple[KeyEntry, ...] = ()

    def find(self, serial: str) -> KeyEntry | None:
        """The device of a serial number, None where there is none."""
        return next((entry for entry in self.entries if entry.serial == serial), None)

    def with_entry(self, entry: KeyEntry) -> "KeyBook":
        """With a device in the place of what was known of it. KeyRefusedError for one that was revoked."""
        known = self.find(entry.serial)
        if known is not None and known.state == "revoked":
            raise KeyRefusedError(
                f"{known.kind} {known.serial} was revoked {known.since}: a revoked device is not paired again"
            )
        others = tuple(other for other in self.entries if other.serial != entry.serial)
        return KeyBook((*others, entry))

    def revoked(self, serial: str, *, since: str, by: str, reason: str) -> "KeyBook":
        """With a device's key taken back and forgotten. KeyRefusedError where there is no such device."""
        known = self.find(serial)
        if known is None:
            there = ", ".join(entry.serial for entry in self.entries) or "none"
            raise KeyRefusedError(f"no device has the serial number {serial}; there are {there}")
        if known.state == "revoked":
            raise KeyRefusedError(f"{known.kind} {serial} was revoked {known.since} already")
        gone = KeyEntry(known.kind, serial, "revoked", since, by, reason=reason)
        return KeyBook(tuple(gone if entry is known else entry for entry in self.entries))

    def ring(self, plain: Plain) -> KeyRing:
        """What links are to know."""
        held: Mapping[tuple[DeviceKind, str], Standing] = {
            (DeviceKind.of(entry.kind), entry.serial): entry.standing for entry in self.entries
        }
        return KeyRing(held, plain)
