"""A halted table stands still where it is, and goes on from there when the floor lets it."""

from dataclasses import replace

import pytest

from controller.decisions import CarriedOut, ChipsMoved, Command, Deadline, FloorRuled, PhaseEntered, Refused
from controller.events import (
    Acted,
    Answered,
    Arrived,
    DeadlinePassed,
    Drew,
    Keyed,
    ShoeReady,
    ShoeState,
)
from controller.places import ASIDE, BOARD, BURN, MUCK, at_seat
from controller.rule_files import rulebook
from tests.controller.hands import World, setup
from tests.controller.players import in_round
from tests.floor.halts import EMPTY, asked_for, codes, decided, halted, press, refused, table_at

CLEAN = table_at("done")
STEPS = len(CLEAN.codes()) - 1


def moved(table: World) -> list[str]:
    """Every command that a machine carried out and that moves a card; a lid may be freed twice."""
    return [done.command for done in table.all_said(CarriedOut) if done.command != "release-lid"]


@pytest.mark.parametrize("step", range(STEPS))
@pytest.mark.parametrize("decks", [1, 2])
def test_a_floor_that_was_called_for_nothing_changes_nothing(step: int, decks: int) -> None:
    clean = table_at("done", setup(decks=decks))
    table = table_at("idle", setup(decks=decks))
    for _ in range(step):
        table.obey()
    phase, asked = table.table.phase, table.prompt
    halted(table)
    press(table, "ack")
    assert table.all_said(Refused)[-1].why == "the table is halted: the floor decides"
    ruled = decided(table, "stand")
    assert (ruled.who, ruled.reason, ruled.code, ruled.phase) == ("Ann", "as it is", "floor-called", phase)
    assert (table.table.phase, table.prompt) == (phase, asked)
    if "done" not in table.phases:
        table.play("done")
    assert [p for p in table.phases if p != "halted"][-1] == "done"
    assert moved(table)[: len(moved(clean))] == moved(clean)
    assert table.all_said(ChipsMoved)[-1] == clean.all_said(ChipsMoved)[-1]


def test_a_table_that_is_not_halted_has_nothing_to_decide() -> None:
    table = table_at("flop")
    for decision in ("accept", "choose", "stand", "void", "pull-deck", "by-hand"):
        assert "not halted" in refused(table, decision)


def test_nothing_is_proposed_where_no_ruling_was_left_to_the_floor() -> None:
    table = halted(table_at("flop"))
    assert refused(table, "accept").startswith("nothing is proposed")
    assert refused(table, "choose", "misdeal").startswith("no ruling was left to the floor")
    assert refused(table, "choose", "misdael").startswith("there is no remedy misdael: did you mean misdeal")
    decided(table, "stand")


def test_a_gate_is_locked_and_lets_through_again_what_was_due() -> None:
    table = table_at("deal", gate=True)
    halted(table)
    assert [c.command for c in table.all_said(Command)][-1] == "lock"
    decided(table, "stand")
    last = table.all_said(Command)[-1]
    assert (last.command, last.cards) == ("unlock", 8)


def test_a_card_that_was_in_flight_is_laid_when_the_hand_goes_on() -> None:
    table = table_at("deal")
    card = table.order[0]
    table.tell(Drew(time=0, number=1, what="card", way="hand", cards=(card,)))
    halted(table)
    table.tell(Arrived(time=0, place=at_seat(4), facing="down", what="card", card=card))
    assert table.table.ledger.where(card).place == at_seat(4)
    decided(table, "stand")
    table.drawn, table.lies[card] = 1, at_seat(4)
    for seat in (1, 2, 3, 4, 1, 2, 3):
        table.draw(at_seat(seat))
    assert table.table.phase == "preflop"


def test_what_waits_to_be_seen_has_its_whole_time_anew() -> None:
    table = table_at("deal")
    table.tell(Drew(time=0, number=1, what="card", way="hand", cards=(table.order[0],)))
    old = table.all_said(Deadline)[-1].token
    halted(table)
    assert not table.table.open_deadlines
    table.tell(DeadlinePassed(token=old))
    decided(table, "stand")
    (new,) = table.table.open_deadlines
    assert new != old
    table.tell(DeadlinePassed(token=new))
    assert codes(table) == ["floor-called", "card-not-seen"]
    assert table.table.phase == "deal"


