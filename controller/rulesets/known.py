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

_EXTRA: Final = frozenset({"extra-unseen", "extra-seen"})
_DEAL: Final = frozenset[Window]({"deal"})
_BOARD: Final = frozenset[Window]({"board"})
_LATE: Final = frozenset[Window]({"pot"})


@dataclass(frozen=True)
class Irregularity:
    """What the table tells apart by itself.

    `takes` and `windows` are what a rule may say of it. `cases` are what else may be the case when it is
    found; `about` is what its remedies put right.
    """

    about: About
    takes: frozenset[Takes]
    windows: frozenset[Window]
    cases: frozenset[str] = frozenset()


def _one(about: About, takes: Takes, windows: frozenset[Window], *cases: str) -> Irregularity:
    return Irregularity(about, frozenset({takes}), windows, frozenset(cases))


_EXPOSED: Final = _one("deal", "exposed", _DEAL, *_EXTRA)
_EXTRA_AT_A_SEAT: Final = _one("deal", "extra", _DEAL, "exposed-waits")
_WHOLE_BOARD: Final = _one("board", "board", _BOARD)
_ONE_CARD: Final = _one("board", "early", _BOARD)

KNOWN: Final[Mapping[str, Irregularity]] = {
    "exposed-first-hole-card": _EXPOSED,
    "exposed-second-hole-card": _EXPOSED,
    "exposed-later-hole-card": _EXPOSED,
    "exposed-two-or-more": _EXPOSED,
    "extra-card-first-player": _EXTRA_AT_A_SEAT,
    "extra-card-other-seat": _EXTRA_AT_A_SEAT,
    "extra-cards-two-plus": _EXTRA_AT_A_SEAT,
    "overfull-flop": _one("board", "board", _BOARD, "four-cards"),
    "premature-flop": _WHOLE_BOARD,
    "flop-no-burn": _one("board", "board", _BOARD, "face-down"),
    "turn-no-burn": _ONE_CARD,
    "river-no-burn": _ONE_CARD,
    "premature-turn": _ONE_CARD,
    "premature-river": _one("board", "early", _BOARD, "flop-betting"),
    "board-not-declared": _one("claim", "nothing", _LATE),
}
"""Every irregularity that the table tells apart, by its id."""
