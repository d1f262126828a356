"""The scenarios that were handed to us, each with what its author expects of the report."""

import functools
import json
from collections import Counter
from pathlib import Path

import pytest

from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import load
from tests.e2e.command import simulate
from tests.e2e.tables import CLEAN, Json
from tests.rulings.compare import differences, named, unsound, won
from tests.rulings.oracle import expectation_of
from tests.simulate.files import SCENARIOS

TEN = (
    *("exposed-first-hole-card", "exposed-later-hole-card", "exposed-two-or-more", "extra-card-first-player"),
    *("extra-cards-two-plus", "overfull-flop", "premature-flop", "premature-turn", "premature-river"),
    "board-not-declared",
)
"""The rulings that have a scenario."""


def file_of(path: Path) -> Json:
    file: Json = json.loads(path.read_text())
    return file


def author_of(path: Path) -> Json:
    author: Json = json.loads(path.with_suffix(".expect.json").read_text())
    return author


@functools.cache
def report_of(path: Path) -> Json:
    report: Json = json.loads(played(load(path), direct=True))
    return report


def as_the_author_says_it(report: Json) -> Json:
    """Of a report all that an author can expect."""
    return {
        "rulings": [ruling["rule"] for ruling in report["rulings"]],
        "hole": {seat: sorted(cards) for seat, cards in report["hole"].items()},
        "shuffles": len(report["shuffles"]),
        "included": [sorted(shuffle["included"]) for shuffle in report["shuffles"]],
        "cut": [shuffle["cut"] for shuffle in report["shuffles"]],
        "board": report["board"],
        "burns": report["burns"],
        "aside": report["aside"],
        "stub": report["stub"],
        "won": won(report),
    }


def as_cards(author: Json, report: Json) -> Json:
    """What an author expects, each `@i.k` as the card that it is in this report."""
    expected = {**author}
    for zone in ("board", "burns", "aside"):
        if zone in expected:
            expected[zone] = named(report, expected[zone])
    if "hole" in expected:
        expected["hole"] = {seat: sorted(cards) for seat, cards in expected["hole"].items()}
    if "included" in expected:
        expected["included"] = [sorted(cards) for cards in expected["included"]]
    return expected


def unlike(report: Json, author: Json) -> list[str]:
    """In what a report is not what its author expects."""
    said, expected = as_the_author_says_it(report), as_cards(author, report)
    return [f"{key}: {said[key]} instead of {want}" for key, want in expected.items() if said[key] != want]


def test_every_ruling_has_a_scenario_and_both_games_have_one_without_a_mistake() -> None:
    assert len(SCENARIOS) == 21
    rulings = Counter(rule for path in SCENARIOS for rule in set(author_of(path)["rulings"]))
    assert set(rulings) == set(TEN)
    assert {path.stem for path in SCENARIOS if not author_of(path)["rulings"]} == {
        "clean-holdem",
        "clean-omaha",
    }


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_handed_scenario_comes_out_as_its_author_expects(path: Path) -> None:
    report = report_of(path)
    assert report["scenario"] == path.stem
    assert unlike(report, author_of(path)) == []
    assert unsound(report, file_of(path)) == []
    assert (report["outcome"], report["phase"], "other" in report) == ("completed", "done", False)
    assert (report["alerts"], report["refused"]) == ([], [])


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_handed_scenario_comes_out_as_the_second_reading_of_the_rules_has_it(path: Path) -> None:
    assert differences(report_of(path), expectation_of(file_of(path))) == []


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_report_that_is_not_what_the_author_expects_is_noticed(path: Path) -> None:
    report, author = report_of(path), author_of(path)
    for key, want in author.items():
        nothing = type(want)()
        if want != nothing:
            assert len(unlike(report, {**author, key: nothing})) == 1, key


def test_the_same_bytes_are_reported_with_and_without_a_wire_and_no_order_comes_twice() -> None:
    over_the_wire = simulate(*SCENARIOS)
    directly = simulate("--direct", *SCENARIOS)
    assert (over_the_wire.returncode, over_the_wire.stderr) == (0, b"")
    assert (directly.returncode, directly.stderr) == (0, b"")
    assert over_the_wire.stdout == directly.stdout
    reports = [json.loads(line) for line in over_the_wire.stdout.splitlines()]
    assert [report["scenario"] for report in reports] == [path.stem for path in SCENARIOS]
    orders = [tuple(shuffle["order"]) for report in reports for shuffle in report["shuffles"]]
    assert len(orders) > len(TEN)
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_a_hand_without_a_mistake_goes_through_every_phase_once(game: str) -> None:
    (path,) = (path for path in SCENARIOS if path.stem == f"clean-{game}")
    assert tuple(report_of(path)["phases"]) == CLEAN
