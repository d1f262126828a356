"""Scenarios with mistakes, drawn from a seed: only such whose result the rules read here determine.

A hand is made act by act on an oracle that plays along: a candidate act is tried on a copy, and one that the
rules leave open is not taken. What the oracle leaves open is listed in the README of this folder.
"""

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.rulings.compare import DECK
from tests.rulings.oracle import Oracle
from tests.rulings.words import ENDED, ROUNDS, Expectation, Json, Undetermined

_STARTS = (
    *("deal", "deal", "deal", "preflop", "preflop", "flop-deal", "flop", "flop"),
    *("turn-deal", "turn", "turn"),
)
"""Up to where a hand goes without a mistake."""
_MOST_ACTS = 70
_TRIES = 12


def drawn_table(dice: random.Random) -> Json:
    """The `table` of a scenario: any seats, button, game, betting and machines."""
    game = dice.choice(("holdem", "holdem", "omaha"))
    seats = sorted(dice.sample(range(1, 12), dice.randint(2, 9)))
    betting = dice.choice(("no-limit", "pot-limit", "fixed-limit"))
    table: Json = {
        "game": game,
        "betting": betting,
        "rules": "roberts",
        "seats": {str(seat): stack for seat, stack in zip(seats, _stacks(dice, len(seats)), strict=True)},
        "button": dice.choice(seats),
        "small_blind": 5,
        "big_blind": 10,
        "ante": dice.choice((0, 0, 0, 1)),
        "zones": True,
        "shoe": {"gate": False, "burner": dice.random() < 0.6},
        "shuffler": {
            "cuts": dice.random() < 0.7,
            "identifies": dice.random() < 0.7,
            "min_cards": dice.choice((1, 1, 1, 1, 10, 26, 35, 52)),
        },
    }
    return table


def _stacks(dice: random.Random, seats: int) -> list[int]:
    kind = dice.random()
    if kind < 0.75:
        return [1000] * seats
    if kind < 0.85:  # everybody is all-in when the blind is called
        return [11] * seats
    return [dice.choice((11, 11, 1000)) for _ in range(seats)]


@dataclass
class Drawn:
    """A drawn scenario and what its report must say."""

    file: Json
    expected: Expectation


@dataclass
class _Maker:
    dice: random.Random
    oracle: Oracle
    acts: list[Json] = field(default_factory=list)
    mistakes: int = 0

    def take(self, *acts: Json) -> bool:
        """Takes acts together, if all of them are determined."""
        tried = copy.deepcopy(self.oracle)
        try:
            for act in acts:
                tried.act(act)
        except Undetermined:
            return False
        self.oracle = tried
        self.acts += acts
        return True


def drawn_hand(seed: str) -> Drawn:
    """The scenario of a seed."""
    dice = random.Random(seed)
    if dice.random() < 0.06:
        return _board_played(dice, seed)
    deck = dice.sample(DECK, len(DECK))
    file: Json = {
        "name": seed,
        "table": drawn_table(dice),
        "deck": " ".join(deck),
        "seed": dice.randint(0, 2**31),
        "acts": [],
    }
    maker = _Maker(dice, Oracle(file), mistakes=dice.choice((0, 1, 1, 2, 2, 3, 4)))
    _play(maker, ends=dice.random() < 0.9)
    file["acts"] = maker.acts
    return Drawn(file, maker.oracle.expectation())


def _play(maker: _Maker, *, ends: bool) -> None:
    dice = maker.dice
    hurry = dice.random() < 0.5
    if not maker.take({"do": "play", "until": dice.choice(_STARTS)}):
        maker.take({"do": "play", "until": "deal"})
    stop = _MOST_ACTS if ends else dice.randint(2, 25)
    while maker.oracle.hand.phase not in ENDED and len(maker.acts) < stop:
        if maker.oracle.hand.remedy_due and dice.random() < 0.06:
            return  # the file ends with a remedy open
        if not maker.mistakes and hurry:
            break
        if not _one_more(maker):
            break
    if ends and maker.oracle.hand.phase != "done":
        maker.take({"do": "play", "until": "done"})


