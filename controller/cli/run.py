"""`cutcard run`: a table that stands somewhere, or a virtual one, told in lines as it goes."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final, cast

import click

from controller.cli.status import FAILED, INTERRUPTED, WRONG_INPUT
from controller.config import Config, load_config, place_of
from controller.decisions import PhaseEntered
from controller.errors import (
    AuditorKeyError,
    ConfigError,
    DeckError,
    DoorError,
    JournalError,
    JournalOpenError,
    KeyFileError,
    NoDeckError,
    PeopleFileError,
    RuleFileError,
    TableError,
    printable,
)
from controller.insecure import MARK, WARNING
from controller.loop import Startup, TableLoop
from controller.narrate import line
from controller.notices import Notice
from controller.prompts.spelling import spelled
from controller.rule_files import rulebook_of_name_or_file
from controller.serve import Begin, serve
from firmware_bridge.trust import Plain

TABLES_GROUP: Final = "cutcard.tables"

GOES_ON: Final = "the table goes on where it was"
_STOPPED: Final = "the table is stopped"
_ALL_PLAYED: Final = "the table is stopped: as many hands were played as were asked for"
NO_FLOOR: Final = "no floor can decide at this table: its configuration names no people"

OpenTable = Callable[[int, str, str], AbstractContextManager[tuple[Config, int]]]
"""Opens a table with so many decks, prompts in a language, and a ruleset by its name or file."""

_NAMED_AT: Final = (
    (DeckError, ("decks", "registry")),
    (PeopleFileError, ("table", "people")),
    (AuditorKeyError, ("journal", "auditor")),
    (KeyFileError, ("security", "keys")),
    (JournalOpenError, ("journal", "file")),
    (DoorError, ("door", "socket")),
)
"""Which key of a configuration names the file that an error is about."""


@dataclass(frozen=True)
class VirtualTable:
    """What was asked of a virtual table: one deck or two, the language of its prompts, its ruleset."""

    decks: int
    language: str
    rules: str


def run_table(config_file: str, begin: Begin, *, plain: Plain, hands: int | None, quiet: bool) -> int:
    """Runs the table of a configuration file; `plain` says whether devices without keys are taken. Returns
    the exit status."""
    try:
        config = load_config(Path(config_file))
    except ConfigError as error:
        click.echo(f"cutcard run: {error}", err=True)
        return WRONG_INPUT
    return _serve(config, begin, plain=plain, hands=hands, quiet=quiet, named_in=config_file)


def run_virtual(wanted: VirtualTable, *, hands: int | None, quiet: bool) -> int:
    """Runs a virtual table, found by its entry point; returns the exit status."""
    found = [entry for entry in entry_points(group=TABLES_GROUP) if entry.name == "virtual"]
    if not found:
        click.echo("cutcard run: no virtual table is installed; install cutcard with hil_rigs", err=True)
        return WRONG_INPUT
    try:
        rulebook_of_name_or_file(wanted.rules)
        opened = cast(OpenTable, found[0].load())(wanted.decks, wanted.language, wanted.rules)
        with opened as (config, alive):
            return _serve(config, "anew", hands=hands, quiet=quiet, alive=alive)
    except RuleFileError as error:
        click.echo(f"cutcard run: --rules: {error}", err=True)
        return WRONG_INPUT
    except TableError as error:
        click.echo(f"cutcard run: {error}", err=True)
        return FAILED


def _serve(
    config: Config,
    begin: Begin,
    *,
    hands: int | None,
    quiet: bool,
    plain: Plain = Plain.REFUSED,
    alive: int | None = None,
    named_in: str = "",
) -> int:
    if plain is Plain.ALLOWED:
        click.echo(f"cutcard run: {MARK}: {WARNING.text}", err=True)
    follower = _Follower(config, plain, hands, quiet=quiet, alive=alive)
    try:
        serve(config, begin, plain=plain, started=follower.follow)
    except (ConfigError, DeckError, DoorError, JournalOpenError, Startup) as error:
        click.echo(f"cutcard run: {_where_named(named_in, config, error)}{error}", err=True)
        return WRONG_INPUT
    except JournalError as error:
        click.echo(f"cutcard run: {error}", err=True)
        return FAILED
    except KeyboardInterrupt:
        click.echo("cutcard run: interrupted before the table was started", err=True)
        return INTERRUPTED
    if follower.table_ended:
        click.echo("cutcard run: the virtual table has ended", err=True)
        return FAILED
    if follower.finished:
        return 0
    follower.say_stopped()
    return 0 if hands is None else INTERRUPTED


def _where_named(config_file: str, config: Config, error: Exception) -> str:
    """Where a configuration names the file that an error is about; empty where there is none."""
    keys = next((keys for kind, keys in _NAMED_AT if isinstance(error, kind)), None)
    if not config_file or keys is None:
        return ""
    if isinstance(error, NoDeckError):
        keys = ("decks", "other" if error.deck == config.decks.other else "play")
    return printable(f"{place_of(Path(config_file), *keys)}: ")


def _say(text: str, mark: str = "") -> None:
    """Prints a line behind a mark; letters that the terminal lacks are spelled as on such a ring."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = spelled(text, "ascii")
    click.echo(f"{mark}{text}")


class _Follower:
    """Prints the feed and ends the run after so many hands."""

    def __init__(
        self, config: Config, plain: Plain, hands: int | None, *, quiet: bool, alive: int | None
    ) -> None:
        self._mark = f"{MARK}  " if plain is Plain.ALLOWED else ""
        self._first = [f"the door of this table: {config.door.socket}"]
        if config.table.people is None:
            self._first.append(NO_FLOOR)
        self._left = hands
        self._alive = alive
        self._quiet = quiet
        self.finished = False
        self.loop: TableLoop | None = None

    @property
    def table_ended(self) -> bool:
        """Whether the table's own process is gone."""
        return self.loop is not None and self.loop.orphaned

    def follow(self, loop: TableLoop) -> None:
        """Listens to a loop, which ends with its table."""
        self.loop = loop
        if self._alive is not None:
            loop.stop_when_closed(self._alive)

        def heard(notice: Notice) -> None:
            if not self._quiet and not self.finished:
                self._say_first()
                for text in line(notice.said):
                    _say(text, self._mark)
            if isinstance(notice.said, PhaseEntered) and notice.said.phase == "done":
                self._hand_is_done(loop)

        loop.listeners.append(heard)
        loop.in_trouble.append(lambda alert: click.echo(f"cutcard run: {alert.text}", err=True))
        if loop.begins == "where-it-was":
            self._first.append(GOES_ON)

    def _say_first(self) -> None:
        """Once, when the table has begun to talk."""
        while self._first:
            click.echo(self._mark + self._first.pop(0))

    def say_stopped(self) -> None:
        """Once, when somebody outside has stopped the table."""
        if not self._quiet:
            _say(_STOPPED, self._mark)

    def _hand_is_done(self, loop: TableLoop) -> None:
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                self.finished = True
                if not self._quiet:
                    _say(_ALL_PLAYED, self._mark)
                loop.stop()
