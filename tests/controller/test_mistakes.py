"""What is wrong in a file is told as a person would say it: at which key, what there is, what may have been
meant."""

import msgspec
import pytest

from controller.config import Config
from controller.mistakes import Mistake, mistake, no_such
from controller.remedies.steps import Remedy
from controller.rulesets.book import Rule
from controller.tomlfile import TomlError, line_at, parse

REMEDY = """says = "x"
holds = "street"

[[steps]]
do = "await"
until = "betting"
says = "x"

[[steps]]
do = "move"
cards = "early"
to = "aside"
prompt = "early-aside"
proof = "seen"
says = "x"
"""
RULE = """trigger = "x"
window = "deal"
remedy = "misdeal"
takes = "exposed"
games = ["holdem", "omaha"]
source = "x"

[[cases]]
case = "first"
remedy = "misdeal"
"""
TABLE = """[table]
name = "x"
game = "holdem"
button = 4
seats = { 4 = 100, 5 = 100 }
blinds = [5, 10]

[device.shoe]
port = "x"
baud = 9600

[decks]
registry = "x"
play = "x"

[journal]
file = "x"

[door]
socket = "x"
"""


def found(source: str, old: str, new: str, kind: type) -> tuple[Mistake, int]:
    """What is wrong with a text in which something was changed, and in which line."""
    assert old in source
    changed = source.replace(old, new, 1)
    tables = parse(changed)
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(tables, kind, str_keys=True)
    wrong = mistake(error.value, tables, kind)
    return wrong, line_at(changed, wrong.path)


@pytest.mark.parametrize(
    ("source", "kind", "old", "new", "line", "told"),
    [
        (REMEDY, Remedy, '"street"', '"strett"', 2, "holds: there is no 'strett': did you mean street? Th"),
        (REMEDY, Remedy, '"street"', "3", 2, "holds: expected everything or first-act or nothing or stree"),
        (REMEDY, Remedy, "holds", "hold", 2, "there is no key hold: did you mean holds? There are says, h"),
        (REMEDY, Remedy, '"betting"', '"breakfast"', 6, "until: there is no 'breakfast'; there are bettin"),
        (REMEDY, Remedy, "until", "till", 6, "there is no key till: did you mean until? There are do, unt"),
        (REMEDY, Remedy, "until = ", "# ", 4, "the key until is missing"),
        (REMEDY, Remedy, 'do = "await"', "", 4, "the key do is missing"),
        (REMEDY, Remedy, '"await"', '"wait"', 5, "do: there is no 'wait': did you mean await? There are a"),
        (REMEDY, Remedy, '"seen"', '"ack"', 14, "proof: there is no 'ack'; there is seen alone"),
        (REMEDY, Remedy, 'proof = "seen"', 'proof = "seen"\nwhen = { a = [] }', 15, "a: expected a whole"),
        (RULE, Rule, '"deal"', '"dael"', 2, "window: there is no 'dael': did you mean deal? There are any"),
        (RULE, Rule, '"omaha"', '"stud"', 5, "games: there is no 'stud'; there are holdem, omaha"),
        (RULE, Rule, 'case = "first"', 'cas = "first"', 9, "there is no key cas: did you mean case? There"),
        (TABLE, Config, "4 = 100, 5", "4 = 100, 12", 5, "12: expected a whole number <= 11"),
        (TABLE, Config, "5 = 100", "5 = -1", 5, "5: expected a whole number >= 0"),
        (TABLE, Config, "[5, 10]", "[5, -1]", 6, "blinds: expected a whole number >= 0"),
        (TABLE, Config, "button = 4", "button = 4.5", 4, "button: expected a whole number or draw, got a"),
        (TABLE, Config, "device.shoe", "device.sho", 8, "sho: there is no 'sho': did you mean shoe? There"),
        (TABLE, Config, "9600", '"9600"', 10, "baud: expected a whole number, got a text"),
        (TABLE, Config, "[door]", "[dor]", 19, "there is no key dor: did you mean door? There are table,"),
    ],
)
def test_a_mistake_is_told_with_its_key_and_line_and_with_what_there_is(
    source: str, kind: type, old: str, new: str, line: int, told: str
) -> None:
    wrong, at = found(source, old, new, kind)
    assert wrong.told.startswith(told)
    assert at == line


def test_where_the_keys_are_told_the_reason_does_not_tell_the_last_once_more() -> None:
    assert found(TABLE, "button =", "buton =", Config)[0].why.startswith("there is no such key: did you mean")
    assert found(TABLE, "registry", "# ", Config)[0].why == "it is missing"
    assert found(TABLE, "9600", "true", Config)[0].why == "expected a whole number, got true or false"


@pytest.mark.parametrize(
    ("value", "kind"),
    [("x - at `$.steps[0].says`", Remedy), ("`$.holds`", Remedy), ("b` - at `$", Remedy)],
)
def test_a_value_that_looks_like_a_place_is_none(value: str, kind: type) -> None:
    wrong, _ = found(REMEDY, '"street"', f'"{value}"', kind)
    assert wrong.path == ("holds",)
    assert repr(value) in wrong.told


def test_of_many_names_the_near_ones_are_told_and_else_where_they_are_listed() -> None:
    many = [f"name-{number}" for number in range(100)]
    assert no_such("nme-7", many, what="name", listed="a list has them").startswith(
        "there is no name nme-7: did you mean name-7 or "
    )
    assert (
        no_such("zzz", many, what="name", listed="a list has them") == "there is no name zzz; a list has them"
    )
    assert no_such("z z", (), what="name") == "there is no name 'z z'"


@pytest.mark.parametrize(
    ("source", "line", "why"),
    [
        ("a = 1\na = 2\n", 2, "a key is there twice"),
        ("[a.b]\n[a.b]\n", 2, "the table a.b is there twice"),
        ('a = "x\n', 1, "a text must end on the line on which it begins"),
        ("a = 1\nb = yes\n", 2, "no value begins so; a text stands in quotes"),
        ("a = 1\nb = [\n1,\n", 3, "no value begins so; a text stands in quotes"),
        ("a\n", 1, "expected '=' after a key in a key/value pair"),
        ('a = 1\nb = """x', 2, "a text has no end"),
    ],
)
def test_what_is_no_toml_is_told_in_words_and_its_line_once(source: str, line: int, why: str) -> None:
    with pytest.raises(TomlError) as error:
        parse(source)
    assert error.value.line == line
    assert str(error.value).startswith("this is no TOML")
    assert str(error.value).endswith(f": {why}")
    assert "line" not in str(error.value).replace(why, "")
