"""Cards of live hands that reach the muck: a fold in turn, a fold out of turn, or a question to the dealer.

In an open betting round a whole hand in the muck is folded by its cards alone. Where that may be a mistake
the dealer is asked, and nothing else goes on until he has answered, or the cards have.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from controller.cards import Card
from controller.decisions import ProofName
from controller.events import Keyed
from controller.hand import BETTING_ROUNDS
from controller.ledger import Evidence, Facing
from controller.parts import Parts
from controller.places import MUCK, at_seat
from controller.remedies.steps import BringBack

_Means = Literal["nothing", "fold", "question", "waits"]


@dataclass
class _Hand:
    """A live hand of which cards reached the muck.

    `went_on` once play went on meanwhile. `ruling` is the one made when the dealer said that it was not
    folded, 0 for none, and `back` are the cards that lay there then or came since; `denied` once he has said
    so, however it was decided.
    """

    seat: int
    went_on: bool = False
    ruling: int = 0
    denied: bool = False
    back: list[Card] = field(default_factory=list, repr=False)


class Mucked:
    """What cards in the muck mean for their hands, and the one question that stands about them.

    `leaves` is told before a hand leaves by its cards, and says whether something was held that comes first.
    """

    def __init__(self, parts: Parts, leaves: Callable[[int], bool]) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._equipment = parts.equipment
        self._rulings = parts.rulings
        self._leaving = parts.leaving
        self._ending = parts.ending
        self._works = parts.works
        self._judge = parts.judge
        self._leaves = leaves
        self._hands: dict[int, _Hand] = {}
        self._asked: _Hand | None = None
        self._hears_what_was_held = False

    def forget(self) -> None:
        """A new deal, the end of the hand, or the floor has it: nothing is asked any more."""
        self._hands.clear()
        self._ask_nothing()

    @property
    def asks(self) -> bool:
        """Whether a question stands: nothing but its answer, or the floor, is taken."""
        return self._asked is not None

    @property
    def says(self) -> str:
        """What has to be done before anything else is taken; empty where nothing is asked."""
        if self._asked is None:
            return ""
        seat = self._asked.seat
        if self._asked.ruling:
            return f"the cards of seat {seat} have first to come back from the muck"
        return f"cards of seat {seat} lie in the muck: yes or no, did it fold?"

    def came(self, card: Card, seat: int) -> None:
        """A card of a live hand reached the muck."""
        hand = self._hands.setdefault(seat, _Hand(seat))
        if hand.ruling and card not in hand.back:
            hand.back.append(card)

    def may_come_back(self, seat: int) -> bool:
        """Whether cards of this hand lie in the muck and nothing followed from it yet."""
        return seat in self._hands

    def whole(self, seat: int) -> bool:
        """Whether all the cards of a hand lie in the muck."""
        return all(self._state.ledger.where(card).place == MUCK for card in self._state.deal.hole[seat])

    def goes_on(self) -> None:
        """An act was taken or a card was drawn: a hand of which a part lies in the muck is asked about."""
        for hand in self._hands.values():
            hand.went_on = True

    def settle(self) -> bool:
        """Does what follows from the cards in the muck; True while a question about them stands."""
        if self._hears_what_was_held:
            return False
        for thrown in self._hands.values():
            self._hears_floor(thrown)
        while not self._rulings.end_play and (hand := self._first()) is not None:
            means = self._means(hand)
            if means == "question":
                self._ask(hand)
                return True
            if means == "fold" and self._something_comes_first(hand.seat):
                continue
            del self._hands[hand.seat]
            if means == "fold":
                self._fold(hand)
        self._ask_nothing()
        return False

    def _hears_floor(self, hand: _Hand) -> None:
        """The ruling was let stand, and nothing is done about it: what the cards mean is asked again."""
        if hand.ruling and self._rulings.under_way(hand.ruling) is None:
            hand.ruling = 0
            hand.back.clear()

    def _something_comes_first(self, seat: int) -> bool:
        """Whether something was held until this hand leaves. It came before the cards in the muck, which mean
        nothing while it is heard; what they mean then may be another thing."""
        self._hears_what_was_held = True
        held = self._leaves(seat)
        self._hears_what_was_held = False
        return held

    def _first(self) -> _Hand | None:
        """The hand that something follows from, the one asked about before others."""
        hands = sorted(self._hands.values(), key=lambda hand: hand is not self._asked)
        return next((hand for hand in hands if self._means(hand) != "waits"), None)

    def _means(self, hand: _Hand) -> _Means:
        seat = hand.seat
        left = self._ending.shows and not self._ending.waits_for(seat)
        if left or seat not in self._state.holders() or not self._lacks_cards(hand):
            return "nothing"
        if hand.ruling:
            return "question" if self._comes_back(hand) else "nothing"
        if hand.denied:
            return "question"
        if self._ending.shows:
            return "question" if self._ending.torn(seat) else "waits"
        if self.whole(seat):
            held = self._rulings.holds("first-act") is not None or seat in self._state.following.all_in
            asked = held or bool(self._why_no_fold(seat)) or not self._works.round_is_open
            return "question" if asked else "fold"
        complete = self._desk.phase in BETTING_ROUNDS and self._state.following.complete
        return "question" if hand.went_on or complete else "waits"

    def _comes_back(self, hand: _Hand) -> bool:
        """Whether the remedy of its ruling has the hand brought back."""
        remedy = self._rulings.under_way(hand.ruling)
        return remedy is not None and isinstance(remedy.step, BringBack)

    def _lacks_cards(self, hand: _Hand) -> bool:
        """Whether cards are not at their seat; those that the dealer brings back lie there face down."""
        ledger, home = self._state.ledger, at_seat(hand.seat)
        brought = [ledger.where(card) for card in hand.back]
        return bool(self._lying(hand.seat)) or any(
            at.place != home or at.facing is Facing.UP for at in brought
        )

    def _lying(self, seat: int) -> list[Card]:
        """The cards of a hand that lie in the muck."""
        cards: Iterable[Card] = self._state.deal.hole[seat]
        return [card for card in cards if self._state.ledger.where(card).place == MUCK]

    def _fold(self, hand: _Hand) -> None:
        """Folds a hand, whatever the turn. The floor is told of one that folded out of turn unasked."""
        state, phase, seat = self._state, self._desk.phase, hand.seat
        turn = state.following.turn
        in_turn = turn in (None, seat)
        if self._works.round_is_open and not in_turn and hand is not self._asked:
            said = f"the hand of seat {seat} reached the muck, and seat {turn} was to act: it is dead"
            self._desk.alert("fold-out-of-turn", said)
        # The window of the deal counts acts in turn alone, that of a street any act.
        if self._works.round_is_open and (in_turn or phase != "preflop"):
            state.acted(phase)
        state.turned.clear()
        state.following.fold_out(seat)
        self._leaving.mucked_by_cards(seat)

    # The question

    def _ask(self, hand: _Hand) -> None:
        self._asked = hand
        if hand.ruling:
            proof: ProofName = "ack" if self._by_key(hand.seat) else "seen"
            self._desk.ask_first("hand-back", seat=hand.seat, count=len(hand.back), proof=proof)
        else:
            no = hand.seat in self._state.following.all_in or bool(self._why_no_fold(hand.seat))
            self._desk.ask_first("folded", seat=hand.seat, count=int(no))

    def _ask_nothing(self) -> None:
        self._asked = None
        self._desk.first_is_answered()

    def _by_key(self, seat: int) -> bool:
        return at_seat(seat) not in self._equipment.antennas

    def _why_no_fold(self, seat: int) -> str:
        """Why a hand cannot be folded at all; empty where it can."""
        if tuple(self._state.holders()) == (seat,):
            return f"seat {seat} is the last to claim the pot and keeps it"
        if len(self._state.deal.hole[seat]) < self._state.deal.each:
            return f"seat {seat} is still to get a card: its hand cannot be folded yet"
        return ""

    def press(self, key: Keyed) -> None:
        """A key while the question stands: its answer, or refused."""
        hand = self._asked
        if hand is None:
            return
        if key.key == "yes" and not hand.ruling:
            self._says_yes(hand, key)
        elif key.key == "no" and not hand.ruling:
            hand.back, hand.denied = self._lying(hand.seat), True
            hand.ruling = self._judge.hand_killed(hand.seat)
            if self._rulings.end_play:
                self._ask_nothing()  # it is the floor's now
        elif key.key == "ack" and hand.ruling and self._by_key(hand.seat):
            self._brought_back(hand)
        else:
            self._desk.refuse_key(key, self.says)

    def _says_yes(self, hand: _Hand, key: Keyed) -> None:
        if self._leaves(hand.seat) and self._asked is not hand:
            return  # what was held until then is the floor's
        why = self._why_no_fold(hand.seat)
        if why:
            self._desk.refuse_key(key, why)
            return
        del self._hands[hand.seat]
        if self._ending.shows:
            self._ending.mucked(hand.seat)
        else:
            self._fold(hand)

    def _brought_back(self, hand: _Hand) -> None:
        """Only the key says that the cards are at the seat again."""
        for card in self._lying(hand.seat):
            self._state.ledger.move(card, at_seat(hand.seat), Evidence.STATED)
            self._state.deal.carried(card, None, hand.seat)
