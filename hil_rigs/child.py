"""What the forked processes of a bench have in common."""

import sys


def tell_unforeseen() -> str:
    """In a child that is about to leave: tells what nobody foresaw as the command line does, and names it."""
    kind, error, trace = sys.exc_info()
    if kind is None or error is None:
        return ""
    sys.excepthook(kind, error, trace)
    return f"a fault of the program ({kind.__name__})"
