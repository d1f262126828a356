"""What is laid before the cards are seen: blinds, straddles, posts, antes; who pays what, who acts first."""

from __future__ import annotations

import pytest

from controller.betting import Action, Betting, NoRaise, Pot, Stakes, Street, forced_bets
from tests.controller.betting_hands import FL, NL, deal, play, raise_range, to_flop

# Forced bets and turns


def test_heads_up_the_button_has_the_small_blind_acts_first_before_the_flop_and_last_after_it() -> None:
    betting = deal(NL, 1000, 1000)
    assert (betting.in_round(2), betting.in_round(1), betting.to_act) == (10, 20, 2)
    play(betting, "2 c, 1 c /")
    assert betting.to_act == 1


def test_before_the_flop_the_first_to_act_is_left_of_the_big_blind() -> None:
    assert deal(NL, 1000, 1000, 1000, 1000).to_act == 3


def test_with_three_blinds_the_first_to_act_is_left_of_the_largest() -> None:
    betting = deal(NL, *[1000] * 5, blinds=(5, 10, 20))
    assert (betting.to_act, betting.price, raise_range(betting)) == (4, 20, (40, 1000))


def test_a_raise_over_a_larger_third_blind_is_at_least_the_least_bet_more() -> None:
    assert raise_range(deal(NL, *[1000] * 4, blinds=(10, 20, 40))) == (60, 1000)


def test_four_blinds_with_antes_are_laid_from_the_left_of_the_button() -> None:
    antes = dict.fromkeys(range(1, 7), 2)
    betting = deal(NL, *[1000] * 6, blinds=(5, 10, 20, 40), antes=antes)
    assert [betting.in_round(seat) for seat in range(1, 7)] == [5, 10, 20, 40, 0, 0]
    assert (betting.to_act, betting.options().to_call, betting.pots()[0].amount) == (5, 40, 12 + 55)


@pytest.mark.parametrize(("blinds", "first"), [((10, 20, 20), 3), ((20, 20), 3), ((20, 10), 2)])
def test_the_first_of_the_largest_blinds_is_the_big_one_but_of_two_equal_ones_the_second(
    blinds: tuple[int, ...], first: int
) -> None:
    assert deal(NL, *[1000] * 5, blinds=blinds).to_act == first


def test_without_a_small_blind_the_big_one_is_still_second() -> None:
    betting = deal(NL, *[1000] * 4, blinds=(0, 20))
    assert (betting.in_round(1), betting.in_round(2), betting.to_act) == (0, 20, 3)


def test_with_one_blind_the_first_to_act_is_left_of_it() -> None:
    assert deal(NL, 1000, 1000, 1000, blinds=(20,)).to_act == 2
    heads_up = deal(NL, 1000, 1000, blinds=(20,))
    assert (heads_up.in_round(1), heads_up.to_act) == (20, 2)


def test_heads_up_the_other_seat_is_first_where_the_button_alone_has_laid_the_most() -> None:
    betting = deal(NL, 1000, 1000, blinds=(20, 0))
    assert (betting.in_round(2), betting.to_act, betting.options().to_call) == (20, 1, 20)
    assert deal(NL, 1000, 1000, blinds=(10, 0), posts={1: 20}).to_act == 2


def test_without_blinds_the_first_seat_left_of_the_button_may_check() -> None:
    betting = deal(NL, 1000, 1000, 1000, blinds=(), antes={1: 5, 2: 5, 3: 5})
    assert (betting.to_act, betting.options().can_check, raise_range(betting)) == (1, True, (20, 995))


def test_an_unraised_big_blind_may_check_or_raise() -> None:
    betting = play(deal(NL, 1000, 1000, 1000), "3 c, 1 c")
    assert betting.options().can_check
    assert raise_range(betting) == (40, 1000)
    assert play(betting, "2 c").round_complete


def test_later_streets_begin_left_of_the_button() -> None:
    betting = to_flop(NL, 1000, 1000, 1000)
    assert (betting.street, betting.to_act) == (Street.FLOP, 1)
    play(betting, "1 f, 2 c, 3 c /")
    assert (betting.street, betting.to_act) == (Street.TURN, 2)


# Short blinds


def test_a_short_big_blind_still_costs_the_others_a_full_one() -> None:
    betting = deal(NL, 1000, 8, 1000, 1000)
    assert (betting.in_round(2), betting.options().to_call, raise_range(betting)) == (8, 20, (40, 1000))
    assert betting.act(3, Action.CHECK_OR_CALL).put == 20


