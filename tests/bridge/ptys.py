"""A device's end of a port, on a real pseudo-terminal behind a link that stands for its stable name."""

import os
import tty
from pathlib import Path
from types import TracebackType
from typing import Self


class Pty:
    """Plugged in while it lives: ``path`` is a link to the terminal's other side."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        self.number = os.ttyname(slave)
        fresh = path.with_suffix(".new")
        fresh.symlink_to(self.number)
        os.replace(fresh, path)
        os.close(slave)
        self.plugged = True

    def read(self) -> bytes:
        """What the host wrote; nothing while no host has it open."""
        try:
            return os.read(self.master, 65536)
        except OSError:  # EAGAIN: nothing there; EIO: no host
            return b""

    def write(self, data: bytes) -> None:
        """Bytes to the host."""
        if data:
            os.write(self.master, data)

    def unplug(self) -> None:
        """Gone, as a USB device goes."""
        if self.plugged:
            self.plugged = False
            os.close(self.master)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()
