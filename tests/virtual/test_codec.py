"""The device side's codec against the document, and against noise."""

from enum import IntEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hil_rigs.virtual import cobs, codes, frames, messages
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.frames import Frame, FrameError, Receiver
from hil_rigs.virtual.messages import BodyError, Value
from tests.virtual import document

_TOLD = pytest.mark.parametrize("told", document.MESSAGES, ids=lambda told: told.name)


def _values(told: document.Told) -> dict[str, Value]:
    """The example's values in the types that the codec takes."""
    kinds = {field: kind for _, kind, field in told.rows}
    out: dict[str, Value] = {}
    for field, value in told.values.items():
        kind = kinds.get(field, "")
        if not kind:
            continue
        if isinstance(value, int) or (isinstance(value, str) and kind in ("text", "digits")):
            out[field] = value
        elif isinstance(value, str):
            out[field] = bytes.fromhex(value)
        elif isinstance(value, list) and kind == "tags":
            out[field] = tuple(bytes.fromhex(uid) for uid in value)
        elif isinstance(value, list):
            out[field] = tuple((span[0], span[1], span[2], span[3]) for span in value)
    return out


def _frame(told: document.Told) -> Frame:
    number = {name: value for name, value in told.values.items() if isinstance(value, int)}
    body = messages.pack(told.type, **_values(told))
    # OPEN has a field of the same name as the header's: the header's is 0 there.
    session = 0 if told.name in ("GREET", "HELLO", "CAPS", "OPEN", "PAIR", "PAIRED") else number["session"]
    flags = frames.NUMBERED if told.numbered else 0
    return Frame(told.type, flags, session, number["seq"], number["ack"], body)


def test_the_document_tells_as_many_messages_as_the_codec_knows() -> None:
    assert {told.type: told.name for told in document.MESSAGES} == {
        type_: message.name for type_, message in messages.MESSAGES.items()
    }


@_TOLD
def test_each_message_has_the_fields_way_and_numbering_of_the_document(told: document.Told) -> None:
    message = messages.MESSAGES[told.type]
    assert message.fields == tuple((field, kind) for _, kind, field in told.rows)
    assert message.numbered == told.numbered
    assert message.way == told.way


@_TOLD
def test_the_documents_offsets_follow_from_its_fields(told: document.Told) -> None:
    fixed = [offset for offset, _, _ in told.rows]
    assert fixed == document.offsets(told.rows)


@_TOLD
def test_the_documents_example_is_what_the_codec_makes_of_its_values(told: document.Told) -> None:
    assert frames.encode(_frame(told)) == told.wire


@_TOLD
def test_the_documents_example_is_read_back(told: document.Told) -> None:
    frame = frames.decode(told.wire[:-1])
    assert frame == _frame(told)
    assert dict(messages.unpack(frame.type, frame.body)) == _values(told)


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("Device kinds", codes.Kind),
        ("Facing", codes.Facing),
        ("Outcomes", codes.Outcome),
        ("Reasons", codes.Reason),
        ("Verdicts", codes.Verdict),
        ("Faults", codes.Fault),
        ("Keys", codes.Key),
        ("Actions", codes.Action),
        ("Colours", codes.Colour),
        ("Patterns", codes.Pattern),
        ("Prompt codes", codes.Prompt),
    ],
)
def test_each_table_of_codes_is_the_documents(heading: str, known: type[IntEnum]) -> None:
    assert {codes.word(code): code.value for code in known} == document.codes(heading)


def test_the_zones_are_the_documents() -> None:
    told = document.codes("Zones")
    assert {name: number for name, number in codes.ZONES.items() if not name.startswith("seat")} == told
    assert [codes.ZONES[f"seat:{seat}"] for seat in range(1, 12)] == list(range(1, 12))


def test_the_crc_is_the_one_that_the_document_names() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=600))
@example(b"\x01" * 254)
@example(b"\x01" * 254 + b"\0")
@example(b"\x01" * 255)
@example(b"\0")
@example(b"")
def test_cobs_leaves_no_zero_and_gives_back_what_went_in(data: bytes) -> None:
    encoded = cobs.encode(data)
    assert 0 not in encoded
    assert cobs.decode(encoded) == data


@given(st.binary(max_size=80))
def test_whatever_comes_is_a_frame_or_is_dropped(noise: bytes) -> None:
    try:
        frame = frames.decode(noise)
    except FrameError:
        return
    assert frames.encode(frame) == noise + b"\0"


