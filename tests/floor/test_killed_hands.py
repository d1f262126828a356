"""A live hand that the dealer sent to the muck: the floor decides whether it comes back, is dead, or whether
the dealer is asked again; a room may have the table do it."""

from dataclasses import replace

import msgspec
import pytest

from controller.decisions import ChipsMoved, Ruled
from controller.events import Acted
from controller.places import MUCK, at_seat
from controller.rule_files import rulebook
from controller.rulesets.book import By
from controller.table_setup import TableSetup
from tests.controller.hands import World, setup
from tests.controller.players import alerts, refusals
from tests.floor.halts import decided, press, refused, table_at

BOOKS = ("roberts", "tda")


def killed(made: TableSetup | None = None) -> World:
    """Seat 4 is all-in, its cards reach the muck, and the dealer says that it did not fold."""
    table = table_at("flop", made)
    table.tell(Acted(seat=4, action="all-in"))
    table.muck(4)
    assert table.prompt.code == "folded"
    press(table, "no")
    return table


def told_so(remedy: str, by: By) -> TableSetup:
    """What a card room's own file says of a hand killed by the dealer."""
    book = rulebook("roberts")
    rule = msgspec.structs.replace(book.rules["hand-killed-by-dealer"], remedy=remedy, by=by)
    return replace(setup(), rules=replace(book, rules={**book.rules, "hand-killed-by-dealer": rule}))


def rules_of(table: World) -> list[str]:
    return [f"{ruled.rule}: {ruled.remedy}" for ruled in table.all_said(Ruled)]


@pytest.mark.parametrize("book", BOOKS)
def test_it_is_told_with_its_seat_and_without_its_cards_and_the_floor_decides(book: str) -> None:
    table = killed(replace(setup(), rules=rulebook(book)))
    (told,) = table.all_said(Ruled)
    assert (told.rule, told.remedy, told.seat, told.place) == ("hand-killed-by-dealer", "hand-back", 4, MUCK)
    assert (told.cards, told.unseen, told.ours) == ((), 0, "")
    assert (table.table.phase, table.prompt.code) == ("halted", "call-floor")


def test_accept_has_the_cards_brought_back_and_the_hand_goes_on_with_nothing_changed() -> None:
    table = killed()
    chips = table.all_said(ChipsMoved)
    assert decided(table, "accept").remedy == "hand-back"
    assert (table.table.phase, table.prompt.code, table.prompt.seat) == ("flop", "hand-back", 4)
    table.bring_back(4)
    assert (table.table.phase, table.prompt.code) == ("flop", "act-call")
    assert table.all_said(ChipsMoved) == chips
    table.play("done")
    assert (table.phases[-1], len(table.at(at_seat(4)))) == ("done", 2)


def test_by_name_the_floor_may_choose_what_the_rule_proposes() -> None:
    table = killed()
    assert decided(table, "choose", "hand-back").remedy == "hand-back"
    assert table.prompt.code == "hand-back"


def test_dead_hand_kills_it_although_it_is_all_in_and_its_chips_stay_in() -> None:
    table = killed()
    decided(table, "choose", "dead-hand")
    table.play("done")
    assert (table.phases[-1], len(table.at(MUCK))) == ("done", 2)
    final = table.all_said(ChipsMoved)[-1]
    assert 4 not in {seat for pot in final.pots for seat in pot.winners}
    assert final.stacks[4] == 0


def test_of_a_dead_hand_what_lies_at_its_seat_again_goes_to_the_muck() -> None:
    table = killed()
    table.bring_back(4)
    decided(table, "choose", "dead-hand")
    assert (table.prompt.code, table.prompt.seat, table.prompt.count) == ("hand-dead", 4, 2)
    for card in table.at(at_seat(4)):
        table.carry(card, MUCK)
    assert table.prompt.code == "act-call"


@pytest.mark.parametrize("phase", ["flop-deal", "turn-deal", "river-deal"])
def test_between_two_rounds_a_dead_hand_is_out_and_the_street_is_dealt(phase: str) -> None:
    table = table_at(phase)
    table.muck(4)
    press(table, "no")
    decided(table, "choose", "dead-hand")
    assert (table.table.phase, table.prompt.code) == (phase, phase.replace("-deal", "").join(["deal-", ""]))
    table.play("done")
    assert (table.phases[-1], len(table.at(MUCK))) == ("done", 2)


def dealt_one_card() -> World:
    """In the deal seat 4, which is still to get a card, has its first one in the muck and did not fold."""
    table = table_at("deal")
    table.draw(at_seat(4))
    table.muck(4)
    press(table, "no")
    assert table.table.phase == "halted"
    return table


def test_a_hand_that_is_still_dealt_gets_its_card_back_and_the_deal_goes_on() -> None:
    table = dealt_one_card()
    decided(table, "accept")
    table.bring_back(4)
    assert (table.table.phase, table.prompt.code) == ("deal", "deal-hole")


