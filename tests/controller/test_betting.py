"""What the betting promises, by the printed rules; forced bets are in test_forced_bets."""

from __future__ import annotations

import pytest

from controller.betting import (
    Action,
    Deed,
    IllegalAct,
    NoRaise,
    Stakes,
    Street,
    Structure,
)
from tests.controller.betting_hands import FL, NL, PL, deal, play, raise_range, to_flop, to_turn

# No limit and pot limit, blinds 10 and 20


def test_no_limit_a_bet_is_at_least_the_big_blind_and_the_first_raise_makes_it_at_least_40() -> None:
    assert raise_range(deal(NL, 1000, 1000, 1000)) == (40, 1000)
    betting = to_flop(NL, 1000, 1000, 1000)
    assert raise_range(betting) == (20, 980)
    with pytest.raises(IllegalAct, match=r"^seat 1 may bet to between 20 and 980$"):
        betting.act(1, Action.BET_OR_RAISE, 19)


def test_a_raise_is_at_least_the_last_full_raise_on_top_of_the_price() -> None:
    betting = play(deal(NL, 1000, 1000, 1000, 1000), "3 r70")
    assert raise_range(betting) == (120, 1000)
    play(betting, "4 r300")
    assert raise_range(betting) == (530, 1000)


def test_there_is_no_limit_on_the_number_of_raises_in_no_limit() -> None:
    betting = to_flop(NL, 10_000, 10_000)
    for i in range(20):
        betting.act(1 + i % 2, Action.BET_OR_RAISE, 20 * (i + 1))
    assert raise_range(betting) == (420, 9980)


def test_pot_limit_a_raise_is_at_most_the_pot_after_calling() -> None:
    betting = deal(PL, 1000, 1000, 1000)
    assert raise_range(betting) == (40, 70)
    play(betting, "3 r70")
    assert raise_range(betting) == (120, 230)
    play(betting, "1 f, 2 c /")
    assert raise_range(betting) == (20, 150)


def test_pot_limit_counts_antes_in_the_pot() -> None:
    assert raise_range(deal(PL, 1000, 1000, 1000, antes={2: 20})) == (40, 90)


def test_a_pot_limit_raise_over_a_short_big_blind_is_at_most_the_pot_after_calling_the_full_one() -> None:
    # 10 + 8 in the pot, 20 to call: 20 + 38.
    assert raise_range(deal(PL, 1000, 8, 1000, 1000)) == (40, 58)


def test_pot_limit_counts_posts_straddles_and_dead_money_in_the_pot() -> None:
    # 10 + 20 + a live post of 20 + 10 dead, 20 to call: 20 + 80.
    assert raise_range(deal(PL, *[1000] * 5, posts={5: 20}, antes={5: 10})) == (40, 100)
    # 10 + 20 + 40, 40 to call: 40 + 110.
    assert raise_range(deal(PL, *[1000] * 5, blinds=(10, 20, 40))) == (60, 150)


def test_pot_limit_a_bet_on_a_later_street_is_at_most_the_pot() -> None:
    betting = play(deal(PL, 1000, 1000, 1000), "3 r70, 1 c, 2 c /")
    assert raise_range(betting) == (20, 210)
    play(betting, "1 r210")
    assert raise_range(betting) == (420, 840)


def test_pot_limit_the_least_raise_stands_where_the_pot_is_smaller() -> None:
    assert raise_range(deal(PL, 1000, 1000, 1000, blinds=(0, 0), antes={1: 1, 2: 1, 3: 1})) == (20, 20)


def test_an_all_in_above_the_pot_limit_is_refused_and_the_maximum_is_named() -> None:
    with pytest.raises(IllegalAct, match=r"^seat 3 may raise to between 40 and 70$"):
        deal(PL, 1000, 1000, 1000).act(3, Action.ALL_IN)
    assert deal(PL, 1000, 1000, 70).act(3, Action.ALL_IN).deed is Deed.RAISE


def test_a_short_all_in_raise_does_not_reopen_the_betting_to_those_who_have_acted() -> None:
    betting = play(to_flop(NL, 1000, 170, 1000), "1 r100, 2 a, 3 c")
    options = betting.options()
    assert (options.seat, options.to_call, options.no_raise) == (1, 50, NoRaise.NOT_REOPENED)
    for action in (Action.BET_OR_RAISE, Action.ALL_IN):
        with pytest.raises(IllegalAct, match="seat 1 may not raise: the betting was not reopened"):
            betting.act(1, action)
    assert play(betting, "1 c").round_complete


def test_a_seat_that_has_not_acted_may_raise_a_short_all_in_by_the_last_full_raise() -> None:
    betting = play(to_flop(NL, 1000, 170, 1000), "1 r100, 2 a")
    assert raise_range(betting) == (250, 980)
    play(betting, "3 r250")
    assert raise_range(betting) == (350, 980)


