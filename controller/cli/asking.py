"""What the commands that say something at a table's door have in common."""

import select
import time
from collections.abc import Callable
from pathlib import Path

from controller.config import load_config
from controller.door import DoorClient
from controller.errors import DoorError
from controller.notices import AnyAnswer


def socket_of(config: str | None, door: str) -> Path:
    """The local socket of a configuration's table, or the one that was named. ConfigError."""
    return Path(load_config(Path(config)).door.socket if config is not None else door)


def answer(door: DoorClient, socket: Path, put: Callable[[DoorClient], None], seconds: float) -> AnyAnswer:
    """Puts something to the table and waits so long for its answer. DoorError."""
    put(door)
    until = time.monotonic() + seconds
    while (said := door.answer()) is None:
        left = until - time.monotonic()
        if left <= 0:
            raise DoorError(f"{socket}: the table does not answer")
        select.select([door], [], [], left)
    return said
