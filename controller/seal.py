"""What may not be read yet is stored sealed: hidden cards of the hand under way, under a key that lives as
long as it.

The key stands in a file of mode 0600 beside the journal, is drawn anew for every hand, and what it sealed
can be read
by nobody once it is gone (docs/journal.md).
"""

import os
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.errors import JournalError

_KEY_BYTES = 16
_NONCE_BYTES = 12


class Seal(Protocol):
    """Seals the hidden part of an entry."""

    def new_hand(self) -> None:
        """A hand begins: what was sealed for the last one can be opened no more."""

    def close(self, number: int, hidden: bytes) -> bytes:
        """The sealed form of the hidden part of entry `number`."""


class HandKeySeal:
    """AES-128-GCM under a key a hand; the entry's number is the nonce, so that none is used twice."""

    def __init__(self, key_file: Path) -> None:
        self._file = key_file
        self._key = b""
        self.new_hand()

    def new_hand(self) -> None:
        """Draws a new key and puts it in the place of the old one. JournalError when it cannot be written."""
        self._key = AESGCM.generate_key(_KEY_BYTES * 8)
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(self._key)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self._file)
        except OSError as error:
            raise JournalError(f"{self._file}: the hand's key cannot be written: {error.strerror}") from None

    def close(self, number: int, hidden: bytes) -> bytes:
        """Seals; `number` is used once with a key."""
        return AESGCM(self._key).encrypt(number.to_bytes(_NONCE_BYTES, "big"), hidden, None)

    @staticmethod
    def open(key_file: Path, number: int, sealed: bytes) -> bytes:
        """The hidden part of an entry of the hand under way. InvalidTag for any other."""
        return AESGCM(key_file.read_bytes()).decrypt(number.to_bytes(_NONCE_BYTES, "big"), sealed, None)
