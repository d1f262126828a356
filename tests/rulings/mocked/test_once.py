"""Whatever is lost on the line, a machine is told everything once: again under the same id, or not at all."""

from hil_rigs.virtual.codes import Prompt, Type
from tests.rulings.mocked.ways import FLOP, LOADED, MISDEALT, PROVED, RESHUFFLED
from tests.shell.wires import Order, Wires

AWAY_S = 1.5
"""Longer than a silence that ends a session."""
LID_LOCKS_MS = 30_000
"""A lid that nobody opens locks itself after so long."""
HEARD_AT_THE_REPEAT_S = 0.04
"""Shorter than the time after which an order is repeated for the first time."""


def after_an_early_turn(wires: Wires) -> Wires:
    """All but the last act on the flop is done: with it, one card is to be burned."""
    wires.play_until("flop")
    wires.obey()
    wires.lay("board", face="up")
    wires.obey(2)
    wires.sent()
    return wires


def set_laid_in(wires: Wires) -> Wires:
    """The set of an overfull flop lies in the shuffler, and nobody has said so."""
    wires.play_until("flop-deal")
    wires.settle()
    wires.lay(*["board"] * 4, face="up")
    wires.obey_until_shown(Prompt.GATHER_BOARD)
    wires.obey()
    wires.sent()
    return wires


def last_act(wires: Wires) -> None:
    wires.table.hands.act(2, "check")


def burns(wires: Wires) -> list[Order]:
    """The frames of the burn that the ruling calls for; the first of the hand is another."""
    return wires.all_of(Type.BURN)[1:]


def test_a_burn_lost_on_its_way_is_repeated_as_it_was_and_made_once(wires: Wires) -> None:
    after_an_early_turn(wires).deaf.add("shoe")
    last_act(wires)
    wires.pass_time(HEARD_AT_THE_REPEAT_S)
    wires.deaf.clear()
    wires.settle()
    assert wires.sent() == ["shoe BURN", "shoe BURN again"]
    first, again = burns(wires)
    assert (first.frame.seq, first.frame.body) == (again.frame.seq, again.frame.body)
    assert len(wires.table.felt.cards("burn")) == 2
    assert wires.shown is Prompt.DEAL_TURN


def test_a_burn_whose_answer_was_lost_is_asked_for_under_its_id_and_made_once(wires: Wires) -> None:
    after_an_early_turn(wires).silent.add("shoe")
    last_act(wires)
    wires.pass_time(AWAY_S)
    assert wires.shown is Prompt.DEVICE_LOST
    wires.silent.clear()
    wires.settle()
    assert len({order.frame.session for order in burns(wires)}) == 2
    assert len({order.id for order in burns(wires)}) == 1
    assert len(wires.table.felt.cards("burn")) == 2
    wires.sent()
    assert wires.play_until("turn") == [("deal-turn", [])]


def test_a_burn_that_was_answered_is_not_asked_for_when_the_session_begins_anew(wires: Wires) -> None:
    after_an_early_turn(wires)
    last_act(wires)
    wires.settle()
    assert wires.sent() == ["shoe BURN"]
    wires.silent.add("shoe")
    wires.pass_time(AWAY_S)
    wires.silent.clear()
    wires.settle()
    assert wires.sent() == []
    assert wires.play_until("turn") == [("deal-turn", [])]


def test_a_burn_that_never_left_is_made_once_when_the_shoe_answers_again(wires: Wires) -> None:
    after_an_early_turn(wires).silent.add("shoe")
    wires.deaf.add("shoe")
    wires.pass_time(AWAY_S)
    last_act(wires)
    wires.pass_time()
    assert wires.sent() == []
    wires.silent.clear()
    wires.deaf.clear()
    wires.settle()
    assert wires.sent() == ["shoe BURN"]
    assert len(wires.table.felt.cards("burn")) == 2


