"""What goes to shoe and shuffler when the deal goes wrong, and when."""

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from tests.rulings.mocked.ways import ALL_52, FLOP, MISDEALT, ROUND, ending, with_orders
from tests.shell.wires import Wires, written_in


def dealing(wires: Wires, cards: int = 0) -> Wires:
    """So many hole cards are dealt, and nothing was asked of the machines since."""
    wires.play_until("deal")
    wires.obey(cards)
    wires.sent()
    return wires


def dealt(wires: Wires) -> Wires:
    wires.play_until("preflop")
    wires.sent()
    return wires


def test_the_first_card_exposed_frees_the_stub_at_once_and_all_52_go_in(wires: Wires) -> None:
    dealing(wires).lay("seat:5", face="up")
    assert wires.ruled == ["exposed-first-hole-card"]
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == ALL_52


def test_the_first_card_exposed_locks_the_gate_before_the_stub_is_freed(gated: Wires) -> None:
    dealing(gated).lay("seat:5", face="up")
    assert gated.sent() == ["shoe LOCK", "shoe RELEASE_LID"]
    assert gated.play_until("deal") == ending(MISDEALT, "shoe UNLOCK")


def test_a_first_card_exposed_when_all_are_dealt_is_a_misdeal_as_well(wires: Wires) -> None:
    dealt(wires).table.hands.press("exposed", 5)
    wires.settle()
    wires.table.hands.press("undo")
    wires.settle()
    assert wires.sent() == []  # the last card dealt there is another one
    wires.table.hands.turn_up(5, card=1)
    wires.settle()
    assert wires.sent() == []  # it may be the player's doing, until the key says otherwise
    wires.table.hands.press("exposed", 5)
    wires.settle()
    assert wires.ruled[-1] == "exposed-first-hole-card"
    assert wires.sent() == ["shoe RELEASE_LID"]


def test_a_misdeal_that_is_taken_back_sends_nothing_to_the_shuffler(wires: Wires) -> None:
    dealing(wires, 1).table.hands.press("exposed", 5)
    wires.settle()
    assert wires.sent() == ["shoe RELEASE_LID"]
    wires.table.hands.press("undo")
    wires.settle()
    deeds = wires.play_until("flop")
    assert with_orders(deeds) == [("act", ["shoe BURN"])]


def test_an_exposed_later_card_sends_nothing_in_the_deal_and_its_flop_no_burn(wires: Wires) -> None:
    dealing(wires, 1).lay("seat:9", face="up")
    assert wires.ruled == ["exposed-later-hole-card"]
    assert wires.sent() == []
    assert wires.play_until("preflop") == [("deal-hole", [])] * 4 + [("replace-exposed", [])]
    assert wires.play_until("flop") == [("carry", []), *ROUND, *FLOP]
    assert len(wires.table.felt.cards("burn")) == 1


def test_after_an_exposed_card_the_turn_is_burned_for_by_the_machine_again(wires: Wires) -> None:
    dealing(wires, 1).lay("seat:9", face="up")
    wires.play_until("flop")
    assert written_in(wires.play_until("turn")) == ["shoe BURN"]
    assert written_in(wires.play_until("river")) == ["shoe BURN"]
    assert len(wires.all_of(Type.FEED)) == len(wires.all_of(Type.SHUFFLE)) == 1


def test_a_gate_opens_for_the_card_that_replaces_an_exposed_one_and_then_for_the_flop(gated: Wires) -> None:
    dealing(gated, 1).lay("seat:9", face="up")
    assert gated.sent() == []
    dealt_on = gated.obey_until_shown(Prompt.REPLACE_EXPOSED)
    assert with_orders(dealt_on) == [("deal-hole", ["shoe UNLOCK"])]
    assert dealt_on[-1] == ("deal-hole", ["shoe UNLOCK"])
    assert with_orders(gated.play_until("flop")) == [("act", ["shoe UNLOCK"])]
    opened = [order.frame.body[8] for order in gated.all_of(Type.UNLOCK)]
    assert opened == [6, 1, 3]


def test_an_exposed_card_of_the_second_round_sends_nothing_either(wires: Wires) -> None:
    dealing(wires, 5).lay("seat:2", face="up")
    assert wires.ruled == ["exposed-later-hole-card"]
    assert wires.sent() == []
    assert written_in(wires.play_until("flop")) == []


def test_a_card_that_a_player_turned_changes_nothing_for_the_machines(wires: Wires) -> None:
    dealt(wires).table.hands.turn_up(9, card=1)
    wires.settle()
    assert wires.ruled == wires.sent() == []
    assert with_orders(wires.play_until("flop")) == [("act", ["shoe BURN"])]


