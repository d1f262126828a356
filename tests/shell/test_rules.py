"""`cutcard rules`: the whole rulebook can be read, on any terminal, through a pipe and by a machine."""

import io
import json
import re
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from controller.cli.main import cutcard
from controller.cli.rules import (
    CASES,
    COLUMNS,
    HOLDS,
    PROOFS,
    TABLE_WIDTH,
    TAKES,
    WINDOWS,
    plain,
    rule_names,
    show,
)
from controller.errors import RuleFileError
from controller.prompt_files import catalogue
from controller.rule_files import rulebook
from controller.rulesets.book import KNOWN

BOOK = rulebook("roberts")


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(cutcard, ["rules", *arguments])


def on_a_terminal(width: int, rule: str | None = None) -> str:
    out = io.StringIO()
    show(Console(file=out, width=width, highlight=False), BOOK, rule)
    return out.getvalue()


def parsed(*arguments: str) -> Any:
    return json.loads(rules("--json", *arguments).output)


def test_through_a_pipe_every_rule_is_one_line_of_aligned_columns() -> None:
    done = rules()
    assert done.exit_code == 0
    head, *lines = done.output.splitlines()
    begins = [head.index(column) for column in COLUMNS]
    assert len(lines) == len(BOOK.rules)
    for line, (name, rule) in zip(lines, BOOK.rules.items(), strict=True):
        cells = [line[at:end].rstrip() for at, end in zip(begins, [*begins[1:], None], strict=True)]
        assert cells == [name, rule.trigger, rule.remedy, rule.source]
    assert "\t" not in done.output


@pytest.mark.parametrize("width", [60, 80, TABLE_WIDTH - 1, TABLE_WIDTH, 132, 240])
def test_a_terminal_is_never_too_narrow_for_a_word(width: int) -> None:
    told = on_a_terminal(width)
    assert max(len(line.rstrip()) for line in told.splitlines()) <= width
    words = set(told.split())
    for name, rule in BOOK.rules.items():
        assert {name, rule.remedy, *rule.trigger.split(), *rule.source.split()} <= words


@pytest.mark.parametrize("rule", BOOK.rules)
@pytest.mark.parametrize("width", [60, 200])
def test_one_rule_is_told_alike_on_a_terminal_and_through_a_pipe(rule: str, width: int) -> None:
    told = on_a_terminal(width, rule)
    assert told.split() == " ".join(plain(BOOK, rule)).split()
    assert max(len(line) for line in told.splitlines()) <= width
    assert rules(rule).output.splitlines() == list(plain(BOOK, rule))


@pytest.mark.parametrize("name", BOOK.rules)
def test_of_one_rule_everything_is_told(name: str) -> None:
    rule, told = BOOK.rules[name], rules(name).output
    assert told.splitlines()[0] == name
    for text in (rule.trigger, rule.source, WINDOWS[rule.window], TAKES[rule.takes]):
        assert text in told
    for remedy in (rule.remedy, *rule.cases.values()):
        named = BOOK.remedies[remedy]
        assert f"{remedy}: {named.remedy.says}" in told
        assert HOLDS[named.remedy.holds] in told
        for number, step in enumerate(named.remedy.steps, start=1):
            assert f" {number}. {step.says}\n" in told
            for field in ("prompt", "by_hand", "from_burn"):
                code = getattr(step, field, None)
                if code is not None:
                    assert f"{code}: > {catalogue('en').words.text[code]}" in told
            if hasattr(step, "proof"):
                assert PROOFS[step.proof] in told
    for case in rule.cases:
        assert f"case     {case}: {CASES[case]}\n" in told


def test_every_case_that_is_told_apart_has_words_and_no_other() -> None:
    assert set(CASES) == {case for known in KNOWN.values() for case in known.cases}


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("premature-trun", "premature-turn"),
        ("overful-flop", "overfull-flop"),
        ("premature", "premature-turn"),
        ("xyz", "cutcard rules lists those that there are"),
        ("two\nlines", "cutcard rules lists those that there are"),
    ],
)
def test_an_unknown_rule_is_told_in_one_line_with_the_nearest(wrong: str, nearest: str) -> None:
    done = rules(wrong)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"cutcard rules: there is no rule or remedy .* in roberts: .*{nearest}.*\n", done.stderr
    )


def test_a_file_of_the_product_that_is_wrong_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> None:
        raise RuleFileError("roberts.toml, line 7: there is no remedy x")

    monkeypatch.setattr("controller.cli.rules.rulebook", broken)
    done = rules()
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "cutcard rules: roberts.toml, line 7: there is no remedy x\n"


def test_a_remedy_can_be_asked_for_by_its_name() -> None:
    told = rules("natural-river").stdout
    assert "rules    premature-turn\n" in told
    assert "The next card is the river, with no burn." in told


def test_a_machine_gets_the_rulebook_whole() -> None:
    told = parsed()
    assert list(told) == ["name", "title", "switches", "rules", "remedies"]
    assert list(told["rules"]) == list(BOOK.rules)
    assert told["switches"]["settle_ms"] == BOOK.switches.settle_ms
    for rule in told["rules"].values():
        assert {rule["remedy"], *rule["cases"].values()} <= told["remedies"].keys()
    steps = [step["do"] for step in told["remedies"]["natural-river"]["steps"]]
    assert steps == ["move", "await", "burn", "deal", "await", "shuffle", "deal"]


def test_a_machine_gets_one_rule_with_the_remedies_that_it_names() -> None:
    told = parsed("premature-river")
    assert told["id"] == "premature-river"
    assert list(told["remedies"]) == ["reshuffle-river", "reshuffle-turn-and-river", "floor"]


def test_the_ids_complete() -> None:
    assert set(rule_names()) == set(BOOK.rules)
    command = cutcard.commands["rules"]
    argument = next(param for param in command.params if param.name == "rule")
    with command.make_context("rules", []) as context:
        offered = [item.value for item in argument.shell_complete(context, "premature")]
    assert offered == ["premature-flop", "premature-turn", "premature-river"]
