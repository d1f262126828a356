"""What the shoe promises in section 9 of the document."""

from __future__ import annotations

import pytest

from hil_rigs.virtual.codes import Fault, Outcome, Reason, Type
from hil_rigs.virtual.felt import UP
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script


def _loaded(options: ShoeOptions | None = None, *, timed: bool = False) -> Script:
    """A table with a loaded shoe, without the way there."""
    table = VirtualTable(Setup(shoe=options or ShoeOptions(), timed=timed))
    script = Script(DirectHost(table))
    for card in table.decks["deck-1"]:
        table.felt.move(card, "shoe")
    script.host.settle()
    script.host.log.clear()
    return script


def _states(script: Script) -> list[tuple[object, ...]]:
    return [
        (state["lid"], state["empty"], state["gate"], state["left"])
        for state in script.events(Type.SHOE_STATE)
    ]


def test_each_draw_is_reported_with_its_number_and_tag() -> None:
    script = _loaded()
    cards = script.table.hands.draw("board", count=2, face=UP)
    cards += script.table.hands.draw("aside", boxed=True)
    script.host.settle()
    draws = script.events(Type.DRAW)
    assert [draw["number"] for draw in draws] == [1, 2, 3]
    assert [draw["uids"] for draw in draws] == [(card.uid,) for card in cards]
    assert [draw["flags"] for draw in draws] == [0, 0, 1]
    assert {draw["way"] for draw in draws} == {0}


def test_a_card_pushed_back_is_reported_and_does_not_count_on() -> None:
    script = _loaded()
    script.table.hands.push_back()
    script.table.hands.draw("board")
    script.host.settle()
    assert [(draw["number"], draw["flags"]) for draw in script.events(Type.DRAW)] == [(1, 2), (1, 0)]


def test_the_burner_reports_the_card_before_the_result_and_ejects_through_a_shut_gate() -> None:
    script = _loaded(ShoeOptions(gate=True))
    result = script.command("shoe", Type.BURN)
    assert (result["outcome"], result["count"], result["command"]) == (0, 1, Type.BURN)
    kinds = [type_ for name, type_, _ in script.host.log if name == "shoe"]
    assert kinds == [Type.DRAW, Type.RESULT]
    assert script.events(Type.DRAW)[0]["way"] == 1
    assert len(script.table.felt.cards("burn")) == 1


def test_a_command_with_a_known_id_is_answered_again_and_not_carried_out_again() -> None:
    script = _loaded()
    first = script.again("shoe", Type.BURN, 99)
    again = script.again("shoe", Type.BURN, 99)
    assert dict(first) == dict(again)
    assert len(script.table.felt.cards("burn")) == 1


def test_64_ids_are_remembered_and_an_older_one_is_unknown() -> None:
    script = _loaded()
    for command_id in range(1, 66):
        script.again("shoe", Type.RELEASE_LID, command_id)
    outcomes = [script.again("shoe", Type.RECALL, command_id)["outcome"] for command_id in (65, 2, 1)]
    assert outcomes == [Outcome.DONE, Outcome.DONE, Outcome.UNKNOWN]


def test_recall_tells_an_outcome_and_carries_nothing_out() -> None:
    script = _loaded()
    assert script.again("shoe", Type.RECALL, 5)["outcome"] == Outcome.UNKNOWN
    script.again("shoe", Type.BURN, 5)
    told = script.again("shoe", Type.RECALL, 5)
    assert (told["outcome"], told["command"], told["count"]) == (0, Type.BURN, 1)
    assert len(script.table.felt.cards("burn")) == 1


def test_while_a_command_runs_others_are_busy_but_lock_is_taken() -> None:
    script = _loaded(ShoeOptions(gate=True), timed=True)
    shoe = script.table.shoe
    script.send("shoe", Type.BURN, id=1)
    script.send("shoe", Type.BURN, id=1)
    assert not shoe.idle
    script.send("shoe", Type.UNLOCK, id=2, cards=3)
    script.send("shoe", Type.LOCK, id=3)
    script.send("shoe", Type.RECALL, id=1)
    script.table.advance(1_000)
    script.host.settle()
    told = [(r["id"], r["outcome"], r["reason"]) for r in script.events(Type.RESULT)]
    assert told == [
        (2, Outcome.REFUSED, Reason.BUSY),
        (3, Outcome.DONE, Reason.NONE),
        (1, Outcome.RUNNING, Reason.NONE),
        (1, Outcome.DONE, Reason.NONE),
    ]


def test_a_gate_lets_n_cards_pass_and_shuts_behind_the_last() -> None:
    script = _loaded(ShoeOptions(gate=True))
    with pytest.raises(CannotDo, match="gate"):
        script.table.hands.draw("board")
    assert script.command("shoe", Type.UNLOCK, cards=2)["count"] == 2
    with pytest.raises(CannotDo) as stopped:
        script.table.hands.draw("board", count=3)
    assert stopped.value.moved == 2
    script.host.settle()
    assert _states(script) == [(0, 0, 1, 2), (0, 0, 0, 0)]


def test_a_lock_shuts_the_gate_at_once() -> None:
    script = _loaded(ShoeOptions(gate=True))
    script.command("shoe", Type.UNLOCK, cards=52)
    assert script.command("shoe", Type.LOCK)["outcome"] == 0
    with pytest.raises(CannotDo):
        script.table.hands.draw("board")


