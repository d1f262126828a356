"""A hand that is finished by hand: its cards mean nothing, its chips are followed to the last pot."""

import pytest

from controller.decisions import Alert, ChipsMoved, Command, FloorRuled, Prompt, Refused, Tabled
from controller.events import Acted, Drew, ShoeReady, ShoeState
from controller.places import BOARD, at_seat
from controller.table import Table
from tests.controller.hands import World, setup
from tests.floor.halts import by_hand, codes, decided, halted, press, refused, table_at

ROUNDS = [
    "deal",
    "preflop",
    "flop-deal",
    "flop",
    "turn-deal",
    "turn",
    "river-deal",
    "river",
    "showdown",
    "done",
]


def off_the_machines(phase: str, **of_the_table: object) -> World:
    table = halted(table_at(phase, setup(**of_the_table)))  # type: ignore[arg-type]
    decided(table, "by-hand")
    return table


@pytest.mark.parametrize("phase", ["shuffle", *ROUNDS[:-1]])
@pytest.mark.parametrize("follow", ["tracked", "dealer-key"])
@pytest.mark.parametrize("decks", [1, 2])
def test_the_hand_goes_through_its_streets_by_hand_and_the_next_is_dealt_from_52(
    phase: str, follow: str, decks: int
) -> None:
    table = off_the_machines(phase, follow=follow, decks=decks)
    begun = "deal" if phase == "shuffle" else phase
    assert table.table.phase == begun
    moved = len(table.all_said(Command))
    by_hand(table)
    assert table.phases[table.phases.index("halted") + 1 :] == ROUNDS[ROUNDS.index(begun) :]
    assert {c.command for c in table.all_said(Command)[moved:]} <= {"release-lid", "return", "close-cover"}
    assert sum(table.all_said(ChipsMoved)[-1].stacks.values()) == 4000
    table.play("deal")
    assert table.phases[-1] == "deal"


def test_no_card_means_anything_and_no_lid_halts() -> None:
    table = off_the_machines("flop")
    asked = table.prompt
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="empty"))
    table.draw(BOARD, facing="up")
    table.draw(at_seat(1), facing="up")
    table.tell(Drew(time=0, number=3, what="foreign", way="hand"))
    table.turn_up(2)
    table.muck(3)
    table.tell(ShoeReady(gate=False, burner=True, restarted=True))
    assert (table.table.phase, table.prompt) == ("flop", asked)
    assert not table.all_said(Tabled)


def test_the_lid_is_freed_for_the_dealer() -> None:
    table = off_the_machines("flop")
    assert [c.command for c in table.all_said(Command)][-1] == "release-lid"


def unequal() -> World:
    """Seats 1 to 3 are all-in for 100, 300 and 1000: a main pot and two side pots."""
    made = setup(seats=(1, 2, 3))
    stacks = {1: 100, 2: 300, 3: 1000}
    table = table_at("preflop", type(made)(**{**vars(made), "stacks": stacks}))
    decided(halted(table), "by-hand")
    while table.prompt.code in ("act-check", "act-call"):
        table.tell(Acted(seat=table.prompt.seat, action="all-in"))
    return table


def test_each_pot_that_several_contest_has_its_winner_named() -> None:
    table = unequal()
    named: list[tuple[int, tuple[int, ...]]] = []

    def winners(asked: Prompt) -> tuple[int, ...]:
        named.append((asked.count, asked.seats))
        return asked.seats[:1]

    by_hand(table, winners)
    assert named == [(300, (1, 2, 3)), (400, (2, 3))]
    assert table.all_said(ChipsMoved)[-1].stacks == {1: 300, 2: 400, 3: 700}


def test_a_winner_of_the_main_pot_has_won_the_side_pots_that_he_contests() -> None:
    table = unequal()
    by_hand(table, lambda asked: (3,))
    assert table.codes().count("name-winners") == 2  # once asked, once with the seat that was named
    assert table.all_said(ChipsMoved)[-1].stacks == {1: 0, 2: 0, 3: 1400}


