"""A hand without a mistake goes from power-up to the next hand, whatever the table has and however antennas
report."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK, in_order
from controller.decisions import (
    Alert,
    CardLay,
    CarriedOut,
    ChipsMoved,
    Command,
    Deadline,
    Prompt,
    Refused,
    Tabled,
)
from controller.events import Acted, Keyed, Occupied
from controller.following import NOT_TRACKED
from controller.games import Game
from controller.places import BOARD, BURN, CUT_PLATE, PLACES, SHOE, at_seat
from controller.table import Table
from controller.table_setup import Special
from tests.controller.hands import World, setup

CLEAN = [
    "shuffle", "deal", "preflop", "flop-deal", "flop", "turn-deal", "turn", "river-deal", "river",
    "showdown", "done",
]  # fmt: skip


def world(seed: int = 1, **of_the_table: object) -> World:
    table = Table(setup())
    order = list(DECK)
    random.Random(seed).shuffle(order)
    made = World(table, order=order)
    for name, value in of_the_table.items():
        setattr(made, name, value)
    made.power_up()
    return made


def test_a_clean_hand_goes_through_every_phase_and_asks_for_the_cards_again() -> None:
    table = world()
    table.play("done")
    assert table.phases == CLEAN
    assert table.prompt.code == "gather"
    assert not table.all_said(Alert)
    assert not table.all_said(Refused)


def test_the_machines_are_told_each_step_once_and_in_order() -> None:
    table = world()
    table.play("done")
    done = [(d.device, d.command, d.phase) for d in table.all_said(CarriedOut)]
    assert done == [
        ("shuffler", "feed", "shuffle"),
        ("shuffler", "shuffle", "shuffle"),
        ("shuffler", "cut", "shuffle"),
        ("shuffler", "open-cover", "shuffle"),
        ("shuffler", "close-cover", "shuffle"),
        ("shoe", "release-lid", "shuffle"),
        ("shoe", "burn", "preflop"),
        ("shoe", "burn", "flop"),
        ("shoe", "burn", "turn"),
        ("shoe", "release-lid", "done"),
    ]


def test_the_next_deck_is_not_fed_while_the_stub_is_in_the_shoe() -> None:
    table = world()
    table.play("done")
    table.tell(Keyed(key="ack"))
    assert table.all_said(Refused)[-1].why == "the stub is still in the shoe"
    assert table.phases[-1] == "done"


def test_cards_lie_where_they_were_dealt_and_52_are_accounted_for() -> None:
    table = world()
    table.play("done")
    ledger = table.table.ledger
    assert ledger.cards(at_seat(4)) == (table.order[0], table.order[4])
    assert ledger.cards(at_seat(3)) == (table.order[3], table.order[7])
    assert ledger.cards(BURN) == (table.order[8], table.order[12], table.order[14])
    assert ledger.cards(BOARD) == (*table.order[9:12], table.order[13], table.order[15])
    assert ledger.count(SHOE) == 36


def test_the_board_is_told_and_a_hole_card_is_not() -> None:
    table = world()
    table.play("river")
    told = [d.card for d in table.all_said(CardLay) if d.card is not None]
    assert told == [*table.order[9:12], table.order[13], table.order[15]]
    assert not table.all_said(Tabled)


def test_the_button_moves_on_and_chips_are_kept_over_hands() -> None:
    table = world()
    for _ in range(6):
        table.play("done")
        assert sum(table.table.stacks.values()) == 4000
    firsts = [d.seat for d in table.all_said(Prompt) if d.code == "deal-hole"]
    assert firsts == [4, 1, 2, 3, 4, 1]


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("burner", [True, False])
@pytest.mark.parametrize("gate", [True, False])
@pytest.mark.parametrize("cuts", [True, False])
@pytest.mark.parametrize("antennas", [True, False])
@pytest.mark.parametrize("acts", [True, False])
def test_a_table_of_any_capabilities_plays_a_clean_hand(
    game: Game, burner: bool, gate: bool, cuts: bool, antennas: bool, acts: bool
) -> None:
    table = World(
        Table(setup(game=game, antennas=antennas, follow="tracked" if acts else "dealer-key")),
        burner=burner,
        gate=gate,
        cuts=cuts,
        antennas=antennas,
        acts=acts,
    )
    table.power_up()
    table.play("done")
    assert table.phases == CLEAN
    assert not table.all_said(Alert)
    assert not table.all_said(Refused)
    unlocked = [d.cards for d in table.all_said(Command) if d.command == "unlock"]
    by_hand = [] if burner else [1]
    each = 2 if game is Game.HOLDEM else 4
    expected = [4 * each, *by_hand, 3, *by_hand, 1, *by_hand, 1]
    assert unlocked == (expected if gate else [])


@given(
    seed=st.integers(0, 2**32), seats=st.sets(st.integers(1, 11), min_size=2, max_size=10), which=st.data()
)
def test_the_order_in_which_antennas_report_changes_no_decision(
    seed: int, seats: set[int], which: st.DataObject
) -> None:
    chosen = sorted(seats)
    button = which.draw(st.sampled_from(chosen))
    game = which.draw(st.sampled_from(list(Game)))
    told = []
    for reports in (None, random.Random(seed)):
        order = list(DECK)
        random.Random(seed).shuffle(order)
        table = World(
            Table(setup(seats=chosen, button=button, game=game)), order=order, shuffle_reports=reports
        )
        table.power_up()
        table.play("done")
        assert table.phases == CLEAN
        held = [card for place in PLACES for card in table.table.ledger.cards(place)]
        assert in_order(held) == in_order(DECK)
        told.append([d for d in table.said if not isinstance(d, Deadline)])
    assert told[0] == told[1]


def test_the_same_events_give_the_same_decisions() -> None:
    one, two = world(7), world(7)
    one.play("done")
    two.play("done")
    assert one.said == two.said


def test_everybody_folds_and_the_last_player_has_the_pot() -> None:
    table = world()
    table.play("preflop")
    for seat in (2, 3, 4):
        table.fold(seat)
    table.flush()
    assert table.phases[-1] == "done"
    last = table.all_said(ChipsMoved)[-1]
    assert last.pots[0].winners == {1: 10}
    assert last.returned == {1: 5}
    assert table.prompt.code == "push-pot"
    table.obey()
    assert table.prompt.code == "gather"


def test_everybody_all_in_is_dealt_out_without_betting() -> None:
    table = world()
    table.play("preflop")
    for seat in (2, 3, 4, 1):
        table.tell(Acted(seat=seat, action="all-in"))
    table.play("done")
    assert table.phases == CLEAN
    assert not [code for code in table.codes()[table.codes().index("deal-flop") :] if code.startswith("act")]


def test_an_act_out_of_turn_or_too_small_is_refused_and_changes_nothing() -> None:
    table = world()
    table.play("preflop")
    table.tell(Acted(seat=4, action="check-or-call"))
    table.tell(Acted(seat=2, action="bet-or-raise", amount=12))
    assert [d.why for d in table.all_said(Refused)] == [
        "seat 2 is to act, not seat 4",
        "seat 2 may raise to between 20 and 1000",
    ]
    assert table.prompt.seat == 2


def test_next_is_refused_while_acts_are_followed() -> None:
    table = world()
    table.play("preflop")
    table.tell(Keyed(key="next"))
    assert table.all_said(Refused)[-1].why == "seat 2 is still to act"


def test_a_keypad_without_acts_is_told_at_power_up_and_next_is_followed() -> None:
    table = world(acts=False)
    assert [alert.code for alert in table.all_said(Alert)] == ["acts-not-told"]
    table.play("done")
    assert table.phases == CLEAN
    assert len(table.all_said(Alert)) == 1


def test_where_the_key_alone_is_followed_acts_of_the_keypad_are_refused() -> None:
    table = World(Table(setup(follow="dealer-key")))
    table.power_up()
    table.play("preflop")
    for action in ("fold", "check-or-call", "bet-or-raise", "all-in"):
        table.tell(Acted(seat=2, action=action, amount=40))
    assert [(d.what, d.why) for d in table.all_said(Refused)] == [
        (f"{action} of seat 2", NOT_TRACKED) for action in ("fold", "check-or-call", "bet-or-raise", "all-in")
    ]
    assert table.prompt.code == "betting"
    table.play("done")
    assert table.phases == CLEAN
    assert not table.all_said(Alert)


@pytest.mark.parametrize(
    ("special", "named"),
    [("kill", "a kill pot"), ("bomb-pot", "a bomb pot"), ("run-it-twice", "running it twice")],
)
def test_every_hand_of_a_special_pot_begins_with_an_alert_that_names_it(special: Special, named: str) -> None:
    table = World(Table(replace(setup(follow="dealer-key"), special=special)))
    table.power_up()
    for _ in range(2):
        table.play("done")
    assert table.phases == [*CLEAN, *CLEAN]
    alerts = [(d.code, d.text) for d in table.all_said(Alert)]
    assert alerts == [("not-followed", f"{named} is played and not followed")] * 2


def test_two_pots_that_look_alike_are_pushed_one_after_the_other() -> None:
    table = World(Table(replace(setup(seats=(1, 2, 3), button=3), stacks={1: 10, 2: 25, 3: 40})))
    table.power_up()
    table.play("preflop")
    for seat in (3, 1, 2):
        table.tell(Acted(seat=seat, action="all-in"))
    table.play("done")
    assert table.phases[-1] == "done"
    assert [d.count for d in table.all_said(Prompt) if d.code == "push-pot"] == [30, 30]


def test_the_cut_card_on_its_plate_is_no_card_in_the_way_at_power_up() -> None:
    table = World(Table(setup()))
    table.occupied = (CUT_PLATE,)
    table.power_up()
    assert table.prompt.code == "deck-in"


def test_a_card_on_the_board_at_power_up_must_be_taken_away_first() -> None:
    table = World(Table(setup()))
    table.occupied = (BOARD,)
    table.power_up()
    assert table.prompt.code == "table-not-empty"
    table.tell(Occupied(places=()))
    assert table.prompt.code == "deck-in"


def test_three_blinds_are_two_once_only_two_seats_have_chips() -> None:
    table = World(Table(replace(setup(seats=(1, 2), button=1), blinds=(5, 10, 20), min_bet=20)))
    table.power_up()
    table.play("done")
    assert table.phases == CLEAN
