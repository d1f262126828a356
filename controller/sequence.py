"""The one sequence on which the core decides: draws in the shoe's order, keys and acts behind the draws
before them.

A draw counts once its own place and that of every earlier card is known, so that the order in which antennas
report changes nothing (table.md's rule, docs/procedures.md "One sequence").
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from controller.cards import Card
from controller.dealing import HAND
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

    def came_to_rest_first(self, event: Arrived) -> bool:
        """Whether this is said of its first place, and not of a card that was carried off and came back."""
        return self.place is None or (self.place == event.place and not self.later)


@dataclass
class Passage:
    """Something that passed the shoe's lip and is not one card that was read: the dealer has to confirm it.

    `count` cards left with it, of which `known` were read; `time` is the shoe's, in ms. No card is shown.
    """

    code: Literal["unread-card", "double-feed", "reversed-card", "card-timeout"]
    way: str
    time: int
    count: int = 0
    known: tuple[Card, ...] = field(default=(), repr=False)


@dataclass
class _Early:
    """What an antenna said of a card whose draw has still to come, and until when it may come."""

    said: list[Arrived | Turned]
    deadline: int


Word = Keyed | Acted | Arrived | Turned | DeadlinePassed
"""What takes its place behind the cards in flight: keys, acts, words of cards that lay before, deadlines."""

Item = Flight | Passage | Word
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

    @property
    def empty(self) -> bool:
        """Whether nothing waits, and no antenna was quicker than the shoe."""
        return not self._items and not self._early

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

    def renew(self, card: Card, deadline: int) -> None:
        """A card that lies on the table may still be named as one that was not read."""
        self._early[card].deadline = deadline

    def heard_early(self) -> dict[Card, Place]:
        """The cards that antennas have reported before their draw, and where they came to rest first."""
        return {
            card: next(event.place for event in early.said if isinstance(event, Arrived))
            for card, early in self._early.items()
            if any(isinstance(event, Arrived) for event in early.said)
        }

    # What the shoe could not read

    def passes(self, passage: Passage) -> None:
        """Something passed the lip that the dealer has to confirm: what comes behind it waits."""
        self._items.append(passage)

    def passage(self) -> Passage | None:
        """The first that waits for the dealer's word."""
        return next((item for item in self._items if isinstance(item, Passage)), None)

    def becomes(self, passage: Passage, flights: list[Flight]) -> None:
        """A passage was confirmed: these are the cards that passed."""
        at = self._items.index(passage)
        self._items.remove(passage)
        for flight in reversed(flights):
            self._items.insert(at, flight)

    def is_known_to_pass(self, card: Card) -> bool:
        """Whether a card was read in a passage that waits for the dealer's word."""
        return any(isinstance(item, Passage) and card in item.known for item in self._items)

    @property
    def ahead(self) -> int:
        """How many cards have left the shoe and are not laid yet."""
        return sum(map(_cards, self._items))

    @property
    def drawn_by_hand(self) -> int:
        """How many of them a hand has drawn."""
        return sum(isinstance(item, Flight) and item.way == HAND for item in self._items)

    def drew(self, flight: Flight) -> None:
        """A card left the shoe."""
        self._items.append(flight)

    def in_flight(self, card: Card) -> Flight | None:
        """The flight of a card that has left the shoe and is not laid yet."""
        return next((item for item in self._items if isinstance(item, Flight) and item.card == card), None)

    def position(self, sought: Flight | Passage) -> int:
        """How many cards have left the shoe before this one, or this passage, and are not laid yet."""
        ahead = 0
        for item in self._items:
            if item is sought:
                break
            ahead += _cards(item)
        return ahead

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


def _cards(item: Item) -> int:
    """How many cards have left the shoe with it."""
    if isinstance(item, Passage):
        return item.count
    return int(isinstance(item, Flight))
