"""What PokerKit does otherwise than the printed rules, one test a difference: theirs, and what we do instead.

That PokerKit moves no button and takes nothing back is no matter of one hand's betting; the table's tests
have both.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pokerkit import Automation, State

from controller.betting import Action, Betting, NoRaise, Stakes, Street, Structure, forced_bets
from controller.games import Game
from controller.ranking import rank
from tests.controller.betting_hands import FL, NL
from tests.controller.second_opinion.duel import AUTOMATIONS, BIG, pokerkit_state

BOARD = ("As", "Kd", "Qh", "Js", "9c")
HOLES = ("2c3c", "2d3d", "2h3h", "2s3s", "4c5c")
"""Nobody has better than the board."""
BY_HAND = tuple(auto for auto in AUTOMATIONS if auto is not Automation.HOLE_CARDS_SHOWING_OR_MUCKING)
STREETS = {Street.FLOP: "".join(BOARD[:3]), Street.TURN: BOARD[3], Street.RIVER: BOARD[4]}


@dataclass
class Both:
    """The same hand at both; every act is done twice."""

    betting: Betting
    state: State

    def play(self, acts: str) -> None:
        """Plays "f", "c" and "r40" by whoever is to act at both; "/" is the next street."""
        for act in acts.split():
            if act == "/":
                self.betting.next_street()
                self.state.burn_card("??")
                self.state.deal_board(STREETS[self.betting.street])
                continue
            seat = self.betting.to_act
            assert seat is not None
            assert self.state.actor_index == seat - 1
            match act[0]:
                case "f":
                    self.betting.act(seat, Action.FOLD)
                    self.state.fold()
                case "c":
                    self.betting.act(seat, Action.CHECK_OR_CALL)
                    self.state.check_or_call()
                case _:
                    self.betting.act(seat, Action.BET_OR_RAISE, int(act[1:]))
                    self.state.complete_bet_or_raise_to(int(act[1:]))

    @property
    def least_raises(self) -> tuple[int | None, int | None]:
        """The least raise of theirs and of ours."""
        theirs = self.state.min_completion_betting_or_raising_to_amount
        return theirs, self.betting.options().min_to


def both(
    structure: Structure,
    *stacks: int,
    blinds: tuple[int, ...] = (10, 20),
    antes: tuple[int, ...] = (),
    holes: tuple[str, ...] = HOLES,
    automations: tuple[Automation, ...] = AUTOMATIONS,
) -> Both:
    seats = range(1, len(stacks) + 1)
    laid = [*(blinds[::-1] if len(stacks) == 2 else blinds), *[0] * (len(stacks) - len(blinds))]
    dead = [*antes, *[0] * (len(stacks) - len(antes))]
    stakes = Stakes(structure, BIG, BIG, 2 * BIG)
    state = pokerkit_state(Game.HOLDEM, stakes, list(stacks), laid, dead, automations)
    for seat in seats:
        state.deal_hole(holes[seat - 1], seat - 1)
    betting = Betting(
        stakes,
        dict(zip(seats, stacks, strict=True)),
        seats,
        forced_bets(seats, blinds, dict(zip(seats, dead, strict=True))),
    )
    return Both(betting, state)


def test_a_short_big_blind_lowers_their_price() -> None:
    """ "A short big blind still costs the others a full one." """
    hand = both(NL, 1000, 8, 1000)
    assert hand.state.checking_or_calling_amount == 10
    assert hand.betting.options().to_call == 20


def test_a_short_all_in_over_callers_reopens_their_betting() -> None:
    """ "A short all-in does not reopen the betting to those who have acted." """
    hand = both(NL, 1000, 1000, 1000, 35)
    hand.play("c r35 f c")
    assert hand.least_raises == (55, None)
    assert hand.betting.options().no_raise is NoRaise.NOT_REOPENED


def test_a_short_opening_bet_reopens_their_betting() -> None:
    """ "A bet is at least $20 ... a short all-in does not reopen the betting to those who have acted." """
    hand = both(NL, 1000, 35, 1000)
    hand.play("c c c / c r15 c")
    assert hand.least_raises == (35, None)


def test_their_fixed_limit_raises_a_short_all_in_where_ours_is_completed() -> None:
    """ "After one for $8 the completion is to $20 and counts as the bet." """
    hand = both(FL, 28, 1000, 1000)
    hand.play("c c c / r8")
    assert hand.least_raises == (28, 20)


def test_in_their_fixed_limit_less_than_half_a_bet_reopens_the_betting() -> None:
    """ "An all-in of half a bet or more counts as a full bet and reopens; less ... reopens nothing." """
    hand = both(FL, 1000, 28, 1000)
    hand.play("c c c / c r8 c")
    assert hand.least_raises == (28, None)


def test_their_fixed_limit_caps_five_bets_before_the_flop() -> None:
    """ "At most four bets a round: bet, raise, re-raise, cap." """
    hand = both(FL, 1000, 1000, 1000)
    hand.play("r40 r60 r80")
    assert hand.least_raises == (100, None)
    assert hand.betting.options().no_raise is NoRaise.CAPPED


def test_both_odd_chips_of_their_three_way_split_go_to_one_seat() -> None:
    """ "An odd chip to the first seat left of the button, one chip each where there are several." """
    hand = both(NL, *[1000] * 4, blinds=(5, 20))
    hand.play("c c f c / c c c / c c c / c c c")
    assert list(hand.state.stacks) == [995, 1003, 1001, 1001]
    assert hand.betting.settle([frozenset({2, 3, 4})]).stacks == {1: 995, 2: 1002, 3: 1002, 4: 1001}


def test_pots_that_the_same_seats_win_are_split_as_one_by_them() -> None:
    """ "Equal hands split, an odd chip to the first seat left of the button": of each pot."""
    hand = both(NL, 1000, 35, 1000, 1000, antes=(0, 0, 1), holes=("Tc2c", "2d3d", "2h3h", "Td2s"))
    hand.play("r40 r71 c c f / c c / c c / c c")
    assert list(hand.state.stacks) == [1038, 0, 959, 1038]
    end = hand.betting.settle([frozenset({1, 4}), frozenset({2})])
    assert [pot.winners for pot in end.pots] == [{1: 71, 4: 70}, {1: 39, 4: 38}]


def test_the_pot_is_gone_when_everybody_mucks() -> None:
    """ "The last to claim a pot who mucks keeps that pot." """
    hand = both(NL, 1000, 1000, automations=BY_HAND)
    hand.play("c c / c c / c c / c c")
    hand.state.show_or_muck_hole_cards(False)
    hand.state.show_or_muck_hole_cards(False)
    assert sum(hand.state.stacks) == 1960
    hand.betting.release(2)
    assert hand.betting.settle([]).stacks == {1: 1020, 2: 980}


def test_a_card_twice_is_only_a_warning_to_them() -> None:
    """ "A duplicate card is only a warning"; the table halts, and no hand is made of it."""
    hand = both(NL, 1000, 1000)
    hand.play("c c")
    hand.state.burn_card("??")
    with pytest.warns(UserWarning, match="dealt"):
        hand.state.deal_board("2c7d8d")
    with pytest.raises(ValueError, match="a card twice: 2c 3c 2c 7d 8d"):
        rank(Game.HOLDEM, ["2c", "3c"], ["2c", "7d", "8d"])


def test_of_equal_blinds_their_last_one_decides_who_is_first() -> None:
    """ "The first to act is left of the first seat with the largest blind." """
    hand = both(NL, *[1000] * 5, blinds=(10, 20, 20))
    assert (hand.state.actor_index, hand.betting.to_act) == (4 - 1, 3)


def test_their_big_blind_is_asked_to_check_against_nobody() -> None:
    """ "Nobody raises himself: when all the others call or fold, the round is over." """
    hand = both(NL, 1000, 1000, 20)
    hand.play("c f")
    assert (hand.state.actor_index, hand.betting.to_act) == (1, None)
    assert hand.state.checking_or_calling_amount == 0
