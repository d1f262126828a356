"""Scenarios in which only `next` is followed: late next, silence, folds, and what is not tracked."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.following import NOT_TRACKED
from hil_rigs.simulate.direct import DirectBench
from tests.e2e.command import simulate
from tests.e2e.late import LATENESS, differing
from tests.e2e.tables import CLEAN, Json, cards_lost, played_directly, scenario_of
from tests.simulate.files import SCENARIOS

DONE: Json = {"do": "play", "until": "done"}
NEXT: Json = {"do": "key", "key": "next"}
UNDO: Json = {"do": "key", "key": "undo"}
BURN: Json = {"do": "draw", "to": "burn"}


def to(phase: str) -> Json:
    return {"do": "play", "until": phase}


def board(count: int = 1) -> Json:
    return {"do": "draw", "to": "board", "count": count, "face": "up"}


def wait(ms: int) -> Json:
    return {"do": "wait", "ms": ms}


def fold(seat: int) -> Json:
    return {"do": "bet", "seat": seat, "action": "fold"}


def muck(seat: int) -> Json:
    return {"do": "key", "key": "muck", "seat": seat}


def hand(*acts: Json, **table: object) -> Json:
    """A hand of four that is followed by the key alone."""
    seats = dict.fromkeys(("1", "2", "3", "4"), 1000)
    setup = {"game": "holdem", "seats": seats, "button": 3, "follow": "dealer-key", **table}
    return {"table": setup, "seed": 5, "acts": list(acts)}


def rules(report: Json) -> list[tuple[str, str]]:
    return [(ruling["rule"], ruling["phase"]) for ruling in report["rulings"]]


def asked(report: Json) -> list[str]:
    return [prompt["code"] for prompt in report["prompts"]]


LATE = (
    (to("preflop"), BURN, board(3)),
    (to("flop"), BURN, board()),
    (to("turn"), BURN, board()),
)
EARLY = ("premature-flop", "premature-turn", "premature-river")
ROUNDS = ("preflop", "flop", "turn")
NOTABLE: dict[str, Json] = {
    "late flop": hand(*LATE[0], NEXT, DONE),
    "late turn": hand(*LATE[1], NEXT, DONE),
    "late flop without a burn": hand(to("preflop"), board(3), NEXT, DONE),
    "early flop": hand(*LATE[0], {"do": "comply"}, DONE),
    "silence": hand(*LATE[0], wait(10_001), DONE),
    "two early cards": hand(to("flop"), wait(3000), BURN, board(), board(), DONE),
    "a mucked hand": hand(*LATE[0], muck(2), NEXT, DONE),
    "one left": hand(*LATE[0], muck(2), muck(4), muck(1), DONE),
    "the floor": hand(*LATE[0], {"do": "key", "key": "floor"}),
    "next taken back": hand(to("flop-deal"), UNDO, fold(1), DONE),
    "by hand": hand(*LATE[2], NEXT, DONE, shoe={"gate": True, "burner": False}),
    "omaha": hand(*LATE[1], NEXT, DONE, game="omaha"),
}
"""Hands that only such a table has, by name."""


@pytest.mark.parametrize(("acts", "phase"), list(zip(LATE, ROUNDS, strict=True)))
def test_a_late_next_is_the_ordinary_street(acts: Sequence[Json], phase: str) -> None:
    plain = played_directly(hand(DONE, shoe={"gate": False, "burner": False}))
    late = played_directly(hand(*acts, NEXT, DONE, shoe={"gate": False, "burner": False}))
    assert (rules(late), late["refused"], late["alerts"]) == ([], [], [])
    assert tuple(late["phases"]) == CLEAN
    assert [late[key] for key in ("board", "burns", "stub", "pots")] == [
        plain[key] for key in ("board", "burns", "stub", "pots")
    ]
    assert asked(late).count("betting-complete") == 1


@pytest.mark.parametrize("ms", [0, 1, 9_999, 10_000])
def test_next_within_ten_seconds_is_late_and_the_street_is_ordinary(ms: int) -> None:
    report = played_directly(hand(*LATE[0], wait(ms), NEXT, DONE))
    assert (rules(report), report["refused"]) == ([], [])


@pytest.mark.parametrize(("acts", "rule", "phase"), list(zip(LATE, EARLY, ROUNDS, strict=True)))
def test_after_ten_seconds_the_cards_are_ruled_on_and_next_ends_the_round(
    acts: Sequence[Json], rule: str, phase: str
) -> None:
    report = played_directly(hand(*acts, wait(10_001), NEXT, DONE))
    assert rules(report) == [(rule, phase)]
    assert (report["outcome"], report["refused"]) == ("completed", [])


@pytest.mark.parametrize("answer", [{"do": "comply"}, {"do": "check_around"}, DONE, fold(4)])
def test_a_dealer_who_has_not_pressed_next_says_that_the_betting_was_not_complete(answer: Json) -> None:
    report = played_directly(hand(*LATE[0], answer, DONE))
    assert rules(report) == [("premature-flop", "preflop")]
    assert (report["outcome"], report["refused"], report["alerts"]) == ("completed", [], [])


def test_silence_and_no_come_to_the_same_report() -> None:
    silent = played_directly(hand(*LATE[1], wait(10_001), {"do": "comply"}, DONE))
    said = played_directly(hand(*LATE[1], {"do": "comply"}, wait(10_001), DONE))
    assert silent == said


def test_a_street_without_its_burn_is_ruled_on_where_next_came_late() -> None:
    report = played_directly(NOTABLE["late flop without a burn"])
    assert rules(report) == [("flop-no-burn", "preflop")]
    assert (report["outcome"], len(report["board"]), len(report["burns"])) == ("completed", 5, 3)


def test_with_one_hand_left_the_early_flop_is_told_and_the_pot_pushed() -> None:
    report = played_directly(NOTABLE["one left"])
    assert rules(report) == [("premature-flop", "preflop")]
    assert report["pots"] == [{"amount": 0, "winners": {"3": 0}, "hand": ""}]
    assert (report["phase"], report["board"], len(report["aside"])) == ("done", [], 3)


def test_a_question_that_stands_at_the_end_leaves_the_hand_open() -> None:
    report = played_directly(hand(*LATE[0], wait(10_000)))
    assert (report["outcome"], report["phase"], len(report["board"])) == ("open", "preflop", 3)
    assert asked(report)[-1] == "betting-complete"


def test_next_is_taken_back_and_the_machine_s_burn_stays() -> None:
    report = played_directly(hand(to("flop-deal"), UNDO, {"do": "check_around"}, DONE))
    assert (report["refused"], rules(report)) == ([], [])
    assert report["phases"][3:7] == ["preflop", "flop-deal", "preflop", "flop-deal"]
    assert [command["command"] for command in report["commands"]].count("burn") == 3
    plain = played_directly(hand(DONE))
    assert [report[key] for key in ("board", "burns")] == [plain[key] for key in ("board", "burns")]


def test_a_fold_is_cards_in_the_muck_and_any_other_act_is_refused() -> None:
    others = [
        {"do": "bet", "seat": 2, "action": action, "amount": 40}
        for action in ("check", "call", "bet", "raise", "all-in")
    ]
    report = played_directly(hand(to("flop"), *others, fold(2), fold(2), to("turn-deal"), fold(1), DONE))
    assert [(refusal["what"], refusal["why"]) for refusal in report["refused"]] == [
        *((f"{act['action']} of seat 2", NOT_TRACKED) for act in others),
        ("fold of seat 2", "no card there"),
        ("fold of seat 1", "no betting round is open"),
    ]
    assert (report["hole"]["2"], len(report["muck"]), report["outcome"]) == ([], 2, "completed")


@pytest.mark.parametrize("zones", [True, False])
def test_folds_are_followed_with_antennas_and_by_the_key_without(zones: bool) -> None:
    report = played_directly(hand(to("preflop"), fold(4), fold(1), fold(2), DONE, zones=zones))
    assert (report["phase"], report["alerts"], report["refused"]) == ("done", [], [])
    assert (len(report["muck"]), list(report["pots"][0]["winners"])) == (6, ["3"])


def test_nothing_is_said_of_chips_that_nobody_told() -> None:
    report = played_directly(hand(DONE, ante=5))
    assert report["stacks"] == dict.fromkeys(("1", "2", "3", "4"), 1000)
    assert {pot["amount"] for pot in report["pots"]} == {0}
    (pushed,) = [prompt["text"] for prompt in report["prompts"] if prompt["code"] == "push-pot"]
    assert not {"0", "1000"} & set(pushed.replace(",", "").split())


@pytest.mark.parametrize("special", ["kill", "bomb-pot", "run-it-twice"])
def test_a_special_pot_is_named_and_played_out(special: str) -> None:
    report = played_directly(hand(DONE, special=special))
    assert [alert["code"] for alert in report["alerts"]] == ["not-followed"]
    assert report["outcome"] == "completed"


def test_a_bomb_pot_comes_to_its_flop_with_next_alone() -> None:
    report = played_directly(hand(to("preflop"), NEXT, board(3), DONE, special="bomb-pot"))
    assert (report["outcome"], rules(report), report["refused"]) == ("completed", [], [])


def test_the_first_card_of_a_second_board_halts_the_hand() -> None:
    report = played_directly(hand(to("showdown"), BURN, board(), special="run-it-twice"))
    assert report["outcome"] == "halted"
    assert [alert["code"] for alert in report["alerts"]] == ["not-followed", "floor-decides"]
    assert [rule for rule, _ in rules(report)] == ["stray-card"]


def files(folder: Path) -> list[Path]:
    """Every handed scenario followed by the key, and the hands that only such a table has."""
    made = []
    for path in SCENARIOS:
        file = json.loads(path.read_text())
        file["table"]["follow"] = "dealer-key"
        made.append((path.name, file))
    made += [(f"{name.replace(' ', '-')}.json", file) for name, file in NOTABLE.items()]
    for name, file in made:
        (folder / name).write_text(json.dumps(file))
    return [folder / name for name, _ in made]


def test_the_same_bytes_are_reported_with_and_without_a_wire(tmp_path: Path) -> None:
    paths = files(tmp_path)
    over_the_wire, directly = simulate(*paths), simulate("--direct", *paths)
    assert (over_the_wire.returncode, over_the_wire.stderr) == (0, b"")
    assert over_the_wire.stdout == directly.stdout
    assert len(directly.stdout.splitlines()) == len(paths)


@pytest.mark.parametrize("name", NOTABLE)
def test_no_delay_and_no_order_of_the_antennas_reports_changes_the_report(name: str) -> None:
    made = scenario_of(NOTABLE[name])
    assert list(differing(made, LATENESS)) == []
    assert DirectBench(made).table.keypad.acts is False


def three_thrown(street: str, *acts: Json) -> Json:
    """Three seats: 2 holds the deuces, 3 the threes, 1 the fours; so many board cards come late. A hand that
    was not folded is the floor's, and comes back."""
    back = {"do": "floor", "decision": "accept", "reason": "it was not folded"}
    file = hand(to(street), *acts, {"do": "comply"}, back, DONE)
    file["table"] |= {"seats": {"1": 1000, "2": 1000, "3": 1000}, "button": 1}
    file["deck"] = "2s 3s 4s 2h 3h 4h"
    return file