def test_several_short_all_ins_add_up_to_a_raise_that_reopens_the_betting() -> None:
    betting = play(to_flop(NL, 1000, 170, 220, 1000), "1 r100, 2 a, 3 a, 4 c")
    assert betting.price == 200
    assert raise_range(betting) == (300, 980)


def test_short_all_ins_reopen_only_to_those_who_face_a_full_raise_in_all() -> None:
    betting = play(to_flop(NL, 1000, 170, 1000, 220), "1 r100, 2 a, 3 c, 4 a")
    play(betting, "1 c")
    assert (betting.to_act, betting.options().no_raise) == (3, NoRaise.NOT_REOPENED)


def test_a_short_all_in_before_the_flop_does_not_reopen_to_the_raiser_but_the_big_blind_may_raise() -> None:
    betting = play(deal(NL, 1000, 1000, 1000, 90), "3 r60, 4 a, 1 f")
    assert (betting.to_act, raise_range(betting)) == (2, (130, 1000))
    play(betting, "2 c")
    assert (betting.to_act, betting.options().no_raise) == (3, NoRaise.NOT_REOPENED)


def test_short_all_ins_of_a_chip_less_than_a_raise_in_all_reopen_nothing() -> None:
    betting = play(to_flop(NL, 1000, 170, 219, 1000), "1 r100, 2 a, 3 a, 4 c")
    assert (betting.price, betting.options().no_raise) == (199, NoRaise.NOT_REOPENED)


def test_an_all_in_of_a_full_raise_reopens_the_betting() -> None:
    assert raise_range(play(to_flop(NL, 1000, 220, 1000), "1 r100, 2 a, 3 c")) == (300, 980)


def test_after_short_all_ins_that_add_up_a_raise_is_still_the_last_full_one_on_top() -> None:
    betting = play(to_flop(NL, 1000, 170, 230, 1000), "1 r100, 2 a, 3 a, 4 c")
    assert raise_range(betting) == (310, 980)
    assert raise_range(play(betting, "1 r310")) == (410, 980)


def test_a_short_opening_all_in_does_not_reopen_to_one_who_checked() -> None:
    betting = play(to_flop(NL, 1000, 35, 1000), "1 c, 2 a")
    assert raise_range(betting) == (35, 980)
    play(betting, "3 c")
    assert betting.options().no_raise is NoRaise.NOT_REOPENED


def test_a_call_for_more_than_the_stack_is_a_call_all_in() -> None:
    betting = play(to_flop(NL, 1000, 70, 1000), "1 r100")
    assert betting.options().to_call == 50
    acted = betting.act(2, Action.CHECK_OR_CALL, 100)
    assert (acted.deed, acted.put, acted.all_in, betting.price) == (Deed.CALL, 50, True, 100)


def test_nobody_raises_himself() -> None:
    betting = play(to_flop(NL, 1000, 1000, 1000), "1 r100, 2 c, 3 c")
    assert betting.round_complete
    betting = play(to_flop(NL, 100, 1000), "1 a")
    assert betting.options().no_raise is NoRaise.NOBODY
    with pytest.raises(IllegalAct, match="seat 2 may not raise: nobody else could call it"):
        betting.act(2, Action.BET_OR_RAISE, 500)
    assert betting.act(2, Action.ALL_IN).deed is Deed.CALL
    assert betting.chips(2) == 900


# Fixed limit, bets 20 and 40


def test_fixed_limit_bets_are_small_on_the_first_two_streets_and_big_on_the_last_two() -> None:
    betting = deal(FL, 1000, 1000)
    assert raise_range(betting) == (40, 40)
    play(betting, "2 c, 1 c /")
    assert raise_range(betting) == (20, 20)
    play(betting, "1 r20")
    assert raise_range(betting) == (40, 40)
    play(betting, "2 c /")
    assert raise_range(betting) == (40, 40)
    play(betting, "1 r")
    assert raise_range(betting) == (80, 80)
    play(betting, "2 c /")
    assert raise_range(betting) == (40, 40)


def test_fixed_limit_sizes_follow_from_the_big_blind_where_none_are_given() -> None:
    stakes = Stakes(Structure.FIXED_LIMIT, 10)
    assert [stakes.bet(street) for street in Street] == [10, 10, 20, 20]


def test_fixed_limit_the_big_blind_is_the_first_of_four_bets() -> None:
    betting = play(deal(FL, 1000, 1000, 1000), "3 r40, 1 r60, 2 r80")
    assert betting.options().no_raise is NoRaise.CAPPED
    with pytest.raises(IllegalAct, match="seat 3 may not raise: the round is capped at four bets"):
        betting.act(3, Action.BET_OR_RAISE, 100)


