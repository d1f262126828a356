"""The rules and remedies of the product are read from its files: whatever is wrong is told with its line.

What a card room may write in a ruleset of its own stands in `test_house_rules`.
"""

from dataclasses import replace
from importlib.resources import files

import msgspec
import pytest

from controller.prompt_files import catalogue
from controller.remedies.steps import MIXED, NamedRemedy, RuleError, Shuffle, read_remedies
from controller.rule_files import rulebook
from controller.rulesets import RULESETS
from controller.rulesets.book import TOO_LATE
from controller.rulesets.known import KNOWN

REMEDIES = files("controller.remedies").joinpath("remedies.toml").read_text("utf-8")
PROMPTS = frozenset(catalogue("en").looks)
KNOWN_REMEDIES = read_remedies(REMEDIES, "remedies.toml", PROMPTS)


def changed(source: str, old: str, new: str, after: str = "") -> str:
    """The text with the first `old` behind `after` replaced; it must have been there."""
    start = source.index(after)
    assert old in source[start:]
    return source[:start] + source[start:].replace(old, new, 1)


def line(source: str, text: str, after: str = "") -> int:
    """The line of the first `text` behind `after`."""
    at = source.index(text, source.index(after))
    return source[:at].count("\n") + 1


def remedies(source: str) -> dict[str, NamedRemedy]:
    return read_remedies(source, "remedies.toml", PROMPTS)


# What the product comes with


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_of_the_product_has_every_rule_that_is_told_apart(name: str) -> None:
    book = rulebook(name)
    assert book.name == name
    assert book.rules.keys() == KNOWN.keys()


def test_no_remedy_is_there_in_vain() -> None:
    called = {TOO_LATE}
    for name in RULESETS:
        for rule in rulebook(name).rules.values():
            called |= set(rule.remedies)
    assert called == KNOWN_REMEDIES.keys()


@pytest.mark.parametrize("name", RULESETS)
def test_what_no_source_has_is_marked_as_the_tables_own(name: str) -> None:
    for rule in rulebook(name).rules.values():
        sources = [rule.source, *(case.source for case in rule.cases)]
        assert not any("ours" in source for source in sources)


def answered(rule: str, case: str = "", **switches: int | str) -> str:
    """The remedy of roberts with some switches set otherwise."""
    book = rulebook("roberts")
    set_so = replace(book, switches=msgspec.structs.replace(book.switches, **switches))
    return set_so.answer(rule, case).named.name


def test_a_case_without_a_remedy_of_its_own_has_the_rules() -> None:
    assert answered("premature-river") == "reshuffle-river"
    assert answered("premature-river", "flop-betting") == "reshuffle-turn-and-river"
    assert answered("exposed-two-or-more", "extra-unseen") == "misdeal"


@pytest.mark.parametrize(
    ("rule", "case", "switch", "value", "without", "with_it"),
    [
        ("extra-card-first-player", "", "extra_card_first_player", "misdeal", "extra-to-burn", "misdeal"),
        (
            "extra-card-first-player",
            "exposed-waits",
            "extra_card_first_player",
            "misdeal",
            "extra-replaces",
            "misdeal",
        ),
        ("extra-card-other-seat", "", "extra_card_other_seat", "burn", "misdeal", "extra-to-burn"),
        (
            "extra-card-other-seat",
            "exposed-waits",
            "extra_card_other_seat",
            "burn",
            "extra-replaces",
            "extra-replaces",
        ),
        ("overfull-flop", "four-cards", "overfull_flop", "scramble", "redeal-flop", "scramble-flop"),
        ("overfull-flop", "", "overfull_flop", "scramble", "redeal-flop", "redeal-flop"),
        ("premature-turn", "", "premature_turn", "reshuffle-now", "natural-river", "reshuffle-turn"),
    ],
)
def test_a_switch_makes_its_case(
    rule: str, case: str, switch: str, value: str, without: str, with_it: str
) -> None:
    assert (answered(rule, case), answered(rule, case, **{switch: value})) == (without, with_it)


def test_what_is_found_too_late_is_the_floors() -> None:
    book = rulebook("roberts")
    late = {rule: book.answer(rule, "", "closed").named.name for rule in book.rules}
    assert {rule: name for rule, name in late.items() if name != TOO_LATE} == {
        "boxed-cards-two-plus": "scrap",
        "button-misplaced": "button-next-hand",
        "joker": "joker-away",
        "duplicate-card": "pull-deck",
        "foreign-card": "pull-deck",
    }


