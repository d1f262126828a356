"""What the house takes of a hand's pots, by a table of rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

Chips = Annotated[int, Meta(ge=0, le=2**32 - 1)]


class RakeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rake of a hand with `players` or more dealt in, up to the next row.

    Either `percent` of all pots together, rounded down to a whole chip and at most `cap` chips (None: no
    cap), or `steps`: pairs of a pot from which on so many chips are taken. `without_flop`: also of a hand
    that ends before its flop.
    """

    players: Annotated[int, Meta(ge=2, le=11)] = 2
    percent: Annotated[float, Meta(ge=0, le=100)] | None = None
    cap: Chips | None = None
    steps: tuple[tuple[Chips, Chips], ...] = ()
    without_flop: bool = False

    @property
    def wrong(self) -> str:
        """What is wrong with the row, empty where nothing is."""
        if (self.percent is None) == (not self.steps):
            return "say either percent or steps"
        if self.cap is not None and self.steps:
            return "cap goes with percent; the last of the steps is their cap"
        if any(taken > pot for pot, taken in self.steps):
            return "a step takes more than its pot"
        return ""

    def of(self, pots: int) -> int:
        """What is taken of pots of so many chips."""
        if self.percent is None:
            return max((taken for pot, taken in self.steps if pot <= pots), default=0)
        taken = int(pots * Fraction(str(self.percent)) / 100)
        return taken if self.cap is None else min(taken, self.cap)


def rake(rows: Sequence[RakeRow], pots: int, players: int, *, flop_lies: bool) -> int:
    """The chips that the house takes of a hand's pots; 0 where no row fits its number of players."""
    row = max((row for row in rows if row.players <= players), key=lambda row: row.players, default=None)
    if row is None or not (flop_lies or row.without_flop):
        return 0
    return row.of(pots)
