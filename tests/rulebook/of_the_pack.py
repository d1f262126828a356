"""What is wrong with the pack or its stub: scenarios, with what the rule says of them."""

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
    fault,
    floor,
    halted,
    key,
    until,
    up,
    wait,
)
from tests.rulebook.of_the_deal import FOUR, replaced

_START: Final = dict.fromkeys(("1", "2", "3"), 1000)
_STANDS: Final = {"1": 990, "2": 1020, "3": 990}
"""The chips after the hand that was played: seat 2 has won."""
_JOKER: Final = ("joker",)
"""What stands in the scrap once a joker was found."""
_UNKNOWN: Final = "ledger-differs"
"""The simulation knows of a card that is lost, or there twice, what no device can tell."""
_ANTENNAS: Final = ("joker", "foreign-card", _UNKNOWN)
"""Alerts that need an antenna, or the ledger of a halted hand, which is held against nothing without them."""


# A joker


def joker(hand: Layout, rules: str) -> Shown:
    """The first card off the deck: it is scrap, and the next card takes its place; by the tournament rules a
    misdeal, with all 52 cards and without the joker."""
    acts = [until("deal"), fault("joker"), DONE]
    if rules == "tda":
        expect = hand.misdealt("joker", remedies=["joker-misdeal"], scrap=[*_JOKER], asked=["joker-away"])
        return Shown(acts, expect)
    return Shown(acts, _joker_away(hand))


def _joker_away(hand: Layout) -> Json:
    """All lies as if the joker had never been there; an antenna has told of it."""
    told: Json = {"remedies": ["joker-away"], "alerts": ["joker"], "asked": ["joker-away"]}
    return hand.played("joker", scrap=[*_JOKER], **told)


def joker_on_the_flop(hand: Layout, _rules: str) -> Shown:
    """After substantial action it is scrap by either book."""
    return Shown([until("flop-deal"), up(), fault("joker"), DONE], _joker_away(hand))


def joker_from_the_burner(hand: Layout, _rules: str) -> Shown:
    """The machine ejects it as the burn: it burns once more."""
    return Shown([until("preflop"), fault("joker"), AROUND, DONE], _joker_away(hand))


def joker_after_action(hand: Layout, _rules: str) -> Shown:
    """Two calls are substantial action: scrap by either book, the next card is the burn."""
    acts = [until("preflop"), bet(1, "call"), bet(2, "call"), fault("joker"), draw("burn"), DONE]
    return Shown(acts, _joker_away(hand), BY_HAND)


def joker_after_folds(hand: Layout, rules: str) -> Shown:
    """Two folds are no substantial action: by the tournament rules a misdeal still."""
    four = Layout(hand.game, (2, 3, 4, 1))
    acts = [until("preflop"), bet(4, "fold"), bet(1, "fold"), fault("joker"), draw("burn"), DONE]
    table = {**BY_HAND, **FOUR}
    if rules == "tda":
        expect = four.misdealt("joker", remedies=["joker-misdeal"], scrap=[*_JOKER])
        return Shown(acts, expect, table)
    held, expect = four.hole(), _joker_away(four)
    expect |= {"hole": {**held, "4": [], "1": []}, "muck": [*held["4"], *held["1"]]}
    return Shown(acts, expect, table)


def joker_as_the_replacement(hand: Layout, rules: str) -> Shown:
    """Nobody has acted when it comes in the place of an exposed card: laid away, and the next card replaces;
    by the tournament rules a misdeal, that supersedes the replacement."""
    acts = [*hand.deal(up=[4]), fault("joker"), DONE]
    rulings = ["exposed-later-hole-card", "joker"]
    if rules == "tda":
        remedies = ["replace-exposed", "joker-misdeal"]
        return Shown(acts, hand.misdealt(*rulings, remedies=remedies, scrap=[*_JOKER]))
    expect = replaced(hand, 4, *rulings, remedies=["replace-exposed", "joker-away"])
    return Shown(acts, expect | {"scrap": [*_JOKER], "alerts": ["joker"]})


# The top of the stub was seen


def stub_seen(hand: Layout, _rules: str) -> Shown:
    """Nothing moves until the floor has decided."""
    lying: Json = {"hole": hand.hole(), "burns": [hand.at(0)], "stub": 52 - hand.at(4)}
    return halted([until("flop"), key("exposed")], "exposed-top-of-stub", "scramble-stub", **lying)


def stub_seen_and_shuffled(hand: Layout, _rules: str) -> Shown:
    """The betting is finished; then the stub alone is shuffled and cut, and the turn has its burn."""
    acts = [until("flop"), key("exposed"), accept("the top was seen"), AROUND, DONE]
    n = hand.at
    expect = stub_shuffled(hand, 4) | {"board": [n(1), n(2), n(3), "@0.1", "@0.3"]}
    return Shown(acts, expect | {"burns": [n(0), "@0.0", "@0.2"]})


