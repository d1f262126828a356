"""The seven bytes before every body (docs/protocol.md, section 2)."""

import struct
from typing import Final, NamedTuple

from firmware_bridge.errors import MalformedFrame

HEADER_BYTES: Final = 7
NUMBERED: Final = 0x01
REPEAT: Final = 0x02
SEALED: Final = 0x80
RESERVED: Final = 0xFF & ~(NUMBERED | REPEAT | SEALED)

NUMBERS: Final = 65535
"""How many numbers there are: 1 to 65535; 0 is none."""
OLDER_MAX: Final = 32767
"""An older number is up to this far behind (section 4)."""

_HEADER = struct.Struct("<BBBHH")


class Header(NamedTuple):
    """What stands before a body.

    The message's number, flags, the session's byte, the frame's number, and the last number taken from the
    other side (0 for none).
    """

    type: int
    flags: int = 0
    session: int = 0
    seq: int = 0
    ack: int = 0


def pack(header: Header, body: bytes) -> bytes:
    """The payload of a frame."""
    return _HEADER.pack(*header) + body


def unpack(payload: bytes) -> tuple[Header, bytes]:
    """Header and body of a payload; raises `MalformedFrame` where it is shorter than a header."""
    if len(payload) < HEADER_BYTES:
        raise MalformedFrame(
            "frame", f"a payload has {len(payload)} bytes", f"a header alone has {HEADER_BYTES}: drop it"
        )
    return Header(*_HEADER.unpack_from(payload)), payload[HEADER_BYTES:]


def following(number: int) -> int:
    """The number after ``number`` (0 to 65535): 65535 is followed by 1."""
    return number % NUMBERS + 1


def before(number: int) -> int:
    """The number before ``number`` (1 to 65535): before 1 is 65535."""
    return (number - 2) % NUMBERS + 1


def ahead(number: int, of: int) -> int:
    """How far ``number`` is ahead of the number ``of``: 0 the same, up to 32767 later, above that older."""
    return (number - of) % NUMBERS


def other_session(random: int, last: int) -> int:
    """A session's byte, 1 to 255, other than ``last``, from a random number."""
    byte = random % (254 if last else 255) + 1
    return byte + 1 if last and byte >= last else byte
