"""Where cards of a live hand in the muck may be a mistake the dealer is asked whether it folded."""

from dataclasses import replace

import pytest

from controller.decisions import ChipsMoved, Mucked, Ruled
from controller.events import Acted, PromptsReady, Turned
from controller.games import Game
from controller.ledger import Evidence
from controller.places import ASIDE, BOARD, BURN, MUCK, at_seat
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup
from tests.controller.players import (
    SHORT,
    alerts,
    all_in_and_called,
    asked,
    check_or_call,
    folds,
    heads_up,
    not_folded,
    playing,
    press,
    refusals,
    throw_one,
)


def answers(table: World, answer: str) -> None:
    """The dealer says whether the hand folded; if it did not, the floor has it brought back."""
    if answer == "no":
        not_folded(table)
    else:
        press(table, answer)


def called(answer: str) -> list[str]:
    """What is told of it: after a `no` the floor was called."""
    return ["floor-decides"] if answer == "no" else []


# The question


def test_an_all_in_hand_in_the_muck_is_asked_about_and_a_yes_leaves_its_chips_in() -> None:
    table = all_in_and_called()
    table.muck(3)
    assert asked(table) == ("folded", 3, 1)
    press(table, "yes")
    assert (folds(table), alerts(table), asked(table)) == ([3], [], ("act-call", 1, 50))
    check_or_call(table, 1, 2)
    table.play("done")
    chips = table.all_said(ChipsMoved)[-1]
    assert [pot.amount for pot in chips.pots] == [240]
    assert chips.stacks[3] == 0


def test_after_a_no_the_floor_has_the_cards_back_and_the_hand_goes_on_with_nothing_changed() -> None:
    table = all_in_and_called()
    chips = table.all_said(ChipsMoved)
    table.muck(3)
    not_folded(table)
    assert asked(table) == ("hand-back", 3, 2)
    first, second = table.at(MUCK)
    table.carry(first, at_seat(3))
    assert asked(table) == ("hand-back", 3, 2)
    table.carry(second, at_seat(3))
    assert (asked(table), folds(table)) == (("act-call", 1, 50), [])
    assert table.all_said(ChipsMoved) == chips
    table.play("done")
    assert (table.phases[-1], alerts(table), refusals(table)) == ("done", ["floor-decides"], [])


def test_a_card_that_comes_back_face_up_is_not_back_until_it_is_turned() -> None:
    table = all_in_and_called()
    table.muck(3)
    not_folded(table)
    first, second = table.at(MUCK)
    table.carry(first, at_seat(3))
    table.carry(second, at_seat(3), facing="up")
    assert asked(table) == ("hand-back", 3, 2)
    table.report(Turned(time=0, place=at_seat(3), facing="down", card=second))
    assert asked(table) == ("act-call", 1, 50)


def test_a_card_that_came_back_and_falls_into_the_muck_again_is_asked_for_once() -> None:
    table = all_in_and_called()
    table.muck(3)
    not_folded(table)
    first, _ = table.at(MUCK)
    table.carry(first, at_seat(3))
    table.carry(first, MUCK)
    assert asked(table) == ("hand-back", 3, 2)


def test_where_no_antenna_sees_the_seat_the_key_says_that_the_cards_are_back() -> None:
    places = tuple(place for place in ALL_PLACES if place != at_seat(3))
    table = World(Table(replace(setup(), stacks=SHORT)), places=places)
    table.power_up()
    table.play("preflop")
    check_or_call(table, 2)
    table.tell(Acted(seat=3, action="all-in"))
    table.muck(3)
    not_folded(table)
    assert (asked(table), table.prompt.proof) == (("hand-back", 3, 2), "ack")
    press(table, "ack")
    ledger = table.table.ledger
    assert {ledger.where(card).evidence for card in ledger.cards(at_seat(3))} == {Evidence.STATED}
    assert (len(ledger.cards(at_seat(3))), asked(table)) == (2, ("act-call", 4, 55))


