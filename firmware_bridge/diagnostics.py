"""What a link leaves behind for whoever looks into a fault: counts and frames without their bodies."""

from collections import Counter, deque
from dataclasses import dataclass
from typing import Final, NamedTuple

from firmware_bridge.framing import FrameCounts

UPDATE: Final = "compare the versions of the device's firmware and of cutcard"
"""What to do where the two sides speak differently."""
TRACE_FRAMES: Final = 100
"""Frames of each direction that are kept."""


class FrameTrace(NamedTuple):
    """A frame at a time (monotonic seconds), ``in`` or ``out``; ``length`` is its body's in bytes."""

    at: float
    direction: str
    type: int
    seq: int
    length: int


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Frames of a link by what became of them; all but ``repeated`` were dropped.

    ``foreign``: of another session than the open one. ``flags``: with reserved flags, or numbered where they
    must not be, or not where they must. ``sealed``: sealed, and there is no key. ``unsealed``: not sealed,
    and there is one. ``forged``: sealed, and not by the other side in this session. ``replayed``: of the
    other side, and not newer than one that was taken. ``misdirected``: a host's message, such as an echo.
    ``unreadable``: of an unknown type or with a body that does not fit. ``untimely``: of the handshake or of
    a challenge, out of place. ``again``: of an older number. ``beyond``: of a later number than the next, so
    that one before it was lost. ``bad_acks``: taken, but they acknowledged what was never sent.
    ``repeated``: sent again by the host.
    """

    frames: FrameCounts
    foreign: int
    flags: int
    sealed: int
    unsealed: int
    forged: int
    replayed: int
    misdirected: int
    unreadable: int
    untimely: int
    again: int
    beyond: int
    bad_acks: int
    repeated: int


def why_no_hello(frames: FrameCounts) -> tuple[str, str]:
    """What it means that no device has said who it is, and what to do."""
    if frames.good:
        return "what answers speaks another protocol, or repeats what it hears", UPDATE
    if frames.dropped:
        return "bytes come but no frame", "see whether this is the device's port and baud rate"
    return "the device does not answer", "see to its power, and whether this is its port"


class Recorder:
    """Counts and keeps the last frames of one link."""

    __slots__ = ("_counts", "_in", "_out")

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._in: deque[FrameTrace] = deque(maxlen=TRACE_FRAMES)
        self._out: deque[FrameTrace] = deque(maxlen=TRACE_FRAMES)

    def count(self, cause: str) -> None:
        """One more; ``cause`` is a field of `LinkCounts`."""
        self._counts[cause] += 1

    def came(self, now: float, type_: int, seq: int, length: int) -> None:
        """A frame came in."""
        self._in.append(FrameTrace(now, "in", type_, seq, length))

    def left(self, now: float, type_: int, seq: int, length: int) -> None:
        """A frame went out."""
        self._out.append(FrameTrace(now, "out", type_, seq, length))

    def trace(self) -> list[FrameTrace]:
        """The last frames of both directions in order of time."""
        return sorted([*self._in, *self._out], key=lambda frame: frame.at)

    def counts(self, frames: FrameCounts, repeated: int) -> LinkCounts:
        """All counts together."""
        counts = self._counts
        return LinkCounts(
            frames,
            foreign=counts["foreign"],
            flags=counts["flags"],
            sealed=counts["sealed"],
            unsealed=counts["unsealed"],
            forged=counts["forged"],
            replayed=counts["replayed"],
            misdirected=counts["misdirected"],
            unreadable=counts["unreadable"],
            untimely=counts["untimely"],
            again=counts["again"],
            beyond=counts["beyond"],
            bad_acks=counts["bad_acks"],
            repeated=repeated,
        )
