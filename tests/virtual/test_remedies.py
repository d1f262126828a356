"""The dealer obeys each step of a remedy by the display and the felt, and no card moves twice for it."""

from __future__ import annotations

import pytest

from hil_rigs.virtual.codes import Lid, Prompt, Type
from hil_rigs.virtual.felt import DOWN, UP, Card
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script

BLIND = (ZonesOptions(antennas=frozenset({"cut-plate"})), None)
"""Antennas that see none of the places where a remedy lays a card, and no antenna at all."""


def loaded(zones: ZonesOptions | None = None, *, seats: tuple[int, ...] = (2, 5, 9)) -> Script:
    """A table whose shoe holds the whole deck, with antennas everywhere unless told."""
    return loaded_with(Setup(seats=seats, zones=zones or ZonesOptions()))


def loaded_with(setup: Setup) -> Script:
    table = VirtualTable(setup)
    for card in table.decks["deck-1"]:
        table.felt.move(card, "shoe")
    script = Script(DirectHost(table))
    script.host.settle()
    return script


def unloaded(script: Script) -> Script:
    """The stub is in the dealer's hand."""
    script.command("shoe", Type.RELEASE_LID)
    assert [deed.kind for deed in script.obeyed(Prompt.UNLOAD_SHOE)] == ["unload-shoe"]
    return script


def kinds(script: Script, code: int, seat: int = 0, count: int = 0) -> list[str]:
    return [deed.kind for deed in script.obeyed(code, seat, count)]


def texts(cards: tuple[Card, ...]) -> list[str]:
    return [card.text for card in cards]


def test_the_stub_is_taken_out_once_the_lid_is_free_and_its_cut_card_goes_to_the_plate() -> None:
    script = loaded()
    table = script.table
    assert kinds(script, Prompt.UNLOAD_SHOE) == []
    assert table.dealer.stopped == "the shoe's lid is locked"
    unloaded(script)
    assert len(table.felt.texts("pack")) == 52
    assert (table.felt.cards("shoe"), table.shoe.lid) == ((), Lid.LOCKED)
    assert [card.is_cut_card for card in table.felt.cards("cut-plate")] == [True]


def test_a_shoe_that_holds_its_cut_card_alone_is_emptied_too() -> None:
    script = loaded()
    script.table.hands.draw("board", count=52)
    unloaded(script)
    assert script.table.felt.cards("shoe") == ()
    assert script.table.felt.cards("pack") == ()


@pytest.mark.parametrize(
    ("code", "place", "other"),
    [(Prompt.GATHER_BOARD, "board", "muck"), (Prompt.GATHER_ASIDE, "aside", "board")],
)
def test_a_place_and_the_stub_are_laid_in_and_nothing_else(code: int, place: str, other: str) -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    drawn = hands.draw("board", count=4, face=UP)
    hands.lay(drawn, place, face=UP)
    left = hands.draw("burn") + hands.draw(other) + hands.draw("seat:2", count=2)
    unloaded(script)
    stub = felt.cards("pack")
    assert kinds(script, code) == ["lay-in", "ack"]
    assert set(felt.cards("input")) == {*drawn, *stub} == script.table.dealer.wanted
    assert {felt.where(card) for card in left} == {"burn", other, "seat:2"}


def test_a_card_that_was_drawn_aside_is_not_shuffled_with_those_that_were_set_aside() -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    early, stray = hands.draw("board", face=UP), hands.draw("aside")
    hands.lay(early, "aside", face=UP)
    unloaded(script)
    assert kinds(script, Prompt.GATHER_ASIDE) == ["lay-in", "ack"]
    assert (felt.cards("aside"), {felt.where(card) for card in early}) == (stray, {"input"})


def test_the_set_is_fixed_when_it_is_first_asked_for() -> None:
    script = loaded()
    table = script.table
    table.hands.draw("board", count=4, face=UP)
    unloaded(script)
    script.obeyed(Prompt.GATHER_BOARD, count=52)
    wanted = table.dealer.wanted
    assert kinds(script, Prompt.GATHER_BOARD, count=52) == ["ack"]
    assert table.dealer.wanted == wanted
    assert len(wanted) == 52


