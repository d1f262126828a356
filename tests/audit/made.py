"""Journals as real tables write them, made once and copied for whoever changes one."""

import atexit
import json
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from unittest.mock import patch

import msgspec

from controller.config import Config, JournalSection
from controller.events import DEVICES, DeviceName
from controller.journal import Bounds, FileJournal, Stop
from controller.journal.chain import close, link, open_line
from controller.journal.reading import older_files_of
from controller.journal.seal import read_auditor, write_auditor_keys
from controller.recovery import basis_of, start_of
from hil_rigs.bench.replay import AtOnce
from hil_rigs.simulate import wire
from hil_rigs.simulate.bench import configuration
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.simulate.wire import WireBench
from tests.crash.files import scenario
from tests.e2e.tables import scenario_of

_MAIN: Final = "from controller.cli.main import main; main()"
_HANDS: Final = "two decks, hand after hand"


@dataclass(frozen=True)
class Made:
    """A journal in a folder of its own, and the auditor's private key where the table has an auditor."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def key(self) -> Path:
        return self.folder / "auditor.key"

    @property
    def openings(self) -> Path:
        return self.folder / "journal.jsonl.opened.jsonl"

    def copied(self, to: Path) -> "Made":
        """The same for whoever changes it."""
        shutil.copytree(self.folder, to / "copy", symlinks=True)
        return Made(to / "copy")

    def lines(self) -> list[bytes]:
        """The lines of its last file."""
        return self.path.read_bytes().splitlines(keepends=True)

    def write(self, lines: list[bytes]) -> None:
        """Puts others in their place."""
        self.path.write_bytes(b"".join(lines))

    def older(self) -> list[Path]:
        """Its files before the last one."""
        return list(older_files_of(self.path).values())

    def find(self, part: bytes) -> int:
        """The place of the first line with something in it."""
        return next(at for at, line in enumerate(self.lines()) if part in line)


def cutcard(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def rechained(lines: list[bytes]) -> list[bytes]:
    """The lines with all hashes made anew, by somebody who has no key: signatures are what they were."""
    made = []
    before = b""
    for line in lines:
        closed = open_line(line)
        assert closed is not None
        said = json.loads(closed.body)
        before = link(bytes.fromhex(said["file"]["follows"]) if "file" in said else before, closed.body)
        made.append(close(closed.body, before, closed.signature))
    return made


def _with_auditor(folder: Path) -> Callable[..., Config]:
    def made(scenario: Scenario, ports: object, at: Path, *more: object) -> Config:
        config = configuration(scenario, ports, at, *more)  # type: ignore[arg-type]
        section = JournalSection(file=config.journal.file, auditor=str(folder / "auditor.pub"))
        return msgspec.structs.replace(config, journal=section)

    return made


def _folder() -> Path:
    folder = Path(mkdtemp(prefix="cutcard-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def by_wire(name: str) -> Made:
    """What a table with an auditor writes while a scenario is played on real ports."""
    return _played(scenario(name))


@cache
def restarted() -> Made:
    """The same of a table whose controller is killed in the middle of a hand, and started again."""
    acts = [
        {"do": "play", "until": "flop"},
        {"do": "restart"},
        {"do": "play", "until": "done"},
    ]
    table = {"game": "holdem", "seats": {"2": 500, "5": 400, "7": 900}}
    return _played(scenario_of({"name": "restarted", "table": table, "seed": 3, "acts": acts}))


def _played(played: Scenario) -> Made:
    folder = _folder()
    write_auditor_keys(folder / "auditor.key", folder / "auditor.pub")
    with patch.object(wire, "configuration", _with_auditor(folder)):
        bench = WireBench(played)
    try:
        Player(bench).play(played)
        bench.rest()
        bench._controller.end()
        bench._process = None
        for file in bench.folder.iterdir():
            if file.is_file():
                shutil.copy(file, folder / file.name)
    finally:
        bench.close()
    return Made(folder)


class Direct:
    """A table without a wire that writes a journal of its own, for as long as somebody plays on it."""

    def __init__(
        self,
        folder: Path,
        played: Scenario | None = None,
        *,
        bounds: Bounds | None = None,
        auditor: bool = True,
        says: Callable[[Config], Config] = lambda config: config,
    ) -> None:
        """`says` is what it says of its configuration; it plays by the scenario's."""
        self.made = Made(folder)
        self.scenario = played or scenario(_HANDS)
        public = folder / "auditor.pub"
        if not public.exists():
            write_auditor_keys(self.made.key, public)
        known = read_auditor(public) if auditor else None
        self.journal = AtOnce(self.made.path, auditor=known, bounds=bounds)
        devices: dict[DeviceName, str] = {
            name: name for name in DEVICES if name != "zones" or self.scenario.table.zones
        }
        decks = ("red", "blue")[: self.scenario.table.decks]
        config = says(configuration(self.scenario, devices, folder, decks))
        self.journal.start(start_of(config, basis_of(config.setup()), anew=True))
        self.bench = DirectBench(self.scenario, journal=self.journal)

    def flush(self) -> None:
        """Waits until all stands in the file."""
        poller = select.poll()
        poller.register(self.journal.wake_fd() or -1, select.POLLIN)
        while FileJournal.durable.fget(self.journal) < self.journal.last:  # type: ignore[attr-defined]
            assert poller.poll(10_000)
            self.journal.drain_wake()

    def play(self) -> None:
        """Plays the scenario."""
        Player(self.bench).play(self.scenario)

    def stop(self) -> Made:
        """Stops in good order."""
        self.journal.close(Stop("told to stop"))
        return self.made


@cache
def of_files() -> Made:
    """A journal of three hands, each in a file of its own."""
    table = Direct(_folder(), bounds=Bounds(file_bytes=20_000))
    table.play()
    return table.stop()
