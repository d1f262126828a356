"""What the forked processes of a bench have in common: how they leave."""

import os
import sys
from typing import NoReturn


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


def _unforeseen() -> str:
    kind, error, trace = sys.exc_info()
    if kind is None or error is None or issubclass(kind, KeyboardInterrupt):
        return ""
    sys.excepthook(kind, error, trace)
    return f"a fault of the program ({kind.__name__})"
