"""What the dealer is told: texts in a language, colours, patterns and what lights up, read from the files
beside this one.

A prompt is worded from its code, seat and count alone, so that it can never depend on a hidden card.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Literal

import msgspec

from controller import tomlfile
from controller.decisions import Prompt
from controller.events import DEVICES
from controller.tomlfile import line_of

ColourName = Literal["white", "red", "amber", "green", "blue"]
PatternName = Literal["steady", "blink", "urgent", "ends", "chase"]
Light = Literal["seat", "seats", "shoe", "shuffler", "board", "burn", "muck", "all"]

LANGUAGES: tuple[str, ...] = ("en",)
_FIELDS = frozenset({"seat", "seats", "count", "device"})


class CatalogueError(Exception):
    """A prompt file is wrong: which file, which line, and why."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one prompt looks."""

    colour: ColourName
    pattern: PatternName
    lights: tuple[Light, ...]
    glyph: str


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language."""

    devices: tuple[str, ...]
    text: dict[str, str]


@dataclass(frozen=True)
class Worded:
    """A prompt as a person gets it."""

    text: str
    glyph: str
    colour: ColourName
    pattern: PatternName
    lights: tuple[Light, ...]

    def lines(self, columns: int, rows: int) -> tuple[str, ...]:
        """Glyph and text broken into at most `rows` lines of `columns` characters, between words where
        possible."""
        lines: list[str] = []
        for word in f"{self.glyph} {self.text}".split():
            if lines and len(lines[-1]) + 1 + len(word) <= columns:
                lines[-1] += " " + word
            else:
                lines.append(word)
        return tuple(line[:columns] for line in lines[:rows])


@dataclass(frozen=True)
class Catalogue:
    """The prompts of one language."""

    looks: Mapping[str, Look]
    words: Words

    def word(self, prompt: Prompt) -> Worded:
        """Words one prompt."""
        look = self.looks[prompt.code]
        name = prompt.code
        if not prompt.count and f"{name}-unknown" in self.words.text:
            name += "-unknown"
        if len(prompt.seats) > 1 and f"{name}-split" in self.words.text:
            name += "-split"
        elif prompt.proof == "ack" and f"{name}-ack" in self.words.text:
            name += "-ack"
        text = self.words.text[name].format(
            seat=prompt.seat,
            seats=_listed(prompt.seats),
            count=prompt.count,
            device=self.words.devices[prompt.count - 1] if prompt.code == "device-lost" else "",
        )
        return Worded(text, look.glyph, look.colour, look.pattern, look.lights)


def _listed(seats: Sequence[int]) -> str:
    """Return seats as a dealer reads them in little room: three and more in a row as a span."""
    spans = list[list[int]]()
    for seat in seats:
        if spans and spans[-1][-1] == seat - 1:
            spans[-1].append(seat)
        else:
            spans.append([seat])
    return ",".join(f"{s[0]}-{s[-1]}" if len(s) > 2 else ",".join(map(str, s)) for s in spans)


def read_looks(source: str, file: str) -> dict[str, Look]:
    """The looks in a file's text; CatalogueError names the line that is wrong."""
    looks = {}
    for code, table in _tables(source, file).items():
        try:
            looks[code] = msgspec.convert(table, Look)
        except msgspec.ValidationError as error:
            raise CatalogueError(file, line_of(source, code), f"{code}: {error}") from None
    return looks


def read_words(source: str, file: str, codes: frozenset[str]) -> Words:
    """The words in a file's text: one text for each code, with no field that a prompt cannot fill."""
    tables = _tables(source, file)
    texts = tables.get("text")
    for code, text in texts.items() if isinstance(texts, dict) else ():
        why = wrong_text(code, text, codes)
        if why:
            raise CatalogueError(file, line_of(source, "text", code), f"{code}{why}")
    try:
        words = msgspec.convert(tables, Words)
    except msgspec.ValidationError as error:
        key = re.search(r"`\$?\.?(\w+)", str(error))
        line = line_of(source, key.group(1)) if key else 1
        raise CatalogueError(file, line, str(error)) from None
    if len(words.devices) != len(DEVICES):
        why = f"{len(words.devices)} devices are named, there are {len(DEVICES)}: {', '.join(DEVICES)}"
        raise CatalogueError(file, line_of(source, "devices"), why)
    missing = sorted(codes - words.text.keys())
    if missing:
        raise CatalogueError(file, line_of(source, "text"), f"there is no text for {', '.join(missing)}")
    return words


def wrong_text(code: str, text: object, codes: frozenset[str]) -> str:
    """What is wrong with the text of a code; empty where nothing is."""
    if code not in codes and without_variant(code) not in codes:
        return " is no prompt code"
    if not isinstance(text, str):
        return " has no text"
    try:
        parsed = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        return f": {error}"
    unknown = sorted({str(field) for _, field, _, _ in parsed} - _FIELDS)
    if unknown:
        return f" has an unknown field {unknown}"
    bare = all(not form and not conversion for _, _, form, conversion in parsed)
    return "" if bare else ": a field is a name in braces alone, as in {count}"


def without_variant(name: str) -> str:
    """The code whose text this is: of several seats, proved by the key, or of a count that nobody knows."""
    return name.removesuffix("-split").removesuffix("-ack").removesuffix("-unknown")


def _tables(source: str, file: str) -> dict[str, object]:
    try:
        return tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise CatalogueError(file, error.line, str(error)) from None
