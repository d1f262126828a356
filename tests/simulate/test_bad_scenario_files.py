"""Scenario files that are none: one line each, with file, place and what is wrong."""

import json
from pathlib import Path

import pytest

from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import MAX_BYTES, load, read_scenario
from tests.simulate.files import SMALL, acting, changed

SEATS = "known: seat:1, seat:2, seat:3, board, burn, aside, muck, off-table"


def table(key: str, value: object) -> str:
    return changed(SMALL, f"table.{key}", value)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in SMALL.items() if name != key})


def draw(**keys: object) -> str:
    return acting({"do": "draw", "to": "board", **keys})


def bet(**keys: object) -> str:
    return acting({"do": "bet", "seat": 1, "action": "fold", **keys})


BAD: dict[str, tuple[str, str]] = {
    "not JSON": ('{"table": ', "line 1, column 11: is not JSON: Expecting value"),
    "more than JSON": ("{}\n{}", "line 2, column 1: is not JSON: Extra data"),
    "a list": ("[]", "top level: must be an object, not a list"),
    "an unknown key": (changed(SMALL, "act", []), 'top level: unknown key "act"; did you mean "acts"?'),
    "a stranger's key": (
        changed(SMALL, "zzz", 1),
        'top level: unknown key "zzz"; known: name, table, deck, seed, acts, hands',
    ),
    "a key with a line break": (
        changed(SMALL, "acts\n", 1),
        'top level: unknown key "acts\\n"; did you mean "acts"?',
    ),
    "an unknown key of the table": (
        table("bigblind", 1),
        'table: unknown key "bigblind"; did you mean "big_blind"?',
    ),
    "an unknown key of the shoe": (
        table("shoe", {"gates": True}),
        'table.shoe: unknown key "gates"; did you mean "gate"?',
    ),
    "an unknown key of the shuffler": (
        table("shuffler", {"min_card": 1}),
        'table.shuffler: unknown key "min_card"; did you mean "min_cards"?',
    ),
    "an unknown key of an act": (
        acting({"do": "play", "untill": "done"}),
        'acts[0]: unknown key "untill"; did you mean "until"?',
    ),
    "a key of another act": (
        acting({"do": "check_around", "seat": 1}),
        'acts[0]: unknown key "seat"; known: do',
    ),
    "a key twice": ('{"acts": [], "acts": []}', 'top level: the key "acts" stands twice'),
    "a seat twice": (
        '{"table": {"game": "holdem", "seats": {"1": 5, "1": 6}}, "acts": []}',
        'table.seats: the key "1" stands twice',
    ),
    "no table": (without("table"), 'top level: the key "table" is missing'),
    "no acts": (without("acts"), 'top level: the key "acts" is missing'),
    "no game": (changed(SMALL, "table", {"seats": {}}), 'table: the key "game" is missing'),
    "no seats": (changed(SMALL, "table", {"game": "holdem"}), 'table: the key "seats" is missing'),
    "another game": (table("game", "stud"), 'table.game: unknown game "stud"; known: holdem, omaha'),
    "other betting": (
        table("betting", "no limit"),
        'table.betting: unknown betting "no limit"; did you mean "no-limit"?',
    ),
    "a bomb pot tracked": (
        table("special", "bomb-pot"),
        'table.special: bomb-pot cannot be followed to the chip: set "follow" to "dealer-key"',
    ),
    "another special pot": (
        table("special", "straddle"),
        'table.special: unknown special "straddle"; known: kill, bomb-pot, run-it-twice',
    ),
    "one seat": (table("seats", {"1": 5}), "table.seats: must be two seats or more, not 1"),
    "seat 12": (
        table("seats", {"1": 5, "12": 5}),
        'table.seats: "12" is no seat; seats are "1" to "11"',
    ),
    "seat 01": (table("seats", {"01": 5, "2": 5}), 'table.seats: "01" is no seat; seats are "1" to "11"'),
    "eleven Omaha seats": (
        changed(SMALL, "table", {"game": "omaha", "seats": {str(n): 9 for n in range(1, 12)}}),
        "table.seats: Omaha is dealt to at most 10 seats, not 11",
    ),
    "seats in a list": (table("seats", [1, 2]), "table.seats: must be an object, not a list"),
    "a stack below zero": (table("seats.2", -1), "table.seats.2: must be at least 1, not -1"),
    "a stack of half a chip": (table("seats.2", 1.5), "table.seats.2: must be a whole number, not 1.5"),
    "a stack without end": (
        table("seats.2", 10**99),
        f"table.seats.2: must be at most 4294967295, not 1{'0' * 36}...",
    ),
    "a button nowhere": (table("button", 4), "table.button: seat 4 is not in `seats` (1, 2, 3)"),
    "a button off the table": (table("button", 0), "table.button: must be at least 1, not 0"),
    "a blind below zero": (table("big_blind", -10), "table.big_blind: must be at least 0, not -10"),
    "a true blind": (table("small_blind", True), "table.small_blind: must be a whole number, not true"),
    "an ante in words": (table("ante", "5"), 'table.ante: must be a whole number, not "5"'),
    "an ante that is no number": (
        '{"table": {"game": "holdem", "seats": {"1": 5, "2": 6}, "ante": NaN}, "acts": []}',
        "table.ante: must be a whole number, not NaN",
    ),
    "an ante of null": (table("ante", None), "table.ante: must be a whole number, not null"),
    "no blind in the list": (
        table("blinds", []),
        "table.blinds: must be 1 to 3 blinds, one a seat at most, not 0",
    ),
    "more blinds than seats": (
        table("blinds", [1, 2, 4, 8]),
        "table.blinds: must be 1 to 3 blinds, one a seat at most, not 4",
    ),
    "a listed blind below zero": (table("blinds", [5, -1]), "table.blinds[1]: must be at least 0, not -1"),
    "blinds said twice": (
        changed(SMALL, "table", {"game": "holdem", "seats": {"1": 5, "2": 5}, "big_blind": 1, "blinds": [1]}),
        "table.blinds: goes instead of `big_blind`, not with it",
    ),
    "a fixed bet of nothing": (
        changed(
            SMALL,
            "table",
            {"game": "holdem", "betting": "fixed-limit", "seats": {"1": 5, "2": 5}, "big_blind": 0},
        ),
        "table: fixed limit needs a `small_bet` and a `big_bet`, or a big blind, of at least 1",
    ),
    "a flag in words": (table("zones", "yes"), 'table.zones: must be true or false, not "yes"'),
    "a flag of 1": (table("shoe", {"gate": 1}), "table.shoe.gate: must be true or false, not 1"),
    "a shuffler for no pack": (
        table("shuffler", {"min_cards": 9, "max_cards": 8}),
        "table.shuffler.min_cards: must be at most `max_cards` (8)",
    ),
    "three decks": (table("decks", 3), "table.decks: must be at most 2, not 3"),
    "another language": (
        table("language", "de"),
        'table.language: unknown language "de"; known: en, it, el',
    ),
    "other rules": (
        table("rules", "house"),
        'table.rules: unknown rules "house"; known: roberts, tda; '
        "the name of a file ends in .toml or has a / in it",
    ),
    "rules in a file that is not there": (
        table("rules", "house.toml"),
        "table.rules: house.toml: the ruleset cannot be read: No such file or directory",
    ),
    "rules that are no text": (table("rules", 3), "table.rules: must be a string, not 3"),
    "a card twice": (changed(SMALL, "deck", "As Kd As"), "deck: the card As stands twice"),
    "a card of no deck": (
        changed(SMALL, "deck", "As 1d"),
        'deck: "1d" is no card of the deck; a card is rank then suit, as in As',
    ),
    "a deck in a list": (changed(SMALL, "deck", ["As"]), "deck: must be a string, not a list"),
    "a seed in words": (changed(SMALL, "seed", "7"), 'seed: must be a whole number, not "7"'),
    "a name of half a character": (
        changed(SMALL, "name", "\ud800"),
        "name: holds half of a character (a lone surrogate)",
    ),
    "a button that is no seat": (
        changed(SMALL, "table.button", "seat 1"),
        'table.button: must be a seat or "draw", not "seat 1"',
    ),
    "a rake above all": (
        changed(SMALL, "table.rake", [{"percent": 101}]),
        "table.rake[0]: percent must be a number from 0 to 100",
    ),
    "a rake of another key": (
        changed(SMALL, "table.rake", [{"percnt": 5}]),
        'table.rake[0]: unknown key "percnt"; did you mean "percent"?',
    ),
    "a rake of nothing": (
        changed(SMALL, "table.rake", [{"players": 3}]),
        "table.rake[0]: say either percent or steps",
    ),
    "a dead button with one blind": (
        changed(json.loads(changed(SMALL, "table.blinds", [5])), "table.button_rule", "dead"),
        "table.button_rule: the dead button needs two blinds, not 1",
    ),
    "a post of nobody": (
        changed(SMALL, "table.posts", {"7": 5}),
        "table.posts.7: seat 7 is not in `seats` (1, 2, 3)",
    ),
    "a post of no seat at all": (
        changed(SMALL, "table.posts", {"\n": 5}),
        'table.posts: "\\n" is no seat of `seats` (1, 2, 3)',
    ),
    "a special pot that is to be followed": (
        changed(SMALL, "table.special", "bomb-pot"),
        'table.special: bomb-pot cannot be followed to the chip: set "follow" to "dealer-key"',
    ),
    "a seat without a wish": (acting({"do": "seat", "seat": 2}), 'acts[0]: the key "wish" is missing'),
    "a seat that buys nothing": (
        acting({"do": "seat", "seat": 5, "wish": "sit"}),
        'acts[0]: the key "chips" is missing',
    ),
    "chips for leaving": (
        acting({"do": "seat", "seat": 2, "wish": "leave", "chips": 5}),
        "acts[0].chips: goes with the wishes `sit` and `add` only",
    ),
    "a post for leaving": (
        acting({"do": "seat", "seat": 2, "wish": "leave", "entry": "post"}),
        "acts[0].entry: goes with the wishes `sit` and `back` only",
    ),
    "no hands": (changed(SMALL, "hands", 0), "hands: must be at least 1, not 0"),
    "acts in an object": (changed(SMALL, "acts", {}), "acts: must be a list, not an object"),
    "an act in a word": (changed(SMALL, "acts", ["play"]), 'acts[0]: must be an object, not "play"'),
    "an act without a name": (acting({"until": "done"}), 'acts[0]: the key "do" is missing'),
    "an unknown act": (acting({"do": "plays"}), 'acts[0].do: unknown act "plays"; did you mean "play"?'),
    "a play without a phase": (acting({"do": "play"}), 'acts[0]: the key "until" is missing'),
    "an unknown phase": (
        acting({"do": "play", "until": "flopp"}),
        'acts[0].until: unknown phase "flopp"; did you mean "flop"?',
    ),
    "an unknown zone": (draw(to="bord"), 'acts[0].to: unknown zone "bord"; did you mean "board"?'),
    "a zone for moves only": (draw(to="scrap"), f'acts[0].to: unknown zone "scrap"; {SEATS}'),
    "the zone of an empty seat": (draw(to="seat:4"), "acts[0].to: seat 4 is not in `seats` (1, 2, 3)"),
    "the zone of no seat": (draw(to="seat:12"), f'acts[0].to: unknown zone "seat:12"; {SEATS}'),
    "the zone of seat 01": (draw(to="seat:01"), f'acts[0].to: unknown zone "seat:01"; {SEATS}'),
    "no card drawn": (draw(count=0), "acts[0].count: must be at least 1, not 0"),
    "more cards than a deck": (draw(count=53), "acts[0].count: must be at most 52, not 53"),
    "a third face": (draw(face="side"), 'acts[0].face: unknown face "side"; known: down, up'),
    "an act of an empty seat": (bet(seat=9), "acts[0].seat: seat 9 is not in `seats` (1, 2, 3)"),
    "an act of seat 12": (bet(seat=12), "acts[0].seat: must be at most 11, not 12"),
    "an unknown action": (
        bet(action="reraise"),
        'acts[0].action: unknown action "reraise"; did you mean "raise"?',
    ),
    "a bet of nothing said": (
        bet(action="bet"),
        'acts[0]: the key "amount" is missing: a bet says the total in this round',
    ),
    "a raise below zero": (bet(action="raise", amount=-5), "acts[0].amount: must be at least 0, not -5"),
    "an unknown key of the keypad": (
        acting({"do": "key", "key": "mukc"}),
        'acts[0].key: unknown key "mukc"; did you mean "muck"?',
    ),
    "a wait into the past": (acting({"do": "wait", "ms": -1}), "acts[0].ms: must be at least 0, not -1"),
    "a hole card 0": (
        acting({"do": "expose", "seat": 1, "card": 0}),
        "acts[0].card: must be at least 1, not 0",
    ),
    "no card moved": (
        acting({"do": "move", "cards": " ", "to": "muck"}),
        "acts[0].cards: must name one card or more",
    ),
    "a card moved twice": (
        acting({"do": "move", "cards": "Ah Ah", "to": "muck"}),
        "acts[0].cards: the card Ah stands twice",
    ),
    "an unknown mistake": (
        acting({"do": "comply", "wrong": "skip"}),
        'acts[0].wrong: unknown mistake "skip"; did you mean "skip-cut"?',
    ),
    "an unknown decision": (
        acting({"do": "floor", "decision": "chose"}),
        'acts[0].decision: unknown decision "chose"; did you mean "choose"?',
    ),
    "no remedy chosen": (
        acting({"do": "floor", "decision": "choose"}),
        'acts[0]: the key "remedy" is missing: `choose` says which',
    ),
    "a remedy beside the decision": (
        acting({"do": "floor", "decision": "found"}),
        'acts[0]: the key "rule" is missing: `found` says which',
    ),
    "a rule that was not found": (
        acting({"do": "floor", "decision": "stand", "rule": "x"}),
        "acts[0].rule: goes with the decision `found` only",
    ),
    "a seat of nothing found": (
        acting({"do": "floor", "decision": "stand", "seat": 1}),
        "acts[0].seat: goes with the decision `found` only",
    ),
    "a remedy that is not chosen": (
        acting({"do": "floor", "decision": "stand", "remedy": "x"}),
        "acts[0].remedy: goes with the decision `choose` only",
    ),
    "an unknown remedy": (
        acting({"do": "floor", "decision": "choose", "remedy": "misdael"}),
        'acts[0].remedy: unknown remedy "misdael"; did you mean "misdeal"?',
    ),
    "an unknown rule": (
        acting({"do": "floor", "decision": "found", "rule": "stub-droped"}),
        'acts[0].rule: unknown rule "stub-droped"; did you mean "stub-dropped"?',
    ),
    "an unknown device": (
        acting({"do": "fault", "device": "shuffle", "fault": "jam"}),
        'acts[0].device: unknown device "shuffle"; did you mean "shuffler"?',
    ),
    "an unknown fault": (
        acting({"do": "fault", "device": "shoe", "fault": "unplugged"}),
        'acts[0].fault: unknown fault "unplugged"; did you mean "unplug"?',
    ),
    "a tower of lists": ("[" * 100_000, "is nested too deep to be a scenario"),
    "a number of a mile": (f'{{"seed": {"9" * 10_000}}}', "holds a number that is too long"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_answered_with_one_line_that_says_where_and_why(case: str) -> None:
    text, line = BAD[case]
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text, file="x.json", name="x")
    assert str(caught.value) == f"x.json: {line}"
    assert str(caught.value).isprintable()


CONTENTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "other bytes": (b"{}\n\xff", "line 2: is not UTF-8"),
    "UTF-16": ('{"acts": []}'.encode("utf-16"), "line 1: is not UTF-8"),
    "a byte order mark": (
        b"\xef\xbb\xbf{}",
        "line 1, column 1: begins with a byte order mark; UTF-8 needs none",
    ),
    "too large": (b" " * (MAX_BYTES + 1), f"is larger than {MAX_BYTES} bytes, so it is no scenario"),
}


