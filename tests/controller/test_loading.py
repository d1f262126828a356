"""A pack comes into the shoe step by step; what goes wrong on the way is put right or seen by the floor."""

from controller.decisions import Alert, Command, Refused
from controller.events import DeadlinePassed, Fed, Keyed, ShoeState
from controller.table import Table
from tests.controller.hands import World, setup


def loading(until: str) -> World:
    """A table whose dealer is asked for `until`."""
    table = World(Table(setup()))
    table.power_up()
    while table.prompt.code != until and table.obey():
        pass
    return table


def test_a_lid_closed_on_an_empty_shoe_is_freed_again_and_the_pack_asked_for() -> None:
    table = loading("load-shoe")
    table.tell(ShoeState(lid="open", content="empty"))
    table.tell(ShoeState(lid="locked", content="empty"))
    assert [alert.code for alert in table.all_said(Alert)] == ["shoe-empty"]
    assert [c.command for c in table.all_said(Command)][-1] == "release-lid"
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_pack_that_is_late_in_the_dealers_hands_is_for_the_floor() -> None:
    table = loading("load-shoe")
    (token,) = table.table.open_deadlines
    table.tell(DeadlinePassed(token=token))
    assert [alert.code for alert in table.all_said(Alert)] == ["step-late"]
    assert table.phases[-1] == "halted"


def test_a_step_done_in_time_leaves_no_deadline_behind() -> None:
    table = loading("deal-hole")
    assert not table.table.open_deadlines


def test_a_lid_opened_while_the_pack_is_cut_is_for_the_floor() -> None:
    table = loading("cut-card-under")
    table.tell(ShoeState(lid="open", content="empty"))
    assert [alert.code for alert in table.all_said(Alert)] == ["lid-open"]
    assert table.phases[-1] == "halted"


def test_a_wrong_set_comes_back_is_counted_and_fed_again_under_a_new_attempt() -> None:
    table = World(Table(setup()))
    table.wrong_feeds = [Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=51, strangers=0)]
    table.power_up()
    table.obey()
    assert table.prompt.code == "wrong-set"
    assert [alert.code for alert in table.all_said(Alert)] == ["shuffle-incomplete"]
    feeds = [c.ref for c in table.all_said(Command) if c.command == "feed"]
    table.tell(Keyed(key="ack"))
    again = [c.ref for c in table.all_said(Command) if c.command == "feed"]
    assert len(feeds) == 1
    assert len(again) == 2
    assert feeds[0] != again[1]
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_key_that_means_nothing_in_a_step_is_refused() -> None:
    table = loading("load-shoe")
    table.tell(Keyed(key="next"))
    assert table.all_said(Refused)[-1].what == "next"
    assert table.prompt.code == "load-shoe"
