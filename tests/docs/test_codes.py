"""docs/codes.md: its prompts are those of the files and of the wire, its alerts those of the code."""

import re

import pytest

from controller.prompt_files import catalogue
from controller.prompts import LANGUAGES
from tests.bridge.protocol_document import code_table
from tests.docs.pages import ROOT, rows, section

PAGE = "docs/codes.md"
_PATTERNS, _PROMPTS = section(PAGE, "Prompts").split("| number | code |")
PATTERNS = rows(_PATTERNS)
PROMPTS = rows("| number | code |" + _PROMPTS)
ALERTS = rows(section(PAGE, "Alerts"))
ALERTING = ("controller", "hil_rigs/simulate")
_ALERT = re.compile(
    r"""\b_?(alert|halt)(?:_in_play)?\(\s*"([a-z-]+)"|(?:"code":\s*|\bAlert\(\s*code=)"([a-z-]+)","""
)


def test_prompts_have_the_numbers_of_the_wire() -> None:
    assert {int(number): code for number, code, *_ in PROMPTS} == code_table("Prompt codes")


def test_every_prompt_is_there_once() -> None:
    assert sorted(code for _, code, *_ in PROMPTS) == sorted(catalogue("en").looks)


def _names(code: str) -> tuple[str, ...]:
    unknown = f"{code}-unknown"
    return code, f"{code}-split", f"{code}-ack", unknown, f"{unknown}-split"


def _said(code: str, glyph: str, language: str) -> str:
    """All texts of a code in a language, as the page has them."""
    words = catalogue(language).words.text
    texts = [words[name] for name in _names(code) if words.get(name)]
    return " / ".join(f"{glyph} {said}" for said in texts) or "dark and blank"


def test_every_pattern_is_told() -> None:
    assert [name for name, *_ in PATTERNS] == ["steady", "ends", "chase", "blink", "urgent", "lost"]
    assert {name for name, *_ in PATTERNS} == set(code_table("Patterns").values())


@pytest.mark.parametrize("row", PROMPTS, ids=lambda row: row[1])
def test_a_prompt_reads_and_looks_as_in_the_files(row: tuple[str, ...]) -> None:
    _, code, *told, colour, pattern, lights = row
    look = catalogue("en").looks[code]
    assert told == [_said(code, look.glyph, language) for language in LANGUAGES]
    assert (colour, pattern) == (
        look.colour,
        f"{look.pattern}, then {look.calm}" if look.calm else look.pattern,
    )
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
