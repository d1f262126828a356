"""Hand histories that cannot be: one line each, with file, place, seat or card."""

import pytest

from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.phh import read_history
from hil_rigs.simulate.scenario import Scenario
from tests.simulate.files import HISTORY, told


def read(text: str) -> Scenario:
    return read_history(text, file="x.phh", name="x")


def edit(old: str, new: str) -> str:
    assert old in HISTORY
    return HISTORY.replace(old, new, 1)


CARD = "is no card of the deck; a card is rank then suit, as in As"
BAD: dict[str, tuple[str, str]] = {
    "not TOML": (
        edit("antes =", "antes"),
        "line 2, column 7: is not TOML: Expected '=' after a key in a key/value pair",
    ),
    "cut off": (HISTORY[:-3], "end of document: is not TOML: Invalid value"),
    "a key twice": (HISTORY + "min_bet = 1\n", "line 26, column 12: is not TOML: Cannot overwrite a value"),
    "an unknown key": (
        HISTORY + "min_bets = 1\n",
        'top level: unknown key "min_bets"; did you mean "min_bet"?',
    ),
    "no antes": (edit("antes", "_antes"), 'top level: the key "antes" is missing'),
    "no blinds": (
        edit("blinds_or_straddles", "_blinds"),
        'top level: the key "blinds_or_straddles" is missing',
    ),
    "no stacks": (edit("starting_stacks", "_stacks"), 'top level: the key "starting_stacks" is missing'),
    "no actions": (edit("actions", "_actions"), 'top level: the key "actions" is missing'),
    "no variant": (edit("variant", "_variant"), 'top level: the key "variant" is missing'),
    "a scenario in JSON": ('{"table": {}}', "line 1, column 1: is not TOML: Invalid statement"),
    "no least bet": (edit("min_bet", "_min_bet"), 'top level: the key "min_bet" is missing'),
    "no small bet": (edit('"NT"', '"FT"'), 'top level: the key "small_bet" is missing'),
    "another variant": (
        edit('"NT"', '"F2L3D"'),
        'variant: the variant "F2L3D" is not played; NT, FT, PO are',
    ),
    "a number as variant": (edit('"NT"', "1"), "variant: must be a string, not 1"),
    "one player": (told(starting_stacks="[5]"), "starting_stacks: must be 2 to 11 players, not 1"),
    "antes for two": (told(antes="[0, 0]"), "antes: must be 3 amounts, one a player, not 2"),
    "blinds for two": (
        told(blinds_or_straddles="[5, 10]"),
        "blinds_or_straddles: must be 3 amounts, one a player, not 2",
    ),
    "an ante below zero": (told(antes="[0, -1, 0]"), "antes[1]: must be at least 0"),
    "a stack below zero": (told(starting_stacks="[5, -5, 5]"), "starting_stacks[1]: must be above 0"),
    "a least bet of nothing": (told(min_bet="0"), "min_bet: must be above 0"),
    "blinds in words": (
        told(blinds_or_straddles="'5/10'"),
        'blinds_or_straddles: must be a list, not "5/10"',
    ),
    "blinds in blinds": (
        told(blinds_or_straddles="[[5], 10, 0]"),
        "blinds_or_straddles[0]: must be a number, not a list",
    ),
    "a post without end": (
        told(blinds_or_straddles="[5, 10, -inf]"),
        "blinds_or_straddles[2]: must be a number that is finite",
    ),
    "a result in words": (
        told(finishing_stacks="['much', 0, 0]"),
        'finishing_stacks[0]: must be a number, not "much"',
    ),
    "a stack of nothing": (told(starting_stacks="[5, 0, 5]"), "starting_stacks[1]: must be above 0"),
    "a stack that cannot be": (
        told(starting_stacks="[5, -inf, 5]"),
        "starting_stacks[1]: must be a number that is finite",
    ),
    "a stack too large": (
        told(starting_stacks="[5, 1e999999, 5]"),
        "starting_stacks[1]: must be at most 4294967295",
    ),
    "a stack too fine": (
        told(starting_stacks="[5, 1e-9, 5]"),
        "starting_stacks[1]: must have 6 decimal places at most",
    ),
    "a true stack": (told(starting_stacks="[5, true, 5]"), "starting_stacks[1]: must be a number, not true"),
    "a stack in words": (
        told(starting_stacks="[5, '5', 5]"),
        'starting_stacks[1]: must be a number, not "5"',
    ),
    "stacks too large for their unit": (
        told(starting_stacks="[4294967295, 5.5, 5]"),
        "top level: an amount is more than 4294967295 of the smallest unit that the file uses",
    ),
    "an action in a number": (
        told("d dh p1 ????").replace("['d dh p1 ????']", "[1]"),
        "actions[0]: must be a string, not 1",
    ),
    "an unknown action": (
        edit("p2 f", "p2 shoves"),
        'actions[5]: cannot be read: "p2 shoves" (dh, db, f, cc, cbr and sm are known)',
    ),
    "an action of another game": (
        edit("p2 f", "p2 sd"),
        'actions[5]: cannot be read: "p2 sd" (dh, db, f, cc, cbr and sm are known)',
    ),
    "no action at all": (
        told("# nothing happened"),
        "actions: seat 1 is dealt 0 hole cards instead of 2",
    ),
    "a show of a hand that folded before the last one won": (
        told("d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 f", "p3 sm AhKh"),
        "actions[5]: seat 3 shows or mucks, but has folded",
    ),
    "a bet below zero": (
        edit("p3 cbr 30", "p3 cbr -30"),
        'actions[3]: cannot be read: "p3 cbr -30" (dh, db, f, cc, cbr and sm are known)',
    ),
    "a seat that is not there": (
        edit("p2 f", "p4 f"),
        "actions[5]: seat 4 is not in the hand (seats 1 to 3)",
    ),
    "a seat without cards": (
        edit('  "d dh p2 ????",\n', ""),
        "actions[2]: seat 2 is dealt 0 hole cards instead of 2",
    ),
    "one hole card": (
        edit("d dh p2 ????", "d dh p2 ??"),
        "actions[3]: seat 2 is dealt 1 hole cards instead of 2",
    ),
    "four hole cards": (
        edit("d dh p2 ????", "d dh p2 ????????"),
        "actions[1]: seat 2 is dealt 4 hole cards instead of 2",
    ),
    "a hole card too late": (
        edit("p2 f", "d dh p2 ????"),
        "actions[5]: seat 2 is dealt a hole card after the deal",
    ),
    "a card of no deck": (edit("AhAd", "AhAx"), f'actions[0]: "Ax" {CARD}'),
    "half a card": (edit("AhAd", "AhA"), f'actions[0]: "A" {CARD}'),
    "a hole card twice": (edit("AhAd", "AhAh"), "actions[0]: the card Ah stands twice"),
    "a card of two seats": (edit("p2 ????", "p2 ??Ah"), "actions[1]: the card Ah stands twice"),
    "a board card twice": (edit("d db 5s", "d db 4c"), "actions[10]: the card 4c stands twice"),
    "a shown card twice": (
        edit("p3 sm", "p3 sm KsKs"),
        "actions[17]: the card Ks stands twice",
    ),
    "a card shown that was not dealt": (
        edit("p1 sm AhAd", "p1 sm AhAs"),
        "actions[16]: seat 1 shows As, which it was not dealt",
    ),
    "too few cards shown": (edit("p1 sm AhAd", "p1 sm Ah"), "actions[16]: seat 1 shows 1 cards instead of 2"),
    "a flop of two": (edit("d db 2c3c4c", "d db 2c3c"), "actions[6]: the flop has 3 cards, not 2"),
    "a turn of two": (edit("d db 5s", "d db 5s6d"), "actions[10]: the turn has 1 card, not 2"),
    "a sixth board card": (
        edit('"p1 sm AhAd"', '"d db 7s"'),
        "actions[16]: the board is complete; a sixth card is dealt",
    ),
    "a missing act": (edit('  "p2 f",\n', ""), "actions[5]: seat 2 has not acted before the flop"),
    "a missing act on the turn": (
        edit('  "p3 cc",\n  "d db 6s"', '  "d db 6s"'),
        "actions[12]: seat 3 has not acted on the turn",
    ),
    "an act out of turn": (
        edit('  "p1 cc",\n  "p2 f",\n', '  "p2 f",\n'),
        "actions[4]: seat 2 acts out of turn: seat 1 has not acted",
    ),
    "an act too many": (
        edit('"d db 2c3c4c"', '"p1 cc", "d db 2c3c4c"'),
        "actions[6]: seat 1 acts when the round is complete",
    ),
    "an act after the hand": (
        edit('"p1 cc",\n  "p2 f",\n', '"p1 f",\n  "p2 f",\n'),
        "actions[6]: a board card after the hand: only seat 3 is left",
    ),
    "an act of the last player": (
        told("d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 f", "p2 cc"),
        "actions[5]: seat 2 acts after the hand: only seat 2 is left",
    ),
    "a bet beyond the stack": (
        edit("p3 cbr 30", "p3 cbr 501"),
        "actions[3]: seat 3 cannot bet to that amount: the stack is too small",
    ),
    "a raise that raises nothing": (
        edit("p3 cbr 30", "p3 cbr 10"),
        "actions[3]: seat 3 cannot bet to that amount: it is no more than the present bet",
    ),
    "a show of a folded hand": (
        edit("p1 sm AhAd", "p2 sm AhAs"),
        "actions[16]: seat 2 shows or mucks, but has folded",
    ),
    "a show too early": (
        edit('p1 cc",\n  "d db 5s', 'p1 cc", "p1 sm AhAd",\n  "d db 5s'),
        "actions[10]: seat 1 shows or mucks before the turn",
    ),
    "a second show of other cards": (
        edit('"p3 sm"', '"p1 sm AhAs"'),
        "actions[17]: seat 1 shows other cards than before",
    ),
    "an act after the show": (
        edit('"p3 sm"', '"p3 cc"'),
        "actions[17]: seat 3 acts after the showdown began",
    ),
    "nobody's word at the showdown": (
        edit('  "p3 sm",\n', ""),
        "actions: seat 3 neither shows nor mucks at the showdown",
    ),
    "no act at all": (
        told("d dh p1 ????", "d dh p2 ????", "d dh p3 ????"),
        "actions: seat 3 has not acted before the flop",
    ),
    "a history that stops": (
        told("d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 cc", "p2 cc"),
        "actions: seat 1 has not acted on the flop",
    ),
    "four aces to draw a fifth": (
        edit("p2 ????", "p2 A?A?").replace("2c3c4c", "AsA?4c"),
        'actions: no card is left for "A?"',
    ),
    "a tower of lists": ("x = " + "[" * 100_000, "is nested too deep to be a hand history"),
    "a number of a mile": (f"x = {'9' * 10_000}", "is not TOML: a number or a date cannot be"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_history_is_answered_with_one_line_that_says_where_and_why(case: str) -> None:
    text, line = BAD[case]
    with pytest.raises(ScenarioError) as caught:
        read(text)
    assert str(caught.value) == f"x.phh: {line}"
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("seats", [10, 11])
def test_omaha_is_dealt_to_ten_at_most(seats: int) -> None:
    keys = {
        "variant": '"PO"',
        "antes": str([0] * seats),
        "blinds_or_straddles": str([5, 10] + [0] * (seats - 2)),
        "starting_stacks": str([500] * seats),
    }
    deal = [f"d dh p{seat} ????????" for seat in range(1, seats + 1)]
    folds = [f"p{seat} f" for seat in (*range(3, seats + 1), 1)]
    text = told(*deal, *folds, **keys)
    if seats == 10:
        assert len(read(text).deck) == 52
    else:
        with pytest.raises(ScenarioError, match="must be 2 to 10 players, not 11"):
            read(text)
