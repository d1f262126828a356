"""Bodies of messages, docs/protocol.md section 7: one table, one packer, one unpacker."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hil_rigs.virtual.codes import Type

Span = tuple[int, int, int, int]
"""From, to, colour, pattern of a run of LEDs."""

Value = int | str | bytes | tuple[bytes, ...] | tuple[Span, ...]
"""What a field may hold: a number, ASCII or digits, bytes or one tag, tags, spans."""

LONGEST_BODY = 41
_NUMBERS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
_TAG_LENGTHS = range(4, 9)
_DIGITS = 12
_KEY = 32


class BodyError(ValueError):
    """A body does not fit its type, or a value does not fit its field."""


@dataclass(frozen=True)
class Message:
    """A row of the message table. `way` is `>` host to device, `<` device to host, `=` both."""

    name: str
    way: str
    numbered: bool
    fields: tuple[tuple[str, str], ...]


_ROWS = """
GREET           > - lowest:u8 highest:u8 host_nonce:u64
HELLO           < - version:u8 kind:u8 boot:u64 host_nonce:u64 oldest:u16 next:u16 firmware:bytes:3 serial:text
CAPS            < - kind:u8 keeps:u16 remembers:u8 options:u16 pairing:u8 device_nonce:u64 data:rest
OPEN            > - session:u8 boot:u64 durable:u16
OPENED          < - host_nonce:u64 device_nonce:u64
ACK             = -
TICK            < - time:u32 last:u16
CLOSE           = - reason:u8
CHALLENGE       > - nonce:u64
PROOF           < - nonce:u64 proof:bytes:32
PAIR            > - host_nonce:u64 key:key
PAIRED          < - host_nonce:u64 check:bytes:8
ASK             > n
RECALL          > n id:u64
RESULT          < n time:u32 id:u64 command:u8 outcome:u8 reason:u8 count:u8
GAP             < n time:u32 lost:u16
FAULT           < n time:u32 fault:u8 ended:u8 detail:u8
SHOE_STATE      < n time:u32 lid:u8 empty:u8 gate:u8 left:u8
DRAW            < n time:u32 number:u16 way:u8 flags:u8 took:u16 seen:u8 uids:tags
BURN            > n id:u64
LOCK            > n id:u64
UNLOCK          > n id:u64 cards:u8
RELEASE_LID     > n id:u64
SHUFFLER_STATE  < n time:u32 input:u8 output:u8 cover:u8 mode:u8 stage:u8 held:u8
FED             < n time:u32 id:u64 outcome:u8 reason:u8 verdict:u8 count:u8 strangers:u8 missing:bytes:7 surplus:bytes:7
DECK_READY      < n time:u32 deck:u8 count:u8 crc:u16
DECK_BEGIN      > n deck:u8 count:u8
DECK_TAGS       > n deck:u8 first:u8 uids:tags
DECK_END        > n deck:u8
FEED            > n id:u64 deck:u8 expected:bytes:7
SHUFFLE         > n id:u64
CUT             > n id:u64
OPEN_COVER      > n id:u64
CLOSE_COVER     > n id:u64
RETURN          > n id:u64
ARRIVED         < n time:u32 zone:u8 facing:u8 uid:tag
TURNED          < n time:u32 zone:u8 facing:u8 uid:tag
ZONES_STATE     < n time:u32 occupied:u32
LEDS            > n prompt:u16 spans:spans
TEXT            > n prompt:u16 offset:u8 chunk:rest
SHOW            > n prompt:u16 code:u8 seat:u8 count:u32 spans:u8 length:u8 crc:u16
SHOWN           < n time:u32 prompt:u16 outcome:u8 reason:u8
KEY             < n time:u32 key:u8 seat:u8
ACT             < n time:u32 seat:u8 action:u8 amount:u32
BADGE           < n time:u32 uid:tag
PIN             < n time:u32 digits:digits
"""  # noqa: E501 - a row is a message


def _read_rows(rows: str) -> Iterator[tuple[int, Message]]:
    for row in rows.strip().splitlines():
        name, way, numbered, *fields = row.split()
        parted = [field.partition(":") for field in fields]
        yield Type[name], Message(name, way, numbered == "n", tuple((f, kind) for f, _, kind in parted))


MESSAGES: Mapping[int, Message] = dict(_read_rows(_ROWS))
"""Every message of the protocol by its type."""


class Fields(Mapping[str, Value]):
    """The values of a body, with a getter for each type of field."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def num(self, name: str) -> int:
        """Return a number. Raises BodyError where the field holds something else."""
        value = self._values[name]
        if not isinstance(value, int):
            raise BodyError(f"{name} is no number")
        return value

    def raw(self, name: str) -> bytes:
        """Return bytes or one tag. Raises BodyError where the field holds something else."""
        value = self._values[name]
        if not isinstance(value, bytes):
            raise BodyError(f"{name} is not bytes")
        return value

    def text(self, name: str) -> str:
        """Return ASCII or digits. Raises BodyError where the field holds something else."""
        value = self._values[name]
        if not isinstance(value, str):
            raise BodyError(f"{name} is no text")
        return value

    def tags(self, name: str) -> tuple[bytes, ...]:
        """Return tags. Raises BodyError where the field holds something else."""
        value = self._values[name]
        if not isinstance(value, tuple):
            raise BodyError(f"{name} is no list of tags")
        return tuple(item for item in value if isinstance(item, bytes))

    def spans(self, name: str) -> tuple[Span, ...]:
        """Return spans. Raises BodyError where the field holds something else."""
        value = self._values[name]
        if not isinstance(value, tuple):
            raise BodyError(f"{name} is no list of spans")
        return tuple(item for item in value if not isinstance(item, bytes))


