"""Hands with mistakes, played again and again with other delays and orders of the antennas' reports: the same
report, byte for byte.

`make soak` plays many; CUTCARD_SEED=... repeats them.
"""

import json
import os
import random
from pathlib import Path

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.load import load
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.direct import DirectTable
from tests.e2e.late import LATENESS, HastyTable, differing
from tests.e2e.tables import Json, reported, scenario_of
from tests.rulings.random_dealers import RandomDealer, drawn_table
from tests.rulings.random_hands import drawn_hand
from tests.simulate.files import SCENARIOS

CHUNKS, EACH, ANYTHING = 10, 5, 2
OVER_THE_WIRE = 4
MANY = 1_000

MISTAKEN = [path for path in SCENARIOS if not path.stem.startswith("clean-")]


def anything(seed: str) -> Json:
    """A hand in which the hands do anything, at a table with antennas."""
    dice = random.Random(seed)
    file = drawn_table(dice)
    file["table"]["zones"] = True
    dealer = RandomDealer(dice, file, DirectBench(scenario_of(file)))
    dealer.play_out()
    return dealer.written()


@pytest.mark.parametrize("path", MISTAKEN, ids=lambda path: path.stem)
def test_no_delay_and_no_order_of_reports_changes_the_report_of_a_handed_scenario(path: Path) -> None:
    assert list(differing(load(path))) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_none_changes_the_report_of_a_hand_with_drawn_mistakes(chunk: int) -> None:
    for number in range(EACH):
        seed = f"late {chunk}.{number}"
        file = drawn_hand(seed).file
        assert list(differing(scenario_of(file), LATENESS[-1:])) == [], (seed, file)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_none_changes_the_report_of_a_hand_in_which_anything_happens(chunk: int) -> None:
    for number in range(ANYTHING):
        seed = f"late {chunk}.{number}"
        file = anything(seed)
        assert list(differing(scenario_of(file), LATENESS[:1])) == [], (seed, file)


@pytest.mark.parametrize("path", MISTAKEN[::5], ids=lambda path: path.stem)
def test_none_changes_the_report_of_a_handed_scenario_over_bytes(path: Path) -> None:
    made = load(path)
    plain = reported(made, DirectBench(made))
    for lateness in LATENESS:
        assert reported(made, WireBench(made, lateness=lateness)) == plain, lateness


@pytest.mark.parametrize("number", range(OVER_THE_WIRE))
def test_none_changes_the_report_of_a_hand_with_drawn_mistakes_over_bytes(number: int) -> None:
    made = scenario_of(drawn_hand(f"late wire {number}").file)
    assert reported(made, WireBench(made, lateness=number)) == reported(made, DirectBench(made))


def heard(made: Scenario, kind: type[DirectTable], lateness: int | None) -> list[str]:
    """What shoe and antennas say in a scenario, in the order in which it is handed over."""
    words: list[str] = []

    class Heard(kind):  # type: ignore[misc, valid-type]
        def take(self) -> list[tuple[str, int, bytes]]:
            said: list[tuple[str, int, bytes]] = super().take()
            words.extend(f"{device} {body.hex()}" for device, _, body in said if device in ("shoe", "zones"))
            return said

    reported(made, DirectBench(made, lateness=lateness, direct=Heard))
    return words


def test_the_reports_really_come_late_and_early_and_in_another_order() -> None:
    made = load(MISTAKEN[0])
    ways = [heard(made, DirectTable, None), heard(made, DirectTable, 1), heard(made, HastyTable, 1)]
    assert len({tuple(words) for words in ways}) == len(ways)
    assert len({tuple(sorted(words)) for words in ways}) == 1


@pytest.mark.soak
def test_a_thousand_hands_give_the_same_report_however_late_the_antennas_are() -> None:
    run = os.environ.get("CUTCARD_SEED") or "1"
    for number in range(MANY):
        seed = f"{run} late {number}"
        for file in (drawn_hand(seed).file, anything(seed)):
            assert list(differing(scenario_of(file), (number,))) == [], (seed, json.dumps(file))
