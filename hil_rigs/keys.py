"""Keys for the devices of a bench, drawn when it starts: what is tried on it is tried sealed."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from controller.config import SecuritySection
from controller.events import DeviceName
from controller.key_book import KeyBook, KeyEntry
from controller.key_file import write_keys
from firmware_bridge.secrecy import KEY_BYTES, PairKey
from hil_rigs.virtual.table import SERIALS

KEY_FILE: Final = "keys.toml"


def draw_keys(devices: Iterable[str]) -> dict[str, bytes]:
    """A new key for each device, by its name."""
    return {name: secrets.token_bytes(KEY_BYTES) for name in devices}


def keep_keys(folder: Path, keys: Mapping[str, bytes]) -> SecuritySection:
    """Puts the keys into a key file in the bench's folder; what a configuration says of it."""
    since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    entries = (
        KeyEntry(cast(DeviceName, name), SERIALS[name], "paired", since, "bench", PairKey(key))
        for name, key in keys.items()
    )
    path = folder / KEY_FILE
    write_keys(path, KeyBook(tuple(entries)))
    return SecuritySection(keys=str(path))
