"""Numbers, acknowledgements and repeats of one session (docs/protocol.md, section 4)."""

from collections import deque
from enum import Enum
from typing import Final, NamedTuple

from firmware_bridge.events import Mark
from firmware_bridge.header import NUMBERED, OLDER_MAX, REPEAT, ahead, before, following
from firmware_bridge.messages import Hello, Order, encode

UNDER_WAY_MAX: Final = 4
"""Unacknowledged frames under way, host to device."""
REPEATS_AFTER_S: Final = (0.050, 0.100, 0.200, 0.400)
"""Seconds to the first repeat and between further ones; the last stays."""

_NEVER = float("inf")


class Outgoing(NamedTuple):
    """A numbered frame but for its session and its acknowledgement."""

    order: Order
    type: int
    body: bytes
    seq: int
    flags: int


class SendWindow:
    """The host's numbered frames: queued, at most four under way, repeated until acknowledged.

    Times are in monotonic seconds.
    """

    __slots__ = ("_last", "_queue", "_repeat_at", "_repeats", "_under_way", "repeated", "waits_since")

    def __init__(self) -> None:
        self._queue: deque[tuple[Order, int, bytes]] = deque()
        self._under_way: deque[Outgoing] = deque()
        self._last = 0
        self._repeats = 0
        self._repeat_at = _NEVER
        self.repeated = 0
        self.waits_since = _NEVER
        """Since when nothing of what is under way was acknowledged; ``inf`` where nothing is."""

    def __len__(self) -> int:
        """Frames queued or under way."""
        return len(self._queue) + len(self._under_way)

    def put(self, order: Order) -> None:
        """Queues an order; raises `BadMessage` where it cannot be encoded: none waits that cannot leave."""
        self._queue.append((order, *encode(order)))

    def unsent(self) -> tuple[Order, ...]:
        """What never left."""
        return tuple(order for order, _, _ in self._queue)

    def unconfirmed(self) -> tuple[Order, ...]:
        """What left and was not acknowledged."""
        return tuple(frame.order for frame in self._under_way)

    def due_at(self) -> float:
        """When `take` has something; ``-inf`` for now, ``inf`` for never."""
        if self._queue and len(self._under_way) < UNDER_WAY_MAX:
            return -_NEVER
        return self._repeat_at

    def take(self, now: float) -> list[Outgoing]:
        """The frames that leave now, in order: repeats, then new ones."""
        frames: list[Outgoing] = []
        if now >= self._repeat_at:
            self._under_way = deque(frame._replace(flags=NUMBERED | REPEAT) for frame in self._under_way)
            frames.extend(self._under_way)
            self.repeated += len(frames)
            self._repeats = min(self._repeats + 1, len(REPEATS_AFTER_S) - 1)
            self._repeat_at = now + REPEATS_AFTER_S[self._repeats]
        while self._queue and len(self._under_way) < UNDER_WAY_MAX:
            self._last = following(self._last)
            frame = Outgoing(*self._queue.popleft(), self._last, NUMBERED)
            self._under_way.append(frame)
            frames.append(frame)
            if len(self._under_way) == 1:
                self._restart(now)
        return frames

    def acknowledge(self, number: int, now: float) -> bool:
        """Takes the other side's acknowledgement; whether one can be for a frame that was sent."""
        if not self._under_way or number == 0:
            return number == 0 or ahead(self._last, number) <= OLDER_MAX
        oldest = self._under_way[0].seq
        done = ahead(number, oldest) + 1
        if done > len(self._under_way):
            return ahead(oldest, number) <= OLDER_MAX
        for _ in range(done):
            self._under_way.popleft()
        self._restart(now)
        return True

    def _restart(self, now: float) -> None:
        self._repeats = 0
        self._repeat_at = now + REPEATS_AFTER_S[0] if self._under_way else _NEVER
        self.waits_since = now if self._under_way else _NEVER


class Step(Enum):
    """What a number is to the receiver."""

    NEXT = "next"
    AGAIN = "again"
    BEYOND = "beyond"


class ReceiveWindow:
    """The device's numbered frames: which comes next, and up to which they are durable.

    ``mark`` is the last durable event, ``delivered`` the last that this process was given; each counts where
    it is of the boot that greets. ``durable`` is what OPEN says, ``lost_events`` whether the device has
    forgotten events that were never stored.
    """

    __slots__ = ("_acked", "_taken", "ack", "durable", "lost_events", "reborn")

    def __init__(self, hello: Hello, mark: Mark | None, delivered: Mark | None) -> None:
        start, newest = before(hello.oldest), before(hello.next)
        known = [known for known in (mark, delivered) if known and known.boot == hello.boot]
        self.reborn = any(ahead(newest, event.number) > OLDER_MAX for event in known)
        """The device never had those events: by bad luck it drew the nonce of an earlier boot."""
        durable = mark.number if mark in known and mark and not self.reborn else 0
        self.durable = durable
        self.lost_events = 0 < ahead(start, durable) <= OLDER_MAX if durable else hello.oldest != 1
        self.ack = durable
        """What the header says; 0 for none."""
        # Places among the numbers: what is before the first one is no number but counts here.
        self._acked = self._taken = durable if durable and not self.lost_events else start
        given = delivered.number if delivered in known and delivered and not self.reborn else None
        if given is not None and ahead(given, self._taken) <= OLDER_MAX:
            self._taken = given

    def step(self, number: int) -> Step:
        """Whether ``number`` is the next one, an older or a later one."""
        distance = ahead(number, self._taken)
        if distance == 1:
            return Step.NEXT
        # Behind or ahead of the one that is expected, which is the one after the last taken.
        return Step.BEYOND if distance - 1 in range(1, OLDER_MAX + 1) else Step.AGAIN

    def take(self, number: int) -> None:
        """The next one was taken."""
        self._taken = number

    def has(self, number: int) -> bool:
        """Whether ``number`` was taken; 0 stands for none and always was."""
        return number == 0 or ahead(self._taken, number) <= OLDER_MAX

    def lacks(self, number: int) -> bool:
        """Whether ``number`` has still to come, and nothing that was taken is what it waits for: the device
        holds back what follows until what it sent is acknowledged."""
        return not self.has(number) and self._acked == self._taken

    def acknowledge(self, number: int) -> bool:
        """All up to ``number`` are durable: whether that is new. `ValueError` where it was never taken."""
        forward = ahead(number, self._acked)
        if forward == 0 or forward > OLDER_MAX:
            return False
        if forward > ahead(self._taken, self._acked):
            raise ValueError(f"event {number} was never received")
        self._acked = self.ack = number
        return True
