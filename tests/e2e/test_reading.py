"""Clean hands held against a reading of the rules of their own: who is dealt what, what is burned, who wins.

Everybody checks or calls, so that the whole hand follows from the deck, the stacks and the forced bets.
"""

import json
import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from pokerkit import StandardHighHand

from hil_rigs.simulate.deck import DECK
from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import CLEAN, Json, chips_lost, drawn_table, played_directly, reported, scenario_of

CHUNKS, EACH = 6, 25


def dealt_from_left_of(button: int, seats: Sequence[int]) -> list[int]:
    turn = sorted(seats).index(button) + 1
    return sorted(seats)[turn:] + sorted(seats)[:turn]


def expected_cards(file: Json) -> Json:
    """B1 | F1 F2 F3 | B2 | T | B3 | R behind one card at a time for every seat."""
    table, pack = file["table"], file["deck"].split()
    seats = [int(seat) for seat in table["seats"]]
    order = dealt_from_left_of(table["button"], seats)
    each = 4 if table["game"] == "omaha" else 2
    hole = {
        str(seat): [pack[at + turn * len(order)] for turn in range(each)] for at, seat in enumerate(order)
    }
    b1, f1, f2, f3, b2, turn, b3, river = pack[each * len(order) : each * len(order) + 8]
    return {
        "hole": {str(seat): hole[str(seat)] for seat in seats},
        "board": [f1, f2, f3, turn, river],
        "burns": [b1, b2, b3],
        "muck": [],
        "aside": [],
        "scrap": [],
        "stub": 52 - each * len(order) - 8,
    }


def strength(game: str, hole: Sequence[str], board: Sequence[str]) -> StandardHighHand:
    if game == "omaha":
        hands = [two + three for two in combinations(hole, 2) for three in combinations(board, 3)]
    else:
        hands = list(combinations((*hole, *board), 5))
    return max(StandardHighHand("".join(five)) for five in hands)


def expected_stacks(file: Json, cards: Json) -> dict[str, int]:
    """Antes are dead and in the main pot; everybody calls the largest blind as far as his chips go."""
    table = file["table"]
    before = {int(seat): chips for seat, chips in table["seats"].items()}
    order = dealt_from_left_of(table["button"], list(before))
    ante = {seat: min(table["ante"], chips) for seat, chips in before.items()}
    price = max(table["blinds"])
    live = {seat: min(price, chips - ante[seat]) for seat, chips in before.items()}
    *_, second, most = sorted(live.values())
    live = {seat: second if chips == most else chips for seat, chips in live.items()}  # uncalled: goes back
    after = {seat: chips - ante[seat] - live[seat] for seat, chips in before.items()}
    hands = {seat: strength(table["game"], cards["hole"][str(seat)], cards["board"]) for seat in order}
    pots: list[tuple[int, list[int]]] = [(sum(ante.values()), list(order))]
    paid = 0
    for level in sorted({*live.values()} - {0}):
        for_it = [seat for seat in order if live[seat] >= level]
        chips = (level - paid) * len(for_it)
        if pots[-1][1] == for_it:
            pots[-1] = (pots[-1][0] + chips, for_it)
        else:
            pots.append((chips, for_it))
        paid = level
    for chips, for_it in pots:
        best = max(hands[seat] for seat in for_it)
        winners = [seat for seat in for_it if hands[seat] == best]
        for place, seat in enumerate(winners):
            after[seat] += chips // len(winners) + (place < chips % len(winners))
    return {str(seat): chips for seat, chips in after.items()}


def clean_hand(seed: str) -> Json:
    dice = random.Random(seed)
    table = drawn_table(dice)
    for key in ("small_blind", "big_blind"):
        table.pop(key, None)
    table["blinds"] = dice.choice(
        ([5, 10], [5, 10], [10, 20], [20], [5, 5, 10])[: 4 + (len(table["seats"]) > 2)]
    )
    if dice.random() < 0.3:
        table["seats"] = {seat: dice.choice((7, 8, 9, 12, 30)) for seat in table["seats"]}
    pack = list(DECK)
    dice.shuffle(pack)
    return {
        "table": table,
        "deck": " ".join(pack),
        "seed": dice.randint(0, 999),
        "acts": [{"do": "play", "until": "done"}],
    }


