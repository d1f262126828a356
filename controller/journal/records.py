"""What a journal's lines say: records in, JSON objects out, and back again (docs/journal.md, "Lines")."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from controller.checkpoint import Answer
from controller.decisions import AnyDecision, Command
from controller.events import AnyEvent, DeviceName
from controller.hiding import Hiding

_T = TypeVar("_T", bound=Hiding)

FORMAT: Final = 2
"""The format of the lines."""
_MOST_ENTRIES: Final = 1 << 52

Number = Annotated[int, msgspec.Meta(ge=1, lt=_MOST_ENTRIES)]
"""An entry's number."""


class Source(msgspec.Struct, frozen=True, omit_defaults=True):
    """The device event that an entry came from: device, its boot, the event's number, and the device's time
    then in ms since that boot, where it is known."""

    device: DeviceName
    boot: int
    number: int
    time: int | None = None


@dataclass(frozen=True)
class Record:
    """One event and all that followed from it; without an event, a device's message (`heard`) that means
    nothing to the table.

    `answer` is what a device said of itself where that is the event. `due` are deadlines among the decisions:
    when each is due in its device's time, by its token.
    """

    event: AnyEvent | None
    decisions: tuple[AnyDecision, ...] = ()
    source: Source | None = None
    heard: str = ""
    answer: Answer | None = None
    due: Mapping[int, int] = field(default_factory=dict)


class Start(msgspec.Struct, frozen=True):
    """A table was started: by which program, on which configuration, and whether it began `anew` or goes on.

    `software` and `setup` are digests: of the program's files, and of all that decisions depend on beside
    them. `config` is the table's configuration, without anything secret.
    """

    anew: bool
    version: str
    software: str
    setup: str
    config: msgspec.Raw


class Stop(msgspec.Struct, frozen=True):
    """A table was stopped in good order."""

    why: str


class Keys(msgspec.Struct, frozen=True, omit_defaults=True):
    """From this line on: the public key (hex) that what is signed next must bear, by what the hand's key is
    known, and that key as the `auditor` alone can take it out of the `box` (base64)."""

    sign: str
    hand: str
    auditor: str = ""
    box: str = ""


class Checkpointed(msgspec.Struct, frozen=True):
    """A hand's checkpoint: its number, the digests of the `Start` under which it was written, and where the
    table stands (`controller/checkpoint.py`)."""

    hand: int
    software: str
    setup: str
    state: msgspec.Raw


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far the record of those who opened what is sealed had come when this was signed: the number and the
    hash of its last line, or why that could not be read (`unread`)."""

    number: int
    chain: str
    unread: str = ""


class File(msgspec.Struct, frozen=True):
    """The first line of a file: its place among the journal's files, the hash of the line before it, and
    files that were removed because the journal has more than it may keep."""

    number: Annotated[int, msgspec.Meta(ge=1)]
    follows: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    removed: tuple[str, ...] = ()


class Line(msgspec.Struct, omit_defaults=True):
    """A line of a journal, without its hash and signature. It is of one kind: an entry with an `event` or
    `heard`, a `start`, a `stop`, a `checkpoint`, or a `file`, which alone has no number."""

    n: Number | None = None
    at: str = ""
    source: Source | None = None
    answer: Answer | None = None
    heard: str = ""
    event: msgspec.Raw | UnsetType = UNSET
    decisions: msgspec.Raw | UnsetType = UNSET
    due: dict[int, int] | None = None
    sealed: str = ""
    start: Start | None = None
    stop: Stop | None = None
    checkpoint: Checkpointed | None = None
    file: File | None = None
    keys: Keys | None = None
    opened: Opened | None = None
    format: int = 0


class Hidden(msgspec.Struct, omit_defaults=True):
    """The part of an entry that is sealed: hidden fields of its event, and of its commands by their
    reference."""

    event: dict[str, object] = {}
    decisions: list[dict[str, object]] = []


_encode = msgspec.json.Encoder().encode
_LINES: Final = msgspec.json.Decoder(Line)
_EVENT: Final = msgspec.json.Decoder(AnyEvent)
_DECISIONS: Final = msgspec.json.Decoder(tuple[AnyDecision, ...])
_HIDDEN: Final = msgspec.json.Decoder(Hidden)


def split(value: AnyEvent | AnyDecision) -> tuple[dict[str, object], dict[str, object]]:
    """The open and the hidden fields of an event or a decision, as a line has them."""
    shown: dict[str, object] = msgspec.to_builtins(value, str_keys=True)
    hidden = {name: shown.pop(name) for name in value.HIDDEN if shown.get(name)}
    for name in value.HIDDEN:
        shown.pop(name, None)
    return shown, hidden


def line_of(number: int, at: datetime, record: Record) -> tuple[Line, bytes | None]:
    """An entry as it is stored, and the part of it that is to be sealed, None where there is none."""
    line = Line(n=number, at=moment(at), source=record.source, answer=record.answer, heard=record.heard)
    if record.event is None:
        return line, None
    event, hidden_event = split(record.event)
    decisions, hidden_decisions = [], []
    for decision in record.decisions:
        shown, hidden = split(decision)
        decisions.append(shown)
        if hidden and isinstance(decision, Command):
            hidden_decisions.append({"ref": decision.ref, **hidden})
    line.event = msgspec.Raw(_encode(event))
    line.decisions = msgspec.Raw(_encode(decisions))
    line.due = dict(record.due) or None
    if not hidden_event and not hidden_decisions:
        return line, None
    return line, _encode(Hidden(hidden_event, hidden_decisions))


def sealed_text(sealed: bytes) -> str:
    """Sealed bytes as a line has them."""
    return base64.b64encode(sealed).decode()


def sealed_bytes(line: Line) -> bytes:
    """The sealed part of a line."""
    return bytes_in(line.sealed)


def bytes_in(text: str) -> bytes:
    """Sealed bytes as they were; none where the text is none that a table wrote."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def moment(at: datetime) -> str:
    """A time as lines have it."""
    return at.isoformat(timespec="milliseconds")


def encode_line(line: Line) -> bytes:
    """The object of a line, as it is hashed."""
    return _encode(line)


def decode_line(body: bytes) -> Line:
    """A line's object read. Raises msgspec.DecodeError where it is none."""
    return _LINES.decode(body)


def record_of(line: Line, hidden: bytes | None) -> Record:
    """The record of an entry, with what was sealed of it where it could be opened.

    Raises msgspec.DecodeError where event or decisions are none that this version knows.
    """
    event: AnyEvent | None = None
    decisions: Sequence[AnyDecision] = ()
    if line.event is not UNSET:
        event = _EVENT.decode(line.event)
    if line.decisions is not UNSET:
        decisions = _DECISIONS.decode(line.decisions)
    if hidden is not None and event is not None:
        parts = _HIDDEN.decode(hidden)
        event = _completed(event, parts.event)
        by_ref = {part["ref"]: part for part in parts.decisions}
        decisions = [
            _completed(made, by_ref[made.ref]) if isinstance(made, Command) and made.ref in by_ref else made
            for made in decisions
        ]
    return Record(event, tuple(decisions), line.source, line.heard, line.answer, line.due or {})


def _completed(value: _T, hidden: Mapping[str, object]) -> _T:
    fields = {name: hidden[name] for name in value.HIDDEN if name in hidden}
    listed = {name: tuple(said) if isinstance(said, list) else said for name, said in fields.items()}
    return msgspec.structs.replace(value, **listed)
