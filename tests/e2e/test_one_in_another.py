"""One thing goes wrong while another is put right: the hand is played out, and the ledger is true."""

import pytest

from tests.e2e.tables import Json
from tests.e2e.test_fault_acts import alerts, fault, floor, played, rules, until

BY_HAND: Json = {"min_cards": 52}
CALL: Json = {"do": "key", "key": "floor"}
COMPLY: Json = {"do": "comply"}
FOUR_ON_THE_FLOP: Json = {"do": "draw", "to": "board", "count": 4, "face": "up"}
TO_THE_BOARD: Json = {"do": "draw", "to": "board", "face": "up"}
TO_THE_BURNS: Json = {"do": "draw", "to": "burn", "face": "down"}
TO_THE_MUCK: Json = {"do": "draw", "to": "muck", "face": "down"}
ADDS_A_BURN: Json = {"do": "comply", "wrong": "add-burn"}
TOP_SEEN: Json = {"do": "key", "key": "exposed"}
WASH: Json = {"do": "floor", "decision": "choose", "remedy": "shuffle-stub"}


def found(rule: str, **at: int) -> tuple[Json, Json]:
    return CALL, {"do": "floor", "decision": "found", "rule": rule, **at}


def moved(card: str, to: str) -> Json:
    return {"do": "move", "cards": card, "to": to}


ORDERS: dict[str, tuple[Json, ...]] = {
    "a joker while the stub comes out": (until("flop-deal"), FOUR_ON_THE_FLOP, fault("joker"), TO_THE_BOARD),
    "the button misplaced while the stub is put back": (
        until("deal"),
        *found("stub-dropped"),
        floor("accept"),
        *found("button-misplaced", seat=2),
    ),
    "two jokers one after the other": (until("flop"), fault("joker"), fault("joker")),
    "a burn said to be seen twice": (until("flop-deal"), TOP_SEEN, TOP_SEEN),
    "two cards in the muck": (until("flop"), TO_THE_MUCK | {"count": 2}, floor("accept")),
    "a joker before a stray is laid aside": (
        until("flop"),
        TO_THE_MUCK,
        floor("accept"),
        fault("joker"),
        TO_THE_BOARD,
    ),
    "a stray that lies aside, then an early turn": (
        until("flop"),
        TO_THE_MUCK,
        floor("accept"),
        COMPLY,
        TO_THE_BOARD,
    ),
    "a stray that lies aside, then an early river": (
        until("turn"),
        TO_THE_MUCK,
        floor("accept"),
        COMPLY,
        TO_THE_BOARD,
    ),
    "a second burn that is mixed with the stub": (
        until("turn-deal"),
        TO_THE_BURNS,
        *found("stub-mixed"),
        floor("accept"),
    ),
    "a set for the flop that is mixed with the burns": (
        until("flop-deal"),
        FOUR_ON_THE_FLOP,
        *found("stub-mixed"),
        floor("accept"),
    ),
    "a stray among the burns that are mixed in": (
        until("flop"),
        *found("stub-mixed"),
        floor("accept"),
        TO_THE_BURNS,
        floor("accept"),
    ),
    "a card to the board while the stub is to be washed": (
        until("flop"),
        *found("stub-dropped"),
        WASH,
        TO_THE_BOARD,
    ),
}


@pytest.mark.parametrize("shuffler", [{}, BY_HAND])
@pytest.mark.parametrize("order", ORDERS)
def test_one_thing_in_the_middle_of_another_is_put_right_as_well(order: str, shuffler: Json) -> None:
    report = played(*ORDERS[order], COMPLY, until("done"), shuffler=shuffler)
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert "ledger-differs" not in alerts(report)
    assert len(report["board"]) == 5


@pytest.mark.parametrize("to", ["seat:1", "aside", "muck"])
def test_a_burn_that_met_the_stub_and_was_carried_off_is_brought_back_before_it_counts_as_washed(
    to: str,
) -> None:
    burn = played(until("flop"))["burns"][0]
    acts = (until("flop"), *found("stub-mixed"), floor("accept"), moved(burn, to), COMPLY, until("done"))
    report = played(*acts, shuffler=BY_HAND)
    assert [refusal["what"] for refusal in report["refused"]] == ["ack"]
    assert f"lies at {to}" in report["refused"][0]["why"]
    assert (report["outcome"], "ledger-differs" in alerts(report)) == ("completed", False)
    assert burn in report["shuffles"][-1]["included"]


