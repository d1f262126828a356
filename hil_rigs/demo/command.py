"""`cutcard demo`, the command."""

import click

FAILED = 1


@click.command(
    epilog="Examples: cutcard demo; cutcard demo --game omaha --fast. It ends by itself in under 30 s."
)
@click.option("--game", type=click.Choice(["holdem", "omaha"]), default="holdem", help="What is dealt.")
@click.option("--fast", is_flag=True, help="Without pauses (as it is where there is no terminal).")
def demo(game: str, fast: bool) -> None:  # noqa: FBT001
    """Play two hands with a mistake in each on a virtual table, and tell each step of them.

    An overfull flop and an early turn: what the dealer does, what the table sees and rules, what the machines
    are told, what the LEDs show. Over real bytes on pseudo-terminals, with the controller a process of its
    own.
    """
    import sys

    from hil_rigs.demo.story import tell
    from hil_rigs.simulate.bench import BenchError

    try:
        tell(game, pauses=not fast and sys.stdout.isatty())
    except BenchError as error:
        click.echo(f"cutcard demo: {error}", err=True)
        raise SystemExit(FAILED) from None
