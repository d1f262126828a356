"""What is inferred at a table without antennas, and what the dealer answers to it."""

from typing import Final

from tests.rulebook.layout import AROUND, DONE, Case, Layout, Shown, bet, draw, key, until, up
from tests.rulebook.of_the_board import overfull_again, overfull_by_five, premature_turn

_LATER: Final = {"do": "wait", "ms": 2_001}
"""So long after the flop a card does not belong to it any more."""


def overfull(hand: Layout, rules: str) -> Shown:
    """A fourth card at once: the flop is redealt by either book, for no antenna could see a card picked."""
    made = overfull_by_five(hand, rules)
    acts = [until("flop-deal"), up(4), DONE]
    return Shown(acts, {**made.expect, "evidence": ["inferred"]})


def overfull_by_a_fifth(hand: Layout, rules: str) -> Shown:
    """The fourth has begun the remedy by the time that the fifth is drawn: that one joins its set."""
    made = overfull_by_five(hand, rules)
    return Shown(made.acts, {**made.expect, "alerts": ["card-joins"]})


def overfull_once_more(hand: Layout, rules: str) -> Shown:
    """Each time the fifth card joins."""
    made = overfull_again(hand, rules)
    return Shown(made.acts, {**made.expect, "alerts": ["card-joins", "flop-overfull-again", "card-joins"]})


def overfull_was_a_burn(hand: Layout, _rules: str) -> Shown:
    """The dealer says no: it was the burn of the turn, which so needs no other."""
    acts = [until("flop-deal"), up(3), draw("burn"), key("no"), DONE]
    return Shown(acts, hand.played())


def early_turn(hand: Layout, rules: str) -> Shown:
    """Later than the flop, a burn and a turn: the order of the stub says which is which."""
    made = premature_turn(hand, rules)
    acts = [until("flop"), _LATER, draw("burn"), up(), AROUND, DONE]
    return Shown(acts, {**made.expect, "evidence": ["inferred"]})


def early_turn_unburned(hand: Layout, rules: str) -> Shown:
    """The dealer says no: no burn was made, both lie on the board."""
    acts = [until("flop"), bet(2, "check"), up(2), key("no"), AROUND, DONE]
    expect = hand.played("premature-turn", "premature-river")
    n = hand.at
    expect |= {"shuffles": 1, "included": [list(range(n(4), 52))], "cut": [True], "stub": hand.left + 2}
    return Shown(acts, expect | {"board": [n(1), n(2), n(3), "@0.0", "@0.1"], "burns": [n(0)]})


def extra_card(hand: Layout, rules: str) -> Shown:
    """The order of the stub makes it a burn; the dealer says at which seat it lies."""
    first = hand.order[0]
    acts = [until("preflop"), draw(f"seat:{first}"), key("no", first), DONE]
    if rules == "tda":
        return Shown(acts, hand.misdealt("extra-card-first-player", evidence=["stated"]))
    return Shown(acts, hand.played("extra-card-first-player", evidence=["stated"]))


def extra_card_elsewhere(hand: Layout, _rules: str) -> Shown:
    """The same at another seat: a misdeal."""
    acts = [until("preflop"), draw("seat:3"), key("no", 3), DONE]
    return Shown(acts, hand.misdealt("extra-card-other-seat", evidence=["stated"]))


def burn_seen(hand: Layout, _rules: str) -> Shown:
    """The last card off the shoe is the burn, and the key says that it was seen."""
    acts = [until("flop-deal"), key("exposed"), DONE]
    return Shown(acts, hand.played("exposed-burn", remedies=["burn-stays"]))


def no_place(hand: Layout, _rules: str) -> Shown:
    """The river is out: wherever the card went, no rule has one."""
    acts = [until("river"), draw("muck"), DONE]
    expect = {"rulings": ["stray-card"], "outcome": "halted", "alerts": ["floor-decides"], "refused": [2]}
    return Shown(acts, {**hand.streets(hand.stub), **expect, "stub": hand.left - 1, "shuffles": 0})


CASES: Final[dict[str, Case]] = {
    "overfull-flop": overfull,
    "overfull-flop.five": overfull_by_a_fifth,
    "overfull-flop.again": overfull_once_more,
    "overfull-flop.was-a-burn": overfull_was_a_burn,
    "premature-turn": early_turn,
    "premature-river.said-no": early_turn_unburned,
    "extra-card-first-player": extra_card,
    "extra-card-other-seat": extra_card_elsewhere,
    "exposed-burn": burn_seen,
    "stray-card.river": no_place,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""
