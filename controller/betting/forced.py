"""Forced bets: who posts what before the cards are seen, and who acts first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


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
    first seat on, any number of them, 0 where there is none; a straddle is a further, larger one. Heads-up
    the button lays the first of two blinds; a single one is the other seat's. A negative entry is a live post
    by that seat and no blind. `antes` and `dead_posts` are dead, `posts` live, by seat.

    First to act is left of the big blind (`big_blind_at`), without blinds the first seat left of the button;
    heads-up the button, unless it alone has laid the most.

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

    posters = seats[::-1] if len(seats) == 2 and len(blinds) > 1 else seats
    big = posters[big_blind_at(blinds)] if any(amount > 0 for amount in blinds) else None
    due = dict(zip(posters, blinds, strict=False))
    live = {seat: max(abs(due.get(seat, 0)), extra.get(seat, 0)) for seat in seats}
    return Forced(
        live={seat: amount for seat, amount in live.items() if amount},
        dead={seat: paid for seat in seats if (paid := antes.get(seat, 0) + dead.get(seat, 0))},
        price=max(live.values()),
        opener=_opener(seats, big, live),
    )


def big_blind_at(blinds: Sequence[int]) -> int:
    """Which of the blinds is the big one, from 0: the first of the largest, but of two equal ones at the head
    the second."""
    largest = max(range(len(blinds)), key=lambda at: blinds[at], default=0)
    return 1 if largest == 0 and len(blinds) > 1 and blinds[1] == blinds[0] > 0 else largest


def _opener(seats: tuple[int, ...], big: int | None, live: Mapping[int, int]) -> int:
    if len(seats) == 2:
        other, button = seats
        return other if live[button] > live[other] else button
    return seats[0] if big is None else seats[(seats.index(big) + 1) % len(seats)]
