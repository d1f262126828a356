"""Where the button and the blinds are in the next hand, and which blinds an absent player misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from controller.rulesets.book import ButtonRule


@dataclass(frozen=True)
class Positions:
    """The seats of one hand. `small` is where the blind before the largest belongs, None where there is none;
    with the dead button nobody may sit there, nor at `button`."""

    button: int
    small: int | None
    big: int


@dataclass(frozen=True)
class Players:
    """Seats with chips: `ready` are dealt in, `waiting` for the big blind, `posting` of these want in now."""

    ready: frozenset[int]
    waiting: frozenset[int] = frozenset()
    posting: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Dealt:
    """The hand's positions, its seats as they are dealt, and those of them that come in by a post."""

    positions: Positions
    order: tuple[int, ...]
    posters: frozenset[int]


def deal_order(seats: Iterable[int], button: int) -> tuple[int, ...]:
    """The seats as they are dealt: clockwise from the first left of the button, the button's own last."""
    ordered = sorted(seats)
    return tuple([s for s in ordered if s > button] + [s for s in ordered if s <= button])


def first_positions(players: Players, button: int, blinds: Sequence[int]) -> Dealt:
    """The first hand: the button is at `button`, or at the next player clockwise where none sits there.

    Raises ValueError for fewer than two players that are ready.
    """
    found = button if button in players.ready else deal_order(_two(players.ready), button)[0]
    return _from_button(players, found, blinds)


def next_positions(players: Players, before: Positions, blinds: Sequence[int], rule: ButtonRule) -> Dealt:
    """The hand after one with the positions `before`.

    Whoever waits comes in where the largest blind reaches him; whoever posts comes in at once, but never
    between the button and that blind. Raises ValueError for fewer than two players that are ready.
    """
    if rule == "moving" or before.small is None:
        return _from_button(players, deal_order(_two(players.ready), before.button)[0], blinds)
    return _from_big_blind(players, before, before.small)


def _two(ready: frozenset[int]) -> frozenset[int]:
    if len(ready) < 2:
        raise ValueError(f"a hand needs two players, not {sorted(ready)}")
    return ready


def largest_at(blinds: Sequence[int]) -> int:
    """Which blind is the largest, from 0; the first of several."""
    return max(range(len(blinds)), key=lambda at: blinds[at]) if blinds else 0


def _from_button(players: Players, button: int, blinds: Sequence[int]) -> Dealt:
    ring = deal_order(players.ready, button)
    at = min(largest_at(blinds), len(ring) - 1)
    smalls = ring[:at]
    reached = deal_order(players.ready | players.waiting, smalls[-1] if smalls else button)[0]
    joined = players.ready | {reached}
    if len(joined) == 2 and len(blinds) > 1:
        # Heads-up the button has the first of the blinds.
        return Dealt(Positions(button, button, ring[0]), ring, frozenset())
    small = smalls[-1] if smalls else None
    return _with_posters(players, Positions(button, small, reached), joined)


def _from_big_blind(players: Players, before: Positions, button: int) -> Dealt:
    reached = deal_order(_two(players.ready) | players.waiting, before.big)[0]
    joined = players.ready | {reached}
    if len(joined) == 2:
        (other,) = joined - {reached}
        return Dealt(Positions(other, other, reached), (reached, other), frozenset())
    return _with_posters(players, Positions(button, before.big, reached), joined)


def _with_posters(players: Players, positions: Positions, joined: frozenset[int]) -> Dealt:
    kept_out = between(positions.button, positions.big)
    posters = frozenset(seat for seat in players.posting - joined if seat not in kept_out)
    return Dealt(positions, deal_order(joined | posters, positions.button), posters)


def between(start: int, end: int) -> Collection[int]:
    """The seat numbers that lie clockwise between two seats, both left out; none where they are the same."""
    if start < end:
        return range(start + 1, end)
    return frozenset((*range(start + 1, 12), *range(1, end))) if start > end else ()
