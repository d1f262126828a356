"""A virtual table that plays by itself at human pace, for `cutcard run --virtual` and for a demonstration."""

import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.deeds import Deed
from hil_rigs.virtual.ptys import PtyTable
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions

REGISTRY = "decks.json"


@dataclass(frozen=True)
class Pace:
    """Times of a living table: seconds between deeds, and how long a zone's word may take (ms)."""

    step_s: float = 0.6
    zone_late_ms: int = 1_500
    machine_takes_time: bool = True


@dataclass
class _Running:
    table: VirtualTable
    ptys: PtyTable
    registry: Path
    now_s: float = 0.0
    began_s: float | None = None  # the time of the first step
    next_deed_s: float = 0.0
    deeds: int = field(default=0)


class NotStarted(Exception):  # noqa: N818 - a caller's mistake, said in words
    """The table has not been started, or was stopped."""


class LiveTable:
    """A table whose dealer obeys. `start`, then `step` over and over from one thread or loop, then `stop`."""

    def __init__(self, setup: Setup, pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        zones = setup.zones and ZonesOptions(
            setup.zones.antennas, facing=setup.zones.facing, late_ms=self.pace.zone_late_ms
        )
        # A journal outlives this process, so a boot must not look like one that the journal knows.
        self.setup = replace(
            setup,
            zones=zones,
            timed=self.pace.machine_takes_time,
            boot_salt=setup.boot_salt or secrets.token_hex(8),
        )
        self._running: _Running | None = None

    @property
    def table(self) -> VirtualTable:
        """The physical table. Raises NotStarted."""
        return self._started().table

    @property
    def registry(self) -> Path:
        """The deck registry file. Raises NotStarted."""
        return self._started().registry

    @property
    def quiet(self) -> bool:
        """Whether nothing is under way between the devices and a host. Raises NotStarted."""
        return self._started().ptys.quiet

    def start(self, directory: Path) -> dict[str, Path]:
        """Make the ports and the registry in a directory that exists; return each device's port.

        Raises OSError where they cannot be made.
        """
        self.stop()
        table = VirtualTable(self.setup)
        registry = directory / REGISTRY
        table.write_registry(registry)
        ptys = PtyTable(table, directory, now=lambda: self._started().now_s)
        self._running = _Running(table, ptys, registry)
        return ptys.ports

    def step(self, now_s: float, *, wait_s: float = 0.02) -> Deed | None:
        """Go on to `now_s` (seconds of a clock that only goes forward); return the dealer's deed, if any.

        Waits `wait_s` at most for bytes. Raises NotStarted.
        """
        running = self._started()
        running.now_s = now_s
        if running.began_s is None:
            running.began_s = now_s
            running.next_deed_s = now_s + self.pace.step_s
        due_ms = int((now_s - running.began_s) * 1000)
        running.table.advance(max(0, due_ms - running.table.clock_ms))
        running.ptys.pump(wait_s)
        if now_s < running.next_deed_s:
            return None
        deed = running.table.dealer.obey()
        if deed is not None:
            running.deeds += 1
            hurry = drawn(self.setup.seed, "pace", running.deeds).uniform(0.7, 1.3)
            running.next_deed_s = now_s + self.pace.step_s * hurry
        return deed

    def stop(self) -> None:
        """Pull every cable. Nothing happens where the table does not run."""
        if self._running is not None:
            self._running.ptys.close()
            self._running = None

    def _started(self) -> _Running:
        if self._running is None:
            raise NotStarted("the virtual table has not been started")
        return self._running
