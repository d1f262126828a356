"""The device's side of docs/protocol.md section 10: keys of a session, sealed frames, proofs."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

KEY_BYTES = 32
LAST_COUNTER = 0xFFFFFFFF
_HEADER = 7
_COUNTER = 4
_MAC = 8


class SealError(ValueError):
    """A sealed frame that is dropped; the text is the word under which it is counted."""


@dataclass
class Direction:
    """One direction of a session: its two keys, and the last counter that was used or taken in it."""

    encrypting: bytes = field(repr=False)
    authenticating: bytes = field(repr=False)
    counter: int = 0


@dataclass
class SessionKeys:
    """What the frames of a session are sealed with: those that come in, and those that go out."""

    from_host: Direction
    from_device: Direction


def session_keys(pair_key: bytes, greet: bytes, hello: bytes, caps: bytes) -> SessionKeys:
    """Derive the keys of the session that these three bodies lead to."""
    said = b"cutcard 1 session"
    for body in (greet, hello, caps):
        said += bytes([len(body)]) + body
    session = _hmac(pair_key, said)

    def of(who: bytes) -> Direction:
        return Direction(
            _hmac(session, b"cutcard 1 encrypt " + who)[:16], _hmac(session, b"cutcard 1 mac " + who)
        )

    return SessionKeys(of(b"host"), of(b"device"))


def seal(way: Direction, header: bytes, body: bytes) -> bytes:
    """Return the payload of the next sealed frame of a direction. `header` has the flag set."""
    way.counter += 1
    if way.counter > LAST_COUNTER:
        raise SealError("no counter is left")
    said = header + _ctr(way, way.counter, body) + way.counter.to_bytes(_COUNTER, "little")
    return said + _hmac(way.authenticating, said)[:_MAC]


def unseal(way: Direction, payload: bytes) -> bytes:
    """Return the body of a sealed payload, and take its counter as the last.

    Raises SealError where it was changed or made up (`mac`), or is not newer than the last (`replay`).
    """
    said, mac = payload[:-_MAC], payload[-_MAC:]
    if len(payload) < _HEADER + _COUNTER + _MAC:
        raise SealError("mac")
    if not hmac.compare_digest(_hmac(way.authenticating, said)[:_MAC], mac):
        raise SealError("mac")
    counter = int.from_bytes(said[-_COUNTER:], "little")
    if counter <= way.counter:
        raise SealError("replay")
    way.counter = counter
    return _ctr(way, counter, said[_HEADER:-_COUNTER])


def proof(pair_key: bytes, nonce: int, boot: int, firmware: bytes, serial: str) -> bytes:
    """Return what PROOF says to a CHALLENGE."""
    said = nonce.to_bytes(8, "little") + boot.to_bytes(8, "little") + firmware + serial.encode("ascii")
    return _hmac(pair_key, b"cutcard 1 proof" + said)


def check(pair_key: bytes, host_nonce: int, device_nonce: int, serial: str) -> bytes:
    """Return what PAIRED says of a key that came."""
    nonces = host_nonce.to_bytes(8, "little") + device_nonce.to_bytes(8, "little")
    return _hmac(pair_key, b"cutcard 1 paired" + nonces + serial.encode("ascii"))[:8]


def _hmac(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).digest()


def _ctr(way: Direction, counter: int, data: bytes) -> bytes:
    """AES-CTR from the block that begins with the counter: the same both ways."""
    block = counter.to_bytes(_COUNTER, "little") + bytes(12)
    turned = Cipher(algorithms.AES(way.encrypting), modes.CTR(block)).encryptor()
    return turned.update(data) + turned.finalize()
