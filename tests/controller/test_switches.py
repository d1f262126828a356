"""Switches of a ruleset that the betting and the seats obey."""

from dataclasses import replace

import msgspec
import pytest

from controller.betting import Structure
from controller.desk import Desk
from controller.events import Acted
from controller.following import ByActs
from controller.games import Game
from controller.hand import Phases
from controller.rule_files import rulebook
from controller.seating import Seating
from controller.table_setup import TableSetup


@pytest.mark.parametrize(("switch", "raises"), [("capped", 3), ("uncapped", 6)])
def test_the_cap_of_four_bets_is_lifted_for_two_players_where_the_ruleset_says_so(
    switch: str, raises: int
) -> None:
    roberts = rulebook("roberts")
    switches = msgspec.structs.replace(roberts.switches, limit_cap_heads_up=switch)
    setup = TableSetup(
        game=Game.HOLDEM,
        structure=Structure.FIXED_LIMIT,
        stacks={1: 1000, 2: 1000},
        button=1,
        blinds=(5, 10),
        min_bet=10,
        small_bet=10,
        big_bet=20,
        rules=replace(roberts, switches=switches),
    )
    table = Seating(setup)
    betting = ByActs(Desk(Phases()), setup, table.stacks, table.begin_hand())
    taken = [betting.act(Acted(seat=1 + i % 2, action="bet-or-raise", amount=20 + 10 * i)) for i in range(6)]
    assert sum(put is not None for put in taken) == raises
