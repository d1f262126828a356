"""Draws docs/rulebook.md from the rulebooks themselves and the scenarios that show them.

`python -m tests.docs.draw_rulebook` writes the page.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.cli.rules import CASES, DEAL_WINDOWS, WINDOWS
from controller.rule_files import rulebook
from controller.rulesets.book import TOO_LATE, Case, Rule, Rulebook
from tests.docs.pages import ROOT
from tests.rulebook.write import NO_RULE_MATTER_UNDER

PAGE: Final = "docs/rulebook.md"
SHOWN: Final = ROOT / "tests" / "rulebook"
IDS: Final = SHOWN / "ids.toml"
NO_RULE_MATTER: Final = SHOWN / "no_rule_matter.toml"
RULESETS: Final = ("roberts", "tda")
GAMES: Final = {"holdem": "hold'em", "omaha": "Omaha"}
_SECTIONS: Final = {"first": "The rulings that the table stands for", "others": "The others"}
_HEAD: Final = """\
# Rulebook

Every irregularity that the table is to tell apart: what each ruleset does about it, where that stands, what
of it is this table's own choice, and the scenarios that show it in each game. Play one with
`cutcard simulate --direct FILE`; what the rule says of its report stands beside it, in a file `.expect.json`.
The remedies, and the words that are used here, stand in [rules.md](rules.md#remedies).

The page is drawn from the rulesets and the scenarios: `python -m tests.docs.draw_rulebook`. Where "the floor"
is said before a remedy, the table is halted, and the remedy is what is proposed. Once a window has closed the
floor decides, where nothing else is said.
"""
_COLUMNS: Final = ("ruleset", "where", "what is done", "window", "source", "ours", *GAMES.values())
_NO_MATTER: Final = """
## No rule matter: what is done

No printed rule speaks of these, and neither ruleset does: a machine could not read a card, or found another
set than was asked for. Nothing is ruled on. It is told by the alert of the same name, the prompt says what to
do, and the hand goes on as if it had not happened ([one sequence](procedures.md#one-sequence),
[loading](procedures.md#loading)).

"""


@dataclass(frozen=True)
class Line:
    """One thing that a ruleset says of an irregularity."""

    where: str
    done: str
    source: str
    ours: str


@dataclass(frozen=True)
class Handled:
    """An irregularity that is no matter of the rules: the prompts that it may lead to, and what is done."""

    asked: tuple[str, ...]
    done: str


def no_rule_matter() -> dict[str, Handled]:
    """What no ruleset has anything to say of, by its id."""
    read = tomllib.loads(NO_RULE_MATTER.read_text("utf-8"))
    return {name: Handled(tuple(told["asked"]), told["done"]) for name, told in read.items()}


def ids() -> dict[str, dict[str, str]]:
    """What happened, in words, by the section and the id of the irregularity."""
    read: dict[str, dict[str, str]] = tomllib.loads(IDS.read_text("utf-8"))
    return read


def drawn() -> str:
    """The page."""
    books = [rulebook(name) for name in RULESETS]
    parts = [_HEAD, _windows(books)]
    handled = no_rule_matter()
    no_matter: dict[str, str] = {}
    for key, title in _SECTIONS.items():
        parts.append(f"\n## {title}\n")
        for name, happened in ids()[key].items():
            if all(name not in book.rules for book in books):
                no_matter[name] = happened
                continue
            parts.append(f"\n### {name}\n\n{_sentence(happened)}\n\n{_table(name, books)}")
    return "".join(parts) + _no_matter(no_matter, handled)


def _windows(books: Iterable[Rulebook]) -> str:
    """Until when the windows are open."""
    lines = [_row(("window", "it is open")), _row(("---",) * 2)]
    for window, words in WINDOWS.items():
        if window == "deal":
            for book in books:
                until = DEAL_WINDOWS[book.switches.deal_window]
                lines.append(_row((f"`deal` (`{book.name}`)", until)))
        else:
            lines.append(_row((f"`{window}`", words)))
    return "\n" + "\n".join(lines) + "\n"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _table(name: str, books: Iterable[Rulebook]) -> str:
    lines = [_row(_COLUMNS), _row("---" for _ in _COLUMNS)]
    for book in books:
        rule = book.rules[name]
        for nth, line in enumerate(_lines(rule, book)):
            first = nth == 0
            lines.append(
                _row(
                    (
                        f"`{book.name}`" if first else "",
                        line.where,
                        line.done,
                        _window(rule) if first else "",
                        line.source,
                        line.ours,
                        *(_scenarios(name, game, rule, book.name) if first else "" for game in GAMES),
                    )
                )
            )
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def _lines(rule: Rule, book: Rulebook) -> Iterator[Line]:
    """What is in force by the switches of the ruleset: what is done as a rule, then in the special cases."""
    in_force: list[Case] = []
    usual: Rule | Case = rule
    for case in (case for case in rule.cases if book.switches.at(case.when)):
        if not case.case:
            usual = case
            break
        in_force.append(case)
    yield _line("", usual, rule)
    for case in in_force:
        yield _line(f"`{case.case}`: {CASES[case.case]}", case, rule)


def _line(where: str, said: Rule | Case, rule: Rule) -> Line:
    done = f"`{said.remedy}`"
    return Line(
        where,
        done if said.by == "table" else f"the floor: {done}",
        said.source or rule.source,
        said.ours or rule.ours,
    )


def _window(rule: Rule) -> str:
    window = f"`{rule.window}`"
    return window if rule.late == TOO_LATE else f"{window}; later `{rule.late}`"


def _scenarios(name: str, game: str, rule: Rule, rules: str) -> str:
    """The scenario of the rule, those of its special cases, and those of a table without antennas."""
    return _links(name, game, rules) if game in rule.games else "cannot happen"


def _links(name: str, game: str, rules: str) -> str:
    found: dict[str, str] = {}
    for path in SHOWN.glob(f"{name}.*.json"):
        case, _, end = path.name.removeprefix(f"{name}").rpartition(f".{game}.{rules}")
        if end in (".json", ".blind.json") and path.name.startswith(f"{name}{case}.{game}."):
            words = [word for word in (case.strip("."), "blind" if "blind" in end else "") if word]
            found[" ".join(words)] = path.name
    return ", ".join(
        f"[{words or 'shown'}](../tests/rulebook/{file})" for words, file in sorted(found.items())
    )


def _no_matter(happened: dict[str, str], handled: dict[str, Handled]) -> str:
    """What is told and done of what is no matter of the rules, and scenarios of it."""
    columns = ("irregularity", "what happened", "alert", "prompts", "what is done", *GAMES.values())
    lines = [_row(columns), _row("---" for _ in columns)]
    for name, words in happened.items():
        prompts = ", ".join(f"`{code}`" for code in handled[name].asked)
        links = (_links(name, game, NO_RULE_MATTER_UNDER) for game in GAMES)
        lines.append(_row((f"`{name}`", words, f"`{name}`", prompts, handled[name].done, *links)))
    return _NO_MATTER + "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / PAGE).write_text(drawn(), "utf-8")