def throw(cards: str) -> Json:
    return {"do": "move", "cards": cards, "to": "muck"}


@pytest.mark.parametrize("street", ["preflop", "flop", "turn"])
@pytest.mark.parametrize(
    "thrown", [["2s", "3s 3h 4s 4h"], ["2s 2h 3s 3h 4s 4h"], ["3s 3h", "2s 2h", "4s"]], ids=" then ".join
)
def test_of_hands_thrown_away_while_the_end_of_the_betting_is_asked_about_the_last_keeps_the_pot(
    thrown: list[str], street: str
) -> None:
    first, *others = map(throw, thrown)
    file = three_thrown(street, board(), first, board(), *others)
    said = played_directly(file)
    assert [pot["winners"] for pot in said["pots"]] == [{"1": 0}]
    # Where all three were thrown before the second card, it comes when the hand is over and means nothing.
    over = not others and street != "flop"
    assert ([rule for rule, _ in rules(said)][-1:] == ["card-after-hand-over"]) == over
    assert (said["phases"][-1], cards_lost(said)) == ("done", [])
    assert list(differing(scenario_of(file), LATENESS)) == []


@pytest.mark.parametrize(
    ("street", "ruled"), list(zip(ROUNDS, (EARLY[:1], EARLY[1:], EARLY[2:]), strict=True))
)
def test_cards_asked_about_are_ruled_on_before_a_yes_leaves_one_hand(
    street: str, ruled: Sequence[str]
) -> None:
    file = three_thrown(street, fold(2), board(), throw("3s"), board())
    said = played_directly(file)
    assert [rule for rule, _ in rules(said)] == list(ruled)
    assert (len(said["aside"]), said["phases"][-1]) == (2, "done")
    assert [pot["winners"] for pot in said["pots"]] == [{"1": 0}]
    assert list(differing(scenario_of(file), LATENESS)) == []
