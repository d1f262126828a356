"""What the dealer is told: it fits the smallest display, and its files can be corrected by their errors."""

from functools import reduce
from importlib.resources import files
from itertools import combinations, pairwise, product

import msgspec
import pytest

from controller.decisions import Prompt
from controller.events import DEVICES
from controller.places import SEATS
from controller.prompt_files import catalogue
from controller.prompts.catalogue import (
    LANGUAGES,
    Catalogue,
    CatalogueError,
    Worded,
    read_looks,
    read_words,
)
from controller.prompts.layout import DEALER_SIDE, Layout, Span, even_layout
from firmware_bridge.codes import Colour, Pattern, PromptCode

COLUMNS, ROWS = 20, 2
MOST_CHIPS = 9_999_999
LOOKS = files("controller.prompts").joinpath("prompts.toml").read_text("utf-8")
WORDS = files("controller.prompts").joinpath("en.toml").read_text("utf-8")
CODES = frozenset(code.label for code in PromptCode)
STEPS_OF_REMEDIES = frozenset(code.label for code in PromptCode if code >= 32)


def _counts(code: str) -> tuple[int, ...]:
    if code == "device-lost":
        return tuple(range(1, len(DEVICES) + 1))
    if code in ("deal-hole", "deal-flop", "deal-turn", "deal-river"):
        return (1, 2, 3, 4)
    if code in ("wrong-set", "table-not-empty"):
        return (0, 9, 52)
    if code in STEPS_OF_REMEDIES:
        return (1, 9, 52)
    return (0, 5, 1000, MOST_CHIPS)


def _prompts() -> list[Prompt]:
    alone = [
        Prompt(code=code, seat=seat, count=count)
        for code in sorted(CODES)
        for seat, count in product((1, 9, 10, 11), _counts(code))
    ]
    shared = [
        Prompt(code="push-pot", count=count, seats=seats)
        for count in (0, 15, MOST_CHIPS)
        for size in range(2, len(SEATS) + 1)
        for seats in combinations(SEATS, size)
    ]
    stated = [
        msgspec.structs.replace(prompt, proof="ack") for prompt in alone if prompt.code in STEPS_OF_REMEDIES
    ]
    return alone + shared + stated


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_fits_two_lines_of_twenty_characters(language: str) -> None:
    for prompt in _prompts():
        worded = catalogue(language).word(prompt)
        whole = " ".join(f"{worded.glyph} {worded.text}".split())
        lines = worded.lines(COLUMNS, ROWS)
        assert " ".join(lines) == whole, f"cut off: {prompt}"
        assert all(len(line) <= COLUMNS for line in lines)
        assert whole.isascii(), "the smallest display knows ASCII alone"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_wire_has_a_look_and_a_text_and_there_are_no_more(language: str) -> None:
    words = catalogue(language)
    assert set(words.looks) == CODES
    variants = ("-split", "-ack", "-unknown")
    assert {reduce(str.removesuffix, variants, name) for name in words.words.text} == CODES
    assert len(words.words.devices) == len(DEVICES)


def test_every_colour_and_pattern_of_a_look_is_one_of_the_wire() -> None:
    for look in catalogue("en").looks.values():
        assert Colour.of(look.colour) is not Colour.OFF
        assert Pattern.of(look.pattern) is not Pattern.LOST


def test_each_player_prompt_names_its_seat_and_each_sum_its_chips() -> None:
    words = catalogue("en")
    for code in ("act-check", "act-call", "show-hand", "push-pot", "deal-hole"):
        assert "11" in words.word(Prompt(code=code, seat=11, count=2)).text
    for code in ("act-call", "push-pot"):
        assert "4321" in words.word(Prompt(code=code, seat=1, count=4321)).text
    assert "10,11" in words.word(Prompt(code="push-pot", seats=(10, 11), count=4321)).text
    assert [words.word(Prompt(code="device-lost", count=kind)).text for kind in (1, 5)] == [
        "Wait for the shoe",
        "Wait for the keypad",
    ]


def test_a_pot_that_nobody_has_counted_is_pushed_without_a_sum() -> None:
    words = catalogue("en")
    assert words.word(Prompt(code="push-pot", seat=7, seats=(7,))).text == "Push the pot to seat 7, ACK"
    assert words.word(Prompt(code="push-pot", seats=(4, 7))).text == "Split ACK: 4,7"


