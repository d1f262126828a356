"""Rules and remedies are read from files that a person writes: whatever is wrong is told with its line."""

from importlib.resources import files

import pytest

from controller.prompt_files import catalogue
from controller.remedies.steps import NamedRemedy, RuleError, Shuffle, read_remedies
from controller.rule_files import RULESETS, rulebook
from controller.rulesets.book import KNOWN, MOST_SETTLE_MS, TOO_LATE, read_rulebook

REMEDIES = files("controller.remedies").joinpath("remedies.toml").read_text("utf-8")
RULES = files("controller.rulesets").joinpath("roberts.toml").read_text("utf-8")
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
            called |= {rule.remedy, *rule.cases.values()}
    assert called == KNOWN_REMEDIES.keys()


def test_a_case_without_a_remedy_of_its_own_has_the_rules() -> None:
    book = rulebook("roberts")
    assert book.remedy("premature-river", "").name == "reshuffle-river"
    assert book.remedy("premature-river", "flop-betting").name == "reshuffle-turn-and-river"
    assert book.remedy("exposed-two-or-more", "extra-unseen").name == "misdeal"


def test_a_switch_makes_its_case_and_no_other() -> None:
    printed = read_rulebook(RULES, "roberts.toml", KNOWN_REMEDIES)
    source = changed(RULES, 'extra_card_other_seat = "misdeal"', 'extra_card_other_seat = "burn"')
    turned = read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)
    assert {rule for rule in KNOWN if printed.switched(rule)} == set()
    assert {rule for rule in KNOWN if turned.switched(rule)} == {"extra-card-other-seat"}
    assert turned.remedy("extra-card-other-seat", "switched").name == "extra-to-burn"


def test_no_set_of_a_shuffle_in_the_middle_of_a_hand_has_a_burn_or_a_card_of_the_muck() -> None:
    sets = [
        step.cards
        for named in KNOWN_REMEDIES.values()
        for step in named.remedy.steps
        if isinstance(step, Shuffle)
    ]
    assert set(sets) == {("everything",), ("early", "stub")}


# Remedies that are wrong

SHUFFLE = 'cards = ["early", "stub"]'
EARLY = 'prompt = "early-aside"'


@pytest.mark.parametrize(
    ("old", "new", "step", "words"),
    [
        ('do = "await"', 'do = "wash"', 2, "'wash'"),
        ('do = "await"\n', "", 2, "`do`"),
        ('until = "betting"', 'until = "breakfast"', 2, "'breakfast'"),
        ('until = "betting"', 'until = "betting"\nseconds = 3', 2, "`seconds`"),
        ("until", "till", 2, "`till`"),
        ('until = "betting"', 'until = "betting"\nprompt = "deal-on"', 2, "none of its own$"),
        (EARLY, 'prompt = "early-inside"', 1, "there is no prompt early-inside$"),
        (EARLY, f'{EARLY}\nfrom_burn = "no-prompt"', 1, "there is no prompt no-prompt$"),
        ('proof = "seen"', 'proof = "word"', 1, "'word'"),
        ('proof = "seen"\n', "", 1, "`proof`"),
        ('to = "aside"', 'to = "pocket"', 1, "'pocket'"),
        ('cards = "early"', 'cards = "muck"', 1, "'muck'"),
        ('unless = "made-since"', 'unless = "sunday"', 3, "'sunday'"),
        (SHUFFLE, 'cards = ["early", "stub", "burns"]', 6, "'burns'"),
        (SHUFFLE, 'cards = ["early", "stub", "muck"]', 6, "'muck'"),
        (SHUFFLE, 'cards = ["stub"]', 6, "of no burn and no muck$"),
        (SHUFFLE, "cards = []", 6, "of no burn and no muck$"),
        (SHUFFLE, 'cards = ["everything"]', 6, "before the deal, and no other, is of everything$"),
        (SHUFFLE, 'cards = ["early", "stub", "everything"]', 6, "before the deal, and no other"),
        ('before = "next-street"', 'before = "deal"', 6, "before the deal, and no other"),
        ('by_hand = "scramble-aside"\n', "", 6, "needs `by_hand`$"),
        ('by_hand = "scramble-aside"', 'by_hand = "scramble"', 6, "there is no prompt scramble$"),
        ('says = "The early card goes aside, face up."', 'says = " "', 1, "must say in words"),
        ('says = "The early card goes aside, face up."\n', "", 1, "`says`"),
    ],
)
def test_a_step_that_is_wrong_is_told_with_its_line(old: str, new: str, step: int, words: str) -> None:
    source = changed(REMEDIES, old, new, after="[natural-river]")
    header, at = "[[natural-river.steps]]", -1
    for _ in range(step):
        at = source.index(header, at + 1)
    begins = source[:at].count("\n") + 1
    with pytest.raises(RuleError, match=rf"(?s)^remedies\.toml, line {begins}: natural-river: .*{words}"):
        remedies(source)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('holds = "street"', 'holds = "breath"', "'breath'"),
        ('holds = "street"\n', "", "`holds`"),
        ('holds = "street"', 'holds = "street"\ncolour = "red"', "`colour`"),
        ('holds = "street"', 'holds = "street"\nsays = 3', ""),
    ],
)
def test_a_remedy_that_is_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    source = changed(REMEDIES, old, new, after="[natural-river]")
    begins = line(source, "[natural-river]")
    with pytest.raises(RuleError, match=rf"^remedies\.toml, line \d+: .*{words}") as told:
        remedies(source)
    assert int(str(told.value).split("line ")[1].split(":")[0]) - begins in range(5)


