"""Cards that lay and were moved or turned over: a remedy wanted it, a player did it, or the floor looks."""

from typing import Final

from controller.cards import Card
from controller.decisions import CardLay
from controller.hand import IN_PLAY
from controller.ledger import Facing
from controller.mucked import Mucked
from controller.parts import Parts
from controller.places import ASIDE, BOARD, BURN, MUCK, Place, at_seat, seat_of
from controller.remedies.steps import Pick, TurnUp
from controller.remedies.under_way import Open
from controller.remedies.walk import asked_by, lay_down, wanted

_MOVED: Final = "a card that lay elsewhere was moved to {}, and nothing asked for it"


class Lying:
    """The cards on the table in the middle of a hand. What follows from a change is the hand's to settle."""

    def __init__(self, parts: Parts, mucked: Mucked) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._loading = parts.loading
        self._rulings = parts.rulings
        self._works = parts.works
        self._ending = parts.ending
        self._judge = parts.judge
        self._halt = parts.halt
        self._mucked = mucked

    def moved(self, card: Card, source: Place, to: Place, asking: Open | None) -> None:
        """A card that lay at `source` came to rest, there or elsewhere; `asking` is the remedy that asks for
        something now."""
        state = self._state
        lay = state.out.get(card, source)
        void = card in state.out and not self._stays_void(card, lay, to)
        carried_off = void and self._loading.unloads
        if not carried_off and self._loading.card_lies(card, lay, source, to):
            if card in state.out:
                state.moved_out_of_play(card, to)
            return
        if card in state.deal.extra and card in state.looked_at and card not in state.deal.exposed:
            self._halt("extra-card-seen", f"the player of seat {seat_of(lay)} has seen the card too many")
            return
        if lay != to:
            state.deal.carried(card, seat_of(lay), seat_of(to))
        if card in state.out:
            state.moved_out_of_play(card, to)
        elif source == BURN and card in state.deal.extra:
            state.streets.burn(-1)
        if lay_down(asking, self._works, card, lay, to):
            self._works.asked_is_done(*asked_by(asking))
        elif card not in state.out:
            if source != to:
                self._live_card_moved(card, source, to)
        elif wanted(self._rulings.open, self._works, card, to):
            self._works.asked_is_done(*asked_by(asking))
        elif not self._stays_void(card, lay, to):
            self._halt("card-moved", _MOVED.format(to))

    def _stays_void(self, card: Card, lay: Place, to: Place) -> bool:
        """Whether a card out of play lies as well where it lies now: a board card may be aside or not, unless
        one of them is still to be picked, or they are turned up again."""
        stays = any(
            isinstance(step, Pick | TurnUp)
            for remedy in self._rulings.open
            for step in remedy.named.remedy.steps[remedy.at :]
        )
        return to == lay or (to == ASIDE and card in self._state.streets.early and not stays)

    def _live_card_moved(self, card: Card, source: Place, to: Place) -> None:
        seat = self._state.deal.owner(card)
        if seat not in self._state.holders():
            seat = None
        if seat_of(source) is not None and to == MUCK:
            if seat is not None:
                self._into_the_muck(card, seat)
        elif seat is None or (source, to) != (MUCK, at_seat(seat)) or not self._mucked.may_come_back(seat):
            self._state.displaced.setdefault(card, source)
            self._halt("card-moved", _MOVED.format(to))

    def _into_the_muck(self, card: Card, seat: int) -> None:
        self._mucked.came(card, seat)
        if self._state.turned.get(seat) == card:
            del self._state.turned[seat]
        if self._ending.shows and self._mucked.whole(seat):
            self._ending.mucked(seat)

    def turned(self, card: Card, place: Place, facing: Facing) -> None:
        """A card was turned over where it lies: the player's doing, unless the key says otherwise."""
        seat = seat_of(place)
        if place == BURN and facing is Facing.UP and self._desk.phase in IN_PLAY:
            self._judge.burn_seen(card)
        elif place == BOARD and facing is Facing.UP and card in self._state.streets.cards:
            self._desk.tell(CardLay(place=BOARD, card=card))
        elif self._desk.phase == "showdown":
            self._ending.look()
        elif seat is not None and facing is Facing.UP:
            self._state.turned[seat] = card
            self._state.looked_at.add(card)