def test_a_question_stands_again_with_its_whole_time() -> None:
    table = in_round("preflop", World)
    table.draw(BOARD, facing="up")
    assert table.prompt.code == "betting-complete"
    old = table.all_said(Deadline)[-1].token
    halted(table)
    table.tell(DeadlinePassed(token=old))
    decided(table, "stand")
    assert table.prompt.code == "betting-complete"
    table.tell(DeadlinePassed(token=max(table.table.open_deadlines)))
    assert table.prompt.code == "early-flop"


def test_a_hand_thrown_away_while_the_table_is_halted_is_heard_of_afterwards() -> None:
    table = halted(table_at("flop"))
    table.muck(4)
    table.flush()
    assert table.table.phase == "halted"
    decided(table, "stand")
    assert table.prompt.seat == 1


def test_a_card_that_is_drawn_meanwhile_ends_the_hand_with_the_machines() -> None:
    table = halted(table_at("flop"))
    table.draw(ASIDE)
    assert refused(table, "stand") == "a card was drawn while the table was halted"
    decided(table, "void")


def test_a_card_that_is_carried_off_has_to_be_back() -> None:
    table = halted(table_at("flop"))
    card = table.at(at_seat(1))[0]
    table.carry(card, ASIDE)
    assert "carried from seat:1 to aside" in refused(table, "stand")
    table.carry(card, at_seat(1))
    decided(table, "stand")
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_whose_carrying_off_has_halted_the_hand_has_to_be_back() -> None:
    table = table_at("flop")
    card = table.at(at_seat(1))[0]
    table.carry(card, ASIDE)
    assert codes(table) == ["card-moved"]
    assert "has first to go back" in refused(table, "stand")
    table.carry(card, at_seat(1))
    decided(table, "stand")
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_that_no_rule_has_stays_out_where_it_lies() -> None:
    table = table_at("river")
    card = table.draw(BOARD, facing="up")
    assert codes(table) == ["floor-decides"]
    ruled = decided(table, "stand")
    assert ruled.left_out == (BOARD,)
    assert table.table.ledger.where(card).place == ASIDE
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_that_nobody_sees_stays_out_and_the_hand_goes_on() -> None:
    table = table_at("flop")
    table.tell(Drew(time=0, number=1, what="card", way="hand", cards=(table.order[table.drawn],)))
    table.drawn += 1
    table.tell(DeadlinePassed(token=max(table.table.open_deadlines)))
    assert codes(table) == ["card-not-seen"]
    assert table.table.phase == "halted"
    decided(table, "stand")
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_that_was_not_read_is_never_played_on_with() -> None:
    table = table_at("flop", setup(antennas=False), antennas=False)
    table.tell(Drew(time=0, number=1, what="unread", way="hand"))
    assert "unknown which card" in refused(table, "stand")


def test_a_device_that_began_anew_is_never_played_on_with() -> None:
    table = table_at("flop")
    halted(table)
    table.tell(ShoeReady(gate=False, burner=True, restarted=True))
    assert "unknown" in refused(table, "stand")
    decided(table, "by-hand")


def test_an_open_lid_is_closed_before_the_hand_goes_on() -> None:
    table = table_at("flop")
    table.tell(ShoeState(lid="open", content="cards"))
    assert codes(table) == ["lid-open"]
    assert refused(table, "stand") == "the shoe's lid is open"
    table.tell(ShoeState(lid="locked", content="empty"))
    assert refused(table, "stand") == "the stub is not in the shoe"
    table.tell(ShoeState(lid="locked", content="cards"))
    decided(table, "stand")


def test_a_step_that_was_late_has_its_whole_time_again() -> None:
    table = asked_for("load-shoe")
    (token,) = table.table.open_deadlines
    table.tell(DeadlinePassed(token=token))
    decided(table, "stand")
    assert table.prompt.code == "load-shoe"
    assert len(table.table.open_deadlines) == 1
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_pack_that_was_lifted_meanwhile_is_taken_as_it_is() -> None:
    table = asked_for("lift-pack")
    (token,) = table.table.open_deadlines
    table.tell(DeadlinePassed(token=token))
    table.tell(EMPTY)
    decided(table, "stand")
    assert [c.command for c in table.all_said(Command)][-2:] == ["close-cover", "release-lid"] or (
        table.prompt.code == "cut-card-under"
    )
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_pack_that_was_loaded_meanwhile_is_dealt() -> None:
    table = asked_for("load-shoe")
    (token,) = table.table.open_deadlines
    table.tell(DeadlinePassed(token=token))
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="cards"))
    decided(table, "stand")
    assert (table.table.phase, table.prompt.code) == ("deal", "deal-hole")


