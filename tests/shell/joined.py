"""A virtual table and a service in one process, without a wire, for hands that are played to their end."""

import select
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from controller.assembly import make_service
from controller.config import (
    Config,
    DecksSection,
    DeviceSection,
    DoorSection,
    JournalSection,
    SecuritySection,
    TableSection,
)
from controller.decisions import PhaseEntered
from controller.decks import parse_registry
from controller.events import DEVICES, DeviceName
from controller.journal import Journal
from controller.notices import Notice
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import Capabilities, capabilities
from hil_rigs.keys import KEY_FILE
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.direct import DirectTable
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.table import SERIALS, Setup, VirtualTable

BOOT: Final = 11
SEATS: Final = (2, 5, 9)


def config(folder: Path, ports: Mapping[DeviceName, str] | None = None) -> Config:
    """A table of three seats whose files are in `folder`; ports by the devices' names unless given."""
    ports = ports or {name: str(folder / name) for name in DEVICES}
    return Config(
        table=TableSection(name="joined", game="holdem", seats=dict.fromkeys(SEATS, 1000)),
        device={name: DeviceSection(port=port, serial=SERIALS[name]) for name, port in ports.items()},
        decks=DecksSection(registry=str(folder / "decks.json"), play="deck-1"),
        journal=JournalSection(file=str(folder / "journal.jsonl")),
        door=DoorSection(socket=str(folder / "door")),
        security=SecuritySection(keys=str(folder / KEY_FILE)),
    )


def caps_of(device: Device) -> Capabilities:
    """What a virtual device says in CAPS."""
    body = pack(
        wire.Caps.TYPE,
        kind=device.kind,
        keeps=128,
        remembers=device.identity.remembers,
        options=device.options,
        pairing=0,
        device_nonce=0,
        data=device.data,
    )
    caps = wire.decode(wire.Caps.TYPE, body)
    assert isinstance(caps, wire.Caps)
    return capabilities(caps)


ORDER: Final = bytes(range(32))
"""A secret by which tables of tags are ordered."""


class Joined:
    """The two sides. Whatever the service sends is carried over at once, and kept in `sent`."""

    def __init__(self, journal: Journal, *, seed: int = 3, setup: Setup | None = None) -> None:
        self.table = VirtualTable(setup or Setup(seats=SEATS, seed=seed))
        self.journal = journal
        self._direct = DirectTable(self.table)
        self.service = make_service(
            config(Path(".")), journal, ORDER, parse_registry(self.table.registry(), "registry")
        )
        self.numbers: dict[str, int] = dict.fromkeys(self.table.devices, 0)
        self.sent: list[tuple[DeviceName, wire.Message]] = []
        self.heard: list[tuple[DeviceName, wire.Message]] = []
        self.notices: list[Notice] = []
        for name in DEVICES:
            self.service.answers(name, BOOT, caps_of(self.table.devices[name]))

    def turn(self) -> bool:
        """Carries what lies ready; whether anything did."""
        moved = False
        while self.service.outbox:
            name, message = self.service.outbox.popleft()
            self.sent.append((name, message))
            self._direct.give(name, *wire.encode(message))
            moved = True
        for device, type_, body in self._direct.take():
            name = cast(DeviceName, device)
            message = wire.decode(type_, body)
            moved = True
            if isinstance(message, wire.Tick):
                self.service.ticked(name, message.time)
                continue
            self.heard.append((name, message))
            self.numbers[name] += 1
            self.service.received(name, self.numbers[name], message)
        self.service.acks.clear()
        self.notices += self.service.notices
        self.service.notices.clear()
        return moved

    def rest(self) -> None:
        """Until nobody has anything to say and all is durable."""
        for _ in range(10_000):
            if self.turn():
                continue
            if self.journal.durable < self.journal.last:
                fd = self.journal.wake_fd()
                assert fd is not None
                assert select.select([fd], [], [], 10)[0], "the journal does not get durable"
                self.journal.drain_wake()
                self.service.settle()
                continue
            if self._direct.quiet and self.service.at_rest:
                return
        raise AssertionError("the table does not come to rest")

    def play_until(self, phase: str) -> None:
        """The dealer obeys until the hand enters a phase."""
        begin = len(self.notices)
        for _ in range(500):
            self.rest()
            if any(
                isinstance(notice.said, PhaseEntered) and notice.said.phase == phase
                for notice in self.notices[begin:]
            ):
                return
            assert self.table.dealer.obey() is not None, "the dealer has nothing to do"
        raise AssertionError(f"no {phase} in 500 deeds")