def test_at_a_misdeal_everything_goes_in_the_stub_too() -> None:
    script = loaded()
    table = script.table
    table.hands.draw("seat:2", count=2)
    table.hands.draw("seat:5", face=UP)
    table.hands.draw("burn")
    assert kinds(script, Prompt.GATHER_MISDEAL) == ["gather"]
    script.command("shoe", Type.RELEASE_LID)
    deeds = [deed for deed in iter(table.dealer.obey, None) if deed is not None]
    assert [(deed.kind, deed.cards) for deed in deeds] == [("gather", 48), ("ack", 0)]
    assert len(table.felt.cards("input")) == 52


def test_an_early_flop_is_only_confirmed() -> None:
    script = loaded()
    board = script.table.hands.draw("board", count=3, face=UP)
    assert kinds(script, Prompt.EARLY_FLOP, count=3) == ["ack"]
    assert script.table.felt.cards("board") == board


def test_early_cards_go_aside_face_up_the_last_of_the_board_first_laid_first() -> None:
    script = loaded()
    board = script.table.hands.draw("board", count=5, face=UP)
    assert kinds(script, Prompt.EARLY_ASIDE, count=2) == ["carry"]
    felt = script.table.felt
    assert (felt.cards("board"), felt.cards("aside")) == (board[:3], board[3:])
    assert {felt.face(card) for card in board[3:]} == {UP}


def test_a_replacement_is_one_card_face_down() -> None:
    script = loaded()
    script.table.hands.draw("seat:5", count=2)
    assert kinds(script, Prompt.REPLACE_EXPOSED, 5) == ["replace-exposed"]
    felt = script.table.felt
    assert [felt.face(card) for card in felt.cards("seat:5")] == [DOWN] * 3


@pytest.mark.parametrize("code", [Prompt.EXPOSED_TO_BURN, Prompt.EXTRA_TO_BURN])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_card_that_the_count_says_goes_to_the_burn_tray_face_down(code: int, count: int) -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    held = hands.draw("seat:5", face=UP) + hands.draw("seat:5", count=2)
    assert kinds(script, code, 5, count) == ["carry"]
    assert felt.cards("burn") == (held[count - 1],)
    assert felt.face(held[count - 1]) == DOWN
    assert felt.cards("seat:5") == tuple(card for card in held if card != held[count - 1])


def test_a_card_that_is_not_there_is_not_carried() -> None:
    script = loaded()
    script.table.hands.draw("seat:5")
    assert kinds(script, Prompt.EXPOSED_TO_BURN, 5, 2) == []
    assert script.table.dealer.stopped == "no card there"


def test_the_last_card_of_a_seat_of_the_burn_tray_and_of_the_board_goes_where_it_is_asked_for() -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    held, burns, board = (
        hands.draw("seat:2", count=3),
        hands.draw("burn", count=2),
        hands.draw("board", count=4),
    )
    assert kinds(script, Prompt.EXTRA_TO_SEAT, 9, 2) == ["carry"]
    assert kinds(script, Prompt.BURN_TO_SEAT, 9) == ["carry"]
    assert kinds(script, Prompt.BOARD_TO_BURN) == ["carry"]
    assert felt.cards("seat:9") == (held[-1], burns[-1])
    assert felt.cards("burn") == (burns[0], board[-1])
    assert [felt.face(card) for card in (held[-1], burns[-1], board[-1])] == [DOWN] * 3


@pytest.mark.parametrize("zones", BLIND, ids=("no antenna there", "no antennas"))
@pytest.mark.parametrize(
    ("code", "seat", "count"),
    [
        (Prompt.EARLY_ASIDE, 0, 1),
        (Prompt.EXPOSED_TO_BURN, 5, 1),
        (Prompt.EXTRA_TO_BURN, 5, 3),
        (Prompt.EXTRA_TO_SEAT, 2, 5),
        (Prompt.BURN_TO_SEAT, 2, 0),
        (Prompt.BOARD_TO_BURN, 0, 0),
    ],
)
def test_a_carried_card_is_confirmed_where_no_antenna_sees_it_and_carried_once_however_often_it_is_asked_for(
    zones: ZonesOptions | None, code: int, seat: int, count: int
) -> None:
    script = loaded_with(Setup(seats=(2, 5, 9), zones=zones))
    for place, cards in (("seat:5", 3), ("burn", 2), ("board", 4)):
        script.table.hands.draw(place, count=cards)
    assert kinds(script, code, seat, count) == ["carry", "ack"]
    truth = script.table.zones_of_truth()
    assert kinds(script, code, seat, count) == ["ack"]
    assert script.table.zones_of_truth() == truth