def test_seats_in_a_row_are_told_as_a_span() -> None:
    words = catalogue("en")
    assert words.word(Prompt(code="push-pot", seats=tuple(SEATS), count=110)).text == "Split 110 ACK: 1-11"
    assert words.word(Prompt(code="push-pot", seats=(1, 3, 4, 5, 8, 9))).text == "Split ACK: 1,3-5,8,9"


def test_prompts_that_must_not_be_confused_differ_without_colour() -> None:
    looks = catalogue("en").looks
    calm = {code for code, look in looks.items() if look.glyph != "!"}
    assert {code for code, look in looks.items() if look.pattern == "urgent"} == {"call-floor"}
    assert all(looks[code].colour != "red" or looks[code].pattern == "blink" for code in calm)
    assert (looks["act-check"].pattern, looks["act-call"].pattern) == ("steady", "ends")


def _line(source: str, text: str) -> int:
    return source[: source.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ('[burn]\ncolour = "white"', '[burn]\ncolour = "pink"', "[burn]", "burn: .*'pink'"),
        ('[burn]\ncolour = "white"', "[burn]", "[burn]", "burn: .*`colour`"),
        ('[burn]\ncolour = "white"', '[burn]\ncolour = "white"\nsize = 3', "[burn]", "burn: .*`size`"),
        ('[burn]\ncolour = "white"', '[burn]\ncolour = "white', 'colour = "white\n', ""),
        ('lights = ["burn"]', 'lights = ["door"]', "[burn]", "burn: .*'door'"),
    ],
)
def test_a_look_that_is_wrong_is_told_with_file_and_line(old: str, new: str, at: str, words: str) -> None:
    source = LOOKS.replace(old, new, 1)
    assert source != LOOKS
    line = _line(source, at)
    with pytest.raises(CatalogueError, match=rf"^prompts\.toml, line {line}: {words}"):
        read_looks(source, "prompts.toml")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('burn = "Burn one card"', 'burnt = "Burn one card"', "burnt is no prompt code"),
        ('burn = "Burn one card"', 'burn = "Burn the {card}"', r"burn has an unknown field .*card"),
        ('burn = "Burn one card"', 'burn = "Burn {one"', "burn"),
        ('burn = "Burn one card"', 'burn = "Burn }one"', "burn"),
        ('burn = "Burn one card"', 'burn = "Burn {count.real} {}"', "burn"),
        ('burn = "Burn one card"', "burn = 3", "burn"),
    ],
)
def test_a_text_that_is_wrong_is_told_with_file_and_line(old: str, new: str, words: str) -> None:
    source = WORDS.replace(old, new, 1)
    assert source != WORDS
    with pytest.raises(CatalogueError, match=rf"^en\.toml, line {_line(source, new)}: .*{words}"):
        read_words(source, "en.toml", CODES)


def test_a_text_that_is_missing_is_named() -> None:
    source = WORDS.replace('burn = "Burn one card"\n', "")
    line = _line(source, "[text]")
    with pytest.raises(CatalogueError, match=rf"^en\.toml, line {line}: there is no text for burn$"):
        read_words(source, "en.toml", CODES)


def test_a_device_without_a_name_is_told() -> None:
    source = WORDS.replace(', "keypad"]', "]")
    with pytest.raises(CatalogueError, match=rf"^en\.toml, line {_line(source, 'devices')}: "):
        read_words(source, "en.toml", CODES)


def test_long_words_are_broken_and_what_has_no_room_is_cut() -> None:
    worded = Worded("supercalifragilisticexpialidocious two three", ">", "white", "steady", ())
    assert worded.lines(20, 2) == (">", "supercalifragilistic")
    assert worded.lines(40, 1) == ("> supercalifragilisticexpialidocious two",)


# The ring


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
    for prompt in _prompts():
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
        Span(5, 9, "green", "blink"),
    )
    assert _lit(words, layout, Prompt(code="call-floor")) == (Span(0, 63, "red", "urgent"),)


def test_a_shared_pot_lights_every_winner_and_a_pot_of_one_his_seat() -> None:
    words, layout = catalogue("en"), even_layout(64)
    both = _lit(words, layout, Prompt(code="push-pot", seats=(2, 11), count=50))
    assert [span.first for span in both] == [layout.spans["seat:2"][0], layout.spans["seat:11"][0]]
    alone = _lit(words, layout, Prompt(code="push-pot", seat=2, seats=(2,), count=50))
    assert alone == both[:1]
