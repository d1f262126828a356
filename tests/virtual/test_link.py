"""Sessions, numbers, repeats and liveness at the device's end of the wire."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hil_rigs.virtual.codes import Kind, Type
from hil_rigs.virtual.frames import NUMBERED, REPEAT, Frame, Receiver, encode
from hil_rigs.virtual.link import DeviceLink, after
from hil_rigs.virtual.messages import pack, unpack
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.virtual.hosts import WireHost
from tests.virtual.script import Script


def _shoe(*, gate: bool = False) -> tuple[VirtualTable, DeviceLink]:
    table = VirtualTable(Setup(shoe=ShoeOptions(gate=gate)))
    for card in table.decks["deck-1"]:
        table.felt.move(card, "shoe")
    return table, table.link("shoe")


def _gate(table: VirtualTable) -> int:
    return int(table.shoe.gate_open)


def _frames(data: bytes) -> list[Frame]:
    receiver = Receiver()
    frames = receiver.feed(data)
    assert not receiver.dropped
    return frames


def _greet(
    link: DeviceLink, now_s: float = 0.0, *, versions: tuple[int, int] = (1, 1), nonce: int = 77
) -> list[Frame]:
    low, high = versions
    body = pack(Type.GREET, lowest=low, highest=high, host_nonce=nonce)
    link.receive(b"\0" + encode(Frame(Type.GREET, body=body)), now_s)
    return _frames(link.outgoing(now_s))


def _open(link: DeviceLink, session: int = 9, durable: int = 0, now_s: float = 0.0) -> list[Frame]:
    body = pack(Type.OPEN, session=session, boot=link.boot, durable=durable)
    link.receive(encode(Frame(Type.OPEN, body=body)), now_s)
    return _frames(link.outgoing(now_s))


def _ack(link: DeviceLink, ack: int, now_s: float, session: int = 9) -> list[Frame]:
    link.receive(encode(Frame(Type.ACK, session=session, ack=ack)), now_s)
    return _frames(link.outgoing(now_s))


def test_at_power_up_it_ends_garbage_and_says_who_it_is_once_unasked() -> None:
    _, link = _shoe()
    data = link.outgoing(0)
    assert data[0] == 0
    hello, caps = _frames(data)
    told = unpack(hello.type, hello.body)
    assert (hello.session, told["kind"], told["serial"], told["host_nonce"]) == (0, Kind.SHOE, "SH-V001", 0)
    assert unpack(caps.type, caps.body)["keeps"] == 128
    assert _frames(link.outgoing(10)) == []


def test_a_greeting_is_answered_by_hello_with_its_nonce_and_caps() -> None:
    _, link = _shoe()
    link.outgoing(0)
    hello, caps = _greet(link)
    told = unpack(hello.type, hello.body)
    assert (told["host_nonce"], told["version"], told["boot"]) == (77, 1, link.boot)
    assert caps.type == Type.CAPS


@pytest.mark.parametrize(("versions", "told"), [((1, 9), 1), ((0, 1), 1), ((2, 3), 0), ((0, 0), 0)])
def test_the_version_is_the_highest_that_both_speak(versions: tuple[int, int], told: int) -> None:
    _, link = _shoe()
    link.outgoing(0)
    hello = _greet(link, versions=versions)[0]
    assert unpack(hello.type, hello.body)["version"] == told


def test_a_device_without_a_session_sends_no_numbered_frame_and_keeps_its_events() -> None:
    table, link = _shoe()
    table.hands.draw("board", count=2)
    assert not [frame for frame in _frames(link.outgoing(0)) if frame.numbered]
    hello = unpack(Type.HELLO, _greet(link)[0].body)
    kept = hello.num("next") - hello.num("oldest")
    assert kept == link.kept > 1
    opened, *events = _open(link)
    assert opened.type == Type.OPENED
    assert [frame.seq for frame in events if frame.numbered] == list(range(1, kept + 2))
    assert [frame.type for frame in events if frame.numbered][-3:] == [Type.DRAW, Type.DRAW, Type.SHOE_STATE]


def test_an_open_with_a_strange_boot_nonce_is_answered_by_hello_and_opens_nothing() -> None:
    _, link = _shoe()
    link.outgoing(0)
    body = pack(Type.OPEN, session=9, boot=link.boot ^ 1, durable=0)
    link.receive(encode(Frame(Type.OPEN, body=body)), 0)
    assert [frame.type for frame in _frames(link.outgoing(0))] == [Type.HELLO, Type.CAPS]
    assert link.session == 0


def test_an_open_that_is_repeated_is_answered_again_and_changes_nothing() -> None:
    _, link = _shoe()
    link.outgoing(0)
    _greet(link)
    first = _open(link)
    again = _open(link)
    assert [frame.type for frame in again] == [Type.OPENED]
    assert again[0].body == first[0].body


def test_a_host_that_was_started_anew_and_draws_the_same_byte_opens_a_new_session() -> None:
    _, link = _shoe()
    _greet(link, nonce=5)
    _open(link, session=9)
    _release_lid(link, command_id=1)
    _greet(link, nonce=6)
    _open(link, session=9)
    assert _release_lid(link, command_id=2) == [2], "its numbers begin at 1 again: the order is no repeat"


def _release_lid(link: DeviceLink, command_id: int) -> list[int]:
    """A host's first order in its session; the ids of the results that follow."""
    order = Frame(Type.RELEASE_LID, NUMBERED, session=9, seq=1, body=pack(Type.RELEASE_LID, id=command_id))
    link.receive(encode(order), 0)
    results = (frame for frame in _frames(link.outgoing(0)) if frame.type == Type.RESULT)
    return [unpack(result.type, result.body).num("id") for result in results]


