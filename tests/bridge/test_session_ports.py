"""Sessions and their ports: what is retried, what is told and when, and that nothing waits or spins."""

import errno
import os
from collections.abc import Callable
from itertools import pairwise
from unittest.mock import MagicMock

import pytest
from pytest_mock import MockerFixture

from firmware_bridge.discovery import PortSource, UsbMatch
from firmware_bridge.errors import (
    BridgeError,
    DeviceGone,
    DeviceRestarted,
    LinkLost,
    PortBusy,
    PortDenied,
    PortMissing,
    PortUnusable,
    WrongDevice,
)
from firmware_bridge.messages import Recall
from firmware_bridge.port import SerialPort
from firmware_bridge.session import Down, Received, Session, SessionEvent, Up
from firmware_bridge.trust import NO_KEYS
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice
from tests.bridge.session_table import SHOE, Table


def _opener(mocker: MockerFixture, *outcomes: BridgeError | MagicMock) -> MagicMock:
    last = outcomes[-1]
    rest = iter(outcomes)

    def open_(name: str, *, baudrate: int) -> MagicMock:
        outcome = next(rest, last)
        if isinstance(outcome, BridgeError):
            raise outcome
        return outcome

    return MagicMock(side_effect=open_)


def _session(opener: MagicMock, source: PortSource | None = None) -> Session:
    return Session("shoe", source or PortSource("/dev/shoe", 9600), SHOE, trust=NO_KEYS, opener=opener)


def test_a_device_that_boots_over_and_over_is_told_though_it_never_came_up(table: Table) -> None:
    """B26: such as one whose supply breaks down as soon as it begins to work."""

    class BootLoop(FakeDevice):
        def _open(self, session: int, boot: int, durable: int, now: float) -> None:
            self.boot += 1
            self._out += [self._hello(0), self._caps()]

    table.device = BootLoop()
    table.plug()
    table.run(10)
    assert table.all(Up) == []
    (down,) = table.all(Down)
    assert isinstance(down.error, DeviceRestarted)


def test_a_device_that_hung_up_never_makes_the_loop_spin(up: Table) -> None:
    """B20: a reader that stayed installed ran 26,649 times in 0.2 s."""
    up.unplug()
    calls = 0
    for _ in range(1000):
        if up.session.fileno() is not None:
            calls += 1
            up.take(up.session.on_readable(up.now))
    assert calls == 1
    assert up.session.next_timer() > up.now


def test_a_descriptor_is_never_replaced_within_one_call(up: Table) -> None:
    """B16, B20: a loop that asks after each call sees None between two descriptors of the same number."""
    seen = [up.session.fileno()]

    def note(call: Callable[[float], list[SessionEvent]]) -> None:
        call(up.now)
        seen.append(up.session.fileno())

    for _ in range(3):
        up.unplug()
        up.plug()
        for _ in range(30):
            up.now += 0.05
            note(up.session.on_readable)
            note(up.session.on_timer)
            note(up.session.on_writable)
    for before, after in pairwise(seen):
        assert before == after or None in (before, after)
    assert None in seen


def test_a_device_that_never_reads_delays_nobody_and_loses_no_byte(up: Table) -> None:
    """A1, B24: a display that does not read must not delay the shoe."""
    assert up.pty is not None
    heard = up.pty.read()
    for _ in range(3000):
        # Signs of life come, and an old event that is answered each time, but nothing is taken off the line.
        up.pty.write(up.device._frame(fd.DRAW, bytes(11), 1, 1))
        up.serve()
    assert up.session.wants_write()
    assert up.session.next_timer() > up.now
    assert up.session.on_writable(up.now) == []
    assert up.all(Down) == []
    while part := up.pty.read():
        heard += part
        up.serve()
    assert not up.session.wants_write()
    answers = [fd.payload_of(part) for part in heard.split(b"\0") if part]
    assert None not in answers
    assert len(answers) > 1000


