"""Who is not dealt in may come, buy chips and go while a hand is played: nothing of it is lost."""

from dataclasses import replace

import pytest

from controller.decisions import ChipsMoved, HandBegan
from controller.events import SeatChange
from controller.table import Table
from controller.table_setup import Follow
from tests.controller.hands import World, setup

FOLLOWS: tuple[Follow, ...] = ("tracked", "dealer-key")


def with_one_who_waits(follow: Follow) -> World:
    """Seat 5 sat down while a hand was played, and waits for the big blind; the next hand is in its flop."""
    table = World(Table(replace(setup(seats=(1, 3, 4)), follow=follow)))
    table.power_up()
    table.play("flop")
    table.tell(SeatChange(seat=5, change="sit", chips=100, entry="wait"))
    table.play("done")
    table.play("flop")
    assert 5 not in table.all_said(HandBegan)[-1].seats
    return table


@pytest.mark.parametrize("follow", FOLLOWS)
def test_chips_that_he_buys_during_the_hand_are_his_after_it(follow: Follow) -> None:
    table = with_one_who_waits(follow)
    table.tell(SeatChange(seat=5, change="add", chips=50))
    table.play("done")
    table.play("deal")
    assert table.all_said(HandBegan)[-1].stacks[5] == 150


@pytest.mark.parametrize("follow", FOLLOWS)
def test_a_seat_that_he_leaves_during_the_hand_stays_free(follow: Follow) -> None:
    table = with_one_who_waits(follow)
    table.tell(SeatChange(seat=5, change="leave"))
    table.play("done")
    assert set(table.all_said(ChipsMoved)[-1].stacks) == {1, 3, 4}
    table.play("deal")
    assert set(table.all_said(HandBegan)[-1].stacks) == {1, 3, 4}
