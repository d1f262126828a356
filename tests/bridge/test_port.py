"""Ports: real pseudo-terminals and sockets, every family of exceptions, and one tree of errors."""

import array
import errno
import fcntl
import os
import select
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from pytest_mock import MockerFixture

from firmware_bridge import port as port_module
from firmware_bridge.errors import (
    BridgeError,
    DeviceGone,
    PortBusy,
    PortDenied,
    PortMissing,
    PortUnusable,
)
from firmware_bridge.port import SerialPort
from tests.bridge.ptys import Pty

TIOCGEXCL = 0x80045440


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[Pty]:
    with Pty(tmp_path / "shoe") as device:
        yield device


@pytest.fixture
def port(pty: Pty) -> Iterator[SerialPort]:
    opened = SerialPort.open(str(pty.path))
    yield opened
    opened.close()


def _readable(port: SerialPort) -> None:
    fd = port.fileno()
    assert fd is not None
    assert select.select([fd], [], [], 5)[0]


def test_bytes_go_both_ways_and_nothing_waits(pty: Pty, port: SerialPort) -> None:
    assert port.read() == b""
    pty.write(b"to the host")
    _readable(port)
    assert port.read() == b"to the host"
    assert port.write(b"to the device") == 13
    assert pty.read() == b"to the device"
    assert port.name == str(pty.path)


@pytest.mark.case(1, 24)
def test_a_write_to_a_device_that_never_reads_says_how_many_bytes_it_took(pty: Pty, port: SerialPort) -> None:
    """No error, no wait, and not a byte that is counted wrongly."""
    taken = 0
    while (step := port.write(b"x" * 20)) == 20:
        taken += step
    taken += step
    assert port.write(b"x" * 20) == 0
    received = b""
    while part := pty.read():
        received += part
    assert len(received) == taken


@pytest.mark.case(1)
def test_case_01_what_the_port_took_of_a_write_is_never_written_again(
    mocker: MockerFixture, port: SerialPort
) -> None:
    """A driver may take a part, then another, then none."""
    write = mocker.patch("os.write", side_effect=[3, 4, BlockingIOError()])
    assert port.write(b"0123456789") == 7
    assert [call.args[1] for call in write.call_args_list] == [b"0123456789", b"3456789", b"789"]


@pytest.mark.case(13)
def test_an_unplugged_device_is_gone_for_read_and_write_alike(pty: Pty, port: SerialPort) -> None:
    """pyserial raises three families for it, one of them not even an OSError."""
    pty.unplug()
    _readable(port)
    for call in (port.read, lambda: port.write(b"x")):
        with pytest.raises(DeviceGone, match=r"unplugged or switched off.*plug it in again"):
            call()
    port.discard()
    port.close()


@pytest.mark.case(13)
@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("device reports readiness to read but returned no data"),
        OSError(errno.EIO, "Input/output error"),
        termios.error(errno.EIO, "Input/output error"),
        TypeError("'NoneType' object cannot be interpreted as an integer"),
        ValueError("bad value"),
    ],
)
def test_case_13_every_family_of_exceptions_is_one_error(
    mocker: MockerFixture, port: SerialPort, error: Exception
) -> None:
    mocker.patch("os.read", side_effect=error)
    mocker.patch("os.write", side_effect=error)
    for call in (port.read, lambda: port.write(b"x")):
        with pytest.raises(DeviceGone) as caught:
            call()
        assert caught.value.__cause__ is error


@pytest.mark.case(22)
def test_a_closed_port_says_so_and_closes_once(port: SerialPort) -> None:
    port.close()
    port.close()
    port.discard()
    assert port.fileno() is None
    with pytest.raises(DeviceGone, match="closed"):
        port.read()
    with pytest.raises(DeviceGone, match="closed"):
        port.write(b"x")