def test_a_card_that_joins_a_set_and_is_laid_with_the_others_is_washed_with_them() -> None:
    early = (until("turn-deal"), TO_THE_BOARD | {"count": 2}, {"do": "check_around"})
    report = played(*early, TO_THE_BOARD, COMPLY, until("done"), shuffler=BY_HAND)
    assert (report["outcome"], report["refused"], alerts(report)) == ("completed", [], ["card-joins"])
    assert [len(shuffle["included"]) for shuffle in report["shuffles"]] == [40]


def test_a_second_burn_that_was_mixed_in_is_no_street_any_more() -> None:
    acts = ORDERS["a second burn that is mixed with the stub"]
    report = played(*acts, COMPLY, until("done"))
    assert [rule for rule, _ in rules(report)] == ["turn-double-burn", "stub-mixed"]
    asked = [prompt["code"] for prompt in report["prompts"]]
    assert "burn-to-board" not in asked[asked.index("call-floor") :]


def test_a_second_burn_that_came_into_a_wrong_set_goes_back_to_the_burns() -> None:
    acts = (until("flop-deal"), TO_THE_BURNS, *found("stub-dropped"), WASH, ADDS_A_BURN, until("done"))
    report = played(*acts)
    assert (report["outcome"], report["refused"], alerts(report)[-1]) == (
        "completed",
        [],
        "shuffle-incomplete",
    )


@pytest.mark.parametrize(("place", "phase"), [("burn", "flop"), ("aside", "turn")])
def test_no_stray_is_left_lying_among_cards_that_are_to_be_shuffled(place: str, phase: str) -> None:
    stray = {"do": "draw", "to": place, "face": "down"}
    first: dict[str, tuple[Json, ...]] = {
        "burn": (*found("stub-mixed"), floor("accept"), stray),
        "aside": (TO_THE_BOARD, COMPLY, stray),
    }
    acts = (until(phase), *first[place], floor("stand"), floor("accept"), until("done"))
    report = played(*acts, shuffler=BY_HAND)
    assert report["outcome"] == "completed"
    assert [(each["what"], each["why"][:20]) for each in report["refused"]] == [
        ("floor: stand", "cards that lie there")
    ]
    assert "ledger-differs" not in alerts(report)


def test_a_wash_that_the_dealer_only_says_he_made_is_no_shuffle() -> None:
    acts = (until("flop-deal"), FOUR_ON_THE_FLOP, {"do": "comply", "wrong": "skip-cut"})
    dropped = {"do": "floor", "decision": "found", "rule": "stub-dropped"}
    by_hand = BY_HAND | {"cuts": False}
    report = played(*acts, dropped, floor("accept"), {"do": "key", "key": "ack"}, shuffler=by_hand)
    assert report["refused"] == []
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["redeal-flop"]


def test_a_card_drawn_in_a_misdeal_without_antennas_joins_it() -> None:
    acts = (until("deal"), {"do": "key", "key": "misdeal"}, {"do": "draw", "to": "seat:1", "face": "down"})
    report = played(*acts, COMPLY, until("done"), zones=False)
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert alerts(report) == ["card-joins"]


def test_a_card_of_a_flop_to_be_picked_from_is_not_laid_aside() -> None:
    first = played(until("flop-deal"), FOUR_ON_THE_FLOP, rules="tda")
    acts = (until("flop-deal"), FOUR_ON_THE_FLOP, moved(first["aside"][0], "aside"))
    report = played(*acts, rules="tda")
    assert (report["outcome"], alerts(report)) == ("halted", ["card-moved"])


