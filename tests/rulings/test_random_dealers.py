"""Hands that do anything: whatever they do, cards are conserved, nothing unproved is dealt from, nothing
hidden is told, and the hand comes to an end or to the floor.

`make soak` plays many; CUTCARD_SEED=... repeats them.
"""

import os
import random
from collections import Counter

import msgspec
import pytest

from controller.decisions import Alert, CarriedOut, PhaseEntered, Refused, Ruled
from controller.notices import Notice
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.virtual.felt import ShuffleRecord
from tests.e2e.tables import CLEAN, Json, cards_lost, chips_lost, scenario_of
from tests.rulings.inspected import HALTING, BrokenError, Inspected
from tests.rulings.random_dealers import RandomDealer, drawn_table
from tests.simulate.puppet import ruled

CHUNKS, EACH = 10, 9
MANY, PARTS = 10_000, 4
ALONE = 0.6
"""How often a hand is played without another one after it."""


def inspected(file: Json) -> Inspected:
    made = scenario_of(file)
    return Inspected(DirectBench(made), made.table.hole_cards)


def faults(seed: str, counts: Counter[str] | None = None) -> tuple[list[str], Json]:
    """What is wrong with the hand of a seed, and the hand."""
    dice = random.Random(seed)
    file = drawn_table(dice)
    bench = inspected(file)
    dealer = RandomDealer(dice, file, bench, bench.hears)
    try:
        dealer.play_out()
        said = dealer.report()
        wrong = [*ends_badly(said), *cards_lost(said)]
        if said["outcome"] == "completed":
            wrong += chips_lost(said, file) + next_goes_badly(dealer, said)
    except Exception as error:  # noqa: BLE001 - told with the hand that led to it
        return [f"{type(error).__name__}: {error}"], dealer.written()
    if counts is not None:
        counts.update(bench.counts)
        counts[said["outcome"]] += 1
    return wrong, dealer.written()


def next_goes_badly(dealer: RandomDealer, said: Json) -> list[str]:
    """Nothing of a hand, whatever happened in it, is left in the next one, where nothing happens."""
    seats = tuple(int(seat) for seat, chips in said["stacks"].items() if chips)
    if len(seats) < 2 or dealer.dice.random() < ALONE:
        return []
    told = dealer.play_another(seats)
    phases = tuple(notice.phase for notice in told if isinstance(notice, PhaseEntered))
    untold = (Alert, "not-tracked")  # of a table that follows the key alone, each hand anew
    wrong = [
        repr(notice)
        for notice in told
        if isinstance(notice, Ruled | Alert | Refused)
        and (type(notice), getattr(notice, "code", "")) != untold
    ]
    return wrong if phases == CLEAN[1:] else [*wrong, f"the next hand goes through {phases}"]


def ends_badly(said: Json) -> list[str]:
    """Every hand is played out, or halted for a reason."""
    if said["outcome"] == "completed":
        return []
    if said["outcome"] != "halted":
        asked = said["prompts"][-1]["code"]
        return [f"it goes on nowhere: {said['outcome']} in {said['phase']}, {asked}, {said['refused'][-1:]}"]
    reasons = {alert["code"] for alert in said["alerts"]} & HALTING
    return [] if reasons else ["it is halted, and nobody says why"]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whatever_hands_do_no_card_is_lost_and_nothing_hidden_told_and_the_hand_ends(chunk: int) -> None:
    for number in range(EACH):
        seed = f"any {chunk}.{number}"
        wrong, file = faults(seed)
        assert wrong == [], (seed, file)


def test_the_random_hands_meet_most_of_what_there_is() -> None:
    counts = Counter[str]()
    for number in range(100):
        faults(f"cover {number}", counts)
    rulings = [what for what in counts if what.startswith(("exposed-", "extra-", "overfull-", "premature-"))]
    assert len(rulings) > 6, counts
    for what, least in {"ledger": 2000, "hands": 500, "shuffle": 3, "completed": 20, "halted": 20}.items():
        assert counts[what] > least, counts


