"""B and C on a running table: losing a device and coming back, and who else is on the line."""

import fcntl
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_mock import MockerFixture
from serial.tools.list_ports_common import ListPortInfo

from controller.decisions import Alert
from controller.loop import TableLoop
from firmware_bridge import session as session_module
from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import Ports, PortSource, UsbMatch
from firmware_bridge.errors import PortMissing
from firmware_bridge.events import Expect
from firmware_bridge.port import SerialPort
from firmware_bridge.session import Session
from firmware_bridge.usb import UsbDevice
from hil_rigs.virtual.codes import Key, Type
from hil_rigs.virtual.frames import NUMBERED, Frame, encode
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.ptys import PtyLine, SoundWay
from tests.shell.joined import config
from tests.shell.running import Running

GARBAGE = 1_000_000
STARTED_ANEW = b"ets Jul 29 2019 12:21:46\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n"


class Deaf(SoundWay):
    """A way at whose end nobody reads."""

    def takes(self, now_s: float) -> bool:
        return False


def texts(running: Running) -> list[str]:
    return [n.said.text for n in running.notices if isinstance(n.said, Alert)]


class Plugged:
    """What the system lists: ports by number, each with the serial number of its USB device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.serials: dict[str, str] = {}

    def __call__(self) -> list[ListPortInfo]:
        ports = []
        for name, serial in self.serials.items():
            port = ListPortInfo(str(self.folder / name), skip_link_detection=True)
            port.vid, port.pid, port.serial_number, port.location = 0x1209, 1, serial, "1-1"
            ports.append(port)
        return ports


class Listed(PortSource):
    """A device that is looked for by its USB identity among the ports that a test has plugged in."""

    plugged: Plugged

    def resolve(self, *, ports: Ports = list, usb: Sequence[UsbDevice] = ()) -> str:
        return super().resolve(ports=self.plugged, usb=usb)

    def missing(self, *, ports: Ports = list, usb: Sequence[UsbDevice] = ()) -> PortMissing:
        return super().missing(ports=self.plugged, usb=usb)


def looked_for_by_identity(running: Running, serial: str) -> tuple[Plugged, TableLoop]:
    """The table's shoe is at ttyACM0, and is configured by its USB serial number."""
    plugged = Plugged(running.folder)
    loop = running.open(config(running.folder))
    shoe = running.ptys.lines["shoe"]
    shoe.unplug()
    shoe.port = running.folder / "ttyACM0"
    plugged.serials["ttyACM0"] = serial
    shoe.replug()
    Listed.plugged = plugged
    source = Listed(UsbMatch(serial=serial))
    line = loop._lines["shoe"]
    assert isinstance(line, Session)
    loop._lines["shoe"] = Session("shoe", source, Expect(DeviceKind.SHOE, "SH-V001"), trust=line._trust)
    running.until(lambda: loop.started)
    running.settle()
    return plugged, loop


@pytest.mark.case(19)
def test_case_16_a_device_that_comes_back_under_another_name_is_known_by_its_identity(
    running: Running,
) -> None:
    plugged, loop = looked_for_by_identity(running, "USB-77")
    running.play_until("preflop")
    shoe = running.ptys.lines["shoe"]
    shoe.unplug()
    plugged.serials.clear()
    running.until(lambda: "shoe" in loop.away)
    shoe.port = running.folder / "ttyACM1"
    plugged.serials["ttyACM1"] = "USB-77"
    shoe.replug()
    running.play_until("flop")
    assert len(texts(running)) == 1, "the loss, and nothing else"


def test_case_16_another_device_on_the_old_name_is_not_even_opened(
    running: Running, mocker: MockerFixture
) -> None:
    plugged, loop = looked_for_by_identity(running, "USB-77")
    running.play_until("preflop")
    shoe = running.ptys.lines["shoe"]
    shoe.unplug()
    other = PtyLine(running.folder / "ttyACM0", running.table.link("shoe"))
    plugged.serials["ttyACM0"] = "USB-78"
    opened = mocker.spy(SerialPort, "open")
    running.until(lambda: "shoe" in loop.away)
    mocker.patch.object(session_module, "PATIENCE_S", 0.0)
    for _ in range(100):
        running.turn()
    assert opened.call_count == 0
    other.unplug()
    shoe.port = running.folder / "ttyACM9"
    plugged.serials["ttyACM9"] = "USB-77"
    shoe.replug()
    running.play_until("flop")


