"""One direction of a line on which things go wrong, some now and then, some once."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from hil_rigs.wire.faults import FAULTS, STALL, STALL_S, Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable

OVERTAKEN_S: Final = 0.020
"""How long a frame waits to be overtaken: if none comes, it goes on by itself."""
_PART_MAX: Final = 256  # bytes without an end are no frame, and go on as they are
_NEVER: Final = float("inf")


@dataclass(frozen=True)
class Rate:
    """A fault that befalls a share of the frames, 0 to 1."""

    name: str
    share: float


class Wire:
    """Bytes in at one end, bytes out at the other: `rates` befall frames, one fault a frame at most, and what
    `once` was told befalls the next ones. Times are seconds of any clock that only goes forward.

    `injected` counts by name what was done, `carried` the frames. Raises KeyError for a fault that no wire
    has.
    """

    def __init__(self, seed: object = 0, rates: Iterable[Rate] = ()) -> None:
        self._dice = Random(f"wire {seed}")
        self._rates = [(FAULTS[rate.name], rate) for rate in rates]
        self._planned: deque[str] = deque()
        self._part = b""
        self._queue: deque[tuple[float, Chunk]] = deque()
        self._last_s = 0.0
        self._behind: bytes = b""
        self._behind_s = _NEVER
        self._stalls = False
        self._stalled_s = -_NEVER
        self.injected: Counter[str] = Counter()
        self.carried = 0

    def once(self, name: str) -> None:
        """The fault befalls the next frame, or as many of the next ones as it lasts for."""
        if name == STALL:
            self._stalls = True
        else:
            self._planned.extend([name] * FAULTS[name].lasts)

    @property
    def due_s(self) -> float:
        """When something comes out, or goes in again, by itself; infinity for never."""
        head = self._queue[0][0] if self._queue else _NEVER
        return min(head, self._behind_s, self._stalled_s if self._stalled_s > 0 else _NEVER)

    @property
    def idle(self) -> bool:
        """Nothing is on its way."""
        return not (self._part or self._queue or self._behind or self._stalled_s > 0)

    def takes(self, now_s: float) -> bool:
        """Whether the end that reads does so now; what is not read waits where it is."""
        if self._stalls:
            self._stalls, self._stalled_s = False, now_s + STALL_S
            self.injected[STALL] += 1
        if now_s < self._stalled_s:
            return False
        self._stalled_s = -_NEVER
        return True

    def carry(self, data: bytes, now_s: float) -> bytes:
        """What comes out now, of these bytes and of those before them.

        Chunks come out one a call where they must not be read as one: ask again at `due_s`.
        """
        if self._sound and not self._queue and not self._behind:
            out, self._part = self._part + data, b""
            return out
        for frame in self._frames(data):
            self._pass(frame, now_s)
        if self._behind and now_s >= self._behind_s:
            self._let_behind(now_s)
        return self._due(now_s)

    def cut(self) -> None:
        """The cable is pulled: what is on its way is lost."""
        self._part = self._behind = b""
        self._queue.clear()
        self._behind_s, self._stalled_s = _NEVER, -_NEVER

    @property
    def _sound(self) -> bool:
        return not self._rates and not self._planned

    def _frames(self, data: bytes) -> list[bytes]:
        *whole, self._part = (self._part + data).split(b"\0")
        frames = [part + b"\0" for part in whole]
        if len(self._part) > _PART_MAX:
            frames.append(self._part)
            self._part = b""
        return frames

    def _pass(self, frame: bytes, now_s: float) -> None:
        self.carried += 1
        chunks = self._hit(frame)
        behind, self._behind, self._behind_s = self._behind, b"", _NEVER
        for chunk in chunks:
            if chunk.overtaken:
                self._behind, self._behind_s = chunk.data, now_s + OVERTAKEN_S
            else:
                self._put(chunk, now_s)
        if behind:
            self._put(Chunk(behind), now_s)

    def _hit(self, frame: bytes) -> list[Chunk]:
        if len(frame) == 1:
            return [Chunk(frame)]  # an empty frame: there is nothing that could be hit
        if self._planned:
            name = self._planned.popleft()
            self.injected[name] += 1
            return FAULTS[name].hit(frame, self._dice)
        roll = self._dice.random()
        for fault, rate in self._rates:
            roll -= rate.share
            if roll < 0:
                self.injected[rate.name] += 1
                return fault.hit(frame, self._dice)
        return [Chunk(frame)]

    def _let_behind(self, now_s: float) -> None:
        behind, self._behind, self._behind_s = self._behind, b"", _NEVER
        self._put(Chunk(behind), now_s)

    def _put(self, chunk: Chunk, now_s: float) -> None:
        self._last_s = max(self._last_s, now_s + chunk.late_s) + chunk.takes_s
        self._queue.append((self._last_s, chunk))

    def _due(self, now_s: float) -> bytes:
        out = b""
        while self._queue and self._queue[0][0] <= now_s:
            if out and self._queue[0][1].takes_s:
                break
            out += self._queue.popleft()[1].data
        return out
