"""Rulings that were left to the floor: a remedy is carried out, or what happened stands."""

from dataclasses import replace

import msgspec
import pytest

from controller.cards import Card
from controller.decisions import Command, Refused, Ruled, Tabled
from controller.events import Acted, FloorDecisionName, Turned
from controller.places import ASIDE, BOARD, BURN, at_seat
from controller.remedies.steps import read_remedies
from controller.table_setup import TableSetup
from tests.controller.hands import World, setup
from tests.floor.halts import codes, decided, halted, press, refused, table_at


def too_late(phase: str = "preflop", **of_the_table: object) -> tuple[World, Card]:
    """A hole card of seat 1 is found exposed when the window of the deal has closed."""
    table = table_at(phase, setup(**of_the_table))  # type: ignore[arg-type]
    if phase == "preflop":
        for _ in range(2):
            table.tell(Acted(seat=table.prompt.seat, action="check-or-call"))
    card = table.at(at_seat(1))[1]
    table.report(Turned(time=0, place=at_seat(1), facing="up", card=card))
    press(table, "exposed", 1)
    assert codes(table) == ["ruling-too-late"]
    assert table.table.ledger.where(card).place == ASIDE
    return table, card


def told(table: World) -> list[tuple[int, str, str]]:
    return [(ruled.number, ruled.rule, ruled.remedy) for ruled in table.all_said(Ruled)]


def test_what_the_rule_has_within_its_window_is_carried_out_and_told() -> None:
    table, card = too_late()
    ruled = decided(table, "accept")
    assert (ruled.ruling, ruled.remedy, ruled.code) == (1, "replace-exposed", "ruling-too-late")
    assert told(table) == [
        (1, "exposed-later-hole-card", "floor"),
        (1, "exposed-later-hole-card", "replace-exposed"),
    ]
    assert table.prompt.code == "replace-exposed"
    table.draw(at_seat(1))
    assert table.prompt.code == "exposed-to-burn"
    table.carry(card, BURN)
    table.play("done")
    assert table.phases[-1] == "done"
    assert [c.command for c in table.all_said(Command)].count("burn") == 2


def test_another_remedy_of_the_rulebook_takes_its_place() -> None:
    table, _ = too_late()
    assert decided(table, "choose", "misdeal").remedy == "misdeal"
    assert (table.table.phase, table.prompt.code) == ("misdeal", "gather-misdeal")
    table.play("deal")
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_remedy_of_the_deal_is_too_late_once_the_flop_is_due() -> None:
    table, _ = too_late("flop")
    assert "is for the deal" in refused(table, "accept")
    assert "is for the deal" in refused(table, "choose", "misdeal")
    decided(table, "stand")


@pytest.mark.parametrize(
    ("remedy", "why"),
    [
        ("misdael", "there is no remedy misdael: did you mean misdeal"),
        ("redeal-flop", "is for the board"),
        ("extra-to-burn", "there is no such card"),
        ("claim-given-up", "does nothing"),
        ("floor", "does nothing"),
    ],
)
def test_a_remedy_that_cannot_put_it_right_is_refused(remedy: str, why: str) -> None:
    table, _ = too_late()
    assert why in refused(table, "choose", remedy)
    decided(table, "accept")


@pytest.mark.parametrize("phase", ["preflop", "flop"])
def test_a_remedy_after_which_a_hand_is_a_card_short_is_refused(phase: str) -> None:
    table, _ = too_late(phase)
    assert "does not put exposed-later-hole-card right" in refused(table, "choose", "joker-away")
    decided(table, "stand")
    table.play("done")
    assert len(next(tabled.cards for tabled in table.all_said(Tabled) if tabled.seat == 1)) == 2


def test_a_second_halt_in_the_middle_of_the_chosen_remedy_works() -> None:
    table, card = too_late()
    decided(table, "accept")
    halted(table)
    decided(table, "stand")
    assert table.prompt.code == "replace-exposed"
    table.draw(at_seat(1))
    halted(table)
    decided(table, "stand")
    table.carry(card, BURN)
    table.play("done")
    assert table.phases[-1] == "done"


@pytest.mark.parametrize("phase", ["preflop", "flop", "turn", "river"])
def test_an_exposed_card_that_stands_is_the_player_s_again(phase: str) -> None:
    table, card = too_late(phase)
    ruled = decided(table, "stand")
    assert (ruled.ruling, ruled.left_out) == (1, ())
    assert table.table.ledger.where(card).place == at_seat(1)
    table.play("done")
    assert card in next(tabled.cards for tabled in table.all_said(Tabled) if tabled.seat == 1)


def test_of_an_exposed_card_and_its_exposed_replacement_the_player_has_the_first_again() -> None:
    table, card = too_late()
    decided(table, "accept")
    replacement = table.draw(at_seat(1), facing="up")
    assert table.table.phase == "halted"
    assert decided(table, "stand").left_out == (at_seat(1),)
    table.play("done")
    shown = next(tabled.cards for tabled in table.all_said(Tabled) if tabled.seat == 1)
    assert len(shown) == 2
    assert card in shown
    assert replacement not in shown


def test_exposed_cards_of_two_seats_that_stand_are_both_their_players_again() -> None:
    """The second ruling has taken the place of the first, of which nothing else would become."""
    table, first = too_late()
    decided(table, "accept")
    second = table.at(at_seat(2))[1]
    table.report(Turned(time=0, place=at_seat(2), facing="up", card=second))
    press(table, "exposed", 2)
    assert decided(table, "stand").left_out == ()
    table.play("done")
    shown = {tabled.seat: tabled.cards for tabled in table.all_said(Tabled)}
    assert (first in shown[1], second in shown[2]) == (True, True)
    assert {len(cards) for cards in shown.values()} == {2}