@pytest.mark.parametrize("seat", ["seat:2", "seat:9"])
def test_a_second_exposed_card_frees_the_stub_at_once_and_all_52_go_in(wires: Wires, seat: str) -> None:
    dealing(wires, 1).lay("seat:9", face="up")
    if seat == "seat:9":
        wires.obey(2)
    assert wires.sent() == []
    wires.lay(seat, face="up")
    assert wires.ruled == ["exposed-later-hole-card", "exposed-two-or-more"]
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == ALL_52


def test_a_replacement_that_is_exposed_too_frees_the_stub_at_once(wires: Wires) -> None:
    dealing(wires, 1).lay("seat:9", face="up")
    wires.obey_until_shown(Prompt.REPLACE_EXPOSED)
    wires.sent()
    wires.lay("seat:9", face="up")
    assert wires.ruled[-1] == "exposed-two-or-more"
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT


def test_an_exposure_found_after_two_acts_sends_nothing_to_the_machines(wires: Wires) -> None:
    dealt(wires).obey(2)
    wires.table.hands.press("exposed", 9)
    wires.settle()
    assert (wires.phases[-1], wires.shown) == ("halted", Prompt.CALL_FLOOR)
    wires.table.hands.press("ack")
    wires.pass_time()
    assert wires.sent() == []


def test_an_extra_card_of_the_first_seat_sends_nothing_and_the_flop_comes_without_a_burn(
    wires: Wires,
) -> None:
    dealt(wires).lay("seat:5")
    assert wires.ruled == ["extra-card-first-player"]
    assert wires.sent() == []
    assert wires.play_until("flop") == [("carry", []), *ROUND, *FLOP]
    assert written_in(wires.play_until("turn")) == ["shoe BURN"]
    assert len(wires.all_of(Type.FEED)) == 1


def test_an_extra_card_shuts_the_gate_at_the_bare_draw(gated: Wires) -> None:
    dealt(gated).zones_wait = True
    gated.table.shoe.let_out("seat:5")
    gated.pass_time()
    assert gated.ruled == []
    assert gated.sent() == ["shoe LOCK"]
    gated.zones_wait = False
    gated.settle()
    assert gated.ruled == ["extra-card-first-player"]
    assert gated.sent() == []
    assert with_orders(gated.play_until("flop")) == [("act", ["shoe UNLOCK"])]


def test_a_wrong_card_laid_down_as_the_extra_one_sends_nothing(wires: Wires) -> None:
    dealt(wires).lay("seat:5")
    first, _, extra = ((card,) for card in wires.table.felt.cards("seat:5"))
    for cards, place in ((first, "burn"), (first, "seat:5"), (extra, "burn")):
        wires.table.hands.lay(cards, place)
        wires.settle()
    assert Prompt.WRONG_CARD in [shown.code for shown in wires.table.prompts.history]
    assert wires.sent() == []
    assert wires.play_until("flop") == [*ROUND, *FLOP]


def test_an_act_while_the_extra_card_still_lies_there_sends_nothing(wires: Wires) -> None:
    dealt(wires).lay("seat:5")
    for seat in (2, 5, 9):
        wires.table.hands.act(seat, "call")
    wires.table.hands.press("next")
    wires.settle()
    assert wires.phases[-1] == "preflop"
    assert wires.sent() == []


def test_an_extra_card_of_another_seat_frees_the_stub_at_once_and_all_52_go_in(wires: Wires) -> None:
    dealt(wires).lay("seat:9")
    assert wires.ruled == ["extra-card-other-seat"]
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == ALL_52


@pytest.mark.parametrize("second", ["seat:5", "seat:9"])
def test_a_second_extra_card_frees_the_stub_and_the_first_alone_does_not(wires: Wires, second: str) -> None:
    dealt(wires).lay("seat:5")
    assert wires.sent() == []
    wires.lay(second)
    assert wires.ruled == ["extra-card-first-player", "extra-cards-two-plus"]
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == ALL_52


def test_two_extra_cards_in_one_movement_free_the_stub_once(wires: Wires) -> None:
    dealt(wires).lay("seat:5", "seat:5")
    assert wires.ruled[-1] == "extra-cards-two-plus"
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("deal") == MISDEALT


def test_an_extra_card_that_replaces_an_exposed_one_sends_nothing(wires: Wires) -> None:
    dealing(wires, 1).lay("seat:9", face="up")
    wires.obey_until_shown(Prompt.REPLACE_EXPOSED)
    wires.lay("seat:5")
    assert "extra-card-first-player" in wires.ruled
    assert wires.sent() == []
    assert written_in(wires.play_until("flop")) == []
    assert len(wires.table.felt.cards("burn")) == 1
