"""`cutcard rules`: the rulebook in force, for a person on a terminal, for a pipe, for a machine."""

import shlex
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click
import msgspec

from controller.cli.status import WRONG_INPUT
from controller.errors import RuleFileError, RuleNameError
from controller.mistakes import advice
from controller.remedies.steps import Burn, Holds, NamedRemedy, Step
from controller.rule_files import names_file, prompts_of, rulebook_of_name_or_file
from controller.rulesets import RULESETS
from controller.rulesets.book import By, Case, DealWindow, Rule, Rulebook
from controller.rulesets.known import Takes, Window

if TYPE_CHECKING:
    from rich.console import Console

IN_FORCE: Final = "roberts"
COLUMNS: Final = ("id", "trigger", "remedy", "source")
TABLE_WIDTH: Final = 100
"""On a narrower terminal four columns would be slivers: each rule is then told in lines of its own."""

DEAL_WINDOWS: Final[Mapping[DealWindow, str]] = {
    "two-acts": "until two players have acted before the flop; folds in turn are acts, posts are none",
    "substantial-action": "until two players have acted before the flop and one of them put chips in, "
    "or three have; folds in turn are acts, posts are none",
}
WINDOWS: Final[Mapping[Window, str]] = {
    "button": "until the button acts before the flop",
    "any": "always",
    "deal": DEAL_WINDOWS["two-acts"],
    "board": "until one player, even with a check, has acted on the card in question",
    "pot": "until the pot is pushed",
}
HOLDS: Final[Mapping[Holds, str]] = {
    "nothing": "nothing",
    "street": "the next street; the open betting round goes on",
    "first-act": "the next act, while a step is due; the deal goes on",
    "everything": "everything: acts, keys and cards",
}
TAKES: Final[Mapping[Takes, str]] = {
    "exposed": "the exposed card",
    "extra": "the card too many, unseen",
    "card": "the card that came wrongly",
    "board": "every card on the board",
    "burnt": "the second burn, and what lies of its street",
    "early": "the one card",
    "nothing": "nothing",
}
CASES: Final[Mapping[str, str]] = {
    "extra-unseen": "a card too many lies at a seat, and nobody has seen it",
    "extra-seen": "a card too many lies at a seat, and it was seen, is the exposed one, or is not alone",
    "exposed-waits": "a card was exposed before, and its owner has no other yet",
    "four-cards": "four cards lie there",
    "face-down": "the cards lie face down",
    "street-lies": "cards of the street lie on the board already",
    "first": "it was the first card off the deck",
    "second": "it was the second card off the deck, where that is a misdeal at once",
    "again": "another card was exposed before",
    "unused-stub": "the card was found when the deck was gathered: it was not in play",
    "flop-betting": "the betting on the flop is not complete, and a first early card is out already",
    "out-of-shoe": "the stub was out of the shoe, on its way through a shuffle",
    "muck-alone": "no card lies in the burn tray",
    "burns-alone": "no card lies in the muck",
    "river-lies": "the river lies: no street follows",
}
PROOFS: Final[Mapping[str, str]] = {
    "seen": "an antenna sees it; where there is none, ACK",
    "ack": "ACK",
    "lies": "it comes to rest: an antenna sees it, else the order of the shoe says so",
    "feed": "the shuffler's reader finds that set and no other card",
    "loaded": "the shoe's lid is locked again over cards",
}
GAMES: Final = {"holdem": "hold'em", "omaha": "Omaha"}
_LANGUAGE: Final = "en"
_LABEL: Final = 9


@dataclass(frozen=True)
class _Line:
    """One thing said of a rule: where it begins, under which word, in what style on a terminal."""

    indent: int
    label: str
    text: str
    style: str = ""
    label_width: int = _LABEL

    @property
    def head(self) -> str:
        return " " * self.indent + (self.label.ljust(self.label_width) if self.label else "")


def print_rules(words: Sequence[str], *, as_json: bool) -> int:
    """Prints a rulebook, or one rule or remedy of it: the ruleset's name or file, then the id, each of which
    may be left out. Returns the exit status."""
    try:
        named, rule = _meant(words)
        book = rulebook_of_name_or_file(named)
        if rule is not None and rule not in book.rules and rule not in book.remedies:
            raise RuleNameError(_unknown(rule, book, named))
    except (RuleFileError, RuleNameError) as error:
        click.echo(f"cutcard rules: {error}", err=True)
        return WRONG_INPUT
    if as_json:
        click.echo(msgspec.json.encode(_as_data(book) if rule is None else _rule_as_data(book, rule)))
    elif sys.stdout.isatty():
        from rich.console import Console

        show(Console(highlight=False), book, rule)
    else:
        for text in plain(book, rule):
            click.echo(text)
    return 0