def test_no_set_but_that_of_a_stub_which_met_them_has_a_burn_or_a_card_of_the_muck() -> None:
    sets = {
        step.cards: named.name
        for named in KNOWN_REMEDIES.values()
        for step in named.remedy.steps
        if isinstance(step, Shuffle)
    }
    # "burnt" is a second burn, which a ruling took out of play: it is the burn of no street.
    usual = {("everything",), ("early", "stub"), ("early", "burnt", "stub"), ("stub",)}
    mixed = {cards for cards in sets if MIXED & set(cards)}
    assert set(sets) == usual | mixed
    names = {sets[cards] for cards in mixed}
    assert names == {"shuffle-with-muck", "shuffle-with-burns", "shuffle-with-both"}
    books = [rulebook(name) for name in RULESETS]
    calling = {rule for book in books for rule, each in book.rules.items() if names & set(each.remedies)}
    assert calling == {"stub-mixed"}


# Remedies that are wrong

SHUFFLE = 'cards = ["early", "stub"]'
EARLY = 'prompt = "early-aside"'


@pytest.mark.parametrize(
    ("old", "new", "step", "words"),
    [
        ('do = "await"', 'do = "wash"', 2, "'wash'"),
        ('do = "await"\n', "", 2, "the key do is missing"),
        ('until = "betting"', 'until = "breakfast"', 2, "'breakfast'"),
        ('until = "betting"', 'until = "betting"\nseconds = 3', 2, "no key seconds"),
        ("until", "till", 2, "no key till"),
        ('until = "betting"', 'until = "betting"\nprompt = "deal-on"', 2, "none of its own$"),
        (
            EARLY,
            'prompt = "early-inside"',
            1,
            "no prompt early-inside: did you mean early-aside",
        ),
        (EARLY, f'{EARLY}\nfrom_burn = "no-prompt"', 1, "from_burn: there is no prompt no-prompt"),
        ('proof = "seen"', 'proof = "word"', 1, "'word'"),
        ('proof = "seen"\n', "", 1, "the key proof is missing"),
        ('to = "aside"', 'to = "pocket"', 1, "'pocket'"),
        ('cards = "early"', 'cards = "muck"', 1, "'muck'"),
        ('unless = "made-since"', 'unless = "sunday"', 3, "'sunday'"),
        (SHUFFLE, 'cards = ["early", "stub", "burns"]', 6, "burns: only a stub that has met them"),
        (SHUFFLE, 'cards = ["early", "stub", "muck"]', 6, "muck: only a stub that has met them"),
        (SHUFFLE, 'cards = ["early"]', 6, "of the stub and of what was taken out of play$"),
        (SHUFFLE, "cards = []", 6, "of the stub and of what was taken out of play$"),
        (SHUFFLE, 'cards = ["everything"]', 6, "before the deal, and no other, is of everything$"),
        (SHUFFLE, 'cards = ["early", "stub", "everything"]', 6, "before the deal, and no other"),
        ('before = "next-street"', 'before = "deal"', 6, "before the deal, and no other"),
        ('by_hand = "scramble-aside"\n', "", 6, "needs `by_hand`$"),
        (
            'by_hand = "scramble-aside"',
            'by_hand = "scramble"',
            6,
            "by_hand: there is no prompt scramble",
        ),
        ('says = "The early card goes aside, face up."', 'says = " "', 1, "must say in words"),
        ('says = "The early card goes aside, face up."\n', "", 1, "the key says is missing"),
    ],
)
def test_a_step_that_is_wrong_is_told_with_its_line(old: str, new: str, step: int, words: str) -> None:
    source = changed(REMEDIES, old, new, after="[natural-river]")
    header, at = "[[natural-river.steps]]", -1
    for _ in range(step):
        at = source.index(header, at + 1)
    begins = source[:at].count("\n") + 1
    ends = begins + source[at:].split("\n\n")[0].count("\n")
    with pytest.raises(RuleError, match=rf"^remedies\.toml, line \d+: natural-river: .*{words}") as told:
        remedies(source)
    assert begins <= told.value.line <= ends


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('holds = "street"', 'holds = "breath"', "'breath'"),
        ('holds = "street"\n', "", "the key holds is missing"),
        ('holds = "street"', 'holds = "street"\ncolour = "red"', "no key colour"),
        ('holds = "street"', 'holds = "street"\nsays = 3', ""),
    ],
)
def test_a_remedy_that_is_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    source = changed(REMEDIES, old, new, after="[natural-river]")
    begins = line(source, "[natural-river]")
    with pytest.raises(RuleError, match=rf"^remedies\.toml, line \d+: .*{words}") as told:
        remedies(source)
    assert told.value.line - begins in range(5)


def test_what_is_no_remedy_is_told() -> None:
    with pytest.raises(RuleError, match=r"^remedies\.toml, line 1: misdeal: "):
        remedies("misdeal = 3\n")


def test_remedies_that_are_no_toml_are_told_with_the_line() -> None:
    source = changed(REMEDIES, 'holds = "street"', 'holds = "street', after="[natural-river]")
    wrong = line(source, 'holds = "street\n')
    with pytest.raises(RuleError, match=rf"^remedies\.toml, line {wrong}: "):
        remedies(source)
