"""What goes to shoe and shuffler when a flop has too many cards or comes too early, and when."""

from collections.abc import Callable

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup
from tests.rulings.mocked.ways import FLOP, PROVED, RESHUFFLED, ending, with_orders
from tests.shell.joined import SEATS
from tests.shell.wires import Wires, written_in


def flop_due(wires: Wires) -> Wires:
    wires.play_until("flop-deal")
    wires.settle()
    wires.sent()
    return wires


def in_betting(wires: Wires, acts: int = 1) -> Wires:
    """Some have acted before the flop, one of three at least is still to act."""
    wires.play_until("preflop")
    wires.obey(acts)
    wires.sent()
    return wires


def board_and_stub(wires: Wires) -> frozenset[str]:
    felt = wires.table.felt
    return frozenset((*felt.texts("board"), *felt.texts("shoe")))


def overfull(wires: Wires, cards: int = 4) -> frozenset[str]:
    """All of it in one movement; the set that its remedy is of."""
    flop_due(wires).lay(*["board"] * cards, face="up")
    assert wires.ruled == ["overfull-flop"]
    return board_and_stub(wires)


def early(wires: Wires, cards: int = 3) -> frozenset[str]:
    """Board cards while the betting is open; the set that their remedy is of."""
    wires.lay(*["board"] * cards, face="up")
    assert wires.ruled == ["premature-flop"]
    return board_and_stub(wires)


# Too many


def test_a_fourth_card_sends_nothing_until_its_place_is_known_then_frees_the_stub(wires: Wires) -> None:
    flop_due(wires).lay(*["board"] * 3, face="up")
    wires.zones_wait = True
    wires.table.hands.draw("board", face="up")
    wires.pass_time()
    assert wires.ruled == wires.sent() == []
    wires.zones_wait = False
    wires.settle()
    assert wires.ruled == ["overfull-flop"]
    assert wires.sent() == ["shoe RELEASE_LID"]


def test_a_fourth_card_locks_a_gate_at_the_bare_draw_and_frees_the_lid_when_it_is_ruled(gated: Wires) -> None:
    flop_due(gated).lay(*["board"] * 3, face="up")
    gated.zones_wait = True
    gated.table.shoe.let_out("board", face="up")
    gated.pass_time()
    assert gated.ruled == []
    assert gated.sent() == ["shoe LOCK"]
    gated.zones_wait = False
    gated.settle()
    assert gated.ruled == ["overfull-flop"]
    assert gated.sent() == ["shoe RELEASE_LID"]
    assert gated.play_until("flop") == [*ending(RESHUFFLED, "shoe UNLOCK"), *FLOP]


def test_an_overfull_flop_goes_through_the_shuffler_with_the_stub_and_comes_without_a_burn(
    wires: Wires,
) -> None:
    wanted = overfull(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]
    (_, feed) = wires.all_of(Type.FEED)
    assert wires.fed(feed) == wanted
    assert len(wanted) == 52 - 2 * len(SEATS) - 1
    assert not wanted & set(wires.table.felt.texts("burn"))
    assert len(wires.all_of(Type.BURN)) == 1


def test_the_set_of_an_overfull_flop_is_named_by_its_place_in_the_table_of_tags_alone(wires: Wires) -> None:
    wanted = overfull(wires)
    wires.play_until("flop")
    feed = wires.all_of(Type.FEED)[-1]
    expected = feed.frame.body[9:]
    assert sum(byte.bit_count() for byte in expected) == len(wanted)
    for card in wires.table.felt.all_cards():
        assert card.uid not in feed.raw


