"""A virtual table on ports and the loop of the controller in one process, turned by turns."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.decisions import Alert, PhaseEntered
from controller.events import DEVICES
from controller.loop import TableLoop
from controller.notices import Notice
from controller.serve import open_table
from firmware_bridge.trust import Plain
from hil_rigs.keys import draw_keys, keep_keys
from hil_rigs.virtual.ptys import PtyTable
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.shell.joined import SEATS

WITHIN_S = 20.0
CUTCARD: Final = Path(sys.executable).with_name("cutcard")
"""The command, as it is installed."""
_TABLE: Final = """\
[table]
name = "{name}"
game = "holdem"
seats = {{ 2 = 100, 5 = 100, 9 = 100 }}
{devices}
[decks]
registry = "decks.json"
play = "deck-1"
[journal]
file = "{name}.jsonl"
[door]
socket = "{name}.door"
[security]
keys = "keys.toml"
"""


def write_table(folder: Path, name: str) -> Path:
    """The configuration of a table of that name, whose devices and other files are in the same folder."""
    devices = "".join(f'[device.{device}]\nport = "{device}"\n' for device in DEVICES)
    file = folder / f"{name}.toml"
    file.write_text(_TABLE.format(name=name, devices=devices), "utf-8")
    return file


class Running:
    """A virtual table on ports and the loop of the controller, turned by turns."""

    def __init__(self, folder: Path, paired: Sequence[str] = DEVICES) -> None:
        self.folder = folder
        keys = draw_keys(paired)
        keep_keys(folder, keys)
        self.table = VirtualTable(Setup(seats=SEATS, seed=4, keys=keys))
        self.table.write_registry(folder / "decks.json")
        self.ptys = PtyTable(self.table, folder)
        self.notices: list[Notice] = []
        self.loop: TableLoop | None = None

    def open(self, config_: Config, plain: Plain = Plain.REFUSED) -> TableLoop:
        self.loop, self.journal = open_table(config_, plain=plain)
        self.loop.listeners.append(self.notices.append)
        return self.loop

    def turn(self) -> None:
        self.ptys.pump(0)
        assert self.loop is not None
        self.loop.turn()

    def until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not reached():
            assert time.monotonic() < deadline, "it does not come to that"
            self.turn()

    def settle(self) -> None:
        loop = self.loop
        assert loop is not None
        self.until(lambda: self.ptys.quiet and loop.at_rest)

    def play_until(self, phase: str) -> None:
        self.settle()
        while not any(n.said == PhaseEntered(phase=phase) for n in self.notices):  # type: ignore[arg-type]
            assert self.table.dealer.obey() is not None
            self.settle()

    @property
    def shown(self) -> int | None:
        """The code of what the dealer sees."""
        display = self.table.prompts.display
        return None if display is None else display.code

    def alerts(self) -> list[str]:
        return [n.said.code for n in self.notices if isinstance(n.said, Alert)]

    def close(self) -> None:
        if self.loop is not None:
            self.loop.close()
            self.journal.close()
        self.ptys.close()
