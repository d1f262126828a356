"""`cutcard simulate` as it is called: files in, a report a line out, a clear line for a file that is none."""

import json
from pathlib import Path

import pytest

from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import load
from tests.e2e.command import simulate
from tests.e2e.tables import Json
from tests.simulate.files import SCENARIOS

SEATS = {"1": 1000, "2": 1000, "3": 1000}
GOOD: Json = {
    "table": {"game": "holdem", "seats": SEATS},
    "seed": 5,
    "acts": [{"do": "play", "until": "done"}],
}


def written(folder: Path, name: str, file: object) -> Path:
    path = folder / name
    path.write_text(file if isinstance(file, str) else json.dumps(file))
    return path


@pytest.mark.parametrize("wire", [(), ("--direct",)])
def test_the_same_file_gives_the_same_bytes_whatever_seeds_the_hashes(wire: tuple[str, ...]) -> None:
    paths = [SCENARIOS[0], SCENARIOS[-1]]
    outs = {simulate(*wire, *paths, *paths, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "4242")}
    assert len(outs) == 1
    lines = outs.pop().splitlines()
    assert lines[:2] == lines[2:]


def acting(*acts: Json) -> Json:
    return {**GOOD, "acts": list(acts)}


def with_table(**keys: object) -> Json:
    return {**GOOD, "table": {**GOOD["table"], **keys}}


DRAW: Json = {"do": "draw", "to": "board"}

