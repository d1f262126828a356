"""What no device sees and the floor has found: scenarios, with what the rule says of them."""

from collections.abc import Sequence
from typing import Final

from tests.rulebook.layout import (
    AROUND,
    BY_HAND,
    DONE,
    Case,
    Json,
    Layout,
    Shown,
    accept,
    bet,
    choose,
    draw,
    found,
    shuffled,
    until,
    up,
)

_TOLD: Final = ["floor-called", "floor-decides"]
"""The dealer calls the floor, and what it says is its own to decide."""
COMPLY: Final = {"do": "comply"}
_CALLED: Final = ["floor-called"]
_UNSEEN: Final = {**BY_HAND, "zones": False}
"""The dealer burns by hand, and nothing sees where a card goes."""


# The button


def button_moved(hand: Layout, _rules: str) -> Shown:
    """It belongs at seat 2: the deal is called off, and the hand is dealt anew from seat 3."""
    right = Layout(hand.game, (3, 1, 2))
    acts = [until("preflop"), bet(1, "call"), *found("button-misplaced", 2), DONE]
    expect = right.misdealt("button-misplaced", remedies=["misdeal-button"], alerts=_CALLED)
    return Shown(acts, expect)


def button_stands(hand: Layout, rules: str) -> Shown:
    """Two have acted: play goes on, and the next button is put right; by the tournament rules it stands."""
    acts = [until("preflop"), bet(1, "call"), bet(2, "call"), *found("button-misplaced", 2), DONE]
    remedy = "button-stands" if rules == "tda" else "button-next-hand"
    return Shown(acts, hand.played("button-misplaced", remedies=[remedy], alerts=_CALLED))


# Burns, found once somebody has acted


def turn_unburned_found(hand: Layout, rules: str) -> Shown:
    """No antenna saw that the dealer had not burned before the turn: it stands. Two burns come before the
    river, which is the natural one; by the tournament rules one burn, as always."""
    acts = [until("flop"), AROUND, up(), *found("missed-burn-acted"), COMPLY, bet(2, "check"), DONE]
    n = hand.at
    expect = hand.played("missed-burn-acted", alerts=_CALLED)
    if rules == "tda":
        expect |= {"board": [n(1), n(2), n(3), n(4), n(6)], "burns": [n(0), n(5)], "stub": hand.left + 1}
        return Shown(acts, expect | {"remedies": ["card-stands"]}, _UNSEEN)
    expect |= {"board": [n(1), n(2), n(3), n(4), n(7)], "burns": [n(0), n(5), n(6)]}
    return Shown(acts, expect | {"remedies": ["two-burns-next"]}, _UNSEEN)


def flop_unburned_found(hand: Layout, rules: str) -> Shown:
    """The same before the flop: its first card was taken for the burn."""
    acts = [until("preflop"), AROUND, up(3), *found("missed-burn-acted"), COMPLY, bet(2, "check"), DONE]
    n = hand.at
    expect = hand.played("missed-burn-acted", alerts=_CALLED)
    flop = [n(0), n(1), n(2)]
    if rules == "tda":
        expect |= {"board": [*flop, n(4), n(6)], "burns": [n(3), n(5)], "stub": hand.left + 1}
        return Shown(acts, expect | {"remedies": ["card-stands"]}, _UNSEEN)
    expect |= {"board": [*flop, n(5), n(7)], "burns": [n(3), n(4), n(6)]}
    return Shown(acts, expect | {"remedies": ["two-burns-next"]}, _UNSEEN)


def river_unburned_found(hand: Layout, _rules: str) -> Shown:
    """The same before the river: no street follows, and it stands."""
    acts = [until("turn"), AROUND, up(), *found("missed-burn-acted"), COMPLY, bet(2, "check"), DONE]
    n = hand.at
    expect = hand.played("missed-burn-acted", alerts=_CALLED, remedies=["card-stands"])
    expect |= {"board": [n(1), n(2), n(3), n(5), n(6)], "burns": [n(0), n(4)], "stub": hand.left + 1}
    return Shown(acts, expect, _UNSEEN)


def flop_burned_twice_found(hand: Layout, rules: str) -> Shown:
    """A second burn lay aside, and the floor let that stand: once a player has acted on the flop, the turn
    comes without a burn and is the natural one; by the tournament rules it has its burn, as always."""
    let_lie = {"do": "floor", "decision": "stand", "reason": "a card of no use"}
    acts = [until("flop-deal"), draw("aside"), let_lie, until("flop"), bet(2, "check")]
    acts += [*found("double-burn-acted"), DONE]
    n = hand.at
    expect = hand.played("stray-card", "double-burn-acted", alerts=["floor-decides", "floor-called"])
    expect |= {"aside": [n(1)]}
    flop = [n(2), n(3), n(4)]
    if rules == "tda":
        expect |= {"board": [*flop, n(6), n(8)], "burns": [n(0), n(5), n(7)], "stub": hand.left - 1}
        return Shown(acts, expect | {"remedies": ["card-aside", "card-stands"]})
    expect |= {"board": [*flop, n(5), n(7)], "burns": [n(0), n(6)]}
    return Shown(acts, expect | {"remedies": ["card-aside", "no-burn-next"]})


