"""`undo` after a player's act, or after `muck`: the betting is as it was before."""

import random

import pytest

from controller.decisions import Alert, ChipsMoved, Command, Mucked, Refused, Ruled, TakenBack
from controller.events import Acted, ActionName
from controller.ledger import Evidence
from controller.places import BOARD, BURN, MUCK, at_seat
from controller.table import Table
from tests.controller.hands import World, setup
from tests.controller.players import press

NOTHING = "there is no key that could be taken back"


def table_in(phase: str, **of_the_table: object) -> World:
    antennas = bool(of_the_table.get("antennas", True))
    table = World(Table(setup(**of_the_table)), antennas=antennas)  # type: ignore[arg-type]
    table.power_up()
    table.play(phase)
    return table


def act(table: World, action: ActionName, amount: int = 0, seat: int = 0) -> None:
    table.tell(Acted(seat=seat or table.prompt.seat, action=action, amount=amount))


def checks(table: World, count: int) -> None:
    for _ in range(count):
        act(table, "check-or-call")


def stands(table: World) -> tuple[object, ...]:
    """All that can be seen of the betting."""
    chips = table.all_said(ChipsMoved)[-1]
    return table.prompt, chips.pots, chips.stacks, chips.uncalled, table.table.phase


def phase_of(table: World) -> str:
    return table.table.phase


def last_refusal(table: World) -> str:
    return table.all_said(Refused)[-1].why


@pytest.mark.parametrize(
    ("action", "amount"), [("check-or-call", 0), ("bet-or-raise", 40), ("all-in", 0), ("fold", 0)]
)
@pytest.mark.parametrize("phase", ["preflop", "flop", "river"])
def test_an_act_taken_back_leaves_chips_turn_and_price_as_they_were(
    phase: str, action: ActionName, amount: int
) -> None:
    table = table_in(phase)
    before, seat = stands(table), table.prompt.seat
    act(table, action, amount)
    assert stands(table) != before
    press(table, "undo")
    assert stands(table) == before
    assert table.all_said(TakenBack)[-1] == TakenBack(what=action, seat=seat)
    table.play("done")
    assert (table.all_said(Ruled), table.all_said(Alert), table.all_said(Refused)) == ([], [], [])
    assert sum(table.table.stacks.values()) == 4_000


def test_only_the_last_act_is_taken_back() -> None:
    table = table_in("flop")
    checks(table, 1)
    before = stands(table)
    act(table, "bet-or-raise", 50)
    press(table, "undo")
    press(table, "undo")
    assert last_refusal(table) == NOTHING
    assert stands(table) == before


@pytest.mark.parametrize("phase", ["preflop", "flop", "turn"])
def test_the_act_that_ended_the_round_opens_it_again_and_the_machines_burn_stays(phase: str) -> None:
    table = table_in(phase)
    checks(table, 3)
    before = stands(table)
    checks(table, 1)
    burns = table.at(BURN)
    press(table, "undo")
    assert stands(table) == before
    act(table, "bet-or-raise", 60)
    table.play("done")
    assert table.at(BURN)[: len(burns)] == burns
    assert [made.command for made in table.all_said(Command)].count("burn") == 3


def test_a_card_of_the_street_makes_it_too_late() -> None:
    table = table_in("flop")
    checks(table, 4)
    table.draw(BOARD, facing="up")
    press(table, "undo")
    assert (last_refusal(table), table.table.phase) == (NOTHING, "turn")


def test_the_last_act_on_the_river_is_taken_back_until_a_hand_is_shown() -> None:
    table = table_in("river")
    checks(table, 4)
    assert phase_of(table) == "showdown"
    press(table, "undo")
    assert phase_of(table) == "river"
    checks(table, 1)
    table.obey()
    press(table, "undo")
    assert "a hand was shown or given up already" in last_refusal(table)


def test_a_fold_that_leaves_one_player_is_not_taken_back() -> None:
    table = table_in("flop")
    for _ in range(3):
        table.fold(table.prompt.seat)
    press(table, "undo")
    assert "the hand is over" in last_refusal(table)


# A fold


def test_a_fold_is_not_taken_back_while_its_cards_lie_in_the_muck() -> None:
    table = table_in("flop")
    seat = table.prompt.seat
    act(table, "fold")
    table.muck(seat)
    press(table, "undo")
    assert f"the cards of seat {seat} lie in the muck" in last_refusal(table)


def test_without_an_antenna_at_the_muck_its_cards_lie_at_the_seat_again_by_the_dealers_word() -> None:
    table = table_in("flop", antennas=False)
    seat = table.prompt.seat
    cards = table.table.ledger.cards(at_seat(seat))
    act(table, "fold")
    assert table.table.ledger.cards(MUCK) == cards
    press(table, "undo")
    assert table.table.ledger.cards(at_seat(seat)) == cards
    assert table.table.ledger.where(cards[0]).evidence is Evidence.STATED
    assert table.prompt.seat == seat


def test_a_hand_that_folds_out_of_turn_meanwhile_makes_it_too_late() -> None:
    table = table_in("flop")
    checks(table, 1)
    table.muck(3)
    assert table.all_said(Alert)[-1].code == "fold-out-of-turn"
    press(table, "undo")
    assert "another hand was folded since" in last_refusal(table)


def test_where_the_key_alone_is_followed_a_hand_that_left_by_it_is_back() -> None:
    table = table_in("flop", follow="dealer-key")
    press(table, "muck", 2)
    assert table.all_said(Mucked)[-1].seat == 2
    press(table, "undo")
    assert table.all_said(TakenBack)[-1] == TakenBack(what="muck", seat=2)
    press(table, "muck", 2)
    assert len(table.all_said(Mucked)) == 2


# Any hand


def drawn_act(dice: random.Random, table: World) -> Acted:
    action: ActionName = dice.choice(("check-or-call", "check-or-call", "bet-or-raise", "all-in", "fold"))
    amount = dice.randint(1, 30) * 10 if action == "bet-or-raise" else 0
    return Acted(seat=table.prompt.seat, action=action, amount=amount)


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_in_which_acts_are_taken_back_comes_out_as_if_they_had_never_been(seed: int) -> None:
    dice = random.Random(seed)
    plain, undone = table_in("preflop"), table_in("preflop")
    while plain.prompt.code.startswith("act-") or plain.prompt.code.startswith("deal-"):
        if plain.prompt.code.startswith("deal-"):
            plain.obey()
            undone.obey()
            continue
        before = len(undone.all_said(Refused))
        undone.tell(drawn_act(dice, undone))
        taken = len(undone.all_said(Refused)) == before
        if taken and undone.table.phase != "done":
            press(undone, "undo")
        elif taken:
            return  # one player is left: that is not taken back
        said = drawn_act(dice, plain)
        for table in (plain, undone):
            table.tell(said)
        if plain.table.phase != "done":
            assert stands(plain) == stands(undone)
    assert plain.table.stacks == undone.table.stacks
