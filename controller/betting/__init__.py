"""One hand's betting in whole chips: turns, prices, raises, pots, who wins how much.

Pure: no input or output, no clock, no chance. Cards are no matter of this package; it is told the order of
the hands and splits the pots by it.
"""

from controller.betting.forced import Forced, big_blind_at, forced_bets
from controller.betting.hand import Betting
from controller.betting.pots import Pot, PotResult, Settlement
from controller.betting.rake import RakeRow, rake
from controller.betting.values import (
    Acted,
    Action,
    Deed,
    IllegalAct,
    NoRaise,
    Options,
    Stakes,
    Street,
    Structure,
)

__all__ = [
    "Acted",
    "Action",
    "Betting",
    "Deed",
    "Forced",
    "IllegalAct",
    "NoRaise",
    "Options",
    "Pot",
    "PotResult",
    "RakeRow",
    "Settlement",
    "Stakes",
    "Street",
    "Structure",
    "big_blind_at",
    "forced_bets",
    "rake",
]
