"""Who sits where between the hands: the button, the blinds, who comes and goes, and what he owes.

Pure: no input or output, no clock, no chance. The betting of a hand is the matter of `betting`.
"""

from controller.seating.drawing import highest
from controller.seating.laid import HandSeats
from controller.seating.players import Seating, SeatingState
from controller.seating.positions import Positions, deal_order

__all__ = ["HandSeats", "Positions", "Seating", "SeatingState", "deal_order", "highest"]
