"""A table's configuration file: what a person may write, and how he is told what is wrong with it."""

from pathlib import Path

import pytest

from controller.betting import Structure
from controller.config import Config, Match, load_config
from controller.errors import ConfigError
from controller.games import Game

GOOD = """\
# The table at the window.
[table]
name = "window"
game = "holdem"
button = 4
blinds = [5, 10]

[table.seats]
1 = 1000
4 = 1000
9 = 500

[device.shoe]
port = "/dev/shoe"

[device.shuffler]
port = "/dev/shuffler"
baud = 9600

[device.prompts]
match = { vid = "0403", pid = "6001" }

[device.keypad]
port = "/dev/keypad"

[decks]
registry = "decks.json"
play = "red"

[journal]
file = "journal.jsonl"

[door]
socket = "door"

[leds]
count = 64

[leds.spans]
"seat:1" = [0, 3]
board = [60, 2]

[bench]
ledger = true
"""
SEATS = "1 = 1000\n4 = 1000\n9 = 500\n"
MATCH = 'match = { vid = "0403", pid = "6001" }'
ELEVEN = "".join(f"{seat} = 100\n" for seat in range(1, 12))


def _load(folder: Path, source: str) -> Config:
    file = folder / "table.toml"
    file.write_text(source, "utf-8")
    return load_config(file)


