"""`undo` after `next`, where the key alone is followed: the round is open again."""

import random
from dataclasses import dataclass, field

import pytest

from controller.decisions import Alert, Command, Prompt, Ruled
from controller.events import Answered, Arrived, Keyed, ShoeState
from controller.places import ASIDE, BOARD, BURN, MUCK
from tests.controller.hands import World
from tests.controller.players import in_round, refusals
from tests.controller.remedied import Dealer

CLEAN = [
    "shuffle", "deal", "preflop", "flop-deal", "flop", "turn-deal", "turn", "river-deal", "river",
    "showdown", "done",
]  # fmt: skip
NOTHING = "there is no key that could be taken back"


@dataclass
class SlowBurner(World):
    """A table whose machine burns only when it is let."""

    to_burn: list[Command] = field(default_factory=list)

    def _obey(self, command: Command) -> None:
        if command.command == "burn":
            self.to_burn.append(command)
        else:
            super()._obey(command)

    def let_burn(self) -> None:
        """The machine does what it was told."""
        command = self.to_burn.pop(0)
        self.draw(BURN, way="burner")
        self.tell(Answered(ref=command.ref, outcome="done", reason="none", count=1))


def press(table: World, *keys: str) -> None:
    for key in keys:
        table.tell(Keyed(key=key))


def plays_out_cleanly(table: World) -> None:
    """The hand goes on to its end with one burn a street and nothing to rule on."""
    table.play("done")
    assert (table.all_said(Ruled), table.all_said(Alert), refusals(table)) == ([], [], [])
    assert (len(table.at(BOARD)), len(table.at(BURN))) == (5, 3)
    # Each burn lies before its street: the stub was dealt in its natural order.
    assert [table.order.index(card) for card in table.at(BURN)] == [8, 12, 14]


@pytest.mark.parametrize("phase", ["preflop", "flop", "turn"])
def test_a_next_taken_back_after_the_machine_burned_opens_the_round_and_the_burn_stays(phase: str) -> None:
    table = in_round(phase)
    prompts = len(table.all_said(Prompt))
    press(table, "next")
    burned = table.at(BURN)
    press(table, "undo")
    assert table.phases[-1] == phase
    assert table.prompt.code == "betting"
    assert table.codes()[prompts:][-1] == "betting"
    press(table, "next")
    assert table.at(BURN) == burned
    plays_out_cleanly(table)


def test_a_next_taken_back_before_the_machine_burns_opens_the_round_and_the_burn_comes() -> None:
    table = in_round(kind=SlowBurner)
    assert isinstance(table, SlowBurner)
    press(table, "next", "undo")
    assert table.phases[-1] == "preflop"
    table.let_burn()
    assert (table.phases[-1], table.codes()[-2:]) == ("preflop", ["betting", "betting"])
    press(table, "next")
    assert (table.phases[-1], table.prompt.code) == ("flop-deal", "deal-flop")
    assert not table.to_burn


def test_a_card_while_the_machine_still_burns_is_early_and_nobody_is_asked() -> None:
    table = in_round(kind=SlowBurner)
    press(table, "next", "undo")
    table.draw(BOARD, facing="up")
    assert [ruled.rule for ruled in table.all_said(Ruled)] == ["premature-flop"]


def test_next_again_while_the_machine_still_burns_waits_for_its_burn() -> None:
    table = in_round(kind=SlowBurner)
    assert isinstance(table, SlowBurner)
    press(table, "next", "undo", "next")
    assert table.phases[-1] == "preflop"
    table.let_burn()
    assert table.prompt.code == "deal-flop"
    assert not table.to_burn


@pytest.mark.parametrize("first", ["card", "answer"])
def test_with_one_hand_left_the_pot_is_pushed_once_the_machine_has_burned(first: str) -> None:
    table = in_round(kind=SlowBurner)
    assert isinstance(table, SlowBurner)
    press(table, "next", "undo")
    for seat in (4, 1, 2):
        table.muck(seat)
    command = table.to_burn.pop()
    answer = Answered(ref=command.ref, outcome="done", reason="none", count=1)
    if first == "answer":
        table.tell(answer)
    assert (table.prompt.code, table.phases[-1]) == ("betting", "preflop")
    table.draw(BURN, way="burner")
    if first == "card":
        assert table.prompt.code == "betting"
        table.tell(answer)
    assert (table.prompt.code, table.prompt.seat) == ("push-pot", 3)
    press(table, "ack")
    assert (table.phases[-1], len(table.at(BURN)), table.all_said(Alert)) == ("done", 1, [])


def test_a_burn_that_is_seen_only_when_the_pot_is_pushed_lies_in_its_tray() -> None:
    table = in_round(kind=SlowBurner)
    assert isinstance(table, SlowBurner)
    press(table, "next", "undo")
    for seat in (4, 1, 2):
        table.muck(seat)
    table.shuffle_reports = random.Random(1)  # the antennas are late
    table.let_burn()
    press(table, "ack")
    table.flush()
    assert (table.phases[-1], table.all_said(Alert)) == ("done", [])
    assert table.table.ledger.count(BURN) == 1


