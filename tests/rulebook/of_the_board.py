"""What goes wrong with the board and its burns: scenarios, with what the rule says of them."""

from collections.abc import Sequence
from dataclasses import replace
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
    draw,
    halted,
    shuffled,
    until,
    up,
)


def redealt(hand: Layout, *rulings: str, out: Sequence[int], burns: int = 0, **other: object) -> Json:
    """The flop comes from a shuffle of all but the hands and `out`, after `burns` more."""
    rest = [f"@0.{burns + nth}" for nth in range(7)]
    expect: Json = {
        "rulings": list(rulings),
        "hole": hand.hole(),
        "shuffles": 1,
        "included": [[spot for spot in range(hand.stub, 52) if spot not in out]],
        "cut": [True],
        "board": [*rest[:3], rest[4], rest[6]],
        "burns": [*out, *shuffled(0, range(burns)), rest[3], rest[5]],
        "stub": hand.left + 1 - len(out) - burns,
    }
    return expect | other


# Too many, too early


def overfull(hand: Layout, rules: str) -> Shown:
    """Four cards: a redeal; by the tournament rules one of the four is the next burn, with no shuffle."""
    acts = [until("flop-deal"), up(4), DONE]
    n = hand.at
    if rules == "roberts":
        return Shown(acts, redealt(hand, "overfull-flop", out=[n(0)], remedies=["redeal-flop"]))
    four = frozenset(n(nth) for nth in range(1, 5))
    expect = hand.played("overfull-flop", remedies=["scramble-flop"])
    expect |= {"board": [four, four, four, n(5), n(7)], "burns": [n(0), four, n(6)]}
    return Shown(acts, expect)


def overfull_by_five(hand: Layout, _rules: str) -> Shown:
    """Five cards: redealt by either book."""
    acts = [until("flop-deal"), up(5), DONE]
    return Shown(acts, redealt(hand, "overfull-flop", out=[hand.at(0)], remedies=["redeal-flop"]))


def overfull_by_five_unburned(hand: Layout, _rules: str) -> Shown:
    """No burn had been made: one is made after the cut."""
    acts = [until("preflop"), AROUND, up(5), DONE]
    return Shown(acts, redealt(hand, "overfull-flop", out=[], burns=1), BY_HAND)


def overfull_again(hand: Layout, _rules: str) -> Shown:
    """Too many again after the redeal: the same again, from a second shuffle, and the floor is told."""
    acts = [until("flop-deal"), up(5), {"do": "comply"}, up(5), DONE]
    expect = redealt(hand, "overfull-flop", "overfull-flop", out=[hand.at(0)])
    again = [spot for spot in range(hand.stub, 52) if spot != hand.at(0)]
    expect |= {
        "shuffles": 2,
        "included": [again, again],
        "cut": [True, True],
        "alerts": ["flop-overfull-again"],
    }
    expect["board"] = shuffled(1, [0, 1, 2, 4, 6])
    expect["burns"] = [hand.at(0), *shuffled(1, [3, 5])]
    return Shown(acts, expect)


def premature_flop(hand: Layout, _rules: str) -> Shown:
    """The betting is finished, then the flop is dealt anew; the burn made for it stays its burn."""
    acts = [until("preflop"), draw("burn"), up(3), AROUND, DONE]
    remedies = ["finish-then-redeal-flop"]
    return Shown(acts, redealt(hand, "premature-flop", out=[hand.at(0)], remedies=remedies), BY_HAND)


def premature_flop_unburned(hand: Layout, _rules: str) -> Shown:
    """No burn before the early flop: one is made after the cut."""
    acts = [until("preflop"), up(3), AROUND, DONE]
    return Shown(acts, redealt(hand, "premature-flop", out=[], burns=1))


def premature_flop_won(hand: Layout, _rules: str) -> Shown:
    """The betting leaves one player: no card is dealt any more, and the early ones stay aside."""
    acts = [until("preflop"), up(3), bet(1, "fold"), bet(2, "fold"), DONE]
    expect: Json = {"rulings": ["premature-flop"], "shuffles": 0, "board": [], "burns": []}
    expect |= {"aside": [hand.at(0), hand.at(1), hand.at(2)], "stub": 52 - hand.stub - 3}
    held = hand.hole()
    expect |= {"hole": {"1": [], "2": [], "3": held["3"]}, "muck": [*held["1"], *held["2"]], "won": {"3": 10}}
    return Shown(acts, expect)


def premature_turn(hand: Layout, rules: str) -> Shown:
    """What would have been the fifth card is the turn, the early one is shuffled in for the river; by the
    tournament rules it is shuffled in at once, and the turn has no burn but the one before the early card."""
    acts = [until("flop"), draw("burn"), up(), AROUND, DONE]
    n = hand.at
    flop = [n(1), n(2), n(3)]
    expect = hand.played("premature-turn") | {"shuffles": 1, "cut": [True]}
    if rules == "roberts":
        expect |= {"remedies": ["natural-river"], "included": [[n(5), *range(n(8), 52)]]}
        return Shown(acts, expect | {"board": [*flop, n(7), "@0.0"]})
    expect |= {"remedies": ["reshuffle-turn"], "included": [list(range(n(5), 52))]}
    return Shown(acts, expect | {"board": [*flop, "@0.0", "@0.2"], "burns": [n(0), n(4), "@0.1"]})


