"""`cutcard rules`: the whole rulebook can be read, on any terminal, through a pipe and by a machine."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from rich.console import Console

from controller.cli.main import cutcard
from controller.cli.rules import (
    CASES,
    COLUMNS,
    HOLDS,
    PROOFS,
    TABLE_WIDTH,
    TAKES,
    WINDOWS,
    case_in_words,
    ids_of,
    names,
    plain,
    show,
)
from controller.errors import RuleFileError
from controller.prompt_files import catalogue
from controller.rule_files import rulebook, rulebook_in
from controller.rulesets import RULESETS
from controller.rulesets.known import KNOWN

BOOK = rulebook("roberts")
RULES_FOLDER = Path(__file__).parents[1] / "rulesets"


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(cutcard, ["rules", *arguments])


def on_a_terminal(width: int, rule: str | None = None) -> str:
    out = io.StringIO()
    show(Console(file=out, width=width, highlight=False), BOOK, rule)
    return out.getvalue()


def parsed(*arguments: str) -> Any:
    return json.loads(rules("--json", *arguments).output)


def table_of(*arguments: str) -> list[str]:
    """The lines of the rules, with their head; those of the remedies stand behind an empty one."""
    done = rules(*arguments)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    return lines[: lines.index("")]


def test_through_a_pipe_every_remedy_is_one_line_behind_the_rules() -> None:
    lines = rules().output.splitlines()
    head, *told = lines[lines.index("") + 1 :]
    at = head.index("what it is")
    assert [(line[:at].rstrip(), line[at:]) for line in told] == [
        (name, named.remedy.says) for name, named in BOOK.remedies.items()
    ]


def test_through_a_pipe_every_rule_is_one_line_of_aligned_columns() -> None:
    done = rules()
    head, *lines = table_of()
    begins = [head.index(column) for column in COLUMNS]
    assert len(lines) == len(BOOK.rules)
    for line, (name, rule) in zip(lines, BOOK.rules.items(), strict=True):
        cells = [line[at:end].rstrip() for at, end in zip(begins, [*begins[1:], None], strict=True)]
        assert cells == [name, rule.trigger, rule.remedy, rule.source]
    assert "\t" not in done.output


@pytest.mark.parametrize("width", [60, 80, TABLE_WIDTH - 1, TABLE_WIDTH, 132, 240])
def test_a_terminal_is_never_too_narrow_for_a_word(width: int) -> None:
    told = on_a_terminal(width)
    assert max(len(line.rstrip()) for line in told.splitlines()) <= width
    words = set(told.split())
    for name, rule in BOOK.rules.items():
        assert {name, rule.remedy, *rule.trigger.split(), *rule.source.split()} <= words


@pytest.mark.parametrize("rule", BOOK.rules)
@pytest.mark.parametrize("width", [60, 200])
def test_one_rule_is_told_alike_on_a_terminal_and_through_a_pipe(rule: str, width: int) -> None:
    told = on_a_terminal(width, rule)
    assert told.split() == " ".join(plain(BOOK, rule)).split()
    assert max(len(line) for line in told.splitlines()) <= width
    assert rules(rule).output.splitlines() == list(plain(BOOK, rule))


@pytest.mark.parametrize("name", BOOK.rules)
def test_of_one_rule_everything_is_told(name: str) -> None:
    rule, told = BOOK.rules[name], rules(name).output
    assert told.splitlines()[0] == name
    for text in (rule.trigger, rule.source, WINDOWS[rule.window], TAKES[rule.takes]):
        assert text in told
    for remedy in (rule.remedy, *(case.remedy for case in rule.cases)):
        named = BOOK.remedies[remedy]
        assert f"{remedy}: {named.remedy.says}" in told
        assert HOLDS[named.remedy.holds] in told
        for number, step in enumerate(named.remedy.steps, start=1):
            assert f" {number}. {step.says}\n" in told
            for field in ("prompt", "by_hand", "from_burn"):
                code = getattr(step, field, None)
                if code is not None:
                    assert f"{code}: > {catalogue('en').words.text[code]}" in told
            if hasattr(step, "proof"):
                assert PROOFS[step.proof] in told
    assert (f"  later    {BOOK.remedies[rule.late].remedy.says}\n" in told) == (rule.window != "any")
    for case in rule.cases:
        assert f"case     {case_in_words(case)}" in told
        assert not case.case or CASES[case.case] in told
        assert all(f"the switch {name} is at {value}" in told for name, value in case.when.items())
    stands = [(rule.source, rule.ours), *((case.source, case.ours) for case in rule.cases)]
    for source, ours in stands:
        assert source in told
        assert not ours or f"ours     {ours}\n" in told


def test_every_case_that_is_told_apart_has_words_and_no_other() -> None:
    assert set(CASES) == {case for known in KNOWN.values() for case in known.cases}


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("premature-trun", "premature-turn"),
        ("overful-flop", "overfull-flop"),
        ("premature", "premature-turn"),
        ("xyz", "`cutcard rules` lists those that there are"),
        ("two\nlines", "`cutcard rules` lists those that there are"),
    ],
)
def test_an_unknown_rule_is_told_in_one_line_with_the_nearest(wrong: str, nearest: str) -> None:
    done = rules(wrong)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"cutcard rules: there is no rule or remedy .* in roberts[:;] .*{nearest}.*\n", done.stderr
    )


def test_a_file_of_the_product_that_is_wrong_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> None:
        raise RuleFileError("roberts.toml, line 7: there is no remedy x")

    monkeypatch.setattr("controller.cli.rules.rulebook_of_name_or_file", broken)
    done = rules()
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "cutcard rules: roberts.toml, line 7: there is no remedy x\n"


def test_a_remedy_can_be_asked_for_by_its_name() -> None:
    told = rules("natural-river").stdout
    assert "rules    premature-turn\n" in told
    assert "The next card is the river, with no burn." in told


def test_a_machine_gets_the_rulebook_whole() -> None:
    told = parsed()
    assert list(told) == ["name", "title", "switches", "rules", "remedies", "words"]
    assert list(told["rules"]) == list(BOOK.rules)
    assert told["switches"]["settle_ms"] == BOOK.switches.settle_ms
    for rule in told["rules"].values():
        cases = [case["remedy"] for case in rule["cases"]]
        assert {rule["remedy"], rule["late"], *cases} <= told["remedies"].keys()
    steps = [step["do"] for step in told["remedies"]["natural-river"]["steps"]]
    assert steps == ["move", "await", "burn", "deal", "await", "shuffle", "deal"]


def test_a_machine_gets_one_rule_with_the_remedies_that_it_names() -> None:
    told = parsed("premature-river")
    assert told["id"] == "premature-river"
    assert list(told["remedies"]) == ["reshuffle-river", "reshuffle-turn-and-river", "floor"]


# Rulesets by name and by file


@pytest.fixture
def house(tmp_path: Path) -> str:
    """A card room's own file."""
    file = tmp_path / "house.toml"
    file.write_text(
        'name = "house"\ntitle = "House rules"\nextends = "roberts"\n'
        '[switches]\nsettle_ms = 1000\n[rule.premature-turn]\nremedy = "reshuffle-turn"\n'
        'source = "House rules, 9"\n[words.en]\nearly-aside = "Lay it aside, face up"\n',
        "utf-8",
    )
    return str(file)


