"""Windows, and one thing on top of another: scenarios, with what the rule says of them."""

from typing import Final

from tests.rulebook.layout import (
    AROUND,
    BY_HAND,
    DONE,
    Case,
    Json,
    Layout,
    Shown,
    bet,
    draw,
    key,
    shuffled,
    until,
    up,
)

_FOUR: Final = {"seats": dict.fromkeys(("1", "2", "3", "4"), 1000)}
_TWO: Final = {"seats": {"1": 1000, "2": 1000}}
_FOLDS: Final = [until("preflop"), bet(4, "fold"), bet(1, "fold")]
"""Two acts in turn that put no chips in: they close the window of the deal by Robert's rules alone."""


def _too_late(acts: list[Json], rule: str) -> Shown:
    halted: Json = {"outcome": "halted", "alerts": ["ruling-too-late"], "remedies": ["floor"]}
    return Shown([*acts, DONE], {"rulings": [rule], "shuffles": 0, "refused": [len(acts)], **halted}, _FOUR)


def exposed_after_folds(hand: Layout, rules: str) -> Shown:
    """A hole card exposed after two folds: by the tournament rules in time."""
    four = Layout(hand.game, (2, 3, 4, 1))
    acts = [*_FOLDS, {"do": "expose", "seat": 3, "card": 2, "by": "dealer"}]
    if rules == "roberts":
        return _too_late(acts, "exposed-later-hole-card")
    held = four.hole()
    expect = four.played("exposed-later-hole-card", remedies=["replace-exposed"])
    rest = [spot for spot in held["3"] if spot != 5]
    expect |= {"hole": {"1": [], "2": held["2"], "3": [*rest, four.at(0)], "4": []}}
    expect |= {"muck": [*held["4"], *held["1"]], "burns": [5, four.at(4), four.at(6)]}
    return Shown([*acts, DONE], expect, _FOUR)


def declared_after_folds(hand: Layout, rules: str) -> Shown:
    """The key after two folds: by the tournament rules in time."""
    acts = [*_FOLDS, key("misdeal")]
    if rules == "roberts":
        return _too_late(acts, "declared-misdeal")
    four = Layout(hand.game, (2, 3, 4, 1))
    return Shown([*acts, DONE], four.misdealt("declared-misdeal", remedies=["misdeal"]), _FOUR)


def extra_after_folds(hand: Layout, rules: str) -> Shown:
    """A card too many after two folds: a misdeal by the tournament rules, a dead hand by Robert's. That
    leaves one player; the dead hand's bet stays as far as it was matched."""
    acts = [*_FOLDS, draw("seat:3"), DONE]
    four = Layout(hand.game, (2, 3, 4, 1))
    if rules == "tda":
        return Shown(acts, four.misdealt("extra-card-other-seat", remedies=["misdeal"]), _FOUR)
    held = four.hole()
    expect: Json = {"rulings": ["wrong-count-after-action"], "remedies": ["dead-hand"], "shuffles": 0}
    expect |= {
        "hole": {"1": [], "2": held["2"], "3": [], "4": []},
        "won": {"2": 10},
        "board": [],
        "burns": [],
    }
    expect |= {"muck": [*held["4"], *held["1"], *held["3"], four.at(0)], "stub": 52 - four.stub - 1}
    return Shown(acts, expect, _FOUR)


def exposed_turned_over(hand: Layout, _rules: str) -> Shown:
    """A card that the dealer turned over after it rested at the seat is exposed like any other."""
    acts = [until("preflop"), {"do": "expose", "seat": 3, "card": 2, "by": "dealer"}, DONE]
    expect = hand.played("exposed-later-hole-card", remedies=["replace-exposed"])
    expect["hole"]["3"] = [spot for spot in expect["hole"]["3"] if spot != 4] + [hand.at(0)]
    expect["burns"][0] = 4
    return Shown(acts, expect)


def exposed_first_heads_up(hand: Layout, _rules: str) -> Shown:
    """Heads-up the button is dealt last: the first card is the other seat's."""
    two = Layout(hand.game, (2, 1))
    return Shown([*two.deal(1, up=[0]), DONE], two.misdealt("exposed-first-hole-card"), _TWO)


def redealt_over_an_exposed_burn(hand: Layout, _rules: str) -> Shown:
    """A redeal while an exposed hole card is the burn: it stays the burn, and there is no other."""
    acts = [*hand.deal(up=[4]), until("flop-deal"), up(5), DONE]
    expect = hand.played("exposed-later-hole-card", "overfull-flop")
    expect["hole"]["3"] = [spot for spot in expect["hole"]["3"] if spot != 4] + [hand.at(0)]
    expect |= {"shuffles": 1, "included": [list(range(hand.at(1), 52))], "cut": [True]}
    return Shown(acts, expect | {"board": shuffled(0, [0, 1, 2, 4, 6]), "burns": [4, "@0.3", "@0.5"]})


def overfull_unburned(hand: Layout, rules: str) -> Shown:
    """No burn: one is made after the cut; by the tournament rules the one picked is the next burn."""
    acts = [until("preflop"), AROUND, up(4), DONE]
    n = hand.at
    if rules == "roberts":
        expect = hand.streets(0, 0) | {"rulings": ["overfull-flop"], "hole": hand.hole(), "shuffles": 1}
        return Shown(acts, expect | {"included": [list(range(n(0), 52))], "cut": [True]}, BY_HAND)
    four = frozenset((n(0), n(1), n(2), n(3)))
    expect = hand.played("overfull-flop", remedies=["scramble-flop"]) | {"stub": hand.left + 1}
    return Shown(acts, expect | {"board": [four, four, four, n(4), n(6)], "burns": [four, n(5)]}, BY_HAND)


