"""Each device on its own pseudo-terminal behind a stable name, and one poll loop for all of them."""

import os
import select
import time
import tty
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

from hil_rigs.virtual.link import DeviceLink
from hil_rigs.virtual.table import VirtualTable

_READ_BYTES = 4096
_UNSENT_BYTES = 1024  # as long as more than this waits for the host, no repeat is added to it
_ABSENT_S = 0.01  # how long to poll at most while a port has no host: such a port cannot be polled
_HANGUP = select.POLLHUP | select.POLLERR


class Way(Protocol):
    """One direction of a line; times are seconds of the table's clock."""

    @property
    def due_s(self) -> float:
        """When something comes out, or goes in again, by itself; infinity for never."""

    @property
    def idle(self) -> bool:
        """Nothing is on its way."""

    def takes(self, now_s: float) -> bool:
        """Whether bytes go in now; those that do not wait where they are."""

    def carry(self, data: bytes, now_s: float) -> bytes:
        """Bytes go in; what comes out now, of them and of those before, in any order and number."""

    def cut(self) -> None:
        """The cable is pulled: what is on its way is lost."""


class SoundWay:
    """A way on which nothing is ever wrong."""

    due_s = float("inf")
    idle = True

    def takes(self, now_s: float) -> bool:  # noqa: ARG002
        """At any time."""
        return True

    def carry(self, data: bytes, now_s: float) -> bytes:  # noqa: ARG002
        """All of it, at once."""
        return data

    def cut(self) -> None:
        """Nothing is ever on its way."""


