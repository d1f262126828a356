"""A live hand that the dealer sent to the muck: told as a ruling, brought back; the floor's where a room says
so."""

from dataclasses import replace

import msgspec

from controller.decisions import Ruled
from controller.events import Acted
from controller.places import MUCK, at_seat
from controller.rule_files import rulebook
from controller.table_setup import TableSetup
from tests.controller.hands import World, setup
from tests.floor.halts import decided, press, table_at


def killed(made: TableSetup | None = None) -> World:
    """Seat 4 is all-in, its cards reach the muck, and the dealer says that it did not fold."""
    table = table_at("flop", made)
    table.tell(Acted(seat=4, action="all-in"))
    table.muck(4)
    assert table.prompt.code == "folded"
    press(table, "no")
    return table


def by_the_floor() -> TableSetup:
    book = rulebook("roberts")
    rule = msgspec.structs.replace(book.rules["hand-killed-by-dealer"], by="floor")
    return replace(setup(), rules=replace(book, rules={**book.rules, "hand-killed-by-dealer": rule}))


def test_it_is_told_with_its_seat_and_without_its_cards_and_does_not_halt() -> None:
    table = killed()
    (told,) = table.all_said(Ruled)
    assert (told.rule, told.remedy, told.seat, told.place) == ("hand-killed-by-dealer", "hand-back", 4, MUCK)
    assert (told.cards, told.unseen) == ((), 0)
    assert (table.table.phase, table.prompt.code) == ("flop", "hand-back")
    table.play("done")
    assert table.phases[-1] == "done"
    assert len(table.at(at_seat(4))) == 2


def test_a_room_may_have_the_floor_decide_and_its_accept_brings_the_cards_back() -> None:
    table = killed(by_the_floor())
    assert (table.table.phase, table.prompt.code) == ("halted", "call-floor")
    assert decided(table, "accept").remedy == "hand-back"
    assert table.prompt.code == "hand-back"
    table.play("done")
    assert table.phases[-1] == "done"


def test_the_floor_may_say_that_the_hand_is_dead() -> None:
    table = killed(by_the_floor())
    decided(table, "choose", "dead-hand")
    table.play("done")
    assert table.phases[-1] == "done"
    assert len(table.at(MUCK)) == 2
