"""What goes wrong in the deal, and at whom: a scenario each, with what the rule says of it."""

from collections.abc import Sequence
from typing import Final

from tests.rulebook.layout import DONE, Case, Json, Layout, Shown, bet, draw, key, until


def exposed_first(hand: Layout, _rules: str) -> Shown:
    """The first card off the deck, face up: a misdeal at once."""
    acts = [*hand.deal(1, up=[0]), DONE]
    return Shown(acts, hand.misdealt("exposed-first-hole-card", remedies=["misdeal"]))


def replaced(hand: Layout, place: int, *rulings: str, **other: Sequence[str]) -> Json:
    """The owner gets the top of the stub, the exposed card is the flop's burn; the rest is natural."""
    played = hand.played(*rulings) | other
    owner = str(hand.seat(place))
    played["hole"][owner] = [spot for spot in played["hole"][owner] if spot != place] + [hand.at(0)]
    played["burns"][0] = place
    return played


def exposed_second(hand: Layout, rules: str) -> Shown:
    """The second card off the deck: a misdeal by the tournament rules, a later card like any by Robert's."""
    acts = [*hand.deal(up=[1]), DONE]
    if rules == "tda":
        acts = [*hand.deal(2, up=[1]), DONE]
        return Shown(acts, hand.misdealt("exposed-second-hole-card", remedies=["misdeal"]))
    return Shown(acts, replaced(hand, 1, "exposed-later-hole-card", remedies=["replace-exposed"]))


def exposed_later(hand: Layout, _rules: str) -> Shown:
    """The deal goes on to its end; the owner gets the next card, the exposed one is the flop's burn."""
    acts = [*hand.deal(up=[4]), DONE]
    return Shown(acts, replaced(hand, 4, "exposed-later-hole-card", remedies=["replace-exposed"]))


def exposed_of_the_button(hand: Layout, _rules: str) -> Shown:
    """The button's last card is nothing special: only the first card off the deck is."""
    last = hand.stub - 1
    acts = [*hand.deal(up=[last]), DONE]
    return Shown(acts, replaced(hand, last, "exposed-later-hole-card", remedies=["replace-exposed"]))


def exposed_and_extra(hand: Layout, _rules: str) -> Shown:
    """One exposed, and an extra card that nobody saw: that is the replacement, whoever got it."""
    acts = [*hand.deal(up=[4]), draw("seat:2"), DONE]
    rulings = ["exposed-later-hole-card", "extra-card-first-player"]
    remedies = ["replace-exposed", "extra-replaces"]
    return Shown(acts, replaced(hand, 4, *rulings, remedies=remedies))


def exposed_and_extra_elsewhere(hand: Layout, _rules: str) -> Shown:
    """The same, the extra card at another seat than the first."""
    acts = [*hand.deal(up=[4]), draw("seat:1"), DONE]
    rulings = ["exposed-later-hole-card", "extra-card-other-seat"]
    return Shown(acts, replaced(hand, 4, *rulings, remedies=["replace-exposed", "extra-replaces"]))


def exposed_by_the_player(hand: Layout, _rules: str) -> Shown:
    """A card that its player shows plays, and counts for nothing."""
    acts = [until("preflop"), {"do": "expose", "seat": 3, "card": 1, "by": "player"}, DONE]
    return Shown(acts, hand.played())


def exposed_replacement(hand: Layout, _rules: str) -> Shown:
    """The replacement is exposed itself: the second exposure, so a misdeal."""
    acts = [*hand.deal(up=[4]), draw(f"seat:{hand.seat(4)}", face="up"), DONE]
    return Shown(acts, hand.misdealt("exposed-later-hole-card", "exposed-two-or-more"))


def exposed_too_late(hand: Layout, _rules: str) -> Shown:
    """After two acts of which one puts chips in the window is closed by either book: the floor's."""
    acts = [until("preflop"), bet(1, "call"), bet(2, "call")]
    acts += [{"do": "expose", "seat": 3, "card": 2, "by": "dealer"}]
    halted = {"outcome": "halted", "alerts": ["ruling-too-late"], "remedies": ["floor"]}
    return Shown(acts, {"rulings": ["exposed-later-hole-card"], "shuffles": 0, **halted})


