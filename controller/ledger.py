"""The conscience of the table: 52 cards, each in exactly one zone, each with the evidence for it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from controller.cards import DECK, Card
from controller.places import AWAY, PLACES, Place


class Evidence(Enum):
    """How well it is known where a card is."""

    SEEN = "seen"  # a reader said so
    INFERRED = "inferred"  # from order, count or procedure
    STATED = "stated"  # a key, a hand


class Facing(Enum):
    """Which side of a card is up, as far as anything can tell."""

    UNKNOWN = "unknown"
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True)
class Location:
    """Where one card is and how that is known."""

    place: Place
    evidence: Evidence
    facing: Facing = Facing.UNKNOWN


class Ledger:
    """Every card of one deck in exactly one zone, and the order in which cards came to each zone.

    Cards only ever move: none can be added, dropped or doubled, so that 52 are always accounted for. Of two
    decks it is that of the deck in play.
    """

    def __init__(self) -> None:
        self._where = {card: Location(AWAY, Evidence.INFERRED) for card in DECK}
        self._zones: dict[Place, dict[Card, None]] = {place: {} for place in PLACES}
        self._zones[AWAY] = dict.fromkeys(DECK)

    def move(self, card: Card, to: Place, evidence: Evidence, facing: Facing = Facing.UNKNOWN) -> None:
        """Puts one card into a zone, last in its order; KeyError for no card or no zone."""
        target = self._zones[to]
        del self._zones[self._where[card].place][card]
        target[card] = None
        self._where[card] = Location(to, evidence, facing)

    def confirm(self, card: Card, facing: Facing) -> None:
        """A reader saw the card where it is held to be: the evidence grows, its place in the order stays."""
        self._where[card] = Location(self._where[card].place, Evidence.SEEN, facing)

    def turn(self, card: Card, facing: Facing) -> None:
        """A reader saw a card turned over where it lies."""
        held = self._where[card]
        self._where[card] = Location(held.place, held.evidence, facing)

    def move_all(self, cards: Iterable[Card], to: Place, evidence: Evidence) -> None:
        """Puts several cards into a zone, in the order given."""
        for card in tuple(cards):
            self.move(card, to, evidence)

    def where(self, card: Card) -> Location:
        """The one place of a card."""
        return self._where[card]

    def cards(self, place: Place) -> tuple[Card, ...]:
        """The cards of a zone in the order in which they came."""
        return tuple(self._zones[place])

    def count(self, place: Place) -> int:
        """How many cards a zone holds."""
        return len(self._zones[place])
