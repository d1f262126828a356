"""Consistent Overhead Byte Stuffing, docs/protocol.md section 1: bytes without a zero in them."""

_LONGEST = 254


class CobsError(ValueError):
    """The bytes are no COBS encoding."""


def encode(data: bytes) -> bytes:
    """Return `data` encoded, without the `00` that ends a frame."""
    out = bytearray()
    block = bytearray()
    for byte in data:
        if byte == 0:
            out.append(len(block) + 1)
            out += block
            block.clear()
            continue
        block.append(byte)
        if len(block) == _LONGEST:
            out.append(0xFF)
            out += block
            block.clear()
    # A block that is full to the brim ends the data by itself: no code follows it.
    if block or not data or data[-1] == 0 or len(out) == 0:
        out.append(len(block) + 1)
        out += block
    return bytes(out)


def decode(data: bytes) -> bytes:
    """Return what was encoded.

    Raises CobsError for a zero, for an empty input and for a code that points past the end.
    """
    if not data:
        raise CobsError("nothing to decode")
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        block = data[at + 1 : at + code]
        if code == 0 or 0 in block:
            raise CobsError("a zero inside")
        if len(block) != code - 1:
            raise CobsError("cut short")
        out += block
        at += code
        if code <= _LONGEST and at < len(data):
            out.append(0)
    return bytes(out)