@pytest.mark.parametrize("phase", ["flop-deal", "turn-deal", "river-deal"])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_hand_that_reaches_the_muck_between_two_rounds_is_asked_about(phase: str, answer: str) -> None:
    table = playing(phase)
    table.muck(4)
    assert asked(table) == ("folded", 4, 0)
    answers(table, answer)
    table.play("done")
    assert (table.phases[-1], folds(table)) == ("done", [4] if answer == "yes" else [])
    assert (alerts(table), refusals(table)) == (called(answer), [])
    assert len(table.at(MUCK)) == (2 if answer == "yes" else 0)


def test_a_hand_in_a_round_that_is_complete_but_for_the_burn_by_hand_is_asked_about() -> None:
    table = playing("preflop", burner=False)
    check_or_call(table, 2, 3, 4, 1)
    assert (table.phases[-1], table.prompt.code) == ("preflop", "burn")
    table.muck(2)
    assert asked(table) == ("folded", 2, 0)
    press(table, "yes")
    assert (folds(table), table.prompt.code) == ([2], "burn")
    table.play("done")
    assert table.phases[-1] == "done"


def test_cards_that_are_due_lie_while_the_question_stands_and_the_street_waits_for_the_answer() -> None:
    table = playing("flop-deal")
    table.muck(4)
    for _ in range(3):
        table.draw(BOARD, facing="up")
    assert (table.phases[-1], asked(table)) == ("flop-deal", ("folded", 4, 0))
    press(table, "yes")
    assert (table.phases[-1], asked(table)) == ("flop", ("act-check", 1, 10))


@pytest.mark.parametrize("phase", ["flop-deal", "turn-deal", "river-deal"])
def test_a_yes_between_two_rounds_that_leaves_one_hand_ends_it_and_nothing_more_is_dealt(phase: str) -> None:
    table = heads_up(phase)
    table.muck(1)
    press(table, "yes")
    assert (table.phases[-2:], asked(table)) == ([phase, "done"], ("push-pot", 2, 20))
    assert table.table.ledger.cards(BOARD) == tuple(table.at(BOARD))
    table.obey()
    assert table.prompt.code == "gather"


def test_in_the_deal_a_whole_hand_is_asked_about_and_one_that_is_still_dealt_cannot_be_folded() -> None:
    table = playing("deal")
    for seat in (4, 1, 2, 3, 4):
        table.draw(at_seat(seat))
    table.muck(1)
    assert asked(table) == ("folded", 1, 1)
    press(table, "yes")
    assert refusals(table) == ["seat 1 is still to get a card: its hand cannot be folded yet"]
    not_folded(table)
    table.bring_back(1)
    assert table.prompt.code == "deal-hole"
    table.muck(4)
    assert asked(table) == ("folded", 4, 0)
    press(table, "yes")
    assert (folds(table), table.prompt.code) == ([4], "deal-hole")
    for seat in (1, 2, 3):
        table.draw(at_seat(seat))
    table.play("done")
    assert (table.phases[-1], alerts(table)) == ("done", ["floor-decides"])


KEYS: tuple[str, ...] = ("next", "exposed", "misdeal", "plays-board", "muck", "undo", "ack")


def test_while_the_question_stands_all_but_yes_no_and_floor_is_refused_with_its_reason() -> None:
    table = all_in_and_called()
    table.muck(3)
    for key in KEYS:
        press(table, key, 3 if key in ("muck", "exposed") else 0)
    check_or_call(table, 1, 2)
    table.tell(Acted(seat=3, action="fold"))
    assert set(refusals(table)) == {"cards of seat 3 lie in the muck: yes or no, did it fold?"}
    assert len(refusals(table)) == len(KEYS) + 3
    not_folded(table)
    for key in (*KEYS, "yes", "no"):
        press(table, key)
    assert set(refusals(table)[len(KEYS) + 3 :]) == {
        "the cards of seat 3 have first to come back from the muck"
    }
    assert (folds(table), asked(table)) == ([], ("hand-back", 3, 2))
    press(table, "floor")
    assert (table.phases[-1], table.prompt.code) == ("halted", "call-floor")


