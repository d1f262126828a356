"""Whose chips are whose at the end of a scenario, by what the controller told."""

from collections.abc import Iterable, Mapping

from controller.decisions import ChipsMoved, HandBegan, SeatChanged, SeatLeft
from controller.notices import AnyNotice


class Chips:
    """Chips by seat, in the controller's unit. What nobody has called is still his who bet it."""

    def __init__(self, seats: Mapping[int, int], told: Iterable[AnyNotice]) -> None:
        self._stacks = dict(seats)
        self._bought: dict[int, int] = {}
        self._uncalled: Mapping[int, int] = {}
        self.left: dict[int, int] = {}
        """What players took along who left, by the seat where they sat."""
        self.rake = 0
        """What the house took."""
        for said in told:
            self._hears(said)

    def stack(self, seat: int) -> int:
        """What lies in front of a seat at the end."""
        return sum(chips.get(seat, 0) for chips in (self._stacks, self._bought, self._uncalled))

    def _hears(self, said: AnyNotice) -> None:
        match said:
            case HandBegan():
                self._stacks |= said.stacks  # chips that were bought meanwhile are among them
                self._bought.clear()
                self._uncalled = {}
            case ChipsMoved():
                self._stacks |= said.stacks
                self._uncalled = said.uncalled
                self.rake += sum(pot.rake for pot in said.pots)
            case SeatChanged(seat=seat, chips=chips) if chips:
                self._bought[seat] = self._bought.get(seat, 0) + chips
            case SeatLeft(seat=seat, chips=chips):
                self.left[seat] = self.left.get(seat, 0) + chips
                self._stacks[seat] = 0
                self._bought.pop(seat, None)
            case _:
                pass
