"""A set that is washed by hand, which no feed proves: whether an antenna saw a card of it somewhere else
(docs/procedures.md, "A set below the machine's `min_cards`")."""

from collections.abc import Iterable
from typing import Final

from controller.cards import Card
from controller.ledger import Evidence, Ledger
from controller.places import ASIDE, BOARD, PLACES, SHOE, TRANSIT, Place

_AMONG_THE_OTHERS: Final = (BOARD, SHOE, TRANSIT)


class Washing:
    """The cards that are washed, and where they lay when that was asked for."""

    def __init__(self, ledger: Ledger, cards: Iterable[Card]) -> None:
        self._ledger = ledger
        self._lay = {card: ledger.where(card).place for card in cards}

    def joins(self, card: Card) -> None:
        """One more card is washed with the others: it counts as aside, and may be laid there."""
        self._lay[card] = ASIDE

    def leaves(self, card: Card) -> None:
        """A card is not washed with the others."""
        self._lay.pop(card, None)

    @property
    def strays(self) -> dict[Card, Place]:
        """Cards that a reader has last seen neither where they lay nor among the others, with the places."""
        now = {card: self._ledger.where(card) for card in self._lay}
        return {
            card: held.place
            for card, held in now.items()
            if held.evidence is Evidence.SEEN and held.place not in (self._lay[card], *_AMONG_THE_OTHERS)
        }

    @property
    def why_not(self) -> str:
        """Why the set cannot be whole; empty where nothing speaks against it."""
        places = " and ".join(sorted(set(self.strays.values()), key=PLACES.index))
        return places and f"a card of the set lies at {places}: bring it back to the others"
