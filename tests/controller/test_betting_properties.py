"""What holds in every hand, whatever is bet: structures, short stacks, odd posts, killed hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.betting import Action, Betting, IllegalAct, Options, Stakes, Structure, forced_bets

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

# True randomness (still seeded and repeated by hypothesis) reaches later streets and more all-ins.
CHANCE = st.randoms(use_true_random=True)


BLINDS = [
    *[(10, 20), (20,), (0, 20), (10, 0), ()],
    *[(5, 10, 20), (10, 20, 40), (10, 20, 0, 40), (5, 10, 20, 40, 80)],
    *[(10, 20, -20), (-20, 20), (10, 20, 0, -13)],
]
"""As a rule two; one, none, three and more, straddles, posts among them."""


@dataclass(frozen=True)
class Dealt:
    """A hand before its first act, and what everybody had before the forced bets."""

    betting: Betting
    stacks: Mapping[int, int]
    dead: Mapping[int, int]


def deal(chance: random.Random) -> Dealt:
    order = range(1, chance.randint(2, 7) + 1)
    stacks = {seat: chance.randint(1, chance.choice([30, 60, 600])) for seat in order}
    antes = {seat: chance.choice([0, 0, 5, 5, 7, 20, 33]) for seat in order}
    posts = {seat: chance.choice([10, 20, 30]) for seat in order if chance.random() < 0.1}
    blinds = chance.choice(BLINDS)[: len(order)]
    stakes = Stakes(chance.choice(list(Structure)), 20, 20, 40, chance.random() < 0.8)
    betting = Betting(stakes, stacks, order, forced_bets(order, blinds, antes, posts))
    return Dealt(betting, stacks, {seat: min(stacks[seat], antes[seat]) for seat in order})


def act_somehow(betting: Betting, chance: random.Random) -> None:
    options = betting.options()
    match chance.choice(["fold", "call", "call", "raise", "raise", "all-in"]):
        case "fold":
            betting.act(options.seat, Action.FOLD)
        case "raise" if options.min_to is not None and options.max_to is not None:
            least_or_any = chance.choice([options.min_to, chance.randint(options.min_to, options.max_to)])
            betting.act(options.seat, Action.BET_OR_RAISE, least_or_any)
        case "all-in" if options.max_to in (
            None,
            betting.in_round(options.seat) + betting.chips(options.seat),
        ):
            try:
                betting.act(options.seat, Action.ALL_IN)
            except IllegalAct:
                betting.act(options.seat, Action.CHECK_OR_CALL)
        case _:
            betting.act(options.seat, Action.CHECK_OR_CALL)


def moments(betting: Betting, chance: random.Random) -> Iterator[Options]:
    """Plays a hand to its end, killing a hand now and then; yields before each act."""
    while True:
        while betting.to_act is not None:
            if chance.random() < 0.04:
                betting.fold_out(chance.choice(betting.contenders()))
                continue
            yield betting.options()
            act_somehow(betting, chance)
        try:
            betting.next_street()
        except IllegalAct:
            return


def played(chance: random.Random) -> Dealt:
    dealt = deal(chance)
    for _ in moments(dealt.betting, chance):
        pass
    return dealt


def snapshot(betting: Betting) -> tuple[object, ...]:
    seats = betting.contenders()
    return (
        betting.street,
        betting.price,
        betting.to_act,
        betting.options() if betting.to_act is not None else None,
        [(seat, betting.chips(seat), betting.in_round(seat), betting.total_in(seat)) for seat in seats],
        betting.pots(),
        betting.uncalled(),
        betting.showdown_order(),
    )


@given(CHANCE)
@settings(max_examples=200)
def test_chips_are_conserved(chance: random.Random) -> None:
    hand = played(chance)
    seats = list(hand.stacks)
    chance.shuffle(seats)
    for _ in range(chance.randint(0, 3)):
        if len(hand.betting.contenders()) > 1:
            hand.betting.release(chance.choice(hand.betting.contenders()))
    end = hand.betting.settle([frozenset(seats[:3]), *(frozenset({seat}) for seat in seats[3:])])
    assert sum(end.stacks.values()) == sum(hand.stacks.values())
    assert min(end.stacks.values()) >= 0
    assert all(sum(pot.winners.values()) == pot.amount > 0 for pot in end.pots)
    put_in = sum(hand.betting.total_in(seat) for seat in hand.stacks)
    assert sum(pot.amount for pot in end.pots) + sum(end.returned.values()) == put_in


@given(CHANCE)
@settings(max_examples=200)
def test_the_best_hand_wins_from_each_no_more_than_it_put_in_itself_and_all_the_dead_money(
    chance: random.Random,
) -> None:
    hand = played(chance)
    betting = hand.betting
    if len(betting.contenders()) < 2:
        return
    best = chance.choice(betting.contenders())
    rest = frozenset(hand.stacks) - {best}
    end = betting.settle([frozenset({best}), rest])
    live = {seat: betting.total_in(seat) - hand.dead[seat] for seat in hand.stacks}
    due = sum(min(amount, live[best]) for amount in live.values()) + sum(hand.dead.values())
    assert end.stacks[best] == betting.chips(best) + due


@given(CHANCE)
@settings(max_examples=200)
def test_nobody_acts_twice_on_one_price(chance: random.Random) -> None:
    betting = deal(chance).betting
    seen: dict[tuple[object, int], int] = {}
    for options in moments(betting, chance):
        key = (betting.street, options.seat)
        assert betting.price > seen.get(key, -1)
        seen[key] = betting.price


@given(CHANCE)
@settings(max_examples=200)
def test_no_round_ends_before_everybody_was_asked_whom_somebody_could_call(chance: random.Random) -> None:
    betting = deal(chance).betting
    over = False
    while not over:
        asked = set()
        while (seat := betting.to_act) is not None:
            asked.add(seat)
            act_somehow(betting, chance)
        reach = {s: betting.in_round(s) + betting.chips(s) for s in betting.contenders() if betting.chips(s)}
        for able in reach:
            callers = [other for other in reach if other != able and reach[other] > betting.price]
            assert able in asked or not callers
        try:
            betting.next_street()
        except IllegalAct:
            over = True


@given(CHANCE)
@settings(max_examples=200)
def test_a_killed_hand_gets_back_what_nobody_matched_and_no_more(chance: random.Random) -> None:
    hand = deal(chance)
    betting = hand.betting
    for _ in moments(betting, chance):
        if chance.random() < 0.1:
            break
    if len(betting.contenders()) < 2:
        return
    killed = chance.choice(betting.contenders())
    kept, live = betting.chips(killed), {s: betting.total_in(s) - hand.dead[s] for s in hand.stacks}
    betting.fold_out(killed)
    while betting.to_act is not None:
        betting.act(betting.to_act, Action.FOLD)
    end = betting.settle([frozenset(hand.stacks)])
    unmatched = max(0, live[killed] - max(chips for seat, chips in live.items() if seat != killed))
    matched = live[killed] - unmatched
    # Else there is a pot that it alone could have won, and nobody else claims that.
    if any(live[seat] >= matched for seat in betting.contenders()):
        assert end.stacks[killed] == kept + unmatched


@given(CHANCE)
@settings(max_examples=200)
def test_the_options_are_within_the_stack_and_above_the_price(chance: random.Random) -> None:
    betting = deal(chance).betting
    for options in moments(betting, chance):
        reach = betting.chips(options.seat) + betting.in_round(options.seat)
        assert 0 <= options.to_call <= betting.chips(options.seat)
        assert options.can_check == (options.to_call == 0)
        assert (options.min_to is None) == (options.max_to is None) == (options.no_raise is not None)
        if options.min_to is not None and options.max_to is not None:
            assert betting.price < options.min_to <= options.max_to <= reach


@given(CHANCE)
@settings(max_examples=200)
def test_a_complete_round_leaves_everybody_who_can_bet_with_the_same_in_it(chance: random.Random) -> None:
    betting = deal(chance).betting
    for _ in moments(betting, chance):
        before = betting.copy()
        if before.to_act is not None:
            before.act(before.to_act, Action.CHECK_OR_CALL)
        able = [seat for seat in before.contenders() if before.chips(seat)]
        if before.round_complete and len(able) > 1:
            assert {before.in_round(seat) for seat in able} == {before.price}


@given(CHANCE)
@settings(max_examples=150)
def test_a_refused_act_changes_nothing(chance: random.Random) -> None:
    betting = deal(chance).betting
    for options in moments(betting, chance):
        trial = betting.copy()
        seat = chance.choice([options.seat, *betting.contenders()])
        amount = chance.choice([None, chance.randint(-5, 700)])
        try:
            trial.act(seat, chance.choice(list(Action)), amount)
        except IllegalAct:
            assert snapshot(trial) == snapshot(betting)
