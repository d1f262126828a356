"""The secrets beside a journal: the hand's key, the key that signs, what the tables of tags are ordered by.

They stand in one file of mode 0600 of the journal's name with `.keys`. Both keys are other ones from each
checkpoint on, and what they were stands nowhere any more (docs/journal.md, "Keys").
"""

import hashlib
import os
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.errors import JournalError
from controller.journal.chain import to_sign
from controller.regular_file import open_regular

HAND_KEY_BYTES: Final = 16
_SIGN_BYTES: Final = 32
_ORDER_BYTES: Final = 32
_OTHERS: Final = 0o077


class Secrets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds. While a checkpoint is written both its keys and those before it stand there, the
    older first."""

    hand: tuple[bytes, ...]
    sign: tuple[bytes, ...]
    order: bytes

    def __repr__(self) -> str:
        return "Secrets(...)"

    @property
    def whole(self) -> bool:
        """Whether every key has its length."""
        return (
            bool(self.hand and self.sign)
            and {len(key) for key in self.hand} == {HAND_KEY_BYTES}
            and {len(key) for key in self.sign} == {_SIGN_BYTES}
            and len(self.order) == _ORDER_BYTES
        )


def fresh() -> Secrets:
    """Secrets for a new journal."""
    return Secrets((fresh_hand_key(),), (fresh_sign_key(),), os.urandom(_ORDER_BYTES))


def fresh_hand_key() -> bytes:
    """A key for the hidden cards of one hand."""
    return os.urandom(HAND_KEY_BYTES)


def fresh_sign_key() -> bytes:
    """A key that signs until the next checkpoint."""
    return os.urandom(_SIGN_BYTES)


def hand_key_id(key: bytes) -> str:
    """By what a hand's key is known where it must not stand itself."""
    return hashlib.sha256(b"cutcard hand key\0" + key).hexdigest()[:16]


def public_of(sign_key: bytes) -> str:
    """The public half of a key that signs, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(sign_key).public_key().public_bytes_raw().hex()


def sign(sign_key: bytes, chain: bytes) -> bytes:
    """The signature over a line's hash."""
    return Ed25519PrivateKey.from_private_bytes(sign_key).sign(to_sign(chain))


def is_signed(public: str, chain: bytes, signature: bytes) -> bool:
    """Whether a signature over a line's hash was made with the private half of `public`."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, to_sign(chain))
    except (InvalidSignature, ValueError):
        return False
    return True


def key_file_of(journal: Path) -> Path:
    """Where the secrets of a journal stand."""
    return journal.with_name(journal.name + ".keys")


def read_secrets(file: Path) -> Secrets | None:
    """The secrets in a file, None where there is none. Raises JournalError where it cannot be used."""
    try:
        with open_regular(file) as opened:
            if os.fstat(opened.fileno()).st_mode & _OTHERS:
                raise JournalError(f"{file}: others may read this file of keys; give it mode 0600")
            secrets = msgspec.json.decode(opened.read(), type=Secrets)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{file}: the journal's keys cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, ValueError):
        secrets = None
    if secrets is None or not secrets.whole:
        raise JournalError(f"{file}: these are no keys of a journal; move it away together with the journal")
    return secrets


def write_secrets(file: Path, secrets: Secrets) -> None:
    """Puts the file in the place of the one before, durably. Raises OSError."""
    new = file.with_name(file.name + ".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(msgspec.json.encode(secrets))
        opened.flush()
        os.fsync(opened.fileno())
    os.replace(new, file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Makes durable which files a folder has. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
