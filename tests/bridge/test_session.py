"""Sessions: a device comes back from everything, and what is unknown is said to be unknown."""

import errno
import os
import select
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TypeVar
from unittest.mock import MagicMock

import pytest
from pytest_mock import MockerFixture

from firmware_bridge.codes import DeviceKind
from firmware_bridge.discovery import PortSource, UsbMatch
from firmware_bridge.errors import (
    BadMessage,
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
from firmware_bridge.messages import Ack, Burn, Draw, Recall, Result, ShoeState, Unlock
from firmware_bridge.port import SerialPort
from firmware_bridge.session import Down, Expect, Mark, Received, Session, SessionEvent, Ticked, Up
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice
from tests.bridge.ptys import Pty

SHOE = Expect(DeviceKind.SHOE, "SH-0007")
E_ = TypeVar("E_")


class Table:
    """A poll loop with one session, a device on a pty that comes and goes, and a clock turned by hand."""

    def __init__(self, path: Path, session: Session | None = None) -> None:
        self.path = path
        self.session = session or Session("shoe", PortSource(str(path)), SHOE)
        self.device = FakeDevice()
        self.pty: Pty | None = None
        self.now = 1000.0
        self.events: list[SessionEvent] = []
        self.acknowledge = True
        self.heard = b""

    def plug(self) -> None:
        """The device appears, at another terminal than before."""
        self.pty = Pty(self.path)

    def unplug(self) -> None:
        assert self.pty is not None
        self.pty.unplug()
        self.pty = None

    def step(self) -> None:
        """The device speaks; the loop serves what is ready; the device listens."""
        if self.pty is not None:
            self.pty.write(self.device.poll(self.now))
        self.serve()
        if self.pty is not None:
            heard = self.pty.read()
            self.heard += heard
            self.device.feed(heard, self.now)

    def serve(self) -> None:
        session = self.session
        fd_ = session.fileno()
        if fd_ is not None:
            ready = select.select([fd_], [fd_] if session.wants_write() else [], [], 0)
            if ready[0]:
                self.take(session.on_readable(self.now))
            if ready[1] and session.fileno() == fd_:
                self.take(session.on_writable(self.now))
        if self.now >= session.next_timer():
            self.take(session.on_timer(self.now))

    def take(self, events: list[SessionEvent]) -> None:
        self.events += events
        for event in events:
            if self.acknowledge and isinstance(event, Received):
                self.session.acknowledge(event.number, self.now, boot=event.boot)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 0.010
            self.step()

    def until(self, kind: type[E_], seconds: float = 5) -> E_:
        """The next event of that kind; the clock goes on until it comes."""
        seen = len(self.events)
        end = self.now + seconds
        while self.now < end:
            self.now += 0.010
            self.step()
            for event in self.events[seen:]:
                if isinstance(event, kind):
                    return event
        raise AssertionError(f"no {kind.__name__} within {seconds} s; there came {self.events[seen:]}")

    def all(self, kind: type[E_]) -> list[E_]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "shoe")
    yield made
    made.session.close(made.now)
    if made.pty is not None:
        made.pty.unplug()


@pytest.fixture
def up(table: Table) -> Table:
    table.plug()
    table.until(Up)
    table.run(0.1)
    return table


def test_a_device_that_is_plugged_in_is_up_and_its_events_come(table: Table) -> None:
    table.plug()
    event = table.until(Up)
    assert (event.identity.serial, event.restarted, event.lost_events) == ("SH-0007", False, False)
    table.device.draw()
    table.run(0.3)
    assert [type(received.message) for received in table.all(Received)] == [ShoeState, Draw]
    assert [received.number for received in table.all(Received)] == [1, 2]
    assert table.device.kept == {}
    assert table.all(Ticked)
    assert table.all(Down) == []
    assert table.session.latency_ms is None


def test_an_order_leaves_at_once_and_its_result_comes(up: Table) -> None:
    assert up.session.send(Burn(7), up.now) is True
    assert up.pty is not None
    assert fd.types(up.pty.read()) == [fd.BURN]
    assert up.session.unacknowledged() == 1
    up.run(0.2)
    assert up.device.executed == [7]
    assert up.session.unacknowledged() == 0
    assert isinstance(up.all(Received)[-1].message, Result)


def test_a_banner_and_stale_bytes_at_open_do_no_harm(table: Table) -> None:
    """B26, B27: the device resets when it is opened, prints its banner and only then hears."""
    table.plug()
    assert table.pty is not None
    table.pty.write(b"stale\r\n" + FakeDevice(boot=5).poll(0))
    table.now += 0.01
    table.step()
    assert table.heard[:1] == b"\0"
    table.pty.write(b"ets Jun  8 2016 00:22:57\r\nrst:0x1\r\n")
    table.until(Up)


