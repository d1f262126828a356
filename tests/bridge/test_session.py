"""Sessions: a device comes back from everything, and what is unknown is said to be unknown."""

import pytest

from firmware_bridge.discovery import PortSource
from firmware_bridge.errors import (
    BadMessage,
    DeviceGone,
    DeviceRestarted,
    LinkLost,
)
from firmware_bridge.messages import Ack, Burn, Draw, Result, ShoeState, Unlock
from firmware_bridge.session import Down, Mark, Received, Session, Ticked, Up
from firmware_bridge.trust import NO_KEYS
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice
from tests.bridge.session_table import SHOE, Table


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


@pytest.mark.case(26, 27)
def test_a_banner_and_stale_bytes_at_open_do_no_harm(table: Table) -> None:
    """The device resets when it is opened, prints its banner and only then hears."""
    table.plug()
    assert table.pty is not None
    table.pty.write(b"stale\r\n" + FakeDevice(boot=5).poll(0))
    table.now += 0.01
    table.step()
    assert table.heard[:1] == b"\0"
    table.pty.write(b"ets Jun  8 2016 00:22:57\r\nrst:0x1\r\n")
    table.until(Up)


@pytest.mark.case(13, 16, 19)
def test_unplugged_it_is_down_at_once_and_back_within_a_second_of_being_plugged_in(up: Table) -> None:
    """Another terminal, the same stable name, no operator."""
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


def test_a_loose_plug_is_looked_for_as_soon_as_ever(up: Table) -> None:
    for _ in range(6):
        up.unplug()
        up.run(0.3)
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


@pytest.mark.case(19, 26)
def test_a_device_that_restarts_is_down_and_up_again_without_its_port_being_closed(up: Table) -> None:
    """What it was doing is unknown, and said to be."""
    before = up.session._port
    up.session.send(Burn(7), up.now)
    up.device = FakeDevice(boot=0xB008)
    event = up.until(Up)
    assert (event.restarted, event.identity.boot) == (True, 0xB008)
    (down,) = up.all(Down)
    assert isinstance(down.error, DeviceRestarted)
    assert up.session._port is before
    up.run(0.2)
    assert up.all(Received)[-1].boot == 0xB008


def test_whoever_ends_sessions_at_will_is_answered_less_and_less_often(up: Table) -> None:
    ended = 0
    until = up.now + 60
    while up.now < until:
        if up.session._up:
            ended += 1
            up.device = FakeDevice(boot=0xB008 + ended)
        up.run(0.05)
    assert len(up.all(Down)) < 20, "told some times in a minute, not some times in a second"
    up.run(10)
    assert up.session._up, "it is taken again once it is let alone"


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
    later = Table(
        up.path, Session("shoe", PortSource(str(up.path)), SHOE, trust=NO_KEYS, mark=Mark(0xB007, 2))
    )
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


def test_a_mark_of_another_boot_means_that_the_device_has_restarted(table: Table) -> None:
    table.session = Session("shoe", PortSource(str(table.path)), SHOE, trust=NO_KEYS, mark=Mark(0xAAAA, 7))
    table.plug()
    assert table.until(Up).restarted is True


@pytest.mark.case(1)
def test_orders_of_a_dead_session_are_not_sent_again_but_told(up: Table) -> None:
    """What was under way may have arrived; nobody repeats it blindly."""
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


@pytest.mark.case(25)
def test_what_is_no_order_or_does_not_fit_is_the_callers_mistake_and_harms_no_session(up: Table) -> None:
    with pytest.raises(TypeError, match="ACK is no order"):
        up.session.send(Ack(), up.now)
    with pytest.raises(BadMessage):
        up.session.send(Unlock(1, 300), up.now)
    up.run(0.5)
    assert up.all(Down) == []


@pytest.mark.case(20)
def test_an_unplugging_noticed_while_sending_is_told_by_the_next_timer(up: Table) -> None:
    """Nobody waits for a descriptor that hung up, not even until then."""
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


@pytest.mark.case(19)
def test_a_device_that_loses_its_power_but_not_its_port_is_lost_after_a_second_and_found_again(
    up: Table,
) -> None:
    """No exception comes, only silence."""
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


def test_no_session_has_the_byte_of_the_one_before_it_even_by_chance(table: Table) -> None:
    table.session = Session("shoe", PortSource(str(table.path)), SHOE, trust=NO_KEYS, random=lambda bits: 7)
    table.plug()
    table.until(Up)
    first = table.device._session
    table.unplug()
    table.run(0.1)
    table.plug()
    table.until(Up)
    assert table.device._session != first


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
