"""The faultless dealer goes by the prompt on display and by what lies on the felt."""

from __future__ import annotations

import pytest

from hil_rigs.virtual.codes import Lid, Prompt, Type
from hil_rigs.virtual.felt import UP
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.hosts import DirectHost
from tests.virtual.script import FULL, Script


def _loaded(setup: Setup | None = None) -> Script:
    table = VirtualTable(setup or Setup(seats=(2, 5, 9)))
    for card in table.decks["deck-1"]:
        table.felt.move(card, "shoe")
    script = Script(DirectHost(table))
    script.host.settle()
    return script


def test_he_deals_one_card_at_a_time_round_by_round_from_the_seat_that_the_prompt_names() -> None:
    script = _loaded()
    deeds = script.obeyed(Prompt.DEAL_HOLE, 5, 2)
    assert [deed.seat for deed in deeds] == [5, 9, 2, 5, 9, 2]
    assert {deed.cards for deed in deeds} == {1}
    assert deeds[0].words == "deals a card to seat 5"


@pytest.mark.parametrize("already", range(7))
def test_he_goes_on_where_somebody_dealt_part_by_hand(already: int) -> None:
    script = _loaded()
    order = [5, 9, 2, 5, 9, 2]
    for seat in order[:already]:
        script.table.hands.draw(f"seat:{seat}")
    assert [deed.seat for deed in script.obeyed(Prompt.DEAL_HOLE, 5, 2)] == order[already:]


def test_he_deals_only_to_those_who_are_dealt_in() -> None:
    script = _loaded()
    script.table.dealer.seats = (2, 9)
    assert [deed.seat for deed in script.obeyed(Prompt.DEAL_HOLE, 9, 1)] == [9, 2]


def test_a_street_is_dealt_a_card_at_a_time_face_up_and_only_what_is_missing() -> None:
    script = _loaded()
    script.table.hands.draw("board", face=UP)
    assert len(script.obeyed(Prompt.DEAL_FLOP, count=2)) == 2
    assert len(script.obeyed(Prompt.DEAL_TURN, count=1)) == 1
    assert len(script.obeyed(Prompt.DEAL_RIVER, count=1)) == 1
    board = script.table.felt.cards("board")
    assert len(board) == 5
    assert {script.table.felt.face(card) for card in board} == {UP}


def test_a_burn_is_made_once_however_long_the_prompt_stands() -> None:
    script = _loaded()
    assert [deed.kind for deed in script.obeyed(Prompt.BURN)] == ["burn"]
    assert script.table.dealer.obey() is None
    assert len(script.table.felt.cards("burn")) == 1


def test_players_check_or_call_once_and_the_betting_is_said_to_be_complete_once() -> None:
    script = _loaded()
    assert [deed.words for deed in script.obeyed(Prompt.ACT_CHECK, 5, 10)] == ["seat 5 checks"]
    assert [deed.words for deed in script.obeyed(Prompt.ACT_CALL, 9, 10)] == ["seat 9 calls"]
    assert [deed.kind for deed in script.obeyed(Prompt.BETTING)] == ["next"]
    told = [(act["seat"], act["action"], act["amount"]) for act in script.events(Type.ACT)]
    assert told == [(5, 2, 0), (9, 2, 0)]
    assert [key["key"] for key in script.events(Type.KEY)] == [1]


@pytest.mark.parametrize(
    ("zones", "kinds"),
    [
        (ZonesOptions(), ["show-hand"]),
        (ZonesOptions(facing=False), ["show-hand", "ack"]),
        (None, ["show-hand", "ack"]),
    ],
)
def test_a_shown_hand_is_said_by_a_key_only_where_no_reader_sees_it(
    zones: ZonesOptions | None, kinds: list[str]
) -> None:
    script = _loaded(Setup(seats=(2, 5), zones=zones))
    script.obeyed(Prompt.DEAL_HOLE, 5, 2)
    assert [deed.kind for deed in script.obeyed(Prompt.SHOW_HAND, 2)] == kinds
    assert {script.table.felt.face(card) for card in script.table.felt.cards("seat:2")} == {UP}


def test_at_the_end_every_card_is_gathered_the_stub_too_when_the_lid_is_free() -> None:
    script = _loaded()
    table = script.table
    script.obeyed(Prompt.DEAL_HOLE, 5, 2)
    table.hands.fold(9)
    table.hands.draw("burn")
    script.obeyed(Prompt.DEAL_FLOP, count=3)
    assert [deed.kind for deed in script.obeyed(Prompt.PUSH_POT, 5, 30)] == ["push-pot"]
    deeds = script.obeyed(Prompt.GATHER)
    assert [(deed.kind, deed.cards) for deed in deeds] == [("gather", 10)]
    assert table.dealer.stopped == "the shoe's lid is locked"
    script.command("shoe", Type.RELEASE_LID)
    deeds = [deed for deed in iter(table.dealer.obey, None) if deed is not None]
    assert [(deed.kind, deed.cards) for deed in deeds] == [("gather", 42), ("ack", 0)]
    assert len(table.felt.cards("input")) == 52
    assert table.felt.where(table.decks["deck-1"][52]) == "cut-plate"
    assert table.shoe.lid == Lid.LOCKED


def test_he_waits_before_a_shut_gate_and_goes_on_when_it_opens() -> None:
    script = _loaded(Setup(seats=(2, 5), shoe=ShoeOptions(gate=True)))
    assert script.obeyed(Prompt.DEAL_HOLE, 2, 1) == []
    assert script.table.dealer.stopped == "the gate is shut"
    script.command("shoe", Type.UNLOCK, cards=2)
    assert script.table.dealer.obey() is not None


