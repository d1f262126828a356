"""A dealer makes the one mistake that he is told to make, at the first step that it fits, and no other."""

from __future__ import annotations

import pytest

from hil_rigs.virtual.codes import Prompt, Type, Verdict
from hil_rigs.virtual.deeds import Mistake
from hil_rigs.virtual.felt import Card
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.script import Script
from tests.virtual.test_remedies import kinds, loaded, loaded_with, unloaded


def slipping(script: Script, mistake: Mistake) -> Script:
    script.table.dealer.mistake = mistake
    return script


def test_a_kept_card_lies_where_it_lay_until_the_set_is_asked_for_again() -> None:
    script = slipping(loaded(), "keep-card")
    table = script.table
    board = table.hands.draw("board", count=4)
    unloaded(script)
    assert kinds(script, Prompt.GATHER_BOARD) == ["lay-in", "ack"]
    assert (table.dealer.mistake, table.felt.cards("board")) == (None, board[:1])
    assert kinds(script, Prompt.GATHER_BOARD) == ["ack"]
    for card in table.felt.cards("input"):
        table.felt.move(card, "returned")
    assert kinds(script, Prompt.SET_MISSING, count=1) == ["lay-in", "ack"]
    assert set(table.felt.cards("input")) == table.dealer.wanted
    assert table.dealer.give_up_mistake() == ""


def test_at_a_misdeal_the_only_card_on_the_felt_is_kept_and_the_stub_goes_in() -> None:
    script = slipping(loaded(), "keep-card")
    table = script.table
    kept = table.hands.draw("seat:5")
    script.command("shoe", Type.RELEASE_LID)
    assert kinds(script, Prompt.GATHER_MISDEAL) == ["gather", "ack"]
    assert table.felt.cards("seat:5") == kept
    assert set(table.felt.cards("input")) == table.dealer.wanted - set(kept)


def test_where_no_card_lies_on_the_felt_one_of_the_pack_is_kept() -> None:
    script = slipping(loaded(), "keep-card")
    script.command("shoe", Type.RELEASE_LID)
    top = script.table.felt.cards("shoe")[:1]
    assert kinds(script, Prompt.GATHER_MISDEAL) == ["gather", "ack"]
    assert script.table.felt.cards("pack") == top


def test_a_burn_laid_in_too_goes_back_into_the_tray() -> None:
    script = slipping(loaded(), "add-burn")
    table = script.table
    burns = table.hands.draw("burn", count=2)
    table.hands.draw("board", count=4)
    unloaded(script)
    assert kinds(script, Prompt.GATHER_BOARD) == ["lay-in", "ack"]
    assert set(table.felt.cards("input")) - table.dealer.wanted == {burns[1]}
    for card in table.felt.cards("input"):
        table.felt.move(card, "returned")
    assert kinds(script, Prompt.SET_TOO_MANY, count=1)[0] == "put-back"
    assert table.felt.cards("burn") == burns
    assert table.dealer.give_up_mistake() == ""


@pytest.mark.parametrize(
    ("code", "burns", "why"),
    [
        (Prompt.GATHER_BOARD, 0, "the burn tray is empty"),
        (Prompt.GATHER_MISDEAL, 0, "the burn tray is empty"),
        (Prompt.GATHER_MISDEAL, 1, "the burn belongs to the set"),
    ],
)
def test_where_no_burn_can_be_too_many_he_lays_the_right_set_in(code: int, burns: int, why: str) -> None:
    script = slipping(loaded(), "add-burn")
    table = script.table
    table.hands.draw("board", count=4)
    table.hands.draw("burn", count=burns)
    unloaded(script)
    kinds(script, code)
    assert set(table.felt.cards("input")) == table.dealer.wanted
    assert table.dealer.give_up_mistake() == why


def test_a_cut_that_was_not_made_is_confirmed_twice_and_made_when_it_is_asked_for_once_more() -> None:
    script = slipping(loaded(), "skip-cut")
    unloaded(script)
    pack = script.table.felt.cards("pack")
    assert kinds(script, Prompt.CUT_PACK) == ["ack"]
    assert kinds(script, Prompt.CUT_PACK) == ["ack"]
    assert script.table.felt.cards("pack") == pack
    assert script.table.dealer.give_up_mistake() == ""
    assert kinds(script, Prompt.CUT_PACK) == ["cut-pack"]


