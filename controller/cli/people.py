"""`cutcard people`: who may sign in at the tables, with which badges and PINs."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import click

from controller.cli.asking import status_of
from controller.cli.typed import asked_for, asked_for_twice
from controller.config import load_config
from controller.credentials import new_badge, new_pin
from controller.errors import ConfigError
from controller.events import RoleName
from controller.people import People, Person
from controller.people_file import one_at_a_time, read_people, write_people

_Change = Callable[[People, str], People]


def _with_pin() -> _Change:
    pin, today = new_pin(asked_for_twice("PIN")), date.today().isoformat()
    return lambda people, name: people.with_pin(name, pin, today)


def _with_badge() -> _Change:
    badge, today = new_badge(asked_for("badge")), date.today().isoformat()
    return lambda people, name: people.with_badge(name, badge, today)


_CHANGES: Final[dict[str, Callable[[], _Change]]] = {
    "remove": lambda: lambda people, name: people.removed(name),
    "disable": lambda: lambda people, name: people.with_state(name, "disabled"),
    "enable": lambda: lambda people, name: people.with_state(name, "active"),
    "revoke": lambda: lambda people, name: people.revoked(name),
    "pin": _with_pin,
    "badge": _with_badge,
}
"""What is done with somebody who is there; what must be typed for it is asked for first."""


def change_people(action: str, name: str, role: RoleName | None, *, file: str | None, config: str) -> int:
    """Lists the people of a file, or changes one of them; returns the exit status."""

    def change_or_list() -> None:
        path = Path(file) if file is not None else _file_of(config)
        if action == "list":
            click.echo("".join(_line(person) for person in read_people(path).persons), nl=False)
        elif role is not None:
            _change(path, lambda people: people.added(name, role), missing=People())
        else:
            read_people(path).named(name)  # before somebody types a PIN for nobody
            change = _CHANGES[action]()
            _change(path, lambda people: change(people, name))

    return status_of("people", change_or_list)


def _file_of(config: str) -> Path:
    people = load_config(Path(config)).table.people
    if people is None:
        raise ConfigError(f'{config}: this table names no people: add people = "people.toml" to [table]')
    return Path(people)


def _change(path: Path, change: Callable[[People], People], *, missing: People | None = None) -> None:
    with one_at_a_time(path):
        new = missing is not None and not path.exists()
        people = missing if missing is not None and new else read_people(path)
        write_people(path, change(people))


def _line(person: Person) -> str:
    badges, pin = person.has("badge"), "a PIN" if person.has("pin") else "no PIN"
    shown = f"{badges or 'no'} badge{'s' * (badges != 1)}"
    away = "" if person.state == "active" else ", disabled"
    return f"{person.name}: {person.role}, {pin}, {shown}{away}\n"
