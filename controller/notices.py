"""What the doors are told: one JSON object a thing that happened, numbered, with nothing hidden in it
(docs/door.md)."""

from typing import Literal

import msgspec

from controller.decisions import AnyDecision, Decision, Told
from controller.prompts.catalogue import ColourName, PatternName


class Lit(msgspec.Struct, frozen=True):
    """LEDs that a prompt lights."""

    first: int
    last: int
    colour: ColourName
    pattern: PatternName


class PromptShown(Decision, frozen=True, tag="prompt"):
    """A prompt as the dealer gets it; `seat` is None where it names none. Shown again, calm, once he has
    `acknowledged` it."""

    code: str
    seat: int | None
    count: int
    text: str
    glyph: str
    colour: ColourName
    lit: tuple[Lit, ...]
    acknowledged: bool = False


AnyNotice = Told | PromptShown


class Notice(msgspec.Struct, frozen=True):
    """A numbered thing that happened; numbers count from 1 without a hole."""

    number: int
    said: AnyNotice


def told(decision: AnyDecision) -> Told | None:
    """The decision as the doors get it, None for one that stays inside."""
    return decision if isinstance(decision, Told) else None


class Rest(msgspec.Struct, frozen=True, tag_field="answer", tag="rest"):
    """Whether nothing is under way but what devices that are `away` still owe, the last notice's number, and
    the device times that were heard, in ms."""

    rest: bool
    notices: int
    times: dict[str, int]
    away: tuple[str, ...] = ()


class LedgerDigest(msgspec.Struct, frozen=True, tag_field="answer", tag="ledger"):
    """For a bench: of every zone its count and a digest of its cards, under the asker's nonce."""

    zones: dict[str, tuple[int, str]]


class Taken(msgspec.Struct, frozen=True, tag_field="answer", tag="taken"):
    """What a player wanted is done, or will be when the hand is over; what the floor decided is under way."""


class Denied(msgspec.Struct, frozen=True, tag_field="answer", tag="denied"):
    """A question that this table does not answer, and why."""

    why: str


AnyAnswer = Rest | LedgerDigest | Taken | Denied
Question = Literal["feed", "rest", "ledger", "seat", "floor"]
