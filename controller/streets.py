"""The board of one hand: the street that comes next, its burn, and how many acted on the last one."""

from dataclasses import dataclass, field
from typing import Final

from controller.cards import Card
from controller.hand import PhaseName

_NEXT: Final[tuple[tuple[int, PhaseName], ...]] = ((3, "flop-deal"), (4, "turn-deal"))
_FULL: Final[dict[PhaseName, int]] = {"flop-deal": 3, "turn-deal": 4, "river-deal": 5}
_LIE: Final[dict[PhaseName, int]] = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
"""How many board cards lie in each betting round."""
_AFTER: Final[dict[PhaseName, PhaseName]] = {"flop-deal": "turn-deal", "turn-deal": "river-deal"}


@dataclass
class Streets:
    """What happened on the board.

    `cards` are in play, in the order dealt; `early` were taken off by rulings and are not shuffled in yet,
    `burnt` are second burns of a street, of which a ruling makes something else.
    `burned` counts the burns made for each street, `spent` those among them that an early card has cost,
    `acts` the acts on the street that lies; `last_ms` is the shoe's time of the last draw to the board.
    `planned` is how many burns a street is to have, where it is not one.
    `since_shuffle` is whether a burn was made off the stub as it was shuffled last.
    """

    cards: list[Card] = field(default_factory=list, repr=False)
    early: list[Card] = field(default_factory=list, repr=False)
    burnt: list[Card] = field(default_factory=list, repr=False)
    burned: dict[PhaseName, int] = field(default_factory=dict)
    since_shuffle: bool = False
    spent: dict[PhaseName, int] = field(default_factory=dict)
    planned: dict[PhaseName, int] = field(default_factory=dict)
    acts: int = 0
    last_ms: int = 0

    @property
    def next(self) -> PhaseName:
        """The `…-deal` phase of the street whose cards come next, or still come."""
        return next((phase for full, phase in _NEXT if len(self.cards) < full), "river-deal")

    def missing(self, phase: PhaseName) -> int:
        """How many cards the board lacks until the street of this `…-deal` phase lies."""
        return max(0, _FULL[phase] - len(self.cards))

    def ahead(self, phase: PhaseName) -> int:
        """How many cards of the street after this betting round lie already."""
        return max(0, len(self.cards) - _LIE[phase])

    @property
    def after_next(self) -> PhaseName:
        """The street after the one that comes next. KeyError after the river."""
        return _AFTER[self.next]

    @property
    def burns(self) -> int:
        """How many burns were made for the street that comes next."""
        return self.burned.get(self.next, 0)

    @property
    def burn_is_due(self) -> bool:
        """Whether the street that comes next has still to have a burn."""
        return self.burns < self.planned.get(self.next, 1)

    @property
    def unspent_is_due(self) -> bool:
        """Whether it has still to have one that no early card has cost."""
        return self.unspent < self.planned.get(self.next, 1)

    def plan(self, count: int) -> None:
        """The street that comes next is to have so many burns; what it has by then beyond them, the one after
        it has less."""
        self.planned[self.next] = count
        too_many = self.burns - count
        if too_many > 0 and self.next in _AFTER:
            self.planned[self.after_next] = max(0, 1 - too_many)

    def burn(self, count: int = 1, street: PhaseName | None = None) -> None:
        """A burn was made, or with -1 taken out of the burn tray again, for a street; else for the next."""
        burned = street or self.next
        self.burned[burned] = self.burned.get(burned, 0) + count
        self.since_shuffle = self.since_shuffle or count > 0

    @property
    def unspent(self) -> int:
        """How many burns made for the street that comes next no early card has cost."""
        return self.burns - self.spent.get(self.next, 0)

    def spend(self) -> None:
        """A card came early: it has cost the burns that were made before it."""
        self.spent = dict(self.burned)
