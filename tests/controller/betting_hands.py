"""Hands for the tests of the betting, and a short way to write acts down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.betting import Action, Betting, Stakes, Structure, forced_bets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NL, PL, FL = Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.FIXED_LIMIT

_WORDS = {"f": Action.FOLD, "c": Action.CHECK_OR_CALL, "a": Action.ALL_IN, "r": Action.BET_OR_RAISE}


def deal(
    structure: Structure,
    *stacks: int,
    blinds: Sequence[int] = (10, 20),
    antes: Mapping[int, int] | None = None,
    posts: Mapping[int, int] | None = None,
    capped_heads_up: bool = True,
) -> Betting:
    """Seats 1, 2, ... from the left of the button, the last with the button.

    Limits are 20 and 40 in fixed limit, the big blind is 20.
    """
    order = range(1, len(stacks) + 1)
    stakes = Stakes(structure, 20, 20, 40, capped_heads_up)
    return Betting(
        stakes,
        dict(zip(order, stacks, strict=True)),
        order,
        forced_bets(order, blinds, antes or {}, posts),
    )


def play(betting: Betting, acts: str) -> Betting:
    """Plays "3 f, 4 c, 1 r40, 2 a /": fold, check or call, raise to 40, all-in, next street."""
    for act in acts.replace("/", ",/,").split(","):
        match act.split():
            case ["/"]:
                betting.next_street()
            case [seat, word]:
                betting.act(int(seat), _WORDS[word[0]], int(word[1:]) if word[1:] else None)
            case _:
                assert not act.strip(), act
    return betting


def to_flop(structure: Structure, *stacks: int) -> Betting:
    """The flop's betting, nobody having raised before it."""
    betting = deal(structure, *stacks)
    while (seat := betting.to_act) is not None:
        betting.act(seat, Action.CHECK_OR_CALL)
    betting.next_street()
    return betting


def to_turn(structure: Structure, *stacks: int) -> Betting:
    """The turn's betting, nobody having bet before it."""
    betting = to_flop(structure, *stacks)
    while (seat := betting.to_act) is not None:
        betting.act(seat, Action.CHECK_OR_CALL)
    betting.next_street()
    return betting


def raise_range(betting: Betting) -> tuple[int | None, int | None]:
    """The least and the most that the seat to act may raise to."""
    options = betting.options()
    return options.min_to, options.max_to