def test_a_shoe_that_restarts_is_told_nothing_of_a_burn_before_its_boot(wires: Wires) -> None:
    after_an_early_turn(wires).table.shoe.identity.stalled.add(Type.BURN)
    last_act(wires)
    wires.pass_time()
    assert wires.sent() == ["shoe BURN"]
    wires.links["shoe"].power_cycle()
    wires.table.shoe.identity.stalled.clear()
    wires.settle()
    wires.pass_time(AWAY_S)
    assert wires.sent() == []
    assert wires.shown is Prompt.CALL_FLOOR
    assert len(wires.table.felt.cards("burn")) == 1


def test_a_set_whose_proof_was_lost_is_fed_once_and_shuffled_when_the_proof_comes(wires: Wires) -> None:
    set_laid_in(wires).silent.add("shuffler")
    wires.table.hands.press("ack")
    wires.pass_time(AWAY_S)
    assert {order.removesuffix(" again") for order in wires.sent()} == {"shuffler FEED"}
    wires.silent.clear()
    wires.settle()
    _, *feeds = wires.all_of(Type.FEED)
    assert len({order.frame.session for order in feeds}) == 2
    assert len({order.id for order in feeds}) == 1
    assert [order for order in wires.sent() if "FEED" not in order] == PROVED[1:]
    assert wires.obey(4) == LOADED


def test_nothing_is_shuffled_before_the_shuffler_has_said_what_it_was_fed(wires: Wires) -> None:
    set_laid_in(wires).table.shuffler.identity.stalled.add(Type.FEED)
    wires.table.hands.press("ack")
    for _ in range(3):
        wires.table.hands.press("ack")
        wires.pass_time()
    assert wires.sent() == ["shuffler FEED"]
    wires.table.shuffler.identity.stalled.clear()
    wires.settle()
    assert wires.sent() == PROVED[1:]


def test_a_jam_in_the_shuffle_sends_no_command_after_it(wires: Wires) -> None:
    set_laid_in(wires).table.shuffler.identity.stalled.add(Type.SHUFFLE)
    wires.table.hands.press("ack")
    wires.pass_time()
    assert wires.sent() == PROVED[:2]
    wires.links["shuffler"].power_cycle()
    wires.settle()
    assert "CUT" not in " ".join(wires.sent())
    assert wires.shown is Prompt.CALL_FLOOR


def test_a_stub_is_freed_once_though_the_shoe_did_not_hear_it_at_first(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    wires.sent()
    wires.deaf.add("shoe")
    wires.table.hands.draw("board", count=4, face="up")
    wires.pass_time(HEARD_AT_THE_REPEAT_S)
    wires.deaf.clear()
    wires.settle()
    assert wires.sent() == ["shoe RELEASE_LID", "shoe RELEASE_LID again"]
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]


def test_a_lid_that_locked_itself_over_the_stub_is_freed_anew_by_another_command(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    wires.lay(*["board"] * 4, face="up")
    wires.sent()
    wires.table.advance(LID_LOCKS_MS)
    wires.settle()
    assert wires.sent() == ["shoe RELEASE_LID"]
    _, first, second = wires.all_of(Type.RELEASE_LID)
    assert first.id != second.id
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]


def test_a_lid_that_locked_itself_in_a_misdeal_is_freed_anew_by_another_command(wires: Wires) -> None:
    wires.play_until("deal")
    wires.lay("seat:5", face="up")
    wires.sent()
    wires.table.advance(LID_LOCKS_MS)
    wires.settle()
    assert wires.sent() == ["shoe RELEASE_LID"]
    _, first, second = wires.all_of(Type.RELEASE_LID)
    assert first.id != second.id
    assert wires.play_until("deal") == MISDEALT


def test_every_command_of_a_hand_with_a_ruling_has_an_id_of_its_own(wires: Wires) -> None:
    wires.play_until("flop")
    wires.lay("board", face="up")
    wires.play_until("turn")
    wires.lay("board", face="up")
    wires.play_until("showdown")
    commands = [order for order in wires.orders if order.port in ("shoe", "shuffler") and order.is_command]
    assert len({order.id for order in commands}) == len(commands) > 20
