"""A set that the feed pass did not prove: what may be said of it, and what must be put back where it lay."""

from collections.abc import Sequence
from typing import Final

from controller.cards import Card, in_order
from controller.decisions import ProofName
from controller.equipment import Equipment
from controller.events import Fed
from controller.irregularities import Fault
from controller.ledger import Facing, Ledger

_FOREIGN: Final = Fault("foreign-card", "unused-stub")
_MISSING: Final = Fault("missing-card")


class PutBack:
    """The cards too many in a set: how many, which of them antennas must see again, and what is missing."""

    def __init__(self, fed: Fed, wanted: Sequence[Card], ledger: Ledger, equipment: Equipment) -> None:
        told = bool(fed.missing or fed.surplus or fed.strangers) or fed.count == len(wanted)
        self.too_many = len(fed.surplus) + fed.strangers if told else max(0, fed.count - len(wanted))
        self.missing = len(fed.missing) if told else max(0, len(wanted) - fed.count)
        self.strangers = fed.strangers
        self._to_see = set(fed.surplus)
        places = {ledger.where(card).place for card in fed.surplus}
        named = told and not fed.strangers and bool(fed.surplus)
        self.proof: ProofName = "seen" if named and places <= equipment.antennas else "ack"

    def lost_since(self, before: "PutBack | None") -> Fault | None:
        """What is wrong with a deck that was fed twice in a row: it lacks a card, or has one of another; None
        where the second feed does not say so again."""
        if before is None:
            return None
        if before.strangers and self.strangers:
            return _FOREIGN
        return before.not_found if before.missing and self.missing else None

    @property
    def not_found(self) -> Fault:
        """What is wrong with a deck of which a card is missing and not found.

        A dealer who has taken a strange card out is left with a deck that lacks the one in its place.
        """
        return _FOREIGN if self.strangers else _MISSING

    def seen_again(self, card: Card) -> None:
        """A card lies where it lay before."""
        self._to_see.discard(card)

    @property
    def done(self) -> bool:
        """Whether every one of them was seen again where it lay."""
        return self.proof == "seen" and not self._to_see


def in_words(fed: Fed, wanted: Sequence[Card], ledger: Ledger) -> str:
    """What may be said of a wrong set: how many, and which only where everybody saw them."""
    parts = [f"{_cards(fed.count)} fed, {_cards(len(wanted))} expected"]
    missing = len(fed.missing) or max(0, len(wanted) - fed.count)
    if missing:
        parts.append(f"{_count(missing)} missing{_named(fed.missing, ledger)}")
    if fed.surplus:
        parts.append(f"{_count(len(fed.surplus))} too many{_named(fed.surplus, ledger)}")
    elif fed.count > len(wanted):
        parts.append(f"{_count(fed.count - len(wanted))} too many")
    if fed.strangers:
        parts.append(f"{_count(fed.strangers)} not of this deck or not readable")
    return "; ".join(parts)


def _cards(count: int) -> str:
    return "1 card was" if count == 1 else f"{count} cards were"


def _count(count: int) -> str:
    return "1 is" if count == 1 else f"{count} are"


def _named(cards: Sequence[Card], ledger: Ledger) -> str:
    """Names those of the cards that lay face up."""
    shown = in_order(card for card in cards if ledger.where(card).facing is Facing.UP)
    return f" ({' '.join(shown)})" if shown else ""
