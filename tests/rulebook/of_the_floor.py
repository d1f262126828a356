"""What no device sees and the floor has found: scenarios, with what the rule says of them."""

from collections.abc import Sequence
from typing import Final

from tests.rulebook.layout import (
    DONE,
    Case,
    Json,
    Layout,
    Shown,
    accept,
    choose,
    found,
    shuffled,
    until,
    up,
)

_TOLD: Final = ["floor-called", "floor-decides"]
"""The dealer calls the floor, and what it says is its own to decide."""


# The stub


def stub_restored(hand: Layout, _rules: str) -> Shown:
    """Its order is known: it goes back as it was, and all comes in the natural order."""
    acts = [until("flop"), *found("stub-dropped"), accept("one block, its order is known"), DONE]
    return Shown(acts, hand.played("stub-dropped", remedies=["restore-stub"], alerts=_TOLD))


def stub_shuffled(hand: Layout, _rules: str) -> Shown:
    """Its order is not known: the stub alone is shuffled and cut, at once; burns as usual."""
    acts = [until("flop"), *found("stub-dropped"), _wash(), DONE]
    n = hand.at
    expect = _from_shuffle(hand, "stub-dropped", range(n(4), 52))
    expect |= {"board": [n(1), n(2), n(3), *shuffled(0, [1, 3])], "burns": [n(0), *shuffled(0, [0, 2])]}
    return Shown(acts, expect)


def stub_shuffled_in_the_deal(hand: Layout, _rules: str) -> Shown:
    """In the middle of the deal: the rest of it comes from the shuffled stub."""
    acts = [*hand.deal(4), *found("stub-dropped"), _wash(), DONE]
    expect = _from_shuffle(hand, "stub-dropped", range(4, 52))
    expect["hole"] = {
        seat: [spot if spot < 4 else f"@0.{spot - 4}" for spot in spots if isinstance(spot, int)]
        for seat, spots in hand.hole().items()
    }
    rest = shuffled(0, range(hand.stub - 4, hand.stub + 4))
    return Shown(
        acts, expect | {"board": [*rest[1:4], rest[5], rest[7]], "burns": [rest[0], rest[4], rest[6]]}
    )


def stub_shuffled_in_a_street(hand: Layout, _rules: str) -> Shown:
    """A street that was begun is completed from the shuffled stub, without another burn."""
    acts = [until("flop-deal"), up(), *found("stub-dropped"), _wash(), DONE]
    n = hand.at
    expect = _from_shuffle(hand, "stub-dropped", range(n(2), 52))
    expect |= {"board": [n(1), *shuffled(0, [0, 1, 3, 5])], "burns": [n(0), *shuffled(0, [2, 4])]}
    return Shown(acts, expect)


def _wash() -> Json:
    return choose("shuffle-stub", "the cards lie all over the floor")


def _from_shuffle(hand: Layout, rule: str, included: Sequence[int], remedy: str = "shuffle-stub") -> Json:
    expect = hand.played(rule, remedies=[remedy], alerts=_TOLD)
    return expect | {"shuffles": 1, "included": [list(included)], "cut": [True]}


CASES: Final[dict[str, Case]] = {
    "stub-dropped": stub_restored,
    "stub-dropped.shuffled": stub_shuffled,
    "stub-dropped.deal": stub_shuffled_in_the_deal,
    "stub-dropped.street": stub_shuffled_in_a_street,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

ALIKE: Final = tuple(CASES)
"""What comes out alike at a table without antennas."""
