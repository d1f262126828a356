"""What the dealer is told: texts in a language, colours, patterns and what lights up, read from the files
beside this one.

A prompt is worded from its code, seat and count alone, so that it can never depend on a hidden card.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Literal

import msgspec

from controller import tomlfile
from controller.decisions import Prompt
from controller.events import DEVICES
from controller.mistakes import advice
from controller.prompts.spelling import Charset
from controller.prompts.texts import (
    NO_TEXT,
    CatalogueError,
    CountName,
    Origin,
    broken,
    displayed,
    normal,
    wrong_text,
)
from controller.tomlfile import line_of

ColourName = Literal["white", "red", "amber", "green", "blue"]
FlashingName = Literal["blink", "urgent"]
CalmName = Literal["steady", "ends", "chase"]
PatternName = FlashingName | CalmName
Light = Literal["seat", "seats", "shoe", "shuffler", "board", "burn", "muck", "all"]

FLASHING: Final[frozenset[PatternName]] = frozenset({"blink", "urgent"})
VARIANTS: Final = ("-split", "-ack", "-unknown")
"""Texts beside that of a code: for several seats, where the key alone proves it, for a count nobody knows."""


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one prompt looks: by `pattern`, and once the dealer has acknowledged one that flashes by `calm`.

    `count` says how much room its count needs.
    """

    colour: ColourName
    pattern: PatternName
    lights: tuple[Light, ...]
    glyph: str
    calm: CalmName | None = None
    count: CountName = "cards"

    def __post_init__(self) -> None:
        """Raises ValueError where nothing says how a flash ends, or a calm pattern is to end."""
        if self.pattern in FLASHING and self.calm is None:
            raise ValueError(f"`{self.pattern}` flashes: say by `calm` what follows once it is acknowledged")
        if self.pattern not in FLASHING and self.calm is not None:
            raise ValueError(f"`{self.pattern}` is calm already: leave `calm` out")


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

    def lines(self, columns: int, rows: int, charset: Charset = "utf-8") -> tuple[str, ...]:
        """Glyph and text in the characters of a display, broken into at most `rows` lines of `columns`,
        between words where possible."""
        lines = broken(displayed(self.glyph, self.text, charset), columns)
        return tuple(line[:columns] for line in lines[:rows])


@dataclass(frozen=True)
class Catalogue:
    """The prompts of one language."""

    looks: Mapping[str, Look]
    words: Words

    def word(self, prompt: Prompt) -> Worded:
        """Words one prompt; one whose code this version does not know by its code."""
        look = self.looks.get(prompt.code)
        if look is None:
            return Worded(prompt.code, "", "white", "steady", ())
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
            device=self._device(prompt),
        )
        pattern = look.calm if prompt.acknowledged and look.calm else look.pattern
        return Worded(text, look.glyph, look.colour, pattern, look.lights)

    def _device(self, prompt: Prompt) -> str:
        known = prompt.code == "device-lost" and 1 <= prompt.count <= len(self.words.devices)
        return self.words.devices[prompt.count - 1] if known else ""

    def wrong(self, name: str, text: object) -> str:
        """Why a code, or a variant of one, cannot have this text instead of its own; empty where it can."""
        own = self.words
        if name not in own.text:
            return _no_code(name, own.text)
        return _wrong(name, text, self.looks, own.devices, own.text)

    def saying(self, texts: Mapping[str, str]) -> "Catalogue":
        """The same prompts with a card room's own texts for some of them, in which `wrong` found nothing."""
        words = msgspec.structs.replace(self.words, text=self.words.text | normal(texts))
        return replace(self, words=words)


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
    looks: dict[str, Look] = {}
    for code, table in _tables(source, file).items():
        try:
            looks[code] = msgspec.convert(table, Look)
        except msgspec.ValidationError as error:
            raise CatalogueError(file, line_of(source, code), f"{code}: {error}") from None
    return looks


def read_words(source: str, file: str, looks: Mapping[str, Look], like: Words | None = None) -> Words:
    """The words in a file's text: one text for each code, with no field that a prompt cannot fill and no more
    than there is room for.

    `like` are the words of another language: then there is one for each of its texts, and for no other.
    """
    tables = _tables(source, file)
    origin = Origin(file, source, ("text",))
    texts = tables.get("text")
    for code, text in texts.items() if isinstance(texts, dict) else ():
        if without_variant(code) not in looks or (like is not None and code not in like.text):
            raise origin.wrong(code, _no_code(code, looks if like is None else like.text))
        if not isinstance(text, str):
            raise origin.wrong(code, NO_TEXT)
    try:
        words = msgspec.convert(tables, Words)
    except msgspec.ValidationError as error:
        key = re.search(r"`\$?\.?(\w+)", str(error))
        line = line_of(source, key.group(1)) if key else 1
        raise CatalogueError(file, line, str(error)) from None
    if len(words.devices) != len(DEVICES):
        why = f"{len(words.devices)} devices are named, there are {len(DEVICES)}: {', '.join(DEVICES)}"
        raise CatalogueError(file, line_of(source, "devices"), why)
    for code, text in words.text.items():
        if why := _wrong(code, text, looks, words.devices, like.text if like else {}):
            raise origin.wrong(code, why)
    missing = sorted((like.text.keys() if like else looks.keys()) - words.text.keys())
    if missing:
        raise origin.wrong("", f"there is no text for {', '.join(missing)}")
    return msgspec.structs.replace(words, text=normal(words.text))


def _wrong(
    name: str, text: object, looks: Mapping[str, Look], devices: Sequence[str], like: Mapping[str, str]
) -> str:
    look = looks[without_variant(name)]
    return wrong_text(text, glyph=look.glyph, count=look.count, devices=devices, like=like.get(name))


def _no_code(name: str, among: Iterable[str]) -> str:
    near = advice(name, among, "docs/codes.md has those that there are")
    return f" is no prompt code, nor a variant that one has{near}"


def without_variant(name: str) -> str:
    """The code whose text this is."""
    return reduce(str.removesuffix, VARIANTS, name)


def _tables(source: str, file: str) -> dict[str, object]:
    try:
        return tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise CatalogueError(file, error.line, str(error)) from None
