"""`cutcard bench`, the command."""

import click


@click.command(epilog="Example: cutcard bench --json")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def bench(as_json: bool) -> None:  # noqa: FBT001
    """Measure this machine: reaction beside a bare echo, codec, hands a second."""
    del as_json
    raise click.ClickException("nothing is measured yet")
