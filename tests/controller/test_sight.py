"""What a table sees of each irregularity, what it infers, what only a key reports, and what stays unseen."""

import json
from pathlib import Path
from typing import Final, get_args

import pytest

from controller.remedies.steps import RuleError
from controller.rule_files import ways_of_sight
from controller.rulesets.known import KNOWN
from controller.rulesets.sight import Need, Way, read_ways, sights
from tests.docs.draw_rulebook import ids

BLIND: Final = {
    path.name.split(".")[0]
    for path in Path("tests/rulebook").glob("*[a-z].json")
    if json.loads(path.read_text()).get("table", {}).get("zones") is False
}
"""The irregularities that are shown at a table without antennas."""
ALL: Final[frozenset[Need]] = frozenset(get_args(Need))
NONE: Final[frozenset[Need]] = frozenset()


def of_way(has: frozenset[Need], way: Way) -> set[str]:
    return {rule for rule, sight in sights(ways_of_sight(), has).items() if sight.way == way}


def test_every_irregularity_that_the_table_knows_has_its_way() -> None:
    of_the_rulebook = {rule for section in ids().values() for rule in section}
    assert KNOWN.keys() <= ways_of_sight().keys() <= of_the_rulebook


def test_with_antennas_everywhere_nothing_stays_unseen() -> None:
    assert of_way(ALL, "unseen") == set()


@pytest.mark.parametrize("rule", sorted(of_way(NONE, "inferred") | of_way(NONE, "key")))
def test_what_a_table_without_antennas_is_said_to_know_of_a_scenario_shows(rule: str) -> None:
    assert rule in BLIND, f"no scenario without antennas shows {rule}"


@pytest.mark.parametrize("rule", sorted(of_way(NONE, "unseen")))
def test_of_what_stays_unseen_no_scenario_without_antennas_has_a_ruling(rule: str) -> None:
    assert rule not in BLIND


def test_an_antenna_at_every_place_but_one_leaves_what_happens_there_to_order_and_keys() -> None:
    assert "overfull-flop" in of_way(ALL - {"board"}, "inferred")
    assert "exposed-later-hole-card" in of_way(ALL - {"facing"}, "key")
    assert of_way(ALL - {"burn"}, "unseen") >= {"flop-double-burn", "turn-no-burn"}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("[a]\nseen = []\n[b]\nseen = ['roof']\n", 4, "b: "),
        ("[a]\nsees = []\n", 2, "a: "),
        ("[a]\nseen = ['burn']\n", 1, "a: `otherwise`"),
        ("[a]\nseen = []\notherwise = 'nothing'\n", 1, "a: `otherwise`"),
        ("[a\n", 1, ""),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(RuleError, match=f"sight.toml, line {line}: {why}"):
        read_ways(text, "sight.toml")