def test_a_device_that_takes_no_order_is_given_up_before_the_queue_grows_without_bound(up: Table) -> None:
    """B24."""
    up.pty = None
    refused = [up.session.send(Recall(id_), up.now) for id_ in range(600)].count(False)
    assert refused == 600 - 512
    (down,) = up.session.on_timer(up.now)
    assert isinstance(down, Down)
    assert isinstance(down.error, LinkLost)
    assert len(down.unsent) + len(down.unconfirmed) == 512


def test_a_wrong_device_is_told_by_name_once_and_left_alone(table: Table) -> None:
    table.device = FakeDevice(serial=b"SH-0008")
    table.plug()
    down = table.until(Down)
    assert isinstance(down.error, WrongDevice)
    assert "wanted shoe SH-0007, found shoe SH-0008" in str(down.error)
    assert table.session.fileno() is None
    table.run(3)
    assert len(table.all(Down)) == 1
    assert table.device._session == 0
    table.device = FakeDevice()
    table.until(Up, seconds=1)


def test_a_device_that_does_not_answer_is_told_once_and_greeted_on(table: Table) -> None:
    table.plug()
    pty, table.pty = table.pty, None
    down = table.until(Down)
    assert "does not answer" in str(down.error)
    table.run(20)
    assert len(table.all(Down)) == 1
    table.pty = pty
    table.until(Up, seconds=1)


def test_each_outage_is_told_anew_with_its_own_patience(up: Table) -> None:
    for _ in range(2):
        up.events.clear()
        up.unplug()
        up.run(2.5)
        assert [type(down.error) for down in up.all(Down)] == [DeviceGone]
        up.run(1)
        assert [type(down.error) for down in up.all(Down)] == [DeviceGone, PortMissing]
        up.plug()
        up.until(Up)


def test_a_link_that_appears_late_is_no_fault(table: Table) -> None:
    """B18: the name is made up to 2 s after the device."""
    table.run(2)
    table.plug()
    table.until(Up, seconds=0.5)
    assert table.all(Down) == []


def test_a_port_that_stays_away_is_reported_once_with_what_is_there_and_tried_on(table: Table) -> None:
    """B18."""
    table.run(2.9)
    assert table.events == []
    table.run(20)
    (down,) = table.all(Down)
    assert isinstance(down.error, PortMissing)
    assert "plugged in now: " in str(down.error)
    table.plug()
    table.until(Up, seconds=1)


def test_a_denied_port_is_retried_each_100_ms_for_3_s_then_reported_once_then_retried_each_500_ms(
    mocker: MockerFixture,
) -> None:
    """B18: udev sets the rights after the node is there."""
    opener = _opener(mocker, PortDenied("/dev/shoe", "denied", "add the group"))
    session = _session(opener)
    now, told, attempts = 0.0, [], []
    while now < 6:
        now = max(now, session.next_timer())
        before = opener.call_count
        told += [(now, event) for event in session.on_timer(now)]
        attempts += [now] * (opener.call_count - before)
    early = [b - a for a, b in pairwise(attempts) if b < 3]
    late = [b - a for a, b in pairwise(attempts) if a > 3]
    assert {round(gap, 6) for gap in early} == {0.1}
    assert {round(gap, 6) for gap in late} == {0.5}
    ((at, down),) = told
    assert at == pytest.approx(3, abs=0.11)
    assert isinstance(down, Down)
    assert isinstance(down.error, PortDenied)
    opener.assert_called_with("/dev/shoe", baudrate=9600)


@pytest.mark.parametrize("error", [PortBusy("p", "w", "r"), PortUnusable("p", "w", "r")])
def test_a_fault_that_will_not_pass_by_itself_is_reported_at_once_and_once(
    mocker: MockerFixture, error: BridgeError
) -> None:
    """C31, C32."""
    session = _session(_opener(mocker, error))
    assert session.on_timer(0) == [Down(error)]
    assert session.next_timer() == 0.5
    assert session.on_timer(0.4) == []
    assert session.on_timer(0.5) == []
    assert session.on_timer(60) == []