def test_a_pot_is_split_among_all_who_are_named() -> None:
    table = off_the_machines("showdown")
    by_hand(table, lambda asked: (1, 3))
    assert table.all_said(ChipsMoved)[-1].stacks == {1: 1010, 2: 990, 3: 1010, 4: 990}


def test_a_seat_that_was_named_by_mistake_is_taken_back_and_nobody_is_no_winner() -> None:
    table = off_the_machines("showdown")
    press(table, "ack")
    assert "no winner" in table.all_said(Refused)[-1].why
    press(table, "yes", 9)
    assert "contests this pot" in table.all_said(Refused)[-1].why
    press(table, "yes", 1)
    press(table, "no", 1)
    press(table, "yes", 2)
    press(table, "ack")
    assert (table.prompt.code, table.prompt.seats) == ("push-pot", (2,))


def test_one_hand_that_is_left_wins_without_more() -> None:
    table = off_the_machines("flop")
    for _ in range(3):
        table.tell(Acted(seat=table.prompt.seat, action="fold"))
    assert (table.table.phase, table.prompt.code) == ("done", "push-pot")
    press(table, "ack")
    assert table.prompt.code == "gather"


def test_a_hand_leaves_by_the_key_where_no_act_is_told() -> None:
    table = off_the_machines("flop", follow="dealer-key")
    press(table, "muck", 2)
    press(table, "next")
    assert table.prompt.code == "deal-by-hand"
    press(table, "muck", 3)
    assert table.all_said(Refused)[-1].what == "muck of seat 3"


def test_a_round_in_which_somebody_is_to_act_is_not_over() -> None:
    table = off_the_machines("flop")
    press(table, "next")
    assert "still to act" in table.all_said(Refused)[-1].why
    assert table.table.phase == "flop"


def test_two_streets_without_a_bet_are_asked_for_one_after_the_other() -> None:
    table = unequal()
    for count in (3, 1, 1):
        assert (table.prompt.code, table.prompt.count) == ("deal-by-hand", count)
        shown = len(table.codes())
        press(table, "next")
        assert len(table.codes()) > shown


@pytest.mark.parametrize("phase", ["preflop", "flop-deal", "showdown"])
def test_the_floor_can_be_called_in_it_and_the_hand_goes_on_by_hand(phase: str) -> None:
    table = off_the_machines(phase)
    asked = table.prompt
    for decision in ("stand", "by-hand"):
        halted(table)
        decided(table, decision)
        assert (table.table.phase, table.prompt) == (phase, asked)
    halted(table)
    decided(table, "void")
    assert table.all_said(ChipsMoved)[-1].stacks == dict.fromkeys((1, 2, 3, 4), 1000)


def test_what_is_wrong_is_told_and_halts_nothing() -> None:
    table = off_the_machines("flop")
    table.tell(ShoeReady(gate=False, burner=True, restarted=True))
    assert codes(table) == ["floor-called", "alignment-required"]
    assert table.table.phase == "flop"


def test_a_table_that_powers_up_with_cards_is_finished_by_hand_for_the_record() -> None:
    table = World(Table(setup()))
    table.occupied = (BOARD,)
    table.power_up()
    assert "not halted" in refused(table, "void")
    ruled = decided(table, "by-hand")
    assert (ruled.code, ruled.phase) == ("table-not-empty", "idle")
    assert table.prompt.code == "table-not-empty"


def test_the_record_says_who_why_and_what_was_known() -> None:
    table = halted(table_at("turn"))
    decided(table, "by-hand")
    assert table.all_said(FloorRuled) == [
        FloorRuled(decided="by-hand", who="Ann", reason="as it is", code="floor-called", phase="turn")
    ]
    assert [alert.code for alert in table.all_said(Alert)] == ["floor-called"]
