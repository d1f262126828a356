"""Keys of a session, sealed frames and proofs (docs/protocol.md, section 10). Pure: no clock, port or chance.

HMAC-SHA-256 and AES-128 in counter mode, which a microcontroller has. A key never shows in a ``repr`` nor in
an error.
"""

import hashlib
import hmac
from enum import Enum
from typing import Final, NamedTuple, NoReturn

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

from firmware_bridge.header import HEADER_BYTES, SEALED, Header, pack

KEY_BYTES: Final = 32
"""Bytes of a pair key."""
COUNTER_MAX: Final = 2**32 - 1
"""A direction's last counter: the session ends before it is used up."""
SEAL_BYTES: Final = 12
"""What sealing adds to a payload: counter and MAC."""

_COUNTER_BYTES = 4
_MAC_BYTES = 8
_AES_BYTES = 16
_CHECK_BYTES = 8
_SPARE = 1 << 16
"""Counters left when a session ends, so that it can still be told."""


class PairKey:
    """The key that one device and one controller share: 32 bytes. Shows nothing of itself."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a pair key has {KEY_BYTES} bytes")
        self._secret = bytes(secret)

    def reveal(self) -> bytes:
        """The bytes: for the key file and for PAIR alone."""
        return self._secret

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PairKey) and hmac.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash((PairKey, hashlib.sha256(self._secret).digest()))

    def __repr__(self) -> str:
        return "<pair key>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a pair key is not copied into other formats")


class Refusal(Enum):
    """Why a sealed frame is dropped; the value is a field of `LinkCounts`."""

    FORGED = "forged"
    REPLAYED = "replayed"


class Sealer:
    """Seals the frames of one direction of one session, each under the next counter."""

    __slots__ = ("_cipher", "_counter", "_mac")

    def __init__(self, encryption: bytes, mac: bytes, *, used: int = 0) -> None:
        self._cipher = _ctr(encryption)
        self._mac = hmac.new(mac, digestmod=hashlib.sha256)
        self._counter = used

    @property
    def spent(self) -> bool:
        """Whether the session must end, for its counters are about to."""
        return self._counter >= COUNTER_MAX - _SPARE

    def seal(self, header: Header, body: bytes) -> bytes:
        """The payload of the sealed frame. Raises `OverflowError` rather than use a counter twice."""
        if self._counter >= COUNTER_MAX:
            raise OverflowError("the counters of this session are used up")
        self._counter += 1
        counter = self._counter.to_bytes(_COUNTER_BYTES, "little")
        self._cipher.reset_nonce(counter + bytes(_AES_BYTES - _COUNTER_BYTES))
        sealed = pack(header._replace(flags=header.flags | SEALED), self._cipher.update(body)) + counter
        return sealed + _mac(self._mac, sealed)


class Opener:
    """Opens the frames of the other direction: what was changed, made up or seen before is refused."""

    __slots__ = ("_cipher", "_last", "_mac")

    def __init__(self, encryption: bytes, mac: bytes) -> None:
        self._cipher = _ctr(encryption)
        self._mac = hmac.new(mac, digestmod=hashlib.sha256)
        self._last = 0

    def open(self, payload: bytes) -> bytes | Refusal:
        """The body of a sealed frame's payload, or why it is none of the other side's."""
        sealed, mac = payload[:-_MAC_BYTES], payload[-_MAC_BYTES:]
        body_end = len(sealed) - _COUNTER_BYTES
        # Both before any field is believed, and the MAC first: only a real frame can be an old one.
        if body_end < HEADER_BYTES or not hmac.compare_digest(_mac(self._mac, sealed), mac):
            return Refusal.FORGED
        counter = int.from_bytes(sealed[body_end:], "little")
        if counter <= self._last:
            return Refusal.REPLAYED
        self._last = counter
        self._cipher.reset_nonce(sealed[body_end:] + bytes(_AES_BYTES - _COUNTER_BYTES))
        return self._cipher.update(sealed[HEADER_BYTES:body_end])


class Channel(NamedTuple):
    """The host's end of a sealed session."""

    sealer: Sealer
    opener: Opener


class DirectionKeys(NamedTuple):
    """What one direction of a session is encrypted and authenticated with."""

    encryption: bytes
    mac: bytes

    def __repr__(self) -> str:
        return "<session keys>"


def direction_keys(key: PairKey, greet: bytes, hello: bytes, caps: bytes, direction: str) -> DirectionKeys:
    """The keys of the frames that ``direction`` ("host" or "device") sends, from the three exact bodies."""
    bodies = b"".join(bytes((len(body),)) + body for body in (greet, hello, caps))
    session = _hmac(key.reveal(), b"cutcard 1 session" + bodies)
    who = direction.encode("ascii")
    return DirectionKeys(
        _hmac(session, b"cutcard 1 encrypt " + who)[:_AES_BYTES], _hmac(session, b"cutcard 1 mac " + who)
    )


def host_channel(key: PairKey, greet: bytes, hello: bytes, caps: bytes) -> Channel:
    """The host's end of the session that GREET, HELLO and CAPS with these bodies lead to."""
    return Channel(
        Sealer(*direction_keys(key, greet, hello, caps, "host")),
        Opener(*direction_keys(key, greet, hello, caps, "device")),
    )


def proof(key: PairKey, nonce: int, boot: int, firmware: bytes, serial: str) -> bytes:
    """What a device that holds the key answers to CHALLENGE."""
    said = nonce.to_bytes(8, "little") + boot.to_bytes(8, "little") + firmware + serial.encode("ascii")
    return _hmac(key.reveal(), b"cutcard 1 proof" + said)


def paired_check(key: PairKey, host_nonce: int, device_nonce: int, serial: str) -> bytes:
    """What PAIRED says where the key arrived whole."""
    said = host_nonce.to_bytes(8, "little") + device_nonce.to_bytes(8, "little") + serial.encode("ascii")
    return _hmac(key.reveal(), b"cutcard 1 paired" + said)[:_CHECK_BYTES]


def same(one: bytes, other: bytes) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they part."""
    return hmac.compare_digest(one, other)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _mac(keyed: hmac.HMAC, message: bytes) -> bytes:
    taken = keyed.copy()
    taken.update(message)
    return taken.digest()[:_MAC_BYTES]


def _ctr(key: bytes) -> CipherContext:
    return Cipher(algorithms.AES(key), modes.CTR(bytes(_AES_BYTES))).encryptor()
