"""What the dealer is told: it fits the smallest display in every language and every character set, and its
files can be corrected by their errors."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from controller.decisions import Prompt
from controller.errors import RuleFileError
from controller.events import DEVICES
from controller.places import SEATS
from controller.prompt_files import catalogue
from controller.prompts import LANGUAGES
from controller.prompts.catalogue import Worded, read_looks, read_words, without_variant
from controller.prompts.spelling import CHARSETS, Charset
from controller.prompts.texts import CatalogueError, displayed, fields_of, keys_in
from controller.rule_files import rulebook_in
from tests.docs.pages import rows, section
from tests.shell.every_prompt import CODES, every_prompt

COLUMNS, ROWS = 20, 2
LOOKS = files("controller.prompts").joinpath("prompts.toml").read_text("utf-8")
WORDS = {
    language: files("controller.prompts").joinpath(f"{language}.toml").read_text("utf-8")
    for language in LANGUAGES
}
ENGLISH = catalogue("en")
LIKE = ENGLISH.words
OTHERS = tuple(language for language in LANGUAGES if language != "en")
WIRE = rows(section("docs/protocol.md", "Prompt codes"))
ASKED = {code: asked for _, code, _, _, asked in WIRE}
COUNTED = {code: count for _, code, _, count, _ in WIRE}
SAID_ANYHOW = ("cut-pack", "show-hand")
"""Where the key only says what every dealer says: the cut is made, a hand is shown."""


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_fits_two_lines_of_twenty_characters(language: str, charset: Charset) -> None:
    words = catalogue(language)
    for prompt in every_prompt():
        worded = words.word(prompt)
        lines = worded.lines(COLUMNS, ROWS, charset)
        whole = displayed(worded.glyph, worded.text, charset).split()
        assert " ".join(lines).split() == whole, f"cut off: {prompt}"
        assert all(len(line) <= COLUMNS for line in lines)


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_is_written_without_a_question_mark_that_is_none(
    language: str, charset: Charset
) -> None:
    words = catalogue(language)
    for prompt in every_prompt():
        worded = words.word(prompt)
        shown = displayed(worded.glyph, worded.text, charset)
        assert shown.encode(charset).decode(charset) == shown
        assert shown.count("?") == f"{worded.glyph}{worded.text}".count("?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_wire_has_a_look_and_a_text_and_there_are_no_more(language: str) -> None:
    words = catalogue(language)
    assert set(words.looks) == CODES
    assert {without_variant(name) for name in words.words.text} == CODES
    assert len(words.words.devices) == len(set(words.words.devices)) == len(DEVICES)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_says_the_same_as_english_with_the_same_fields_and_keys(language: str) -> None:
    texts = catalogue(language).words.text
    assert texts.keys() == ENGLISH.words.text.keys()
    for name, english in ENGLISH.words.text.items():
        assert fields_of(texts[name]) == fields_of(english), name
        assert keys_in(texts[name]) == keys_in(english), name


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str) -> None:
    texts = catalogue(language).words.text
    assert [name for name, text in texts.items() if text and text == ENGLISH.words.text[name]] == []


@pytest.mark.parametrize(
    "code", sorted(code for code, asked in ASKED.items() if re.search(r"\back\b", asked))
)
def test_a_prompt_that_the_key_answers_names_the_key(code: str) -> None:
    only_unseen = re.search(r"\back where|; where .*\back\b", ASKED[code])
    name = f"{code}-ack" if only_unseen and code not in SAID_ANYHOW else code
    assert name in LIKE.text, f"en.toml: there is no text for {name}"
    assert "ACK" in keys_in(LIKE.text[name]) or code in SAID_ANYHOW, (
        f"en.toml: {name} does not name the key ACK"
    )


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_text_has_room_for_what_its_count_counts(code: str) -> None:
    assert (ENGLISH.looks[code].count == "chips") == ("chips" in COUNTED[code]), (
        f"prompts.toml: count of {code}"
    )


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
        (
            '"urgent"\ncalm = "steady"',
            '"urgent"',
            "[call-floor]",
            "call-floor: `urgent` flashes: say by `calm`",
        ),
        ('"urgent"\ncalm = "steady"', '"urgent"\ncalm = "blink"', "[call-floor]", "call-floor: .*'blink'"),
        (
            '[burn]\ncolour = "white"',
            '[burn]\ncolour = "white"\ncalm = "ends"',
            "[burn]",
            "burn: .*leave `calm`",
        ),
    ],
)
def test_a_look_that_is_wrong_is_told_with_file_and_line(old: str, new: str, at: str, words: str) -> None:
    source = LOOKS.replace(old, new, 1)
    assert source != LOOKS
    line = _line(source, at)
    with pytest.raises(CatalogueError, match=rf"^prompts\.toml, line {line}: {words}"):
        read_looks(source, "prompts.toml")


_LONG = "Burn one card, and then one more beside it"
WRONG_TEXTS = [
    ("burnt", "Burn one card", "burnt is no prompt code"),
    ("burn-ack", "Burn one card, ACK", "burn-ack is no prompt code, nor a variant"),
    ("burn", "Burn the {card}", r"burn has an unknown field .*card"),
    ("burn", "Burn {one", "burn: "),
    ("burn", "Burn }one", "burn: "),
    ("burn", "Burn {count.real} {}", "burn has an unknown field"),
    ("burn", "Burn {count:>9}", "burn: a field is a name alone"),
    ("burn", "Burn {count!r}", "burn: a field is a name alone"),
    ("burn", " ", "burn has no text"),
    ("burn", _LONG, "burn is too long for 2 lines of 20 in ascii: > Burn one card, and / "),
    ("burn", "Supercalifragilisticexpialidocious", "burn is too long"),
    (
        "burn",
        "Ψάξε χίλια χαρτιά ψηλά, ψάξε χθες",
        "burn is too long for 2 lines of 20 in ascii: > Psaxe chilia / ",
    ),
    ("burn", "Spal jedną kartę 日", "burn has '日'"),
    ("burn", "Burn one card, ACK", "burn must name the keys that the dealer has to press: none"),
    ("gather", "All cards in", "gather must name the keys that the dealer has to press: ACK"),
    ("take-rake", "Take all of {count} for the house, ACK", "take-rake is too long .* 9999999"),
]


def _with(text: str, name: str, said: str) -> str:
    """A file in which one text says something else, or is added."""
    line = f'{name} = "{said}"'
    changed, found = re.subn(rf"^{name} = .*$", line, text, flags=re.MULTILINE)
    return changed if found else f"{text}{line}\n"


@pytest.mark.parametrize(("name", "said", "words"), WRONG_TEXTS)
@pytest.mark.parametrize("language", OTHERS)
def test_a_text_that_is_wrong_is_told_with_file_and_line(
    language: str, name: str, said: str, words: str
) -> None:
    source = _with(WORDS[language], name, said)
    line = _line(source, f'{name} = "{said}"')
    with pytest.raises(CatalogueError, match=rf"^{language}\.toml, line {line}: {words}"):
        read_words(source, f"{language}.toml", ENGLISH.looks, LIKE)


def test_a_text_that_is_no_text_is_told_with_file_and_line() -> None:
    source = re.sub(r"^burn = .*$", "burn = 3", WORDS["en"], flags=re.MULTILINE)
    with pytest.raises(
        CatalogueError, match=rf"^en\.toml, line {_line(source, 'burn = 3')}: burn: expected a text"
    ):
        read_words(source, "en.toml", ENGLISH.looks)


@pytest.mark.parametrize("name", sorted(LIKE.text))
@pytest.mark.parametrize("language", OTHERS)
def test_a_text_that_is_missing_is_named(language: str, name: str) -> None:
    """A code's own text as well as every variant of it."""
    source = re.sub(rf"^{name} = .*\n", "", WORDS[language], flags=re.MULTILINE)
    line = _line(source, "[text]")
    with pytest.raises(
        CatalogueError, match=rf"^{language}\.toml, line {line}: there is no text for {name}$"
    ):
        read_words(source, f"{language}.toml", ENGLISH.looks, LIKE)