def premature_turn_unburned(hand: Layout, rules: str) -> Shown:
    """Nothing was burned before the early turn: it has cost its burn, two burns in all."""
    acts = [until("flop"), bet(2, "check"), up(), AROUND, DONE]
    n = hand.at
    flop = [n(1), n(2), n(3)]
    expect = hand.played("premature-turn") | {"shuffles": 1, "cut": [True], "stub": hand.left + 1}
    if rules == "roberts":
        expect |= {"included": [[n(4), *range(n(7), 52)]]}
        return Shown(acts, expect | {"board": [*flop, n(6), "@0.0"], "burns": [n(0), n(5)]})
    expect |= {"included": [list(range(n(4), 52))]}
    return Shown(acts, expect | {"board": [*flop, "@0.0", "@0.2"], "burns": [n(0), "@0.1"]})


def premature_river(hand: Layout, _rules: str) -> Shown:
    """The early river and the stub are shuffled; the river has no other burn."""
    acts = [until("turn"), draw("burn"), up(), AROUND, DONE]
    n = hand.at
    expect = hand.played("premature-river", remedies=["reshuffle-river"])
    expect |= {"shuffles": 1, "included": [list(range(n(7), 52))], "cut": [True]}
    return Shown(acts, expect | {"board": [n(1), n(2), n(3), n(5), "@0.0"]})


def premature_river_on_the_flop(hand: Layout, _rules: str) -> Shown:
    """Both out in the flop's betting: both are shuffled in before the turn, and neither has a burn."""
    acts = [until("flop"), bet(2, "check"), up(2), AROUND, DONE]
    n = hand.at
    expect = hand.played("premature-turn", "premature-river")
    expect |= {"shuffles": 1, "included": [list(range(n(4), 52))], "cut": [True], "stub": hand.left + 2}
    return Shown(acts, expect | {"board": [n(1), n(2), n(3), "@0.0", "@0.1"], "burns": [n(0)]})


# Too few


def underfull(hand: Layout, _rules: str) -> Shown:
    """Two cards, and play goes on: the next one completes the flop."""
    acts = [until("flop-deal"), up(2), bet(2, "check"), DONE]
    return Shown(acts, hand.played("underfull-flop", remedies=["complete-flop"]))


# No burn


def flop_unburned(hand: Layout, rules: str) -> Shown:
    """Face up: redealt with a burn; by the tournament rules one of the three is the burn."""
    acts = [until("preflop"), AROUND, up(3), DONE]
    if rules == "roberts":
        expect = redealt(hand, "flop-no-burn", out=[], burns=1, remedies=["redeal-flop"])
        return Shown(acts, expect, BY_HAND)
    return Shown(acts, _scrambled(hand), BY_HAND)


def flop_unburned_face_down(hand: Layout, rules: str) -> Shown:
    """Face down: the first is the burn and the next off the stub completes, so all lies as it should have."""
    acts = [until("preflop"), AROUND, draw("board", 3), DONE]
    if rules == "roberts":
        return Shown(acts, hand.played("flop-no-burn", remedies=["first-is-burn"]), BY_HAND)
    return Shown(acts, _scrambled(hand), BY_HAND)


def _scrambled(hand: Layout) -> Json:
    n = hand.at
    three = frozenset((n(0), n(1), n(2)))
    expect = hand.played("flop-no-burn", remedies=["scramble-is-burn"])
    return expect | {"board": [three, three, n(3), n(5), n(7)], "burns": [three, n(4), n(6)]}


def turn_unburned(hand: Layout, rules: str) -> Shown:
    """The card is the burn and the next the turn; by the tournament rules the floor's."""
    return _street_unburned(hand, rules, "turn-no-burn", "flop")


def river_unburned(hand: Layout, rules: str) -> Shown:
    """The same on the river."""
    return _street_unburned(hand, rules, "river-no-burn", "turn")


def _street_unburned(hand: Layout, rules: str, rule: str, betting: str) -> Shown:
    acts = [until(betting), AROUND, up()]
    if rules == "tda":
        return replace(halted(acts, rule, "card-is-burn"), table=BY_HAND)
    return Shown([*acts, DONE], hand.played(rule, remedies=["card-is-burn"]), BY_HAND)


def turn_unburned_accepted(hand: Layout, _rules: str) -> Shown:
    """The floor has what is proposed carried out."""
    acts = [until("flop"), AROUND, up(), accept("nobody has acted"), DONE]
    expect = hand.played("turn-no-burn", remedies=["card-is-burn"], alerts=["floor-decides"])
    return Shown(acts, expect, BY_HAND)


# Two burns


def flop_burned_twice(hand: Layout, rules: str) -> Shown:
    """Before a flop lies: the second burn is its first card, so all lies as it should have; by the tournament
    rules the floor's."""
    acts = [until("flop-deal"), draw("burn")]
    if rules == "tda":
        return halted(acts, "flop-double-burn", "second-burn-is-flop", burns=[hand.at(0)], aside=[hand.at(1)])
    return Shown([*acts, DONE], hand.played("flop-double-burn", remedies=["second-burn-is-flop"]))


