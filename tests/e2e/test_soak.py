"""Many hands from one seed: `make soak`, or CUTCARD_SEED=... for the same hands once more."""

import json
import os

import pytest

from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import composed, played_directly, reported, scenario_of, unsound

DIRECT, OVER_THE_WIRE = 5_000, 200


@pytest.fixture(scope="module")
def seed() -> str:
    """The seed of this run, which stands in its first lines."""
    return os.environ.get("CUTCARD_SEED") or "1"


@pytest.mark.soak
def test_thousands_of_hands_lose_no_card_and_no_chip(seed: str) -> None:
    for number in range(DIRECT):
        file, said = composed(f"{seed} direct {number}")
        assert unsound(said, file) == [], (seed, number, file)
        assert played_directly(file, lateness=number) == said, (seed, number, file)


@pytest.mark.soak
def test_hundreds_of_hands_over_bytes_say_what_they_say_without_a_wire(seed: str) -> None:
    for number in range(OVER_THE_WIRE):
        file, said = composed(f"{seed} wire {number}")
        made = scenario_of(file)
        over_the_wire = json.loads(reported(made, WireBench(made, lateness=number)))
        assert over_the_wire == said, (seed, number, file)
