"""A halted hand, a table without antennas, the dealer's keys, the gate: what is taken and what is not."""

import pytest

from tests.e2e.strays import LIVE, PLACES, SIDES, codes, draw, halted_by, hand, rulings, through, until
from tests.e2e.tables import CLEAN, ROUNDS, cards_lost, played_directly

# A halted hand


@pytest.mark.parametrize("phase", LIVE[:-1])
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
    halted_by(said, "floor-decides", "stray-card")
    assert (len(said["board"]), len(said["aside"])) == (3 + 1 + 5, 2)


# Without antennas, and by hand


@pytest.mark.parametrize("side", ["down", "up"])
@pytest.mark.parametrize("phase", ["river", "showdown"])
def test_without_antennas_a_card_that_no_street_is_left_for_halts_the_hand(phase: str, side: str) -> None:
    stray = {"do": "draw", "to": "board", **SIDES[side]}
    said = played_directly(hand(until(phase), stray, until("done"), zones=False))
    halted_by(said, "floor-decides", "stray-card")


@pytest.mark.parametrize("phase", LIVE[:-1])
def test_without_antennas_the_lip_alone_sees_a_boxed_card_and_it_is_ruled_on(phase: str) -> None:
    for place in ("aside", "seat:2", "board"):
        stray = draw(place, boxed=True)
        said = played_directly(hand(until(phase), stray, until("done"), zones=False))
        assert (rulings(said), said["outcome"], said["alerts"]) == (["boxed-card"], "completed", []), place
        assert (len(said["board"]), len(said["scrap"]), cards_lost(said)) == (5, 1, []), place


@pytest.mark.parametrize(
    ("phase", "rule"), [("preflop", "flop-no-burn"), ("flop", "turn-no-burn"), ("turn", "river-no-burn")]
)
def test_a_street_dealt_where_the_dealer_had_to_burn_is_ruled_on_when_it_lies(phase: str, rule: str) -> None:
    acts = (until(phase), {"do": "check_around"}, draw("board", face="up"))
    said = played_directly(hand(*acts, until("done"), burner=False))
    assert (said["outcome"], rulings(said), said["alerts"]) == ("completed", [rule], [])
    assert (len(said["board"]), len(said["burns"]), cards_lost(said)) == (5, 3, [])


def test_a_burn_dealt_face_up_stays_the_burn_and_is_announced() -> None:
    acts = (until("preflop"), {"do": "check_around"}, draw("burn", face="up"))
    said = played_directly(hand(*acts, until("done"), burner=False))
    assert (rulings(said), said["outcome"], said["alerts"]) == (["exposed-burn"], "completed", [])
    assert said["rulings"][0]["cards"] == said["burns"][:1]
    assert (len(said["burns"]), [p["code"] for p in said["prompts"]].count("burn-seen")) == (3, 1)


# Keys


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_misdeal_is_one_before_two_acts_later_the_floors_and_out_of_the_hand_refused(
    phase: str,
) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "misdeal"}, until("done")))
    if phase in ("idle", "shuffle", "done"):
        assert (said["outcome"], codes(said), rulings(said)) == ("completed", [], [])
        assert said["refused"][0]["act"] == 1
    elif phase in ("deal", "preflop"):
        assert (said["outcome"], codes(said), rulings(said)) == ("completed", [], ["declared-misdeal"])
        assert [len(shuffle["included"]) for shuffle in said["shuffles"]] == [52]
        assert cards_lost(said) == []
    else:
        halted_by(said, "ruling-too-late", "declared-misdeal")
        assert said["phases"] == [*through(phase), "halted"]


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_exposed_means_the_last_card_off_the_shoe_the_burn_or_the_top_of_the_stub(
    phase: str,
) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "exposed"}, until("done")))
    assert cards_lost(said) == []
    if phase in ("flop", "turn"):
        assert (rulings(said), said["outcome"]) == (["exposed-top-of-stub"], "halted")
        assert codes(said) == ["floor-decides"]
        return
    assert (said["outcome"], codes(said)) == ("completed", [])
    if phase == "preflop":
        assert rulings(said) == ["exposed-later-hole-card"]
    elif phase in ("flop-deal", "turn-deal", "river-deal"):
        assert rulings(said) == ["exposed-burn"]
    else:
        assert (said["rulings"], said["refused"][0]["act"]) == ([], 1)


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

LET_OUT = {
    "deal": "first-card-wrong-seat",
    **dict.fromkeys(("flop-deal", "turn-deal", "river-deal"), "wrong-count-after-action"),
}
"""The phases in which the gate is open for other cards, and what a card to seat 2 is then ruled."""


@pytest.mark.parametrize("phase", CLEAN)
@pytest.mark.parametrize("count", [1, 2])
def test_a_shut_gate_and_an_empty_shoe_let_no_card_out_and_the_hand_goes_on(phase: str, count: int) -> None:
    clean = played_directly(hand(until("done"), gate=True))
    said = played_directly(hand(until(phase), draw("seat:2", count), until("done"), gate=True))
    if phase in LET_OUT:
        assert (said["outcome"], rulings(said), codes(said)) == ("completed", [LET_OUT[phase]], [])
        assert cards_lost(said) == []
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
