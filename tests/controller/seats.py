"""A table between its hands, for tests of who is dealt in and what he lays."""

from typing import Any

from controller.betting import Structure
from controller.events import EntryName, SeatChange, SeatChangeName
from controller.games import Game
from controller.rule_files import rulebook
from controller.seating import HandSeats, Seating
from controller.table_setup import TableSetup

SMALL, BIG = 5, 10


def seating(*seats: int, chips: int = 1000, **more: Any) -> Seating:
    told: dict[str, Any] = {
        "game": Game.HOLDEM,
        "structure": Structure.NO_LIMIT,
        "stacks": dict.fromkeys(seats, chips),
        "button": None,
        "blinds": (SMALL, BIG),
        "min_bet": BIG,
        "small_bet": BIG,
        "big_bet": 2 * BIG,
        "rules": rulebook("roberts"),
    }
    return Seating(TableSetup(**(told | more)))


def hand(table: Seating) -> HandSeats:
    """The next hand, over at once."""
    begun = table.begin_hand()
    table.hand_is_over()
    return begun


def wish(table: Seating, seat: int, change: SeatChangeName, chips: int = 0, entry: EntryName = "wait") -> str:
    return table.take(SeatChange(seat=seat, change=change, chips=chips, entry=entry))
