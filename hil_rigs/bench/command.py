"""`cutcard bench`, the command."""

import click

FAILED = 1


@click.command(
    epilog="Examples: cutcard bench; cutcard bench --json > figures.json. The journal that is measured lies "
    "in the folder of temporary files; TMPDIR says where that is. "
    "Exit status: 0 it was measured, whether a bound was kept or not; 1 a table could not be played."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.option("--quick", is_flag=True, help="A few samples only: to see that it works, not how fast.")
def bench(as_json: bool, quick: bool) -> None:  # noqa: FBT001
    """Measure this machine, in about two minutes.

    Reaction (last byte of a card event in, first byte of the command out) beside a bare pyserial echo; codec,
    machine, betting and journal; hands a second with and without a wire; long journals read back; start of
    the command line. Whatever can be is measured beside a bare baseline in the same run: machines are shared
    and noisy, so a ratio says more than a figure.
    """
    import msgspec
    from rich.console import Console

    from hil_rigs.bench.measure import measure
    from hil_rigs.bench.show import show
    from hil_rigs.simulate.bench import BenchError

    def say(what: str) -> None:
        click.echo(f"measuring: {what} ...", err=True)

    try:
        report = measure(quick=quick, say=say)
    except BenchError as error:
        click.echo(f"cutcard bench: {error}", err=True)
        raise SystemExit(FAILED) from None
    if as_json:
        click.echo(msgspec.json.encode(report))
    else:
        show(report, Console())
