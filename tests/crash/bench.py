"""A table over real ports whose controller is killed at one moment, and started again where it is missed."""

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from controller.decisions import FloorRuled
from controller.door import Wish
from controller.journal.disk import Disk
from firmware_bridge.port import SerialPort
from hil_rigs.simulate.bench import BenchError
from hil_rigs.simulate.scenario import Floor, Scenario
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.messages import Fields
from hil_rigs.virtual.table import VirtualTable

When = Literal["after-write", "before-frame", "after-frame"]
WHENS: Final[tuple[When, ...]] = ("after-write", "before-frame", "after-frame")
_END: Final = b"\0"


@dataclass(frozen=True)
class Point:
    """The moment of a kill: after the journal's write, or before or after the frame, of this number."""

    when: When
    number: int


def arm(point: Point) -> Callable[[], None]:
    """What a controller does before it serves, so that it kills itself at a point."""
    return lambda: _kills_itself(point)


def _kills_itself(point: Point) -> None:
    append, write = Disk._append, SerialPort.write
    count = {"writes": 0, "frames": 0}

    def appended(disk: Disk, lines: bytes) -> None:
        append(disk, lines)
        count["writes"] += 1
        if point.when == "after-write" and count["writes"] == point.number:
            os.kill(os.getpid(), signal.SIGKILL)

    def written(port: SerialPort, data: bytes) -> int:
        at = 0
        while (end := data.find(_END, at)) >= 0:
            count["frames"] += 1
            if count["frames"] == point.number and point.when != "after-write":
                write(port, data[: at if point.when == "before-frame" else end + 1])
                os.kill(os.getpid(), signal.SIGKILL)
            at = end + 1
        return write(port, data)

    setattr(Disk, "_append", appended)  # noqa: B010
    setattr(SerialPort, "write", written)  # noqa: B010


class CrashBench(WireBench):
    """Plays on whatever becomes of the controller; `killed` says whether it was killed at all."""

    def __init__(self, scenario: Scenario, point: Point | None) -> None:
        self.killed = 0
        super().__init__(scenario, before_serving=arm(point) if point is not None else None)

    def _connect(self) -> None:
        if self._was_killed_in(super()._connect):
            self.restart()

    def _was_killed_in(self, done: Callable[[], None]) -> bool:
        """Whether the controller was killed while something was done with it. Raises BenchError where it has
        ended otherwise. Another is not to be started in here: it would come into the world amid an error."""
        try:
            done()
        except BenchError:
            if not self.was_killed():
                raise
            self.killed += 1
            return True
        return False

    def rest(self) -> None:
        """As ever; from the beginning again where the controller was killed meanwhile."""
        while self._was_killed_in(super().rest):
            self.restart()

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The ledger, of whichever controller can tell it."""
        told: list[Mapping[str, tuple[int, str]]] = []
        ask = super().ledger
        while self._was_killed_in(lambda: told.append(ask(nonce))):
            self.restart()
            self.rest()
        return told[-1]

    def wish(self, wish: Wish) -> None:
        """A wish is said once: nobody knows whether it was heard before the kill."""
        say = super().wish
        if self._was_killed_in(lambda: say(wish)):
            self.restart()

    def decide(self, act: Floor) -> str:
        """The floor decides once more only where it was not heard."""
        before, whys = self._decisions(), [""]
        say = super().decide
        if self._was_killed_in(lambda: whys.append(say(act))):
            self.restart()
            self.rest()
            if self._decisions() == before:
                whys.append(say(act))
        return whys[-1]

    def _decisions(self) -> int:
        return sum(isinstance(notice.said, FloorRuled) for notice in self.notices)


def log_commands(table: VirtualTable) -> list[tuple[str, int, int]]:
    """Every command that a machine begins to carry out from now on: device, id, type."""
    log: list[tuple[str, int, int]] = []
    for name, device in table.devices.items():
        _log(name, device, log)
    return log


def _log(name: str, device: Device, log: list[tuple[str, int, int]]) -> None:
    start = device._start

    def started(command_id: int, command: int, fields: Fields) -> None:
        log.append((name, command_id, command))
        start(command_id, command, fields)

    setattr(device, "_start", started)  # noqa: B010
