"""Several hands in one scenario: the button moves, chips stay with their owners, rulings carry their hand."""

import json
from typing import Final

import pytest

from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import read_scenario
from tests.e2e.tables import Json, cards_lost

SEATS = {"1": 100, "2": 100, "3": 100}
DONE = {"do": "play", "until": "done"}


def session(hands: int, *acts: Json, **table: object) -> Json:
    """The report of so many hands, the same with and without a wire."""
    told = {"table": {"game": "holdem", "seats": SEATS, **table}, "hands": hands, "acts": acts, "seed": 3}
    scenario = read_scenario(json.dumps(told), file="session.json", name="session")
    directly = played(scenario, direct=True)
    assert played(scenario, direct=False) == directly
    said: Json = json.loads(directly)
    assert cards_lost(said) == []
    return said


def test_play_until_a_phase_goes_on_to_the_next_hand_once_a_hand_is_done() -> None:
    said = session(3, DONE, {"do": "play", "until": "flop"}, DONE, {"do": "play", "until": "preflop"})
    hands = " ".join(said["phases"]).split(" done ")
    assert [hand.split()[-1] for hand in hands] == ["showdown", "showdown", "preflop"]
    assert (said["outcome"], said["alerts"], said["refused"]) == ("open", [], [])


def test_hands_that_are_left_when_the_acts_are_over_are_played_out() -> None:
    said = session(3, DONE)
    assert said["phases"].count("done") == 3
    assert (said["outcome"], sum(said["stacks"].values())) == ("completed", 300)


def test_a_hand_that_ended_by_folds_is_left_at_its_end_by_the_play_that_was_to_bring_it_there() -> None:
    folds = [{"do": "bet", "seat": seat, "action": "fold"} for seat in (1, 2)]
    said = session(2, {"do": "play", "until": "preflop"}, *folds, DONE, {"do": "play", "until": "deal"})
    assert (said["phases"].count("done"), said["phases"][-1]) == (1, "deal")


def test_rulings_and_shuffles_carry_their_hand_and_first_shuffles_are_left_out() -> None:
    said = session(
        2,
        DONE,
        {"do": "play", "until": "flop-deal"},
        {"do": "draw", "to": "board", "count": 4, "face": "up"},
        DONE,
    )
    assert [(ruling["hand"], ruling["rule"]) for ruling in said["rulings"]] == [(2, "overfull-flop")]
    assert [(shuffle["hand"], shuffle["why"]) for shuffle in said["shuffles"]] == [(2, "redeal-flop")]


def test_what_was_out_of_play_in_one_hand_is_in_play_in_the_next() -> None:
    early = {"do": "draw", "to": "board", "face": "up"}
    said = session(2, {"do": "play", "until": "flop"}, {"do": "wait", "ms": 3000}, early, DONE, DONE)
    assert [ruling["rule"] for ruling in said["rulings"]] == ["premature-turn"]
    assert (said["aside"], said["alerts"], said["outcome"]) == ([], [], "completed")


def test_no_hand_begins_where_fewer_than_two_players_have_chips() -> None:
    said = session(
        9,
        {"do": "play", "until": "preflop"},
        {"do": "bet", "seat": 2, "action": "all-in"},
        DONE,
        DONE,
        seats={"1": 40, "2": 40},
        button=2,
    )
    assert (said["phases"].count("done"), said["outcome"]) == (1, "completed")
    assert sorted(said["stacks"].values()) == [0, 80]
    assert [(refusal["act"], refusal["why"]) for refusal in said["refused"]] == [
        (3, "a hand needs two players with chips"),
    ]


def test_the_cards_of_the_last_hand_are_told_where_no_other_can_begin() -> None:
    acts: list[Json] = [
        {"do": "play", "until": "preflop"},
        {"do": "bet", "seat": 2, "action": "all-in"},
        DONE,
    ]
    alone = session(1, *acts, seats={"1": 40, "2": 40}, button=2)
    assert len(alone["board"]) == 5
    told = ("board", "hole", "burns", "muck", "stub", "pots", "stacks", "alerts", "phases")
    for more in ([], [DONE], [DONE, DONE]):
        said = session(3, *acts, *more, seats={"1": 40, "2": 40}, button=2)
        assert [said[key] for key in told] == [alone[key] for key in told]
        assert [refusal["act"] for refusal in said["refused"]] == [3, 4][: len(more)]


LEFT_ALONE: Final[tuple[Json, ...]] = (
    {"do": "play", "until": "flop"},
    {"do": "seat", "seat": 2, "wish": "out"},
    DONE,
    {"do": "play", "until": "preflop"},
)
"""Of two players one sits out in the first hand, and the second hand is to begin."""


def test_a_hand_that_could_not_begin_begins_once_two_players_are_there_again() -> None:
    said = session(
        3,
        *LEFT_ALONE,
        {"do": "play", "until": "flop"},
        {"do": "seat", "seat": 2, "wish": "back"},
        {"do": "play", "until": "preflop"},
        DONE,
        seats={"1": 100, "2": 100},
    )
    assert [(refusal["act"], refusal["why"]) for refusal in said["refused"]] == [
        (3, "a hand needs two players with chips"),
        (4, "the next hand does not begin"),
    ]
    assert (said["phases"].count("done"), said["outcome"]) == (3, "completed")


