"""A card twice, a card of another deck: the floor voids the hand, and the deck leaves the table."""

from dataclasses import replace
from typing import Final

import pytest

from controller.cards import Card
from controller.decisions import ChipsMoved, HandBegan, Ruled
from controller.events import Arrived, DeadlinePassed, Drew
from controller.places import AWAY, BOARD, MUCK, at_seat
from controller.rule_files import rulebook
from tests.controller.hands import World, setup
from tests.floor.halts import clear, codes, decided, press, refused, table_at

STREETS: Final = ("deal", "preflop", "flop-deal", "flop", "turn", "river", "showdown")


def foreign_at_the_lip(table: World) -> None:
    table.tell(Drew(time=0, number=9, what="foreign", way="hand"))


def foreign_on_the_board(table: World) -> None:
    table.tell(Arrived(time=0, place=BOARD, facing="up", what="foreign"))


def of_the_other_deck(table: World) -> None:
    table.tell(Arrived(time=0, place=MUCK, facing="down", what="other-deck"))


def drawn_twice(table: World) -> None:
    table.tell(Drew(time=0, number=9, what="card", way="hand", cards=(table.order[0],)))


def lies_and_was_never_drawn(table: World) -> None:
    table.tell(Arrived(time=0, place=BOARD, facing="up", what="card", card=table.order[40]))
    table.tell(DeadlinePassed(token=max(table.table.open_deadlines)))


WAYS: Final = {
    foreign_at_the_lip: "foreign-card",
    foreign_on_the_board: "foreign-card",
    of_the_other_deck: "foreign-card",
    drawn_twice: "duplicate-card",
    lies_and_was_never_drawn: "duplicate-card",
}


def ruled(table: World) -> Ruled:
    (told,) = table.all_said(Ruled)
    return told


@pytest.mark.parametrize("phase", STREETS[1:])
@pytest.mark.parametrize("way", WAYS)
def test_it_is_ruled_on_and_halts_the_table_at_once(way, phase: str) -> None:  # type: ignore[no-untyped-def]
    table = table_at(phase)
    way(table)
    assert (ruled(table).rule, ruled(table).remedy) == (WAYS[way], "void-and-pull")
    assert (table.table.phase, codes(table)) == ("halted", ["floor-decides"])


@pytest.mark.parametrize("way", WAYS)
def test_the_floor_accepts_chips_go_back_and_the_deck_leaves(way) -> None:  # type: ignore[no-untyped-def]
    table = table_at("flop")
    way(table)
    done = decided(table, "accept")
    assert (done.remedy, done.ruling) == ("void-and-pull", ruled(table).number)
    assert table.all_said(ChipsMoved)[-1].stacks == dict.fromkeys((1, 2, 3, 4), 1000)
    assert table.table.phase == "idle"
    assert table.table.ledger.count(AWAY) == 52
    clear(table)
    assert table.prompt.code == "deck-in"
    table.play("done")
    assert [began.button for began in table.all_said(HandBegan)] == [3, 3]


def test_a_card_that_lies_face_down_is_not_named_and_one_face_up_is() -> None:
    down, up = table_at("preflop"), table_at("preflop")
    for table, place, facing in ((down, at_seat(1), "down"), (up, BOARD, "up")):
        table.tell(Arrived(time=0, place=place, facing=facing, what="card", card=table.order[40]))  # type: ignore[arg-type]
        table.tell(DeadlinePassed(token=max(table.table.open_deadlines)))
    shown: tuple[Card, ...] = (up.order[40],)
    assert (ruled(down).cards, ruled(up).cards) == ((), shown)


def test_what_left_the_shoe_and_is_no_card_of_the_deck_cannot_be_played_on_with() -> None:
    table = table_at("flop-deal")
    foreign_at_the_lip(table)
    assert "unknown which card" in refused(table, "stand")
    decided(table, "by-hand")


@pytest.mark.parametrize(("rules", "remedy"), [("roberts", "pull-deck"), ("tda", "void-and-pull")])
def test_once_the_pots_are_pushed_only_the_deck_goes(rules: str, remedy: str) -> None:
    table = table_at("done", replace(setup(), rules=rulebook(rules)))
    while table.prompt.code == "push-pot":
        press(table, "ack")
    stacks = table.table.stacks
    foreign_on_the_board(table)
    assert (ruled(table).remedy, table.table.phase) == (remedy, "halted")
    decided(table, "accept")
    assert (table.table.stacks, table.table.phase) == (stacks, "idle")


def test_before_a_hand_it_halts_without_a_ruling() -> None:
    table = table_at("idle")
    foreign_on_the_board(table)
    assert (table.table.phase, codes(table), table.all_said(Ruled)) == ("halted", ["foreign-card"], [])


def test_a_second_find_while_the_floor_decides_is_told_and_decided_with_the_first() -> None:
    table = table_at("turn")
    foreign_on_the_board(table)
    drawn_twice(table)
    assert codes(table) == ["floor-decides", "duplicate-card"]
    assert decided(table, "accept").remedy == "void-and-pull"


def test_the_floor_may_pull_the_deck_in_the_place_of_any_remedy() -> None:
    table = table_at("flop")
    table.draw(MUCK)
    assert decided(table, "choose", "void-and-pull").remedy == "void-and-pull"
    assert table.table.phase == "idle"