def test_a_new_session_sends_what_is_not_durable_and_numbers_go_on() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _greet(link)
    table.hands.draw("board", count=5)
    _open(link, session=9)
    oldest = link.kept
    frames = _open(link, session=10, durable=oldest - 2, now_s=0.1)
    assert [frame.seq for frame in frames if frame.numbered] == [oldest - 1, oldest, oldest + 1]
    assert {frame.session for frame in frames} == {10}
    assert frames[-1].type in (Type.SHOE_STATE, Type.TICK)


def test_frames_of_another_session_are_dropped_and_counted() -> None:
    _, link = _shoe()
    link.outgoing(0)
    _open(link, session=9)
    link.receive(encode(Frame(Type.ASK, NUMBERED, 8, 1)), 0)
    assert link.receiver.dropped == {"session": 1}


def test_a_devices_own_frames_echoed_back_are_dropped() -> None:
    _, link = _shoe()
    link.receive(link.outgoing(0), 0)
    assert link.receiver.dropped == {"way": 2}


def test_messages_are_handled_in_order_and_once() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)

    def send(seq: int, command_id: int, flags: int = NUMBERED) -> list[Frame]:
        body = pack(Type.BURN, id=command_id)
        link.receive(encode(Frame(Type.BURN, flags, 9, seq, 0, body)), 0)
        return _frames(link.outgoing(0))

    assert send(2, 102)[-1].ack == 0  # later than expected: dropped, the last acknowledgement again
    assert table.felt.cards("burn") == ()
    assert {frame.ack for frame in send(1, 101)} == {1}
    assert len(table.felt.cards("burn")) == 1
    assert [frame.type for frame in send(1, 103, NUMBERED | REPEAT)] == [Type.ACK]
    assert len(table.felt.cards("burn")) == 1
    send(2, 102)
    assert len(table.felt.cards("burn")) == 2


def test_16_events_at_most_are_under_way() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    already = link.kept
    table.hands.draw("board", count=30)
    sent = [frame for frame in _frames(link.outgoing(0)) if frame.numbered]
    assert already + len(sent) == 16
    more = [frame for frame in _ack(link, 10, 0.01) if frame.numbered]
    assert [frame.seq for frame in more] == list(range(17, 27))


def test_unacknowledged_events_are_repeated_after_50_100_200_and_then_each_400_ms() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    _ack(link, link.kept, 0)
    table.hands.draw("board", count=2)
    first = [frame for frame in _frames(link.outgoing(0)) if frame.numbered]
    times = []
    for ms in range(1, 1_700):
        if ms % 200 == 0:
            link.receive(encode(Frame(Type.ACK, session=9, ack=0)), ms / 1000)
        again = [frame for frame in _frames(link.outgoing(ms / 1000)) if frame.numbered]
        if again:
            times.append(ms)
            assert [(frame.seq, frame.body) for frame in again] == [(f.seq, f.body) for f in first]
            assert {frame.flags for frame in again} == {NUMBERED | REPEAT}
    assert times == pytest.approx([50, 150, 350, 750, 1150, 1550], abs=2)  # a sum of floats


def test_an_acknowledgement_that_moves_on_puts_the_repeats_back_to_50_ms() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    _ack(link, link.kept, 0)
    before = 0
    table.hands.draw("board", count=2)
    numbers = [frame.seq for frame in _frames(link.outgoing(0)) if frame.numbered]
    before = len(_frames(link.outgoing(0.06)))
    assert before == 2
    _ack(link, numbers[0], 0.1)
    assert not [frame for frame in _frames(link.outgoing(0.149)) if frame.numbered]
    assert [frame.seq for frame in _frames(link.outgoing(0.151)) if frame.numbered] == numbers[1:]


def test_ticks_come_at_least_each_250_ms_with_the_devices_time_and_the_last_event() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    _ack(link, link.kept, 0)
    table.advance(4_000)
    told = []
    for ms in range(10, 900, 10):
        told += [
            (ms, unpack(f.type, f.body)) for f in _frames(link.outgoing(ms / 1000)) if f.type == Type.TICK
        ]
    assert told[0][0] == 10  # the time was moved on: it is said at once
    assert all(later - sooner <= 250 for (sooner, _), (later, _) in pairwise(told))
    assert {fields["time"] for _, fields in told} == {4_000}
    assert {fields["last"] for _, fields in told} == {link._number}


