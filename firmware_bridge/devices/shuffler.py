"""A deck's table and masks of its members, as a shuffler wants them (docs/protocol.md, section 9)."""

from collections.abc import Iterable, Sequence
from typing import Final

from firmware_bridge.framing import crc16
from firmware_bridge.messages import DeckBegin, DeckEnd, DeckTags, Order

TAGS_MAX: Final = 56
"""Tags of the largest deck."""
MASK_BYTES: Final = 7
_TAGS_IN_A_FRAME = 4


def deck_crc(tags: Sequence[bytes]) -> int:
    """What DECK_READY must confirm: the CRC over length and bytes of every tag in the order of indices."""
    return crc16(b"".join(bytes((len(tag),)) + tag for tag in tags))


def deck_table(slot: int, tags: Sequence[bytes]) -> list[Order]:
    """The messages that give a slot its table: the tag of index i is ``tags[i]``, 1 to 56 of 4 to 8 bytes.

    Choose the order of the tags at random: the order of indices must tell nothing about a card. Raises
    `ValueError` where their number is out of range or a tag comes twice.
    """
    if not 1 <= len(tags) <= TAGS_MAX:
        raise ValueError(f"a deck has 1 to {TAGS_MAX} tags, not {len(tags)}")
    if len(set(tags)) != len(tags):
        raise ValueError("a deck has the same tag twice")
    chunks = [
        DeckTags(slot, first, tuple(tags[first : first + _TAGS_IN_A_FRAME]))
        for first in range(0, len(tags), _TAGS_IN_A_FRAME)
    ]
    return [DeckBegin(slot, len(tags)), *chunks, DeckEnd(slot)]


def mask(indices: Iterable[int]) -> bytes:
    """The mask of a set: bit i of byte i/8 for index i, 0 to 55; raises `ValueError` outside of that."""
    bits = 0
    for index in indices:
        if not 0 <= index < TAGS_MAX:
            raise ValueError(f"no tag has the index {index}; there are 0 to {TAGS_MAX - 1}")
        bits |= 1 << index
    return bits.to_bytes(MASK_BYTES, "little")


def indices(mask_: bytes) -> frozenset[int]:
    """The indices of a mask's members. Raises `ValueError` where it has not 7 bytes."""
    if len(mask_) != MASK_BYTES:
        raise ValueError(f"a mask has {MASK_BYTES} bytes, not {len(mask_)}")
    bits = int.from_bytes(mask_, "little")
    return frozenset(index for index in range(TAGS_MAX) if bits >> index & 1)