@pytest.mark.parametrize("suffix", [".json", ".phh"])
@pytest.mark.parametrize("case", CONTENTS)
def test_a_file_that_is_no_text_is_answered_with_one_line(case: str, suffix: str, tmp_path: Path) -> None:
    content, line = CONTENTS[case]
    path = tmp_path / f"x{suffix}"
    path.write_bytes(content)
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: {line}"


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(ScenarioError) as caught:
        load(Path("nowhere/x.json"))
    assert str(caught.value) == "nowhere/x.json: no such file"


def test_a_file_of_several_histories_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.phhs"
    path.write_text("[1]\nvariant = 'NT'\n")
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: holds several hands: give each a `.phh` file of its own"


def test_a_directory_is_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a directory, not a scenario file"


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # For root every file can be read, so the refusal is the test's own.
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("hil_rigs.simulate.load.os.open", refuse)
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "x.json")
    assert str(caught.value) == f"{tmp_path / 'x.json'}: cannot be read: permission denied"


@pytest.mark.parametrize("name", ["x/y.json", "a\0b.json", "x" * 300])
def test_a_path_that_cannot_be_opened_is_answered_with_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / name)
    assert ": cannot be read: " in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_file_name_with_a_line_break_stays_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "a\nb.json")
    assert str(caught.value).isprintable()
