"""A wire on which things go wrong: each fault does what its name says, to the frame that it was meant for."""

import math
from collections.abc import Sequence

import pytest

from hil_rigs.wire.faults import BYTE_S, DELAY_S, FAULTS, JITTER_S, NAMES, STALL, STALL_S
from hil_rigs.wire.line import OVERTAKEN_S, Rate, Wire

FRAMES = [bytes([number]) * (8 + number) + b"\0" for number in range(1, 31)]
DAMAGED = ("drop-byte", "insert-byte", "flip-bit", "corrupt-crc", "truncate-frame")
HARMLESS = ("delay", "jitter", "slow-baud", "partial-write", "split-frame", "reorder-frames")


def over(wire: Wire, frames: Sequence[bytes], *, step_s: float = 0.0) -> list[bytes]:
    """What came out, call by call, until nothing was on its way."""
    out, now_s = [], 1.0
    for frame in frames:
        out.append(wire.carry(frame, now_s))
        now_s += step_s
    while not wire.idle and math.isfinite(wire.due_s):
        now_s = max(now_s, wire.due_s)
        out.append(wire.carry(b"", now_s))
    return [piece for piece in out if piece]


def test_a_sound_wire_gives_at_once_what_it_is_given_frames_or_not() -> None:
    wire = Wire()
    assert [wire.carry(piece, 0.0) for piece in (b"AT\r", b"\0\0", FRAMES[0])] == [
        b"AT\r",
        b"\0\0",
        FRAMES[0],
    ]
    assert (wire.idle, wire.due_s, wire.injected.total()) == (True, math.inf, 0)


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_frame_costs_itself_and_at_most_the_one_behind_it(name: str) -> None:
    for seed in range(200):
        wire = Wire(seed)
        wire.once(name)
        out = b"".join(over(wire, FRAMES))
        whole = [part + b"\0" for part in out.split(b"\0")]
        missing = [number for number, frame in enumerate(FRAMES) if frame not in whole]
        assert missing in ([0], [0, 1], []), (name, seed)
        assert out != b"".join(FRAMES)
        assert wire.injected == {name: 1}


def test_a_frame_is_lost_or_comes_twice() -> None:
    for name, first in (("drop-frame", []), ("duplicate-frame", [FRAMES[0]] * 2)):
        wire = Wire()
        wire.once(name)
        assert b"".join(over(wire, FRAMES)) == b"".join([*first, *FRAMES[1:]])


@pytest.mark.parametrize("name", HARMLESS)
def test_a_line_that_is_late_or_broken_up_loses_nothing(name: str) -> None:
    wire = Wire(3)
    wire.once(name)
    out = b"".join(over(wire, FRAMES))
    assert sorted(out.split(b"\0")) == sorted(b"".join(FRAMES).split(b"\0"))
    assert (out == b"".join(FRAMES)) is (name != "reorder-frames")


def test_garbage_comes_before_the_frame_and_leaves_it_whole() -> None:
    wire = Wire(5)
    wire.once("garbage-burst")
    out = b"".join(over(wire, FRAMES[:2]))
    assert out.endswith(FRAMES[0] + FRAMES[1])
    assert len(out) > len(FRAMES[0] + FRAMES[1])


def test_a_frame_that_is_overtaken_comes_behind_the_next_and_alone_if_there_is_none() -> None:
    wire = Wire()
    wire.once("reorder-frames")
    assert over(wire, FRAMES[:3]) == [FRAMES[1] + FRAMES[0], FRAMES[2]]
    wire.once("reorder-frames")
    assert wire.carry(FRAMES[0], 2.0) == b""
    assert not wire.idle
    assert wire.carry(b"", 2.0 + OVERTAKEN_S / 2) == b""
    assert wire.carry(b"", wire.due_s) == FRAMES[0]


@pytest.mark.parametrize(
    ("name", "late_s"), [("delay", DELAY_S), ("slow-baud", BYTE_S * len(FRAMES[0])), ("jitter", JITTER_S)]
)
def test_what_is_late_makes_late_what_is_behind_it(name: str, late_s: float) -> None:
    wire = Wire(1)
    wire.once(name)
    assert wire.carry(FRAMES[0], 5.0) == b""
    assert 5.0 < wire.due_s <= 5.0 + late_s + 1e-9
    assert wire.carry(FRAMES[1], 5.0) == b""
    out = wire.carry(b"", wire.due_s)
    out += wire.carry(b"", 6.0)
    assert out == FRAMES[0] + FRAMES[1]


def test_pieces_of_a_frame_are_read_one_by_one() -> None:
    for name, pieces in (("split-frame", 2), ("partial-write", len(FRAMES[9]))):
        wire = Wire()
        wire.once(name)
        out = over(wire, [FRAMES[9]])
        assert (len(out), b"".join(out)) == (pieces, FRAMES[9])


def test_an_end_that_has_stalled_takes_nothing_for_a_while() -> None:
    wire = Wire()
    wire.once(STALL)
    assert not wire.takes(10.0)
    assert (wire.idle, wire.due_s) == (False, 10.0 + STALL_S)
    assert not wire.takes(10.0 + STALL_S - 0.001)
    assert wire.takes(10.0 + STALL_S)
    assert (wire.idle, wire.injected) == (True, {STALL: 1})


def test_a_pulled_cable_loses_what_is_on_its_way_and_nothing_after() -> None:
    wire = Wire()
    wire.once("delay")
    assert wire.carry(FRAMES[0], 0.0) == b""
    wire.cut()
    assert wire.idle
    assert wire.carry(FRAMES[1], 0.001) == FRAMES[1]


def test_a_fault_lasts_for_as_many_frames_as_it_says_and_no_longer() -> None:
    for name, fault in FAULTS.items():
        wire = Wire(7)
        wire.once(name)
        over(wire, FRAMES)
        assert wire.injected == {name: fault.lasts}
        assert b"".join(over(wire, FRAMES)) == b"".join(FRAMES)


def test_shares_are_kept_one_fault_a_frame_at_most_and_a_seed_gives_the_same_again() -> None:
    rates = (Rate("drop-frame", 0.10), Rate("duplicate-frame", 0.05), Rate("reorder-frames", 0.05))
    made = []
    for _ in range(2):
        wire = Wire("a seed", rates)
        made.append(over(wire, FRAMES * 500, step_s=0.001))
        total = wire.carried
        assert total == len(FRAMES) * 500
        assert wire.injected["drop-frame"] / total == pytest.approx(0.10, abs=0.01)
        assert wire.injected["duplicate-frame"] / total == pytest.approx(0.05, abs=0.01)
    assert made[0] == made[1]
    assert made[0] != over(Wire("another", rates), FRAMES * 500, step_s=0.001)


def test_frames_are_found_however_the_line_was_read_and_bytes_without_an_end_go_on() -> None:
    wire = Wire(0, (Rate("drop-frame", 1.0),))
    stream = b"".join(FRAMES)
    for at in range(0, len(stream), 7):
        assert wire.carry(stream[at : at + 7], 0.0) == b""
    assert wire.injected == {"drop-frame": len(FRAMES)}
    babble = Wire(0, (Rate("duplicate-frame", 1.0),))
    assert babble.carry(b"x" * 300, 0.0) == b"x" * 600, "it is hit as a frame would be, and not kept for ever"


def test_an_empty_frame_is_never_hit() -> None:
    wire = Wire(0, (Rate("drop-frame", 1.0),))
    assert wire.carry(b"\0\0", 0.0) == b"\0\0"


def test_a_fault_that_no_wire_has_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        Wire().once("jam")
    assert len(set(NAMES)) == len(NAMES) == len(FAULTS) + 1
