"""Cards that a ruling took out of play: they count as aside from then on, moved or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.decisions import FloorRuled, Joined, PlayedAfterAll, Ruled, Withdrawn
from controller.notices import AnyNotice
from hil_rigs.virtual.felt import DOWN, OFF_TABLE, Card, Change, Felt

_SAME_MATTER = ({"exposed", "extra"}, {"board", "early", "burnt"})
"""What rulings take that supersede each other: what the floor lets stand of one stands of all before it."""


_MACHINE: Final = frozenset({"input", "machine", "returned"})
"""Where a card that was laid in wrongly goes and comes back from as it was."""


@dataclass
class _Ruling:
    """What one ruling took out so far: a card that moved since is not taken out again."""

    takes: str
    seen: set[Card] = field(default_factory=set)
    unseen: set[Card] = field(default_factory=set)


class OutOfPlay:
    """The cards out of play that lie where they lay when they were ruled on.

    Once one is moved, the place where it lies is its place. A ruling must be told here before a card moves
    because of it.
    """

    def __init__(self, felt: Felt) -> None:
        self._felt = felt
        self._rulings: dict[int, _Ruling] = {}
        self._out: dict[Card, set[int]] = {}  # by the numbers of the rulings
        self._drawn: tuple[Card, ...] = ()
        self.jokers: list[str] = []
        """Jokers that left the shoe in this hand."""
        felt.listeners.append(self._changed)

    def begins(self) -> None:
        """A hand begins: rulings are numbered anew, and the whole deck is in play."""
        self._rulings.clear()
        self._out.clear()
        self.jokers.clear()

    def hears(self, said: AnyNotice) -> None:
        """Takes what the controller said, as far as it is of cards out of play."""
        match said:
            case Ruled():
                self.ruled(said)
            case Joined():
                self.joined(said)
            case PlayedAfterAll():
                self.played_after_all(said)
            case Withdrawn(number=number):
                self.withdrawn(number)
            case FloorRuled():
                self.decided(said)
            case _:
                pass

    def ruled(self, told: Ruled) -> None:
        """A ruling was made, or told again with more cards."""
        if told.takes == "nothing":
            return
        ruling = self._rulings.setdefault(told.number, _Ruling(told.takes))
        found = [self._felt.find(text) for text in told.cards]
        seen = [card for card in found if card is not None and card not in ruling.seen]
        ruling.seen.update(seen)
        ruling.unseen.difference_update(seen)
        more = told.unseen - len(ruling.unseen)
        unseen: tuple[Card, ...] = ()
        if more > 0:
            known = ruling.seen | ruling.unseen | self._out.keys()
            fallen = self._lying(OFF_TABLE) if told.rule == "card-off-table" else []
            others = [card for card in fallen or self._lying(told.place) if card not in known]
            if told.place == "board" and told.evidence != "inferred":  # those are told that lie face up
                others = [card for card in others if self._felt.face(card) == DOWN]
            unseen = tuple(others[-more:])
        ruling.unseen.update(unseen)
        for card in (*seen, *unseen):
            self._out.setdefault(card, set()).add(told.number)

    def joined(self, told: Joined) -> None:
        """A card that came while a remedy was under way is out of play with the ruling's own."""
        lying = self._lying(told.place)
        card = next((card for card in reversed(lying) if card not in self._out), None)
        if card is not None:
            self._out[card] = {told.number}

    def played_after_all(self, told: PlayedAfterAll) -> None:
        """Cards that are named are in play where they lie; else the last card out of play that lies there and
        was not named before."""
        for text in told.cards:
            if (named_card := self._felt.find(text)) is not None:
                self._out.pop(named_card, None)
        if told.cards:
            return
        named = {card for ruling in self._rulings.values() for card in ruling.seen}
        lying = self._lying(told.place)
        card = next((card for card in reversed(lying) if card in self._out and card not in named), None)
        if card is not None:
            del self._out[card]

    def withdrawn(self, number: int) -> None:
        """A ruling was taken back: what it took out and nobody has moved is in play again."""
        self._rulings.pop(number, None)
        for card in tuple(self._out):
            self._out[card].discard(number)
            if not self._out[card]:
                del self._out[card]

    def decided(self, told: FloorRuled) -> None:
        """The floor let something stand: all is in play again but the last card at each place that it
        names."""
        if told.decided == "stand" and told.ruling in self._rulings:
            takes = self._rulings[told.ruling].takes
            same = next((matter for matter in _SAME_MATTER if takes in matter), {takes})
            for number in [number for number, made in self._rulings.items() if made.takes in same]:
                self.withdrawn(number)
        for place in told.left_out:
            lying = [card for card in self._lying(place) if card not in self._out]
            if lying:
                self._out[lying[-1]] = {told.ruling or 0}

    def counted(self, truth: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
        """What lies in every place, with what is out of play counted as aside."""
        lying = {place: list(cards) for place, cards in truth.items()}
        for card in self._out:
            lying[self._felt.where(card)].remove(card.text)
        aside = [card.text for card in self._out]
        return {place: (*cards, *(aside if place == "aside" else ())) for place, cards in lying.items()}

    def _lying(self, place: str) -> list[Card]:
        """The cards of a deck in a place: others stand in no report. Of one of which the controller knows no
        place, the last that left the shoe."""
        cards = self._drawn if place == "transit" else self._felt.cards(place)
        return [card for card in cards if self._felt.is_of_a_deck(card)]

    def _changed(self, change: Change) -> None:
        if not change.turned and not _MACHINE & {change.source, change.target}:
            self._out.pop(change.card, None)
        if change.source == "shoe":
            self._drawn = (change.card,)
        if change.card.is_joker and change.source == "shoe":
            self.jokers.append(change.card.text)
