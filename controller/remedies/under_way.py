"""A remedy under way: how far its steps are done, and what it keeps from being taken as play."""

from dataclasses import dataclass, field
from typing import Final

from controller.cards import Card
from controller.remedies.steps import Await, Burn, Deal, Draw, Holds, Move, NamedRemedy, Pool, Shuffle, Step

_HOLDING: Final[tuple[Holds, ...]] = ("nothing", "street", "first-act", "everything")


@dataclass
class Open:
    """A remedy under way for ruling `number`.

    `owner` is the seat whose card was exposed, or where one too many lies. The step under way is `at`;
    `under_way` once it was begun, `acked` once the dealer pressed ack for it. `begun` once a first command
    was given, `asked` once the dealer was asked for a card that no rule has. `astray` while a card that
    joined the set is not with its others. `stray` is a card that was laid down in the place of the one asked
    for, and the seat that it belongs to. `cards` are those that its ruling took out of play, or of the hand
    that is dead. `stub_is_shuffled` once another remedy had the stub shuffled, with more cards or alone.
    """

    number: int
    rule: str
    named: NamedRemedy
    owner: int
    at: int = 0
    under_way: bool = False
    acked: bool = False
    begun: bool = False
    asked: bool = False
    stray: tuple[Card, int] | None = field(default=None, repr=False)
    astray: bool = False
    stub_is_shuffled: bool = False
    cards: tuple[Card, ...] = field(default=(), repr=False)

    @property
    def says(self) -> str:
        """The step under way in words."""
        return self.step.says if self.step is not None else self.named.remedy.says

    @property
    def step(self) -> Step | None:
        """The step under way, None when all are done."""
        steps = self.named.remedy.steps
        return steps[self.at] if self.at < len(steps) else None

    @property
    def shuffles_stub_first(self) -> bool:
        """Whether the stub is still to be shuffled for it before it has a card leave the shoe."""
        leaving = (Shuffle, Burn, Deal, Draw)
        first = next((s for s in self.named.remedy.steps[self.at :] if isinstance(s, leaving)), None)
        return isinstance(first, Shuffle) and not self.stub_is_shuffled

    def moves(self, pool: Pool) -> bool:
        """Whether a step to come moves cards of this pool."""
        steps = self.named.remedy.steps[self.at :]
        return any(isinstance(step, Move) and step.cards == pool for step in steps)

    def holds(self, kind: Holds) -> bool:
        """Whether it keeps this from being taken as play now; one that waits for the play holds no act."""
        holds = self.named.remedy.holds
        if holds == "first-act" and isinstance(self.step, Await):
            holds = "nothing"
        elif isinstance(self.step, Move) and self.step.holds is not None:
            holds = self.step.holds
        return _HOLDING.index(holds) >= _HOLDING.index(kind)
