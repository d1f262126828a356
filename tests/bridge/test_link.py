"""The link: over any line all events come once and in order, and no order is carried out twice."""

import os
import random
import struct
from collections.abc import Callable

import pytest

from firmware_bridge.capabilities import ShoeCaps
from firmware_bridge.codes import CloseReason, DeviceKind, Outcome
from firmware_bridge.errors import BadMessage, DeviceRestarted, LinkLost, WrongDevice
from firmware_bridge.events import Expect, Identity, LinkEvent, LinkUp, Lost, Mark, Received, Ticked
from firmware_bridge.link import Link
from firmware_bridge.messages import Ask, Burn, Close, Draw, Recall, Result, ShoeState, Unlock
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice

SHOE = Expect(DeviceKind.SHOE, "SH-0007")
STEP = 0.010

Line = Callable[[bytes, random.Random], list[bytes]]


def perfect(data: bytes, source: random.Random) -> list[bytes]:
    """Every byte arrives."""
    return [data]


def dreadful(data: bytes, source: random.Random) -> list[bytes]:
    """Frames are lost, doubled, damaged, moved behind the next and mixed with noise."""
    frames = [part + b"\0" for part in data.split(b"\0")[:-1]]
    out: list[bytes] = []
    for frame in frames:
        chance = source.random()
        if chance < 0.15:
            continue
        if chance < 0.25:
            at = source.randrange(len(frame))
            frame = frame[:at] + bytes((frame[at] ^ source.randrange(1, 256),)) + frame[at + 1 :]
        elif chance < 0.35:
            out.append(frame)
        elif chance < 0.40:
            out.append(source.randbytes(source.randrange(1, 90)))
        if chance > 0.9 and out:
            out.insert(len(out) - 1, frame)
        else:
            out.append(frame)
    return out


class Bench:
    """A link and a device on a line, under a clock that is turned by hand."""

    def __init__(
        self,
        device: FakeDevice | None = None,
        line: Line = perfect,
        seed: int = 1,
        expect: Expect = SHOE,
        acknowledge: bool = True,
    ) -> None:
        self.device = device or FakeDevice()
        self.line = line
        self.source = random.Random(seed)
        self.now = 100.0
        self.expect = expect
        self.acknowledge = acknowledge
        self.events: list[LinkEvent] = []
        self.sent = b""
        self.link = self.new_link()

    def new_link(self, mark: Mark | None = None, delivered: Mark | None = None, last: int = 0) -> Link:
        self.link = Link(
            "shoe",
            self.expect,
            now=self.now,
            random=self.source.getrandbits,
            mark=mark,
            delivered=delivered,
            last_session=last,
        )
        return self.link

    def run(self, seconds: float, *, deaf: bool = False) -> None:
        """Time goes on; ``deaf``: the device hears nothing and says nothing."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.step(deaf=deaf)

    def step(self, *, deaf: bool = False) -> None:
        data = self.link.outgoing(self.now)
        self.sent += data
        if not deaf:
            for piece in self.line(data, self.source) if data else []:
                self.device.feed(piece, self.now)
            data = self.device.poll(self.now)
            for piece in self.line(data, self.source) if data else []:
                self.take(self.link.receive(piece, self.now))
        self.take(self.link.expire(self.now))

    def take(self, events: list[LinkEvent]) -> None:
        self.events += events
        for event in events:
            if self.acknowledge and isinstance(event, Received):
                self.link.acknowledge(event.number)

    def received(self) -> list[Received]:
        return [event for event in self.events if isinstance(event, Received)]

    def numbers(self) -> list[int]:
        return [event.number for event in self.received()]

    def lost(self) -> Lost:
        (event,) = [event for event in self.events if isinstance(event, Lost)]
        assert self.events[-1] == event
        return event

    def flush(self) -> bytes:
        """What leaves now, not given to the device."""
        return self.link.outgoing(self.now)


def opened(**options: object) -> Bench:
    bench = Bench(**options)  # type: ignore[arg-type]
    bench.run(0.1)
    assert bench.link.is_open
    return bench


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


def test_events_come_once_and_in_order_and_are_acknowledged_only_when_they_are_durable() -> None:
    bench = opened(acknowledge=False)
    for _ in range(5):
        bench.device.draw()
    bench.run(2)
    assert bench.numbers() == [1, 2, 3, 4, 5, 6]
    assert {header[4] for header in fd.headers(bench.sent)} == {0}
    assert bench.link.counts.again > 10
    bench.link.acknowledge(4)
    assert [header[4] for header in fd.headers(bench.flush())] == [4]
    bench.link.acknowledge(2)  # older: nothing new
    assert bench.flush() == b""
    bench.link.acknowledge(6)
    bench.step()
    assert bench.device.kept == {}


def test_an_event_that_was_never_received_cannot_be_acknowledged() -> None:
    bench = opened()
    with pytest.raises(ValueError, match="event 2 was never received"):
        bench.link.acknowledge(2)


def test_an_acknowledgement_rides_on_an_order_where_one_leaves() -> None:
    bench = opened(acknowledge=False)
    bench.link.acknowledge(1)
    bench.link.send(Burn(7))
    assert [(header[0], header[4]) for header in fd.headers(bench.flush())] == [(fd.BURN, 1)]
    assert bench.flush() == b""


def test_at_most_four_orders_are_under_way() -> None:
    bench = opened()
    for id_ in range(6):
        bench.link.send(Burn(id_))
    assert len(fd.types(bench.flush())) == 4
    assert (len(bench.link.window.unsent()), len(bench.link.window.unconfirmed())) == (2, 4)
    assert bench.flush() == b""


def test_orders_are_repeated_after_50_then_100_200_and_each_400_ms_with_the_flag() -> None:
    bench = opened()
    bench.link.send(Burn(1))
    bench.link.send(Burn(2))
    start = bench.now
    assert [header[1] for header in fd.headers(bench.flush())] == [1, 1]
    repeats = []
    while bench.now < start + 1.6:
        at = bench.link.due_at()
        bench.now = max(at, bench.now)
        sent = fd.headers(bench.flush())
        if fd.BURN in [header[0] for header in sent]:
            assert [header[1] for header in sent] == [3, 3]
            assert [header[3] for header in sent] == [1, 2]
            repeats.append(round((bench.now - start) * 1000))
    assert repeats == [50, 150, 350, 750, 1150, 1550]


def test_an_acknowledgement_that_moves_on_begins_the_50_ms_anew() -> None:
    bench = opened()
    bench.link.send(Burn(1))
    bench.link.send(Burn(2))
    bench.flush()
    bench.now += 0.04
    bench.device._taken = 1
    bench.link.receive(bench.device._frame(fd.ACK, b""), bench.now)
    assert bench.link.window.due_at() == pytest.approx(bench.now + 0.05)
    bench.link.receive(bench.device._frame(fd.ACK, b""), bench.now + 0.03)
    assert bench.link.window.due_at() == pytest.approx(bench.now + 0.05)


@pytest.mark.parametrize(("behind", "older"), [(1, True), (32767, True), (32768, False)])
def test_older_means_up_to_32767_behind(behind: int, older: bool) -> None:
    bench = opened(device=FakeDevice(first=40000))
    seq = 40000 - behind + 1
    bench.link.receive(bench.device._frame(fd.DRAW, bytes(11), 1, seq), bench.now)
    assert bench.link.counts.again == older
    assert bench.link.counts.beyond == (not older)


def test_a_write_that_may_have_arrived_is_repeated_under_its_number_and_carried_out_once() -> None:
    """A1: a port's error does not say whether the bytes left; the number lets the device drop repeats."""
    bench = opened()
    bench.link.send(Burn(7))
    frame = bench.flush()
    for _ in range(3):
        bench.device.feed(frame, bench.now)
    bench.run(0.2)
    assert bench.device.executed == [7]
    assert [event.message.outcome for event in bench.received() if isinstance(event.message, Result)] == [
        Outcome.DONE
    ]


