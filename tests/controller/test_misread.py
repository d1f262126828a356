"""What the shoe could not read: the dealer confirms it, antennas name it, or the table is halted."""

from typing import Final

import pytest
from msgspec.structs import replace

from controller.cards import Card
from controller.decisions import Alert, Command, Refused, Ruled
from controller.events import Acted, Arrived, Drew, Faulted, Keyed
from controller.places import BOARD, SHOE, TRANSIT, Place, at_seat
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup
from tests.floor.halts import decided, refused


def playing(
    until: str, *, gate: bool = False, antennas: bool = True, places: tuple[Place, ...] = ALL_PLACES
) -> World:
    table = World(Table(setup(antennas=antennas)), gate=gate, antennas=antennas, places=places)
    table.power_up()
    table.play(until)
    return table


def codes(table: World) -> list[str]:
    return [alert.code for alert in table.all_said(Alert)]


def unread(table: World) -> Card:
    """The next card leaves the shoe unread."""
    card = table.order[table.drawn]
    table.drawn += 1
    table.tell(Drew(time=0, number=table.drawn, what="unread", way="hand", seen=0))
    return card


def lies(table: World, card: Card, place: Place) -> None:
    table.lies[card] = place
    facing = "up" if place == BOARD else "down"
    table.tell(Arrived(time=0, place=place, facing=facing, what="card", card=card))  # type: ignore[arg-type]


def two(table: World, *, read: int = 2) -> tuple[Card, Card]:
    """The next two cards leave the shoe at once."""
    first, second = table.order[table.drawn : table.drawn + 2]
    table.drawn += 2
    table.tell(Drew(time=0, number=9, what="double", way="hand", cards=(first, second)[:read], seen=2))
    return first, second


def ack(table: World) -> None:
    table.tell(Keyed(key="ack"))


def gate(table: World) -> list[tuple[str, int]]:
    told = [d for d in table.all_said(Command) if d.command in ("lock", "unlock")]
    return [(d.command, d.cards) for d in told]


def test_an_unread_card_is_named_by_the_antenna_where_it_lies_and_the_hand_goes_on() -> None:
    table = playing("deal")
    card = unread(table)
    assert (codes(table), table.prompt.code, table.prompt.seat) == (["unread-card"], "card-unread", 4)
    lies(table, card, at_seat(4))
    assert table.table.ledger.where(card).place == SHOE, "nothing goes on before the dealer has said so"
    ack(table)
    assert table.table.ledger.where(card).place == at_seat(4)
    for _ in range(7):
        table.draw(next(iter(table.table._play._state.due)).place)
    table.play("done")
    assert (table.phases[-1], table.all_said(Ruled), codes(table)) == ("done", [], ["unread-card"])


def test_the_antenna_may_be_quicker_than_the_shoe() -> None:
    table = playing("deal")
    lies(table, table.order[0], at_seat(4))
    card = unread(table)
    ack(table)
    assert table.table.ledger.where(card).place == at_seat(4)


def test_nothing_goes_on_before_it_is_confirmed() -> None:
    table = playing("preflop")
    table.play("flop-deal")
    card = unread(table)
    for key in ("next", "exposed", "misdeal", "undo", "yes"):
        table.tell(Keyed(key=key))
        assert table.all_said(Refused)[-1].what == key
    table.tell(Acted(seat=4, action="check-or-call"))
    ack(table)
    assert table.all_said(Refused)[-1].what == "ack", "no antenna has seen it yet"
    assert table.prompt.code == "card-unread"
    lies(table, card, BOARD)
    ack(table)
    assert table.prompt.code == "deal-flop"


def test_a_card_that_was_not_read_and_lies_where_it_was_not_due_is_ruled_on_like_any_other() -> None:
    table = playing("preflop")
    card = unread(table)
    lies(table, card, BOARD)
    ack(table)
    assert [told.rule for told in table.all_said(Ruled)] == ["premature-flop"]


def test_a_read_card_behind_it_waits_and_is_not_taken_for_it() -> None:
    table = playing("deal")
    card = unread(table)
    behind = table.draw(at_seat(1))
    assert table.table.ledger.where(behind).place == TRANSIT
    lies(table, card, at_seat(4))
    ack(table)
    assert table.table._play._state.deal.hole[4] == [card]
    assert table.table._play._state.deal.hole[1] == [behind]


def test_two_cards_unread_one_after_the_other_are_told_apart_by_what_was_due() -> None:
    table = playing("deal")
    first, second = unread(table), unread(table)
    lies(table, second, at_seat(1))
    lies(table, first, at_seat(4))
    ack(table)
    assert table.prompt.code == "card-unread"
    ack(table)
    assert table.table._play._state.deal.off_deck == [first, second]


