"""What all messages have in common (docs/protocol.md, section 7)."""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import ClassVar

import msgspec

from firmware_bridge.messages.wire import U32, U64, fields_of


class Sender(Enum):
    """Who sends a message."""

    HOST = "host → device"
    DEVICE = "device → host"
    BOTH = "both ways"


class Message(msgspec.Struct, frozen=True, gc=False):
    """A message: frozen, compared by value. UIDs, PINs and keys never show, so that it may be logged."""

    TYPE: ClassVar[int]
    """The message's number."""
    NAME: ClassVar[str]
    """The document's name."""
    SENDER: ClassVar[Sender]
    NUMBERED: ClassVar[bool]
    """Whether its frames are numbered, acknowledged and repeated."""

    def __rich_repr__(self) -> list[tuple[str, object]]:
        hidden = secret_fields(type(self))
        shown: list[tuple[str, object]] = []
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name not in hidden:
                shown.append((name, value))
            elif isinstance(value, tuple):
                shown.append((name, tuple(hidden[name] for _ in value)))
            else:
                shown.append((name, hidden[name]))
        return shown

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"{type(self).__name__}({shown})"


@cache
def secret_fields(cls: type[Message]) -> Mapping[str, object]:
    """A message's fields that hold UIDs, a PIN or a key, each with what is shown in its place."""
    return {field.name: _MASKS[field.wire.name] for field in fields_of(cls) if field.secret}


class _Masked:
    def __init__(self, what: str) -> None:
        self._what = what

    def __repr__(self) -> str:
        return f"<{self._what}>"


_TAG = _Masked("tag")
_MASKS = {"tag": _TAG, "tags": _TAG, "digits": _Masked("digits"), "key": _Masked("key")}


class Event(Message, frozen=True, gc=False):
    """A numbered message of a device; it happened at ``time``, in milliseconds since the device's boot."""

    SENDER = Sender.DEVICE
    NUMBERED = True

    time: U32


class Order(Message, frozen=True, gc=False):
    """A numbered message to a device."""

    SENDER = Sender.HOST
    NUMBERED = True


class Command(Order, frozen=True, gc=False):
    """An order that moves something; a device carries an ``id`` out once, ever (section 6)."""

    id: U64