def test_a_hand_begun_by_the_key_after_one_that_could_not_begin_is_the_one_that_is_told() -> None:
    back: list[Json] = [{"do": "seat", "seat": 2, "wish": "back"}, {"do": "key", "key": "ack"}]
    said = session(2, *LEFT_ALONE, *back, seats={"1": 100, "2": 100})
    assert (said["phase"], said["board"], said["other"]["output"]) == ("shuffle", [], 52)


def test_a_play_at_which_there_is_nothing_to_do_is_refused_every_time() -> None:
    plays = [{"do": "play", "until": phase} for phase in ("preflop", "flop", "turn")]
    said = session(1, {"do": "seat", "seat": 2, "wish": "out"}, *plays, seats={"1": 100, "2": 100})
    assert (said["phases"], [refusal["act"] for refusal in said["refused"]]) == (["idle"], [1, 2, 3])


def test_who_wishes_to_leave_a_seat_where_nobody_ever_sat_makes_no_seat_of_it() -> None:
    said = session(1, {"do": "seat", "seat": 5, "wish": "leave"}, DONE)
    assert list(said["stacks"]) == list(said["hole"]) == ["1", "2", "3"]
    assert [refusal["why"] for refusal in said["refused"]] == ["nobody sits at seat 5"]


# Who sits where


def test_a_tournament_draws_for_its_button_and_the_cards_are_shuffled_again() -> None:
    said = session(1, DONE, button="draw", seats={"2": 100, "5": 100, "9": 100})
    assert said["phases"][:5] == ["idle", "shuffle", "button-draw", "shuffle", "deal"]
    assert (said["outcome"], said["rulings"], said["alerts"]) == ("completed", [], [])
    feeds = [made for made in said["commands"] if made["command"] in ("feed", "cut")]
    assert [made["count"] for made in feeds] == [52] * 4
    assert said["shuffles"] == []


@pytest.mark.parametrize(
    ("deck", "button"), [("2s 2h 2d", 2), ("Kd Kh Qs", 5), ("9c Ac Ad", 9), ("7s 6s 5s", 2)]
)
def test_the_highest_card_drawn_has_the_button_and_the_seat_left_of_it_the_small_blind(
    deck: str, button: int
) -> None:
    seats = {"2": 100, "5": 100, "9": 100}
    told = {"table": {"game": "holdem", "seats": seats, "button": "draw"}, "deck": deck}
    acts = [{"do": "play", "until": "preflop"}]
    made = read_scenario(json.dumps(told | {"acts": acts}), file="draw.json", name="draw")
    stacks = json.loads(played(made, direct=True))["stacks"]
    left = {2: "5", 5: "9", 9: "2"}
    assert stacks[left[button]] == 95


def test_a_card_of_the_draw_that_lies_face_down_is_turned_up_before_it_counts() -> None:
    said = session(
        1,
        {"do": "play", "until": "button-draw"},
        {"do": "draw", "to": "seat:2", "face": "down"},
        DONE,
        button="draw",
        seats={"2": 100, "5": 100, "9": 100},
    )
    codes = [prompt["code"] for prompt in said["prompts"]]
    assert codes.index("turn-up") < codes.index("gather")
    assert (said["outcome"], said["alerts"]) == ("completed", [])


def test_a_newcomer_is_dealt_in_and_who_left_keeps_what_he_had() -> None:
    said = session(
        4,
        {"do": "play", "until": "flop"},
        {"do": "seat", "seat": 5, "wish": "sit", "chips": 500},
        {"do": "seat", "seat": 2, "wish": "leave"},
        DONE,
    )
    assert (said["outcome"], said["refused"], said["alerts"]) == ("completed", [], [])
    assert sum(said["stacks"].values()) + said["left"]["2"] == 800
    assert [len(said["hole"][seat]) for seat in ("1", "2", "3", "5")] == [2, 0, 2, 2]


def test_chips_bought_in_a_hand_count_in_the_next() -> None:
    over = {"do": "bet", "seat": 2, "action": "bet", "amount": 91}
    said = session(
        2,
        {"do": "play", "until": "flop"},
        {"do": "seat", "seat": 2, "wish": "add", "chips": 400},
        over,
        DONE,
        {"do": "play", "until": "flop"},
        {"do": "bet", "seat": 3, "action": "check"},
        {"do": "bet", "seat": 1, "action": "check"},
        over,
        DONE,
    )
    whys = [refusal["why"] for refusal in said["refused"]]
    assert whys == ["seat 2 may bet to between 10 and 90"]
    assert sum(said["stacks"].values()) == 700


