"""Histories that PokerKit played and wrote come to the stacks that it recorded, with nothing refused."""

import json
import os
from decimal import Decimal

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.phh import read_history
from tests.e2e.tables import Json, cards_lost, reported
from tests.simulate.made_histories import made

HISTORIES = 60
SOAK_HISTORIES = 3_000


def play_again(seed: str) -> None:
    history = made(seed)
    scenario = read_history(history.text, file=seed, name=seed)
    said: Json = json.loads(reported(scenario, DirectBench(scenario)), parse_float=Decimal)
    assert (said["outcome"], said["refused"], said["rulings"], said["alerts"]) == ("completed", [], [], [])
    odd = sum(pot["amount"] * scenario.scale % len(pot["winners"]) for pot in said["pots"])
    for ours, recorded in zip(said["stacks"].values(), history.stacks, strict=True):
        assert abs(ours - recorded) * scenario.scale <= odd
    assert "".join(said["board"]) == history.board
    assert cards_lost(said) == []


@pytest.mark.parametrize("number", range(HISTORIES))
def test_a_made_history_comes_to_the_board_and_the_stacks_on_record(number: int) -> None:
    play_again(f"gate {number}")


@pytest.mark.soak
def test_thousands_of_made_histories_come_to_the_stacks_on_record() -> None:
    seed = os.environ.get("CUTCARD_SEED") or "1"
    for number in range(SOAK_HISTORIES):
        name = f"{seed} {number}"
        try:
            play_again(name)
        except Exception as error:
            error.add_note(f"the history {name!r}:\n{made(name).text}")
            raise
