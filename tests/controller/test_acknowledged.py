"""What stands out from play flashes until the dealer has acknowledged it, and is shown on, calm."""

import pytest

from controller.decisions import Command, Prompt, Refused
from controller.events import DeviceLost, Keyed, KeypadReady, Occupied, PromptsReady, ShoeReady, ZonesReady
from controller.places import BOARD, BURN
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup
from tests.controller.players import all_in_and_called, not_folded, playing, press


def shown(table: World) -> tuple[str, bool]:
    """The prompt on display: its code, and whether it was acknowledged."""
    return table.prompt.code, table.prompt.acknowledged


def halted() -> World:
    table = playing("preflop")
    press(table, "floor")
    return table


def test_an_ack_that_answers_nothing_acknowledges_the_prompt_on_display() -> None:
    table = halted()
    assert shown(table) == ("call-floor", False)
    press(table, "ack")
    assert shown(table) == ("call-floor", True)
    assert table.phases[-1] == "halted"


def test_a_prompt_is_acknowledged_once() -> None:
    table = halted()
    press(table, "ack")
    before = len(table.all_said(Prompt))
    press(table, "ack")
    assert len(table.all_said(Prompt)) == before


@pytest.mark.parametrize("key", ["next", "undo", "yes", "no"])
def test_no_other_key_acknowledges(key: str) -> None:
    table = halted()
    press(table, key)
    assert shown(table) == ("call-floor", False)


def test_a_question_is_acknowledged_and_still_waits_for_its_answer() -> None:
    table = all_in_and_called()
    table.muck(3)
    press(table, "ack")
    assert shown(table) == ("folded", True)
    not_folded(table)
    assert shown(table) == ("hand-back", False)


def test_a_question_asked_again_is_new() -> None:
    table = all_in_and_called()
    table.muck(3)
    press(table, "ack")
    not_folded(table)
    table.bring_back(3)
    table.muck(3)
    assert shown(table) == ("folded", False)


def test_an_ack_that_answers_the_prompt_answers_it() -> None:
    table = playing("done")
    acknowledged = [prompt.code for prompt in table.all_said(Prompt) if prompt.acknowledged]
    assert acknowledged == []


def test_an_ack_that_comes_too_early_leaves_its_prompt_unacknowledged() -> None:
    """The dealer is shown that his key was not taken."""
    table = playing("done")
    press(table, "ack")
    assert table.all_said(Refused)
    assert shown(table) == ("gather", False)


def _not_empty() -> World:
    table = World(Table(setup()))
    table.occupied = (BOARD, BURN)
    table.power_up()
    return table


def test_a_table_that_is_cleared_bit_by_bit_stays_acknowledged() -> None:
    table = _not_empty()
    assert shown(table) == ("table-not-empty", False)
    press(table, "ack")
    assert shown(table) == ("table-not-empty", True)
    table.tell(Occupied(places=(BOARD,)))
    assert (*shown(table), table.prompt.count) == ("table-not-empty", True, 1)
    table.tell(Occupied(places=()))
    assert shown(table) == ("deck-in", False)


def _pot_to_push() -> World:
    table = playing("showdown")
    while table.prompt.code != "push-pot":
        assert table.obey()
    return table


def test_a_lost_device_is_acknowledged_before_what_it_covers_is_answered() -> None:
    table = _pot_to_push()
    table.tell(DeviceLost(device="zones", why="zones: silent"))
    press(table, "ack")
    assert shown(table) == ("device-lost", True)
    assert table.phases[-1] == "showdown"
    table.tell(ZonesReady(facing=True, places=ALL_PLACES))
    assert shown(table) == ("push-pot", False)
    press(table, "ack")
    assert table.phases[-1] == "done"


def test_what_was_acknowledged_is_still_so_when_a_device_is_back_and_a_new_loss_is_new() -> None:
    table = halted()
    press(table, "ack")
    for _ in range(2):
        table.tell(DeviceLost(device="shoe", why="shoe: silent"))
        assert shown(table) == ("device-lost", False)
        press(table, "ack")
        assert shown(table) == ("device-lost", True)
        table.tell(KeypadReady(acts=True))
        assert shown(table) == ("device-lost", True)
        table.tell(ShoeReady(gate=False, burner=True))
        assert shown(table) == ("call-floor", True)


def test_a_key_pressed_in_the_dark_acknowledges_nothing() -> None:
    table = halted()
    table.tell(DeviceLost(device="prompts", why="prompts: silent"))
    press(table, "ack")
    table.tell(PromptsReady())
    assert shown(table) == ("call-floor", False)


def test_acknowledging_moves_nothing() -> None:
    table = halted()
    commands = table.all_said(Command)
    phases = table.phases
    table.tell(Keyed(key="ack"))
    assert table.all_said(Command) == commands
    assert table.phases == phases
