"""The draw for the first button of a single-table tournament: one card each, face up."""

from collections.abc import Mapping

from controller.cards import RANKS, SUITS, Card


def highest(cards: Mapping[int, Card]) -> int:
    """The seat with the highest card: by rank, equal ranks by suit, spades over hearts over diamonds over
    clubs.

    Raises ValueError where no card was drawn.
    """
    return max(cards, key=lambda seat: (RANKS.index(cards[seat][0]), -SUITS.index(cards[seat][1])))