def flop_burned_twice_face_up(hand: Layout, _rules: str) -> Shown:
    """The flop lies face up: it, the second burn and the stub are shuffled; no further burn."""
    acts = [until("flop-deal"), draw("burn"), up(3), DONE]
    expect = redealt(hand, "flop-double-burn", out=[hand.at(0)], remedies=["redeal-flop-and-burn"])
    return Shown(acts, expect)


def flop_burned_twice_accepted(hand: Layout, _rules: str) -> Shown:
    """The floor has what is proposed carried out."""
    acts = [until("flop-deal"), draw("burn"), accept("no flop lies"), DONE]
    remedies = ["second-burn-is-flop"]
    return Shown(acts, hand.played("flop-double-burn", remedies=remedies, alerts=["floor-decides"]))


def turn_burned_twice(hand: Layout, rules: str) -> Shown:
    """The second burn is the turn; by the tournament rules the turn is the card that comes next."""
    acts = [until("turn-deal"), draw("burn"), DONE]
    if rules == "tda":
        return Shown(acts, _as_it_lies(hand, "turn-double-burn", [0, 4, 5, 7], [6, 8]))
    return Shown(acts, hand.played("turn-double-burn", remedies=["second-burn-is-street"]))


def turn_burned_twice_and_lies(hand: Layout, rules: str) -> Shown:
    """The turn lies: the second burn is the turn, and the card that was turned the next burn."""
    acts = [until("turn-deal"), draw("burn"), up(), DONE]
    if rules == "tda":
        return Shown(acts, _as_it_lies(hand, "turn-double-burn", [0, 4, 5, 7], [6, 8]))
    return Shown(acts, hand.played("turn-double-burn", remedies=["second-burn-is-turn"]))


def river_burned_twice(hand: Layout, rules: str) -> Shown:
    """The second burn is the river."""
    acts = [until("river-deal"), draw("burn"), DONE]
    if rules == "tda":
        return Shown(acts, _as_it_lies(hand, "river-double-burn", [0, 4, 6, 7], [5, 8]))
    return Shown(acts, hand.played("river-double-burn", remedies=["second-burn-is-street"]))


def river_burned_twice_and_lies(hand: Layout, rules: str) -> Shown:
    """The river lies: the second burn is the river, and the card that was turned is void."""
    acts = [until("river-deal"), draw("burn"), up(), DONE]
    if rules == "tda":
        return Shown(acts, _as_it_lies(hand, "river-double-burn", [0, 4, 6, 7], [5, 8]))
    expect = hand.played("river-double-burn", remedies=["second-burn-is-river"])
    return Shown(acts, expect | {"aside": [hand.at(8)], "stub": hand.left - 1})


def _as_it_lies(hand: Layout, rule: str, burns: Sequence[int], turn_and_river: Sequence[int]) -> Json:
    """One burn more than usual, and the street plays as it lies."""
    expect = hand.played(rule, remedies=["plays-as-it-lies"])
    board = [hand.at(nth) for nth in (1, 2, 3, *turn_and_river)]
    return expect | {"board": board, "burns": [hand.at(nth) for nth in burns], "stub": hand.left - 1}


def burn_exposed(hand: Layout, _rules: str) -> Shown:
    """It stays the burn."""
    acts = [until("preflop"), AROUND, draw("burn", face="up"), DONE]
    return Shown(acts, hand.played("exposed-burn", remedies=["burn-stays"]), BY_HAND)


CASES: Final[dict[str, Case]] = {
    "overfull-flop": overfull,
    "overfull-flop.five": overfull_by_five,
    "overfull-flop.five-no-burn": overfull_by_five_unburned,
    "overfull-flop.again": overfull_again,
    "premature-flop": premature_flop,
    "premature-flop.no-burn": premature_flop_unburned,
    "premature-flop.one-left": premature_flop_won,
    "premature-turn": premature_turn,
    "premature-turn.no-burn": premature_turn_unburned,
    "premature-river": premature_river,
    "premature-river.flop-betting": premature_river_on_the_flop,
    "underfull-flop": underfull,
    "flop-no-burn": flop_unburned,
    "flop-no-burn.face-down": flop_unburned_face_down,
    "turn-no-burn": turn_unburned,
    "river-no-burn": river_unburned,
    "flop-double-burn": flop_burned_twice,
    "turn-double-burn": turn_burned_twice,
    "turn-double-burn.street-lies": turn_burned_twice_and_lies,
    "river-double-burn": river_burned_twice,
    "river-double-burn.street-lies": river_burned_twice_and_lies,
    "exposed-burn": burn_exposed,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

ROBERTS_ONLY: Final[dict[str, Case]] = {"flop-double-burn.face-up": flop_burned_twice_face_up}

TDA_ONLY: Final[dict[str, Case]] = {
    "turn-no-burn.accepted": turn_unburned_accepted,
    "flop-double-burn.accepted": flop_burned_twice_accepted,
}