def stub_seen_on_the_turn(hand: Layout, _rules: str) -> Shown:
    """The same before the river."""
    acts = [until("turn"), key("exposed"), accept("the top was seen"), DONE]
    n = hand.at
    expect = stub_shuffled(hand, 6) | {"board": [n(1), n(2), n(3), n(5), "@0.1"]}
    return Shown(acts, expect | {"burns": [n(0), n(4), "@0.0"]})


def stub_seen_in_the_flop(hand: Layout, _rules: str) -> Shown:
    """A flop that was begun is completed from the shuffled stub: its burn was made."""
    acts = [until("flop-deal"), up(), key("exposed"), accept("the top was seen"), DONE]
    n = hand.at
    expect = stub_shuffled(hand, 2) | {"board": [n(1), "@0.0", "@0.1", "@0.3", "@0.5"]}
    return Shown(acts, expect | {"burns": [n(0), "@0.2", "@0.4"]})


def stub_shuffled(hand: Layout, nth: int) -> Json:
    """Everything from this card of the stub on is shuffled and cut, and nothing else."""
    expect = hand.played("exposed-top-of-stub", remedies=["scramble-stub"], alerts=["floor-decides"])
    return expect | {"shuffles": 1, "included": [list(range(hand.at(nth), 52))], "cut": [True]}


def stub_seen_and_known(hand: Layout, _rules: str) -> Shown:
    """The order is known and restored: the floor lets it stand, and the hand goes on in the natural order."""
    acts = [until("flop"), key("exposed"), floor("stand", "it lies as it lay"), DONE]
    remedies = ["scramble-stub"]
    return Shown(acts, hand.played("exposed-top-of-stub", remedies=remedies, alerts=["floor-decides"]))


def stub_seen_too_late(hand: Layout, _rules: str) -> Shown:
    """Once the river lies no card comes off the stub any more: the key is refused."""
    return Shown([until("river"), key("exposed"), DONE], hand.played(refused=[1]))


# A card twice


def twice(hand: Layout, _rules: str) -> Shown:
    """A card comes to the flop that lies at a seat already: nothing moves until the floor has decided."""
    acts = [until("flop-deal"), fault("duplicate-card"), up()]
    alerts = ["floor-decides", *[_UNKNOWN] * 3]
    return halted(acts, "duplicate-card", "void-and-pull", hole=hand.hole(), alerts=alerts)


def twice_and_void(_hand: Layout, _rules: str) -> Shown:
    """The hand is void, every chip goes back, and the deck leaves the table."""
    acts = [until("flop-deal"), fault("duplicate-card"), up(), accept("two of one card")]
    return _void(acts, "duplicate-card")


def twice_in_the_deal(hand: Layout, _rules: str) -> Shown:
    """In the deal: no misdeal, for no deal from this deck can be right."""
    acts = [*hand.deal(1), fault("duplicate-card"), draw(f"seat:{hand.seat(1)}"), accept("two of one card")]
    return _void(acts, "duplicate-card")


def twice_on_the_table(_hand: Layout, _rules: str) -> Shown:
    """A card lies in the muck that never left the shoe."""
    acts = [until("turn"), fault("duplicate-card", "zones"), wait(3001), accept("two of one card")]
    return _void(acts, "duplicate-card")


def twice_too_late(_hand: Layout, rules: str) -> Shown:
    """Found when the pots are pushed: the hand stands, only the deck leaves."""
    return _found_late([fault("duplicate-card", "zones"), wait(3001)], "duplicate-card", rules)


# A card of another deck


def foreign(hand: Layout, _rules: str) -> Shown:
    """A card of another deck comes to the flop: nothing moves until the floor has decided. It is told again
    where it lies, for nobody can say that it is the same."""
    acts = [until("flop-deal"), fault("foreign-card"), up()]
    alerts = ["floor-decides", "foreign-card", _UNKNOWN]
    return halted(acts, "foreign-card", "void-and-pull", hole=hand.hole(), alerts=alerts)


def foreign_and_void(_hand: Layout, _rules: str) -> Shown:
    """The hand is void, every chip goes back, and the deck leaves the table."""
    acts = [until("flop-deal"), fault("foreign-card"), up(), accept("of another deck")]
    return _void(acts, "foreign-card", "foreign-card")


def foreign_in_the_deal(hand: Layout, _rules: str) -> Shown:
    """In the deal: no misdeal, for no deal from this deck can be right."""
    acts = [*hand.deal(1), fault("foreign-card"), draw(f"seat:{hand.seat(1)}"), accept("of another deck")]
    return _void(acts, "foreign-card", "foreign-card")


