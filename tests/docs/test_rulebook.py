"""docs/rulebook.md: drawn from the rulesets, with every irregularity and scenarios of all that is known."""

import re
from typing import Final

import pytest

from controller.prompt_files import catalogue
from controller.rulesets.known import KNOWN
from tests.docs.draw_rulebook import GAMES, PAGE, RULESETS, drawn, ids, no_rule_matter
from tests.docs.pages import rows, section, text_of
from tests.rulebook.write import NO_RULE_MATTER_UNDER

ALL: Final = frozenset(name for names in ids().values() for name in names)
NO_MATTER: Final = frozenset(no_rule_matter())


def links(cell: str, name: str, game: str, rules: str) -> bool:
    """Whether the scenario of an irregularity is linked there."""
    return re.search(rf"\]\(\.\./tests/rulebook/{name}\.{game}\.{rules}\.json\)", cell) is not None


def test_the_page_is_drawn_from_the_rulesets_and_the_scenarios() -> None:
    assert text_of(PAGE) == drawn(), f"{PAGE} is behind them: run python -m tests.docs.draw_rulebook"


def test_every_irregularity_is_ruled_on_or_no_matter_of_the_rules() -> None:
    assert {*KNOWN, *NO_MATTER} == ALL
    assert not NO_MATTER & KNOWN.keys()


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_the_page_tells_of_every_rule_what_each_ruleset_does_and_links_a_scenario_of_each(name: str) -> None:
    told = section(PAGE, name)
    games = ("holdem",) if name == "board-not-declared" else GAMES
    assert [cells[0] for cells in rows(told) if cells[0]] == list(RULESETS)
    assert all(links(told, name, game, rules) for rules in RULESETS for game in games)


def test_the_page_tells_of_what_is_no_rule_matter_what_is_done_and_links_a_scenario_of_each_game() -> None:
    told = {cells[0]: cells for cells in rows(section(PAGE, "No rule matter: what is done"))}
    alerts = {cells[0] for cells in rows(section("docs/codes.md", "Alerts"))}
    prompts = set(catalogue("en").looks)
    assert told.keys() == NO_MATTER
    for name, handled in no_rule_matter().items():
        _, _, alert, asked, done, *shown = told[name]
        assert (alert, re.findall(r"[a-z-]+", asked), done) == (name, list(handled.asked), handled.done)
        assert (name in alerts, set(handled.asked) <= prompts) == (True, True)
        assert all(
            links(cell, name, game, NO_RULE_MATTER_UNDER) for cell, game in zip(shown, GAMES, strict=True)
        )
