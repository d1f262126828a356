"""Which cards are due, one after the other, and where: the deal, the burns and the streets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from controller.hand import PhaseName
from controller.places import BOARD, BURN, Place, at_seat

HAND: Final = "hand"
BURNER: Final = "burner"

FLOP: Final = 3
WHOLE_BOARD: Final = 5

STREET_CARDS: Final[dict[PhaseName, int]] = {"flop-deal": 3, "turn-deal": 1, "river-deal": 1}
"""How many board cards each `…-deal` phase lays."""

Purpose = Literal["button", "hole", "replacement", "burn", "street"]


@dataclass(frozen=True)
class Due:
    """One card that is to leave the shoe next: where, what for, who moves it; of a burn, its street."""

    place: Place
    purpose: Purpose
    way: str = HAND
    street: PhaseName | None = None

    def fits(self, place: Place, way: str) -> bool:
        """Whether a card that came to rest is the one that was due."""
        return (place, way) == (self.place, self.way)


def button_cards(order: Sequence[int]) -> list[Due]:
    """The draw for the first button: one card to each seat."""
    return [Due(at_seat(seat), "button") for seat in order]


def hole_cards(order: Sequence[int], each: int) -> list[Due]:
    """The deal: one card at a time, first to the first seat left of the button, last to the button."""
    return [Due(at_seat(seat), "hole") for _ in range(each) for seat in order]


def replacement(seat: int) -> list[Due]:
    """One card for the owner of a card that was exposed."""
    return [Due(at_seat(seat), "replacement")]


def burn(way: str, before: PhaseName) -> list[Due]:
    """One card into the burn tray before a street, by the machine or by hand."""
    return [Due(BURN, "burn", way, before)]


def street(phase: PhaseName) -> list[Due]:
    """The board cards of a `…-deal` phase, face up."""
    return [Due(BOARD, "street")] * STREET_CARDS[phase]
