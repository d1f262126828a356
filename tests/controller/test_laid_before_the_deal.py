"""What is laid before the first card: antes, posts, straddles."""

from typing import Any

import pytest

from tests.controller.seats import BIG, SMALL, hand, seating, wish


@pytest.mark.parametrize(
    ("by", "dead"), [("all", {1: 3, 2: 3, 3: 3}), ("button", {1: 3}), ("big-blind", {3: 3})]
)
def test_the_ante_is_everybodys_the_buttons_or_the_big_blinds(by: str, dead: dict[int, int]) -> None:
    assert hand(seating(1, 2, 3, ante=3, ante_by=by)).forced.dead == dead


@pytest.mark.parametrize("told", [{"antes": {1: 3, 2: 3, 3: 3}}, {"posts": {3: BIG}}])
def test_nothing_is_laid_by_a_seat_of_the_setup_that_is_not_dealt_in(told: dict[str, Any]) -> None:
    table = seating(1, 2, 3, **told)
    table.stacks[3] = 0
    begun = hand(table)
    assert 3 not in {*begun.forced.live, *begun.forced.dead}


def test_posts_of_the_setup_are_of_the_first_hand() -> None:
    table = seating(1, 2, 3, 4, posts={4: BIG})
    assert [hand(table).forced.live.get(4) for _ in range(2)] == [BIG, BIG]  # a post, then the big blind
    assert hand(table).forced.live.get(4) == SMALL


def test_a_straddle_is_twice_the_big_blind_left_of_it_and_acts_last() -> None:
    table = seating(1, 2, 3, 4, 5)
    wish(table, 4, "straddle")
    begun = hand(table)
    assert (begun.forced.live, begun.forced.price, begun.forced.opener) == (
        {2: SMALL, 3: BIG, 4: 2 * BIG},
        2 * BIG,
        5,
    )
    assert hand(table).forced.price == BIG


@pytest.mark.parametrize("seat", [2, 3, 5, 1])
def test_a_straddle_at_another_seat_is_not_possible(seat: int) -> None:
    table = seating(1, 2, 3, 4, 5)
    wish(table, seat, "straddle")
    begun = hand(table)
    assert (begun.no_straddle, begun.forced.price) == ((seat,), BIG)


def test_of_two_who_would_straddle_the_one_left_of_the_big_blind_does() -> None:
    table = seating(1, 2, 3, 4, 5)
    wish(table, 5, "straddle")
    wish(table, 4, "straddle")
    begun = hand(table)
    assert (begun.no_straddle, begun.forced.live) == ((5,), {2: SMALL, 3: BIG, 4: 2 * BIG})


def test_who_comes_in_by_a_post_does_not_straddle_as_well() -> None:
    table = seating(1, 2, 3, 9)
    hand(table)  # button 1
    wish(table, 11, "sit", 500, "post")
    wish(table, 11, "straddle")
    begun = hand(table)  # button 2, blinds 3 and 9: seat 11 is left of the big blind
    assert (begun.no_straddle, begun.forced.live[11]) == ((11,), BIG)


def test_heads_up_nobody_straddles() -> None:
    table = seating(4, 8, button=8, blinds=(BIG,))
    wish(table, 8, "straddle")
    assert hand(table).no_straddle == (8,)


def test_a_straddle_needs_its_chips() -> None:
    table = seating(1, 2, 3, 4, chips=15)
    wish(table, 4, "straddle")
    assert hand(table).no_straddle == (4,)
