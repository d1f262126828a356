"""The dealer's keys in their sequence, from the deal to the last pot, and the last one taken back."""

from typing import Final, Protocol

from controller.events import Acted, Keyed
from controller.hand import BETTING_ROUNDS
from controller.inferring import Inferring
from controller.late_next import BettingComplete
from controller.mucked import Mucked
from controller.parts import Parts
from controller.remedies.under_way import Open
from controller.remedies.walk import press_ack
from controller.taking_back import TakingBack

NOTHING_ASKED: Final = "nothing was asked that this key answers"
_ASKED: Final = "the prompt asks whether the betting is complete: yes or no"


class Hand(Protocol):
    """The hand that the keys are pressed in."""

    @property
    def asking(self) -> Open | None:
        """The remedy whose step hands or machines must do now."""

    def settled(self) -> None:
        """Does all that is due now."""

    def act(self, event: Acted) -> None:
        """A player's act."""

    def leave(self, seat: int) -> None:
        """A hand leaves with its cards."""

    def goes_on_too_soon(self) -> bool:
        """Whether play goes on while cards are still due: that is then ruled on."""

    def round_is_complete(self) -> None:
        """Everybody who is left has acted in the round that was open."""

    def resume(self) -> None:
        """A deal that was called off goes on as it was."""


class Keys:
    """What each key means in the hand that is played."""

    def __init__(
        self,
        hand: Hand,
        parts: Parts,
        question: BettingComplete,
        mucked: Mucked,
        inferring: Inferring,
        last: TakingBack,
    ) -> None:
        self._hand = hand
        self._state = parts.state
        self._desk = parts.desk
        self._loading = parts.loading
        self._works = parts.works
        self._rulings = parts.rulings
        self._judge = parts.judge
        self._ending = parts.ending
        self._leaving = parts.leaving
        self._halt = parts.halt
        self._question = question
        self._mucked = mucked
        self._inferring = inferring
        self._last = last

    def press(self, key: Keyed) -> None:
        """A key, in its sequence."""
        if self._mucked.asks:
            self._mucked.press(key)
            self._hand.settled()
            return
        if self._question.stands:
            self._answer(key)
            return
        if key.key == "undo":
            self._take_back()
            return
        self._judge.forget_key()
        self._last.forget()
        if key.key == "muck" and self._leaving.said_already(key.seat):
            return
        if key.key == "ack" and press_ack(self._hand.asking, self._works):
            self._hand.settled()
        elif key.key in ("yes", "no") and self._inferring.may_be_answered:
            self._ruled_by_key(key, self._inferring.answer(key))
        elif key.key == "exposed":
            self._ruled_by_key(key, self._judge.press_exposed(key))
        elif key.key == "misdeal":
            self._ruled_by_key(key, self._judge.press_misdeal(key))
        elif key.key in ("muck", "plays-board") and key.seat not in self._state.deal.hole:
            self._desk.refuse_key(key, "this key needs the number of a seat that holds a hand")
        elif not self._ending.press(key):
            self._in_betting(key)

    def _answer(self, key: Keyed) -> None:
        """The dealer is asked whether the betting is complete."""
        match key.key:
            case "yes" | "next":
                self._question.yes()
            case "no":
                self._question.no()
            case "muck" if self._leaving.said_already(key.seat):
                pass
            case "muck" if key.seat in self._state.deal.hole:
                self._hand.leave(key.seat)
            case _:
                self._desk.refuse_key(key, _ASKED)

    def _in_betting(self, key: Keyed) -> None:
        held = self._rulings.why_held("first-act")
        match key.key:
            case "yes" | "no":
                self._desk.refuse_key(key, NOTHING_ASKED)
            case "next" | "muck" if held and self._desk.phase in BETTING_ROUNDS:
                self._desk.refuse_key(key, held)
            case "next" if not self._state.following.told and self._hand.goes_on_too_soon():
                pass
            case "next" if self._works.round_is_open:
                self._press_next()
            case "muck" if self._works.round_is_open and self._state.following.told:
                self._hand.act(Acted(seat=key.seat, action="fold"))
            case "muck" if self._works.round_is_open:
                self._hand.leave(key.seat)
            case _:
                self._desk.refuse_key(key, f"the key means nothing in the phase {self._desk.phase}")

    def _press_next(self) -> None:
        why = self._state.following.why_not_complete
        if why:
            self._desk.refuse("next", why)
            return
        before = self._last.as_it_is("next")
        self._hand.round_is_complete()
        self._last.may_be_taken_back(before)
        self._hand.settled()

    def _ruled_by_key(self, key: Keyed, why: str) -> None:
        """A key that leads to a ruling was taken, or `why` not."""
        if why:
            self._desk.refuse_key(key, why)
        else:
            self._hand.settled()

    def _take_back(self) -> None:
        """Takes the last act or key back, and what followed from it."""
        if self._ending.take_back():
            self._last.forget()
        elif self._last.stands or not self._judge.can_take_back:
            why = self._last.take_back()
            self._desk.refuse("undo", why) if why else self._hand.settled()
        elif self._desk.phase == "misdeal" and not self._loading.taken_back():
            self._desk.refuse("undo", "the stub is out of the shoe already: the deal is void")
        else:
            self._judge.take_back()
            self._hand.resume()
            self._hand.settled()