def test_what_is_no_remedy_is_told() -> None:
    with pytest.raises(RuleError, match=r"^remedies\.toml, line 1: misdeal: "):
        remedies("misdeal = 3\n")


def test_remedies_that_are_no_toml_are_told_with_the_line() -> None:
    source = changed(REMEDIES, 'holds = "street"', 'holds = "street', after="[natural-river]")
    wrong = line(source, 'holds = "street\n')
    with pytest.raises(RuleError, match=rf"^remedies\.toml, line {wrong}: "):
        remedies(source)


# Rules that are wrong


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('window = "board"', 'window = "kitchen"', "'kitchen'"),
        ('window = "board"\n', "", "`window`"),
        ('window = "board"', 'window = "board"\nfine = 5', "`fine`"),
        ('takes = "early"', 'takes = "money"', "'money'"),
        ('games = ["holdem", "omaha"]', 'games = ["stud"]', "'stud'"),
        ('remedy = "reshuffle-river"', 'remedy = "shout"', "there is no remedy shout$"),
        (
            'flop-betting = "reshuffle-turn-and-river"',
            'flop-betting = "shout"',
            "there is no remedy shout$",
        ),
        ("flop-betting =", "river-betting =", "never found in the case river-betting$"),
        ("flop-betting =", "switched =", "never found in the case switched$"),
        ('takes = "early"', 'takes = "board"', "it takes early, not board$"),
        ('window = "board"', 'window = "pot"', "its window is board, not pot$"),
        ('games = ["holdem", "omaha"]', "games = []", "it is for no game$"),
        ('remedy = "reshuffle-river"', 'remedy = "misdeal"', "misdeal is for the deal, .* the board$"),
        ('remedy = "reshuffle-river"', 'remedy = "replace-exposed"', "replace-exposed is for the deal, .*$"),
    ],
)
def test_a_rule_that_is_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    source = changed(RULES, old, new, after="[rule.premature-river]")
    begins = line(source, "[rule.premature-river]")
    with pytest.raises(RuleError, match=rf"^roberts\.toml, line {begins}: premature-river: .*{words}"):
        read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)


def test_a_rule_of_the_deal_has_no_remedy_of_the_board() -> None:
    source = changed(RULES, 'remedy = "replace-exposed"', 'remedy = "redeal-flop"')
    with pytest.raises(
        RuleError, match=r"exposed-later-hole-card: .* redeal-flop is for the board, .* deal$"
    ):
        read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)


