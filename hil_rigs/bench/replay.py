"""What a long journal costs whoever reads it: a replay, and a start that goes on, each in its own process."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, cast

import msgspec

from controller.assembly import make_service
from controller.audit.opening import Opener
from controller.audit.replaying import KnownKeys, Replaying
from controller.config import Config
from controller.decks import read_registry
from controller.events import DEVICES, DeviceName
from controller.journal import FileJournal, Stop
from controller.journal.seal import read_auditor, read_auditor_key, write_auditor_keys
from controller.journal.whole import Whole
from controller.ranking import warm
from controller.recovery import basis_of, find, start_of, take_up
from hil_rigs.bench.figures import Bound, Result, value_result
from hil_rigs.bench.plan import Plan
from hil_rigs.bench.tables import play_hand, table
from hil_rigs.simulate.bench import BenchError, configuration, virtual_table
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.scenario import Scenario

REPLAY_S: Final = 10.0
"""How long the replay of `REPLAY_ENTRIES` may take."""
REPLAY_ENTRIES: Final = 100_000
_PROGRAM: Final = "from hil_rigs.bench.replay import report; report({!r}, {!r})"
_CONFIG: Final = "config.json"


class AtOnce(FileJournal):
    """Says of every entry that it is durable: on a bench without a wire nobody takes the power away."""

    @property
    def durable(self) -> int:
        """All of it."""
        return self.last


class LongJournal:
    """A table in a folder that plays hand after hand and writes them all down, with an auditor."""

    def __init__(self, folder: Path, scenario: Scenario) -> None:
        self.path = folder / "journal.jsonl"
        write_auditor_keys(folder / "auditor.key", folder / "auditor.pub")
        self._journal = AtOnce(self.path, auditor=read_auditor(folder / "auditor.pub"))
        names = {name: name for name in DEVICES}
        decks = virtual_table(scenario).decks
        config = configuration(scenario, cast(dict[DeviceName, str], names), folder, decks)
        (folder / _CONFIG).write_bytes(msgspec.json.encode(config))
        self._journal.start(start_of(config, basis_of(config.setup()), anew=True))
        self._bench = DirectBench(scenario, journal=self._journal)
        self._bench.table.write_registry(folder / "decks.json")
        self._bench.rest()

    def play_to(self, entries: int) -> int:
        """Plays whole hands until so many entries stand there; how many do."""
        while self._journal.last < entries:
            play_hand(self._bench)
        return self._journal.last

    def stop(self) -> None:
        """Stops in good order."""
        self._journal.close(Stop("measured"))


def replays(plan: Plan) -> list[Result]:
    """Seconds and memory by the length of the journal, the longest last. Raises BenchError."""
    results: list[Result] = []
    for entries in plan.journals:
        with tempfile.TemporaryDirectory(prefix="cutcard-") as name:
            folder = Path(name)
            journal = LongJournal(folder, table("holdem"))
            there = journal.play_to(entries)
            journal.stop()
            results += replay_results(
                entries, there, _measured("replay", folder), _measured("recovery", folder)
            )
    return results


def replay_results(
    entries: int, there: int, replay: tuple[float, float], recovery: tuple[float, float]
) -> list[Result]:
    """The results of a journal that was to have so many entries, and has `there`: seconds and MB of each."""
    bound = Bound(value_max=REPLAY_S) if entries >= REPLAY_ENTRIES else None
    told = f"a journal of {there} entries"
    return [
        value_result(
            f"journal-replay-{entries}", f"{told} handled once more", "s", replay[0], n=1, bound=bound
        ),
        value_result(
            f"journal-replay-memory-{entries}", f"most memory meanwhile, {told}", "MB", replay[1], n=1
        ),
        value_result(
            f"recovery-{entries}", f"a start reads {told} and goes on where it stops", "s", recovery[0], n=1
        ),
        value_result(f"recovery-memory-{entries}", f"most memory meanwhile, {told}", "MB", recovery[1], n=1),
    ]


def _measured(what: str, folder: Path) -> tuple[float, float]:
    """Seconds and megabytes of a process that does it."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(what, str(folder))],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BenchError(f"the {what} of a journal failed: {done.stderr.strip().splitlines()[-1:]}")
    seconds, megabytes = json.loads(done.stdout)
    return seconds, megabytes


def report(what: str, folder: str) -> None:
    """What such a process does, and says of it."""
    warm()
    began = time.perf_counter()
    (_replay if what == "replay" else _recover)(Path(folder))
    seconds = time.perf_counter() - began
    sys.stdout.write(json.dumps([seconds, _peak_mb()]))


def _replay(folder: Path) -> None:
    opener = Opener(read_auditor_key(folder / "auditor.key"))
    lines = (read.line for _, read in Whole(folder / "journal.jsonl"))
    for hand in Replaying(KnownKeys((), opener)).replay(lines):
        if hand.differs or hand.left_out:
            raise BenchError(f"entry {hand.differs or hand.first}: something else follows than followed")


def _recover(folder: Path) -> None:
    config = msgspec.json.decode((folder / _CONFIG).read_bytes(), type=Config)
    path = folder / "journal.jsonl"
    journal = FileJournal(path)
    service = make_service(config, journal, journal.order, read_registry(folder / "decks.json"))
    found = find(path)
    if found is None:
        raise BenchError("the journal has nothing to go on from")
    take_up(service.standing, found, basis_of(config.setup()), journal.hand_key, path)
    journal.close()


def _peak_mb() -> float:
    """The most memory that this process has had, in MB; of Linux, which does not count its parent's here."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
