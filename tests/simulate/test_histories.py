"""Hand histories as scenarios: the deck and the acts."""

import csv
import json
import tomllib
from pathlib import Path

import pytest

from hil_rigs.simulate.deck import DECK
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import load
from hil_rigs.simulate.phh import read_history
from hil_rigs.simulate.scenario import Bet, Key, Play, Scenario
from tests.e2e.tables import reported
from tests.simulate.files import HISTORIES, HISTORY, TESTS, told


def read(text: str) -> Scenario:
    return read_history(text, file="x.phh", name="x")


def stacks_over_the_table(scenario: Scenario) -> dict[int, int]:
    """What everybody has at the end of a hand that the controller takes as it stands."""
    said = json.loads(reported(scenario, DirectBench(scenario)))
    assert (said["outcome"], said["refused"]) == ("completed", [])
    return {int(seat): chips for seat, chips in said["stacks"].items()}


def holes(scenario: Scenario) -> dict[int, list[str]]:
    seats, dealt = list(scenario.table.seats), scenario.table.hole_cards
    return {seat: [scenario.deck[i + r * len(seats)] for r in range(dealt)] for i, seat in enumerate(seats)}


def board(scenario: Scenario) -> list[str]:
    after = scenario.deck[len(scenario.table.seats) * scenario.table.hole_cards :]
    return [*after[1:4], after[5], after[7]]


