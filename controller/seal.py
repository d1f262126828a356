"""What may not be read yet is stored sealed: hidden cards of the hand under way, under a key that lives as
long as it.

The key stands in a file of mode 0600 beside the journal, is drawn anew for every hand, and what it sealed
can be read
by nobody once it is gone (docs/journal.md).
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.errors import JournalError

_KEY_BYTES = 16
_NONCE_BYTES = 12


class Seal(Protocol):
    """Seals the hidden part of an entry."""

    def new_hand(self) -> Callable[[], None]:
        """A hand begins: draws its key at once and returns what stores it in the place of the old one.

        That may wait for the disk; it must have been called before anything that is sealed from now on is
        durable. It raises JournalError when the key cannot be written.
        """

    def close(self, number: int, hidden: bytes) -> bytes:
        """The sealed form of the hidden part of entry `number`."""


class HandKeySeal:
    """AES-128-GCM under a key a hand; the entry's number is the nonce, so that none is used twice.

    The key file is not touched before the first `new_hand`.
    """

    def __init__(self, key_file: Path) -> None:
        self._file = key_file
        self._key = b""

    def new_hand(self) -> Callable[[], None]:
        """Draws a new key; what it returns stores it, and nobody can read what the last one sealed."""
        self._key = AESGCM.generate_key(_KEY_BYTES * 8)
        return partial(self._store, self._key)

    def _store(self, key: bytes) -> None:
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            fresh.unlink(missing_ok=True)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(key)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self._file)
            sync_folder(self._file.parent)
        except OSError as error:
            raise JournalError(f"{self._file}: the hand's key cannot be written: {error.strerror}") from None

    def close(self, number: int, hidden: bytes) -> bytes:
        """Seals; `number` is used once with a key."""
        return AESGCM(self._key).encrypt(number.to_bytes(_NONCE_BYTES, "big"), hidden, None)

    @staticmethod
    def open(key_file: Path, number: int, sealed: bytes) -> bytes:
        """The hidden part of an entry of the hand under way. InvalidTag for any other."""
        return AESGCM(key_file.read_bytes()).decrypt(number.to_bytes(_NONCE_BYTES, "big"), sealed, None)


def sync_folder(folder: Path) -> None:
    """Makes durable which files a folder has. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