def pack(type_: int, **values: Value) -> bytes:
    """Return the body of a message.

    Raises BodyError for an unknown type, for a field too many or missing, and for a value that does not fit.
    """
    message = MESSAGES.get(type_)
    if message is None:
        raise BodyError(f"no message has type {type_}")
    if set(values) != {name for name, _ in message.fields}:
        raise BodyError(f"{message.name} has other fields")
    body = b"".join(_pack_field(kind, values[name]) for name, kind in message.fields)
    if len(body) > LONGEST_BODY:
        raise BodyError(f"the body of {message.name} is too long")
    return body


def unpack(type_: int, body: bytes) -> Fields:
    """Return the values of a body. Raises BodyError where it does not fit its type to the last byte."""
    message = MESSAGES.get(type_)
    if message is None:
        raise BodyError(f"no message has type {type_}")
    if len(body) > LONGEST_BODY:
        raise BodyError(f"the body of {message.name} is too long")
    values: dict[str, Value] = {}
    rest = body
    for name, kind in message.fields:
        values[name], rest = _unpack_field(kind, rest)
    if rest:
        raise BodyError(f"{message.name} has bytes left over")
    return Fields(values)


def _pack_field(kind: str, value: Value) -> bytes:
    if isinstance(value, int) and kind in _NUMBERS:
        try:
            return value.to_bytes(_NUMBERS[kind], "little")
        except OverflowError:
            raise BodyError(f"a number does not fit {kind}") from None
    if isinstance(value, str) and kind == "text" and value.isascii():
        return bytes([len(value)]) + value.encode("ascii")
    if isinstance(value, str) and kind == "digits":
        return _pack_digits(value)
    if isinstance(value, bytes):
        if kind == "rest" or len(value) == _size(kind):
            return value
        if kind == "tag":
            return _pack_tag(value)
    if isinstance(value, tuple) and kind in ("tags", "spans"):
        return b"".join(_pack_tag(item) if isinstance(item, bytes) else _pack_span(item) for item in value)
    raise BodyError(f"a value does not fit {kind}")


def _size(kind: str) -> int:
    """The bytes of a field of bytes, 0 where their number is not fixed."""
    return _KEY if kind == "key" else int(kind[6:]) if kind.startswith("bytes:") else 0


def _pack_tag(uid: bytes) -> bytes:
    if len(uid) not in _TAG_LENGTHS:
        raise BodyError("a tag has 4 to 8 bytes")
    return bytes([len(uid)]) + uid


def _pack_digits(digits: str) -> bytes:
    padded = digits.encode("ascii", "replace") + bytes(_DIGITS)
    if _unpack_digits(padded[:_DIGITS]) != digits:
        raise BodyError("digits are 1 to 12 of 0 to 9")
    return padded[:_DIGITS]


def _unpack_digits(padded: bytes) -> str:
    digits, _, rest = padded.partition(b"\0")
    if not digits.isdigit() or any(rest):
        raise BodyError("digits are 1 to 12 of 0 to 9, then zeros")
    return digits.decode("ascii")


def _pack_span(span: Span) -> bytes:
    try:
        return bytes(span)
    except ValueError:
        raise BodyError("a span is four bytes") from None


def _unpack_field(kind: str, data: bytes) -> tuple[Value, bytes]:
    if kind in _NUMBERS:
        size = _NUMBERS[kind]
        return int.from_bytes(_first(data, size), "little"), data[size:]
    if size := _size(kind):
        return _first(data, size), data[size:]
    if kind == "rest":
        return data, b""
    if kind == "tags":
        uids = []
        while data:
            uid, data = _unpack_tag(data)
            uids.append(uid)
        return tuple(uids), data
    if kind == "spans":
        if len(data) % 4:
            raise BodyError("a span is four bytes")
        return tuple(
            (data[at], data[at + 1], data[at + 2], data[at + 3]) for at in range(0, len(data), 4)
        ), b""
    if kind == "tag":
        return _unpack_tag(data)
    if kind == "digits":
        return _unpack_digits(_first(data, _DIGITS)), data[_DIGITS:]
    size = _first(data, 1)[0]
    text = _first(data[1:], size)
    if not text.isascii():
        raise BodyError("text is ASCII")
    return text.decode("ascii"), data[1 + size :]


def _unpack_tag(data: bytes) -> tuple[bytes, bytes]:
    size = _first(data, 1)[0]
    if size not in _TAG_LENGTHS:
        raise BodyError("a tag has 4 to 8 bytes")
    return _first(data[1:], size), data[1 + size :]


def _first(data: bytes, size: int) -> bytes:
    if len(data) < size:
        raise BodyError("cut short")
    return data[:size]