@pytest.mark.parametrize("name", RULESETS)
def test_any_ruleset_is_printed_by_its_name(name: str) -> None:
    assert len(table_of(name)) == 1 + len(KNOWN)
    assert parsed(name)["name"] == name
    assert rules(name, "premature-turn").output.splitlines() == list(plain(rulebook(name), "premature-turn"))


def test_a_card_rooms_file_is_printed_with_its_own_words(house: str) -> None:
    told = rules(house, "premature-turn")
    assert told.exit_code == 0
    assert "  source   House rules, 9\n" in told.output
    assert "early-aside: > Lay it aside, face up\n" in told.output
    assert parsed(house)["words"] == {"en": {"early-aside": "Lay it aside, face up"}}
    assert [line.split()[0] for line in table_of(house)[1:]] == list(KNOWN)


def test_how_long_the_deal_can_be_put_right_is_told_as_the_switch_has_it() -> None:
    assert "until two players have acted before the flop;" in rules("exposed-later-hole-card").output
    assert "and one of them put chips in" in rules("tda", "exposed-later-hole-card").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tda", "premature-trun"], "there is no rule or remedy 'premature-trun' in tda: did you mean"),
        (["tda", "nosuch"], "there is no rule or remedy 'nosuch' in tda; `cutcard rules tda` lists those"),
        (["hoyle", "premature-turn"], "there is no ruleset hoyle; there are roberts, tda"),
        (["missing.toml"], "missing.toml: the ruleset cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_ruleset_or_no_rule_of_it_is_told_in_one_line(words: list[str], said: str) -> None:
    done = rules(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"cutcard rules: {said}")
    assert done.stderr.count("\n") == 1


def test_whoever_named_a_file_is_told_its_name_and_not_its_title(house: str) -> None:
    done = rules(house, "nosuch")
    assert done.stderr == (
        f"cutcard rules: there is no rule or remedy 'nosuch' in house; "
        f"`cutcard rules {house}` lists those that there are\n"
    )


def test_more_words_than_a_ruleset_and_an_id_are_refused() -> None:
    assert rules("tda", "premature-turn", "more").exit_code == 2


def test_the_option_stands_before_or_behind_the_words() -> None:
    assert rules("--json", "tda").output == rules("tda", "--json").output
    assert (
        rules("--json", "diff", "roberts", "tda").output == rules("diff", "roberts", "tda", "--json").output
    )


def test_help_tells_of_everything() -> None:
    told = rules("--help").output
    for word in ("[NAME|FILE] [ID]", "check", "diff", "roberts", "tda", "--json"):
        assert word in told
    assert "NAME|FILE NAME|FILE" in rules("diff", "--help").output
    assert "FILE" in rules("check", "--help").output


# Where two part


def test_where_two_rulesets_part_is_told_switch_by_switch_and_rule_by_rule() -> None:
    told = rules("diff", "roberts", "tda").output
    assert "  deal_window\n      roberts  two-acts\n      tda      substantial-action\n" in told
    assert "    remedy\n      roberts  natural-river\n      tda      reshuffle-turn\n" in told
    assert "    remedy (four-cards)\n      roberts  redeal-flop\n      tda      scramble-flop\n" in told
    assert "premature-river" not in told


def test_a_machine_gets_every_difference() -> None:
    one, other = rulebook("roberts"), rulebook("tda")
    told = parsed("diff", "roberts", "tda")
    assert (told["one"], told["other"]) == ("roberts", "tda")
    switches = {
        each["id"]: (each["one"], each["other"]) for each in told["differences"] if each["topic"] == "switch"
    }
    parts = {
        name: (str(getattr(one.switches, name)), str(getattr(other.switches, name)))
        for name in one.switches.__struct_fields__
    }
    assert switches == {name: pair for name, pair in parts.items() if pair[0] != pair[1]}
    rule = {each["id"] for each in told["differences"] if each["topic"] == "rule"}
    assert rule == {
        name
        for name, known in KNOWN.items()
        for case in ("", *known.cases)
        if one.answer(name, case) != other.answer(name, case)
        or one.rules[name].trigger != other.rules[name].trigger
    }


def test_a_file_is_held_against_the_ruleset_that_it_extends(house: str) -> None:
    told = parsed("diff", "roberts", house)["differences"]
    assert [(each["topic"], each["id"], each["of"], each["one"], each["other"]) for each in told] == [
        ("switch", "settle_ms", "value", "2000", "1000"),
        ("rule", "premature-turn", "remedy", "natural-river", "reshuffle-turn"),
        (
            "rule",
            "premature-turn",
            "source",
            "Robert's Rules of Poker, hold'em, irregularities",
            "House rules, 9",
        ),
        (
            "rule",
            "premature-turn",
            "ours",
            "an early card that came without a burn has cost its burn: two burns in all",
            "",
        ),
        ("words", "en", "early-aside", "Early card aside, face up", "Lay it aside, face up"),
    ]


def test_remedies_of_one_name_are_held_against_each_other_step_by_step(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        'name = "house"\ntitle = "House rules"\nextends = "roberts"\n[switches]\nburn_on_redeal = "yes"\n',
        "utf-8",
    )
    told = [each for each in parsed("diff", "roberts", str(file))["differences"] if each["topic"] == "remedy"]
    burn = "One card is burned off the stub that was shuffled anew."
    changed = {
        name
        for name, named in rulebook_in(file).remedies.items()
        if named.remedy.steps != BOOK.remedies[name].remedy.steps
    }
    assert {each["id"] for each in told} == changed != set()
    assert {(each["one"], each["other"]) for each in told} == {("", burn)}
    assert {each["of"] for each in told if each["id"] == "redeal-flop"} == {"step 3"}


def test_a_remedy_that_only_one_of_them_has_is_told_step_by_step(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        'name = "house"\ntitle = "House rules"\nextends = "roberts"\n'
        '[rule.premature-turn]\nremedy = "stays"\n'
        '[remedy.stays]\nsays = "The early card stays aside."\nholds = "street"\n'
        '[[remedy.stays.steps]]\ndo = "move"\ncards = "early"\nto = "aside"\nprompt = "early-aside"\n'
        'proof = "seen"\nsays = "The card goes aside."\n'
        '[[remedy.stays.steps]]\ndo = "await"\nuntil = "betting"\nsays = "The betting is finished."\n',
        "utf-8",
    )
    for one, other in (("roberts", str(file)), (str(file), "roberts")):
        told = [each for each in parsed("diff", one, other)["differences"] if each["topic"] == "remedy"]
        sides = [(each["one"], each["other"]) for each in told]
        assert [(each["id"], each["of"]) for each in told] == [
            ("stays", "says"),
            ("stays", "holds"),
            ("stays", "step 1"),
            ("stays", "step 2"),
        ]
        says = ["The early card stays aside.", "street", "The card goes aside.", "The betting is finished."]
        assert sides == [("", each) if one == "roberts" else (each, "") for each in says]
    assert "    step 2\n      roberts  (nothing)\n      house    The betting is finished.\n" in (
        rules("diff", "roberts", str(file)).output
    )


def test_who_has_a_remedy_done_is_told_where_two_part() -> None:
    told = parsed("diff", "roberts", "tda")["differences"]
    by = {each["id"]: (each["one"], each["other"]) for each in told if each["of"] == "by"}
    assert by["turn-no-burn"] == ("table", "floor")


def test_no_difference_is_told_as_such() -> None:
    assert (
        rules("diff", "tda", "tda").output.splitlines()[-1] == "There is no difference between tda and tda."
    )
    assert parsed("diff", "tda", "tda")["differences"] == []


def test_a_ruleset_that_is_wrong_cannot_be_held_against_another(tmp_path: Path) -> None:
    done = rules("diff", "roberts", str(tmp_path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"cutcard rules diff: {tmp_path}: the ruleset cannot be read: this is no file\n"


# Before a table has it


@pytest.mark.parametrize("file", sorted((RULES_FOLDER / "good").glob("*.toml")), ids=lambda file: file.stem)
def test_a_good_file_is_told_so(file: Path) -> None:
    done = rules("check", str(file))
    assert done.exit_code == 0
    assert done.output == f"{file}: {len(KNOWN)} rules, every remedy keeps all 52 cards\n"


@pytest.mark.parametrize("file", sorted((RULES_FOLDER / "broken").glob("*.toml")), ids=lambda file: file.stem)
def test_a_broken_file_is_told_so_with_its_line(file: Path) -> None:
    done = rules("check", str(file))
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(rf"{re.escape(str(file))}, line \d+: .+\n", done.stderr)


def test_what_a_file_makes_of_an_inherited_remedy_is_told_at_its_own_line(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    head = 'name = "house"\ntitle = "House rules"\nextends = "tda"\n'
    file.write_text(head + '[rule.turn-double-burn]\ntakes = "burnt"\n')
    told = rules("check", str(file)).stderr.splitlines()
    assert len(told) == 2
    assert all(line.startswith(f"{file}, line 5: turn-double-burn: the remedy") for line in told)


def test_a_remedy_that_stands_in_for_others_is_blamed_where_it_is_the_rooms_own(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    head = 'name = "house"\ntitle = "House rules"\nextends = "tda"\n'
    pick = "".join(
        f'[[remedy.redeal-flop.steps]]\ndo = "{do}"\ncards = "early"\nprompt = "{prompt}"\nproof = "seen"\n'
        f'says = "Done."\n{more}'
        for do, prompt, more in (
            ("pick", "pick-burn", 'of = "next-street"\n'),
            ("turn-up", "turn-up-board", ""),
        )
    )
    remedy = '[remedy.redeal-flop]\nsays = "A pick."\nholds = "everything"\nunseen = "misdeal"\n'
    file.write_text(head + '[remedy.own]\nsays = "Nothing."\nholds = "nothing"\nsteps = []\n' + remedy + pick)
    told = rules("check", str(file)).stderr.splitlines()
    assert f"{file}, line 11: scramble-flop: redeal-flop has a card picked as well" in told


def test_everything_wrong_is_told_a_line_each(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('colour = "red"\nname = 3\n', "utf-8")
    done = rules("check", str(file))
    assert done.exit_code == 2
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [
        f"{file}, line {number}" for number in (1, 2, 1)
    ]


# Completion


def offered(*words: str, incomplete: str = "") -> list[str]:
    """What a shell offers behind `cutcard rules` and these words."""
    completion = ShellComplete(cutcard, {}, "cutcard", "_CUTCARD_COMPLETE")
    return [
        item.value
        for item in completion.get_completions(["rules", *words], incomplete)
        if item.type != "file"
    ]


def test_the_names_and_ids_complete() -> None:
    assert set(names()) == {*RULESETS, *BOOK.rules, *BOOK.remedies}
    assert set(ids_of("tda")) == {*BOOK.rules, *BOOK.remedies}
    assert list(ids_of("missing.toml")) == []
    assert offered(incomplete="premature") == ["premature-flop", "premature-turn", "premature-river"]
    assert offered(incomplete="td") == ["tda"]
    assert offered(incomplete="di") == ["diff"]
    assert offered("tda", incomplete="overfull") == ["overfull-flop"]
    assert offered("diff", "roberts") == list(RULESETS)
    assert offered("check", incomplete="x") == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_printed_first_is_what_the_switches_have_made_of_it(ruleset: str) -> None:
    book = rulebook(ruleset)
    head, *lines = table_of(ruleset)
    at, end = head.index("remedy"), head.index("source")
    for line, name in zip(lines, book.rules, strict=True):
        remedy = book.answer(name, "").named.name
        assert line[at:end].split(";")[0].strip() == remedy, name
        of_one = rules(ruleset, name).output
        assert re.findall(r"^  remedy   ([a-z-]+):", of_one, re.MULTILINE) == [remedy]
        for case in book.rules[name].cases:
            told = f"{case_in_words(case)}; not in force here"
            assert (told in of_one) == (not book.switches.at(case.when)), name


def test_a_remedy_that_a_switch_has_brought_for_a_case_stands_beside_the_rules_own() -> None:
    (line,) = [line for line in rules("tda").output.splitlines() if line.startswith("overfull-flop")]
    assert "redeal-flop; four-cards: scramble-flop" in line