def test_a_wish_that_cannot_be_is_refused_and_play_goes_on() -> None:
    said = session(1, {"do": "seat", "seat": 2, "wish": "sit", "chips": 5}, DONE)
    assert said["refused"] == [{"act": 0, "what": "sit of seat 2", "why": "seat 2 is taken"}]
    assert said["outcome"] == "completed"


def test_the_house_takes_its_rake_before_the_pots_are_pushed() -> None:
    said = session(2, DONE, rake=[{"players": 2, "percent": 10, "cap": 2}])
    assert [pot["amount"] - sum(pot["winners"].values()) for pot in said["pots"]] == [2]
    assert (said["rake"], sum(said["stacks"].values())) == (4, 296)
    codes = [prompt["code"] for prompt in said["prompts"]]
    assert codes.count("take-rake") == 2
    assert codes.index("take-rake") < codes.index("push-pot")


def test_no_flop_no_rake() -> None:
    folds = [{"do": "bet", "seat": seat, "action": "fold"} for seat in (1, 2)]
    said = session(1, {"do": "play", "until": "preflop"}, *folds, DONE, rake=[{"percent": 10}])
    assert (said["rake"], said["stacks"]) == (0, {"1": 100, "2": 95, "3": 105})


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"rake": [{"percent": 10}]}, ["the rake", "the rake"]),
        ({"ante": 2}, ["antes", "antes"]),
        ({"posts": {"2": 10}}, ["what seats 2 post"]),
    ],
)
def test_where_chips_are_not_followed_what_needs_them_is_said_to_be_the_dealers(
    more: Json, told: list[str]
) -> None:
    said = session(2, DONE, DONE, follow="dealer-key", **more)
    words = [f"chips are not followed here: {what} are the dealer's" for what in told]
    assert said["alerts"] == [{"code": "not-tracked", "text": text} for text in words]
    assert ("rake" in said, said["stacks"]) == (False, SEATS)


def test_where_chips_are_not_followed_a_newcomers_post_and_a_straddle_are_told_too() -> None:
    said = session(
        2,
        {"do": "play", "until": "flop"},
        {"do": "seat", "seat": 9, "wish": "sit", "chips": 100, "entry": "post"},
        {"do": "seat", "seat": 7, "wish": "straddle"},
        DONE,
        DONE,
        follow="dealer-key",
        seats={"1": 100, "2": 100, "3": 100, "5": 100, "7": 100},
    )
    assert [alert["text"] for alert in said["alerts"]] == [
        "chips are not followed here: what seats 9 post, the straddle of seat 7 are the dealer's"
    ]


def test_chips_that_nobody_called_go_back_and_are_reported() -> None:
    raised = {"do": "bet", "seat": 1, "action": "raise", "amount": 40}
    folds = [{"do": "bet", "seat": seat, "action": "fold"} for seat in (2, 3)]
    said = session(1, {"do": "play", "until": "preflop"}, raised, *folds, DONE)
    assert (said["returned"], [pot["amount"] for pot in said["pots"]]) == ({"1": 30}, [25])


def test_who_sits_down_where_another_has_left_has_his_own_chips() -> None:
    said = session(
        2,
        DONE,
        {"do": "seat", "seat": 3, "wish": "leave"},
        {"do": "seat", "seat": 3, "wish": "sit", "chips": 77},
        DONE,
        DONE,
    )
    assert (said["left"]["3"] + sum(said["stacks"].values()), said["refused"]) == (377, [])
    assert said["stacks"]["3"] == 77


def test_everybody_may_leave_while_the_draw_for_the_button_is_prepared() -> None:
    leaves = [{"do": "seat", "seat": seat, "wish": "leave"} for seat in (1, 2, 3)]
    said = session(2, {"do": "play", "until": "shuffle"}, *leaves, DONE, button="draw")
    assert (said["phase"], said["left"]) == ("button-draw", {"1": 100, "2": 100, "3": 100})
    assert said["refused"][0]["why"] == "a hand needs two players with chips"


def test_nobody_sits_down_in_a_tournament_once_its_draw_has_begun() -> None:
    sit = {"do": "seat", "seat": 7, "wish": "sit", "chips": 100}
    said = session(1, {"do": "play", "until": "button-draw"}, sit, DONE, button="draw")
    assert [refusal["why"] for refusal in said["refused"]] == [
        "a tournament takes no player once its button is drawn for"
    ]


def test_a_game_that_had_stopped_for_want_of_players_goes_on_when_two_are_there() -> None:
    said = session(
        2,
        {"do": "play", "until": "preflop"},
        {"do": "seat", "seat": 2, "wish": "leave"},
        {"do": "seat", "seat": 3, "wish": "leave"},
        DONE,
        {"do": "play", "until": "deal"},
        {"do": "seat", "seat": 6, "wish": "sit", "chips": 100},
    )
    prompts = [prompt["code"] for prompt in said["prompts"]]
    first = prompts.index("gather")
    assert prompts[first : first + 2] == ["gather", "gather"]  # asked again when seat 6 has sat down
    assert (said["phases"].count("done"), said["stacks"]["6"] > 0) == (2, True)
