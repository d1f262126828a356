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
    choose,
    draw,
    floor,
    halted,
    key,
    until,
    up,
)

COMPLY: Final[Json] = {"do": "comply"}

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


# A hand that the dealer has killed


def killed(hand: Layout, _rules: str) -> Shown:
    """The cards of a seat that is all-in reach the muck, and the dealer says that it did not fold: the floor
    decides."""
    held = hand.hole()
    muck = [*held["1"], *held["2"]]
    where = {"hole": {**held, "1": [], "2": []}, "muck": muck, "asked": ["folded", "call-floor"]}
    return halted([*_all_in(hand), COMPLY], "hand-killed-by-dealer", "hand-back", **where)


def killed_and_brought_back(hand: Layout, _rules: str) -> Shown:
    """They are known by their tags: the floor has them brought back, and the hand wins."""
    acts = [*_all_in(hand), COMPLY, accept("its cards are known"), DONE]
    return Shown(acts, _not_dead(hand) | {"asked": ["folded", "call-floor", "hand-back"]})


def killed_and_the_floor_is_called(hand: Layout, _rules: str) -> Shown:
    """The dealer calls the floor before he has answered: it leaves the question to him, and decides once he
    has said that the hand did not fold."""
    acts = [*_all_in(hand), key("floor"), floor("stand", "seat 2 is all-in"), COMPLY]
    acts += [accept("its cards are known"), DONE]
    asked = ["folded", "call-floor", "folded", "call-floor", "hand-back"]
    return Shown(acts, _not_dead(hand) | {"alerts": ["floor-called", "floor-decides"], "asked": asked})


def killed_and_dead(hand: Layout, _rules: str) -> Shown:
    """The floor says that the hand is dead, although it is all-in: its bets stay, and it wins nothing."""
    acts = [*_all_in(hand), COMPLY, choose("dead-hand", "nobody protected it"), DONE]
    held = hand.hole()
    expect = hand.played("hand-killed-by-dealer", remedies=["dead-hand"], alerts=["floor-decides"])
    return Shown(
        acts,
        expect
        | {"hole": {"1": [], "2": [], "3": held["3"]}, "muck": [*held["1"], *held["2"]], "shuffles": 0}
        | {"won": {"3": 2010}, "asked": ["folded", "call-floor"], "stub": 52 - hand.stub - 5}
        | {"board": [hand.at(nth) for nth in (1, 2, 3)], "burns": [hand.at(0), hand.at(4)]},
    )


def killed_and_let_stand(hand: Layout, _rules: str) -> Shown:
    """Nothing is done about it: the dealer is asked again, and says once more that it did not fold."""
    acts = [*_all_in(hand), COMPLY, floor("stand", "ask him again"), COMPLY]
    acts += [accept("its cards are known"), DONE]
    asked = ["folded", "call-floor", "folded", "call-floor", "hand-back"]
    rulings = {"rulings": ["hand-killed-by-dealer"] * 2, "remedies": ["hand-back"] * 2}
    return Shown(acts, _not_dead(hand) | rulings | {"alerts": ["floor-decides"] * 2, "asked": asked})


def killed_and_folded(hand: Layout, _rules: str) -> Shown:
    """A hand that could have folded: the floor leaves it to the dealer, who says that it folded. Its bets
    stay, and nothing is ruled on."""
    acts = [until("turn-deal"), {"do": "move", "cards": _at(hand, _of(hand, 2)), "to": "muck"}]
    acts += [key("floor"), floor("stand", "it is dead"), DONE]
    held, expect = hand.hole(), hand.played(remedies=[], alerts=["floor-called"])
    won = {"1": 30} if hand.game == "holdem" else {"3": 30}
    return Shown(
        acts,
        expect
        | {"hole": {**held, "2": []}, "muck": held["2"], "won": won}
        | {"asked": ["folded", "call-floor", "folded"]},
    )


def killed_in_the_deal(hand: Layout, _rules: str) -> Shown:
    """A hand that is still to get a card cannot have folded: its card comes back, and the deal goes on."""
    acts = [*hand.deal(1), {"do": "move", "cards": _at(hand, [0]), "to": "muck"}, COMPLY]
    acts += [accept("its card is known"), DONE]
    expect = hand.played("hand-killed-by-dealer", remedies=["hand-back"], alerts=["floor-decides"])
    return Shown(acts, expect)


def killed_in_the_deal_and_dead(hand: Layout, _rules: str) -> Shown:
    """The floor says that such a hand is dead: it gets its cards all the same, so that the order of the
    others stays the natural one."""
    acts = [*hand.deal(1), {"do": "move", "cards": _at(hand, [0]), "to": "muck"}, COMPLY]
    acts += [choose("dead-hand", "nobody protected it"), DONE]
    held, dead = hand.hole(), str(hand.seat(0))
    expect = hand.played("hand-killed-by-dealer", remedies=["dead-hand"], alerts=["floor-decides"])
    return Shown(acts, expect | {"hole": {**held, dead: held[dead][1:]}, "muck": held[dead][:1]})


def killed_too_late(hand: Layout, _rules: str) -> Shown:
    """Once the pots are pushed every hand goes to the muck."""
    acts = [DONE, {"do": "move", "cards": _at(hand, _of(hand, 2)), "to": "muck"}]
    held = hand.hole()
    expect = hand.played(muck=held["2"])
    return Shown(acts, expect | {"hole": {**held, "2": []}, "won": {"2": 30}})


def _all_in(hand: Layout) -> list[Json]:
    """Seat 2 is all-in on the flop, seat 1 has folded, and the dealer takes the hand of seat 2 away."""
    acts = [until("flop"), bet(2, "all-in"), bet(3, "call"), bet(1, "fold")]
    return [*acts, {"do": "move", "cards": _at(hand, _of(hand, 2)), "to": "muck"}]


def _of(hand: Layout, seat: int) -> list[int]:
    return [nth for nth in range(hand.stub) if hand.seat(nth) == seat]


def _at(hand: Layout, places: list[int]) -> str:
    return " ".join(DECK[place] for place in places)


def _not_dead(hand: Layout) -> Json:
    """The hand plays on and wins; only the one that folded lies in the muck."""
    held = hand.hole()
    expect = hand.played("hand-killed-by-dealer", remedies=["hand-back"], muck=held["1"])
    expect |= {"alerts": ["floor-decides"]}
    return expect | {"hole": {**held, "1": []}, "won": {"2": 2010}, "stacks": {"1": 990, "2": 2010, "3": 0}}


CASES: Final[dict[str, Case]] = {
    "stray-card": stray_burn,
    "stray-card.board": stray_on_the_board,
    "stray-card.muck": stray_to_the_muck,
    "stray-card.folded-seat": stray_to_a_folded_seat,
    "card-after-hand-over": after_the_hand,
    "hand-killed-by-dealer": killed,
    "hand-killed-by-dealer.accepted": killed_and_brought_back,
    "hand-killed-by-dealer.dead": killed_and_dead,
    "hand-killed-by-dealer.let-stand": killed_and_let_stand,
    "hand-killed-by-dealer.floor": killed_and_the_floor_is_called,
    "hand-killed-by-dealer.folded": killed_and_folded,
    "hand-killed-by-dealer.in-the-deal": killed_in_the_deal,
    "hand-killed-by-dealer.in-the-deal-dead": killed_in_the_deal_and_dead,
    "hand-killed-by-dealer.too-late": killed_too_late,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

HOLDEM_ONLY: Final[dict[str, Case]] = {
    "board-not-declared": not_declared,
    "board-not-declared.declared": board_declared,
}
