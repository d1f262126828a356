"""Deck registries: every mistake in one line, with the file and the deck, and never a tag's UID in it."""

import json
from pathlib import Path
from typing import cast

import pytest

from controller.cards import DECK
from controller.decks import parse_registry, read_registry
from controller.errors import DeckError
from tests.shell import packs

UID_OF = {card: uid.hex().upper() for card, uid in packs.UIDS.items()}


def _cards(deck: dict[str, object]) -> dict[str, object]:
    return cast(dict[str, object], deck["cards"])


def _refusal(data: bytes) -> str:
    with pytest.raises(DeckError) as caught:
        parse_registry(data, "decks.json")
    told = str(caught.value)
    assert told.startswith("decks.json: ")
    assert "\n" not in told
    assert not packs.any_uid_in(told)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None, (
        "no exception with a UID may be shown behind it"
    )
    return told


def test_a_good_registry_tells_which_tag_is_which_card() -> None:
    registry = packs.registry()
    assert registry.deck("red").cards == {uid: card for card, uid in packs.UIDS.items()}
    assert registry.cut_cards == {packs.CUT_CARD}


def test_a_missing_card_is_named() -> None:
    deck = packs.entry()
    del _cards(deck)[UID_OF[DECK[7]]]
    told = _refusal(packs.as_file(deck))
    assert "deck 'red': 51 cards, 52 are needed; missing: 9s" in told


def test_a_card_that_is_there_twice_is_named() -> None:
    deck = packs.entry()
    _cards(deck)[UID_OF[DECK[7]]] = "Kc"
    assert "Kc is there twice" in _refusal(packs.as_file(deck))


@pytest.mark.parametrize(
    ("uid", "card", "words"),
    [
        (UID_OF[DECK[3]].lower(), "Kc", "entry 53: the UID is there twice"),
        ("E00401", "Kc", "entry 53: a UID has 4 to 8 bytes, this one 3"),
        ("E00401500000000011", "Kc", "entry 53: a UID has 4 to 8 bytes, this one 9"),
        ("E004015000Z0000B", "Kc", "entry 53: the UID is not written in hexadecimal"),
        ("E00401FF00000001", "joker", "entry 53: no card"),
        ("E00401FF00000001", "E004015000000012", "entry 53: no card"),
    ],
)
def test_a_wrong_entry_is_told_by_its_place_and_never_by_its_uid(uid: str, card: str, words: str) -> None:
    deck = packs.entry()
    _cards(deck)[uid] = card
    told = _refusal(packs.as_file(deck))
    assert words in told
    assert uid not in told


def test_no_length_of_a_uid_tells_which_card_it_is() -> None:
    deck = packs.entry()
    uid = UID_OF[DECK[3]]
    _cards(deck)[uid[:14]] = _cards(deck).pop(uid)
    assert "its cards have UIDs of 7 and 8 bytes" in _refusal(packs.as_file(deck))


def test_a_tag_is_a_card_of_one_deck_or_a_cut_card_and_only_once() -> None:
    assert "the UID is there twice" in _refusal(packs.as_file(packs.entry(), packs.entry("blue")))
    deck = packs.entry()
    deck["cut_cards"] = [UID_OF[DECK[0]]]
    assert "the UID is there twice" in _refusal(packs.as_file(deck))


def test_a_deck_that_is_there_twice_is_named() -> None:
    assert "deck 'red' is there twice" in _refusal(packs.as_file(packs.entry(), packs.entry()))


def test_another_format_than_1_is_refused() -> None:
    assert "format 2 is not known" in _refusal(packs.as_file(packs.entry(), format_=2))


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff\xfe\x00", b"[]", b'{"format":1}', b'{"format":1,"decks":[{"id":"\xff"}]}']
)
def test_a_file_that_is_no_registry_is_refused(data: bytes) -> None:
    assert "this is no deck registry" in _refusal(data)


@pytest.mark.parametrize("level", ["registry", "deck"])
def test_a_uid_in_a_wrong_place_is_not_repeated_in_the_refusal(level: str) -> None:
    stray = {UID_OF[DECK[0]]: "2s"}
    deck = packs.entry() | (stray if level == "deck" else {})
    file = {"format": 1, "decks": [deck]} | (stray if level == "registry" else {})
    assert "unknown field" in _refusal(json.dumps(file).encode())


def test_an_unknown_word_is_repeated_in_the_refusal() -> None:
    assert "unknown field `colour`" in _refusal(packs.as_file(packs.entry() | {"colour": "red"}))


def test_a_registry_that_cannot_be_read_is_told_by_name(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.json", "No such file"), (tmp_path, "this is no file")):
        with pytest.raises(DeckError, match=words) as caught:
            read_registry(path)
        assert str(path) in str(caught.value)


def test_a_registry_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "decks.json"
    file.write_bytes(packs.as_file(packs.entry()))
    assert read_registry(file) == packs.registry()


def test_a_deck_that_the_registry_has_not_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(DeckError, match="there is no deck blue; there is red alone"):
        packs.registry().deck("blue")


def test_decks_and_registries_show_no_uid() -> None:
    registry = packs.registry()
    for value in (registry, registry.deck("red")):
        for text in (repr(value), str(value), f"{value}"):
            assert not packs.any_uid_in(text)
