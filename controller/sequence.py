"""The one sequence on which the core decides: draws in the shoe's order, keys and acts behind the draws
before them.

A draw counts once its own place and that of every earlier card is known, so that the order in which antennas
report changes nothing (table.md's rule, docs/procedures.md "One sequence").
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.cards import Card
from controller.events import Acted, Arrived, DeadlinePassed, Keyed, Turned
from controller.ledger import Evidence, Facing
from controller.places import Place


@dataclass
class Flight:
    """A card that left the shoe and whose place may still be unknown.

    `time` is the shoe's when it passed, in ms; `boxed` is whether it lay face up in the pack. `later` is what
    was said of it beyond its first place, to be heard once it is laid. The card is not shown.
    """

    card: Card = field(repr=False)
    way: str
    time: int
    boxed: bool = False
    deadline: int | None = None
    place: Place | None = None
    evidence: Evidence = Evidence.SEEN
    facing: Facing = Facing.UNKNOWN
    later: list[Arrived | Turned] = field(default_factory=list)


@dataclass
class _Early:
    """What an antenna said of a card whose draw has still to come, and until when it may come."""

    said: list[Arrived | Turned]
    deadline: int


Word = Keyed | Acted | Arrived | Turned | DeadlinePassed
"""What takes its place behind the cards in flight: keys, acts, words of cards that lay before, deadlines."""

Item = Flight | Word
"""What waits."""


class Sequence:
    """Cards in flight, and what waits behind them."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._early: dict[Card, _Early] = {}

    def clear(self) -> None:
        """Forgets everything that waits: a new hand begins."""
        self._items.clear()
        self._early.clear()

    @property
    def waiting(self) -> bool:
        """Whether anything waits."""
        return bool(self._items)

    def arrived_early(self, card: Card, event: Arrived, deadline: int) -> None:
        """An antenna was quicker than the shoe: the card's draw has still to come, before `deadline`."""
        self._early[card] = _Early([event], deadline)

    def is_early(self, card: Card) -> bool:
        """Whether an antenna reported this card before the shoe did."""
        return card in self._early

    def more_early(self, card: Card, event: Arrived | Turned) -> None:
        """More was said of a card whose draw has still to come."""
        self._early[card].said.append(event)

    def take_early(self, card: Card) -> tuple[list[Arrived | Turned], int | None]:
        """What was said of a card before its draw came, and the deadline that ends with it."""
        early = self._early.pop(card, None)
        return (early.said, early.deadline) if early is not None else ([], None)

    def begin_anew(self, of_flight: Callable[[], int], of_tag: Callable[[], int]) -> list[int]:
        """Everything that has a time gets it anew; returns the deadlines that mean nothing any more."""
        gone = []
        for flight in self.unseen():
            if flight.deadline is not None:
                gone.append(flight.deadline)
                flight.deadline = of_flight()
        for early in self._early.values():
            gone.append(early.deadline)
            early.deadline = of_tag()
        return gone

    def unseen(self) -> list[Flight]:
        """The cards in flight whose place is not known."""
        return [item for item in self._items if isinstance(item, Flight) and item.place is None]

    def give_up(self, flight: Flight) -> None:
        """A card in flight is not waited for any more."""
        self._items.remove(flight)

    def never_drawn(self, token: int) -> Card | None:
        """The card that lies on the table without a draw, if this is its deadline."""
        return next((card for card, early in self._early.items() if early.deadline == token), None)

    def drew(self, flight: Flight) -> None:
        """A card left the shoe."""
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

    def waits(self, item: Word) -> None:
        """A word takes its place behind what came before it."""
        self._items.append(item)

    def front(self) -> Item | None:
        """What comes next."""
        return self._items[0] if self._items else None

    def step(self) -> None:
        """What came next has been dealt with."""
        self._items.popleft()