def _one_more(maker: _Maker) -> bool:
    hand = maker.oracle.hand
    for _ in range(_TRIES):
        wants = maker.mistakes > 0 and maker.dice.random() < 0.5
        if hand.remedy_due and maker.dice.random() < 0.6:
            options: list[_Option] = [_comply]
            wants = False
        else:
            options = _mistakes(hand.phase) if wants else _ordinary(hand.phase)
        acts = list(maker.dice.choice(options)(maker))
        if acts and maker.take(*acts):
            maker.mistakes -= wants
            return True
    return False


_Option = Callable[[_Maker], Iterator[Json]]


def _ordinary(phase: str) -> list[_Option]:
    if phase == "deal":
        return [_deal_some, _deal_some, _deal_some, _play_on, _comply, _wait, _shown_by_player]
    if phase in ROUNDS:
        return [_bets, _bets, _check_around, _check_around, _play_on, _burn, _wait, _comply, _shown_by_player]
    if phase.endswith("-deal"):
        return [_street, _street, _play_on, _wait, _comply]
    return [_comply, _play_on]


def _mistakes(phase: str) -> list[_Option]:
    if phase == "deal":
        return [_exposed_draw, _exposed_draw, _key, _expose]
    if phase == "preflop":
        early = [_burn, _early, _early, _early, _early]
        return [_extra, _extra, _extra, _two_extras, _extra_before_exposure, _key, _expose, _folds, *early]
    if phase in ROUNDS:
        return [_early, _early, _early, _early_pair, _burn, _overfull_later, _folds, _all_in]
    if phase.endswith("-deal"):
        return [_overfull, _overfull, _overfull_in_parts]
    return [_comply]


# Ordinary acts


def _play_on(maker: _Maker) -> Iterator[Json]:
    phases = ("preflop", "flop-deal", "flop", "turn-deal", "turn", "river-deal", "river", "showdown")
    to_come = [phase for phase in phases if phase not in maker.oracle.hand.phases]
    if to_come:
        yield {"do": "play", "until": to_come[min(len(to_come) - 1, int(maker.dice.expovariate(1.2)))]}


def _deal_some(maker: _Maker) -> Iterator[Json]:
    hand = maker.oracle.hand
    due = len(hand.table.order) * hand.table.hole_cards - hand.deal.dealt
    if not due:
        if hand.deal.owner is not None:
            yield _draw(f"seat:{hand.deal.owner}", face=maker.dice.choice(("down", "down", "up")))
        return
    order = hand.table.order
    for number in range(maker.dice.choice((1, due, maker.dice.randint(1, due)))):
        yield _draw(f"seat:{order[(hand.deal.dealt + number) % len(order)]}")


def _street(maker: _Maker) -> Iterator[Json]:
    if maker.oracle.hand.phase == "flop-deal":
        for count in maker.dice.choice(((3,), (1, 2), (1, 1, 1), (2,), (3,))):
            yield _draw("board", count=count, face="up")
    else:
        yield _draw("board", face="up")


def _bets(maker: _Maker) -> Iterator[Json]:
    betting = copy.deepcopy(maker.oracle.hand.betting)
    for _ in range(maker.dice.randint(1, 3)):
        if not betting.pending:
            return
        seat = betting.pending[0]
        if maker.dice.random() < 0.15 and len(betting.left) > 2:
            betting.fold(seat)
            yield {"do": "bet", "seat": seat, "action": "fold"}
        else:
            yield {"do": "bet", "seat": seat, "action": "call" if betting.facing(seat) else "check"}
            betting.passive(seat)


