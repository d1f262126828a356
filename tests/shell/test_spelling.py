"""A display without Greek or accents gets the same words in letters that it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.prompts.spelling import CHARSETS, Charset, spelled, unspelled


@pytest.mark.parametrize(
    ("text", "ascii_", "latin_1"),
    [
        ("Deal the flop", "Deal the flop", "Deal the flop"),
        ("può fare più È", "puo fare piu E", "può fare più È"),
        ("Κάλεσε τον υπεύθυνο", "Kalese ton ypefthyno", "Kalese ton ypefthyno"),
        ("Θέση 7: ψάξε χίλια ΦΥΛΛΑ", "Thesi 7: psaxe chilia FYLLA", "Thesi 7: psaxe chilia FYLLA"),
        ("Μπορντ, αμπέλι, λάμπα", "Bornt, ampeli, lampa", "Bornt, ampeli, lampa"),
        (
            "αυτό, αύριο, ευρώ, άυλος, αϋπνία",
            "afto, avrio, evro, aylos, aypnia",
            "afto, avrio, evro, aylos, aypnia",
        ),
        ("ΟΥΡΑ, Ουρά, που, πού", "OURA, Oura, pou, pou", "OURA, Oura, pou, pou"),
        ("φάγγος, σφίγξ, έλεγχος", "fangos, sfinx, elenchos", "fangos, sfinx, elenchos"),
        ("“Στοπ” – κάψ’ το…", '"Stop" - kaps\' to...', '"Stop" - kaps\' to...'),
        ("cafe\u0301", "cafe", "café"),
    ],
)
def test_what_a_display_lacks_is_spelled_in_letters_that_it_has(text: str, ascii_: str, latin_1: str) -> None:
    assert spelled(text, "ascii") == ascii_
    assert spelled(text, "latin-1") == latin_1
    assert unspelled(text) == ""


@pytest.mark.parametrize(
    ("text", "strange"), [("日本", "日本"), ("a\tb", "\t"), ("x\u0331", "\u0331"), ("a\u200bb", "\u200b")]
)
def test_what_has_no_spelling_or_no_width_is_named(text: str, strange: str) -> None:
    assert unspelled(text) == "".join(sorted(strange))


@given(st.text(), st.sampled_from(CHARSETS))
def test_whatever_is_spelled_can_be_sent_and_has_no_new_question_mark(text: str, charset: Charset) -> None:
    if charset == "utf-8":
        text = text.encode("utf-8", "ignore").decode()
    shown = spelled(text, charset)
    assert shown.encode(charset).decode(charset) == shown
    assert spelled(shown, charset) == shown


@given(st.text("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫ", min_size=1))
def test_no_greek_letter_is_lost(word: str) -> None:
    shown = spelled(word, "ascii")
    assert shown.isascii()
    assert shown.isalpha()
    assert len(shown) >= len(word) - word.lower().count("μπ")
