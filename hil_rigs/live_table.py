"""The table behind `cutcard run --virtual`: a process with five devices on ports and a dealer who obeys the
prompts."""

import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.config import (
    Config,
    DecksSection,
    DeviceSection,
    DoorSection,
    JournalSection,
    SecuritySection,
    TableSection,
)
from controller.errors import TableError
from controller.events import DEVICES
from hil_rigs.child import leave, wait_for_end
from hil_rigs.keys import draw_keys, keep_keys
from hil_rigs.virtual.live import REGISTRY, LiveTable
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import SERIALS, Setup

SEATS: Final = dict.fromkeys((1, 2, 4, 5, 7, 8), 1000)
SHUFFLE_S: Final = 4


@contextmanager
def open_table(decks: int, language: str, rules: str) -> Iterator[tuple[Config, int]]:
    """A virtual table with one deck or two, prompts in a language, and a ruleset by its name or file, for as
    long as the context lasts.

    Yields the configuration that fits it, and a descriptor that can be read once the table has ended.
    """
    folder = Path(tempfile.mkdtemp(prefix="cutcard-table-"))
    keys = draw_keys(DEVICES)
    ready, say = os.pipe()
    gone, hold = os.pipe()
    if sys.stdout is not None:
        sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.close(ready)
        os.close(hold)
        _be_the_table(folder, decks, keys, say, gone)
    os.close(say)
    os.close(gone)
    try:
        if os.read(ready, 1) != b"r":
            raise TableError(
                "the virtual table could not be started; is there room and a free pseudo-terminal?"
            )
        yield _configuration(folder, decks, keep_keys(folder, keys), language, rules), ready
    finally:
        os.close(hold)
        os.close(ready)
        wait_for_end(pid)
        shutil.rmtree(folder, ignore_errors=True)


def _configuration(folder: Path, decks: int, security: SecuritySection, language: str, rules: str) -> Config:
    return Config(
        table=TableSection(name="virtual", game="holdem", seats=SEATS, language=language, rules=rules),
        device={name: DeviceSection(port=str(folder / name), serial=SERIALS[name]) for name in DEVICES},
        decks=DecksSection(
            registry=str(folder / REGISTRY), play="deck-1", other="deck-2" if decks > 1 else None
        ),
        journal=JournalSection(file=str(folder / "journal.jsonl")),
        door=DoorSection(socket=str(folder / "door")),
        security=security,
    )


def _be_the_table(folder: Path, decks: int, keys: Mapping[str, bytes], say: int, gone: int) -> None:
    """The child: the table goes on until whoever opened it is gone."""
    for ending in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, signal.SIG_IGN)
    os.set_blocking(gone, False)
    status = 1
    try:
        seed = secrets.token_hex(8)
        shuffler = ShufflerOptions(shuffle_s=SHUFFLE_S)
        live = LiveTable(Setup(seats=tuple(SEATS), seed=seed, shuffler=shuffler, decks=decks, keys=keys))
        live.start(folder)
        os.write(say, b"r")
        while not _closed(gone):
            live.step(time.monotonic())
        live.stop()
        status = 0
    finally:
        leave(status)


def _closed(gone: int) -> bool:
    try:
        return os.read(gone, 1) == b""
    except BlockingIOError:
        return False