def _folds(maker: _Maker) -> Iterator[Json]:
    betting = copy.deepcopy(maker.oracle.hand.betting)
    while betting.pending and len(betting.left) > 1:
        seat = betting.pending[0]
        betting.fold(seat)
        yield {"do": "bet", "seat": seat, "action": "fold"}


def _all_in(maker: _Maker) -> Iterator[Json]:
    betting = copy.deepcopy(maker.oracle.hand.betting)
    if betting.pending:
        yield {"do": "bet", "seat": betting.pending[0], "action": "all-in"}
        if maker.dice.random() < 0.7:
            yield {"do": "check_around"}


def _check_around(maker: _Maker) -> Iterator[Json]:
    yield {"do": "check_around"}


def _burn(maker: _Maker) -> Iterator[Json]:
    yield _draw("burn")


def _wait(maker: _Maker) -> Iterator[Json]:
    if maker.oracle.hand.clock > 12_000:
        return  # far from the time that a step of a procedure has
    yield {"do": "wait", "ms": maker.dice.choice((1, 700, 1999, 2000, 2001, 2500))}


def _comply(maker: _Maker) -> Iterator[Json]:
    act: Json = {"do": "comply"}
    hand = maker.oracle.hand
    if (hand.misdealt or hand.redeal is not None) and maker.dice.random() < 0.4:
        act["wrong"] = maker.dice.choice(("keep-card", "keep-card", "add-burn", "add-burn", "skip-cut"))
    yield act


def _shown_by_player(maker: _Maker) -> Iterator[Json]:
    held = [(seat, len(cards)) for seat, cards in maker.oracle.hand.hole.items() if cards]
    if held:
        seat, cards = maker.dice.choice(held)
        yield {"do": "expose", "seat": seat, "card": maker.dice.randint(1, cards), "by": "player"}


# Mistakes


def _draw(to: str, count: int = 1, face: str = "down") -> Json:
    act: Json = {"do": "draw", "to": to, "face": face}
    if count > 1:
        act["count"] = count
    return act


def _exposed_draw(maker: _Maker) -> Iterator[Json]:
    hand = maker.oracle.hand
    if not hand.dealt_out:
        if hand.deal.dealt or maker.dice.random() < 0.2:
            yield _draw(f"seat:{hand.next_seat()}", face="up")
    elif hand.deal.owner is not None:
        yield _draw(f"seat:{hand.deal.owner}", face="up")


def _key(maker: _Maker) -> Iterator[Json]:
    if maker.oracle.hand.deal.dealt == 1 and maker.dice.random() < 0.8:
        return
    act: Json = {"do": "key", "key": "exposed"}
    if maker.dice.random() < 0.5:
        act["seat"] = maker.dice.choice(maker.oracle.hand.table.order)
    yield act


def _expose(maker: _Maker) -> Iterator[Json]:
    held = [(seat, len(cards)) for seat, cards in maker.oracle.hand.hole.items() if cards]
    if held:
        seat, cards = maker.dice.choice(held)
        yield {"do": "expose", "seat": seat, "card": maker.dice.randint(1, cards), "by": "dealer"}


def _extra(maker: _Maker) -> Iterator[Json]:
    order = maker.oracle.hand.table.order
    yield _draw(f"seat:{maker.dice.choice((order[0], maker.dice.choice(order)))}")


def _two_extras(maker: _Maker) -> Iterator[Json]:
    order = maker.oracle.hand.table.order
    if maker.dice.random() < 0.4:
        yield _draw(f"seat:{order[0]}", count=2)
        return
    yield _draw(f"seat:{order[0]}")
    if maker.dice.random() < 0.5:
        yield {"do": "comply"}
    yield _draw(f"seat:{maker.dice.choice(order)}")


def _extra_before_exposure(maker: _Maker) -> Iterator[Json]:
    hand = maker.oracle.hand
    yield _draw(f"seat:{hand.table.order[0]}")
    seat = maker.dice.choice(hand.table.order[1:])
    if maker.dice.random() < 0.5:
        yield {"do": "key", "key": "exposed", "seat": seat}
    else:
        yield {
            "do": "expose",
            "seat": seat,
            "card": maker.dice.randint(1, hand.table.hole_cards),
            "by": "dealer",
        }


