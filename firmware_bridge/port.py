"""The only owner of a descriptor: opens a port, reads, writes and closes it, never waiting.

Whatever pyserial, the operating system or termios raise becomes one of `firmware_bridge.errors`. `socket://`
works without waiting, too, once it is open; `rfc2217://`, `spy://` and `loop://` go through pyserial's own
calls. URLs are for benches: opening and closing one may wait.
"""

import errno
import fcntl
import os
import select
import termios
from pathlib import Path
from typing import Final, Self

import serial
from serial.urlhandler import protocol_socket

from firmware_bridge.errors import (
    BridgeError,
    DeviceGone,
    PortBusy,
    PortDenied,
    PortError,
    PortMissing,
    PortUnusable,
)

BAUDRATE: Final = 115200
"""Unless the device's papers say otherwise."""
READ_MAX: Final = 4096
"""Bytes that one read takes at most."""

_CC = 6  # the control characters in the list that tcgetattr gives
_CFLAG = 2
_PTY_MAJORS = range(136, 144)
_FAMILIES = (serial.SerialException, OSError, termios.error, ValueError, TypeError)
_UNBOUNDED = ("loop:", "rfc2217:")
_MISSING = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ECONNREFUSED})
_DENIED = frozenset({errno.EACCES, errno.EPERM})
_HUNG_UP = frozenset({errno.EIO, errno.ENODEV, errno.ENXIO, errno.EPIPE})
_BUSY = frozenset({errno.EBUSY, errno.EAGAIN})


class SerialPort:
    """An open port. Made by `open`; used by one thread, which also closes it."""

    def __init__(self, name: str, line: serial.Serial) -> None:
        self._name = name
        self._line: serial.Serial | None = line
        self._fd = _descriptor(line)
        # These two can be read and written directly: half the cost, and no wait hidden in it.
        self._direct = self._fd is not None and type(line) in (serial.Serial, protocol_socket.Serial)

    @classmethod
    def open(cls, name: str, *, baudrate: int = BAUDRATE) -> Self:
        """Opens a path or a pyserial URL, exclusively where it is a path.

        A device is not reset by it where that can be helped, and what it has sent meanwhile is not relied on.
        Raises `PortMissing`, `PortBusy`, `PortDenied` or `PortUnusable`.
        """
        line = None
        try:
            line = _unopened(name, baudrate)
            if "://" not in name:
                line.exclusive = True  # flock: keeps out whoever asks, whatever his rights
            line.dtr = line.rts = True  # before open, so that the lines do not move
            line.open()
            _settle(line)
        except (*_FAMILIES, KeyError) as error:  # KeyError: a URL's option has an unknown value
            if line is not None:
                line.close()
            raise _refusal(name, error) from error
        return cls(name, line)

    @property
    def name(self) -> str:
        """The path or URL that it was opened by."""
        return self._name

    @property
    def latency_ms(self) -> int | None:
        """How long the driver may hold bytes back, in milliseconds; None where it does not say.

        More than 1 is worth a warning: an FTDI chip that is left alone takes 16.
        """
        device = os.path.basename(os.path.realpath(self._name))
        try:
            return int(Path("/sys/class/tty", device, "device/latency_timer").read_text("ascii"))
        except (OSError, ValueError):
            return None

    def fileno(self) -> int | None:
        """The descriptor for a poll loop; None where the URL has none, and once it is closed."""
        return self._fd

    def read(self) -> bytes:
        """What has come, 4096 bytes at most; ``b""`` where nothing has. Raises `DeviceGone`."""
        line = self._open_line()
        try:
            if self._direct and self._fd is not None:
                data = os.read(self._fd, READ_MAX)
            else:
                return line.read(min(line.in_waiting or 1, READ_MAX))
        except (BlockingIOError, InterruptedError):
            return b""
        except _FAMILIES as error:
            raise self._gone(error) from error
        if not data:
            raise self._hung_up()
        return data

    def write(self, data: bytes) -> int:
        """Bytes of ``data`` that were taken, 0 where the port is full. Raises `DeviceGone`.

        After an error nobody knows what arrived.
        """
        line = self._open_line()
        try:
            if not self._direct or self._fd is None:
                return line.write(data) or 0
            taken = 0
            while taken < len(data):
                taken += os.write(self._fd, data[taken:] if taken else data)
        except (BlockingIOError, InterruptedError):
            return taken
        except _FAMILIES as error:
            raise self._gone(error) from error
        return taken

    def discard(self) -> None:
        """Forgets what was written and has not left: `close` would wait for it, up to 30 s on Linux."""
        if self._fd is not None and self._direct and os.isatty(self._fd):
            try:
                termios.tcflush(self._fd, termios.TCOFLUSH)
            except termios.error:
                return  # the device is gone: nothing waits any more

    def close(self) -> None:
        """Closes it, also when the device is gone; nothing the second time."""
        line, self._line = self._line, None
        self._fd = None
        if line is not None:
            try:
                line.close()
            except _FAMILIES:
                # The device is gone, and pyserial has given the descriptor up: there is nothing left to do.
                return

    def _open_line(self) -> serial.Serial:
        if self._line is None:
            raise DeviceGone(self._name, "the port is closed", "open it again")
        return self._line

    def _gone(self, error: BaseException) -> DeviceGone:
        code = _errno(error)
        # Reading and writing meet the same unplugging with different numbers: it is told in the same words.
        why = "" if code is None or code in _HUNG_UP else f" ({os.strerror(code).lower()})"
        return DeviceGone(self._name, f"the device was unplugged or switched off{why}", "plug it in again")

    def _hung_up(self) -> BridgeError:
        """Says what an empty read means: unplugged, or somebody else has changed the port's settings."""
        assert self._fd is not None
        watch = select.poll()
        watch.register(self._fd, select.POLLIN)
        hung = any(state & (select.POLLHUP | select.POLLERR) for _, state in watch.poll(0))
        if hung or not _is_same(self._name, self._fd):
            return DeviceGone(self._name, "the device was unplugged or switched off", "plug it in again")
        other = holder_of(self._name, but=os.getpid()) or "another program"
        return DeviceGone(
            self._name,
            f"the device is still there, but {other} reads from its port or has set it up anew",
            "end that program",
        )


