"""A joker is no card of the deck: it is laid away, or makes a misdeal where the rules say so."""

from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import pytest

from controller.cards import Card
from controller.decisions import Alert, Command, Refused, Ruled
from controller.events import Acted, Arrived, Drew, Keyed
from controller.places import BURN, Place, at_seat
from controller.rule_files import rulebook
from controller.table import Table
from tests.controller.hands import Side, World, setup


def playing(until: str, rules: str = "roberts", *, gate: bool = False, burner: bool = True) -> World:
    table = World(Table(replace(setup(), rules=rulebook(rules))), gate=gate, burner=burner)
    table.power_up()
    table.play(until)
    return table


def joker(table: World, way: str = "hand") -> None:
    table.tell(Drew(time=0, number=1, what="joker", way=way))  # type: ignore[arg-type]


def remedies(table: World) -> list[tuple[str, str]]:
    return [(told.rule, told.remedy) for told in table.all_said(Ruled)]


@pytest.mark.parametrize("phase", ["deal", "preflop", "flop-deal", "flop", "river-deal", "showdown"])
def test_it_is_laid_away_and_the_next_card_takes_its_place(phase: str) -> None:
    table = playing(phase)
    asked = table.prompt
    joker(table)
    assert (remedies(table), table.prompt.code) == ([("joker", "joker-away")], "joker-away")
    table.tell(Acted(seat=asked.seat, action="check-or-call"))
    assert table.all_said(Refused)[-1].why.startswith("joker")
    table.tell(Keyed(key="ack"))
    assert table.prompt == asked
    table.play("done")
    assert (table.phases[-1], table.all_said(Alert)) == ("done", [])


def test_the_gate_is_shut_until_it_lies_away() -> None:
    table = playing("deal", gate=True)
    joker(table)
    told = [d for d in table.all_said(Command) if d.device == "shoe"]
    assert told[-1].command == "lock"
    table.tell(Keyed(key="ack"))
    told = [d for d in table.all_said(Command) if d.device == "shoe"]
    assert (told[-1].command, told[-1].cards) == ("unlock", 8)


@dataclass
class JokerOnTop(World):
    """A world whose burner ejects a joker first."""

    ejected: bool = False

    def draw(self, to: Place, *, way: Literal["hand", "burner"] = "hand", facing: Side = "down") -> Card:
        if way == "burner" and not self.ejected:
            self.ejected = True
            joker(self, way)
            return self.order[self.drawn]
        return super().draw(to, way=way, facing=facing)


def test_a_burner_that_ejected_it_burns_once_more() -> None:
    table = JokerOnTop(Table(setup()))
    table.power_up()
    while table.prompt.code != "joker-away" and table.obey():
        pass
    assert (table.ejected, table.prompt.code) == (True, "joker-away")
    table.tell(Keyed(key="ack"))
    table.play("done")
    assert (table.phases[-1], len(table.at(BURN)), table.table.unanswered_by) == ("done", 3, frozenset())


def test_it_is_a_misdeal_before_substantial_action_where_the_rules_say_so() -> None:
    table = playing("deal", "tda")
    joker(table)
    assert remedies(table) == [("joker", "joker-misdeal")]
    assert table.prompt.code == "joker-away"
    table.tell(Keyed(key="ack"))
    assert (table.prompt.code, table.table.phase) == ("gather-misdeal", "misdeal")
    table.play("done")
    assert table.phases[-1] == "done"


def test_later_it_is_laid_away_there_too() -> None:
    table = playing("flop", "tda")
    joker(table)
    assert remedies(table) == [("joker", "joker-away")]
    assert table.table.phase == "flop"


def test_a_joker_that_lies_on_the_table_is_told() -> None:
    table = playing("flop")
    table.tell(Arrived(time=0, place=at_seat(1), facing="down", what="joker"))
    assert [alert.code for alert in table.all_said(Alert)] == ["joker"]
    assert table.table.phase == "flop"


def test_where_nothing_is_done_about_a_joker_that_the_machine_burned_it_burns_once_more() -> None:
    made = setup()
    rule = msgspec.structs.replace(
        made.rules.rules["joker"], remedy="means-nothing", late="means-nothing", cases=()
    )
    rules = replace(made.rules, rules=dict(made.rules.rules) | {"joker": rule})
    table = World(Table(replace(made, rules=rules)))
    table.power_up()
    table.play("preflop")
    table.jokers = 1
    table.play("done")
    assert table.phases[-1] == "done"
    assert [told.command for told in table.all_said(Command)].count("burn") == 4
