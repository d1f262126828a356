"""One frame in, one frame out: COBS and CRC (docs/protocol.md, section 1).

Pure: no clock, no port, no header. With the C extension of ``cobs``, half a microsecond each way.
"""

from binascii import crc_hqx
from dataclasses import dataclass

from cobs import cobs

from firmware_bridge.errors import MalformedFrame

DELIMITER = b"\0"
FRAME_MAX = 64
"""Bytes of a frame on the line with its ``00``: a receiver needs one buffer of that size."""
PAYLOAD_MIN = 7
"""Bytes of a payload that is nothing but a header."""
PAYLOAD_MAX = 60
"""Bytes of the longest payload: 64 less the CRC (2), COBS (1) and the ``00`` (1)."""

_CRC_START = 0xFFFF
_CRC_BYTES = 2


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 of ``data``; ``b"123456789"`` gives 0x29B1."""
    return crc_hqx(data, _CRC_START)


def encode(payload: bytes) -> bytes:
    """The frame that carries ``payload`` (7 to 60 bytes), with its closing ``00``.

    Raises `MalformedFrame` where the payload has another length.
    """
    if not PAYLOAD_MIN <= len(payload) <= PAYLOAD_MAX:
        raise MalformedFrame(
            "frame",
            f"a payload has {len(payload)} bytes",
            f"give {PAYLOAD_MIN} to {PAYLOAD_MAX}",
        )
    encoded: bytes = cobs.encode(payload + crc16(payload).to_bytes(_CRC_BYTES, "little"))
    return encoded + DELIMITER


@dataclass(frozen=True, slots=True)
class FrameCounts:
    """Frames seen by a `Decoder`: taken, and dropped by cause. Empty frames are none."""

    good: int
    crc: int
    cobs: int
    short: int
    overlong: int

    @property
    def dropped(self) -> int:
        """All frames that were dropped."""
        return self.crc + self.cobs + self.short + self.overlong


class Decoder:
    """Cuts a stream of bytes into payloads.

    No stream whatever makes it raise, stall or grow: it keeps 63 bytes at most. Only frames that were hit are
    lost, for the next ``00`` begins anew; how the stream was cut into pieces never matters.
    """

    __slots__ = ("_cobs", "_crc", "_good", "_overlong", "_rest", "_short", "_skipping")

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False
        self._good = self._crc = self._cobs = self._short = self._overlong = 0

    @property
    def counts(self) -> FrameCounts:
        """Frames seen so far."""
        return FrameCounts(self._good, self._crc, self._cobs, self._short, self._overlong)

    @property
    def held(self) -> int:
        """Bytes kept for a frame that is not complete, 0 to 63."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that ``data`` completes, in order, without their CRC."""
        parts = data.split(DELIMITER)
        parts[0] = self._rest + parts[0]
        rest = parts.pop()
        payloads = []
        for part in parts:
            if self._skipping:
                self._skipping = False
            elif part:
                payload = self._payload(part)
                if payload is not None:
                    payloads.append(payload)
        if self._skipping:
            rest = b""
        elif len(rest) >= FRAME_MAX:
            self._skipping = True
            self._overlong += 1
            rest = b""
        self._rest = rest
        return payloads

    def _payload(self, encoded: bytes) -> bytes | None:
        if len(encoded) >= FRAME_MAX:
            self._overlong += 1
            return None
        try:
            checked: bytes = cobs.decode(encoded)
        except cobs.DecodeError:
            self._cobs += 1
            return None
        payload = checked[:-_CRC_BYTES]
        if len(payload) < PAYLOAD_MIN:
            self._short += 1
            return None
        if crc_hqx(payload, _CRC_START) != int.from_bytes(checked[-_CRC_BYTES:], "little"):
            self._crc += 1
            return None
        self._good += 1
        return payload
