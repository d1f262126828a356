"""The bare baseline of a reaction: a process that does nothing but pyserial's read and write on a port.

`python -m hil_rigs.bench.echo PORT` is that process; `Echo` starts it and measures it.
"""

import os
import select
import signal
import subprocess
import sys
import time
import tty
from typing import Final

import serial

from hil_rigs.simulate.bench import BenchError

FRAME: Final = b"\x05\x21\x01\x17\x05\x02\x02\x04\x62\x3d\x01\x02\x0c\x01\x01\x03\x98\x05\x11\x00"
"""20 bytes, as long as most frames of the wire."""
_WAIT_MS: Final = 5_000


def echo(port: str) -> None:
    """Writes back whatever comes, until the port is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its port, which whoever measures closes
    with serial.Serial(port, 115200) as line:
        line.write(b"\0")  # it is open: what came before was flushed
        try:
            while True:
                line.write(line.read(line.in_waiting or 1))
        except (serial.SerialException, OSError):
            return


class Echo:
    """An echo process on a pseudo-terminal of its own. Raises BenchError where it does not answer."""

    def __init__(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self._process = subprocess.Popen([sys.executable, "-m", "hil_rigs.bench.echo", os.ttyname(slave)])
        self._poller = select.poll()
        self._poller.register(self._master, select.POLLIN)
        try:
            self._hear()
        finally:
            os.close(slave)

    def reaction_us(self) -> float:
        """Microseconds from the write of a frame to the first byte of its echo read."""
        began = time.monotonic_ns()
        os.write(self._master, FRAME)
        ended = 0
        unread = len(FRAME)
        while unread:
            data = self._hear()
            ended = ended or time.monotonic_ns()
            unread -= len(data)
        return (ended - began) / 1000

    def _hear(self) -> bytes:
        if not self._poller.poll(_WAIT_MS):
            raise BenchError("the echo does not answer")
        return os.read(self._master, 4096)

    def close(self) -> None:
        """Pulls the port away, which ends the process."""
        os.close(self._master)
        self._process.terminate()
        self._process.wait()


if __name__ == "__main__":
    echo(sys.argv[1])
