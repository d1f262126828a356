"""A pack comes into the shoe step by step; what goes wrong on the way is put right or seen by the floor."""

import msgspec
import pytest

from controller.cards import DECK
from controller.decisions import Alert, Ask, Command, Refused, StepDone
from controller.events import (
    DeadlinePassed,
    Fed,
    Keyed,
    Occupied,
    PromptNotShown,
    ShoeState,
    ShufflerState,
)
from controller.places import BOARD
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
    assert table.prompt.code == "set-missing"
    assert [alert.code for alert in table.all_said(Alert)] == ["shuffle-incomplete"]
    feeds = [c.ref for c in table.all_said(Command) if c.command == "feed"]
    table.tell(Keyed(key="ack"))
    again = [c.ref for c in table.all_said(Command) if c.command == "feed"]
    assert len(feeds) == 1
    assert len(again) == 2
    assert feeds[0] != again[1]
    table.play("done")
    assert table.phases[-1] == "done"


@pytest.mark.parametrize("verdict", ["proved", "counted"])
@pytest.mark.parametrize(
    "but",
    [{"count": 51}, {"count": 53}, {"strangers": 3}, {"missing": (DECK[0],)}, {"surplus": (DECK[0],)}],
    ids=lambda but: next(iter(but)),
)
def test_a_feed_that_contradicts_itself_proves_nothing(verdict: str, but: dict[str, object]) -> None:
    table = World(Table(setup()))
    proved = Fed(ref=0, outcome="done", reason="none", verdict="proved", count=52, strangers=0)
    table.wrong_feeds = [msgspec.structs.replace(proved, verdict=verdict, **but)]
    table.power_up()
    table.obey()
    assert [alert.code for alert in table.all_said(Alert)] == ["shuffle-incomplete"]
    assert [command.command for command in table.all_said(Command)][:2] == ["feed", "return"]


def test_a_key_that_means_nothing_in_a_step_is_refused() -> None:
    table = loading("load-shoe")
    table.tell(Keyed(key="next"))
    assert table.all_said(Refused)[-1].what == "next"
    assert table.prompt.code == "load-shoe"


def test_each_step_says_how_it_is_known_and_a_key_alone_states_it() -> None:
    table = loading("deal-hole")
    proved = {step.step: step.evidence for step in table.all_said(StepDone)}
    assert proved == {
        "feed": "seen",
        "shuffle": "seen",
        "cut": "seen",
        "open-cover": "seen",
        "lift": "seen",
        "close-cover": "seen",
        "cut-card": "stated",
        "release-lid": "seen",
        "load": "seen",
    }


@pytest.mark.parametrize(("antennas", "evidence"), [(True, "seen"), (False, "stated")])
def test_a_cut_by_hand_is_seen_at_the_cut_plate_or_stated_by_a_key(antennas: bool, evidence: str) -> None:
    table = World(Table(setup(antennas=antennas)), antennas=antennas, cuts=False)
    table.power_up()
    table.play("deal")
    proved = {step.step: step.evidence for step in table.all_said(StepDone)}
    assert proved["cut-by-hand"] == evidence


def test_a_table_found_with_cards_is_cleared_by_hand_and_looked_at_again() -> None:
    table = World(Table(setup()))
    table.occupied = (BOARD,)
    table.power_up()
    table.tell(ShoeState(lid="locked", content="cards"))
    table.tell(Keyed(key="ack"))
    assert [c.command for c in table.all_said(Command)] == ["release-lid"]
    assert [ask.device for ask in table.all_said(Ask)] == ["shoe", "shuffler", "zones"]
    assert table.prompt.code == "table-not-empty"
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="empty"))
    table.tell(Occupied(places=()))
    assert table.prompt.code == "deck-in"


def test_cards_found_inside_the_shuffler_are_given_back() -> None:
    table = World(Table(setup()))
    table.occupied = (BOARD,)
    table.power_up()
    table.tell(ShufflerState(input="none", output="none", cover="shut", mode="shuffle", held=20))
    table.tell(Keyed(key="ack"))
    assert [c.command for c in table.all_said(Command)] == ["return"]


def test_another_mode_than_shuffle_is_shown() -> None:
    table = loading("deal-hole")
    table.tell(ShufflerState(input="none", output="none", cover="shut", mode="service", held=0))
    table.tell(ShufflerState(input="none", output="none", cover="shut", mode="service", held=0))
    assert [alert.code for alert in table.all_said(Alert)] == ["shuffler-mode"]


def test_a_prompt_that_the_ring_cannot_show_is_told_to_a_technician() -> None:
    table = loading("deal-hole")
    table.tell(PromptNotShown(reason="bad-value"))
    assert [alert.code for alert in table.all_said(Alert)] == ["prompt-not-shown"]
