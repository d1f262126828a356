"""What the reading of the rule book says of a scenario: values, and the one exception of the reading."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
"""A scenario's file or a report, as JSON has it."""

SETTLE_MS = 2_000
"""Up to this long after the third card a fourth one belongs to the flop."""
MISDEAL = "misdeal"

ROUNDS = ("preflop", "flop", "turn", "river")
NEXT_STREET = {"preflop": "flop", "flop": "turn", "turn": "river"}
BOARD_CARDS = {"flop": 3, "turn": 4, "river": 5}
ENDED = ("done", "halted")


class Undetermined(Exception):  # noqa: N818
    """The rules read here do not say what happens: another rule's matter, or several readings."""


@dataclass
class ExpectedRuling:
    """A ruling that must stand in the report.

    Where the text leaves something open there are several `phases` or `seats`, and `maybe` holds cards that
    may stand among its cards or not. An `optional` one may be missing.
    """

    rule: str
    phases: tuple[str, ...]
    seats: tuple[int | None, ...] = (None,)
    cards: list[str] = field(default_factory=list)
    maybe: list[str] = field(default_factory=list)
    optional: bool = False


@dataclass
class ExpectedShuffle:
    """A shuffle after the hand's first: what goes in, and what must stay out (burns, muck, live hands)."""

    included: list[str]
    out: list[str]
    misdeal: bool


@dataclass
class Expectation:
    """What the report of a scenario must say; None where nothing is expected of it.

    A card is a card, or `@i.k`: the k-th of the order of shuffle i of the same report. `refused` are the
    places of acts that must be refused, `tolerated` of those that may be. `told`: the floor must hear of it.
    """

    outcome: str
    phase: str
    phases: list[str]
    rulings: list[ExpectedRuling]
    shuffles: list[ExpectedShuffle]
    left: list[int]
    board: list[str] | None = None
    burns: list[str] | None = None
    aside: list[str] | None = None
    muck: list[str] | None = None
    hole: dict[int, list[str]] | None = None
    stub: int | None = None
    won: dict[int, int] | None = None
    alerts: list[str] = field(default_factory=list)
    told: bool = False
    refused: list[int] = field(default_factory=list)
    tolerated: list[int] = field(default_factory=list)
