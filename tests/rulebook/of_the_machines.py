"""What is no matter of the rules: the shoe cannot read a card, the shuffler finds another set.

Scenarios, with what is done: nothing is ruled on, the dealer puts it right and confirms it, and the hand is
as it would have been.
"""

from typing import Final

from tests.rulebook.layout import (
    AROUND,
    DONE,
    Case,
    Json,
    Layout,
    Shown,
    accept,
    draw,
    fault,
    floor,
    key,
    until,
    up,
)
from tests.rulebook.of_the_board import redealt
from tests.rulebook.of_the_pack import stub_shuffled

GATE: Final = {"shoe": {"gate": True, "burner": True}}


def _confirmed(hand: Layout, alert: str, prompt: str, gate: list[str] | None = None) -> Json:
    """It is told and asked about, and all lies as if nothing had happened."""
    return hand.played(alerts=[alert], asked=[prompt], remedies=[], gate=gate or [])


def _gates(hand: Layout, left: int) -> list[str]:
    """The gate opens for the deal, is shut at its first card, opens for the `left` cards that are due then,
    and for every street."""
    return [f"unlock {hand.stub}", "lock 0", f"unlock {left}", "unlock 3", "unlock 1", "unlock 1"]


def _halted(alert: str) -> Json:
    """No antenna can name the card: nothing is guessed, and nothing moves until the floor has decided."""
    return {"outcome": "halted", "rulings": [], "alerts": [alert], "asked": ["call-floor"]}


# A card that was not read


def unread(hand: Layout, _rules: str) -> Shown:
    """A hole card: the antenna of its seat names it."""
    return Shown([until("deal"), fault("misread"), DONE], _confirmed(hand, "unread-card", "card-unread"))


def unread_at_the_gate(hand: Layout, _rules: str) -> Shown:
    """With a gate no card can follow before the dealer has confirmed it."""
    expect = _confirmed(hand, "unread-card", "card-unread", gate=_gates(hand, hand.stub - 1))
    return Shown([until("deal"), fault("misread"), DONE], expect, GATE)


def unread_on_the_flop(hand: Layout, _rules: str) -> Shown:
    """The second card of the flop."""
    acts = [until("flop-deal"), up(), fault("misread"), DONE]
    return Shown(acts, _confirmed(hand, "unread-card", "card-unread"))


def unread_burn(hand: Layout, _rules: str) -> Shown:
    """A burn that the machine made."""
    acts = [until("preflop"), fault("misread"), AROUND, DONE]
    return Shown(acts, _confirmed(hand, "unread-card", "card-unread"))


def unread_and_unseen(_hand: Layout, _rules: str) -> Shown:
    """Without antennas nobody can name it."""
    return Shown([until("deal"), fault("misread"), draw("seat:2")], _halted("unread-card"))


def unread_and_finished(_hand: Layout, _rules: str) -> Shown:
    """The floor has the hand finished by hand; the chips are followed to the last pot."""
    acts = [until("deal"), fault("misread"), draw("seat:2"), floor("by-hand", "not readable"), DONE]
    return Shown(acts, _by_hand("unread-card"))


def _by_hand(alert: str) -> Json:
    """All call and check, the winner is named by hand."""
    return {"rulings": [], "alerts": [alert], "asked": ["call-floor"], "phase": "done"}


# Two at once


def two_at_once(hand: Layout, _rules: str) -> Shown:
    """Two hole cards: antennas name both, in the order in which they were due."""
    return Shown([until("deal"), fault("double-feed"), DONE], _confirmed(hand, "double-feed", "two-at-once"))


def two_at_the_gate(hand: Layout, _rules: str) -> Shown:
    """With a gate no third card can follow before the dealer has confirmed them."""
    expect = _confirmed(hand, "double-feed", "two-at-once", gate=_gates(hand, hand.stub - 2))
    return Shown([until("deal"), fault("double-feed"), DONE], expect, GATE)


def two_on_the_flop(hand: Layout, _rules: str) -> Shown:
    """The second and the third card of the flop."""
    acts = [until("flop-deal"), up(), fault("double-feed"), DONE]
    return Shown(acts, _confirmed(hand, "double-feed", "two-at-once"))


def two_unseen(_hand: Layout, _rules: str) -> Shown:
    """Without antennas nobody can say which lies where."""
    return Shown([until("deal"), fault("double-feed"), draw("seat:2")], _halted("double-feed"))


# A card that never left the shoe


def pushed_back(hand: Layout, _rules: str) -> Shown:
    """Nothing has left the shoe: the dealer confirms it, and the same card is dealt."""
    acts = [until("deal"), fault("reversed-card"), DONE]
    return Shown(acts, _confirmed(hand, "reversed-card", "card-back-in"))