def test_a_step_that_an_antenna_proves_is_not_done_twice_when_the_display_comes_back() -> None:
    script = loaded()
    script.table.hands.draw("board", count=5)
    assert kinds(script, Prompt.EARLY_ASIDE, count=1) == ["carry"]
    assert kinds(script, Prompt.EARLY_ASIDE, count=1) == []
    assert len(script.table.felt.cards("aside")) == 1


def test_another_card_of_the_same_kind_is_another_step() -> None:
    script = loaded()
    script.table.hands.draw("board", count=5)
    kinds(script, Prompt.EARLY_ASIDE, count=1)
    kinds(script, Prompt.ACT_CHECK, 2, 10)
    assert kinds(script, Prompt.EARLY_ASIDE, count=1) == ["carry"]


def test_the_wrong_card_goes_back_and_the_right_one_can_be_laid_down() -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    held = hands.draw("seat:5", count=3)
    hands.draw("burn")
    hands.move((held[0].text,), "burn")
    assert kinds(script, Prompt.WRONG_CARD, 5) == ["take-back"]
    assert felt.cards("seat:5") == (held[1], held[2], held[0])
    assert kinds(script, Prompt.EXTRA_TO_BURN, 5, 2) == ["carry"]
    assert felt.cards("burn")[-1] == held[2]


def test_a_wrong_card_of_no_seat_goes_back_where_it_came_from() -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    board = hands.draw("board", count=4, face=UP)
    hands.move((board[1].text,), "burn")
    assert kinds(script, Prompt.WRONG_CARD) == ["take-back"]
    assert felt.cards("board") == (board[0], board[2], board[3], board[1])
    assert felt.face(board[1]) == UP


def test_where_nobody_laid_a_card_down_the_last_burn_is_taken_back() -> None:
    script = loaded()
    burns = script.table.hands.draw("burn", count=2)
    assert kinds(script, Prompt.WRONG_CARD) == []
    assert script.table.dealer.stopped == "the display does not say where the card belongs"
    assert kinds(script, Prompt.WRONG_CARD, 5) == ["take-back"]
    assert script.table.felt.cards("seat:5") == burns[1:]


def returned(script: Script, *too_many: str) -> tuple[Card, ...]:
    """Board and stub are wanted; they come back with what lay in other places."""
    table = script.table
    unloaded(script)
    script.obeyed(Prompt.GATHER_BOARD)
    surplus = tuple(card for place in too_many for card in table.felt.cards(place))
    if surplus:
        table.hands.lay_in_cards(surplus)
    for card in table.felt.cards("input"):
        table.felt.move(card, "returned", on_top=card in surplus)
    return surplus


def test_cards_too_many_go_back_where_they_lay_and_the_right_set_goes_in_again() -> None:
    script = loaded()
    script.table.hands.draw("board", count=4)
    script.table.hands.draw("burn")
    script.table.hands.draw("seat:5", count=2)
    surplus = returned(script, "burn", "seat:5")
    assert script.obeyed(Prompt.SET_TOO_MANY, count=3)[0].kind == "put-back"
    assert [script.table.felt.where(card) for card in surplus] == ["burn", "seat:5", "seat:5"]
    assert kinds(script, Prompt.WRONG_SET, count=49) == ["lay-in", "ack"]
    assert set(script.table.felt.cards("input")) == script.table.dealer.wanted
    assert script.table.dealer.obey() is None


def test_cards_too_many_are_confirmed_where_one_of_them_cannot_be_seen() -> None:
    script = loaded(ZonesOptions(antennas=frozenset({"seat:5"})))
    script.table.hands.draw("burn")
    script.table.hands.draw("seat:5")
    returned(script, "burn", "seat:5")
    assert kinds(script, Prompt.SET_TOO_MANY, count=2) == ["put-back", "ack"]
    assert kinds(script, Prompt.SET_TOO_MANY, count=2) == ["ack"]


