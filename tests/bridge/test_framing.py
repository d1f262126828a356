"""Framing: whatever is on the line, only frames that were hit are lost."""

import os
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import MalformedFrame
from firmware_bridge.framing import FRAME_MAX, PAYLOAD_MAX, PAYLOAD_MIN, Decoder, crc16, encode

payloads = st.binary(min_size=PAYLOAD_MIN, max_size=PAYLOAD_MAX)
streams = st.lists(payloads, min_size=1, max_size=8)


def _decode(data: bytes) -> list[bytes]:
    return Decoder().feed(data)


def _frame_at(frames: list[bytes], at: int) -> int:
    for index, frame in enumerate(frames):
        if at < len(frame):
            return index
        at -= len(frame)
    return len(frames) - 1


def _in_order(wanted: list[bytes], found: list[bytes]) -> bool:
    rest = iter(found)
    return all(payload in rest for payload in wanted)


def test_the_crc_is_that_of_the_document() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(payloads)
def test_a_frame_has_one_zero_at_its_end_and_64_bytes_at_most(payload: bytes) -> None:
    frame = encode(payload)
    assert frame.index(0) == len(frame) - 1
    assert len(frame) == len(payload) + 4 <= FRAME_MAX
    assert _decode(frame) == [payload]


@pytest.mark.parametrize("size", [0, PAYLOAD_MIN - 1, PAYLOAD_MAX + 1])
def test_a_payload_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(MalformedFrame, match=f"{size} bytes"):
        encode(bytes(size))


@pytest.mark.case(29)
@given(streams, st.data())
def test_a_flipped_byte_loses_no_frame_but_those_it_hit(stream: list[bytes], data: st.DataObject) -> None:
    """A byte changed anywhere; a delimiter is part of the frame before it and of the one behind."""
    frames = [encode(payload) for payload in stream]
    line = bytearray(b"".join(frames))
    at = data.draw(st.integers(0, len(line) - 1))
    hit = {_frame_at(frames, at)} | ({_frame_at(frames, at) + 1} if line[at] == 0 else set())
    line[at] ^= data.draw(st.integers(1, 255))
    others = [payload for index, payload in enumerate(stream) if index not in hit]
    assert _in_order(others, _decode(bytes(line)))


@pytest.mark.case(29)
@given(streams, st.data())
def test_case_29_a_lost_byte_loses_no_frame_but_those_it_hit(
    stream: list[bytes], data: st.DataObject
) -> None:
    """A byte lost anywhere."""
    frames = [encode(payload) for payload in stream]
    line = bytearray(b"".join(frames))
    at = data.draw(st.integers(0, len(line) - 1))
    hit = {_frame_at(frames, at)} | ({_frame_at(frames, at) + 1} if line[at] == 0 else set())
    del line[at]
    others = [payload for index, payload in enumerate(stream) if index not in hit]
    assert _in_order(others, _decode(bytes(line)))


@pytest.mark.case(29)
@given(streams, st.data())
def test_an_extra_byte_loses_no_frame_but_the_one_it_hit(stream: list[bytes], data: st.DataObject) -> None:
    """A byte too many anywhere (readers that add CR LF)."""
    frames = [encode(payload) for payload in stream]
    line = bytearray(b"".join(frames))
    at = data.draw(st.integers(0, len(line) - 1))
    hit = _frame_at(frames, at)
    line.insert(at, data.draw(st.integers(0, 255)))
    others = [payload for index, payload in enumerate(stream) if index != hit]
    assert _in_order(others, _decode(bytes(line)))


