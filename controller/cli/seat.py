"""`cutcard seat`: a player comes, goes or buys chips at a table that runs."""

from typing import Final

from controller.cli.asking import put, socket_of, status_of
from controller.door import Wish

_ANSWER_S: Final = 5.0


def tell_wish(wish: Wish, *, config: str | None, door: str) -> int:
    """Says a wish at a table's door, or at that of its configuration; returns the exit status."""

    def tell() -> None:
        put(socket_of(config, door), lambda client: client.wish(wish), _ANSWER_S)

    return status_of("seat", tell)
