"""Random play over all irregularities, rulesets, games, machines and floors: what must hold holds, and from
everywhere the floor leads the table to a new hand of 52 cards.

`make soak` plays 50,000 hands; CUTCARD_SEED=... repeats them.
"""

import os
from collections import Counter

import pytest

from tests.anything.evening import Evening, play

TABLES, PART = 64, 16
SOAK_HANDS, SOAK_PARTS = 50_000, 50


def seed() -> str:
    """Of this run; `make soak` prints it in its first line."""
    return os.environ.get("CUTCARD_SEED") or "0"


@pytest.mark.parametrize("part", range(TABLES // PART))
def test_whatever_goes_wrong_all_that_must_hold_holds_and_the_floor_leads_out(part: int) -> None:
    decided, rulings = Counter[str](), Counter[str]()
    for number in range(PART * part, PART * (part + 1)):
        evening = play(f"any/{number}")
        decided.update(ruled.decided for ruled in evening.decided)
        rulings.update(evening.rulings)
    assert len(rulings) > 7, rulings
    assert min(decided[way] for way in ("stand", "void", "by-hand", "pull-deck")) > 0


def test_the_same_seed_is_the_same_evening() -> None:
    def told(evening: Evening) -> list[str]:
        return [repr(notice) for notice in evening.bench.notices]

    assert told(play("twice")) == told(play("twice"))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
def test_fifty_thousand_hands_in_which_anything_happens(part: int) -> None:
    hands, number = 0, 0
    while hands < SOAK_HANDS // SOAK_PARTS:
        hands += play(f"{seed()}/{part}/{number}").hands
        number += 1
