"""The chips that players put in or got back without an act of theirs: blinds, antes, posts, and what a ruling
or a key that was taken back returns."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.decisions import BetMade, ChipsMoved, HandBegan


@dataclass(frozen=True)
class Unbet:
    """Chips by seat that went in and that came back, none of which an act tells. `first` says that they went
    in before the cards."""

    put_in: Mapping[int, int]
    back: Mapping[int, int]
    first: bool


class Stacks:
    """What everybody who is dealt in has before him, as far as it was told."""

    def __init__(self) -> None:
        self._stacks: dict[int, int] = {}
        self._first = True

    def begin(self, begun: HandBegan) -> None:
        """A hand begins: nothing was put in yet."""
        self._stacks = {seat: begun.stacks[seat] for seat in begun.seats}
        self._first = True

    def bet(self, made: BetMade) -> None:
        """An act that was told with its chips."""
        if made.seat in self._stacks:
            self._stacks[made.seat] -= made.put_in

    def moved(self, moved: ChipsMoved) -> Unbet:
        """Stacks as they are now: what of it no act and no pot that was paid has told."""
        first, self._first = self._first, False
        gone = {
            seat: self._stacks[seat] - chips for seat, chips in moved.stacks.items() if seat in self._stacks
        }
        self._stacks.update({seat: moved.stacks[seat] for seat in gone})
        if moved.returned or any(pot.winners for pot in moved.pots):
            gone = {}
        return Unbet(
            {seat: chips for seat, chips in gone.items() if chips > 0},
            {seat: -chips for seat, chips in gone.items() if chips < 0},
            first,
        )
