"""A controller that is started again and again at rest: nobody notices."""

import os
import random
from pathlib import Path
from typing import Final

import msgspec
import pytest

from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import Wiring, load
from hil_rigs.simulate.scenario import Restart, Scenario
from tests.anything.bench import FloorBench
from tests.anything.evening import play

TESTS: Final = Path(__file__).parent.parent
FILES: Final = sorted(
    file
    for folder in ("rulebook", "scenarios")
    for file in (TESTS / folder).glob("*.json")
    if not file.name.endswith(".expect.json")
)
_EACH: Final = 12
_EVENINGS: Final = 6


def _restarted(scenario: Scenario) -> Scenario:
    """The same acts, with a restart before and behind each of them."""
    acts = [made for at, act in enumerate(scenario.acts) for made in (Restart(2 * at), act)]
    return msgspec.structs.replace(scenario, acts=(*acts, Restart(2 * len(acts))))


def _report(scenario: Scenario) -> dict[str, object]:
    said: dict[str, object] = msgspec.json.decode(played(scenario, direct=True))
    refused = said["refused"]
    assert isinstance(refused, list)
    return {**said, "refused": [{**act, "act": None} for act in refused]}


def _is_the_same(file: Path) -> None:
    scenario = load(file, wire=Wiring.DIRECT)
    assert _report(_restarted(scenario)) == _report(scenario), file.name


@pytest.mark.parametrize("file", FILES[:: len(FILES) // 40], ids=lambda file: file.stem)
def test_a_restart_between_any_two_acts_changes_no_word_of_a_report(file: Path) -> None:
    _is_the_same(file)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(_EACH))
def test_a_restart_between_any_two_acts_of_any_scenario_changes_no_word_of_its_report(part: int) -> None:
    for file in FILES[part::_EACH]:
        _is_the_same(file)


class Restarting(FloorBench):
    """Is started again now and then, by dice of its own."""

    dice = random.Random(0)

    def rest(self) -> None:
        super().rest()
        if self.dice.random() < 0.1:
            self.restart()
            super().rest()


def _holds(seed: str) -> None:
    """Plays an evening with restarts; whatever is checked of any evening holds in it."""
    Restarting.dice = random.Random(seed)
    play(seed, Restarting)


@pytest.mark.parametrize("number", range(_EVENINGS))
def test_in_an_evening_with_restarts_all_holds_that_must_hold_in_any(number: int) -> None:
    _holds(f"restarts/{number}")


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("part", range(10))
def test_in_hundreds_of_evenings_with_restarts_all_holds_that_must_hold_in_any(part: int) -> None:
    seed = os.environ.get("CUTCARD_SEED", "6")
    for number in range(60):
        _holds(f"restarts {seed}/{part}/{number}")
