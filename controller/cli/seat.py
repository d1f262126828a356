"""`cutcard seat`: a player comes, goes or buys chips at a table that runs."""

from contextlib import closing
from typing import Final

import click

from controller.cli.asking import answer, socket_of
from controller.cli.main import FAILED, WRONG_INPUT
from controller.door import DoorClient, Wish
from controller.errors import ConfigError, DoorError
from controller.notices import Denied

_ANSWER_S: Final = 5.0


def tell_wish(wish: Wish, *, config: str | None, door: str) -> int:
    """Says a wish at a table's door, or at that of its configuration; returns the exit status."""
    try:
        socket = socket_of(config, door)
        with closing(DoorClient(socket)) as client:
            said = answer(client, socket, lambda client: client.wish(wish), _ANSWER_S)
    except ConfigError as error:
        click.echo(f"cutcard seat: {error}", err=True)
        return WRONG_INPUT
    except DoorError as error:
        click.echo(f"cutcard seat: {error}", err=True)
        return FAILED
    if isinstance(said, Denied):
        click.echo(f"cutcard seat: {said.why}", err=True)
        return FAILED
    return 0
