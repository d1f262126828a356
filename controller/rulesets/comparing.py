"""Where two rulebooks part: switch by switch, rule by rule, remedy by remedy, text by text."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, Literal

import msgspec

from controller.prompts.catalogue import Catalogue
from controller.remedies.steps import NamedRemedy, Step
from controller.rulesets.book import Rulebook
from controller.rulesets.known import KNOWN

Topic = Literal["switch", "rule", "remedy", "words"]
_OF_A_RULE: Final = ("trigger", "window", "takes", "games", "late")
_OF_A_REMEDY: Final = ("says", "holds", "unseen")
_OF_AN_ANSWER: Final = ("remedy", "by", "source", "ours")
_HOLLOW: Final = ""


class Difference(msgspec.Struct, frozen=True):
    """One thing of which two rulebooks say different things; empty for one that says nothing of it.

    `id` is a switch, a rule, a remedy or a language; `of` what of it: a field, a step, the code of a text.
    """

    topic: Topic
    id: str
    of: str
    one: str
    other: str


def differences(
    one: Rulebook, other: Rulebook, catalogue: Callable[[str], Catalogue]
) -> tuple[Difference, ...]:
    """All in which two rulebooks part, in the order of the first.

    `catalogue` gives the product's own texts in a language, which stand where a rulebook has none.
    """
    return (
        *_switches(one, other),
        *(found for name in one.rules for found in _rule(name, one, other)),
        *_remedies(one, other),
        *_words(one, other, catalogue),
    )


def _part(topic: Topic, name: str, of: str, one: str, other: str) -> Iterator[Difference]:
    if one != other:
        yield Difference(topic, name, of, one, other)


def _switches(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    for name in one.switches.__struct_fields__:
        yield from _part(
            "switch", name, "value", str(getattr(one.switches, name)), str(getattr(other.switches, name))
        )


def _rule(name: str, one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    """What is said of one irregularity, and what is done in each of its cases as the switches are set."""
    for field in _OF_A_RULE:
        yield from _part("rule", name, field, _said(one, name, field), _said(other, name, field))
    for field in _OF_AN_ANSWER:
        plain = _answered(one, name, "", field), _answered(other, name, "", field)
        yield from _part("rule", name, field, *plain)
        for case in sorted(KNOWN[name].cases):
            found = _answered(one, name, case, field), _answered(other, name, case, field)
            if found != plain:
                yield from _part("rule", name, f"{field} ({case})", *found)


def _said(book: Rulebook, name: str, field: str) -> str:
    value = getattr(book.rules[name], field)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _answered(book: Rulebook, name: str, case: str, field: str) -> str:
    answer = book.answer(name, case)
    return answer.named.name if field == "remedy" else str(getattr(answer, field))


def _remedies(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    for name in dict.fromkeys((*one.remedies, *other.remedies)):
        mine, theirs = one.remedies.get(name), other.remedies.get(name)
        for field in _OF_A_REMEDY:
            yield from _part("remedy", name, field, _of(mine, field), _of(theirs, field))
        yield from _steps(name, mine.remedy.steps if mine else (), theirs.remedy.steps if theirs else ())


def _of(named: NamedRemedy | None, field: str) -> str:
    """A field of a remedy; empty where there is no such remedy, or it has none."""
    return str(getattr(named.remedy, field) or _HOLLOW) if named is not None else _HOLLOW


def _steps(name: str, one: Sequence[Step], other: Sequence[Step]) -> Iterator[Difference]:
    """The steps that only one of two remedies of a name has, side by side where they stand in the same
    place."""
    mine, theirs = [_told(step) for step in one], [_told(step) for step in other]
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=mine, b=theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for at, (left, right) in enumerate(zip_longest(mine[i1:i2], theirs[j1:j2], fillvalue=None)):
            same_words = left is not None and right is not None and left[0] == right[0]
            says = [
                _HOLLOW if each is None else " ".join(each[1:] if same_words else each[:1])
                for each in (left, right)
            ]
            yield Difference("remedy", name, f"step {i1 + at + 1}", *says)


def _told(step: Step) -> tuple[str, str]:
    """A step in words, and all its keys."""
    keys = msgspec.to_builtins(step)
    return step.says, ", ".join(
        f"{key} = {value}" for key, value in keys.items() if key not in ("says", "when")
    )


def _words(one: Rulebook, other: Rulebook, catalogue: Callable[[str], Catalogue]) -> Iterator[Difference]:
    for language in dict.fromkeys((*one.words, *other.words)):
        own = catalogue(language).words.text
        mine, theirs = {**own, **one.words.get(language, {})}, {**own, **other.words.get(language, {})}
        for code in own:
            yield from _part("words", language, code, mine[code], theirs[code])
