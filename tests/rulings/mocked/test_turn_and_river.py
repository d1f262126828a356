"""What goes to shoe and shuffler when a turn or a river comes too early, and when."""

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from tests.rulings.mocked.ways import RESHUFFLED, ROUND, ending, with_orders
from tests.shell.joined import SEATS
from tests.shell.wires import Wires, written_in


def in_round(wires: Wires, street: str, acts: int = 1) -> Wires:
    """The betting on a street is open, and so many have acted on it."""
    wires.play_until(street)
    wires.obey(acts)
    wires.sent()
    return wires


def aside_and_stub(wires: Wires) -> frozenset[str]:
    felt = wires.table.felt
    return frozenset((*felt.texts("aside"), *felt.texts("shoe")))


def burned(wires: Wires) -> int:
    return len(wires.table.felt.cards("burn"))


# The turn


@pytest.mark.parametrize("acts", [1, 2])
def test_an_early_turn_sends_nothing_while_the_betting_on_the_flop_is_open(wires: Wires, acts: int) -> None:
    in_round(wires, "flop", acts).lay("board", face="up")
    assert wires.ruled == ["premature-turn"]
    assert wires.sent() == []
    assert wires.obey(3 - acts) == [("carry", []), ("act", [])][: 3 - acts]


@pytest.mark.parametrize(
    ("late_ms", "rule", "orders"),
    [(2_000, "overfull-flop", ["shoe RELEASE_LID"]), (2_001, "premature-turn", [])],
)
def test_the_shoes_time_alone_says_whether_a_fourth_card_frees_the_stub_or_waits(
    wires: Wires, late_ms: int, rule: str, orders: list[str]
) -> None:
    in_round(wires, "flop", 0)
    wires.table.advance(late_ms)
    wires.lay("board", face="up")
    assert wires.ruled == [rule]
    assert wires.sent() == orders


def test_after_an_early_turn_one_card_is_burned_when_the_betting_on_the_flop_is_complete(
    wires: Wires,
) -> None:
    in_round(wires, "flop").lay("board", face="up")
    assert wires.play_until("turn") == [
        ("carry", []),
        ("act", []),
        ("act", ["shoe BURN"]),
        ("deal-turn", []),
    ]
    assert burned(wires) == 2


def test_an_early_turn_goes_into_the_stub_when_the_betting_on_the_new_turn_is_complete(wires: Wires) -> None:
    in_round(wires, "flop").lay("board", face="up")
    wires.play_until("turn")
    assert wires.obey(3) == ending(ROUND, "shoe RELEASE_LID")
    wanted = aside_and_stub(wires)
    assert wires.play_until("river") == [*RESHUFFLED, ("deal-river", [])]
    (_, feed) = wires.all_of(Type.FEED)
    assert wires.fed(feed) == wanted
    assert len(wanted) == 52 - 2 * len(SEATS) - 2 - 4
    assert burned(wires) == len(wires.all_of(Type.BURN)) == 2


def test_the_river_after_an_early_turn_has_its_betting_and_no_machine_moves_again(wires: Wires) -> None:
    in_round(wires, "flop").lay("board", face="up")
    wires.play_until("river")
    assert wires.play_until("showdown") == ROUND


def test_an_early_turn_with_its_burn_before_it_still_costs_one_more_for_the_turn(wires: Wires) -> None:
    in_round(wires, "flop").lay("burn")
    wires.lay("board", face="up")
    assert wires.ruled == ["premature-turn"]
    assert wires.sent() == []
    assert with_orders(wires.play_until("turn")) == [("act", ["shoe BURN"])]
    assert burned(wires) == 3
    assert written_in(wires.play_until("river")).count("shoe BURN") == 0


def test_an_early_turn_locks_a_gate_at_the_bare_draw_and_opens_it_for_the_turn_alone(gated: Wires) -> None:
    in_round(gated, "flop").zones_wait = True
    gated.table.shoe.let_out("board", face="up")
    gated.pass_time()
    assert gated.ruled == []
    assert gated.sent() == ["shoe LOCK"]
    gated.zones_wait = False
    gated.settle()
    assert gated.sent() == []
    assert with_orders(gated.play_until("turn")) == [("act", ["shoe BURN", "shoe UNLOCK"])]
    assert gated.all_of(Type.UNLOCK)[-1].frame.body[8] == 1
    assert gated.obey(3) == ending(ROUND, "shoe RELEASE_LID")
    assert gated.play_until("river") == [*ending(RESHUFFLED, "shoe UNLOCK"), ("deal-river", [])]


def test_while_an_early_turn_lies_on_the_board_still_the_end_of_the_betting_burns_nothing(
    wires: Wires,
) -> None:
    in_round(wires, "flop", 2).lay("board", face="up")
    wires.table.hands.act(2, "check")
    wires.settle()
    assert wires.shown is Prompt.EARLY_ASIDE
    assert wires.sent() == []
    assert wires.obey() == [("carry", ["shoe BURN"])]


