"""Hands of a few players for tests of what they do with their acts and their cards."""

from dataclasses import replace

from controller.cards import Card
from controller.decisions import Alert, BetMade, Refused
from controller.events import Acted, FloorDecided, Keyed
from controller.places import MUCK, at_seat
from controller.table import Table
from tests.controller.hands import World, setup

SHORT = {1: 1000, 2: 1000, 3: 60, 4: 1000}
"""Stacks with which seat 3 is soon all-in."""


def playing(until: str, *, burner: bool = True, acts: bool = True, **of_the_table: object) -> World:
    """Four seats with the button on 3: 4 and 1 have the blinds, 2 is first to act before the flop."""
    table = World(Table(replace(setup(), **of_the_table)), burner=burner, acts=acts)  # type: ignore[arg-type]
    table.power_up()
    table.play(until)
    return table


def heads_up(until: str, **of_the_table: object) -> World:
    """Seats 1 and 2 with the button, which acts first before the flop, on 1."""
    table = World(Table(replace(setup(seats=(1, 2), button=1), **of_the_table)))  # type: ignore[arg-type]
    table.power_up()
    table.play(until)
    return table


def in_round(phase: str = "preflop", kind: type[World] = World, **of_the_table: object) -> World:
    """A hand of four in a betting round of which only `next` is told."""
    table = kind(Table(setup(follow="dealer-key")), acts=False)
    for name, value in of_the_table.items():
        setattr(table, name, value)
    table.power_up()
    table.play(phase)
    return table


def asked(table: World) -> tuple[str, int, int]:
    return table.prompt.code, table.prompt.seat, table.prompt.count


def folds(table: World) -> list[int]:
    return [bet.seat for bet in table.all_said(BetMade) if bet.action == "fold"]


def refusals(table: World) -> list[str]:
    return [refused.why for refused in table.all_said(Refused)]


def alerts(table: World) -> list[str]:
    return [alert.code for alert in table.all_said(Alert)]


def press(table: World, key: str, seat: int = 0) -> None:
    table.tell(Keyed(key=key, seat=seat))


def not_folded(table: World) -> None:
    """The dealer says that a hand in the muck did not fold; the floor has it brought back."""
    press(table, "no")
    assert (table.phases[-1], table.prompt.code) == ("halted", "call-floor")
    table.tell(FloorDecided("accept", "Ann", "its cards are known"))


def check_or_call(table: World, *seats: int) -> None:
    for seat in seats:
        table.tell(Acted(seat=seat, action="check-or-call"))


def throw_one(table: World, seat: int) -> Card:
    """The first of a hand's cards that lie at its seat goes to the muck."""
    card = table.at(at_seat(seat))[0]
    table.carry(card, MUCK)
    return card


def all_in_and_called() -> World:
    """Before the flop, seat 3 all-in for 60 and called; the turn is seat 1's."""
    table = playing("preflop", stacks=SHORT)
    check_or_call(table, 2)
    table.tell(Acted(seat=3, action="all-in"))
    check_or_call(table, 4)
    return table
