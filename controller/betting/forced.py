"""Forced bets: who posts what before the cards are seen, and who acts first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Forced:
    """What is due before the first card, in chips by seat.

    `live`: blinds and live posts, bets of the first round; a short stack posts what it has. `dead`: antes and
    dead posts, which go into the main pot and count towards no price. `price`: what the others must call,
    however short the big blind was. `opener`: the seat first to act before the flop.
    """

    live: Mapping[int, int]
    dead: Mapping[int, int]
    price: int
    opener: int


def forced_bets(
    order: Sequence[int],
    blinds: Sequence[int],
    antes: Mapping[int, int],
    posts: Mapping[int, int] | None = None,
    dead_posts: Mapping[int, int] | None = None,
) -> Forced:
    """The forced bets of a hand.

    `order` has the seats as dealt, the first left of the button, the button last. `blinds` are laid from the
    first seat on, any number of them, 0 where there is none; heads-up the button has the first of two blinds
    and acts first (a single blind is the other seat's). A negative entry is a live post by that seat and no
    blind. `antes` and `dead_posts` are dead, `posts` are live, by seat. First to act is left of the first
    seat with the largest blind; without blinds the first seat left of the button.

    Raises ValueError for fewer than two seats, more blinds than seats, a seat that is not in `order`, or a
    negative ante or post.
    """
    seats = tuple(order)
    if len(seats) < 2 or len(set(seats)) != len(seats):
        raise ValueError(f"a hand needs two or more different seats, not {seats}")
    if any(blinds[len(seats) :]):
        raise ValueError(f"{len(blinds)} blinds for {len(seats)} seats")
    extra, dead = dict(posts or {}), dict(dead_posts or {})
    for what, amounts in (("ante", antes), ("post", extra), ("dead post", dead)):
        for seat, amount in amounts.items():
            if seat not in seats or amount < 0:
                raise ValueError(f"the {what} of {amount} by seat {seat} is impossible")

    heads_up = len(seats) == 2
    posters = seats[::-1] if heads_up and any(blinds[1:]) else seats
    due = dict(zip(posters, blinds, strict=False))
    live = {seat: abs(due.get(seat, 0)) + extra.get(seat, 0) for seat in seats}
    opener = seats[1] if heads_up else _left_of_largest(seats, due)
    return Forced(
        live={seat: amount for seat, amount in live.items() if amount},
        dead={seat: paid for seat in seats if (paid := antes.get(seat, 0) + dead.get(seat, 0))},
        price=max(live.values()),
        opener=opener,
    )


def _left_of_largest(seats: tuple[int, ...], due: Mapping[int, int]) -> int:
    largest = max(due.values(), default=0)
    if largest <= 0:
        return seats[0]
    first = next(i for i, seat in enumerate(seats) if due.get(seat) == largest)
    return seats[(first + 1) % len(seats)]
