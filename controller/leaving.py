"""Hands that leave: their cards belong in the muck, whether an antenna sees them there or not."""

from controller.equipment import Equipment
from controller.hand_state import HandState
from controller.ledger import Evidence
from controller.places import MUCK, at_seat


class Leaving:
    """Which hands left by their cards, and which of them the key told of too."""

    def __init__(self, state: HandState, equipment: Equipment) -> None:
        self._state = state
        self._equipment = equipment
        self._by_cards: set[int] = set()

    def begin(self) -> None:
        """A new deal: no hand has left."""
        self._by_cards.clear()

    def left(self, seat: int, evidence: Evidence = Evidence.INFERRED) -> None:
        """A hand is out: its cards belong in the muck, and lie there where no antenna can say so."""
        if MUCK not in self._equipment.antennas:
            ledger = self._state.ledger
            ledger.move_all(ledger.cards(at_seat(seat)), MUCK, evidence)

    def mucked_by_cards(self, seat: int) -> None:
        """The antennas said that a hand left; the key may say it too."""
        self._by_cards.add(seat)
        self.left(seat)

    def said_already(self, seat: int) -> bool:
        """Whether the antennas said before what the key says now: one fold or muck, not two."""
        told = seat in self._by_cards
        self._by_cards.discard(seat)
        return told
