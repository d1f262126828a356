"""A deck that is short of a card, or has a strange one, when it is gathered: it leaves the table."""

from dataclasses import replace

import pytest

from controller.cards import DECK
from controller.decisions import ChipsMoved, Ruled
from controller.events import Fed
from controller.places import BOARD
from controller.rule_files import rulebook
from controller.table import Table
from tests.controller.hands import World, setup
from tests.controller.remedied import Dealer
from tests.floor.halts import clear, codes, decided, press, table_at

COUNTED = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=51, strangers=0)
SHORT = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=51, strangers=0, missing=DECK[:1])
SWAPPED = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=52, strangers=1, missing=DECK[:1])

ADDED = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=53, strangers=1)


def gathered(*feeds: Fed, rules: str = "roberts") -> World:
    """A hand was played, and its deck is fed; each of `feeds` finds it wrong, and it is laid in again."""
    table = table_at("done", replace(setup(), rules=rulebook(rules)))
    table.wrong_feeds = list(feeds)
    while table.wrong_feeds and table.obey():
        pass
    lay_in_again(table, feeds)
    return table


def lay_in_again(table: World, feeds: tuple[Fed, ...]) -> None:
    while table.wrong_feeds and table.prompt.code in ("set-missing", "wrong-set", "set-too-many"):
        if table.prompt.code != "set-too-many":
            table.tell(table._shuffler(input_=True))
        press(table, "ack")
    assert not table.wrong_feeds


def rulings(table: World) -> list[tuple[str, str]]:
    return [(told.rule, told.remedy) for told in table.all_said(Ruled)]


@pytest.mark.parametrize("feed", [SHORT, COUNTED, SWAPPED])
def test_a_first_wrong_set_is_asked_for_again_and_is_no_ruling(feed: Fed) -> None:
    table = gathered(feed)
    assert (rulings(table), codes(table), table.table.phase) == ([], ["shuffle-incomplete"], "shuffle")


@pytest.mark.parametrize("feed", [SHORT, COUNTED])
def test_a_deck_that_is_short_twice_is_the_floors_and_the_hand_stands(feed: Fed) -> None:
    table = gathered(feed, feed)
    assert rulings(table) == [("missing-card", "pull-deck")]
    assert table.table.phase == "halted"
    stacks = table.table.stacks
    assert table.all_said(ChipsMoved)[-1].stacks == stacks
    assert decided(table, "accept").remedy == "pull-deck"
    assert (table.table.stacks, table.table.phase) == (stacks, "idle")
    clear(table)
    assert table.prompt.code == "deck-in"
    table.play("done")
    assert table.phases[-1] == "done"


def test_the_dealer_may_say_at_once_that_it_is_not_found() -> None:
    table = gathered(SHORT)
    assert table.prompt.code == "set-missing"
    press(table, "no")
    assert (rulings(table), table.table.phase) == ([("missing-card", "pull-deck")], "halted")


def test_he_may_say_so_of_a_deck_that_is_gathered_for_a_misdeal_and_the_hand_is_void() -> None:
    table = table_at("preflop")
    table.wrong_feeds = [SHORT]
    press(table, "misdeal")
    while table.wrong_feeds and table.obey():
        pass
    assert table.prompt.code == "set-missing"
    press(table, "no")
    assert rulings(table)[1:] == [("missing-card", "pull-deck")]
    decided(table, "accept")
    assert table.all_said(ChipsMoved)[-1].stacks == dict.fromkeys((1, 2, 3, 4), 1000)


def test_it_may_be_found_while_the_floor_decides() -> None:
    table = gathered(SHORT)
    press(table, "no")
    decided(table, "stand")
    assert table.prompt.code == "set-missing"
    table.tell(table._shuffler(input_=True))
    press(table, "ack")
    table.play("done")
    assert table.phases[-1] == "done"


def test_the_key_no_means_nothing_where_nothing_was_missing() -> None:
    table = table_at("idle")
    press(table, "no")
    assert (rulings(table), table.table.phase) == ([], "idle")


@pytest.mark.parametrize(("rules", "remedy"), [("roberts", "pull-deck"), ("tda", "void-and-pull")])
def test_a_strange_card_that_is_fed_twice_was_in_the_stub(rules: str, remedy: str) -> None:
    table = gathered(SWAPPED, SWAPPED, rules=rules)
    assert (rulings(table), table.table.phase) == ([("foreign-card", remedy)], "halted")
    stacks = table.table.stacks
    decided(table, "accept")
    assert (table.table.stacks, table.table.phase) == (stacks, "idle")


def test_a_strange_card_that_was_taken_out_is_the_one_that_the_deck_lacks_then() -> None:
    table = gathered(SWAPPED, SHORT)
    assert (rulings(table), table.table.phase) == ([("foreign-card", "pull-deck")], "halted")
    said = gathered(SWAPPED)
    press(said, "ack")
    press(said, "no")
    assert (rulings(said), said.table.phase) == ([("foreign-card", "pull-deck")], "halted")


def test_a_strange_card_beside_the_52_that_was_taken_out_is_no_matter() -> None:
    table = gathered(ADDED, SHORT)
    assert (rulings(table), codes(table)) == ([], ["shuffle-incomplete"] * 2)


def test_a_set_that_was_right_in_between_begins_anew() -> None:
    table = gathered(SHORT)
    table.tell(table._shuffler(input_=True))
    press(table, "ack")
    table.play("done")
    table.wrong_feeds = [SHORT]
    while table.wrong_feeds and table.obey():
        pass
    assert rulings(table) == []


def test_no_card_that_is_missing_is_named() -> None:
    table = gathered(SHORT, SHORT)
    assert all(not told.cards for told in table.all_said(Ruled))


# In the middle of a hand

LACKS_ONE = Fed(
    ref=0, outcome="done", reason="none", verdict="wrong", count=40, strangers=0, missing=DECK[-1:]
)


def redealing(*feeds: Fed) -> Dealer:
    """A flop of four cards has its set fed; each of `feeds` finds that it lacks a card."""
    table = Dealer(Table(setup()))
    table.power_up()
    table.play("flop-deal")
    for _ in range(4):
        table.draw(BOARD, facing="up")
    table.wrong_feeds = list(feeds)
    while table.wrong_feeds and table.goes_on():
        pass
    assert not table.wrong_feeds
    return table


def test_a_set_that_is_short_twice_in_the_middle_of_a_hand_is_the_floors_and_no_ruling_on_the_deck() -> None:
    table = redealing(LACKS_ONE, LACKS_ONE)
    assert (table.table.phase, codes(table)[-1]) == ("halted", "missing-card")
    assert rulings(table) == [("overfull-flop", "redeal-flop")]


def test_the_dealer_may_say_of_such_a_set_that_it_is_not_found_and_by_stand_it_is_asked_for_again() -> None:
    table = redealing(LACKS_ONE)
    assert table.prompt.code == "set-missing"
    press(table, "no")
    assert (table.table.phase, codes(table)[-1]) == ("halted", "missing-card")
    decided(table, "stand")
    assert table.prompt.code == "set-missing"
    while "done" not in table.phases and table.goes_on():
        pass
    assert table.phases[-1] == "done"
