"""`cutcard journal`: a journal listed, followed, exported, and handled once more. Reading only."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

import click

from controller.audit.listing import Lister
from controller.audit.words import words
from controller.cli.status import FAILED, WRONG_INPUT
from controller.errors import JournalError, printable
from controller.journal.chain import close
from controller.journal.following import Following
from controller.journal.hands import HandAt, HandLines, Walk, hand_named
from controller.journal.reading import JournalDamagedError, NoJournalError, Read
from controller.journal.records import Line
from controller.journal.whole import Whole
from controller.prompt_files import catalogue

KEEP: Final = "keep all its files as they are, and hold them against a copy and what was noted elsewhere"
"""What to do with a journal that is not what its table wrote."""
_LOOK_S: Final = 0.2
_SHOWN_FIRST: Final = 10

Hand = tuple[int, int]
"""The number of a hand, and the entry with which it begins, 0 where its number says enough."""


def status_of(command: str, do: Callable[[], int]) -> int:
    """Does what a command of that name is to do, and says in a line why it cannot; returns the exit
    status."""
    try:
        return do()
    except NoJournalError as error:
        click.echo(f"cutcard {command}: {printable(error.where)}: {error.why}", err=True)
        return WRONG_INPUT
    except JournalDamagedError as error:
        click.echo(
            f"cutcard {command}: {printable(error.where)}: {error.why}; see cutcard audit verify", err=True
        )
        return WRONG_INPUT
    except JournalError as error:
        click.echo(f"cutcard {command}: {error}", err=True)
        return WRONG_INPUT


def list_entries(journal: str, hand: Hand | None) -> int:
    """Prints a journal's entries, or those of a hand, in a line each; returns the exit status."""

    def do() -> int:
        lister = _lister()
        for read in _reads(Path(journal), hand):
            say(lister.row(read.line))
        return 0

    return status_of("journal list", do)


def follow(journal: str) -> int:
    """Prints the last entries, then each as it comes, until it is interrupted; returns the exit status."""

    def wait() -> bool:
        sys.stdout.flush()
        time.sleep(_LOOK_S)
        return True

    def do() -> int:
        lister, last = _lister(), deque[Line](maxlen=_SHOWN_FIRST)
        shown = False

        def show_last() -> bool:
            nonlocal shown
            if not shown:
                for line in last:
                    say(lister.row(line))
            shown = True
            return wait()

        try:
            for read in Following(Path(journal), show_last):
                if shown:
                    say(lister.row(read.line))
                else:
                    last.append(read.line)
        except KeyboardInterrupt:
            return 0
        return 0

    return status_of("journal follow", do)


def export(journal: str, hand: Hand | None, output: str | None) -> int:
    """Writes a journal's lines, or those of a hand, as they stand; returns the exit status."""

    def do() -> int:
        with ExitStack() as stack:
            to = sys.stdout.buffer if output is None else stack.enter_context(new_file(Path(output)))
            for read in _reads(Path(journal), hand):
                to.write(close(*read.closed))
            to.flush()
        return 0

    try:
        return status_of("journal export", do)
    except OSError as error:
        if output is None:
            raise
        click.echo(f"cutcard journal export: {output}: it cannot be written: {error.strerror}", err=True)
        return FAILED


def new_file(path: Path) -> BinaryIO:
    """A file for its owner alone, which must not be there yet. JournalError."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except FileExistsError:
        raise JournalError(f"{path}: a file is there already; choose another name") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no file has such a name"
        raise JournalError(f"{path}: it cannot be written: {why}") from None


def _reads(journal: Path, hand: Hand | None) -> Iterator[Read]:
    """The lines of a journal, or those of a hand. JournalError where there is no such hand, or several."""
    whole = (read for _, read in Whole(journal))
    if hand is None:
        yield from whole
        return
    number, entry = hand
    walk, kept = Walk(), dict[HandAt, list[Read]]()
    others: list[HandLines] = []
    for read in whole:
        walk.take(read.line)
        at = walk.hand
        if at is None or read.line.n is None:
            continue
        if not others or others[-1].at != at:
            others.append(HandLines(at))
        if at.number == number and entry in (0, at.entry):
            kept.setdefault(at, []).append(read)
    yield from kept[hand_named(others, number, entry).at]


def _lister() -> Lister:
    return Lister(words(), catalogue("en"))


def say(text: str) -> None:
    """Prints a line, whatever a terminal can show of it: what people typed is shown to it, never obeyed."""
    text = printable(text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = text.encode("ascii", "backslashreplace").decode()
    click.echo(text)