def test_an_answer_belongs_to_the_command_whose_id_it_bears_however_late() -> None:
    """A2: also over 256 commands."""
    bench = opened()
    for id_ in range(300):
        bench.link.send(Burn(id_))
    bench.run(5)
    results = [event.message for event in bench.received() if isinstance(event.message, Result)]
    assert [result.id for result in results] == list(range(300))
    assert bench.device.executed == list(range(300))


def test_the_host_says_something_each_250_ms() -> None:
    bench = opened()
    bench.run(2)
    assert 7 <= fd.types(bench.sent).count(fd.ACK) <= 10
    assert bench.link.is_open


def test_a_device_that_falls_silent_is_lost_after_a_second() -> None:
    """B19: the port is there, the device is not."""
    bench = opened()
    heard = bench.now
    bench.take(bench.link.receive(bench.device._frame(fd.TICK, bytes(6)), heard))
    assert bench.link.lost_at() == heard + 1.0
    assert bench.link.expire(heard + 0.999) == []
    bench.take(bench.link.expire(heard + 1.0))
    assert isinstance(bench.lost().error, LinkLost)


def test_noise_and_frames_of_other_sessions_are_no_sign_of_life() -> None:
    bench = opened()
    other = opened(device=FakeDevice(), seed=2)
    assert other.link.session != bench.link.session
    for _ in range(12):
        other.run(0.1)
        bench.run(0.1, deaf=True)
        if bench.link.is_open:
            assert bench.link.receive(other.device._frame(fd.TICK, bytes(6)), bench.now) == []
    assert isinstance(bench.lost().error, LinkLost)
    assert bench.link.counts.foreign >= 9


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


def test_a_devices_time_counts_only_when_every_event_before_it_was_taken() -> None:
    bench = opened()
    tick = struct.pack("<IH", 5000, 2)
    assert bench.link.receive(bench.device._frame(fd.TICK, tick), bench.now) == []
    bench.device.draw()
    bench.step()
    assert bench.link.receive(bench.device._frame(fd.TICK, tick), bench.now) == [Ticked(5000)]
    assert bench.link.receive(bench.device._frame(fd.TICK, bytes(6)), bench.now) == [Ticked(0)]


