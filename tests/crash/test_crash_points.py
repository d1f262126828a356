"""A controller that is killed at any moment and started again: the hand goes on where it was."""

import os
import random
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Final

import pytest

from tests.crash.bench import WHENS, Point, When
from tests.crash.files import MADE, NAMES, WHOLE, scenario
from tests.crash.plays import Played, play

_SAMPLES: Final = 1
_LAST: Final = {"after-write": 140, "before-frame": 330, "after-frame": 330}
"""About where a hand ends, so that a drawn point mostly comes before."""


@cache
def _whole(name: str) -> Played:
    """How a scenario ends that nobody interrupts."""
    return play(scenario(name))


def _held(name: str, point: Point) -> bool:
    """Whether a kill at a point came before the scenario's end; nothing may be other by it."""
    whole, got = _whole(name), play(scenario(name), point)
    assert got.report == whole.report, point
    assert got.commands == whole.commands, f"{point}: each command once, and no other"
    assert got.ids == len(got.commands), f"{point}: no id twice"
    return got.killed > 0


def _drawn() -> Iterator[tuple[str, Point]]:
    drawn = random.Random(6)
    for name in ("overfull-flop-holdem", "premature-turn-omaha", "exposed-later-hole-card-omaha", *MADE):
        for when in WHENS:
            for _ in range(_SAMPLES if when == "after-write" else 1):
                yield name, Point(when, drawn.randint(1, _LAST[when]))


@pytest.mark.parametrize(("name", "point"), list(_drawn()), ids=str)
def test_a_controller_killed_anywhere_goes_on_to_the_same_report_with_each_command_once(
    name: str, point: Point
) -> None:
    _held(name, point)


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("when", WHENS)
@pytest.mark.parametrize("name", WHOLE)
def test_a_controller_killed_at_every_point_goes_on_to_the_same_report(name: str, when: When) -> None:
    points = next(number for number in count(1) if not _held(name, Point(when, number))) - 1
    assert points > 50


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("part", range(4))
def test_a_controller_killed_again_and_again_goes_on(part: int) -> None:
    drawn = random.Random(f"{os.environ.get('CUTCARD_SEED', '6')}/{part}")
    for _ in range(40):
        name = drawn.choice(NAMES)
        when = drawn.choice(WHENS)
        _held(name, Point(when, drawn.randint(1, _LAST[when])))
