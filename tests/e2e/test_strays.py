"""What happens at the table and no rule has is never dropped: the hand is halted and the floor is called.
What a rule has is ruled on."""

from collections.abc import Callable

import pytest

from controller.cards import parse_card
from controller.decisions import Alert, CardLay
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.play import Player
from hil_rigs.virtual.felt import UP, Card
from hil_rigs.virtual.table import VirtualTable
from tests.e2e.tables import CLEAN, ROUNDS, Json, cards_lost, played_directly, scenario_of

SEATS = {"2": 500, "5": 500, "9": 700}
LIVE = CLEAN[2:]
"""The phases in which a card can leave the shoe."""

PLACES = ("seat:2", "seat:5", "seat:9", "board", "burn", "muck", "aside")
SIDES: dict[str, Json] = {
    "down": {"face": "down"},
    "up": {"face": "up"},
    "boxed": {"face": "down", "boxed": True},
}

TAKEN = {
    ("deal", "seat:9", "down"),
    *(
        (street, "board", side)
        for street in ("flop-deal", "turn-deal", "river-deal")
        for side in ("up", "down")
    ),
    ("preflop", "burn", "down"),
    ("flop", "burn", "down"),
    ("turn", "burn", "down"),
}
"""Where a card is due, the button being on seat 5, or is a street's burn before its time, and its side."""

RULED: dict[tuple[str, str, str], tuple[str, ...]] = {
    ("deal", "seat:9", "up"): ("exposed-first-hole-card",),
    ("preflop", "seat:9", "down"): ("extra-card-first-player",),
    ("preflop", "seat:9", "up"): ("extra-card-first-player", "exposed-later-hole-card"),
    ("preflop", "seat:2", "down"): ("extra-card-other-seat",),
    ("preflop", "seat:2", "up"): ("extra-card-other-seat",),
    ("preflop", "seat:5", "down"): ("extra-card-other-seat",),
    ("preflop", "seat:5", "up"): ("extra-card-other-seat",),
    ("preflop", "board", "down"): ("premature-flop",),
    ("preflop", "board", "up"): ("premature-flop",),
    ("flop", "board", "down"): ("overfull-flop",),
    ("flop", "board", "up"): ("overfull-flop",),
    ("turn", "board", "down"): ("premature-river",),
    ("turn", "board", "up"): ("premature-river",),
}
"""The rulings on one card more than the hand has, by phase, place and side."""

STRAYS = [
    (phase, place, side)
    for phase in LIVE
    for place in PLACES
    for side in SIDES
    if (phase, place, side) not in (*TAKEN, *RULED)
]


def hand(*acts: Json, gate: bool = False, burner: bool = True, zones: bool = True) -> Json:
    table = {"game": "holdem", "seats": SEATS, "button": 5, "zones": zones}
    return {"table": {**table, "shoe": {"gate": gate, "burner": burner}}, "seed": 3, "acts": list(acts)}


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def draw(to: str, count: int = 1, face: str = "down", **more: object) -> Json:
    return {"do": "draw", "to": to, "count": count, "face": face, **more}


def fold(seat: int) -> Json:
    return {"do": "bet", "seat": seat, "action": "fold"}


def codes(said: Json) -> list[str]:
    return [alert["code"] for alert in said["alerts"]]


def rulings(said: Json) -> list[str]:
    return [ruling["rule"] for ruling in said["rulings"]]


def halted_unruled(said: Json, *before: str) -> None:
    """A report of a hand that was halted because no rule has what happened, every card accounted for."""
    assert (said["outcome"], said["phase"], codes(said)) == ("halted", "halted", ["not-ruled-yet"])
    assert (said["rulings"], said["prompts"][-1]["code"]) == ([], "call-floor")
    assert cards_lost(said) == []
    if before:
        assert said["phases"] == [*before, "halted"]


def through(phase: str) -> tuple[str, ...]:
    return CLEAN[: CLEAN.index(phase) + 1]


# One card


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("phase", LIVE)
def test_a_card_where_no_rule_has_one_halts_the_hand_wherever_it_lands(phase: str, side: str) -> None:
    for place in (place for at, place, faced in STRAYS if (at, faced) == (phase, side)):
        said = played_directly(hand(until(phase), {"do": "draw", "to": place, **SIDES[side]}))
        halted_unruled(said, *through(phase))
        assert said["refused"] == []


@pytest.mark.parametrize(("phase", "place", "side"), RULED, ids=map("-".join, RULED))
def test_a_card_that_a_rule_has_is_ruled_on_and_the_hand_comes_to_its_end(
    phase: str, place: str, side: str
) -> None:
    stray = {"do": "draw", "to": place, **SIDES[side]}
    said = played_directly(hand(until(phase), stray))
    assert rulings(said) == list(RULED[phase, place, side])
    assert (cards_lost(said), said["alerts"], said["refused"]) == ([], [], [])
    assert {ruling["phase"] for ruling in said["rulings"]} == {phase}
    after = played_directly(hand(until(phase), stray, until("done")))
    assert (after["outcome"], rulings(after)) == ("completed", rulings(said))
    assert cards_lost(after) == []


