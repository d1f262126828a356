"""A: a wrong card, a wrong command, a doubled command. What comes late, twice or for an old question means
nothing."""

import random

import pytest

from controller.decisions import Alert, Refused, Ruled
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.virtual.codes import Outcome, Reason, Type
from hil_rigs.virtual.device import Done
from tests.e2e.tables import reported, scenario_of
from tests.rulings.random_hands import drawn_hand
from tests.shell.running import Running

SEVERAL = 40


def wrongs(running: Running) -> list[object]:
    return [n.said for n in running.notices if isinstance(n.said, Alert | Ruled | Refused)]


def test_case_02_an_answer_to_an_old_question_answers_no_new_one(started: Running) -> None:
    started.play_until("flop")
    shoe, shuffler = started.table.shoe, started.table.shuffler
    (burnt,) = [known for known in shoe._known if shoe._known[known].command == Type.BURN]
    before = len(started.notices)
    for _ in range(SEVERAL):
        shoe.answer(burnt, Type.BURN, Done(count=1))
        shoe.answer(0xDEAD, Type.BURN, Done(count=1))
        shuffler.answer(burnt, Type.SHUFFLE, Done(Outcome.FAILED, Reason.JAM))
    started.settle()
    assert [n.said for n in started.notices[before:]] == []
    started.play_until("done")
    assert wrongs(started) == []
    assert [len(shoe.felt.cards(place)) for place in ("burn", "board")] == [3, 5]
    assert set(shoe.carried_out.values()) == {1}


def test_case_03_a_tag_that_is_reported_over_and_over_is_one_card(started: Running) -> None:
    zones = started.table.zones
    assert zones is not None
    for phase in ("preflop", "flop", "turn", "river"):
        started.play_until(phase)
        for _ in range(SEVERAL // 4):
            zones.booted()  # says every tag that lies there as if it had just come
        started.settle()
    started.play_until("done")
    assert wrongs(started) == []
    assert len(started.table.felt.cards("board")) == 5


class Flickering(DirectBench):
    """Antennas that miss a share of their sweeps, so that cards seem to leave and to come again."""

    def __init__(self, scenario: Scenario, dice: random.Random) -> None:
        super().__init__(scenario)
        self._dice = dice
        self.again = 0

    def rest(self) -> None:
        super().rest()
        zones, felt = self.table.zones, self.table.felt
        if zones is None:
            return
        share = self._dice.uniform(0.05, 0.5)
        for place in sorted(zones.able_to.antennas - {"output"}):
            for card in felt.cards(place):
                if self._dice.random() < share:
                    zones._queue(Type.ARRIVED, card, place, felt.face(card))
                    self.again += 1
        super().rest()


@pytest.mark.parametrize("number", range(6))
def test_case_04_a_missed_sweep_is_neither_a_departure_nor_a_new_card(number: int) -> None:
    made = scenario_of(drawn_hand(f"missed sweeps {number}").file)
    bench = Flickering(made, random.Random(number))
    assert reported(made, bench) == reported(made, DirectBench(made)), number
    assert bench.again > 20 or not made.table.zones


def test_case_05_two_cards_at_once_are_never_taken_for_one(started: Running) -> None:
    """Two tags in the passage, or one seen of two: the dealer confirms, before the deal goes on."""
    started.play_until("deal")
    started.table.shoe.slips.append("double-feed")
    started.table.dealer.obey()
    started.settle()
    assert started.shown == 63, "two-at-once"
    started.play_until("preflop")
    assert len(started.table.felt.cards("seat:5")) == 2
