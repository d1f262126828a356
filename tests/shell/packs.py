"""A deck with tags for tests of the shell."""

import json

from controller.cards import DECK, Card
from controller.decks import Deck, Registry, parse_registry

CUT_CARD = bytes.fromhex("E00401CC000000CC")
FOREIGN = bytes.fromhex("E00401FF00000001")
UIDS: dict[Card, bytes] = {card: bytes.fromhex(f"E0040150{7 * i + 11:08X}") for i, card in enumerate(DECK)}
BLUE: dict[Card, bytes] = {card: bytes.fromhex(f"E0040151{5 * i + 13:08X}") for i, card in enumerate(DECK)}


def entry(deck: str = "red") -> dict[str, object]:
    """A deck as a registry file has it."""
    return {
        "id": deck,
        "back": "red",
        "cards": {uid.hex().upper(): card for card, uid in UIDS.items()},
        "cut_cards": [CUT_CARD.hex().upper()],
    }


def blue() -> dict[str, object]:
    """A second deck with tags of its own, as a registry file has it."""
    return {"id": "blue", "back": "blue", "cards": {uid.hex().upper(): card for card, uid in BLUE.items()}}


def as_file(*decks: dict[str, object], format_: int = 1) -> bytes:
    """A registry file."""
    return json.dumps({"format": format_, "decks": decks}).encode()


def registry() -> Registry:
    """The registry with one red deck and its cut card."""
    return parse_registry(as_file(entry()), "decks.json")


def both() -> Registry:
    """The registry with the red deck and the blue one."""
    return parse_registry(as_file(entry(), blue()), "decks.json")


def deck() -> Deck:
    """The red deck."""
    return registry().deck("red")


def any_uid_in(text: str) -> bool:
    """Whether a tag of a deck, the cut card's or the foreign one is written there, in any usual way."""
    plain = text.upper().replace(" ", "").replace("\\X", "")
    return any(
        uid.hex().upper() in plain or repr(uid) in text
        for uid in (*UIDS.values(), *BLUE.values(), CUT_CARD, FOREIGN)
    )
