"""Scenario files that are scenarios: what they say, and what they leave out."""

import json
from pathlib import Path

import msgspec
import pytest

from controller.betting import RakeRow
from hil_rigs.simulate.deck import DECK, DeckError, drawn, full_deck
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.later import LATER, refuse_later
from hil_rigs.simulate.load import Wiring, load, read_scenario, refuse_wire_faults
from hil_rigs.simulate.scenario import (
    FAULTS,
    Act,
    Bet,
    CheckAround,
    Comply,
    Draw,
    Expose,
    Fault,
    Floor,
    Key,
    Move,
    Play,
    Restart,
    Scenario,
    Seat,
    ShoeSetup,
    ShufflerSetup,
    TableSetup,
    Wait,
    Zone,
)
from tests.simulate.files import EVERYTHING, SCENARIOS, SMALL, acting, changed


def read(text: str) -> Scenario:
    return read_scenario(text, file="x.json", name="x")


def test_there_are_all_handed_scenarios() -> None:
    assert len(SCENARIOS) == 21


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_handed_scenario_loads_as_it_stands(path: Path) -> None:
    said = json.loads(path.read_text())
    scenario = load(path)
    assert scenario == load(path, wire=Wiring.DIRECT)
    assert scenario.name == path.stem
    assert scenario.seed == said["seed"]
    assert list(scenario.deck) == said["deck"].split()
    assert {str(seat): stack for seat, stack in scenario.table.seats.items()} == said["table"]["seats"]
    assert [act["do"] for act in said["acts"]] == [msgspec.to_builtins(act)["do"] for act in scenario.acts]
    assert [act.index for act in scenario.acts] == list(range(len(said["acts"])))


def test_what_a_file_leaves_out_has_the_defaults_of_the_document() -> None:
    scenario = read(json.dumps(SMALL))
    assert scenario.name == "x"
    assert (scenario.seed, scenario.hands, scenario.scale) == (0, 1, 1)
    assert scenario.table == TableSetup(
        game="holdem",
        betting="no-limit",
        rules="roberts",
        seats={1: 1000, 2: 1000, 3: 1000},
        button=1,
        blinds=(5, 10),
        small_blind=5,
        big_blind=10,
        ante=0,
        ante_by="all",
        antes={},
        button_rule=None,
        rake=(),
        small_bet=10,
        big_bet=20,
        posts={},
        zones=True,
        follow="tracked",
        shoe=ShoeSetup(gate=False, burner=True),
        shuffler=ShufflerSetup(
            cuts=True, identifies=True, min_cards=1, max_cards=52, has_reject=True, shuffle_s=22
        ),
        decks=1,
        language="en",
    )
    assert scenario.table.hole_cards == 2


def test_every_key_and_every_act_of_the_document_is_read() -> None:
    scenario = read(json.dumps(EVERYTHING))
    acts: tuple[Act, ...] = (
        Play(0, "halted"),
        Draw(1, Zone("seat:11"), count=2, face="up", boxed=True),
        Bet(2, 2, "raise", 40),
        Bet(3, 7, "all-in", None),
        CheckAround(4),
        Key(5, "exposed", 7),
        Key(6, "next", None),
        Wait(7, 3000),
        Expose(8, 2, card=3, by="player"),
        Move(9, ("Ah", "Kd"), Zone("scrap")),
        Comply(10, None),
        Comply(11, "add-burn"),
        Floor(12, "choose", "Ann", "seen", "redeal-flop"),
        Floor(13, "stand"),
        Fault(14, "shoe", "drop-byte"),
        Restart(15),
        Seat(16, 4, "sit", chips=300, entry="post"),
        Seat(17, 2, "leave"),
    )
    assert scenario == Scenario(
        name="everything",
        table=TableSetup(
            game="omaha",
            betting="fixed-limit",
            rules="tda",
            seats={2: 1000, 7: 800, 11: 500},
            button=7,
            button_rule="dead",
            blinds=(1, 2),
            small_blind=1,
            big_blind=2,
            ante=3,
            ante_by="big-blind",
            posts={2: 9},
            rake=(RakeRow(players=3, percent=2.5, cap=4),),
            small_bet=4,
            big_bet=8,
            zones=False,
            follow="dealer-key",
            special="bomb-pot",
            shoe=ShoeSetup(gate=True, burner=False),
            shuffler=ShufflerSetup(
                cuts=False, identifies=False, min_cards=8, max_cards=51, has_reject=False, shuffle_s=5
            ),
            decks=2,
            language="el",
        ),
        deck=full_deck(("As", "Kd"), 7),
        seed=7,
        acts=acts,
        hands=3,
    )
    assert scenario.table.hole_cards == 4
    assert list(scenario.table.seats) == [2, 7, 11]


def test_the_button_is_on_the_lowest_seat_unless_said_otherwise() -> None:
    assert read(changed(SMALL, "table.seats", {"10": 5, "9": 5})).table.button == 9