@given(st.binary(max_size=400), st.data())
def test_how_a_stream_is_cut_never_matters(stream: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    whole, single, pieces = Decoder(), Decoder(), Decoder()
    at_once = whole.feed(stream)
    one_by_one = [payload for byte in stream for payload in single.feed(bytes((byte,)))]
    in_pieces = [
        payload
        for start, end in pairwise([0, *cuts, len(stream)])
        for payload in pieces.feed(stream[start:end])
    ]
    assert at_once == one_by_one == in_pieces
    assert whole.counts == single.counts == pieces.counts


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_no_stream_makes_the_decoder_raise_or_grow(chunks: list[bytes]) -> None:
    decoder = Decoder()
    for chunk in chunks:
        for payload in decoder.feed(chunk):
            assert PAYLOAD_MIN <= len(payload) <= PAYLOAD_MAX
        assert decoder.held < FRAME_MAX


@given(payloads, st.integers(64, 5000))
def test_an_overlong_run_is_dropped_up_to_the_next_zero_and_counted_once(payload: bytes, size: int) -> None:
    decoder = Decoder()
    taken = []
    for byte in b"\x11" * size + b"\0" + encode(payload):
        taken += decoder.feed(bytes((byte,)))
        assert decoder.held < FRAME_MAX
    assert taken == [payload]
    assert decoder.counts.overlong == 1
    assert decoder.counts.dropped == 1


def test_the_longest_frame_is_taken_and_one_byte_more_is_not() -> None:
    frame = encode(b"\xff" * PAYLOAD_MAX)
    assert len(frame) == FRAME_MAX
    assert len(_decode(frame)) == 1
    decoder = Decoder()
    assert decoder.feed(b"\x01" + frame) == []
    assert decoder.counts.overlong == 1


@pytest.mark.case(30)
def test_case_30_every_cause_of_a_drop_has_its_counter() -> None:
    """The CRC is tested before any field is looked at, in both polarities."""
    decoder = Decoder()
    good = encode(b"payload.")
    wrong_crc = good[:-2] + bytes((good[-2] ^ 1,)) + b"\0"
    wrong_cobs = b"\x09abc\0"
    short = b"\x04abc\0"
    overlong = b"\x01" * 64 + b"\0"
    assert (
        decoder.feed(b"\0\0" + good + wrong_crc + wrong_cobs + short + overlong + good) == [b"payload."] * 2
    )
    counts = decoder.counts
    assert (counts.good, counts.crc, counts.cobs, counts.short, counts.overlong) == (2, 1, 1, 1, 1)


@pytest.mark.case(27)
def test_a_first_zero_ends_what_lay_before_it() -> None:
    """Stale bytes at open cost nothing but themselves."""
    assert _decode(b"boot: ready\r\n" + b"\0" + encode(b"payload.")) == [b"payload."]


def _mutate(frame: bytes, source: random.Random) -> bytes:
    line = bytearray(frame)
    for _ in range(source.randint(0, 3)):
        at = source.randrange(len(line))
        match source.randrange(3):
            case 0:
                line[at] = source.randrange(256)
            case 1:
                line.insert(at, source.randrange(256))
            case _ if len(line) > 1:
                del line[at]
    return bytes(line)


def _storm(frames: int, seed: int, *, random_share: float = 0.1) -> None:
    source = random.Random(seed)
    decoder = Decoder()
    sent = 0
    for _ in range(frames):
        if source.random() < random_share:
            decoder.feed(source.randbytes(source.randint(0, 200)))
        else:
            frame = encode(source.randbytes(source.randint(PAYLOAD_MIN, PAYLOAD_MAX)))
            decoder.feed(_mutate(frame, source))
            sent += 1
        assert decoder.held < FRAME_MAX
    decoder.feed(b"\0")
    assert decoder.feed(encode(b"the last one")) == [b"the last one"]
    # A quarter of the frames is not hit at all; of those, one in two may follow a frame that lost its zero.
    assert decoder.counts.good > sent / 10
    assert decoder.counts.dropped > (sent or frames) / 10


def test_twenty_thousand_random_and_damaged_frames_leave_the_decoder_well() -> None:
    _storm(20_000, seed=int(os.environ.get("CUTCARD_SEED") or 1))


@pytest.mark.soak
@pytest.mark.parametrize("random_share", [1.0, 0.0], ids=["random", "damaged"])
def test_a_million_random_and_a_million_damaged_frames_leave_the_decoder_well(random_share: float) -> None:
    seed = int(os.environ.get("CUTCARD_SEED") or random.SystemRandom().randrange(2**32))
    print(f"CUTCARD_SEED={seed}")  # noqa: T201
    _storm(1_000_000, seed, random_share=random_share)