def test_the_copied_histories_span_every_feature_of_the_index() -> None:
    with (TESTS / "hands" / "index.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["variant"] for row in rows} == {"NT", "FT", "PO"}
    features = {feature for row in rows for feature in row["features"].split(";")}
    assert features == {"", "ante", "nonuniform-ante", "muck", "split", "all-in-runout"}
    assert sorted(row["file"] for row in rows) == [path.name for path in HISTORIES]


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_real_hand_deals_its_cards_and_plays_its_acts(path: Path) -> None:
    history = tomllib.loads(path.read_text())
    scenario = load(path)
    actions = [action.split() for action in history["actions"]]
    assert (scenario.name, scenario.seed) == (path.stem, 0)
    assert list(scenario.table.seats) == list(range(1, len(history["antes"]) + 1))
    assert scenario.table.button == len(history["antes"])

    dealt = "".join(words[2] for words in actions if words[:2] == ["d", "db"])
    assert "".join(board(scenario)).startswith(dealt)
    for words in actions:
        if words[1] in ("dh", "sm") and len(words) > 2 and "?" not in words[-1]:
            seat = int(words[-2][1:] if words[1] == "dh" else words[0][1:])
            assert "".join(holes(scenario)[seat]) == words[-1]
    assert len(set(scenario.deck)) == 52

    played = [(act.seat, act.action, act.amount) for act in scenario.acts if isinstance(act, Bet)]
    recorded = [words for words in actions if words[1] in ("f", "cc", "cbr")]
    assert [seat for seat, _, _ in played] == [int(words[0][1:]) for words in recorded]
    kinds = {"f": ("fold",), "cc": ("check", "call"), "cbr": ("bet", "raise", "all-in")}
    for (_, action, amount), words in zip(played, recorded, strict=True):
        assert action in kinds[words[1]]
        if words[1] == "cbr":
            assert amount == float(words[2]) * scenario.scale

    keys = [(act.key, act.seat) for act in scenario.acts if isinstance(act, Key)]
    mucks = [words for words in actions if words[1] == "sm" and (len(words) == 2 or "?" in words[2])]
    assert keys == [("muck", int(words[0][1:])) for words in mucks]
    assert scenario.acts[-1] == Play(len(scenario.acts) - 1, "done")
    assert [act.index for act in scenario.acts] == list(range(len(scenario.acts)))


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_real_hand_without_one_of_its_acts_is_refused_and_names_the_seat(path: Path) -> None:
    text = path.read_text()
    actions = tomllib.loads(text)["actions"]
    head = [line for line in text.split("actions")[0].splitlines() if "=" in line]
    for i, action in enumerate(actions):
        if " db " in action and not (actions[i + 1 :] and actions[i + 1][0] == "p"):
            continue
        rest = [*actions[:i], *actions[i + 1 :]]
        with pytest.raises(ScenarioError) as caught:
            read("\n".join([*head, f"actions = {rest}"]))
        assert "seat " in str(caught.value), action


def cards_of(path: Path) -> list[str]:
    """Return the cards that a history names, in order."""
    words = [action.split()[-1] for action in tomllib.loads(path.read_text())["actions"]]
    cards = [word[i : i + 2] for word in words for i in range(0, len(word), 2)]
    return list(dict.fromkeys(card for card in cards if card in DECK))


@pytest.mark.parametrize("path", [path for path in HISTORIES if cards_of(path)], ids=lambda path: path.stem)
def test_a_real_hand_with_a_card_twice_is_refused_and_names_the_card(path: Path) -> None:
    once, again, *_ = cards_of(path)
    with pytest.raises(ScenarioError, match=f"the card {once} stands twice"):
        read(path.read_text().replace(again, once))


def test_a_history_becomes_acts_that_reach_each_street_before_its_bets() -> None:
    assert read(HISTORY).acts == (
        Play(0, "preflop"),
        Bet(1, 3, "raise", 30),
        Bet(2, 1, "call"),
        Bet(3, 2, "fold"),
        Play(4, "flop"),
        Bet(5, 1, "check"),
        Bet(6, 3, "bet", 60),
        Bet(7, 1, "call"),
        Play(8, "turn"),
        Bet(9, 1, "check"),
        Bet(10, 3, "check"),
        Play(11, "river"),
        Bet(12, 1, "check"),
        Bet(13, 3, "check"),
        Play(14, "showdown"),
        Key(15, "muck", 3),
        Play(16, "done"),
    )


def test_the_deal_goes_one_card_at_a_time_with_a_burn_before_each_street() -> None:
    deck = read(HISTORY).deck
    known = {0: "Ah", 2: "Ks", 3: "Ad", 5: "Kc", 7: "2c", 8: "3c", 9: "4c", 11: "5s", 13: "6s"}
    assert {i: deck[i] for i in known} == known
    assert len(set(deck)) == 52


def test_heads_up_the_button_has_the_small_blind_and_acts_first() -> None:
    two = {"antes": "[0, 0]", "blinds_or_straddles": "[5, 10]", "starting_stacks": "[500, 500]"}
    deal = ("d dh p1 ????", "d dh p2 ????")
    scenario = read(told(*deal, "p2 cc", "p1 cbr 30", "p2 f", **two))
    assert scenario.acts[1:4] == (Bet(1, 2, "call"), Bet(2, 1, "raise", 30), Bet(3, 2, "fold"))
    assert (scenario.table.button, scenario.table.blinds, scenario.table.posts) == (2, (5, 10), {})


FOUR = {"antes": "[0, 0, 0, 0]", "starting_stacks": "[500, 500, 500, 500]"}
FOUR_DEALT = tuple(f"d dh p{seat} ????" for seat in range(1, 5))


@pytest.mark.parametrize("posted", ["[5, 10, 0, -10]", "[5, 10, 0, 10]"])
def test_a_post_is_live_and_lets_the_first_seat_with_the_largest_blind_be_the_big_blind(posted: str) -> None:
    acts = ("p3 f", "p4 cc", "p1 f", "p2 cbr 20", "p4 f")
    scenario = read(told(*FOUR_DEALT, *acts, blinds_or_straddles=posted, **FOUR))
    assert scenario.acts[2] == Bet(2, 4, "check")
    assert stacks_over_the_table(scenario) == {1: 495, 2: 515, 3: 500, 4: 490}


@pytest.mark.parametrize(
    ("blinds", "first"),
    [
        ("[5, 10, 20, 0]", 4),  # a straddle: left of it
        ("[5, 10, 0, 20]", 1),  # by the button
        ("[20, 10, 0, 0]", 2),  # by the small blind's seat
        ("[5, 10, 0, -20]", 3),  # a post moves nobody's turn, however large
        ("[-10, 10, 0, 0]", 3),  # a live post by the small blind's seat
        ("[0, 10, 0, 0]", 3),  # nobody in the small blind's seat
        ("[10, 0, 0, 0]", 2),  # one blind
        ("[0, 0, 0, 0]", 1),  # none
        ("[5, 10, 10, 0]", 3),  # three blinds: the first seat with the largest
    ],
)
def test_who_is_first_to_act_before_the_flop_is_the_controllers_view_too(blinds: str, first: int) -> None:
    order = [(first - 1 + i) % 4 + 1 for i in range(3)]
    scenario = read(told(*FOUR_DEALT, *(f"p{i} f" for i in order), blinds_or_straddles=blinds, **FOUR))
    assert [act.seat for act in scenario.acts if isinstance(act, Bet)] == order
    stacks_over_the_table(scenario)


@pytest.mark.parametrize(
    ("blinds", "acts"),
    [
        ("[5, 10]", ("p2 cbr 30", "p1 f")),
        ("[5, -10]", ("p2 cbr 30", "p1 f")),
        ("[0, 10]", ("p2 cbr 30", "p1 f")),
        ("[0, 0]", ("p2 cbr 30", "p1 f")),
        ("[10, 0]", ("p1 cbr 30", "p2 f")),
    ],
)
def test_heads_up_the_button_is_first_unless_its_blind_alone_is_the_largest(
    blinds: str, acts: tuple[str, ...]
) -> None:
    two = {"antes": "[0, 0]", "starting_stacks": "[500, 500]", "blinds_or_straddles": blinds}
    stacks_over_the_table(read(told("d dh p1 ????", "d dh p2 ????", *acts, **two)))


def test_a_straddler_is_last_to_act_before_the_flop_and_may_raise() -> None:
    acts = ("p4 cc", "p1 cc", "p2 cc", "p3 cbr 60", "p4 f", "p1 f", "p2 f")
    scenario = read(told(*FOUR_DEALT, *acts, blinds_or_straddles="[5, 10, 20, 0]", **FOUR))
    assert stacks_over_the_table(scenario) == {1: 480, 2: 480, 3: 560, 4: 480}


def test_unequal_antes_are_kept_by_seat() -> None:
    table = read(told(antes="[0, 10, 0]")).table
    assert (table.antes, table.ante) == ({1: 0, 2: 10, 3: 0}, 0)


def test_heads_up_the_antes_are_listed_as_the_blinds_are_small_then_big() -> None:
    two = {"starting_stacks": "[500, 500]", "antes": "[0, 10]", "blinds_or_straddles": "[5, 10]"}
    scenario = read(told("d dh p1 ????", "d dh p2 ????", "p2 f", **two))
    assert scenario.table.antes == {1: 10, 2: 0}
    assert stacks_over_the_table(scenario) == {1: 505, 2: 495}


@pytest.mark.parametrize(
    ("stacks", "scale"),
    [
        ("[500, 500, 500]", 1),
        ("[500.50, 500, 500]", 2),
        ("[500.1, 500.5, 500]", 10),
        ("[500.00, 500, 500]", 1),
    ],
)
def test_the_smallest_unit_that_the_file_uses_is_one_chip(stacks: str, scale: int) -> None:
    scenario = read(told(starting_stacks=stacks))
    assert scenario.scale == scale
    assert (scenario.table.seats[3], scenario.table.blinds) == (500 * scale, (5 * scale, 10 * scale, 0))
    assert scenario.acts[1] == Bet(1, 3, "raise", 30 * scale)


def test_a_table_may_play_for_less_than_one() -> None:
    keys = {"min_bet": "0.1", "blinds_or_straddles": "[0.05, 0.1, 0]", "starting_stacks": "[40, 40, 0.1]"}
    deal = ("d dh p1 ????", "d dh p2 ????", "d dh p3 ????")
    scenario = read(told(*deal, "p3 f", "p1 f", **keys))
    assert (scenario.scale, scenario.table.seats[3], scenario.table.blinds) == (20, 2, (1, 2, 0))


def test_a_stack_that_was_not_recorded_covers_every_bet_of_the_hand() -> None:
    scenario = read(HISTORY.replace("[500, 500, 500]", "[500, inf, +inf]"))
    assert scenario.table.seats == {1: 500, 2: 145, 3: 145}
    stacks_over_the_table(scenario)


def test_a_history_that_split_an_odd_chip_uses_halves() -> None:
    scenario = read(told(finishing_stacks="[532.5, 490, 477.5]"))
    assert (scenario.scale, scenario.table.seats) == (2, {1: 1000, 2: 1000, 3: 1000})


def test_a_recorded_result_finer_than_any_chip_is_no_unit() -> None:
    assert read(told(finishing_stacks="[533.3333333333, 490, 476.6666666667]")).scale == 1


def test_a_raise_that_takes_the_whole_stack_is_all_in_and_the_streets_run_out() -> None:
    deal = ("d dh p1 AhAd", "d dh p2 ????", "d dh p3 KsKc")
    acts = ("p3 cbr 500", "p1 cc", "p2 f", "p1 sm AhAd", "p3 sm")
    for streets in (("d db 2c3c4c", "d db 5s", "d db 6s"), ("d db 2c3c4c",), ()):
        scenario = read(told(*deal, *acts, *streets))
        assert scenario.acts == (
            Play(0, "preflop"),
            Bet(1, 3, "all-in", 500),
            Bet(2, 1, "call"),
            Bet(3, 2, "fold"),
            Play(4, "showdown"),
            Key(5, "muck", 3),
            Play(6, "done"),
        )
        dealt = [card for street in streets for card in street.split()[2:]]
        assert "".join(board(scenario)).startswith("".join(dealt))


def test_who_was_silent_when_the_bets_closed_shows_when_the_board_is_complete() -> None:
    deal = ("d dh p1 ????", "d dh p2 ????", "d dh p3 ????")
    bets = ("p3 cbr 500", "p1 cc", "p2 f")
    board = ("d db 2c3c4c", "d db 5s", "d db 6s")
    said = read(told(*deal, *bets, "p1 sm ????", "p3 sm ????", *board, "p1 sm AhAd", "p3 sm KsKc"))
    assert said == read(told(*deal, *bets, *board, "p1 sm AhAd", "p3 sm KsKc"))
    assert holes(said)[1] == ["Ah", "Ad"]


def test_what_was_shown_stays_shown() -> None:
    deal = ("d dh p1 AhAd", "d dh p2 ????", "d dh p3 KsKc")
    bets = ("p3 cbr 500", "p1 cc", "p2 f", "p1 sm AhAd", "p3 sm KsKc")
    board = ("d db 2c3c4c", "d db 5s", "d db 6s")
    once = read(told(*deal, *bets, *board))
    for again in ("p1 sm AhAd", "p1 sm", "p1 sm ????", "p1 sm -", "p1 sm Ad"):
        assert read(told(*deal, *bets, *board, again)) == once


def test_of_hands_that_all_were_mucked_the_last_keeps_the_pot() -> None:
    deal = ("d dh p1 ????", "d dh p2 ????", "d dh p3 ????")
    scenario = read(told(*deal, "p3 cbr 500", "p1 cc", "p2 f", "p3 sm", "p1 sm ????"))
    assert scenario.acts[-3:] == (Play(4, "showdown"), Key(5, "muck", 3), Play(6, "done"))


def test_a_history_without_a_bet_begins_at_its_showdown() -> None:
    keys = {"starting_stacks": "[5, 10]", "antes": "[10, 5]", "blinds_or_straddles": "[1, 2]"}
    scenario = read(told("d dh p1 ????", "d dh p2 ????", "p1 sm", "p2 sm AhKh", **keys))
    assert scenario.acts == (Play(0, "showdown"), Key(1, "muck", 1), Play(2, "done"))


def test_who_has_nobody_to_bet_against_need_not_check() -> None:
    deal = ("d dh p1 ????", "d dh p2 AhAd", "d dh p3 KsKc")
    rest = ("p2 sm AhAd", "p3 sm KsKc")
    keys = {"starting_stacks": "[500, 500, 8]"}
    checked = read(told(*deal, "p3 cc", "p1 f", "p2 cc", *rest, **keys))
    assert checked == read(told(*deal, "p3 cc", "p1 f", *rest, **keys))
    assert checked.acts[-2:] == (Play(3, "showdown"), Play(4, "done"))


def test_a_post_whom_nobody_left_could_call_need_not_check() -> None:
    keys = {"antes": "[0, 0, 0, 0]", "starting_stacks": "[8, 10, 500, 500]"}
    keys["blinds_or_straddles"] = "[5, 10, 0, -10]"
    shows = ("p1 sm", "p2 sm", "p4 sm AhKh")
    streets = ("d db 2c3c4c", "d db 5s", "d db 6s")
    checked = read(told(*FOUR_DEALT, "p3 f", "p4 cc", "p1 cc", *streets, *shows, **keys))
    assert checked == read(told(*FOUR_DEALT, "p3 f", "p1 cc", *streets, *shows, **keys))
    stacks_over_the_table(checked)


def test_cards_dealt_one_by_one_or_known_in_part_are_kept_in_their_order() -> None:
    text = HISTORY.replace('"d dh p1 AhAd"', '"d dh p1 ??", "d dh p1 Ad"').replace("p2 ????", "p2 ??Q?")
    scenario = read(text)
    assert holes(scenario)[1] == ["Ah", "Ad"]
    assert holes(scenario)[2][1][0] == "Q"


def test_commentary_is_passed_over() -> None:
    text = HISTORY.replace('"p2 f"', '"p2 f # tanked", "# a pause"')
    assert read(text) == read(HISTORY)


def test_an_unknown_board_card_is_drawn() -> None:
    scenario = read(HISTORY.replace("d db 2c3c4c", "d db 2c??4c"))
    assert [board(scenario)[0], board(scenario)[2]] == ["2c", "4c"]
    assert len(set(scenario.deck)) == 52


def test_who_is_left_alone_may_show() -> None:
    deal = ("d dh p1 ????", "d dh p2 ????", "d dh p3 ????")
    scenario = read(told(*deal, "p3 f", "p1 f", "p2 sm AhKh"))
    assert holes(scenario)[2] == ["Ah", "Kh"]
    assert scenario.acts[-1] == Play(3, "done")
