"""How a table is set up: the game, the stakes and the seats, as the core is told before its first event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.betting import RakeRow, Structure
from controller.events import DEVICES, DeviceName
from controller.games import Game
from controller.rulesets.book import ButtonRule, Rulebook

AnteBy = Literal["all", "button", "big-blind"]

Follow = Literal["tracked", "dealer-key"]
Special = Literal["kill", "bomb-pot", "run-it-twice"]


@dataclass(frozen=True)
class TableSetup:
    """One table. Chips are whole numbers; seats are 1 to 11, clockwise from the dealer's left.

    `button` is the first button: a seat, drawn for by one card each, or (None) with the first of `stacks`,
    who sat down first. `ante` is paid by everybody, by the button or by the big blind; `antes` by seat stand
    in its place. `posts` are live posts of the first hand, `rake` is what the house takes of the pots.
    `follow` is how betting is followed: by every act, or by the dealer's key alone; chips are then not known.
    `special` is what is played there and not followed.

    `min_bet` is the least bet of a round without fixed limits, `small_bet` and `big_bet` are those with.
    `decks` is 1, or 2 that alternate hand by hand. With `require_sign_in` no hand begins before a dealer has
    signed in.
    """

    game: Game
    structure: Structure
    stacks: Mapping[int, int]
    button: int | Literal["draw"] | None
    blinds: tuple[int, ...]
    min_bet: int
    small_bet: int
    big_bet: int
    rules: Rulebook
    button_rule: ButtonRule = "moving"
    ante: int = 0
    ante_by: AnteBy = "all"
    antes: Mapping[int, int] = field(default_factory=dict)
    posts: Mapping[int, int] = field(default_factory=dict)
    rake: tuple[RakeRow, ...] = ()
    follow: Follow = "tracked"
    special: Special | None = None
    devices: frozenset[DeviceName] = frozenset(DEVICES)
    decks: int = 1
    require_sign_in: bool = False
