"""The betting alone, beside PokerKit's `State` on the same acts."""

import statistics
import time
from collections.abc import Callable
from typing import Final

from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    State,
)

from controller.betting import Action, Betting, Stakes, Structure, forced_bets
from hil_rigs.bench.figures import Baseline, Bound, Result, value_result
from hil_rigs.bench.plan import Plan

RATIO_MIN: Final = 3.0
"""How many times as many acts a second as PokerKit."""

_SEATS: Final = range(1, 7)
_BLINDS: Final = (5, 10)
_BIG: Final = 10
_CHIPS: Final = 1000
_FOLD, _CALL = Action.FOLD, Action.CHECK_OR_CALL
_ROUNDS: Final[tuple[tuple[Action | int, ...], ...]] = (
    (_CALL, 20, _CALL, _FOLD, _CALL, _CALL, _CALL),
    (_CALL, 10, 20, _CALL, _FOLD, _CALL, _CALL),
    (_CALL, 20, _CALL, _CALL, _CALL),
    (_CALL, 20, 40, _FOLD, _FOLD, _FOLD),
)
"""What whoever is to act does, an amount being what he bets or raises to: lawful in every structure, and over
without a showdown, so that no hand is ranked."""
_ACTS: Final = sum(map(len, _ROUNDS))
_AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def betting(plan: Plan) -> list[Result]:
    """Acts a second of the betting module, beside PokerKit's. Making a hand and dealing are left out."""
    ours: list[float] = []
    theirs: list[float] = []
    for batch in range(plan.batches + 1):
        for structure in Structure:
            pair = (_acts_a_second(_ours, structure), _acts_a_second(_theirs, structure))
            if batch > 0:  # the first warms up
                ours.append(pair[0])
                theirs.append(pair[1])
    return [
        value_result(
            "betting-acts",
            "acts of six seats in every structure, price and bounds of a raise asked before each",
            "acts/s",
            statistics.median(ours),
            n=len(ours) * _ACTS,
            baseline=Baseline("PokerKit's State, dealing left out", round(statistics.median(theirs))),
            bound=Bound(ratio_min=RATIO_MIN),
        )
    ]


def _acts_a_second(play: Callable[[Structure], int], structure: Structure) -> float:
    return _ACTS * 1e9 / play(structure)


def _ours(structure: Structure) -> int:
    """The nanoseconds that a hand's rounds take."""
    stakes = Stakes(structure, _BIG, _BIG, 2 * _BIG)
    hand = Betting(stakes, dict.fromkeys(_SEATS, _CHIPS), _SEATS, forced_bets(_SEATS, _BLINDS, {}))
    spent = 0
    for street, acts in enumerate(_ROUNDS):
        began = time.perf_counter_ns()
        if street > 0:
            hand.next_street()
        for act in acts:
            seat = hand.options().seat
            if isinstance(act, Action):
                hand.act(seat, act)
            else:
                hand.act(seat, Action.BET_OR_RAISE, act)
        spent += time.perf_counter_ns() - began
    began = time.perf_counter_ns()
    hand.settle(())
    return spent + time.perf_counter_ns() - began


def _theirs(structure: Structure) -> int:
    """The same by PokerKit, which settles with the last act."""
    hand = _state(structure)
    while hand.can_deal_hole():
        hand.deal_hole("??")
    spent = 0
    for street, acts in enumerate(_ROUNDS):
        if street > 0:
            hand.burn_card("??")
            hand.deal_board("??" * (3 if street == 1 else 1))
        began = time.perf_counter_ns()
        for act in acts:
            _ = (
                hand.actor_index,
                hand.checking_or_calling_amount,
                hand.min_completion_betting_or_raising_to_amount,
                hand.max_completion_betting_or_raising_to_amount,
            )
            if act is _FOLD:
                hand.fold()
            elif act is _CALL:
                hand.check_or_call()
            elif isinstance(act, int):
                hand.complete_bet_or_raise_to(act)
        spent += time.perf_counter_ns() - began
    return spent


def _state(structure: Structure) -> State:
    match structure:
        case Structure.NO_LIMIT:
            return NoLimitTexasHoldem.create_state(_AUTOMATIONS, False, 0, _BLINDS, _BIG, _CHIPS, len(_SEATS))
        case Structure.POT_LIMIT:
            return PotLimitOmahaHoldem.create_state(
                _AUTOMATIONS, False, 0, _BLINDS, _BIG, _CHIPS, len(_SEATS)
            )
        case Structure.FIXED_LIMIT:
            return FixedLimitTexasHoldem.create_state(
                _AUTOMATIONS, False, 0, _BLINDS, _BIG, 2 * _BIG, _CHIPS, len(_SEATS)
            )
