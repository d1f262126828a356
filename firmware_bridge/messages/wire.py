"""Wire types of fields and the codec that a message's one declaration gives (docs/protocol.md, section 7).

A field is declared once, ``seat: U8`` or ``outcome: Annotated[Outcome, u8]``. From its wire type and its
Python type derive offset, encoding, decoding, the tests of values and what may be shown of it.
"""

import struct
from collections.abc import Callable, Mapping
from enum import Enum, IntFlag
from typing import Annotated, Generic, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from firmware_bridge.codes import Colour, Pattern
from firmware_bridge.errors import BadMessage

BODY_MAX = 41
"""Bytes of the longest body (section 1)."""
UID_MIN = 4
UID_MAX = 8
"""Bytes of a card's UID."""
SERIAL_MAX = 12
"""Characters of a serial number."""
DIGITS_MAX = 12
"""Digits of a PIN at most. Its field is always as long, so that no length of a frame tells of it."""


class Span(NamedTuple):
    """LEDs ``first`` to ``last``, clockwise and both included; it may run over the ring's end."""

    first: int
    last: int
    colour: Colour
    pattern: Pattern


class Wire(NamedTuple):
    """A type of the document: its name there, and its code for `struct` (None where it has no fixed size)."""

    name: str
    code: str | None
    limit: int = 0


u8 = Wire("u8", "B")
u16 = Wire("u16", "H")
u32 = Wire("u32", "I")
u64 = Wire("u64", "Q")
U8: TypeAlias = Annotated[int, u8]
U16: TypeAlias = Annotated[int, u16]
U32: TypeAlias = Annotated[int, u32]
U64: TypeAlias = Annotated[int, u64]
Flag: TypeAlias = Annotated[bool, u8]
Version: TypeAlias = Annotated[bytes, Wire("bytes:3", "3s", 3)]
Mask: TypeAlias = Annotated[bytes, Wire("bytes:7", "7s", 7)]
Check: TypeAlias = Annotated[bytes, Wire("bytes:8", "8s", 8)]
Proven: TypeAlias = Annotated[bytes, Wire("bytes:32", "32s", 32)]
Secret: TypeAlias = Annotated[bytes, Wire("key", "32s", 32)]
Tag: TypeAlias = Annotated[bytes, Wire("tag", None)]
Text: TypeAlias = Annotated[str, Wire("text", None, SERIAL_MAX)]
Digits: TypeAlias = Annotated[str, Wire("digits", None)]
UpToThreeTags: TypeAlias = Annotated[tuple[bytes, ...], Wire("tags", None, 3)]
UpToFourTags: TypeAlias = Annotated[tuple[bytes, ...], Wire("tags", None, 4)]
Spans: TypeAlias = Annotated[tuple[Span, ...], Wire("spans", None)]
Rest: TypeAlias = Annotated[bytes, Wire("rest", None)]

_SECRET = frozenset({"tag", "tags", "digits", "key"})
_COLOURS = {int(code): code for code in Colour}
_PATTERNS = {int(code): code for code in Pattern}
_SPAN_BYTES = 4


class _Bad(Exception):  # noqa: N818  (never leaves this file)
    """A value or a part of a body is wrong; the codec adds the message's name."""


def _encode_tag(uid: bytes) -> bytes:
    if not UID_MIN <= len(uid) <= UID_MAX:
        raise _Bad(f"a tag has {len(uid)} bytes, not {UID_MIN} to {UID_MAX}")
    return bytes((len(uid),)) + uid


def _decode_tags(tail: bytes, limit: int) -> tuple[bytes, ...]:
    uids = []
    at = 0
    while at < len(tail):
        size = tail[at]
        if not UID_MIN <= size <= UID_MAX:
            raise _Bad(f"a tag's length is {size}, not {UID_MIN} to {UID_MAX}")
        end = at + 1 + size
        if end > len(tail):
            raise _Bad("a tag is cut off")
        uids.append(tail[at + 1 : end])
        at = end
    if len(uids) > limit:
        raise _Bad(f"it has {len(uids)} tags, {limit} at most are allowed")
    return tuple(uids)


def _decode_tag(tail: bytes) -> bytes:
    uids = _decode_tags(tail, 1)
    if not uids:
        raise _Bad("the tag is missing")
    return uids[0]


def _encode_tags(uids: tuple[bytes, ...], limit: int) -> bytes:
    if len(uids) > limit:
        raise _Bad(f"it has {len(uids)} tags, {limit} at most are allowed")
    return b"".join(map(_encode_tag, uids))


def _encode_text(text: str, limit: int) -> bytes:
    # Printable only: a serial number goes into log lines and error texts.
    if not (1 <= len(text) <= limit and text.isascii() and text.isprintable()):
        raise _Bad(f"a text is not 1 to {limit} printable ASCII characters")
    return bytes((len(text),)) + text.encode("ascii")


def _decode_text(tail: bytes, limit: int) -> str:
    if not tail or tail[0] != len(tail) - 1:
        raise _Bad("a text's length is wrong")
    text = tail[1:].decode("latin-1")
    if not (1 <= len(text) <= limit and text.isascii() and text.isprintable()):
        raise _Bad(f"a text is not 1 to {limit} printable ASCII characters")
    return text


def _encode_digits(digits: str) -> bytes:
    if not (1 <= len(digits) <= DIGITS_MAX and digits.isascii() and digits.isdigit()):
        raise _Bad(f"digits are not 1 to {DIGITS_MAX} of 0 to 9")
    return digits.encode("ascii").ljust(DIGITS_MAX, b"\0")


def _decode_digits(tail: bytes) -> str:
    digits = tail.rstrip(b"\0")
    if len(tail) != DIGITS_MAX or not digits.isdigit():
        raise _Bad(f"digits are not 1 to {DIGITS_MAX} of 0 to 9 in {DIGITS_MAX} bytes")
    return digits.decode("ascii")


