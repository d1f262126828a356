"""What is laid before the deal: blinds, posts, a straddle and antes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.betting import Forced, forced_bets

if TYPE_CHECKING:
    from controller.seating.positions import Dealt
    from controller.table_setup import TableSetup


@dataclass(frozen=True)
class HandSeats:
    """Who is dealt into a hand and what is due before the first card.

    `order` are the seats as they are dealt; at the button nobody may sit, if it is dead. `posters` pay beside
    blinds and antes, `straddler` has laid a straddle; `no_straddle` asked for one which is not possible.
    """

    order: tuple[int, ...]
    button: int
    forced: Forced
    posters: tuple[int, ...] = ()
    straddler: int | None = None
    no_straddle: tuple[int, ...] = ()


@dataclass(frozen=True)
class Posts:
    """Chips by seat that are laid beside blinds and antes: live ones are bets, dead ones are not."""

    live: Mapping[int, int]
    dead: Mapping[int, int]


def lay(
    setup: TableSetup, dealt: Dealt, posts: Posts, asked: Sequence[int], stacks: Mapping[int, int]
) -> HandSeats:
    """What is due in a hand; `asked` are the seats that wish to straddle."""
    blinds = _blinds(dealt)
    straddler = _straddler(dealt, len(blinds), asked)
    straddle = 2 * max(blinds, default=0)
    if straddler is not None and stacks[straddler] >= straddle:
        blinds = (*blinds, straddle)
    else:
        straddler = None
    return HandSeats(
        order=dealt.order,
        button=dealt.positions.button,
        forced=forced_bets(dealt.order, blinds, _antes(setup, dealt), posts.live, posts.dead),
        posters=tuple(seat for seat in dealt.order if seat in posts.live or seat in posts.dead),
        straddler=straddler,
        no_straddle=tuple(seat for seat in asked if seat != straddler),
    )


def _blinds(dealt: Dealt) -> tuple[int, ...]:
    """The blinds from the first seat that lays one on, as `forced_bets` wants them."""
    order = dealt.order[::-1] if len(dealt.order) == 2 and len(dealt.blinds) > 1 else dealt.order
    last = max((order.index(seat) for seat in dealt.blinds), default=-1)
    return tuple(dealt.blinds.get(seat, 0) for seat in order[: last + 1])


def _straddler(dealt: Dealt, blinds: int, asked: Sequence[int]) -> int | None:
    """The seat left of the blinds, if it asked and comes in by no post; heads-up nobody straddles."""
    may = dealt.order[blinds] if 2 < len(dealt.order) > blinds else None
    return may if may in asked and may not in dealt.posters else None


def _antes(setup: TableSetup, dealt: Dealt) -> dict[int, int]:
    if setup.antes:
        return {seat: chips for seat, chips in setup.antes.items() if seat in dealt.order}
    payers: Sequence[int]
    match setup.ante_by:
        case "all":
            payers = dealt.order
        case "button":
            payers = [dealt.positions.button]
        case "big-blind":
            payers = [dealt.positions.big]
    return {seat: setup.ante for seat in payers if seat in dealt.order}
