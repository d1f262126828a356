"""A card too many is ruled on by the place where it lands; where no rule has one, the floor decides."""

from collections.abc import Callable

import pytest

from controller.cards import parse_card
from controller.decisions import Alert, CardLay
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.play import Player
from hil_rigs.virtual.felt import UP, Card
from hil_rigs.virtual.table import VirtualTable
from tests.e2e.strays import LIVE, PLACES, SIDES, draw, fold, halted_by, hand, rulings, through, until
from tests.e2e.tables import ROUNDS, Json, cards_lost, played_directly, scenario_of

STREETS = {"flop-deal": "flop", "turn-deal": "turn", "river-deal": "river"}
DECIDED_BY_THE_FLOOR = ("stray-card",)


def of_the_deal(place: str, side: str) -> tuple[str, ...]:
    """The first card of the deal, which seat 9 should have."""
    if place == "seat:9":
        return ("exposed-first-hole-card",) if side == "up" else ()
    if place.startswith("seat"):
        return ("first-card-wrong-seat",)
    return ("out-of-sequence",) if place in ("board", "burn") else DECIDED_BY_THE_FLOOR


def before_the_flop(place: str, side: str) -> tuple[str, ...]:
    """A card when all hands lie and nobody has acted."""
    if place == "seat:9":
        seen = ("exposed-later-hole-card",) if side == "up" else ()
        return ("extra-card-first-player", *seen)
    return ("extra-card-other-seat",) if place.startswith("seat") else on_a_street("preflop", place, side)


def on_a_street(phase: str, place: str, side: str) -> tuple[str, ...]:
    """A card in a round of betting, or where a street is due whose burn is made."""
    if place == "board":
        early = {"preflop": "premature-flop", "flop": "overfull-flop", "turn": "premature-river"}
        return () if phase in STREETS else (early.get(phase, "stray-card"),)
    if place == "burn" and phase in STREETS:
        return (f"{STREETS[phase]}-double-burn",)
    if place == "burn" and phase in ROUNDS[:3]:
        return ("exposed-burn",) if side == "up" else ()
    if place.startswith("seat") and phase != "showdown":
        return ("wrong-count-after-action",)
    return DECIDED_BY_THE_FLOOR


def by_the_rule(phase: str, place: str, side: str) -> tuple[str, ...]:
    """What is ruled on one card more; nothing where it is due, or a burn before its time."""
    if phase == "done":
        return ("card-after-hand-over",)
    if side == "boxed":
        return ("boxed-card",)
    if phase == "deal":
        return of_the_deal(place, side)
    return before_the_flop(place, side) if phase == "preflop" else on_a_street(phase, place, side)


# One card


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("phase", LIVE)
def test_a_card_is_ruled_on_by_the_place_where_it_lands(phase: str, side: str) -> None:
    for place in PLACES:
        ruled = by_the_rule(phase, place, side)
        stray = {"do": "draw", "to": place, **SIDES[side]}
        said = played_directly(hand(until(phase), stray))
        if ruled == DECIDED_BY_THE_FLOOR:
            halted_by(said, "floor-decides", *ruled)
            assert said["phases"] == [*through(phase), "halted"]
            assert (len(said["aside"]), said["refused"]) == (1, [])
            continue
        assert rulings(said) == list(ruled), place
        assert (cards_lost(said), said["alerts"], said["refused"]) == ([], [], []), place
        assert {ruling["phase"] for ruling in said["rulings"]} <= {phase}
        after = played_directly(hand(until(phase), stray, until("done")))
        assert (after["outcome"], after["phase"]) == ("completed", "done"), place
        assert (rulings(after), cards_lost(after), after["alerts"]) == (list(ruled), [], []), place


def test_a_flop_dealt_face_down_is_the_flop_and_told_to_nobody_until_it_is_turned() -> None:
    made = scenario_of(hand(until("flop-deal"), draw("board", 3)))
    bench = DirectBench(made)
    Player(bench).play(made)
    lay = [said for said in (notice.said for notice in bench.notices) if isinstance(said, CardLay)][-3:]
    assert [(said.place, said.card) for said in lay] == [("board", None)] * 3
    card = bench.table.felt.cards("board")[0]
    bench.table.felt.turn(card, UP)
    bench.rest()
    assert bench.notices[-1].said == CardLay(place="board", card=parse_card(card.text))
    said = played_directly(hand(until("flop-deal"), draw("board", 3), until("done")))
    assert (said["outcome"], said["alerts"], said["rulings"]) == ("completed", [], [])


# More than one


def dealt(*seats: int) -> list[Json]:
    return [until("deal"), *(draw(f"seat:{seat}") for seat in seats)]


