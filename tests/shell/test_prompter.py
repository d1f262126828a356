"""Prompts on their way to the ring: numbered, worded for its display, and settled once it has confirmed."""

import pytest
from msgspec.structs import replace

from controller.decisions import Prompt
from controller.prompt_files import catalogue
from controller.prompter import Prompter
from controller.prompts import LANGUAGES
from controller.prompts.catalogue import Catalogue
from controller.prompts.layout import Layout
from controller.prompts.spelling import CHARSETS
from firmware_bridge.capabilities import PromptsCaps
from firmware_bridge.codes import Charset, Colour, Outcome, Pattern, PromptCode, Reason
from firmware_bridge.messages import Leds, Order, Show, Shown, Span, TextChunk, encode
from hil_rigs.virtual.device import Clock, Identity
from hil_rigs.virtual.prompts import Prompts, PromptsOptions
from tests.shell.every_prompt import every_prompt

RING = PromptsCaps(leds=64, columns=20, rows=2, charset=Charset.ASCII)
CALL = Prompt(code="act-call", seat=3, count=250)


def _show(orders: list[Order]) -> Show:
    assert isinstance(orders[-1], Show)
    return orders[-1]


def _text(orders: list[Order]) -> bytes:
    return b"".join(order.chunk for order in orders if isinstance(order, TextChunk))


def _spans(orders: list[Order]) -> list[Span]:
    return [span for order in orders if isinstance(order, Leds) for span in order.spans]


def _settled(prompter: Prompter) -> bool:
    return prompter.settled


def test_a_prompt_goes_out_with_its_code_its_numbers_its_words_and_its_leds() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    orders = prompter.show(CALL)
    show = _show(orders)
    assert (show.code, show.seat, show.count) == (PromptCode.ACT_CALL, 3, 250)
    assert _text(orders) == b"? Seat 3 to act: 250\nto call"
    assert _spans(orders) == [Span(8, 11, Colour.AMBER, Pattern.ENDS)]


def test_a_configured_ring_lights_what_the_configuration_says() -> None:
    prompter = Prompter(catalogue("en"), Layout(64, {"seat:3": (60, 1)}))
    prompter.ring_is(RING)
    assert _spans(prompter.show(CALL)) == [Span(60, 1, Colour.AMBER, Pattern.ENDS)]


def test_without_a_ring_a_prompt_waits_and_is_shown_when_it_comes() -> None:
    prompter = Prompter(catalogue("en"))
    assert prompter.show(CALL) == []
    assert _settled(prompter)
    assert _show(prompter.ring_is(RING)).code is PromptCode.ACT_CALL
    prompter.ring_is_gone()
    assert prompter.show(Prompt(code="burn")) == []
    assert _show(prompter.ring_is(RING)).code is PromptCode.BURN


def test_a_ring_that_was_never_asked_for_anything_gets_nothing() -> None:
    assert Prompter(catalogue("en")).ring_is(RING) == []


def test_a_prompt_is_settled_once_the_ring_has_answered_for_it_and_for_no_other() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    first = _show(prompter.show(CALL)).prompt
    second = _show(prompter.show(Prompt(code="burn"))).prompt
    prompter.shown(Shown(1, first, Outcome.DONE, Reason.NONE))
    assert not _settled(prompter)
    prompter.shown(Shown(1, second, Outcome.DONE, Reason.NONE))
    assert _settled(prompter)
    prompter.show(CALL)
    assert not _settled(prompter)
    prompter.ring_is_gone()
    assert _settled(prompter)


def test_every_showing_has_a_number_of_its_own_and_numbers_come_round() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    numbers = [_show(prompter.show(CALL)).prompt for _ in range(0x10001)]
    assert all(0 <= number <= 0xFFFF for number in numbers)
    assert len(set(numbers[:0x10000])) == 0x10000
    assert numbers[0] == numbers[-1]


def test_chips_beyond_what_the_wire_can_count_are_shown_as_the_most_it_can() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    assert _show(prompter.show(Prompt(code="push-pot", seat=1, count=2**40))).count == 2**32 - 1


