"""The deck that is not in play goes its own way through the machine, and a hand never breaks that off."""

from typing import Final

import msgspec
import pytest

from controller.cards import DECK
from controller.decisions import Alert, CarriedOut, Command, HandBegan, Refused, StepDone
from controller.events import (
    Answered,
    Arrived,
    DeviceName,
    Fed,
    Keyed,
    ShoeState,
    ShufflerReady,
    ShufflerState,
    Turned,
    VerdictName,
)
from controller.ledger import Evidence, Location
from controller.places import BOARD, BURN, MUCK, SHUFFLER, at_seat
from controller.table import Table
from tests.controller.hands import World, setup
from tests.floor.halts import decided, halted

WRONG: Final = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=51, strangers=0)
INSIDE: Final = ShufflerState(
    input="none", output="none", cover="shut", mode="shuffle", held=52, stage="held"
)
FIRST_SEAT: Final = at_seat(4)


def two_decks(until: str = "deal-hole", *, slow: bool = False, cuts: bool = True) -> World:
    """A table whose dealer is asked for `until`; the machine may be slow with the deck behind the hand."""
    table = World(Table(setup(decks=2)), cuts=cuts)
    table.power_up()
    while table.prompt.code != "lift-pack":
        table.obey()
    table.slow = slow
    obey_until(table, until)
    return table


def obey_until(table: World, code: str) -> None:
    """The dealer obeys until he is asked for this."""
    while table.prompt.code != code:
        assert table.obey(), table.prompt


def told(table: World, device: DeviceName = "shuffler") -> list[str]:
    """What a machine was told so far."""
    return [order.command for order in table.all_said(Command) if order.device == device]


def misdealt(table: World) -> World:
    """The first card off the deck is exposed."""
    table.draw(FIRST_SEAT, facing="up")
    return table


def fold_out(table: World) -> None:
    """Everybody folds to the big blind, and the pot is pushed."""
    while table.prompt.code.startswith("act"):
        table.fold(table.prompt.seat)
    table.tell(Keyed(key="ack"))


def test_the_machine_is_told_of_the_other_deck_by_its_number() -> None:
    table = two_decks()
    feeds = [order for order in table.all_said(Command) if order.command == "feed"]
    assert [order.deck for order in feeds] == [1, 2]
    assert [len(order.expected) for order in feeds] == [52, 52]


@pytest.mark.parametrize(
    ("cuts", "orders"), [(True, ["feed", "shuffle", "cut"]), (False, ["feed", "shuffle"])]
)
def test_the_deck_behind_the_hand_is_cut_only_by_a_machine_that_cuts(cuts: bool, orders: list[str]) -> None:
    table = two_decks(cuts=cuts)
    behind = told(table)[-len(orders) - 1 :]
    assert behind == ["close-cover", *orders]


def test_a_hand_that_is_over_before_the_machine_waits_for_it() -> None:
    table = two_decks("act-call", slow=True)
    fold_out(table)
    assert table.phases[-1] == "done"
    assert table.prompt.code == "wait-machine"
    assert [table.shuffler_goes_on() for _ in range(3)] == ["feed", "shuffle", "cut"]
    assert table.prompt.code == "gather"


def test_the_lid_over_the_stub_is_freed_when_its_own_deck_is_gathered_and_not_for_the_parked_one() -> None:
    table = misdealt(two_decks())
    table.play("deal")
    obey_until(table, "act-call")
    freed = told(table, "shoe")
    fold_out(table)
    assert table.prompt.code == "parked-deck-in"
    assert told(table, "shoe") == freed
    table.obey()
    assert table.prompt.code == "gather"
    assert told(table, "shoe") == [*freed, "release-lid"]


@pytest.mark.parametrize(("verdict", "evidence"), [("proved", Evidence.SEEN), ("counted", Evidence.INFERRED)])
def test_a_deck_that_waited_comes_into_play_as_it_was_proved(
    verdict: VerdictName, evidence: Evidence
) -> None:
    table = two_decks("lift-pack")
    table.wrong_feeds = [msgspec.structs.replace(WRONG, verdict=verdict, count=52)]
    obey_until(table, "act-call")
    fold_out(table)
    table.tell(ShoeState(lid="locked", content="empty"))
    table.tell(ShufflerState(input="cards", output="none", cover="shut", mode="shuffle", held=52))
    table.table.handle(Keyed(key="ack"))
    assert {table.table.ledger.where(card) for card in DECK} == {Location(SHUFFLER, evidence)}
    feeds = [step.evidence for step in table.all_said(StepDone) if (step.step, step.deck) == ("feed", 2)]
    assert feeds == [evidence.value]


