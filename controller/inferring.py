"""Cards that were due nowhere and that no antenna saw: where they lie is inferred, and the dealer may answer
(docs/procedures.md, "Without antennas").

`yes` says that it is so. `no` takes the ruling back, and the cards are taken to lie in the one other way that
the order of the stub leaves; with a seat they lie there. What is left to nobody's knowledge is the floor's.
"""

from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from controller.cards import Card
from controller.dealing import Due
from controller.events import Keyed
from controller.ledger import Evidence
from controller.loading_steps import BEFORE_FEED
from controller.parts import Parts
from controller.places import BOARD, BURN, TRANSIT, Place, at_seat
from controller.remedies.under_way import Open
from controller.sequence import Flight
from controller.streets import Streets

NOTHING_INFERRED: Final = "nothing was inferred that this key answers"
_GONE_ON: Final = "play has gone on from it: call the floor"


class Hand(Protocol):
    """The hand in which something was inferred."""

    def rule_on(self, flight: Flight, place: Place) -> None:
        """A card that was not due came to rest."""


@dataclass(frozen=True)
class _Before:
    """What was the case before the first card of which it was inferred where it lies."""

    streets: Streets
    out: frozenset[Card] = field(repr=False)
    due: tuple[Due, ...]
    stands: int
    newest: int


class Inferring:
    """The cards whose places are inferred, until play goes on from there."""

    def __init__(self, hand: Hand, parts: Parts) -> None:
        self._hand = hand
        self._state = parts.state
        self._loading = parts.loading
        self._rulings = parts.rulings
        self._works = parts.works
        self._halt = parts.halt
        self._cards: list[tuple[Flight, Place]] = []
        self._before: _Before | None = None
        self._other_way_too = False

    @property
    def may_be_answered(self) -> bool:
        """Whether a ruling stands that was inferred, or a single card was."""
        return bool(self._cards)

    def takes(self, flight: Flight, place: Place) -> None:
        """A card that was not due came to rest, and is about to be ruled on."""
        if flight.evidence is not Evidence.INFERRED:
            self.forget()
            return
        if self._before is None:
            streets = self._state.streets
            self._before = _Before(
                streets=replace(
                    streets,
                    cards=list(streets.cards),
                    early=list(streets.early),
                    burnt=list(streets.burnt),
                    burned=dict(streets.burned),
                    spent=dict(streets.spent),
                ),
                out=frozenset(self._state.out),
                due=tuple(self._state.due),
                stands=self._state.stands,
                newest=self._rulings.newest,
            )
        self._cards.append((flight, place))
        self._state.inferred.add(flight.card)

    def forget(self) -> None:
        """Play has gone on: what was inferred is not asked about any more."""
        self._cards.clear()
        self._before = None
        self._other_way_too = False

    # What the dealer answers

    def answer(self, key: Keyed) -> str:
        """The dealer says `yes` or `no`; why that was not taken, empty where it was."""
        return self._yes() if key.key == "yes" else self._no(key.seat)

    def _yes(self) -> str:
        """It is so. The cards are not named by it: a key is soon mispressed, and one may lie face down."""
        ruling = self._ruling
        if ruling is None:
            return NOTHING_INFERRED
        if self._loading.step is not None and self._loading.step not in BEFORE_FEED:
            return "its cards are in the shuffle by now"
        self._rulings.confirm(ruling.number)
        self.forget()
        return ""

    def _no(self, seat: int) -> str:
        """It is not so; the one card lies at `seat`, if that is not 0."""
        before, cards = self._before, list(self._cards)
        if before is None or (self._ruling is None and not (seat and len(cards) == 1)):
            return NOTHING_INFERRED
        made = self._rulings.newest - before.newest
        if made > 1 or (made and not self._rulings.can_take_back(self._rulings.newest)):
            return _GONE_ON
        if self._loading.step is not None and not self._is_the_set_of(self._ruling):
            return "a set that another ruling wants is on its way: call the floor"
        if self._loading.step is not None and not self._loading.taken_back():
            return "the stub is out of the shoe already: call the floor"
        if seat and (len(cards) > 1 or seat not in self._state.holders()):
            return "with the number of a seat it says that one card too many lies at its hand"
        places = [at_seat(seat)] if seat else self._other_way()
        self._take_back(before)
        if places is None:
            self._halt("card-not-seen", "the dealer says that a card lies where no rule would have it")
            return ""
        for (flight, _), place in zip(cards, places, strict=True):
            self._lies(flight, place, Evidence.STATED if seat else Evidence.INFERRED)
        self._other_way_too = True
        return ""

    def _is_the_set_of(self, ruling: Open | None) -> bool:
        """Whether the pack on its way is what this ruling wants, and no other would wait for it in vain."""
        return ruling is not None and self._loading.why == ruling.named.name

    @property
    def _ruling(self) -> Open | None:
        """The ruling that was made on these cards, while it is open."""
        if self._before is None:
            return None
        newest = self._rulings.newest
        found = next((remedy for remedy in self._rulings.open if remedy.number == newest), None)
        return found if newest > self._before.newest else None

    def _other_way(self) -> list[Place] | None:
        """How else the order of the stub explains these cards: none of them is a burn, or the only one is;
        None where the dealer has said no to both."""
        places = [place for _, place in self._cards]
        if self._other_way_too:
            return None
        if BURN in places:
            return [BOARD for _ in places]
        return [BURN] if places == [BOARD] else None

    def _take_back(self, before: _Before) -> None:
        """All is as it was before these cards; acts that were made meanwhile stand."""
        state = self._state
        made = self._rulings.newest > before.newest
        if made:
            self._rulings.take_back(self._rulings.newest)
        for card in [card for card in state.out if card not in before.out]:
            state.put_in(card)
        for flight, _ in self._cards:
            state.ledger.move(flight.card, TRANSIT, Evidence.INFERRED)
            state.inferred.discard(flight.card)
        state.streets = replace(before.streets, acts=state.streets.acts)
        state.stands = before.stands
        self._works.due_again(list(before.due))
        self.forget()

    def _lies(self, flight: Flight, place: Place, evidence: Evidence) -> None:
        flight.place, flight.evidence = place, evidence
        self._state.ledger.move(flight.card, place, evidence)
        self._state.last_drawn = (flight.card, place)
        self._hand.rule_on(flight, place)