@st.composite
def _any_frame(draw: st.DrawFn) -> Frame:
    told = draw(st.sampled_from(document.MESSAGES))
    frame = _frame(told)
    ack = draw(st.integers(0, 0xFFFF))
    return Frame(frame.type, frame.flags, draw(st.integers(0, 255)), frame.seq, ack, frame.body)


@given(st.lists(_any_frame(), max_size=5), st.data())
def test_frames_arrive_whatever_pieces_the_line_makes_of_them(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"\0" + b"".join(map(frames.encode, sent))
    receiver = Receiver()
    got = []
    while stream:
        size = data.draw(st.integers(1, 70))
        got += receiver.feed(stream[:size])
        stream = stream[size:]
    assert got == sent
    assert not receiver.dropped


@given(_any_frame(), _any_frame(), st.data())
def test_a_flipped_bit_costs_the_frame_that_it_hit_and_no_other(
    hit: Frame, next_one: Frame, data: st.DataObject
) -> None:
    raw = bytearray(frames.encode(hit))
    at = data.draw(st.integers(0, len(raw) - 2))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    receiver = Receiver()
    got = receiver.feed(bytes(raw) + frames.encode(next_one))
    assert got == [next_one]
    assert sum(receiver.dropped.values()) in (1, 2)  # a zero in its midst makes two of it


def test_63_bytes_without_an_end_are_dropped_with_all_that_follows_up_to_it() -> None:
    receiver = Receiver()
    good = frames.encode(Frame(codes.Type.ACK))
    assert receiver.feed(b"\x05" * 200 + b"\0" + good) == [Frame(codes.Type.ACK)]
    assert receiver.dropped == {"long": 1}


def test_empty_frames_are_no_error() -> None:
    receiver = Receiver()
    assert receiver.feed(b"\0\0\0") == []
    assert not receiver.dropped


def _wrapped(payload: bytes) -> bytes:
    return cobs.encode(payload + crc16(payload).to_bytes(2, "little"))


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"\x06\0\x17\0\0\0", "short"),
        (b"\x7f\0\x17\0\0\0\0", "type"),
        (b"\x06\x04\x17\0\0\0\0", "flags"),
        (b"\x06\x01\x17\x05\0\0\0", "flags"),
        (b"\x10\x01\x17\0\0\0\0", "seq"),
        (b"\x10\x01\x17\x05\0\0\0\0", "body"),
        (b"\x11\x01\x17\x05\0\0\0\0", "body"),
    ],
)
def test_what_the_document_drops_is_dropped_under_its_name(payload: bytes, why: str) -> None:
    with pytest.raises(FrameError, match=f"^{why}$"):
        frames.decode(_wrapped(payload))


def test_a_broken_crc_is_found_before_any_field_is_looked_at() -> None:
    with pytest.raises(FrameError, match=r"^crc$"):
        frames.decode(cobs.encode(b"\xff" * 9))


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (codes.Type.ACT, {"time": 0, "seat": 256, "action": 1, "amount": 0}),
        (codes.Type.ACT, {"time": 0, "seat": -1, "action": 1, "amount": 0}),
        (codes.Type.ACT, {"time": 0, "seat": 1, "action": 1}),
        (codes.Type.ARRIVED, {"time": 0, "zone": 1, "facing": 1, "uid": b"\xe0"}),
        (codes.Type.TEXT, {"prompt": 1, "offset": 0, "chunk": bytes(39)}),
        (codes.Type.LEDS, {"prompt": 1, "spans": ((1, 2, 3, 400),)}),
        (codes.Type.FEED, {"id": 1, "deck": 0, "expected": bytes(6)}),
        (codes.Type.PIN, {"time": 0, "digits": ""}),
        (codes.Type.PIN, {"time": 0, "digits": "1234567890123"}),
        (codes.Type.PIN, {"time": 0, "digits": "12\x0034"}),
        (codes.Type.PIN, {"time": 0, "digits": "12345\N{ARABIC-INDIC DIGIT THREE}"}),
        (0x7F, {}),
    ],
)
def test_values_that_do_not_fit_make_no_body(type_: int, values: dict[str, Value]) -> None:
    with pytest.raises(BodyError):
        messages.pack(type_, **values)