def test_a_misdeal_waits_until_the_machine_is_through_its_cut_and_then_parks_the_deck() -> None:
    table = misdealt(two_decks(slow=True))
    assert table.prompt.code == "wait-machine"
    before = told(table)
    assert [table.shuffler_goes_on() for _ in range(2)] == ["feed", "shuffle"]
    assert told(table) == [*before, "shuffle", "cut"]
    table.slow = False
    assert table.shuffler_goes_on() == "cut"
    assert table.prompt.code == "park-deck"
    obey_until(table, "gather-misdeal")
    assert told(table)[len(before) :] == ["shuffle", "cut", "open-cover", "close-cover"]
    table.play("done")
    assert [began.deck for began in table.all_said(HandBegan)] == [1]


def called_off(*, slow: bool = False) -> World:
    """A misdeal by the first card off the deck, whose exposure the key told."""
    table = two_decks("act-call", slow=slow)
    table.report(Turned(time=0, place=FIRST_SEAT, facing="up", card=table.at(FIRST_SEAT)[0]))
    table.tell(Keyed(key="exposed", seat=4))
    return table


@pytest.mark.parametrize("step", ["wait-machine", "gather-misdeal"])
def test_a_misdeal_can_be_taken_back_before_the_parking_and_after_it(step: str) -> None:
    table = called_off(slow=step == "wait-machine")
    obey_until(table, step)
    table.tell(Keyed(key="undo"))
    assert table.phases[-2:] == ["misdeal", "preflop"]
    assert table.all_said(Refused) == []


def test_where_a_misdeal_is_taken_back_the_deck_on_its_way_out_is_parked_before_the_deal_goes_on() -> None:
    table = called_off()
    assert table.prompt.code == "park-deck"
    table.tell(Keyed(key="undo"))
    assert table.phases[-2:] == ["misdeal", "preflop"]
    assert table.prompt.code == "park-deck"
    table.obey()
    assert told(table)[-1] == "close-cover"
    obey_until(table, "parked-deck-in")
    table.play("done")
    assert [began.deck for began in table.all_said(HandBegan)] == [1, 2]


def test_no_card_is_asked_for_before_the_deck_is_parked_where_a_misdeal_is_taken_back() -> None:
    table = two_decks()
    card = table.draw(FIRST_SEAT)
    table.report(Turned(time=0, place=FIRST_SEAT, facing="up", card=card))
    table.tell(Keyed(key="exposed", seat=4))
    table.tell(Keyed(key="undo"))
    assert table.phases[-2:] == ["misdeal", "deal"]
    assert table.prompt.code == "park-deck"
    table.obey()
    assert table.prompt.code == "deal-hole"


def test_a_hand_folded_while_the_deck_is_parked_lies_in_the_muck() -> None:
    table = called_off()
    table.tell(Keyed(key="undo"))
    table.fold(2)
    assert table.table.ledger.count(MUCK) == 2
    table.obey()
    assert table.prompt.code == "act-call"
    table.play("done")
    assert table.phases[-1] == "done"


def test_with_one_hand_left_the_deck_on_its_way_out_is_parked_before_the_pot_is_pushed() -> None:
    table = two_decks("deal-flop")
    for _ in range(4):
        table.draw(BOARD, facing="up")
    for seat in (4, 1, 2):
        assert table.prompt.code == "park-deck"
        table.muck(seat)
        table.tell(Keyed(key="yes"))
    assert table.prompt.code == "park-deck"
    table.obey()
    assert (told(table)[-1], table.prompt.code, table.prompt.seat) == ("close-cover", "push-pot", 3)
    table.tell(Keyed(key="ack"))
    obey_until(table, "deal-hole")
    assert [began.deck for began in table.all_said(HandBegan)] == [1, 2]
    assert (table.all_said(Alert), table.all_said(Refused)) == ([], [])


def test_a_wrong_set_behind_the_hand_names_no_card() -> None:
    table = two_decks("lift-pack")
    table.wrong_feeds = [msgspec.structs.replace(WRONG, missing=(table.order[0],))]
    obey_until(table, "deal-hole")
    (alert,) = table.all_said(Alert)
    assert alert.text == "51 cards were fed, 52 cards were expected; 1 is missing"


def test_a_parked_deck_short_of_a_card_names_none_though_one_like_it_lies_face_up() -> None:
    table = misdealt(two_decks())
    table.play("done")
    assert table.prompt.code == "parked-deck-in"
    board = table.at(BOARD)[0]
    table.wrong_feeds = [msgspec.structs.replace(WRONG, missing=(board,))]
    table.obey()
    assert table.prompt.code == "set-missing"
    (alert,) = table.all_said(Alert)
    assert alert.text == "51 cards were fed, 52 cards were expected; 1 is missing"