def pushed_back_at_the_gate(hand: Layout, _rules: str) -> Shown:
    """With a gate it is shut until then."""
    expect = _confirmed(hand, "reversed-card", "card-back-in", gate=_gates(hand, hand.stub))
    return Shown([until("deal"), fault("reversed-card"), DONE], expect, GATE)


def stuck(hand: Layout, _rules: str) -> Shown:
    """A card is half drawn for too long: the dealer frees the lip and confirms it."""
    acts = [until("flop-deal"), fault("card-timeout"), DONE]
    return Shown(acts, _confirmed(hand, "card-timeout", "card-stuck"))


def stuck_at_the_gate(hand: Layout, _rules: str) -> Shown:
    """With a gate it is shut until then."""
    expect = _confirmed(hand, "card-timeout", "card-stuck", gate=_gates(hand, hand.stub))
    return Shown([until("deal"), fault("card-timeout"), DONE], expect, GATE)


# Another set than was asked for


def kept(hand: Layout, _rules: str) -> Shown:
    """A card of the set was left out: nothing is shuffled until it is laid in as well."""
    acts = [until("flop-deal"), up(5), {"do": "comply", "wrong": "keep-card"}, DONE]
    return Shown(acts, _set_right(hand, "set-missing"))


def burn_added(hand: Layout, _rules: str) -> Shown:
    """A burn was laid in too: it is put back, seen there, and the right set is fed."""
    acts = [until("flop-deal"), up(5), {"do": "comply", "wrong": "add-burn"}, DONE]
    return Shown(acts, _set_right(hand, "set-too-many", "wrong-set"))


def kept_and_counted(hand: Layout, _rules: str) -> Shown:
    """A machine that only counts notices it by the number."""
    acts = [until("flop-deal"), up(5), {"do": "comply", "wrong": "keep-card"}, DONE]
    return Shown(acts, _set_right(hand, "set-missing"), {"shuffler": {"identifies": False}})


def kept_at_a_misdeal(hand: Layout, _rules: str) -> Shown:
    """A card of all 52 was left out at a misdeal."""
    acts = [*hand.deal(1, up=[0]), {"do": "comply", "wrong": "keep-card"}, DONE]
    expect = hand.misdealt("exposed-first-hole-card", alerts=["shuffle-incomplete"], asked=["set-missing"])
    return Shown(acts, expect)


def _set_right(hand: Layout, *asked: str) -> Json:
    """The flop is dealt anew from the right set, shuffled once."""
    told: Json = {"remedies": ["redeal-flop"], "alerts": ["shuffle-incomplete"], "asked": [*asked]}
    return redealt(hand, "overfull-flop", out=[hand.at(0)]) | told


def kept_unseen(hand: Layout, _rules: str) -> Shown:
    """Without antennas, where the stub alone is shuffled: the feed notices it all the same."""
    return _stub_right(hand, "keep-card", "set-missing")


def burn_added_unseen(hand: Layout, _rules: str) -> Shown:
    """Without antennas the key says that it is put back."""
    return _stub_right(hand, "add-burn", "set-too-many", "wrong-set")


def _stub_right(hand: Layout, wrong: str, *asked: str) -> Shown:
    comply: Json = {"do": "comply", "wrong": wrong}
    acts = [until("flop"), key("exposed"), accept("the top was seen"), AROUND, comply, DONE]
    n = hand.at
    expect = stub_shuffled(hand, 4) | {"board": [n(1), n(2), n(3), "@0.1", "@0.3"]}
    expect |= {"burns": [n(0), "@0.0", "@0.2"], "asked": ["call-floor", *asked]}
    return Shown(acts, expect | {"alerts": ["floor-decides", "shuffle-incomplete"]})


CASES: Final[dict[str, Case]] = {
    "unread-card": unread,
    "unread-card.gate": unread_at_the_gate,
    "unread-card.flop": unread_on_the_flop,
    "unread-card.burn": unread_burn,
    "double-feed": two_at_once,
    "double-feed.gate": two_at_the_gate,
    "double-feed.flop": two_on_the_flop,
    "reversed-card": pushed_back,
    "reversed-card.gate": pushed_back_at_the_gate,
    "card-timeout": stuck,
    "card-timeout.gate": stuck_at_the_gate,
    "shuffle-incomplete": kept,
    "shuffle-incomplete.too-many": burn_added,
    "shuffle-incomplete.counted": kept_and_counted,
    "shuffle-incomplete.misdeal": kept_at_a_misdeal,
}
"""By the id and, after a point, a special case: for every game."""

BLIND: Final[dict[str, Case]] = {
    "unread-card": unread_and_unseen,
    "unread-card.by-hand": unread_and_finished,
    "double-feed": two_unseen,
    "shuffle-incomplete": kept_unseen,
    "shuffle-incomplete.too-many": burn_added_unseen,
}
"""At a table without antennas."""

ALIKE: Final = ("reversed-card", "card-timeout")
"""What comes out alike at a table without antennas."""
