"""A halt of the table: why, what happened meanwhile, and whether the hand can go on as it was."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from controller.cards import Card
from controller.decisions import Command
from controller.events import Answered, Fed
from controller.hand import IN_PLAY, PhaseName
from controller.loading import Loading
from controller.parts import Parts
from controller.places import ASIDE, MUCK, SHOE, Place, at_seat, seat_of
from controller.remedies.under_way import Open
from controller.watched import Watched

StubNow = Literal["in-shoe", "goes-in-anew"]


@dataclass
class Halt:
    """Why the table is halted, and what happened since.

    `ruling` was left to the floor. `drawn` once a hand drew a card meanwhile, `unread` once something left
    the shoe of which nobody knows what it was. `answers` are of machines that were busy when it was halted.
    """

    code: str
    phase: PhaseName
    ruling: Open | None
    unknown: bool
    drawn: bool = False
    unread: bool = False
    answers: list[tuple[Fed | Answered, Command]] = field(default_factory=list, repr=False)


class Meanwhile:
    """What hands and devices did while the table was halted."""

    def __init__(self, parts: Parts, loading: Loading, watched: Watched) -> None:
        self._parts = parts
        self._state = parts.state
        self._loading = loading
        self._watched = watched

    def why_not_on(self, halt: Halt, stub: StubNow = "in-shoe") -> str:
        """Why the hand cannot go on with the machines, whatever is done about a ruling; empty if it can.

        Where the `stub` goes in anew first, it does not matter where it is.
        """
        if halt.unknown:
            return "what a device did meanwhile is unknown: void the hand, finish it by hand or pull the deck"
        if halt.unread:
            return "it is unknown which card left the shoe"
        if halt.drawn:
            return "a card was drawn while the table was halted"
        return self._why_moved() or ("" if stub == "goes-in-anew" else self._why_shoe(halt.phase))

    def _why_moved(self) -> str:
        state = self._state
        for card, home in state.displaced.items():
            if state.ledger.where(card).place != home:
                return f"a card that belongs to {home} has first to go back there"
        for card, (source, to) in self._watched.moves.items():
            folds = to == MUCK and source != MUCK and seat_of(source) is not None
            lives = state.deal.owner(card) in state.holders()
            if folds or (lives and self._went_home(card, source, to)):
                continue
            if source != to and card not in state.out and card not in state.displaced:
                return f"a card was carried from {source} to {to} while the table was halted"
        return ""

    def _went_home(self, card: Card, source: Place, to: Place) -> bool:
        """Whether a card of a hand was brought back to its own seat: from the muck, or from where it counted
        as aside."""
        seat = self._state.deal.owner(card)
        return seat is not None and source in (MUCK, ASIDE) and to == at_seat(seat)

    def _why_shoe(self, phase: PhaseName) -> str:
        shoe, loading = self._parts.equipment.shoe_state, self._loading
        if loading.step is not None or phase not in IN_PLAY:
            open_out_of_order = shoe.lid == "open" and not loading.opens_shoe
            return "the shoe's lid is open" if open_out_of_order else ""
        if shoe.lid == "open":
            return "the shoe's lid is open"
        if shoe.content == "empty" and self._state.ledger.count(SHOE):
            return "the stub is not in the shoe"
        return ""

    def carried(self) -> list[Callable[[], None]]:
        """Cards that were carried meanwhile: a hand into the muck is heard of now, others lie where they lie,
        at their seat again too."""
        state, hear = self._state, []
        for card, (source, to) in self._watched.moves.items():
            if card in state.out:
                state.moved_out_of_play(card, to)
                state.take_out([card])
            if card in state.out or card in state.displaced or self._went_home(card, source, to):
                state.deal.carried(card, seat_of(source), seat_of(to))
            elif source != to:
                hear.append(self._moved_later(card, source, to))
        state.displaced.clear()
        return hear

    def _moved_later(self, card: Card, source: Place, to: Place) -> Callable[[], None]:
        return lambda: self._watched.moved(card, source, to)
