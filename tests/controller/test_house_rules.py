"""A card room's own ruleset: what may be written in it, and how a person is told what may not.

Every file of `tests/rulesets/broken` is wrong for one reason of its own, which its first line names with the
line; those of `tests/rulesets/good` are rulesets that a card room may have.
"""

import re
from pathlib import Path

import pytest

from controller.decisions import Ruled
from controller.errors import RuleFileError
from controller.rule_files import rulebook, rulebook_in
from controller.rulesets import RULESETS
from controller.rulesets.book import Rulebook
from controller.rulesets.known import KNOWN
from tests.controller.remedied import FAULTS, played, what_is_wrong
from tests.controller.told_faults import TOLD

FOLDER = Path(__file__).parents[1] / "rulesets"
BROKEN = sorted((FOLDER / "broken").glob("*.toml"))
GOOD = sorted((FOLDER / "good").glob("*.toml"))
WAYS = {**FAULTS, **TOLD}


def told(file: Path) -> tuple[str, ...]:
    """All that is wrong with a file."""
    with pytest.raises(RuleFileError) as error:
        rulebook_in(file)
    assert str(error.value).startswith(error.value.lines[0])
    return error.value.lines


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "house.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_a_broken_ruleset_is_refused_for_its_own_reason_with_its_line(file: Path) -> None:
    said = re.match(r"# line (\d+): (.+)", file.read_text("utf-8"))
    assert said is not None
    (line,) = told(file)
    assert line.startswith(f"{file}, line {said[1]}: ")
    assert said[2] in line


def test_no_two_of_them_are_refused_for_the_same_reason() -> None:
    reasons = {re.sub(r".*?line \d+: ", "", told(file)[0]) for file in BROKEN}
    assert len(reasons) == len(BROKEN) >= 20


def test_all_that_is_wrong_in_a_file_is_told_in_the_order_of_its_lines(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        'name = "house"\ntitle = "House rules"\nextends = "tda"\n'
        "[switches]\nmoon = 1\nsettle_ms = -1\n"
        '[rule.premature-turn]\nremedy = "shout"\nwindow = "pot"\n'
        '[words.en]\nburn = "Burn one card, face down, and mind the cut card"\n',
    )
    lines = told(file)
    assert [int(line.split("line ")[1].split(":")[0]) for line in lines] == [5, 6, 8, 9, 11]
    with pytest.raises(RuleFileError, match=r"line 5: .*\(4 more: see cutcard rules check\)$"):
        rulebook_in(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "line 1: name: a ruleset has one"),
        (b"\x00\x01\x02\xff", "line 1: this is no text in UTF-8"),
        (b'name = "house"\ntitle = "caf\xe9"\n', "line 2: this is no text in UTF-8"),
        (b"\xef\xbb\xbfname = 1", "line 1: "),
        ("x = " + "[" * 100_000, "line 1: "),
        ("x = " + "{a=" * 50_000, "line 1: "),
        ("a." * 5000 + "b = 1", "line 1: a key has more than"),
        ("x = " + "9" * 6000, "line 1: "),
        ("#" + "x" * (1 << 20), "is larger than"),
        ('name = "a\\u001b[2J"\ntitle = "b"\n', "line 1: name: "),
        (
            'name = "a"\ntitle = "b"\nextends = ["roberts"]\n',
            "line 3: extends: expected a text",
        ),
        ('name = "a"\ntitle = "b"\nextends = "x\\ny"\n', "line 3: "),
    ],
)
def test_whatever_is_no_ruleset_is_told_in_a_line(tmp_path: Path, content: str | bytes, words: str) -> None:
    lines = told(written(tmp_path, content))
    assert words in lines[0]
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("key", ["name", "title", "extends", "switches", "rule", "remedy", "words"])
@pytest.mark.parametrize(
    "value", ["3", "[]", "[1, [2]]", "true", "1979-05-27", "{ a = 1 }", "{ en = 3 }", '""']
)
def test_a_value_of_any_other_type_is_told_in_a_line(tmp_path: Path, key: str, value: str) -> None:
    texts = {"name": '"house"', "title": '"House rules"', "extends": '"roberts"', key: value}
    source = "".join(f"{name} = {text}\n" for name, text in texts.items())
    line = list(texts).index(key) + 1
    lines = told(written(tmp_path, source))
    assert all(f"line {line}: " in each for each in lines), lines


@pytest.mark.parametrize(
    ("path", "words"),
    [(".", "this is no file"), ("missing.toml", "No such file"), ("a\0.toml", "no file has such a name")],
)
def test_what_is_no_file_is_told(tmp_path: Path, path: str, words: str) -> None:
    (line,) = told(tmp_path / path)
    assert words in line


def test_a_file_with_very_much_wrong_is_told_in_some_lines(tmp_path: Path) -> None:
    keys = "".join(f"key{number} = 1\n" for number in range(10_000))
    assert len(told(written(tmp_path, keys))) == 50


# What may be written


@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
@pytest.mark.parametrize(("rule", "case"), [found for found in WAYS if not KNOWN[found[0]].fouled])
def test_a_table_plays_by_a_houses_rules_and_cites_them(file: Path, rule: str, case: str) -> None:
    book = rulebook_in(file)
    for way in WAYS[rule, case]:
        dealer = played(book, way)
        on_its_way = dealer.table._loading.step is not None  # halted with a pack in the dealer's hands
        assert on_its_way or what_is_wrong(dealer) == []
        assert dealer.table.phase == ("halted" if book.rules[rule].by == "floor" else "done")
        for ruled in dealer.all_said(Ruled):
            assert (ruled.rules, ruled.source) in {
                (book.name, source) for source in _sources(book, ruled.rule)
            }


def _sources(book: Rulebook, rule: str) -> set[str]:
    said = book.rules[rule]
    return {said.source, *(case.source for case in said.cases if case.source)}


def test_a_house_changes_what_it_says_and_nothing_else() -> None:
    base, house = rulebook("roberts"), rulebook_in(FOLDER / "good" / "riverside.toml")
    assert (house.switches.settle_ms, house.switches.deal_window) == (1500, base.switches.deal_window)
    assert house.answer("extra-card-other-seat", "").named.name == "extra-to-burn"
    assert house.answer("exposed-first-hole-card", "").source.startswith("House rules, 4.1")
    assert house.answer("exposed-first-hole-card", "extra-unseen").source == "House rules, 4.3"
    changed = {"extra-card-other-seat", "exposed-first-hole-card", "overfull-flop"}
    assert {name: rule for name, rule in house.rules.items() if name not in changed} == {
        name: rule for name, rule in base.rules.items() if name not in changed
    }
    assert house.words == {"en": {"burn": "Burn a card, face down", "call-floor": "Stop. Call Riverside 7"}}


def test_a_step_stands_where_the_houses_switches_let_it() -> None:
    steps = [
        len(book.remedies["redeal-flop"].remedy.steps)
        for book in (rulebook("roberts"), rulebook_in(FOLDER / "good" / "riverside.toml"))
    ]
    assert steps == [3, 4]


def test_a_house_that_extends_another_has_its_switches_too() -> None:
    house = rulebook_in(FOLDER / "good" / "aside.toml")
    assert (house.switches.button_rule, house.switches.overfull_flop) == ("dead", "redeal")
    assert house.answer("premature-turn", "").ours == ""


def test_the_product_s_own_names_are_taken() -> None:
    for name in RULESETS:
        assert rulebook(name).name == name
