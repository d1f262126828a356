"""Any table and any hand without a fault: cards and chips are conserved, and every way to play it says the
same."""

import json
import random

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import (
    Composer,
    composed,
    drawn_file,
    played_directly,
    reported,
    scenario_of,
    unsound,
)

CHUNKS, EACH = 8, 8
OVER_THE_WIRE = 6


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_any_table_plays_any_hand_to_its_end_with_every_card_and_chip_accounted_for(chunk: int) -> None:
    for number in range(EACH):
        seed = f"hand {chunk}.{number}"
        file, said = composed(seed)
        assert unsound(said, file) == [], (seed, file)


@pytest.mark.parametrize("chunk", range(CHUNKS // 2))
def test_a_hand_played_again_from_its_file_gives_the_same_report_however_late_the_zones_report(
    chunk: int,
) -> None:
    for number in range(EACH):
        seed = f"again {chunk}.{number}"
        file, said = composed(seed)
        for lateness in (None, 1, number + 2):
            assert played_directly(file, lateness) == said, (seed, lateness, file)


def test_another_lateness_really_has_the_zones_report_in_another_order() -> None:
    made = scenario_of({"table": {"game": "omaha", "seats": {"1": 9, "2": 9}}, "acts": [], "seed": 1})
    orders = set()
    for lateness in range(4):
        bench = DirectBench(made, lateness=lateness)
        zones = bench.table.zones
        assert zones is not None
        for place in ("board", "burn", "muck", "aside"):
            card = bench.table.felt.cards("away")[0]
            bench.table.felt.move(card, place)
        reports = []
        while bench.table.release_report():
            reports.append(zones.waiting)
            reports.extend(event.body[4] for event in zones.take())
        orders.add(tuple(reports))
    assert len(orders) > 1


@pytest.mark.parametrize("number", range(OVER_THE_WIRE))
def test_a_hand_over_bytes_gives_the_report_of_the_same_hand_without_a_wire(number: int) -> None:
    file, said = composed(f"wire {number}")
    made = scenario_of(file)
    for lateness in (None, number):
        over_the_wire = reported(made, WireBench(made, lateness=lateness))
        assert json.loads(over_the_wire) == said, file
        assert over_the_wire == reported(made, DirectBench(made))


def test_what_is_refused_leaves_cards_chips_phase_and_prompt_as_they_were() -> None:
    refused = 0
    for number in range(40):
        dice = random.Random(f"refused {number}")
        file = drawn_file(dice)
        composer = Composer(dice, file, DirectBench(scenario_of(file)))
        composer.play_out()  # raises where an act was refused and changed something
        refused += composer.refusals
    assert refused > 100
