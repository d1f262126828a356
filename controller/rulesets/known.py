"""Every irregularity that the table tells apart: what it is about, and what a rule may say of it.

A ruleset says what is done about each (`book`); what stands here is the table's own doing, and no ruleset
changes it (docs/rules.md, "Told apart").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Window = Literal["deal", "button", "board", "pot", "any"]
Takes = Literal["exposed", "extra", "card", "board", "burnt", "early", "nothing"]
About = Literal["deal", "board", "claim", "deck"]
Betting = Literal["open", "over", "void"]

_EXTRA: Final = frozenset({"extra-unseen", "extra-seen"})
_DEAL: Final = frozenset[Window]({"deal"})
_BOARD: Final = frozenset[Window]({"board"})
_LATE: Final = frozenset[Window]({"pot"})
_FLOP: Final = 3
_TURN: Final = 2
_RIVER: Final = 1


@dataclass(frozen=True)
class Irregularity:
    """What the table tells apart by itself.

    `takes` and `windows` are what a rule may say of it. `cases` are what else may be the case when it is
    found; `about` is what its remedies put right. The rest is what the proof of a remedy begins with
    (`proof`): `several` is whether its cards may be of more than one seat, `streets` how many streets are
    still to be dealt once its cards are off the board, `betting` whether the round before them is open or
    over; `void`: a street lies on which nobody may act.
    """

    about: About
    takes: frozenset[Takes]
    windows: frozenset[Window]
    cases: frozenset[str] = frozenset()
    several: bool = False
    streets: int = 0
    betting: Betting = "over"


@dataclass(frozen=True)
class Special:
    """What a case says of the cards.

    `also` are out of play as well. `owner_has_all` is whether the hand whose card was exposed may be whole
    all the same. `streets` stands before the irregularity's, `exactly` is how many cards are taken, where
    that is sure, and `seen` whether antennas see board and burn tray.
    """

    also: Takes = "nothing"
    owner_has_all: bool = False
    streets: int | None = None
    exactly: int | None = None
    seen: bool = False


NO_CASE: Final = Special()
CASES: Final[Mapping[str, Special]] = {
    "extra-unseen": Special(also="extra"),
    "extra-seen": Special(also="extra", owner_has_all=True),
    "exposed-waits": Special(also="exposed"),
    "four-cards": Special(exactly=4, seen=True),
    "face-down": NO_CASE,
    "flop-betting": Special(streets=_TURN),
}
"""Every case that an irregularity may be found in."""

_EXPOSED: Final = Irregularity("deal", frozenset({"exposed"}), _DEAL, _EXTRA)
_EXPOSED_EARLY: Final = Irregularity("deal", frozenset({"exposed"}), _DEAL, frozenset({"extra-unseen"}))
_EXTRA_AT_A_SEAT: Final = Irregularity("deal", frozenset({"extra"}), _DEAL, frozenset({"exposed-waits"}))


def _board(takes: Takes, streets: int, *cases: str, betting: Betting = "over") -> Irregularity:
    return Irregularity(
        "board", frozenset({takes}), _BOARD, frozenset(cases), streets=streets, betting=betting
    )


KNOWN: Final[Mapping[str, Irregularity]] = {
    "exposed-first-hole-card": _EXPOSED_EARLY,
    "exposed-second-hole-card": _EXPOSED_EARLY,
    "exposed-later-hole-card": _EXPOSED,
    "exposed-two-or-more": Irregularity("deal", frozenset({"exposed"}), _DEAL, _EXTRA, several=True),
    "extra-card-first-player": _EXTRA_AT_A_SEAT,
    "extra-card-other-seat": _EXTRA_AT_A_SEAT,
    "extra-cards-two-plus": Irregularity(
        "deal", frozenset({"extra"}), _DEAL, frozenset({"exposed-waits"}), several=True
    ),
    "overfull-flop": _board("board", _FLOP, "four-cards", betting="void"),
    "premature-flop": _board("board", _FLOP, betting="open"),
    "flop-no-burn": _board("board", _FLOP, "face-down"),
    "turn-no-burn": _board("early", _TURN),
    "river-no-burn": _board("early", _RIVER),
    "premature-turn": _board("early", _TURN, betting="open"),
    "premature-river": _board("early", _RIVER, "flop-betting", betting="open"),
    "board-not-declared": Irregularity("claim", frozenset({"nothing"}), _LATE),
}
"""Every irregularity that the table tells apart, by its id."""
