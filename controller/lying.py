"""Cards that lay and were moved or turned over: what a remedy asked for, what a player or the dealer did."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from controller.cards import Card
from controller.dealing import IN_PLAY
from controller.decisions import CardLay
from controller.desk import Desk
from controller.ending import Ending
from controller.hand import BETTING_ROUNDS
from controller.hand_state import HandState
from controller.judge import Judge
from controller.late_next import BettingComplete
from controller.leaving import Leaving
from controller.ledger import Facing
from controller.loading import Loading
from controller.places import ASIDE, BOARD, BURN, MUCK, Place, seat_of
from controller.remedies.walk import Open, lay_down, wanted
from controller.rulings import Rulings
from controller.works import TableWorks

_MOVED: Final = "a card that lay elsewhere was moved to {}, and nothing asked for it"


class Hand(Protocol):
    """The hand whose cards they are."""

    @property
    def asking(self) -> Open | None:
        """The remedy whose step hands or machines must do now."""

    def settled(self) -> None:
        """Does all that is due now."""

    def leave(self, seat: int) -> None:
        """A hand leaves with its cards."""


class LyingCards:
    """What the antennas say of the cards that lie on the table."""

    def __init__(
        self,
        hand: Hand,
        state: HandState,
        desk: Desk,
        loading: Loading,
        works: TableWorks,
        rulings: Rulings,
        judge: Judge,
        leaving: Leaving,
        ending: Ending,
        question: BettingComplete,
        halt: Callable[[str, str], None],
    ) -> None:
        self._hand = hand
        self._state = state
        self._desk = desk
        self._loading = loading
        self._works = works
        self._rulings = rulings
        self._judge = judge
        self._leaving = leaving
        self._ending = ending
        self._question = question
        self._halt = halt

    def moved(self, card: Card, source: Place, to: Place) -> None:
        """A card that lay somewhere came to rest again, there or elsewhere."""
        if self._question.takes_word(card, partial(self.moved, card, source, to)):
            return
        if self._state.where(card) != to or source != to:
            self._judge.forget_key()
        if self._desk.phase not in IN_PLAY:
            return
        state = self._state
        lay = state.where(card) if card in state.out else source
        void = card in state.out and not self._stays_void(card, lay, to)
        carried_off = void and self._loading.unloads
        if not carried_off and self._loading.card_lies(card, source, to):
            if card in state.out:
                state.moved_out_of_play(card, to)
                self._hand.settled()
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
        if lay_down(self._hand.asking, self._works, card, lay, to) or (
            card in state.out
            and (self._stays_void(card, lay, to) or wanted(self._rulings.open, self._works, card, to))
        ):
            self._hand.settled()
        elif card in state.out:
            self._halt("not-ruled-yet", _MOVED.format(to))
        elif source != to:
            self._live_card_moved(source, to)

    def _stays_void(self, card: Card, lay: Place, to: Place) -> bool:
        """Whether a card out of play lies as well where it lies now: a board card may be aside or not."""
        return to == lay or (to == ASIDE and card in self._state.streets.early)

    def _live_card_moved(self, source: Place, to: Place) -> None:
        seat = seat_of(source)
        if seat is None or to != MUCK:
            self._halt("not-ruled-yet", _MOVED.format(to))
        elif seat in self._state.following.contenders:
            self._leaving.into_the_muck(seat)
            self._followed_by_cards(seat)

    def _followed_by_cards(self, seat: int) -> None:
        """A live hand's cards go to the muck. Where acts are told, a fold must be told too."""
        if not self._leaving.all_in_the_muck(seat):
            return
        if self._ending.shows:
            self._ending.mucked(seat)
        elif self._rulings.holds("first-act") is not None:
            return  # what a remedy holds is not taken as a fold: it stands unexplained
        elif not self._state.following.told and self._desk.phase in BETTING_ROUNDS:
            self._hand.leave(seat)

    def turned(self, card: Card, place: Place, facing: Facing) -> None:
        """A card was turned over where it lies: the player's doing, unless the key says otherwise."""
        if self._question.takes_word(card, partial(self.turned, card, place, facing)):
            return
        seat = seat_of(place)
        if place == BURN and facing is Facing.UP and self._desk.phase in IN_PLAY:
            self._halt("not-ruled-yet", "a burn was turned face up")
        elif place == BOARD and facing is Facing.UP and card in self._state.streets.cards:
            self._desk.tell(CardLay(place=BOARD, card=card))
        elif self._desk.phase == "showdown":
            self._ending.look()
        elif self._desk.phase == "button-draw":
            self._hand.settled()
        elif seat is not None and facing is Facing.UP:
            self._state.turned[seat] = card
            self._state.looked_at.add(card)
