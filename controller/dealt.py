"""What one deal has given to whom, what was exposed in it and what was too many."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.cards import Card
from controller.irregularities import DealSoFar


@dataclass
class Deal:
    """One deal of a hand; a misdeal begins another.

    `hole` are the cards that each seat plays, `lying` all that lie there, as dealt, those out of play too.
    `off_deck` are the hole cards as they left the deck, `given` counts them by seat, `boxed` those that were
    scrap. `acts` counts acts before the flop,
    `chips_went_in` is whether one of them put chips in.
    """

    order: tuple[int, ...]
    each: int
    hole: dict[int, list[Card]] = field(default_factory=dict, repr=False)
    lying: dict[int, list[Card]] = field(default_factory=dict, repr=False)
    off_deck: list[Card] = field(default_factory=list, repr=False)
    exposed: dict[Card, int] = field(default_factory=dict, repr=False)
    extra: dict[Card, int] = field(default_factory=dict, repr=False)
    given: dict[int, int] = field(default_factory=dict)
    replaced: int = 0
    boxed: int = 0
    acts: int = 0
    chips_went_in: bool = False

    def __post_init__(self) -> None:
        self.hole = {seat: [] for seat in self.order}
        self.lying = {seat: [] for seat in self.order}
        self.given = dict.fromkeys(self.order, 0)

    @property
    def all_dealt(self) -> bool:
        """Whether everybody has been dealt, exposed cards counted."""
        owed = [seat for seat in self.order if len(self.hole[seat]) + self._exposed_of(seat) < self.each]
        return not owed

    @property
    def complete(self) -> bool:
        """Whether everybody holds the cards that he plays."""
        return all(len(self.hole[seat]) == self.each for seat in self.order)

    def _exposed_of(self, seat: int) -> int:
        return sum(owner == seat for card, owner in self.exposed.items() if card not in self.extra)

    def so_far(self, holders: Sequence[int]) -> DealSoFar:
        """What irregularities are told apart by."""
        return DealSoFar(
            first=self.order[0],
            holders=tuple(holders),
            all_dealt=self.all_dealt,
            exposed=len(self.exposed),
            replaced=self.replaced,
            extra=len(self.extra),
            extra_seen=sum(card in self.exposed for card in self.extra),
            order=self.order,
            given=self.given,
            each=self.each,
            begun=bool(self.off_deck),
        )

    def dealt(self, card: Card, seat: int) -> None:
        """A card that was due lies at its seat."""
        self.hole[seat].append(card)
        self.lying[seat].append(card)
        self.off_deck.append(card)
        self.given[seat] += 1

    def too_many(self, card: Card, seat: int) -> None:
        """A card too many lies at a seat."""
        self.extra[card] = seat
        self.lying[seat].append(card)

    def takes(self, card: Card, seat: int) -> None:
        """A card that was none of this seat's is played by it from now on."""
        self.hole[seat].append(card)
        if card not in self.lying[seat]:
            self.lying[seat].append(card)
        self.replaced += 1

    def takes_back(self, card: Card, seat: int) -> None:
        """A card that counted as exposed is played after all, in its old place before those that left."""
        self.hole[seat].append(card)
        places = {lying: at for at, lying in enumerate(self.lying[seat])}
        self.hole[seat].sort(key=lambda held: places.get(held, len(places)))

    def carried(self, card: Card, source: int | None, to: int | None) -> None:
        """A card was carried from a seat, or to one, where it is the last to lie then; None for other
        places."""
        if source in self.lying and card in self.lying[source]:
            self.lying[source].remove(card)
        if to in self.lying and card not in self.lying[to]:
            self.lying[to].append(card)

    def owner(self, card: Card) -> int | None:
        """The seat that plays a card, None for one that no hand holds."""
        return next((seat for seat, cards in self.hole.items() if card in cards), None)

    def position(self, card: Card) -> int:
        """A card's place off the deck, from 0; -1 for one that no deal gave."""
        return self.off_deck.index(card) if card in self.off_deck else -1

    def which(self, card: Card, seat: int) -> int:
        """Which of the cards that lie at a seat this is, from 1; 0 where it does not lie there."""
        return self.lying[seat].index(card) + 1 if card in self.lying.get(seat, ()) else 0
