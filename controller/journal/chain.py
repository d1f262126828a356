"""The chain over a journal's lines: each bears a hash over itself and all before it, some a signature.

Pure functions of bytes. A line is a JSON object whose last members are `chain` and, where it is signed,
`sig`; the hash is over the object without them. There is one way to write each of them, so that no changed
bit is read as the same line.
"""

import hashlib
import re
from typing import Final, NamedTuple

FIRST: Final = bytes(32)
"""What stands before the first line of a journal."""

_ENDING: Final = re.compile(rb'\A(\{[^\n]+),"chain":"([0-9a-f]{64})"(?:,"sig":"([0-9a-f]{128})")?\}\n\Z')
_SIGNED: Final = b"cutcard journal\0"


_MARK: Final = re.compile("([1-9][0-9]{0,15}):([0-9a-f]{64})")


class Mark(NamedTuple):
    """An entry and its hash in hexadecimal, to be noted elsewhere: whoever finds it again in a journal has
    found all before it as it was."""

    number: int
    chain: str

    def __str__(self) -> str:
        return f"{self.number}:{self.chain}"


def mark_in(text: str) -> Mark | None:
    """The mark that a text is, `N:CHAIN`; None where it is none."""
    found = _MARK.fullmatch(text.strip().lower())
    return Mark(int(found[1]), found[2]) if found else None


class Closed(NamedTuple):
    """A line taken apart: the object that was hashed, its hash, and its signature if it bears one."""

    body: bytes
    chain: bytes
    signature: bytes | None


def link(before: bytes, body: bytes) -> bytes:
    """The hash of a line that follows one of the hash `before`; 32 bytes each."""
    return hashlib.sha256(before + body).digest()


def close(body: bytes, chain: bytes, signature: bytes | None = None) -> bytes:
    """The line of an object, with its hash, its signature and its end of line."""
    signed = b"" if signature is None else b',"sig":"' + signature.hex().encode() + b'"'
    return body[:-1] + b',"chain":"' + chain.hex().encode() + b'"' + signed + b"}\n"


def open_line(line: bytes) -> Closed | None:
    """A line taken apart; None where it is no line of a journal."""
    found = _ENDING.match(line)
    if found is None:
        return None
    body, chain, signature = found.groups()
    return Closed(
        body + b"}",
        bytes.fromhex(chain.decode()),
        None if signature is None else bytes.fromhex(signature.decode()),
    )


def to_sign(chain: bytes) -> bytes:
    """What a signature is made over: a line's hash, and with it all before."""
    return _SIGNED + chain
