"""Real hands go card by card through the virtual shoe, over bytes, to the board and the stacks on record."""

import json
import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import load
from tests.e2e.command import simulate
from tests.e2e.tables import Json, cards_lost
from tests.simulate.files import HISTORIES

BY_THE_COMMAND = [
    next(path for path in HISTORIES if path.name.startswith(kind)) for kind in ("ft", "nt", "po")
]

OVER_BYTES = [
    pytest.param(path, id=path.stem, marks=() if place % 4 == 0 else pytest.mark.soak)
    for place, path in enumerate(HISTORIES)
]
"""All of them in a long run, every fourth each time."""


def history(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(), parse_float=Decimal)


def recorded_board(told: dict[str, Any]) -> list[str]:
    words = [action.split("#")[0].split() for action in told["actions"]]
    dealt = "".join(word[2] for word in words if word[:2] == ["d", "db"])
    return [dealt[i : i + 2] for i in range(0, len(dealt), 2)]


def shown_hands(told: dict[str, Any]) -> dict[str, str]:
    """What players of a history showed, by seat."""
    words = [action.split("#")[0].split() for action in told["actions"]]
    return {
        word[0][1:]: word[2] for word in words if len(word) == 3 and word[1] == "sm" and "?" not in word[2]
    }


def test_all_151_hands_of_every_kind_are_there_and_none_but_these() -> None:
    kinds = Counter(path.name[:2] for path in HISTORIES)
    assert kinds == {"ft": 13, "nt": 129, "po": 9}


def test_histories_with_fractions_of_a_chip_are_played_in_their_smallest_unit() -> None:
    scales = {path.stem: load(path).scale for path in HISTORIES}
    assert {name: scale for name, scale in scales.items() if scale > 1} == {
        "nt-014": 10,  # an ante of 2.50, a split pot
        "nt-015": 100,
        "nt-016": 100,
    }


@pytest.mark.parametrize("path", OVER_BYTES)
def test_a_real_hand_is_the_same_over_bytes(path: Path) -> None:
    assert played(load(path), direct=False) == played(load(path), direct=True)


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_real_hand_comes_to_the_board_and_the_stacks_on_record(path: Path) -> None:
    said: Json = json.loads(played(load(path), direct=True), parse_float=Decimal)
    told = history(path)
    assert (said["scenario"], said["outcome"], said["phase"]) == (path.stem, "completed", "done")
    assert (said["alerts"], said["refused"], said["rulings"]) == ([], [], [])
    board = recorded_board(told)
    for dealt, recorded in zip(said["board"], board, strict=True):
        assert all(shown in ("?", have) for have, shown in zip(dealt, recorded, strict=True))
    for seat, cards in shown_hands(told).items():
        lies = said["hole"][seat] or said["muck"]
        assert {cards[i : i + 2] for i in range(0, len(cards), 2)} <= set(lies)
    assert cards_lost(said) == []
    assert sum(said["stacks"].values()) == sum(told["starting_stacks"])
    if "finishing_stacks" in told:
        check_stacks(said, told)
    else:
        assert list(said["stacks"].values()) == second_opinion(path)


def second_opinion(path: Path) -> list[Decimal]:
    """The stacks to which PokerKit plays a history that recorded none."""
    *_, end = HandHistory.loads(path.read_text())
    return [Decimal(str(chips)) for chips in end.stacks]


def check_stacks(said: Json, told: dict[str, Any]) -> None:
    """The history's own stacks but for the rake, which only winners paid."""
    winners = {seat for pot in said["pots"] for seat in pot["winners"]}
    stacks = [said["stacks"][str(seat)] for seat in range(1, len(told["starting_stacks"]) + 1)]
    paid = {
        str(i): have - left
        for i, (have, left) in enumerate(zip(stacks, told["finishing_stacks"], strict=True), 1)
    }
    assert sum(paid.values()) == told.get("_rake", 0)
    assert all(rake >= 0 for rake in paid.values())
    assert {seat for seat, rake in paid.items() if rake} <= winners


def test_the_command_plays_histories_of_every_kind_with_and_without_a_wire() -> None:
    many = sorted({*BY_THE_COMMAND, *HISTORIES[::5]})
    over_the_wire = simulate(*BY_THE_COMMAND)
    directly = simulate("--direct", *many)
    assert (over_the_wire.returncode, over_the_wire.stderr) == (0, b"")
    assert (directly.returncode, directly.stderr) == (0, b"")
    lines = directly.stdout.splitlines()
    assert [json.loads(line)["scenario"] for line in lines] == [path.stem for path in many]
    of_three = [line for path, line in zip(many, lines, strict=True) if path in BY_THE_COMMAND]
    assert over_the_wire.stdout.splitlines() == of_three
