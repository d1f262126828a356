"""Antennas see a street, and the burns behind it, in one go: the round between them is still to come."""

import random

import pytest

from controller.betting import Structure
from controller.decisions import Ruled
from controller.games import Game
from controller.places import BOARD, BURN
from controller.table import Table
from tests.controller.hands import setup
from tests.controller.remedied import Dealer, what_is_wrong


def dealer_at(phase: str, game: Game) -> Dealer:
    structure = Structure.NO_LIMIT if game is Game.HOLDEM else Structure.POT_LIMIT
    table = Dealer(Table(setup(game=game, structure=structure)))
    table.power_up()
    while phase not in table.phases:
        assert table.goes_on()
    return table


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("phase", "lies", "bets", "next_phase"),
    [("flop-deal", 3, "flop", "turn-deal"), ("turn-deal", 1, "turn", "river-deal")],
)
def test_two_burns_behind_a_street_wait_for_its_betting(
    phase: str, lies: int, bets: str, next_phase: str, seed: int, game: Game
) -> None:
    table = dealer_at(phase, game)
    table.shuffle_reports = random.Random(seed)
    for _ in range(lies):
        table.draw(BOARD, facing="up")
    table.draw(BURN)
    second = table.draw(BURN)
    table.flush()
    street = next_phase.removesuffix("-deal")
    assert [told.rule for told in table.all_said(Ruled)] == [f"{street}-double-burn"]
    assert (table.table.phase, table.prompt.code) == (bets, "act-check")
    assert table.lies[second] == BURN
    while table.table.phase != "done":
        assert table.goes_on()
    assert what_is_wrong(table) == []
    assert [p for p in table.phases if p in (bets, next_phase, street)] == [bets, next_phase, street]
    assert table.lies[second] == BOARD


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("phase", "lies", "early", "bets"),
    [("flop-deal", 3, "premature-turn", "flop"), ("turn-deal", 1, "premature-river", "turn")],
)
def test_a_card_behind_the_two_burns_is_an_early_one(
    phase: str, lies: int, early: str, bets: str, seed: int
) -> None:
    table = dealer_at(phase, Game.HOLDEM)
    table.shuffle_reports = random.Random(seed)
    for _ in range(lies):
        table.draw(BOARD, facing="up")
    table.draw(BURN)
    table.draw(BURN)
    table.draw(BOARD, facing="up")
    table.flush()
    assert [told.rule for told in table.all_said(Ruled)][-1] == early
    assert table.state.streets.cards == table.at(BOARD)[: {"flop": 3, "turn": 4}[bets]]
    while table.table.phase != "done":
        assert table.goes_on()
        if table.table.phase == bets:
            assert len(table.state.streets.cards) == {"flop": 3, "turn": 4}[bets]
    assert what_is_wrong(table) == []
