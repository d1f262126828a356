"""The tables that are measured, and a dealer who plays hands on them without end."""

import json
from collections.abc import Callable
from typing import Final, TypeVar

from hil_rigs.simulate.bench import Bench, BenchError
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.virtual.codes import Prompt

SIX: Final = (1, 2, 4, 5, 7, 8)
THREE: Final = (2, 5, 8)
_CHIPS: Final = 1_000_000
"""Enough that nobody is ever all-in."""
_TRIES: Final = 3
_T = TypeVar("_T")


def table(game: str, seats: tuple[int, ...] = SIX, *, gate: bool = False) -> Scenario:
    """A table of a game with seats that have chips for ever."""
    text = json.dumps(
        {
            "table": {
                "game": game,
                "betting": "pot-limit" if game == "omaha" else "no-limit",
                "seats": {str(seat): _CHIPS for seat in seats},
                "shoe": {"gate": gate, "burner": True},
            },
            "acts": [],
        }
    )
    return read_scenario(text, file="bench", name="bench")


def persistently(part: Callable[[], _T]) -> _T:
    """Does a part of the measurement, again with a new table where one is lost.

    A machine that stalls for a second ends the sessions of its devices. Raises the last BenchError.
    """
    for _ in range(_TRIES - 1):
        try:
            return part()
        except BenchError:
            continue
    return part()


def asked(bench: Bench) -> int | None:
    """The code of the prompt that the dealer sees."""
    shown = bench.table.prompts.display
    return None if shown is None else shown.code


def play_hand(bench: Bench) -> None:
    """From the gathered cards, or the empty table, to the end of the next hand. Raises BenchError."""
    over = False
    begun = False
    while not over:
        if bench.table.dealer.obey() is None:
            raise BenchError(f"the hand does not go on: {bench.table.dealer.stopped}")
        bench.rest()
        begun = begun or asked(bench) == Prompt.DEAL_HOLE
        over = begun and asked(bench) == Prompt.GATHER
