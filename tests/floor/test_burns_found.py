"""A burn left out, or made twice, and found once somebody has acted: the burns to come put it right."""

from dataclasses import replace

import msgspec
import pytest

from controller.decisions import Ruled
from controller.places import ASIDE, BOARD, BURN, at_seat
from controller.rule_files import rulebook
from controller.table import Table
from controller.table_setup import TableSetup
from tests.controller.hands import ALL_PLACES, setup
from tests.controller.remedied import Dealer, what_is_wrong
from tests.controller.told_faults import _unseen_without_burn
from tests.floor.halts import codes, decided, found, halted, not_found, press, refused, table_at

NO_BURN_ANTENNA = tuple(place for place in ALL_PLACES if place != BURN)


def dealer(*, burner: bool, made: TableSetup | None = None) -> Dealer:
    table = Dealer(Table(made or setup()), burner=burner)
    if not burner:
        table.places = NO_BURN_ANTENNA
    table.power_up()
    return table


def missed() -> Dealer:
    """The turn lies without a burn, as the floor has said; two are to be burned before the river."""
    table = dealer(burner=False)
    _unseen_without_burn("flop", "missed-burn-acted")(table)
    assert table.prompt.code == "two-burns-next"
    table.goes_on()
    return table


def doubled(until: str = "flop", *, burner: bool = True) -> Dealer:
    """A second burn lies aside before the flop, and the floor says so once somebody has acted."""
    table = dealer(burner=burner)
    to(table, "flop-deal")
    table.draw(ASIDE)
    decided(table, "stand")
    to(table, "flop")
    table.goes_on()
    to(table, until)
    found(halted(table), "double-burn-acted")
    assert table.prompt.code == "no-burn-next"
    table.goes_on()
    return table


def to(table: Dealer, phase: str) -> None:
    while phase not in table.phases and table.goes_on():
        pass


def rules(table: Dealer) -> list[str]:
    return [told.rule for told in table.all_said(Ruled)]


def ends(table: Dealer) -> None:
    to(table, "done")
    assert (table.table.phase, what_is_wrong(table)) == ("done", [])


def test_two_burns_are_asked_for_one_by_one_and_neither_is_one_too_many() -> None:
    table = missed()
    asked = len(table.codes())
    ends(table)
    assert [code for code in table.codes()[asked:] if code.startswith(("burn", "deal"))] == [
        *("burn", "burn-again", "deal-river")
    ]
    assert (len(table.at(BURN)), rules(table)) == (3, ["missed-burn-acted"])


def test_a_burn_made_in_the_betting_is_the_first_of_the_two() -> None:
    table = missed()
    table.places = ALL_PLACES
    card = table.order[table.drawn]
    table.draw(BURN)
    assert table.table.ledger.where(card).place == BURN
    ends(table)
    assert (len(table.at(BURN)), rules(table)) == (3, ["missed-burn-acted"])


@pytest.mark.parametrize("burner", [True, False])
def test_no_burn_is_asked_for_before_the_next_street_and_one_before_that_after_it(burner: bool) -> None:
    table = doubled(burner=burner)
    order = list(table.order)
    ends(table)
    stub = order[8:]
    assert table.at(BOARD)[3:] == [stub[5], stub[7]]
    assert table.at(BURN) == [stub[0], stub[6]]


def test_a_burn_where_none_is_due_is_one_too_many() -> None:
    table = doubled()
    table.draw(BURN)
    assert rules(table)[-1] == "turn-double-burn"
    ends(table)
    assert len(table.at(BURN)) == 2


def two_too_many() -> Dealer:
    """A second burn is to be the first card of the flop, and a third lies on it."""
    table = dealer(burner=True)
    to(table, "flop-deal")
    table.draw(BURN)
    table.draw(BURN)
    assert rules(table) == ["flop-double-burn", "stray-card"]
    assert codes(table)[-1] == "floor-decides"
    return table


def test_no_card_is_left_lying_on_a_burn_that_is_to_be_taken_out_of_the_tray() -> None:
    assert "lies under it: have it laid aside first" in refused(two_too_many(), "stand")