def test_unplugged_it_is_down_at_once_and_back_within_a_second_of_being_plugged_in(up: Table) -> None:
    """B13, B16, B19: another terminal, the same stable name, no operator."""
    up.unplug()
    up.now += 0.010
    up.step()
    (down,) = up.all(Down)
    assert isinstance(down.error, DeviceGone)
    assert up.session.fileno() is None
    up.run(0.3)
    up.plug()
    assert up.until(Up, seconds=1).restarted is False


def test_a_replug_after_a_long_time_takes_less_than_a_second_too(up: Table) -> None:
    up.unplug()
    up.run(30)
    up.plug()
    up.until(Up, seconds=1)


def test_events_that_happened_while_it_was_unplugged_come_once_and_in_order(up: Table) -> None:
    up.acknowledge = False
    up.device.draw()
    up.run(0.1)
    up.unplug()
    up.run(0.2)
    up.device.draw()
    up.plug()
    up.until(Up)
    up.run(0.3)
    numbers = [event.number for event in up.all(Received)]
    assert numbers == [1, 2, 3, 4]  # 4 is the state of the new session; 2 came again and was not given twice
    up.session.acknowledge(4, up.now)
    up.run(0.1)
    assert up.device.kept == {}


def test_an_event_that_became_durable_while_it_was_unplugged_is_not_sent_again(up: Table) -> None:
    up.acknowledge = False
    up.device.draw()
    up.run(0.1)
    up.unplug()
    up.run(0.1)
    up.session.acknowledge(2, up.now)
    up.plug()
    up.until(Up)
    up.run(0.02)
    assert 2 not in up.device.kept


def test_an_event_that_becomes_durable_between_hello_and_opened_is_acknowledged(up: Table) -> None:
    up.acknowledge = False
    up.device.draw()
    up.run(0.1)
    up.unplug()
    up.run(0.05)
    before = up.device._session
    up.plug()
    while up.device._session == before:
        up.now += 0.010
        up.step()
    assert len(up.all(Up)) == 1  # OPEN said that 2 is not durable; OPENED is on its way
    up.session.acknowledge(2, up.now)
    up.run(0.2)
    assert 2 not in up.device.kept


def test_a_device_that_restarts_is_down_and_up_again_without_its_port_being_closed(up: Table) -> None:
    """B19, B26: what it was doing is unknown, and said to be."""
    before = up.session.fileno()
    up.session.send(Burn(7), up.now)
    up.device = FakeDevice(boot=0xB008)
    event = up.until(Up)
    assert (event.restarted, event.identity.boot) == (True, 0xB008)
    (down,) = up.all(Down)
    assert isinstance(down.error, DeviceRestarted)
    assert up.session.fileno() == before
    up.run(0.2)
    assert up.all(Received)[-1].boot == 0xB008


def test_a_late_acknowledgement_for_an_earlier_boot_acknowledges_nothing(up: Table) -> None:
    up.acknowledge = False
    up.device = FakeDevice(boot=0xB008)
    up.until(Up)
    up.run(0.1)
    up.session.acknowledge(1, up.now, boot=0xB007)
    up.session.acknowledge(9, up.now)
    up.run(0.1)
    assert list(up.device.kept) == [1]
    assert up.session.stale_acks == 2
    up.session.acknowledge(1, up.now, boot=0xB008)
    up.run(0.1)
    assert up.device.kept == {}


def test_nothing_can_be_acknowledged_before_anything_came(table: Table) -> None:
    table.session.acknowledge(1, table.now)
    assert table.session.stale_acks == 1


def test_after_the_process_was_killed_a_session_goes_on_at_its_mark(up: Table) -> None:
    """What was durable does not come again; what was only received does."""
    up.acknowledge = False
    for _ in range(3):
        up.device.draw()
    up.run(0.1)
    up.session.close(up.now)
    later = Table(up.path, Session("shoe", PortSource(str(up.path)), SHOE, mark=Mark(0xB007, 2)))
    later.device, later.pty, later.now = up.device, up.pty, up.now
    assert later.until(Up).restarted is False
    later.run(0.2)
    assert [event.number for event in later.all(Received)] == [3, 4, 5]
    later.session.close(later.now)


def test_a_device_that_draws_the_same_nonce_again_is_seen_to_have_restarted_by_its_numbers(up: Table) -> None:
    """Nonces are only as random as the device can make them."""
    for _ in range(5):
        up.device.draw()
    up.run(0.1)
    up.device = FakeDevice()
    event = up.until(Up)
    assert event.restarted is True
    up.device.draw()
    up.run(0.2)
    assert [received.number for received in up.all(Received)][-2:] == [1, 2]
    assert up.device.kept == {}


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