def exposed_two(hand: Layout, _rules: str) -> Shown:
    """A second hole card of the same deal."""
    acts = [*hand.deal(6, up=[4, 5]), DONE]
    remedies = ["replace-exposed", "misdeal"]
    return Shown(acts, hand.misdealt("exposed-later-hole-card", "exposed-two-or-more", remedies=remedies))


def off_the_table(hand: Layout, _rules: str) -> Shown:
    """A hole card that no antenna ever saw is as good as exposed: replaced, and the flop's burn."""
    seats = [f"seat:{hand.seat(nth)}" for nth in range(hand.stub)]
    acts = [*hand.deal(4), draw("off-table"), {"do": "wait", "ms": 3001}, key("exposed")]
    acts += [*map(draw, seats[5:]), DONE]
    expect = replaced(hand, 4, "card-off-table", remedies=["replace-exposed"], alerts=["card-not-seen"])
    return Shown(acts, expect)


def off_the_table_first(hand: Layout, _rules: str) -> Shown:
    """The first card off the deck left the table: as if it were exposed, a misdeal."""
    acts = [until("deal"), draw("off-table"), {"do": "wait", "ms": 3001}, key("exposed"), DONE]
    expect = hand.misdealt("card-off-table", remedies=["misdeal"], alerts=["card-not-seen"])
    return Shown(acts, expect)


def declared(hand: Layout, _rules: str) -> Shown:
    """The key in its window."""
    return Shown([until("preflop"), key("misdeal"), DONE], hand.misdealt("declared-misdeal"))


def declared_late(hand: Layout, _rules: str) -> Shown:
    """The key after the window: the floor decides, and nothing moves until then."""
    expect: Json = {"rulings": ["declared-misdeal"], "remedies": ["floor"], "shuffles": 0, "refused": [2]}
    expect |= {"outcome": "halted", "alerts": ["ruling-too-late"], "hole": hand.hole()}
    return Shown([until("flop"), key("misdeal"), DONE], expect)


def extra_mid_deal(hand: Layout, _rules: str) -> Shown:
    """A seat that has its card of the round gets another."""
    return Shown([*hand.deal(1), draw("seat:2"), DONE], hand.misdealt("extra-card-mid-deal"))


def empty_seat(_hand: Layout, _rules: str) -> Shown:
    """Seat 1 sits out the second hand and is dealt to: the seats with hands are 3, 4 and the button, 2."""
    second = Layout(_hand.game, (3, 4, 2))
    acts = [DONE, {"do": "seat", "seat": 1, "wish": "out"}, until("deal"), draw("seat:1"), DONE]
    seats = dict.fromkeys(("1", "2", "3", "4"), 1000)
    expect = second.misdealt("dealt-to-empty-seat", remedies=["misdeal"])
    expect["hole"]["1"] = []
    return Shown(acts, expect, {"seats": seats}, hands=2)


def wrong_first(hand: Layout, _rules: str) -> Shown:
    """The very first card goes to another seat than the first."""
    return Shown([until("deal"), draw("seat:3"), DONE], hand.misdealt("first-card-wrong-seat"))


def skipped(hand: Layout, _rules: str) -> Shown:
    """Seat 3 still waits for its card when the button gets one."""
    return Shown([*hand.deal(1), draw("seat:1"), DONE], hand.misdealt("player-skipped"))


def out_of_sequence(hand: Layout, _rules: str) -> Shown:
    """A card goes to the board in the deal."""
    return Shown([*hand.deal(2), draw("board", face="up"), DONE], hand.misdealt("out-of-sequence"))


def burned_in_the_deal(hand: Layout, _rules: str) -> Shown:
    """A burn is made in the deal."""
    return Shown([*hand.deal(2), draw("burn"), DONE], hand.misdealt("out-of-sequence"))


