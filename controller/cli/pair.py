"""`cutcard pair`: which devices a table takes, and by which keys."""

import getpass
import os
from pathlib import Path

import click

from controller.cli.asking import status_of
from controller.cli.status import INTERRUPTED
from controller.config import load_config
from controller.errors import ConfigError
from controller.events import DeviceName
from controller.key_book import KeyEntry
from controller.key_file import change_keys, read_keys
from controller.pair_device import NOTHING_CHANGED, PairDevice, today


def pair_device(device: DeviceName, config_file: str, *, act_within_s: float) -> int:
    """Pairs a device of a configuration; returns the exit status."""
    pairing: list[PairDevice] = []

    def pair() -> None:
        config = load_config(Path(config_file))
        if device not in config.device:
            raise ConfigError(f"{config_file}: this table has no {device}: add [device.{device}]")
        begun = PairDevice(device, _keys_of(config_file), by=_user(), say=click.echo)
        pairing.append(begun)
        begun.run(config.device[device], act_within_s=act_within_s)

    try:
        return status_of("pair", pair)
    except KeyboardInterrupt:
        left = pairing[0].broken_off() if pairing else NOTHING_CHANGED
        click.echo(f"cutcard pair: interrupted; {left}", err=True)
        return INTERRUPTED


def list_devices(config_file: str) -> int:
    """Tells all devices of a key file, never a key; returns the exit status."""

    def tell() -> None:
        for entry in read_keys(_keys_of(config_file)).entries:
            click.echo(_line(entry))

    return status_of("pair", tell)


def revoke(serial: str, config_file: str, *, reason: str) -> int:
    """Takes a device's key back; returns the exit status."""

    def take_back() -> None:
        since, by = today(), _user()
        keys = _keys_of(config_file)
        read_keys(keys)
        book = change_keys(keys, lambda known: known.revoked(serial, since=since, by=by, reason=reason))
        entry = book.find(serial)
        assert entry is not None
        click.echo(f"{_line(entry)}; a table that runs refuses it at its next challenge, within 90 s")

    return status_of("pair", take_back)


def _keys_of(config_file: str) -> Path:
    security = load_config(Path(config_file)).security
    if security is None:
        raise ConfigError(
            f'{config_file}: this table names no key file: add [security] with keys = "keys.toml"'
        )
    return Path(security.keys)


def _line(entry: KeyEntry) -> str:
    by = f" by {entry.by}" if entry.by else ""
    why = f": {entry.reason}" if entry.reason.strip() else ""
    if entry.state == "revoked" and not why:
        why = ", no reason was given"
    state = {
        "paired": "paired",
        "unfinished": "pairing not finished, pair it again",
        "revoked": "revoked",
    }[entry.state]
    return f"{entry.kind} {entry.serial}: {state}, {entry.since}{by}{why}"


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"user {os.geteuid()}"
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in name)[:40]
