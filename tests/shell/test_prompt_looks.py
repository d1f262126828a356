"""What lights up: each prompt is read by position, shape and words, without colours; only what stands out
from ordinary play flashes, and only until it is acknowledged."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest

from controller.decisions import Prompt
from controller.places import SEATS
from controller.prompt_files import catalogue
from controller.prompts import LANGUAGES
from controller.prompts.catalogue import FLASHING, Catalogue
from controller.prompts.layout import DEALER_SIDE, Layout, Span, even_layout
from controller.prompts.spelling import CHARSETS, Charset
from firmware_bridge.codes import Colour, Pattern, PromptCode
from hil_rigs.virtual.lamps import lit
from tests.shell.every_prompt import every_prompt

LOOKS = catalogue("en").looks
ORDINARY = frozenset(
    code.label for code in PromptCode if code <= PromptCode.GATHER and code is not PromptCode.WRONG_SET
) | {"other-deck-in", "park-deck", "parked-deck-in", "draw-button", "take-rake"}
"""A hand without anything in it that had to be put right."""
DEALING_ON = frozenset({"replace-exposed", "deal-on"})
"""Steps of remedies that are no more than the next card."""


def test_every_colour_and_pattern_of_a_look_is_one_of_the_wire() -> None:
    for look in LOOKS.values():
        assert Colour.of(look.colour) is not Colour.OFF
        assert Pattern.of(look.pattern) is not Pattern.LOST


@pytest.mark.parametrize("code", sorted(LOOKS))
def test_ordinary_play_is_calm_and_all_else_flashes_until_it_is_acknowledged(code: str) -> None:
    flashes = LOOKS[code].pattern in FLASHING
    calm = code in ORDINARY | DEALING_ON
    assert flashes != calm, f"prompts.toml: {code} " + (
        "is ordinary play" if calm else "stands out from play"
    )
    words = catalogue("en")
    prompt = Prompt(code=code, seat=3, count=1, seats=(3,))
    seen = words.word(msgspec.structs.replace(prompt, acknowledged=True))
    assert seen.pattern not in FLASHING
    assert replace(seen, pattern=LOOKS[code].pattern) == words.word(prompt), "nothing else changes"


def test_only_a_halted_table_is_urgent_and_only_what_stops_play_lights_the_whole_ring() -> None:
    assert {code for code, look in LOOKS.items() if look.pattern == "urgent"} == {"call-floor"}
    whole = {code for code, look in LOOKS.items() if "all" in look.lights}
    assert whole == {code for code, look in LOOKS.items() if look.glyph == "!"}
    shapes = [(LOOKS[code].pattern, LOOKS[code].calm) for code in whole]
    assert len(set(shapes)) == len(shapes)


def test_red_is_never_the_only_sign() -> None:
    assert [
        code for code, look in LOOKS.items() if look.colour == "red" and look.pattern not in FLASHING
    ] == []


def test_what_is_asked_at_one_place_in_ordinary_play_is_told_apart_by_shape_or_sign() -> None:
    """Laying a deck in or taking one out is the same demand, whichever deck; so is dealing a street."""
    alike = defaultdict[object, set[str]](set)
    for code in ORDINARY:
        look = LOOKS[code]
        alike[look.lights, look.pattern, look.glyph].add(code)
    assert sorted(sorted(codes) for codes in alike.values() if len(codes) > 1) == [
        ["deal-flop", "deal-river", "deal-turn"],
        ["deck-in", "other-deck-in", "parked-deck-in"],
        ["lift-pack", "park-deck"],
    ]


@pytest.mark.parametrize("leds", [24, 48, 64])
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_demands_look_the_same_to_whoever_sees_no_colours(
    language: str, charset: Charset, leds: int
) -> None:
    """On the display as it is, the smallest: the lit LEDs over time and both lines of text."""
    words, layout = catalogue(language), even_layout(leds)
    demands = defaultdict[object, set[tuple[str, int, tuple[int, ...]]]](set)
    for prompt in every_prompt():
        worded = words.word(prompt)
        spans = tuple((span.first, span.last, span.pattern) for span in layout.light(prompt, worded))
        of_a_seat = "seat" in worded.lights or "{seat}" in words.words.text[prompt.code]
        demand = (prompt.code, prompt.seat if of_a_seat else 0, prompt.seats)
        demands[spans, worded.lines(20, 2, charset)].add(demand)
    assert [alike for alike in demands.values() if len(alike) > 1] == []


@pytest.mark.parametrize("code", sorted(code for code, look in LOOKS.items() if look.lights))
def test_an_acknowledged_prompt_lights_at_every_moment_and_never_all_at_once_goes_dark(code: str) -> None:
    words, layout = catalogue("en"), even_layout(48)
    prompt = Prompt(code=code, seat=3, count=1, seats=(3,), acknowledged=True)
    spans = [
        (span.first, span.last, Colour.of(span.colour), Pattern.of(span.pattern))
        for span in _lit(words, layout, prompt)
    ]
    assert all(lit(48, spans, ms) for ms in range(0, 4_000, 10))


@pytest.mark.parametrize("leds", range(24, 65))
def test_an_even_ring_gives_each_thing_its_own_leds_in_the_order_of_the_table(leds: int) -> None:
    layout = even_layout(leds)
    assert list(layout.spans) == [f"seat:{seat}" for seat in SEATS] + list(DEALER_SIDE)
    spans = list(layout.spans.values())
    assert all(0 <= first <= last < leds for first, last in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    assert len({last - first for first, last in spans}) == 1


def test_a_ring_without_room_for_all_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 16 LEDs, not 15"):
        even_layout(15)


def _lit(words: Catalogue, layout: Layout, prompt: Prompt) -> tuple[Span, ...]:
    return layout.light(prompt, words.word(prompt))


@pytest.mark.parametrize("leds", [24, 37, 64])
def test_every_prompt_lights_only_leds_of_the_ring(leds: int) -> None:
    words, layout = catalogue("en"), even_layout(leds)
    for prompt in every_prompt():
        spans = _lit(words, layout, prompt)
        assert all(0 <= span.first < leds and 0 <= span.last < leds for span in spans)
        assert bool(spans) == (prompt.code != "nothing")


def test_no_two_seats_light_alike() -> None:
    words, layout = catalogue("en"), even_layout(24)
    lit = [_lit(words, layout, Prompt(code="act-check", seat=seat)) for seat in SEATS]
    assert len(set(lit)) == len(SEATS)


def test_a_configured_span_may_run_over_the_rings_end() -> None:
    layout = Layout(64, {"board": (60, 2), "seat:3": (5, 9)})
    assert _lit(catalogue("en"), layout, Prompt(code="betting")) == (Span(60, 2, "green", "steady"),)


def test_what_the_ring_has_no_leds_for_is_told_by_text_alone() -> None:
    layout = Layout(64, {"seat:3": (5, 9)})
    words = catalogue("en")
    assert _lit(words, layout, Prompt(code="act-check", seat=4)) == ()
    assert _lit(words, layout, Prompt(code="push-pot", seats=(3, 4), count=5)) == (
        Span(5, 9, "green", "chase"),
    )
    assert _lit(words, layout, Prompt(code="call-floor")) == (Span(0, 63, "red", "urgent"),)


def test_a_shared_pot_lights_every_winner_and_a_pot_of_one_his_seat() -> None:
    words, layout = catalogue("en"), even_layout(64)
    both = _lit(words, layout, Prompt(code="push-pot", seats=(2, 11), count=50))
    assert [span.first for span in both] == [layout.spans["seat:2"][0], layout.spans["seat:11"][0]]
    alone = _lit(words, layout, Prompt(code="push-pot", seat=2, seats=(2,), count=50))
    assert alone == both[:1]
