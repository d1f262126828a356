"""A scenario without a wire: encoded bodies are handed over, each side still decodes with its own code."""

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

import msgspec

from controller.assembly import make_service
from controller.checking import InlineChecker
from controller.checkpoint import Checkpoint
from controller.decks import parse_registry
from controller.door import Wish
from controller.events import DEVICES, DeviceName
from controller.journal import Journal, MemoryJournal, Record
from controller.journal.records import decode_line, encode_line, line_of, record_of
from controller.notices import Notice
from controller.service import Service
from controller.standing import Standing
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import capabilities
from hil_rigs.simulate.bench import BenchError, configuration, virtual_table
from hil_rigs.simulate.floors import Floors
from hil_rigs.simulate.scenario import Floor, Scenario
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.direct import DirectTable
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.table import VirtualTable

_FIRST_BOOT: Final = 1
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TURNS: Final = 10_000
_KEEPS: Final = 128


class KeptJournal(MemoryJournal):
    """Keeps what a controller that goes on needs, in the words of a journal's lines: the last checkpoint, and
    the entries since."""

    def __init__(self) -> None:
        super().__init__()
        self._checkpoint: bytes | None = None
        self._entries: list[tuple[bytes, bytes | None]] = []

    def append(self, record: Record) -> int:
        """Keeps an entry."""
        number = super().append(record)
        line, hidden = line_of(number, _NEVER, record)
        self._entries.append((encode_line(line), hidden))
        return number

    def keep(self, state: bytes, hand: int) -> int:
        """Keeps a checkpoint: of what was before it nothing is needed any more."""
        self._checkpoint = state
        self._entries.clear()
        return super().keep(state, hand)

    def read_into(self, standing: Standing) -> None:
        """Brings a table to where all that was kept leads."""
        if self._checkpoint is not None:
            standing.resume(msgspec.json.decode(self._checkpoint, type=Checkpoint))
        for said, hidden in self._entries:
            line = decode_line(said)
            standing.repeat(line.n or 0, record_of(line, hidden))


class DirectBench:
    """A virtual table and a service in one process.

    `lateness` seeds when the zones report, `journal` keeps the records, `direct` hands over what is said.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        lateness: int | None = None,
        journal: Journal | None = None,
        direct: Callable[[VirtualTable], DirectTable] = DirectTable,
    ) -> None:
        self.table: VirtualTable = virtual_table(scenario, lateness)
        self._direct = direct(self.table)
        self._notices: list[Notice] = []
        self._numbers = dict.fromkeys(self.table.devices, 0)
        self._floors = Floors(scenario)
        self._scenario = scenario
        self._journal = journal or KeptJournal()
        self._service = self._made()
        for name in self._names:
            self._answer(name)

    def _made(self) -> Service:
        """A controller that was never told anything."""
        ports = cast(Mapping[DeviceName, str], dict.fromkeys(self._names, "direct"))
        people = self._floors.people()
        return make_service(
            configuration(self._scenario, ports, Path("."), self.table.decks),
            self._journal,
            random.Random(self._scenario.seed).randbytes(32),
            parse_registry(self.table.registry(), "the virtual table's registry"),
            InlineChecker(lambda: people),
        )

    @property
    def _names(self) -> list[DeviceName]:
        return [name for name in DEVICES if name in self.table.devices]

    def _answer(self, name: DeviceName) -> None:
        device = self.table.devices[name]
        caps = wire.decode(wire.Caps.TYPE, _caps(device))
        if isinstance(caps, wire.Caps):
            self._service.answers(name, _FIRST_BOOT + device.boots, capabilities(caps))

    def restart(self) -> None:
        """Forgets the controller, and makes another of what it had written."""
        if not isinstance(self._journal, KeptJournal):
            raise BenchError("what this controller had written was not kept")
        told = self.notices[-1].number if self.notices else 0
        self._service = self._made()
        self._journal.read_into(self._service.standing)
        self._service.standing.goes_on()
        while self._service.notices and self._service.notices[0].number <= told:
            self._service.notices.popleft()
        for name in self._names:
            if self._service.standing.devices[name].present:
                self._answer(name)

    @property
    def notices(self) -> Sequence[Notice]:
        """All that the controller has told so far."""
        told = self._service.notices
        while told:
            self._notices.append(told.popleft())
        return self._notices

    def rest(self) -> None:
        """Hands over until nobody has anything to say."""
        for _ in range(_TURNS):
            moved = self._to_devices()
            said = self._direct.take()
            for name, type_, body in said:
                self._hear(cast(DeviceName, name), wire.decode(type_, body))
            if not said and not moved and self._direct.quiet and self._service.at_rest:
                return
        raise BenchError("the table does not come to rest")

    def _to_devices(self) -> int:
        moved = 0
        while self._service.outbox:
            name, message = self._service.outbox.popleft()
            self._direct.give(name, *wire.encode(message))
            moved += 1
        self._service.acks.clear()
        return moved

    def _hear(self, name: DeviceName, message: wire.Message) -> None:
        if isinstance(message, wire.Tick):
            self._service.ticked(name, message.time)
            return
        self._numbers[name] += 1
        self._service.received(name, self._numbers[name], message)

    @property
    def heard(self) -> int:
        """How many events the controller has been given so far."""
        return sum(self._numbers.values())

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger, digested."""
        return self._service.ledger_digest(nonce)

    def wish(self, wish: Wish) -> None:
        """What a player wants, told to the service as its door would."""
        self._service.seat_changes(wish.event())

    def decide(self, act: Floor) -> str:
        """What the floor decides, told to the service as its door would."""
        ruling = self._floors.ruling(act)
        whys = [ruling.wrong]
        if not ruling.wrong:
            self._service.floor_decides(ruling.wish(), whys.append)
        return whys[-1]

    def close(self) -> None:
        """Nothing to let go."""


def _caps(device: Device) -> bytes:
    """What the device would say of itself in CAPS."""
    return pack(
        wire.Caps.TYPE,
        kind=device.kind,
        keeps=_KEEPS,
        remembers=device.identity.remembers,
        options=device.options,
        pairing=0,
        device_nonce=0,
        data=device.data,
    )
