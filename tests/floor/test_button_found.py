"""The button is not where it belongs: the floor says at which seat it does."""

from dataclasses import replace

import pytest

from controller.decisions import ButtonMoved, ChipsMoved, HandBegan, Ruled
from controller.rule_files import rulebook
from controller.table_setup import TableSetup
from tests.controller.hands import World, setup
from tests.floor.halts import codes, decided, found, halted, not_found, press, table_at


def told(table: World) -> list[tuple[str, str, int | None]]:
    return [(ruled.rule, ruled.remedy, ruled.seat) for ruled in table.all_said(Ruled)]


def next_button(table: World) -> int:
    """The button of the hand after this one, which is played out."""
    table.play("done")
    table.play("deal")
    return table.all_said(HandBegan)[-1].button


def acted(acts: int, made: TableSetup | None = None) -> World:
    table = table_at("preflop", made)
    for _ in range(acts):
        table.obey()
    return table


@pytest.mark.parametrize("phase", ["deal", "preflop"])
def test_within_the_window_the_hand_is_dealt_anew_with_button_and_blinds_where_they_belong(
    phase: str,
) -> None:
    table = table_at(phase)
    found(halted(table), "button-misplaced", 1)
    assert told(table) == [("button-misplaced", "misdeal-button", 1)]
    assert (table.table.phase, table.prompt.code, table.prompt.seat) == ("misdeal", "button-to-seat", 1)
    press(table, "ack")
    assert table.all_said(ButtonMoved) == [ButtonMoved(button=1, seats=(2, 3, 4, 1))]
    assert table.all_said(ChipsMoved)[-1].stacks == {1: 1000, 2: 995, 3: 990, 4: 1000}
    table.play("preflop")
    assert (table.prompt.code, table.prompt.seat) == ("act-call", 4)
    assert next_button(table) == 2


@pytest.mark.parametrize("rules", ["roberts", "tda"])
def test_once_the_window_has_closed_the_cards_stand(rules: str) -> None:
    table = acted(2, replace(setup(), rules=rulebook(rules)))
    table.obey()
    found(halted(table), "button-misplaced", 1)
    remedy = "button-next-hand" if rules == "roberts" else "button-stands"
    assert told(table) == [("button-misplaced", remedy, 1)]
    assert table.table.phase == "preflop"
    if rules == "roberts":
        assert (table.prompt.code, table.prompt.seat) == ("button-next-hand", 1)
        press(table, "ack")
        assert table.all_said(ButtonMoved) == [ButtonMoved(button=1)]
    assert next_button(table) == (2 if rules == "roberts" else 4)
    assert codes(table) == ["floor-called"]


def test_a_void_hand_is_played_again_with_the_button_where_it_belongs() -> None:
    table = table_at("deal")
    found(halted(table), "button-misplaced", 1)
    press(table, "ack")
    for _ in range(2):
        decided(halted(table), "void")
        table.play("deal")
    assert [began.button for began in table.all_said(HandBegan)] == [3, 1, 1]
    assert next_button(table) == 2


@pytest.mark.parametrize(
    ("seat", "why"), [(0, "needs a seat"), (3, "at seat 3 already"), (7, "not dealt in")]
)
def test_it_belongs_at_another_seat_that_is_dealt_in(seat: int, why: str) -> None:
    assert why in not_found(halted(table_at("deal")), "button-misplaced", seat)
