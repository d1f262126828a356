"""A table that runs: ports opened, journal and door in place, until it is stopped."""

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from controller.assembly import make_service
from controller.checking import Checker, InlineChecker, Lookup, PeopleInFile, ThreadChecker
from controller.config import Config, DeviceSection
from controller.decks import read_registry
from controller.door import DoorServer
from controller.events import DeviceName
from controller.journal import FileJournal
from controller.loop import TableLoop
from controller.people import UseName
from controller.ranking import warm
from controller.seal import HandKeySeal
from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import PortSource, UsbMatch
from firmware_bridge.events import Expect, Mark
from firmware_bridge.session import Session

START_S: Final = 10.0
"""How long a start may take before a silent device ends it."""


def open_table(config: Config) -> tuple[TableLoop, FileJournal]:
    """The loop of a configured table, not yet running.

    Raises ConfigError, DeckError, JournalError or DoorError for a file that cannot be used.
    """
    warm()
    registry = read_registry(Path(config.decks.registry))
    for deck in config.decks.in_use:
        registry.deck(deck)  # refused here, before there is a journal
    journal_file = Path(config.journal.file)
    with ExitStack() as opened:
        checker = _checker(config)
        opened.callback(checker.close)
        journal = FileJournal(journal_file, HandKeySeal(journal_file.with_name(journal_file.name + ".key")))
        opened.callback(journal.close)
        service = make_service(config, journal, random.SystemRandom(), registry, checker)
        loop = TableLoop(
            service, journal, {name: _session(name, at, journal) for name, at in config.device.items()}
        )
        opened.callback(loop.close)
        loop.door = DoorServer(
            Path(config.door.socket),
            service,
            at_rest=lambda: loop.rests_but_for(loop.away),
            away=lambda: loop.away,
            tells_ledger=lambda: config.bench.ledger,
        )
        opened.pop_all()
    return loop, journal


def serve(config: Config, *, started: Callable[[TableLoop], None] | None = None) -> None:
    """Runs a table until SIGTERM, SIGINT or SIGHUP.

    `started` is called once the loop is made. Raises Startup when a device cannot be had at the start, and
    TableError for a file that cannot be used.
    """
    loop, journal = open_table(config)
    loop.stop_on_signals()
    if started is not None:
        started(loop)
    try:
        loop.run(deadline=time.monotonic() + START_S)
    finally:
        journal.close()


def _checker(config: Config) -> Checker:
    """Who knows the people of a table. ConfigError where their file cannot be used."""
    if config.table.people is None:
        return InlineChecker()
    use: UseName = "bench" if config.bench.people else "room"
    return ThreadChecker(Lookup(PeopleInFile(Path(config.table.people), use)))


def _session(name: DeviceName, device: DeviceSection, journal: FileJournal) -> Session:
    mark = journal.marks.get(name)
    return Session(
        name,
        _source(device),
        Expect(DeviceKind.of(name), device.serial),
        mark=Mark(mark.boot, mark.number) if mark else None,
    )


def _source(device: DeviceSection) -> PortSource:
    if device.match is None:
        return PortSource(device.port or "", device.baud)
    match = device.match
    return PortSource(
        UsbMatch(
            vid=int(match.vid, 16) if match.vid else None,
            pid=int(match.pid, 16) if match.pid else None,
            serial=match.serial,
            location=match.location,
        ),
        device.baud,
    )