def foreign_on_the_table(_hand: Layout, _rules: str) -> Shown:
    """Found at the showdown, before the pot is pushed: the hand is void all the same."""
    acts = [until("showdown"), fault("foreign-card", "zones"), accept("of another deck")]
    return _void(acts, "foreign-card")


def foreign_too_late(_hand: Layout, rules: str) -> Shown:
    """Found when the pots are pushed: the hand stands, only the deck leaves."""
    return _found_late([fault("foreign-card", "zones")], "foreign-card", rules)


_IN_THE_STUB: Final = [until("flop"), fault("foreign-card", "shuffler"), DONE, until("deal")]
"""The last card of the stub is of another deck, and it is never drawn: the feed after the hand finds it."""
_FED_TWICE: Final = ["shuffle-incomplete", "shuffle-incomplete", "floor-decides"]


def foreign_in_the_stub(_hand: Layout, rules: str) -> Shown:
    """Only in the unused stub: the hand stands, and the floor has the deck leave."""
    remedy = "pull-deck" if rules == "roberts" else "void-and-pull"
    expect = _gathered("foreign-card", remedy) | {"asked": ["set-too-many", "set-missing", "call-floor"]}
    return Shown(_IN_THE_STUB, expect, hands=2)


def foreign_in_the_stub_pulled(_hand: Layout, rules: str) -> Shown:
    """The floor has it done: what was won stays won, and another deck is asked for."""
    remedy = "pull-deck" if rules == "roberts" else "void-and-pull"
    return Shown([*_IN_THE_STUB, accept("not its back")], _pulled("foreign-card", remedy), hands=2)


def foreign_in_the_set(hand: Layout, _rules: str) -> Shown:
    """The stub has it and is shuffled for a redeal: the hand is not over, so it is in play. Nothing is
    shuffled, the set is asked for once more, and then the floor is called."""
    acts = [until("flop-deal"), fault("foreign-card", "shuffler"), up(5)]
    asked = ["set-too-many", "set-missing", "call-floor"]
    expect: Json = {"outcome": "halted", "phase": "halted", "alerts": _FED_TWICE, "shuffles": 0}
    expect |= {"rulings": ["overfull-flop", "foreign-card"], "remedies": ["redeal-flop", "void-and-pull"]}
    return Shown([*acts, {"do": "comply"}], expect | {"asked": asked, "hole": hand.hole()})


def foreign_at_a_misdeal(_hand: Layout, _rules: str) -> Shown:
    """It is found as the deck is gathered for a new deal of the hand: the hand is void."""
    acts = [until("preflop"), fault("foreign-card", "shuffler"), key("misdeal"), {"do": "comply"}]
    expect: Json = {"outcome": "void", "phase": "idle", "alerts": _FED_TWICE, "stacks": _START, "won": {}}
    expect |= {"rulings": ["declared-misdeal", "foreign-card"], "remedies": ["misdeal", "void-and-pull"]}
    return Shown([*acts, accept("of another deck")], expect)


# A card is missing


_ONE_LOST: Final = [until("flop"), fault("missing-card"), DONE, until("deal")]


def missing(_hand: Layout, _rules: str) -> Shown:
    """The deck is short of a card when it is gathered, and again when it is asked for once more."""
    expect = _gathered("missing-card", "pull-deck") | {"asked": ["set-missing", "call-floor"]}
    return Shown(_ONE_LOST, expect, hands=2)


def missing_pulled(_hand: Layout, _rules: str) -> Shown:
    """The hand stands, and the deck leaves the table."""
    return Shown([*_ONE_LOST, accept("not found")], _pulled("missing-card", "pull-deck"), hands=2)


def missing_by_count(hand: Layout, rules: str) -> Shown:
    """A machine that only counts finds it as well."""
    return replace(missing(hand, rules), table={"shuffler": {"identifies": False}})


def missing_from_the_start(_hand: Layout, _rules: str) -> Shown:
    """A deck that lacks a card when it is first laid in: no hand is dealt from it."""
    acts = [fault("missing-card", "shuffler"), until("deal"), accept("not found")]
    expect = _pulled("missing-card", "pull-deck") | {"stacks": _START}
    return Shown(acts, expect)


def missing_at_a_misdeal(_hand: Layout, _rules: str) -> Shown:
    """Missed as the deck is gathered for a new deal of the hand, which is not over: it is void."""
    acts = [until("preflop"), fault("missing-card"), key("misdeal"), {"do": "comply"}, accept("not found")]
    expect: Json = {"outcome": "void", "phase": "idle", "alerts": _FED_TWICE, "stacks": _START, "won": {}}
    expect |= {"rulings": ["declared-misdeal", "missing-card"], "remedies": ["misdeal", "pull-deck"]}
    return Shown(acts, expect)


