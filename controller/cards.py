"""The 52 cards: rank then suit, as in ``As`` or ``Td``; never a joker, never a tag."""

from collections.abc import Iterable
from typing import NewType

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "shdc"

DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
_SORT = {card: (RANKS.index(card[0]), SUITS.index(card[1])) for card in DECK}


def parse_card(text: str) -> Card:
    """The card that `text` names; ValueError when it names none."""
    if text not in _SORT:
        raise ValueError("no card: a card is a rank of 23456789TJQKA and a suit of shdc")
    return Card(text)


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards sorted by rank (two lowest), then spades, hearts, diamonds, clubs."""
    return tuple(sorted(cards, key=_SORT.__getitem__))
