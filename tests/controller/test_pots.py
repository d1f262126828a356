"""What the pots promise: side pots, uncalled chips, odd chips, claims given up."""

from __future__ import annotations

import pytest

from controller.betting import IllegalAct, Pot
from tests.controller.betting_hands import FL, NL, deal, play, to_flop


def hands(*groups: set[int]) -> list[frozenset[int]]:
    return [frozenset(group) for group in groups]


def test_the_last_seat_left_wins_without_a_hand_and_gets_the_uncalled_part_back() -> None:
    end = play(deal(NL, 1000, 1000, 1000), "3 r60, 1 f, 2 f").settle([])
    assert end.returned == {3: 40}
    assert [(pot.amount, pot.winners) for pot in end.pots] == [(50, {3: 50})]
    assert end.stacks == {1: 990, 2: 980, 3: 1030}


def test_an_all_in_player_wins_up_to_his_amount_from_each_and_the_rest_is_a_side_pot() -> None:
    betting = play(deal(NL, 1000, 50, 1000), "3 r200, 1 c, 2 c")
    assert betting.pots() == (Pot(150, (1, 2, 3)), Pot(300, (1, 3)))
    play(betting, "/ 1 c, 3 c / 1 c, 3 c / 1 c, 3 c")
    end = betting.settle(hands({2}, {3}, {1}))
    assert [pot.winners for pot in end.pots] == [{2: 150}, {3: 300}]
    assert end.stacks == {1: 800, 2: 150, 3: 1100}


def test_pots_with_the_same_entitlement_are_one() -> None:
    betting = play(deal(NL, 1000, 1000, 1000, 1000), "3 c, 4 r60, 1 f, 2 c, 3 c / 2 r100, 3 c, 4 f")
    assert betting.pots() == (Pot(390, (2, 3)),)


def test_each_all_in_makes_its_own_side_pot() -> None:
    betting = play(deal(NL, 30, 70, 150, 1000), "3 a, 4 a, 1 a, 2 a")
    assert betting.pots() == (Pot(120, (1, 2, 3, 4)), Pot(120, (2, 3, 4)), Pot(160, (3, 4)))
    assert betting.uncalled() == {}  # nobody raises himself: seat 4's all-in was a call
    end = betting.settle(hands({1}, {2, 3}, {4}))
    assert end.stacks == {1: 120, 2: 60, 3: 220, 4: 850}


def test_an_open_hand_counts_what_is_in_so_far_and_leaves_out_what_nobody_called() -> None:
    betting = play(deal(NL, 1000, 1000, 1000), "3 r100")
    assert betting.pots() == (Pot(50, (1, 2, 3)),)
    assert betting.uncalled() == {3: 80}


def test_antes_and_dead_posts_are_in_the_main_pot_and_count_towards_no_price() -> None:
    betting = deal(NL, 1000, 1000, 1000, antes={2: 20, 3: 10})
    assert (betting.in_round(3), betting.total_in(3), betting.options().to_call) == (0, 10, 20)
    end = play(betting, "3 f, 1 f").settle([])
    assert end.stacks == {1: 990, 2: 1020, 3: 990}


def test_unequal_antes_can_be_won_whole_by_a_seat_that_paid_none() -> None:
    betting = play(deal(NL, 40, 1000, 1000, antes={2: 20}), "3 r100, 1 a, 2 c")
    assert betting.pots() == (Pot(140, (1, 2, 3)), Pot(120, (2, 3)))


def test_a_seat_all_in_on_its_ante_claims_the_antes_only() -> None:
    betting = play(deal(NL, 1000, 1000, 5, antes={1: 5, 2: 5, 3: 5}), "1 c, 2 c")
    assert betting.pots() == (Pot(15, (1, 2, 3)), Pot(40, (1, 2)))


def test_a_seat_without_chips_claims_nothing() -> None:
    betting = play(deal(NL, 1000, 1000, 0, antes={1: 5, 2: 5, 3: 5}), "1 c, 2 c")
    assert betting.pots() == (Pot(50, (1, 2)),)


def test_a_split_pot_gives_an_odd_chip_to_the_first_seat_left_of_the_button() -> None:
    betting = play(deal(NL, 1000, 1000, 1000, blinds=(5, 20)), "3 c, 1 f, 2 c")
    end = betting.settle(hands({2, 3}))
    assert end.pots[0].winners == {2: 23, 3: 22}


def test_several_odd_chips_go_one_each() -> None:
    betting = play(deal(NL, *[1000] * 4, blinds=(5, 20)), "3 c, 4 c, 1 f, 2 c")
    assert betting.settle(hands({2, 3, 4})).pots[0].winners == {2: 22, 3: 22, 4: 21}