@pytest.mark.parametrize("gate", [True, False])
def test_where_the_dealer_burns_the_burn_is_due_no_more(gate: bool) -> None:
    table = in_round(burner=False, gate=gate)
    press(table, "next")
    assert table.prompt.code == "burn"
    press(table, "undo")
    assert table.prompt.code == "betting"
    assert [d.command for d in table.all_said(Command)][-1] == ("lock" if gate else "release-lid")
    plays_out_cleanly(table)


def test_a_gate_is_shut_over_the_street_that_was_due() -> None:
    table = in_round(gate=True)
    press(table, "next", "undo")
    assert [d.command for d in table.all_said(Command)][-3:] == ["burn", "unlock", "lock"]
    press(table, "next")
    assert [(d.command, d.cards) for d in table.all_said(Command)][-1] == ("unlock", 3)
    plays_out_cleanly(table)


@pytest.mark.parametrize("burner", [True, False])
def test_once_a_card_is_drawn_by_hand_it_is_too_late(burner: bool) -> None:
    table = in_round(burner=burner)
    press(table, "next")
    table.draw(BOARD if burner else BURN, facing="up" if burner else "down")
    press(table, "undo")
    assert refusals(table) == [NOTHING]
    assert table.phases[-1] == "flop-deal"


@pytest.mark.parametrize("key", ["ack", "yes", "plays-board", "next"])
def test_it_is_the_last_key_alone_that_is_taken_back(key: str) -> None:
    table = in_round()
    press(table, "next", key, "undo")
    assert refusals(table)[-1] == NOTHING
    assert table.phases[-1] == "flop-deal"


def test_it_is_taken_back_once() -> None:
    table = in_round()
    press(table, "next", "undo", "undo")
    assert refusals(table) == [NOTHING]
    plays_out = in_round()
    press(plays_out, "next", "undo")
    plays_out_cleanly(plays_out)


def test_the_river_is_bet_on_again_before_a_hand_is_shown() -> None:
    table = in_round("river")
    press(table, "next")
    assert table.prompt.code == "show-hand"
    press(table, "undo")
    assert (table.phases[-2:], table.prompt.code) == (["showdown", "river"], "betting")
    table.muck(4)
    plays_out_cleanly(table)
    assert table.codes().count("show-hand") == 1 + 3


def test_once_a_hand_is_shown_the_river_stays_bet() -> None:
    table = in_round("river")
    press(table, "next")
    table.turn_up(4)
    press(table, "undo")
    assert refusals(table) == ["a hand was shown or given up already: the round stays complete"]
    assert table.phases[-1] == "showdown"


def test_a_player_may_fold_in_the_round_that_is_open_again() -> None:
    table = in_round()
    press(table, "next", "undo")
    for seat in (4, 1, 2):
        table.muck(seat)
    assert (table.phases[-1], len(table.at(MUCK)), len(table.at(BURN))) == ("done", 6, 1)


def test_the_window_of_the_deal_is_open_again() -> None:
    table = in_round()
    press(table, "next", "undo")
    table.tell(Keyed(key="exposed", seat=4))
    assert [ruled.remedy for ruled in table.all_said(Ruled)] == ["replace-exposed"]


def test_a_remedy_waits_for_the_end_of_the_round_again_until_its_cards_are_moved() -> None:
    table = in_round()
    table.draw(BURN)
    table.draw(BOARD, facing="up")
    press(table, "no", "ack", "next")
    assert (table.phases[-1], table.prompt.code) == ("flop-deal", "unload-shoe")
    press(table, "undo")
    assert (table.phases[-1], table.prompt.code) == ("preflop", "betting")
    press(table, "next")
    assert (table.phases[-1], table.prompt.code) == ("flop-deal", "unload-shoe")
    table.tell(ShoeState(lid="open", content="cards"))
    press(table, "undo")
    assert refusals(table) == ["the stub is out of the shoe already: the round stays complete"]
    assert table.phases[-1] == "flop-deal"


def test_once_a_set_is_shuffled_and_in_the_shoe_the_round_before_it_stays_complete() -> None:
    table = in_round("preflop", Dealer)
    assert isinstance(table, Dealer)
    table.draw(BURN)
    table.draw(BOARD, facing="up")
    press(table, "no", "ack", "next")
    while table.prompt.code != "deal-flop":
        assert table.goes_on()
    press(table, "undo")
    assert refusals(table) == [NOTHING]
    assert (table.table.phase, table.prompt.code) == ("flop-deal", "deal-flop")


def test_the_burn_that_a_remedy_had_made_is_not_made_twice() -> None:
    table = in_round("flop")
    table.draw(BURN)
    card = table.draw(BOARD, facing="up")
    press(table, "no")
    table.lies[card] = ASIDE
    table.report(Arrived(time=0, place=ASIDE, facing="up", what="card", card=card))
    press(table, "next")
    assert (table.phases[-1], len(table.at(BURN))) == ("turn-deal", 3)
    press(table, "undo")
    assert (table.phases[-1], table.prompt.code) == ("flop", "betting")
    press(table, "next")
    assert (table.phases[-1], table.prompt.code, len(table.at(BURN))) == ("turn-deal", "deal-turn", 3)
