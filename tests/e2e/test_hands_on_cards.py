"""Hands that expose, move and comply: the same report over bytes as without a wire, and every card kept."""

import json

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import Json, cards_lost, reported, scenario_of

SEATS = {"2": 500, "5": 500, "9": 700}
ACTS: dict[str, list[Json]] = {
    "exposed by the dealer": [
        {"do": "play", "until": "preflop"},
        {"do": "expose", "seat": 5, "card": 2},
        {"do": "comply"},
    ],
    "shown by its owner": [
        {"do": "play", "until": "flop"},
        {"do": "expose", "seat": 5, "by": "player"},
        {"do": "play", "until": "done"},
    ],
    "moved": [
        {"do": "play", "until": "turn"},
        {"do": "move", "cards": "2c 3c 4c 5c As", "to": "aside"},
        {"do": "play", "until": "done"},
    ],
    "nothing to comply with": [{"do": "comply"}, {"do": "play", "until": "done"}],
    "a flop of four": [
        {"do": "play", "until": "flop-deal"},
        {"do": "draw", "to": "board", "count": 4, "face": "up"},
        {"do": "comply", "wrong": "keep-card"},
    ],
}


@pytest.mark.parametrize("zones", [True, False], ids=("zones", "no zones"))
@pytest.mark.parametrize("acts", ACTS.values(), ids=ACTS)
def test_hands_on_cards_are_reported_alike_with_and_without_a_wire(acts: list[Json], zones: bool) -> None:
    table = {"game": "holdem", "seats": SEATS, "button": 5, "zones": zones}
    made = scenario_of({"table": table, "seed": 3, "deck": "2c 3c 4c 5c 6c 7c As", "acts": acts})
    over_the_wire = reported(made, WireBench(made))
    assert over_the_wire == reported(made, DirectBench(made))
    assert cards_lost(json.loads(over_the_wire)) == []