@pytest.mark.parametrize(
    ("flags", "seq", "counter"),
    [
        (0x05, 2, "flags"),
        (0x81, 2, "sealed"),
        (0x00, 2, "flags"),
        (0x01, 0, "flags"),
    ],
)
def test_a_frame_with_wrong_flags_is_dropped_and_counted(flags: int, seq: int, counter: str) -> None:
    bench = opened()
    bench.device.draw()
    type_, body = bench.device.kept[2]
    assert bench.link.receive(bench.device._frame(type_, body, flags, seq), bench.now) == []
    assert getattr(bench.link.counts, counter) == 1


def test_an_acknowledgement_of_what_was_never_sent_is_counted_and_frees_nothing() -> None:
    bench = opened()
    bench.link.send(Burn(1))
    bench.flush()
    bench.device._taken = 9
    bench.link.receive(bench.device._frame(fd.ACK, b""), bench.now)
    assert bench.link.counts.bad_acks == 1
    assert len(bench.link.window) == 1


def test_an_event_that_cannot_be_read_is_not_passed_over_but_ends_the_link_when_it_comes_again() -> None:
    bench = opened()
    bench.device.event(0x7F, b"what is this")
    bench.device.draw()
    bench.run(1)
    error = bench.lost().error
    assert isinstance(error, BadMessage)
    assert "0x7F" in str(error)
    assert bench.numbers() == [1]
    assert bench.link.counts.unreadable == 3


def test_numbers_go_on_from_65535_to_1_both_ways() -> None:
    bench = opened(device=FakeDevice(first=65530))
    for id_ in range(10):
        bench.link.send(Burn(id_))
    bench.run(1)
    numbers = bench.numbers()
    assert numbers[:7] == [65530, 65531, 65532, 65533, 65534, 65535, 1]
    assert len(numbers) == 21
    assert bench.device.kept == {}


def test_the_hosts_numbers_wrap_too() -> None:
    bench = opened()
    bench.link.window._last = bench.device._taken = 65533
    for id_ in range(6):
        bench.link.send(Recall(id_))
    bench.run(0.5)
    assert len(bench.device.orders) == 6
    assert len(bench.link.window) == 0


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
            link = Link("shoe", SHOE, now=0, random=lambda bits, value=value: value, last_session=last)  # type: ignore[misc]
            assert 1 <= link.session <= 255
            assert link.session != last


def test_the_last_hundred_frames_each_way_are_kept_without_their_bodies() -> None:
    bench = opened()
    for id_ in range(150):
        bench.link.send(Burn(id_))
    bench.run(5)
    trace = bench.link.trace()
    assert len(trace) == 200
    assert [frame.at for frame in trace] == sorted(frame.at for frame in trace)
    assert {type(value) for frame in trace for value in frame} == {float, str, int}


def test_an_order_that_does_not_fit_is_refused_before_it_is_queued() -> None:
    bench = opened()
    with pytest.raises(BadMessage):
        bench.link.send(Unlock(1, 300))
    assert len(bench.link.window) == 0


def _dreadful(seed: int) -> None:
    bench = Bench(line=dreadful, seed=seed)
    bench.run(2)
    for _ in range(60):
        if not bench.link.is_open:
            last = bench.received()[-1:]
            mark = Mark(0xB007, last[0].number) if last else None
            bench.new_link(mark=mark, last=bench.link.session)
            bench.run(1)
        bench.device.draw()
        if bench.link.is_open and bench.source.random() < 0.3:
            bench.link.send(Burn(bench.source.getrandbits(64)))
        bench.run(bench.source.choice([0.01, 0.05, 0.3]))
    bench.line = perfect
    if not bench.link.is_open:
        bench.new_link(mark=Mark(0xB007, bench.received()[-1].number))
    bench.run(3)
    assert bench.numbers() == list(range(1, bench.device.next))
    assert len(set(bench.device.executed)) == len(bench.device.executed)
    drawn = [event for event in bench.received() if isinstance(event.message, Draw)]
    assert len(drawn) == 60 + len(bench.device.executed)


def test_over_a_dreadful_line_all_events_come_once_and_in_order_and_no_card_is_burnt_twice() -> None:
    seed = int(os.environ.get("CUTCARD_SEED") or 1)
    for trial in range(8):
        _dreadful(seed + trial)


@pytest.mark.soak
def test_over_many_dreadful_lines_the_same_holds() -> None:
    seed = int(os.environ.get("CUTCARD_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CUTCARD_SEED={seed}")  # noqa: T201
    for trial in range(300):
        _dreadful(seed + trial)


def test_a_state_can_be_asked_for() -> None:
    bench = opened()
    bench.link.send(Ask())
    bench.run(0.1)
    assert bench.device.orders == [(fd.ASK, b"")]
