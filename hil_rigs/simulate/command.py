"""`cutcard simulate`: plays scenario files and prints a report a line."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from hil_rigs.simulate.scenario import Scenario

WRONG_INPUT = 2
FAILED = 1


@click.command(
    epilog="Examples: cutcard simulate clean-holdem.json; cutcard simulate --direct hands/*.phh. "
    "Exit status: 0 every file was played, 2 a file is no scenario (the others are still reported), "
    "1 a table could not be played to its end."
)
@click.argument("files", nargs=-1, required=True, type=click.Path(readable=False), metavar="FILE...")
@click.option("--direct", is_flag=True, help="Without ports and frames: faster, to the same report.")
def simulate(files: tuple[str, ...], direct: bool) -> None:  # noqa: FBT001
    """Play scenarios (.json) and hand histories (.phh) on a virtual table.

    One JSON report a file, one line each, in the order given, on standard output; all else on standard error.
    """
    from pathlib import Path

    from hil_rigs.simulate.bench import BenchError
    from hil_rigs.simulate.errors import ScenarioError
    from hil_rigs.simulate.load import Wiring, load

    status = 0
    wiring = Wiring.DIRECT if direct else Wiring.PORTS
    for name in files:
        try:
            scenario = load(Path(name), wire=wiring)
        except ScenarioError as error:
            click.echo(f"cutcard simulate: {error}", err=True)
            status = WRONG_INPUT
            continue
        try:
            click.echo(played(scenario, wiring is Wiring.DIRECT))
        except BenchError as error:
            click.echo(f"cutcard simulate: {name}: {error}", err=True)
            status = status or FAILED
    raise SystemExit(status)


def played(scenario: "Scenario", direct: bool) -> bytes:  # noqa: FBT001
    """The report of a scenario, as a line without its end. Raises BenchError."""
    from hil_rigs.simulate.bench import Bench
    from hil_rigs.simulate.direct import DirectBench
    from hil_rigs.simulate.play import Player
    from hil_rigs.simulate.report import as_line, report
    from hil_rigs.simulate.wire import WireBench

    bench: Bench = DirectBench(scenario) if direct else WireBench(scenario)
    try:
        player = Player(bench)
        player.play(scenario)
        return as_line(report(scenario, bench, player))
    finally:
        bench.close()
