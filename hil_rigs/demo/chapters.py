"""The hands of the demo: what the players do in them, and the one mistake that the dealer makes in each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed
from hil_rigs.virtual.felt import UP
from hil_rigs.virtual.table import VirtualTable

SEED: Final = 11
SEATS: Final = {2: 1000, 5: 1000, 8: 1000}
BUTTON: Final = 8
BLINDS: Final = (5, 10)

Asked = tuple[str, Prompt]
"""A phase, and what the dealer is asked for in it."""


@dataclass(frozen=True)
class Chapter:
    """One hand. `players` is what a seat does in a phase when it is asked so; everybody else checks or calls.

    `at` is when the dealer makes the `mistake`. Phases without words in `phases` are played and not told.
    """

    title: str
    at: Asked
    mistake: Callable[[VirtualTable], Deed]
    phases: Mapping[str, str]
    players: Mapping[tuple[str, int, Prompt], tuple[str, int]] = field(default_factory=dict)


def _four_cards(table: VirtualTable) -> Deed:
    table.hands.draw("board", count=4, face=UP)
    return Deed("mistake", 0, 4, "deals the flop, and by mistake a fourth card with it")


def _early_turn(table: VirtualTable) -> Deed:
    table.hands.draw("burn")
    table.hands.draw("board", face=UP)
    return Deed("mistake", 0, 2, "overlooks that nobody has acted yet: burns a card and turns the next")


CHAPTERS: Final = (
    Chapter(
        title="Four cards on the flop",
        at=("flop-deal", Prompt.DEAL_FLOP),
        mistake=_four_cards,
        phases={
            "shuffle": "The deck goes through the shuffler, which proves that it is 52 different cards",
            "deal": "The shoe reads every card as it leaves; the controller tells nobody which it is",
            "preflop": "Betting before the flop: the ring lights the seat whose turn it is",
            "flop-deal": "The round is complete and its burn is made: the flop",
            "flop": "Betting on the flop that counts",
            "done": "The hand is over, and no card of the players was shown",
        },
        players={
            ("preflop", 8, Prompt.ACT_CALL): ("raise", 30),
            ("preflop", 2, Prompt.ACT_CALL): ("fold", 0),
            ("flop", 5, Prompt.ACT_CHECK): ("bet", 40),
            ("flop", 8, Prompt.ACT_CALL): ("fold", 0),
        },
    ),
    Chapter(
        title="The turn comes too early",
        at=("flop", Prompt.ACT_CHECK),
        mistake=_early_turn,
        phases={
            "flop-deal": "Shuffled, dealt and bet on as before: the flop",
            "flop": "Betting on the flop",
            "turn-deal": "One more card is burned, and what would have been the fifth card is the turn",
            "turn": "Betting on the turn",
            "river-deal": "The early card may still come: it is shuffled into the stub before the river",
            "river": "Betting on the river",
            "showdown": "Hands are shown; only now does the controller tell anybody what they are",
            "done": "The hand is over",
        },
        players={
            ("flop", 5, Prompt.ACT_CHECK): ("bet", 20),
            ("flop", 8, Prompt.ACT_CALL): ("fold", 0),
        },
    ),
)
