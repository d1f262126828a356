"""A set that is not proved comes back: nothing is shuffled, and the next feed is another command."""

from collections.abc import Callable

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.deeds import Mistake
from tests.rulings.mocked.ways import ALL_52, LOADED, PROVED
from tests.shell.wires import Wires

WRONG = ["shuffler FEED", "shuffler RETURN"]
RIGHT = [("ack", PROVED), *LOADED]


def overfull(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    wires.lay(*["board"] * 4, face="up")


def early_turn(wires: Wires) -> None:
    wires.play_until("flop")
    wires.obey()
    wires.lay("board", face="up")


def early_river(wires: Wires) -> None:
    wires.play_until("turn")
    wires.lay("board", face="up")


def slipping(wires: Wires, fault: Callable[[Wires], None], mistake: Mistake) -> Wires:
    """The fault's set is asked for, and the dealer is about to make a mistake with it."""
    fault(wires)
    wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    wires.obey()
    wires.table.dealer.mistake = mistake
    wires.sent()
    return wires


@pytest.mark.parametrize("fault", [overfull, early_turn, early_river])
def test_a_card_missing_from_the_set_brings_it_back_unshuffled_and_it_is_fed_anew(
    wires: Wires, fault: Callable[[Wires], None]
) -> None:
    slipping(wires, fault, "keep-card")
    assert wires.obey(2) == [("lay-in", []), ("ack", WRONG)]
    assert wires.shown is Prompt.SET_MISSING
    assert wires.obey() == [("lay-in", [])]
    assert wires.obey(5) == RIGHT
    _, wrong, right = wires.all_of(Type.FEED)
    assert wires.fed(wrong) == wires.fed(right)
    assert wrong.id != right.id
    assert len(wires.all_of(Type.SHUFFLE)) == 2


@pytest.mark.parametrize("fault", [overfull, early_turn, early_river])
def test_a_burn_too_many_in_the_set_is_put_back_before_anything_is_fed_again(
    wires: Wires, fault: Callable[[Wires], None]
) -> None:
    slipping(wires, fault, "add-burn")
    burns = set(wires.table.felt.texts("burn"))
    assert wires.obey(2) == [("lay-in", []), ("ack", WRONG)]
    assert wires.shown is Prompt.SET_TOO_MANY
    wires.table.hands.press("ack")  # the antenna has not seen it yet
    wires.settle()
    assert wires.shown is Prompt.SET_TOO_MANY
    assert wires.sent() == []
    assert wires.obey(2) == [("put-back", []), ("lay-in", [])]
    assert wires.obey(5) == RIGHT
    assert not wires.fed(wires.all_of(Type.FEED)[-1]) & burns
    assert set(wires.table.felt.texts("burn")) == burns


def test_a_set_wrong_twice_is_given_back_twice_and_shuffled_once(wires: Wires) -> None:
    slipping(wires, overfull, "keep-card")
    wires.obey(2)
    wires.table.dealer.mistake = "add-burn"
    assert wires.obey(2) == [("lay-in", []), ("ack", WRONG)]
    assert wires.obey(2) == [("put-back", []), ("lay-in", [])]
    assert wires.obey(5) == RIGHT
    _, *feeds = wires.all_of(Type.FEED)
    assert len({order.id for order in feeds}) == len(feeds) == 3
    assert len({wires.fed(order) for order in feeds}) == 1
    returns = wires.all_of(Type.RETURN)
    assert len({order.id for order in returns}) == len(returns) == 2
    assert len(wires.all_of(Type.SHUFFLE)) == 2


def test_a_misdeal_short_of_a_card_is_not_shuffled(wires: Wires) -> None:
    wires.play_until("deal")
    wires.lay("seat:5", face="up")
    wires.table.dealer.mistake = "keep-card"
    wires.sent()
    assert wires.obey(2) == [("gather", []), ("ack", WRONG)]
    assert wires.obey() == [("lay-in", [])]
    assert wires.obey(5) == RIGHT
    _, wrong, right = wires.all_of(Type.FEED)
    assert wires.fed(wrong) == wires.fed(right) == ALL_52
    assert wrong.id != right.id


def test_no_cover_opens_over_a_set_that_was_not_proved(wires: Wires) -> None:
    slipping(wires, overfull, "keep-card")
    covers = len(wires.all_of(Type.OPEN_COVER))
    wires.obey(2)
    for key in ("ack", "next", "yes", "no"):
        wires.table.hands.press(key)
        wires.settle()
    assert wires.sent() == []
    assert len(wires.all_of(Type.OPEN_COVER)) == covers == 1
