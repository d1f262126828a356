"""A virtual table whose every event is written alone, and timed until the commands that it causes come back.

The controller is a process of its own, on real pseudo-terminals; this is the devices' side.
"""

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from firmware_bridge.framing import Decoder
from firmware_bridge.header import NUMBERED, Header, unpack
from hil_rigs.bench.tables import asked
from hil_rigs.simulate.bench import BenchError
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.ptys import PtyLine

_ANSWER_S: Final = 5.0
_TURN_MS: Final = 2.0
_READ_BYTES: Final = 4096


@dataclass(frozen=True)
class Reaction:
    """An event's type, the device and type of the first command that it caused there, and the microseconds
    from the write of the event to the command's first byte read."""

    cause: int
    device: str
    command: int
    us: float


class WatchedTable:
    """Plays step by step. `before_event` is called before each event that is timed."""

    def __init__(self, scenario: Scenario, *, before_event: Callable[[], None] = lambda: None) -> None:
        self._bench = WireBench(scenario)
        self.table = self._bench.table
        self._lines = self._bench.ptys.lines
        self._before_event = before_event
        self._poller = select.poll()
        self._by_fd: dict[int, str] = {}
        for name, line in self._lines.items():
            self._by_fd[line.fileno()] = name
            self._poller.register(line.fileno(), select.POLLIN)
        self._decoders = {name: Decoder() for name in self._lines}

    @property
    def asked(self) -> int | None:
        """The code of the prompt that the dealer sees."""
        return asked(self._bench)

    def begin(self) -> None:
        """Comes to rest after the start. Raises BenchError."""
        self._bench.rest()

    def step(self) -> list[Reaction]:
        """The dealer does what he is asked; what that caused. Raises BenchError where he cannot."""
        if self.table.dealer.obey() is None:
            raise BenchError(f"the hand does not go on: {self.table.dealer.stopped}")
        return self.tell()

    def tell(self) -> list[Reaction]:
        """Hands the devices' events over, one at a time and each to its end, and says what they caused."""
        reactions: list[Reaction] = []
        while True:
            devices = self.table.devices.items()
            speaking = next((name for name, device in devices if device.has_events), None)
            if speaking is not None:
                reactions += self._say(speaking)
                self._settle()
            elif not self.table.release_report():
                return reactions

    def close(self) -> None:
        """Stops the controller and takes everything away."""
        self._bench.close()

    def _say(self, name: str) -> list[Reaction]:
        self._before_event()
        line = self._lines[name]
        data = line.link.outgoing(time.monotonic())
        frames = _headers(Decoder(), data)
        # Before the write: behind it this process may already have had to wait for the one that it woke.
        began = time.monotonic_ns()
        os.write(line.fileno(), data)
        events = [frame for frame in frames if frame.flags & NUMBERED]
        came = self._hear_until(name, events[-1].seq) if events else []
        for heard, _, chunk, _ in came:
            self._lines[heard].link.receive(chunk, time.monotonic())
        if len(frames) != 1:  # several events, or a TICK behind the event: no clean measurement
            return []
        reactions: dict[str, Reaction] = {}
        for heard, at, _, headers in came:
            for header in headers:
                if header.flags & NUMBERED and heard not in reactions:
                    us = (at - began) / 1000
                    reactions[heard] = Reaction(events[0].type, heard, header.type, us)
        return list(reactions.values())

    def _hear_until(self, name: str, number: int) -> list[tuple[str, int, bytes, list[Header]]]:
        """All that is read until the event is acknowledged: device, when (ns), bytes, headers."""
        came: list[tuple[str, int, bytes, list[Header]]] = []
        until = time.monotonic() + _ANSWER_S
        while True:
            for fd, _ in self._poller.poll(_TURN_MS):
                heard = self._by_fd[fd]
                try:
                    chunk = os.read(fd, _READ_BYTES)
                except OSError:
                    raise BenchError(f"the controller has closed the port of the {heard}") from None
                at = time.monotonic_ns()
                headers = _headers(self._decoders[heard], chunk)
                came.append((heard, at, chunk, headers))
                if heard == name and any(header.ack == number for header in headers):
                    return came
            if time.monotonic() > until:
                raise BenchError("the controller does not acknowledge")

    def _settle(self) -> None:
        """Lets the devices answer the commands that came, until none has anything to say or to hear."""
        until = time.monotonic() + _ANSWER_S
        while not self._is_quiet():
            now = time.monotonic()
            self.table.work()
            for line in self._lines.values():
                line.turn(now)
            if now > until:
                raise BenchError("the table does not come to rest")

    def _is_quiet(self) -> bool:
        """Nothing is under way, and for a moment nothing comes: bytes of different ports may overtake."""
        silent = all(self._is_silent(line) for line in self._lines.values())
        return not self._poller.poll(_TURN_MS) and silent

    def _is_silent(self, line: PtyLine) -> bool:
        """Nothing to say or unacknowledged; what a zone reader still keeps back does not count."""
        zones = self.table.zones
        if zones is None or line.link.device is not zones or not zones.waiting:
            return line.quiet
        return line.drained and not line.link.kept and not zones.has_events


def _headers(decoder: Decoder, data: bytes) -> list[Header]:
    return [unpack(payload)[0] for payload in decoder.feed(data)]


@contextmanager
def watched(scenario: Scenario, before_event: Callable[[], None] = lambda: None) -> Iterator[WatchedTable]:
    """A watched table at rest, for as long as the context lasts. Raises BenchError."""
    table = WatchedTable(scenario, before_event=before_event)
    try:
        table.begin()
        yield table
    finally:
        table.close()
