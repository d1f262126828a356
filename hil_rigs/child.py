"""What the forked processes of a bench have in common: how they leave."""

import contextlib
import os
import select
import signal
import sys
from typing import Final, NoReturn

PATIENCE_S: Final = 5.0


def leave(status: int, say: int | None = None) -> NoReturn:
    """Ends a forked child at once, whatever is in the way; to be called in its `finally`.

    What nobody foresaw is told as the command line tells it, and named through the pipe `say`. The child must
    never come back into the code of the process that it was forked from.
    """
    try:
        words = _unforeseen()
        if say is not None:
            os.write(say, words.encode())
    finally:
        os._exit(status)


def keep_open(*descriptors: int) -> None:
    """Closes all that a forked child has from its parent, but for these and the three that every process
    has."""
    kept = {0, 1, 2, *descriptors}
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with contextlib.suppress(OSError):  # the one that listed them
                os.close(int(name))


def wait_for_end(pid: int, patience_s: float = PATIENCE_S) -> None:
    """Waits for a forked child that was told to end; ends it the hard way when it does not.

    A stopped process takes no signal and sees no closed pipe until it goes on: it would be waited for without
    end.
    """
    end = os.pidfd_open(pid)
    try:
        ended, _, _ = select.select([end], [], [], patience_s)
    finally:
        os.close(end)
    if not ended:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _unforeseen() -> str:
    kind, error, trace = sys.exc_info()
    if kind is None or error is None or issubclass(kind, KeyboardInterrupt):
        return ""
    sys.excepthook(kind, error, trace)
    return f"a fault of the program ({kind.__name__})"
