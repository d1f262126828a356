"""Hole cards: exposed, too many, out of the deal's order, too few."""

from dataclasses import dataclass, field
from typing import Final

from controller.cards import Card
from controller.dealing import Due
from controller.events import Keyed
from controller.hand import BEFORE_SHOWDOWN, DEALING
from controller.irregularities import (
    Fault,
    exposed_card,
    extra_hole_card,
    missing_hole_cards,
    out_of_order,
)
from controller.judging.findings import Findings
from controller.ledger import Evidence, Facing
from controller.places import Place, seat_of
from controller.sequence import Flight

_AS_EXPOSED: Final = {
    "exposed-first-hole-card": "first",
    "exposed-second-hole-card": "second",
    "exposed-two-or-more": "again",
}
"""In which case of `card-off-table` a card would have made another ruling than one on a later card."""


@dataclass(frozen=True)
class _Pressed:
    """A key as it was pressed last: its ruling, what was due, the card that it exposed and whether that was
    played."""

    number: int
    due: tuple[Due, ...]
    card: Card | None = field(default=None, repr=False)
    played: bool = False


class HoleCards:
    """Rules on one deal after the other."""

    def __init__(self, findings: Findings) -> None:
        self._found = findings
        self._undo: _Pressed | None = None

    def out_of_order(self, flight: Flight, place: Place) -> bool:
        """Takes a card that went where the deal does not have it; False where it is another matter."""
        state, desk = self._found.state, self._found.desk
        if desk.phase not in DEALING:
            return False
        fault = out_of_order(state.deal.so_far(state.holders()), place)
        if fault is None:
            return False
        seat = seat_of(place)
        seen = [flight.card] if flight.facing is Facing.UP else []
        if seat is not None:
            state.deal.carried(flight.card, None, seat)
        self._found.make(fault, seat=seat, out=[flight.card], seen=seen, place=place)
        return True

    def too_many(self, flight: Flight, place: Place) -> bool:
        """Takes a card too many at the seat of a hand; False where it is another matter."""
        state, rulings = self._found.state, self._found.rulings
        deal, seat = state.deal, seat_of(place)
        fault = extra_hole_card(deal.so_far(state.holders()), place)
        if fault is None or seat is None or self._found.desk.phase not in BEFORE_SHOWDOWN:
            return False
        if self._found.window(fault) == "closed":
            self._wrong_count(flight, seat)
            return True
        deal.too_many(flight.card, seat)
        void = rulings.calls_off_by(fault) or rulings.calls_off
        shown = flight.facing is Facing.UP and not void
        waits = fault.case == "exposed-waits"
        self._found.make(
            fault,
            seat=seat,
            out=[] if shown else [flight.card],
            owner=next(reversed(deal.exposed.values())) if waits else seat,
        )
        if shown:
            self.exposed(flight.card, seat)
        return True

    def _wrong_count(self, flight: Flight, seat: int) -> None:
        """A hand has a card too many, and it is too late to take it away: the hand is dead."""
        self._found.state.deal.carried(flight.card, None, seat)
        fault = Fault("wrong-count-after-action")
        if any((o.rule, o.owner) == (fault.rule, seat) for o in self._found.rulings.open):
            return  # the hand is dead already, and this card goes with it
        shown = [flight.card] if flight.facing is Facing.UP else []
        self._found.make(fault, seat=seat, seen=shown)

    def too_few(self) -> bool:
        """Play goes on though cards of the deal are due: rules on the seats that are short; False where the
        last round of the deal has not begun, or nobody is short."""
        deal = self._found.state.deal
        fault, seat = missing_hole_cards(deal.so_far(self._found.state.holders())) or (None, 0)
        if fault is None or self._found.rulings.open:
            return False
        self._found.make(fault, seat=seat)
        return True

    def exposed(self, card: Card, seat: int) -> int:
        """The dealer exposed a hole card; the number of the ruling."""
        deal, ledger = self._found.state.deal, self._found.state.ledger
        fault = self._fault_exposed(card)
        astray = self._went_astray(card)
        if astray:
            fault = Fault("card-off-table", _AS_EXPOSED.get(fault.rule, fault.case))
        deal.exposed[card] = seat
        if card in deal.hole[seat]:
            deal.hole[seat].remove(card)
        # Where optics see it face down, the dealer's word alone must not name it: a key is soon mispressed.
        hidden = astray or ledger.where(card).facing is Facing.DOWN
        return self._found.make(fault, seat=seat, out=[card], seen=[] if hidden else [card]).number

    def _fault_exposed(self, card: Card) -> Fault:
        deal, instant = self._found.state.deal, self._found.rulings.book.switches.instant_misdeal_cards
        return exposed_card(deal.so_far(self._found.state.holders()), deal.position(card), instant)

    def is_misdeal_exposed(self, card: Card) -> bool:
        """Whether it makes a misdeal of the deal that this card is exposed."""
        return self._found.rulings.calls_off_by(self._fault_exposed(card))

    def _went_astray(self, card: Card) -> bool:
        """Whether the seat's antenna, which would have seen it, never did."""
        state = self._found.state
        held = state.ledger.where(card)
        would_be_seen = not self._found.works.proved_by_ack(held.place)
        return card not in state.out and would_be_seen and held.evidence is Evidence.INFERRED

    # Keys

    def press_exposed(self, key: Keyed) -> str:
        """The key `exposed`; why it was not taken, empty where it was."""
        if self._found.desk.phase not in BEFORE_SHOWDOWN:
            return f"the key means nothing in the phase {self._found.desk.phase}"
        found = self._meant(key.seat)
        if found is None and key.seat:
            return f"no card that was dealt lies at seat {key.seat}"
        if found is None:
            return "the last card off the shoe lies at no seat: press it with the seat"
        card, seat = found
        state = self._found.state
        if card in state.deal.exposed:
            return ""  # the antenna saw it lie face up: both say the same
        if self._found.rulings.calls_off:
            return "the deal is void already"
        if card in state.out and card not in state.deal.extra:
            return ""  # a ruling took it away already: that it was seen says nothing new
        due, played = tuple(state.due), card in state.deal.hole[seat]
        self._undo = _Pressed(self.exposed(card, seat), due, card, played)
        return ""

    def declared(self, key: Keyed) -> None:
        """The dealer declared a misdeal."""
        due = tuple(self._found.state.due)
        made = self._found.make(Fault("declared-misdeal"), seat=key.seat or None)
        self._undo = _Pressed(made.number, due)

    def _meant(self, seat: int) -> tuple[Card, int] | None:
        """With a seat: the card that was turned there, else the last dealt there. Without: the last card off
        the shoe."""
        state = self._found.state
        if seat:
            lying = state.deal.lying.get(seat, ())
            found = (state.turned.get(seat, lying[-1]), seat) if lying else None
        else:
            found = self._last_off_the_shoe()
        return found if found is not None and found[1] in state.holders() else None

    def _last_off_the_shoe(self) -> tuple[Card, int] | None:
        state = self._found.state
        if state.last_drawn is None:
            return None
        card, place = state.last_drawn
        seat = seat_of(place)
        return (card, seat) if seat is not None and state.where(card) == place else None

    def forget_key(self) -> None:
        """A card was drawn, or another key was pressed: the last key cannot be taken back any more."""
        self._undo = None

    @property
    def can_take_back(self) -> bool:
        """Whether the last key led to a ruling, and no card, act or key has come since."""
        return self._undo is not None

    def take_back(self) -> None:
        """Takes the last key back, where that can be: a card that it exposed is in play again."""
        if self._undo is None:
            return
        pressed, self._undo = self._undo, None
        card, state = pressed.card, self._found.state
        self._found.works.due_again(list(pressed.due))
        self._found.rulings.take_back(pressed.number)
        if card is None:
            return
        seat = state.deal.exposed.pop(card)
        if pressed.played:
            state.put_in(card)
            state.deal.takes_back(card, seat)