def test_a_bet_after_an_early_turn_keeps_the_machines_waiting(wires: Wires) -> None:
    in_round(wires, "flop").lay("board", face="up")
    wires.obey()
    wires.table.hands.act(9, "bet", 40)
    wires.settle()
    assert wires.sent() == []
    assert wires.obey(2) == [("act", []), ("act", ["shoe BURN"])]


def test_a_shoe_that_cannot_burn_is_told_nothing_for_an_early_turn_but_to_free_its_lid(
    by_hand: Wires,
) -> None:
    in_round(by_hand, "flop").lay("board", face="up")
    assert by_hand.play_until("turn") == [("carry", []), *ROUND[:2], ("burn", []), ("deal-turn", [])]
    assert by_hand.obey(3) == ending(ROUND, "shoe RELEASE_LID")
    assert by_hand.play_until("river") == [*RESHUFFLED, ("deal-river", [])]


def test_turn_and_river_both_early_are_one_shuffle_when_the_betting_on_the_flop_is_complete(
    wires: Wires,
) -> None:
    in_round(wires, "flop").lay("board", face="up")
    wires.obey()
    wires.lay("board", face="up")
    assert wires.ruled == ["premature-turn", "premature-river"]
    assert wires.sent() == []
    assert wires.obey(3) == [("carry", []), ("act", []), ("act", ["shoe RELEASE_LID"])]
    wanted = aside_and_stub(wires)
    assert wires.play_until("turn") == [*RESHUFFLED, ("deal-turn", [])]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    assert wires.play_until("river") == [*ROUND, ("deal-river", [])]
    assert len(wires.all_of(Type.BURN)) == 1


def test_an_early_turn_and_then_an_early_river_are_one_shuffle_before_the_river(wires: Wires) -> None:
    in_round(wires, "flop").lay("board", face="up")
    wires.play_until("turn")
    wires.lay("board", face="up")
    assert wires.ruled == ["premature-turn", "premature-river"]
    assert wires.sent() == []
    assert wires.obey(4) == [("carry", []), *ending(ROUND, "shoe RELEASE_LID")]
    wanted = aside_and_stub(wires)
    assert wires.play_until("river") == [*RESHUFFLED, ("deal-river", [])]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    assert len(wires.all_of(Type.FEED)) == 2


# The river


@pytest.mark.parametrize("acts", [0, 1, 2])
def test_an_early_river_sends_nothing_while_the_betting_on_the_turn_is_open(wires: Wires, acts: int) -> None:
    in_round(wires, "turn", acts).lay("board", face="up")
    assert wires.ruled == ["premature-river"]
    assert wires.sent() == []
    assert wires.obey(3 - acts) == [("carry", []), *ROUND][: 3 - acts]
    assert wires.obey() == [("act", ["shoe RELEASE_LID"])]


def test_an_early_river_goes_into_the_stub_and_the_river_comes_with_no_burn(wires: Wires) -> None:
    in_round(wires, "turn").lay("board", face="up")
    wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    wires.sent()
    wanted = aside_and_stub(wires)
    assert wires.play_until("river") == [*RESHUFFLED, ("deal-river", [])]
    assert wires.fed(wires.all_of(Type.FEED)[-1]) == wanted
    assert len(wanted) == 52 - 2 * len(SEATS) - 2 - 4
    assert wires.play_until("showdown") == ROUND
    assert burned(wires) == len(wires.all_of(Type.BURN)) == 2


def test_a_burn_made_before_an_early_river_stays_out_and_no_other_is_made(wires: Wires) -> None:
    in_round(wires, "turn").lay("burn")
    wires.lay("board", face="up")
    wires.obey_until_shown(Prompt.UNLOAD_SHOE)
    wires.sent()
    assert wires.play_until("river") == [*RESHUFFLED, ("deal-river", [])]
    assert not wires.fed(wires.all_of(Type.FEED)[-1]) & set(wires.table.felt.texts("burn"))
    assert burned(wires) == 3


def test_two_cards_in_one_movement_for_the_turn_wait_for_its_betting(wires: Wires) -> None:
    wires.play_until("turn-deal")
    wires.settle()
    wires.sent()
    wires.lay("board", "board", face="up")
    assert wires.ruled == ["premature-river"]
    assert wires.sent() == []
    assert wires.obey(4) == [("carry", []), *ending(ROUND, "shoe RELEASE_LID")]


def test_an_early_river_locks_a_gate_at_the_bare_draw_and_opens_it_after_the_shuffle(gated: Wires) -> None:
    in_round(gated, "turn").zones_wait = True
    gated.table.shoe.let_out("board", face="up")
    gated.pass_time()
    assert gated.ruled == []
    assert gated.sent() == ["shoe LOCK"]
    gated.zones_wait = False
    assert with_orders(gated.obey_until_shown(Prompt.UNLOAD_SHOE)) == [("act", ["shoe RELEASE_LID"])]
    assert gated.play_until("river") == [*ending(RESHUFFLED, "shoe UNLOCK"), ("deal-river", [])]
