"""What the floor lets stand leaves every card where it lies, and in play what is in play."""

import pytest

from controller.decisions import Alert
from controller.events import Arrived, Drew
from controller.places import ASIDE, BOARD, BURN, MUCK, Place, at_seat
from controller.table import Table
from tests.controller.hands import setup
from tests.controller.remedied import Dealer, what_is_wrong
from tests.floor.halts import codes, decided, halted, press, refused


def dealer(until: str) -> Dealer:
    table = Dealer(Table(setup()))
    table.power_up()
    while until not in table.phases and table.goes_on():
        pass
    return table


@pytest.mark.parametrize("asked", ["gather-board", "lift-pack", "cut-card-under", "load-shoe"])
def test_a_pack_on_its_way_is_in_play_once_the_floor_lets_the_hand_go_on(asked: str) -> None:
    """Its cards are in nobody's flight, and are none that no rule has."""
    table = dealer("flop-deal")
    for _ in range(4):
        table.draw(BOARD, facing="up")
    while table.prompt.code != asked and table.goes_on():
        pass
    out = set(table.state.out)
    halted(table)
    decided(table, "stand")
    assert set(table.state.out) == out
    while "done" not in table.phases and table.goes_on():
        pass
    assert [alert.code for alert in table.all_said(Alert)] == ["floor-called"]
    assert table.phases[-1] == "done"


def test_an_exposed_card_that_was_mucked_while_the_table_was_halted_lies_in_the_muck() -> None:
    table = dealer("flop")
    card = table.at(at_seat(1))[-1]
    table.turn_up(1)
    press(table, "exposed", 1)
    assert table.table.phase == "halted"
    table.carry(card, MUCK)
    table.flush()
    assert table.table.ledger.where(card).place == MUCK
    decided(table, "stand")
    assert table.table.ledger.where(card).place == MUCK


@pytest.mark.parametrize("place", [BURN, MUCK, at_seat(2)])
def test_an_early_card_that_the_floor_lets_lie_elsewhere_is_not_shuffled(
    place: Place,
) -> None:
    table = dealer("preflop")
    early = table.draw(BOARD, facing="up")
    for _ in range(2):
        table.draw(BOARD, facing="up")
    table.carry(early, place)
    table.flush()
    decided(table, "stand")
    while table.prompt.code != "gather-board" and table.goes_on():
        pass
    assert early not in table.table._loading._pack.cards
    while "done" not in table.phases and table.goes_on():
        pass
    assert (table.phases[-1], table.state.where(early)) == ("done", place)


def test_what_was_dealt_before_the_halt_and_is_heard_of_after_it_is_in_play() -> None:
    """A card was carried off and brought back before its word came; the next one was dealt meanwhile."""
    table = dealer("deal")
    first, second, third = table.order[:3]
    table.tell(Drew(time=0, number=1, what="double", way="hand", cards=(first, second), seen=2))
    for card, place in ((first, at_seat(4)), (second, at_seat(1)), (first, ASIDE), (first, at_seat(4))):
        table.tell(Arrived(time=0, place=place, facing="down", what="card", card=card))
    table.tell(Drew(time=0, number=2, what="card", way="hand", cards=(third,)))
    table.tell(Arrived(time=0, place=at_seat(2), facing="down", what="card", card=third))
    press(table, "ack")
    assert table.table.phase == "halted"
    assert decided(table, "stand").left_out == ()
    assert not table.state.out
    assert [len(table.state.deal.hole[seat]) for seat in (4, 1, 2, 3)] == [1, 1, 1, 0]


def test_two_cards_that_left_at_once_are_waited_for_when_the_floor_lets_the_hand_go_on() -> None:
    """The floor was called while the dealer had still to lay them."""
    table = dealer("deal")
    first, second = table.order[:2]
    table.tell(Drew(time=0, number=1, what="double", way="hand", cards=(first, second), seen=2))
    table.tell(Arrived(time=0, place=at_seat(4), facing="down", what="card", card=first))
    assert decided(halted(table), "stand").left_out == ()
    assert not table.state.out
    table.tell(Arrived(time=0, place=at_seat(1), facing="down", what="card", card=second))
    press(table, "ack")
    assert (table.table.phase, table.state.out) == ("deal", {})
    assert [table.state.deal.hole[seat] for seat in (4, 1)] == [[first], [second]]


@pytest.mark.parametrize("min_cards", [1, 52])
@pytest.mark.parametrize("to", [BURN, MUCK, at_seat(2)])
def test_a_card_that_was_carried_off_while_the_stub_came_out_and_may_stay_there_is_in_no_shuffle(
    to: Place, min_cards: int
) -> None:
    table = Dealer(Table(setup()), min_cards=min_cards)
    table.power_up()
    while "flop-deal" not in table.phases:
        table.goes_on()
    for _ in range(4):
        table.draw(BOARD, facing="up")
    card = table.at(BOARD)[1]
    table.carry(card, to)
    assert codes(table) == ["card-moved"]
    decided(table, "stand")
    while table.table.phase != "done":
        assert table.goes_on()
    assert what_is_wrong(table) == [f"a card at {to} counts for nothing"]
    assert table.lies[card] == to
    assert card not in table.order


@pytest.mark.parametrize("to", [ASIDE, BURN, at_seat(3)])
def test_an_exposed_card_that_was_carried_off_meanwhile_has_first_to_go_back_to_its_hand(to: Place) -> None:
    table = dealer("flop")
    card = table.at(at_seat(2))[-1]
    press(table, "exposed", 2)
    assert codes(table) == ["ruling-too-late"]
    table.carry(card, to)
    assert refused(table, "stand") == f"the exposed card lies at {to}, not at seat 2"
    table.carry(card, at_seat(2))
    decided(table, "stand")
    assert table.table.ledger.where(card).place == at_seat(2)
    while table.table.phase != "done":
        assert table.goes_on()
    assert what_is_wrong(table) == []