def test_the_same_seed_draws_the_same_hand() -> None:
    assert faults("twice") == faults("twice")


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_random_hands_end_with_every_card_accounted_for(part: int) -> None:
    run = os.environ.get("CUTCARD_SEED") or "1"
    for number in range(part, MANY, PARTS):
        seed = f"{run} any {number}"
        wrong, file = faults(seed)
        assert wrong == [], (seed, file)


# What is inspected would be noticed

TABLE: Json = {"game": "holdem", "seats": {"1": 500, "2": 500, "3": 500}}


def in_the_flop() -> Inspected:
    file = {"table": TABLE, "acts": []}
    bench = inspected(file)
    RandomDealer(random.Random(1), file, bench, bench.hears).do(do="play", until="flop")
    return bench


def test_a_hidden_card_that_is_told_is_noticed_and_one_on_the_board_is_none() -> None:
    bench = in_the_flop()
    hidden, open_ = bench.table.felt.texts("seat:1")[0], bench.table.felt.texts("board")[0]
    bench.look_at(Notice(1, Alert(code="any", text=f"the {open_} lies on the board")))
    with pytest.raises(BrokenError, match=hidden):
        bench.look_at(Notice(1, Alert(code="any", text=f"the {hidden} lies at seat 1")))


def test_a_second_burn_of_a_street_and_a_pack_delivered_unproved_are_noticed() -> None:
    done = CarriedOut(device="shoe", command="burn", count=1, phase="flop")
    bench = in_the_flop()
    bench.look_at(Notice(1, done))
    with pytest.raises(BrokenError, match="burned twice"):
        bench.look_at(Notice(2, done))
    for told in (("open-cover",), ("feed", "return", "feed", "shuffle", "open-cover")):
        *before, last = (
            msgspec.structs.replace(done, device="shuffler", command=command) for command in told
        )
        for one in before:
            bench.look_at(Notice(3, one))
        with pytest.raises(BrokenError, match="delivered"):
            bench.look_at(Notice(3, last))


def test_a_burn_before_an_early_turn_is_spent_once_and_the_turn_has_one_more() -> None:
    burn = CarriedOut(device="shoe", command="burn", count=1, phase="flop")
    early = msgspec.structs.replace(ruled(1, "premature-turn"), remedy="natural-river")
    bench = in_the_flop()
    for told in (burn, early, burn, early):
        bench.look_at(Notice(1, told))
    with pytest.raises(BrokenError, match="burned twice"):
        bench.look_at(Notice(1, burn))


@pytest.mark.parametrize("place", ["burn", "seat:2"])
def test_a_burn_and_a_live_card_in_a_shuffle_are_noticed(place: str) -> None:
    bench = in_the_flop()
    cards = (*bench.table.felt.texts("board"), bench.table.felt.texts(place)[0])
    bench.table.felt.shuffles.append(ShuffleRecord(cards, cards, cut=True))
    with pytest.raises(BrokenError, match=f"from {place}"):
        bench.rest()


def test_a_card_that_lies_elsewhere_than_the_ledger_has_it_is_noticed() -> None:
    bench = in_the_flop()
    zones = bench.table.zones
    assert zones is not None
    card = bench.table.felt.cards("seat:3")[0]
    zones.unreadable.add(card)
    bench.table.felt.move(card, "aside")
    with pytest.raises(BrokenError, match="the ledger has"):
        bench.rest()


def test_a_hand_that_ends_nowhere_is_noticed() -> None:
    said = {"phase": "flop", "prompts": [{"code": "burn"}], "refused": []}
    assert ends_badly({**said, "outcome": "open"})
    assert ends_badly({**said, "outcome": "halted", "alerts": [{"code": "card-joins"}]})
    assert not ends_badly({**said, "outcome": "halted", "alerts": [{"code": "floor-called"}]})
