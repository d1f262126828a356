"""Where the button and the blinds are in the next hand, and which blinds an absent player misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.betting import big_blind_at
from controller.places import SEATS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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
    """The hand's positions, its seats as they are dealt, those of them that come in by a post, and what each
    blind is whose seat is known: chips by seat."""

    positions: Positions
    order: tuple[int, ...]
    posters: frozenset[int]
    blinds: Mapping[int, int]


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
    between the button and that blind. Without blinds there is no dead button. Raises ValueError for fewer
    than two players that are ready.
    """
    if rule == "moving" or before.small is None or not any(blinds):
        return _from_button(players, deal_order(_two(players.ready), before.button)[0], blinds)
    return _from_big_blind(players, before, before.small, blinds)


def _two(ready: frozenset[int]) -> frozenset[int]:
    if len(ready) < 2:
        raise ValueError(f"a hand needs two players, not {sorted(ready)}")
    return ready


def _from_button(players: Players, button: int, blinds: Sequence[int]) -> Dealt:
    """The button is known: the smaller blinds are left of it, and the largest reaches the next seat.

    Where fewer play than there are blinds the first of them are left out.
    """
    ring = deal_order(players.ready, button)
    if len(ring) == 2 and len(blinds) > 1 and _reached(players, ring[0]) == button:
        return _heads_up(button, ring[0], blinds)
    smalls = ring[: min(big_blind_at(blinds), len(ring) - 1)]
    big = _reached(players, smalls[-1] if smalls else button)
    return _dealt(players, Positions(button, smalls[-1] if smalls else None, big), smalls, blinds)


def _reached(players: Players, start: int) -> int:
    """The next seat clockwise at which the big blind can be."""
    return deal_order(players.ready | players.waiting, start)[0]


def _from_big_blind(players: Players, before: Positions, small: int, blinds: Sequence[int]) -> Dealt:
    """The big blind goes on to the next player, the others follow; `small` is where the small blind was."""
    big = _reached(players, before.big)
    joined = _two(players.ready) | {big}
    if len(joined) == 2:
        (other,) = joined - {big}
        return _heads_up(other, big, blinds)
    button = small
    if before.button == small:  # it was heads-up: the button is left of nobody's small blind
        button = deal_order(joined - {before.big}, before.big)[-1]
    smalls = (before.big,) if before.big in joined else ()
    return _dealt(players, Positions(button, before.big, big), smalls, blinds)


def _heads_up(button: int, big: int, blinds: Sequence[int]) -> Dealt:
    """The button has the smaller blind; who posts waits until there is a place between two others."""
    two = Players(frozenset((button, big)))
    return _dealt(two, Positions(button, button, big), (button,), blinds)


def _dealt(players: Players, positions: Positions, smalls: tuple[int, ...], blinds: Sequence[int]) -> Dealt:
    joined = players.ready | {positions.big}
    alone = positions.button == positions.big  # then every seat lies between the button and the big blind
    kept_out = frozenset(SEATS) if alone else between(positions.button, positions.big)
    posters = frozenset(seat for seat in players.posting - joined if seat not in kept_out)
    order = deal_order(joined | posters, positions.button)
    first = max(0, big_blind_at(blinds) - len(smalls))
    behind = order[order.index(positions.big) + 1 :]
    seats = (*smalls, positions.big, *(seat for seat in behind if seat not in smalls))
    due = dict(zip(seats, blinds[first:], strict=False))
    return Dealt(positions, order, posters, due)


def between(start: int, end: int) -> Collection[int]:
    """The seat numbers that lie clockwise between two seats, both left out; none where they are the same."""
    if start < end:
        return range(start + 1, end)
    return frozenset((*range(start + 1, 12), *range(1, end))) if start > end else ()
