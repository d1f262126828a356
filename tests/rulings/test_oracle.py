"""The reading of the rule book held against the handed scenarios and what their authors expect of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.rulings.compare import differences
from tests.rulings.oracle import expectation_of
from tests.rulings.words import Expectation, ExpectedShuffle, Json
from tests.simulate.files import SCENARIOS


def handed(path: Path) -> tuple[Json, Json]:
    """A scenario and what its author expects."""
    return json.loads(path.read_text()), json.loads(path.with_suffix(".expect.json").read_text())


def in_symbols(expected: Json) -> dict[str, object]:
    """An author's expectation, its lists sorted where their order says nothing."""
    made = dict(expected)
    if "hole" in made:
        made["hole"] = {seat: sorted(cards) for seat, cards in made["hole"].items()}
    if "included" in made:
        made["included"] = [sorted(cards) for cards in made["included"]]
    return made


def read(expected: Expectation, keys: Json) -> dict[str, object]:
    """The same of the reading, for the keys that the author has."""
    everything: dict[str, object] = {
        "rulings": [ruling.rule for ruling in expected.rulings],
        "shuffles": len(expected.shuffles),
        "included": [sorted(shuffle.included) for shuffle in expected.shuffles],
        "cut": [True for _ in expected.shuffles],
        "board": expected.board,
        "burns": expected.burns,
        "aside": expected.aside,
        "stub": expected.stub,
        "hole": {str(seat): sorted(cards) for seat, cards in (expected.hole or {}).items()},
        "won": {str(seat): won for seat, won in (expected.won or {}).items()},
    }
    return {key: everything[key] for key in keys}


def test_there_are_scenarios_to_read() -> None:
    assert len(SCENARIOS) >= 20


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_reading_expects_what_the_authors_of_the_scenarios_expect(path: Path) -> None:
    file, author = handed(path)
    expected = expectation_of(file)
    assert (expected.outcome, expected.phase) == ("completed", "done")
    assert read(expected, author) == in_symbols(author)


def report_as(expected: Expectation) -> Json:
    """A report that says just what was expected, for one deck's order in every shuffle."""
    orders = [shuffle.included[::-1] for shuffle in expected.shuffles]

    def card(symbol: str) -> str:
        if not symbol.startswith("@"):
            return symbol
        shuffle, place = map(int, symbol[1:].split("."))
        return card(orders[shuffle][place])

    from tests.rulings.compare import in_order

    def cards(symbols: list[str] | None) -> list[str]:
        return [card(symbol) for symbol in symbols or []]

    return {
        "outcome": expected.outcome,
        "phase": expected.phase,
        "phases": expected.phases,
        "rulings": [
            {
                "rule": r.rule,
                "rules": "roberts",
                "phase": r.phases[0],
                "seat": r.seats[0],
                "cards": cards(r.cards),
            }
            for r in expected.rulings
        ],
        "shuffles": [
            {"included": in_order(cards(s.included)), "order": cards(s.included[::-1]), "cut": True}
            for s in expected.shuffles
        ],
        "board": cards(expected.board),
        "burns": cards(expected.burns),
        "aside": cards(expected.aside),
        "muck": cards(expected.muck),
        "hole": {str(seat): cards(held) for seat, held in (expected.hole or {}).items()},
        "stub": expected.stub,
        "pots": [{"winners": {str(seat): won for seat, won in (expected.won or {}).items()}}],
        "alerts": [],
        "refused": [],
    }


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_report_that_says_what_was_expected_has_no_differences_and_another_has(path: Path) -> None:
    file, _ = handed(path)
    expected = expectation_of(file)
    report = report_as(expected)
    assert differences(report, expected) == []
    assert expected.stub is not None
    assert differences(report, replace(expected, stub=expected.stub + 1))
    assert differences(report, replace(expected, board=expected.burns))
    assert differences(report, replace(expected, phase="showdown"))
    assert differences(report, replace(expected, rulings=expected.rulings * 2 + expected.rulings[:1])) or (
        not expected.rulings
    )
    more = [*expected.shuffles, ExpectedShuffle([], [], misdeal=False)]
    assert differences(report, replace(expected, shuffles=more))