WRONG = {
    # label: (what stands in the good file, what stands there instead, line, key, words)
    "unknown section": ("[decks]", "[deck]\nx = 1\n[decks]", 26, "deck", "no such key"),
    "unknown key of the table": (
        "button = 4",
        "buton = 4",
        5,
        "table.buton",
        "did you mean button",
    ),
    "unknown device": ("[device.keypad]", "[device.keybad]", 23, "device.keybad", "did you mean keypad?"),
    "unknown key of a device": ("baud = 9600", "boud = 9600", 18, "device.shuffler.boud", "no such key"),
    "unknown key of a match": ("pid =", "pit =", 21, "device.prompts.match.pit", "no such key"),
    "unknown key of the decks": ('play = "red"', 'plai = "red"', 28, "decks.plai", "no such key"),
    "one deck twice": ('play = "red"', 'play = "red"\nother = "red"', 29, "decks.other", "must be another"),
    "unknown key of the journal": ("file =", "path =", 31, "journal.path", "no such key"),
    "unknown key of the door": ("socket =", "sock =", 34, "door.sock", "no such key"),
    "unknown key of the ring": ("count = 64", "count = 64\nsize = 3", 38, "leds.size", "no such key"),
    "unknown light": ("board =", "bord =", 41, "leds.spans.bord", "nothing that lights up"),
    "unknown key of the bench": ("ledger = true", "ledgers = true", 44, "bench.ledgers", "no such key"),
    "button no number": ("button = 4", 'button = "4"', 5, "table.button", "there is no '4'"),
    "button broken": ("button = 4", "button = 4.0", 5, "table.button", "expected a whole number or draw"),
    "blinds no list": ("[5, 10]", "5", 6, "table.blinds", "a list"),
    "blind no number": ("[5, 10]", '["5", 10]', 6, "table.blinds", "a whole number"),
    "baud no number": ("baud = 9600", 'baud = "9600"', 18, "device.shuffler.baud", "a whole number"),
    "port no text": ('port = "/dev/shoe"', "port = 4", 14, "device.shoe.port", "a text"),
    "match no table": (MATCH, 'match = "0403:6001"', 21, "device.prompts.match", "a table"),
    "vid no text": ('vid = "0403"', "vid = 403", 21, "device.prompts.match.vid", "a text"),
    "ledger no truth": ("ledger = true", "ledger = 1", 44, "bench.ledger", "true or false"),
    "missing section": ('[door]\nsocket = "door"\n', "", 1, "door", "missing"),
    "missing key": ('registry = "decks.json"\n', "", 26, "decks.registry", "missing"),
    "missing name": ('name = "window"\n', "", 2, "table.name", "missing"),
    "missing device": ('[device.keypad]\nport = "/dev/keypad"\n', "", 13, "device", "needs a keypad"),
    "empty name": ('"window"', '""', 3, "table.name", "length >= 1"),
    "no such game": ('"holdem"', '"stud"', 4, "table.game", "'stud'"),
    "no such rules": ("button = 4", 'rules = "table"', 5, "table.rules", "roberts"),
    "no such file of rules": ("button = 4", 'rules = "house.toml"', 5, "table.rules", "house.toml: the rul"),
    "no such language": ("button = 4", 'language = "de"', 5, "table.language", "there are en, it, el"),
    "button not among the seats": ("button = 4", "button = 3", 5, "table.button", "seat 3 is not among"),
    "button at seat 12": ("button = 4", "button = 12", 5, "table.button", "<= 11"),
    "eleven seats of Omaha": (SEATS, ELEVEN, 8, "table.seats", "omaha has cards for 10 seats"),
    "seat 12": ("9 = 500", "12 = 500", 11, "table.seats.12", "<= 11"),
    "seat 0": ("9 = 500", "0 = 500", 11, "table.seats.0", ">= 1"),
    "seat no number": ("9 = 500", "nine = 500", 11, "table.seats.nine", "a whole number"),
    "a dead button with one blind": (
        "blinds = [5, 10]",
        'blinds = [10]\nbutton_rule = "dead"',
        7,
        "table.button_rule",
        "two blinds",
    ),
    "antes by seat that the button pays": (
        "[table.seats]",
        'ante_by = "button"\nantes = { 4 = 5 }\n[table.seats]',
        8,
        "table.ante_by",
        "antes by seat",
    ),
    "a rake of nothing": (
        "[table.seats]",
        "rake = [{ players = 3 }]\n[table.seats]",
        8,
        "table.rake",
        "percent or steps",
    ),
    "people no text": ("button = 4", "people = 4", 5, "table.people", "a text"),
    "people without a name": ("button = 4", 'people = ""', 5, "table.people", "length >= 1"),
    "people of a control character": ("button = 4", 'people = "a\\u0007"', 5, "table.people", "no control"),
    "signing in without people": (
        "button = 4",
        "require_sign_in = true",
        5,
        "table.require_sign_in",
        "no dealer could sign in",
    ),
    "signing in no truth": ("button = 4", "require_sign_in = 1", 5, "table.require_sign_in", "true or false"),
    "negative chips": ("9 = 500", "9 = -500", 11, "table.seats.9", ">= 0"),
    "negative blind": ("[5, 10]", "[-5, 10]", 6, "table.blinds", ">= 0"),
    "no blinds": ("[5, 10]", "[]", 6, "table.blinds", "length >= 1"),
    "a bomb pot tracked": (
        "button = 4",
        'special = "bomb-pot"',
        5,
        "table.special",
        'bomb-pot cannot be followed to the chip: set follow = "dealer-key"',
    ),
    "no such way to follow": ("button = 4", 'follow = "cards"', 5, "table.follow", "'cards'"),
    "more blinds than seats": ("[5, 10]", "[5, 10, 20, 40]", 6, "table.blinds", "4 blinds for 3 seats"),
    "ante of an empty seat": (
        "[table.seats]",
        "antes = { 3 = 5 }\n[table.seats]",
        8,
        "table.antes",
        "seat 3",
    ),
    "post of an empty seat": (
        "[table.seats]",
        "posts = { 3 = 5 }\n[table.seats]",
        8,
        "table.posts",
        "seat 3",
    ),
    "port and match": (MATCH, 'port = "/dev/x"\n' + MATCH, 20, "device.prompts", "either port or match"),
    "neither port nor match": ('port = "/dev/shoe"\n', "", 13, "device.shoe", "either port or match"),
    "empty port": ('"/dev/shoe"', '""', 14, "device.shoe.port", "length >= 1"),
    "match of anything": (MATCH, "match = {}", 21, "device.prompts.match", "which adapter"),
    "vid not in hex": ('vid = "0403"', 'vid = "FTDI"', 21, "device.prompts.match.vid", "hexadecimal"),
    "baud too low": ("baud = 9600", "baud = 9", 18, "device.shuffler.baud", ">= 1200"),
    "too many LEDs": ("count = 64", "count = 65", 37, "leds.count", "<= 64"),
    "span outside the ring": ("[0, 3]", "[0, 64]", 40, "leds.spans.seat:1", "LEDs 0 to 63"),
    "span before the ring": ("[0, 3]", "[-1, 3]", 40, "leds.spans.seat:1", "LEDs 0 to 63"),
    "span of three ends": ("[0, 3]", "[0, 3, 5]", 40, "leds.spans.seat:1", "length 2"),
    "span of a seat 12": ('"seat:1"', '"seat:12"', 40, "leds.spans.seat:12", "nothing that lights up"),
}