def overfull_within_settling(hand: Layout, rules: str) -> Shown:
    """The fourth card 2,000 ms after the third: one too many on the flop."""
    acts = [until("flop"), {"do": "wait", "ms": 2000}, up(), DONE]
    n = hand.at
    if rules == "roberts":
        included = [list(range(n(1), 52))]
        expect = hand.played("overfull-flop") | {"shuffles": 1, "included": included, "cut": [True]}
        return Shown(acts, expect | {"board": shuffled(0, [0, 1, 2, 4, 6]), "burns": [n(0), "@0.3", "@0.5"]})
    four = frozenset((n(1), n(2), n(3), n(4)))
    expect = hand.played("overfull-flop", remedies=["scramble-flop"])
    return Shown(acts, expect | {"board": [four, four, four, n(5), n(7)], "burns": [n(0), four, n(6)]})


def turn_after_settling(hand: Layout, rules: str) -> Shown:
    """The fourth card 2,001 ms after the third, without a burn: an early turn."""
    acts = [until("flop"), {"do": "wait", "ms": 2001}, up(), AROUND, DONE]
    n = hand.at
    flop = [n(1), n(2), n(3)]
    expect = hand.played("premature-turn") | {"shuffles": 1, "cut": [True], "stub": hand.left + 1}
    if rules == "roberts":
        expect |= {"included": [[n(4), *range(n(7), 52)]], "remedies": ["natural-river"]}
        return Shown(acts, expect | {"board": [*flop, n(6), "@0.0"], "burns": [n(0), n(5)]})
    expect |= {"included": [list(range(n(4), 52))], "remedies": ["reshuffle-turn"]}
    return Shown(acts, expect | {"board": [*flop, "@0.0", "@0.2"], "burns": [n(0), "@0.1"]})


def premature_turn_won(hand: Layout, _rules: str) -> Shown:
    """Everybody left folds: the early card stays aside, visible, and nothing is dealt any more."""
    acts = [until("flop"), draw("burn"), up(), bet(2, "bet", 20), bet(3, "fold"), bet(1, "fold"), DONE]
    held, n = hand.hole(), hand.at
    expect: Json = {"rulings": ["premature-turn"], "shuffles": 0, "aside": [n(5)], "won": {"2": 30}}
    expect |= {"board": [n(1), n(2), n(3)], "burns": [n(0), n(4)], "stub": 52 - n(6)}
    return Shown(
        acts, expect | {"hole": {"1": [], "2": held["2"], "3": []}, "muck": [*held["3"], *held["1"]]}
    )


def premature_flop_of_five(hand: Layout, _rules: str) -> Shown:
    """Too many as well: still one ruling and one redeal."""
    acts = [until("preflop"), up(5), AROUND, DONE]
    expect = hand.streets(0, 0) | {"rulings": ["premature-flop"], "hole": hand.hole(), "shuffles": 1}
    return Shown(acts, expect | {"included": [list(range(hand.stub, 52))], "cut": [True]})


def river_at_once(hand: Layout, _rules: str) -> Shown:
    """In one movement with the turn: an early river, that came without a burn; two burns in all."""
    acts = [until("turn-deal"), up(2), AROUND, DONE]
    n = hand.at
    expect = hand.played("premature-river", remedies=["reshuffle-river"]) | {"stub": hand.left + 1}
    expect |= {"shuffles": 1, "included": [list(range(n(6), 52))], "cut": [True]}
    return Shown(acts, expect | {"board": [n(1), n(2), n(3), n(5), "@0.0"], "burns": [n(0), n(4)]})


def boxed_burn(hand: Layout, _rules: str) -> Shown:
    """A burn that lay face up in the pack: scrap, and the next card is the burn."""
    acts = [until("preflop"), AROUND, draw("burn", face="up", boxed=True), DONE]
    expect = hand.played("boxed-card", remedies=["scrap"], scrap=[hand.at(0)]) | hand.streets(hand.at(1))
    return Shown(acts, expect, BY_HAND)


def boxed_after_the_deal(hand: Layout, _rules: str) -> Shown:
    """Two of them, and not in the deal: each is scrap, no misdeal."""
    boxed = draw("board", face="up", boxed=True)
    acts = [until("flop-deal"), boxed, {"do": "comply"}, boxed, DONE]
    n = hand.at
    expect = hand.played("boxed-card", "boxed-card", scrap=[n(1), n(2)])
    expect |= {"board": [n(3), n(4), n(5), n(7), n(9)], "burns": [n(0), n(6), n(8)], "stub": hand.left - 2}
    return Shown(acts, expect)


CASES: Final[dict[str, Case]] = {
    "exposed-first-hole-card.heads-up": exposed_first_heads_up,
    "exposed-later-hole-card.two-folds": exposed_after_folds,
    "exposed-later-hole-card.turned-over": exposed_turned_over,
    "declared-misdeal.two-folds": declared_after_folds,
    "extra-card-other-seat.two-folds": extra_after_folds,
    "overfull-flop.exposed-burn": redealt_over_an_exposed_burn,
    "overfull-flop.no-burn": overfull_unburned,
    "overfull-flop.settling": overfull_within_settling,
    "premature-flop.five": premature_flop_of_five,
    "premature-turn.settled": turn_after_settling,
    "premature-turn.one-left": premature_turn_won,
    "premature-river.at-once": river_at_once,
    "boxed-card.burn": boxed_burn,
    "boxed-card.two-on-the-flop": boxed_after_the_deal,
}
"""By the id of the rule and a special case: for every game and ruleset."""
