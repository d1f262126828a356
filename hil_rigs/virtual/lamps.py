"""Which LEDs of the ring are lit at a moment of the device's time (docs/protocol.md, LED patterns)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hil_rigs.virtual.codes import Colour, Pattern

if TYPE_CHECKING:
    from hil_rigs.virtual.messages import Span

_BLINK_MS = 2_000
_URGENT_MS = 500
_CHASE_MS = 2_000
_LOST_EACH = 4


class Lamp(NamedTuple):
    """A lit LED."""

    colour: Colour
    dim: bool = False


def lit(leds: int, spans: Iterable[Span], ms: int) -> dict[int, Lamp]:
    """Return the LEDs that spans light `ms` after they were put on display; a later span hides earlier."""
    lamps: dict[int, Lamp] = {}
    for first, last, colour, pattern in spans:
        size = (last - first) % leds + 1
        for place in range(size):
            led = (first + place) % leds
            lamps.pop(led, None)
            if colour != Colour.OFF and _PATTERNS[pattern](place, size, ms):
                lamps[led] = Lamp(Colour(colour))
    return lamps


def lost(leds: int) -> dict[int, Lamp]:
    """Return what a ring shows whose host is silent."""
    return {led: Lamp(Colour.WHITE, dim=True) for led in range(0, leds, _LOST_EACH)}


def _first_half(period_ms: int) -> Callable[[int, int, int], bool]:
    return lambda _place, _size, ms: ms % period_ms * 2 < period_ms


def _ends(place: int, size: int, _ms: int) -> bool:
    return place in (0, size - 1)


def _chase(place: int, size: int, ms: int) -> bool:
    return ms % _CHASE_MS * size // _CHASE_MS == place


_PATTERNS: Mapping[int, Callable[[int, int, int], bool]] = {
    Pattern.STEADY: lambda _place, _size, _ms: True,
    Pattern.BLINK: _first_half(_BLINK_MS),
    Pattern.URGENT: _first_half(_URGENT_MS),
    Pattern.ENDS: _ends,
    Pattern.CHASE: _chase,
}
