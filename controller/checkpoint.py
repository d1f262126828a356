"""Where a table and its devices stand at one moment of a hand: what a start after a crash begins with
(docs/journal.md, "Checkpoints")."""

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from controller.decisions import Prompt
from controller.events import DeviceName
from controller.table_state import TableState
from firmware_bridge.capabilities import (
    Capabilities,
    KeypadCaps,
    PromptsCaps,
    ShoeCaps,
    ShufflerCaps,
    ZonesCaps,
)

_CAPS: Final[dict[DeviceName, type[Capabilities]]] = {
    "shoe": ShoeCaps,
    "shuffler": ShufflerCaps,
    "zones": ZonesCaps,
    "prompts": PromptsCaps,
    "keypad": KeypadCaps,
}


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a device said of itself when it answered: serial number, firmware, boot nonce, capabilities.

    `tables` is the digest of the decks' tables that it holds from then on, empty for none.
    """

    device: DeviceName
    boot: int
    caps: msgspec.Raw
    serial: str = ""
    firmware: str = ""
    tables: str = ""

    def capabilities(self) -> Capabilities:
        """What it can do. Raises msgspec.ValidationError where that is nothing such a device says."""
        return msgspec.json.decode(self.caps, type=_CAPS[self.device])


def caps_as_said(caps: Capabilities) -> msgspec.Raw:
    """Capabilities as an `Answer` has them; the same ones are always the same bytes."""
    return msgspec.Raw(msgspec.json.encode(caps, order="deterministic"))


class DeviceState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one device: its answer, its time in ms since its boot, boot and number of its last
    event that was taken, and the open deadlines by their token: those due at a time of its own, and those due
    in so many ms from the first time that it tells (`spans`)."""

    answer: Answer | None = None
    time: int | None = None
    mark: tuple[int, int] | None = None
    present: bool = False
    deadlines: dict[int, int] = {}
    spans: dict[int, int] = {}


class Checkpoint(msgspec.Struct, frozen=True):
    """A table between its devices and its doors. `orders` are the ids of commands without an answer, by
    their references; `notices` is the number of the last thing that the doors were told."""

    table: TableState
    notices: int
    prompt: Prompt | None
    prompt_number: int
    orders: dict[int, int]
    devices: dict[DeviceName, DeviceState]


def tables_digest(tables: Iterable[Iterable[bytes]]) -> str:
    """A digest of the decks' tables in their order, of which no tag can be read."""
    whole = hashlib.sha256()
    for table in tables:
        for tag in table:
            whole.update(bytes([len(tag)]) + tag)
        whole.update(b"\xff")
    return whole.hexdigest()[:16]
