"""The 52 cards and the order in which they leave the shoe (scenarios.md, keys `deck` and `seed`)."""

import random
from collections.abc import Sequence

RANKS = "23456789TJQKA"
SUITS = "shdc"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Every card, rank before suit, in the order in which lists of cards are sorted."""

UNKNOWN = "?"


class DeckError(ValueError):
    """Cards that are no part of one deck of 52; the text says which and why."""


def full_deck(deck: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return all 52 cards: `deck` first, the rest in an order drawn from `seed`.

    The same arguments give the same order on every machine.

    Raises:
        DeckError: a card of `deck` stands twice or is of no deck.
    """
    named = set[str]()
    for card in deck:
        if card not in DECK:
            raise DeckError(f'"{card}" is no card of the deck (rank {RANKS}, then suit {SUITS})')
        if card in named:
            raise DeckError(f"the card {card} stands twice")
        named.add(card)
    return (*deck, *_rest(named, seed))


def drawn(slots: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return all 52 cards: every slot holds its card, `?` in it stands for any rank or suit.

    What is not known is drawn from `seed` among the cards that no slot names; the narrower slots choose
    first, so that `??` does not take the last card that `A?` could be.

    Raises:
        DeckError: a card stands twice, or none is left for a slot.
    """
    known = [card for card in slots if UNKNOWN not in card]
    rest = list(full_deck(known, seed)[len(known) :])
    cards = list(slots)
    half_known = [i for i, card in enumerate(cards) if UNKNOWN in card and card != "??"]
    unknown = [i for i, card in enumerate(cards) if card == "??"]
    for i in half_known + unknown:
        card = next((card for card in rest if fits(card, cards[i])), None)
        if card is None:
            raise DeckError(f'no card is left for "{cards[i]}"')
        rest.remove(card)
        cards[i] = card
    return (*cards, *rest)


def fits(card: str, slot: str) -> bool:
    """Return whether `card` can be what `slot` shows of it."""
    return all(shown in (UNKNOWN, have) for have, shown in zip(card, slot, strict=True))


def _rest(named: set[str], seed: int) -> list[str]:
    rest = [card for card in DECK if card not in named]
    # A string seed is hashed by the random module itself, the same everywhere; the prefix keeps this
    # order apart from whatever else is drawn from the same seed.
    random.Random(f"deck:{seed}").shuffle(rest)
    return rest
