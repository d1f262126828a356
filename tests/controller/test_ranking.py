"""What the ranking promises: the best five under each game's rules, their order, their names."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from pokerkit import OmahaHoldemHand, StandardHighHand

from controller.cards import RANKS, SUITS
from controller.games import Game, hole_count
from controller.ranking import Strength, groups, rank

DECK = [r + s for r in RANKS for s in SUITS]

COUNTS = {
    "high card": 1_302_540,
    "pair": 1_098_240,
    "two pair": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 40,
}

NAMED = [
    ("2s 7d", "9h Jc Ks As 3d", "high card, ace", "As Ks Jc 9h 7d"),
    ("4s 4d", "9h Jc Ks As 3d", "pair, fours", "4s 4d As Ks Jc"),
    ("As Ad", "3h 3c Ks Js 9d", "two pair, aces and threes", "As Ad 3h 3c Ks"),
    ("6s 6d", "6h 3c Ks Js 9d", "three of a kind, sixes", "6s 6h 6d Ks Js"),
    ("Ts 9d", "8h 7c 6s Ks Kd", "straight, ten high", "Ts 9d 8h 7c 6s"),
    ("As 2d", "3h 4c 5s Ks Kd", "straight, five high", "5s 4c 3h 2d As"),
    ("Qs 2s", "3s 4s 7s Kd Kc", "flush, queen high", "Qs 7s 4s 3s 2s"),
    ("Ks Kd", "2h 2c Kh Js 9d", "full house, kings full of twos", "Ks Kh Kd 2h 2c"),
    ("Js Jd", "Jh Jc Qh Ks 9d", "four of a kind, jacks", "Js Jh Jd Jc Ks"),
    ("9s 8s", "7s 6s 5s Ad Ac", "straight flush, nine high", "9s 8s 7s 6s 5s"),
    ("As Ks", "Qs Js Ts 2d 2c", "straight flush, ace high", "As Ks Qs Js Ts"),
    ("As 2s", "3s 4s 5s Kd Kc", "straight flush, five high", "5s 4s 3s 2s As"),
]


@pytest.mark.parametrize(("hole", "board", "text", "five"), NAMED)
def test_a_hand_is_named_by_its_best_five_cards(hole: str, board: str, text: str, five: str) -> None:
    strength = rank(Game.HOLDEM, hole.split(), board.split())
    assert (strength.text, " ".join(strength.five)) == (text, five)


def test_the_kinds_of_hands_rank_in_their_order() -> None:
    kinds = [rank(Game.HOLDEM, hole.split(), board.split()) for hole, board, _, _ in NAMED[:-1]]
    straight_to_ten, wheel = kinds[4:6]
    assert wheel < straight_to_ten
    kinds[4:6] = wheel, straight_to_ten
    assert kinds == sorted(kinds)
    assert len(set(kinds)) == len(kinds)


def test_holdem_may_play_the_board_alone() -> None:
    board = ["As", "Ks", "Qs", "Js", "Ts"]
    assert rank(Game.HOLDEM, ["2d", "3d"], board) == rank(Game.HOLDEM, [], board)


def test_omaha_plays_exactly_two_hole_cards_with_exactly_three_of_the_board() -> None:
    royal_board = ["As", "Ks", "Qs", "Js", "Ts"]
    assert rank(Game.OMAHA, ["2d", "3c", "4h", "6c"], royal_board).text == "high card, ace"
    one_spade = rank(Game.OMAHA, ["As", "Kd", "7c", "2h"], ["Qs", "9s", "6s", "3s", "2d"])
    assert one_spade.text == "pair, twos"
    four_aces = rank(Game.OMAHA, ["As", "Ad", "Ah", "Ac"], ["Kd", "9s", "7s", "3s", "2d"])
    assert four_aces.text == "pair, aces"


def test_suits_do_not_matter_between_equal_hands() -> None:
    board = ["Ah", "Kd", "9c", "5s", "2h"]
    assert rank(Game.HOLDEM, ["Qs", "Js"], board) == rank(Game.HOLDEM, ["Qd", "Jc"], board)


def test_seats_are_grouped_by_strength_the_strongest_first() -> None:
    board = ["Ah", "Kd", "9c", "5s", "2h"]
    holes = {1: "Qs Js", 4: "As 3d", 6: "Qd Jc", 9: "9s 9d"}
    strengths = {seat: rank(Game.HOLDEM, hole.split(), board) for seat, hole in holes.items()}
    assert groups(strengths) == [{9}, {4}, {1, 6}]
    assert groups({}) == []


def best_of_sixty(hole: list[str], board: list[str]) -> Strength:
    """The best of all five-card hands that two of four and three of five make, one by one."""
    choices = product(combinations(hole, 2), combinations(board, 3))
    hands = [rank(Game.HOLDEM, (), (*two, *three)) for two, three in choices]
    assert len(hands) == 60
    return max(hands)


def compare_omaha(chance: random.Random, deals: int) -> None:
    for _ in range(deals):
        cards = chance.sample(DECK, 9)
        hole, board = cards[:4], cards[4:]
        best = best_of_sixty(hole, board)
        ours = rank(Game.OMAHA, hole, board)
        assert (ours, ours.text) == (best, best.text), cards
        assert len(set(ours.five) & set(hole)) == 2


def test_the_best_omaha_hand_is_the_best_of_all_sixty() -> None:
    compare_omaha(random.Random(60), 300)


@pytest.mark.soak
def test_the_best_omaha_hand_is_the_best_of_all_sixty_in_many_deals() -> None:
    compare_omaha(random.Random(os.environ.get("CUTCARD_SEED") or "1"), 20_000)


@pytest.mark.soak
def test_all_2598960_five_card_hands_are_of_their_kinds_as_often_as_counted() -> None:
    kinds = Counter(rank(Game.HOLDEM, (), five).text.split(",")[0] for five in combinations(DECK, 5))
    assert kinds == COUNTS


@pytest.mark.parametrize(
    ("game", "hole", "board", "why"),
    [
        (Game.HOLDEM, "As", "Kd 9c 5s 2h 3h", "holdem is played with 2 hole cards, not 1"),
        (Game.OMAHA, "As Ks", "Kd 9c 5s 2h 3h", "omaha is played with 4 hole cards, not 2"),
        (Game.OMAHA, "", "Kd 9c 5s 2h 3h", "omaha is played with 4 hole cards, not 0"),
        (Game.HOLDEM, "", "Kd 9c 5s", "holdem is played with 2 hole cards, not 0"),
        (Game.HOLDEM, "As Ks", "Kd 9c", "a board of 2 cards"),
        (Game.HOLDEM, "As 1s", "Kd 9c 5s", "no card of the deck: 1s"),
        (Game.HOLDEM, "As Kd", "Kd 9c 5s", "a card twice"),
    ],
)
def test_what_is_no_hand_is_refused(game: Game, hole: str, board: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        rank(game, hole.split(), board.split())


@pytest.mark.parametrize(
    ("game", "library"), [(Game.HOLDEM, StandardHighHand), (Game.OMAHA, OmahaHoldemHand)]
)
def test_the_best_five_and_the_order_are_pokerkits(
    game: Game, library: type[StandardHighHand] | type[OmahaHoldemHand]
) -> None:
    chance = random.Random(52)
    for _ in range(150):
        cards = chance.sample(DECK, 5 + 2 * hole_count(game))
        board, one, other = cards[:5], cards[5 : 5 + hole_count(game)], cards[5 + hole_count(game) :]
        ours = [rank(game, hole, board) for hole in (one, other)]
        theirs = [library.from_game("".join(hole), "".join(board)) for hole in (one, other)]
        assert (ours[0] < ours[1], ours[0] == ours[1]) == (theirs[0] < theirs[1], theirs[0] == theirs[1])
        assert [strength.index for strength in ours] == [hand.entry.index for hand in theirs]
        for strength, hand in zip(ours, theirs, strict=True):
            label = strength.text.split(",")[0].replace("pair", "one pair").replace("two one", "two")
            assert label == hand.entry.label.value.lower()


def test_all_7462_kinds_of_five_cards_are_told_apart() -> None:
    kinds = set(combinations_with_replacement(RANKS, 5)) - {(r,) * 5 for r in RANKS}
    hands = [[r + s for r, s in zip(kind, "shdcs", strict=True)] for kind in kinds]
    hands += [[r + "s" for r in kind] for kind in combinations(RANKS, 5)]
    assert len({rank(Game.HOLDEM, [], hand) for hand in hands}) == len(hands) == 7462
