"""What goes over the wire to the shoe and the shuffler, byte by byte, over a start and a street.

The ports are mocks of `SerialPort`; behind them are real sessions and a real loop on this side, and the
virtual table's devices on the other.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from unittest.mock import NonCallableMagicMock

import pytest
from pytest_mock import MockerFixture

from controller import loop as loop_module
from controller.assembly import make_service
from controller.decisions import PhaseEntered
from controller.decks import parse_registry
from controller.events import DEVICES, DeviceName
from controller.journal import MemoryJournal
from controller.loop import TableLoop
from controller.notices import Notice
from firmware_bridge.codes import DeviceKind, Key
from firmware_bridge.discovery import PortSource
from firmware_bridge.events import Expect
from firmware_bridge.port import SerialPort
from firmware_bridge.session import Session
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.frames import Frame, Receiver, encode
from hil_rigs.virtual.table import SERIALS, Setup, VirtualTable
from tests.shell.joined import SEATS, config

SESSIONLESS = {Type.GREET, Type.OPEN, Type.ACK, Type.CLOSE}


class Wires:
    """Five mocked ports, a clock that the test moves, and all that was written to each port."""

    def __init__(self, mocker: MockerFixture) -> None:
        self.now = 100.0
        self.table = VirtualTable(Setup(seats=SEATS, seed=8))
        self.links = {name: self.table.link(name) for name in self.table.devices}
        self.written: dict[str, list[bytes]] = {name: [] for name in self.table.devices}
        self.order: list[tuple[str, int]] = []
        self.notices: list[Notice] = []
        self.ports: dict[str, NonCallableMagicMock] = {}
        self._heard = {name: Receiver() for name in self.table.devices}
        for name in self.table.devices:
            self.ports[name] = self._port(mocker, name)
        journal = MemoryJournal()
        service = make_service(
            config(Path(".")), journal, random.Random(2), parse_registry(self.table.registry(), "registry")
        )
        self.loop = TableLoop(
            service, journal, {name: self._session(name) for name in DEVICES}, now=lambda: self.now
        )
        self.loop.listeners.append(self.notices.append)

    def _port(self, mocker: MockerFixture, name: str) -> NonCallableMagicMock:
        port = cast(NonCallableMagicMock, mocker.create_autospec(SerialPort, instance=True))

        def write(data: bytes) -> int:
            self.written[name].append(data)
            self.order += [(name, frame.type) for frame in self._heard[name].feed(data)]
            self.links[name].receive(data, self.now)
            return len(data)

        port.fileno.return_value = None
        port.write.side_effect = write
        port.read.side_effect = lambda: self.links[name].outgoing(self.now)
        return port

    def _session(self, name: DeviceName) -> Session:
        return Session(
            name,
            PortSource(f"mock:{name}", 115200),
            Expect(DeviceKind.of(name), SERIALS[name]),
            opener=lambda port, *, baudrate: self.ports[port.removeprefix("mock:")],
        )

    def frames(self, name: str) -> list[Frame]:
        """All frames that were written to a device."""
        return Receiver().feed(b"".join(self.written[name]))

    def commands(self, name: str) -> list[Type]:
        """The numbered ones, by type and in order, repeats left out."""
        return [Type(f.type) for f in self.frames(name) if f.numbered and not f.flags & 2]

    def turn(self) -> None:
        self.now += 0.004
        self.table.work()
        self.loop.turn()
        if self.links["shoe"].all_sent:
            self.table.release_report()

    def settle(self) -> None:
        for _ in range(3000):
            self.turn()
            if self.loop.at_rest and all(link.quiet for link in self.links.values()):
                return
        raise AssertionError("the table does not come to rest")

    def play_until(self, phase: str) -> None:
        for _ in range(300):
            self.settle()
            if any(n.said == PhaseEntered(phase=phase) for n in self.notices):  # type: ignore[arg-type]
                return
            assert self.table.dealer.obey() is not None
        raise AssertionError(f"no {phase}")


@pytest.fixture
def wires(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wires]:
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.0)  # time is the test's
    wires = Wires(mocker)
    yield wires
    wires.loop.close()
    for port in wires.ports.values():
        port.close.assert_called()


def test_the_first_byte_to_any_device_ends_whatever_garbage_lies_before_it(wires: Wires) -> None:
    wires.settle()
    for name in DEVICES:
        assert wires.written[name][0].startswith(b"\0")
        assert [Type(frame.type) for frame in wires.frames(name)[:2]] == [Type.GREET, Type.OPEN]


def test_at_power_up_the_shuffler_gets_its_table_and_the_shoe_nothing_that_moves(wires: Wires) -> None:
    wires.settle()
    assert wires.commands("shoe") == []
    assert wires.commands("shuffler") == [Type.DECK_BEGIN, *[Type.DECK_TAGS] * 13, Type.DECK_END]
    assert wires.commands("keypad") == wires.commands("zones") == []
    assert wires.commands("prompts")[-1] == Type.SHOW


def test_the_table_of_tags_tells_no_order_of_cards(wires: Wires) -> None:
    wires.settle()
    bodies = [frame.body for frame in wires.frames("shuffler") if frame.type == Type.DECK_TAGS]
    tags = [body[i : i + 8] for body in bodies for i in range(3, len(body), 9)]
    registry = parse_registry(wires.table.registry(), "registry").deck("deck-1").cards
    assert set(tags) == set(registry)
    assert tags not in (list(registry), sorted(tags), sorted(tags, reverse=True))
    begin = next(frame for frame in wires.frames("shuffler") if frame.type == Type.DECK_BEGIN)
    assert begin.body == bytes((0, 52))


def test_a_pack_goes_through_the_machines_in_one_order(wires: Wires) -> None:
    wires.play_until("deal")
    machine = [
        (name, Type(type_).name)
        for name, type_ in wires.order
        if name in ("shoe", "shuffler") and type_ not in SESSIONLESS and type_ < 0x50
    ]
    commands = [step for step in machine if not step[1].startswith("DECK")]
    assert commands == [
        ("shuffler", "FEED"),
        ("shuffler", "SHUFFLE"),
        ("shuffler", "CUT"),
        ("shuffler", "OPEN_COVER"),
        ("shuffler", "CLOSE_COVER"),
        ("shoe", "RELEASE_LID"),
    ]


def test_nothing_goes_to_the_shoe_before_the_betting_round_is_complete(wires: Wires) -> None:
    wires.play_until("preflop")
    wires.settle()
    before = len(wires.commands("shoe"))
    assert Type.BURN not in wires.commands("shoe")
    acts = 0
    while not any(n.said == PhaseEntered(phase="flop-deal") for n in wires.notices):
        assert len(wires.commands("shoe")) == before, f"after {acts} acts"
        deed = wires.table.dealer.obey()
        assert deed is not None
        acts += 1
        wires.settle()
    assert acts == len(SEATS)
    assert wires.commands("shoe")[before:] == [Type.BURN]


def test_a_key_that_says_nothing_of_the_betting_burns_nothing(wires: Wires) -> None:
    wires.play_until("preflop")
    for key in (Key.ACK, Key.UNDO, Key.YES, Key.NO):
        wires.table.hands.press(key.label)
        wires.settle()
    assert Type.BURN not in wires.commands("shoe")


def test_a_burn_is_one_frame_of_these_bytes_and_is_sent_once(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    (burn,) = [frame for frame in wires.frames("shoe") if frame.type == Type.BURN]
    assert burn.flags == 1
    assert len(burn.body) == 8
    assert burn.seq == len(wires.commands("shoe"))
    raw = encode(burn)
    assert raw.endswith(b"\0")
    assert len(raw) <= 64
    assert b"".join(wires.written["shoe"]).count(raw) == 1
    assert len(wires.table.felt.cards("burn")) == 1


def test_the_prompt_for_the_flop_follows_the_burn_and_both_the_last_act(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    order = [type_ for name, type_ in wires.order if type_ in (Type.BURN, Type.SHOW)]
    assert order[-2:] == [Type.BURN, Type.SHOW]
    shown = wires.table.prompts.display
    assert shown is not None
    assert (shown.code, shown.count) == (13, 3)