def turn_unburned_stands(hand: Layout, _rules: str) -> Shown:
    """The floor has let a turn without its burn stand; found once more after an act, it still does."""
    let_lie = {"do": "floor", "decision": "stand", "reason": "nobody saw it"}
    acts = [until("flop"), AROUND, up(), let_lie, bet(2, "check"), *found("missed-burn-acted"), DONE]
    n = hand.at
    expect = hand.played("turn-no-burn", "missed-burn-acted", alerts=["floor-decides", "floor-called"])
    expect |= {"board": [n(1), n(2), n(3), n(4), n(6)], "burns": [n(0), n(5)], "stub": hand.left + 1}
    return Shown(acts, expect | {"remedies": ["card-is-burn", "card-stands"]}, BY_HAND)


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


def stub_and_muck_shuffled(hand: Layout, _rules: str) -> Shown:
    """Before the first burn only the muck can have been met: the folded hand goes into the shuffle."""
    acts = [until("preflop"), bet(1, "fold"), *found("stub-mixed"), accept("they lie mixed"), DONE]
    n, held = hand.at, hand.hole()
    folded = [spot for spot in held["1"] if isinstance(spot, int)]
    expect = _from_shuffle(hand, "stub-mixed", [*folded, *range(n(0), 52)], "shuffle-with-muck")
    rest = shuffled(0, range(8))
    expect |= {"board": [*rest[1:4], rest[5], rest[7]], "burns": [rest[0], rest[4], rest[6]]}
    return Shown(acts, expect | {"hole": held | {"1": []}, "stub": hand.left + hand.each})


def stub_and_burns_shuffled(hand: Layout, _rules: str) -> Shown:
    """Nobody has folded, so it has met the burns: they go into the shuffle, and have been made."""
    acts = [until("turn-deal"), *found("stub-mixed"), accept("they lie mixed"), DONE]
    n = hand.at
    expect = _from_shuffle(hand, "stub-mixed", [n(0), *range(n(4), 52)], "shuffle-with-burns")
    expect |= {"board": [n(1), n(2), n(3), "@0.0", "@0.2"], "burns": ["@0.1"]}
    return Shown(acts, expect | {"stub": hand.left + 2})


def stub_mixed_with_both(hand: Layout, _rules: str) -> Shown:
    """There are both, and it has met both."""
    acts = [until("flop"), bet(2, "fold"), *found("stub-mixed"), accept("all in one heap"), DONE]
    n, held = hand.at, hand.hole()
    folded = [spot for spot in held["2"] if isinstance(spot, int)]
    included = [*folded, n(0), *range(n(4), 52)]
    expect = _from_shuffle(hand, "stub-mixed", included, "shuffle-with-both")
    expect |= {"board": [n(1), n(2), n(3), "@0.1", "@0.3"], "burns": ["@0.0", "@0.2"]}
    return Shown(acts, expect | {"hole": held | {"2": []}, "stub": hand.left + hand.each + 1})


def stub_mixed_with_one_of_both(hand: Layout, _rules: str) -> Shown:
    """There are both, and it has met the muck alone: the burn stays out."""
    met = choose("shuffle-with-muck", "the burns lie apart")
    acts = [until("flop"), bet(2, "fold"), *found("stub-mixed"), met, DONE]
    n, held = hand.at, hand.hole()
    folded = [spot for spot in held["2"] if isinstance(spot, int)]
    expect = _from_shuffle(hand, "stub-mixed", [*folded, *range(n(4), 52)], "shuffle-with-muck")
    expect |= {"board": [n(1), n(2), n(3), "@0.1", "@0.3"], "burns": [n(0), "@0.0", "@0.2"]}
    return Shown(acts, expect | {"hole": held | {"2": []}, "stub": hand.left + hand.each})


def _wash() -> Json:
    return choose("shuffle-stub", "the cards lie all over the floor")


def _from_shuffle(hand: Layout, rule: str, included: Sequence[int], remedy: str = "shuffle-stub") -> Json:
    expect = hand.played(rule, remedies=[remedy], alerts=_TOLD)
    return expect | {"shuffles": 1, "included": [list(included)], "cut": [True]}


CASES: Final[dict[str, Case]] = {
    "button-misplaced": button_moved,
    "button-misplaced.too-late": button_stands,
    "missed-burn-acted": turn_unburned_found,
    "missed-burn-acted.flop": flop_unburned_found,
    "missed-burn-acted.river": river_unburned_found,
    "double-burn-acted": flop_burned_twice_found,
    "stub-dropped": stub_restored,
    "stub-dropped.shuffled": stub_shuffled,
    "stub-dropped.deal": stub_shuffled_in_the_deal,
    "stub-dropped.street": stub_shuffled_in_a_street,
    "stub-mixed": stub_and_muck_shuffled,
    "stub-mixed.burns": stub_and_burns_shuffled,
    "stub-mixed.both": stub_mixed_with_both,
    "stub-mixed.one-of-both": stub_mixed_with_one_of_both,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

TDA_ONLY: Final[dict[str, Case]] = {"missed-burn-acted.stands": turn_unburned_stands}

ALIKE: Final = tuple(case for case in CASES if case.startswith(("stub-", "button-")))
"""What comes out alike at a table without antennas."""