def test_a_mark_of_another_boot_means_that_the_device_has_restarted(table: Table) -> None:
    table.session = Session("shoe", PortSource(str(table.path)), SHOE, mark=Mark(0xAAAA, 7))
    table.plug()
    assert table.until(Up).restarted is True


def test_orders_of_a_dead_session_are_not_sent_again_but_told(up: Table) -> None:
    """A1: what was under way may have arrived; nobody repeats it blindly."""
    assert up.pty is not None
    for id_ in range(6):
        up.session.send(Burn(id_), up.now)
    up.pty.read()
    up.unplug()
    down = up.until(Down)
    assert down.unconfirmed == tuple(Burn(id_) for id_ in range(4))
    assert down.unsent == (Burn(4), Burn(5))
    up.plug()
    up.until(Up)
    up.run(0.5)
    assert up.device.orders == []
    assert up.session.unacknowledged() == 0


def test_an_order_while_no_session_is_up_is_refused_and_not_kept(table: Table) -> None:
    assert table.session.send(Burn(1), table.now) is False
    table.plug()
    table.until(Up)
    table.run(0.2)
    assert table.device.orders == []


def test_what_is_no_order_or_does_not_fit_is_the_callers_mistake_and_harms_no_session(up: Table) -> None:
    """B25."""
    with pytest.raises(TypeError, match="ACK is no order"):
        up.session.send(Ack(), up.now)
    with pytest.raises(BadMessage):
        up.session.send(Unlock(1, 300), up.now)
    up.run(0.5)
    assert up.all(Down) == []


def test_an_unplugging_noticed_while_sending_is_told_by_the_next_timer(up: Table) -> None:
    """B20: nobody waits for a descriptor that hung up, not even until then."""
    up.unplug()
    assert up.session.send(Burn(1), up.now) is True
    assert up.session.fileno() is None
    assert not up.session.wants_write()
    assert up.session.send(Burn(2), up.now) is False
    up.session.acknowledge(1, up.now)
    assert up.session.next_timer() <= up.now
    (down,) = up.session.on_timer(up.now)
    assert isinstance(down, Down)
    assert isinstance(down.error, DeviceGone)
    assert down.unconfirmed == (Burn(1),)


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


def test_a_device_that_loses_its_power_but_not_its_port_is_lost_after_a_second_and_found_again(
    up: Table,
) -> None:
    """B19: no exception comes, only silence."""
    pty, up.pty = up.pty, None
    down = up.until(Down)
    assert isinstance(down.error, LinkLost)
    assert "fallen silent" in str(down.error)
    up.pty = pty
    up.device = FakeDevice(boot=0xB009)
    assert up.until(Up, seconds=1).restarted is True


def test_a_loop_that_was_late_itself_does_not_take_that_for_silence(up: Table) -> None:
    assert up.pty is not None
    up.pty.write(up.device._frame(fd.TICK, bytes(6)))
    up.now += 10
    assert [type(event) for event in up.session.on_timer(up.now)] == [Ticked]
    assert up.session.fileno() is not None


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


def test_no_session_has_the_byte_of_the_one_before_it_even_by_chance(table: Table) -> None:
    table.session = Session("shoe", PortSource(str(table.path)), SHOE, random=lambda bits: 7)
    table.plug()
    table.until(Up)
    first = table.device._session
    table.unplug()
    table.run(0.1)
    table.plug()
    table.until(Up)
    assert table.device._session != first


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
    return Session("shoe", source or PortSource("/dev/shoe", 9600), SHOE, opener=opener)


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


def test_a_session_that_is_closed_says_goodbye_and_is_over(up: Table) -> None:
    up.session.close(up.now)
    assert up.pty is not None
    assert fd.types(up.pty.read())[-1:] == [fd.CLOSE]
    assert up.session.fileno() is None
    assert up.session.next_timer() == float("inf")
    assert up.session.on_timer(up.now + 100) == []
    assert up.session.on_readable(up.now) == up.session.on_writable(up.now) == []
    assert up.session.send(Burn(1), up.now) is False
    up.session.close(up.now)


def test_diagnostics_outlive_the_link(up: Table) -> None:
    counts = up.session.counts
    assert counts is not None
    assert counts.frames.good > 0
    up.unplug()
    up.until(Down)
    assert up.session.counts is None
    assert {frame.type for frame in up.session.trace()} >= {fd.GREET, fd.HELLO, fd.OPENED}


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