@pytest.mark.case(31)
def test_a_second_opener_is_kept_out_and_told_who_holds_the_port(pty: Pty, port: SerialPort) -> None:
    with pytest.raises(PortBusy, match=f"pid {os.getpid()}") as caught:
        SerialPort.open(str(pty.path))
    assert caught.value.holder is not None
    with pytest.raises(PortBusy):
        SerialPort.open(pty.number)
    port.close()
    SerialPort.open(pty.number).close()


@pytest.mark.case(31, 32)
def test_another_program_that_holds_the_port_is_named(pty: Pty) -> None:
    """ModemManager, say."""
    holder = "import fcntl,sys; f=open(sys.argv[1]); fcntl.flock(f, 6); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, pty.number], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(PortBusy, match=rf"pid {other.pid} \("):
            SerialPort.open(str(pty.path))
        other.communicate(b"")
    SerialPort.open(str(pty.path)).close()


@pytest.mark.case(31)
def test_a_terminal_is_marked_exclusive_but_for_a_pty_which_would_stay_so(
    mocker: MockerFixture, pty: Pty
) -> None:
    """flock keeps out those who ask, TIOCEXCL those who do not."""

    def exclusive(port: SerialPort) -> int:
        fd = port.fileno()
        assert fd is not None
        state = array.array("i", [0])
        fcntl.ioctl(fd, TIOCGEXCL, state)
        return state[0]

    opened = SerialPort.open(str(pty.path))
    assert exclusive(opened) == 0
    opened.close()
    mocker.patch.object(port_module, "_is_pty", return_value=False)
    opened = SerialPort.open(str(pty.path))
    assert exclusive(opened) == 1
    opened.close()


@pytest.mark.case(26)
def test_the_modem_lines_stay_up_when_the_port_is_closed(pty: Pty) -> None:
    """A DTR that falls resets many devices."""
    before = os.open(pty.number, os.O_RDWR | os.O_NOCTTY)
    attributes = termios.tcgetattr(before)
    attributes[2] |= termios.HUPCL
    termios.tcsetattr(before, termios.TCSANOW, attributes)
    os.close(before)
    port = SerialPort.open(str(pty.path))
    fd = port.fileno()
    assert fd is not None
    attributes = termios.tcgetattr(fd)
    assert attributes[2] & termios.HUPCL == 0
    assert attributes[6][termios.VMIN] == 1
    port.close()


@pytest.mark.case(26)
def test_modem_lines_are_set_before_the_port_is_opened(mocker: MockerFixture) -> None:
    line = mocker.create_autospec(serial.Serial, instance=True)
    line.fileno.side_effect = OSError
    line.open.side_effect = lambda: states.append((line.dtr, line.rts, line.exclusive))
    states: list[tuple[object, ...]] = []
    mocker.patch("serial.serial_for_url", return_value=line)
    SerialPort.open("/dev/ttyUSB9")
    assert states == [(True, True, True)]


@pytest.mark.case(33)
def test_low_latency_is_asked_of_the_driver_when_a_port_is_opened(mocker: MockerFixture, pty: Pty) -> None:
    asked = mocker.patch("serial.Serial.set_low_latency_mode")
    SerialPort.open(str(pty.path)).close()
    asked.assert_called_once_with(True)


@pytest.mark.case(33)
def test_a_driver_without_low_latency_is_tolerated_and_its_timer_unknown(port: SerialPort) -> None:
    """A pty's raises ValueError."""
    assert port.latency_ms is None


@pytest.mark.case(33)
def test_the_timer_that_is_in_effect_can_be_read(mocker: MockerFixture, port: SerialPort) -> None:
    """An FTDI chip that was left alone says 16."""
    mocker.patch.object(Path, "read_text", return_value="16\n")
    assert port.latency_ms == 16


@pytest.mark.case(18)
def test_a_port_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PortMissing, match="plug the device in"):
        SerialPort.open(str(tmp_path / "nothing"))