def test_a_new_cause_is_reported_though_an_old_one_was(mocker: MockerFixture) -> None:
    busy, bad = PortBusy("p", "w", "r"), PortUnusable("p", "w", "r")
    session = _session(_opener(mocker, busy, bad, busy))
    told = [event for at in range(10) for event in session.on_timer(at)]
    assert told == [Down(busy), Down(bad)]


def test_a_match_is_resolved_at_every_attempt(mocker: MockerFixture) -> None:
    """B16."""
    resolve = mocker.patch.object(PortSource, "resolve", side_effect=["/dev/ttyACM0", "/dev/ttyACM1"])
    opener = _opener(mocker, PortMissing("p", "w", "r"))
    session = _session(opener, PortSource(UsbMatch(serial="SH-0007")))
    session.on_timer(0)
    session.on_timer(1)
    assert [call.args[0] for call in opener.call_args_list] == ["/dev/ttyACM0", "/dev/ttyACM1"]
    assert resolve.call_count == 2


def test_an_error_at_the_first_write_is_an_unplugging_like_any_other(mocker: MockerFixture) -> None:
    port = mocker.create_autospec(SerialPort, instance=True)
    port.write.side_effect = DeviceGone("p", "gone", "plug it in")
    session = _session(_opener(mocker, port))
    (down,) = session.on_timer(0)
    assert isinstance(down, Down)
    assert isinstance(down.error, DeviceGone)
    assert session.next_timer() == pytest.approx(0.1)
    names = [call[0] for call in port.method_calls]
    assert names == ["write", "discard", "close"]


def test_a_port_without_a_descriptor_is_read_each_10_ms(mocker: MockerFixture) -> None:
    port = mocker.create_autospec(SerialPort, instance=True)
    port.fileno.return_value = None
    port.write.side_effect = len
    port.read.return_value = b""
    session = _session(_opener(mocker, port))
    assert session.on_timer(0) == []
    assert session.fileno() is None
    assert session.next_timer() == pytest.approx(0.01)
    device = FakeDevice()
    device.feed(port.write.call_args.args[0], 0)
    port.read.return_value = device.poll(0)
    assert session.on_timer(0.01) == []
    device.feed(port.write.call_args.args[0], 0)
    port.read.return_value = device.poll(0)
    events = session.on_timer(0.02)
    assert [type(event) for event in events] == [Up, Received]


def test_a_partly_written_frame_is_finished_before_anything_else(mocker: MockerFixture) -> None:
    """A1: bytes that were taken are counted, and none is sent twice."""
    port = mocker.create_autospec(SerialPort, instance=True)
    port.fileno.return_value = 5
    line = bytearray()

    def write(data: bytes) -> int:
        line.extend(data[:3])
        return min(3, len(data)) if len(line) % 9 else 0

    port.write.side_effect = write
    session = _session(_opener(mocker, port))
    session.on_timer(0)
    for _ in range(40):
        if session.wants_write():
            session.on_writable(0.001)
    assert not session.wants_write()
    assert fd.types(bytes(line)) == [] or fd.types(bytes(line)) == [fd.GREET]


def test_a_port_held_by_another_is_told_and_taken_when_it_is_free(table: Table) -> None:
    """C31."""
    table.plug()
    other = SerialPort.open(str(table.path))
    down = table.until(Down)
    assert isinstance(down.error, PortBusy)
    assert f"pid {os.getpid()}" in str(down.error)
    other.close()
    table.until(Up, seconds=1)


def test_a_denied_port_opens_when_its_rights_come(table: Table, mocker: MockerFixture) -> None:
    """B18: feigned, for root may read everything."""
    table.plug()
    denied = mocker.patch(
        "serial.serialposix.os.open", side_effect=PermissionError(errno.EACCES, "Permission denied")
    )
    for _ in range(5):
        table.now += 0.1
        assert table.session.on_timer(table.now) == []
    assert denied.call_count == 5
    mocker.stop(denied)
    table.until(Up, seconds=1)