def _early(maker: _Maker) -> Iterator[Json]:
    dice, hand = maker.dice, maker.oracle.hand
    if hand.phase == "flop" and not hand.betting.acted and dice.random() < 0.3:
        yield {"do": "wait", "ms": dice.choice((2001, 3000))}
    if dice.random() < 0.5:
        yield _draw("burn")
    if hand.phase == "preflop":
        parts = dice.choice(((1,), (2,), (3,), (3,), (3,), (4,), (5,), (3, 1), (1, 2), (3, 2)))
    else:
        parts = (1,)
    for count in parts:
        yield _draw("board", count=count, face="up")


def _early_pair(maker: _Maker) -> Iterator[Json]:
    dice, hand = maker.dice, maker.oracle.hand
    if hand.phase == "flop" and not hand.betting.acted:
        yield {"do": "wait", "ms": 2001}
    for _ in range(2):
        if dice.random() < 0.5:
            yield _draw("burn")
        yield _draw("board", face="up")
        if dice.random() < 0.3:
            yield from _bets(maker)


def _overfull(maker: _Maker) -> Iterator[Json]:
    yield _draw("board", count=maker.dice.choice((4, 4, 5, 6, 2)), face="up")


def _overfull_in_parts(maker: _Maker) -> Iterator[Json]:
    for count in maker.dice.choice(((1, 3), (2, 2), (3, 1), (3, 2), (4, 1), (1, 1, 2), (3, 1, 1))):
        yield _draw("board", count=count, face="up")


def _overfull_later(maker: _Maker) -> Iterator[Json]:
    if maker.dice.random() < 0.5:
        yield {"do": "wait", "ms": maker.dice.choice((500, 1999, 2000))}
    yield _draw("board", count=maker.dice.choice((1, 1, 2)), face="up")


# Playing the board

_BOARDS: Final = (
    *("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "As Kd Qh Jc Ts", "As Ah Ad Ac Kd", "Ac Kd Qs Jd Th"),
    *("Ks Kh Kd Kc As", "2s 7h 9d Jc Ks"),
)


def _board_played(dice: random.Random, seed: str) -> Drawn:
    """A hand of hold'em whose board may be the best hand there is, with declarations and thrown hands."""
    for number in range(100):
        seats = sorted(dice.sample(range(1, 12), dice.randint(2, 4)))
        board = dice.choice(_BOARDS).split()
        rest = [card for card in dice.sample(DECK, len(DECK)) if card not in board]
        held = 2 * len(seats)
        deck = [*rest[: held + 1], *board[:3], rest[held + 1], board[3], rest[held + 2], board[4]]
        deck += rest[held + 3 :]
        table = {
            "game": "holdem",
            "seats": {str(seat): 1000 for seat in seats},
            "button": dice.choice(seats),
            "shoe": {"gate": False, "burner": dice.random() < 0.6},
        }
        file: Json = {"name": seed, "table": table, "deck": " ".join(deck), "seed": number, "acts": []}
        maker = _Maker(dice, Oracle(file))
        maker.take({"do": "play", "until": "showdown"})
        for seat in dice.sample(seats, dice.randint(1, len(seats))):
            if dice.random() < 0.5:
                maker.take({"do": "key", "key": "plays-board", "seat": seat})
        for seat in dice.sample(seats, dice.randint(1, len(seats))):
            maker.take({"do": "key", "key": "muck", "seat": seat})
        if maker.oracle.hand.phase == "done" or maker.take({"do": "play", "until": "done"}):
            file["acts"] = maker.acts
            return Drawn(file, maker.oracle.expectation())
    raise AssertionError("no hand whose result is determined")
