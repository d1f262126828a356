"""What a scenario's acts do to cables, ports and power: each fault by its name."""

import errno
import fcntl
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.link import VERSION, DeviceLink
from hil_rigs.virtual.ptys import PtyLine, PtyTable
from hil_rigs.virtual.table import VirtualTable
from hil_rigs.wire.faults import NAMES
from hil_rigs.wire.line import Wire

HANG_S: Final = 1.3
"""How long a firmware hangs before its watchdog boots it: longer than either side takes for a loss."""
BABBLE_BYTES: Final = 65_536
STRANGER: Final = "X-0815"
"""The serial number of another device."""
FORBIDDEN: Final = Path("/proc/sys/kernel/ostype")
"""A file that nobody may write, whoever he is."""


@dataclass(frozen=True)
class Effect:
    """What an act does to a line; `told` is how many alerts `device-lost` it leads to, `away` whether the
    device then stays away until `replug`."""

    do: Callable[["Cables", str], None]
    told: int = 0
    away: bool = False


class Cables:
    """The cables of a table. `away` are devices that no host can have, `told` how many losses the acts so far
    lead to."""

    def __init__(self, table: VirtualTable, ptys: PtyTable, seed: object) -> None:
        self._table = table
        self._lines: Mapping[str, PtyLine] = ptys.lines
        self._seed = seed
        self._own: dict[str, DeviceLink] = {name: line.link for name, line in ptys.lines.items()}
        self._held: dict[str, int] = {}
        self._wires: dict[str, tuple[Wire, Wire]] = {}
        self.away: set[str] = set()
        self.told = 0

    def fault(self, device: str, name: str) -> None:
        """Does what the act says. Raises CannotDo where that cannot be."""
        if device not in self._lines:
            raise CannotDo(f"this table has no {device}")
        if device in self.away and name != "replug":
            raise CannotDo(f"the {device} is away: put it in again first (replug)")
        if name in NAMES:
            for wire in self._wires_of(device):
                wire.once(name)
            return
        effect = EFFECTS[name]
        effect.do(self, device)
        self.told += effect.told
        if effect.away:
            self.away.add(device)
            self._lines[device].gone = True

    def close(self) -> None:
        """Lets go what is held."""
        while self._held:
            os.close(self._held.popitem()[1])

    def _wires_of(self, device: str) -> tuple[Wire, Wire]:
        if device not in self._wires:
            wires = (Wire(f"{self._seed} {device} out"), Wire(f"{self._seed} {device} in"))
            self._lines[device].from_host, self._lines[device].to_host = wires
            self._wires[device] = wires
        return self._wires[device]

    # Cables and ports

    def unplug(self, device: str) -> None:
        """The cable is pulled."""
        self._lines[device].unplug()

    def replug(self, device: str) -> None:
        """What was wrong with cable, port or device is over: it is where it belongs."""
        if device not in self.away:
            raise CannotDo(f"the cable of the {device} is in")
        self.away.discard(device)
        self._lines[device].gone = False
        line, own = self._lines[device], self._own[device]
        if device in self._held:
            os.close(self._held.pop(device))
        if own.version != VERSION:
            own.version = VERSION
            own.power_cycle()
        line.link = own
        line.replug()

    def replug_as_other_port(self, device: str) -> None:
        """Pulled, and at once in again: the name that stays leads to another port."""
        line = self._lines[device]
        line.unplug()
        taken = os.openpty()  # the port that it had, if the host has let go of it already
        line.replug()
        for fd in taken:
            os.close(fd)

    def replug_other_device(self, device: str) -> None:
        """Pulled, and another device of its kind is put in its place."""
        line = self._lines[device]
        serials = {**self._table.setup.serials, device: STRANGER}
        others = VirtualTable(replace(self._table.setup, serials=serials, boot_salt=STRANGER))
        line.unplug()
        line.link = others.link(device)
        line.replug()

    def port_busy(self, device: str) -> None:
        """Pulled and put in again, and another program is first."""
        line = self._lines[device]
        line.unplug()

        def first(port: str) -> None:
            held = os.open(port, os.O_RDWR | os.O_NOCTTY)
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._held[device] = held

        line.replug(first)

    def permission_denied(self, device: str) -> None:
        """Pulled and put in again, and the port's rights are wrong."""
        line = self._lines[device]
        try:
            os.close(os.open(FORBIDDEN, os.O_RDWR | os.O_NOCTTY))
        except OSError as error:
            if error.errno != errno.EACCES:
                raise CannotDo("this machine has no file that may not be opened") from None
        else:
            raise CannotDo("this machine has no file that may not be opened")
        line.unplug()
        line.port.symlink_to(FORBIDDEN)

    # Power and firmware

    def reset(self, device: str) -> None:
        """It boots, with its cable in."""
        self._lines[device].link.power_cycle()

    def watchdog(self, device: str) -> None:
        """Its firmware hangs, and boots after a while."""
        self._lines[device].hang(time.monotonic() + HANG_S)

    def wrong_version(self, device: str) -> None:
        """It boots with firmware that speaks a protocol of tomorrow."""
        self._lines[device].link.version = VERSION + 1
        self._lines[device].link.power_cycle()

    def babble(self, device: str) -> None:
        """It says bytes without sense."""
        self._lines[device].blurt(Random(f"babble {self._seed}").randbytes(BABBLE_BYTES))


EFFECTS: Final[Mapping[str, Effect]] = {
    "unplug": Effect(Cables.unplug, told=1, away=True),
    "replug": Effect(Cables.replug),
    "replug-as-other-port": Effect(Cables.replug_as_other_port, told=1),
    "replug-other-device": Effect(Cables.replug_other_device, told=2, away=True),
    "port-busy": Effect(Cables.port_busy, told=2, away=True),
    "permission-denied": Effect(Cables.permission_denied, told=2, away=True),
    "reset": Effect(Cables.reset, told=1),
    "watchdog": Effect(Cables.watchdog, told=1),
    "wrong-version": Effect(Cables.wrong_version, told=2, away=True),
    "babble": Effect(Cables.babble),
}
"""Every other fault than those of the bytes, by its name; any device can have any."""
