"""The messages of the wire, typed: `encode` and `decode` between a message and its number and body.

A body takes about a microsecond each way. UIDs, PINs and keys never show in a message's ``repr`` nor in an
error.
"""

from typing import Final

from firmware_bridge.errors import BadMessage
from firmware_bridge.messages import table
from firmware_bridge.messages.base import Command, Event, Message, Order, Sender
from firmware_bridge.messages.table import (
    Ack,
    Act,
    Arrived,
    Ask,
    BadgeRead,
    Burn,
    Caps,
    Challenge,
    Close,
    CloseCover,
    Cut,
    DeckBegin,
    DeckEnd,
    DeckReady,
    DeckTags,
    DeviceFault,
    Draw,
    Fed,
    Feed,
    Gap,
    Greet,
    Hello,
    KeyPressed,
    Leds,
    Lock,
    Open,
    OpenCover,
    Opened,
    Pair,
    Paired,
    PinTyped,
    Proof,
    Recall,
    ReleaseLid,
    Result,
    Return,
    ShoeState,
    Show,
    Shown,
    Shuffle,
    ShufflerState,
    TextChunk,
    Tick,
    Turned,
    Unlock,
    ZonesState,
)
from firmware_bridge.messages.wire import BODY_MAX, UID_MAX, UID_MIN, Codec, Field, Span

__all__ = [
    "Ack",
    "Act",
    "Arrived",
    "Ask",
    "BODY_MAX",
    "BadgeRead",
    "Burn",
    "Caps",
    "Challenge",
    "Close",
    "CloseCover",
    "Command",
    "Cut",
    "DeckBegin",
    "DeckEnd",
    "DeckReady",
    "DeckTags",
    "DeviceFault",
    "Draw",
    "Event",
    "Fed",
    "Feed",
    "Field",
    "Gap",
    "Greet",
    "Hello",
    "KeyPressed",
    "Leds",
    "Lock",
    "MESSAGES",
    "Message",
    "Open",
    "OpenCover",
    "Opened",
    "Order",
    "Pair",
    "Paired",
    "PinTyped",
    "Proof",
    "Recall",
    "ReleaseLid",
    "Result",
    "Return",
    "Sender",
    "ShoeState",
    "Show",
    "Shown",
    "Shuffle",
    "ShufflerState",
    "Span",
    "TextChunk",
    "Tick",
    "Turned",
    "UID_MAX",
    "UID_MIN",
    "Unlock",
    "ZonesState",
    "decode",
    "encode",
    "fields",
]

_ABSTRACT = frozenset({Message, Event, Order, Command})


def _concrete() -> list[type[Message]]:
    known = (
        value for value in vars(table).values() if isinstance(value, type) and issubclass(value, Message)
    )
    return sorted((cls for cls in known if cls not in _ABSTRACT), key=lambda cls: cls.TYPE)


MESSAGES: Final[dict[int, type[Message]]] = {cls.TYPE: cls for cls in _concrete()}
"""Every class of messages by its number on the wire."""

_CODECS: Final[dict[type[Message], Codec[Message]]] = {cls: Codec(cls, cls.NAME) for cls in MESSAGES.values()}
_DECODE: Final = {type_: _CODECS[cls].decode for type_, cls in MESSAGES.items()}
_ENCODE: Final = {cls: codec.encode for cls, codec in _CODECS.items()}


def encode(message: Message) -> tuple[int, bytes]:
    """The message's number and body; raises `BadMessage` where a value does not fit its field."""
    return message.TYPE, _ENCODE[type(message)](message)


def decode(type_: int, body: bytes) -> Message:
    """The message of that number with that body.

    Raises `BadMessage` where the number is unknown, a value is none of its code's, or the body does not end
    with the last field.
    """
    codec = _DECODE.get(type_)
    if codec is None:
        raise BadMessage(
            f"message 0x{type_:02X}",
            "no message has this number",
            "compare the versions of the device's firmware and of cutcard",
        )
    return codec(body)


def fields(cls: type[Message]) -> tuple[Field, ...]:
    """The fields of a class of messages, in order, with their wire types and offsets."""
    return _CODECS[cls].fields