def test_after_another_prompt_a_cut_is_made_again() -> None:
    script = slipping(loaded(), "skip-cut")
    unloaded(script)
    assert kinds(script, Prompt.CUT_PACK) == ["ack"]
    script.show(Prompt.WAIT_MACHINE)
    assert kinds(script, Prompt.CUT_PACK) == ["cut-pack"]


def test_without_an_antenna_at_the_plate_the_locked_lid_keeps_an_uncut_pack_out_of_the_shoe() -> None:
    script = slipping(loaded(ZonesOptions(antennas=frozenset({"board"}))), "skip-cut")
    unloaded(script)
    assert kinds(script, Prompt.CUT_PACK) == ["cut-pack", "ack"]
    assert script.table.dealer.give_up_mistake() == "the shoe's lid is locked"


def test_a_lid_that_is_free_lets_an_uncut_pack_in() -> None:
    script = slipping(loaded_with(Setup(zones=None)), "skip-cut")
    unloaded(script)
    script.command("shoe", Type.RELEASE_LID)
    assert kinds(script, Prompt.CUT_PACK) == ["load-shoe"]
    assert script.table.dealer.give_up_mistake() == ""


@pytest.mark.parametrize(
    ("mistake", "cuts", "why"),
    [
        ("keep-card", True, "no card was asked for in the shuffler"),
        ("add-burn", True, "no card was asked for in the shuffler"),
        ("skip-cut", True, "the machine cuts"),
        ("skip-cut", False, "no cut was asked for"),
    ],
)
def test_a_mistake_that_no_step_fits_is_not_made_and_is_forgotten(
    mistake: Mistake, cuts: bool, why: str
) -> None:
    script = slipping(loaded_with(Setup(shuffler=ShufflerOptions(cuts=cuts))), mistake)
    script.obeyed(Prompt.DEAL_FLOP, count=3)
    assert script.table.dealer.mistake == mistake
    assert script.table.dealer.give_up_mistake() == why
    assert script.table.dealer.mistake is None


def mask(script: Script, cards: frozenset[Card]) -> bytes:
    members = [card for card in script.table.decks["deck-1"] if not card.is_cut_card]
    bits = sum(1 << i for i, card in enumerate(members) if card in cards)
    return bits.to_bytes(7, "little")


@pytest.mark.parametrize(
    ("mistake", "strays", "again"),
    [("keep-card", (1, 0), Prompt.SET_MISSING), ("add-burn", (0, 1), Prompt.SET_TOO_MANY)],
)
def test_a_redeal_with_a_mistake_comes_to_a_loaded_shoe(
    mistake: Mistake, strays: tuple[int, int], again: Prompt
) -> None:
    script = loaded()
    table = script.table
    script.load_table()
    burn = table.hands.draw("burn")
    board = frozenset(table.hands.draw("board", count=4))
    stub = frozenset(card for card in table.felt.cards("shoe") if not card.is_cut_card)
    wanted = board | stub
    slipping(unloaded(script), mistake)
    script.obeyed(Prompt.GATHER_BOARD, count=len(wanted))
    expected = mask(script, wanted)
    fed = script.command("shuffler", Type.FEED, deck=0, expected=expected)
    found = [sum(byte.bit_count() for byte in fed.raw(what)) for what in ("missing", "surplus")]
    assert (fed["verdict"], tuple(found)) == (Verdict.WRONG, strays)
    returned = script.command("shuffler", Type.RETURN).num("count")
    script.obeyed(again, count=1)
    if again is Prompt.SET_TOO_MANY:
        script.obeyed(Prompt.WRONG_SET, count=returned)
    fed = script.command("shuffler", Type.FEED, deck=0, expected=expected)
    assert (fed["verdict"], fed["count"]) == (Verdict.PROVED, len(wanted))
    for command in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER):
        assert script.command("shuffler", command)["outcome"] == 0
    assert kinds(script, Prompt.LIFT_PACK) == ["lift-pack"]
    assert script.command("shuffler", Type.CLOSE_COVER)["outcome"] == 0
    assert kinds(script, Prompt.CUT_CARD_UNDER) == ["cut-card-under", "ack"]
    script.command("shoe", Type.RELEASE_LID)
    assert kinds(script, Prompt.LOAD_SHOE) == ["load-shoe"]
    assert set(table.felt.texts("shoe")) == {card.text for card in wanted}
    assert (table.felt.cards("burn"), table.felt.cards("board")) == (burn, ())
    assert kinds(script, Prompt.DEAL_FLOP, count=3) == ["deal-flop"] * 3
    table.felt.check()
