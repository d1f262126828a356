"""Several hands in one scenario: the button moves, chips stay with their owners, rulings carry their hand."""

import json

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
    assert [refusal["why"] for refusal in said["refused"]] == [
        "a hand needs two seats with chips",
        "the next hand does not begin",
    ]
