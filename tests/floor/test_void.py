"""A hand that is void, and a deck that leaves the table: chips, seats and cards are as before the hand."""

import pytest

from controller.cards import DECK
from controller.decisions import Ask, ChipsMoved, Command, HandBegan, SeatLeft, StepDone
from controller.events import Acted, SeatChange, ShoeReady
from controller.places import AWAY, SHOE
from tests.controller.hands import World, setup
from tests.floor.halts import by_hand, clear, decided, halted, press, refused, table_at

PHASES = (
    "shuffle",
    "deal",
    "preflop",
    "flop-deal",
    "flop",
    "turn-deal",
    "turn",
    "river-deal",
    "river",
    "showdown",
)


def hands(table: World) -> list[HandBegan]:
    return table.all_said(HandBegan)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("decks", [1, 2])
def test_a_void_hand_gives_every_chip_back_and_is_played_again(phase: str, decks: int) -> None:
    table = table_at(phase, setup(decks=decks))
    assert decided(halted(table), "void").phase == phase
    assert (table.table.phase, table.prompt.code) == (
        "done",
        "gather" if phase != "shuffle" else table.prompt.code,
    )
    assert table.all_said(ChipsMoved)[-1] == ChipsMoved(pots=(), stacks=dict.fromkeys((1, 2, 3, 4), 1000))
    table.play("deal")
    before, after = hands(table)
    assert (after.button, after.seats, after.stacks) == (before.button, before.seats, before.stacks)
    proofs = [step for step in table.all_said(StepDone) if step.step == "feed"]
    assert [step.evidence for step in proofs].count("seen") >= 2
    assert table.table.ledger.count(SHOE) == len(DECK)


def test_a_pot_that_is_won_and_not_pushed_is_void_as_well() -> None:
    table = table_at("preflop")
    for seat in (2, 3, 4):
        table.fold(seat)
    assert table.prompt.code == "push-pot"
    decided(halted(table), "void")
    assert table.all_said(ChipsMoved)[-1].stacks == dict.fromkeys((1, 2, 3, 4), 1000)
    press(table, "ack")
    assert table.all_said(ChipsMoved)[-1].stacks == dict.fromkeys((1, 2, 3, 4), 1000)


def test_a_hand_whose_pots_are_pushed_is_over_and_cannot_be_void() -> None:
    table = halted(table_at("done"))
    assert refused(table, "void") == "the hand is over: its pots are pushed"
    decided(table, "stand")


def test_before_the_first_hand_there_is_nothing_to_void() -> None:
    table = halted(table_at("idle"))
    assert "no hand is played" in refused(table, "void")


def test_who_bought_chips_or_leaves_in_a_void_hand_has_done_so() -> None:
    table = table_at("flop")
    table.tell(SeatChange(seat=1, change="add", chips=50))
    table.tell(SeatChange(seat=2, change="leave"))
    table.tell(SeatChange(seat=4, change="out"))
    table.tell(Acted(seat=table.prompt.seat, action="bet-or-raise", amount=100))
    decided(halted(table), "void")
    assert table.all_said(SeatLeft) == [SeatLeft(seat=2, chips=1000)]
    table.play("deal")
    assert hands(table)[-1].stacks == {1: 1050, 3: 1000, 4: 1000}
    assert sorted(hands(table)[-1].seats) == [1, 3]


def laid(table: World) -> int:
    """The chips that lie before the first act of the hand that was begun last."""
    told = next(
        said for said in table.said[table.said.index(hands(table)[-1]) :] if isinstance(said, ChipsMoved)
    )
    return sum(pot.amount for pot in told.pots) + sum(told.uncalled.values())


def test_what_is_owed_is_owed_again_after_a_void_hand() -> None:
    table = table_at("preflop")
    table.tell(SeatChange(seat=2, change="out"))
    table.play("done")
    table.play("preflop")  # the big blind passes seat 2
    table.tell(SeatChange(seat=2, change="back", entry="post"))
    while 2 not in hands(table)[-1].seats:
        table.play("preflop")
    assert laid(table) == 5 + 10 + 10
    decided(halted(table), "void")
    table.play("preflop")
    assert (hands(table)[-1].button, hands(table)[-1].seats) == (
        hands(table)[-2].button,
        hands(table)[-2].seats,
    )
    assert laid(table) == 5 + 10 + 10


def test_the_cards_of_a_void_hand_mean_nothing_any_more() -> None:
    table = table_at("flop")
    decided(halted(table), "void")
    table.draw("board", facing="up")  # type: ignore[arg-type]
    table.carry(table.at("seat:1")[0], "aside")  # type: ignore[arg-type]
    assert (table.table.phase, table.prompt.code) == ("done", "gather")


def test_a_draw_for_the_button_that_is_void_is_made_again() -> None:
    table = table_at("button-draw", setup(button="draw"))  # type: ignore[arg-type]
    assert "void the draw" in refused(halted(table), "by-hand")
    decided(table, "void")
    assert table.prompt.code == "gather"
    table.play("button-draw")
    assert table.phases[-1] == "button-draw"


# The deck leaves the table


@pytest.mark.parametrize("phase", ["idle", *PHASES, "done"])
@pytest.mark.parametrize("decks", [1, 2])
def test_a_deck_that_is_pulled_leaves_a_table_that_asks_for_one(phase: str, decks: int) -> None:
    table = halted(table_at(phase, setup(decks=decks)))
    decided(table, "pull-deck")
    assert table.table.phase == "idle"
    assert table.table.ledger.count(AWAY) == len(DECK)
    assert {ask.device for ask in table.all_said(Ask)} == {"shoe", "shuffler", "zones"}
    clear(table)
    assert table.prompt.code == "deck-in"
    table.play("deal")
    begun = [hand.stacks for hand in hands(table)]
    assert begun[-1] == table.table.stacks
    assert table.table.ledger.count(SHOE) == len(DECK)


def test_cards_that_still_lie_there_are_cleared_first() -> None:
    table = halted(table_at("flop"))
    decided(table, "pull-deck")
    table.tell(table.table._equipment.shoe_state)
    clear(table)
    assert table.prompt.code == "deck-in"


def test_a_hand_is_not_void_by_a_deck_that_is_pulled_after_it() -> None:
    table = table_at("done")
    stacks = table.all_said(ChipsMoved)[-1].stacks
    decided(halted(table), "pull-deck")
    clear(table)
    table.play("deal")
    assert hands(table)[-1].stacks == stacks
    assert hands(table)[-1].button == 4


def test_a_device_that_began_anew_ends_in_a_new_hand_all_the_same() -> None:
    for decision in ("void", "by-hand", "pull-deck"):
        table = table_at("flop")
        table.tell(ShoeReady(gate=False, burner=True, restarted=True))
        decided(table, decision)
        if decision == "by-hand":
            by_hand(table)
        if decision == "pull-deck":
            clear(table)
        table.play("deal")
        assert table.phases[-1] == "deal"
        assert [c.command for c in table.all_said(Command)].count("feed") == 2
