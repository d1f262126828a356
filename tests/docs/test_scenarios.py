"""docs/scenarios.md: its tables are those of the code, its example can be loaded and ends as it says."""

import json
import re

import pytest

from hil_rigs.simulate import read_acts, scenario
from hil_rigs.simulate.command import FAILED, WRONG_INPUT, played
from hil_rigs.simulate.later import LATER
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.read_table import SHOE_KEYS, SHUFFLER_KEYS, TABLE_KEYS
from tests.docs.pages import blocks, rows, section

PAGE = "docs/scenarios.md"
EXAMPLE = blocks(section(PAGE, "The file"), "json")[0]


def names(cell: str) -> list[str]:
    """The names in a cell that has several, `one`, `two`."""
    return [name.strip("`") for name in cell.split(", ")]


def test_what_is_refused_by_name_is_what_the_code_refuses() -> None:
    assert rows(section(PAGE, "What is refused today")) == [(later.name, later.what) for later in LATER]


def test_every_act_is_told() -> None:
    told = [name for cell, *_ in rows(section(PAGE, "Acts")) for name in names(cell)]
    assert sorted(told) == sorted(read_acts._READERS)


def test_every_key_of_the_file_is_told() -> None:
    told = [name for cell, *_ in rows(section(PAGE, "The file")) for name in names(cell)]
    assert sorted(name.removeprefix("table.") for name in told if name.startswith("table.")) == sorted(
        TABLE_KEYS
    )
    assert [name for name in told if not name.startswith("table.")] == [
        "name",
        "deck",
        "seed",
        "acts",
        "hands",
    ]


@pytest.mark.parametrize(("key", "options"), [("table.shoe", SHOE_KEYS), ("table.shuffler", SHUFFLER_KEYS)])
def test_every_option_of_a_machine_is_told(key: str, options: tuple[str, ...]) -> None:
    cell = next(row[1] for row in rows(section(PAGE, "The file")) if row[0] == key)
    assert re.findall(r"(\w+)`? \(", cell) == list(options)


def test_every_phase_is_named() -> None:
    told = section(PAGE, "Phases").split("; what each")[0]
    assert re.findall(r"`([a-z-]+)`", told) == ["play", *scenario.PHASES]


def test_the_example_ends_as_the_page_says_with_the_keys_that_it_names() -> None:
    loaded = read_scenario(EXAMPLE, file="example", name="example")
    report = json.loads(played(loaded, direct=True))
    assert report["outcome"] == "completed"
    assert [ruling["rule"] for ruling in report["rulings"]] == ["overfull-flop"]
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["redeal-flop"]
    assert (report["alerts"], report["refused"]) == ([], [])
    without = [act for act in json.loads(EXAMPLE)["acts"] if act["do"] != "comply"]
    shorter = read_scenario(
        json.dumps(json.loads(EXAMPLE) | {"acts": without}), file="example", name="example"
    )
    assert json.loads(played(shorter, direct=True)) == report
    told = [name for cell, *_ in rows(section(PAGE, "The report")) for name in names(cell)]
    assert set(report) | {"other", "rake", "returned", "left"} == set(told)


def test_the_evening_stops_where_the_page_says() -> None:
    evening = blocks(section(PAGE, "Several hands"), "json")[0]
    report = json.loads(played(read_scenario(evening, file="evening", name="evening"), direct=True))
    assert (report["refused"], report["alerts"], report["outcome"]) == ([], [], "open")
    assert (report["phases"].count("done"), report["phase"]) == (1, "preflop")


def test_exit_statuses_are_those_of_the_command() -> None:
    told = [status for status, *_ in rows(section(PAGE, "Scenarios"))]
    assert told == ["0", str(FAILED), str(WRONG_INPUT)]
