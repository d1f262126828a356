"""A hand thrown away at showdown moves no machine, whatever is ruled on it."""

from collections.abc import Callable

import pytest

from hil_rigs.virtual.felt import TEXTS
from hil_rigs.virtual.table import Setup
from tests.shell.joined import SEATS
from tests.shell.wires import Wires, written_in

ROYAL = ("As", "Ks", "Qs", "Js", "Ts")
HOLE = ("2h", "3h", "4h", "2d", "3d", "4d")
BURNS = ("2c", "3c", "4c")
ORDER = (*HOLE, BURNS[0], *ROYAL[:3], BURNS[1], ROYAL[3], BURNS[2], ROYAL[4])
PUSHED = ["shoe RELEASE_LID"]
"""The pot is pushed: the stub is freed for the next hand, as after every hand."""


@pytest.fixture
def showing(set_up: Callable[[Setup], Wires]) -> Wires:
    """All three at showdown, with a board that nothing beats; seat 5 shows first."""
    rest = tuple(text for text in TEXTS if text not in ORDER)
    wires = set_up(Setup(seats=SEATS, seed=8, first_order=(*ORDER, *rest)))
    wires.play_until("showdown")
    wires.sent()
    assert wires.table.felt.texts("board") == ROYAL
    return wires


def test_a_board_not_declared_sends_nothing_to_shoe_and_shuffler(showing: Wires) -> None:
    showing.table.hands.muck(5)
    showing.settle()
    assert showing.sent() == []
    assert showing.obey(2) == [("show-hand", []), ("show-hand", [])]
    assert showing.ruled == []
    assert showing.obey() == [("push-pot", PUSHED)]
    assert showing.ruled == ["board-not-declared"]


def test_a_board_that_was_declared_sends_nothing_to_shoe_and_shuffler(showing: Wires) -> None:
    showing.table.hands.press("plays-board", 5)
    showing.table.hands.muck(5)
    showing.settle()
    assert showing.sent() == []
    assert written_in(showing.play_until("done")) == PUSHED
    assert showing.ruled == []


def test_after_a_board_not_declared_by_the_key_the_machines_wait_for_the_deck_as_ever(showing: Wires) -> None:
    showing.table.hands.press("muck", 5)
    showing.settle()
    assert showing.sent() == []
    assert written_in(showing.play_until("done")) == PUSHED
    assert showing.ruled == ["board-not-declared"]
    showing.table.hands.press("ack")
    showing.pass_time()
    assert showing.sent() == []
