"""PokerKit as a second opinion: random hands give the same turns, prices, raises and stacks.

Where PokerKit is known to differ from the printed rules the hands keep away or the
difference itself is what is expected:

- a short big blind lowers its price: every stack covers ante and big blind;
- after a short all-in its reopening (and in fixed limit the half-bet rule, which it does
  not have) differs: such rounds go on with what both allow, prices still compared;
- in fixed limit it caps at five bets before the flop, not four;
- all odd chips of a split go to one seat, and pots with the same winners are split as one:
  where there are several odd chips, the sum is compared;
- a big blind whom only an all-in for the same amount faces is asked to check.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    State,
)

from controller.betting import (
    Action,
    Betting,
    NoRaise,
    Options,
    Settlement,
    Stakes,
    Street,
    Structure,
    forced_bets,
)
from controller.cards import RANKS, SUITS
from controller.games import Game, hole_count
from controller.ranking import groups, rank

HANDS = 80
SMALL, BIG = 10, 20
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def pokerkit_state(structure: Structure, antes: list[int], stacks: list[int]) -> State:
    # Heads-up PokerKit swaps antes as it swaps blinds.
    raw_antes = antes[::-1] if len(antes) == 2 else antes
    count, blinds = len(stacks), (SMALL, BIG)
    if structure is Structure.FIXED_LIMIT:
        return FixedLimitTexasHoldem.create_state(
            AUTOMATIONS, False, raw_antes, blinds, BIG, 2 * BIG, stacks, count
        )
    game = NoLimitTexasHoldem if structure is Structure.NO_LIMIT else PotLimitOmahaHoldem
    return game.create_state(AUTOMATIONS, False, raw_antes, blinds, BIG, stacks, count)


@dataclass
class Duel:
    """One hand played by both; every step compared."""

    structure: Structure
    chance: random.Random
    compared: int = 0
    short_all_in: bool = False
    betting: Betting = field(init=False)
    state: State = field(init=False)

    def play(self) -> None:
        chance = self.chance
        game = Game.OMAHA if self.structure is Structure.POT_LIMIT else Game.HOLDEM
        seats = range(1, chance.randint(2, 7) + 1)
        ante = chance.choice([0, 0, 5])
        antes = [ante] * len(seats) if chance.random() < 0.7 else [0, 25, *[0] * (len(seats) - 2)]
        stacks = [ante_due + BIG + chance.randint(0, chance.choice([60, 400, 2000])) for ante_due in antes]
        self.state = pokerkit_state(self.structure, antes, stacks)
        self.betting = Betting(
            Stakes(self.structure, BIG, BIG, 2 * BIG),
            dict(zip(seats, stacks, strict=True)),
            seats,
            forced_bets(seats, [SMALL, BIG], dict(zip(seats, antes, strict=True))),
        )
        deck = [r + s for r in RANKS for s in SUITS]
        chance.shuffle(deck)
        holes = {seat: [deck.pop() for _ in range(hole_count(game))] for seat in seats}
        for seat in seats:
            self.state.deal_hole("".join(holes[seat]), seat - 1)
        board: list[str] = []
        for street, count in zip(Street, (0, 3, 1, 1), strict=True):
            if count:
                self.betting.next_street()
                self.state.burn_card(deck.pop())
                board += (cards := [deck.pop() for _ in range(count)])
                self.state.deal_board("".join(cards))
            assert self.betting.street is street
            self.play_round()
            if len(self.betting.contenders()) == 1:
                break
        strengths = (
            {seat: rank(game, holes[seat], board) for seat in self.betting.contenders()}
            if len(board) == 5
            else {}
        )
        self.compare_stacks(self.betting.settle(groups(strengths)))

    def play_round(self) -> None:
        self.short_all_in = False
        while self.betting.to_act is not None:
            options = self.betting.options()
            assert self.state.actor_index == options.seat - 1
            assert self.state.checking_or_calling_amount == options.to_call
            assert self.state.total_pot_amount == sum(
                self.betting.total_in(seat) for seat in range(1, self.state.player_count + 1)
            )
            self.act(options, self.compare_raises(options))
        if self.state.actor_index is not None:
            assert self.betting.street is Street.PREFLOP
            assert self.state.checking_or_calling_amount == 0
            assert self.state.min_completion_betting_or_raising_to_amount is None
            self.state.check_or_call()
        assert self.state.actor_index is None

    def compare_raises(self, options: Options) -> tuple[int, int] | None:
        """The raises that both allow."""
        low = self.state.min_completion_betting_or_raising_to_amount
        high = self.state.max_completion_betting_or_raising_to_amount
        if not self.short_all_in:
            if options.no_raise is NoRaise.CAPPED and self.betting.street is Street.PREFLOP:
                assert low is not None
            else:
                assert (options.min_to, options.max_to) == (low, high)
                self.compared += 1
        if None in (options.min_to, options.max_to, low, high):
            return None
        assert options.min_to is not None
        assert options.max_to is not None
        assert low is not None
        assert high is not None
        both = max(options.min_to, low), min(options.max_to, high)
        return both if both[0] <= both[1] else None

    def act(self, options: Options, raises: tuple[int, int] | None) -> None:
        choice = self.chance.random()
        if choice < 0.15 and not options.can_check:
            self.betting.act(options.seat, Action.FOLD)
            self.state.fold()
        elif choice < 0.6 or raises is None:
            self.betting.act(options.seat, Action.CHECK_OR_CALL)
            self.state.check_or_call()
        else:
            low, high = raises
            to = self.chance.choice([low, self.chance.randint(low, min(high, 3 * low)), high])
            price = self.betting.price
            full = max(self.state.completion_betting_or_raising_amount, self.least_bet())
            self.betting.act(options.seat, Action.BET_OR_RAISE, to)
            self.state.complete_bet_or_raise_to(to)
            self.short_all_in |= to - price < full

    def least_bet(self) -> int:
        return Stakes(self.structure, BIG, BIG, 2 * BIG).bet(self.betting.street)

    def compare_stacks(self, end: Settlement) -> None:
        assert not self.state.status
        ours, theirs = list(end.stacks.values()), list(self.state.stacks)
        if sum(pot.amount % len(pot.winners) for pot in end.pots) > 1:
            assert sum(ours) == sum(theirs)
        else:
            assert ours == theirs


@pytest.mark.parametrize("structure", Structure, ids=lambda structure: structure.value)
def test_turns_prices_raises_and_stacks_are_pokerkits(structure: Structure) -> None:
    compared = 0
    for seed in range(HANDS):
        duel = Duel(structure, random.Random(f"{structure.value} {seed}"))
        duel.play()
        compared += duel.compared
    assert compared > 5 * HANDS