def test_a_small_blind_left_alone_with_a_shorter_all_in_big_blind_owes_nothing_more() -> None:
    betting = play(deal(NL, 1000, 8, 1000), "3 f")
    assert betting.round_complete
    assert betting.uncalled() == {1: 2}
    assert betting.settle([frozenset({2}), frozenset({1})]).stacks == {1: 992, 2: 16, 3: 1000}


def test_a_blind_who_is_covered_by_an_all_in_small_blind_is_not_asked() -> None:
    assert deal(NL, 1000, 6).round_complete


def test_a_short_fixed_limit_big_blind_is_still_the_first_bet() -> None:
    betting = deal(FL, 1000, 3, 1000, 1000)
    assert raise_range(betting) == (40, 40)
    play(betting, "3 r40, 4 r60, 1 r80")
    assert betting.options().no_raise is NoRaise.CAPPED


def test_a_short_small_blind_costs_nobody_else_anything() -> None:
    betting = deal(NL, 4, 1000, 1000)
    assert (betting.in_round(1), betting.options().to_call) == (4, 20)
    play(betting, "3 c, 2 c")
    assert betting.pots() == (Pot(12, (1, 2, 3)), Pot(32, (2, 3)))


def test_a_short_big_blind_keeps_the_first_act_left_of_it() -> None:
    assert deal(NL, 1000, 8, 1000, 1000).to_act == 3


def test_after_a_short_big_blind_a_later_bet_is_still_at_least_a_full_one() -> None:
    betting = play(deal(NL, 1000, 8, 1000), "3 c, 1 c /")
    assert raise_range(betting) == (20, 980)


# Straddles


def test_a_straddle_is_a_further_larger_blind_and_the_first_to_act_is_left_of_it() -> None:
    assert deal(NL, *[1000] * 6, blinds=(10, 20, 40)).to_act == 4
    assert deal(NL, *[1000] * 6, blinds=(10, 20, 40, 80)).to_act == 5
    by_the_button = deal(NL, *[1000] * 4, blinds=(10, 20, 0, 40))
    assert (by_the_button.to_act, by_the_button.options().to_call) == (1, 30)


def test_a_straddler_is_last_to_act_before_the_flop_with_the_option_and_not_after_it() -> None:
    betting = play(deal(NL, *[1000] * 4, blinds=(10, 20, 40)), "4 c, 1 c, 2 c")
    assert (betting.to_act, betting.options().can_check, raise_range(betting)) == (3, True, (60, 1000))
    assert play(betting.copy(), "3 r120").to_act == 4
    play(betting, "3 c /")
    assert (betting.to_act, raise_range(betting)) == (1, (20, 960))


def test_a_short_straddle_still_costs_the_others_a_full_one() -> None:
    betting = deal(NL, 1000, 1000, 25, 1000, blinds=(10, 20, 40))
    assert (betting.in_round(3), betting.to_act, betting.options().to_call) == (25, 4, 40)
    assert raise_range(betting) == (60, 1000)
    play(betting, "4 c, 1 f, 2 c")
    assert betting.pots() == (Pot(10 + 3 * 25, (2, 3, 4)), Pot(30, (2, 4)))


def test_a_fixed_limit_straddle_is_the_second_of_four_bets() -> None:
    betting = deal(FL, *[1000] * 4, blinds=(10, 20, 40))
    assert raise_range(betting) == (60, 60)
    play(betting, "4 r60, 1 r80")
    assert betting.options().no_raise is NoRaise.CAPPED


# Posts


def test_a_live_post_moves_nobodys_turn_and_may_raise_when_it_comes() -> None:
    betting = deal(NL, *[1000] * 5, posts={4: 20})
    assert betting.to_act == 3
    play(betting, "3 f")
    assert betting.options().can_check
    assert raise_range(betting) == (40, 1000)


def test_a_negative_blind_is_a_live_post() -> None:
    betting = deal(NL, *[1000] * 5, blinds=(10, 20, 0, -20))
    assert (betting.in_round(4), betting.to_act, betting.price) == (20, 3, 20)
    by_the_small_blind = deal(NL, *[1000] * 4, blinds=(-20, 20))
    assert (by_the_small_blind.in_round(1), by_the_small_blind.to_act) == (20, 3)