def test_a_command_for_the_other_deck_that_fails_lets_the_hand_go_on_and_is_made_good_after_it() -> None:
    table = two_decks("act-call", slow=True)
    table.shuffler_goes_on()
    table.tell(INSIDE)
    jammed = table.under_way.pop()
    table.tell(Answered(ref=jammed.ref, outcome="failed", reason="jam", count=0))
    assert [alert.code for alert in table.all_said(Alert)] == ["command-failed"]
    table.slow = False
    fold_out(table)
    assert table.phases[-1] == "done"
    assert told(table)[-1] == "return"
    assert table.prompt.code == "wrong-set"
    table.tell(ShufflerState(input="cards", output="none", cover="shut", mode="shuffle", held=0))
    table.tell(Keyed(key="ack"))
    assert table.prompt.code == "gather"
    table.play("done")
    assert [began.deck for began in table.all_said(HandBegan)] == [1, 2]


def test_a_deck_that_the_machine_would_not_draw_in_is_asked_for_after_the_hand() -> None:
    table = two_decks("act-call", slow=True)
    refused = table.under_way.pop()
    table.tell(Answered(ref=refused.ref, outcome="refused", reason="wrong-mode", count=0))
    table.slow = False
    fold_out(table)
    assert table.prompt.code == "parked-deck-in"
    table.play("done")
    assert [began.deck for began in table.all_said(HandBegan)] == [1, 2]


def test_a_card_of_the_other_deck_halts_a_hand_and_is_no_matter_between_two() -> None:
    table = two_decks("load-shoe")
    table.tell(Arrived(time=0, place=MUCK, facing="down", what="other-deck"))
    table.play("deal")
    assert table.phases[-1] == "deal"
    assert table.all_said(Alert) == []
    table.tell(Arrived(time=0, place=BOARD, facing="up", what="other-deck"))
    assert table.phases[-1] == "halted"
    assert [alert.code for alert in table.all_said(Alert)] == ["floor-decides"]


def test_a_shuffler_that_restarts_with_the_other_deck_in_it_halts_the_hand() -> None:
    table = two_decks("act-call")
    table.tell(ShufflerReady(cuts=True, identifies=True, min_cards=1, max_cards=52, restarted=True))
    assert [alert.code for alert in table.all_said(Alert)] == ["alignment-required"]


def test_a_halted_table_tells_the_machine_nothing_more() -> None:
    table = two_decks("act-call", slow=True)
    table.tell(Keyed(key="floor"))
    before = told(table)
    table.shuffler_goes_on()
    assert told(table) == before


def test_a_lid_opened_while_the_parked_deck_is_asked_for_is_for_the_floor() -> None:
    table = misdealt(two_decks())
    table.play("deal")
    obey_until(table, "act-call")
    fold_out(table)
    assert table.prompt.code == "parked-deck-in"
    table.tell(ShoeState(lid="open", content="cards"))
    assert [alert.code for alert in table.all_said(Alert)] == ["lid-open"]


def test_each_command_of_the_other_deck_is_told_in_the_phase_of_the_hand() -> None:
    table = two_decks("act-call", slow=True)
    for _ in range(3):
        table.shuffler_goes_on()
    behind = [done for done in table.all_said(CarriedOut) if done.device == "shuffler"][-3:]
    assert [(done.command, done.phase) for done in behind] == [
        ("feed", "shuffle"),
        ("shuffle", "preflop"),
        ("cut", "preflop"),
    ]


@pytest.mark.parametrize("slow", [False, True])
def test_a_misdeal_is_not_taken_back_once_the_pack_is_with_the_shuffler(slow: bool) -> None:
    table = called_off(slow=slow)
    while table.table.phase != "shuffle":
        table.shuffler_goes_on() if table.under_way else table.obey()
    table.tell(Keyed(key="undo"))
    assert "no key that could be taken back" in table.all_said(Refused)[-1].why
    assert table.phases[-2:] == ["misdeal", "shuffle"]


def test_a_street_does_not_go_on_after_the_parking_where_the_hand_is_finished_by_hand() -> None:
    table = World(Table(setup(decks=2, antennas=False)), antennas=False)
    table.power_up()
    table.play("flop")
    table.draw(BURN)
    assert (table.table.phase, table.prompt.code) == ("flop-deal", "park-deck")
    table.tell(Keyed(key="no"))
    halted(table)
    decided(table, "by-hand")
    assert (table.table.phase, table.prompt.code) == ("flop-deal", "deal-by-hand")