def _meant(words: Sequence[str]) -> tuple[str, str | None]:
    """The ruleset and the id that words on the command line mean."""
    if len(words) > 1:
        return words[0], words[1]
    if not words:
        return IN_FORCE, None
    return (words[0], None) if words[0] in RULESETS or names_file(words[0]) else (IN_FORCE, words[0])


def names() -> Sequence[str]:
    """What may stand first: the names of rulesets, and the ids of the one in force."""
    return *RULESETS, *ids_of(None)


def ids_of(ruleset: str | None) -> Sequence[str]:
    """The ids of the rules and remedies of a ruleset, or of the one in force; none of one that is wrong."""
    try:
        book = rulebook_of_name_or_file(ruleset or IN_FORCE)
    except RuleFileError:
        return ()
    return *book.rules, *book.remedies


def _unknown(rule: str, book: Rulebook, said: str) -> str:
    """That a rulebook, `said` so on the command line, has no such rule or remedy."""
    of_book = "" if said == IN_FORCE else f" {shlex.quote(said)}"
    listed = f"`cutcard rules{of_book}` lists those that there are"
    near = advice(rule, (*book.rules, *book.remedies), listed)
    return f"there is no rule or remedy {rule!r} in {book.name}{near}"


# For a pipe


def plain(book: Rulebook, rule: str | None = None) -> Iterator[str]:
    """The rulebook as aligned columns, a rule a line and then a remedy a line; of one of them all that there
    is to it. No line is cut."""
    if rule is not None:
        yield from (f"{line.head}{line.text}" for line in _lines_of(book, rule))
        return
    table = [COLUMNS, *_rows(book)]
    widths = [max(len(row[column]) for row in table) for column in range(len(COLUMNS))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    width = max(map(len, book.remedies))
    yield f"{'remedy'.ljust(width)}  what it is"
    for name, named in book.remedies.items():
        yield f"{name.ljust(width)}  {named.remedy.says}"


def _rows(book: Rulebook) -> list[tuple[str, str, str, str]]:
    return [
        (name, rule.trigger, _remedies_in_force(book, name), _general(book, name).source or rule.source)
        for name, rule in book.rules.items()
    ]


def _general(book: Rulebook, name: str) -> Rule | Case:
    """What a rule says in any case that is not told apart, as the switches are set."""
    return book.general_case(name) or book.rules[name]


def _remedies_in_force(book: Rulebook, name: str) -> str:
    """The remedy of a rule, and those of its cases that a switch has brought."""
    by_switch = [
        f"{case.case}: {case.remedy}"
        for case in book.rules[name].cases
        if case.case and case.when and book.switches.at(case.when)
    ]
    return "; ".join([_general(book, name).remedy, *by_switch])


# For a terminal


def show(console: "Console", book: Rulebook, rule: str | None = None) -> None:
    """The rulebook, or one rule of it, wrapped to the width of a terminal."""
    if rule is not None:
        _show_lines(console, _lines_of(book, rule))
        return
    console.print(f"{book.name}: {book.title}", style="bold", markup=False)
    if console.width >= TABLE_WIDTH:
        _show_table(console, book)
    else:
        for name, trigger, remedy, source in _rows(book):
            console.print()
            told = zip(COLUMNS[1:], (trigger, remedy, source), strict=True)
            _show_lines(console, [_Line(0, "", name, "bold"), *(_Line(2, *said) for said in told)])
    console.print()
    switches = ", ".join(f"{name} = {value}" for name, value in _switches(book).items())
    ending = (f"Remedies: {', '.join(book.remedies)}", f"Switches: {switches}", "More: cutcard rules ID")
    _show_lines(console, [_Line(0, "", line) for line in ending])


def _show_table(console: "Console", book: Rulebook) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, leading=1)
    for column in COLUMNS:
        table.add_column(column, no_wrap=column in ("id", "remedy"), style="bold" if column == "id" else "")
    for row in _rows(book):
        table.add_row(*row)
    console.print(table, markup=False)


def _show_lines(console: "Console", lines: Iterable[_Line]) -> None:
    from rich.text import Text

    for line in lines:
        room = max(console.width - len(line.head), 10)
        wrapped = textwrap.wrap(line.text, room, break_long_words=False, break_on_hyphens=False)
        for number, text in enumerate(wrapped or [""]):
            head = line.head if number == 0 else " " * len(line.head)
            console.print(Text(head, "bright_black"), Text(text, line.style), sep="", soft_wrap=True)


# One rule


