"""What happens at the table and fits nowhere is never dropped: the hand is halted and the floor is called."""

import pytest

from tests.e2e.tables import CLEAN, Json, cards_lost, played_directly

SEATS = {"2": 500, "5": 500, "9": 700}
LIVE = CLEAN[2:]
"""The phases in which a card can leave the shoe."""

PLACES = ("seat:2", "seat:5", "seat:9", "board", "burn", "muck", "aside")
SIDES: tuple[Json, ...] = ({"face": "down"}, {"face": "up"}, {"face": "down", "boxed": True})

DUE: dict[str, tuple[str, str]] = {
    "deal": ("seat:9", "down"),
    "flop-deal": ("board", "up"),
    "turn-deal": ("board", "up"),
    "river-deal": ("board", "up"),
}
"""Where the next card belongs, the button being on seat 5, and which side is up."""


def hand(*acts: Json, gate: bool = False, burner: bool = True, zones: bool = True) -> Json:
    table = {"game": "holdem", "seats": SEATS, "button": 5, "zones": zones}
    return {"table": {**table, "shoe": {"gate": gate, "burner": burner}}, "seed": 3, "acts": list(acts)}


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def codes(said: Json) -> list[str]:
    return [alert["code"] for alert in said["alerts"]]


def belongs(phase: str, place: str, side: Json) -> bool:
    return DUE.get(phase) == (place, side["face"]) and "boxed" not in side


@pytest.mark.parametrize("side", SIDES, ids=("down", "up", "boxed"))
@pytest.mark.parametrize("phase", LIVE)
def test_a_stray_card_halts_the_hand_wherever_it_lands(phase: str, side: Json) -> None:
    for place in PLACES:
        stray = {"do": "draw", "to": place, **side}
        said = played_directly(hand(until(phase), stray))
        assert cards_lost(said) == []
        if belongs(phase, place, side):
            assert (said["outcome"], codes(said)) == ("open", [])
            continue
        assert (said["outcome"], said["phase"], codes(said)) == ("halted", "halted", ["not-ruled-yet"]), place
        assert said["phases"] == [*CLEAN[: CLEAN.index(phase) + 1], "halted"]
        assert said["prompts"][-1]["code"] == "call-floor"
        assert said["refused"] == []


@pytest.mark.parametrize("phase", LIVE)
def test_nothing_moves_in_a_halted_hand_whatever_is_tried(phase: str) -> None:
    begin = (until(phase), {"do": "draw", "to": "aside"})
    halted = played_directly(hand(*begin))
    tried = (
        until("done"),
        {"do": "check_around"},
        {"do": "bet", "seat": 9, "action": "call"},
        {"do": "key", "key": "next"},
        {"do": "key", "key": "ack"},
        {"do": "key", "key": "floor"},
        {"do": "key", "key": "muck", "seat": 9},
        {"do": "wait", "ms": 60_000},
        until("done"),
    )
    after = played_directly(hand(*begin, *tried))
    assert {refusal["act"] for refusal in after["refused"]} >= set(range(3, 9))
    after["refused"] = []
    assert after == halted


def test_cards_drawn_in_a_halted_hand_are_followed_to_where_they_lie() -> None:
    draws = [{"do": "draw", "to": place} for place in PLACES]
    said = played_directly(
        hand(until("flop"), *draws, {"do": "draw", "to": "board", "count": 5, "face": "up"})
    )
    assert (said["outcome"], codes(said)) == ("halted", ["not-ruled-yet"])
    assert cards_lost(said) == []
    assert (len(said["board"]), len(said["aside"])) == (3 + 1 + 5, 1)


@pytest.mark.parametrize("count", range(4, 7))
def test_a_card_too_many_on_the_flop_halts_the_hand_and_every_one_is_accounted_for(count: int) -> None:
    flop = {"do": "draw", "to": "board", "count": count, "face": "up"}
    said = played_directly(hand(until("flop-deal"), flop, until("done")))
    assert (said["outcome"], codes(said), len(said["board"])) == ("halted", ["not-ruled-yet"], count)
    assert cards_lost(said) == []


