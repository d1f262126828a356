"""Every prompt that the core can ask for, with the seats and counts that need the most room."""

from itertools import combinations, product

import msgspec

from controller.decisions import Prompt
from controller.events import DEVICES
from controller.places import SEATS
from controller.prompt_files import catalogue
from controller.prompts.texts import LARGEST
from firmware_bridge.codes import PromptCode

MOST_CHIPS = LARGEST["chips"]
CODES = frozenset(code.label for code in PromptCode)
STEPS_OF_REMEDIES = frozenset(code.label for code in PromptCode if code >= 32)
STATED = STEPS_OF_REMEDIES | {"hand-back", "park-deck", "turn-up"}
"""What the key alone may have to prove."""


def _counts(code: str) -> tuple[int, ...]:
    if code == "device-lost":
        return tuple(range(1, len(DEVICES) + 1))
    room = catalogue("en").looks[code].count
    if room == "chips":
        return (0, 5, 1000, LARGEST[room])
    return (0, 1, 4, LARGEST[room])


def every_prompt() -> list[Prompt]:
    """All of them, once each."""
    alone = [
        Prompt(code=code, seat=seat, count=count)
        for code in sorted(CODES)
        for seat, count in product((1, 9, 10, 11), _counts(code))
    ]
    shared = [
        Prompt(code="push-pot", count=count, seats=seats)
        for count in (0, 15, MOST_CHIPS)
        for size in range(2, len(SEATS) + 1)
        for seats in combinations(SEATS, size)
    ]
    stated = [msgspec.structs.replace(prompt, proof="ack") for prompt in alone if prompt.code in STATED]
    return alone + shared + stated