def extra_first(hand: Layout, rules: str) -> Shown:
    """One card more at the first seat: the flop's burn; by the tournament rules a misdeal."""
    acts = [until("preflop"), draw("seat:2"), DONE]
    if rules == "tda":
        return Shown(acts, hand.misdealt("extra-card-first-player", remedies=["misdeal"]))
    return Shown(acts, hand.played("extra-card-first-player", remedies=["extra-to-burn"]))


def extra_other(hand: Layout, _rules: str) -> Shown:
    """One card more at another seat."""
    return Shown([until("preflop"), draw("seat:3"), DONE], hand.misdealt("extra-card-other-seat"))


def extra_two(hand: Layout, rules: str) -> Shown:
    """More than one card too many: the second ruling follows from the first, and both are reported. By the
    tournament rules the first is a misdeal already, and the second is but a card drawn in one."""
    acts = [until("preflop"), draw("seat:2"), draw("seat:2"), DONE]
    if rules == "tda":
        alerts = ["card-joins"]
        return Shown(acts, hand.misdealt("extra-card-first-player", remedies=["misdeal"], alerts=alerts))
    remedies = ["extra-to-burn", "misdeal"]
    return Shown(acts, hand.misdealt("extra-card-first-player", "extra-cards-two-plus", remedies=remedies))


def extra_after_the_replacement(hand: Layout, _rules: str) -> Shown:
    """An extra card when the exposed one was replaced already: the second one too many of the deal."""
    acts = [*hand.deal(up=[4]), {"do": "comply"}, draw("seat:2"), DONE]
    remedies = ["replace-exposed", "misdeal"]
    return Shown(acts, hand.misdealt("exposed-later-hole-card", "extra-cards-two-plus", remedies=remedies))


def player_short(hand: Layout, _rules: str) -> Shown:
    """Play goes on while seats 3 and 1 wait for their last card."""
    acts = [*hand.deal(hand.stub - 2), bet(1, "call"), DONE]
    return Shown(acts, hand.misdealt("player-short-card", remedies=["misdeal"]))


FOUR: Final = {"seats": dict.fromkeys(("1", "2", "3", "4"), 1000)}


def button_short(hand: Layout, _rules: str) -> Shown:
    """Play goes on while only the button is short: it gets the top card, and nothing else changes."""
    four = Layout(hand.game, (2, 3, 4, 1))
    acts = [*four.deal(four.stub - 1), bet(4, "call"), DONE]
    return Shown(acts, four.played("button-short-card", remedies=["button-gets-top-card"]), FOUR)


def wrong_count(hand: Layout, _rules: str) -> Shown:
    """A card too many after two calls: that hand is dead and in the muck, burns are made as usual."""
    acts = [until("preflop"), bet(1, "call"), bet(2, "call"), draw("seat:2"), DONE]
    expect = hand.played("wrong-count-after-action", remedies=["dead-hand"])
    expect |= hand.streets(hand.at(1)) | {"muck": [*hand.hole()["2"], hand.at(0)]}
    expect["hole"]["2"] = []
    return Shown(acts, expect)


def boxed(hand: Layout, _rules: str) -> Shown:
    """The first card lay face up in the pack: scrap, the next takes its place. Not an exposed card."""
    acts = [until("deal"), draw("seat:2", face="up", boxed=True), DONE]
    expect = hand.played("boxed-card", first=1, remedies=["scrap"], scrap=[0])
    return Shown(acts, expect)


def boxed_on_the_flop(hand: Layout, _rules: str) -> Shown:
    """The second card of the flop lay face up in the pack: the next takes its place."""
    acts = [until("flop-deal"), draw("board", face="up"), draw("board", face="up", boxed=True), DONE]
    n = hand.at
    expect = hand.played("boxed-card", remedies=["scrap"], scrap=[n(2)])
    expect |= {"board": [n(1), n(3), n(4), n(6), n(8)], "burns": [n(0), n(5), n(7)], "stub": hand.left - 1}
    return Shown(acts, expect)


