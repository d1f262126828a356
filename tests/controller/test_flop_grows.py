"""A flop that came without its burn, and of which one card too many comes before it is put right."""

from dataclasses import replace

import pytest

from controller.decisions import Ruled
from controller.ledger import Facing
from controller.places import BOARD
from controller.rule_files import rulebook
from controller.table import Table
from tests.controller.hands import Side, setup
from tests.controller.remedied import Dealer


@pytest.mark.parametrize(
    ("rules", "count", "facing", "remedy"),
    [
        ("roberts", 4, "down", "redeal-flop"),  # face up it is dealt anew without the one too many as well
        ("tda", 4, "up", "scramble-flop"),
        ("tda", 4, "down", "scramble-flop"),
        ("tda", 5, "up", "redeal-flop"),
        ("tda", 5, "down", "redeal-flop"),
    ],
)
def test_it_is_too_many_and_three_are_played(rules: str, count: int, facing: Side, remedy: str) -> None:
    table = Dealer(Table(replace(setup(), rules=rulebook(rules))), burner=False)
    table.power_up()
    while table.prompt.code != "burn" and table.goes_on():
        pass
    lying = [table.draw(BOARD, facing=facing) for _ in range(count)]
    told = table.all_said(Ruled)
    assert [ruling.rule for ruling in told] == ["flop-no-burn", *["overfull-flop"] * (count - 3)]
    assert told[-1].remedy == remedy
    assert set(told[-1].cards) == (set(lying) if facing == "up" else set())
    assert told[-1].unseen == (0 if facing == "up" else count)
    while "flop" not in table.phases and table.goes_on():
        pass
    assert table.table.phase == "flop"
    on_board = table.table.ledger.cards(BOARD)
    assert len(on_board) == 3
    assert {table.table.ledger.where(card).facing for card in on_board} <= {Facing.UP}
    while "done" not in table.phases and table.goes_on():
        pass
    assert table.phases[-1] == "done"
