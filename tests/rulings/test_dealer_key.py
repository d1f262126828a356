"""The rulings where only `next` is followed: the same as at a table that is told every act."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.tables import Json, played_directly
from tests.rulings.compare import differences, unsound
from tests.rulings.oracle import expectation_of
from tests.rulings.random_hands import drawn_hand
from tests.rulings.words import Expectation
from tests.simulate.files import SCENARIOS

CHUNKS, EACH, LEAST = 5, 60, 15
SILENCE: Json = {"do": "wait", "ms": 10_001}


def by_key(file: Json) -> Json:
    """The same file, with the acts not told."""
    return {**file, "table": {**file["table"], "follow": "dealer-key"}}


def faults(file: Json, expected: Expectation) -> list[str]:
    """What is wrong with the report of a file once only the key is followed; what is won cannot be known."""
    report = played_directly(by_key(file))
    if report["prompts"][-1]["code"] == "betting-complete":  # the file ends with the question: nobody answers
        report = played_directly(by_key({**file, "acts": [*file["acts"], SILENCE]}))
    return [*unsound(report, file), *amounts(report, file), *differences(report, replace(expected, won=None))]


def amounts(report: Json, file: Json) -> list[str]:
    """Chips in a report that cannot know of any."""
    known = [pot["amount"] for pot in report["pots"]]
    known += [chips for pot in report["pots"] for chips in pot["winners"].values()]
    wrong = ["an amount that nobody knows"] if any(known) else []
    return wrong if report["stacks"] == file["table"]["seats"] else [*wrong, "stacks that nobody knows"]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_handed_scenario_comes_out_as_where_acts_are_told(path: Path) -> None:
    file = json.loads(path.read_text())
    assert faults(file, expectation_of(file)) == []


def comparable(file: Json) -> bool:
    """Whether every round ends where `next` is pressed: no act is told, and nobody can be all-in."""
    told = any(act["do"] == "bet" for act in file["acts"])
    return not told and set(file["table"]["seats"].values()) == {1000}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_drawn_mistakes_are_ruled_on_as_where_acts_are_told(chunk: int) -> None:
    compared = 0
    for number in range(EACH):
        drawn = drawn_hand(f"key {chunk}.{number}")
        if comparable(drawn.file):
            compared += 1
            assert faults(drawn.file, drawn.expected) == [], drawn.file
    assert compared > LEAST
