"""One hand played by our betting and by PokerKit's, every step compared.

The hands keep away from what PokerKit is known to do otherwise (`test_known_differences`), or the difference
is what is expected:

- every blind, straddle and post can be paid in full, and one seat alone has the largest;
- after a short all-in a round goes on with what both allow, prices still compared;
- in fixed limit the first round is not capped there where it is here;
- where there are several odd chips, nobody may differ by more than there are of them;
- a seat with nothing to call is asked to check even where nobody could call a raise.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    OmahaHoldemHand,
    Opening,
    StandardHighHand,
    State,
)
from pokerkit import Street as TheirStreet

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

BIG = 20
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
STRUCTURES = {
    Structure.NO_LIMIT: BettingStructure.NO_LIMIT,
    Structure.POT_LIMIT: BettingStructure.POT_LIMIT,
    Structure.FIXED_LIMIT: BettingStructure.FIXED_LIMIT,
}
HANDS = {Game.HOLDEM: StandardHighHand, Game.OMAHA: OmahaHoldemHand}
MOST_RAISES = 4

_BLINDS = ((10, 20), (10, 20), (0, 20), (20,), (5, 10, 20))
_STRADDLES = ((10, 20, 40), (10, 20, 0, 40), (5, 10, 20, 40), (0, 0, 20))
_HEADS_UP_BLINDS = ((10, 20), (0, 20), (5, 20))


def pokerkit_state(
    game: Game,
    stakes: Stakes,
    stacks: list[int],
    blinds: list[int],
    antes: list[int],
    automations: tuple[Automation, ...] = AUTOMATIONS,
) -> State:
    """PokerKit's hand of any of the six games: it has ready classes for three of them only.

    Blinds and antes are by seat, from the left of the button, a post negative.
    """
    if len(stacks) == 2:  # heads-up PokerKit swaps both lists
        blinds, antes = blinds[::-1], antes[::-1]
    fixed = stakes.structure is Structure.FIXED_LIMIT
    holes = (False,) * hole_count(game)
    streets = [
        TheirStreet(
            bool(board),
            () if board else holes,
            board,
            False,
            Opening.POSITION,
            stakes.bet(street),
            MOST_RAISES if fixed else None,
        )
        for street, board in zip(Street, (0, 3, 1, 1), strict=True)
    ]
    return State(
        automations,
        Deck.STANDARD,
        (HANDS[game],),
        tuple(streets),
        STRUCTURES[stakes.structure],
        False,
        antes,
        blinds,
        0,
        stacks,
        len(stacks),
    )


@dataclass
class Duel:
    """A hand of one game drawn from `chance`."""

    game: Game
    structure: Structure
    chance: random.Random
    compared: int = 0
    short_all_in: bool = False
    stakes: Stakes = field(init=False)
    betting: Betting = field(init=False)
    state: State = field(init=False)

    def play(self) -> None:
        """From the forced bets to the stacks at the end."""
        seats = self._sit_down()
        deck = [r + s for r in RANKS for s in SUITS]
        self.chance.shuffle(deck)
        holes = {seat: [deck.pop() for _ in range(hole_count(self.game))] for seat in seats}
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
            self._play_round()
            if len(self.betting.contenders()) == 1:
                break
        strengths = (
            {seat: rank(self.game, holes[seat], board) for seat in self.betting.contenders()}
            if len(board) == 5
            else {}
        )
        self._compare_stacks(self.betting.settle(groups(strengths)))

    def _sit_down(self) -> range:
        chance = self.chance
        seats = range(1, chance.randint(2, 7) + 1)
        blinds = self._drawn_blinds(len(seats))
        antes = self._drawn_antes(len(seats))
        stacks = [
            ante + abs(blind) + chance.randint(0, chance.choice([20, 60, 400, 2000]))
            if blind
            else chance.randint(1, chance.choice([20, 60, 400, 2000]))
            for ante, blind in zip(antes, blinds, strict=True)
        ]
        self.stakes = Stakes(self.structure, BIG, BIG, 2 * BIG)
        self.state = pokerkit_state(self.game, self.stakes, stacks, blinds, antes)
        self.betting = Betting(
            self.stakes,
            dict(zip(seats, stacks, strict=True)),
            seats,
            # Heads-up the list has the button's blind first.
            forced_bets(
                seats,
                blinds[::-1] if len(seats) == 2 else blinds,
                dict(zip(seats, antes, strict=True)),
            ),
        )
        return seats

    def _drawn_blinds(self, count: int) -> list[int]:
        """What each seat lays, posts negative."""
        chance = self.chance
        if count == 2:
            return list(chance.choice(_HEADS_UP_BLINDS))[::-1]
        kinds = _STRADDLES if chance.random() < 0.3 else _BLINDS
        drawn = chance.choice([kind for kind in kinds if len(kind) <= count])
        blinds = [*drawn, *[0] * (count - len(drawn))]
        return [blind or (-20 if chance.random() < 0.1 else 0) for blind in blinds]

    def _drawn_antes(self, count: int) -> list[int]:
        chance = self.chance
        match chance.choice(["none", "none", "equal", "one", "any"]):
            case "equal":
                return [5] * count
            case "one":
                return [0, 25, *[0] * (count - 2)]
            case "any":
                return [chance.choice([0, 1, 5, 10]) for _ in range(count)]
        return [0] * count

    def _play_round(self) -> None:
        self.short_all_in = False
        while self.betting.to_act is not None:
            options = self.betting.options()
            if self.state.actor_index != options.seat - 1:
                self._let_them_check()
            assert self.state.actor_index == options.seat - 1
            assert self.state.checking_or_calling_amount == options.to_call
            assert self.state.total_pot_amount == sum(
                self.betting.total_in(seat) for seat in range(1, self.state.player_count + 1)
            )
            self._act(options, self._compare_raises(options))
        if self.state.actor_index is not None:
            self._let_them_check()
        assert self.state.actor_index is None

    def _let_them_check(self) -> None:
        assert self.betting.street is Street.PREFLOP
        assert self.state.checking_or_calling_amount == 0
        assert self.state.min_completion_betting_or_raising_to_amount is None
        self.state.check_or_call()

    def _compare_raises(self, options: Options) -> tuple[int, int] | None:
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

    def _act(self, options: Options, raises: tuple[int, int] | None) -> None:
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
            full = max(self.state.completion_betting_or_raising_amount, self.stakes.bet(self.betting.street))
            self.betting.act(options.seat, Action.BET_OR_RAISE, to)
            self.state.complete_bet_or_raise_to(to)
            self.short_all_in |= to - price < full

    def _compare_stacks(self, end: Settlement) -> None:
        assert not self.state.status
        ours, theirs = list(end.stacks.values()), list(self.state.stacks)
        odd = sum(pot.amount % len(pot.winners) for pot in end.pots)
        if odd > 1:
            assert sum(ours) == sum(theirs)
            assert all(abs(mine - other) <= odd for mine, other in zip(ours, theirs, strict=True))
        else:
            assert ours == theirs
