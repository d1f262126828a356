"""Scenarios in which acts come out of turn and cards of live hands reach the muck: one report, whatever the
wire and the antennas' lateness."""

import json
from collections.abc import Mapping

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.wire import WireBench
from tests.e2e.late import differing
from tests.e2e.tables import Json, cards_lost, played_directly, reported, scenario_of

HANDS = {"9": "As Ah", "2": "Ks Kh", "5": "Qs Qh"}
"""With the button on 5: 9 has the small blind, 2 the big one, 5 is first to act before the flop."""

FOUR = {"9": "As Ah Ad Ac", "2": "Ks Kh Kd Kc", "5": "Qs Qh Qd Qc"}
BETWEEN = ("flop-deal", "turn-deal", "river-deal")


def table(hands: Mapping[str, str] = HANDS, **of_the_table: object) -> Json:
    rounds = zip(*(cards.split() for cards in hands.values()), strict=True)
    setup: Json = {
        "game": "holdem" if hands is HANDS else "omaha",
        "seats": {"2": 500, "5": 60, "9": 500},
        "button": 5,
    }
    deck = " ".join(card for cards in rounds for card in cards)
    return {"table": {**setup, **of_the_table}, "deck": deck, "seed": 3}


def scenario(*acts: Json, hands: Mapping[str, str] = HANDS, **of_the_table: object) -> Json:
    return {**table(hands, **of_the_table), "acts": list(acts)}


def played(*acts: Json, hands: Mapping[str, str] = HANDS, **of_the_table: object) -> Json:
    return played_directly(scenario(*acts, hands=hands, **of_the_table))


def until(phase: str) -> Json:
    return {"do": "play", "until": phase}


def bet(seat: int, action: str, amount: int | None = None) -> Json:
    return {"do": "bet", "seat": seat, "action": action} | ({} if amount is None else {"amount": amount})


def throw(cards: str, to: str = "muck") -> Json:
    return {"do": "move", "cards": cards, "to": to}


def key(name: str, seat: int | None = None) -> Json:
    return {"do": "key", "key": name} | ({} if seat is None else {"seat": seat})


def codes(said: Json, of: str = "prompts") -> list[str]:
    return [one["code"] for one in said[of]]


def refusals(said: Json) -> list[str]:
    return [refused["why"] for refused in said["refused"]]


def sound(said: Json) -> None:
    """The hand is over, no card is lost, and the ledger is the table's."""
    assert (said["outcome"], cards_lost(said)) == ("completed", [])
    assert "ledger-differs" not in codes(said, "alerts")


# Out of turn


def test_an_act_out_of_turn_is_refused_told_to_the_dealer_and_not_carried_out_later() -> None:
    said = played(until("preflop"), bet(2, "raise", 40), {"do": "check_around"}, until("done"))
    sound(said)
    assert said["refused"] == [
        {"act": 1, "what": "bet-or-raise of seat 2", "why": "seat 5 is to act, not seat 2"}
    ]
    asked = [(one["code"], one["seat"], one["text"]) for one in said["prompts"]]
    at = codes(said).index("act-first")
    assert [one[:2] for one in asked[at : at + 3]] == [("act-first", 5), ("act-call", 9), ("act-check", 2)]
    assert asked[at][2] == "Seat 5 first: seat 2 waits"
    assert [pot["amount"] for pot in said["pots"]] == [30]


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("check", "seat 5 cannot check: 10 to call"),
        ("bet", "seat 5 faces a bet: it may raise"),
        ("call", None),
        ("raise", None),
    ],
)
def test_the_seat_in_turn_is_held_to_its_price_while_another_waits(action: str, why: str | None) -> None:
    amount = 40 if action in ("bet", "raise") else None
    said = played(until("preflop"), bet(9, "call"), bet(5, action, amount))
    assert refusals(said) == ["seat 5 is to act, not seat 9", *([why] if why else [])]


def test_nobody_faces_a_bet_on_a_street_that_was_not_bet_whoever_waits() -> None:
    said = played(until("flop"), bet(5, "check"), bet(9, "call"), bet(9, "raise", 20), bet(9, "bet", 20))
    assert refusals(said) == [
        "seat 9 is to act, not seat 5",
        "seat 9 has nothing to call: it may check",
        "seat 9 faces no bet: it may bet",
    ]


# In the muck

