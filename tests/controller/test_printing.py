"""What is printed for a log or a failure shows no card that nobody may know."""

import pytest

from controller.cards import Card
from controller.events import Arrived, Drew, Keyed, Turned
from controller.games import Game
from controller.places import at_seat
from controller.table import Table
from tests.controller.hands import World, setup


@pytest.mark.parametrize("game", list(Game))
def test_no_event_and_no_decision_shows_a_hidden_card_when_it_is_printed(game: Game) -> None:
    first, second = Card("As"), Card("Td")
    table = World(Table(setup(game=game)))
    table.power_up()
    shown = [
        Drew(time=0, number=1, what="card", way="hand", cards=(first,)),
        Arrived(time=0, place=at_seat(1), facing="down", what="card", card=second),
        Turned(time=0, place=at_seat(1), facing="up", card=second),
        Keyed(key="ack"),
        *table.said,
    ]
    for one in shown:
        for text in (repr(one), str(one), f"{one}"):
            assert first not in text
            assert second not in text
    assert "number=1" in repr(shown[0])
