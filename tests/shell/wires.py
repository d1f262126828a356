"""Mocks of `SerialPort` with real sessions and a real loop behind them and virtual devices in front."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast
from unittest.mock import NonCallableMagicMock

import pytest
from pytest_mock import MockerFixture

from controller import loop as loop_module
from controller.assembly import make_service
from controller.decisions import PhaseEntered, Ruled
from controller.decks import parse_registry
from controller.events import DEVICES, DeviceName
from controller.loop import TableLoop
from controller.notices import Notice
from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import PortSource
from firmware_bridge.events import Expect
from firmware_bridge.port import SerialPort
from firmware_bridge.session import Session
from firmware_bridge.trust import NO_KEYS
from hil_rigs.virtual.codes import COMMANDS, Prompt, Type
from hil_rigs.virtual.frames import REPEAT, Frame, Receiver, encode
from hil_rigs.virtual.messages import unpack
from hil_rigs.virtual.table import SERIALS, Setup, VirtualTable
from tests.shell.bare import HandJournal
from tests.shell.joined import ORDER, SEATS, config

MACHINES: Final = ("shoe", "shuffler")
SESSIONLESS: Final = {Type.GREET, Type.OPEN, Type.ACK, Type.CLOSE}
TURN_S: Final = 0.004
MOST_DEEDS: Final = 300

Deed = tuple[str, list[str]]
"""What the dealer did, and what was written to shoe and shuffler after it."""


@dataclass(frozen=True)
class Order:
    """A frame that is no mere part of the session, as it was written to a port; `raw` are its bytes."""

    port: str
    frame: Frame
    raw: bytes

    @property
    def type(self) -> Type:
        return Type(self.frame.type)

    @property
    def is_command(self) -> bool:
        """Whether it moves something."""
        return self.frame.type in COMMANDS

    @property
    def id(self) -> int:
        """The command's id."""
        return unpack(self.frame.type, self.frame.body).num("id")

    def __str__(self) -> str:
        again = " again" if self.frame.flags & REPEAT else ""
        return f"{self.port} {self.type.name}{again}"


