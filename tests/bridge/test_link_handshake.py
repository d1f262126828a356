"""The handshake: who answers, which session it is, and where its events go on."""

import struct
from collections.abc import Callable
from typing import cast

import pytest

from firmware_bridge.capabilities import ShoeCaps
from firmware_bridge.codes import CloseReason, DeviceKind
from firmware_bridge.errors import BadMessage, DeviceRestarted, LinkLost, WrongDevice
from firmware_bridge.events import Expect, Identity, LinkUp, Mark
from firmware_bridge.link import Link
from firmware_bridge.messages import Close, ShoeState
from firmware_bridge.trust import NO_KEYS
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice
from tests.bridge.link_bench import SHOE, Bench, opened


def test_a_device_that_is_greeted_is_up_with_identity_and_capabilities() -> None:
    bench = opened()
    assert bench.events[0] == LinkUp(
        Identity(DeviceKind.SHOE, "SH-0007", "1.2.3", 0xB007), ShoeCaps(False, True, False, 52), False
    )
    (state,) = bench.received()
    assert isinstance(state.message, ShoeState)
    assert (state.number, state.boot) == (1, 0xB007)
    assert fd.types(bench.sent)[:3] == [fd.GREET, fd.OPEN, fd.ACK]


def test_the_first_byte_that_leaves_is_a_zero() -> None:
    """B27: it ends whatever lay on the line before."""
    bench = Bench()
    first = bench.flush()
    assert first[:1] == b"\0"
    bench.now += 0.2
    assert bench.flush()[:1] != b"\0"


def test_a_greeting_is_repeated_each_200_ms_with_its_nonce_until_somebody_answers() -> None:
    bench = Bench()
    first = bench.flush()
    bench.now += 0.199
    assert bench.flush() == b""
    assert bench.link.due_at() == pytest.approx(100.2)
    bench.now += 0.001
    assert bench.flush() == first[1:]


def test_stale_frames_noise_and_a_banner_before_the_hello_are_ignored_and_counted() -> None:
    """B26, B27: a device prints its banner at open, and frames of an old session are still on the line."""
    old = opened()
    number = old.device.draw()
    stale = old.device.poll(old.now)
    assert number == 2
    bench = Bench()
    assert bench.link.receive(b"ets Jun  8 2016 00:22:57\r\nrst:0x1 boot:0x13\r\n" + stale, bench.now) == []
    assert bench.link.receive(b"\0" + old.device._hello(0) + stale, bench.now) == []
    bench.run(0.1)
    assert bench.link.is_open
    assert bench.link.counts.foreign > 0
    assert bench.link.counts.frames.dropped > 0
    assert bench.numbers() == [1]


def test_a_hello_to_another_greeting_opens_nothing() -> None:
    """A2: the late answer to an earlier question is not taken for the answer to this one."""
    bench = Bench()
    bench.flush()
    other = FakeDevice()
    assert bench.link.receive(other._hello(12345) + other._caps(), bench.now) == []
    assert fd.types(bench.flush()) == []
    bench.now += 0.2
    assert fd.types(bench.flush()) == [fd.GREET]
    assert bench.link.counts.untimely == 2


def test_an_opened_to_another_greeting_opens_nothing() -> None:
    """A2."""
    bench = Bench()
    bench.step()
    bench.flush()
    late = fd.frame(bytes((fd.OPENED, 0, bench.link.session)) + bytes(4) + struct.pack("<QQ", 12345, 1))
    assert bench.link.receive(late, bench.now) == []
    assert not bench.link.is_open


def test_what_a_device_said_before_it_booted_is_void() -> None:
    bench = Bench()
    bench.device.poll(bench.now)
    bench.device.feed(bench.flush(), bench.now)
    hello, _ = bench.device._out
    again = FakeDevice(boot=0xB008)
    assert bench.link.receive(hello + again._hello(0) + again._caps(), bench.now) == []
    assert bench.flush() == b""
    bench.now += 0.2
    assert fd.types(bench.flush()) == [fd.GREET]


@pytest.mark.parametrize(
    ("device", "expect", "found"),
    [
        (FakeDevice(kind=5, serial=b"KP-1"), SHOE, "keypad KP-1"),
        (FakeDevice(serial=b"SH-0008"), SHOE, "shoe SH-0008"),
        (FakeDevice(kind=2), Expect(DeviceKind.SHOE), "shuffler SH-0007"),
    ],
)
def test_a_wrong_device_is_refused_by_name(device: FakeDevice, expect: Expect, found: str) -> None:
    bench = Bench(device, expect=expect)
    bench.run(0.1)
    error = bench.lost().error
    assert isinstance(error, WrongDevice)
    assert (error.wanted, error.found) == (str(expect), found)
    assert fd.OPEN not in fd.types(bench.sent)


def test_any_serial_number_will_do_where_none_is_expected() -> None:
    assert opened(expect=Expect(DeviceKind.SHOE)).link.is_open


def test_no_common_version_is_said() -> None:
    device = FakeDevice()
    device.version = 0
    bench = Bench(device)
    bench.run(0.1)
    assert str(bench.lost().error) == (
        "shoe: wrong device: wanted protocol version 1, found shoe SH-0007 without it; "
        "plug the right device into this port or correct the configuration"
    )


