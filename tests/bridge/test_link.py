"""The link: over any line all events come once and in order, and no order is carried out twice."""

import os
import random
import struct

import pytest

from firmware_bridge.codes import Outcome
from firmware_bridge.errors import BadMessage, LinkLost
from firmware_bridge.events import Mark, Ticked
from firmware_bridge.messages import Ask, Burn, Draw, Recall, Result, Unlock
from tests.bridge import fake_device as fd
from tests.bridge.fake_device import FakeDevice
from tests.bridge.link_bench import Bench, Line, dreadful, opened, perfect


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


@pytest.mark.case(1)
def test_a_write_that_may_have_arrived_is_repeated_under_its_number_and_carried_out_once() -> None:
    """A port's error does not say whether the bytes left; the number lets the device drop repeats."""
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


@pytest.mark.case(2)
def test_an_answer_belongs_to_the_command_whose_id_it_bears_however_late() -> None:
    """Also over 256 commands."""
    bench = opened()
    for id_ in range(300):
        bench.link.send(Burn(id_))
    bench.run(5)
    results = [event.message for event in bench.received() if isinstance(event.message, Result)]
    assert [result.id for result in results] == list(range(300))
    assert bench.device.executed == list(range(300))


def test_the_host_says_something_each_100_ms() -> None:
    bench = opened()
    bench.run(2)
    assert 17 <= fd.types(bench.sent).count(fd.ACK) <= 22
    assert bench.link.is_open


@pytest.mark.case(19)
def test_a_device_that_falls_silent_is_lost_after_a_second() -> None:
    """The port is there, the device is not."""
    bench = opened()
    heard = bench.now
    bench.take(bench.link.receive(bench.device._frame(fd.TICK, bytes(6)), heard))
    assert bench.link.lost_at() == heard + 1.0
    assert bench.link.expire(heard + 0.999) == []
    bench.take(bench.link.expire(heard + 1.0))
    assert isinstance(bench.lost().error, LinkLost)


def _without(type_: int) -> Line:
    """Somebody on the cable lets everything through but frames of one type."""

    def line(data: bytes, source: random.Random) -> list[bytes]:
        frames = [frame + b"\0" for frame in data.split(b"\0")[:-1]]
        return [frame for frame in frames if fd.types(frame) != [type_]]

    return line


def test_a_device_that_answers_and_acknowledges_nothing_is_lost_after_three_seconds() -> None:
    bench = opened()
    bench.run(5)
    bench.line = _without(fd.BURN)
    bench.link.send(Burn(7))
    bench.run(2.9)
    assert bench.link.is_open
    bench.run(0.2)
    assert "the device answers, but it acknowledges nothing that it is told" in str(bench.lost().error)


def test_a_device_whose_events_do_not_arrive_is_lost_after_three_seconds() -> None:
    bench = opened()
    bench.run(5)
    bench.line = _without(fd.DRAW)
    bench.device.draw()
    bench.run(2.9)
    assert bench.link.is_open
    bench.run(0.5)
    assert "the device answers, but what it has to tell does not arrive" in str(bench.lost().error)


def test_a_device_is_not_lost_while_the_host_itself_has_not_acknowledged_what_it_took() -> None:
    bench = opened(acknowledge=False)
    for _ in range(40):
        bench.device.draw()
    bench.run(10)
    assert bench.link.is_open


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
