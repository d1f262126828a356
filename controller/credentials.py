"""Badges and PINs: as somebody shows one, and as it is kept, salted and slowly hashed (docs/people.md)."""

import hashlib
import hmac
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from controller.errors import PersonError
from controller.events import CredentialName

PIN_DIGITS: Final = range(6, 13)
"""How many digits a PIN may have; the keypad's message has room for twelve."""
BADGE_BYTES: Final = range(4, 9)
"""How many bytes a badge's id may have."""
HASH_BYTES: Final = 32
SALT_BYTES: Final = 16
_LEAST_DIFFERENT: Final = 3
_MOST_MEMORY: Final = 256 << 20
_MOST: Final = (1 << 20, 32, 16)


class Cost(NamedTuple):
    """What one try costs: scrypt's N (a power of two), r and p. It takes 128 * N * r bytes of memory."""

    n: int
    r: int
    p: int

    @property
    def wrong(self) -> str:
        """Why no hash can have this cost, empty where one can."""
        if self.n < 2 or self.n & (self.n - 1) or self.r < 1 or self.p < 1:
            return "N is a power of two, r and p are 1 or more"
        if any(value > most for value, most in zip(self, _MOST, strict=True)) or self._memory > _MOST_MEMORY:
            return f"it would take more than {_MOST_MEMORY >> 20} MB, or too long"
        return ""

    @property
    def cheap(self) -> bool:
        """Whether it is tried so quickly that a short PIN would be found at once: for a bench alone."""
        return self.n * self.r * self.p < LEAST_COST.n * LEAST_COST.r * LEAST_COST.p

    @property
    def _memory(self) -> int:
        return 128 * self.n * self.r

    def hashed(self, secret: bytes, salt: bytes) -> bytes:
        """The slow hash. Raises ValueError or MemoryError where the machine has not so much memory."""
        return hashlib.scrypt(
            secret, salt=salt, n=self.n, r=self.r, p=self.p, maxmem=2 * _MOST_MEMORY, dklen=HASH_BYTES
        )


LEAST_COST: Final = Cost(1 << 15, 8, 1)
COST: Final = Cost(1 << 16, 8, 2)
"""What is kept from now on: 64 MB and about a third of a second a try."""
BENCH_COST: Final = Cost(2, 1, 1)


@dataclass(frozen=True)
class Credential:
    """What somebody shows: a PIN's digits, or a badge's id in lower-case hexadecimal."""

    by: CredentialName
    secret: str = field(repr=False)

    def hashed(self, cost: Cost, salt: bytes) -> bytes:
        """Its hash; a PIN and a badge of the same digits have different ones."""
        return cost.hashed(f"{self.by}:{self.secret}".encode(), salt)


@dataclass(frozen=True)
class Kept:
    """A credential as it is kept: what it is, since when (a date), at which cost, and salt and hash."""

    by: CredentialName
    given: str
    cost: Cost
    salt: bytes = field(repr=False)
    hash: bytes = field(repr=False)

    def is_hash(self, tried: bytes) -> bool:
        """Compared in a time that tells nothing of how much was right."""
        return hmac.compare_digest(self.hash, tried)


def new_pin(text: str) -> Credential:
    """A PIN that somebody chose. PersonError, which never shows it, where it is too short or too plain."""
    if not (text.isascii() and text.isdigit() and len(text) in PIN_DIGITS):
        raise PersonError(f"a PIN has {PIN_DIGITS[0]} to {PIN_DIGITS[-1]} digits and nothing else")
    if _is_plain(text):
        raise PersonError(
            "this PIN is too plain: no runs (123456), no repeats (000000, 123123), three different digits"
        )
    return Credential("pin", text)


def new_badge(text: str) -> Credential:
    """A badge by its id, as it is printed or read: hexadecimal, `:`, `-` and spaces between. PersonError."""
    bare = "".join(c for c in text if c not in ":- ").lower()
    try:
        uid = bytes.fromhex(bare)
    except ValueError:
        raise PersonError("a badge's id is written in hexadecimal, as 04A1B2C3D4E5F6") from None
    if len(uid) not in BADGE_BYTES:
        raise PersonError(
            f"a badge's id has {BADGE_BYTES[0]} to {BADGE_BYTES[-1]} bytes, this one {len(uid)}"
        )
    if len(set(uid)) == 1:
        raise PersonError("this is no badge's id: all its bytes are the same, as a faulty reader says them")
    return Credential("badge", uid.hex())


def _is_plain(pin: str) -> bool:
    digits = [int(digit) for digit in pin]
    steps = {(after - before) % 10 for before, after in pairwise(digits)}
    repeats = any(len(pin) % size == 0 and pin == pin[:size] * (len(pin) // size) for size in range(1, 5))
    return len(steps) == 1 or len(set(digits)) < _LEAST_DIFFERENT or repeats
