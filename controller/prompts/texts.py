"""What the text of a prompt may be: the fields it has, the keys it names, the room it finds on every display.

The same rules hold for a language of the product and for the words of one card room.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final, Literal

from controller.prompts.spelling import CHARSETS, Charset, spelled, unspelled
from controller.tomlfile import line_of

COLUMNS: Final = 20
ROWS: Final = 2
"""The smallest display."""

CountName = Literal["few", "cards", "chips"]
LARGEST: Final[dict[CountName, int]] = {"few": 4, "cards": 52, "chips": 9_999_999}
"""The largest count that a text must have room for."""

NO_TEXT: Final = ": expected a text, in quotes"
_LONGEST_SEATS: Final = "1,2,4,5,7,8,10,11"
FIELDS: Final = frozenset({"seat", "seats", "count", "device"})
_KEYS: Final = re.compile(r"\b(?:ACK|NEXT|YES|NO)\b")


class CatalogueError(Exception):
    """A prompt file is wrong: which file, which line, and why."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass(frozen=True)
class Origin:
    """Where texts stand: a TOML file by name and content, and the table in it."""

    file: str
    source: str
    table: tuple[str, ...]

    def wrong(self, name: str, why: str) -> CatalogueError:
        """The error of one text; of the whole table where `name` is empty."""
        path = (*self.table, name) if name else self.table
        return CatalogueError(self.file, line_of(self.source, *path), f"{name}{why}")


def broken(text: str, columns: int) -> list[str]:
    """A text in lines of at most `columns` characters, between words; a word that is longer has its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def keys_in(text: str) -> frozenset[str]:
    """The keys of the keypad that a text names."""
    return frozenset(_KEYS.findall(text))


def fields_of(text: str) -> frozenset[str]:
    """The fields of a text. Raises ValueError where its braces do not fit or hold more than a name."""
    fields: set[str] = set()
    for _, field, form, conversion in Formatter().parse(text):
        if field is None:
            continue
        if form or conversion:
            raise ValueError(f"a field is a name alone, not {{{field}…}}")
        fields.add(field)
    return frozenset(fields)


def wrong_text(
    text: object, *, glyph: str, count: CountName, devices: Sequence[str], like: str | None
) -> str:
    """What is wrong with a text; empty where nothing is.

    `like` says the same in another language or in the product's own words, None if nothing does.
    """
    if not isinstance(text, str):
        return NO_TEXT
    if glyph and not text.strip():
        return " has no text"
    try:
        unknown = sorted(fields_of(text) - FIELDS)
    except ValueError as error:
        return f": {error}"
    if unknown:
        fields = ", ".join(f"{{{name}}}" for name in sorted(FIELDS))
        return f" has an unknown field {{{unknown[0]}}}; there are {fields}"
    if like is not None and keys_in(text) != keys_in(like):
        return (
            f" must name the keys that the dealer has to press: {', '.join(sorted(keys_in(like))) or 'none'}"
        )
    if strange := unspelled(text):
        return f" has {strange!r}, which cannot be written on a display without it"
    return _too_long(text, glyph, LARGEST[count], devices)


def _too_long(text: str, glyph: str, count: int, devices: Sequence[str]) -> str:
    """Says where the longest that a text can become has no room; empty where it has."""
    for device in devices if "device" in fields_of(text) else ("",):
        longest = text.format(seat=11, seats=_LONGEST_SEATS, count=count, device=device)
        for charset in CHARSETS:
            lines = broken(displayed(glyph, longest, charset), COLUMNS)
            if len(lines) > ROWS or any(len(line) > COLUMNS for line in lines):
                return f" is too long for {ROWS} lines of {COLUMNS} in {charset}: {' / '.join(lines)}"
    return ""


def displayed(glyph: str, text: str, charset: Charset) -> str:
    """Glyph and text in the letters of a display."""
    return spelled(f"{glyph} {text}" if glyph else text, charset)


def normal(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts in which each letter is one character, its accent included."""
    return {name: unicodedata.normalize("NFC", text) for name, text in texts.items()}
