"""What the hands at one table are played with, made once and shared by whoever plays, asks and rules."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.desk import Desk
from controller.ending import Ending
from controller.equipment import Equipment
from controller.hand_state import HandState
from controller.judge import Judge
from controller.leaving import Leaving
from controller.loading import Loading
from controller.rulings import Rulings
from controller.works import TableWorks


@dataclass(frozen=True)
class Parts:
    """The parts of a hand. `halt` is called with code and text where the floor must decide."""

    state: HandState
    desk: Desk
    equipment: Equipment
    loading: Loading
    rulings: Rulings
    works: TableWorks
    judge: Judge
    leaving: Leaving
    ending: Ending
    halt: Callable[[str, str], None]