def test_a_hand_that_is_still_dealt_may_be_dead_and_the_deal_comes_to_its_end_in_its_order() -> None:
    table = dealt_one_card()
    decided(table, "choose", "dead-hand")
    assert (table.table.phase, table.prompt.code) == ("deal", "deal-hole")
    for seat in (1, 2, 3, 4, 1, 2, 3):
        table.draw(at_seat(seat))
    assert (table.table.phase, table.prompt.code, table.prompt.seat) == ("preflop", "act-call", 2)
    table.play("done")
    assert (table.phases[-1], alerts(table), refusals(table)) == ("done", ["floor-decides"], [])


def torn(showdown_of: int = 4) -> World:
    """At showdown a card of seat 4 lies in the muck and the other was shown; it did not give its hand up."""
    table = table_at("showdown")
    if showdown_of == 1:
        for seat in (1, 2, 3):
            press(table, "muck", seat)
    table.carry(table.at(at_seat(4))[0], MUCK)
    table.turn_up(4)
    assert table.prompt.code == "folded"
    press(table, "no")
    return table


def test_at_showdown_it_comes_back_and_is_shown() -> None:
    table = torn()
    decided(table, "accept")
    assert table.prompt.code == "hand-back"
    table.bring_back(4)
    table.play("done")
    assert table.phases[-1] == "done"
    assert table.at(MUCK) == []


def test_at_showdown_it_may_be_dead_and_the_others_show() -> None:
    table = torn()
    decided(table, "choose", "dead-hand")
    assert (table.prompt.code, table.prompt.count) == ("hand-dead", 1)
    table.carry(table.at(at_seat(4))[0], MUCK)
    assert (table.prompt.code, table.prompt.seat) == ("show-hand", 1)
    table.play("done")
    assert table.phases[-1] == "done"


def test_the_last_hand_cannot_be_dead() -> None:
    table = torn(1)
    why = refused(table, "choose", "dead-hand")
    assert why == "seat 4 is the last to claim the pot and keeps it"
    decided(table, "accept")
    table.bring_back(4)
    table.play("done")
    assert table.phases[-1] == "done"


# Let it stand


def test_stand_neither_kills_it_nor_has_it_brought_back_the_dealer_is_asked_again() -> None:
    table = killed()
    decided(table, "stand")
    assert (table.table.phase, table.prompt.code, table.prompt.seat) == ("flop", "folded", 4)
    press(table, "yes")
    assert table.prompt.code == "act-call"
    table.play("done")
    assert (table.phases[-1], len(table.at(MUCK))) == ("done", 2)


def test_after_stand_a_second_no_is_ruled_on_and_left_to_the_floor_again() -> None:
    table = killed()
    decided(table, "stand")
    press(table, "no")
    assert rules_of(table) == ["hand-killed-by-dealer: hand-back"] * 2
    assert table.table.phase == "halted"
    decided(table, "accept")
    table.play("done")
    assert (table.phases[-1], table.at(MUCK)) == ("done", [])


@pytest.mark.parametrize("decision", ["stand", "accept"])
def test_cards_that_came_back_while_the_floor_decided_are_the_hand_again(decision: str) -> None:
    table = killed()
    table.bring_back(4)
    decided(table, decision)  # type: ignore[arg-type]
    assert (table.table.phase, table.prompt.code) == ("flop", "act-call")
    table.play("done")
    assert (table.phases[-1], len(table.at(at_seat(4)))) == ("done", 2)


def test_after_stand_a_hand_that_did_not_fold_is_dead_by_a_word_and_never_by_its_cards_alone() -> None:
    table = table_at("flop")
    thrown = table.at(at_seat(4))
    table.carry(thrown[0], MUCK)
    table.tell(Acted(seat=4, action="check-or-call"))
    assert table.prompt.code == "folded"
    press(table, "no")
    table.carry(thrown[1], MUCK)
    decided(table, "stand")
    assert (table.prompt.code, table.prompt.seat) == ("folded", 4)


# A card room's own


def test_a_room_may_have_the_table_bring_it_back_and_the_floor_is_not_waited_for() -> None:
    table = killed(told_so("hand-back", "table"))
    assert rules_of(table) == ["hand-killed-by-dealer: hand-back"]
    assert (table.table.phase, table.prompt.code) == ("flop", "hand-back")
    table.play("done")
    assert "halted" not in table.phases
    assert (table.phases[-1], len(table.at(at_seat(4)))) == ("done", 2)


def test_a_room_may_have_it_dead_and_then_nothing_is_asked_for_back() -> None:
    table = killed(told_so("dead-hand", "table"))
    assert rules_of(table) == ["hand-killed-by-dealer: dead-hand"]
    assert (table.table.phase, table.prompt.code) == ("flop", "act-call")
    table.play("done")
    assert (table.phases[-1], len(table.at(MUCK))) == ("done", 2)


def test_where_a_room_proposes_that_it_is_dead_the_floor_may_choose_to_have_it_back() -> None:
    table = killed(told_so("dead-hand", "floor"))
    decided(table, "choose", "hand-back")
    assert table.prompt.code == "hand-back"
