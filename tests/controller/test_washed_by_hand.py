"""A set too small for the machine is washed by hand: no feed proves it, so what was seen elsewhere counts."""

from collections.abc import Callable

import pytest

from controller.cards import Card
from controller.decisions import Refused
from controller.events import Keyed
from controller.ledger import Evidence
from controller.loading_steps import Step
from controller.places import ASIDE, BOARD, BURN, MUCK, TRANSIT, Place, at_seat
from controller.table import Table
from tests.controller.hands import setup
from tests.controller.remedied import Dealer, what_is_wrong
from tests.floor.halts import decided, halted


def washing() -> Dealer:
    """A flop of four is to be washed with the stub."""
    table = Dealer(Table(setup()), min_cards=52)
    table.power_up()
    while "flop-deal" not in table.phases and table.goes_on():
        pass
    for _ in range(4):
        table.draw(BOARD, facing="up")
    while table.table._loading.step is not Step.SCRAMBLE:
        assert table.goes_on()
    return table


def says_washed(table: Dealer) -> list[str]:
    """The dealer says that it is done; why that was refused, if it was."""
    before = len(table.all_said(Refused))
    table.tell(Keyed(key="ack"))
    return [refusal.why for refusal in table.all_said(Refused)[before:]]


def played_out(table: Dealer) -> Dealer:
    while table.table.phase not in ("done", "halted") and table.goes_on():
        pass
    assert (table.table.phase, what_is_wrong(table)) == ("done", [])
    return table


def a_card_of_the_board(table: Dealer) -> Card:
    return table.at(BOARD)[1]


def a_card_of_the_stub(table: Dealer) -> Card:
    return table.table.ledger.cards(TRANSIT)[5]


CARRIED_OFF = [
    *((a_card_of_the_board, to) for to in (MUCK, BURN, at_seat(2))),
    *((a_card_of_the_stub, to) for to in (MUCK, BURN, at_seat(2), ASIDE)),
]


@pytest.mark.parametrize(("which", "to"), CARRIED_OFF)
def test_a_card_of_it_that_was_carried_off_has_first_to_be_brought_back(
    which: Callable[[Dealer], Card], to: Place
) -> None:
    table = washing()
    asked, card = table.prompt, which(table)
    table.carry(card, to)
    assert says_washed(table) == [f"a card of the set lies at {to}: bring it back to the others"]
    assert (table.prompt, table.table._loading.step) == (asked, Step.SCRAMBLE)
    where = table.table.ledger.where(card)
    assert (where.place, where.evidence) == (to, Evidence.SEEN)
    table.carry(card, BOARD)
    assert says_washed(table) == []
    assert table.table.ledger.where(card).place == TRANSIT
    played_out(table)


def test_the_dealer_hears_of_each_place_once_in_the_order_of_the_table() -> None:
    table = washing()
    first, second, third = table.at(BOARD)[:3]
    table.carry(first, MUCK)
    table.carry(second, at_seat(2))
    table.carry(third, MUCK)
    (why,) = says_washed(table)
    assert "at seat:2 and muck:" in why


def test_a_card_of_it_that_lies_among_the_others_is_no_matter() -> None:
    table = washing()
    table.carry(a_card_of_the_board(table), BOARD)
    table.carry(a_card_of_the_stub(table), BOARD)
    assert says_washed(table) == []
    played_out(table)


def test_a_card_of_it_that_came_to_a_seat_while_the_table_was_halted_and_may_stay_there_is_not_washed() -> (
    None
):
    table = washing()
    asked, card = table.prompt, a_card_of_the_board(table)
    halted(table)
    table.carry(card, at_seat(2))
    decided(table, "stand")
    assert (table.prompt.code, table.prompt.count) == (asked.code, asked.count - 1)
    assert says_washed(table) == []
    while table.table.phase != "done":
        assert table.goes_on()
    assert what_is_wrong(table) == ["a card at seat:2 counts for nothing"]


def test_the_floor_lets_the_hand_go_on_without_it_and_it_lies_where_it_was_seen() -> None:
    table = washing()
    asked, card = table.prompt, a_card_of_the_board(table)
    table.carry(card, MUCK)
    assert says_washed(table)
    halted(table)
    decided(table, "stand")
    assert (table.prompt.code, table.prompt.count) == (asked.code, asked.count - 1)
    assert says_washed(table) == []
    while table.table.phase != "done":
        assert table.goes_on()
    assert what_is_wrong(table) == ["a card at muck counts for nothing"]
    assert table.table.ledger.where(card).place == MUCK
