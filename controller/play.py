"""A hand from the first hole card to the pot: what is due, whose turn it is, and which phase follows.

A card that this procedure does not have is held against the rules (`judge`); what no rule has is never
dropped and never guessed at: the hand is halted.
"""

from collections.abc import Callable
from functools import partial

from controller.betting import IllegalAct
from controller.button_draw import ButtonDraw
from controller.cards import Card
from controller.dealing import HAND, Due, hole_cards
from controller.dealt import Deal
from controller.decisions import ButtonMoved, CardLay
from controller.desk import Desk
from controller.ending import Ending
from controller.equipment import Equipment
from controller.events import Acted, Keyed
from controller.following import ByActs, ByKey, Following
from controller.games import hole_count
from controller.hand import IN_PLAY, PhaseName
from controller.hand_state import HandState
from controller.inferring import Inferring
from controller.irregularities import Fault, lies_shown
from controller.judge import Judge
from controller.keys import Keys
from controller.late_next import BettingComplete
from controller.leaving import Leaving
from controller.ledger import Evidence, Facing, Ledger
from controller.loading import Loading
from controller.lying import Lying
from controller.mucked import Mucked
from controller.next_step import NextStep
from controller.parts import Parts
from controller.places import BOARD, BURN, Place, seat_of
from controller.remedies.steps import ButtonOf
from controller.remedies.under_way import Open
from controller.remedies.walk import takes_ack
from controller.rulings import Rulings
from controller.seating import HandSeats
from controller.sequence import Flight
from controller.streets import Streets
from controller.table_setup import TableSetup
from controller.taking_back import TakingBack
from controller.works import TableWorks


