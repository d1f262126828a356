"""How many samples of everything: a whole run takes about two minutes, a quick one a few seconds."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Plan:
    """How much is measured. Times are in seconds."""

    reaction_hands: int
    gate_cards: int
    fourth_cards: int
    pause_s: float
    """Before every event whose reaction is measured: a table's process sleeps between two cards."""
    commits: int
    batches: int
    loops: int
    """Calls in a batch, where one call is too short for the clock."""
    direct_hands: int
    wire_hands: int
    starts: int
    replugs: int
    late_replugs: int
    journals: tuple[int, ...]
    """Entries of the journals that are read."""


FULL: Final = Plan(
    reaction_hands=25,
    gate_cards=40,
    fourth_cards=60,
    pause_s=0.004,
    commits=300,
    batches=200,
    loops=200,
    direct_hands=40,
    wire_hands=8,
    starts=5,
    replugs=25,
    late_replugs=5,
    journals=(1_000, 10_000, 100_000),
)
QUICK: Final = Plan(
    reaction_hands=1,
    gate_cards=1,
    fourth_cards=1,
    pause_s=0.0,
    commits=5,
    batches=3,
    loops=5,
    direct_hands=1,
    wire_hands=1,
    starts=1,
    replugs=1,
    late_replugs=1,
    journals=(200,),
)
