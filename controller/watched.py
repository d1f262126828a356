"""Between the cards that are followed and the hand: what came is handed on, kept while the floor decides, or
means nothing any more.

The ledger is kept by `tracking` whatever happens here.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial

from controller.cards import Card
from controller.events import Acted, Keyed
from controller.irregularities import Fault
from controller.ledger import Facing
from controller.places import Place
from controller.sequence import Flight
from controller.tracking import Procedure


class Mode(Enum):
    """What becomes of a card, a key or an act in its sequence."""

    FOLLOWS = "follows"
    KEEPS = "keeps"  # the table is halted
    IGNORES = "ignores"  # the hand is void, or is finished by hand


class Watched:
    """A procedure that can be stopped; `moves` are cards that lay and were carried meanwhile: from, to."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._kept: list[tuple[Callable[[], None], Card | None]] = []  # with the card that it lays
        self.mode = Mode.FOLLOWS
        self.moves: dict[Card, tuple[Place, Place]] = {}

    def is_in(self, mode: Mode) -> None:
        """Follows, keeps or ignores from now on; what was kept is forgotten."""
        self.mode = mode
        self._kept.clear()
        self.moves.clear()

    @property
    def plainly_follows(self) -> bool:
        """Whether all that comes is handed on, and nothing is kept."""
        return self.mode is Mode.FOLLOWS and not self._kept and not self.moves

    def goes_on(self) -> None:
        """Hands on what was kept, in its order; what cards were carried for is the floor's to settle before.

        Where that halts the table again, the rest is kept on.
        """
        kept, self._kept = self._kept, []
        self.is_in(Mode.FOLLOWS)
        for at, (what, _) in enumerate(kept):
            if self.mode is not Mode.FOLLOWS:
                self._kept = [*self._kept, *kept[at:]]
                return
            what()

    @property
    def to_be_laid(self) -> tuple[Card, ...]:
        """Cards that came to rest, and that the hand has still to hear of."""
        return tuple(card for _, card in self._kept if card is not None)

    def _take(self, what: Callable[[], None], lays: Card | None = None) -> None:
        if self.mode is Mode.FOLLOWS:
            what()
        elif self.mode is Mode.KEEPS:
            self._kept.append((what, lays))

    @property
    def plays(self) -> bool:
        """Whether cards are in play: no deck but theirs is on the table."""
        return self.mode is not Mode.IGNORES and self._procedure.plays

    def place_due(self, ahead: int, way: str) -> Place | None:
        """Where the card is due that comes `ahead` cards after the next one, None where none is due."""
        if self.mode is Mode.IGNORES:
            return None
        return self._procedure.place_due(ahead + len(self.to_be_laid), way)

    @property
    def follows_draws(self) -> bool:
        """Whether every card that leaves the shoe means something now."""
        return self.mode is Mode.FOLLOWS and self._procedure.follows_draws

    def pack_is_wrong(self, fault: Fault, place: Place, seen: tuple[Card, ...]) -> bool:
        """The pack is no pack to play with, as was found at `place`; whether that was ruled on. While the
        floor decides about another matter, it is only told."""
        return self.mode is Mode.FOLLOWS and self._procedure.pack_is_wrong(fault, place, seen)

    def place_inferred(self, flight: Flight) -> Place | None:
        """Where a card went that is due nowhere and that no antenna sees; None where nothing says it, or
        where cards are only watched."""
        return self._procedure.place_inferred(flight) if self.mode is Mode.FOLLOWS else None

    def joker(self) -> None:
        """A joker left the shoe in the place of a card."""
        self._take(self._procedure.joker)

    def lay(self, flight: Flight, place: Place) -> None:
        """A card came to rest, in its sequence; the ledger has it already."""
        self._take(partial(self._procedure.lay, flight, place), lays=flight.card)

    def press(self, key: Keyed) -> None:
        """A key, in its sequence."""
        self._take(partial(self._procedure.press, key))

    def act(self, event: Acted) -> None:
        """A player's act, in its sequence."""
        self._take(partial(self._procedure.act, event))

    def passed(self, token: int) -> None:
        """A deadline has passed, in its sequence."""
        self._take(partial(self._procedure.passed, token))

    def moved(self, card: Card, source: Place, to: Place) -> None:
        """A card that lay somewhere came to rest again, there or elsewhere."""
        if self.mode is Mode.KEEPS:
            first, _ = self.moves.get(card, (source, to))
            self.moves[card] = first, to
        else:
            self._take(partial(self._procedure.moved, card, source, to))

    def turned(self, card: Card, place: Place, facing: Facing) -> None:
        """A card that lay somewhere was turned over."""
        self._take(partial(self._procedure.turned, card, place, facing))

    def settled(self) -> None:
        """What came is laid, and the next in the sequence, if any, is no card in flight."""
        self._take(self._procedure.settled)
