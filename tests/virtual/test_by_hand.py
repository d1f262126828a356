"""What the virtual dealer does with a hand that is off the machines, and with a table that must be empty."""

from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.felt import ZONES
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script


def loaded() -> Script:
    script = Script(DirectHost(VirtualTable(Setup(seats=(1, 2)))))
    script.power_up()
    return script


def keys(script: Script) -> list[int]:
    return [int(fields.num("key")) for fields in script.events(Type.KEY)]


def test_cards_that_are_dealt_by_hand_leave_no_machine_and_next_says_that_they_lie() -> None:
    script = loaded()
    stub = len(script.table.felt.cards("shoe"))
    assert [deed.kind for deed in script.obeyed(Prompt.DEAL_BY_HAND, count=1)] == ["deal-by-hand"]
    assert len(script.table.felt.cards("shoe")) == stub
    assert keys(script)[-1] == 1


def test_a_winner_is_named_once_and_then_confirmed() -> None:
    script = loaded()
    assert [deed.kind for deed in script.obeyed(Prompt.NAME_WINNERS, seat=2, count=30)] == ["name-winners"]
    assert keys(script)[-1] == 8


def test_a_table_is_cleared_of_all_that_is_in_reach_and_the_key_is_not_pressed_for_ever() -> None:
    script = loaded()
    felt = script.table.felt
    assert [deed.kind for deed in script.obeyed(Prompt.TABLE_NOT_EMPTY, count=2)][-1] == "ack"
    assert not any(felt.cards(place) for place in ZONES)
    assert felt.cards("shoe")
    script.command("shoe", Type.RELEASE_LID)
    deeds = [deed.kind for deed in iter(script.table.dealer.obey, None) if deed is not None]
    assert deeds == ["clear", "ack"]
    assert not felt.cards("shoe")
    felt.check()