def test_a_command_that_failed_is_given_once_more_as_a_new_one() -> None:
    table = table_at("idle")
    table.slow = True
    table.obey()
    (feed,) = table.under_way
    table.under_way.clear()
    table.tell(Answered(ref=feed.ref, outcome="failed", reason="jam", count=0))
    assert codes(table) == ["command-failed"]
    decided(table, "stand")
    (again,) = table.under_way
    assert (again.command, again.ref != feed.ref) == ("feed", True)
    table.slow = False
    table.shuffler_goes_on()
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_machine_ends_what_it_was_told_and_no_command_is_given_twice() -> None:
    table = table_at("idle")
    table.slow = True
    table.obey()
    halted(table)
    table.shuffler_goes_on()
    assert not table.under_way
    decided(table, "stand")
    assert [c.command for c in table.under_way] == ["shuffle"]
    assert [c.command for c in table.all_said(Command)].count("feed") == 1


def test_a_pack_that_no_plate_saw_cut_counts_as_cut_by_the_floor_s_word() -> None:
    table = table_at("idle", cuts=False)
    while table.prompt.code != "cut-pack":
        table.obey()
    press(table, "ack")
    press(table, "ack")
    assert codes(table) == ["pack-uncut"]
    decided(table, "stand")
    assert table.prompt.code == "cut-card-under"


def test_the_floor_can_be_called_again_and_decides_again() -> None:
    table = table_at("flop")
    for _ in range(3):
        halted(table)
        decided(table, "stand")
    assert [ruled.phase for ruled in table.all_said(FloorRuled)] == ["flop"] * 3
    assert [d.phase for d in table.all_said(PhaseEntered)][-2:] == ["halted", "flop"]


def test_a_fold_that_waits_behind_a_card_in_flight_is_taken_after_the_halt() -> None:
    table = table_at("preflop")
    table.tell(Drew(time=0, number=9, what="card", way="hand", cards=(table.order[table.drawn],)))
    table.tell(Acted(seat=2, action="fold"))
    halted(table)
    table.tell(Keyed(key="next"))
    assert table.all_said(Refused)[-1].what == "next"


def test_a_card_in_the_muck_is_out_where_it_lies() -> None:
    table = table_at("flop")
    table.draw(MUCK)
    assert codes(table) == ["floor-decides"]
    decided(table, "stand")
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_card_out_of_play_that_is_carried_onto_the_board_is_no_board_card() -> None:
    table = table_at("flop")
    card = table.draw(at_seat(9))
    decided(table, "stand")
    table.carry(card, BOARD)
    assert codes(table) == ["floor-decides", "card-moved"]
    assert decided(table, "stand").left_out == (BOARD,)
    halted(table)
    table.carry(card, at_seat(2))
    decided(table, "stand")
    assert table.table.ledger.where(card).place == ASIDE
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_misdeal_is_not_taken_back_once_its_cards_are_laid_in() -> None:
    table = table_at("deal")
    table.draw(at_seat(4))
    press(table, "exposed")
    assert table.phases[-1] == "misdeal"
    table.obey()
    assert table.phases[-1] == "shuffle"
    press(table, "undo")
    assert table.all_said(Refused)[-1].why == "there is no key that could be taken back"
    table.play("done")
    assert table.phases[-1] == "done"


def test_a_burn_that_the_floor_picks_while_the_table_is_halted_lies_in_the_burn_tray() -> None:
    table = table_at("flop-deal", replace(setup(), rules=rulebook("tda")))
    four = [table.draw(BOARD, facing="up") for _ in range(4)]
    press(table, "ack")
    assert table.prompt.code == "pick-burn"
    halted(table)
    table.carry(four[1], BURN)
    decided(table, "stand")
    assert (table.table.phase, table.table.ledger.where(four[1]).place) == ("flop", BURN)


def test_a_burn_that_was_not_read_is_not_made_once_more_when_the_hand_goes_on() -> None:
    table = table_at("preflop")
    table.unread_burns = 1
    for _ in range(4):
        table.tell(Acted(seat=table.prompt.seat, action="check-or-call"))
    assert table.prompt.code == "card-unread"
    halted(table)
    decided(table, "stand")
    assert [made.command for made in table.all_said(Command)].count("burn") == 1
