"""A rulebook: what is ruled on, by which remedy and until when, read from a ruleset's file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from controller import tomlfile
from controller.remedies.steps import NamedRemedy, RuleError
from controller.tomlfile import line_of

Window = Literal["deal", "board", "pot"]
Takes = Literal["exposed", "extra", "board", "early", "nothing"]
ButtonRule = Literal["moving", "dead"]
"""`moving`: the button goes to the next player. `dead`: the big blind does, and the button and the small
blind follow it, even to a seat that nobody holds."""
GameName = Literal["holdem", "omaha"]

MOST_SETTLE_MS = 60_000
TOO_LATE = "floor"
"""The remedy of whatever is found after its window has closed."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the rulebook: what happened, until when it can be put right, and how."""

    trigger: str
    window: Window
    remedy: str
    takes: Takes
    games: tuple[GameName, ...]
    source: str
    cases: dict[str, str] = {}


class Switches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices of a ruleset. `settle_ms` is 0 to 60,000 ms of the shoe's time."""

    settle_ms: int = 2_000
    deal_window: Literal["two-acts"] = "two-acts"
    extra_card_other_seat: Literal["misdeal", "burn"] = "misdeal"
    button_rule: ButtonRule = "moving"
    limit_cap_heads_up: Literal["capped", "uncapped"] = "capped"


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    switches: Switches = Switches()


@dataclass(frozen=True)
class Rulebook:
    """The rules in force at a table, with the remedies that they call by name."""

    name: str
    title: str
    switches: Switches
    rules: Mapping[str, Rule]
    remedies: Mapping[str, NamedRemedy]

    def remedy(self, rule: str, case: str) -> NamedRemedy:
        """What is done about an irregularity in a case; the rule's own remedy for any other case."""
        found = self.rules[rule]
        return self.remedies[found.cases.get(case, found.remedy)]

    def switched(self, rule: str) -> str:
        """The case that a switch makes of a rule, empty where it is at its printed setting."""
        other = rule == "extra-card-other-seat" and self.switches.extra_card_other_seat == "burn"
        return "switched" if other else ""

    @property
    def too_late(self) -> NamedRemedy:
        """What is done once the window of a rule has closed."""
        return self.remedies[TOO_LATE]


@dataclass(frozen=True)
class Irregularity:
    """What the table tells apart by itself: what it takes out of play, its window, the cases it is found in.

    `about` says which remedies can put it right: for the deal, for the board, or for a claim to the pot.
    """

    about: Literal["deal", "board", "claim"]
    takes: Takes
    window: Window
    cases: frozenset[str] = frozenset()


_EXTRA_SEEN: Final = frozenset({"extra-unseen", "extra-seen"})
_EXPOSED: Final = Irregularity("deal", "exposed", "deal", _EXTRA_SEEN)
_WHOLE_BOARD: Final = Irregularity("board", "board", "board")
_ONE_CARD: Final = Irregularity("board", "early", "board")

KNOWN: Final[Mapping[str, Irregularity]] = {
    "exposed-first-hole-card": _EXPOSED,
    "exposed-later-hole-card": _EXPOSED,
    "exposed-two-or-more": _EXPOSED,
    "extra-card-first-player": Irregularity("deal", "extra", "deal", frozenset({"exposed-waits"})),
    "extra-card-other-seat": Irregularity("deal", "extra", "deal", frozenset({"exposed-waits", "switched"})),
    "extra-cards-two-plus": Irregularity("deal", "extra", "deal", frozenset({"exposed-waits"})),
    "overfull-flop": _WHOLE_BOARD,
    "premature-flop": _WHOLE_BOARD,
    "flop-no-burn": _WHOLE_BOARD,
    "turn-no-burn": _ONE_CARD,
    "river-no-burn": _ONE_CARD,
    "premature-turn": _ONE_CARD,
    "premature-river": Irregularity("board", "early", "board", frozenset({"flop-betting"})),
    "board-not-declared": Irregularity("claim", "nothing", "pot"),
}
"""Every irregularity that the table tells apart."""


def read_rulebook(source: str, file: str, remedies: Mapping[str, NamedRemedy]) -> Rulebook:
    """The rulebook in a ruleset's text. Raises RuleError, which names the line that is wrong."""
    try:
        tables = tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise RuleError(file, error.line, str(error)) from None
    listed = tables.pop("rule", {})
    try:
        head = msgspec.convert(tables, _Head)
    except msgspec.ValidationError as error:
        raise RuleError(file, line_of(source, *_keys(str(error))), str(error)) from None
    if not 0 <= head.switches.settle_ms <= MOST_SETTLE_MS:
        why = f"settle_ms is 0 to {MOST_SETTLE_MS} ms"
        raise RuleError(file, line_of(source, "switches", "settle_ms"), why)
    rules: dict[str, Rule] = {}
    for name, table in listed.items() if isinstance(listed, dict) else ():
        line = line_of(source, "rule", name)
        try:
            rules[name] = msgspec.convert(table, Rule)
        except msgspec.ValidationError as error:
            raise RuleError(file, line, f"{name}: {error}") from None
        why = _wrong_rule(name, rules[name], remedies)
        if why:
            raise RuleError(file, line, f"{name}: {why}")
    for missing in sorted(KNOWN.keys() - rules.keys()):
        raise RuleError(file, line_of(source, "rule"), f"there is no rule {missing}")
    other = rules["extra-card-other-seat"]
    if head.switches.extra_card_other_seat == "burn" and "switched" not in other.cases:
        why = 'extra-card-other-seat: the switch is at "burn", and there is no remedy for the case switched'
        raise RuleError(file, line_of(source, "rule", "extra-card-other-seat"), why)
    return Rulebook(head.name, head.title, head.switches, rules, remedies)


def _keys(error: str) -> list[str]:
    """The keys that an error of msgspec speaks of, from the outermost in."""
    why, _, at = error.partition(" - at ")
    return [*re.findall(r"\.(\w+)", at), *re.findall(r"field `(\w+)`", why)]


def _wrong_rule(name: str, rule: Rule, remedies: Mapping[str, NamedRemedy]) -> str:
    """What is wrong with a rule although its fields are right; empty where nothing is."""
    known = KNOWN.get(name)
    if known is None:
        return "the table tells no such irregularity apart"
    if not rule.games:
        return "it is for no game"
    if rule.takes != known.takes:
        return f"it takes {known.takes}, not {rule.takes}"
    if rule.window != known.window:
        return f"its window is {known.window}, not {rule.window}"
    unknown = sorted(rule.cases.keys() - known.cases)
    if unknown:
        return f"it is never found in the case {unknown[0]}"
    for remedy in (rule.remedy, *rule.cases.values(), TOO_LATE):
        if remedy not in remedies:
            return f"there is no remedy {remedy}"
        foreign = sorted(about for about in remedies[remedy].remedy.about if about != known.about)
        if foreign:
            return f"the remedy {remedy} is for the {foreign[0]}, this happens to the {known.about}"
    return ""