def test_who_is_back_after_missing_both_posts_the_big_blind_live_and_the_small_one_dead() -> None:
    betting = deal(NL, *[1000] * 5, posts={4: 20}, antes={4: 10})
    assert (betting.in_round(4), betting.total_in(4), betting.price) == (20, 30, 20)
    play(betting, "3 f, 4 c, 5 f, 1 f, 2 c")
    assert betting.pots() == (Pot(10 + 10 + 40, (2, 4)),)


def test_a_live_post_larger_than_the_big_blind_is_the_price_and_no_full_bet() -> None:
    betting = deal(NL, *[1000] * 5, posts={4: 30})
    assert (betting.to_act, betting.options().to_call, raise_range(betting)) == (3, 30, (50, 1000))
    play(betting, "3 c")
    assert (betting.to_act, betting.options().can_check) == (4, True)


@pytest.mark.parametrize(("post", "live"), [(5, 10), (20, 20)])
def test_of_a_live_post_and_a_blind_of_the_same_seat_the_larger_counts(post: int, live: int) -> None:
    betting = deal(NL, *[1000] * 4, posts={1: post})
    assert (betting.in_round(1), betting.price) == (live, 20)


def test_a_small_blind_who_has_posted_a_big_one_may_check() -> None:
    betting = deal(NL, *[1000] * 4, posts={1: 20})
    assert play(betting, "3 f, 4 f").options().can_check


def test_a_post_is_passed_over_where_nobody_left_could_call_a_raise() -> None:
    betting = play(deal(NL, 15, 20, 1000, 1000, posts={4: 20}), "3 f")
    assert betting.to_act == 1
    assert play(betting, "1 c").round_complete


def test_a_short_live_post_is_in_for_the_part_of_the_pot_up_to_it() -> None:
    betting = deal(NL, *[1000] * 3, 12, 1000, posts={4: 20})
    assert (betting.in_round(4), betting.price) == (12, 20)
    play(betting, "3 c, 5 f, 1 f, 2 c")
    assert betting.pots() == (Pot(10 + 3 * 12, (2, 3, 4)), Pot(16, (2, 3)))


# Antes


def test_an_unequal_ante_that_puts_a_seat_all_in_is_dead_in_the_main_pot_and_all_that_it_can_win() -> None:
    betting = deal(NL, 1000, 15, 1000, antes={2: 20})
    assert (betting.total_in(2), betting.in_round(2), betting.price) == (15, 0, 20)
    play(betting, "3 c, 1 c")
    assert betting.round_complete
    assert betting.pots() == (Pot(15, (1, 2, 3)), Pot(40, (1, 3)))


def test_antes_are_taken_before_blinds_and_leave_a_short_blind_that_costs_a_full_one() -> None:
    betting = deal(NL, 1000, 30, 1000, antes={2: 20})
    assert (betting.total_in(2), betting.in_round(2), betting.options().to_call) == (30, 10, 20)


def test_antes_of_different_seats_are_all_in_the_main_pot() -> None:
    betting = play(deal(NL, *[1000] * 3, antes={1: 3, 3: 8}), "3 c, 1 c, 2 c")
    assert betting.pots() == (Pot(71, (1, 2, 3)),)


def test_impossible_forced_bets_are_refused() -> None:
    with pytest.raises(ValueError, match="3 blinds for 2 seats"):
        forced_bets([1, 2], [5, 10, 20], {})
    with pytest.raises(ValueError, match="ante of -1 by seat 1"):
        forced_bets([1, 2], [5, 10], {1: -1})
    with pytest.raises(ValueError, match="post of 10 by seat 7"):
        forced_bets([1, 2], [5, 10], {}, {7: 10})
    with pytest.raises(ValueError, match="two or more different seats"):
        forced_bets([1, 1], [5, 10], {})
    with pytest.raises(ValueError, match="seat 2 has no stack"):
        Betting(Stakes(NL, 10), {1: 5}, [1, 2], forced_bets([1, 2], [5, 10], {}))
    with pytest.raises(ValueError, match="cannot post or open"):
        Betting(Stakes(NL, 10), {1: 5, 2: 5}, [1, 2], forced_bets([3, 4], [5, 10], {}))
    with pytest.raises(ValueError, match="whole chips"):
        Stakes(NL, 0)
