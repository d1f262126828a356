"""Evenings drawn from a seed: hand after hand, players who bet at random, come, go, post, straddle and buy
chips. Whatever happens, chips and cards are accounted for."""

import json
import os
import random
from collections.abc import Mapping

import pytest

from hil_rigs.simulate.command import played
from hil_rigs.simulate.load import read_scenario
from tests.e2e.tables import Json, cards_lost

EVENINGS = 24
SOAK_EVENINGS = 4_000
HANDS = 6
_ACTIONS = ("fold", "check", "call", "bet", "raise", "all-in", "call", "check")
_WISHES = ("sit", "leave", "out", "back", "add", "straddle")
_BLINDS = ([5, 10], [5, 10], [10], [0, 10], [2, 5, 10], [5, 10, 20], [0, 0])


def evening(chance: random.Random) -> Json:
    """A scenario of several hands."""
    game = chance.choice(("holdem", "omaha"))
    seats = sorted(chance.sample(range(1, 12), chance.randint(2, 7)))
    blinds = chance.choice(_BLINDS)[: len(seats)]
    table: Json = {
        "game": game,
        "betting": chance.choice(("no-limit", "pot-limit", "fixed-limit")),
        "seats": {str(seat): chance.randint(20, chance.choice((60, 400, 2000))) for seat in seats},
        "blinds": blinds,
        "ante": chance.choice((0, 0, 1, 3)),
        "ante_by": chance.choice(("all", "button", "big-blind")),
        "button": chance.choice((*seats, "draw")),
        "shoe": {"gate": chance.random() < 0.3, "burner": chance.random() < 0.7},
        "shuffler": {"cuts": chance.random() < 0.7},
    }
    if table["betting"] == "fixed-limit":
        table |= {"small_bet": 10, "big_bet": 20}
    if len(blinds) == 2 and chance.random() < 0.5:
        table["button_rule"] = "dead"
    if chance.random() < 0.4:
        table["rake"] = [{"players": 2, "percent": 5, "cap": 3}]
    free = [seat for seat in range(1, 12) if seat not in seats]
    acts = [act for _ in range(HANDS) for act in _hand(seats, free, chance)]
    return {"table": table, "hands": HANDS, "seed": chance.randint(0, 10**6), "acts": acts}


def _hand(seats: list[int], free: list[int], chance: random.Random) -> list[Json]:
    """Players act in the order of their seats, whoever's turn it is: some of it is refused."""
    acts: list[Json] = []
    streets = ("preflop", "flop", "turn", "river")
    for street in sorted(chance.sample(streets, chance.randint(0, 3)), key=streets.index):
        acts.append({"do": "play", "until": street})
        first = chance.randrange(len(seats))
        acts += [_bet(seat, chance) for seat in seats[first:] + seats[:first]]
        if chance.random() < 0.4:
            acts.append(_wish(seats, free, chance))
    return [
        *acts,
        {"do": "play", "until": "done"},
        *([_wish(seats, free, chance)] if chance.random() < 0.5 else []),
    ]


def _bet(seat: int, chance: random.Random) -> Json:
    action = chance.choice(_ACTIONS)
    act: Json = {"do": "bet", "seat": seat, "action": action}
    if action in ("bet", "raise"):
        act["amount"] = chance.randint(1, chance.choice((40, 300)))
    return act


def _wish(seats: list[int], free: list[int], chance: random.Random) -> Json:
    """A player who comes takes a seat that nobody has had."""
    wish = chance.choice(_WISHES) if free else "add"
    if wish == "sit":
        seats.append(free.pop(chance.randrange(len(free))))
        entry = chance.choice(("wait", "post"))
        return {
            "do": "seat",
            "seat": seats[-1],
            "wish": wish,
            "chips": chance.randint(5, 500),
            "entry": entry,
        }
    act: Json = {"do": "seat", "seat": chance.choice(seats), "wish": wish}
    return act | ({"chips": chance.randint(5, 500)} if wish == "add" else {})


def bought(made: Json, said: Json) -> int:
    """Chips that came to the table in its course: what was wished for and not refused."""
    refused = {refusal["act"] for refusal in said["refused"]}
    return sum(act.get("chips", 0) for i, act in enumerate(made["acts"]) if i not in refused)


def check(made: Json, said: Json) -> None:
    assert (said["rulings"], said["alerts"]) == ([], []), said["alerts"]
    assert said["outcome"] in ("completed", "open")
    assert cards_lost(said) == []
    start = sum(made["table"]["seats"].values()) + bought(made, said)
    open_pots = sum(pot["amount"] for pot in said["pots"] if not pot["winners"])
    assert (
        sum(said["stacks"].values()) + said.get("rake", 0) + sum(said.get("left", {}).values()) + open_pots
        == start
    )
    assert min(said["stacks"].values()) >= 0


def play(seed: object, *, both_ways: bool = False) -> Mapping[str, object]:
    chance = random.Random(f"evening {seed}")
    made = evening(chance)
    scenario = read_scenario(json.dumps(made), file=f"evening-{seed}", name=f"evening-{seed}")
    directly = played(scenario, direct=True)
    if both_ways:
        assert played(scenario, direct=False) == directly
    said: Json = json.loads(directly)
    check(made, said)
    return said


def test_evenings_end_with_every_chip_and_every_card_accounted_for() -> None:
    hands = sum(str(play(seed)["phases"]).count("'done'") for seed in range(EVENINGS))
    assert hands > 3 * EVENINGS


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_is_the_same_over_the_wire(seed: int) -> None:
    play(seed, both_ways=True)


@pytest.mark.soak
def test_thousands_of_evenings() -> None:
    seed = os.environ.get("CUTCARD_SEED", "0")
    for number in range(SOAK_EVENINGS):
        play(f"{seed}/{number}")