def boxed_two(hand: Layout, _rules: str) -> Shown:
    """A second one in the deal: a misdeal, with all 52 cards."""
    acts = [until("deal"), draw("seat:2", face="up", boxed=True), draw("seat:2")]
    acts += [draw("seat:3", face="up", boxed=True), DONE]
    return Shown(acts, hand.misdealt("boxed-card", "boxed-cards-two-plus", remedies=["scrap", "misdeal"]))


def exposed_by_key_unseen(hand: Layout, _rules: str) -> Shown:
    """Where no antenna sees it, the dealer says by the key which card was exposed."""
    acts = [*hand.deal(5), key("exposed"), DONE]
    expect = replaced(hand, 4, "exposed-later-hole-card", remedies=["replace-exposed"])
    return Shown(acts, expect)


def exposed_first_by_key_unseen(hand: Layout, _rules: str) -> Shown:
    """The first card, said by the key."""
    return Shown([*hand.deal(1), key("exposed"), DONE], hand.misdealt("exposed-first-hole-card"))


def exposed_second_by_key_unseen(hand: Layout, rules: str) -> Shown:
    """The second card, said by the key."""
    acts = [*hand.deal(2), key("exposed"), DONE]
    if rules == "tda":
        return Shown(acts, hand.misdealt("exposed-second-hole-card"))
    return Shown(acts, replaced(hand, 1, "exposed-later-hole-card"))


def exposed_two_by_key_unseen(hand: Layout, _rules: str) -> Shown:
    """Two exposed cards, each said by the key."""
    acts = [*hand.deal(5), key("exposed"), draw(f"seat:{hand.seat(5)}"), key("exposed"), DONE]
    expect = hand.misdealt("exposed-later-hole-card", "exposed-two-or-more")
    return Shown(acts, expect)


CASES: Final[dict[str, Case]] = {
    "exposed-first-hole-card": exposed_first,
    "exposed-second-hole-card": exposed_second,
    "exposed-later-hole-card": exposed_later,
    "exposed-later-hole-card.button": exposed_of_the_button,
    "exposed-later-hole-card.by-player": exposed_by_the_player,
    "exposed-later-hole-card.too-late": exposed_too_late,
    "exposed-two-or-more": exposed_two,
    "exposed-two-or-more.replacement": exposed_replacement,
    "card-off-table": off_the_table,
    "card-off-table.first": off_the_table_first,
    "declared-misdeal": declared,
    "declared-misdeal.too-late": declared_late,
    "extra-card-mid-deal": extra_mid_deal,
    "dealt-to-empty-seat": empty_seat,
    "first-card-wrong-seat": wrong_first,
    "player-skipped": skipped,
    "out-of-sequence": out_of_sequence,
    "out-of-sequence.burn": burned_in_the_deal,
    "extra-card-first-player": extra_first,
    "extra-card-other-seat": extra_other,
    "extra-card-other-seat.exposed-waits": exposed_and_extra_elsewhere,
    "extra-cards-two-plus": extra_two,
    "extra-cards-two-plus.after-replacement": extra_after_the_replacement,
    "player-short-card": player_short,
    "button-short-card": button_short,
    "wrong-count-after-action": wrong_count,
    "boxed-card": boxed,
    "boxed-card.flop": boxed_on_the_flop,
    "boxed-cards-two-plus": boxed_two,
}
"""By the id of the rule and, after a point, a special case: for every game and ruleset."""

ROBERTS_ONLY: Final[dict[str, Case]] = {"extra-card-first-player.exposed-waits": exposed_and_extra}

BLIND: Final[dict[str, Case]] = {
    "exposed-first-hole-card": exposed_first_by_key_unseen,
    "exposed-second-hole-card": exposed_second_by_key_unseen,
    "exposed-later-hole-card": exposed_by_key_unseen,
    "exposed-two-or-more": exposed_two_by_key_unseen,
}
"""At a table without antennas, where the dealer has to say what they would see."""
