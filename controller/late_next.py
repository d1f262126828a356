"""Late `next`: board cards that came before the dealer said that the round is complete, at a table that is
followed by the key alone.

He is asked whether it was complete. Until he answers, or his time is over, what comes is held: it makes no
ruling and no street (docs/procedures.md, "Late next").
"""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from controller.cards import Card
from controller.decisions import LateNext
from controller.parts import Parts
from controller.places import BOARD, Place
from controller.sequence import Flight

LATE_MS: Final = 10_000
"""How long the dealer may take to answer, in the shoe's time; exactly that is in time."""


class Hand(Protocol):
    """The hand whose betting is asked about."""

    def rests(self, flight: Flight, place: Place) -> None:
        """A card came to rest: it is the one that was due, or it is ruled on."""

    def rule_on(self, flight: Flight, place: Place) -> None:
        """A card that was not due came to rest."""

    def round_is_complete(self) -> None:
        """Everybody who is left has acted in the round that was open."""

    def settled(self) -> None:
        """Does all that is due now."""


class BettingComplete:
    """The question, and what is held while it stands."""

    def __init__(self, hand: Hand, parts: Parts) -> None:
        self._hand = hand
        self._state = parts.state
        self._desk = parts.desk
        self._rulings = parts.rulings
        self._works = parts.works
        self._judge = parts.judge
        self._first: tuple[Flight, Place] | None = None
        self._deadline = 0
        self._cards: set[Card] = set()
        self._held: list[Callable[[], None]] = []

    @property
    def stands(self) -> bool:
        """Whether the dealer is asked and has not answered."""
        return self._first is not None

    def takes(self, flight: Flight, place: Place) -> bool:
        """Holds a card that was not due: it came while the question stands, or the question is asked now."""
        if self._first is not None:
            self._held.append(partial(self._hand.rests, flight, place))
        elif self._would_begin_street(flight, place):
            self._first = flight, place
            self._deadline = self._desk.deadline("shoe", LATE_MS)
            self._desk.ask("betting-complete")
        else:
            return False
        self._cards.add(flight.card)
        return True

    def _would_begin_street(self, flight: Flight, place: Place) -> bool:
        """Whether a card would be the street's first if the round were complete.

        It cannot be where a remedy holds the street, nor where the dealer took `next` back and the machine
        still burns.
        """
        return (
            place == BOARD
            and not self._state.following.told
            and self._works.round_is_open
            and not self._works.works_on
            and self._rulings.holds("street") is None
            and self._judge.comes_early(flight)
        )

    def takes_word(self, card: Card, word: Callable[[], None]) -> bool:
        """Holds what is said of a card that is held itself: that it was moved, or turned over."""
        if card not in self._cards:
            return False
        self._held.append(word)
        return True

    def pauses(self) -> bool:
        """Whether what would be due now has to wait for the answer."""
        if self.stands:
            self._held.append(self._between_draws)
        return self.stands

    def _between_draws(self) -> None:
        """A street whose last card lay before the next one was drawn had begun by then."""
        if not self._state.due:
            self._hand.settled()

    def yes(self) -> None:
        """The round was complete: the cards are the street; without its burn they lie as one without burn."""
        flight, place, held = self._close()
        self._desk.tell(LateNext(phase=self._desk.phase))
        self._hand.round_is_complete()
        if self._state.streets.burn_is_due:
            self._works.begin_without_burn()
        else:
            self._works.begin_street()
        self._hand.rests(flight, place)
        self._replay(held)
        self._works.let_out_rest()
        self._hand.settled()

    def no(self) -> None:
        """The round was not complete: the cards are ruled on, in their order."""
        flight, place, held = self._close()
        self._hand.rule_on(flight, place)
        self._replay(held)
        self._hand.settled()

    def passed(self, token: int) -> None:
        """A deadline has passed: silence is no."""
        if self.stands and token == self._deadline:
            self.no()

    def hand_leaves(self, seat: int) -> bool:
        """A hand leaves: whether one is left. Then no street can follow, and the cards are ruled on first."""
        contenders = self._state.following.contenders
        one_left = self.stands and len(contenders) == 2 and seat in contenders
        if one_left:
            self.no()
        return one_left

    def begins_anew(self) -> None:
        """The table was halted: the dealer has the whole time once more."""
        if self.stands:
            self._desk.deadlines.discard(self._deadline)
            self._deadline = self._desk.deadline("shoe", LATE_MS)

    def drop(self) -> None:
        """The hand goes on without the machines, or not at all: nobody is asked any more."""
        if self.stands:
            self._close()

    def _replay(self, held: list[Callable[[], None]]) -> None:
        for what in held:
            what()

    def _close(self) -> tuple[Flight, Place, list[Callable[[], None]]]:
        if self._first is None:
            raise RuntimeError("nobody was asked whether the betting is complete")
        (flight, place), self._first = self._first, None
        held, self._held = self._held, []
        self._cards.clear()
        self._desk.deadlines.discard(self._deadline)
        return flight, place, held
