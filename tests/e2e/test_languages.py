"""A table speaks its language in the report and on the ring, and plays the same hand in each."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from controller.prompt_files import catalogue
from controller.prompts import LANGUAGES
from controller.prompts.catalogue import Catalogue
from hil_rigs.simulate.command import played
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.play import Player
from hil_rigs.virtual.codes import Pattern
from tests.docs.pages import ROOT
from tests.e2e.command import simulate

SCENARIOS = ROOT / "tests" / "scenarios"
HALT: list[dict[str, Any]] = [{"do": "play", "until": "preflop"}, {"do": "key", "key": "floor"}]
ACK = {"do": "key", "key": "ack"}


def _file(name: str, language: str) -> str:
    file = json.loads((SCENARIOS / f"{name}.json").read_text("utf-8"))
    file["table"]["language"] = language
    return json.dumps(file)


def _report(source: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(played(read_scenario(source, file="x.json", name="x"), direct=True))
    return made


def _is_said(words: Catalogue, code: str, text: str) -> bool:
    """Whether a text is one of a code's, its fields filled in."""
    for name, template in words.words.text.items():
        pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(template))
        if name.startswith(code) and re.fullmatch(pattern, text):
            return True
    return False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["clean-holdem", "overfull-flop-omaha", "exposed-first-hole-card-holdem"])
def test_a_scenario_is_told_in_its_table_s_language_and_is_the_same_hand(name: str, language: str) -> None:
    english, said = _report(_file(name, "en")), _report(_file(name, language))
    for prompt in said["prompts"]:
        assert _is_said(catalogue(language), prompt["code"], prompt["text"]), prompt
    without = [
        {**report, "prompts": [{**prompt, "text": ""} for prompt in report["prompts"]]}
        for report in (english, said)
    ]
    assert without[0] == without[1]


@pytest.mark.parametrize("language", ["it", "el"])
def test_the_command_plays_it_over_ports_to_the_same_report(language: str, tmp_path: Path) -> None:
    file = tmp_path / "clean.json"
    file.write_text(_file("clean-holdem", language), "utf-8")
    by_wire, direct = simulate(file), simulate("--direct", file)
    assert (by_wire.returncode, direct.returncode) == (0, 0), by_wire.stderr + direct.stderr
    assert by_wire.stdout == direct.stdout
    texts = {prompt["text"] for prompt in json.loads(by_wire.stdout)["prompts"]}
    assert catalogue(language).words.text["deal-flop"] in texts


# Acknowledged


def _halted(*acts: dict[str, Any]) -> str:
    return json.dumps(
        {"table": {"game": "holdem", "seats": {"1": 100, "2": 100, "3": 100}}, "acts": [*HALT, *acts]}
    )


def test_what_is_acknowledged_is_no_second_prompt_in_the_report() -> None:
    before, after = _report(_halted()), _report(_halted(ACK))
    assert before["prompts"][-1]["code"] == "call-floor"
    assert after["prompts"] == before["prompts"]
    assert [refused["what"] for refused in after["refused"]] == ["ack"]


def test_the_ring_flashes_until_the_key_and_is_calm_after_it() -> None:
    patterns = []
    for acts in ((), (ACK,)):
        bench = DirectBench(read_scenario(_halted(*acts), file="x.json", name="x"))
        Player(bench).play(read_scenario(_halted(*acts), file="x.json", name="x"))
        display = bench.table.prompts.display
        assert display is not None
        patterns.append({pattern for _, _, _, pattern in display.spans})
    assert patterns == [{Pattern.URGENT}, {Pattern.STEADY}]
