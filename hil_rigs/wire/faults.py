"""The faults of a wire by their names: each makes of a frame the chunks that come out at the other end.

Everything is drawn from the dice that are handed in, so a seed gives the same faults again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

DELAY_S: Final = 0.080
"""How late a delayed frame is: later than either side waits before it sends a frame again."""
JITTER_S: Final = 0.030
"""The most that jitter makes a frame late."""
BYTE_S: Final = 10 / 9600
"""What a byte takes on a line that is set to 9600 baud."""
SPLIT_S: Final = 0.003
"""Between the two pieces of a split frame."""
TRICKLE_S: Final = 0.000_2
"""Between the bytes of a frame that is written one by one."""
STALL_S: Final = 0.5
"""How long an end does not read that has stalled: less than either side takes for a loss."""
GARBAGE_MAX: Final = 90
"""The most bytes of a burst of garbage: more than a frame has."""


class Chunk(NamedTuple):
    """Bytes that come out together: `late_s` seconds late, having kept the line busy for `takes_s`.

    What is behind them comes later still, but for one that is `overtaken`: the frame behind it comes first.
    """

    data: bytes
    late_s: float = 0.0
    takes_s: float = 0.0
    overtaken: bool = False


class Fault(NamedTuple):
    """A fault of a wire: `hit` makes chunks of a frame (with its `00`); it lasts for so many frames."""

    hit: Callable[[bytes, Random], list[Chunk]]
    lasts: int = 1


def _drop_byte(frame: bytes, dice: Random) -> list[Chunk]:
    at = dice.randrange(len(frame))
    return [Chunk(frame[:at] + frame[at + 1 :])]


def _insert_byte(frame: bytes, dice: Random) -> list[Chunk]:
    at = dice.randrange(len(frame))
    return [Chunk(frame[:at] + dice.randbytes(1) + frame[at:])]


def _flip_bit(frame: bytes, dice: Random) -> list[Chunk]:
    return [_flipped(frame, dice.randrange(len(frame)), dice)]


def _corrupt_crc(frame: bytes, dice: Random) -> list[Chunk]:
    """What a frame's checksum stands in is what comes last before its end."""
    return [_flipped(frame, max(0, len(frame) - dice.choice((2, 3))), dice)]


def _flipped(frame: bytes, at: int, dice: Random) -> Chunk:
    return Chunk(frame[:at] + bytes((frame[at] ^ 1 << dice.randrange(8),)) + frame[at + 1 :])


def _truncate(frame: bytes, dice: Random) -> list[Chunk]:
    """The rest of it never comes, in half of the cases not even its end."""
    end = frame[-1:] if dice.random() < 0.5 else b""
    return [Chunk(frame[: dice.randrange(max(1, len(frame) - 1))] + end)]


def _drop(_frame: bytes, _dice: Random) -> list[Chunk]:
    return []


def _duplicate(frame: bytes, _dice: Random) -> list[Chunk]:
    return [Chunk(frame), Chunk(frame)]


def _reorder(frame: bytes, _dice: Random) -> list[Chunk]:
    return [Chunk(frame, overtaken=True)]


def _garbage(frame: bytes, dice: Random) -> list[Chunk]:
    return [Chunk(dice.randbytes(dice.randint(1, GARBAGE_MAX)) + frame)]


def _delay(frame: bytes, _dice: Random) -> list[Chunk]:
    return [Chunk(frame, DELAY_S)]


def _jitter(frame: bytes, dice: Random) -> list[Chunk]:
    return [Chunk(frame, dice.uniform(0, JITTER_S))]


def _slow(frame: bytes, _dice: Random) -> list[Chunk]:
    return [Chunk(frame, takes_s=BYTE_S * len(frame))]


def _trickle(frame: bytes, _dice: Random) -> list[Chunk]:
    return [Chunk(frame[at : at + 1], takes_s=TRICKLE_S) for at in range(len(frame))]


def _split(frame: bytes, dice: Random) -> list[Chunk]:
    at = dice.randint(1, max(1, len(frame) - 1))
    return [Chunk(frame[:at]), Chunk(frame[at:], takes_s=SPLIT_S)]


FAULTS: Final[Mapping[str, Fault]] = {
    "drop-byte": Fault(_drop_byte),
    "insert-byte": Fault(_insert_byte),
    "flip-bit": Fault(_flip_bit),
    "corrupt-crc": Fault(_corrupt_crc),
    "truncate-frame": Fault(_truncate),
    "drop-frame": Fault(_drop),
    "duplicate-frame": Fault(_duplicate),
    "reorder-frames": Fault(_reorder),
    "garbage-burst": Fault(_garbage),
    "delay": Fault(_delay),
    "jitter": Fault(_jitter, lasts=20),
    "slow-baud": Fault(_slow, lasts=10),
    "partial-write": Fault(_trickle),
    "split-frame": Fault(_split),
}
"""The faults that befall frames."""

STALL: Final = "stall-reader"
"""Befalls the end that reads: for half a second it takes nothing."""
NAMES: Final = (*FAULTS, STALL)
