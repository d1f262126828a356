"""The games that the table deals: how many hole cards a hand has, and nothing else of them."""

from __future__ import annotations

import enum


class Game(enum.Enum):
    """A game dealt at the table; the value is its name in files and on the wire."""

    HOLDEM = "holdem"
    OMAHA = "omaha"


def hole_count(game: Game) -> int:
    """The number of hole cards of a complete hand: two in hold'em, four in Omaha."""
    return 2 if game is Game.HOLDEM else 4


def most_seats(game: Game) -> int:
    """How many seats a deck has cards for: eleven in hold'em, ten in Omaha."""
    return 11 if game is Game.HOLDEM else 10