def test_fixed_limit_at_most_bet_raise_re_raise_and_cap() -> None:
    betting = play(to_flop(FL, 1000, 1000), "1 r20, 2 r40, 1 r60, 2 r80")
    assert betting.options().no_raise is NoRaise.CAPPED


def test_four_bets_reached_an_all_in_above_them_is_a_call() -> None:
    betting = play(to_flop(FL, 1000, 1000, 115), "1 r20, 2 r40, 3 c, 1 r60, 2 r80")
    acted = betting.act(3, Action.ALL_IN)
    assert (acted.deed, acted.total, betting.price, betting.chips(3)) == (Deed.CALL, 80, 80, 15)


def test_the_cap_is_lifted_heads_up_where_the_ruleset_says_so() -> None:
    betting = play(deal(FL, 1000, 1000, capped_heads_up=False), "2 r40, 1 r60, 2 r80, 1 r100")
    assert raise_range(betting) == (120, 120)
    betting = play(deal(FL, 1000, 1000, 1000, capped_heads_up=False), "3 r40, 1 r60, 2 r80, 3 f")
    assert betting.options().no_raise is NoRaise.CAPPED


# With 20 bets: the flop. Stacks are 20 more, which went in before it.


def test_after_an_all_in_for_15_the_next_raise_is_to_35() -> None:
    betting = play(to_flop(FL, 35, 1000, 1000), "1 a")
    assert (betting.options().to_call, raise_range(betting)) == (15, (35, 35))


def test_after_an_all_in_for_8_the_completion_is_to_20_and_counts_as_the_bet() -> None:
    betting = play(to_flop(FL, 28, 1000, 1000), "1 a")
    assert (betting.options().to_call, raise_range(betting)) == (8, (20, 20))
    play(betting, "2 r20, 3 r40, 2 r60, 3 r80")
    assert betting.options().no_raise is NoRaise.CAPPED


@pytest.mark.parametrize(("stack", "reopened"), [(29, False), (30, True)])
def test_an_all_in_of_half_a_bet_or_more_reopens_and_less_does_not(stack: int, reopened: bool) -> None:
    betting = play(to_flop(FL, 1000, stack, 1000), "1 c, 2 a, 3 c")
    assert (betting.options().no_raise is None) is reopened


def test_a_short_all_in_raise_is_completed_to_a_full_raise_and_reopens_nothing_itself() -> None:
    betting = play(to_flop(FL, 1000, 45, 1000), "1 r20, 2 a")
    assert raise_range(betting) == (40, 40)
    called = play(betting.copy(), "3 c")
    assert called.options().no_raise is NoRaise.NOT_REOPENED
    assert raise_range(play(betting, "3 r40")) == (60, 60)


@pytest.mark.parametrize(
    ("on_the_flop", "reopened", "next_raise"), [(29, False, 40), (30, True, 50), (35, True, 55)]
)
def test_an_all_in_of_half_a_raise_or_more_counts_as_a_full_raise(
    on_the_flop: int, reopened: bool, next_raise: int
) -> None:
    betting = play(to_flop(FL, 1000, 20 + on_the_flop, 1000), "1 r20, 2 a")
    assert raise_range(betting) == (next_raise, next_raise)
    assert (play(betting, "3 c").options().no_raise is None) is reopened


def test_fixed_limit_short_all_ins_are_measured_from_the_last_bet_that_counted() -> None:
    # 8 is less than half a bet, 15 is more: it counts as the bet, whatever lay before it.
    betting = play(to_flop(FL, 28, 35, 1000, 1000), "1 a, 2 a")
    assert raise_range(betting) == (35, 35)
    # 22 is 7 more than the 15 that counted: the completion is still to 35.
    betting = play(to_flop(FL, 35, 42, 1000, 1000), "1 a, 2 a")
    assert (betting.options().to_call, raise_range(betting)) == (22, (35, 35))


def test_a_completion_reopens_the_betting_to_those_who_called_the_lesser_all_in() -> None:
    betting = play(to_flop(FL, 28, 1000, 1000), "1 a, 2 c, 3 r20")
    assert raise_range(betting) == (40, 40)


def test_an_all_in_of_less_than_half_a_bet_counts_towards_no_cap() -> None:
    betting = play(to_flop(FL, 1000, 1000, 105), "1 r20, 2 r40, 3 c, 1 r60, 2 c, 3 r80")
    assert betting.options().no_raise is NoRaise.CAPPED
    betting = play(to_flop(FL, 1000, 1000, 88), "1 r20, 2 r40, 3 c, 1 r60, 2 c, 3 a")
    assert betting.options().no_raise is NoRaise.NOT_REOPENED


