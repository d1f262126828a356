"""Reading a ruleset's file: its own rules, those of the ruleset that it extends, and what is wrong in it.

A ruleset that extends another says only what differs: a switch, a field of a rule, a remedy. Errors name the
line of the file in which the wrong thing stands.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

import msgspec

from controller import tomlfile
from controller.remedies.steps import NamedRemedy, RuleError, read_remedy_tables
from controller.rulesets.book import MOST_SETTLE_MS, Case, Rule, Rulebook, Switches
from controller.rulesets.known import KNOWN
from controller.rulesets.proof import unproved
from controller.tomlfile import line_of

_TABLES: Final = frozenset({"name", "title", "extends", "switches", "rule", "remedy", "words"})


@dataclass(frozen=True)
class Ruleset:
    """What stands in one file, and the file that it extends, if any."""

    file: str
    source: str
    name: str
    title: str
    switches: Mapping[str, object]
    rules: Mapping[str, Mapping[str, object]]
    remedies: Mapping[str, object]
    words: Mapping[str, Mapping[str, str]]
    extends: "Ruleset | None" = field(default=None, repr=False)

    def line(self, *path: str) -> int:
        """The line on which a key stands, as far into its path as the file has it."""
        return line_of(self.source, *path)

    def error(self, why: str, *path: str) -> RuleError:
        """Something wrong in this file, at a key."""
        return RuleError(self.file, self.line(*path), why)


def read_ruleset(source: str, file: str, other: Callable[[str], "Ruleset"]) -> Ruleset:
    """What stands in a ruleset's text; `other` gives the ruleset of a name.

    Raises RuleError, which names the line that is wrong; KeyError of `other` for a name that it does not have
    becomes one.
    """
    try:
        tables = tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise RuleError(file, error.line, str(error)) from None
    unknown = sorted(tables.keys() - _TABLES)
    if unknown:
        raise RuleError(
            file, line_of(source, unknown[0]), f"there is no key {unknown[0]} in a ruleset's file"
        )
    extends = None
    if (base := tables.get("extends")) is not None:
        try:
            extends = other(str(base))
        except KeyError as error:
            raise RuleError(
                file, line_of(source, "extends"), f"there is no ruleset {base}: {error.args[0]}"
            ) from None
    return Ruleset(
        file,
        source,
        name=_text(tables, "name", file, source),
        title=_text(tables, "title", file, source),
        switches=_table(tables, file, source, "switches"),
        rules={
            name: _table(tables, file, source, "rule", name) for name in _table(tables, file, source, "rule")
        },
        remedies=_table(tables, file, source, "remedy"),
        words={
            language: _words(tables, file, source, language)
            for language in _table(tables, file, source, "words")
        },
        extends=extends,
    )


def _text(tables: Mapping[str, object], key: str, file: str, source: str) -> str:
    value = tables.get(key)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise RuleError(file, line_of(source, key), f"{key}: a ruleset has one, in printable letters")
    return value


def _table(tables: Mapping[str, object], file: str, source: str, *path: str) -> Mapping[str, object]:
    found: object = tables
    for key in path:
        found = found.get(key, {}) if isinstance(found, dict) else found
    if not isinstance(found, dict):
        raise RuleError(file, line_of(source, *path), f"{'.'.join(path)} is a table")
    return found


def _words(tables: Mapping[str, object], file: str, source: str, language: str) -> Mapping[str, str]:
    texts = {}
    for code, text in _table(tables, file, source, "words", language).items():
        if not isinstance(text, str):
            raise RuleError(file, line_of(source, "words", language, code), f"{code}: a text is wanted")
        texts[code] = text
    return texts


def rulebook_of(ruleset: Ruleset, remedies: Mapping[str, NamedRemedy], prompts: frozenset[str]) -> Rulebook:
    """The rulebook that a ruleset makes, with what it extends; `remedies` are those that every ruleset has.

    Raises RuleError: an unknown key, a switch with no such value, a remedy that loses a card.
    """
    line = _lineage(ruleset)
    for each in line:
        own = read_remedy_tables(dict(each.remedies), each.source, each.file, prompts, under=("remedy",))
        remedies = {**remedies, **own}
    switches = _switches(line)
    remedies = {name: _in_force(named, switches, line) for name, named in remedies.items()}
    rules = {name: _rule(line, name, remedies) for name in _names(line)}
    for missing in sorted(KNOWN.keys() - rules.keys()):
        raise ruleset.error(f"there is no rule {missing}", "rule")
    words: dict[str, dict[str, str]] = {}
    for each in line:
        for language, texts in each.words.items():
            words.setdefault(language, {}).update(texts)
    return Rulebook(ruleset.name, ruleset.title, switches, rules, remedies, words)


def _in_force(named: NamedRemedy, switches: Switches, line: list[Ruleset]) -> NamedRemedy:
    """A remedy with those of its steps that the switches let stand."""
    for step in named.remedy.steps:
        for name, value in step.when.items():
            if why := wrong_switch(name, value):
                own = next((each for each in reversed(line) if named.name in each.remedies), line[-1])
                raise own.error(f"{named.name}: {why}", "remedy", named.name)
    steps = tuple(step for step in named.remedy.steps if switches.at(step.when))
    return NamedRemedy(named.name, msgspec.structs.replace(named.remedy, steps=steps))


def _lineage(ruleset: Ruleset) -> list[Ruleset]:
    """The rulesets from the one that extends none to this one."""
    line = [ruleset]
    while line[0].extends is not None:
        line.insert(0, line[0].extends)
    return line


def _names(line: list[Ruleset]) -> list[str]:
    """Ids of all rules, in the order of the table of irregularities, unknown ones behind."""
    named = dict.fromkeys(name for each in line for name in each.rules)
    return [*(name for name in KNOWN if name in named), *(name for name in named if name not in KNOWN)]


def _switches(line: list[Ruleset]) -> Switches:
    values: dict[str, object] = {}
    for each in line:
        values |= each.switches
        for name, value in each.switches.items():
            why = wrong_switch(name, value)
            if why:
                raise each.error(why, "switches", name)
    return msgspec.convert(values, Switches)


def wrong_switch(name: str, value: object) -> str:
    """Why a switch cannot be set so, naming what there is; empty where it can."""
    fields = {known.name: known for known in msgspec.structs.fields(Switches)}
    if name not in fields:
        return f"there is no switch {name}; the switches are {', '.join(fields)}"
    if name == "settle_ms":
        whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SETTLE_MS
        return "" if whole else f"settle_ms is a whole number of milliseconds, 0 to {MOST_SETTLE_MS}"
    allowed = get_args(fields[name].type)
    if value in allowed and not isinstance(value, bool):
        return ""
    return f"{name} is {' or '.join(map(str, allowed))}, not {value}"


def _rule(line: list[Ruleset], name: str, remedies: Mapping[str, NamedRemedy]) -> Rule:
    """One rule: its fields from the first ruleset that has it, changed by those that follow."""
    table: dict[str, object] = {}
    for each in line:
        table |= each.rules.get(name, {})
    last = next(each for each in reversed(line) if name in each.rules)
    if name not in KNOWN:
        raise last.error(f"{name}: the table tells no such irregularity apart", "rule", name)
    try:
        rule = msgspec.convert(table, Rule)
    except msgspec.ValidationError as error:
        keys = re.findall(r"\.(\w+)", str(error).partition(" - at ")[2])
        named = re.findall(r"field `(\w+)`", str(error))
        raise last.error(f"{name}: {error}", "rule", name, *keys, *named) from None
    why = _wrong_rule(name, rule, remedies)
    if why is not None:
        raise last.error(f"{name}: {why[1]}", "rule", name, *why[0])
    return rule


_Wrong = tuple[tuple[str, ...], str]


def _wrong_rule(name: str, rule: Rule, remedies: Mapping[str, NamedRemedy]) -> _Wrong | None:
    """Where in a rule something is wrong although its fields are right, and what; None where nothing is."""
    known = KNOWN[name]
    if not rule.games:
        return ("games",), "it is for no game"
    if not rule.trigger.strip() or not rule.source.strip():
        return ("trigger",), "a rule says in words what happened, and where it stands"
    if rule.takes not in known.takes:
        return ("takes",), f"it takes {' or '.join(sorted(known.takes))}, not {rule.takes}"
    if rule.window not in known.windows:
        return ("window",), f"its window is {' or '.join(sorted(known.windows))}, not {rule.window}"
    for case in rule.cases:
        why = _wrong_case(case, known.cases)
        if why:
            return ("cases",), why
    for remedy in rule.remedies:
        if remedy not in remedies:
            return ("remedy",), f"there is no remedy {remedy}"
    return _unproved(name, rule, remedies)


def _wrong_case(case: Case, known: frozenset[str]) -> str:
    if case.case and case.case not in known:
        return f"it is never found in the case {case.case}"
    if not case.case and not case.when:
        return "a case names what is the case, or the switches that make it"
    return next((why for name, value in case.when.items() if (why := wrong_switch(name, value))), "")


def _unproved(name: str, rule: Rule, remedies: Mapping[str, NamedRemedy]) -> _Wrong | None:
    """Proves, of all that a rule may have done, however the switches are set, that no card is lost."""
    known = KNOWN[name]
    for case in ("", *sorted(known.cases)):
        for remedy in dict.fromkeys(_said(rule, case)):
            why = unproved(known, rule.takes, case, remedies[remedy])
            if why is not None:
                found = f" in the case {case}" if case else ""
                return ("remedy",), f"the remedy {remedy}{found}: {why}"
    why = unproved(known, rule.takes, "", remedies[rule.late], "closed")
    return (("late",), f"the remedy {rule.late}, once the window has closed: {why}") if why else None


def _said(rule: Rule, case: str) -> Iterator[str]:
    """Names of the remedies that a rule may have in a case, as switches are set."""
    for said in rule.cases:
        if said.case in ("", case):
            yield said.remedy
            if not said.when:
                return
    yield rule.remedy
