"""What the house takes of the pots, by the rows of its table."""

import pytest

from controller.betting import RakeRow, rake

ROWS = (
    RakeRow(players=2, percent=5, cap=2),
    RakeRow(players=4, percent=2.5),
    RakeRow(players=7, steps=((20, 1), (40, 2), (60, 3)), without_flop=True),
)


@pytest.mark.parametrize(
    ("pots", "players", "taken"),
    [(39, 2, 1), (40, 3, 2), (900, 3, 2), (119, 4, 2), (120, 6, 3), (19, 7, 0), (20, 9, 1), (59, 9, 2)],
)
def test_the_row_for_so_many_players_is_taken_rounded_down_and_capped(
    pots: int, players: int, taken: int
) -> None:
    assert rake(ROWS, pots, players, flop_lies=True) == taken


def test_a_share_of_a_percent_is_reckoned_exactly() -> None:
    assert rake((RakeRow(percent=4.6),), 1500, 2, flop_lies=True) == 69


def test_without_a_flop_only_a_row_that_says_so_takes_anything() -> None:
    assert rake(ROWS, 100, 3, flop_lies=False) == 0
    assert rake(ROWS, 100, 7, flop_lies=False) == 3


def test_a_table_without_rows_or_with_none_for_so_few_takes_nothing() -> None:
    assert rake((), 100, 3, flop_lies=True) == 0
    assert rake(ROWS[1:], 100, 3, flop_lies=True) == 0


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (RakeRow(), "either percent or steps"),
        (RakeRow(percent=5, steps=((20, 1),)), "either percent or steps"),
        (RakeRow(steps=((20, 1),), cap=3), "cap goes with percent"),
        (RakeRow(steps=((20, 21),)), "more than its pot"),
    ],
)
def test_a_row_that_cannot_be_is_named(row: RakeRow, why: str) -> None:
    assert why in row.wrong


@pytest.mark.parametrize("row", [*ROWS, RakeRow(steps=((1, 1),))])
def test_a_row_that_can_be_is_not_refused(row: RakeRow) -> None:
    assert row.wrong == ""
