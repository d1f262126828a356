"""Cards of a live hand that reach the muck: a fold in turn, a fold out of turn, or a question; never two
truths."""

import random
from dataclasses import replace

import pytest

from controller.cards import Card
from controller.decisions import Alert, BetMade, ChipsMoved, Deadline, Mucked, Prompt, Refused, Ruled
from controller.events import Acted, Keyed, PromptsReady, Turned
from controller.games import Game
from controller.ledger import Evidence
from controller.places import ASIDE, BOARD, BURN, MUCK, at_seat
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup

SHORT = {1: 1000, 2: 1000, 3: 60, 4: 1000}
"""Stacks with which seat 3 is soon all-in."""


def playing(until: str, *, burner: bool = True, acts: bool = True, **of_the_table: object) -> World:
    """Four seats with the button on 3: 4 and 1 have the blinds, 2 is first to act before the flop."""
    table = World(Table(replace(setup(), **of_the_table)), burner=burner, acts=acts)  # type: ignore[arg-type]
    table.power_up()
    table.play(until)
    return table


def heads_up(until: str, **of_the_table: object) -> World:
    """Seats 1 and 2 with the button, which acts first before the flop, on 1."""
    table = World(Table(replace(setup(seats=(1, 2), button=1), **of_the_table)))  # type: ignore[arg-type]
    table.power_up()
    table.play(until)
    return table


def asked(table: World) -> tuple[str, int, int]:
    return table.prompt.code, table.prompt.seat, table.prompt.count


def folds(table: World) -> list[int]:
    return [bet.seat for bet in table.all_said(BetMade) if bet.action == "fold"]


def refusals(table: World) -> list[str]:
    return [refused.why for refused in table.all_said(Refused)]


def alerts(table: World) -> list[str]:
    return [alert.code for alert in table.all_said(Alert)]


def press(table: World, key: str, seat: int = 0) -> None:
    table.tell(Keyed(key=key, seat=seat))


def check_or_call(table: World, *seats: int) -> None:
    for seat in seats:
        table.tell(Acted(seat=seat, action="check-or-call"))


def throw_one(table: World, seat: int) -> Card:
    """The first of a hand's cards that lie at its seat goes to the muck."""
    card = table.at(at_seat(seat))[0]
    table.carry(card, MUCK)
    return card


def all_in_and_called() -> World:
    """Before the flop, seat 3 all-in for 60 and called; the turn is seat 1's."""
    table = playing("preflop", stacks=SHORT)
    check_or_call(table, 2)
    table.tell(Acted(seat=3, action="all-in"))
    check_or_call(table, 4)
    return table


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
    press(table, "no")
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


def test_a_no_asks_for_the_cards_back_and_the_hand_goes_on_with_nothing_changed() -> None:
    table = all_in_and_called()
    chips = table.all_said(ChipsMoved)
    table.muck(3)
    press(table, "no")
    assert asked(table) == ("hand-back", 3, 2)
    first, second = table.at(MUCK)
    table.carry(first, at_seat(3))
    assert asked(table) == ("hand-back", 3, 2)
    table.carry(second, at_seat(3))
    assert (asked(table), folds(table)) == (("act-call", 1, 50), [])
    assert table.all_said(ChipsMoved) == chips
    table.play("done")
    assert (table.phases[-1], alerts(table), refusals(table)) == ("done", [], [])


def test_a_card_that_comes_back_face_up_is_not_back_until_it_is_turned() -> None:
    table = all_in_and_called()
    table.muck(3)
    press(table, "no")
    first, second = table.at(MUCK)
    table.carry(first, at_seat(3))
    table.carry(second, at_seat(3), facing="up")
    assert asked(table) == ("hand-back", 3, 2)
    table.report(Turned(time=0, place=at_seat(3), facing="down", card=second))
    assert asked(table) == ("act-call", 1, 50)


def test_where_no_antenna_sees_the_seat_the_key_says_that_the_cards_are_back() -> None:
    places = tuple(place for place in ALL_PLACES if place != at_seat(3))
    table = World(Table(replace(setup(), stacks=SHORT)), places=places)
    table.power_up()
    table.play("preflop")
    check_or_call(table, 2)
    table.tell(Acted(seat=3, action="all-in"))
    table.muck(3)
    press(table, "no")
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
    press(table, answer)
    table.play("done")
    assert (table.phases[-1], folds(table)) == ("done", [4] if answer == "yes" else [])
    assert (alerts(table), refusals(table)) == ([], [])
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
    press(table, "no")
    table.bring_back(1)
    assert table.prompt.code == "deal-hole"
    table.muck(4)
    assert asked(table) == ("folded", 4, 0)
    press(table, "yes")
    assert (folds(table), table.prompt.code) == ([4], "deal-hole")
    for seat in (1, 2, 3):
        table.draw(at_seat(seat))
    table.play("done")
    assert (table.phases[-1], alerts(table)) == ("done", [])


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
    press(table, "no")
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
    press(table, "no")
    table.bring_back(2)
    assert asked(table) == ("folded", 1, 0)
    press(table, "yes")
    assert (folds(table), table.prompt.code) == ([1], "deal-flop")


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
        assert (table.phases[-1], alerts(table)) == ("halted", ["not-ruled-yet"])


def test_a_card_of_a_folded_hand_that_comes_out_of_the_muck_halts_the_table() -> None:
    table = playing("preflop")
    table.muck(2)
    table.carry(table.at(MUCK)[0], at_seat(2))
    assert (table.phases[-1], alerts(table)) == ("halted", ["not-ruled-yet"])


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
    press(table, answer)
    if answer == "no":
        table.bring_back(2)
    assert table.prompt.code == "extra-to-burn"
    table.carry(table.at(at_seat(4))[-1], BURN)
    assert asked(table) == ("act-call", 3 if answer == "yes" else 2, 10)
    assert (folds(table), alerts(table)) == ([2] if answer == "yes" else [], [])


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
    press(table, "no")
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
    press(table, "no")
    table.bring_back(1)
    assert (table.prompt.code, folds(table)) == ("unload-shoe", [])


def test_the_last_hand_of_all_cannot_be_folded() -> None:
    table = redealing()
    table.muck(1)
    press(table, "yes")
    table.muck(2)
    assert (folds(table), asked(table)) == ([1], ("folded", 2, 1))
    press(table, "yes")
    assert refusals(table) == ["seat 2 is the last to claim the pot and keeps it"]
    press(table, "no")
    table.bring_back(2)
    assert table.prompt.code == "unload-shoe"


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
    press(table, answer)
    if answer == "yes":
        assert [mucked.seat for mucked in table.all_said(Mucked)] == [4]
        assert asked(table) == ("show-hand", 1, 0)
        table.carry(table.at(at_seat(4))[0], MUCK)
    else:
        table.carry(thrown, at_seat(4))
        assert asked(table) == ("show-hand", 4, 0)
    table.play("done")
    assert (table.phases[-1], alerts(table), refusals(table)) == ("done", [], [])


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
    press(table, "no")
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
    table.obey()
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