@pytest.mark.parametrize("side", SIDES, ids=("down", "up", "boxed"))
@pytest.mark.parametrize("phase", [phase for phase in LIVE if phase not in DUE])
def test_without_antennas_a_card_that_leaves_the_shoe_when_none_is_due_halts_the_hand(
    phase: str, side: Json
) -> None:
    stray = {"do": "draw", "to": "board", **side}
    said = played_directly(hand(until(phase), stray, until("done"), zones=False))
    assert (said["outcome"], codes(said)) == ("halted", ["not-ruled-yet"])
    assert cards_lost(said) == []


@pytest.mark.parametrize("phase", ["preflop", "flop", "turn"])
def test_where_the_dealer_burns_a_card_to_the_board_instead_halts_the_hand(phase: str) -> None:
    acts = (until(phase), {"do": "check_around"}, {"do": "draw", "to": "board", "face": "up"})
    said = played_directly(hand(*acts, until("done"), burner=False))
    assert (said["outcome"], codes(said)) == ("halted", ["not-ruled-yet"])


def test_a_burn_dealt_face_up_halts_the_hand() -> None:
    acts = (until("preflop"), {"do": "check_around"}, {"do": "draw", "to": "burn", "face": "up"})
    said = played_directly(hand(*acts, until("done"), burner=False))
    assert (said["outcome"], codes(said)) == ("halted", ["not-ruled-yet"])


@pytest.mark.parametrize("key", ["misdeal", "exposed"])
@pytest.mark.parametrize("phase", CLEAN)
def test_the_keys_misdeal_and_exposed_halt_a_hand_that_is_under_way_and_mean_nothing_else(
    phase: str, key: str
) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": key}, until("done")))
    if phase in ("idle", "shuffle", "done"):
        assert (said["outcome"], codes(said)) == ("completed", [])
        assert said["refused"][0]["act"] == 1
    else:
        assert (said["outcome"], codes(said)) == ("halted", ["not-ruled-yet"])
        assert said["phases"] == [*CLEAN[: CLEAN.index(phase) + 1], "halted"]
    assert cards_lost(said) == []


@pytest.mark.parametrize("phase", CLEAN)
def test_the_key_floor_halts_the_table_in_any_phase(phase: str) -> None:
    said = played_directly(hand(until(phase), {"do": "key", "key": "floor"}, until("done")))
    assert (said["outcome"], said["phase"], codes(said)) == ("halted", "halted", ["floor-called"])
    assert cards_lost(said) == []


@pytest.mark.parametrize("phase", CLEAN)
@pytest.mark.parametrize("count", [1, 2])
def test_a_shut_gate_and_an_empty_shoe_let_no_card_out_and_the_hand_goes_on(phase: str, count: int) -> None:
    draw = {"do": "draw", "to": "seat:2", "count": count}
    clean = played_directly(hand(until("done"), gate=True))
    said = played_directly(hand(until(phase), draw, until("done"), gate=True))
    if phase in DUE:
        assert said["outcome"] == "halted"  # the gate is open for the cards that are due, and this is none
        return
    why = "the shoe holds 0 cards" if phase in ("idle", "shuffle") else "the gate is shut"
    assert said["refused"][0] == {"act": 1, "what": "draw to seat:2", "why": why}
    assert {**said, "refused": []} == clean


def test_a_gate_stops_the_hand_after_the_cards_that_are_due_and_the_refusal_says_how_many_came() -> None:
    flop = {"do": "draw", "to": "board", "count": 4, "face": "up"}
    said = played_directly(hand(until("flop-deal"), flop, until("done"), gate=True))
    assert said["refused"] == [
        {"act": 1, "what": "draw to board", "why": "the gate is shut after 3 of 4 cards"}
    ]
    assert (said["outcome"], codes(said), len(said["board"])) == ("completed", [], 5)


def test_a_shoe_that_holds_fewer_cards_than_are_drawn_gives_none() -> None:
    acts = (
        until("preflop"),
        {"do": "draw", "to": "muck", "count": 45},
        {"do": "draw", "to": "muck", "count": 2},
    )
    said = played_directly(hand(*acts))
    assert said["refused"] == [{"act": 2, "what": "draw to muck", "why": "the shoe holds 1 card"}]
    assert (said["stub"], said["outcome"]) == (1, "halted")
