"""What the commands have in common that say something at a table's door, or keep its people."""

import select
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click

from controller.cli.status import FAILED, WRONG_INPUT
from controller.config import load_config
from controller.door import DoorClient
from controller.errors import (
    ConfigError,
    DoorError,
    KeyRefusedError,
    KeyUnwrittenError,
    PairingError,
    PeopleUnwrittenError,
    PersonError,
    RuleNameError,
)
from controller.notices import Denied, Notice


def socket_of(config: str | None, door: str) -> Path:
    """The local socket of a configuration's table, or the one that was named. ConfigError."""
    return Path(load_config(Path(config)).door.socket if config is not None else door)


def put(socket: Path, ask: Callable[[DoorClient], None], seconds: float) -> list[Notice]:
    """Puts something to the table at a socket and waits so long for its answer; all that the table told
    meanwhile. DoorError, also where the table refuses it."""
    with closing(DoorClient(socket)) as door:
        ask(door)
        until = time.monotonic() + seconds
        while (said := door.answer()) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise DoorError(f"{socket}: the table does not answer")
            select.select([door], [], [], left)
        if isinstance(said, Denied):
            raise DoorError(said.why)
        return door.notices


def status_of(command: str, do: Callable[[], None]) -> int:
    """Does what a command of that name is to do, and says in a line why it cannot; returns the exit
    status."""
    try:
        do()
    except (ConfigError, KeyRefusedError, PersonError, RuleNameError) as error:
        click.echo(f"cutcard {command}: {error}", err=True)
        return WRONG_INPUT
    except (DoorError, KeyUnwrittenError, PairingError, PeopleUnwrittenError) as error:
        click.echo(f"cutcard {command}: {error}", err=True)
        return FAILED
    return 0