def _lines_of(book: Rulebook, name: str) -> Iterator[_Line]:
    if name not in book.rules:
        yield _Line(0, "", name, "bold")
        yield _Line(2, "rules", ", ".join(_called_by(book, name)) or "none")
        yield from _remedy_lines(book, book.remedies[name], 2)
        return
    rule = book.rules[name]
    yield _Line(0, "", name, "bold")
    yield _Line(2, "trigger", rule.trigger)
    yield _Line(2, "window", f"{rule.window}: {_window_in_words(book, rule.window)}")
    if rule.window != "any":
        yield _Line(2, "later", book.remedies[rule.late].remedy.says)
    yield _Line(2, "games", ", ".join(GAMES[game] for game in rule.games))
    yield _Line(2, "takes", f"out of play at once: {TAKES[rule.takes]}")
    general = _general(book, name)
    yield from _by(general.by, 2)
    yield from _remedy_lines(book, book.remedies[general.remedy], 2)
    yield from _stands(general.source or rule.source, general.ours or rule.ours, 2)
    if general is not rule:
        yield _Line(2, "case", "the switches are set otherwise; not in force here", "bold")
        yield from _case_lines(book, rule)
    for case in rule.cases:
        if case is not general:
            in_force = "" if book.switches.at(case.when) else "; not in force here"
            yield _Line(2, "case", case_in_words(case) + in_force, "bold")
            yield from _case_lines(book, case)


def _case_lines(book: Rulebook, said: Rule | Case) -> Iterator[_Line]:
    yield from _by(said.by, 4)
    yield from _remedy_lines(book, book.remedies[said.remedy], 4)
    yield from _stands(said.source, said.ours, 4)


def _window_in_words(book: Rulebook, window: Window) -> str:
    return DEAL_WINDOWS[book.switches.deal_window] if window == "deal" else WINDOWS[window]


def case_in_words(case: Case) -> str:
    """What is the case, and how switches are set, where a rule has another remedy."""
    found = [f"{case.case}: {CASES[case.case]}"] if case.case else []
    return "; ".join([*found, *(f"the switch {name} is at {value}" for name, value in case.when.items())])


def _by(by: By, indent: int) -> Iterator[_Line]:
    if by == "floor":
        yield _Line(indent, "by", "the floor: the table is halted until it decides")


def _stands(source: str, ours: str, indent: int) -> Iterator[_Line]:
    if source:
        yield _Line(indent, "source", source)
    if ours:
        yield _Line(indent, "ours", ours)


def _called_by(book: Rulebook, remedy: str) -> list[str]:
    """The rules that have this remedy, in one case or another."""
    return [name for name, rule in book.rules.items() if remedy in rule.remedies]


def _remedy_lines(book: Rulebook, named: NamedRemedy, indent: int) -> Iterator[_Line]:
    yield _Line(indent, "remedy", f"{named.name}: {named.remedy.says}", "bold")
    yield _Line(indent, "holds", HOLDS[named.remedy.holds])
    for number, step in enumerate(named.remedy.steps, start=1):
        yield _Line(indent + 2, f"{number}.", step.says, label_width=3)
        for label, words in _asked(book, step):
            yield _Line(indent + 5, label, words, "bright_black")


def _asked(book: Rulebook, step: Step) -> Iterator[tuple[str, str]]:
    """What the dealer is asked for in a step, and what proves it."""
    prompts = prompts_of(book, _LANGUAGE)
    for field in ("prompt", "from_burn", "from_muck", "by_hand"):
        code = getattr(step, field, None)
        if code is not None:
            when = _BY_HAND if field == "prompt" and isinstance(step, Burn) else _WHEN[field]
            yield "prompt", f"{code}: {prompts.looks[code].glyph} {prompts.words.text[code]}{when}"
    command = getattr(step, "command", None)
    if command is not None:
        yield "command", str(command)
    proof = getattr(step, "proof", None)
    if proof is not None:
        yield "proof", f"{proof}: {PROOFS[proof]}"


_BY_HAND: Final = " (where the shoe has no burner)"
_WHEN: Final = {
    "prompt": "",
    "from_burn": " (where it lies in the burn tray by now)",
    "from_muck": " (where it lies in the muck)",
    "by_hand": " (a set too small for the machine)",
}


# For a machine


def _switches(book: Rulebook) -> dict[str, object]:
    return msgspec.structs.asdict(book.switches)


def _as_data(book: Rulebook) -> dict[str, object]:
    return {
        "name": book.name,
        "title": book.title,
        "switches": _switches(book),
        "rules": dict(book.rules),
        "remedies": {name: named.remedy for name, named in book.remedies.items()},
        "words": dict(book.words),
    }


def _rule_as_data(book: Rulebook, name: str) -> dict[str, object]:
    if name not in book.rules:
        return {"id": name, "rules": _called_by(book, name), "remedies": {name: book.remedies[name].remedy}}
    rule: Rule = book.rules[name]
    used = dict.fromkeys(rule.remedies)
    return {
        "id": name,
        **msgspec.structs.asdict(rule),
        "remedies": {remedy: book.remedies[remedy].remedy for remedy in used},
    }
