"""Pots: what goes back, which seats contest which chips, how a pot is split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Stake:
    """What a seat has to do with the pots, in chips.

    `live` was bet and counts for the claim, `dead` (antes, dead posts) is the main pot's, `behind` can still
    be bet. `left` is when the seat gave up its hand (None: it has not; a greater number is later),
    `at_showdown` whether it did so only there.
    """

    live: int
    dead: int
    behind: int
    left: int | None
    at_showdown: bool


@dataclass(frozen=True)
class Pot:
    """Chips and the seats that contest them, in the order of the deal."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class PotResult:
    """A pot and what each winner gets of it, in chips; the shares and the house's `rake` add up to the
    amount."""

    amount: int
    winners: Mapping[int, int]
    rake: int = 0


@dataclass(frozen=True)
class Settlement:
    """The end of a hand: pots (main first), uncalled chips given back, everybody's stack."""

    pots: tuple[PotResult, ...]
    returned: Mapping[int, int]
    stacks: Mapping[int, int]


def uncalled(stakes: Mapping[int, Stake]) -> dict[int, int]:
    """The chips of the highest bettor that no other seat matched; empty where there are none.

    A dead hand's bet matches too, and a dead hand's own unmatched chips go back.
    """
    ranked = sorted(stakes, key=lambda seat: stakes[seat].live, reverse=True)
    excess = stakes[ranked[0]].live - stakes[ranked[1]].live
    return {ranked[0]: excess} if excess else {}


def build(stakes: Mapping[int, Stake]) -> tuple[Pot, ...]:
    """The pots, main first, same entitlement merged; `stakes` in the order of the deal.

    An all-in seat is entitled to chips up to its own live total from each; a seat with chips behind to
    everything. A hand mucked at showdown gives up its claims, but leaves the pots as they lie, so that odd
    chips do not depend on whether a loser shows. Where all who could claim chips gave up their hands, the
    last of them to do so keeps them: a pot never vanishes.
    """
    excess = uncalled(stakes)
    live = {seat: stake.live - excess.get(seat, 0) for seat, stake in stakes.items()}
    piles: list[tuple[int, tuple[int, ...]]] = []

    def add(amount: int, seats: tuple[int, ...]) -> None:
        if piles and piles[-1][1] == seats:
            amount += piles.pop()[0]
        piles.append((amount, seats))

    if dead := sum(stake.dead for stake in stakes.values()):
        add(dead, _entitled(stakes, 0))
    below = 0
    for level in sorted({amount for amount in live.values() if amount}):
        layer = sum(max(min(amount, level) - below, 0) for amount in live.values())
        add(layer, _entitled(stakes, level))
        below = level
    return tuple(Pot(amount, _claims(stakes, seats)) for amount, seats in piles)


def _entitled(stakes: Mapping[int, Stake], level: int) -> tuple[int, ...]:
    def paid(stake: Stake) -> bool:
        return stake.live >= level and stake.live + stake.dead > 0

    played = [seat for seat, stake in stakes.items() if stake.left is None or stake.at_showdown]
    entitled = [seat for seat in played if stakes[seat].behind or paid(stakes[seat])]
    return tuple(entitled) or _last(stakes, [seat for seat, stake in stakes.items() if paid(stake)])


def _claims(stakes: Mapping[int, Stake], entitled: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in entitled if stakes[seat].left is None) or _last(stakes, entitled)


def _last(stakes: Mapping[int, Stake], seats: Sequence[int]) -> tuple[int, ...]:
    """The one of these seats that gave up its hand last."""
    return (max(seats, key=lambda seat: stakes[seat].left or 0),)


def share(
    pot: Pot, order_of_hands: Sequence[frozenset[int]], order: Sequence[int], rake: int = 0
) -> PotResult:
    """Splits a pot, less the rake taken of it, among the best hands that claim it.

    `order_of_hands` has the strongest first; a pot with one claim needs none. Odd chips go one each to the
    winners in `order`, which begins left of the button. Raises ValueError where several seats claim the pot
    and none of their hands is given.
    """
    best = pot.seats
    if len(pot.seats) > 1:
        claims = frozenset(pot.seats)
        group = next((claims & hands for hands in order_of_hands if claims & hands), None)
        if group is None:
            raise ValueError(f"no hand is given for the pot of {pot.amount} that seats {pot.seats} claim")
        best = tuple(seat for seat in order if seat in group)
    each, odd = divmod(pot.amount - rake, len(best))
    return PotResult(pot.amount, {seat: each + (i < odd) for i, seat in enumerate(best)}, rake)
