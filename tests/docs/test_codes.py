"""docs/codes.md: its prompts are those of the files and of the wire, its alerts those of the code."""

import re

import pytest

from controller.prompt_files import catalogue
from tests.bridge.protocol_document import code_table
from tests.docs.pages import ROOT, rows, section

PAGE = "docs/codes.md"
PROMPTS = rows(section(PAGE, "Prompts"))
ALERTS = rows(section(PAGE, "Alerts"))
ALERTING = ("controller", "hil_rigs/simulate")
_ALERT = re.compile(r"""\b_?(alert|halt)\(\s*"([a-z-]+)"|(?:"code":\s*|\bAlert\(\s*code=)"([a-z-]+)",""")


def test_prompts_have_the_numbers_of_the_wire() -> None:
    assert {int(number): code for number, code, *_ in PROMPTS} == code_table("Prompt codes")


def test_every_prompt_is_there_once() -> None:
    assert sorted(code for _, code, *_ in PROMPTS) == sorted(catalogue("en").looks)


def _names(code: str) -> tuple[str, ...]:
    unknown = f"{code}-unknown"
    return code, f"{code}-split", f"{code}-ack", unknown, f"{unknown}-split"


@pytest.mark.parametrize("row", PROMPTS, ids=lambda row: row[1])
def test_a_prompt_reads_and_looks_as_in_the_files(row: tuple[str, ...]) -> None:
    _, code, text, colour, pattern, lights = row
    look, words = catalogue("en").looks[code], catalogue("en").words.text
    texts = [words[name] for name in _names(code) if words.get(name)]
    assert text == (" / ".join(f"{look.glyph} {said}" for said in texts) or "dark and blank")
    assert (colour, pattern) == (look.colour, look.pattern)
    assert lights == (", ".join(look.lights) or "none")


def alerts_in_the_code() -> dict[str, set[str]]:
    """Every alert code and how it is raised: by `alert`, by `halt`, or in a report."""
    found: dict[str, set[str]] = {}
    for house in ALERTING:
        for file in (ROOT / house).rglob("*.py"):
            for how, code, reported in _ALERT.findall(file.read_text("utf-8")):
                found.setdefault(code or reported, set()).add(how or "alert")
    return found


def test_every_alert_of_the_code_is_there_and_no_other() -> None:
    assert [code for code, *_ in ALERTS] == sorted(alerts_in_the_code())


@pytest.mark.parametrize("row", ALERTS, ids=lambda row: row[0])
def test_an_alert_halts_as_the_page_says(row: tuple[str, ...]) -> None:
    ways = alerts_in_the_code()[row[0]]
    expected = "yes" if ways == {"halt"} else "no" if ways == {"alert"} else "if"
    assert row[2].split()[0] == expected
