"""A table that runs: ports opened, journal and door in place, until it is stopped."""

import gc
import resource
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal

from controller.assembly import make_service
from controller.checking import Checker, InlineChecker, Lookup, PeopleInFile, ThreadChecker
from controller.config import Config, DeviceSection
from controller.decks import read_registry
from controller.door import DoorServer
from controller.errors import ConfigError, KeyFileMissingError
from controller.events import DeviceName
from controller.journal import Bounds, FileJournal, Stop
from controller.journal.seal import read_auditor
from controller.key_file import FileTrust
from controller.loop import TableLoop
from controller.notices import Notice
from controller.people import UseName
from controller.ranking import warm
from controller.recovery import basis_of, find, start_of, take_up
from controller.service import Service
from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import PortSource, UsbMatch
from firmware_bridge.events import Expect
from firmware_bridge.session import Session
from firmware_bridge.trust import NO_KEYS, Plain, Trust

Begin = Literal["where-it-was", "anew"]
"""How a start goes about the hand that its journal may have under way."""

START_S: Final = 10.0
"""How long a start may take before a silent device ends it."""


def open_table(
    config: Config, begin: Begin = "where-it-was", *, plain: Plain = Plain.REFUSED
) -> tuple[TableLoop, FileJournal]:
    """The loop of a configured table, not yet running; `plain` says whether devices without keys are taken.

    It goes on where its journal stops, or begins `anew`: whatever hand was under way is given up. Raises
    ConfigError, DeckError, JournalError or DoorError for a file that cannot be used.
    """
    warm()
    registry = read_registry(Path(config.decks.registry))
    for deck in config.decks.in_use:
        registry.deck(deck)  # refused here, before there is a journal
    trust = trust_of(config, plain)
    journal_file = Path(config.journal.file)
    with ExitStack() as opened:
        checker = _checker(config)
        opened.callback(checker.close)
        auditor = None if config.journal.auditor is None else read_auditor(Path(config.journal.auditor))
        bounds = Bounds(config.journal.file_mb * 1_000_000, config.journal.older_files)
        journal = FileJournal(journal_file, auditor=auditor, bounds=bounds)
        opened.callback(journal.close)
        service = make_service(config, journal, journal.order, registry, checker)
        basis, told_before = basis_of(config.setup()), list[Notice]()
        found = None if begin == "anew" else find(journal_file)
        if found is not None:
            take_up(service.standing, found, basis, journal.hand_key, journal_file)
        journal.start(start_of(config, basis, anew=found is None))
        while service.notices:  # of before the start: who asks for them has them, nobody hears them anew
            told_before.append(service.notices.popleft())
        if plain is Plain.ALLOWED:
            service.is_insecure()
        loop = TableLoop(
            service,
            journal,
            {name: _session(name, at, service, trust) for name, at in config.device.items()},
            begins="anew" if found is None else "where-it-was",
        )
        opened.callback(loop.close)
        loop.door = DoorServer(
            Path(config.door.socket),
            service,
            at_rest=lambda: loop.rests_but_for(loop.away),
            away=lambda: loop.away,
            tells_ledger=lambda: config.bench.ledger,
        )
        for notice in told_before:
            loop.door.keep(notice)
        opened.pop_all()
    return loop, journal


def trust_of(config: Config, plain: Plain) -> Trust:
    """What a table knows of its devices' keys. ConfigError where it cannot be used, or is not named."""
    if config.security is None:
        if plain is Plain.ALLOWED:
            return NO_KEYS
        raise ConfigError(
            'no keys for the devices: add [security] with keys = "keys.toml" to the configuration and pair '
            "each device (cutcard pair), or, on a bench, say --insecure"
        )
    try:
        return FileTrust(Path(config.security.keys), plain)
    except KeyFileMissingError:
        if plain is Plain.ALLOWED:
            return NO_KEYS
        raise


def serve(
    config: Config,
    begin: Begin = "where-it-was",
    *,
    plain: Plain = Plain.REFUSED,
    started: Callable[[TableLoop], None] | None = None,
) -> None:
    """Runs a table until SIGTERM, SIGINT or SIGHUP; `plain` says whether devices without keys are taken.

    `started` is called once the loop is made. Raises Startup when a device cannot be had at the start, and
    TableError for a file that cannot be used.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would hold every card that was told
    loop, journal = open_table(config, begin, plain=plain)
    loop.stop_on_signals()
    if started is not None:
        started(loop)
    gc.freeze()  # what a table has loaded stays: no collection need look through it between two cards
    try:
        loop.run(deadline=time.monotonic() + START_S)
    except BaseException:
        journal.close()
        raise
    journal.close(Stop("told to stop"))


def _checker(config: Config) -> Checker:
    """Who knows the people of a table. ConfigError where their file cannot be used."""
    if config.table.people is None:
        return InlineChecker()
    use: UseName = "bench" if config.bench.people else "room"
    return ThreadChecker(Lookup(PeopleInFile(Path(config.table.people), use)))


def _session(name: DeviceName, device: DeviceSection, service: Service, trust: Trust) -> Session:
    return Session(
        name,
        source_of(device),
        Expect(DeviceKind.of(name), device.serial),
        trust=trust,
        mark=service.standing.marks.get(name),
    )


def source_of(device: DeviceSection) -> PortSource:
    """Where a device of a configuration is found."""
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