def test_a_switch_without_a_remedy_for_it_is_refused() -> None:
    source = changed(RULES, 'extra_card_other_seat = "misdeal"', 'extra_card_other_seat = "burn"')
    assert read_rulebook(source, "roberts.toml", KNOWN_REMEDIES).switched("extra-card-other-seat")
    without = changed(source, 'switched = "extra-to-burn"', "")
    begins = line(without, "[rule.extra-card-other-seat]")
    with pytest.raises(
        RuleError, match=rf"^roberts\.toml, line {begins}: .*no remedy for the case switched$"
    ):
        read_rulebook(without, "roberts.toml", KNOWN_REMEDIES)


def test_a_rule_that_the_table_does_not_tell_apart_is_refused() -> None:
    source = RULES.replace("premature-river", "premature-supper")
    begins = line(source, "[rule.premature-supper]")
    with pytest.raises(RuleError, match=rf"^roberts\.toml, line {begins}: premature-supper: .*no such"):
        read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)


@pytest.mark.parametrize("missing", KNOWN)
def test_a_rule_that_is_missing_is_named(missing: str) -> None:
    parts = RULES.split("\n[rule.")
    kept = "\n[rule.".join(part for part in parts if not part.startswith((f"{missing}]", f"{missing}.")))
    begins = line(kept, "[rule.")
    with pytest.raises(RuleError, match=rf"^roberts\.toml, line {begins}: there is no rule {missing}$"):
        read_rulebook(kept, "roberts.toml", KNOWN_REMEDIES)


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("settle_ms = 2000", "settle_ms = -1", "settle_ms", f"settle_ms is 0 to {MOST_SETTLE_MS} ms$"),
        ("settle_ms = 2000", f"settle_ms = {MOST_SETTLE_MS + 1}", "settle_ms", "settle_ms is 0 to"),
        ("settle_ms = 2000", 'settle_ms = "soon"', "settle_ms", "`int`"),
        ("settle_ms = 2000", "settle_ms = 2.5", "settle_ms", "`int`"),
        ('"two-acts"', '"never"', "deal_window", "'never'"),
        ('extra_card_other_seat = "misdeal"', 'extra_card_other_seat = "kill"', "extra_card", "'kill'"),
        ("settle_ms = 2000", "settle_mss = 2000", "settle_mss", "`settle_mss`"),
        ('name = "roberts"', "name = 3", "name", "`str`"),
        ('name = "roberts"', 'name = "roberts"\nyear = 1999', "year", "`year`"),
        ('name = "roberts"\n', "", "", "`name`"),
    ],
)
def test_a_switch_or_a_head_that_is_wrong_is_told_with_its_line(
    old: str, new: str, at: str, words: str
) -> None:
    source = changed(RULES, old, new, after="\nname = ")
    wrong = line(source, f"\n{at}") + 1 if at else 1
    with pytest.raises(RuleError, match=rf"^roberts\.toml, line {wrong}: .*{words}"):
        read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)


@pytest.mark.parametrize("settle_ms", [0, MOST_SETTLE_MS])
def test_the_settling_time_may_be_anything_in_its_range(settle_ms: int) -> None:
    source = changed(RULES, "settle_ms = 2000", f"settle_ms = {settle_ms}")
    book = read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)
    assert book.switches.settle_ms == settle_ms


def test_a_ruleset_that_is_no_toml_is_told_with_the_line() -> None:
    source = changed(RULES, 'window = "board"', "window = board", after="[rule.premature-river]")
    wrong = line(source, "window = board")
    with pytest.raises(RuleError, match=rf"^roberts\.toml, line {wrong}: "):
        read_rulebook(source, "roberts.toml", KNOWN_REMEDIES)


@pytest.mark.parametrize("rule", ["3", "[]", '"all"', "{}"])
def test_a_ruleset_without_a_table_of_rules_is_told(rule: str) -> None:
    source = f'rule = {rule}\nname = "x"\ntitle = "x"\n'
    with pytest.raises(RuleError, match=r"^x\.toml, line 1: there is no rule "):
        read_rulebook(source, "x.toml", KNOWN_REMEDIES)


def test_rules_cannot_do_without_the_remedy_of_what_is_found_too_late() -> None:
    known = {name: named for name, named in KNOWN_REMEDIES.items() if name != TOO_LATE}
    with pytest.raises(RuleError, match=rf"there is no remedy {TOO_LATE}$"):
        read_rulebook(RULES, "roberts.toml", known)