def test_of_two_exposed_cards_the_one_that_was_replaced_stays_out() -> None:
    table, first = too_late()
    decided(table, "accept")
    table.draw(at_seat(1))
    second = table.at(at_seat(2))[1]
    table.report(Turned(time=0, place=at_seat(2), facing="up", card=second))
    press(table, "exposed", 2)
    assert decided(table, "stand").left_out == (at_seat(1),)
    table.play("done")
    shown = {tabled.seat: tabled.cards for tabled in table.all_said(Tabled)}
    assert (first in shown[1], second in shown[2]) == (False, True)
    assert {len(cards) for cards in shown.values()} == {2}


def test_a_street_that_the_ruling_interrupted_is_dealt_on() -> None:
    table = table_at("flop-deal")
    table.draw(BOARD, facing="up")
    press(table, "exposed", 1)
    assert codes(table) == ["ruling-too-late"]
    decided(table, "stand")
    assert (table.prompt.code, table.prompt.count) == ("deal-flop", 2)
    table.play("done")
    assert len(table.at(BOARD)) == 5


def test_nothing_can_be_taken_back_behind_the_floor_s_decision() -> None:
    table, _ = too_late()
    decided(table, "stand")
    press(table, "undo")
    assert table.phases[-1] == "preflop"
    assert "no key that could be taken back" in table.all_said(Refused)[-1].why


def test_a_key_that_halted_the_table_is_not_taken_back_once_the_hand_is_void() -> None:
    table = table_at("turn")
    press(table, "misdeal", 1)
    decided(table, "void")
    press(table, "undo")
    assert "no key that could be taken back" in table.all_said(Refused)[-1].why
    assert table.phases[-1] == "done"


@pytest.mark.parametrize("decision", ["void", "by-hand"])
def test_nothing_can_be_taken_back_of_a_hand_that_is_given_up(decision: FloorDecisionName) -> None:
    table, _ = too_late()
    decided(table, decision)
    press(table, "undo")
    assert "undo" in table.all_said(Refused)[-1].what


# Remedies that begin with the floor


FLOOR_FIRST = """
[asked-first]
says = "The floor is asked, then the card is the burn."
holds = "everything"

[[asked-first.steps]]
do = "floor"
says = "The floor decides."

[[asked-first.steps]]
do = "move"
cards = "early"
to = "burn"
prompt = "board-to-burn"
proof = "seen"
says = "The card goes to the burn tray."

[[asked-first.steps]]
do = "deal"
cards = "next-street"
proof = "lies"
says = "The next card is the street."
"""


LOSES = """
[card-forgotten]
says = "Nobody says where the card goes."
holds = "nothing"

[[card-forgotten.steps]]
do = "await"
until = "street"
says = "The betting is finished."
"""


def asking_first() -> TableSetup:
    """A table at which a turn without its burn is for the floor, with a remedy behind it."""
    made = setup(follow="dealer-key")
    book = made.rules
    own = read_remedies(FLOOR_FIRST + LOSES, "test", frozenset({"board-to-burn"}))
    remedies = dict(book.remedies) | own
    rule = book.rules["turn-no-burn"]
    rules = dict(book.rules) | {"turn-no-burn": msgspec.structs.replace(rule, remedy="asked-first")}
    return replace(made, rules=replace(book, rules=rules, remedies=remedies))


def turn_without_burn() -> World:
    """The turn lies, and nobody has burned: the floor is asked."""
    table = table_at("flop", asking_first(), burner=False)
    press(table, "next")
    assert table.prompt.code == "burn"
    table.draw(BOARD, facing="up")
    assert codes(table) == ["floor-decides"]
    return table


def test_a_remedy_that_begins_with_the_floor_goes_on_behind_it() -> None:
    table = turn_without_burn()
    assert decided(table, "accept").remedy == "asked-first"
    assert told(table) == [(1, "turn-no-burn", "asked-first")]
    assert table.prompt.code == "board-to-burn"
    table.carry(table.at(BOARD)[-1], BURN)
    assert table.prompt.code == "deal-turn"
    table.play("done")
    assert table.phases[-1] == "done"
    assert len(table.at(BOARD)) == 5


def test_another_remedy_stands_in_for_one_that_begins_with_the_floor() -> None:
    table = turn_without_burn()
    assert decided(table, "choose", "card-is-burn").remedy == "card-is-burn"
    assert table.prompt.code == "board-to-burn"


def test_a_remedy_that_no_rule_names_and_that_loses_a_card_cannot_be_chosen() -> None:
    table = turn_without_burn()
    assert "does not put turn-no-burn right" in refused(table, "choose", "card-forgotten")
    decided(table, "choose", "card-is-burn")


def test_a_street_that_stands_counts_and_has_no_burn() -> None:
    table = turn_without_burn()
    card = table.at(BOARD)[-1]
    decided(table, "stand")
    assert table.table.ledger.where(card).place == BOARD
    assert (table.table.phase, table.prompt.code) == ("turn", "betting")
    table.play("done")
    assert (len(table.at(BOARD)), len(table.at(BURN))) == (5, 2)


def test_a_remedy_whose_steps_do_not_fit_the_street_is_refused() -> None:
    table = turn_without_burn()
    for remedy in ("redeal-flop", "finish-then-redeal-flop"):
        assert "the flop lies" in refused(table, "choose", remedy)
    decided(table, "void")
