"""PokerKit as a second opinion: random hands of all six games give the same turns, prices, raises, stacks."""

from __future__ import annotations

import itertools
import os
import random

import pytest

from controller.betting import Structure
from controller.games import Game
from tests.controller.second_opinion.duel import Duel

GAMES = [
    pytest.param(game, structure, id=f"{game.value} {structure.value}")
    for game, structure in itertools.product(Game, Structure)
]
HANDS = 500
SOAK_HANDS = 20_000


def compare(game: Game, structure: Structure, seed: str, hands: int) -> None:
    compared = 0
    for number in range(hands):
        name = f"{seed} {game.value} {structure.value} {number}"
        duel = Duel(game, structure, random.Random(name))
        try:
            duel.play()
        except AssertionError as error:
            error.add_note(f"the hand {name!r}")
            raise
        compared += duel.compared
    assert compared > 4 * hands


@pytest.mark.parametrize(("game", "structure"), GAMES)
def test_turns_prices_raises_and_stacks_are_pokerkits(game: Game, structure: Structure) -> None:
    compare(game, structure, "gate", -(-HANDS // len(GAMES)))


@pytest.mark.soak
@pytest.mark.parametrize(("game", "structure"), GAMES)
def test_thousands_of_hands_are_pokerkits(game: Game, structure: Structure) -> None:
    seed = os.environ.get("CUTCARD_SEED") or "1"
    compare(game, structure, seed, -(-SOAK_HANDS // len(GAMES)))