def test_it_is_laid_aside_out_of_the_tray_before_the_last_burn_is_asked_for() -> None:
    table = two_too_many()
    second, third = table.at(BURN)[1:]
    decided(table, "accept")
    assert (table.prompt.code, table.prompt.count) == ("burn-aside", 1)
    table.goes_on()
    assert table.prompt.code == "burn-to-board"
    ends(table)
    assert (table.lies[second], table.lies[third]) == (BOARD, ASIDE)


def test_a_second_burn_that_was_carried_to_a_seat_is_no_burn_after_all() -> None:
    table = dealer(burner=False)
    table.places = ALL_PLACES
    to(table, "preflop")
    for _ in range(3):
        table.draw(BURN)
    assert rules(table) == ["flop-double-burn", "stray-card"]
    second = table.at(BURN)[1]
    table.carry(second, at_seat(2))
    decided(table, "accept")
    table.goes_on()
    table.draw(BOARD, facing="up")
    assert rules(table)[-1] == "premature-flop"
    assert second in table.state.out
    assert table.state.streets.burned == {"flop-deal": 1}


def test_a_card_that_lies_in_the_tray_where_no_burn_waits_to_leave_it_may_stay() -> None:
    table = dealer(burner=True)
    to(table, "river")
    table.draw(BURN)
    decided(table, "stand")
    to(table, "done")
    assert len(table.at(BURN)) == 4


def test_found_when_the_turn_has_its_burn_already_the_river_has_none() -> None:
    table = doubled("turn-deal")
    assert table.prompt.code == "deal-turn"
    order = list(table.order)
    ends(table)
    assert table.at(BOARD)[-1] == order[8 + 7]
    assert len(table.at(BURN)) == 2


@pytest.mark.parametrize("phase", ["deal", "preflop", "flop-deal"])
@pytest.mark.parametrize("rule", ["missed-burn-acted", "double-burn-acted"])
def test_before_a_street_lies_no_burn_can_have_been_missed(phase: str, rule: str) -> None:
    assert "no street lies yet" in not_found(halted(table_at(phase)), rule)


def test_what_the_shoe_and_its_reader_tell_is_not_talked_away() -> None:
    table = table_at("flop")
    table.obey()
    halted(table)
    assert "a burn was made" in not_found(table, "missed-burn-acted")
    assert "no second card was burned" in not_found(table, "double-burn-acted")


def test_as_long_as_nobody_has_acted_it_is_no_such_irregularity() -> None:
    table = dealer(burner=True)
    to(table, "flop-deal")
    table.draw(ASIDE)
    decided(table, "stand")
    to(table, "flop")
    assert "nobody has acted" in not_found(halted(table), "double-burn-acted")


def test_a_card_that_was_taken_for_the_burn_lies_on_the_board_by_the_floors_word() -> None:
    table = dealer(burner=False)
    _unseen_without_burn("flop", "stub-dropped")(table)
    card = table.order[table.drawn - 1]
    assert table.table.ledger.where(card).place == BURN
    decided(table, "stand")
    press(table, "floor")
    found(table, "missed-burn-acted")
    assert table.table.ledger.where(card).place == BOARD
    assert codes(table)[-1] == "floor-called"
    ends(table)


@pytest.mark.parametrize("phase", ["flop", "river"])
def test_where_a_house_leaves_it_to_the_floor_it_may_let_it_stand(phase: str) -> None:
    book = rulebook("roberts")
    rule = msgspec.structs.replace(book.rules["double-burn-acted"], by="floor", cases=())
    house = replace(book, rules={**book.rules, "double-burn-acted": rule})
    table = dealer(burner=True, made=replace(setup(), rules=house))
    to(table, "flop-deal")
    table.draw(ASIDE)
    decided(table, "stand")
    to(table, phase)
    table.goes_on()
    found(halted(table), "double-burn-acted")
    assert table.table.phase == "halted"
    decided(table, "stand")
    ends(table)
    assert len(table.at(BURN)) == 3