BAD: dict[str, tuple[object, tuple[str, ...]]] = {
    "not JSON": ("{", ("line 1", "is not JSON")),
    "no object": ([], ("must be an object",)),
    "an unknown key": ({**GOOD, "dekc": "As"}, ('unknown key "dekc"', "deck")),
    "an unknown key of the table": (with_table(buttom=1), ("table", 'unknown key "buttom"')),
    "an unknown key of an act": (acting({**DRAW, "face_up": True}), ("acts[0]", 'unknown key "face_up"')),
    "an unknown act": (acting({"do": "dance"}), ("acts[0].do", 'unknown act "dance"')),
    "an unknown zone": (acting({**DRAW, "to": "table"}), ("acts[0].to", 'unknown zone "table"')),
    "an unknown phase": (acting({"do": "play", "until": "fourth"}), ("acts[0].until", "unknown phase")),
    "an unknown action": (
        acting({"do": "bet", "seat": 1, "action": "limp"}),
        ("acts[0].action", "unknown action"),
    ),
    "an unknown decision": (acting({"do": "floor", "decision": "shrug"}), ("acts[0].decision", "unknown")),
    "an unknown device": (
        acting({"do": "fault", "device": "toaster", "fault": "jam"}),
        ("acts[0].device", "unknown device"),
    ),
    "an unknown fault": (
        acting({"do": "fault", "device": "shoe", "fault": "rust"}),
        ("acts[0].fault", "unknown fault"),
    ),
    "an unknown key of the keypad": (
        acting({"do": "key", "key": "any"}),
        ("acts[0].key", 'unknown key "any"'),
    ),
    "a card twice": ({**GOOD, "deck": "As Kd As"}, ("deck", "the card As stands twice")),
    "a card of no deck": ({**GOOD, "deck": "As 1d"}, ("deck", '"1d" is no card')),
    "one seat": (with_table(seats={"1": 10}), ("table.seats", "two seats or more")),
    "a seat above 11": (with_table(seats={"1": 10, "12": 10}), ("table.seats", '"12" is no seat')),
    "a seat that is not there acts": (
        acting({"do": "bet", "seat": 7, "action": "fold"}),
        ("acts[0].seat", "seat 7 is not in `seats` (1, 2, 3)"),
    ),
    "a seat that is not there is dealt to": (
        acting({**DRAW, "to": "seat:7"}),
        ("acts[0].to", "seat 7 is not"),
    ),
    "a seat that is not there has the button": (with_table(button=4), ("table.button", "seat 4 is not")),
    "eleven seats in Omaha": (
        with_table(game="omaha", seats={str(seat): 10 for seat in range(1, 12)}),
        ("table.seats", "at most 10 seats"),
    ),
    "a wrong type": (with_table(zones="yes"), ("table.zones", "must be true or false")),
    "a blind below zero": (with_table(big_blind=-10), ("table.big_blind", "at least 0")),
    "an amount below zero": (
        acting({"do": "bet", "seat": 1, "action": "raise", "amount": -5}),
        ("acts[0].amount", "at least 0"),
    ),
    "a raise without an amount": (
        acting({"do": "bet", "seat": 1, "action": "raise"}),
        ("acts[0]", '"amount" is missing'),
    ),
    "no acts": ({"table": GOOD["table"]}, ('the key "acts" is missing',)),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_is_no_scenario_is_told_in_one_line_with_its_place_and_what_is_wrong(
    case: str, tmp_path: Path
) -> None:
    file, said = BAD[case]
    path = written(tmp_path, "bad.json", file)
    with pytest.raises(ScenarioError) as raised:
        load(path)
    line = str(raised.value)
    assert line.startswith(f"{path}: ")
    assert "\n" not in line
    for words in said:
        assert words in line


def test_good_files_beside_bad_ones_are_reported_in_order_and_the_status_is_2(tmp_path: Path) -> None:
    bad = {
        name: written(tmp_path, f"bad-{at}.json", file) for at, (name, (file, _)) in enumerate(BAD.items())
    }
    missing = tmp_path / "nowhere.json"
    history = written(tmp_path, "stud.phh", 'variant = "F7S"\n')
    first, last = written(tmp_path, "first.json", GOOD), written(tmp_path, "last.json", {**GOOD, "seed": 6})
    ran = simulate("--direct", first, *bad.values(), missing, history, last)
    assert ran.returncode == 2
    assert [json.loads(line)["scenario"] for line in ran.stdout.splitlines()] == ["first", "last"]
    lines = ran.stderr.decode().splitlines()
    paths = [*bad.values(), missing, history]
    assert len(lines) == len(paths)
    for path, line in zip(paths, lines, strict=True):
        assert line.startswith(f"cutcard simulate: {path}: ")
    assert lines[-2].endswith("no such file")


def test_one_bad_file_alone_is_status_2_and_prints_no_report(tmp_path: Path) -> None:
    ran = simulate(tmp_path / "nowhere.json")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.decode() == f"cutcard simulate: {tmp_path / 'nowhere.json'}: no such file\n"


def test_a_bad_file_among_good_ones_spoils_no_report_over_the_wire(tmp_path: Path) -> None:
    bad = written(tmp_path, "bad.json", "no")
    good = written(tmp_path, "good.json", GOOD)
    ran = simulate(bad, good)
    assert ran.returncode == 2
    assert ran.stdout == simulate("--direct", good).stdout
    assert len(ran.stderr.decode().splitlines()) == 1


def test_a_fault_of_the_wire_is_refused_by_name_without_a_wire(tmp_path: Path) -> None:
    path = written(tmp_path, "f.json", acting({"do": "fault", "device": "shoe", "fault": "drop-byte"}))
    ran = simulate("--direct", path)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert len(ran.stderr.decode().splitlines()) == 1
    assert "acts[0]" in ran.stderr.decode()


def test_an_act_that_cannot_be_is_refused_with_its_number_and_why_and_the_next_is_played(
    tmp_path: Path,
) -> None:
    file = acting(
        {"do": "draw", "to": "board"},
        {"do": "play", "until": "preflop"},
        {"do": "bet", "seat": 3, "action": "call"},
        {"do": "bet", "seat": 1, "action": "raise", "amount": 11},
        {"do": "bet", "seat": 1, "action": "check"},
        {"do": "key", "key": "next"},
        {"do": "key", "key": "plays-board", "seat": 1},
        {"do": "draw", "to": "board", "count": 50},
        {"do": "play", "until": "deal"},
        {"do": "play", "until": "done"},
    )
    ran = simulate("--direct", written(tmp_path, "refused.json", file))
    assert ran.returncode == 0
    said: Json = json.loads(ran.stdout)
    assert said["outcome"] == "completed"
    assert [(refusal["act"], refusal["why"]) for refusal in said["refused"]] == [
        (0, "the shoe holds 0 cards"),
        (2, "seat 1 is to act, not seat 3"),
        (3, "seat 1 may raise to between 20 and 1000"),
        (4, "seat 1 cannot check: 10 to call"),
        (5, "seat 1 is still to act"),
        (6, "the key means nothing in the phase preflop"),
        (7, "the shoe holds 46 cards"),
        (8, "the phase deal is past"),
    ]
    assert all(refusal["what"] for refusal in said["refused"])