def test_where_nothing_that_came_back_is_too_many_he_only_confirms() -> None:
    script = loaded()
    script.table.hands.draw("board", count=4)
    returned(script)
    assert kinds(script, Prompt.SET_TOO_MANY, count=1) == ["ack"]
    assert len(script.table.felt.cards("returned")) == 52


def test_what_is_missing_is_found_wherever_it_lies() -> None:
    script = loaded()
    board = script.table.hands.draw("board", count=4)
    returned(script)
    felt = script.table.felt
    for card, place in zip(board, ("muck", "board", "pack", "away"), strict=True):
        felt.move(card, place)
    assert kinds(script, Prompt.SET_MISSING, count=4) == ["lay-in", "ack"]
    assert set(felt.cards("input")) == script.table.dealer.wanted


@pytest.mark.parametrize(
    ("code", "place"), [(Prompt.SCRAMBLE_BOARD, "board"), (Prompt.SCRAMBLE_ASIDE, "aside")]
)
def test_a_place_is_taken_up_to_the_stub_washed_once_and_confirmed(code: int, place: str) -> None:
    script = loaded()
    felt = script.table.felt
    script.table.hands.draw("burn", count=40)
    script.table.hands.lay(script.table.hands.draw("board", count=4, face=UP), place, face=UP)
    unloaded(script)
    assert kinds(script, code, count=12) == ["take-up", "scramble", "ack"]
    assert (felt.cards(place), len(felt.texts("pack"))) == ((), 12)
    assert {felt.face(card) for card in felt.cards("pack")} == {DOWN}
    assert felt.shuffles[-1].order == felt.texts("pack")
    assert kinds(script, code, count=12) == ["ack"]
    assert len(felt.shuffles) == 1


def test_a_card_carried_off_is_brought_back_and_washed_with_the_others_when_he_is_asked_again() -> None:
    script = loaded()
    felt, hands = script.table.felt, script.table.hands
    hands.draw("burn", count=40)
    carried = hands.draw("board", count=4, face=UP)[1:2]
    unloaded(script)
    hands.lay(carried, "aside")  # before it was asked for: no matter
    hands.lay(carried, "board")
    script.show(Prompt.SCRAMBLE_BOARD, count=12)
    hands.lay(carried, "burn")
    hands.lay(carried, "muck")
    assert kinds(script, Prompt.SCRAMBLE_BOARD, count=12) == ["take-up", "scramble", "ack"]
    assert felt.cards("muck") == carried
    again = ["take-back", "take-up", "scramble", "ack"]
    assert kinds(script, Prompt.SCRAMBLE_BOARD, count=12) == again
    assert (felt.cards("muck"), len(felt.texts("pack"))) == ((), 12)


def test_a_card_that_was_boxed_before_it_was_shuffled_is_no_scrap_any_more() -> None:
    script = loaded()
    felt, hands = script.table.felt, script.table.hands
    (once,) = hands.draw("board", face=UP, boxed=True)
    felt.move(once, "input")
    felt.move(once, "machine")
    felt.move(once, "board", face=UP)
    (boxed,) = hands.draw("seat:5", face=UP, boxed=True)
    assert kinds(script, Prompt.CARD_TO_SCRAP, 5) == ["carry", "ack"]
    assert (felt.where(once), felt.where(boxed)) == ("board", "scrap")


def test_what_came_wrongly_goes_aside_from_where_the_display_says() -> None:
    script = loaded()
    felt, hands = script.table.felt, script.table.hands
    at_seat = hands.draw("seat:5", count=2)
    burns = hands.draw("burn", count=3)
    board = hands.draw("board", count=2, face=UP)
    hands.draw("seat:4")
    assert kinds(script, Prompt.BURN_ASIDE, count=2) == ["carry"]
    assert (felt.cards("burn"), felt.cards("aside")) == (burns[:1], burns[1:])
    assert kinds(script, Prompt.CARD_ASIDE, 5, 1) == ["carry"]
    assert felt.cards("seat:5") == at_seat[:1]
    script.show(Prompt.WAIT_MACHINE)
    assert kinds(script, Prompt.CARD_ASIDE, count=1) == ["carry"]
    assert felt.cards("board") == board[:1]
    thrown = hands.draw("muck", count=2)
    assert kinds(script, Prompt.MUCK_ASIDE, count=1) == ["carry"]
    assert felt.cards("muck") == thrown[:1]