SEVERAL: dict[str, tuple[list[Json], str]] = {
    "the first card to a wrong seat": (dealt(2), "first-card-wrong-seat"),
    "a seat passed over": (dealt(9, 5), "player-skipped"),
    "two cards to a seat in mid-deal": (dealt(9, 9), "extra-card-mid-deal"),
    "a seat served again that has this round's card": (dealt(9, 2, 5, 9, 9), "extra-card-mid-deal"),
    "a card to the board in mid-deal": ([*dealt(9, 2), draw("board", face="up")], "out-of-sequence"),
    "a burn in mid-deal": ([*dealt(9, 2), draw("burn")], "out-of-sequence"),
    "a card to a folded seat": ([until("preflop"), fold(5), draw("seat:5")], "stray-card"),
    "a second burn before the flop": ([until("flop-deal"), draw("burn")], "flop-double-burn"),
    "two burns in the betting on the flop": ([until("flop"), draw("burn", 2)], "turn-double-burn"),
    "a burn in the river's betting": ([until("river"), draw("burn")], "stray-card"),
    "a sixth card on the board": ([until("river"), draw("board", face="up")], "stray-card"),
    "two cards for the river": ([until("river-deal"), draw("board", 2, "up")], "stray-card"),
    "a fifth, sixth and seventh card at once": ([until("river-deal"), draw("board", 3, "up")], "stray-card"),
    "a card to the muck": ([until("turn"), draw("muck")], "stray-card"),
    "a boxed card in the deal": ([*dealt(9), draw("seat:2", boxed=True)], "boxed-card"),
    "a boxed card on the flop": ([until("flop-deal"), draw("board", face="up", boxed=True)], "boxed-card"),
    "a burn face up": ([until("flop"), draw("burn", face="up")], "exposed-burn"),
    "a card when one player is left": (
        [until("preflop"), fold(5), fold(9), draw("board", face="up")],
        "card-after-hand-over",
    ),
}


@pytest.mark.parametrize(("acts", "rule"), SEVERAL.values(), ids=SEVERAL)
def test_what_happens_in_the_middle_of_other_cards_and_acts_is_ruled_on(acts: list[Json], rule: str) -> None:
    said = played_directly(hand(*acts, until("done"), {"do": "comply"}))
    if rule == "stray-card":
        halted_by(said, "floor-decides", rule)
        return
    assert (rulings(said), said["outcome"], said["alerts"]) == ([rule], "completed", [])
    assert cards_lost(said) == []


def test_further_stray_cards_go_with_the_first() -> None:
    said = played_directly(hand(until("river-deal"), draw("board", 3, "up")))
    assert (len(said["board"]), len(said["aside"])) == (5, 2)


@pytest.mark.parametrize("moved", ["seat:2 to board", "seat:9 to aside", "board to muck", "burn to board"])
def test_a_card_of_a_hand_that_is_moved_where_no_remedy_wants_it_halts_the_hand(moved: str) -> None:
    source, _, to = moved.partition(" to ")
    bench, _ = at_the("flop")
    card = bench.table.felt.texts(source)[0]
    said = played_directly(hand(until("flop"), {"do": "move", "cards": card, "to": to}, until("done")))
    halted_by(said, "card-moved")
    assert said["phases"] == [*through("flop"), "halted"]


# What only hands at the table can do


def at_the(phase: str) -> tuple[DirectBench, Player]:
    made = scenario_of(hand(until(phase)))
    bench = DirectBench(made)
    player = Player(bench)
    player.play(made)
    return bench, player


def foreign_card_on_the_board(table: VirtualTable) -> None:
    stranger = Card("As", b"\xe0\x04\x01foreign"[:8], "another")
    table.felt.introduce(stranger)
    table.felt.move(stranger, "board", face=UP)


def foreign_card_in_the_shoe(table: VirtualTable) -> None:
    stranger = Card("As", b"\xe0\x04\x01foreign"[:8], "another")
    table.felt.introduce(stranger)
    table.felt.move(stranger, "shoe", on_top=True)
    table.hands.draw("board", face=UP)


def unread_card(table: VirtualTable) -> None:
    table.shoe.unreadable.add(table.felt.cards("shoe")[0])
    table.hands.draw("board", face=UP)


def cut_card(table: VirtualTable) -> None:
    table.hands.draw("muck", count=len(table.felt.cards("shoe")))


def card_pushed_back(table: VirtualTable) -> None:
    table.hands.push_back()


STRANGE: dict[Callable[[VirtualTable], None], str] = {
    foreign_card_on_the_board: "floor-decides",
    foreign_card_in_the_shoe: "floor-decides",
}


@pytest.mark.parametrize("do", STRANGE)
@pytest.mark.parametrize("phase", ["deal", "flop", "flop-deal", "river"])
def test_a_strange_card_halts_the_hand(phase: str, do: Callable[[VirtualTable], None]) -> None:
    bench, player = at_the(phase)
    do(bench.table)
    player.play(scenario_of(hand(until("done"))))
    assert player.phases == [*through(phase), "halted"]
    alerts = {notice.said.code for notice in bench.notices if isinstance(notice.said, Alert)}
    assert STRANGE[do] in alerts
    assert alerts <= {"floor-decides", "foreign-card"}  # an antenna sees it as well


MISREAD: dict[Callable[[VirtualTable], None], str] = {
    unread_card: "unread-card",
    card_pushed_back: "reversed-card",
}


@pytest.mark.parametrize("do", MISREAD)
def test_a_card_that_does_not_leave_as_it_should_is_confirmed_and_the_hand_goes_on(
    do: Callable[[VirtualTable], None],
) -> None:
    bench, player = at_the("flop-deal")
    do(bench.table)
    player.play(scenario_of(hand(until("done"))))
    assert player.phases[-1] == "done"
    assert [notice.said.code for notice in bench.notices if isinstance(notice.said, Alert)] == [MISREAD[do]]


def test_the_cut_card_at_the_lip_halts_the_hand() -> None:
    bench, player = at_the("flop")
    cut_card(bench.table)
    player.play(scenario_of(hand(until("done"))))
    assert player.phases[-1] == "halted"