@pytest.mark.parametrize(("phase", "place", "side"), sorted(TAKEN), ids=map("-".join, sorted(TAKEN)))
def test_a_card_that_is_due_and_a_burn_before_its_time_are_none_of_the_floors_business(
    phase: str, place: str, side: str
) -> None:
    said = played_directly(hand(until(phase), {"do": "draw", "to": place, **SIDES[side]}))
    assert (said["outcome"], said["rulings"], said["alerts"]) == ("open", [], [])
    assert cards_lost(said) == []


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


NO_RULE: dict[str, list[Json]] = {
    "the first card to a wrong seat": dealt(2),
    "a seat passed over": dealt(9, 5),
    "two cards to a seat in mid-deal": dealt(9, 9),
    "a seat served again that has this round's card": dealt(9, 2, 5, 9, 9),
    "a card to the board in mid-deal": [*dealt(9, 2), draw("board", face="up")],
    "a burn in mid-deal": [*dealt(9, 2), draw("burn")],
    "a card to a folded seat": [until("preflop"), fold(5), draw("seat:5")],
    "a second burn before the flop": [until("flop-deal"), draw("burn")],
    "two burns in the betting on the flop": [until("flop"), draw("burn", 2)],
    "a burn in the river's betting": [until("river"), draw("burn")],
    "a sixth card on the board": [until("river"), draw("board", face="up")],
    "two cards for the river": [until("river-deal"), draw("board", 2, "up")],
    "a card to the muck": [until("turn"), draw("muck")],
    "a boxed card in the deal": [*dealt(9), draw("seat:2", boxed=True)],
    "a boxed card on the flop": [until("flop-deal"), draw("board", face="up", boxed=True)],
    "a fifth and a sixth card at once, with all players all-in": [
        until("river-deal"),
        draw("board", 3, "up"),
    ],
    "a burn face up": [until("flop"), draw("burn", face="up")],
    "a card when one player is left": [until("preflop"), fold(5), fold(9), draw("board", face="up")],
}
"""What nothing rules on yet (docs/rules.md), or nothing at all has."""


@pytest.mark.parametrize("what", NO_RULE)
def test_what_is_not_ruled_on_yet_halts_the_hand_for_good(what: str) -> None:
    acts = NO_RULE[what]
    halted = played_directly(hand(*acts))
    halted_unruled(halted)
    after = played_directly(hand(*acts, until("done"), {"do": "comply"}))
    assert after["phases"] == halted["phases"]
    assert cards_lost(after) == []


@pytest.mark.parametrize("moved", ["seat:2 to board", "seat:9 to aside", "board to muck", "burn to board"])
def test_a_card_of_a_hand_that_is_moved_where_no_remedy_wants_it_halts_the_hand(moved: str) -> None:
    source, _, to = moved.partition(" to ")
    bench, _ = at_the("flop")
    card = bench.table.felt.texts(source)[0]
    said = played_directly(hand(until("flop"), {"do": "move", "cards": card, "to": to}, until("done")))
    halted_unruled(said, *through("flop"))


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


# A halted hand


@pytest.mark.parametrize("phase", LIVE)
def test_nothing_moves_in_a_halted_hand_whatever_is_tried(phase: str) -> None:
    begin = (until(phase), draw("aside"))
    halted = played_directly(hand(*begin))
    tried = (
        until("done"),
        {"do": "check_around"},
        {"do": "bet", "seat": 9, "action": "call"},
        {"do": "key", "key": "next"},
        {"do": "key", "key": "ack"},
        {"do": "key", "key": "floor"},
        {"do": "key", "key": "muck", "seat": 9},
        {"do": "key", "key": "exposed", "seat": 9},
        {"do": "key", "key": "undo"},
        {"do": "wait", "ms": 60_000},
        {"do": "comply"},
        until("done"),
    )
    after = played_directly(hand(*begin, *tried))
    assert {refusal["act"] for refusal in after["refused"]} >= set(range(3, 11))
    after["refused"] = []
    assert after == halted


def test_cards_drawn_in_a_halted_hand_are_followed_to_where_they_lie() -> None:
    draws = [draw(place) for place in PLACES]
    said = played_directly(hand(until("flop"), draw("aside"), *draws, draw("board", 5, "up")))
    halted_unruled(said)
    assert (len(said["board"]), len(said["aside"])) == (3 + 1 + 5, 2)