NO_SEAT_4: Final = tuple(place for place in ALL_PLACES if place != at_seat(4))


@pytest.mark.parametrize(("antennas", "places"), [(False, ALL_PLACES), (True, NO_SEAT_4)])
def test_where_no_antenna_can_name_it_the_table_is_halted(antennas: bool, places: tuple[Place, ...]) -> None:
    table = playing("deal", antennas=antennas, places=places)
    unread(table)
    assert (table.table.phase, codes(table)) == ("halted", ["unread-card"])
    assert "unknown which card" in refused(table, "stand")
    decided(table, "by-hand")


@pytest.mark.parametrize("read", [0, 1, 2])
@pytest.mark.parametrize("turned_round", ["in order", "the second first"])
def test_two_at_once_are_followed_in_the_order_that_fits_what_is_due(read: int, turned_round: str) -> None:
    table = playing("deal")
    first, second = two(table, read=read)
    if turned_round == "the second first":
        first, second = second, first
    assert (codes(table), table.prompt.code, table.prompt.count) == (["double-feed"], "two-at-once", 2)
    lies(table, second, at_seat(1))
    ack(table)
    assert table.prompt.code == "two-at-once", "one of them is still to be seen"
    lies(table, first, at_seat(4))
    ack(table)
    assert table.table._play._state.deal.off_deck == [first, second]
    assert (table.all_said(Ruled), table.prompt.code) == ([], "deal-hole")


def test_two_at_once_without_antennas_and_three_anywhere_halt() -> None:
    without = playing("deal", antennas=False)
    two(without)
    assert (without.table.phase, codes(without)) == ("halted", ["double-feed"])
    three = playing("deal")
    three.tell(Drew(time=0, number=1, what="double", way="hand", cards=tuple(three.order[:3]), seen=3))
    assert (three.table.phase, codes(three)) == ("halted", ["double-feed"])


@pytest.mark.parametrize(
    ("event", "code", "prompt"),
    [
        (Drew(time=0, number=1, what="reversed", way="hand"), "reversed-card", "card-back-in"),
        (Faulted(device="shoe", fault="card-timeout", state="begun"), "card-timeout", "card-stuck"),
    ],
)
def test_what_never_left_the_shoe_shuts_the_gate_until_it_is_confirmed(
    event: Drew | Faulted, code: str, prompt: str
) -> None:
    table = playing("deal", gate=True)
    table.tell(event)
    assert (codes(table), table.prompt.code, gate(table)[-1]) == ([code], prompt, ("lock", 0))
    if isinstance(event, Faulted):
        table.tell(replace(event, state="ended"))  # the dealer frees the lip, and says so
        assert (codes(table), table.prompt.code) == ([code], prompt)
    ack(table)
    assert (table.prompt.code, gate(table)[-1]) == ("deal-hole", ("unlock", 8))
    table.play("done")
    assert (table.phases[-1], table.all_said(Ruled)) == ("done", [])


def test_the_gate_is_shut_over_an_unread_card_and_opens_for_what_is_due_then() -> None:
    table = playing("deal", gate=True)
    card = unread(table)
    assert gate(table)[-1] == ("lock", 0)
    lies(table, card, at_seat(4))
    ack(table)
    assert gate(table)[-1] == ("unlock", 7)


def test_the_floor_may_be_called_over_it_and_it_stands_again_after_it() -> None:
    table = playing("deal")
    card = unread(table)
    table.tell(Keyed(key="floor"))
    assert table.prompt.code == "call-floor"
    decided(table, "stand")
    assert table.prompt.code == "card-unread"
    lies(table, card, at_seat(4))
    ack(table)
    assert table.table.ledger.where(card).place == at_seat(4)


def test_between_hands_it_is_only_told() -> None:
    table = playing("done")
    ack(table)
    asked = table.prompt
    unread(table)
    assert (codes(table), table.prompt, table.table.phase) == (["unread-card"], asked, "done")


@pytest.mark.parametrize("at", [0, 1])
def test_one_of_two_at_once_that_was_known_to_lie_elsewhere_is_there_twice(at: int) -> None:
    table = playing("flop-deal")
    pair = list(table.order[table.drawn : table.drawn + 2])
    pair[at] = table.at(at_seat(2))[0]
    table.tell(Drew(time=0, number=9, what="double", way="hand", cards=(pair[0], pair[1]), seen=2))
    assert [(told.rule, told.cards) for told in table.all_said(Ruled)] == [("duplicate-card", ())]
    assert table.table.phase == "halted"
