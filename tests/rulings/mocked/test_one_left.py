"""Where one player is left, nothing is dealt, burned or shuffled any more, whatever was still to come."""

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from tests.shell.wires import Wires


def all_but_one_fold(wires: Wires, *seats: int) -> None:
    for seat in seats:
        wires.table.hands.fold(seat)
        wires.settle()


def pot_is_pushed(wires: Wires) -> None:
    assert wires.phases[-1] == "done"
    assert wires.shown is Prompt.PUSH_POT
    assert wires.sent() == []
    wires.obey()
    wires.sent()
    assert len(wires.all_of(Type.FEED)) == 1


def test_where_one_is_left_after_an_early_flop_the_stub_stays_in_the_shoe(wires: Wires) -> None:
    wires.play_until("preflop")
    wires.lay("board", "board", "board", face="up")
    wires.obey()
    wires.sent()
    all_but_one_fold(wires, 2, 5)
    pot_is_pushed(wires)


@pytest.mark.parametrize("aside", [True, False])
def test_where_one_is_left_after_an_early_turn_no_card_is_burned(wires: Wires, aside: bool) -> None:
    wires.play_until("flop")
    wires.obey()
    wires.lay("board", face="up")
    wires.obey(int(aside))
    wires.sent()
    all_but_one_fold(wires, 9, 2)
    if not aside:
        wires.obey_until_shown(Prompt.PUSH_POT)
    pot_is_pushed(wires)
    assert len(wires.all_of(Type.BURN)) == 1


def test_where_one_is_left_after_an_early_river_the_stub_stays_in_the_shoe(wires: Wires) -> None:
    wires.play_until("turn")
    wires.lay("board", face="up")
    wires.obey()
    wires.sent()
    all_but_one_fold(wires, 5, 9)
    pot_is_pushed(wires)


def test_where_one_is_left_before_the_river_of_an_early_turn_the_stub_stays_in_the_shoe(wires: Wires) -> None:
    wires.play_until("flop")
    wires.obey()
    wires.lay("board", face="up")
    wires.play_until("turn")
    wires.sent()
    all_but_one_fold(wires, 5, 9)
    pot_is_pushed(wires)


def test_where_one_is_left_after_an_exposed_card_no_machine_moves(wires: Wires) -> None:
    wires.play_until("deal")
    wires.obey()
    wires.lay("seat:9", face="up")
    wires.play_until("preflop")
    wires.obey()
    wires.sent()
    all_but_one_fold(wires, 2, 5)
    pot_is_pushed(wires)