# Without antennas, and by hand


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("phase", [*ROUNDS, "showdown", "done"])
def test_without_antennas_a_card_that_leaves_the_shoe_when_none_is_due_halts_the_hand(
    phase: str, side: str
) -> None:
    stray = {"do": "draw", "to": "board", **SIDES[side]}
    said = played_directly(hand(until(phase), stray, until("done"), zones=False))
    halted_unruled(said)


@pytest.mark.parametrize(
    ("phase", "rule"), [("preflop", "flop-no-burn"), ("flop", "turn-no-burn"), ("turn", "river-no-burn")]
)
def test_a_street_dealt_where_the_dealer_had_to_burn_is_ruled_on_when_it_lies(phase: str, rule: str) -> None:
    acts = (until(phase), {"do": "check_around"}, draw("board", face="up"))
    said = played_directly(hand(*acts, until("done"), burner=False))
    assert (said["outcome"], rulings(said), said["alerts"]) == ("completed", [rule], [])
    assert (len(said["board"]), len(said["burns"]), cards_lost(said)) == (5, 3, [])


def test_a_burn_dealt_face_up_halts_the_hand() -> None:
    acts = (until("preflop"), {"do": "check_around"}, draw("burn", face="up"))
    halted_unruled(played_directly(hand(*acts, until("done"), burner=False)))


# Keys


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_misdeal_halts_a_hand_that_is_under_way_and_means_nothing_else(phase: str) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "misdeal"}, until("done")))
    if phase in ("idle", "shuffle", "done"):
        assert (said["outcome"], codes(said)) == ("completed", [])
        assert said["refused"][0]["act"] == 1
    else:
        halted_unruled(said, *through(phase))


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_exposed_means_the_last_card_off_the_shoe_and_is_refused_where_that_is_no_hole_card(
    phase: str,
) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "exposed"}, until("done")))
    if phase == "preflop":
        assert rulings(said) == ["exposed-later-hole-card"]
    else:
        assert (said["rulings"], said["refused"][0]["act"]) == ([], 1)
    assert (said["outcome"], codes(said), cards_lost(said)) == ("completed", [], [])


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_exposed_with_a_seat_is_ruled_on_in_time_and_later_left_to_the_floor(phase: str) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "exposed", "seat": 2}, until("done")))
    late = phase in (*ROUNDS[1:], "flop-deal", "turn-deal", "river-deal")
    if late:
        assert (said["outcome"], codes(said)) == ("halted", ["ruling-too-late"])
        assert said["phases"] == [*through(phase), "halted"]
    else:
        assert (said["outcome"], codes(said)) == ("completed", [])
    assert rulings(said) == (["exposed-later-hole-card"] if late or phase == "preflop" else [])
    assert cards_lost(said) == []


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_floor_halts_the_table_in_any_phase(phase: str) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "floor"}, until("done")))
    assert (said["outcome"], said["phase"], codes(said)) == ("halted", "halted", ["floor-called"])
    assert cards_lost(said) == []


# Gate and shoe

HELD_OPEN = ("deal", "flop-deal", "turn-deal", "river-deal")
"""The phases in which the gate is open for cards that are due."""


@pytest.mark.parametrize("phase", CLEAN)
@pytest.mark.parametrize("count", [1, 2])
def test_a_shut_gate_and_an_empty_shoe_let_no_card_out_and_the_hand_goes_on(phase: str, count: int) -> None:
    clean = played_directly(hand(until("done"), gate=True))
    said = played_directly(hand(until(phase), draw("seat:2", count), until("done"), gate=True))
    if phase in HELD_OPEN:  # it is open for other cards, and this one no rule has
        assert said["outcome"] == "halted"
        return
    why = "the shoe holds 0 cards" if phase in ("idle", "shuffle") else "the gate is shut"
    assert said["refused"][0] == {"act": 1, "what": "draw to seat:2", "why": why}
    assert {**said, "refused": []} == clean


def test_a_gate_stops_the_hand_after_the_cards_that_are_due_and_the_refusal_says_how_many_came() -> None:
    said = played_directly(hand(until("flop-deal"), draw("board", 4, "up"), until("done"), gate=True))
    assert said["refused"] == [
        {"act": 1, "what": "draw to board", "why": "the gate is shut after 3 of 4 cards"}
    ]
    assert (said["outcome"], codes(said), len(said["board"])) == ("completed", [], 5)


def test_a_shoe_that_holds_fewer_cards_than_are_drawn_gives_none() -> None:
    said = played_directly(hand(until("preflop"), draw("muck", 45), draw("muck", 2)))
    assert said["refused"] == [{"act": 2, "what": "draw to muck", "why": "the shoe holds 1 card"}]
    assert (said["stub"], said["outcome"]) == (1, "halted")
