"""Every irregularity is shown in a scenario for each game and ruleset, and comes out as the rule says."""

import functools
import json
from pathlib import Path
from typing import Final

import pytest

from controller.rulesets.known import KNOWN
from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import load
from tests.docs.draw_rulebook import no_rule_matter
from tests.e2e.command import simulate
from tests.e2e.tables import Json
from tests.rulebook.write import GAMES, HERE, NO_RULE_MATTER_UNDER, RULESETS, files
from tests.rulings.compare import named, unsound, won

SCENARIOS: Final = sorted(path for path in HERE.glob("*.json") if not path.name.endswith(".expect.json"))
ONE_OF: Final = "one of "
JOKER: Final = "joker"
"""It is none of the 52 and stands in the scrap of a report."""
ASKED: Final = frozenset(
    {
        *("card-unread", "two-at-once", "card-back-in", "card-stuck", "joker-away"),
        *("set-too-many", "set-missing", "wrong-set", "folded", "hand-back", "call-floor"),
    }
)
"""Prompts of which a scenario may expect that they were shown, in their order."""
TOLD: Final = ("the hand ended", "phases begin")
"""Where a hand ends, and that it was dealt at all, is said by what is expected."""
DECK: Final = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "shdc")


def file_of(path: Path) -> Json:
    """A scenario, or what is expected of one."""
    file: Json = json.loads(path.read_text())
    return file


@functools.cache
def report_of(path: Path) -> Json:
    """The report of a scenario that is played without a wire."""
    report: Json = json.loads(played(load(path), direct=True))
    return report


def expected_of(path: Path) -> Json:
    """What the rule says of a scenario; where it does not, the hand is over and nothing is refused."""
    usual: Json = {"outcome": "completed", "alerts": [], "refused": []}
    expect = usual | file_of(path.with_suffix(".expect.json"))
    usual_end = {"phase": "done", "aside": [], "scrap": []} if expect["outcome"] == "completed" else {}
    return usual_end | expect


def said(report: Json) -> Json:
    """Of a report all that can be expected."""
    rulings, shuffles = report["rulings"], report["shuffles"]
    return {
        **{key: report[key] for key in ("outcome", "phase", "board", "burns", "stub")},
        **{key: sorted(report[key]) for key in ("aside", "scrap", "muck")},
        "hole": {seat: sorted(cards) for seat, cards in report["hole"].items()},
        "rulings": [ruling["rule"] for ruling in rulings],
        "remedies": [ruling["remedy"] for ruling in rulings],
        "evidence": [ruling.get("evidence", "seen") for ruling in rulings],
        "shuffles": len(shuffles),
        "included": [sorted(shuffle["included"]) for shuffle in shuffles],
        "cut": [shuffle["cut"] for shuffle in shuffles],
        "alerts": [alert["code"] for alert in report["alerts"]],
        "refused": [refusal["act"] for refusal in report["refused"]],
        "won": won(report),
        "stacks": report["stacks"],
        "gate": [
            f"{moved['command']} {moved['count']}"
            for moved in report["commands"]
            if moved["command"] in ("lock", "unlock")
        ],
        "asked": [prompt["code"] for prompt in report["prompts"] if prompt["code"] in ASKED],
    }


def as_cards(want: object, report: Json, key: str) -> object:
    """What is expected, each `@i.k` as the card that it is in this report."""
    if key == "hole" and isinstance(want, dict):
        return {seat: sorted(named(report, cards)) for seat, cards in want.items()}
    if key == "included" and isinstance(want, list):
        return [sorted(cards) for cards in want]
    if key in ("aside", "scrap", "muck") and isinstance(want, list):
        return sorted(named(report, want))
    return named(report, want) if key in ("board", "burns") and isinstance(want, list) else want


def fits(got: object, want: object) -> bool:
    """Whether something is what was wanted; of `one of` some cards any one will do."""
    if isinstance(got, list) and isinstance(want, list):
        return len(got) == len(want) and all(map(fits, got, want))
    if isinstance(got, str) and isinstance(want, str) and want.startswith(ONE_OF):
        return got in want.removeprefix(ONE_OF).split()
    return got == want


def unlike(report: Json, expect: Json) -> list[str]:
    """In what a report is not what the rule says."""
    got = said(report)
    wants = {key: as_cards(want, report, key) for key, want in expect.items()}
    return [f"{key}: {got[key]} instead of {want}" for key, want in wants.items() if not fits(got[key], want)]