class HandPlay:
    """One hand after the other at one table."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        equipment: Equipment,
        setup: TableSetup,
        loading: Loading,
        halt: Callable[[str, str], None],
        stacks: dict[int, int],
        button_drawn: Callable[[int], None],
        button_belongs: Callable[[int], HandSeats],
    ) -> None:
        self._desk = desk
        self._equipment = equipment
        self._setup = setup
        self._loading = loading
        self._halt = halt
        self._called_off: tuple[Following, PhaseName] | None = None
        self._seats: HandSeats | None = None
        self._stacks = stacks
        self._button_belongs = button_belongs
        self._rulings = Rulings(
            desk, setup.rules, setup.game.value, sees_picks=lambda: {BOARD, BURN} <= equipment.antennas
        )
        self._state = HandState(ledger, Deal((), 0), ByKey(desk, {}, ()))
        self._works = TableWorks(
            self._state,
            desk,
            equipment,
            loading,
            halt,
            call_off=self._call_off,
            deal_again=self.deal,
            move_button=self._move_button,
            remedies=lambda: self._rulings.open,
        )
        self._judge = Judge(self._state, desk, self._rulings, self._works, loading)
        self._leaving = Leaving(self._state, equipment)
        self._ending = Ending(self._state, desk, equipment, setup.game, stacks, self._judge, self._leaving)
        self.parts = parts = Parts(
            self._state,
            desk,
            equipment,
            loading,
            self._rulings,
            self._works,
            self._judge,
            self._leaving,
            self._ending,
            halt,
        )
        self._draw = ButtonDraw(parts, button_drawn)
        self._question = BettingComplete(self, parts)
        self._inferring = Inferring(self, parts)
        self._mucked = Mucked(parts, leaves=self._question.hand_leaves)
        self._lying = Lying(parts, self._mucked)
        self._next = NextStep(parts, self._draw, self._question, self._mucked)
        self._last = TakingBack(parts)
        self._keys = Keys(self, parts, self._question, self._mucked, self._inferring, self._last)

    @property
    def asking(self) -> Open | None:
        """The remedy whose step hands or machines must do now."""
        return self._next.asking

    # From the loaded shoe to the first act

    def begin(self, seats: HandSeats) -> None:
        """A new hand is shuffled for the players dealt in: nothing is due yet."""
        self._seats = seats
        self._called_off = None
        self._next.forget()
        self._ending.begin()
        self._rulings.new_hand()
        self._new_deal()

    @property
    def seats(self) -> HandSeats:
        """Who is dealt into the hand. RuntimeError before the first."""
        return self._dealt_in

    @property
    def nothing_happened(self) -> bool:
        """Whether the hand is as it began: nothing was ruled on, nothing given up."""
        return self._rulings.none_yet and self._called_off is None

    def _new_deal(self) -> None:
        """Blinds are posted from the stacks that the hand began with; nobody has a card yet."""
        deal = Deal(self._dealt_in.order, hole_count(self._setup.game))
        self._state.begin(deal, self._followed_anew(), Streets())
        self._leaving.begin()
        self._mucked.forget()
        self.forget_keys()

    @property
    def _dealt_in(self) -> HandSeats:
        if self._seats is None:
            raise RuntimeError("no hand has begun")
        return self._seats

    @property
    def acts_are_told(self) -> bool:
        """Whether betting is followed by acts; else by the dealer's key alone, and chips are not."""
        return self._setup.follow == "tracked" and self._equipment.keypad.acts

    def _followed_anew(self) -> Following:
        """The betting of the hand before its first act: blinds and antes are posted."""
        if self.acts_are_told:
            return ByActs(self._desk, self._setup, self._stacks, self._dealt_in)
        order = self._dealt_in.order
        return ByKey(self._desk, {seat: self._stacks[seat] for seat in order}, order)

    def draw_button(self, order: tuple[int, ...]) -> None:
        """The pack is loaded: everybody is dealt one card, face up, for the first button."""
        self._draw.begin(order)

    def deal(self) -> None:
        """The pack is loaded: blinds are posted and the hole cards are due."""
        self._called_off = None
        self._new_deal()
        self._desk.enter("pack_loaded")
        self._works.make_due(hole_cards(self._dealt_in.order, self._state.deal.each))
        self._next.ask_for_cards()
        self._desk.tell(self._state.following.standing())

    def loaded(self) -> None:
        """The set that a remedy wanted is in the shoe."""
        self._works.loaded()
        self.forget_keys()
        self.settled()

    def _call_off(self) -> None:
        """A misdeal: voluntary bets go back, blinds and antes stay posted."""
        self._called_off = self._state.following, self._desk.phase
        self._works.nothing_is_due()
        self._desk.enter("misdealt")
        if self._state.following.told:
            self._state.following = self._followed_anew()
            self._desk.tell(self._state.following.standing())

    def _move_button(self, seat: int, of: ButtonOf) -> None:
        """The button belongs at a seat: this hand is dealt anew from there, or only the next one counts from
        there."""
        seats = self._button_belongs(seat)
        order = seats.order if of == "this-hand" else ()
        self._desk.tell(ButtonMoved(button=seats.button, seats=order))
        if of == "this-hand":
            self._seats = seats
            if self._state.following.told:
                self._state.following = self._followed_anew()
                self._desk.tell(self._state.following.standing())

    def stop(self) -> None:
        """The hand is over, or goes on by hand: nothing is due any more, nothing is to be put right."""
        self._state.due.clear()
        self._rulings.close()
        self._question.drop()
        self._mucked.forget()
        self.forget_keys()
        self._called_off = None
        self._next.forget()

    def forget_keys(self) -> None:
        """The cards of the hand are given up, or gathered: nothing that a key or an inference has led to can
        be taken back any more."""
        self._judge.forget_key()
        self._last.forget()
        self._inferring.forget()

    def begins_anew(self) -> None:
        """The floor lets the hand go on after a halt: questions have their time anew, no key is undone."""
        self.forget_keys()
        self._question.begins_anew()
        self._works.street_goes_on()

    def goes_on(self) -> None:
        """What was due before a halt is due again."""
        self._works.goes_on()

    # Cards

    @property
    def plays(self) -> bool:
        """Whether cards are in play: no deck but theirs is on the table."""
        return self._desk.phase in IN_PLAY

    def place_due(self, ahead: int, way: str) -> Place | None:
        """Where the card is due that comes `ahead` cards after the next one, None where none is due."""
        due = self._state.due
        return due[ahead].place if ahead < len(due) and due[ahead].way == way else None

    @property
    def may_be_drawn(self) -> int:
        """How many cards may leave the shoe by hand now: none while a question stands, or a remedy that holds
        everything waits for hands."""
        due = self._state.due
        if not self.follows_draws or not due or due[0].way != HAND or self.asks or self._question.stands:
            return 0
        return len(due) if self._next.lets_out else 0

    @property
    def follows_draws(self) -> bool:
        """Whether every card that leaves the shoe means something now."""
        return self._desk.phase in (*IN_PLAY, "button-draw")

    def pack_is_wrong(self, fault: Fault, place: Place, seen: tuple[Card, ...]) -> bool:
        """The pack is no pack to play with, as was found at `place`; False where no hand is there to rule
        in."""
        if self._seats is None or self._desk.phase in ("idle", "halted"):
            return False
        self._judge.pack_is_wrong(fault, place, seen, "closed" if self.paid else "open")
        self.settled()
        return True

    def joker(self) -> None:
        """A joker left the shoe in the place of a card: that is ruled on, and the next card is due."""
        self._next.lacks_card()
        self._judge.joker()
        self.settled()

    def lay(self, flight: Flight, place: Place) -> None:
        """A card came to rest, in its sequence."""
        state = self._state
        self._judge.forget_key()
        self._mucked.goes_on()
        if flight.way == HAND:
            self._last.forget()
        state.turned.clear()
        state.last_drawn = (flight.card, place)
        self.rests(flight, place)

    def rests(self, flight: Flight, place: Place) -> None:
        """A card came to rest: it was due, waits for the dealer's word, or is ruled on."""
        if self._desk.phase == "halted":
            self.rule_on(flight, place)  # it was held, and what was held before it has led to that
            return
        due = self._state.due[0] if self._state.due else None
        if due is not None and due.fits(place, flight.way) and not flight.boxed:
            self._state.due.pop(0)
            self._lies(due, flight)
        elif not self._question.takes(flight, place):
            self.rule_on(flight, place)

    def rule_on(self, flight: Flight, place: Place) -> None:
        """A card that was not due came to rest."""
        if self._desk.phase == "deal" and self._state.deal.complete and not self._rulings.open:
            self._desk.enter("hole_cards_dealt")  # the deal was over before this card came
        self._inferring.takes(flight, place)
        self._judge.not_due(flight, place)

    def place_inferred(self, flight: Flight) -> Place | None:
        """Where a card went that is due nowhere and that no antenna sees; None where nothing says it."""
        return self._judge.place_inferred(flight.time)

    def _lies(self, due: Due, flight: Flight) -> None:
        """A card lies where it was due."""
        self._inferring.forget()
        seat = seat_of(due.place)
        unseen = flight.evidence is Evidence.INFERRED and due.place in self._equipment.antennas
        shown = due.purpose in ("street", "button") and lies_shown(BOARD, flight.facing) and not unseen
        self._desk.tell(CardLay(place=due.place, card=flight.card if shown else None))
        self._state.laid(due, flight.card, flight.time)
        if seat is not None and flight.facing is Facing.UP and due.purpose != "button":
            self._judge.exposed(flight.card, seat)
        if due.purpose == "burn":
            if flight.facing is Facing.UP:
                self._judge.burn_seen(flight.card)
            self.settled()  # the street may follow in the same movement

    def burn_made(self) -> None:
        """The machine says that its burn is done."""
        self.settled()

    def settled(self) -> None:
        """No card is in flight: does all that is due now."""
        self._next.take()

    @property
    def paid(self) -> bool:
        """Whether the hand is over and every pot pushed."""
        return self._desk.phase == "done" and not self._ending.to_push

    # Betting

    def act(self, event: Acted) -> None:
        """A player's act, in its sequence."""
        self._judge.forget_key()
        self._last.forget()
        self._state.turned.clear()
        if event.action == "fold" and self._leaving.said_already(event.seat):
            return
        if self.goes_on_too_soon():
            return
        if why := self._why_no_act():
            self._desk.refuse(f"{event.action} of seat {event.seat}", why)
            return
        before = self._last.as_it_is(event.action, event.seat)
        chips = self._state.following.act(event)
        if chips is not None:
            self._acted(chips=chips)
            if event.action == "fold":
                self._leaving.left(event.seat)
            self._last.may_be_taken_back(before)
        self.settled()

    def goes_on_too_soon(self) -> bool:
        """An act, or the key that ends a round: whether it tells that cards are taken for dealt which are
        still due. That is ruled on then, and the act or the key is no more than its sign."""
        if self._mucked.says or not self._judge.goes_on_too_soon():
            return False
        self.settled()
        return True

    def _why_no_act(self) -> str:
        held = self._rulings.why_held("first-act") if self._desk.phase in IN_PLAY else ""
        return self._mucked.says or held or ("" if self._works.round_is_open else "no betting round is open")

    def _acted(self, players: int = 1, chips: int = 0) -> None:
        self._state.acted(self._desk.phase, players, chips)
        self._mucked.goes_on()

    def round_is_complete(self) -> None:
        """At a table that follows the key alone: all who are left have acted in the round that was open."""
        self._inferring.forget()
        self._acted(len(self._state.following.contenders), chips=1)  # no round before a flop costs nothing
        self._state.following.close_round()

    def leave(self, seat: int) -> None:
        """At a table that follows the key alone a hand leaves by the dealer's key."""
        self._question.hand_leaves(seat)
        before = self._last.as_it_is("muck", seat)
        try:
            self._state.following.fold_out(seat)
        except IllegalAct as refusal:
            self._desk.refuse(f"muck of seat {seat}", refusal.why)
            return
        self._acted()
        self._leaving.left(seat)
        self._last.may_be_taken_back(before)
        self.settled()

    # What is said of cards that lay, keys and deadlines

    def moved(self, card: Card, source: Place, to: Place) -> None:
        """A card that lay somewhere came to rest again, there or elsewhere."""
        if self._question.takes_word(card, partial(self.moved, card, source, to)):
            return
        if self._state.out.get(card, source) != to or source != to:
            self._judge.forget_key()
        if self._desk.phase in IN_PLAY:
            self._lying.moved(card, source, to, self.asking)
            self.settled()

    def turned(self, card: Card, place: Place, facing: Facing) -> None:
        """A card was turned over where it lies: the player's doing, unless the key says otherwise."""
        if self._question.takes_word(card, partial(self.turned, card, place, facing)):
            return
        self._lying.turned(card, place, facing)
        if self._desk.phase in IN_PLAY or self._desk.phase == "button-draw":
            self.settled()

    @property
    def asks_for_ack(self) -> bool:
        """Whether a remedy asks for something that ack proves, before a pack goes on its way."""
        return takes_ack(self.asking, self._works)

    @property
    def may_be_answered(self) -> bool:
        """Whether something was inferred that the dealer may answer by yes or no."""
        return self._inferring.may_be_answered

    @property
    def asks(self) -> bool:
        """Whether a question stands that only yes, no or the floor answers."""
        return self._mucked.asks

    def press(self, key: Keyed) -> None:
        """A key of the dealer's, in its sequence, from the deal to the last pot."""
        self._keys.press(key)

    def passed(self, token: int) -> None:
        """A deadline has passed, in its sequence."""
        self._question.passed(token)

    def resume(self) -> None:
        """A deal that was called off goes on as it was."""
        if self._called_off is not None:
            self._state.following, phase = self._called_off
            self._called_off = None
            self._desk.enter("betting_resumed" if phase == "preflop" else "deal_resumed")
            self._desk.tell(self._state.following.standing())
