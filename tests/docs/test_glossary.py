"""docs/glossary.md: prompts say what a card room says, and another display gets the page's spelling."""

import re
import unicodedata

import pytest

from controller.prompt_files import catalogue
from controller.prompts.spelling import GREEK, GREEK_FIRST, spelled
from tests.docs.pages import rows, section, text_of

PAGE = "docs/glossary.md"
WORDS = {english: (italian, greek) for english, italian, greek in rows(section(PAGE, "The dealer's words"))}
HELD = [
    ("seat", "seat", ("posto",), ("θεση", "θεσης")),
    ("deck", "deck", ("mazzo",), ("τραπουλα",)),
    ("the stub", "stub", ("resto",), ("υπολοιπο",)),
    ("hole card", "face down", ("copert",), ("κλειστο",)),
    ("board, community cards", "board", ("board",), ("μπορντ",)),
    ("flop, turn, river", "flop", ("flop",), ("φλοπ",)),
    ("flop, turn, river", "river", ("river",), ("ριβερ",)),
    ("deal the flop / turn / river", "deal the", ("gira il",), ("ανοιξε",)),
    ("to burn, burn card", "last burn card", ("bruciata",), ("καμενο",)),
    ("muck (folded cards)", "muck", ("scarti",), ("πεταμενα",)),
    ("set aside", "aside", ("da parte",), ("ακρη",)),
    ("exposed card", "shown", ("scoperta",), ("φανηκε",)),
    ("too early, premature", "early", ("anticipat",), ("προωρο",)),
    ("misdeal", "misdeal", ("mano da ridare",), ("ακυρο μοιρασμα",)),
    ("to cut, cut card", "cut card", ("carta di taglio",), ("καρτα κοπης",)),
    ("shuffler", "shuffler", ("mescolatrice", "dentro"), ("μηχανη", "μεσα")),
    ("shoe", "shoe", ("sabot",), ("σαμπο",)),
    (
        "betting round, betting complete",
        "betting complete",
        ("puntate complete",),
        ("πονταρισματα εκλεισαν",),
    ),
    ("check, call, bet, raise, fold, all-in", "may check", ("check",), ("τσεκ",)),
    ("check, call, bet, raise, fold, all-in", "folded", ("passo",), ("πασο",)),
    ("pot, side pot", "the pot", ("piatto",), ("ποτ",)),
    ("call the floor", "call the floor", ("chiama il responsabile",), ("καλεσε τον υπευθυνο",)),
    ("wait", "wait", ("attendi",), ("περιμενε",)),
]
"""A row of the page, what English prompts say of it, and what the others then say: one of these."""


def plain(text: str) -> str:
    """Small letters without accents."""
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


@pytest.mark.parametrize("language", ["it", "el"])
@pytest.mark.parametrize("held", HELD, ids=lambda held: held[1])
def test_a_prompt_says_the_word_of_the_card_room(
    language: str, held: tuple[str, str, tuple[str, ...], tuple[str, ...]]
) -> None:
    _, english, italian, greek = held
    said = {"it": italian, "el": greek}[language]
    texts = catalogue(language).words.text
    speaking = [
        name
        for name, text in catalogue("en").words.text.items()
        if re.search(rf"\b{english}\b", text.lower())
    ]
    assert speaking, f"no English prompt says {english!r}"
    for name in speaking:
        assert any(word in plain(texts[name]) for word in said), f"{language}: {name}: {texts[name]!r}"


@pytest.mark.parametrize("held", HELD, ids=lambda held: held[1])
def test_what_is_held_stands_in_its_row_of_the_page(
    held: tuple[str, str, tuple[str, ...], tuple[str, ...]],
) -> None:
    row, _, italian, greek = held
    for words, cell in zip((italian, greek), WORDS[row], strict=True):
        first = words[0][:5]
        assert first in plain(cell), f"{words[0]!r} is not in {cell!r}"


def test_the_page_has_the_whole_table_of_greek_letters() -> None:
    table = text_of(PAGE).split("| Greek | Latin |")[1]
    told: dict[str, str] = {}
    for greek, latin in re.findall(r"^\| ([α-ως ]+) \| ([a-z ]+?)(?:;.*)? \|$", table, re.MULTILINE):
        told |= dict(zip(greek.split(), latin.split(), strict=True))
    unaccented = {group: latin for group, latin in GREEK.items() if plain(group) == group}
    softened = {group for group in unaccented if len(group) == 3}
    assert {group for group in softened if group[:2] not in ("αυ", "ευ")} == set()
    assert {group[2] for group in softened} == set("θκξπστφχψ")
    assert all(unaccented[group] == unaccented[group[0]] + "f" + unaccented[group[2]] for group in softened)
    shorter = {group: latin for group, latin in unaccented.items() if group not in softened}
    assert shorter | {"μπ": "mp"} == told
    assert GREEK_FIRST == {"μπ": "b"}


def test_the_examples_are_spelled_as_the_page_says() -> None:
    examples = re.findall(r"`([^`]+)` is `([^`]+)`", section(PAGE, "Displays without these letters"))
    assert len(examples) == 2
    for written, shown in examples:
        assert spelled(written, "ascii") == shown
