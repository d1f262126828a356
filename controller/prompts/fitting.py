"""Whether a text that a card room has in the place of the product's fits every prompt that is shown by it."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Final

import msgspec

from controller.decisions import Prompt
from controller.events import DEVICES
from controller.places import SEATS
from controller.prompts.catalogue import Catalogue, without_variant, wrong_text

COLUMNS: Final = 20
ROWS: Final = 2
_MOST_CHIPS: Final = 9_999_999
_CARDS: Final = (1, 9, 52)
_SOME_CARDS: Final = (0, *_CARDS)
_DEALT: Final = (1, 2, 3, 4)
_CHIPS: Final = (0, 5, 1000, _MOST_CHIPS)
_COUNTS: Final = {
    "device-lost": tuple(range(1, len(DEVICES) + 1)),
    **dict.fromkeys(("deal-hole", "deal-flop", "deal-turn", "deal-river"), _DEALT),
    **dict.fromkeys(("wrong-set", "table-not-empty"), _SOME_CARDS),
}
"""What is counted by a prompt that is no step of a remedy, where it is not chips."""


def with_texts(prompts: Catalogue, texts: Mapping[str, str]) -> Catalogue:
    """The prompts of a language with other texts in the place of some."""
    words = msgspec.structs.replace(prompts.words, text={**prompts.words.text, **texts})
    return Catalogue(prompts.looks, words)


def wrong_words(prompts: Catalogue, code: str, text: object, steps: frozenset[str]) -> str:
    """Why a code of a prompt cannot have this text; empty where it can. `steps` are the codes of steps of
    remedies."""
    why = wrong_text(code, text, frozenset(prompts.looks))
    if why or not isinstance(text, str):
        return f"{code}{why}"
    base = without_variant(code)
    if not text.strip() and base != "nothing":
        return f"{code} has no text"
    if not text.isascii() or not text.isprintable():
        return f"{code}: the smallest display knows plain letters, digits and signs (ASCII) alone"
    worded = with_texts(prompts, {code: text})
    for prompt in _shown(base, steps):
        told = worded.word(prompt)
        whole = " ".join(f"{told.glyph} {told.text}".split())
        if " ".join(told.lines(COLUMNS, ROWS)) != whole:
            return f'{code}: "{whole}" has no room in {ROWS} lines of {COLUMNS} characters'
    return ""


def _shown(code: str, steps: frozenset[str]) -> Iterator[Prompt]:
    """The widest prompts of a code that a dealer may be shown, and every kind of them."""
    counts = _COUNTS.get(code, _CARDS if code in steps else _CHIPS)
    for seat, count in product((1, SEATS[-1]), counts):
        yield Prompt(code=code, seat=seat, count=count)
        yield Prompt(code=code, seat=seat, count=count, proof="ack")
        yield Prompt(code=code, seat=seat, count=count, seats=(SEATS[-2], SEATS[-1]))
    if code == "push-pot":
        for size, count in product(range(2, len(SEATS) + 1), (0, 15, _MOST_CHIPS)):
            for seats in combinations(SEATS, size):
                yield Prompt(code=code, count=count, seats=seats)