def scattered(report: Json) -> list[str]:
    """The cards that lie in no place of a report, or in two; the stub is only counted."""
    zones = ("board", "burns", "muck", "aside", "scrap")
    lying = [card for zone in zones for card in report[zone] if card != JOKER]
    lying += [card for cards in report["hole"].values() for card in cards]
    lying += report.get("other", {}).get("transit", [])
    faults = sorted(card for card in set(lying) if lying.count(card) > 1)
    if not set(lying) <= DECK or len(lying) + report["stub"] != len(DECK):
        faults.append(f"{len(lying)} cards on the table and {report['stub']} in the shoe")
    return faults


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_what_is_done_is_what_the_rule_says(path: Path) -> None:
    report = report_of(path)
    assert unlike(report, expected_of(path)) == []
    assert scattered(report) == []
    assert {ruling["rules"] for ruling in report["rulings"]} <= {file_of(path)["table"]["rules"]}
    one_hand = "hands" not in file_of(path)  # the pots are those of the last
    assert (
        not one_hand or [what for what in unsound(report, file_of(path)) if not what.startswith(TOLD)] == []
    )


@pytest.mark.parametrize("rule", sorted(KNOWN))
def test_every_irregularity_that_the_table_knows_is_shown_in_every_game_and_ruleset(rule: str) -> None:
    games = ("holdem",) if rule == "board-not-declared" else GAMES
    wanted = {f"{rule}.{game}.{rules}" for game in games for rules in RULESETS}
    assert sorted(wanted - {path.stem for path in SCENARIOS}) == [], "scenarios that are missing"


@pytest.mark.parametrize("name", sorted(no_rule_matter()))
def test_what_is_no_matter_of_the_rules_is_told_asked_about_and_shown_in_every_game(name: str) -> None:
    paths = [path for path in SCENARIOS if path.name.split(".")[0] == name]
    assert {f"{name}.{game}.{NO_RULE_MATTER_UNDER}" for game in GAMES} <= {path.stem for path in paths}
    asked: set[str] = set()
    for report in map(report_of, paths):
        assert name in [alert["code"] for alert in report["alerts"]]
        assert name not in [ruling["rule"] for ruling in report["rulings"]]
        asked |= {prompt["code"] for prompt in report["prompts"]}
    assert set(no_rule_matter()[name].asked) <= asked


def test_no_scenario_is_of_a_rule_that_nobody_knows_and_each_has_its_expectation() -> None:
    assert {path.name.split(".")[0] for path in SCENARIOS} <= {*KNOWN, *no_rule_matter()}
    assert {path.with_suffix(".expect.json") for path in SCENARIOS} == set(HERE.glob("*.expect.json"))


def test_the_files_are_those_that_are_written_here() -> None:
    lying = {path.name: path.read_text() for path in HERE.glob("*.json")}
    assert lying == files(), "run python -m tests.rulebook.write"


@pytest.mark.parametrize(
    "name", ["overfull-flop.holdem.tda", "premature-turn.omaha.tda", "wrong-count-after-action.omaha.roberts"]
)
def test_a_report_that_is_not_what_the_rule_says_is_noticed(name: str) -> None:
    path = HERE / f"{name}.json"
    report, expect = report_of(path), expected_of(path)
    for key, want in expect.items():
        if want:
            assert len(unlike(report, {**expect, key: type(want)()})) == 1, key


OVER_THE_WIRE: Final = (
    *("overfull-flop.holdem.tda", "premature-turn.omaha.tda", "boxed-cards-two-plus.holdem.roberts"),
    *("flop-no-burn.face-down.omaha.tda", "dealt-to-empty-seat.holdem.tda", "card-off-table.holdem.roberts"),
    *("stray-card.board.omaha.roberts", "exposed-first-hole-card.holdem.roberts.blind"),
    *("joker.omaha.tda", "joker.burner.holdem.roberts.blind", "exposed-top-of-stub.accepted.omaha.roberts"),
    *("duplicate-card.on-the-table.holdem.tda", "duplicate-card.omaha.roberts.blind"),
    *("foreign-card.holdem.roberts", "foreign-card.unused-stub-accepted.omaha.tda"),
    *("missing-card.holdem.tda", "hand-killed-by-dealer.omaha.roberts"),
    *("unread-card.gate.holdem.roberts", "double-feed.flop.omaha.roberts", "reversed-card.holdem.roberts"),
    *("card-timeout.gate.omaha.roberts", "shuffle-incomplete.too-many.holdem.roberts"),
)


def test_the_same_bytes_are_reported_over_the_wire() -> None:
    paths = [HERE / f"{name}.json" for name in OVER_THE_WIRE]
    over_the_wire, directly = simulate(*paths), simulate("--direct", *paths)
    assert (over_the_wire.returncode, over_the_wire.stderr) == (0, b"")
    assert over_the_wire.stdout == directly.stdout
    assert len(directly.stdout.splitlines()) == len(paths)
