"""A link and a device written from the document, on a line and under a clock turned by hand."""

import random
from collections.abc import Callable

from firmware_bridge.codes import DeviceKind
from firmware_bridge.events import Expect, LinkEvent, Lost, Mark, Received
from firmware_bridge.link import Link
from firmware_bridge.trust import NO_KEYS
from tests.bridge.fake_device import FakeDevice

SHOE = Expect(DeviceKind.SHOE, "SH-0007")
STEP = 0.010
Line = Callable[[bytes, random.Random], list[bytes]]


def perfect(data: bytes, source: random.Random) -> list[bytes]:
    """Every byte arrives."""
    return [data]


def dreadful(data: bytes, source: random.Random) -> list[bytes]:
    """Frames are lost, doubled, damaged, moved behind the next and mixed with noise."""
    frames = [part + b"\0" for part in data.split(b"\0")[:-1]]
    out: list[bytes] = []
    for frame in frames:
        chance = source.random()
        if chance < 0.15:
            continue
        if chance < 0.25:
            at = source.randrange(len(frame))
            frame = frame[:at] + bytes((frame[at] ^ source.randrange(1, 256),)) + frame[at + 1 :]
        elif chance < 0.35:
            out.append(frame)
        elif chance < 0.40:
            out.append(source.randbytes(source.randrange(1, 90)))
        if chance > 0.9 and out:
            out.insert(len(out) - 1, frame)
        else:
            out.append(frame)
    return out


class Bench:
    """A link and a device on a line, under a clock that is turned by hand."""

    def __init__(
        self,
        device: FakeDevice | None = None,
        line: Line = perfect,
        seed: int = 1,
        expect: Expect = SHOE,
        acknowledge: bool = True,
    ) -> None:
        self.device = device or FakeDevice()
        self.line = line
        self.source = random.Random(seed)
        self.now = 100.0
        self.expect = expect
        self.acknowledge = acknowledge
        self.events: list[LinkEvent] = []
        self.sent = b""
        self.link = self.new_link()

    def new_link(self, mark: Mark | None = None, delivered: Mark | None = None, last: int = 0) -> Link:
        self.link = Link(
            "shoe",
            self.expect,
            trust=NO_KEYS,
            now=self.now,
            random=self.source.getrandbits,
            mark=mark,
            delivered=delivered,
            last_session=last,
        )
        return self.link

    def run(self, seconds: float, *, deaf: bool = False) -> None:
        """Time goes on; ``deaf``: the device hears nothing and says nothing."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.step(deaf=deaf)

    def step(self, *, deaf: bool = False) -> None:
        data = self.link.outgoing(self.now)
        self.sent += data
        if not deaf:
            for piece in self.line(data, self.source) if data else []:
                self.device.feed(piece, self.now)
            data = self.device.poll(self.now)
            for piece in self.line(data, self.source) if data else []:
                self.take(self.link.receive(piece, self.now))
        self.take(self.link.expire(self.now))

    def take(self, events: list[LinkEvent]) -> None:
        self.events += events
        for event in events:
            if self.acknowledge and isinstance(event, Received):
                self.link.acknowledge(event.number)

    def received(self) -> list[Received]:
        return [event for event in self.events if isinstance(event, Received)]

    def numbers(self) -> list[int]:
        return [event.number for event in self.received()]

    def lost(self) -> Lost:
        (event,) = [event for event in self.events if isinstance(event, Lost)]
        assert self.events[-1] == event
        return event

    def flush(self) -> bytes:
        """What leaves now, not given to the device."""
        return self.link.outgoing(self.now)


def opened(**options: object) -> Bench:
    bench = Bench(**options)  # type: ignore[arg-type]
    bench.run(0.1)
    assert bench.link.is_open
    return bench