def _unopened(name: str, baudrate: int) -> serial.Serial:
    # The classes behind URLs have other bases, but the same calls.
    # loop:// would take a write timeout of 0 for a line that is always full.
    wait = None if name.startswith(_UNBOUNDED) else 0
    return serial.serial_for_url(name, do_not_open=True, baudrate=baudrate, timeout=0, write_timeout=wait)


def _descriptor(line: serial.Serial) -> int | None:
    try:
        return line.fileno()
    except _FAMILIES:
        return None  # io.UnsupportedOperation


def _settle(line: serial.Serial) -> None:
    """What pyserial leaves undone: others kept out, DTR up at close, short delays, a clear end of file."""
    fd = _descriptor(line)
    if fd is None or not os.isatty(fd):
        return
    attributes = termios.tcgetattr(fd)
    attributes[_CFLAG] &= ~termios.HUPCL  # a DTR that falls at close resets many devices
    # With VMIN 0 an empty read could mean "nothing yet" as well as "gone".
    attributes[_CC][termios.VMIN] = 1
    attributes[_CC][termios.VTIME] = 0
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
    if not _is_pty(fd):
        # A pty would keep the mark beyond a killed owner, as long as its other side lives, and keep us out.
        fcntl.ioctl(fd, termios.TIOCEXCL)
    try:
        line.set_low_latency_mode(True)
    except (NotImplementedError, *_FAMILIES):
        return  # most drivers have no such thing; `latency_ms` tells


def _is_pty(fd: int) -> bool:
    return os.major(os.fstat(fd).st_rdev) in _PTY_MAJORS


def _is_same(path: str, fd: int) -> bool:
    if "://" in path:
        return False
    try:
        return os.stat(path).st_rdev == os.fstat(fd).st_rdev
    except OSError:
        return False


def _errno(error: BaseException) -> int | None:
    """The number of an error that may bear it, or whose cause may, or whose first argument may (termios)."""
    seen: BaseException | None = error
    while seen is not None:
        code = getattr(seen, "errno", None)
        if code is None and isinstance(seen, termios.error) and seen.args:
            code = seen.args[0]
        if isinstance(code, int):
            return code
        seen = seen.__cause__ or seen.__context__
    return None


def _refusal(name: str, error: Exception) -> PortError:
    code = _errno(error)
    if code in _MISSING:
        return PortMissing(
            name, "there is no such port now", "plug the device in, or correct the port's name"
        )
    if code in _DENIED:
        return PortDenied(
            name, "this user may not open it", "add the user to the group that owns it (dialout)"
        )
    if code in _BUSY:
        holder = holder_of(name)
        return PortBusy(name, f"{holder or 'another program'} holds it", "end that program", holder)
    reason = os.strerror(code).lower() if code else str(error)
    return PortUnusable(
        name, f"it cannot be used as a serial port ({reason})", "correct its name or its baud rate"
    )


def holder_of(path: str, *, but: int = 0) -> str | None:
    """The program that has ``path`` open, ``pid 812 (ModemManager)``; None where /proc does not tell.

    The process ``but`` is passed over.
    """
    wanted = os.path.realpath(path)
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == but:
            continue
        try:
            if any(os.readlink(link) == wanted for link in (process / "fd").iterdir()):
                program = (process / "comm").read_text("utf-8", "replace").strip()
                return f"pid {process.name} ({program})"
        except OSError:
            continue  # it has ended, or is none of ours
    return None
