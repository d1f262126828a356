"""A table at the one moment of a hand at which no card of it is known yet: all 52 are proved in the shuffler.

From there a hand goes on without a word of those before it, and no card stands in it (docs/journal.md,
"Checkpoints").
"""

import msgspec

from controller.desk import DeskState
from controller.equipment import EquipmentState
from controller.ledger import Evidence
from controller.loading import LoadingState
from controller.seating import HandSeats, SeatingState
from controller.second_deck import SecondState


class TableState(msgspec.Struct, frozen=True):
    """Everything that a table in the phase `shuffle` goes on with: the hand's number, who is dealt in, how
    the pack was proved, and what each part of the table keeps from hand to hand."""

    hand: int
    seats: HandSeats
    proof: Evidence
    dealer: str
    mode: str
    gate: int
    desk: DeskState
    equipment: EquipmentState
    seating: SeatingState
    second: SecondState
    loading: LoadingState