def test_a_card_that_was_to_lie_elsewhere_before_is_not_washed() -> None:
    script = loaded()
    felt, hands = script.table.felt, script.table.hands
    hands.draw("burn", count=40)
    moved = hands.draw("board", count=4, face=UP)[1:2]
    hands.lay(moved, "burn")
    unloaded(script)
    for _ in range(2):
        script.obeyed(Prompt.SCRAMBLE_BOARD, count=11)
    assert moved[0] in felt.cards("burn")


def test_a_pack_that_is_cut_again_is_cut_among_its_playing_cards() -> None:
    script = loaded()
    felt = script.table.felt
    script.table.hands.draw("burn", count=49)
    unloaded(script)
    script.table.hands.scramble()
    for _ in range(3):
        before = felt.texts("pack")
        assert kinds(script, Prompt.CUT_PACK) == ["cut-pack"]
        assert felt.texts("pack") != before
        assert [card.is_cut_card for card in felt.cards("pack")] == [False] * 3 + [True]
        script.show(Prompt.WAIT_MACHINE)


def test_a_void_card_on_the_board_does_not_keep_a_street_from_being_dealt() -> None:
    script = loaded()
    hands = script.table.hands
    hands.draw("board", count=4, face=UP)
    assert kinds(script, Prompt.DEAL_FLOP, count=3) == ["deal-flop"] * 3
    script.show(Prompt.ACT_CHECK, 2, 10)
    assert kinds(script, Prompt.DEAL_TURN, count=1) == ["deal-turn"]


@pytest.mark.parametrize("already", range(4))
def test_a_street_is_dealt_to_its_end_whoever_began_it_and_however_often_it_is_shown(already: int) -> None:
    script = loaded()
    script.show(Prompt.DEAL_FLOP, count=3)
    if already:
        script.table.hands.draw("board", count=already, face=UP)
    assert kinds(script, Prompt.DEAL_FLOP, count=3) == ["deal-flop"] * (3 - already)
    assert kinds(script, Prompt.DEAL_FLOP, count=3) == []


def test_the_same_street_asked_for_after_a_remedy_is_dealt_again() -> None:
    script = loaded()
    assert len(script.obeyed(Prompt.DEAL_FLOP, count=3)) == 3
    script.show(Prompt.LOAD_SHOE)
    assert len(script.obeyed(Prompt.DEAL_FLOP, count=3)) == 3


@pytest.mark.parametrize("exposed", range(6))
def test_a_deal_goes_on_in_its_order_over_an_exposed_card_that_still_lies_there(exposed: int) -> None:
    script = loaded()
    order = [5, 9, 2, 5, 9, 2]
    for place, seat in enumerate(order[: exposed + 1]):
        script.table.hands.draw(f"seat:{seat}", face=UP if place == exposed else DOWN)
    assert [deed.seat for deed in script.obeyed(Prompt.DEAL_HOLE, 5, 2)] == order[exposed + 1 :]


def test_after_an_extra_card_nobody_is_dealt_another() -> None:
    script = loaded()
    for seat in (5, 9, 2, 5, 9, 2, 5):
        script.table.hands.draw(f"seat:{seat}")
    assert script.obeyed(Prompt.DEAL_HOLE, 5, 2) == []


def test_hands_take_up_and_lay_only_what_they_can_reach() -> None:
    script = loaded()
    hands, felt = script.table.hands, script.table.felt
    in_shoe = felt.cards("shoe")[0]
    for deed in (
        lambda: hands.take_up("board"),
        lambda: hands.take_up("shoe"),
        lambda: hands.lay((), "burn"),
        lambda: hands.lay((in_shoe,), "burn"),
        lambda: hands.lay((in_shoe,), "shoe"),
    ):
        with pytest.raises(CannotDo):
            deed()
    board = hands.draw("board", count=2, face=UP)
    assert hands.take_up("aside", "board") == board
    assert texts(felt.cards("pack")) == texts(board)
