"""Hands with mistakes, drawn from a seed, played on the table and held against a second reading of the rules.

`make soak` plays many; CUTCARD_SEED=... repeats them.
"""

import os
from collections import Counter

import pytest

from tests.e2e.tables import played_directly
from tests.rulings.compare import differences, unsound
from tests.rulings.random_hands import drawn_hand

CHUNKS, EACH = 10, 12
MANY, PARTS = 10_000, 4

RULINGS = (
    *("exposed-first-hole-card", "exposed-later-hole-card", "exposed-two-or-more"),
    *("extra-card-first-player", "extra-card-other-seat", "extra-cards-two-plus"),
    *("overfull-flop", "premature-flop", "premature-turn", "premature-river", "board-not-declared"),
)


def faults(seed: str) -> list[str]:
    """What is wrong with the report of the hand of a seed."""
    drawn = drawn_hand(seed)
    report = played_directly(drawn.file)
    return unsound(report, drawn.file) + differences(report, drawn.expected)


def test_the_drawn_hands_need_every_ruling_and_end_in_every_way() -> None:
    rulings, outcomes, seats = Counter[str](), Counter[str](), set[int]()
    for number in range(400):
        drawn = drawn_hand(f"cover {number}")
        rulings.update(ruling.rule for ruling in drawn.expected.rulings)
        outcomes[drawn.expected.outcome] += 1
        seats.add(len(drawn.file["table"]["seats"]))
    assert set(rulings) == set(RULINGS)
    assert min(rulings.values()) > 5, rulings
    assert set(outcomes) == {"completed", "open", "misdeal", "halted"}
    assert seats == set(range(2, 10))


def test_the_same_seed_draws_the_same_hand() -> None:
    assert drawn_hand("twice") == drawn_hand("twice")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_drawn_mistakes_are_ruled_on_and_put_right_as_the_rule_book_has_it(chunk: int) -> None:
    for number in range(EACH):
        seed = f"{chunk}.{number}"
        assert faults(seed) == [], (seed, drawn_hand(seed).file)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_drawn_hands_are_ruled_on_as_the_rule_book_has_it(part: int) -> None:
    run = os.environ.get("CUTCARD_SEED") or "1"
    for number in range(part, MANY, PARTS):
        seed = f"{run} rulings {number}"
        assert faults(seed) == [], (seed, drawn_hand(seed).file)