# What these have in common


def _void(acts: list[Json], rule: str, *told: str) -> Shown:
    """The floor voids the hand: nobody wins, every chip goes back, and the deck is pulled."""
    expect: Json = {"outcome": "void", "phase": "idle", "rulings": [rule], "remedies": ["void-and-pull"]}
    expect |= {"stacks": _START, "won": {}, "shuffles": 0}
    return Shown(acts, expect | {"alerts": ["floor-decides", *told, "table-not-empty"]})


def _found_late(found: list[Json], rule: str, rules: str) -> Shown:
    """Something is found when the pots are pushed, and the floor has done what is proposed."""
    remedy = "pull-deck" if rules == "roberts" else "void-and-pull"
    expect: Json = {"rulings": [rule], "remedies": [remedy], "phase": "idle", "won": {"2": 30}}
    expect |= {"stacks": _STANDS, "alerts": ["floor-decides", "table-not-empty"]}
    return Shown([DONE, *found, accept("the deck is no deck")], expect)


def _gathered(rule: str, remedy: str) -> Json:
    """A deck was fed twice and was wrong twice: the floor is called, and the hand before stands."""
    expect: Json = {"outcome": "halted", "phase": "halted", "rulings": [rule], "remedies": [remedy]}
    return expect | {"alerts": _FED_TWICE, "stacks": _STANDS}


def _pulled(rule: str, remedy: str) -> Json:
    """The floor has the deck leave before a card of the next hand was dealt: that hand is none."""
    expect: Json = {"outcome": "void", "phase": "idle", "rulings": [rule], "remedies": [remedy]}
    return expect | {"alerts": _FED_TWICE, "stacks": _STANDS, "shuffles": 0}


def _no_word_of_an_antenna(case: Case) -> Case:
    """The same at a table without antennas, where nobody tells what lies where."""

    def unseen(hand: Layout, rules: str) -> Shown:
        shown = case(hand, rules)
        expect: Json = dict(shown.expect)
        expect["alerts"] = [alert for alert in expect.get("alerts", []) if alert not in _ANTENNAS]
        return replace(shown, expect=expect)

    return unseen


CASES: Final[dict[str, Case]] = {
    "joker": joker,
    "joker.flop": joker_on_the_flop,
    "joker.burner": joker_from_the_burner,
    "joker.after-action": joker_after_action,
    "joker.two-folds": joker_after_folds,
    "joker.replacement": joker_as_the_replacement,
    "exposed-top-of-stub": stub_seen,
    "exposed-top-of-stub.accepted": stub_seen_and_shuffled,
    "exposed-top-of-stub.accepted-on-the-turn": stub_seen_on_the_turn,
    "exposed-top-of-stub.accepted-in-the-flop": stub_seen_in_the_flop,
    "exposed-top-of-stub.stands": stub_seen_and_known,
    "exposed-top-of-stub.too-late": stub_seen_too_late,
    "duplicate-card": twice,
    "duplicate-card.accepted": twice_and_void,
    "duplicate-card.in-the-deal": twice_in_the_deal,
    "duplicate-card.on-the-table": twice_on_the_table,
    "duplicate-card.too-late": twice_too_late,
    "foreign-card": foreign,
    "foreign-card.accepted": foreign_and_void,
    "foreign-card.in-the-deal": foreign_in_the_deal,
    "foreign-card.on-the-table": foreign_on_the_table,
    "foreign-card.too-late": foreign_too_late,
    "foreign-card.unused-stub": foreign_in_the_stub,
    "foreign-card.unused-stub-accepted": foreign_in_the_stub_pulled,
    "foreign-card.mid-hand": foreign_in_the_set,
    "foreign-card.misdeal": foreign_at_a_misdeal,
    "missing-card": missing,
    "missing-card.accepted": missing_pulled,
    "missing-card.counted": missing_by_count,
    "missing-card.from-the-start": missing_from_the_start,
    "missing-card.misdeal": missing_at_a_misdeal,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

BLIND: Final[dict[str, Case]] = {
    case: _no_word_of_an_antenna(CASES[case])
    for case in ("joker", "joker.flop", "joker.burner", "duplicate-card", "foreign-card")
}

ALIKE: Final = (
    *("exposed-top-of-stub", "exposed-top-of-stub.accepted", "exposed-top-of-stub.stands"),
    *("foreign-card.unused-stub", "foreign-card.unused-stub-accepted"),
    *("missing-card", "missing-card.accepted"),
)
"""What comes out alike at a table without antennas."""
