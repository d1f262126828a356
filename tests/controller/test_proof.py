"""A remedy that the check takes loses no card when it is played, and comes to its end; one that it refuses
has a reason.

Remedies are built from the types of steps alone, so that a new kind of step joins by itself.
"""

import random
from collections.abc import Iterator
from itertools import chain, combinations, product
from types import UnionType
from typing import Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.remedies.steps import FLOORS, Await, Deal, Holds, NamedRemedy, Remedy, Step, wrong_step
from controller.rule_files import rulebook
from controller.rulesets import RULESETS
from controller.rulesets.known import CASES, KNOWN
from controller.rulesets.proof import Refusal, unproved
from tests.controller.further_faults import FURTHER
from tests.controller.remedied import FAULTS, LATE, Dealer, Way, played, rulings, what_is_wrong, with_remedy
from tests.controller.told_faults import TOLD

PROMPT: Final = "burn"
"""The dealer of these tests obeys a step and not its prompt."""
MOST_STEPS: Final = 8
MOST_TRIES: Final = 5_000


def _values(type_: object) -> list[object]:
    """Every value that a field of a step may have."""
    if get_origin(type_) is Literal:
        return list(get_args(type_))
    if get_origin(type_) in (Union, UnionType):
        return [value for part in get_args(type_) for value in _values(part)]
    if get_origin(type_) is tuple:
        lots = _values(get_args(type_)[0])
        return list(chain.from_iterable(combinations(lots, size) for size in range(len(lots) + 1)))
    known: dict[object, list[object]] = {str: [PROMPT], type(None): [None], int: [1], bool: [False, True]}
    assert type_ in known, f"say here what a step's field of the type {type_} may be"
    return known[type_]


def _steps() -> Iterator[Step]:
    for kind in get_args(Step):
        hints = {name: type_ for name, type_ in get_type_hints(kind).items() if not name.startswith("__")}
        hints = {name: type_ for name, type_ in hints.items() if name != "when"}
        for values in product(*(_values(type_) for type_ in hints.values())):
            step = kind(**dict(zip(hints, values, strict=True)))
            if not wrong_step(step, frozenset({PROMPT})):
                yield step


STEPS: Final = tuple(_steps())
OF_KIND: Final = {kind: [step for step in STEPS if type(step) is kind] for kind in get_args(Step)}
TRIED: Final = 16
"""How many steps of each kind are tried as the next one."""
IN_THE_END: Final = {"board-not-declared", "card-after-hand-over"}
"""What is ruled on when the hand is over."""
WAYS: Final = {**FAULTS, **FURTHER, **TOLD}
FOUND: Final = tuple(WAYS)
PUT_RIGHT: Final = tuple(found for found in FOUND if not KNOWN[found[0]].fouled)
"""What a remedy may put right without the floor."""
EVERY: Final = tuple((rule, case) for rule, known in KNOWN.items() for case in ("", *sorted(known.cases)))


def refusal(rule: str, case: str, remedy: Remedy, *, late: bool = False) -> Refusal | None:
    takes = rulebook("roberts").rules[rule].takes
    return unproved(KNOWN[rule], takes, case, NamedRemedy("tried", remedy), "closed" if late else "open")


def goes(rule: str, case: str, remedy: Remedy, *, late: bool = False) -> bool:
    """Whether steps may follow: nothing is wrong but that the remedy is not at its end."""
    why = refusal(rule, case, remedy, late=late)
    return why is None or (why.step == 0 and "it is for the" not in why.why)


def _tried(rule: str, case: str, chance: random.Random, *, late: bool) -> Remedy | None:
    """A remedy built step by step, as far as the check took it; none where it never did."""
    remedy = Remedy(says="Tried.", holds=chance.choice(get_args(Holds)), steps=())
    taken = None
    while True:
        if refusal(rule, case, remedy, late=late) is None:
            taken = remedy
            if chance.random() < 0.3:
                return taken
        following: dict[type, list[Step]] = {}
        for kind, steps in OF_KIND.items():
            for step in chance.sample(steps, min(TRIED, len(steps))) if kind not in FLOORS else ():
                if goes(rule, case, msgspec.structs.replace(remedy, steps=(*remedy.steps, step)), late=late):
                    following.setdefault(kind, []).append(step)
        if not following or len(remedy.steps) == MOST_STEPS:
            return taken
        step = chance.choice(chance.choice(list(following.values())))
        remedy = msgspec.structs.replace(remedy, steps=(*remedy.steps, step))


