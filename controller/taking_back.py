"""`undo`: the last act or key is taken back, and all is as it was before, but for what a machine has burned.

It can be, until a card is drawn by hand, play goes on some other way, or what followed cannot be undone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from controller.cards import Card
from controller.decisions import TakenBack
from controller.hand import PhaseName
from controller.ledger import Evidence
from controller.parts import Parts
from controller.places import MUCK, at_seat
from controller.remedies.under_way import Open

_LEAVES: Final = frozenset({"fold", "muck"})


@dataclass(frozen=True)
class Before:
    """What was the case before an act, `next` or `muck`: the round, its acts, the remedies that were open.

    `seat` is the one that it was of, 0 for none; `cards` are those of a hand that leaves by it. `betting`
    brings the betting back.
    """

    what: str
    seat: int
    phase: PhaseName
    acts_of_deal: int
    chips_went_in: bool
    acts_of_street: int
    open: tuple[Open, ...] = field(repr=False)
    betting: Callable[[], None] = field(repr=False)
    cards: tuple[Card, ...] = field(repr=False)


class TakingBack:
    """The last act or key of one hand after the other, as long as it can be taken back."""

    def __init__(self, parts: Parts) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._equipment = parts.equipment
        self._loading = parts.loading
        self._rulings = parts.rulings
        self._works = parts.works
        self._ending = parts.ending
        self._before: Before | None = None
        self._changes = 0

    @property
    def stands(self) -> bool:
        """Whether there is something that could be taken back."""
        return self._before is not None

    def forget(self) -> None:
        """What was done last cannot be taken back any more."""
        self._before = None

    def as_it_is(self, what: str, seat: int = 0) -> Before:
        """All that has to be known to take back what follows: an act or key `what`, of a seat or of none."""
        state = self._state
        return Before(
            what=what,
            seat=seat,
            phase=self._desk.phase,
            acts_of_deal=state.deal.acts,
            chips_went_in=state.deal.chips_went_in,
            acts_of_street=state.streets.acts,
            open=tuple(replace(remedy) for remedy in self._rulings.open),
            betting=state.following.remember(),
            cards=state.ledger.cards(at_seat(seat)) if what in _LEAVES else (),
        )

    def may_be_taken_back(self, before: Before) -> None:
        """It was done: this is what it leads back to."""
        self._before = before
        self._changes = self._state.following.changes

    def take_back(self) -> str:
        """Takes it back; why that cannot be, empty where it was."""
        before, self._before = self._before, None
        if before is None:
            return "there is no key that could be taken back"
        if self._desk.phase == "done":
            return "the hand is over: its pot is won"
        if self._loading.step is not None and not self._loading.taken_back():
            return "the stub is out of the shoe already: the round stays complete"
        if self._ending.touched:
            return "a hand was shown or given up already: the round stays complete"
        if not self._lie_there(before):
            return f"the cards of seat {before.seat} lie in the muck: call the floor"
        if self._state.following.changes != self._changes:
            return "another hand was folded since: call the floor"
        self._brings_back(before)
        return ""

    def _lie_there(self, before: Before) -> bool:
        """Whether the cards of a hand that has left lie at its seat, as far as an antenna can tell."""
        if MUCK not in self._equipment.antennas:
            return True
        return all(self._state.where(card) == at_seat(before.seat) for card in before.cards)

    def _brings_back(self, before: Before) -> None:
        state = self._state
        before.betting()
        self._ending.call_off()
        self._works.no_street_is_due()
        if self._desk.phase != before.phase:
            self._desk.enter("next_taken_back")
        for card in before.cards:
            if state.ledger.where(card).place == MUCK:
                state.ledger.move(card, at_seat(before.seat), Evidence.STATED)
        state.deal.acts, state.streets.acts = before.acts_of_deal, before.acts_of_street
        state.deal.chips_went_in = before.chips_went_in
        self._rulings.open = list(before.open)
        self._desk.asked_is_done()
        self._desk.tell(TakenBack(what=before.what, seat=before.seat or None))
        if state.following.told:
            self._desk.tell(state.following.standing())
