"""From every state that a table can come to, the floor leads it to a new hand of 52 cards.

`make soak` plays many; CUTCARD_SEED=... repeats them.
"""

import os
from collections import Counter

import pytest

from tests.floor.tables import play

TABLES = 300
SOAK_TABLES = 20_000
PART = 50


@pytest.mark.parametrize("part", range(TABLES // PART))
def test_the_floor_leads_out_of_whatever_happened(part: int) -> None:
    decided: Counter[str] = Counter()
    for number in range(PART * part, PART * (part + 1)):
        table = play(f"{number}")
        decided.update(ruled.decided for ruled in table.decided)
    assert min(decided[way] for way in ("stand", "void", "by-hand", "pull-deck")) > PART // 2


@pytest.mark.soak
def test_the_floor_leads_out_of_thousands_of_tables() -> None:
    seed = os.environ.get("CUTCARD_SEED", "0")
    for number in range(SOAK_TABLES):
        play(f"{seed}/{number}")
