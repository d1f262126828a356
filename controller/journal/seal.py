"""What may not be read yet is stored sealed: the hidden cards of a hand, under a key of that hand.

The key is sealed itself for the auditor, if the table has one: with his private key a finished hand can still
be opened, by nobody else (docs/journal.md, "Keys").
"""

import os
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from controller.errors import AuditorKeyError
from controller.regular_file import open_regular

_NONCE_BYTES: Final = 12
_PUBLIC_BYTES: Final = 32
_BOX_NONCE: Final = bytes(_NONCE_BYTES)
_OTHERS: Final = 0o077
_MOST_BYTES: Final = 4096
_PRIVATE: Final = "auditor-private"
_PUBLIC: Final = "auditor-public"
_OTHER_HALF: Final = {
    _PUBLIC: "this is the public key; the private one is needed",
    _PRIVATE: "this is the private key, which the auditor keeps; the public one is needed",
}
"""How a file of a key begins, and what is said of it where the other half is needed."""


def seal(hand_key: bytes, number: int, hidden: bytes) -> bytes:
    """The hidden part of entry `number`, sealed: nonce and ciphertext, with the number bound into it."""
    nonce = os.urandom(_NONCE_BYTES)
    return nonce + AESGCM(hand_key).encrypt(nonce, hidden, _bound_to(number))


def unseal(hand_key: bytes, number: int, sealed: bytes) -> bytes | None:
    """The hidden part of an entry; None where it was sealed under another key, or for another entry."""
    nonce, hidden = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    try:
        return AESGCM(hand_key).decrypt(nonce, hidden, _bound_to(number))
    except (InvalidTag, ValueError):
        return None


def _bound_to(number: int) -> bytes:
    return number.to_bytes(8, "big")


class Auditor:
    """Whoever may open what is sealed, by his public key."""

    def __init__(self, public: bytes) -> None:
        self._public = X25519PublicKey.from_public_bytes(public)
        self.name: Final = public.hex()[:16]
        """By what he is known in a journal."""

    def box(self, hand_key: bytes) -> bytes:
        """A hand's key as only he can take it out: a public key made for it, and the key sealed."""
        once = X25519PrivateKey.generate()
        public = once.public_key().public_bytes_raw()
        shared = _shared(once.exchange(self._public), public)
        return public + AESGCM(shared).encrypt(_BOX_NONCE, hand_key, None)


class AuditorKey:
    """The auditor's private key."""

    def __init__(self, private: bytes) -> None:
        self._private = X25519PrivateKey.from_private_bytes(private)

    @property
    def public(self) -> bytes:
        """The half that tables are given."""
        return self._private.public_key().public_bytes_raw()

    def unbox(self, box: bytes) -> bytes | None:
        """The hand's key in a box; None where the box is another auditor's, or damaged."""
        public, sealed = box[:_PUBLIC_BYTES], box[_PUBLIC_BYTES:]
        try:
            shared = _shared(self._private.exchange(X25519PublicKey.from_public_bytes(public)), public)
            return AESGCM(shared).decrypt(_BOX_NONCE, sealed, None)
        except (InvalidTag, ValueError):
            return None


def _shared(exchanged: bytes, once: bytes) -> bytes:
    return HKDF(SHA256(), 16, salt=once, info=b"cutcard auditor").derive(exchanged)


def read_auditor(file: Path) -> Auditor:
    """The public key in a file. Raises AuditorKeyError where there is none."""
    return Auditor(_key_in(file, _PUBLIC))


def read_auditor_key(file: Path) -> AuditorKey:
    """The private key in a file of mode 0600. Raises AuditorKeyError where there is none."""
    return AuditorKey(_key_in(file, _PRIVATE))


def _key_in(file: Path, kind: str) -> bytes:
    """The key of a kind in a file. What kind it has is looked at first: nothing else is said of what is no
    key of an auditor, or the other half."""
    try:
        with open_regular(file) as opened:
            mode, content = os.fstat(opened.fileno()).st_mode, opened.read(_MOST_BYTES)
    except OSError as error:
        raise AuditorKeyError(f"{file}: the auditor's key cannot be read: {error.strerror}") from None
    said = content.decode("ascii", "replace").split()
    if not said or said[0] not in _OTHER_HALF:
        raise AuditorKeyError(f"{file}: this is no key of an auditor; cutcard audit keys makes a pair")
    if said[0] != kind:
        raise AuditorKeyError(f"{file}: {_OTHER_HALF[said[0]]}")
    if kind == _PRIVATE and mode & _OTHERS:
        raise AuditorKeyError(f"{file}: others may read this private key; give it mode 0600")
    try:
        (key,) = (bytes.fromhex(part) for part in said[1:])
    except ValueError:
        key = b""
    if len(key) != _PUBLIC_BYTES:
        raise AuditorKeyError(
            f"{file}: the auditor's key in it is damaged; put an unchanged copy in its place"
        )
    return key


def write_auditor_keys(private: Path, public: Path) -> Auditor:
    """Makes a pair of keys, the private one in a new file of mode 0600. Raises AuditorKeyError."""
    key = AuditorKey(os.urandom(_PUBLIC_BYTES))
    for file, mode, what, half in (
        (private, 0o600, _PRIVATE, key._private.private_bytes_raw()),
        (public, 0o644, _PUBLIC, key.public),
    ):
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "w") as opened:
                opened.write(f"{what} {half.hex()}\n")
        except OSError as error:
            raise AuditorKeyError(f"{file}: the key cannot be written: {error.strerror}") from None
    return Auditor(key.public)