def test_the_last_of_four_bets_may_be_an_all_in_of_half_a_bet_and_caps_the_round() -> None:
    betting = play(to_flop(FL, 1000, 1000, 90), "1 r20, 2 r40, 3 c, 1 r60, 2 c, 3 a")
    assert betting.price == 70
    assert betting.options().no_raise is NoRaise.CAPPED


def test_an_all_in_of_half_a_bet_counts_towards_the_cap() -> None:
    betting = play(to_flop(FL, 35, 1000, 1000), "1 a, 2 r35, 3 r55, 2 r75")
    assert betting.options().no_raise is NoRaise.CAPPED


def test_fixed_limit_an_all_in_above_the_bet_is_refused_and_the_bet_is_named() -> None:
    with pytest.raises(IllegalAct, match=r"^seat 1 may bet to 20$"):
        to_flop(FL, 1000, 1000).act(1, Action.ALL_IN)


def test_on_the_turn_half_a_bet_is_half_of_the_big_bet() -> None:
    assert raise_range(play(to_turn(FL, 39, 1000, 1000), "1 a")) == (40, 40)
    assert raise_range(play(to_turn(FL, 40, 1000, 1000), "1 a")) == (60, 60)


# Turns and refusals


def test_an_act_out_of_turn_is_refused_and_the_seat_whose_turn_it_is_is_named() -> None:
    with pytest.raises(IllegalAct, match=r"^seat 3 is to act, not seat 1$") as refused:
        deal(NL, 1000, 1000, 1000).act(1, Action.FOLD)
    assert refused.value.seat == 1


def test_a_refused_amount_says_what_would_be_allowed() -> None:
    betting = deal(NL, 1000, 1000, 120)
    for amount in (39, 121, None):
        with pytest.raises(IllegalAct, match=r"^seat 3 may raise to between 40 and 120$"):
            betting.act(3, Action.BET_OR_RAISE, amount)
    with pytest.raises(IllegalAct, match=r"^seat 3 may call 20 for 20 in all$"):
        betting.act(3, Action.CHECK_OR_CALL, 30)
    with pytest.raises(IllegalAct, match=r"^seat 3 is all-in for 120$"):
        betting.act(3, Action.ALL_IN, 100)
    with pytest.raises(IllegalAct, match=r"^seat 1 may check$"):
        to_flop(NL, 1000, 1000).act(1, Action.CHECK_OR_CALL, 5)


def test_nothing_can_be_done_when_the_round_is_complete_but_to_go_on() -> None:
    betting = play(deal(NL, 1000, 1000), "2 c, 1 c")
    with pytest.raises(IllegalAct, match="nobody is to act: the preflop betting is complete"):
        betting.act(1, Action.CHECK_OR_CALL)
    with pytest.raises(IllegalAct, match="nobody is to act"):
        betting.options()


def test_a_street_cannot_be_opened_before_its_time() -> None:
    betting = deal(NL, 1000, 1000)
    with pytest.raises(IllegalAct, match="seat 2 is still to act"):
        betting.next_street()
    with pytest.raises(IllegalAct, match="seat 2 is still to act"):
        betting.settle([])
    with pytest.raises(IllegalAct, match="the hand is over"):
        play(betting.copy(), "2 f").next_street()
    play(betting, "2 c, 1 c / 1 c, 2 c / 1 c, 2 c / 1 c, 2 c")
    with pytest.raises(IllegalAct, match="the river is the last"):
        betting.next_street()


def test_with_everybody_all_in_the_rounds_are_passed_through() -> None:
    betting = play(deal(NL, 200, 100, 200), "3 a, 1 c, 2 c")
    assert not betting.can_still_bet()
    for _ in range(3):
        betting.next_street()
        assert betting.round_complete


def test_the_rounds_are_passed_through_when_only_one_has_chips_left() -> None:
    betting = play(deal(NL, 1000, 100), "2 a")
    assert betting.can_still_bet()
    assert not play(betting, "1 c").can_still_bet()
    assert to_flop(NL, 1000, 1000).can_still_bet()


def test_a_killed_hand_is_passed_over_and_its_bets_stay() -> None:
    betting = play(to_flop(NL, 1000, 1000, 1000), "1 r100")
    betting.fold_out(2)
    assert betting.to_act == 3
    betting.fold_out(1)
    assert betting.round_complete
    assert betting.contenders() == (3,)
    assert betting.settle([]).stacks == {1: 980, 2: 980, 3: 1040}
    with pytest.raises(IllegalAct, match="seat 1 holds no hand"):
        betting.fold_out(1)


def test_a_copy_is_independent() -> None:
    betting = deal(NL, 1000, 1000)
    play(betting.copy(), "2 r100, 1 c /")
    assert (betting.street, betting.to_act, betting.chips(2)) == (Street.PREFLOP, 2, 990)
