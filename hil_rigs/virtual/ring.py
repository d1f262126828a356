"""Where the dealer sees a light: the ring parted evenly, seats 1 to 11 clockwise, then his own side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.felt import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hil_rigs.virtual.messages import Span

_PARTS = len(SEATS) + 5  # shuffler, muck, board, burn, shoe


def lit_seats(leds: int, spans: Iterable[Span]) -> tuple[int, ...]:
    """The seats that these spans of a ring of so many LEDs light, in ascending order."""
    size = leds // _PARTS
    lit = {(first, last) for first, last, _, _ in spans}
    return tuple(seat for seat in SEATS if ((seat - 1) * size, seat * size - 1) in lit)