def test_an_overfull_flop_of_players_who_are_all_in_is_redealt_at_once(wires: Wires) -> None:
    wires.play_until("preflop")
    for seat in (2, 5, 9):
        wires.table.hands.act(seat, "all-in")
        wires.settle()
    assert wires.sent()[-1:] == ["shoe BURN"]
    wires.lay(*["board"] * 4, face="up")
    assert wires.ruled == ["overfull-flop"]
    wanted = board_and_stub(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    reshuffled = wires.obey_until_shown(Prompt.DEAL_FLOP)
    assert reshuffled == RESHUFFLED
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    assert with_orders(wires.obey(3)) == [("deal-flop", ["shoe BURN"])]


def test_six_cards_on_the_flop_free_the_stub_once(wires: Wires) -> None:
    wanted = overfull(wires, 6)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted


def test_a_card_that_still_comes_to_an_overfull_flop_goes_into_its_set(wires: Wires) -> None:
    overfull(wires)
    wires.lay("board", face="up")
    wanted = board_and_stub(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted


def test_a_flop_that_is_too_many_again_is_shuffled_again_by_other_commands(wires: Wires) -> None:
    overfull(wires)
    wires.obey_until_shown(Prompt.DEAL_FLOP)
    wires.sent()
    wires.lay(*["board"] * 4, face="up")
    wanted = board_and_stub(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    ids = [order.id for order in wires.all_of(Type.FEED)]
    assert len(set(ids)) == len(ids) == 3


def test_no_key_and_no_act_moves_a_machine_while_the_stub_of_an_overfull_flop_is_awaited(
    wires: Wires,
) -> None:
    overfull(wires)
    wires.sent()
    for key in ("next", "ack", "yes", "no", "undo"):
        wires.table.hands.press(key)
        wires.settle()
    wires.table.hands.act(5, "check")
    wires.settle()
    assert wires.sent() == []
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]


def test_ack_without_the_set_in_the_input_feeds_nothing(wires: Wires) -> None:
    overfull(wires)
    wires.obey_until_shown(Prompt.GATHER_BOARD)
    wires.sent()
    wires.table.hands.press("ack")
    wires.settle()
    assert wires.sent() == []


def test_a_shuffler_that_does_not_cut_is_not_told_to(set_up: Callable[[Setup], Wires]) -> None:
    wires = set_up(Setup(seats=SEATS, seed=8, shuffler=ShufflerOptions(cuts=False)))
    overfull(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert written_in(wires.play_until("flop")) == [
        *[order for order in PROVED if order != "shuffler CUT"],
        "shuffler CLOSE_COVER",
        "shoe RELEASE_LID",
    ]


def test_a_set_too_small_for_the_shuffler_is_washed_by_hand_and_nothing_goes_to_the_shuffler(
    set_up: Callable[[Setup], Wires],
) -> None:
    wires = set_up(Setup(seats=SEATS, seed=8, shuffler=ShufflerOptions(min_cards=50)))
    overfull(wires)
    assert wires.sent() == ["shoe RELEASE_LID"]
    assert written_in(wires.play_until("flop")) == ["shoe RELEASE_LID"]


# Too early


def test_an_early_flop_sends_nothing_while_the_betting_is_open(wires: Wires) -> None:
    early(in_betting(wires))
    assert wires.obey(2) == [("ack", []), ("act", [])]
    assert wires.obey() == [("act", ["shoe RELEASE_LID"])]


@pytest.mark.parametrize("acts", [0, 1, 2])
def test_an_early_flop_is_shuffled_with_the_stub_when_the_betting_is_complete_and_one_is_burned(
    wires: Wires, acts: int
) -> None:
    wanted = early(in_betting(wires, acts))
    betting = wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    assert betting == [("ack", []), *ending([("act", [])] * (3 - acts), "shoe RELEASE_LID")]
    assert wires.play_until("flop") == [*ending(RESHUFFLED, "shoe BURN"), *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted


def test_an_early_flop_with_its_burn_before_it_comes_anew_without_another(wires: Wires) -> None:
    in_betting(wires).lay("burn")
    burn = set(wires.table.felt.texts("burn"))
    wanted = early(wires)
    assert wires.sent() == []
    wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    wires.sent()
    assert wires.play_until("flop") == [*RESHUFFLED, *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    assert not wanted & burn
    assert wires.all_of(Type.BURN) == []


def test_one_early_card_of_the_flop_waits_for_the_betting_as_well(wires: Wires) -> None:
    wanted = early(in_betting(wires), 1)
    betting = wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    assert with_orders(betting) == [("act", ["shoe RELEASE_LID"])]
    assert wires.play_until("flop") == [*ending(RESHUFFLED, "shoe BURN"), *FLOP]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted


def test_cards_that_come_to_an_early_flop_one_by_one_are_one_shuffle(wires: Wires) -> None:
    in_betting(wires, 0)
    for _ in range(3):
        early(wires, 1)
        wires.obey_until_shown(Prompt.ACT_CALL)
    early(wires, 2)
    wanted = board_and_stub(wires)
    assert wires.sent() == []
    assert with_orders(wires.obey_until_shown(Prompt.UNLOAD_SHOE)) == [("act", ["shoe RELEASE_LID"])]
    wires.play_until("flop")
    assert len(wires.all_of(Type.FEED)) == 2
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted


def test_a_gate_is_locked_at_every_card_of_an_early_flop_and_opened_for_the_new_one_alone(
    gated: Wires,
) -> None:
    in_betting(gated)
    for _ in range(3):
        gated.table.shoe.let_out("board", face="up")
    gated.settle()
    assert gated.sent() == ["shoe LOCK"] * 3
    assert with_orders(gated.obey_until_shown(Prompt.UNLOAD_SHOE)) == [("act", ["shoe RELEASE_LID"])]
    assert gated.play_until("flop") == [*ending(RESHUFFLED, "shoe BURN", "shoe UNLOCK"), *FLOP]


def test_a_raise_after_an_early_flop_keeps_the_machines_waiting(wires: Wires) -> None:
    early(in_betting(wires, 2))
    wires.obey()
    wires.table.hands.act(9, "raise", 60)
    wires.settle()
    assert wires.sent() == []
    assert wires.obey(2) == [("act", []), ("act", ["shoe RELEASE_LID"])]


def test_a_shoe_that_cannot_burn_is_told_nothing_for_an_early_flop_but_to_free_its_lid(
    by_hand: Wires,
) -> None:
    early(in_betting(by_hand))
    assert with_orders(by_hand.obey_until_shown(Prompt.UNLOAD_SHOE)) == [("act", ["shoe RELEASE_LID"])]
    assert by_hand.play_until("flop") == [*RESHUFFLED, ("burn", []), *FLOP]


def test_the_gate_stays_shut_for_a_redealt_flop_until_its_burn_is_made(gated: Wires) -> None:
    in_betting(gated)
    for _ in range(3):
        gated.table.shoe.let_out("board", face="up")
    gated.obey_until_shown(Prompt.LOAD_SHOE)
    gated.table.shoe.identity.stalled.add(Type.BURN)
    gated.sent()
    gated.table.hands.load_shoe()
    gated.pass_time()
    assert gated.sent() == ["shoe BURN"]
    gated.table.shoe.identity.stalled.clear()
    gated.unheard.add(Type.RESULT)  # the card is out, but the burner has not said that it is done
    gated.pass_time()
    assert len(gated.table.felt.cards("burn")) == 1
    assert gated.sent() == []
    gated.unheard.clear()
    gated.settle()
    assert gated.sent() == ["shoe UNLOCK"]


@pytest.mark.parametrize(
    "standing", [Prompt.UNLOAD_SHOE, Prompt.GATHER_BOARD, Prompt.LIFT_PACK, Prompt.LOAD_SHOE]
)
def test_the_floor_called_in_the_middle_of_a_reshuffle_stops_the_machines_where_they_are(
    wires: Wires, standing: Prompt
) -> None:
    overfull(wires)
    wires.obey_until_shown(standing)
    wires.sent()
    wires.table.hands.press("floor")
    wires.settle()
    match standing:
        case Prompt.UNLOAD_SHOE:
            wires.table.hands.unload_shoe()
        case Prompt.GATHER_BOARD:
            wires.table.hands.lay_in("board", "pack")
            wires.table.hands.press("ack")
        case Prompt.LIFT_PACK:
            wires.table.hands.lift_pack()
        case _:
            wires.table.hands.load_shoe()
    wires.settle()
    assert wires.shown is Prompt.CALL_FLOOR
    assert wires.sent() == []
