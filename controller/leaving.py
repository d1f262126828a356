"""Hands that leave: their cards belong in the muck, whether an antenna sees them there or not."""

from controller.desk import Desk
from controller.equipment import Equipment
from controller.hand_state import HandState
from controller.ledger import Evidence
from controller.places import MUCK, at_seat


class Leaving:
    """Which hands' cards lie in the muck, and what was said of it."""

    def __init__(self, state: HandState, desk: Desk, equipment: Equipment) -> None:
        self._state = state
        self._desk = desk
        self._equipment = equipment
        self._in_muck: set[int] = set()
        self._by_cards: set[int] = set()

    def begin(self) -> None:
        """A new deal: no hand has left."""
        self._in_muck.clear()
        self._by_cards.clear()

    def left(self, seat: int, evidence: Evidence = Evidence.INFERRED) -> None:
        """A hand is out: its cards belong in the muck, and lie there where no antenna can say so."""
        self._in_muck.discard(seat)
        if MUCK not in self._equipment.antennas:
            ledger = self._state.ledger
            ledger.move_all(ledger.cards(at_seat(seat)), MUCK, evidence)

    def into_the_muck(self, seat: int) -> None:
        """An antenna saw a card of a live hand in the muck."""
        self._in_muck.add(seat)

    def all_in_the_muck(self, seat: int) -> bool:
        """Whether no card of the hand lies at its seat any more."""
        return not self._state.ledger.cards(at_seat(seat))

    @property
    def unexplained(self) -> int | None:
        """A seat whose cards lie in the muck though nobody said that it folded."""
        return min(self._in_muck & set(self._state.holders()), default=None)

    def mucked_by_cards(self, seat: int) -> None:
        """The antennas said that a hand was mucked; the key may say it too."""
        self._by_cards.add(seat)
        self.left(seat)

    def said_already(self, seat: int) -> bool:
        """Whether the antennas said before what the key says now: one muck, not two."""
        told = seat in self._by_cards
        self._by_cards.discard(seat)
        return told