def _encode_spans(spans: tuple[Span, ...]) -> bytes:
    try:
        return b"".join(map(bytes, spans))
    except (ValueError, TypeError):
        raise _Bad("a span's value is not 0 to 255") from None


def _decode_spans(tail: bytes) -> tuple[Span, ...]:
    if len(tail) % _SPAN_BYTES:
        raise _Bad("a span is cut off")
    try:
        return tuple(
            Span(first, last, _COLOURS[colour], _PATTERNS[pattern])
            for first, last, colour, pattern in struct.iter_unpack("4B", tail)
        )
    except KeyError:
        raise _Bad("a span has an unknown colour or pattern") from None


_Encode: TypeAlias = Callable[..., bytes]
_Decode: TypeAlias = Callable[[bytes], object]


def _tail(wire: Wire) -> tuple[_Encode, _Decode]:
    limit = wire.limit
    match wire.name:
        case "tag":
            return _encode_tag, _decode_tag
        case "tags":
            return lambda uids: _encode_tags(uids, limit), lambda tail: _decode_tags(tail, limit)
        case "text":
            return lambda text: _encode_text(text, limit), lambda tail: _decode_text(tail, limit)
        case "digits":
            return _encode_digits, _decode_digits
        case "spans":
            return _encode_spans, _decode_spans
        case "rest":
            return bytes, bytes
    raise AssertionError(f"no codec for the wire type {wire.name}")


def _values(kind: object) -> Mapping[int, object] | None:
    """What a number on the wire may be, where the field's Python type is not simply int or bytes."""
    if kind is bool:
        return {0: False, 1: True}
    if isinstance(kind, type) and issubclass(kind, IntFlag):
        full = sum(member.value for member in kind)
        return {value: kind(value) for value in range(full + 1) if value & ~full == 0}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member.value: member for member in kind}
    return None


class Field(NamedTuple):
    """A field as it was declared; ``offset`` is its first byte in the body."""

    name: str
    wire: Wire
    offset: int
    values: Mapping[int, object] | None

    @property
    def secret(self) -> bool:
        """Whether it holds UIDs, a PIN or a key, which no log and no error may show."""
        return self.wire.name in _SECRET


def fields_of(cls: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a class of messages; raises `TypeError` where a declaration cannot be put on the wire."""
    hints = get_type_hints(cls, include_extras=True)
    fields: list[Field] = []
    offset = 0
    for name in cls.__struct_fields__:
        hint = hints[name]
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{cls.__name__}.{name} has no wire type")
        kind, wire = get_args(hint)
        if fields and fields[-1].wire.code is None:
            raise TypeError(f"{cls.__name__}.{name} follows a field of no fixed size")
        fields.append(Field(name, wire, offset, _values(kind)))
        offset += struct.calcsize("<" + wire.code) if wire.code else 0
    return tuple(fields)


_M = TypeVar("_M", bound=msgspec.Struct)


class Codec(Generic[_M]):
    """Encodes and decodes the bodies of one class of messages."""

    __slots__ = ("_bytes", "_checks", "_cls", "_head", "_name", "_tail", "fields")

    def __init__(self, cls: type[_M], name: str) -> None:
        self.fields = fields_of(cls)
        self._cls = cls
        self._name = name
        fixed = [field for field in self.fields if field.wire.code]
        self._head = struct.Struct("<" + "".join(field.wire.code or "" for field in fixed))
        self._checks = [(at, field.values) for at, field in enumerate(fixed) if field.values is not None]
        self._bytes = [(at, field.wire.limit) for at, field in enumerate(fixed) if field.wire.limit]
        self._tail = _tail(self.fields[-1].wire) if len(fixed) < len(self.fields) else None

    def encode(self, message: _M) -> bytes:
        """The body; raises `BadMessage` where a value does not fit its field."""
        values = msgspec.structs.astuple(message)
        try:
            for at, known in self._checks:
                if values[at] not in known:
                    raise _Bad(f"{self.fields[at].name} has an unknown value")
            for at, size in self._bytes:
                if len(values[at]) != size:
                    raise _Bad(f"{self.fields[at].name} has {len(values[at])} bytes, not {size}")
            if self._tail is None:
                return self._head.pack(*values)
            body = self._head.pack(*values[:-1]) + self._tail[0](values[-1])
        except struct.error:
            raise self._bad("a number is out of its field's range") from None
        except _Bad as bad:
            raise self._bad(str(bad)) from None
        if len(body) > BODY_MAX:
            raise self._bad(f"its body has {len(body)} bytes, {BODY_MAX} at most are allowed")
        return body

    def decode(self, body: bytes) -> _M:
        """The message; raises `BadMessage` where the body does not fit."""
        head = self._head
        if self._tail is None:
            if len(body) != head.size:
                raise self._bad(f"its body has {len(body)} bytes, not {head.size}")
        elif not head.size <= len(body) <= BODY_MAX:
            raise self._bad(f"its body has {len(body)} bytes, not {head.size} to {BODY_MAX}")
        values: list[object] = list(head.unpack_from(body))
        at = 0
        try:
            for at, known in self._checks:
                values[at] = known[values[at]]  # type: ignore[index]
            if self._tail is not None:
                values.append(self._tail[1](body[head.size :]))
        except KeyError:
            raise self._bad(f"{self.fields[at].name} has an unknown value") from None
        except _Bad as bad:
            raise self._bad(str(bad)) from None
        return self._cls(*values)

    def _bad(self, what: str) -> BadMessage:
        return BadMessage(
            f"message {self._name}", what, "compare the versions of the device's firmware and of cutcard"
        )