def held_against_the_rules(said: Json, file: Json) -> None:
    cards = expected_cards(file)
    assert {key: said[key] for key in cards} == cards, file
    assert (tuple(said["phases"]), said["alerts"], said["refused"]) == (CLEAN, [], []), file
    assert chips_lost(said, file) == []
    assert said["stacks"] == expected_stacks(file, cards), file
    burns = [order for order in said["commands"] if order["command"] == "burn"]
    by_hand = [prompt for prompt in said["prompts"] if prompt["code"] == "burn"]
    phases = ["preflop", "flop", "turn"]
    machine = file["table"]["shoe"]["burner"]
    assert [(order["phase"], order["count"]) for order in burns] == [(p, 1) for p in phases if machine]
    assert len(by_hand) == (0 if machine else 3)
    unlocked = [order["count"] for order in said["commands"] if order["command"] == "unlock"]
    hole = len(file["table"]["seats"]) * (4 if file["table"]["game"] == "omaha" else 2)
    steps = [hole, 3, 1, 1] if machine else [hole, 1, 3, 1, 1, 1, 1]
    assert unlocked == (steps if file["table"]["shoe"]["gate"] else [])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_deal_burns_streets_and_winners_are_those_of_the_rules(chunk: int) -> None:
    for number in range(EACH):
        file = clean_hand(f"reading {chunk}.{number}")
        held_against_the_rules(played_directly(file), file)


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_every_number_of_seats_and_every_button_is_dealt_from_the_left_of_it(game: str) -> None:
    for count in range(2, 12 if game == "holdem" else 11):
        seats = dict.fromkeys(map(str, range(1, count + 1)), 100)
        for button in (1, count, 1 + count // 2):
            file = clean_hand(f"{game} {count}")
            file["table"] |= {"game": game, "seats": seats, "button": button, "blinds": [5, 10]}
            held_against_the_rules(played_directly(file), file)


@pytest.mark.parametrize("count", [2, 10])
@pytest.mark.parametrize("burner", [True, False])
def test_heads_up_and_ten_seats_are_dealt_so_over_bytes_too(count: int, burner: bool) -> None:
    file = clean_hand(f"wire {count} {burner}")
    file["table"] |= {
        "seats": dict.fromkeys(map(str, range(1, count + 1)), 100),
        "button": count,
        "blinds": [5, 10],
        "shoe": {"gate": burner, "burner": burner},
    }
    made = scenario_of(file)
    held_against_the_rules(json.loads(reported(made, WireBench(made))), file)


def test_two_pots_of_as_many_chips_for_the_same_seat_are_pushed_one_after_the_other() -> None:
    file = clean_hand("pots")
    stacks = {"1": 4, "2": 10, "3": 1000}
    file["table"] |= {"game": "holdem", "seats": stacks, "button": 3, "blinds": [5, 10], "ante": 0}
    file["deck"] = "2c 3d As 2h 3c Ad 4s 9s 8h 7h Kd 9d Ks 9h Qc"
    said = played_directly(file)
    pushed = [(prompt["code"], prompt["seat"]) for prompt in said["prompts"] if prompt["code"] == "push-pot"]
    assert [(pot["amount"], pot["winners"]) for pot in said["pots"]] == [(12, {"3": 12})] * 2
    assert pushed == [("push-pot", 3)] * 2
    assert said["outcome"] == "completed"


@pytest.mark.parametrize("button", [1, 2])
def test_heads_up_the_button_has_the_small_blind_is_dealt_last_and_acts_first_before_the_flop(
    button: int,
) -> None:
    file = clean_hand("heads-up")
    file["table"] |= {"seats": {"1": 100, "2": 100}, "button": button, "blinds": [5, 10]}
    said = played_directly(file)
    other = 3 - button
    deals = [prompt["seat"] for prompt in said["prompts"] if prompt["code"] == "deal-hole"]
    asked = [prompt["seat"] for prompt in said["prompts"] if prompt["code"] in ("act-check", "act-call")]
    assert deals == [other]
    assert asked == [button, other, *[other, button] * 3]
