"""The host's end of pairing, without any input or output of its own (docs/protocol.md, section 10).

First it greets until the device waits for a key; then, once `give` was called, it gives it the key. That the
device uses it is proved by a session of a `Link` afterwards. Times are monotonic seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.codes import Pairing as Said
from firmware_bridge.diagnostics import why_no_hello
from firmware_bridge.errors import BadMessage, BridgeError, LinkLost, WrongDevice, WrongKey
from firmware_bridge.events import Expect
from firmware_bridge.framing import DELIMITER, Decoder, encode
from firmware_bridge.header import RESERVED, SEALED, Header, pack, unpack
from firmware_bridge.link import ANSWER_WITHIN_S, GREET_EVERY_S, VERSION
from firmware_bridge.messages import Caps, Greet, Hello, Message, Pair, Paired, decode
from firmware_bridge.messages import encode as encode_body
from firmware_bridge.secrecy import PairKey, paired_check, same


@dataclass(frozen=True, slots=True)
class Met:
    """A device answers; ``waits``: somebody holds its button, ``paired``: it says that it holds a key."""

    serial: str
    waits: bool
    paired: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """The device has stored the key, whole."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It cannot go on."""

    error: BridgeError


PairingEvent = Met | Taken | Failed


class _Phase(Enum):
    WAITING = "waiting"
    GIVING = "giving"
    OVER = "over"


class KeyGiver:
    """Gives one device a key. Used once; ``random`` gives a number of so many bits."""

    def __init__(
        self, name: str, expect: Expect, key: PairKey, *, now: float, random: Callable[[int], int]
    ) -> None:
        self._name = name
        self._expect = expect
        self._key = key
        self._random = random
        self._phase = _Phase.WAITING
        self._decoder = Decoder()
        self._nonce = 0
        self._hello: Hello | None = None
        self._caps: Caps | None = None
        self._heard_at = now
        self._next_at = now

    def give(self, now: float) -> None:
        """The key leaves from now on: only after a `Met` that waits."""
        self._phase = _Phase.GIVING
        self._next_at = now
        self._heard_at = now

    def due_at(self) -> float:
        """When `outgoing` has something, or `expire`."""
        return min(self._next_at, self._heard_at + ANSWER_WITHIN_S)

    def outgoing(self, now: float) -> bytes:
        """The bytes that leave now."""
        if self._phase is _Phase.OVER or now < self._next_at:
            return b""
        self._next_at = now + GREET_EVERY_S
        if self._phase is _Phase.GIVING:
            return _frame(Pair(self._nonce, self._key.reveal()))
        first = b"" if self._nonce else DELIMITER
        # New each time: the answer to a greeting that is repeated would say what was the case before.
        self._nonce = self._random(64) or 1
        self._hello = self._caps = None
        return first + _frame(Greet(VERSION, VERSION, self._nonce))

    def receive(self, data: bytes, now: float) -> list[PairingEvent]:
        """What the bytes that came tell."""
        told: list[PairingEvent] = []
        for payload in self._decoder.feed(data):
            header, body = unpack(payload)
            if self._phase is _Phase.OVER or header.flags & (RESERVED | SEALED):
                continue
            try:
                event = self._heard(decode(header.type, body), now)
            except BadMessage:
                continue
            if event is not None:
                told.append(event)
        return told

    def expire(self, now: float) -> list[PairingEvent]:
        """`Failed` where the device does not answer."""
        if self._phase is _Phase.OVER or now < self._heard_at + ANSWER_WITHIN_S:
            return []
        if self._phase is _Phase.GIVING:
            return [
                self._fails(LinkLost(self._name, "the device does not say that it has the key", "see to it"))
            ]
        what, remedy = why_no_hello(self._decoder.counts)
        return [self._fails(LinkLost(self._name, what, remedy))]

    def _heard(self, message: Message, now: float) -> PairingEvent | None:
        if isinstance(message, Hello) and self._phase is _Phase.WAITING and message.host_nonce == self._nonce:
            return self._on_hello(message, now)
        if isinstance(message, Caps) and self._phase is _Phase.WAITING and self._hello is not None:
            self._caps = message
            says = message.pairing
            return Met(self._hello.serial, bool(says & Said.WAITS), bool(says & Said.HOLDS_KEY))
        if isinstance(message, Paired) and self._phase is _Phase.GIVING:
            return self._on_paired(message)
        return None

    def _on_hello(self, hello: Hello, now: float) -> PairingEvent | None:
        self._heard_at = now
        found = f"{hello.kind.label} {hello.serial}"
        if hello.version != VERSION:
            wanted, found = f"protocol version {VERSION}", f"{found} without it"
            return self._fails(WrongDevice(self._name, wanted, found))
        if hello.kind is not self._expect.kind or self._expect.serial not in (None, hello.serial):
            return self._fails(WrongDevice(self._name, str(self._expect), found))
        self._hello = hello
        return None

    def _on_paired(self, paired: Paired) -> PairingEvent | None:
        hello, caps = self._hello, self._caps
        if paired.host_nonce != self._nonce or hello is None or caps is None:
            return None
        if not same(paired.check, paired_check(self._key, self._nonce, caps.device_nonce, hello.serial)):
            return self._fails(WrongKey(self._name, "the key did not arrive whole", "look at the cable"))
        self._phase = _Phase.OVER
        return Taken()

    def _fails(self, error: BridgeError) -> Failed:
        self._phase = _Phase.OVER
        return Failed(error)


def _frame(message: Message) -> bytes:
    type_, body = encode_body(message)
    return encode(pack(Header(type_), body))
