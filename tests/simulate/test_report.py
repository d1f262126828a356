"""The report of rulings, their shuffles and what they took out of play, of a controller whose words are made
up."""

from dataclasses import replace
from typing import Any, Literal

import pytest

from controller.decisions import StepDone, Withdrawn
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.report import report
from tests.simulate.puppet import Puppet, ruled, scenario_of


def reported(bench: Puppet, phases: str = "shuffle deal") -> dict[str, Any]:
    player = Player(bench)
    scenario = scenario_of()
    player.play(scenario)
    player.phases += phases.split()
    return report(scenario, bench, player)


def step(name: str, why: str = "", evidence: Literal["seen", "stated"] = "seen") -> StepDone:
    return StepDone(step=name, evidence=evidence, why=why)


def test_a_ruling_is_reported_as_it_was_told_last_in_the_order_of_the_first_telling() -> None:
    bench = Puppet()
    one, two, three = (card.text for card in bench.table.hands.draw("seat:2", count=3))
    bench.tell(
        ruled(1, "exposed-later-hole-card", [one], seat=2),
        ruled(2, "extra-card-first-player", seat=1, unseen=1),
        ruled(3, "exposed-two-or-more", [one, two], seat=2),
        ruled(1, "exposed-later-hole-card", [one, three], seat=2),
        Withdrawn(number=2),
    )
    said = reported(bench)
    assert [(r["rule"], list(r["cards"]), r["seat"]) for r in said["rulings"]] == [
        ("exposed-later-hole-card", [one, three], 2),
        ("exposed-two-or-more", [one, two], 2),
    ]
    assert set(said["rulings"][0]) == {"rule", "rules", "phase", "seat", "cards", "remedy", "source"}


def test_what_is_out_of_play_is_aside_and_in_no_other_list() -> None:
    bench = Puppet()
    hand = [card.text for card in bench.table.hands.draw("seat:2", count=3)]
    board = [card.text for card in bench.table.hands.draw("board", count=4, face="up")]
    bench.tell(ruled(1, "extra-card-first-player", seat=2, unseen=1), ruled(2, "overfull-flop", board))
    said = reported(bench)
    assert (said["hole"]["2"], said["board"]) == (tuple(hand[:2]), ())
    assert said["aside"] == (hand[2], *board)


def test_the_ledger_is_held_against_what_counts_as_aside_in_whatever_order() -> None:
    bench = Puppet()
    board = [card.text for card in bench.table.hands.draw("board", count=4, face="up")]
    bench.tell(ruled(1, "overfull-flop", board))
    assert [alert["code"] for alert in reported(bench)["alerts"]] == ["ledger-differs"] * 2
    bench.known = {"board": (), "aside": tuple(reversed(board))}
    assert reported(bench)["alerts"] == []


def test_each_shuffle_after_the_first_has_the_remedy_that_it_was_for() -> None:
    bench = Puppet()
    hands = bench.table.hands
    hands.draw("board", count=12)
    hands.take_up("board")
    made: tuple[Literal["machine", "hand"], ...] = ("machine", "machine", "hand", "machine")
    for by in made:
        hands.scramble()
        shuffles = bench.table.felt.shuffles
        shuffles[-1] = replace(shuffles[-1], by=by)
    bench.tell(
        step("feed"),
        step("shuffle"),
        step("shuffle", "redeal-flop"),
        step("cut", "redeal-flop"),
        step("scramble", "reshuffle-river", "stated"),
    )
    assert [made["why"] for made in reported(bench)["shuffles"]] == ["redeal-flop", "reshuffle-river", ""]


@pytest.mark.parametrize(
    ("phases", "outcome"),
    [
        ("shuffle", "open"),
        ("shuffle deal", "open"),
        ("shuffle deal misdeal", "misdeal"),
        ("shuffle deal misdeal shuffle", "misdeal"),
        ("shuffle deal misdeal shuffle deal", "open"),
        ("shuffle deal misdeal shuffle deal misdeal", "misdeal"),
        ("shuffle deal misdeal shuffle halted", "halted"),
        ("shuffle deal misdeal shuffle deal done", "completed"),
        ("shuffle deal misdeal shuffle deal done shuffle", "open"),
    ],
)
def test_the_outcome_is_a_misdeal_until_the_new_deal_begins(phases: str, outcome: str) -> None:
    assert reported(Puppet(), phases)["outcome"] == outcome
