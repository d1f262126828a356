"""The physical truth: every card is in exactly one place, and only a move changes that."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hil_rigs.virtual.chance import drawn

RANKS = "23456789TJQKA"
SUITS = "shdc"
TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 cards, sorted by rank, then by suit."""

CUT_CARD = "cut"
JOKER = "joker"
JOKERS = 2
"""How many come with a deck."""
SEATS = range(1, 12)
ZONES = (*(f"seat:{seat}" for seat in SEATS), "board", "burn", "muck", "aside", "scrap")
"""Where cards lie on the felt. Lists are in order of arrival."""

OFF_TABLE = "off-table"
"""Where a card lies that fell, or was pitched, off the table: no antenna is there."""

LOST = "lost"
PLACES = (
    *(*ZONES, "shoe", "input", "machine", "output", "returned", "pack", "cut-plate", "away"),
    *(OFF_TABLE, LOST),
)
"""All places. In stacks the first card is the top one: the next to leave the shoe, the first to be fed.

`returned` is what the shuffler gave back, `pack` is in the dealer's hands, `away` is put away, `lost` where
no hand finds it.
"""

UP = "up"
DOWN = "down"


class FeltError(Exception):
    """A move that cannot be true: the card is elsewhere, or there is no such place or card."""


@dataclass(frozen=True)
class Card:
    """A tagged card: `text` such as `As` (`cut` for a cut card, `joker`), UID, deck, colour of the back."""

    text: str
    uid: bytes
    deck: str
    back: str = "red"

    @property
    def is_cut_card(self) -> bool:
        """Whether it is a cut card, no member of any deck."""
        return self.text == CUT_CARD

    @property
    def is_joker(self) -> bool:
        """Whether it is a joker, no member of any deck."""
        return self.text == JOKER


@dataclass(frozen=True)
class Change:
    """A card has moved from `source` to `target`, or was turned where it lies (`turned`)."""

    card: Card
    source: str
    target: str
    face: str
    turned: bool = False


@dataclass(frozen=True)
class ShuffleRecord:
    """One shuffle: what was in it, sorted by rank and suit, and the order in which the cards will leave."""

    included: tuple[str, ...]
    order: tuple[str, ...]
    cut: bool
    by: Literal["machine", "hand"] = "machine"


