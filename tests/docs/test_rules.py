"""docs/rules.md: its tables are those of the rulebooks, its words those of `cutcard rules`, its example is
one."""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from controller.cli.rules import CASES, HOLDS, TAKES, WINDOWS
from controller.prompt_files import catalogue
from controller.prompts.catalogue import VARIANTS
from controller.prompts.texts import FIELDS
from controller.rule_files import rulebook, rulebook_in
from controller.rulesets import RULESETS
from controller.rulesets.book import Rule
from controller.rulesets.comparing import differences
from controller.rulesets.reading import TABLES
from tests.docs.pages import blocks, rows, section, text_of

PAGE = "docs/rules.md"
BOOK = rulebook("roberts")
TDA = rulebook("tda")
HOUSE = "A card room's own rulebook"
OWN_WORDS = "Words of its own"


def table(heading: str, column: str) -> list[tuple[str, ...]]:
    """The table under a heading whose first column is named so."""
    text = section(PAGE, heading)
    return rows(text[text.index(f"\n| {column} |") :])


def rules_told() -> list[tuple[str, ...]]:
    return [
        (name, rule.trigger, rule.window, rule.takes, rule.remedy, rule.by, rule.source, rule.ours)
        for name, rule in BOOK.rules.items()
    ]


def special_cases_told() -> list[tuple[str, ...]]:
    return [
        (
            name,
            case.case,
            ", ".join(f"{switch} = {value}" for switch, value in case.when.items()),
            case.remedy,
            case.ours,
        )
        for name, rule in BOOK.rules.items()
        for case in rule.cases
    ]


def remedies_told() -> list[tuple[str, ...]]:
    return [
        (
            name,
            named.remedy.says,
            named.remedy.holds,
            " ".join(f"{number}. {words}" for number, words in enumerate(named.words, start=1)) or "none",
        )
        for name, named in BOOK.remedies.items()
    ]


def switches_told() -> list[tuple[str, ...]]:
    values = [msgspec.structs.asdict(book.switches) for book in (BOOK, TDA)]
    return [(name, *(str(each[name]) for each in values)) for name in values[0]]


def parting_told() -> list[tuple[str, ...]]:
    """Where tda parts from roberts, but for the switches themselves."""
    found = differences(BOOK, TDA, catalogue)
    return [(each.id, each.of, each.one, each.other) for each in found if each.topic != "switch"]


def test_the_rules_are_those_of_the_data_in_their_order() -> None:
    assert table("The rules", "rule") == rules_told()


def test_the_special_cases_are_those_of_the_data() -> None:
    assert table("Told apart", "rule") == special_cases_told()


def test_the_remedies_are_those_of_the_data_step_by_step() -> None:
    assert table("Remedies", "remedy") == remedies_told()


def test_the_switches_are_those_of_the_data_in_either_ruleset() -> None:
    assert [row[:3] for row in table("Switches", "switch")] == switches_told()


def test_where_tda_parts_is_told_as_the_command_tells_it() -> None:
    assert RULESETS == ("roberts", "tda")
    assert table("Where tda parts", "rule") == parting_told()


@pytest.mark.parametrize(
    ("heading", "column", "words"),
    [
        ("Words", "window", WINDOWS),
        ("Words", "takes", TAKES),
        ("Remedies", "holds", HOLDS),
        ("Told apart", "case", CASES),
    ],
)
def test_words_are_told_as_the_command_tells_them(
    heading: str, column: str, words: Mapping[str, str]
) -> None:
    assert table(heading, column) == list(words.items())


def test_every_rule_and_remedy_that_the_page_names_is_one() -> None:
    named = set(re.findall(r"`cutcard rules ([a-z]+-[a-z-]+)`", text_of(PAGE)))
    assert named
    assert named <= BOOK.rules.keys() | BOOK.remedies.keys()


def test_the_settling_time_is_the_one_of_the_data() -> None:
    assert f"`settle_ms` ({BOOK.switches.settle_ms:,} ms" in section(PAGE, "Told apart")


def test_the_example_of_a_card_room_can_be_loaded(tmp_path: Path) -> None:
    (example,) = blocks(section(PAGE, HOUSE), "toml")
    file = tmp_path / "house.toml"
    file.write_text(example, "utf-8")
    house = rulebook_in(file)
    topics = {each.topic for each in differences(BOOK, house, catalogue)}
    assert topics == {"switch", "rule", "remedy", "words"}


def test_every_key_of_a_rule_is_told() -> None:
    told = next(words for key, words in table(HOUSE, "key") if key == "rule")
    assert set(re.findall(r"`([a-z]+)`", told)) == {field.name for field in msgspec.structs.fields(Rule)}


def test_every_field_and_every_ending_of_a_text_is_told() -> None:
    assert {field.strip("{}") for field, _ in table(OWN_WORDS, "field")} == FIELDS
    assert {ending for ending, _ in table(OWN_WORDS, "ending")} == set(VARIANTS)


def test_every_key_of_a_rulesets_file_is_told() -> None:
    assert [key for key, _ in table(HOUSE, "key")] == list(TABLES)
