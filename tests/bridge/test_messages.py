"""Messages: what the document says is what is on the wire, and a UID never shows."""

import re
from typing import cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.pretty import Pretty

from firmware_bridge import codes, framing
from firmware_bridge.errors import BadMessage, MalformedFrame
from firmware_bridge.header import NUMBERED, Header, pack, unpack
from firmware_bridge.messages import (
    BODY_MAX,
    MESSAGES,
    Ack,
    Arrived,
    BadgeRead,
    Burn,
    Caps,
    DeckTags,
    Draw,
    Fed,
    Hello,
    Leds,
    Message,
    PinTyped,
    Result,
    Sender,
    Span,
    TextChunk,
    Unlock,
    decode,
    encode,
    fields,
)
from tests.bridge.protocol_document import SECTIONS, Section, code_table

UID = bytes.fromhex("e004015012345678")


def _plain(value: object) -> object:
    """A field's value as the document's examples write it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, int) else value


def _example(section: Section) -> tuple[Header, Message]:
    (payload,) = framing.Decoder().feed(section.frame)
    header, body = unpack(payload)
    return header, decode(header.type, body)


by_name = pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)


def test_no_message_is_missing_on_either_side() -> None:
    assert {section.number: section.name for section in SECTIONS} == {
        type_: cls.NAME for type_, cls in MESSAGES.items()
    }


@by_name
def test_direction_numbering_and_fields_are_the_documents(section: Section) -> None:
    cls = MESSAGES[section.number]
    assert (cls.SENDER.value, cls.NUMBERED) == (section.sender, section.numbered)
    assert [(field.offset, field.wire.name, field.name) for field in fields(cls)] == [
        (row.offset, row.type, row.name) for row in section.rows
    ]


@by_name
def test_the_values_that_a_field_may_have_are_the_documents(section: Section) -> None:
    for field, row in zip(fields(MESSAGES[section.number]), section.rows, strict=True):
        named = re.findall(r"(?:^|, )(\d+) [a-z]", row.meaning)
        if field.values is not None and len(named) > 1:
            assert set(field.values) == {int(value) for value in named}, field.name


@by_name
def test_decoding_an_example_frame_gives_the_values_beside_it(section: Section) -> None:
    header, message = _example(section)
    shown = {name: _plain(getattr(message, name)) for name in message.__struct_fields__}
    in_header = {"session": header.session, "seq": header.seq, "ack": header.ack}
    if "session" in shown:  # OPEN's own field; its header has none
        assert in_header.pop("session") == 0
    assert in_header | shown == section.values
    assert header.type == section.number
    assert header.flags == (NUMBERED if section.numbered else 0)


@by_name
def test_encoding_an_example_gives_its_frame(section: Section) -> None:
    header, message = _example(section)
    type_, body = encode(message)
    assert type_ == section.number
    assert framing.encode(pack(header, body)) == section.frame


@pytest.mark.parametrize(
    ("title", "enum"),
    [
        ("Device kinds", codes.DeviceKind),
        ("Facing", codes.Facing),
        ("Outcomes", codes.Outcome),
        ("Reasons", codes.Reason),
        ("Verdicts", codes.Verdict),
        ("Faults", codes.Fault),
        ("Keys", codes.Key),
        ("Actions", codes.Action),
        ("Colours", codes.Colour),
        ("Patterns", codes.Pattern),
        ("Prompt codes", codes.PromptCode),
    ],
)
def test_every_table_of_codes_is_the_documents(title: str, enum: type[codes.Code]) -> None:
    assert {code.value: code.label for code in enum} == code_table(title)
    assert all(enum.of(code.label) is code for code in enum)


def test_zones_are_the_documents_and_have_names_both_ways() -> None:
    others = {zone.value: zone.label for zone in codes.Zone if not zone.seat}
    assert others == code_table("Zones")
    assert [zone.label for zone in codes.Zone if zone.seat] == [f"seat:{seat}" for seat in range(1, 12)]
    assert all(codes.Zone.of(zone.label) is zone for zone in codes.Zone)
    assert [codes.Zone.of_seat(seat).seat for seat in range(1, 12)] == list(range(1, 12))


def test_a_name_or_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="there are shoe, shuffler"):
        codes.DeviceKind.of("dealer")
    with pytest.raises(ValueError, match="no seat 12"):
        codes.Zone.of_seat(12)


def test_every_message_has_a_body_within_the_bound() -> None:
    longest = TextChunk(1, 0, bytes(BODY_MAX - 3))
    assert len(encode(longest)[1]) == BODY_MAX
    with pytest.raises(BadMessage, match="41 at most"):
        encode(TextChunk(1, 0, bytes(BODY_MAX - 2)))
    with pytest.raises(BadMessage, match="not 3 to 41"):
        decode(TextChunk.TYPE, bytes(BODY_MAX + 1))


@by_name
def test_a_body_that_is_cut_off_or_has_bytes_left_over_is_refused(section: Section) -> None:
    _, message = _example(section)
    type_, body = encode(message)
    if section.rows and section.rows[-1].type != "rest":
        with pytest.raises(BadMessage):
            decode(type_, body[:-1])
    if not section.rows or section.rows[-1].type != "rest":
        with pytest.raises(BadMessage):
            decode(type_, body + b"\x07")


@given(st.integers(0, 255), st.binary(max_size=60))
def test_any_body_whatever_gives_a_message_that_encodes_to_it_or_is_refused(type_: int, body: bytes) -> None:
    try:
        message = decode(type_, body)
    except BadMessage:
        return
    assert encode(message) == (type_, body)


@pytest.mark.parametrize(
    ("type_", "body"),
    [
        (0x00, b""),
        (0x12, bytes(13) + b"\x05" + bytes(2)),  # outcome 5
        (0x14, bytes(4) + b"\x01\x02\x00"),  # ended is 0 or 1
        (0x21, bytes(7) + b"\x04" + bytes(3)),  # a flag that does not exist
        (0x40, bytes(4) + b"\x0c\x01\x04abcd"),  # zone 12
        (0x40, bytes(4) + b"\x04\x01\x03abc"),  # a UID of 3 bytes
        (0x40, bytes(4) + b"\x04\x01\x09abcdefghi"),
        (0x40, bytes(4) + b"\x04\x01\x05abcd"),  # cut off
        (0x40, bytes(4) + b"\x04\x01"),  # no tag
        (0x40, bytes(4) + b"\x04\x01\x04abcd\x04abcd"),  # two
        (0x21, bytes(11) + b"\x04abcd" * 4),  # four tags
        (0x50, bytes(2) + b"\x00\x01\x06\x00"),  # colour 6
        (0x50, bytes(2) + b"\x00\x01\x05"),
        (0x02, bytes([1, 1]) + bytes(23) + b"\x00"),  # a serial number of no characters
        (0x02, bytes([1, 1]) + bytes(23) + b"\x0d" + b"A" * 13),
        (0x02, bytes([1, 1]) + bytes(23) + b"\x02A\n"),
        (0x02, bytes([1, 6]) + bytes(23) + b"\x01A"),  # device kind 6
        (0x63, bytes(16)),  # a PIN of no digits
        (0x63, bytes(4) + b"12345a" + bytes(6)),
        (0x63, bytes(4) + b"12\x00456" + bytes(6)),
        (0x63, bytes(4) + b"123456"),
        (0x63, bytes(4) + b"1234567890123"),
    ],
)
def test_values_that_the_document_does_not_know_are_refused(type_: int, body: bytes) -> None:
    with pytest.raises(BadMessage):
        decode(type_, body)


@pytest.mark.parametrize(
    "message",
    [
        Unlock(1, 256),
        Unlock(-1, 1),
        Unlock(2**64, 1),
        Arrived(1, codes.Zone.BOARD, codes.Facing.UP, b"abc"),
        Arrived(1, cast(codes.Zone, 12), codes.Facing.UP, b"abcd"),
        DeckTags(0, 0, (b"abcd",) * 5),
        Fed(0, 1, codes.Outcome.DONE, codes.Reason.NONE, codes.Verdict.PROVED, 1, 0, bytes(6), bytes(7)),
        Hello(1, codes.DeviceKind.SHOE, 1, 0, 1, 1, bytes(3), ""),
        Hello(1, codes.DeviceKind.SHOE, 1, 0, 1, 1, bytes(3), "Ä"),
        PinTyped(1, ""),
        PinTyped(1, "1234567890123"),
        PinTyped(1, "12345\N{ARABIC-INDIC DIGIT THREE}"),
        BadgeRead(1, b"abc"),
        Leds(1, (Span(0, 300, codes.Colour.RED, codes.Pattern.BLINK),)),
        Leds(1, (Span(0, 1, codes.Colour.RED, codes.Pattern.BLINK),) * 10),
    ],
)
def test_values_that_do_not_fit_their_fields_are_refused_before_they_leave(message: Message) -> None:
    with pytest.raises(BadMessage):
        encode(message)


@pytest.mark.parametrize(
    "message",
    [
        Arrived(1, codes.Zone.BOARD, codes.Facing.UP, UID),
        Draw(1, 1, codes.Way.HAND, codes.DrawFlags(0), 180, 2, (UID, UID)),
        DeckTags(0, 4, (UID, UID)),
        BadgeRead(1, UID),
    ],
)
def test_a_uid_shows_neither_in_repr_nor_in_str_nor_in_rich_nor_in_an_error(message: Message) -> None:
    console = Console(width=200, record=True, quiet=True)
    console.print(Pretty(message))
    shown = f"{message!r} {message} {[message]} {console.export_text()}"
    assert "<tag>" in shown
    assert repr(UID) not in shown
    assert UID.hex() not in shown.lower()
    type_, body = encode(message)
    with pytest.raises(BadMessage) as caught:
        decode(type_, body + b"\x09")
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert UID.hex() not in str(caught.value)


@pytest.mark.parametrize("digits", ["482913", "482913705518"])
def test_a_pin_shows_nowhere_and_no_length_tells_of_it(digits: str) -> None:
    message = PinTyped(1, digits)
    console = Console(width=200, record=True, quiet=True)
    console.print(Pretty(message))
    shown = f"{message!r} {message} {[message]} {console.export_text()}"
    assert repr(message) == "PinTyped(time=1, digits=<digits>)"
    type_, body = encode(message)
    assert len(body) == 16
    with pytest.raises(BadMessage) as caught:
        decode(type_, body + b"\x09")
    with pytest.raises(BadMessage) as unsent:
        encode(PinTyped(1, digits + "x"))
    assert digits[:6] not in f"{shown} {caught.value!r} {unsent.value!r} {unsent.value.__context__!r}"


def test_a_message_shows_everything_but_uids() -> None:
    assert repr(Burn(7)) == "Burn(id=7)"
    assert repr(Arrived(1, codes.Zone.BOARD, codes.Facing.UP, UID)) == (
        "Arrived(time=1, zone=<Zone.BOARD: 16>, facing=<Facing.UP: 2>, uid=<tag>)"
    )


def test_messages_are_frozen_and_equal_by_value() -> None:
    burn = Burn(7)
    assert burn == Burn(7) != Burn(8)
    assert len({burn, Burn(7)}) == 1
    with pytest.raises(AttributeError):
        burn.id = 8  # type: ignore[misc]


def test_enum_fields_decode_to_enums_and_ended_to_a_bool() -> None:
    result = decode(0x12, bytes(12) + bytes([0x28, 1, 4, 0]))
    assert isinstance(result, Result)
    assert (result.outcome, result.reason) == (codes.Outcome.REFUSED, codes.Reason.JAM)
    assert isinstance(result.outcome, codes.Outcome)
    fault = decode(0x14, bytes(4) + bytes([1, 1, 0]))
    assert msgspec.structs.astuple(fault) == (0, codes.Fault.JAM, True, 0)


def test_only_ack_and_close_go_both_ways() -> None:
    assert {cls.NAME for cls in MESSAGES.values() if cls.SENDER is Sender.BOTH} == {"ACK", "CLOSE"}
    assert decode(*encode(Ack())) == Ack()
    assert isinstance(
        decode(*encode(Caps(codes.DeviceKind.KEYPAD, 128, 32, 1, codes.Pairing.NONE, 7, b""))), Caps
    )


def test_a_payload_shorter_than_a_header_is_refused() -> None:
    with pytest.raises(MalformedFrame, match="6 bytes"):
        unpack(bytes(6))