def test_after_a_second_without_the_host_the_gate_is_shut_and_events_are_kept() -> None:
    table, link = _shoe(gate=True)
    link.outgoing(0)
    _open(link)
    table.shoe.handle(Type.UNLOCK, pack(Type.UNLOCK, id=1, cards=9))
    link.outgoing(1.0)
    assert _gate(table) == 1
    assert _frames(link.outgoing(1.01)) == []
    assert link.session == 0
    assert _gate(table) == 0
    assert link.kept


def test_close_ends_the_session_from_either_side() -> None:
    for ending in ("host", "device"):
        table, link = _shoe(gate=True)
        link.outgoing(0)
        _open(link)
        table.shoe.handle(Type.UNLOCK, pack(Type.UNLOCK, id=1, cards=9))
        if ending == "host":
            link.receive(encode(Frame(Type.CLOSE, session=9, body=b"\0")), 0)
        else:
            link.close()
            assert _frames(link.outgoing(0))[-1].type == Type.CLOSE
        assert link.session == 0
        assert _gate(table) == 0


def test_128_events_are_kept_then_the_gate_shuts_and_a_gap_tells_how_many_were_lost() -> None:
    table, link = _shoe(gate=True)
    link.outgoing(0)
    _open(link)
    _ack(link, link.kept, 0)
    table.shoe.handle(Type.UNLOCK, pack(Type.UNLOCK, id=1, cards=50))
    link.outgoing(0)
    while link.kept < 128:
        table.shoe.handle(Type.ASK, b"")
        link.outgoing(0)
    assert _gate(table) == 1
    table.hands.draw("board")
    link.outgoing(0)
    assert link.kept == 128
    assert _gate(table) == 0
    for number in range(7, 150):  # the host is back: it takes everything, in order
        frames = [frame for frame in _ack(link, number, 0.01) if frame.numbered]
        if frames and frames[-1].type == Type.GAP:
            break
    gap = unpack(Type.GAP, frames[-1].body)
    assert gap["lost"] == 2  # the draw, and the state of the gate that shut for it


def test_a_boot_is_told_by_a_new_nonce_and_ends_the_session() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    boot = link.boot
    link.power_cycle()
    hello = _frames(link.outgoing(0))[0]
    told = unpack(hello.type, hello.body)
    assert told["boot"] == link.boot != boot
    assert (told["oldest"], told["next"], told["host_nonce"]) == (1, 1, 0)
    assert link.session == 0
    assert table.shoe.boots == 1


def test_numbers_begin_again_at_one_after_65535() -> None:
    assert (after(0), after(1), after(65_534), after(65_535)) == (1, 2, 65_535, 1)
    table, link = _shoe()
    link.outgoing(0)
    link._number = 65_533
    link._kept.clear()
    _open(link)
    table.hands.draw("board", count=4)
    seqs = [frame.seq for frame in _frames(link.outgoing(0)) if frame.numbered]
    assert seqs == [65_535, 1, 2, 3]
    _ack(link, 2, 0.01)
    assert link.kept == 1


def test_the_hosts_numbers_wrap_too() -> None:
    table, link = _shoe()
    link.outgoing(0)
    _open(link)
    link._taken = 65_535
    body = pack(Type.BURN, id=5)
    link.receive(encode(Frame(Type.BURN, NUMBERED, 9, 1, 0, body)), 0)
    assert len(table.felt.cards("burn")) == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1 << 32))
def test_over_a_line_that_loses_and_flips_bytes_every_event_and_command_comes_once_and_in_order(
    seed: int,
) -> None:
    rng = random.Random(seed)

    def lossy(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            fate = rng.random()
            if fate < 0.004:
                continue
            out.append(byte ^ 1 << rng.randrange(8) if fate < 0.008 else byte)
        return bytes(out)

    host = WireHost(VirtualTable(Setup(seats=(1, 2, 3), seed=2)), wire=lossy)
    script = Script(host)
    script.proved_pack()
    script.load()
    script.deal()
    assert sum(sum(link.receiver.dropped.values()) for link in host.links.values()) > 0
    clean = WireHost(VirtualTable(Setup(seats=(1, 2, 3), seed=2)))
    Script(clean).power_up()
    for name in host.table.devices:
        told = [(type_, dict(fields)) for device, type_, fields in host.log if device == name]
        expected = [(type_, dict(fields)) for device, type_, fields in clean.log if device == name]
        if name == "zones":
            told.sort(key=repr)
            expected.sort(key=repr)
        assert told == expected


def test_a_host_that_comes_back_gets_what_it_has_not_stored_and_nothing_twice() -> None:
    host = WireHost(VirtualTable(Setup(seats=(1, 2))))
    script = Script(host)
    script.proved_pack()
    script.load()
    host.table.hands.draw("seat:1")
    link, old = host.links["shoe"], host.ends["shoe"]
    new = host.ends["shoe"] = old.reopen(44)
    host.settle()
    host.table.hands.draw("seat:2")
    host.settle()
    assert link.session == 44
    draws = [fields["number"] for _, type_, fields in host.log if type_ == Type.DRAW]
    assert draws == [1, 2]
    assert new.opened is not None
