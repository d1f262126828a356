"""How a table is set up: the game, the stakes and the seats, as the core is told before its first event."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.betting import Structure
from controller.events import DEVICES, DeviceName
from controller.games import Game
from controller.rulesets.book import Rulebook


@dataclass(frozen=True)
class TableSetup:
    """One table. Chips are whole numbers; seats are 1 to 11, clockwise from the dealer's left.

    `min_bet` is the least bet of a round without fixed limits, `small_bet` and `big_bet` are those with.
    """

    game: Game
    structure: Structure
    stacks: Mapping[int, int]
    button: int
    blinds: tuple[int, ...]
    min_bet: int
    small_bet: int
    big_bet: int
    rules: Rulebook
    antes: Mapping[int, int] = field(default_factory=dict)
    posts: Mapping[int, int] = field(default_factory=dict)
    devices: frozenset[DeviceName] = frozenset(DEVICES)
