"""A rulebook: what is ruled on, by which remedy and until when. `reading` reads it from a ruleset's file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from controller.remedies.steps import Floor, NamedRemedy
from controller.rulesets.known import Takes, Window

ButtonRule = Literal["moving", "dead"]
"""`moving`: the button goes to the next player. `dead`: the big blind does, and the button and the small
blind follow it, even to a seat that nobody holds."""
DealWindow = Literal["two-acts", "substantial-action"]
By = Literal["table", "floor"]
GameName = Literal["holdem", "omaha"]

MOST_SETTLE_MS: Final = 60_000
REMEDIES_LISTED: Final = "`cutcard rules` lists those that there are"
"""What somebody is told who names a rule or a remedy that there is not."""
TOO_LATE: Final = "floor"
"""The remedy of whatever is found after its window has closed, where its rule says nothing else."""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule says where something else is the case as well, or a switch is set so.

    `case` is one of the irregularity's cases, empty for any; `when` are switches with the value that they
    must have. `by` is who has it done. `ours` says what in it no source has, and is this table's own choice.
    """

    remedy: str
    by: By = "table"
    case: str = ""
    when: dict[str, int | str] = {}
    source: str = ""
    ours: str = ""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the rulebook: what happened, until when it can be put right, and how.

    Of `cases` the first that fits stands in the place of `remedy`; `late` is done once the window has closed.
    `by` is who has the remedy done: the table at once, or the floor, for whom the table is halted. `ours`
    says what in the rule no source has, and is this table's own choice; empty for nothing.
    """

    trigger: str
    window: Window
    remedy: str
    takes: Takes
    games: tuple[GameName, ...]
    source: str
    ours: str = ""
    late: str = TOO_LATE
    by: By = "table"
    cases: tuple[Case, ...] = ()

    @property
    def remedies(self) -> tuple[str, ...]:
        """Names of all remedies that it may call for."""
        return (self.remedy, *(case.remedy for case in self.cases), self.late)


class Switches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Choices of a ruleset (docs/rules.md, "Switches"). `settle_ms` is 0 to 60,000 ms of the shoe's time."""

    settle_ms: int = 2_000
    deal_window: DealWindow = "two-acts"
    instant_misdeal_cards: Literal[1, 2] = 1
    extra_card_first_player: Literal["burn", "misdeal"] = "burn"
    extra_card_other_seat: Literal["misdeal", "burn"] = "misdeal"
    overfull_flop: Literal["redeal", "scramble"] = "redeal"
    premature_turn: Literal["natural-river", "reshuffle-now"] = "natural-river"
    joker: Literal["scrap", "misdeal"] = "scrap"
    burn_on_redeal: Literal["no", "yes"] = "no"
    play_board: Literal["declare", "table-all-cards"] = "declare"
    button_rule: ButtonRule = "moving"
    limit_cap_heads_up: Literal["capped", "uncapped"] = "capped"

    def at(self, values: Mapping[str, int | str]) -> bool:
        """Whether all of these switches have these values."""
        return all(getattr(self, name) == value for name, value in values.items())


@dataclass(frozen=True)
class Answer:
    """What a rulebook says of one irregularity as it was found: the remedy, where it stands, what in it is
    this table's own choice, and by whom it is done."""

    named: NamedRemedy
    source: str
    ours: str
    by: By = "table"


def _done_by(by: By, named: NamedRemedy) -> NamedRemedy:
    """A remedy as the table has it done, or with the floor's decision before it."""
    if by == "table":
        return named
    steps = (Floor(says="The table is halted until the floor decides."), *named.remedy.steps)
    whole = msgspec.structs.replace(named.remedy, steps=steps, holds="everything")
    return NamedRemedy(named.name, whole)


@dataclass(frozen=True)
class Rulebook:
    """The rules in force at a table, with the remedies that they call by name.

    `words` are texts of prompts, by language and code, that the ruleset has in the place of the product's.
    """

    name: str
    title: str
    switches: Switches
    rules: Mapping[str, Rule]
    remedies: Mapping[str, NamedRemedy]
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def general_case(self, name: str) -> Case | None:
        """What the switches make of a rule, whatever the case is; None where its own remedy is in force."""
        return next((c for c in self.rules[name].cases if not c.case and self.switches.at(c.when)), None)

    def answer(self, name: str, case: str, window: Literal["open", "closed"] = "open") -> Answer:
        """What is said of an irregularity in a case, as long as its window is open or once it has closed."""
        rule = self.rules[name]
        if window == "closed":
            return Answer(self.remedies[rule.late], rule.source, rule.ours)
        for found in rule.cases:
            if found.case in ("", case) and self.switches.at(found.when):
                named = _done_by(found.by, self.remedies[found.remedy])
                return Answer(named, found.source or rule.source, found.ours or rule.ours, found.by)
        return Answer(_done_by(rule.by, self.remedies[rule.remedy]), rule.source, rule.ours, rule.by)
