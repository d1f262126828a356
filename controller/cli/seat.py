"""`cutcard seat`: a player comes, goes or buys chips at a table that runs."""

import select
import time
from pathlib import Path
from typing import Final

import click

from controller.cli.main import FAILED, WRONG_INPUT
from controller.config import load_config
from controller.door import DoorClient, Wish
from controller.errors import ConfigError, DoorError
from controller.notices import Denied

_ANSWER_S: Final = 5.0


def tell_wish(wish: Wish, *, config: str | None, door: str) -> int:
    """Says a wish at a table's door, or at that of its configuration; returns the exit status."""
    try:
        socket = Path(load_config(Path(config)).door.socket if config is not None else door)
        answer = _answer(socket, wish)
    except ConfigError as error:
        click.echo(f"cutcard seat: {error}", err=True)
        return WRONG_INPUT
    except DoorError as error:
        click.echo(f"cutcard seat: {error}", err=True)
        return FAILED
    if isinstance(answer, Denied):
        click.echo(f"cutcard seat: {answer.why}", err=True)
        return FAILED
    return 0


def _answer(socket: Path, wish: Wish) -> object:
    door = DoorClient(socket)
    try:
        door.wish(wish)
        until = time.monotonic() + _ANSWER_S
        while (answer := door.answer()) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise DoorError(f"{socket}: the table does not answer")
            select.select([door], [], [], left)
        return answer
    finally:
        door.close()