def remedies(rule: str, case: str, *, late: bool = False) -> st.SearchStrategy[Remedy]:
    """Remedies that the check takes; of some irregularities it takes one of a hundred that are tried."""

    def build(seed: int) -> Remedy:
        chance = random.Random(seed)
        tries = (_tried(rule, case, chance, late=late) for _ in range(MOST_TRIES))
        remedy = next(filter(None, tries), None)
        assert remedy is not None, f"no remedy of {MOST_TRIES} was taken for {rule} {case}, with seed {seed}"
        return remedy

    return st.integers(0, 2**32).map(build)


def met(rule: str, case: str, tried: Remedy, way: Way) -> Dealer:
    """A hand in which an irregularity was met by a remedy."""
    dealer = played(with_remedy(rule, case, tried), way)
    assert rulings(dealer)[-1] == (rule, "tried")
    return dealer


def test_every_irregularity_that_a_table_finds_is_brought_about_here() -> None:
    assert set(EVERY) == set(FOUND)
    assert {case for _, case in EVERY} - {""} == CASES.keys()


@pytest.mark.parametrize(("rule", "case"), FOUND)
def test_what_is_brought_about_is_what_it_is_called(rule: str, case: str) -> None:
    tried = rulebook("roberts").remedies["floor"].remedy
    for way in WAYS[rule, case]:
        dealer = met(rule, case, tried, way)
        assert dealer.table.phase == ("done" if rule in IN_THE_END else "halted")


def _keeps_every_card(rule: str, case: str, tried: Remedy) -> None:
    for way in WAYS[rule, case]:
        dealer = met(rule, case, tried, way)
        assert (dealer.table.phase, what_is_wrong(dealer)) == ("done", [])


@pytest.mark.parametrize(("rule", "case"), PUT_RIGHT)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_remedy_that_is_taken_keeps_every_card_and_comes_to_its_end(
    rule: str, case: str, data: st.DataObject
) -> None:
    _keeps_every_card(rule, case, data.draw(remedies(rule, case)))


@pytest.mark.soak
@pytest.mark.parametrize(("rule", "case"), PUT_RIGHT)
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_so_does_every_one_of_many(rule: str, case: str, data: st.DataObject) -> None:
    _keeps_every_card(rule, case, data.draw(remedies(rule, case)))


@pytest.mark.parametrize("rule", LATE)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_so_does_what_is_done_once_the_window_has_closed(rule: str, data: st.DataObject) -> None:
    tried = data.draw(remedies(rule, "", late=True))
    for way in LATE[rule]:
        dealer = played(with_remedy(rule, "", tried, late=True), way)
        assert rulings(dealer)[-1] == (rule, "tried")
        assert (dealer.table.phase, what_is_wrong(dealer)) == ("done", [])


@pytest.mark.parametrize(("rule", "case"), EVERY)
@settings(max_examples=10, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=MOST_STEPS), holds=st.sampled_from(get_args(Holds)))
def test_a_remedy_that_is_refused_has_a_reason_and_the_step_that_it_is_about(
    rule: str, case: str, steps: list[Step], holds: Holds
) -> None:
    why = refusal(rule, case, Remedy(says="Tried.", holds=holds, steps=tuple(steps)))
    if why is not None:
        assert why.why
        assert 0 <= why.step <= len(steps)
        assert (
            not why.step
            or refusal(rule, case, Remedy(says="Tried.", holds=holds, steps=tuple(steps[: why.step]))) == why
        )


def test_the_top_of_the_stub_may_be_seen_when_but_the_river_is_still_to_come() -> None:
    street = (
        Await(says="It comes.", until="street"),
        Deal(says="Deal it.", cards="next-street", proof="lies"),
    )
    again = (Await(says="They act.", until="betting"), street[1])
    once = Remedy(says="Once.", holds="nothing", steps=street)
    twice = Remedy(says="Twice.", holds="nothing", steps=(*street, *again))
    assert refusal("exposed-top-of-stub", "", once) is None
    assert refusal("exposed-top-of-stub", "", twice) == Refusal(4, "no street follows any more")


def test_every_kind_of_step_is_tried_and_taken_somewhere() -> None:
    taken = {
        type(step)
        for name in RULESETS
        for rule, each in rulebook(name).rules.items()
        for remedy in each.remedies
        for step in rulebook(name).remedies[remedy].remedy.steps
        if rule in KNOWN
    }
    assert taken == set(get_args(Step)) == {type(step) for step in STEPS}