def test_a_boxed_card_that_the_dealer_says_he_exposed_stays_scrap() -> None:
    deal = [{"do": "draw", "to": f"seat:{seat}", "face": "down"} for seat in (1, 2)]
    boxed = {"do": "draw", "to": "seat:3", "face": "up", "boxed": True}
    report = played(until("deal"), *deal, boxed, TOP_SEEN, until("done"), button=3)
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert rules(report) == [("boxed-card", "scrap")]


@pytest.mark.parametrize("instead", ["joker", "boxed"])
@pytest.mark.parametrize("open_", ["natural-river", "scramble-stub"])
def test_a_burn_that_a_remedy_asks_for_is_asked_for_again_where_no_card_of_it_came(
    open_: str, instead: str
) -> None:
    early = ({"do": "wait", "ms": 2001}, TO_THE_BOARD)
    wrong = (TOP_SEEN, floor("accept")) if open_ == "scramble-stub" else early
    comes = fault("joker") if instead == "joker" else TO_THE_BURNS | {"face": "up", "boxed": True}
    to_the_burn = ({"do": "comply"}, {"do": "check_around"}, COMPLY)
    report = played(until("flop"), *wrong, *to_the_burn, comes, until("done"), shoe={"burner": False})
    assert (report["outcome"], report["refused"], len(report["board"])) == ("completed", [], 5)


def test_of_two_cards_on_a_second_burn_the_floor_decides_about_the_second() -> None:
    acts = (until("turn-deal"), TO_THE_BURNS, TO_THE_BOARD | {"count": 2}, floor("accept"), until("done"))
    report = played(*acts)
    assert rules(report) == [("turn-double-burn", "second-burn-is-turn"), ("stray-card", "card-aside")]
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert (len(report["board"]), len(report["burns"])) == (5, 3)


def test_each_of_two_strays_is_asked_for() -> None:
    acts = (until("river"), TO_THE_BOARD, floor("accept"), TO_THE_MUCK, floor("accept"), until("done"))
    report = played(*acts)
    assert (report["outcome"], report["refused"], len(report["aside"])) == ("completed", [], 2)
    asked = [prompt["code"] for prompt in report["prompts"]]
    from_the_call = asked[asked.index("call-floor") :]
    assert from_the_call[:5] == ["call-floor", "card-aside", "call-floor", "muck-aside", "card-aside"]


@pytest.mark.parametrize("shuffler", [{}, BY_HAND])
def test_a_stray_that_came_to_lie_aside_is_told_from_what_is_shuffled(shuffler: Json) -> None:
    stray = {"do": "draw", "to": "aside", "face": "down"}
    acts = (until("turn"), TO_THE_BOARD, COMPLY, stray, floor("accept"), until("done"))
    report = played(*acts, shuffler=shuffler)
    assert (report["outcome"], report["refused"], alerts(report)) == ("completed", [], ["floor-decides"])
    told = [prompt["text"] for prompt in report["prompts"] if prompt["code"] == "card-aside"]
    assert told == ["Last card aside, it is void, ACK"]
    assert [len(shuffle["included"]) for shuffle in report["shuffles"]] == [39]


def test_the_top_of_the_stub_may_be_seen_while_an_early_card_waits_for_the_betting() -> None:
    acts = (until("flop"), {"do": "wait", "ms": 2001}, TO_THE_BOARD, COMPLY, TOP_SEEN, TOP_SEEN)
    report = played(*acts, floor("accept"), TOP_SEEN, until("done"))
    assert (report["outcome"], len(rules(report))) == ("completed", 2)
    assert [shuffle["why"] for shuffle in report["shuffles"]] == ["scramble-stub", "natural-river"]


def test_the_key_muck_without_a_seat_is_refused_behind_a_card_that_is_on_its_way() -> None:
    acts = ({"do": "draw", "to": "off-table", "face": "down"}, {"do": "key", "key": "muck"}, COMPLY)
    assert played(until("deal"), *acts)["outcome"] == "open"


def test_what_became_of_a_stray_that_nobody_saw_is_not_proposed() -> None:
    report = played(until("river"), TO_THE_BURNS, floor("accept"), zones=False)
    assert "nobody knows where that card lies" in report["refused"][0]["why"]