CASES: dict[str, tuple[list[Json], Json]] = {
    "in turn": ([until("preflop"), throw("Qs Qh")], {}),
    "in turn, said before": ([until("preflop"), bet(5, "fold")], {}),
    "in turn, said after": ([until("preflop"), throw("Qs Qh"), bet(5, "fold")], {}),
    "in turn, said after by the key muck": ([until("preflop"), throw("Qs Qh"), key("muck", 5)], {}),
    "in turn, card by card": ([until("preflop"), throw("Qs"), throw("Qh")], {}),
    "in turn, said between": ([until("preflop"), throw("Qs"), bet(5, "fold")], {}),
    "out of turn": ([until("preflop"), throw("Ks Kh")], {"alerts": ["fold-out-of-turn"]}),
    "out of turn, told at the keypad too": (
        [until("preflop"), throw("Ks Kh"), bet(2, "fold")],
        {"alerts": ["fold-out-of-turn"]},
    ),
    "a part, and the next act": ([until("preflop"), throw("Ks"), bet(5, "call")], {}),
    "all-in": ([until("preflop"), bet(5, "all-in"), bet(9, "call"), throw("Qs Qh")], {"back": True}),
    "a part of an all-in": (
        [until("preflop"), bet(5, "all-in"), throw("Qs"), bet(9, "call")],
        {"back": True},
    ),
    "after a hand of four on the flop": (
        [until("flop-deal"), {"do": "draw", "to": "board", "count": 4, "face": "up"}, throw("Ks Kh")],
        {"rulings": ["overfull-flop"]},
    ),
    "beside an early flop": (
        [until("preflop"), {"do": "draw", "to": "board", "count": 3, "face": "up"}, throw("Qs Qh")],
        {"rulings": ["premature-flop"]},
    ),
    "beside an early turn": (
        [until("flop"), bet(9, "check"), {"do": "draw", "to": "board", "face": "up"}, throw("Ks Kh")],
        {"rulings": ["premature-turn"]},
    ),
    "beside an early river": (
        [until("turn"), bet(9, "check"), {"do": "draw", "to": "board", "face": "up"}, throw("Ks Kh")],
        {"rulings": ["premature-river"]},
    ),
    "beside a card too many": (
        [until("preflop"), {"do": "draw", "to": "seat:9"}, throw("Qs Qh")],
        {"rulings": ["extra-card-first-player"]},
    ),
    "the part of a hand with a card too many": (
        [until("preflop"), {"do": "draw", "to": "seat:9"}, throw("As Ah")],
        {"rulings": ["extra-card-first-player"]},
    ),
    "beside an exposed card": (
        [until("preflop"), {"do": "expose", "seat": 2, "card": 1, "by": "dealer"}, throw("Qs Qh")],
        {"rulings": ["exposed-later-hole-card"]},
    ),
    "of who waits for a replacement": (
        [until("preflop"), {"do": "expose", "seat": 2, "card": 1, "by": "dealer"}, throw("Kh")],
        {"rulings": ["exposed-later-hole-card"], "back": True},
    ),
    "of who has his replacement": (
        [
            until("deal"),
            *({"do": "draw", "to": f"seat:{seat}", "face": face} for seat, face in ((9, "down"), (2, "up"))),
            *({"do": "draw", "to": f"seat:{seat}"} for seat in (5, 9, 2, 5)),
            throw("Qs Qh"),
        ],
        {"rulings": ["exposed-later-hole-card"]},
    ),
    "in the deal": (
        [until("deal"), *({"do": "draw", "to": f"seat:{seat}"} for seat in (9, 2, 5, 9)), throw("As Ah")],
        {},
    ),
    "in the deal, one card": ([until("deal"), {"do": "draw", "to": "seat:9"}, throw("As")], {"back": True}),
    "on the river, when all have acted but one": (
        [until("river"), bet(9, "check"), bet(2, "check"), throw("As"), throw("Ah")],
        {"alerts": ["fold-out-of-turn"]},
    ),
    "shown in part": (
        [until("showdown"), throw("As"), {"do": "expose", "seat": 9, "card": 1, "by": "player"}],
        {},
    ),
    **{f"in {phase}": ([until(phase), throw("Ks Kh")], {}) for phase in BETWEEN},
    **{f"a part in {phase}": ([until(phase), throw("Ks")], {}) for phase in BETWEEN},
}
"""What happens, and what it leads to besides a fold: alerts, rulings, cards brought back instead."""

BROUGHT_BACK: tuple[Json, ...] = (
    {"do": "comply"},
    {"do": "floor", "decision": "accept", "reason": "its cards are known"},
)
"""The dealer says that the hand did not fold, and the floor has its cards brought back."""


def acts_of(what: str) -> list[Json]:
    """A case played to the end of its hand."""
    acts, also = CASES[what]
    return [*acts, *(BROUGHT_BACK if also.get("back") else ()), until("done")]