class PtyLine:
    """One device's line. The port's name is a symlink: its target changes with each replug.

    `from_host` and `to_host` are its two ways: others, that are not perfect, may be put in their place.
    """

    def __init__(self, port: Path, link: DeviceLink) -> None:
        self.port = port
        self.link = link
        self.from_host: Way = SoundWay()
        self.to_host: Way = SoundWay()
        self._master = -1
        self._unsent = bytearray()
        self._hangs_until_s = 0.0
        self.gone = False
        """Whether no host can have this device, and nobody waits for it."""
        self.replug()

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._master >= 0

    @property
    def quiet(self) -> bool:
        """Nothing is under way in either direction."""
        on_its_way = (
            self._unsent or self._hangs_until_s > 0 or not self.from_host.idle or not self.to_host.idle
        )
        return self.plugged and not on_its_way and self.link.quiet

    @property
    def due_s(self) -> float:
        """When a turn has something to do though no byte comes; infinity for never."""
        return min(self.from_host.due_s, self.to_host.due_s) if self.plugged else float("inf")

    @property
    def drained(self) -> bool:
        """Every event has been written, or there is no host that could read it."""
        return self.link.all_sent and not self._unsent

    @property
    def heard(self) -> bool:
        """The host has every event, as far as it can be had: whoever speaks after this device may speak.

        On a sound way that is so once all is written; on another one only an acknowledgement tells.
        """
        if self.gone or isinstance(self.to_host, SoundWay):
            return self.drained
        return self.link.kept == 0 and self.link.device.idle

    def fileno(self) -> int:
        """Return the descriptor to poll, -1 while unplugged."""
        return self._master

    def unplug(self) -> None:
        """Pull the cable: the port's name is gone, and what was under way with it."""
        if self.plugged:
            self.port.unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1
            self._unsent.clear()
            self.from_host.cut()
            self.to_host.cut()

    def replug(self, first: Callable[[str], None] | None = None) -> None:
        """Put the cable in: a new port behind the same name. Raises OSError where no port can be made.

        `first` is told the port before it has its name.
        """
        self.unplug()
        master, slave = os.openpty()
        try:
            tty.setraw(slave)  # at once: a fresh port echoes
            os.set_blocking(master, False)
            if first is not None:
                first(os.ttyname(slave))
            fresh = self.port.with_name(self.port.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(slave))
            fresh.replace(self.port)
        except OSError:
            os.close(master)
            raise
        finally:
            os.close(slave)  # so that the master hears when the host comes and goes
        self._master = master

    def hang(self, until_s: float) -> None:
        """The firmware does nothing until then; its watchdog boots the device."""
        self._hangs_until_s = until_s

    def blurt(self, data: bytes) -> None:
        """The device says bytes that are no frames."""
        self._unsent += data

    def _hangs(self, now_s: float) -> bool:
        if now_s < self._hangs_until_s:
            if self.plugged:
                self._read()
            return True
        if self._hangs_until_s > 0:
            self._hangs_until_s = 0.0
            self.link.power_cycle()
        return False

    def turn(self, now_s: float) -> bool:
        """Read, let the link work, write; never blocks. Returns whether bytes were moved."""
        if self._hangs(now_s):
            return False
        if not self.plugged:
            self.link.outgoing(now_s)  # time goes on for the device; what it says goes nowhere
            return False
        read = self._read() if self.from_host.takes(now_s) else b""
        data = self.from_host.carry(read, now_s)
        if data:
            self.link.receive(data, now_s)
        takes = len(self._unsent) <= _UNSENT_BYTES and self.to_host.takes(now_s)
        self._unsent += self.to_host.carry(self.link.outgoing(now_s) if takes else b"", now_s)
        return self._write() or bool(read or data)

    def _read(self) -> bytes:
        try:
            return os.read(self._master, _READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:  # EIO: no host has the port open
            self._unsent.clear()
            return b""

    def _write(self) -> bool:
        if not self._unsent:
            return False
        if not self._host_is_there():
            self._unsent.clear()  # bytes kept for a host to come would be stale to it
            return False
        try:
            written = os.write(self._master, self._unsent)
        except BlockingIOError:
            return False
        except OSError:  # the host left between the two calls
            self._unsent.clear()
            return False
        del self._unsent[:written]
        return written > 0

    def _host_is_there(self) -> bool:
        return not self._polled() & _HANGUP

    def readable(self) -> bool:
        """Whether bytes of the host wait to be read."""
        return self.plugged and bool(self._polled() & select.POLLIN)

    def pollable(self) -> bool:
        """Whether a poll of this line would wait: one without a host returns at once."""
        return self.plugged and self._host_is_there()

    def _polled(self) -> int:
        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        return next((events for _, events in poller.poll(0)), 0)


class PtyTable:
    """A virtual table on ports in `directory`, which must exist. `now` is a clock in seconds."""

    def __init__(
        self, table: VirtualTable, directory: Path, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.table = table
        self._now = now
        self.lines: dict[str, PtyLine] = {}
        for name in table.devices:
            self.lines[name] = PtyLine(directory / name, table.link(name))

    @property
    def ports(self) -> dict[str, Path]:
        """The path of each device's port."""
        return {name: line.port for name, line in self.lines.items()}

    @property
    def quiet(self) -> bool:
        """Every device has a session; nothing is unacknowledged, unsent, unread or still to report."""
        return self.quiet_but_for(())

    def quiet_but_for(self, away: Collection[str]) -> bool:
        """The same of all devices but some."""
        here = [line for name, line in self.lines.items() if name not in away]
        return all(line.quiet and not line.readable() for line in here)

    def pump(self, timeout_s: float, *, also: Sequence[int] = ()) -> bool:
        """One turn of the loop, waiting `timeout_s` at most for bytes. Returns whether anything moved.

        `also` are descriptors of somebody else's that end the waiting when they can be read.
        """
        self._wait(timeout_s, also)
        now_s = self._now()
        self.table.work()
        moved = False
        for line in self.lines.values():
            moved |= line.turn(now_s)
        # The word of a zone comes after that of the shoe, so not before the shoe's is out.
        if self.lines["shoe"].heard and self.table.release_report():
            moved = True
            moved |= self.lines["zones"].turn(now_s)
        return moved

    def power_cycle(self, name: str) -> None:
        """A device loses its power and boots. Raises KeyError for a device that is not there."""
        self.lines[name].link.power_cycle()

    def close(self) -> None:
        """Pull every cable."""
        for line in self.lines.values():
            line.unplug()

    def _wait(self, timeout_s: float, also: Sequence[int]) -> None:
        poller = select.poll()
        for fd in also:
            poller.register(fd, select.POLLIN)
        absent = False
        for line in self.lines.values():
            if line.pollable():
                poller.register(line.fileno(), select.POLLIN)
            else:
                absent = True
        pending = self.table.zones is not None and self.table.zones.waiting > 0
        if pending and not self.table.setup.timed:
            timeout_s = 0.0
        elif absent:
            timeout_s = min(timeout_s, _ABSENT_S)
        due_s = min(line.due_s for line in self.lines.values())
        timeout_s = min(timeout_s, max(0.0, due_s - self._now()))
        poller.poll(timeout_s * 1000)