def test_capabilities_that_break_the_protocol_end_the_link() -> None:
    device = FakeDevice()
    device.data = b""
    bench = Bench(device)
    bench.run(0.1)
    assert isinstance(bench.lost().error, BadMessage)


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (b"", "does not answer"),
        (b"hello\0", "bytes come but no frame"),
        (fd.frame(bytes((fd.ACK,)) + bytes(6)), "speaks another protocol"),
    ],
)
def test_a_greeting_in_vain_ends_the_link_after_three_seconds_and_says_what_was_heard(
    noise: bytes, said: str
) -> None:
    bench = Bench()
    bench.link.receive(noise, bench.now)
    bench.run(2.98, deaf=True)
    assert bench.events == []
    bench.run(0.04, deaf=True)
    error = bench.lost().error
    assert isinstance(error, LinkLost)
    assert said in str(error)
    assert bench.flush() == b""
    assert bench.link.due_at() == bench.link.lost_at() == float("inf")


def test_a_device_that_hears_itself_echoed_is_no_device() -> None:
    """B27: a cooked terminal sends the host's own bytes back to it."""
    bench = Bench()
    for _ in range(20):
        assert bench.link.receive(bench.flush(), bench.now) == []
        bench.now += 0.1
    assert bench.link.counts.misdirected > 5


def test_a_device_that_boots_anew_ends_the_session_at_once() -> None:
    """B19, B26: a hello with a new nonce may come at any time."""
    bench = opened()
    bench.device = FakeDevice(boot=0xB008)
    bench.step()
    assert isinstance(bench.lost().error, DeviceRestarted)


def test_a_device_that_boots_between_hello_and_open_is_noticed() -> None:
    bench = Bench()
    bench.device.poll(bench.now)
    bench.device.feed(bench.flush(), bench.now)
    bench.link.receive(bench.device.poll(bench.now), bench.now)
    bench.device = FakeDevice(boot=0xB008)
    bench.device.poll(bench.now)
    bench.step()
    assert isinstance(bench.lost().error, DeviceRestarted)


def test_a_device_may_close_the_session_and_says_why() -> None:
    bench = opened()
    bench.take(bench.link.receive(bench.device._frame(fd.CLOSE, b"\x03"), bench.now))
    assert "ended the session: fault" in str(bench.lost().error)


def test_the_host_may_close_the_session_and_says_why() -> None:
    bench = opened()
    bench.device.feed(bench.link.close(Close(CloseReason.GOING_DOWN), bench.now), bench.now)
    assert bench.device.closed == [0]
    assert bench.flush() == b""
    assert Bench().link.close(Close(CloseReason.GOING_DOWN), 0) == b""


def test_a_session_goes_on_after_the_last_durable_event() -> None:
    bench = opened(acknowledge=False)
    for _ in range(3):
        bench.device.draw()
    bench.run(0.1)
    bench.events.clear()
    bench.new_link(mark=Mark(0xB007, 2))
    bench.acknowledge = True
    bench.run(0.3)
    assert bench.numbers() == [3, 4, 5]
    assert bench.events[0] == LinkUp(
        Identity(DeviceKind.SHOE, "SH-0007", "1.2.3", 0xB007), ShoeCaps(False, True, False, 52), False
    )


def test_what_this_process_was_given_already_is_not_given_again() -> None:
    bench = opened(acknowledge=False)
    for _ in range(3):
        bench.device.draw()
    bench.run(0.1)
    bench.events.clear()
    bench.new_link(mark=Mark(0xB007, 2), delivered=Mark(0xB007, 4))
    bench.run(0.3)
    assert bench.numbers() == [5]
    bench.link.acknowledge(4)
    bench.step()
    assert list(bench.device.kept) == [5]


def test_events_that_the_device_has_dropped_are_passed_over_whatever_was_delivered_before() -> None:
    device = FakeDevice(first=8)
    bench = Bench(device)
    bench.new_link(mark=Mark(0xB007, 3), delivered=Mark(0xB007, 4))
    bench.run(0.2)
    up = bench.events[0]
    assert isinstance(up, LinkUp)
    assert up.lost_events is True
    assert bench.numbers() == [8]


@pytest.mark.parametrize(
    ("mark", "oldest", "next_", "lost"),
    [
        (None, 1, 5, False),
        (None, 3, 5, True),
        (Mark(0xB007, 2), 3, 5, False),
        (Mark(0xB007, 2), 1, 5, False),
        (Mark(0xB007, 4), 5, 5, False),
        (Mark(0xB007, 2), 4, 5, True),
        (Mark(0xB007, 65534), 2, 5, True),
        (Mark(0xB007, 65535), 1, 5, False),
        (Mark(0xB007, 9), 1, 5, False),  # an earlier boot that drew the same nonce
        (Mark(0xB006, 2), 1, 5, False),
        (Mark(0xB006, 2), 2, 5, True),
    ],
)
def test_events_that_are_gone_and_were_never_stored_are_told(
    mark: Mark | None, oldest: int, next_: int, lost: bool
) -> None:
    device = FakeDevice(first=oldest)
    while device.next != next_:
        device.draw()
    bench = Bench(device)
    bench.new_link(mark=mark)
    bench.run(0.2)
    up = bench.events[0]
    assert isinstance(up, LinkUp)
    assert up.lost_events is lost
    assert up.reborn is (mark == Mark(0xB007, 9))
    start = mark.number + 1 if mark and mark.boot == 0xB007 and not lost and mark.number < next_ else oldest
    assert bench.numbers() == list(range(start, next_ + 1))


def test_no_session_has_the_byte_of_the_one_before() -> None:
    for value in range(600):
        for last in (0, 1, 7, 254, 255):
            always = cast(Callable[[int], int], lambda bits, value=value: value)
            link = Link("shoe", SHOE, trust=NO_KEYS, now=0, random=always, last_session=last)
            assert 1 <= link.session <= 255
            assert link.session != last
