"""A device written from docs/protocol.md alone, sharing nothing with the code under test.

It is a shoe with a burner: BURN is answered by DRAW and RESULT. Without input or output of its own: it is
fed with bytes and a time in seconds, and asked for the bytes that it sends.
"""

import struct
from collections.abc import Iterable

GREET, HELLO, CAPS, OPEN, OPENED, ACK, TICK, CLOSE = range(1, 9)
ASK, RECALL, RESULT, GAP = 0x10, 0x11, 0x12, 0x13
SHOE_STATE, DRAW, BURN = 0x20, 0x21, 0x28
NUMBERED, REPEAT = 1, 2
REPEATS = (0.050, 0.100, 0.200, 0.400)
NUMBERS = 65535


def crc16(data: bytes) -> int:
    """Bit by bit, as section 1 describes it."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def frame(payload: bytes) -> bytes:
    """COBS of payload and CRC, then ``00``."""
    data = payload + struct.pack("<H", crc16(payload))
    return b"".join(bytes((len(part) + 1,)) + part for part in data.split(b"\0")) + b"\0"


def payload_of(encoded: bytes) -> bytes | None:
    """The payload of what stood before a ``00``; None where it is damaged."""
    data = bytearray()
    at = 0
    while at < len(encoded):
        code = encoded[at]
        if at + code > len(encoded):
            return None
        data += encoded[at + 1 : at + code] + b"\0"
        at += code
    checked = bytes(data[:-1])
    if len(checked) < 9 or crc16(checked[:-2]) != int.from_bytes(checked[-2:], "little"):
        return None
    return checked[:-2]


class FakeDevice:
    """A shoe. ``first`` is the number that its first event has."""

    def __init__(
        self, *, boot: int = 0xB007, kind: int = 1, serial: bytes = b"SH-0007", first: int = 1
    ) -> None:
        self.boot, self.kind, self.serial = boot, kind, serial
        self.version = 1
        self.options, self.data = 2, b"\x34"
        self.next = first
        self.kept: dict[int, tuple[int, bytes]] = {}
        self.executed: list[int] = []
        self.results: dict[int, bytes] = {}
        self.orders: list[tuple[int, bytes]] = []
        self.closed: list[int] = []
        self.acked = 0
        self.greetings = 0
        self._rest = b""
        self._session = 0
        self._host_nonce = 0
        self._taken = 0
        self._sent: set[int] = set()
        self._repeats = 0
        self._repeat_at = 0.0
        self._tick_at = 0.0
        self._out = [self._hello(0), self._caps()]

    # What happens to it

    def event(self, type_: int, body: bytes) -> int:
        """Something happened; its number. ``body`` begins behind ``time``."""
        number = self.next
        self.next = self.next % NUMBERS + 1
        self.kept[number] = (type_, struct.pack("<I", number * 10 % 2**32) + body)
        return number

    def draw(self) -> int:
        """A card left the shoe by hand."""
        return self.event(DRAW, struct.pack("<HBBHB", 1, 0, 0, 180, 1) + b"\x04" + b"ABCD")

    # The wire

    def feed(self, data: bytes, now: float) -> None:
        """Bytes from the host."""
        *parts, self._rest = (self._rest + data).split(b"\0")
        for part in parts:
            payload = payload_of(part) if part else None
            if payload is not None:
                self._take(payload, now)

    def _take(self, payload: bytes, now: float) -> None:
        type_, flags, session, seq, ack = struct.unpack_from("<BBBHH", payload)
        body = payload[7:]
        if type_ == GREET:
            self.greetings += 1
            self._host_nonce = struct.unpack("<BBQ", body)[2]
            self._out += [self._hello(self._host_nonce), self._caps()]
        elif type_ == OPEN:
            session, boot, durable = struct.unpack("<BQH", body)
            self._open(session, boot, durable, now)
        elif session == self._session and session:
            self._acknowledged(ack, now)
            if type_ == CLOSE:
                self.closed.append(body[0])
                self._session = 0
            if flags & NUMBERED:
                if seq == self._taken % NUMBERS + 1:
                    self._taken = seq
                    self._order(type_, body)
                self._out.append(self._frame(ACK, b""))

    def _open(self, session: int, boot: int, durable: int, now: float) -> None:
        if boot != self.boot:
            self._out += [self._hello(self._host_nonce), self._caps()]
            return
        if session != self._session:
            self._session, self._taken, self._sent, self._repeats = session, 0, set(), 0
            self._acknowledged(durable, now)
            self.event(SHOE_STATE, bytes((0, 0, 255, 0)))
            self._tick_at = now + 0.25
        self._out.append(self._frame(OPENED, struct.pack("<QQ", self._host_nonce, 0xD)))

    def _acknowledged(self, number: int, now: float) -> None:
        if number in self.kept:
            self.acked = number
            for kept in list(self.kept):
                del self.kept[kept]
                self._sent.discard(kept)
                if kept == number:
                    break
            self._repeats, self._repeat_at = 0, now + REPEATS[0]

    def _order(self, type_: int, body: bytes) -> None:
        self.orders.append((type_, body))
        if type_ == BURN:
            (id_,) = struct.unpack("<Q", body)
            if id_ not in self.results:
                self.executed.append(id_)
                self.draw()
                self.results[id_] = struct.pack("<QBBBB", id_, BURN, 0, 0, 1)
            self.event(RESULT, self.results[id_])
        elif type_ == RECALL:
            (id_,) = struct.unpack("<Q", body)
            self.event(RESULT, self.results.get(id_, struct.pack("<QBBBB", id_, 0, 3, 0, 0)))

    def poll(self, now: float) -> bytes:
        """Bytes to the host."""
        out, self._out = self._out, []
        if self._session:
            window = list(self.kept)[:16]
            if self._sent and now >= self._repeat_at:
                out += [
                    self._event_frame(number, NUMBERED | REPEAT) for number in window if number in self._sent
                ]
                self._repeats = min(self._repeats + 1, 3)
                self._repeat_at = now + REPEATS[self._repeats]
            for number in window:
                if number not in self._sent:
                    if not self._sent:
                        self._repeat_at = now + REPEATS[0]
                    self._sent.add(number)
                    out.append(self._event_frame(number, NUMBERED))
            if now >= self._tick_at:
                self._tick_at = now + 0.25
                last = (
                    max(self._sent, key=list(self.kept).index)
                    if self._sent
                    else (self.next - 2) % NUMBERS + 1
                )
                out.append(self._frame(TICK, struct.pack("<IH", int(now * 1000), last if last else 0)))
        return b"".join(out)

    def _event_frame(self, number: int, flags: int) -> bytes:
        type_, body = self.kept[number]
        return self._frame(type_, body, flags, number)

    def _frame(self, type_: int, body: bytes, flags: int = 0, seq: int = 0) -> bytes:
        return frame(struct.pack("<BBBHH", type_, flags, self._session, seq, self._taken) + body)

    def _hello(self, host_nonce: int) -> bytes:
        oldest = next(iter(self.kept), self.next)
        body = struct.pack(
            "<BBQQHH3s", self.version, self.kind, self.boot, host_nonce, oldest, self.next, b"\1\2\3"
        )
        return frame(bytes((HELLO,)) + bytes(6) + body + bytes((len(self.serial),)) + self.serial)

    def _caps(self) -> bytes:
        body = struct.pack("<BHBHBQ", self.kind, 128, 32, self.options, 0, 0xD) + self.data
        return frame(bytes((CAPS,)) + bytes(6) + body)


def types(data: bytes) -> list[int]:
    """The types of the frames in what a host sent."""
    return [payload[0] for payload in _payloads(data)]


def headers(data: bytes) -> list[tuple[int, int, int, int, int]]:
    """The headers of the frames in what a host sent: type, flags, session, seq, ack."""
    return [struct.unpack_from("<BBBHH", payload) for payload in _payloads(data)]


def _payloads(data: bytes) -> Iterable[bytes]:
    for part in data.split(b"\0"):
        payload = payload_of(part) if part else None
        if payload is not None:
            yield payload
