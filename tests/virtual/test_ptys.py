"""The devices on real ports: hosts that are not there, leave, come back, or do not read."""

from __future__ import annotations

import os
import termios
from typing import TYPE_CHECKING

import pytest
import serial

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.frames import Frame, encode
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.ptys import PtyTable, SoundWay
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import PtyHost
from tests.virtual.script import Script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def host(tmp_path: Path) -> Iterator[PtyHost]:
    host = PtyHost(VirtualTable(Setup(seats=(1, 2), shoe=ShoeOptions(gate=True))), tmp_path)
    yield host
    host.close()


def _open_gate(script: Script) -> None:
    script.proved_pack()
    script.load()
    script.open_gate(20)


def test_each_device_has_a_port_of_its_own_under_its_name_in_raw_mode(host: PtyHost) -> None:
    assert {name: path.name for name, path in host.ports.items()} == {
        name: name for name in host.table.devices
    }
    assert len({os.readlink(path) for path in host.ports.values()}) == 5
    for fd in host.fds.values():
        assert not termios.tcgetattr(fd)[3] & (termios.ECHO | termios.ICANON)


def test_a_host_with_pyserial_hears_hello(tmp_path: Path) -> None:
    table = VirtualTable(Setup())
    ptys = PtyTable(table, tmp_path)
    try:
        with serial.Serial(str(ptys.ports["keypad"]), 115200, timeout=0, exclusive=True) as port:
            body = pack(Type.GREET, lowest=1, highest=1, host_nonce=5)
            port.write(b"\0" + encode(Frame(Type.GREET, body=body)))
            ptys.pump(1.0)
            assert b"KP-V001" in port.read(500)
    finally:
        ptys.close()


def test_without_a_host_the_table_goes_on_and_keeps_what_happens(tmp_path: Path) -> None:
    table = VirtualTable(Setup())
    ptys = PtyTable(table, tmp_path)
    try:
        table.hands.press("floor")
        for _ in range(50):
            ptys.pump(0)
        assert not ptys.quiet
        assert ptys.lines["keypad"].link.kept == 1
    finally:
        ptys.close()


def test_a_host_that_leaves_and_comes_back_misses_nothing_and_finds_the_gate_shut(host: PtyHost) -> None:
    script = Script(host)
    _open_gate(script)
    host.table.hands.draw("seat:1")
    host.settle()
    old = host.ends["shoe"]
    host.shut("shoe")
    for _ in range(150):
        host.turn()
    assert host.ptys.lines["shoe"].link.session == 0
    assert not host.table.shoe.gate_open
    host.ends["shoe"] = old.reopen(99)
    host.open("shoe")
    host.settle()
    script.open_gate(5)
    host.table.hands.draw("seat:2")
    host.settle()
    assert [draw["number"] for draw in script.events(Type.DRAW)] == [1, 2]
    assert [state["gate"] for state in script.events(Type.SHOE_STATE)[-3:]] == [0, 0, 1]


def test_an_unplugged_port_is_gone_for_the_host_and_a_replugged_one_is_another_under_the_same_name(
    host: PtyHost,
) -> None:
    script = Script(host)
    _open_gate(script)
    line = host.ptys.lines["shoe"]
    line.unplug()
    assert not host.ports["shoe"].is_symlink()
    with pytest.raises(OSError, match="Input/output"):
        os.write(host.fds["shoe"], b"\0")
    old = host.ends["shoe"]
    host.shut("shoe")
    host.table.hands.draw("seat:1")
    for _ in range(150):
        host.turn()
    assert not host.table.shoe.gate_open
    line.replug()
    host.ends["shoe"] = old.reopen(99)
    host.open("shoe")
    host.settle()
    assert [draw["number"] for draw in script.events(Type.DRAW)] == [1]
    assert host.ptys.quiet


def test_a_host_that_does_not_read_neither_blocks_the_table_nor_fills_its_memory(host: PtyHost) -> None:
    script = Script(host)
    _open_gate(script)
    host.table.hands.draw("seat:1", count=16)
    line = host.ptys.lines["shoe"]
    alive = encode(Frame(Type.ACK, session=7, ack=0))
    unsent = []
    for _ in range(400):
        host.now_s += 0.4
        os.write(host.fds["shoe"], alive)
        host.ptys.pump(0)
        unsent.append(len(line._unsent))
    assert line.link.session == 7
    assert 0 < max(unsent) < 3_000
    for _ in range(2_000):  # it reads again; the other devices have lost it for good
        if line.quiet:
            break
        host.turn()
    assert [draw["number"] for draw in script.events(Type.DRAW)] == list(range(1, 17))


def test_a_device_that_boots_is_another_session_with_another_nonce(host: PtyHost) -> None:
    host.settle()
    link = host.ptys.lines["keypad"].link
    boot = link.boot
    host.ptys.power_cycle("keypad")
    host.ends["keypad"] = host.ends["keypad"].reopen(55)
    host.ends["keypad"].durable = 0
    host.table.hands.press("ack")
    host.settle()
    assert link.boot != boot
    assert [key["key"] for key in Script(host).events(Type.KEY)] == [8]


def test_a_wire_can_be_put_between(host: PtyHost) -> None:
    seen = bytearray()

    class Tap(SoundWay):
        def carry(self, data: bytes, now_s: float) -> bytes:
            seen.extend(data)
            return data

    host.ptys.lines["keypad"].to_host = Tap()
    host.settle()
    assert b"KP-V001" in seen


def test_closed_ports_leave_no_names_behind(tmp_path: Path) -> None:
    ptys = PtyTable(VirtualTable(Setup()), tmp_path)
    assert len(list(tmp_path.iterdir())) == 5
    ptys.close()
    ptys.close()
    assert list(tmp_path.iterdir()) == []
