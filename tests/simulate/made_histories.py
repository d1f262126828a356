"""Hand histories that PokerKit plays and writes, drawn from a seed, of kinds that the recorded ones lack.

They keep away from what PokerKit does otherwise than the rules (tests/controller/second_opinion): blinds are
paid in full and one is the largest, no straddle in fixed limit, nobody raises after a short all-in, three
raises are the most before a fixed-limit flop. All amounts are multiples of sixty units: PokerKit then splits
any pot among up to six evenly, while to us the smallest unit that the file uses is the odd chip.
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass
from decimal import Decimal

from pokerkit import (
    Automation,
    Deck,
    FixedLimitTexasHoldem,
    HandHistory,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    State,
)

UNIT = 60
SMALL, BIG = 5 * UNIT, 10 * UNIT
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
_GAMES = {"NT": NoLimitTexasHoldem, "FT": FixedLimitTexasHoldem, "PO": PotLimitOmahaHoldem}
_MOST_RAISES = 3
_REMARKS = ("tanked", 'says "it\'s live"', "# twice", "the clock is called: 30 s")


@dataclass(frozen=True)
class Made:
    """A history's text, and what PokerKit knows of its end."""

    text: str
    stacks: tuple[Decimal, ...]
    board: str


def made(seed: str) -> Made:
    """The history of a seed."""
    return _Maker(random.Random(seed)).history()


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._variant = chance.choice(list(_GAMES))
        self._count = chance.randint(2, 6)
        self._blinds = self._drawn_blinds()
        self._antes = self._drawn_antes()
        self._least = max(BIG, *self._blinds) if self._variant != "FT" else BIG
        self._stacks = self._drawn_stacks()
        # What one chip of the file is in units: fractions of it have up to two decimal places.
        self._chip = chance.choice((1, 1, 2, 100))
        game = _GAMES[self._variant]
        bets = (BIG, 2 * BIG) if self._variant == "FT" else (self._least,)
        # An ante that is trimmed to a short stack makes pots that are not the rules'.
        trimming = (
            len(set(self._antes)) == 1 and min(self._stacks) >= self._antes[0] and chance.random() < 0.3
        )
        self._game = game(AUTOMATIONS, trimming, self._antes, self._blinds, *bets)
        self._state: State = self._game(self._stacks, self._count)

    def _drawn_blinds(self) -> list[int]:
        """As a history lists them: heads-up the button's first."""
        chance, count = self._chance, self._count
        if count == 2:
            return chance.choice([[SMALL, BIG], [0, BIG], [BIG // 2 - UNIT, BIG]])
        laid = chance.choice(
            [
                *[[SMALL, BIG]] * 3,
                [0, BIG],
                [BIG],
                [-SMALL, BIG],
                [UNIT, SMALL, BIG],
                [-BIG, BIG],
                # A fixed-limit straddle is one of our four bets and none of theirs.
                [SMALL, BIG, *[2 * BIG] * (self._variant != "FT")],
            ]
        )
        blinds = [*laid, *[0] * (count - len(laid))]
        return [blind or (-BIG if chance.random() < 0.1 else 0) for blind in blinds]

    def _drawn_antes(self) -> list[int]:
        chance, count = self._chance, self._count
        each = chance.choice((0, 0, 0, UNIT, 2 * UNIT))
        if chance.random() < 0.25:  # dead posts, or one ante for the table
            return [chance.choice((0, 0, SMALL, BIG)) for _ in range(count)]
        return [each] * count

    def _drawn_stacks(self) -> list[int]:
        chance = self._chance
        swapped = self._count == 2
        antes = self._antes[::-1] if swapped else self._antes
        blinds = self._blinds[::-1] if swapped else self._blinds
        return [
            ante * (chance.random() < 0.9 or bool(blind))
            + abs(blind)
            + UNIT * chance.randint(1, chance.choice((5, 40, 500)))
            for ante, blind in zip(antes, blinds, strict=True)
        ]

    def history(self) -> Made:
        state, chance = self._state, self._chance
        deck = [repr(card) for card in Deck.STANDARD]
        chance.shuffle(deck)
        while state.status:
            remark = chance.choice(_REMARKS) if chance.random() < 0.05 else None
            if state.can_deal_hole():
                state.deal_hole(deck.pop(), commentary=remark)
            elif state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_board():
                count = 3 if not any(state.board_cards) else 1
                state.deal_board("".join(deck.pop() for _ in range(count)), commentary=remark)
            elif state.actor_index is not None:
                self._act(remark)
            else:
                state.show_or_muck_hole_cards(commentary=remark)
        return self._written()

    def _act(self, remark: str | None) -> None:
        state, choice = self._state, self._chance.random()
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        many = self._variant == "FT" and state.completion_betting_or_raising_count >= _MOST_RAISES
        if choice < 0.2 and state.checking_or_calling_amount:
            state.fold(commentary=remark)
        elif choice < 0.65 or low is None or high is None or many or self._short_all_in:
            state.check_or_call(commentary=remark)
        else:
            steps = (high - low) // UNIT
            to = self._chance.choice((low, high, low + UNIT * self._chance.randint(0, steps)))
            state.complete_bet_or_raise_to(to, commentary=remark)

    @property
    def _short_all_in(self) -> bool:
        """Whether the last bet or raise of the round was less than a full one."""
        state = self._state
        assert state.street is not None
        least = state.street.min_completion_betting_or_raising_amount
        short = state.consecutive_short_all_in_amounts
        most = max(state.bets)
        return any(amount < max(least, state.completion_betting_or_raising_amount) for amount in short) or (
            bool(most) and state.completion_betting_or_raising_count > 0 and most % least != 0
        )

    def _written(self) -> Made:
        state, chance = self._state, self._chance
        about = {
            "finishing_stacks": list(state.stacks),
            "winnings": [max(0, gain) for gain in state.payoffs],
            "players": [f"Player {i + 1}" for i in range(self._count)],
            "seats": chance.sample(range(1, 12), self._count),
            "seat_count": 11,
            "event": "it's a made one",
            "time": datetime.time(20, 15, 59),
            "day": 9,
            "month": 2,
            "year": 2024,
            "hand": chance.choice((17, "17")),
            "table": "3",
            "level": 4,
            "currency": "EUR",
            "currency_symbol": "€",
            "time_limit": 30,
            "time_banks": [60] * self._count,
            "_rake": 0,
            "_source": {"made": True},
        }
        kept = {key: about[key] for key in about if chance.random() < 0.4 or key == "finishing_stacks"}
        whole = HandHistory.from_game_state(self._game, state, chance.random() < 0.5, **kept)
        self._hide(whole.actions)
        self._let_the_winner_show(whole.actions)
        self._in_chips(whole)
        board = "".join(repr(card) for cards in state.board_cards for card in cards)
        return Made(whole.dumps(), tuple(self._chips(stack) for stack in state.stacks), board)

    def _hide(self, actions: list[str]) -> None:
        """Some hands are known only where they were shown."""
        shown = {action.split()[0] for action in actions if " sm " in action}
        for i, action in enumerate(actions):
            match action.split("#")[0].split():
                case ["d", "dh", player, cards] if player not in shown and self._chance.random() < 0.6:
                    actions[i] = action.replace(cards, "?" * len(cards))
                case ["d", "dh", _, cards] if self._chance.random() < 0.1:
                    actions[i] = action.replace(cards, "?" * len(cards))

    def _let_the_winner_show(self, actions: list[str]) -> None:
        folded = {words[0] for action in actions if (words := action.split("#")[0].split())[1:] == ["f"]}
        left = {f"p{i + 1}" for i in range(self._count)} - folded
        if len(left) == 1 and self._chance.random() < 0.3:
            actions.append(f"{left.pop()} sm {self._chance.choice(('', '-', '????'))}".strip())

    def _in_chips(self, whole: HandHistory) -> None:
        for name in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings"):
            if (amounts := getattr(whole, name)) is not None:
                setattr(whole, name, [self._chips(amount) for amount in amounts])
        for name in ("min_bet", "small_bet", "big_bet"):
            if (amount := getattr(whole, name)) is not None:
                setattr(whole, name, self._chips(amount))
        for i, action in enumerate(whole.actions):
            words = action.split(" ", 3)
            if words[1:2] == ["cbr"]:
                words[2] = str(self._chips(int(words[2])))
                whole.actions[i] = " ".join(words)

    def _chips(self, units: int) -> Decimal:
        return Decimal(units) / self._chip