@pytest.mark.parametrize("cards", [0, 53, 255])
def test_a_number_of_cards_out_of_range_is_refused(cards: int) -> None:
    script = _loaded(ShoeOptions(gate=True))
    result = script.command("shoe", Type.UNLOCK, cards=cards)
    assert (result["outcome"], result["reason"]) == (Outcome.REFUSED, Reason.BAD_VALUE)


def test_a_part_that_is_not_there_is_refused_as_not_able() -> None:
    script = _loaded(ShoeOptions(gate=False, burner=False))
    for type_, values in ((Type.BURN, {}), (Type.LOCK, {}), (Type.UNLOCK, {"cards": 1}), (Type.SHUFFLE, {})):
        result = script.command("shoe", type_, **values)
        assert (result["outcome"], result["reason"]) == (Outcome.REFUSED, Reason.NOT_ABLE)
    assert script.table.felt.cards("burn") == ()


def test_burn_and_unlock_are_refused_while_the_lid_is_open_or_the_shoe_is_empty() -> None:
    script = _loaded(ShoeOptions(gate=True))
    script.command("shoe", Type.RELEASE_LID)
    script.table.hands.open_lid()
    for type_, values in ((Type.BURN, {}), (Type.UNLOCK, {"cards": 1})):
        assert script.command("shoe", type_, **values)["reason"] == Reason.LID_OPEN
    script.table.hands.close_lid()
    script.command("shoe", Type.RELEASE_LID)
    script.table.hands.unload_shoe()
    for type_, values in ((Type.BURN, {}), (Type.UNLOCK, {"cards": 1})):
        assert script.command("shoe", type_, **values)["reason"] == Reason.EMPTY


def test_a_closed_lid_locks_itself_and_cards_count_from_one_again() -> None:
    script = _loaded()
    script.table.hands.draw("board", count=4)
    with pytest.raises(CannotDo, match="locked"):
        script.table.hands.unload_shoe()
    script.command("shoe", Type.RELEASE_LID)
    script.table.hands.open_lid()
    script.table.hands.close_lid()
    with pytest.raises(CannotDo, match="locked"):
        script.table.hands.open_lid()
    script.table.hands.draw("board")
    script.host.settle()
    assert script.events(Type.DRAW)[-1]["number"] == 1
    assert [lid for lid, *_ in _states(script)] == [1, 2, 0]


def test_a_released_lid_locks_again_after_thirty_seconds() -> None:
    script = _loaded()
    script.command("shoe", Type.RELEASE_LID)
    script.table.advance(29_999)
    assert script.table.shoe.lid == 1
    script.table.advance(1)
    script.host.settle()
    assert [lid for lid, *_ in _states(script)] == [1, 0]


def test_the_last_card_makes_it_say_that_it_is_empty_after_the_draw() -> None:
    script = _loaded()
    script.table.hands.draw("board", count=53)
    script.host.settle()
    kinds = [type_ for name, type_, _ in script.host.log if name == "shoe"]
    assert kinds[-2:] == [Type.DRAW, Type.SHOE_STATE]
    assert script.events(Type.DRAW)[-1]["uids"] == (script.table.decks["deck-1"][-1].uid,)
    with pytest.raises(CannotDo, match="empty"):
        script.table.hands.draw("board")


def test_a_tag_that_does_not_answer_is_a_card_with_no_tag_seen() -> None:
    script = _loaded()
    script.table.shoe.unreadable.add(script.table.felt.cards("shoe")[0])
    script.table.hands.draw("board")
    script.host.settle()
    draw = script.events(Type.DRAW)[0]
    assert (draw["seen"], draw["uids"]) == (0, ())


def test_with_a_jam_a_motion_fails_until_it_is_cleared() -> None:
    script = _loaded()
    script.table.shoe.begin_fault(Fault.JAM, 3)
    result = script.command("shoe", Type.BURN)
    assert (result["outcome"], result["reason"], result["count"]) == (Outcome.FAILED, Reason.JAM, 0)
    script.table.shoe.end_fault(Fault.JAM)
    assert script.command("shoe", Type.BURN)["outcome"] == Outcome.DONE
    assert [(f["fault"], f["ended"], f["detail"]) for f in script.events(Type.FAULT)] == [
        (1, 0, 3),
        (1, 1, 0),
    ]


def test_ask_is_answered_by_the_state() -> None:
    script = _loaded()
    script.send("shoe", Type.ASK)
    script.host.settle()
    assert _states(script) == [(0, 0, 255, 0)]


def test_after_a_boot_no_id_is_known_and_no_command_is_finished() -> None:
    script = _loaded(timed=True)
    shoe = script.table.shoe
    script.send("shoe", Type.BURN, id=4)
    script.table.advance(50)
    shoe.power_cycle()
    script.table.advance(10_000)
    script.host.settle()
    assert script.events(Type.RESULT, Type.DRAW) == []
    assert script.again("shoe", Type.RECALL, 4)["outcome"] == Outcome.UNKNOWN
    assert shoe.time_ms == 10_000


def test_time_is_counted_from_boot_and_wraps() -> None:
    table = VirtualTable(Setup())
    table.advance((1 << 32) + 5)
    assert table.shoe.time_ms == 5
