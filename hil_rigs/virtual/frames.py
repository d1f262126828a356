"""Frames on the line, docs/protocol.md sections 1 and 2: COBS(header, body, CRC) and a `00`."""

from collections import Counter
from dataclasses import dataclass, replace

from hil_rigs.virtual import cobs, secrecy
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.messages import MESSAGES, BodyError, unpack

LONGEST_FRAME = 64
NUMBERED = 0x01
REPEAT = 0x02
SEALED = 0x80
_RESERVED = 0x7C
_HEADER = 7


class FrameError(ValueError):
    """A frame that is dropped; the text is the word under which it is counted."""


@dataclass(frozen=True)
class Frame:
    """A frame without its framing. `seq` is 0 where it is not numbered."""

    type: int
    flags: int = 0
    session: int = 0
    seq: int = 0
    ack: int = 0
    body: bytes = b""

    @property
    def numbered(self) -> bool:
        """Whether it is one that is acknowledged and repeated."""
        return bool(self.flags & NUMBERED)

    @property
    def sealed(self) -> bool:
        """Whether its body is encrypted, with counter and MAC behind it, until `opened` has taken it."""
        return bool(self.flags & SEALED)

    @property
    def header(self) -> bytes:
        """The seven bytes before the body."""
        numbers = self.seq.to_bytes(2, "little") + self.ack.to_bytes(2, "little")
        return bytes([self.type, self.flags, self.session]) + numbers


def encode(frame: Frame, way: secrecy.Direction | None = None) -> bytes:
    """Return a frame as it goes over the line, with the `00` that ends it; sealed where there is a key."""
    if way is None:
        payload = frame.header + frame.body
    else:
        payload = secrecy.seal(way, replace(frame, flags=frame.flags | SEALED).header, frame.body)
    return cobs.encode(payload + crc16(payload).to_bytes(2, "little")) + b"\0"


def opened(frame: Frame, way: secrecy.Direction) -> Frame:
    """Return a sealed frame with its body in clear.

    Raises SealError where it is none of the other side's, FrameError where the body does not fit.
    """
    body = secrecy.unseal(way, frame.header + frame.body)
    clear = replace(frame, flags=frame.flags & ~SEALED, body=body)
    _check_body(clear)
    return clear


def decode(raw: bytes) -> Frame:
    """Return the frame in `raw`, which stood between two `00`; the body of a sealed one is not looked at.

    Raises FrameError for what section 1 drops: COBS, CRC, length, type, flags, body.
    """
    try:
        data = cobs.decode(raw)
    except cobs.CobsError:
        raise FrameError("cobs") from None
    payload = data[:-2]
    if crc16(payload).to_bytes(2, "little") != data[-2:]:
        raise FrameError("crc")
    if len(payload) < _HEADER:
        raise FrameError("short")
    frame = Frame(
        type=payload[0],
        flags=payload[1],
        session=payload[2],
        seq=int.from_bytes(payload[3:5], "little"),
        ack=int.from_bytes(payload[5:7], "little"),
        body=payload[_HEADER:],
    )
    _check(frame)
    return frame


def _check(frame: Frame) -> None:
    message = MESSAGES.get(frame.type)
    if message is None:
        raise FrameError("type")
    if frame.flags & _RESERVED or frame.numbered != message.numbered:
        raise FrameError("flags")
    if frame.numbered != (frame.seq != 0):
        raise FrameError("seq")
    if not frame.sealed:
        _check_body(frame)


def _check_body(frame: Frame) -> None:
    try:
        unpack(frame.type, frame.body)
    except BodyError:
        raise FrameError("body") from None


class Receiver:
    """Cuts a stream into frames and counts what it drops, by word."""

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self._taken = bytearray()
        self._overrun = False

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that end in `data`."""
        frames = []
        for byte in data:
            if byte:
                self._take(byte)
                continue
            raw, self._taken = bytes(self._taken), bytearray()
            if self._overrun:
                self._overrun = False
                self.dropped["long"] += 1
            elif raw:  # an empty frame is no error
                try:
                    frames.append(decode(raw))
                except FrameError as error:
                    self.dropped[str(error)] += 1
        return frames

    def _take(self, byte: int) -> None:
        if len(self._taken) >= LONGEST_FRAME - 1:
            self._overrun = True
            self._taken.clear()
        if not self._overrun:
            self._taken.append(byte)
