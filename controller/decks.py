"""Which tag is which card: registry files (docs/decks.md). A tag's UID is a card; it never leaves this
side."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from controller.cards import DECK, Card, in_order, parse_card
from controller.errors import DeckError, NoDeckError
from controller.mistakes import no_such

_MOST_BYTES = 8 << 20
UID_BYTES = range(4, 9)


class _DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    cards: dict[str, str]
    name: str = ""
    back: str = ""
    tech: str = ""
    cut_cards: tuple[str, ...] = ()
    jokers: tuple[str, ...] = ()


class _RegistryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    decks: tuple[_DeckFile, ...]


@dataclass(frozen=True)
class Deck:
    """52 tags and their cards. The representation shows no UID."""

    id: str
    back: str
    cards: Mapping[bytes, Card]

    def __repr__(self) -> str:
        return f"Deck({self.id!r}, {len(self.cards)} cards)"


@dataclass(frozen=True)
class Registry:
    """The decks of a file, and the cut cards and jokers, which are members of none."""

    decks: Mapping[str, Deck]
    cut_cards: frozenset[bytes]
    file: str = field(default="the deck registry", compare=False)
    jokers: frozenset[bytes] = field(default=frozenset(), repr=False)

    def __repr__(self) -> str:
        return f"Registry({', '.join(self.decks)})"

    def deck(self, deck_id: str) -> Deck:
        """The deck of that id; NoDeckError when the registry has none."""
        if deck_id not in self.decks:
            raise NoDeckError(f"{self.file}: {no_such(deck_id, self.decks, what='deck')}", deck_id)
        return self.decks[deck_id]


def read_registry(path: Path) -> Registry:
    """The registry in a file. DeckError names the file, the deck and what is wrong, never a UID."""
    try:
        if path.exists() and not path.is_file():
            raise DeckError(f"{path}: the deck registry cannot be read: this is no file")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError as error:
        raise DeckError(f"{path}: the deck registry cannot be read: {error.strerror}") from None
    return parse_registry(data, str(path))


def parse_registry(data: bytes, path: str) -> Registry:
    """The registry in the bytes of a file; `path` is what a DeckError names."""
    try:
        file = msgspec.json.decode(data, type=_RegistryFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DeckError(f"{path}: this is no deck registry: {_masked(str(error))}") from None
    if file.format != 1:
        raise DeckError(f"{path}: registry format {file.format} is not known; this version reads format 1")
    decks: dict[str, Deck] = {}
    taken: set[bytes] = set()
    cut_cards: set[bytes] = set()
    jokers: set[bytes] = set()
    for entry in file.decks:
        if entry.id in decks:
            raise DeckError(f"{path}: deck {entry.id!r} is there twice")
        try:
            decks[entry.id] = _deck(entry, taken)
            cut_cards |= {_uid(text, taken) for text in entry.cut_cards}
            jokers |= {_uid(text, taken) for text in entry.jokers}
        except ValueError as error:
            raise DeckError(f"{path}: deck {entry.id!r}: {error}") from None
    return Registry(decks, frozenset(cut_cards), path, frozenset(jokers))


def _masked(why: str) -> str:
    """What a decoder says, without the name of a field that could be a tag's UID in the wrong place."""
    return re.sub(r"field `(?![A-Za-z_]+`)[^`]*`", "field", why)


def _deck(entry: _DeckFile, taken: set[bytes]) -> Deck:
    cards: dict[bytes, Card] = {}
    for position, (uid, card) in enumerate(entry.cards.items(), start=1):
        try:
            cards[_uid(uid, taken)] = parse_card(card)
        except ValueError as error:
            raise ValueError(f"entry {position}: {error}") from None
    held = list(cards.values())
    twice = sorted({card for card in held if held.count(card) > 1})
    if twice:
        raise ValueError(f"{', '.join(twice)} is there twice")
    missing = in_order(set(DECK) - set(held))
    if missing:
        raise ValueError(f"{len(held)} cards, 52 are needed; missing: {' '.join(missing)}")
    lengths = sorted({len(uid) for uid in cards})
    if len(lengths) > 1:
        raise ValueError(
            f"its cards have UIDs of {' and '.join(map(str, lengths))} bytes: what is said of a card would "
            "be longer or shorter by which card it is; give it tags of one kind"
        )
    return Deck(entry.id, entry.back, cards)


def _uid(text: str, taken: set[bytes]) -> bytes:
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        raise ValueError("the UID is not written in hexadecimal") from None
    if len(uid) not in UID_BYTES:
        raise ValueError(f"a UID has 4 to 8 bytes, this one {len(uid)}")
    if uid in taken:
        raise ValueError("the UID is there twice")
    taken.add(uid)
    return uid
