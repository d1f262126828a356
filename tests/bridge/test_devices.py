"""What devices need beyond single messages."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.codes import Colour, Pattern, PromptCode, Zone
from firmware_bridge.devices import prompts, shuffler, zones
from firmware_bridge.framing import crc16
from firmware_bridge.messages import (
    DeckBegin,
    DeckEnd,
    DeckTags,
    Leds,
    Order,
    Show,
    Span,
    TextChunk,
    encode,
)
from tests.bridge.protocol_document import SECTIONS

SPANS = (Span(8, 11, Colour.GREEN, Pattern.STEADY), Span(40, 41, Colour.WHITE, Pattern.ENDS))


def _tags(count: int) -> list[bytes]:
    return [random.Random(count).randbytes(7) + bytes((index,)) for index in range(count)]


@pytest.mark.parametrize("count", [1, 4, 5, 52, 56])
def test_a_deck_goes_out_in_chunks_of_four_that_give_the_table_and_its_crc(count: int) -> None:
    tags = _tags(count)
    begin, *chunks, end = shuffler.deck_table(1, tags)
    assert (begin, end) == (DeckBegin(1, count), DeckEnd(1))
    table: list[bytes] = []
    for chunk in chunks:
        assert isinstance(chunk, DeckTags)
        assert chunk.first == len(table)
        assert 1 <= len(chunk.uids) <= 4
        encode(chunk)
        table += chunk.uids
    assert table == tags
    assert shuffler.deck_crc(tags) == crc16(b"".join(b"\x08" + tag for tag in tags))


@pytest.mark.parametrize("tags", [[], _tags(57), [b"abcd", b"abcd"]])
def test_a_deck_that_cannot_be_is_refused(tags: list[bytes]) -> None:
    with pytest.raises(ValueError, match="a deck has"):
        shuffler.deck_table(0, tags)


@given(st.frozensets(st.integers(0, 55)))
def test_a_mask_names_its_members_and_no_others(members: frozenset[int]) -> None:
    mask = shuffler.mask(members)
    assert all(bool(mask[index // 8] >> index % 8 & 1) == (index in members) for index in range(56))
    assert shuffler.indices(mask) == members


def test_masks_outside_their_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match="56"):
        shuffler.mask([56])
    with pytest.raises(ValueError, match="7 bytes"):
        shuffler.indices(bytes(8))


def test_a_prompt_is_spans_then_text_then_show_with_the_documents_crc() -> None:
    (example,) = [section for section in SECTIONS if section.name == "SHOW"]
    sent = prompts.show(12, PromptCode.ACT_CHECK, seat=4, count=20, spans=SPANS, text=b"Seat 4")
    assert sent == [
        Leds(12, SPANS),
        TextChunk(12, 0, b"Seat 4"),
        Show(12, PromptCode.ACT_CHECK, 4, 20, 2, 6, example.values["crc"]),  # type: ignore[arg-type]
    ]


@given(st.integers(0, 40), st.binary(max_size=255))
def test_a_long_prompt_is_cut_into_frames_that_fit(spans: int, text: bytes) -> None:
    *parts, show = prompts.show(1, PromptCode.BURN, spans=SPANS[:1] * spans, text=text)
    assert isinstance(show, Show)
    assert (show.spans, show.length) == (spans, len(text))
    assert _bytes_of(parts) == b"".join(map(bytes, SPANS[:1] * spans)) + text
    assert crc16(_bytes_of(parts)) == show.crc
    for part in [*parts, show]:
        encode(part)


def _bytes_of(parts: list[Order]) -> bytes:
    collected = b""
    text = b""
    for part in parts:
        if isinstance(part, Leds):
            assert not text, "spans come first"
            collected += b"".join(map(bytes, part.spans))
        else:
            assert isinstance(part, TextChunk)
            assert part.offset == len(text)
            text += part.chunk
    return collected + text


def test_an_empty_prompt_is_show_alone() -> None:
    assert prompts.show(3, PromptCode.NOTHING) == [Show(3, PromptCode.NOTHING, 0, 0, 0, 0, 0xFFFF)]


def test_a_prompt_longer_than_show_can_say_is_refused() -> None:
    with pytest.raises(ValueError, match="255"):
        prompts.show(1, PromptCode.BURN, text=bytes(256))


def test_occupied_zones_are_those_of_the_bits() -> None:
    assert zones.occupied(65552) == {Zone.SEAT_4, Zone.BOARD}
