"""docs/rules.md: its tables are those of the rulebook, its words those of `cutcard rules`."""

import re
from collections.abc import Mapping

import msgspec
import pytest

from controller.cli.rules import CASES, HOLDS, TAKES, WINDOWS
from controller.rule_files import rulebook
from tests.docs.pages import rows, section, text_of

PAGE = "docs/rules.md"
BOOK = rulebook("roberts")


def table(heading: str, column: str) -> list[tuple[str, ...]]:
    """The table under a heading whose first column is named so."""
    text = section(PAGE, heading)
    return rows(text[text.index(f"\n| {column} |") :])


def test_the_rules_are_those_of_the_data_in_their_order() -> None:
    assert table("The rules", "rule") == [
        (name, rule.trigger, rule.window, rule.takes, rule.remedy, rule.source)
        for name, rule in BOOK.rules.items()
    ]


def test_the_special_cases_are_those_of_the_data() -> None:
    assert table("Told apart", "case") == [
        (case, CASES[case], name, remedy)
        for name, rule in BOOK.rules.items()
        for case, remedy in rule.cases.items()
    ]


def test_the_remedies_are_those_of_the_data_step_by_step() -> None:
    assert table("Remedies", "remedy") == [
        (
            name,
            named.remedy.says,
            named.remedy.holds,
            " ".join(f"{number}. {words}" for number, words in enumerate(named.words, start=1)) or "none",
        )
        for name, named in BOOK.remedies.items()
    ]


@pytest.mark.parametrize(
    ("heading", "column", "words"),
    [("Words", "window", WINDOWS), ("Words", "takes", TAKES), ("Remedies", "holds", HOLDS)],
)
def test_words_are_told_as_the_command_tells_them(
    heading: str, column: str, words: Mapping[str, str]
) -> None:
    assert table(heading, column) == list(words.items())


def test_every_rule_and_remedy_that_the_page_names_is_one() -> None:
    named = set(re.findall(r"`cutcard rules ([a-z-]+)`", text_of(PAGE)))
    assert named
    assert named <= BOOK.rules.keys()


def test_the_switches_are_those_of_the_data() -> None:
    told = {name: value for name, value, *_ in table("Switches", "switch")}
    assert told == {name: str(value) for name, value in msgspec.structs.asdict(BOOK.switches).items()}


def test_the_settling_time_is_the_one_of_the_data() -> None:
    assert f"`settle_ms` ({BOOK.switches.settle_ms:,} ms" in section(PAGE, "Told apart")