def test_a_draw_takes_one_card_face_down_unless_said_otherwise() -> None:
    scenario = read(acting({"do": "draw", "to": "burn"}, {"do": "expose", "seat": 1}))
    assert scenario.acts == (Draw(0, Zone("burn"), 1, "down", boxed=False), Expose(1, 1, 1, "dealer"))


@pytest.mark.parametrize(
    ("blinds", "small", "big"), [([5, 10, 20], 5, 20), ([10], 0, 10), ([0, 10], 0, 10), ([0, 0], 0, 0)]
)
def test_a_list_of_blinds_stands_for_both_blinds(blinds: list[int], small: int, big: int) -> None:
    table = read(changed(SMALL, "table.blinds", blinds)).table
    assert (list(table.blinds), table.small_blind, table.big_blind) == (blinds, small, big)
    assert (table.small_bet, table.big_bet) == (big, 2 * big)


def test_the_small_bet_is_the_big_blind_even_below_the_small_blind() -> None:
    table = read(changed(changed_table(small_blind=20), "table.big_blind", 10)).table
    assert (table.blinds, table.small_bet, table.big_bet) == ((20, 10), 10, 20)


def changed_table(**keys: object) -> dict[str, object]:
    table = SMALL["table"]
    assert isinstance(table, dict)
    return {**SMALL, "table": {**table, **keys}}


def test_an_amount_that_the_state_must_judge_is_no_fault_of_the_file() -> None:
    acts = read(acting({"do": "bet", "seat": 1, "action": "bet", "amount": 0})).acts
    assert acts == (Bet(0, 1, "bet", 0),)


def test_a_deck_that_is_not_named_comes_from_the_seed_alone() -> None:
    assert read(changed(SMALL, "seed", 3)).deck == read(changed(SMALL, "seed", 3)).deck
    assert read(changed(SMALL, "seed", 3)).deck != read(changed(SMALL, "seed", 4)).deck


def test_the_first_cards_are_the_files_and_the_rest_of_the_52_follow() -> None:
    deck = full_deck(("As", "2c"), 5)
    assert deck[:2] == ("As", "2c")
    assert sorted(deck) == sorted(DECK)


def test_the_order_of_a_seed_is_the_same_on_every_machine() -> None:
    assert " ".join(full_deck((), 0)[:10]) == "6h Tc 8s 2h As 3h Qc Kc 5s 8d"


@pytest.mark.parametrize("cards", [("As", "As"), ("1s",), ("as",), ("",)])
def test_a_deck_of_other_cards_is_refused(cards: tuple[str, ...]) -> None:
    with pytest.raises(DeckError):
        full_deck(cards, 0)


def test_unknown_cards_are_drawn_among_those_never_named() -> None:
    deck = drawn(("??", "As", "A?", "?h", "Ad", "Ac"), 0)
    assert (deck[1], deck[2]) == ("As", "Ah")
    assert deck[3][1] == "h"
    assert sorted(deck) == sorted(DECK)


@pytest.mark.parametrize("seed", range(60))
def test_a_card_known_in_part_is_drawn_before_one_that_can_be_any(seed: int) -> None:
    assert drawn(("??", "A?", "As", "Ah", "Ad"), seed)[1] == "Ac"


def test_a_card_that_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(DeckError, match=r'no card is left for "A\?"'):
        drawn(("A?", "As", "Ah", "Ad", "Ac"), 0)


def test_a_name_that_cannot_be_printed_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / b"a\xffb.json".decode("utf-8", "surrogateescape")
    path.write_text(json.dumps(SMALL))
    assert load(path).name == "a?b"


LATER_FILES = {
    "rules: tda": ("table.rules", changed(SMALL, "table.rules", "tda")),
    **{
        fault: ("acts[0].fault", acting({"do": "fault", "device": "keypad", "fault": fault}))
        for fault in FAULTS
    },
    "restart": ("acts[0]", acting({"do": "restart"})),
}


@pytest.mark.parametrize("later", LATER, ids=lambda later: later.name)
def test_what_is_not_played_yet_is_refused_by_name(later: object, tmp_path: Path) -> None:
    name = getattr(later, "name", "")
    place, text = LATER_FILES[name]
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {place}: `{name}` is not played yet: ")


def test_a_feature_taken_out_of_the_table_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = read(acting({"do": "restart"}))
    monkeypatch.setattr(
        "hil_rigs.simulate.later.LATER", tuple(later for later in LATER if later.name != "restart")
    )
    refuse_later(scenario, "x.json")


def test_a_fault_of_the_wire_is_refused_by_name_without_a_wire() -> None:
    refuse_wire_faults(read(acting({"do": "fault", "device": "shoe", "fault": "jam"})), "x.json")
    scenario = read(acting({"do": "fault", "device": "shoe", "fault": "flip-bit"}))
    with pytest.raises(ScenarioError) as caught:
        refuse_wire_faults(scenario, "x.json")
    expected = "x.json: acts[0].fault: the fault `flip-bit` needs a wire, and --direct has none"
    assert str(caught.value) == expected