@pytest.mark.parametrize(
    ("language", "charset", "said"),
    [
        ("it", Charset.ASCII, "? Tocca al posto 3:\npuo fare check"),
        ("it", Charset.LATIN_1, "? Tocca al posto 3:\npuò fare check"),
        ("it", Charset.UTF_8, "? Tocca al posto 3:\npuò fare check"),
        ("el", Charset.ASCII, "? Paizei i thesi 3:\nborei tsek"),
        ("el", Charset.LATIN_1, "? Paizei i thesi 3:\nborei tsek"),
        ("el", Charset.UTF_8, "? Παίζει η θέση 3:\nμπορεί τσεκ"),
    ],
)
def test_words_are_written_in_the_rings_own_characters(language: str, charset: Charset, said: str) -> None:
    prompter = Prompter(catalogue(language))
    prompter.ring_is(PromptsCaps(leds=64, columns=20, rows=2, charset=charset))
    encoding = {Charset.ASCII: "ascii", Charset.LATIN_1: "latin-1", Charset.UTF_8: "utf-8"}[charset]
    orders = prompter.show(Prompt(code="act-check", seat=3))
    assert _text(orders) == said.encode(encoding)
    assert _show(orders).length == len(said.encode(encoding))


@pytest.mark.parametrize("charset", list(Charset))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_arrives_whole_on_the_smallest_ring(language: str, charset: Charset) -> None:
    """Columns are characters, offsets and lengths bytes: a letter of two bytes may be cut between chunks."""
    ring = Prompts(Identity("PR"), Clock(), PromptsOptions(leds=24, columns=20, rows=2, charset=charset))
    prompter = Prompter(catalogue(language))
    prompter.ring_is(PromptsCaps(leds=24, columns=20, rows=2, charset=charset))
    for prompt in {(prompt.code, prompt.seats[2:]): prompt for prompt in every_prompt()}.values():
        for order in prompter.show(prompt):
            ring.handle(*encode(order))
        worded = prompter.word(prompt)[0]
        lines = worded.lines(20, 2, CHARSETS[charset])
        assert ring.display is not None
        assert (ring.display.text, ring.display.code) == ("\n".join(lines), PromptCode.of(prompt.code))


def test_a_text_of_many_bytes_is_cut_between_two_letters() -> None:
    english = catalogue("en")
    long = replace(english.words, text={**english.words.text, "burn": "日本 " * 40})
    prompter = Prompter(Catalogue(english.looks, long))
    prompter.ring_is(PromptsCaps(leds=24, columns=255, rows=2, charset=Charset.UTF_8))
    orders = prompter.show(Prompt(code="burn"))
    assert 250 <= _show(orders).length <= 255
    assert _text(orders).decode().startswith("> 日本 日本")


# Acknowledged

FLOOR = Prompt(code="call-floor")


def test_an_acknowledged_prompt_is_shown_again_by_its_calm_pattern_with_the_same_words() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    flashing = prompter.show(FLOOR)
    seen = replace(FLOOR, acknowledged=True)
    assert not prompter.is_on_display(seen)
    calm = prompter.show(seen)
    assert _spans(flashing) == [Span(0, 63, Colour.RED, Pattern.URGENT)]
    assert _spans(calm) == [Span(0, 63, Colour.RED, Pattern.STEADY)]
    assert _text(calm) == _text(flashing)


def test_an_acknowledged_prompt_that_was_calm_is_on_display_already() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    prompter.show(CALL)
    assert prompter.is_on_display(replace(CALL, acknowledged=True))
    assert not prompter.is_on_display(replace(CALL, acknowledged=True, count=300))
    assert not prompter.is_on_display(CALL), "asked for anew it is sent anew"


def test_a_ring_that_is_back_shows_what_was_acknowledged_calm() -> None:
    prompter = Prompter(catalogue("en"))
    prompter.ring_is(RING)
    prompter.show(replace(FLOOR, acknowledged=True))
    prompter.ring_is_gone()
    assert _spans(prompter.ring_is(RING)) == [Span(0, 63, Colour.RED, Pattern.STEADY)]