def test_odd_chips_of_a_side_pot_are_split_by_the_same_order() -> None:
    betting = play(deal(NL, 15, 1000, 1000, 1000, blinds=(10, 20)), "3 r40, 4 c, 1 a, 2 c")
    end = betting.settle(hands({1}, {4, 2}, {3}))
    assert [pot.winners for pot in end.pots] == [{1: 60}, {2: 38, 4: 37}]


def test_chips_that_no_one_matched_go_back_to_a_dead_hand_too() -> None:
    betting = play(to_flop(NL, 1000, 80, 1000), "1 r100, 2 a, 3 f")
    with pytest.raises(ValueError, match="no hand is given for the pot of 180"):
        betting.settle([])
    betting.fold_out(1)
    end = betting.settle([])
    assert (end.returned, end.stacks) == ({1: 40}, {1: 920, 2: 180, 3: 980})


def test_a_dead_hands_blind_stays_in_the_pot() -> None:
    betting = deal(NL, 1000, 1000, 1000, 1000)
    betting.fold_out(2)
    play(betting, "3 f, 4 f")
    end = betting.settle([])
    assert (end.returned, end.stacks) == ({2: 10}, {1: 1010, 2: 990, 3: 1000, 4: 1000})


def test_odd_chips_of_dead_money_go_one_each_from_the_left_of_the_button() -> None:
    betting = play(deal(NL, *[1000] * 4, antes={4: 1}), "3 c, 4 c, 1 f, 2 c")
    assert betting.settle(hands({4, 3, 2})).pots[0].winners == {2: 24, 3: 24, 4: 23}


def test_a_bet_that_an_all_in_covers_in_part_is_returned_and_reported() -> None:
    betting = play(to_flop(NL, 70, 1000), "1 c, 2 r500, 1 c")
    end = betting.settle(hands({2}, {1}))
    assert end.returned == {2: 450}
    assert [(pot.amount, pot.winners) for pot in end.pots] == [(140, {2: 140})]


def test_the_last_claim_to_a_pot_cannot_be_mucked_away() -> None:
    betting = play(to_flop(NL, 1000, 1000), "1 c, 2 c / 1 c, 2 c / 1 c, 2 c")
    betting.release(2)
    with pytest.raises(IllegalAct, match="seat 1 is the last to claim the pot and keeps it"):
        betting.release(1)
    assert betting.settle([]).stacks == {1: 1020, 2: 980}


def test_the_last_claim_to_a_side_pot_keeps_it_but_gives_up_the_main_pot() -> None:
    betting = play(deal(NL, 1000, 50, 1000), "3 r200, 1 c, 2 c / 1 c, 3 c / 1 c, 3 c / 1 c, 3 c")
    betting.release(1)
    betting.release(3)
    assert betting.pots() == (Pot(150, (2,)), Pot(300, (3,)))
    assert betting.settle([]).stacks == {1: 800, 2: 150, 3: 1100}


def test_a_loser_who_mucks_changes_neither_pots_nor_odd_chips() -> None:
    betting = play(deal(NL, 1000, 35, 1000, 1000, antes={3: 1}), "3 r40, 4 r71, 1 c, 2 c, 3 f")
    play(betting, "/ 1 c, 4 c / 1 c, 4 c / 1 c, 4 c")
    shown = betting.settle(hands({1, 4}, {2}))
    assert [pot.winners for pot in shown.pots] == [{1: 71, 4: 70}, {1: 39, 4: 38}]
    betting.release(2)
    assert betting.contenders() == (1, 4)
    assert betting.settle(hands({1, 4})) == shown


def test_the_last_to_bet_or_raise_shows_first() -> None:
    betting = play(deal(FL, *[1000] * 4), "3 c, 4 c, 1 c, 2 c / 1 c, 2 c, 3 r, 4 c, 1 c, 2 c")
    assert betting.showdown_order() == (3, 4, 1, 2)
    betting.release(3)
    assert betting.showdown_order() == (4, 1, 2)


def test_a_checked_last_round_is_shown_from_the_left_of_the_button() -> None:
    betting = play(to_flop(NL, 1000, 1000, 1000), "1 c, 2 r50, 3 c, 1 c / 1 c, 2 c, 3 c")
    assert betting.showdown_order() == (1, 2, 3)


def test_when_nobody_could_bet_any_more_the_first_seat_left_of_the_button_shows_first() -> None:
    betting = play(to_flop(NL, 1000, 1000, 1000), "1 c, 2 c, 3 a, 1 f, 2 c / /")
    assert betting.showdown_order() == (2, 3)