@pytest.mark.parametrize(
    "code",
    [
        Prompt.NOTHING,
        Prompt.WAIT_MACHINE,
        Prompt.CALL_FLOOR,
        Prompt.DEVICE_LOST,
        99,
    ],
)
def test_where_nothing_is_his_to_do_he_does_nothing(code: int) -> None:
    script = _loaded()
    assert script.table.dealer.obey() is None
    assert script.obeyed(code) == []


@pytest.fixture
def two_decks() -> Script:
    """A flop of deck 1 lies; deck 2 is in its tray."""
    script = Script(DirectHost(VirtualTable(Setup(seats=(1, 2), decks=2))))
    script.power_up()
    script.load_table("deck-2", slot=1)
    return script


def _machine_has_deck_2(script: Script) -> None:
    script.obeyed(Prompt.OTHER_DECK_IN)
    assert script.command("shuffler", Type.FEED, deck=1, expected=FULL)["verdict"] == 0


@pytest.mark.parametrize("code", [Prompt.OTHER_DECK_IN, Prompt.PARKED_DECK_IN])
def test_the_deck_that_is_not_played_goes_into_the_machine_while_the_other_lies_on_the_table(
    two_decks: Script, code: Prompt
) -> None:
    felt = two_decks.table.felt
    assert [deed.kind for deed in two_decks.obeyed(code)] == ["lay-in", "ack"]
    assert {card.deck for card in felt.cards("input")} == {"deck-2"}
    assert len(felt.cards("input")) == 52
    assert two_decks.table.deck_in_play == "deck-1"


def test_the_waiting_deck_is_lifted_and_parked_away_from_the_table(two_decks: Script) -> None:
    _machine_has_deck_2(two_decks)
    for command in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER):
        two_decks.command("shuffler", command)
    assert [(deed.kind, deed.cards) for deed in two_decks.obeyed(Prompt.PARK_DECK)] == [("park-deck", 52)]
    assert len([card for card in two_decks.table.felt.cards("away") if card.deck == "deck-2"]) == 53


def test_a_deck_that_the_machine_gave_back_is_parked_and_told_by_the_key(two_decks: Script) -> None:
    _machine_has_deck_2(two_decks)
    two_decks.command("shuffler", Type.RETURN)
    assert [deed.kind for deed in two_decks.obeyed(Prompt.PARK_DECK)] == ["park-deck", "ack"]
    assert not two_decks.table.felt.cards("returned")


def test_a_card_of_the_other_deck_that_lies_about_is_not_gathered(
    two_decks: Script,
) -> None:
    felt = two_decks.table.felt
    stray = two_decks.table.decks["deck-2"][0]
    felt.move(stray, "muck")
    two_decks.command("shoe", Type.RELEASE_LID)
    two_decks.obeyed(Prompt.GATHER)
    assert {card.deck for card in felt.cards("input")} == {"deck-1"}
    assert felt.where(stray) == "muck"


def test_the_cards_of_a_remedy_are_those_of_the_deck_in_play(two_decks: Script) -> None:
    felt = two_decks.table.felt
    _machine_has_deck_2(two_decks)
    two_decks.command("shuffler", Type.RETURN)
    two_decks.obeyed(Prompt.PARK_DECK)
    two_decks.command("shoe", Type.RELEASE_LID)
    two_decks.obeyed(Prompt.UNLOAD_SHOE)
    two_decks.obeyed(Prompt.GATHER_BOARD)
    assert {card.deck for card in felt.cards("input")} == {"deck-1"}


def test_a_cut_by_hand_is_that_of_its_own_decks_last_shuffle() -> None:
    table = VirtualTable(Setup(seats=(1, 2), decks=2, shuffler=ShufflerOptions(cuts=False)))
    first, second = (cards[:52] for cards in table.decks.values())
    for cards in (first, second):
        for card in cards:
            table.felt.move(card, "pack")
        table.permute_stack("pack")
        for card in cards:
            table.felt.move(card, "away")
    for card in first:
        table.felt.move(card, "pack")
    table.cut_stack("pack")
    assert [record.cut for record in table.felt.shuffles] == [True, False]


def test_hands_cannot_do_what_the_table_does_not_let_them() -> None:
    table = VirtualTable(Setup(seats=(1, 2)))
    hands = table.hands
    for deed in (
        hands.load_shoe,
        hands.unload_shoe,
        hands.cut_pack,
        hands.cut_card_under,
        hands.lift_pack,
        hands.park_pack,
        hands.scramble,
        hands.close_lid,
        hands.push_back,
    ):
        with pytest.raises(CannotDo):
            deed()
    with pytest.raises(CannotDo):
        hands.turn_up(1)
    with pytest.raises(CannotDo):
        hands.fold(1)
    with pytest.raises(CannotDo):
        hands.move(("As",), "board")
    with pytest.raises(CannotDo):
        hands.put_back(table.decks["deck-1"][0])
    assert table.keypad.idle


def test_a_card_moves_by_hand_and_keeps_its_face_unless_it_is_turned() -> None:
    script = _loaded()
    hands, felt = script.table.hands, script.table.felt
    card = hands.draw("board", face=UP)[0]
    hands.move((card.text,), "aside")
    assert (felt.where(card), felt.face(card)) == ("aside", UP)
    hands.move((card.text,), "burn", face="down")
    assert (felt.where(card), felt.face(card)) == ("burn", "down")
    hands.draw("seat:2", count=2)
    hands.turn_up(2, card=2)
    assert [felt.face(held) for held in felt.cards("seat:2")] == ["down", UP]
