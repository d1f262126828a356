"""A scenario played whatever becomes of its controller, and what is compared of two plays."""

from dataclasses import dataclass

from hil_rigs.simulate.play import Player
from hil_rigs.simulate.report import as_line, report
from hil_rigs.simulate.scenario import Scenario
from tests.crash.bench import CrashBench, Point, log_commands


@dataclass(frozen=True)
class Played:
    """A report, the commands that machines began, and how often the controller was killed."""

    report: bytes
    commands: tuple[tuple[str, int], ...]
    ids: int
    killed: int


def play(scenario: Scenario, point: Point | None = None) -> Played:
    """Plays a scenario, with a kill of the controller at a point."""
    bench = CrashBench(scenario, point)
    try:
        log = log_commands(bench.table)
        player = Player(bench)
        player.play(scenario)
        made = as_line(report(scenario, bench, player))
        commands = tuple((device, type_) for device, _, type_ in log)
        return Played(made, commands, len({(device, id_) for device, id_, _ in log}), bench.killed)
    finally:
        bench.close()
