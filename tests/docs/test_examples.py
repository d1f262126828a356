"""The examples in docs/ are read by the code that they are for, and name every key that it knows."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from controller import config, decks, journal, notices
from controller.cards import DECK
from controller.config import Config, load_config
from controller.decks import parse_registry
from controller.door import Ask
from controller.errors import DeckError
from controller.journal.chain import open_line
from controller.journal.records import Line, decode_line, encode_line, record_of
from tests.docs.pages import blocks, rows, section, text_of

TOML = blocks(text_of("docs/configuration.md"), "toml")[0]
REGISTRY = blocks(text_of("docs/decks.md"), "json")[0]
QUESTIONS = blocks(section("docs/door.md", "Questions"), "json")[0].splitlines()
ANSWERS = blocks(section("docs/door.md", "Questions"), "json")[1].splitlines()
NOTICES = blocks(section("docs/door.md", "Notices"), "json")[0].splitlines()
ENTRY = blocks(text_of("docs/journal.md"), "json")[0]


def loaded(folder: Path, text: str) -> Config:
    """A configuration as `cutcard run` would have it."""
    file = folder / "table.toml"
    file.write_text(text, "utf-8")
    return load_config(file)


def test_the_configuration_can_be_loaded(tmp_path: Path) -> None:
    made = loaded(tmp_path, TOML)
    assert made.setup().antes == {8: 5}
    assert made.layout() is not None


def keys_of(section_: type[msgspec.Struct]) -> list[str]:
    """The keys of a section and of those inside it."""
    return [field.encode_name for field in msgspec.structs.fields(section_)]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("table", config.TableSection),
        ("decks", config.DecksSection),
        ("journal", config.JournalSection),
        ("door", config.DoorSection),
        ("leds", config.LedsSection),
        ("bench", config.BenchSection),
    ],
)
def test_every_key_of_a_section_stands_in_the_configuration(head: str, kind: type[msgspec.Struct]) -> None:
    part = re.search(rf"^\[{head}\].*?(?=^\[|\Z)", TOML, re.MULTILINE | re.DOTALL)
    assert part is not None
    assert sorted(re.findall(r"^(\w+) =", part[0], re.MULTILINE)) == sorted(keys_of(kind))


def test_every_section_and_every_key_of_a_device_stands_in_the_configuration() -> None:
    heads = re.findall(r"^\[(\w+)", TOML, re.MULTILINE)
    assert list(dict.fromkeys(heads)) == [
        "table",
        "device",
        "decks",
        "journal",
        "door",
        "security",
        "leds",
        "bench",
    ]
    assert set(heads) == set(keys_of(Config))
    devices = TOML[TOML.index("[device.") : TOML.index("[decks]")]
    assert set(re.findall(r"^(\w+) =", devices, re.MULTILINE)) == set(keys_of(config.DeviceSection))
    told = text_of("docs/configuration.md")
    assert all(f"`{key}`" in told for key in keys_of(config.Match))


def test_a_default_is_what_the_comment_says(tmp_path: Path) -> None:
    bare = "\n".join(line for line in TOML.splitlines() if "# default" not in line)
    bare = bare.replace("[bench]", "").replace("[leds]", "").split("count = 48")[0]
    made = loaded(tmp_path, bare)
    assert made.setup().blinds == (5, 10)
    assert (made.table.betting, made.table.rules, made.table.language) == ("no-limit", "roberts", "en")
    assert (made.setup().button, made.setup().button_rule, made.setup().rake) == (None, "moving", ())
    assert (made.setup().min_bet, made.setup().small_bet, made.setup().big_bet) == (10, 10, 20)
    assert made.layout() is None
    assert not made.bench.ledger


def test_the_registry_is_one_but_for_the_cards_that_it_leaves_out() -> None:
    with pytest.raises(DeckError, match="2 cards, 52 are needed"):
        parse_registry(REGISTRY.encode(), "example")
    whole = json.loads(REGISTRY)
    entry = whole["decks"][0]
    rest = [card for card in DECK if card not in entry["cards"].values()]
    entry["cards"] |= {f"E0040100000001{number:02X}": card for number, card in enumerate(rest)}
    read = parse_registry(json.dumps(whole).encode(), "example")
    assert len(read.deck("red-01").cards) == 52
    assert len(read.cut_cards) == 1


def test_every_key_of_a_registry_is_told() -> None:
    told = {name.strip("`") for cell, *_ in rows(text_of("docs/decks.md")) for name in cell.split(", ")}
    assert told == {*keys_of(decks._DeckFile), *keys_of(decks._RegistryFile)}


@pytest.mark.parametrize("line", QUESTIONS)
def test_a_question_is_one(line: str) -> None:
    assert msgspec.json.decode(line, type=Ask).ask in get_args(notices.Question)


def test_every_question_is_told() -> None:
    told = [name for name, _ in rows(section("docs/door.md", "Questions"))]
    assert told == list(get_args(notices.Question))


@pytest.mark.parametrize("line", ANSWERS)
def test_an_answer_is_one(line: str) -> None:
    assert msgspec.json.decode(line, type=notices.AnyAnswer) is not None


@pytest.mark.parametrize("line", NOTICES)
def test_a_notice_is_one_as_the_table_writes_it(line: str) -> None:
    assert msgspec.json.encode(msgspec.json.decode(line, type=notices.Notice)).decode() == line


def test_every_kind_of_notice_has_an_example_and_is_told() -> None:
    kinds = [kind.__struct_config__.tag for kind in get_args(notices.AnyNotice)]
    shown = [json.loads(line)["said"]["decision"] for line in NOTICES]
    told = [
        name.strip("`") for cell, _ in rows(section("docs/door.md", "Notices")) for name in cell.split(", ")
    ]
    assert sorted(set(shown)) == sorted(kinds)
    assert sorted(told) == sorted(kinds)


def test_the_journal_s_entry_has_the_keys_that_are_told() -> None:
    closed = open_line(ENTRY.strip().encode() + b"\n")
    assert closed is not None
    line = decode_line(closed.body)
    told = rows(section("docs/journal.md", "Lines"))
    assert {name for names, *_ in told for name in names.replace("`", "").split(", ")} == {
        *keys_of(Line),
        "chain",
        "sig",
    }
    assert record_of(line, None).source == journal.Source("shoe", 13121568316955974665, 7, 20475)
    assert encode_line(line) == closed.body
