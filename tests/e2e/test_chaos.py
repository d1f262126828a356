"""Hands over a wire that loses a tenth of its frames, and doubles, damages and reorders a twentieth each,
while somebody pulls a cable now and then: each ends as on a sound wire, every command is carried out once.

`make soak` plays 500 and tells the toll; CUTCARD_SEED=... repeats them.
"""

import json
import os
from collections.abc import Callable

import pytest

from hil_rigs.simulate.chaos import ChaosBench, Hand
from hil_rigs.simulate.direct import DirectBench
from tests.conftest import TOLL
from tests.e2e.tables import Json, composed, reported, scenario_of
from tests.rulings.random_hands import drawn_hand

SAMPLE = 1
CHUNKS, EACH = 10, 50
OFTEN_S = 1.5
"""From one pulled cable to the next in the sample, whose hands take some seconds."""

Record = Callable[[str, object], None]


def file_of(seed: str, number: int) -> Json:
    """Clean hands of all kinds, and such with mistakes and their remedies."""
    return composed(f"{seed} {number}")[0] if number % 2 else drawn_hand(f"{seed} {number}").file


def but_for_losses(said: Json) -> Json:
    """A report without what tells of devices that were away, and came back to the same prompt.

    A gate that lost its host may have shut itself: it is opened anew for what is still due.
    """
    prompts: list[Json] = []
    for prompt in said["prompts"]:
        if prompt["code"] != "device-lost" and prompt not in prompts[-1:]:
            prompts.append(prompt)
    alerts = [alert for alert in said["alerts"] if alert["code"] != "device-lost"]
    commands = [command for command in said["commands"] if command["command"] not in ("lock", "unlock")]
    return said | {"prompts": prompts, "alerts": alerts, "commands": commands}


def play(seed: str, number: int, hand: Hand, record: Record) -> None:
    """The 52 cards of a report are the simulation's, held by it against the controller's ledger."""
    file = file_of(seed, number)
    made = scenario_of(file)
    clean = json.loads(reported(made, DirectBench(made)))
    bench = ChaosBench(made, f"{seed} {number}", hand)
    said = json.loads(reported(made, bench))
    toll = bench.toll
    record(TOLL, toll.written())
    assert but_for_losses(said) == but_for_losses(clean), (seed, number, json.dumps(file))
    assert toll.twice == [], "a command was carried out twice"
    assert toll.injected.get("drop-frame", 0) > 0


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_hand_in_chaos_ends_as_on_a_sound_wire(number: int, record_property: Record) -> None:
    play("sample", number, Hand(f"sample {number}", OFTEN_S), record_property)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_five_hundred_hands_in_chaos_with_a_pulled_cable_each_minute(
    chunk: int, record_property: Record
) -> None:
    seed = f"{os.environ.get('CUTCARD_SEED') or '1'} chaos {chunk}"
    hand = Hand(seed)
    for number in range(EACH):
        play(seed, number, hand, record_property)