def test_case_19_and_a_rebooted_one_is_asked_for_its_state(started: Running) -> None:
    """A hub drops the port for a moment and the device boots: nothing that it was doing is assumed."""
    started.play_until("flop")
    line = started.ptys.lines["shoe"]
    line.unplug()
    started.ptys.power_cycle("shoe")
    line.replug()
    assert started.loop is not None
    started.until(lambda: "alignment-required" in started.alerts())
    started.settle()
    assert started.shown == 19, "call-floor"
    assert "shoe: restarted in the middle of a hand, what it was doing is unknown" in texts(started)


def test_case_22_only_the_loop_closes_what_it_reads(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    close = SerialPort.close

    def watched(self: SerialPort) -> None:
        closed.append(threading.get_ident())
        close(self)

    monkeypatch.setattr(SerialPort, "close", watched)
    loop = running.open(config(running.folder))
    running.until(lambda: loop.started)
    reader = threading.Thread(target=loop.run)
    reader.start()
    assert reader.ident is not None
    threads = {reader.ident}
    for _ in range(20):
        running.ptys.pump(0.001)
    loop.stop()
    while reader.is_alive():
        running.ptys.pump(0.001)
    reader.join()
    assert set(closed) == threads
    assert len(closed) == len(running.ptys.lines)


def test_case_23_a_wake_up_that_came_too_early_takes_no_byte_from_a_read(started: Running) -> None:
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    asked = started.table.prompts.display
    assert asked is not None
    os.write(loop._wake_write, b"\0" * 50)
    started.table.hands.act(asked.seat, "check-or-call")
    os.write(loop._wake_write, b"\0" * 50)
    started.settle()
    after = started.table.prompts.display
    assert after is not None
    assert after.seat not in (0, asked.seat)


def test_case_24_a_ring_that_never_reads_delays_nobody(started: Running) -> None:
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    asked = started.table.prompts.display
    assert asked is not None
    ring = started.ptys.lines["prompts"]
    ring.from_host = Deaf()
    for _ in range(3):  # who acts next, the dealer cannot see: the players go on all the same
        started.table.hands.press("undo")
        started.table.hands.act(asked.seat, "check-or-call")
    keypad = started.ptys.lines["keypad"].link
    started.until(lambda: keypad.kept == 0 and started.ptys.lines["keypad"].quiet)
    session = loop._lines["prompts"]
    assert session.unacknowledged() < 200, "what waits for it is bounded"
    started.until(lambda: loop.away == ("prompts",))
    started.until(lambda: bool(texts(started)))
    assert texts(started) == ["prompts: the device has fallen silent; see to its power"]
    ring.from_host = SoundWay()
    started.settle()
    started.play_until("flop")


def test_case_25_whoever_fails_with_what_a_device_said_leaves_its_line_as_it_was(started: Running) -> None:
    """No handler is called by the bridge: a session hands over what happened, and is not in its way."""
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    asked = started.table.prompts.display
    assert asked is not None
    service, failed = loop._service, []
    received = service.received

    def fails(*said: object) -> None:
        service.received = received  # type: ignore[method-assign]
        failed.append(said)
        raise ZeroDivisionError

    service.received = fails  # type: ignore[method-assign, assignment]
    started.table.hands.press("exposed", 9)
    with pytest.raises(ZeroDivisionError):
        started.until(lambda: bool(failed))
    assert "keypad" not in loop.away
    assert started.ptys.lines["keypad"].link.kept == 1, "it is not acknowledged: a new process is told again"


def test_case_26_a_device_that_resets_at_every_opening_is_greeted_until_it_answers(running: Running) -> None:
    """Its banner comes first, then another boot nonce; the same happens with each replug."""
    loop = running.open(config(running.folder))
    keypad = running.ptys.lines["keypad"]
    keypad.blurt(STARTED_ANEW)
    running.until(lambda: loop.started)
    running.settle()
    boots = {keypad.link.boot}
    for _ in range(3):
        keypad.unplug()
        running.until(lambda: "keypad" in loop.away)
        keypad.replug()
        keypad.blurt(b"half of an old fra" + STARTED_ANEW)
        running.ptys.power_cycle("keypad")
        running.settle()
        boots.add(keypad.link.boot)
    assert len(boots) == 4
    running.play_until("flop")


def test_case_27_bytes_of_another_life_before_the_first_frame_mean_nothing(started: Running) -> None:
    """Frames of an old session, whole and broken, wait in the port when it is opened."""
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    keypad = started.ptys.lines["keypad"]
    seen: list[bytes] = []

    class Tap(SoundWay):
        def carry(self, data: bytes, now_s: float) -> bytes:
            seen.append(data)
            return data

    keypad.to_host = Tap()
    started.table.hands.press("undo")
    started.settle()
    keypad.unplug()
    started.until(lambda: "keypad" in loop.away)
    refused = len(started.notices)
    keypad.replug()
    keypad.blurt(b"".join(seen)[3:] + b"".join(seen) * 3)
    started.settle()
    kinds = [type(n.said).__name__ for n in started.notices[refused:]]
    assert "Refused" not in kinds, "the key was not pressed again"
    started.play_until("flop")


@pytest.mark.case(32)
def test_case_31_a_second_program_gets_no_port_of_a_running_table(started: Running) -> None:
    for name in started.ptys.lines:
        fd = os.open(started.folder / name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        with pytest.raises(BlockingIOError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(fd)
    started.play_until("deal")


AT = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
for _ in range(5):
    os.write(fd, b"AT\\r")
    time.sleep(0.01)
    os.set_blocking(fd, False)
    try:
        os.read(fd, 40)
    except BlockingIOError:
        pass
"""


def test_case_32_a_modem_manager_that_writes_and_reads_on_a_line_costs_repeats_and_nothing_else(
    started: Running,
) -> None:
    started.play_until("preflop")
    grab = subprocess.Popen([sys.executable, "-c", AT, str(started.folder / "keypad")])
    try:
        started.play_until("flop")
        started.until(lambda: grab.poll() is not None)
    finally:
        grab.kill()
        grab.wait()
    started.play_until("done")
    assert [said for said in texts(started) if "another program" not in said] == []
    assert len(started.table.felt.cards("board")) == 5


def test_case_33_a_driver_that_holds_bytes_back_is_told_and_the_table_plays(
    running: Running, mocker: MockerFixture
) -> None:
    mocker.patch.object(SerialPort, "latency_ms", new_callable=mocker.PropertyMock, return_value=16)
    loop = running.open(config(running.folder))
    running.until(lambda: loop.started)
    running.settle()
    assert sorted(texts(running)) == sorted(f"{name}: slow-line begun" for name in running.ptys.lines)
    running.play_until("preflop")


def test_a_flood_of_garbage_is_read_over_and_the_others_are_served(started: Running) -> None:
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    zones = started.ptys.lines["zones"]
    zones.blurt(os.urandom(GARBAGE))
    started.play_until("flop")
    session = loop._lines["zones"]
    assert isinstance(session, Session)
    assert session.counts is not None
    assert session.counts.frames.dropped > GARBAGE // 600
    assert started.alerts() == []


def test_a_flood_of_events_is_taken_in_turn_and_what_had_no_room_is_told(started: Running) -> None:
    started.play_until("preflop")
    keypad = started.table.keypad
    for _ in range(400):  # far more than a device keeps
        keypad.emit(Type.KEY, pack(Type.KEY, time=keypad.time_ms, key=Key.PLAYS_BOARD, seat=0))
    started.until(lambda: "alignment-required" in started.alerts())
    started.settle()
    assert "events of the keypad are lost" in texts(started)
    assert started.shown == 19, "call-floor"


def test_a_flood_of_frames_of_another_session_presses_no_key(started: Running) -> None:
    """Whole frames with a right CRC, and the number that is expected next."""
    loop = started.loop
    assert loop is not None
    started.play_until("preflop")
    keypad = started.ptys.lines["keypad"]
    body = pack(Type.KEY, time=1, key=Key.FLOOR, seat=0)
    foreign = keypad.link.session % 255 + 1
    for number in range(1, 201):
        keypad.blurt(encode(Frame(Type.KEY, NUMBERED, foreign, number, 0, body)))
    started.play_until("flop")
    session = loop._lines["keypad"]
    assert isinstance(session, Session)
    assert session.counts is not None
    assert session.counts.foreign == 200
    assert started.alerts() == []
