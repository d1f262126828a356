"""The one sequence on which the core decides: draws in the shoe's order, keys and acts behind the draws
before them.

A draw counts once its own place and that of every earlier card is known, so that the order in which
antennas report
changes nothing (table.md's rule, docs/procedures.md "One sequence").
"""

from collections import deque
from dataclasses import dataclass

from controller.cards import Card
from controller.events import Acted, Keyed
from controller.ledger import Evidence, Facing
from controller.places import Place


@dataclass
class Flight:
    """A card that left the shoe and whose place may still be unknown."""

    card: Card
    way: str
    deadline: int | None = None
    place: Place | None = None
    evidence: Evidence = Evidence.SEEN
    facing: Facing = Facing.UNKNOWN
    turned: Facing | None = None


class Sequence:
    """Cards in flight, and the keys and acts that wait behind them."""

    def __init__(self) -> None:
        self._items: deque[Flight | Keyed | Acted] = deque()
        self._early: dict[Card, tuple[Place, Facing, Facing | None]] = {}

    def clear(self) -> None:
        """Forgets everything that waits: a new hand begins."""
        self._items.clear()
        self._early.clear()

    def arrived_early(self, card: Card, place: Place, facing: Facing) -> None:
        """An antenna was quicker than the shoe: the card's draw has still to come."""
        self._early[card] = (place, facing, None)

    def turned_early(self, card: Card, facing: Facing) -> None:
        """A card whose draw has still to come was turned where it lies."""
        place, arrived, _ = self._early[card]
        self._early[card] = (place, arrived, facing)

    def is_early(self, card: Card) -> bool:
        """Whether an antenna reported this card before the shoe did."""
        return card in self._early

    def drew(self, flight: Flight) -> None:
        """A card left the shoe; what an antenna said of it before is joined to it."""
        if flight.card in self._early:
            flight.place, flight.facing, flight.turned = self._early.pop(flight.card)
        self._items.append(flight)

    def in_flight(self, card: Card) -> Flight | None:
        """The flight of a card that has left the shoe and is not laid yet."""
        return next((item for item in self._items if isinstance(item, Flight) and item.card == card), None)

    def position(self, flight: Flight) -> int:
        """How many cards in flight lie before this one."""
        flights = [item for item in self._items if isinstance(item, Flight)]
        return flights.index(flight)

    def overdue(self, token: int) -> Flight | None:
        """The flight whose deadline this is, if it still waits for a place."""
        return next(
            (
                item
                for item in self._items
                if isinstance(item, Flight) and item.deadline == token and item.place is None
            ),
            None,
        )

    def waits(self, item: Keyed | Acted) -> None:
        """A key or an act takes its place behind the draws before it."""
        self._items.append(item)

    def front(self) -> Flight | Keyed | Acted | None:
        """What comes next."""
        return self._items[0] if self._items else None

    def step(self) -> None:
        """What came next has been dealt with."""
        self._items.popleft()
