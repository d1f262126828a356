"""Antennas under some places only, or silent ones: what nobody saw is not named, and a key may say it."""

from controller.decisions import Alert, CardLay, Deadline, Tabled
from controller.events import DeadlinePassed, Drew, Keyed
from controller.places import BOARD, at_seat
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup

BLIND_SEAT = 2


def test_where_no_antenna_is_under_a_seat_ack_says_that_it_has_shown() -> None:
    places = tuple(place for place in ALL_PLACES if place != at_seat(BLIND_SEAT))
    table = World(Table(setup()), places=places)
    table.power_up()
    table.play("showdown")
    while table.prompt.code == "show-hand":
        asked = table.prompt
        if table.prompt.seat == BLIND_SEAT:
            table.tell(Keyed(key="ack"))
        else:
            table.turn_up(table.prompt.seat)
        assert table.prompt != asked
    assert {told.seat for told in table.all_said(Tabled)} == {1, 2, 3, 4}


def test_a_board_card_that_its_antenna_never_saw_is_not_named() -> None:
    table = World(Table(setup()))
    table.power_up()
    table.play("flop-deal")
    card = table.order[table.drawn]
    table.tell(Drew(time=0, number=table.drawn + 1, what="card", way="hand", cards=(card,)))
    waits = table.all_said(Deadline)[-1]
    table.tell(DeadlinePassed(token=waits.token))
    assert [alert.code for alert in table.all_said(Alert)] == ["card-not-seen"]
    assert table.all_said(CardLay)[-1] == CardLay(place=BOARD, card=None)
