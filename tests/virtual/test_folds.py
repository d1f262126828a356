"""The dealer answers for a hand in the muck by the display, and by what he saw thrown there."""

from __future__ import annotations

import pytest

from hil_rigs.virtual.codes import Key, Prompt, Type
from hil_rigs.virtual.felt import DOWN, UP
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.script import Script
from tests.virtual.test_remedies import kinds, loaded

NO_SEATS = ZonesOptions(antennas=frozenset({"muck"}))
"""An antenna at the muck and none at the seats."""


def pressed(script: Script) -> list[object]:
    return [key["key"] for key in script.events(Type.KEY)]


def with_thrown(count: int, *, held: int = 2, zones: ZonesOptions | None = None) -> Script:
    """A table at which the hand of seat 2, and then `count` of the `held` cards of seat 5, went to the
    muck."""
    script = loaded(zones)
    hands = script.table.hands
    hands.draw("seat:2", count=2)
    hands.muck(2)
    hands.lay(hands.draw("seat:5", count=held)[:count], "muck", face=DOWN)
    script.host.settle()
    return script


def test_a_whole_hand_in_the_muck_folded() -> None:
    script = with_thrown(2)
    assert kinds(script, Prompt.FOLDED, 5) == ["yes"]
    assert pressed(script) == [Key.YES]


def test_what_is_left_of_a_hand_that_folded_goes_to_the_muck_before_he_says_so() -> None:
    script = with_thrown(1)
    assert kinds(script, Prompt.FOLDED, 5) == ["muck", "yes"]
    assert (script.table.felt.cards("seat:5"), len(script.table.felt.cards("muck"))) == ((), 4)


def test_a_card_too_many_and_one_that_is_shown_stay_where_they_lie() -> None:
    script = with_thrown(1, held=3)
    extra = script.table.felt.cards("seat:5")[-1]
    assert kinds(script, Prompt.FOLDED, 5) == ["muck", "yes"]
    assert script.table.felt.cards("seat:5") == (extra,)
    script = with_thrown(1, held=3)
    shown = script.table.felt.cards("seat:5")[0]
    script.table.felt.turn(shown, UP)
    assert kinds(script, Prompt.FOLDED, 5) == ["muck", "yes"]
    assert script.table.felt.cards("seat:5") == (shown,)


def test_a_hand_that_is_all_in_or_cannot_fold_did_not_and_its_own_cards_come_back_face_down() -> None:
    script = with_thrown(2)
    thrown = script.table.felt.cards("muck")[-2:]
    assert kinds(script, Prompt.FOLDED, 5, 1) == ["no"]
    assert kinds(script, Prompt.HAND_BACK, 5, 2) == ["hand-back"]
    assert script.table.felt.cards("seat:5") == thrown
    assert {script.table.felt.face(card) for card in thrown} == {DOWN}
    assert (pressed(script), len(script.table.felt.cards("muck"))) == ([Key.NO], 2)


@pytest.mark.parametrize(("zones", "deeds"), [(None, ["hand-back"]), (NO_SEATS, ["hand-back", "ack"])])
def test_where_no_antenna_sees_the_seat_he_says_that_the_hand_is_back(
    zones: ZonesOptions | None, deeds: list[str]
) -> None:
    script = with_thrown(1, zones=zones)
    assert kinds(script, Prompt.HAND_BACK, 5, 1) == deeds
    assert len(script.table.felt.cards("seat:5")) == 2


def test_in_the_deal_a_seat_whose_card_lies_in_the_muck_is_not_dealt_another_for_it() -> None:
    script = loaded()
    hands = script.table.hands
    for seat in (2, 5, 9):
        hands.draw(f"seat:{seat}")
    hands.muck(2)
    assert [deed.seat for deed in script.obeyed(Prompt.DEAL_HOLE, 2, 2)] == [2, 5, 9]


def test_a_street_that_a_question_interrupted_is_dealt_to_its_end_and_not_anew() -> None:
    script = loaded()
    script.show(Prompt.DEAL_FLOP, count=3)
    script.table.dealer.obey()
    script.show(Prompt.FOLDED, 5)
    script.host.settle()
    assert kinds(script, Prompt.DEAL_FLOP, count=3) == ["deal-flop", "deal-flop"]


def test_the_seat_that_is_first_acts_whoever_waits() -> None:
    script = loaded()
    assert [deed.words for deed in script.obeyed(Prompt.ACT_FIRST, 5, 9)] == ["seat 5 checks or calls"]
    assert [(act["seat"], act["action"]) for act in script.events(Type.ACT)] == [(5, 2)]