def test_a_ring_that_comes_back_shows_the_question_again() -> None:
    table = playing("flop-deal")
    table.muck(4)
    told = len(table.codes())
    table.tell(PromptsReady(restarted=True))
    assert table.codes()[told:] == ["folded"]


def test_yes_and_no_are_refused_where_nothing_is_asked() -> None:
    table = playing("preflop")
    press(table, "yes")
    press(table, "no")
    assert refusals(table) == ["nothing was asked that this key answers"] * 2


def test_two_hands_are_asked_about_one_after_the_other() -> None:
    table = playing("flop-deal")
    table.muck(2)
    table.muck(1)
    assert asked(table) == ("folded", 2, 0)
    not_folded(table)
    table.bring_back(2)
    assert asked(table) == ("folded", 1, 0)
    press(table, "yes")
    assert (folds(table), table.prompt.code) == ([1], "deal-flop")


def test_a_question_stands_until_it_is_answered_though_an_older_matter_becomes_one() -> None:
    table = playing("flop-deal")
    throw_one(table, 3)
    table.muck(4)
    table.draw(BOARD, facing="up")
    assert asked(table) == ("folded", 4, 0)
    press(table, "yes")
    assert asked(table) == ("folded", 3, 0)


def test_a_hand_that_was_only_held_up_by_the_question_about_another_is_a_fold_as_it_would_have_been() -> None:
    table = all_in_and_called()
    table.muck(3)
    table.muck(1)
    assert (folds(table), asked(table)) == ([], ("folded", 3, 1))
    press(table, "yes")
    assert (folds(table), alerts(table), asked(table)) == ([3, 1], [], ("act-call", 2, 50))


def test_a_card_in_the_muck_that_goes_anywhere_else_than_to_its_seat_halts_the_table() -> None:
    for to in (at_seat(1), BOARD, BURN, ASIDE):
        table = playing("flop-deal")
        card = throw_one(table, 3)
        table.carry(card, to)
        assert (table.phases[-1], alerts(table)) == ("halted", ["card-moved"])


def test_a_card_of_a_folded_hand_that_comes_out_of_the_muck_halts_the_table() -> None:
    table = playing("preflop")
    table.muck(2)
    table.carry(table.at(MUCK)[0], at_seat(2))
    assert (table.phases[-1], alerts(table)) == ("halted", ["card-moved"])


# Under a remedy


def with_a_card_too_many() -> World:
    """The first seat dealt, 4, has a card too many, which has to go to the burn tray."""
    table = playing("preflop")
    table.draw(at_seat(4))
    assert table.prompt.code == "extra-to-burn"
    return table


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_hand_held_by_a_remedy_is_asked_about_even_in_turn_and_the_remedy_goes_on(answer: str) -> None:
    table = with_a_card_too_many()
    table.muck(2)
    assert asked(table) == ("folded", 2, 0)
    answers(table, answer)
    if answer == "no":
        table.bring_back(2)
    assert table.prompt.code == "extra-to-burn"
    table.carry(table.at(at_seat(4))[-1], BURN)
    assert asked(table) == ("act-call", 3 if answer == "yes" else 2, 10)
    assert (folds(table), alerts(table)) == ([2] if answer == "yes" else [], called(answer))


def test_the_hand_beside_a_card_too_many_is_asked_about_without_it() -> None:
    table = with_a_card_too_many()
    for card in table.at(at_seat(4))[:2]:
        table.carry(card, MUCK)
    assert asked(table) == ("folded", 4, 0)
    press(table, "yes")
    table.carry(table.at(at_seat(4))[0], BURN)
    assert (folds(table), asked(table)) == ([4], ("act-call", 2, 10))