@pytest.mark.case(18, 31)
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.EACCES, PortDenied),
        (errno.EPERM, PortDenied),
        (errno.ENOENT, PortMissing),
        (errno.ENXIO, PortMissing),
        (errno.EBUSY, PortBusy),
        (errno.EIO, PortUnusable),
    ],
)
def test_a_refusal_of_the_system_has_its_own_error(
    mocker: MockerFixture, pty: Pty, code: int, expected: type[BridgeError]
) -> None:
    """Root could open it all the same, so the system's answer is feigned."""
    mocker.patch("serial.serialposix.os.open", side_effect=OSError(code, os.strerror(code)))
    with pytest.raises(expected):
        SerialPort.open(str(pty.path))


@pytest.mark.parametrize("name", ["warp://drive", "socket://", "loop://?logging=what"])
def test_an_unknown_url_is_unusable(name: str) -> None:
    with pytest.raises(PortUnusable):
        SerialPort.open(name)


def test_a_bad_baud_rate_and_a_file_that_is_no_terminal_are_unusable(pty: Pty, tmp_path: Path) -> None:
    with pytest.raises(PortUnusable, match="baud"):
        SerialPort.open(str(pty.path), baudrate=-5)
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    with pytest.raises(PortUnusable, match="inappropriate ioctl"):
        SerialPort.open(str(plain))
    SerialPort.open(str(pty.path)).close()  # and nothing was left open


@pytest.mark.case(14)
def test_case_14_a_reader_that_takes_the_bytes_away_is_no_unplugging(pty: Pty, port: SerialPort) -> None:
    """Two readers share the bytes without any error."""
    thief = os.open(pty.number, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    pty.write(b"swag")
    _readable(port)
    assert os.read(thief, 10) == b"swag"
    assert port.read() == b""
    os.close(thief)


@pytest.mark.case(14)
def test_a_program_that_sets_the_port_up_anew_is_told_from_unplugging(pty: Pty, port: SerialPort) -> None:
    """After it an empty read says nothing any more; the device is still there."""
    code = "import serial,sys; s=serial.Serial(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, pty.number], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(DeviceGone, match=rf"still there, but pid {other.pid} \(.*reads from its port"):
            port.read()
        other.communicate(b"")


def test_a_socket_is_a_port_with_a_descriptor() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        name = f"socket://127.0.0.1:{server.getsockname()[1]}"
        opened = SerialPort.open(name)
        peer, _ = server.accept()
        with peer:
            assert opened.read() == b""
            assert opened.write(b"hello") == 5
            assert peer.recv(10) == b"hello"
            peer.sendall(b"there")
            _readable(opened)
            assert opened.read() == b"there"
            assert opened.latency_ms is None
        _readable(opened)
        with pytest.raises(DeviceGone):
            opened.read()
        opened.close()
    with pytest.raises(PortMissing):
        SerialPort.open(name)


def test_case_46_a_url_without_a_descriptor_works_through_its_own_calls() -> None:
    opened = SerialPort.open("loop://")
    assert opened.fileno() is None
    assert opened.read() == b""
    assert opened.write(b"round") == 5
    received = b""
    while len(received) < 5:
        received += opened.read()
    assert received == b"round"
    opened.close()
    with pytest.raises(DeviceGone):
        opened.read()


def test_a_spied_port_is_read_through_the_spy(pty: Pty, capsys: pytest.CaptureFixture[str]) -> None:
    opened = SerialPort.open(f"spy://{pty.path}")
    pty.write(b"seen")
    _readable(opened)
    assert opened.read() == b"seen"
    assert opened.write(b"too") == 3
    opened.close()
    assert "seen" in capsys.readouterr().err


@pytest.mark.case(16)
def test_a_name_follows_its_device_to_another_terminal(tmp_path: Path) -> None:
    """ttyUSB0 comes back as ttyUSB1; the link's name stays."""
    path = tmp_path / "shoe"
    with Pty(path) as first:
        opened = SerialPort.open(str(path))
        first.unplug()
        with Pty(path) as second:
            assert second.number != first.number
            opened.close()
            again = SerialPort.open(str(path))
            again.write(b"x")
            assert second.read() == b"x"
            again.close()
