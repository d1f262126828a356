"""A gate is shut whenever no card may be drawn, and open for exactly the cards that are due."""

from controller.decisions import Command
from controller.events import Answered, DeviceLost, Drew, Keyed, ShoeReady, ShoeState
from controller.places import ASIDE, BOARD, MUCK, at_seat
from controller.table import Table
from tests.controller.hands import World, setup
from tests.controller.players import press
from tests.floor.halts import decided, halted


def gated(until: str, *, burner: bool = True) -> World:
    table = World(Table(setup()), gate=True, burner=burner)
    table.power_up()
    table.play(until)
    return table


def orders(table: World) -> list[tuple[str, int]]:
    """What the gate was told."""
    told = [(made.command, made.cards) for made in table.all_said(Command)]
    return [made for made in told if made[0] in ("lock", "unlock")]


def test_a_hand_that_goes_its_way_opens_it_once_for_the_deal_and_for_each_street_and_never_shuts_it() -> None:
    table = gated("done")
    assert orders(table) == [("unlock", 8), ("unlock", 3), ("unlock", 1), ("unlock", 1)]


def test_a_burn_by_hand_is_let_through_alone() -> None:
    table = gated("flop-deal", burner=False)
    assert orders(table) == [("unlock", 8), ("unlock", 1), ("unlock", 3)]


def test_a_card_that_is_forced_through_shuts_it_at_the_bare_draw() -> None:
    table = gated("flop")
    card = table.order[table.drawn]
    table.drawn += 1
    table.tell(Drew(time=0, number=table.drawn, what="card", way="hand", cards=(card,)))
    assert orders(table)[-1] == ("lock", 0)


def test_what_halts_the_table_shuts_it_and_what_is_left_goes_through_when_play_goes_on() -> None:
    table = gated("deal")
    table.draw(at_seat(4))
    halted(table)
    assert orders(table)[-1] == ("lock", 0)
    decided(table, "stand")
    assert orders(table)[-1] == ("unlock", 7)


def test_a_stray_card_never_opens_it_for_the_moment_before_the_table_is_halted() -> None:
    table = gated("deal")
    table.draw(MUCK)
    assert orders(table) == [("unlock", 8), ("lock", 0)]


def test_it_is_shut_until_a_boxed_card_is_laid_away_and_then_open_for_as_many_as_before() -> None:
    table = gated("deal")
    card = table.order[table.drawn]
    table.drawn += 1
    table.lies[card] = ASIDE
    table.tell(Drew(time=0, number=table.drawn, what="boxed", way="hand", cards=(card,)))
    table.carry(card, ASIDE)
    assert (table.prompt.code, orders(table)[-1]) == ("card-to-scrap", ("lock", 0))
    press(table, "ack")
    assert orders(table)[-1] == ("unlock", 8)


def test_a_card_that_has_not_come_to_rest_is_not_let_through_once_more() -> None:
    table = gated("flop-deal")
    card = table.order[table.drawn]
    table.drawn += 1
    table.tell(Drew(time=0, number=table.drawn, what="card", way="hand", cards=(card,)))
    halted(table)
    decided(table, "stand")
    assert orders(table)[-1] == ("unlock", 2)


def test_a_lid_that_was_open_has_shut_it_and_what_is_due_is_let_through_anew() -> None:
    table = gated("flop-deal")
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="cards"))
    decided(table, "stand")
    assert orders(table)[-3:] == [("unlock", 3), ("lock", 0), ("unlock", 3)]


def test_an_order_that_is_on_its_way_while_a_lid_is_opened_is_taken_back() -> None:
    table = gated("preflop")
    table.stalls = True
    table.play("flop-deal")
    assert orders(table)[-1] == ("unlock", 3)
    table.tell(ShoeState(lid="open", content="cards"))
    assert (table.table.phase, orders(table)[-1]) == ("halted", ("lock", 0))


def test_while_a_question_stands_nothing_is_let_through() -> None:
    table = gated("deal")
    card = table.draw(at_seat(4))
    table.draw(at_seat(1))
    table.carry(card, MUCK)
    assert (table.prompt.code, orders(table)[-1]) == ("folded", ("lock", 0))
    table.tell(Keyed(key="no"))
    decided(table, "accept")
    assert (table.prompt.code, orders(table)[-1]) == ("hand-back", ("lock", 0))
    table.carry(card, at_seat(4))
    assert orders(table)[-1] == ("unlock", 6)


def test_an_order_that_was_not_carried_out_is_given_again_by_the_floor_s_word() -> None:
    table = gated("flop-deal")
    table.stalls = True
    table.draw(BOARD)
    halted(table)
    decided(table, "stand")
    order = table.all_said(Command)[-1]
    table.tell(Answered(ref=order.ref, outcome="failed", reason="jam", count=0))
    assert table.table.phase == "halted"
    decided(table, "stand")
    assert orders(table)[-1] == ("unlock", 2)


def test_a_shoe_that_comes_back_is_opened_once_for_what_is_due_when_it_has_told_what_was_drawn() -> None:
    table = gated("deal")
    table.tell(DeviceLost(device="shoe", why="unplugged"))
    told = len(orders(table))
    table.tell(ShoeReady(gate=True, burner=True))
    table.draw(at_seat(4))
    table.draw(at_seat(1))
    assert orders(table)[told:] == [], "it may have more to tell"
    table.tell(ShoeState(lid="locked", content="cards"))
    assert orders(table)[told:] == [("unlock", 6)]


def test_where_there_is_no_gate_nothing_is_told() -> None:
    table = World(Table(setup()))
    table.power_up()
    table.play("done")
    assert orders(table) == []