@pytest.mark.parametrize("label", WRONG)
def test_what_is_wrong_is_told_with_file_line_and_key(tmp_path: Path, label: str) -> None:
    old, new, line, key, words = WRONG[label]
    assert old in GOOD
    source = GOOD.replace(old, new, 1)
    if "Omaha" in label:
        source = source.replace('"holdem"', '"omaha"')
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path, source)
    told = str(caught.value)
    assert told.startswith(f"{tmp_path / 'table.toml'}, line {line}: {key}: ")
    assert words in told
    assert "\n" not in told
    assert "`" not in told, "words of a person, not of a parser"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("button = 4", "button = ", 5),
        ("[door]", "[door", 33),
        ("button = 4", "button = 4\nbutton = 1", 6),
        ("9 = 500", "9 = 500 500", 11),
    ],
)
def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int) -> None:
    with pytest.raises(ConfigError, match=rf"table\.toml, line {line}: "):
        _load(tmp_path, GOOD.replace(old, new, 1))


def test_toml_nested_without_end_is_told_as_any_other_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nested too deeply"):
        _load(tmp_path, "x = " + "[" * 5000)


def test_a_file_that_cannot_be_read_is_told_by_name(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.toml", "No such file"), (tmp_path, "this is no file")):
        with pytest.raises(ConfigError, match=words) as caught:
            load_config(path)
        assert str(path) in str(caught.value)


def test_a_file_in_another_encoding_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(GOOD.replace("window", "fenêtre").encode("latin-1"))
    with pytest.raises(ConfigError, match=r"table\.toml: .* not UTF-8"):
        load_config(file)


def test_a_file_with_windows_line_ends_is_read_and_its_lines_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert load_config(file).table.name == "window"
    file.write_bytes(GOOD.replace("[0, 3]", "[0, 64]").replace("\n", "\r\n").encode())
    with pytest.raises(ConfigError, match="line 40"):
        load_config(file)


def test_relative_paths_are_from_the_files_folder_and_urls_are_none(tmp_path: Path) -> None:
    config = _load(
        tmp_path,
        GOOD.replace("/dev/shoe", "ports/shoe").replace("/dev/shuffler", "socket://10.0.0.7:4001"),
    )
    assert config.decks.registry == str(tmp_path / "decks.json")
    assert config.journal.file == str(tmp_path / "journal.jsonl")
    assert config.door.socket == str(tmp_path / "door")
    assert config.device["shoe"].port == str(tmp_path / "ports/shoe")
    assert config.device["shuffler"].port == "socket://10.0.0.7:4001"
    assert config.device["keypad"].port == "/dev/keypad"
    assert config.device["prompts"].match == Match(vid="0403", pid="6001")


def test_what_is_not_said_has_the_usual_value(tmp_path: Path) -> None:
    source = GOOD.replace("button = 4\nblinds = [5, 10]\n", "").split("[leds]", maxsplit=1)[0]
    config = _load(tmp_path, source)
    assert config.layout() is None
    assert not config.bench.ledger
    assert config.device["shoe"].baud == 115200
    assert config.table.language == "en"
    setup = config.setup()
    assert (setup.game, setup.structure, setup.button) == (Game.HOLDEM, Structure.NO_LIMIT, None)
    assert (setup.blinds, setup.min_bet, setup.small_bet, setup.big_bet) == ((5, 10), 10, 10, 20)
    assert (setup.ante, setup.antes) == (0, {})
    assert setup.devices == {"shoe", "shuffler", "prompts", "keypad"}


def test_what_is_said_reaches_the_core_and_the_ring(tmp_path: Path) -> None:
    more = 'betting = "fixed-limit"\nsmall_bet = 20\nbig_bet = 50\nbig_blind = 15\n'
    more += "ante = 2\nposts = { 9 = 10 }\n"
    config = _load(tmp_path, GOOD.replace("button = 4\n", "button = 4\n" + more))
    setup = config.setup()
    assert setup.structure is Structure.FIXED_LIMIT
    assert (setup.button, setup.min_bet, setup.small_bet, setup.big_bet) == (4, 15, 20, 50)
    assert (setup.ante, setup.antes, setup.posts) == (2, {}, {9: 10})
    assert setup.stacks == {1: 1000, 4: 1000, 9: 500}
    layout = config.layout()
    assert layout is not None
    assert (layout.leds, layout.spans) == (64, {"seat:1": (0, 3), "board": (60, 2)})
    assert config.bench.ledger


def test_a_second_deck_alternates_with_the_first(tmp_path: Path) -> None:
    config = _load(tmp_path, GOOD.replace('play = "red"', 'play = "red"\nother = "blue"'))
    assert config.decks.in_use == ("red", "blue")
    assert config.setup().decks == 2
    assert _load(tmp_path, GOOD).setup().decks == 1


@pytest.mark.parametrize("language", ["en", "it", "el"])
def test_a_table_speaks_the_language_that_it_names(language: str, tmp_path: Path) -> None:
    assert _load(tmp_path, GOOD.replace("button = 4", f'language = "{language}"')).table.language == language


def test_people_are_looked_for_from_the_file_s_folder_and_need_not_be_there(tmp_path: Path) -> None:
    assert _load(tmp_path, GOOD).table.people is None
    assert not _load(tmp_path, GOOD).setup().require_sign_in
    named = GOOD.replace("button = 4", 'button = 4\npeople = "folk.toml"\nrequire_sign_in = true')
    assert _load(tmp_path, named).table.people == str(tmp_path / "folk.toml")
    assert _load(tmp_path, named).setup().require_sign_in


HOUSE = 'name = "house"\ntitle = "House rules"\nextends = "tda"\n[switches]\nsettle_ms = 900\n'


@pytest.mark.parametrize("place", ["house.toml", "rules/house.toml", "./house.toml"])
def test_the_rules_may_be_a_card_rooms_own_file_beside_the_configuration(tmp_path: Path, place: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.write_text(HOUSE, "utf-8")
    config = _load(tmp_path, GOOD.replace("button = 4", f'button = 4\nrules = "{place}"'))
    setup = config.setup()
    assert Path(config.table.rules) == tmp_path / place
    assert (setup.rules.name, setup.rules.switches.settle_ms) == ("house", 900)
    assert setup.button_rule == "dead"


def test_a_card_rooms_file_that_is_wrong_is_told_with_both_files_and_lines(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE.replace("900", "-1"), "utf-8")
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path, GOOD.replace("button = 4", 'button = 4\nrules = "house.toml"'))
    table, house = tmp_path / "table.toml", tmp_path / "house.toml"
    assert str(caught.value) == (
        f"{table}, line 6: table.rules: {house}, line 5: "
        "settle_ms is a whole number of milliseconds, 0 to 60000"
    )
