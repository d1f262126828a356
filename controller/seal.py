"""What may not be read yet is stored sealed: the hidden cards of a hand, under a key that lives as long.

The key stands in a file of mode 0600 beside the journal, where a restart finds it. It is another for every
hand, and what it sealed can be read by nobody once it is gone (docs/journal.md).
"""

import os
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.errors import JournalError

_KEY_BYTES = 16
_NONCE_BYTES = 12


class Seal(Protocol):
    """Seals the hidden part of an entry. Its methods may wait for the disk."""

    def go_on(self) -> None:
        """The journal is opened: the key of the hand that may be under way, or a new one."""

    def renew(self) -> None:
        """A hand begins or is over: what was sealed so far can be opened no more."""

    def close(self, number: int, hidden: bytes) -> bytes:
        """The sealed form of the hidden part of entry `number`."""


class HandKeySeal:
    """AES-128-GCM under a key a hand, with a random nonce; the entry's number is sealed with it.

    The key file is not touched before `go_on` or `renew`, which raise JournalError when it cannot be used.
    """

    def __init__(self, key_file: Path) -> None:
        self._file = key_file
        self._key = b""

    def go_on(self) -> None:
        """Takes the key that stands in the file; draws one where there is none, or none that is whole."""
        if self._file.exists() and not self._file.is_file():
            raise JournalError(f"{self._file}: the hand's key cannot be read: this is no file")
        try:
            self._key = self._file.read_bytes()
        except FileNotFoundError:
            self._key = b""
        except OSError as error:
            raise JournalError(f"{self._file}: the hand's key cannot be read: {error.strerror}") from None
        if len(self._key) != _KEY_BYTES:
            self.renew()

    def renew(self) -> None:
        """Draws a new key and puts it in the place of the old one."""
        key = AESGCM.generate_key(_KEY_BYTES * 8)
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
        self._key = key

    def close(self, number: int, hidden: bytes) -> bytes:
        """Nonce and ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + AESGCM(self._key).encrypt(nonce, hidden, _bound_to(number))

    @staticmethod
    def open(key_file: Path, number: int, sealed: bytes) -> bytes:
        """The hidden part of an entry of the hand under way. InvalidTag for any other."""
        nonce, hidden = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        return AESGCM(key_file.read_bytes()).decrypt(nonce, hidden, _bound_to(number))


def _bound_to(number: int) -> bytes:
    return number.to_bytes(8, "big")


def sync_folder(folder: Path) -> None:
    """Makes durable which files a folder has. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
