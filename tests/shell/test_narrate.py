"""What a table tells in lines, for whoever follows it in a terminal."""

import re
from typing import get_args

import msgspec
import pytest

from controller.cards import Card
from controller.decisions import (
    ButtonDrawn,
    ButtonMoved,
    ChipsMoved,
    FloorRuled,
    HandBegan,
    Joined,
    LateNext,
    PotWon,
    Ruled,
    SeatChanged,
    StepDone,
    Withdrawn,
)
from controller.events import FloorDecisionName
from controller.narrate import line, told_machine
from controller.rule_files import rulebook

EARLY_TURN = Ruled(
    number=1,
    rule="premature-turn",
    rules="roberts",
    phase="flop",
    seat=None,
    cards=(Card("3h"),),
    unseen=0,
    takes="early",
    place="board",
    source="a printed book",
    says=rulebook("roberts").rules["premature-turn"].trigger,
    remedy="natural-river",
    steps=(),
)
EXTRA = msgspec.structs.replace(
    EARLY_TURN, number=2, rule="extra-card-first-player", seat=4, cards=(), unseen=1, remedy="extra-to-burn"
)


def test_a_ruling_is_told_in_one_line_with_its_cards_and_its_remedy() -> None:
    assert line(EARLY_TURN) == [
        "RULING 1: premature-turn (3h): The fourth board card was dealt before the betting on the flop was "
        "complete. Remedy: natural-river"
    ]


def test_a_ruling_at_a_seat_names_the_seat_and_no_card_that_nobody_saw() -> None:
    (told,) = line(EXTRA)
    assert told.startswith("RULING 2: extra-card-first-player at seat 4 (1 unnamed): The ")
    assert told.endswith(" Remedy: extra-to-burn")


def test_the_floor_reads_where_a_stray_lies() -> None:
    stray = msgspec.structs.replace(EXTRA, rule="stray-card", seat=None, place="muck")
    assert line(stray)[0].startswith("RULING 2: stray-card in the muck (1 unnamed): ")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Joined(number=1, place="board", card=Card("7c")), "7c at the board goes in as well"),
        (Joined(number=1, place="seat:4"), "a card, face down, at seat 4 goes in as well"),
    ],
)
def test_a_card_that_joins_is_told_with_its_ruling(said: Joined, words: str) -> None:
    assert line(said) == [f"RULING 1: {words}"]


def test_a_ruling_that_is_taken_back_is_told_by_its_number() -> None:
    assert line(Withdrawn(number=1)) == ["RULING 1 is taken back: its cards are in play again"]


def test_a_decision_of_the_floor_is_told_with_who_why_and_about_what() -> None:
    void = FloorRuled(decided="void", who="Ann", reason="lid was open", code="lid-open", phase="flop")
    assert line(void) == ["FLOOR Ann voids the hand (lid-open, flop): lid was open"]
    chosen = FloorRuled(
        decided="choose",
        who="Bo",
        reason="fair",
        code="ruling-too-late",
        phase="preflop",
        ruling=1,
        remedy="misdeal",
    )
    assert line(chosen) == ["FLOOR Bo chooses misdeal (ruling 1, preflop): fair"]


def test_a_late_next_is_told_with_its_round() -> None:
    assert line(LateNext(phase="flop")) == ["next came late: the betting of the phase flop was complete"]


@pytest.mark.parametrize(
    ("why", "evidence", "words"),
    [
        ("", "seen", "exactly the deck, each card known by its tag"),
        ("", "inferred", "as many cards as the deck"),
        ("redeal-flop", "seen", "exactly the cards that redeal-flop wants, each card known by its tag"),
    ],
)
def test_a_proved_set_is_told_with_what_it_is_for(why: str, evidence: str, words: str) -> None:
    step = msgspec.convert({"step": "feed", "evidence": evidence, "why": why, "decision": "step"}, StepDone)
    assert told_machine(step) == f"shuffler: proved {words}"


def test_a_hand_begins_with_those_dealt_in_and_those_who_are_not() -> None:
    hand = HandBegan(number=3, button=5, stacks={1: 90, 2: 200, 5: 10, 7: 50}, seats=(1, 2, 5))
    assert line(hand) == [
        "hand 3: the button is at seat 5; dealt in: 1 (90), 2 (200), 5 (10); not dealt in: 7 (50)"
    ]


def test_who_comes_and_goes_and_the_draw_for_the_button_are_told() -> None:
    assert line(SeatChanged(seat=7, change="sit", chips=500)) == ["seat 7: sits down with 500"]
    assert line(SeatChanged(seat=7, change="out")) == ["seat 7: wants to sit out"]
    drawn = ButtonDrawn(button=4, cards={4: Card("Ah"), 1: Card("Kd")})
    assert line(drawn) == ["drawn for the button: seat 1 Kd, seat 4 Ah; seat 4 has it"]


def test_the_rake_is_told_with_its_pot() -> None:
    paid = ChipsMoved(pots=(PotWon(30, {2: 29}, "pair, aces", 1),), stacks={2: 129, 3: 70})
    assert line(paid) == ["pot of 30: seat 2 29, with pair, aces", "the house takes 1"]


@pytest.mark.parametrize("decided", get_args(FloorDecisionName))
def test_every_decision_of_the_floor_has_its_words(decided: FloorDecisionName) -> None:
    ruled = FloorRuled(decided=decided, who="Ann", reason="so", code="floor-called", phase="flop")
    (said,) = line(ruled)
    assert re.fullmatch(r"FLOOR Ann .+ \(floor-called, flop\): so", said)


def test_a_button_that_was_moved_is_told_with_what_follows() -> None:
    assert line(ButtonMoved(button=2, seats=(3, 1, 2))) == [
        "the button belongs at seat 2: dealt anew from there"
    ]
    assert line(ButtonMoved(button=2)) == ["the button belongs at seat 2: the next hand counts from there"]