class Wires:
    """Five mocked ports, a clock that the test moves, and all that was written to each port, in order.

    What a device in `silent` says is lost on the way, and so is any message of a type in `unheard`, and what
    is written to a device in `deaf`. While `zones_wait` no antenna has its word. A `journal` that is held is
    behind until the test lets it go.
    """

    def __init__(self, mocker: MockerFixture, setup: Setup | None = None) -> None:
        self.now = 100.0
        self.table = VirtualTable(setup or Setup(seats=SEATS, seed=8))
        self.links = {name: self.table.link(name) for name in self.table.devices}
        self.written: dict[str, list[bytes]] = {name: [] for name in self.table.devices}
        self.orders: list[Order] = []
        self.notices: list[Notice] = []
        self.silent: set[str] = set()
        self.deaf: set[str] = set()
        self.unheard: set[Type] = set()
        self.zones_wait = False
        self.journal = HandJournal()
        self._asked_for = 0  # orders that `sent` has told already
        self._heard = {name: Receiver() for name in self.table.devices}
        self.ports = {name: self._port(mocker, name) for name in self.table.devices}
        registry = parse_registry(self.table.registry(), "registry")
        service = make_service(config(Path(".")), self.journal, ORDER, registry)
        lines = {name: self._session(name) for name in DEVICES}
        self.loop = TableLoop(service, self.journal, lines, now=lambda: self.now)
        self.loop.listeners.append(self.notices.append)

    def _port(self, mocker: MockerFixture, name: str) -> NonCallableMagicMock:
        port = cast(NonCallableMagicMock, mocker.create_autospec(SerialPort, instance=True))

        def write(data: bytes) -> int:
            self.written[name].append(data)
            for frame in self._heard[name].feed(data):
                if frame.type not in SESSIONLESS:
                    self.orders.append(Order(name, frame, encode(frame)))
            if name not in self.deaf:
                self.links[name].receive(data, self.now)
            return len(data)

        def read() -> bytes:
            said = Receiver().feed(self.links[name].outgoing(self.now))
            heard = [encode(frame) for frame in said if frame.type not in self.unheard]
            return b"" if name in self.silent else b"".join(heard)

        port.fileno.return_value = None
        port.write.side_effect = write
        port.read.side_effect = read
        return port

    def _session(self, name: DeviceName) -> Session:
        return Session(
            name,
            PortSource(f"mock:{name}", 115200),
            Expect(DeviceKind.of(name), SERIALS[name]),
            trust=NO_KEYS,
            opener=lambda port, *, baudrate: self.ports[port.removeprefix("mock:")],
        )

    # What was written

    def frames(self, name: str) -> list[Frame]:
        """All frames that were written to a device."""
        return Receiver().feed(b"".join(self.written[name]))

    def commands(self, name: str) -> list[Type]:
        """The numbered ones, by type and in order, repeats left out."""
        return [Type(f.type) for f in self.frames(name) if f.numbered and not f.flags & REPEAT]

    def sent(self) -> list[str]:
        """What was written to shoe and shuffler since this was asked last, repeats too."""
        new, self._asked_for = self.orders[self._asked_for :], len(self.orders)
        return [str(order) for order in new if order.port in MACHINES]

    def all_of(self, type_: Type) -> list[Order]:
        """Every frame of a type that was written to any port, repeats too."""
        return [order for order in self.orders if order.type == type_]

    def fed(self, feed: Order) -> frozenset[str]:
        """The cards that a FEED expects, read off the table of tags that the shuffler was sent before."""
        tags: dict[int, bytes] = {}
        for order in self.orders[: self.orders.index(feed)]:
            if order.type == Type.DECK_TAGS:
                fields = unpack(order.frame.type, order.frame.body)
                tags |= enumerate(fields.tags("uids"), start=fields.num("first"))
        named = {card.uid: card.text for card in self.table.felt.all_cards()}
        mask = int.from_bytes(unpack(feed.frame.type, feed.frame.body).raw("expected"), "little")
        return frozenset(named[tags[bit]] for bit in range(mask.bit_length()) if mask >> bit & 1)

    # What the doors were told

    @property
    def ruled(self) -> list[str]:
        """The rulings by their rules; one that grew is one."""
        return _rules_of(notice.said for notice in self.notices)

    @property
    def decided(self) -> list[str]:
        """The same, as far as they are made, be they on the disk or not."""
        return _rules_of(decision for record in self.journal.records for decision in record.decisions)

    @property
    def phases(self) -> list[str]:
        """The phases that were entered."""
        return [notice.said.phase for notice in self.notices if isinstance(notice.said, PhaseEntered)]

    @property
    def shown(self) -> Prompt:
        """What the dealer's ring shows."""
        display = self.table.prompts.display
        return Prompt(display.code if display is not None else Prompt.NOTHING)

    # Time

    def turn(self) -> None:
        """Once round the loop."""
        self.now += TURN_S
        self.table.work()
        self.loop.turn()
        if self.links["shoe"].all_sent and not self.zones_wait:
            self.table.release_report()

    def pass_time(self, seconds: float = 0.3) -> None:
        """Turns the loop for so long, whether anything happens or not."""
        for _ in range(round(seconds / TURN_S)):
            self.turn()

    def settle(self) -> None:
        """Until nothing is under way, on this side or the other."""
        for _ in range(3000):
            self.turn()
            if self.loop.at_rest and all(link.quiet for link in self.links.values()):
                return
        raise AssertionError("the table does not come to rest")

    def let_go(self) -> None:
        """The disk has caught up."""
        self.journal.held = False
        self.journal.durable = self.journal.last
        self.pass_time()

    # The dealer

    def obey(self, steps: int = 1) -> list[Deed]:
        """The dealer does so many steps of what is shown. `sent` goes on after them."""
        deeds: list[Deed] = []
        for _ in range(steps):
            self.settle()
            deed = self.table.dealer.obey()
            assert deed is not None, f"nothing to do where {self.shown.name} is shown"
            self.settle()
            deeds.append((deed.kind, self.sent()))
        return deeds

    def obey_until_shown(self, code: Prompt) -> list[Deed]:
        """The same until the ring shows a prompt."""
        return self._obey_until(lambda: self.shown == code)

    def play_until(self, phase: str) -> list[Deed]:
        """The same until a phase is entered, from now on."""
        begin = len(self.phases)
        return self._obey_until(lambda: phase in self.phases[begin:])

    def _obey_until(self, reached: Callable[[], bool]) -> list[Deed]:
        deeds: list[Deed] = []
        self.settle()
        while not reached():
            assert len(deeds) < MOST_DEEDS, "the dealer comes to no end"
            deeds += self.obey()
        return deeds

    def lay(self, *places: str, face: str = "down") -> None:
        """Cards off the shoe, one after the other, wherever a hand drops them."""
        for place in places:
            self.table.hands.draw(place, face=face)
        self.settle()


@contextmanager
def wired(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, setup: Setup | None = None
) -> Iterator[Wires]:
    """A table of mocked ports; time is the test's."""
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.0)
    wires = Wires(mocker, setup)
    yield wires
    wires.loop.close()
    for port in wires.ports.values():
        port.close.assert_called()


def written_in(deeds: Sequence[Deed]) -> list[str]:
    """What was written to the machines after any of these deeds."""
    return [order for _, orders in deeds for order in orders]


def _rules_of(said: Iterable[object]) -> list[str]:
    rulings = [one for one in said if isinstance(one, Ruled)]
    return list({ruling.number: ruling.rule for ruling in rulings}.values())
