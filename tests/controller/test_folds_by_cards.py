"""Cards of a live hand in the muck while the betting is open: a fold in turn or out of it, or a part of a
hand."""

import random
from dataclasses import replace

import pytest

from controller.decisions import Alert, BetMade, ChipsMoved, Deadline, Prompt, Refused, Ruled
from controller.events import Acted, Keyed
from controller.games import Game
from controller.places import BOARD, MUCK, at_seat
from controller.table import Table
from tests.controller.hands import World, setup
from tests.controller.players import (
    SHORT,
    alerts,
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

# In turn


@pytest.mark.parametrize("game", [Game.HOLDEM, Game.OMAHA])
def test_all_cards_of_the_seat_in_turn_in_the_muck_are_its_fold_and_the_turn_goes_on(game: Game) -> None:
    table = playing("preflop", game=game)
    told = len(table.all_said(ChipsMoved))
    table.muck(2)
    assert (folds(table), asked(table)) == ([2], ("act-call", 3, 10))
    assert len(table.all_said(ChipsMoved)) == told + 1
    assert (alerts(table), refusals(table)) == ([], [])


@pytest.mark.parametrize("key", ["act", "muck"])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_the_keypad_may_say_before_between_or_after_the_cards_that_the_seat_in_turn_folds_it_is_one_fold(
    key: str, after: int
) -> None:
    table = playing("preflop")
    for _ in range(after):
        throw_one(table, 2)
    table.tell(Acted(seat=2, action="fold") if key == "act" else Keyed(key="muck", seat=2))
    table.muck(2)
    assert (folds(table), refusals(table), alerts(table)) == ([2], [], [])
    assert asked(table) == ("act-call", 3, 10)


def test_the_keypads_word_for_a_fold_by_cards_may_come_when_others_have_acted_or_the_hand_is_over() -> None:
    table = playing("flop")
    table.muck(4)
    check_or_call(table, 1)
    table.tell(Acted(seat=4, action="fold"))
    table.muck(2)
    table.muck(3)
    assert table.phases[-1] == "done"
    press(table, "muck", 3)
    assert (folds(table), refusals(table)) == ([4, 2, 3], [])


def test_a_second_fold_of_the_same_hand_at_the_keypad_is_refused() -> None:
    table = playing("preflop")
    table.muck(2)
    for _ in range(2):
        table.tell(Acted(seat=2, action="fold"))
    assert refusals(table) == ["seat 3 is to act, not seat 2"]


def test_heads_up_the_cards_of_the_seat_in_turn_give_the_pot_to_the_other() -> None:
    table = heads_up("preflop")
    table.muck(1)
    assert (table.phases[-1], table.all_said(ChipsMoved)[-1].pots[0].winners) == ("done", {2: 10})
    assert asked(table) == ("push-pot", 2, 10)


def test_a_fold_by_cards_in_turn_closes_the_window_of_the_deal_as_any_act_and_one_out_of_turn_does_not() -> (
    None
):
    for in_turn, remedy in ((True, "floor"), (False, "replace-exposed")):
        table = playing("preflop")
        table.muck(2 if in_turn else 4)
        check_or_call(table, 3 if in_turn else 2)
        press(table, "exposed", 1)
        assert [ruled.remedy for ruled in table.all_said(Ruled)] == [remedy]


# Out of turn


def test_all_cards_of_a_seat_not_in_turn_are_a_fold_out_of_turn_told_with_an_alert_and_the_turn_stays() -> (
    None
):
    table = playing("preflop")
    table.muck(4)
    assert (folds(table), alerts(table)) == ([4], ["fold-out-of-turn"])
    assert asked(table) == ("act-call", 2, 10)
    check_or_call(table, 2, 3, 1)
    assert table.phases[-1] == "flop-deal"
    table.play("done")
    assert (table.phases[-1], refusals(table)) == ("done", [])


def test_who_raised_and_then_throws_its_hand_away_leaves_its_bet_to_be_called() -> None:
    table = playing("flop")
    table.tell(Acted(seat=4, action="bet-or-raise", amount=50))
    table.muck(4)
    assert asked(table) == ("act-call", 1, 50)
    table.muck(1)
    table.muck(3)
    assert table.phases[-1] == "done"
    last = table.all_said(ChipsMoved)[-1]
    assert (last.pots[0].winners, last.returned) == ({2: 40}, {4: 50})


def test_when_a_fold_out_of_turn_leaves_one_hand_its_pot_is_pushed() -> None:
    table = heads_up("flop")
    assert asked(table) == ("act-check", 2, 10)
    table.muck(1)
    assert (table.phases[-1], alerts(table)) == ("done", ["fold-out-of-turn"])
    assert asked(table) == ("push-pot", 2, 20)


def test_a_keypad_fold_out_of_turn_is_refused_and_the_cards_decide() -> None:
    table = playing("preflop")
    table.tell(Acted(seat=4, action="fold"))
    assert (folds(table), asked(table)) == ([], ("act-first", 2, 4))
    table.muck(4)
    table.tell(Acted(seat=4, action="fold"))
    assert (folds(table), refusals(table)) == ([4], ["seat 2 is to act, not seat 4"])


# A part of a hand


def test_a_part_of_a_hand_in_the_muck_asks_nothing_and_is_a_fold_as_soon_as_the_rest_follows() -> None:
    for seat, told in ((2, []), (4, ["fold-out-of-turn"])):
        table = playing("preflop", game=Game.OMAHA)
        for left in (3, 2, 1):
            throw_one(table, seat)
            assert (folds(table), asked(table), len(table.at(at_seat(seat)))) == (
                [],
                ("act-call", 2, 10),
                left,
            )
        throw_one(table, seat)
        assert (folds(table), alerts(table)) == ([seat], told)
        assert "folded" not in table.codes()


def test_a_part_of_a_hand_that_comes_back_by_itself_changes_nothing() -> None:
    table = playing("preflop")
    throw_one(table, 4)
    table.bring_back(4)
    check_or_call(table, 2, 3, 4, 1)
    assert (table.phases[-1], folds(table), "folded" in table.codes()) == ("flop-deal", [], False)


def test_a_part_of_a_hand_is_asked_about_with_the_next_act_which_is_taken() -> None:
    table = playing("preflop")
    throw_one(table, 4)
    check_or_call(table, 2)
    assert [bet.seat for bet in table.all_said(BetMade)] == [2]
    assert asked(table) == ("folded", 4, 0)
    press(table, "yes")
    assert (folds(table), asked(table)) == ([4], ("act-call", 3, 10))


def test_an_act_that_is_refused_asks_nothing() -> None:
    table = playing("preflop")
    throw_one(table, 4)
    check_or_call(table, 1)
    assert asked(table) == ("act-first", 2, 1)


def test_a_part_of_a_hand_is_asked_about_before_the_hand_goes_on_when_the_round_is_complete() -> None:
    table = playing("preflop")
    check_or_call(table, 2, 3, 4)
    throw_one(table, 3)
    check_or_call(table, 1)
    assert (table.phases[-1], asked(table)) == ("preflop", ("folded", 3, 0))
    not_folded(table)
    assert asked(table) == ("hand-back", 3, 1)
    table.obey()
    assert (table.phases[-1], folds(table)) == ("flop-deal", [])


def test_a_part_of_a_hand_is_asked_about_when_a_fold_by_cards_alone_completes_the_round() -> None:
    table = playing("preflop")
    check_or_call(table, 2, 3, 4)
    throw_one(table, 3)
    table.muck(1)
    assert (table.phases[-1], folds(table), asked(table)) == ("preflop", [1], ("folded", 3, 0))


def test_a_part_of_a_hand_in_a_round_that_is_complete_already_is_asked_about_at_once() -> None:
    table = playing("preflop", burner=False)
    check_or_call(table, 2, 3, 4, 1)
    throw_one(table, 3)
    assert asked(table) == ("folded", 3, 0)
    throw_one(table, 3)
    assert (folds(table), asked(table)) == ([], ("folded", 3, 0))


def test_a_part_of_a_hand_is_asked_about_with_the_next_card() -> None:
    table = playing("flop-deal")
    throw_one(table, 3)
    assert table.prompt.code == "deal-flop"
    table.draw(BOARD, facing="up")
    assert asked(table) == ("folded", 3, 0)


def test_the_rest_of_a_hand_that_follows_while_it_is_asked_about_answers_the_question() -> None:
    table = playing("preflop")
    throw_one(table, 4)
    check_or_call(table, 2)
    throw_one(table, 4)
    assert (folds(table), asked(table)) == ([4], ("act-call", 3, 10))


def test_cards_that_come_back_by_themselves_answer_the_question_too() -> None:
    table = playing("flop-deal")
    table.muck(3)
    assert asked(table) == ("folded", 3, 0)
    table.bring_back(3)
    assert (table.prompt.code, folds(table)) == ("deal-flop", [])


# Followed by the key alone


def test_by_the_key_alone_a_hand_in_the_muck_is_out_whoever_is_to_act_and_the_key_muck_says_the_same() -> (
    None
):
    table = playing("preflop", acts=False)
    table.muck(4)
    press(table, "muck", 4)
    assert (asked(table), alerts(table), refusals(table)) == (("betting", 0, 0), ["acts-not-told"], [])
    for seat in (1, 2):
        table.muck(seat)
    assert table.phases[-1] == "done"


def test_by_the_key_alone_a_part_of_a_hand_is_asked_about_once_the_round_is_complete() -> None:
    table = playing("preflop", acts=False)
    throw_one(table, 4)
    assert table.prompt.code == "betting"
    press(table, "next")
    assert (table.phases[-1], asked(table)) == ("preflop", ("folded", 4, 0))
    press(table, "yes")
    assert table.phases[-1] == "flop-deal"


def test_by_the_key_alone_a_hand_between_two_rounds_is_asked_about() -> None:
    table = playing("flop-deal", acts=False)
    table.muck(4)
    assert asked(table) == ("folded", 4, 0)
    not_folded(table)
    table.play("done")
    assert table.phases[-1] == "done"


# What is told, and when it is said


def test_no_prompt_alert_or_refusal_names_a_card_in_the_muck() -> None:
    table = playing("preflop")
    table.muck(4)
    throw_one(table, 1)
    check_or_call(table, 2)
    press(table, "next")
    press(table, "no")
    check_or_call(table, 3)
    told = [d for d in table.said if isinstance(d, Alert | Refused | Prompt)]
    assert not [card for card in table.at(MUCK) if any(card in repr(one) for one in told)]


def late(seed: int | None) -> World:
    """A hand in which cards reach the muck in turn, out of turn, in part and all-in, the antennas late."""
    table = World(Table(replace(setup(game=Game.OMAHA), stacks=SHORT)))
    table.shuffle_reports = random.Random(seed) if seed is not None else None
    table.power_up()
    table.play("preflop")
    table.muck(2)
    table.flush()
    table.tell(Acted(seat=3, action="all-in"))
    table.muck(1)
    table.flush()
    table.muck(3)
    table.flush()
    not_folded(table)
    while table.prompt.code == "hand-back":
        table.obey()
    check_or_call(table, 4)
    table.play("turn-deal")
    for card in table.at(at_seat(4))[:3]:
        table.carry(card, MUCK)
    table.flush()
    table.play("done")
    return table


@pytest.mark.parametrize("seed", range(5))
def test_however_late_the_antennas_are_the_same_is_decided(seed: int) -> None:
    said = [[d for d in table.said if not isinstance(d, Deadline)] for table in (late(seed), late(None))]
    assert said[0] == said[1]
    assert late(None).phases[-1] == "done"
    assert folds(late(None)) == [2, 1, 4]
