"""PINs and badges as they are asked for: without echo at a terminal, else as a line of standard input."""

import sys
from typing import Final

import click

from controller.errors import PersonError

_MOST: Final = 64


def asked_for(what: str) -> str:
    """A secret that somebody types or sends in. PersonError where nothing comes."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(what, hide_input=True, err=True)).strip()
    line = sys.stdin.readline(_MOST) if sys.stdin is not None else ""
    if not line.strip():
        raise PersonError(f"standard input ends before the {what}")
    return line.strip()


def asked_for_twice(what: str) -> str:
    """A new secret: at a terminal, where nobody sees what he types, it is typed twice. PersonError."""
    first = asked_for(what)
    if sys.stdin is not None and sys.stdin.isatty() and asked_for(f"{what} again") != first:
        raise PersonError(f"the {what} was not typed twice alike")
    return first
