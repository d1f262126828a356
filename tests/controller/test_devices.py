"""A device that is lost, comes back or starts anew: what the dealer sees, and what is never assumed."""

from msgspec.structs import replace

from controller.decisions import Alert, Ask, Command, Deadline, Prompt, Ruled
from controller.events import (
    Arrived,
    DeadlinePassed,
    DeviceLost,
    Keyed,
    Occupied,
    ShoeReady,
    ShoeState,
    ShufflerState,
    ZonesReady,
)
from controller.places import BOARD
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup


def playing(until: str) -> World:
    table = World(Table(setup()))
    table.power_up()
    table.play(until)
    return table


def test_a_device_that_starts_anew_twice_leaves_the_call_for_the_floor_standing() -> None:
    table = playing("preflop")
    for _ in range(2):
        table.tell(DeviceLost(device="shoe", why="shoe: silent"))
        table.tell(ShoeReady(gate=False, burner=True, restarted=True))
        table.tell(ShoeState(lid="locked", content="cards"))
    assert table.phases[-1] == "halted"
    assert table.prompt.code == "call-floor"


def test_the_ring_names_the_device_that_is_still_missing() -> None:
    table = playing("preflop")
    asked = table.prompt
    table.tell(DeviceLost(device="shoe", why="shoe: silent"))
    table.tell(DeviceLost(device="zones", why="zones: silent"))
    table.tell(ZonesReady(facing=True, places=ALL_PLACES))
    assert (table.prompt.code, table.prompt.count) == ("device-lost", 1)
    table.tell(ShoeReady(gate=False, burner=True))
    assert table.prompt == asked


def test_a_shuffler_that_still_feeds_at_power_up_is_waited_for_and_then_gives_back() -> None:
    table = World(Table(setup()))
    feeding = ShufflerState(
        input="cards", output="none", cover="shut", mode="shuffle", held=20, stage="feeding"
    )
    table.first_shuffler_state = feeding
    table.power_up()
    assert table.prompt.code == "table-not-empty"
    table.tell(Keyed(key="ack"))
    assert not table.all_said(Command)
    assert table.all_said(Ask)
    table.tell(replace(feeding, input="none", held=52, stage="refused"))
    table.tell(Keyed(key="ack"))
    assert [c.command for c in table.all_said(Command)] == ["return"]


def test_a_refused_ack_shows_the_prompt_anew() -> None:
    table = playing("done")
    table.tell(Keyed(key="ack"))
    shown = [d for d in table.said if isinstance(d, Prompt)]
    assert [d.code for d in shown[-2:]] == ["gather", "gather"]
    assert not table.all_said(Alert)


def test_a_cover_found_open_is_shut_before_a_deck_is_asked_for() -> None:
    table = World(Table(setup()))
    left_open = ShufflerState(
        input="none", output="cards", cover="open", mode="shuffle", held=0, stage="delivered"
    )
    table.first_shuffler_state = left_open
    table.power_up()
    assert table.prompt.code == "table-not-empty"
    table.tell(replace(left_open, output="none"))
    table.tell(Keyed(key="ack"))
    assert [c.command for c in table.all_said(Command)] == ["close-cover"]
    table.tell(replace(left_open, output="none", cover="shut", stage="empty"))
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_hand_finished_by_hand_at_power_up_halts_nothing() -> None:
    table = World(Table(setup()))
    table.occupied = (BOARD,)
    table.power_up()
    table.draw(BOARD, facing="up")
    assert not table.phases
    table.tell(Keyed(key="ack"))
    table.tell(Occupied(places=()))
    assert table.prompt.code == "deck-in"
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_whose_draw_the_shoe_could_not_tell_yet_is_no_card_that_is_there_twice() -> None:
    table = playing("preflop")
    card = table.order[table.drawn]
    table.tell(DeviceLost(device="shoe", why="shoe: unplugged"))
    table.tell(Arrived(time=0, place=BOARD, facing="up", what="card", card=card))
    for _ in range(5):  # however long the shoe is away
        table.tell(DeadlinePassed(token=table.all_said(Deadline)[-1].token))
    assert table.phases[-1] == "preflop"
    table.tell(ShoeReady(gate=False, burner=True))
    table.draw(BOARD, facing="up")  # what it had kept
    table.tell(ShoeState(lid="locked", content="cards"))
    assert "duplicate-card" not in [said.rule for said in table.all_said(Ruled)]
    assert table.table.ledger.where(card).place == BOARD


def test_a_card_that_a_shoe_which_has_told_all_did_not_draw_is_there_twice() -> None:
    table = playing("preflop")
    card = table.order[table.drawn]
    table.tell(DeviceLost(device="shoe", why="shoe: unplugged"))
    table.tell(Arrived(time=0, place=BOARD, facing="up", what="card", card=card))
    table.tell(ShoeReady(gate=False, burner=True))
    table.tell(ShoeState(lid="locked", content="cards"))
    table.tell(DeadlinePassed(token=table.all_said(Deadline)[-1].token))
    assert [said.rule for said in table.all_said(Ruled)] == ["duplicate-card"]