def test_a_hand_that_waits_for_its_replacement_cannot_be_folded() -> None:
    table = playing("preflop")
    press(table, "exposed", 3)
    assert asked(table) == ("replace-exposed", 3, 0)
    table.carry(table.at(at_seat(3))[0], MUCK)
    assert asked(table) == ("folded", 3, 1)
    not_folded(table)
    table.bring_back(3)
    assert asked(table) == ("replace-exposed", 3, 0)
    table.draw(at_seat(3))
    assert table.prompt.code == "exposed-to-burn"


def test_a_remedy_that_holds_no_act_holds_no_fold_by_cards_either() -> None:
    table = playing("preflop")
    table.draw(BOARD, facing="up")
    assert table.prompt.code == "early-flop"
    table.muck(2)
    table.muck(4)
    assert (folds(table), alerts(table)) == ([2, 4], ["fold-out-of-turn"])
    assert table.prompt.code == "early-flop"


def redealing() -> World:
    """A flop of four cards, heads-up, that has to be dealt anew."""
    table = heads_up("flop-deal")
    for _ in range(4):
        table.draw(BOARD, facing="up")
    assert table.prompt.code == "unload-shoe"
    return table


def test_while_a_set_is_shuffled_a_hand_is_asked_about_and_then_the_same_is_asked_for_again() -> None:
    table = redealing()
    table.muck(1)
    press(table, "ack")
    assert refusals(table) == ["cards of seat 1 lie in the muck: yes or no, did it fold?"]
    not_folded(table)
    table.bring_back(1)
    assert (table.prompt.code, folds(table)) == ("unload-shoe", [])


def test_with_one_hand_left_the_redeal_that_was_begun_is_given_up_and_the_pot_is_pushed() -> None:
    table = redealing()
    assert table.prompt.code == "unload-shoe"
    table.muck(1)
    press(table, "yes")
    assert (folds(table), asked(table)) == ([1], ("push-pot", 2, 20))
    table.muck(2)
    assert (table.phases[-1], alerts(table)) == ("done", [])


def test_a_misdeal_takes_the_question_away() -> None:
    table = playing("deal")
    for seat in (4, 1, 2):
        table.draw(at_seat(seat))
    table.muck(4)
    assert table.prompt.code == "folded"
    table.draw(at_seat(3), facing="up")
    assert table.prompt.code == "folded"
    table.draw(at_seat(4), facing="up")
    assert (table.phases[-1], table.prompt.code) == ("misdeal", "gather-misdeal")
    check_or_call(table, 2)
    assert refusals(table)[-1] != "cards of seat 4 lie in the muck: yes or no, did it fold?"


def test_the_key_exposed_beside_a_part_in_the_muck_can_be_taken_back() -> None:
    table = playing("preflop", game=Game.OMAHA)
    throw_one(table, 4)
    press(table, "exposed", 4)
    assert [ruled.rule for ruled in table.all_said(Ruled)] == ["exposed-later-hole-card"]
    press(table, "undo")
    assert asked(table) == ("act-call", 2, 10)
    table.muck(4)
    assert (folds(table), refusals(table)) == ([4], [])


# Showdown


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_hand_of_which_one_card_is_shown_and_another_lies_in_the_muck_is_asked_about(answer: str) -> None:
    table = playing("showdown")
    thrown = throw_one(table, 4)
    table.turn_up(4)
    assert asked(table) == ("folded", 4, 0)
    answers(table, answer)
    if answer == "yes":
        assert [mucked.seat for mucked in table.all_said(Mucked)] == [4]
        assert asked(table) == ("show-hand", 1, 0)
        table.carry(table.at(at_seat(4))[0], MUCK)
    else:
        table.carry(thrown, at_seat(4))
        assert asked(table) == ("show-hand", 4, 0)
    table.play("done")
    assert (table.phases[-1], alerts(table), refusals(table)) == ("done", called(answer), [])
