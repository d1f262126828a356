"""The rulebook that a ruleset makes with those that it extends, and all that is wrong in it.

Rules are joined field by field, remedies and texts whole; then each is checked by itself, and every remedy is
proved for every rule and case that calls for it (`proof`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, get_args

import msgspec

from controller.mistakes import Mistake, advice, mistake, no_such
from controller.prompts import LANGUAGES
from controller.prompts.catalogue import Catalogue
from controller.remedies.steps import NamedRemedy, RuleError, Step, read_remedy_tables
from controller.rulesets.book import MOST_SETTLE_MS, REMEDIES_LISTED, Case, Rule, Rulebook, Switches
from controller.rulesets.known import KNOWN
from controller.rulesets.proof import Found, Refusal, unproved
from controller.rulesets.reading import MOST_WRONG, Ruleset, RulesetError

_SWITCHES: Final = {field.name: field for field in msgspec.structs.fields(Switches)}


def rulebook_of(
    ruleset: Ruleset,
    remedies: Mapping[str, NamedRemedy],
    prompts: frozenset[str],
    catalogue: Callable[[str], Catalogue],
) -> Rulebook:
    """The rulebook that a ruleset makes, with what it extends.

    `remedies` are those that every ruleset has, `prompts` the codes that a step may ask with, `catalogue`
    gives the product's own texts in a language. Raises RulesetError: an unknown key, a switch with no such
    value, a remedy that loses a card, a text that has no room.
    """
    return _Joining(ruleset, remedies, prompts, catalogue).rulebook()


class _Joining:
    """One ruleset on its way to a rulebook, and what was found wrong so far."""

    def __init__(
        self,
        ruleset: Ruleset,
        remedies: Mapping[str, NamedRemedy],
        prompts: frozenset[str],
        catalogue: Callable[[str], Catalogue],
    ) -> None:
        self._line = [ruleset]
        while (base := self._line[0].extends) is not None:
            self._line.insert(0, base)
        self._own = ruleset
        self._remedies = dict(remedies)
        self._has: dict[str, Ruleset] = {}
        """Which file a remedy stands in; none for those that every ruleset has."""
        self._steps: dict[str, tuple[Step, ...]] = {}
        """Every remedy's steps as they stand in its file, those too that no switch lets stand."""
        self._broken: set[str] = set()
        self._prompts = prompts
        self._catalogue = catalogue
        self._told: set[tuple[str, str]] = set()
        self._wrong: list[RuleError] = []

    def rulebook(self) -> Rulebook:
        """The rulebook. Raises RulesetError."""
        switches = self._switches()
        self._read_remedies(switches)
        rules = {name: rule for name in self._names() if (rule := self._rule(name, switches)) is not None}
        words = self._words()
        if self._wrong:
            raise RulesetError(sorted(self._wrong[:MOST_WRONG], key=lambda wrong: wrong.line))
        return Rulebook(self._own.name, self._own.title, switches, rules, self._remedies, words)

    # Switches

    def _switches(self) -> Switches:
        values: dict[str, object] = {}
        for each in self._line:
            for name, value in each.switches.items():
                why = wrong_switch(name, value)
                if why:
                    self._wrong.append(each.error(why, "switches", name))
                else:
                    values[name] = value
        return msgspec.convert(values, Switches)

    # Remedies

    def _read_remedies(self, switches: Switches) -> None:
        """Takes every file's own remedies, and of all of them the steps that the switches let stand."""
        for each in self._line:
            for name, table in each.remedies.items():
                try:
                    read = read_remedy_tables(
                        {name: table}, each.source, each.file, self._prompts, under=("remedy",)
                    )
                except RuleError as error:
                    self._wrong.append(error)
                    self._broken.add(name)
                else:
                    self._remedies |= read
                    self._has[name] = each
        for name, named in self._remedies.items():
            self._steps[name] = named.remedy.steps
            self._remedies[name] = self._in_force(named, switches)

    def _in_force(self, named: NamedRemedy, switches: Switches) -> NamedRemedy:
        for number, step in enumerate(named.remedy.steps):
            for name, value in step.when.items():
                if why := wrong_switch(name, value):
                    has = self._has.get(named.name, self._own)
                    path = ("remedy", named.name, "steps")
                    self._wrong.append(has.error_in(f"{named.name}: {why}", path, number, "when"))
                    return named
        steps = tuple(step for step in named.remedy.steps if switches.at(step.when))
        return NamedRemedy(named.name, msgspec.structs.replace(named.remedy, steps=steps))

    # Rules

    def _names(self) -> list[str]:
        """Ids of all rules, in the order of the table of irregularities; those that cannot be are told."""
        named = {name: each for each in self._line for name in each.rules}
        for name, each in named.items():
            if name not in KNOWN and len(self._wrong) < MOST_WRONG:
                why = no_such(name, KNOWN, what="rule", listed=REMEDIES_LISTED)
                self._wrong.append(each.error(why, "rule", name))
        missing = [name for name in KNOWN if name not in named]
        if missing:
            why = f"there is no rule {', '.join(missing)}; say it, or extend a ruleset that has it"
            self._wrong.append(self._own.error(why, "rule"))
        return [name for name in KNOWN if name in named]

    def _rule(self, name: str, switches: Switches) -> Rule | None:
        """One rule: its fields from the first ruleset that has it, changed by those that follow."""
        table: dict[str, object] = {}
        for each in self._line:
            said = each.rules.get(name, {})
            if "remedy" in said:
                table.pop("ours", None)  # what was said of another remedy
            table |= said
        try:
            rule = msgspec.convert(table, Rule)
        except msgspec.ValidationError as error:
            self._wrong.append(self._wrong_field(name, mistake(error, table, Rule)))
            return None
        before = len(self._wrong)
        self._check_fields(name, rule)
        for number, case in enumerate(rule.cases):
            self._check_case(name, number, case)
        if len(self._wrong) == before:
            self._check_stands(name, rule, switches)
            self._prove(name, rule)
        return rule

    def _check_stands(self, name: str, rule: Rule, switches: Switches) -> None:
        """A remedy that a file says is not put aside by a case that it has only inherited."""
        said = self._own.rules.get(name, {})
        if "remedy" not in said or "cases" in said:
            return
        by_switch = (case for case in rule.cases if case.when and switches.at(case.when))
        over = next((case for case in by_switch if case.remedy != rule.remedy), None)
        if over is not None:
            set_so = " and ".join(f"{switch} = {value}" for switch, value in over.when.items())
            why = f"with {set_so}, {over.remedy} stands before it: set the switch, or say `cases` as well"
            self._note(name, f"remedy: {why}", "remedy")

    def _teller(self, name: str, *keys: str) -> Ruleset:
        """The last of the files that say this of a rule."""
        said = [each for each in self._line if not keys or keys[0] in each.rules.get(name, {})]
        told = [each for each in self._line if name in each.rules]
        return (said or told or [self._own])[-1]

    def _note(self, name: str, why: str, *keys: str) -> None:
        self._wrong.append(self._teller(name, *keys).error(f"{name}: {why}", "rule", name, *keys))

    def _wrong_field(self, name: str, wrong: Mistake) -> RuleError:
        """A field of a rule, or of one of its cases, that is not what it must be."""
        field, *below = wrong.path or ("",)
        case = f"case {below[0] + 1}: " if below and isinstance(below[0], int) and field == "cases" else ""
        teller = self._teller(name, str(field))
        return teller.error_at(f"{name}: {case}{wrong.told}", ("rule", name, *wrong.path))

    def _check_fields(self, name: str, rule: Rule) -> None:
        known = KNOWN[name]
        if not rule.games:
            self._note(name, "it is for no game", "games")
        if not rule.trigger.strip():
            self._note(name, "a rule says in words what happened", "trigger")
        if not rule.source.strip():
            self._note(name, "a rule says where it stands", "source")
        if rule.takes not in known.takes:
            self._note(name, f"it takes {' or '.join(sorted(known.takes))}, not {rule.takes}", "takes")
        if rule.window not in known.windows:
            self._note(
                name, f"its window is {' or '.join(sorted(known.windows))}, not {rule.window}", "window"
            )
        for key, remedy in (("remedy", rule.remedy), ("late", rule.late)):
            if not self._there_is(remedy):
                self._note(name, self._no_remedy(remedy, key), key)

    def _check_case(self, name: str, number: int, case: Case) -> None:
        known = KNOWN[name].cases
        wrong: list[tuple[str, str]] = []
        if case.case and case.case not in known:
            near = advice(case.case, sorted(known))
            wrong.append((f"it is never found in the case {case.case}{near}", "case"))
        if not case.case and not case.when:
            wrong.append(("a case names what is the case, or the switches that make it", "remedy"))
        wrong += [(why, "when") for switch in case.when.items() if (why := wrong_switch(*switch))]
        if not self._there_is(case.remedy):
            wrong.append((self._no_remedy(case.remedy, "remedy"), "remedy"))
        teller = self._teller(name, "cases")
        for why, key in wrong:
            self._wrong.append(teller.error_in(f"{name}: {why}", ("rule", name, "cases"), number, key))

    def _instead(self, remedy: str) -> str | None:
        """What stands in the place of a remedy where no antenna sees which card was picked."""
        named = self._remedies.get(remedy)
        return named.remedy.unseen if named is not None else None

    def _no_remedy(self, remedy: str, key: str) -> str:
        there_are = sorted({*self._remedies, *self._broken})
        return f"{key}: {no_such(remedy, there_are, what='remedy', listed=REMEDIES_LISTED)}"

    def _there_is(self, remedy: str) -> bool:
        return remedy in self._remedies or remedy in self._broken

    # The proof

    def _prove(self, name: str, rule: Rule) -> None:
        """Proves, of all that a rule may have done, however the switches are set, that no card is lost."""
        for case in ("", *sorted(KNOWN[name].cases)):
            for key, remedy in _said(rule, case):
                self._prove_one(name, rule, case, remedy, key)
        self._prove_one(name, rule, "", rule.late, ("late", None), "closed")

    def _prove_one(
        self,
        name: str,
        rule: Rule,
        case: str,
        remedy: str,
        key: tuple[str, int | None],
        window: Found = "open",
    ) -> None:
        if remedy in self._broken:
            return
        instead = self._instead(remedy)
        wrong = self._wrong_instead(instead) if instead is not None else ""
        if instead is not None and not wrong:
            self._prove_one(name, rule, case, instead, key, window)
        elif instead is not None and (remedy, wrong) not in self._told:
            self._told.add((remedy, wrong))
            own = remedy if remedy in self._has else instead
            has = self._has.get(own, self._own)
            self._wrong.append(has.error(f"{remedy}: {wrong}", "remedy", own, "unseen"))
        refusal = unproved(KNOWN[name], rule.takes, case, self._remedies[remedy], window)
        if refusal is not None and refusal.step:
            at_fault = self._remedies[remedy].remedy.steps[refusal.step - 1]
            number = next(n for n, step in enumerate(self._steps[remedy], start=1) if step is at_fault)
            refusal = replace(refusal, step=number)
        if refusal is None or (remedy, str(refusal)) in self._told:
            return
        self._told.add((remedy, str(refusal)))  # once, not for every rule that calls for it
        found = f" in the case {case}" if case else ""
        late = ", once the window has closed" if window == "closed" else ""
        why = f"{name}: the remedy {remedy}{found}{late}: {refusal}"
        self._wrong.append(self._blamed(name, remedy, key, refusal, why))

    def _wrong_instead(self, instead: str) -> str:
        """Why a remedy cannot stand in the place of one of which no antenna sees the picked card; empty where
        it can."""
        if not self._there_is(instead):
            return self._no_remedy(instead, "unseen")
        return f"{instead} has a card picked as well" if self._instead(instead) is not None else ""

    def _blamed(
        self, name: str, remedy: str, key: tuple[str, int | None], refusal: Refusal, why: str
    ) -> RuleError:
        """The step of the file's own remedy that is wrong, else where the rule calls for it."""
        field, number = key
        teller = self._teller(name, field)
        has = self._has.get(remedy)
        if has is not None and self._line.index(has) >= self._line.index(teller):
            if refusal.step:
                return has.error_in(why, ("remedy", remedy, "steps"), refusal.step - 1)
            if has is not teller or not refusal.foreign:
                return has.error(why, "remedy", remedy)
        if teller is not self._own and name in self._own.rules:
            return self._own.error(why, "rule", name, "takes")  # what stood there before did not lose a card
        if number is not None:
            return teller.error_in(why, ("rule", name, field), number, "remedy")
        return teller.error(why, "rule", name, field)

    # Words

    def _words(self) -> dict[str, dict[str, str]]:
        words: dict[str, dict[str, str]] = {}
        for each in self._line:
            for language, texts in each.words.items():
                if language not in LANGUAGES:
                    why = no_such(language, LANGUAGES, what="language")
                    self._wrong.append(each.error(f"words: {why}", "words", language))
                    continue
                for code, text in list(texts.items())[:MOST_WRONG]:
                    why = self._catalogue(language).wrong(code, text)
                    if why:
                        self._wrong.append(each.error(f"{code}{why}", "words", language, code))
                    else:
                        words.setdefault(language, {})[code] = str(text)
        return words


def wrong_switch(name: str, value: object) -> str:
    """Why a switch cannot be set so, naming what there is; empty where it can."""
    if name not in _SWITCHES:
        return no_such(name, _SWITCHES, what="switch")
    if name == "settle_ms":
        whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SETTLE_MS
        return "" if whole else f"settle_ms is a whole number of milliseconds, 0 to {MOST_SETTLE_MS}"
    allowed = get_args(_SWITCHES[name].type)
    if any(type(value) is type(each) and value == each for each in allowed):
        return ""
    return f"{name} is {' or '.join(map(str, allowed))}, not {value}"


def _said(rule: Rule, case: str) -> Iterator[tuple[tuple[str, int | None], str]]:
    """The remedies that a rule may have in a case, as switches are set, and where each is named."""
    for number, said in enumerate(rule.cases):
        if said.case in ("", case):
            yield ("cases", number), said.remedy
            if not said.when:
                return
    yield ("remedy", None), rule.remedy
