"""One direction of a line, with something done to all that passes."""

from collections.abc import Callable

from hil_rigs.virtual.ptys import SoundWay


class Through(SoundWay):
    """Lets through what `change` makes of the bytes."""

    def __init__(self, change: Callable[[bytes], bytes]) -> None:
        self._change = change

    def carry(self, data: bytes, now_s: float) -> bytes:
        return self._change(data)
