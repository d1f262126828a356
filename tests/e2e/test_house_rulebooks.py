"""A card room's own rulebook is tried without hardware: by scenarios, and at a virtual table."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from controller.prompt_files import catalogue
from hil_rigs.simulate.command import played
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import load
from hil_rigs.simulate.play import Player
from tests.e2e.command import CUTCARD, simulate
from tests.e2e.tables import Json

HOUSE = """name = "riverside"
title = "Riverside card room, house rules 2025"
extends = "roberts"

[switches]
extra_card_other_seat = "burn"

[rule.premature-turn]
remedy = "early-stays-aside"
source = "House rules, 6.1"

[remedy.early-stays-aside]
says = "The early card stays aside for the hand; the next card is the turn."
holds = "street"

[[remedy.early-stays-aside.steps]]
do = "move"
cards = "early"
to = "aside"
prompt = "early-aside"
proof = "seen"
says = "The early card goes aside, face up."

[[remedy.early-stays-aside.steps]]
do = "await"
until = "betting"
says = "The betting on the flop is finished; then the turn is dealt as usual."

[words.en]
deck-in = "The pack in, please. ACK"
deal-flop = "Three for the flop"
early-aside = "Lay the card aside, face up"

[words.it]
deal-flop = "Tre carte del flop"
"""
EARLY_TURN: tuple[Json, ...] = (
    {"do": "play", "until": "flop"},
    {"do": "bet", "seat": 2, "action": "check"},
    {"do": "draw", "to": "board", "face": "up"},
)


def written(
    folder: Path, *acts: Json, house: str = HOUSE, rules: str = "rules/house.toml", language: str = "en"
) -> Path:
    """A scenario of these acts, in a folder that has the house's rulebook in another beside it."""
    (folder / "rules").mkdir()
    (folder / "rules" / "house.toml").write_text(house, "utf-8")
    file = folder / "scenario.json"
    told = {"game": "holdem", "seats": {"1": 500, "2": 500, "3": 500}, "rules": rules, "language": language}
    file.write_text(json.dumps({"table": told, "acts": acts}), "utf-8")
    return file


def on_the_ring(file: Path) -> str:
    """What the display shows when a scenario is over, as one line."""
    scenario = load(file)
    bench = DirectBench(scenario)
    Player(bench).play(scenario)
    display = bench.table.prompts.display
    assert display is not None
    return " ".join(display.text.split())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "> Three for the flop"),
        ("it", "> Tre carte del flop"),
        ("el", f"> {catalogue('el').words.text['deal-flop']}"),
    ],
)
def test_the_ring_shows_the_words_of_the_rulebook_in_force(language: str, text: str, tmp_path: Path) -> None:
    assert on_the_ring(written(tmp_path, {"do": "play", "until": "flop-deal"}, language=language)) == text


def test_a_remedy_of_the_house_asks_in_the_words_of_the_house(tmp_path: Path) -> None:
    assert on_the_ring(written(tmp_path, *EARLY_TURN)).endswith("Lay the card aside, face up")


def test_a_scenario_is_played_by_the_rulebook_in_a_file_beside_it(tmp_path: Path) -> None:
    file = written(tmp_path, *EARLY_TURN, {"do": "play", "until": "done"})
    by_wire, direct = simulate(file), simulate("--direct", file)
    assert (by_wire.returncode, by_wire.stderr) == (0, b"")
    assert by_wire.stdout == direct.stdout
    report = json.loads(direct.stdout)
    (ruled,) = report["rulings"]
    assert (ruled["rules"], ruled["remedy"]) == ("riverside", "early-stays-aside")
    assert (len(report["aside"]), report["shuffles"]) == (1, [])
    assert "Lay the card aside, face up" in {prompt["text"] for prompt in report["prompts"]}


def test_the_floor_of_a_scenario_may_choose_a_remedy_of_the_house_and_no_other(tmp_path: Path) -> None:
    chosen = {"do": "floor", "decision": "choose", "remedy": "early-stays-aside"}
    load(written(tmp_path, chosen))
    (tmp_path / "other").mkdir()
    with pytest.raises(
        ScenarioError, match=r'acts\[0\]\.remedy: unknown remedy "early-stays-aside"; known: '
    ):
        load(written(tmp_path / "other", chosen, rules="roberts"))


@pytest.mark.parametrize(
    ("house", "rules", "why"),
    [
        (
            HOUSE.replace("[switches]", "[switch]"),
            "rules/house.toml",
            "line 5: there is no key switch",
        ),
        (
            HOUSE.replace('"early-aside"', '"aside"', 1),
            "rules/house.toml",
            "line 16: early-stays-aside: step 1",
        ),
        (HOUSE, "house.toml", "the ruleset cannot be read: No such file"),
        (HOUSE, "rules/", "the ruleset cannot be read: this is no file"),
    ],
)
def test_a_scenario_whose_rulebook_cannot_be_used_is_none(
    house: str, rules: str, why: str, tmp_path: Path
) -> None:
    ran = simulate("--direct", written(tmp_path, house=house, rules=rules))
    assert (ran.returncode, ran.stdout) == (2, b"")
    (line,) = ran.stderr.decode().splitlines()
    assert line.startswith(f"cutcard simulate: {tmp_path / 'scenario.json'}: table.rules: {tmp_path / rules}")
    assert why in line


def test_a_scenario_in_memory_is_played_by_the_rules_that_it_names(tmp_path: Path) -> None:
    file = written(tmp_path, {"do": "play", "until": "done"}, rules="tda")
    assert json.loads(played(load(file), direct=True))["outcome"] == "completed"


def test_a_virtual_table_plays_by_a_rulebook_and_asks_in_its_words(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(HOUSE, "utf-8")
    process = subprocess.Popen(
        [str(CUTCARD), "run", "--virtual", "--rules", str(house)],
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    asked = next(line for line in process.stdout if "ACK" in line)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert "The pack in, please. ACK" in asked


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--virtual", "--rules", "hoyle"), "--rules: there is no ruleset hoyle; there are roberts, tda"),
        (("--virtual", "--rules", "tdaa"), "--rules: there is no ruleset tdaa: did you mean tda?"),
        (("--virtual", "--rules", "none.toml"), "--rules: none.toml: the ruleset cannot be read"),
        (("--config", "table.toml", "--rules", "tda"), "--rules is for --virtual"),
    ],
)
def test_a_rulebook_that_a_virtual_table_cannot_play_by_ends_with_2(
    arguments: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [str(CUTCARD), "run", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert not list(tmp_path.iterdir())
