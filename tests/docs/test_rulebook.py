"""docs/rulebook.md: drawn from the rulesets, with every irregularity and scenarios of what is ruled on."""

import re
from typing import Final

import pytest

from controller.rulesets.known import KNOWN
from tests.docs.draw_rulebook import PAGE, RULESETS, drawn, ids
from tests.docs.pages import rows, section, text_of
from tests.rulebook import NOT_SHOWN

NOT_YET: Final = frozenset(
    {
        *("unread-card", "double-feed", "reversed-card"),
        *("card-timeout", "shuffle-incomplete"),
    }
)
"""What the table does not rule on yet; an irregularity that it learns is to be taken out here."""

ALL: Final = frozenset(name for names in ids().values() for name in names)


def test_the_page_is_drawn_from_the_rulesets_and_the_scenarios() -> None:
    assert text_of(PAGE) == drawn(), f"{PAGE} is behind them: run python -m tests.docs.draw_rulebook"


def test_every_irregularity_is_ruled_on_or_listed_as_not_yet() -> None:
    assert ALL - set(KNOWN) == NOT_YET
    assert set(KNOWN) <= ALL


def test_the_page_lists_what_is_not_ruled_on_yet() -> None:
    assert {name for name, *_ in rows(section(PAGE, "Not ruled on yet"))} == NOT_YET


@pytest.mark.parametrize("name", sorted(KNOWN.keys() - NOT_SHOWN))
def test_the_page_tells_of_every_rule_what_each_ruleset_does_and_links_a_scenario_of_each(name: str) -> None:
    told = section(PAGE, name)
    games = ("holdem",) if name == "board-not-declared" else ("holdem", "omaha")
    assert [cells[0] for cells in rows(told) if cells[0]] == list(RULESETS)
    for rules in RULESETS:
        for game in games:
            assert re.search(rf"\]\(\.\./tests/rulebook/{name}\.{game}\.{rules}\.json\)", told)
