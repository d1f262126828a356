"""Cards where no rule has one, and the end of a hand: scenarios, with what the rule says of them."""

from typing import Final

from tests.rulebook.layout import (
    DECK,
    DONE,
    ROYAL,
    Case,
    Json,
    Layout,
    Shown,
    accept,
    bet,
    draw,
    halted,
    key,
    until,
    up,
)

# Where no rule has a card


def stray_burn(hand: Layout, _rules: str) -> Shown:
    """A burn in the river's betting: nothing moves until the floor has decided."""
    other = hand.streets(hand.stub) | {"aside": [hand.at(8)], "stub": hand.left - 1, "hole": hand.hole()}
    return halted([until("river"), draw("burn")], "stray-card", "card-aside", **other)


def stray_on_the_board(hand: Layout, _rules: str) -> Shown:
    """A sixth card on the board; the floor has it laid aside, and the hand goes on."""
    expect = hand.played("stray-card", remedies=["card-aside"], alerts=["floor-decides"])
    expect |= {"aside": [hand.at(8)], "stub": hand.left - 1}
    return Shown([until("river"), up(), accept("it is void"), DONE], expect)


def stray_to_the_muck(hand: Layout, _rules: str) -> Shown:
    """A card from the shoe to the muck."""
    acts = [until("flop"), draw("muck")]
    return halted(acts, "stray-card", "card-aside", aside=[hand.at(4)], hole=hand.hole(), muck=[])


def stray_to_a_folded_seat(hand: Layout, _rules: str) -> Shown:
    """A card to a seat that has folded."""
    acts = [until("preflop"), bet(1, "fold"), draw("seat:1")]
    return halted(acts, "stray-card", "card-aside", aside=[hand.at(0)], muck=hand.hole()["1"])


# The end of a hand


def after_the_hand(hand: Layout, _rules: str) -> Shown:
    """One live hand is left and a board card comes: it means nothing."""
    acts = [until("flop"), bet(2, "bet", 20), bet(3, "fold"), bet(1, "fold"), up(), DONE]
    held = hand.hole()
    expect: Json = {"rulings": ["card-after-hand-over"], "remedies": ["means-nothing"], "won": {"2": 30}}
    expect |= {"hole": {"1": [], "2": held["2"], "3": []}, "muck": [*held["1"], *held["3"]], "shuffles": 0}
    return Shown(acts, expect | {"burns": [hand.at(0)], "stub": 52 - hand.stub - 5})


def _royal(hand: Layout) -> list[str]:
    """The fixed deck with a board that no hand beats."""
    rest = [card for card in DECK if card not in ROYAL]
    for nth, card in zip((1, 2, 3, 5, 7), ROYAL, strict=True):
        rest.insert(hand.at(nth), card)
    return rest


def not_declared(hand: Layout, _rules: str) -> Shown:
    """Seat 2 mucks and has not said that it plays the board: the others split."""
    acts = [until("showdown"), key("muck", 2), DONE]
    expect = hand.played("board-not-declared", remedies=["claim-given-up"], muck=hand.hole()["2"])
    expect["hole"]["2"] = []
    return Shown(acts, expect | {"won": {"1": 15, "3": 15}}, deck=_royal(hand))


def board_declared(hand: Layout, rules: str) -> Shown:
    """Seat 2 says so before it mucks, and keeps its claim; by the tournament rules the key is refused, for
    whoever plays the board tables all his cards."""
    acts = [until("showdown"), key("plays-board", 2), key("muck", 2), DONE]
    ruled = ["board-not-declared"] if rules == "tda" else []
    expect = hand.played(*ruled, muck=hand.hole()["2"])
    expect["hole"]["2"] = []
    won = {"1": 15, "3": 15} if rules == "tda" else {"1": 10, "2": 10, "3": 10}
    return Shown(acts, expect | {"won": won, "refused": [1] if rules == "tda" else []}, deck=_royal(hand))


CASES: Final[dict[str, Case]] = {
    "stray-card": stray_burn,
    "stray-card.board": stray_on_the_board,
    "stray-card.muck": stray_to_the_muck,
    "stray-card.folded-seat": stray_to_a_folded_seat,
    "card-after-hand-over": after_the_hand,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

HOLDEM_ONLY: Final[dict[str, Case]] = {
    "board-not-declared": not_declared,
    "board-not-declared.declared": board_declared,
}