def rank_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Return cards sorted by rank `23456789TJQKA`, then suit `shdc`; strangers to both stand last."""
    known = {text: at for at, text in enumerate(TEXTS)}
    return tuple(sorted(texts, key=lambda text: (known.get(text, len(known)), text)))


def print_deck(seed: int | str, deck: str, back: str) -> tuple[Card, ...]:
    """Return 52 new cards of one deck and, last, its cut card. UIDs have 8 bytes and begin with E0."""
    rng = drawn(seed, "uids", deck)
    uids: set[bytes] = set()
    while len(uids) <= len(TEXTS):
        uids.add(b"\xe0\x04\x01" + rng.randbytes(5))
    order = sorted(uids)
    rng.shuffle(order)  # sorted first: the order of a set of bytes differs from run to run
    return tuple(Card(text, uid, deck, back) for text, uid in zip((*TEXTS, CUT_CARD), order, strict=True))


def print_jokers(seed: int | str, deck: str, back: str) -> tuple[Card, ...]:
    """Return the jokers that come with a deck and are no members of it; their UIDs begin with E0 too."""
    rng = drawn(seed, "jokers", deck)
    return tuple(
        Card(JOKER, b"\xe0\x04\x03" + rng.randbytes(5), f"{JOKER} of {deck}", back) for _ in range(JOKERS)
    )


class Felt:
    """All cards and where they are."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._places: dict[str, list[Card]] = {place: [] for place in PLACES}
        self._where: dict[Card, str] = {}
        self._faces: dict[Card, str] = {}
        self._fed_from: dict[Card, str] = {}
        self.listeners: list[Callable[[Change], None]] = []
        self.shuffles: list[ShuffleRecord] = []
        for card in cards:
            self.introduce(card)
        self._of_decks = frozenset(self._where)

    def introduce(self, card: Card) -> None:
        """Bring a card into the world, `away` from the table. Raises FeltError for a tag that exists."""
        if any(card.uid == other.uid for other in self._where):
            raise FeltError("two cards with one tag")
        self._begin(card)

    def introduce_copy(self, card: Card) -> Card:
        """Bring a second card like this one into the world, `away` from the table: its tag says the same.

        It is of no deck. Raises FeltError for a card that is not in this world.
        """
        self.where(card)
        copies = sum(card.uid == other.uid for other in self._where)
        copy = Card(card.text, card.uid, f"copy {copies} of {card.deck}", card.back)
        self._begin(copy)
        return copy

    def _begin(self, card: Card) -> None:
        self._places["away"].append(card)
        self._where[card] = "away"
        self._faces[card] = DOWN

    def move(self, card: Card, to: str, *, face: str = DOWN, on_top: bool = False) -> None:
        """Move a card to another place, to the end of what lies there or on top of it. Raises FeltError."""
        if to not in self._places or face not in (UP, DOWN):
            raise FeltError(f"there is no {to} {face}")
        source = self.where(card)
        if source == to:
            raise FeltError(f"it is in {to} already")
        self._places[source].remove(card)
        self._places[to].insert(0 if on_top else len(self._places[to]), card)
        self._where[card] = to
        self._faces[card] = face
        if to == "input" and source != "returned":
            self._fed_from[card] = source
        self._tell(Change(card, source, to, face))

    def turn(self, card: Card, face: str) -> None:
        """Turn a card where it lies; nothing happens where it lies so already. Raises FeltError."""
        place = self.where(card)
        if face not in (UP, DOWN):
            raise FeltError(f"no card lies {face}")
        if self._faces[card] == face:
            return
        self._faces[card] = face
        self._tell(Change(card, place, place, face, turned=True))

    def reorder(self, place: str, order: Sequence[Card]) -> None:
        """Give a stack another order of the same cards. Raises FeltError where they are not the same."""
        if set(order) != set(self._places[place]) or len(order) != len(self._places[place]):
            raise FeltError("an order of other cards")
        self._places[place] = list(order)

    def cards(self, place: str) -> tuple[Card, ...]:
        """Return what lies in a place, in its order, cut cards too. Raises FeltError for no place."""
        if place not in self._places:
            raise FeltError(f"there is no {place}")
        return tuple(self._places[place])

    def texts(self, place: str) -> tuple[str, ...]:
        """Return the playing cards in a place as texts. Raises FeltError for no place."""
        return tuple(card.text for card in self.cards(place) if not card.is_cut_card)

    def all_cards(self) -> tuple[Card, ...]:
        """Return every card in the world."""
        return tuple(self._where)

    def where(self, card: Card) -> str:
        """Return the place of a card. Raises FeltError for a card that is not in this world."""
        if card not in self._where:
            raise FeltError("that card is not in this world")
        return self._where[card]

    def face(self, card: Card) -> str:
        """Return `up` or `down`. Raises FeltError for a card that is not in this world."""
        self.where(card)
        return self._faces[card]

    def is_of_a_deck(self, card: Card) -> bool:
        """Whether a card is one of the decks that the table has, and no joker, stranger or copy."""
        return card in self._of_decks and not card.is_cut_card

    def fed_from(self, card: Card) -> str:
        """Return where a card lay before it was last laid into the shuffler; `away` where it never was."""
        return self._fed_from.get(card, "away")

    def find(self, text: str, places: Iterable[str] = ZONES) -> Card | None:
        """Return a card of that text that lies in one of the places, or None."""
        for place in places:
            for card in self._places[place]:
                if card.text == text:
                    return card
        return None

    def check(self) -> None:
        """Raise FeltError unless every card is in exactly one place, and that the one it is said to be in."""
        seen = [card for cards in self._places.values() for card in cards]
        if len(seen) != len(self._where) or set(seen) != set(self._where):
            raise FeltError("a card is lost, or is in two places")
        if any(card not in self._places[place] for card, place in self._where.items()):
            raise FeltError("a card is not where it is said to be")

    def _tell(self, change: Change) -> None:
        for listener in self.listeners:
            listener(change)