def test_a_code_without_an_english_text_is_named() -> None:
    source = re.sub(r"^burn = .*\n", "", WORDS["en"], flags=re.MULTILINE)
    with pytest.raises(CatalogueError, match=r"^en\.toml, line \d+: there is no text for burn$"):
        read_words(source, "en.toml", ENGLISH.looks)


def test_a_device_without_a_name_is_told() -> None:
    source = WORDS["en"].replace(', "keypad"]', "]")
    with pytest.raises(CatalogueError, match=rf"^en\.toml, line {_line(source, 'devices')}: "):
        read_words(source, "en.toml", ENGLISH.looks)


def test_a_letter_and_its_accent_are_one_column() -> None:
    source = _with(WORDS["it"], "act-check", "Tocca al posto {seat}: puo\u0300 fare check")
    assert read_words(source, "it.toml", ENGLISH.looks, LIKE) == catalogue("it").words


# A card room's own words

HOUSE = {"burn": "Burn and turn", "gather": "Bring them all home, ACK"}


def test_a_card_room_words_prompts_anew_and_leaves_the_others() -> None:
    house = ENGLISH.saying(HOUSE)
    assert house.word(Prompt(code="burn")).text == "Burn and turn"
    assert house.word(Prompt(code="gather")).text == "Bring them all home, ACK"
    assert house.word(Prompt(code="deal-flop")) == ENGLISH.word(Prompt(code="deal-flop"))
    assert house.looks == ENGLISH.looks
    assert ENGLISH.word(Prompt(code="burn")).text == "Burn one card"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('burnt = "Burn"', "burnt is no prompt code, nor a variant that one has: did you mean burn?"),
        ("push-pot = 3", "push-pot: expected a text"),
        ('push-pot = ""', "push-pot has no text"),
        ('push-pot = "Push {pot}, ACK"', "push-pot has an unknown field"),
        ('push-pot = "Push {count} to seat {seat}"', "push-pot must name the keys .*: ACK"),
        ('push-pot = "Push all {count} chips to seat {seat}, ACK"', "push-pot is too long"),
    ],
)
def test_a_card_rooms_words_keep_the_same_rules_and_errors_name_their_line(
    more: str, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(f'name = "house"\ntitle = "House"\nextends = "tda"\n[words.en]\n{more}\n', "utf-8")
    with pytest.raises(RuleFileError, match=rf"house\.toml, line 5: {words}"):
        rulebook_in(file)


# Lines


def test_long_words_are_broken_and_what_has_no_room_is_cut() -> None:
    worded = Worded("supercalifragilisticexpialidocious two three", ">", "white", "steady", ())
    assert worded.lines(20, 2) == (">", "supercalifragilistic")
    assert worded.lines(40, 1) == ("> supercalifragilisticexpialidocious two",)
