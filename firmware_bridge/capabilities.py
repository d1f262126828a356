"""What a device can do, read from its CAPS (docs/protocol.md, section 7).

Option bits that are not specified are ignored, so that a device may grow; all else must be as specified.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from firmware_bridge.codes import Charset, DeviceKind, Zone
from firmware_bridge.errors import BadMessage
from firmware_bridge.messages import Caps

KEEPS_MIN: Final = 128
"""Events that any device keeps until they are acknowledged, at least."""
REMEMBERS_MIN: Final = 32
"""Command ids that any device remembers, at least."""

_LEDS = range(24, 65)
_COLUMNS_MIN = 20
_ROWS_MIN = 2


@dataclass(frozen=True, slots=True)
class ShoeCaps:
    """A shoe: it may have a gate, a burner and a sensor for facing; it ``holds`` so many cards."""

    gate: bool
    burner: bool
    facing: bool
    holds: int


@dataclass(frozen=True, slots=True)
class ShufflerCaps:
    """A shuffler: takes ``min_cards`` to ``max_cards``, needs ``shuffle_s`` seconds, has ``slots`` decks."""

    cuts: bool
    identifies: bool
    has_reject: bool
    min_cards: int
    max_cards: int
    shuffle_s: int
    slots: int


@dataclass(frozen=True, slots=True)
class ZonesCaps:
    """A zone reader: whether it sees how a card lies, and where it has antennas."""

    facing: bool
    antennas: frozenset[Zone]


@dataclass(frozen=True, slots=True)
class PromptsCaps:
    """A prompt ring: 24 to 64 LEDs and a display of ``rows`` lines of ``columns`` characters."""

    leds: int
    columns: int
    rows: int
    charset: Charset


@dataclass(frozen=True, slots=True)
class KeypadCaps:
    """A keypad: whether it reports players' acts, reads badges and has digits."""

    acts: bool
    badge: bool
    digits: bool


Capabilities: TypeAlias = ShoeCaps | ShufflerCaps | ZonesCaps | PromptsCaps | KeypadCaps

_DATA_BYTES = {
    DeviceKind.SHOE: 1,
    DeviceKind.SHUFFLER: 4,
    DeviceKind.ZONES: 4,
    DeviceKind.PROMPTS: 4,
    DeviceKind.KEYPAD: 0,
}


def _bad(caps: Caps, what: str) -> BadMessage:
    return BadMessage(f"CAPS of {caps.kind.label}", what, "correct the device's firmware")


def _zones(caps: Caps) -> frozenset[Zone]:
    bits = int.from_bytes(caps.data, "little")
    known = frozenset(zone for zone in Zone if bits >> zone & 1)
    if bits != sum(1 << zone for zone in known):
        raise _bad(caps, "it has an antenna at a zone that does not exist")
    return known


def _prompts(caps: Caps) -> PromptsCaps:
    leds, columns, rows, charset = caps.data
    if leds not in _LEDS or columns < _COLUMNS_MIN or rows < _ROWS_MIN:
        raise _bad(caps, f"{leds} LEDs, {columns} columns and {rows} rows are too few or too many")
    try:
        return PromptsCaps(leds, columns, rows, Charset(charset))
    except ValueError:
        raise _bad(caps, f"character set {charset} does not exist") from None


def capabilities(caps: Caps) -> Capabilities:
    """What the device can do; raises `BadMessage` where CAPS breaks the protocol's bounds."""
    if caps.keeps < KEEPS_MIN or caps.remembers < REMEMBERS_MIN:
        raise _bad(
            caps,
            f"it keeps {caps.keeps} events and remembers {caps.remembers} ids, "
            f"less than {KEEPS_MIN} and {REMEMBERS_MIN}",
        )
    size = _DATA_BYTES[caps.kind]
    if len(caps.data) != size:
        raise _bad(caps, f"its data has {len(caps.data)} bytes, not {size}")
    first, second, third = (bool(caps.options >> bit & 1) for bit in range(3))
    match caps.kind:
        case DeviceKind.SHOE:
            return ShoeCaps(first, second, third, caps.data[0])
        case DeviceKind.SHUFFLER:
            return ShufflerCaps(first, second, third, *caps.data)
        case DeviceKind.ZONES:
            return ZonesCaps(first, _zones(caps))
        case DeviceKind.PROMPTS:
            return _prompts(caps)
        case DeviceKind.KEYPAD:
            return KeypadCaps(first, second, third)