@pytest.mark.parametrize("what", CASES)
def test_cards_of_a_live_hand_in_the_muck_are_a_fold_or_a_question_and_the_hand_comes_to_its_end(
    what: str,
) -> None:
    also = CASES[what][1]
    said = played(*acts_of(what))
    sound(said)
    called, killed = (["floor-decides"], ["hand-killed-by-dealer"]) if also.get("back") else ([], [])
    assert codes(said, "alerts") == also.get("alerts", []) + called
    assert [ruling["rule"] for ruling in said["rulings"]] == also.get("rulings", []) + killed
    assert said["refused"] == []
    gone = [seat for seat, cards in said["hole"].items() if not cards]
    assert len(gone) == (0 if also.get("back") else 1)
    assert ("hand-back" in codes(said)) == also.get("back", False)
    assert sum(said["stacks"].values()) == 1060


@pytest.mark.parametrize("what", CASES)
def test_however_late_the_antennas_are_the_report_is_the_same(what: str) -> None:
    assert list(differing(scenario_of(scenario(*acts_of(what))))) == []


@pytest.mark.parametrize("what", list(CASES)[::5])
def test_over_the_wire_the_report_is_the_same(what: str) -> None:
    made = scenario_of(scenario(*acts_of(what)))
    assert reported(made, WireBench(made, lateness=5)) == reported(made, DirectBench(made))


def test_in_omaha_four_cards_are_a_hand_and_three_are_a_part_of_one() -> None:
    said = played(until("preflop"), throw("Qs Qh Qd Qc"), throw("Ks Kh Kd"), until("done"), hands=FOUR)
    sound(said)
    assert (codes(said, "alerts"), said["hole"]["5"], said["hole"]["2"]) == ([], [], [])
    assert "folded" in codes(said)


def test_comply_answers_the_question_and_stops_at_ordinary_play() -> None:
    said = played(
        until("flop-deal"), throw("Ks"), {"do": "draw", "to": "board", "face": "up"}, {"do": "comply"}
    )
    assert codes(said)[-2:] == ["folded", "deal-flop"]
    assert (said["hole"]["2"], said["muck"], said["phase"]) == ([], ["Ks", "Kh"], "flop-deal")


def test_a_hand_that_is_all_in_is_brought_back_and_wins_what_it_would_have_won() -> None:
    acts = [until("preflop"), bet(5, "all-in"), bet(9, "call"), bet(2, "call")]
    clean = played(*acts, until("done"))
    said = played(*acts, throw("Qs Qh"), *BROUGHT_BACK, until("done"))
    assert [ruling["rule"] for ruling in said["rulings"]] == ["hand-killed-by-dealer"]
    assert codes(said, "alerts") == ["floor-decides"]
    assert [phase for phase in dict.fromkeys(said["phases"]) if phase != "halted"] == clean["phases"]
    aside: Json = {"prompts": [], "hole": {}, "rulings": [], "alerts": [], "phases": []}
    assert {**said, **aside} == {**clean, **aside}
    assert {seat: sorted(cards) for seat, cards in said["hole"].items()} == {
        seat: sorted(cards) for seat, cards in clean["hole"].items()
    }


def test_a_hand_folded_on_the_side_leaves_the_main_pot_and_the_side_pot_to_the_others() -> None:
    acts = [until("preflop"), bet(5, "all-in"), bet(9, "raise", 200), bet(2, "call")]
    said = played(*acts, until("flop"), throw("As Ah"), until("done"))
    sound(said)
    assert [pot["amount"] for pot in said["pots"]] == [180, 280]
    assert list(said["pots"][1]["winners"]) == ["2"]


def test_heads_up_a_question_whose_answer_leaves_one_hand_ends_the_hand_without_a_street() -> None:
    heads_up = {"9": "As Ah", "5": "Qs Qh"}
    file = {**table(heads_up), "acts": [until("flop-deal"), throw("As Ah"), until("done")]}
    file["table"] |= {"game": "holdem", "seats": {"5": 500, "9": 500}}
    said = played_directly(file)
    sound(said)
    assert (said["phases"][-2:], said["board"], said["pots"][0]["winners"]) == (
        ["flop-deal", "done"],
        [],
        {"5": 20},
    )


def test_at_a_table_without_antennas_the_keys_alone_tell() -> None:
    said = played(until("preflop"), key("muck", 5), bet(9, "fold"), until("done"), zones=False)
    sound(said)
    assert (len(said["muck"]), said["refused"]) == (4, [])


def test_no_card_in_the_muck_is_named_in_a_prompt_an_alert_or_a_refusal() -> None:
    said = played(until("preflop"), throw("Ks Kh"), throw("As"), bet(5, "call"), bet(9, "call"))
    assert refusals(said) == ["cards of seat 9 lie in the muck: yes or no, did it fold?"]
    told = json.dumps([said["prompts"], said["alerts"], said["refused"]])
    assert not [card for card in ("Ks", "Kh", "As", "Ah") if card in told]
