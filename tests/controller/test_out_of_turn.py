"""An act out of turn is told to the dealer and waits; an act that is not allowed is refused with what would
be."""

import pytest

from controller.betting import Structure
from controller.decisions import BetMade, ChipsMoved, Prompt
from controller.events import Acted, Keyed
from controller.places import MUCK
from tests.controller.hands import World
from tests.controller.players import asked, check_or_call, playing, refusals


def acts(table: World) -> list[tuple[int, str]]:
    return [(bet.seat, bet.action) for bet in table.all_said(BetMade)]


def test_an_act_out_of_turn_is_told_to_the_dealer_by_both_seats_and_changes_nothing() -> None:
    table = playing("preflop")
    chips = table.all_said(ChipsMoved)
    table.tell(Acted(seat=4, action="bet-or-raise", amount=30))
    assert asked(table) == ("act-first", 2, 4)
    assert refusals(table) == ["seat 2 is to act, not seat 4"]
    assert (acts(table), table.all_said(ChipsMoved)) == ([], chips)


def test_the_seat_that_waited_is_asked_as_usual_in_its_turn_and_its_early_act_is_not_carried_out() -> None:
    table = playing("preflop")
    check_or_call(table, 3)
    table.tell(Acted(seat=2, action="bet-or-raise", amount=40))
    assert asked(table) == ("act-call", 3, 40)
    assert acts(table) == [(2, "raise")]


def test_act_first_stands_until_the_seat_in_turn_has_acted_whatever_else_is_pressed() -> None:
    table = playing("preflop")
    check_or_call(table, 1)
    table.tell(Keyed(key="next"))
    table.tell(Acted(seat=2, action="bet-or-raise", amount=12))
    assert asked(table) == ("act-first", 2, 1)
    table.tell(Acted(seat=2, action="fold"))
    assert asked(table) == ("act-call", 3, 10)


def test_a_second_seat_out_of_turn_is_the_one_that_is_told() -> None:
    table = playing("preflop")
    check_or_call(table, 4)
    check_or_call(table, 1)
    assert asked(table) == ("act-first", 2, 1)


def test_whoever_cannot_act_any_more_is_refused_and_nobody_waits_for_him() -> None:
    table = playing("preflop", stacks={1: 1000, 2: 1000, 3: 1000, 4: 5})
    check_or_call(table, 4)
    assert asked(table) == ("act-call", 2, 10)
    table.fold(2)
    check_or_call(table, 2)
    assert asked(table) == ("act-call", 3, 10)
    assert refusals(table) == ["seat 2 is to act, not seat 4", "seat 3 is to act, not seat 2"]


def test_a_seat_that_waits_and_then_throws_its_cards_away_waits_no_more() -> None:
    table = playing("preflop")
    check_or_call(table, 4)
    table.muck(4)
    assert asked(table) == ("act-call", 2, 10)
    assert len(table.at(MUCK)) == 2


def test_the_next_street_knows_nothing_of_who_waited_on_the_last() -> None:
    table = playing("flop")
    check_or_call(table, 3)
    for seat in (4, 1, 2, 3):
        check_or_call(table, seat)
    table.play("turn")
    assert [(p.code, p.seat) for p in table.all_said(Prompt)][-1] == ("act-check", 4)


def test_a_fold_out_of_turn_at_the_keypad_is_refused_as_any_act() -> None:
    table = playing("preflop")
    table.tell(Acted(seat=3, action="fold"))
    table.tell(Keyed(key="muck", seat=3))
    assert refusals(table) == ["seat 2 is to act, not seat 3"] * 2
    assert asked(table) == ("act-first", 2, 3)


NOT_ALLOWED: dict[tuple[Structure, str, int], str] = {
    (Structure.NO_LIMIT, "bet-or-raise", 15): "seat 2 may raise to between 20 and 1000",
    (Structure.NO_LIMIT, "bet-or-raise", 1001): "seat 2 may raise to between 20 and 1000",
    (Structure.POT_LIMIT, "bet-or-raise", 36): "seat 2 may raise to between 20 and 35",
    (Structure.POT_LIMIT, "all-in", 0): "seat 2 may raise to between 20 and 35",
    (Structure.FIXED_LIMIT, "bet-or-raise", 30): "seat 2 may raise to 20",
    (Structure.FIXED_LIMIT, "all-in", 0): "seat 2 may raise to 20",
}


@pytest.mark.parametrize(("structure", "action", "amount"), NOT_ALLOWED)
def test_a_bet_that_is_not_allowed_is_refused_with_the_range_that_would_be(
    structure: Structure, action: str, amount: int
) -> None:
    table = playing("preflop", structure=structure)
    table.tell(Acted(seat=2, action=action, amount=amount))  # type: ignore[arg-type]
    assert refusals(table) == [NOT_ALLOWED[structure, action, amount]]
    assert asked(table) == ("act-call", 2, 10)


def test_where_no_raise_is_allowed_the_refusal_says_what_is() -> None:
    table = playing("preflop", stacks={1: 1000, 2: 1000, 3: 35, 4: 1000})
    table.tell(Acted(seat=2, action="bet-or-raise", amount=25))
    table.tell(Acted(seat=3, action="all-in"))
    check_or_call(table, 4)
    check_or_call(table, 1)
    table.tell(Acted(seat=2, action="bet-or-raise", amount=100))
    assert refusals(table) == [
        "seat 2 may not raise: the betting was not reopened to it; it may call 10 or fold"
    ]
