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
_DEAL: Final = frozenset[Window]({"deal", "button"})
_BOARD: Final = frozenset[Window]({"board"})
_POT: Final = frozenset[Window]({"pot", "any"})
_ANY: Final = frozenset[Window]({"any"})


@dataclass(frozen=True)
class Irregularity:
    """What the table tells apart by itself.

    `takes` and `windows` are what a rule may say of it. `cases` are what else may be the case when it is
    found; `about` is what its remedies may put right.
    """

    about: frozenset[About]
    takes: frozenset[Takes]
    windows: frozenset[Window]
    cases: frozenset[str] = frozenset()


def _one(about: About, takes: Takes, windows: frozenset[Window], *cases: str) -> Irregularity:
    return Irregularity(frozenset({about}), frozenset({takes}), windows, frozenset(cases))


_EXPOSED: Final = _one("deal", "exposed", _DEAL, *_EXTRA)
_EXTRA_AT_A_SEAT: Final = _one("deal", "extra", _DEAL, "exposed-waits")
_OUT_OF_ORDER: Final = _one("deal", "card", _DEAL)
_SHORT: Final = _one("deal", "nothing", _DEAL)
_WHOLE_BOARD: Final = _one("board", "board", _BOARD)
_ONE_CARD: Final = _one("board", "early", _BOARD)
_SECOND_BURN: Final = Irregularity(
    frozenset({"board"}), frozenset({"burnt", "nothing"}), _BOARD, frozenset({"street-lies"})
)

KNOWN: Final[Mapping[str, Irregularity]] = {
    "exposed-first-hole-card": _EXPOSED,
    "exposed-second-hole-card": _EXPOSED,
    "exposed-later-hole-card": _EXPOSED,
    "exposed-two-or-more": _EXPOSED,
    "card-off-table": _one("deal", "exposed", _DEAL, *_EXTRA, "first", "second", "again"),
    "declared-misdeal": _SHORT,
    "extra-card-mid-deal": _OUT_OF_ORDER,
    "dealt-to-empty-seat": _OUT_OF_ORDER,
    "first-card-wrong-seat": _OUT_OF_ORDER,
    "player-skipped": _OUT_OF_ORDER,
    "out-of-sequence": _OUT_OF_ORDER,
    "extra-card-first-player": _EXTRA_AT_A_SEAT,
    "extra-card-other-seat": _EXTRA_AT_A_SEAT,
    "extra-cards-two-plus": _EXTRA_AT_A_SEAT,
    "player-short-card": _SHORT,
    "button-short-card": _SHORT,
    "wrong-count-after-action": _one("claim", "nothing", _ANY),
    "boxed-card": _one("deck", "card", _ANY),
    "boxed-cards-two-plus": _OUT_OF_ORDER,
    "overfull-flop": _one("board", "board", _BOARD, "four-cards"),
    "underfull-flop": _one("board", "nothing", _BOARD),
    "premature-flop": _WHOLE_BOARD,
    "premature-turn": _ONE_CARD,
    "premature-river": _one("board", "early", _BOARD, "flop-betting"),
    "flop-no-burn": _one("board", "board", _BOARD, "face-down"),
    "turn-no-burn": _ONE_CARD,
    "river-no-burn": _ONE_CARD,
    "flop-double-burn": _SECOND_BURN,
    "turn-double-burn": _SECOND_BURN,
    "river-double-burn": _SECOND_BURN,
    "exposed-burn": _one("deck", "nothing", _POT),
    "stray-card": _one("deck", "card", _ANY),
    "card-after-hand-over": _one("claim", "nothing", _ANY),
    "board-not-declared": _one("claim", "nothing", _POT),
}
"""Every irregularity that the table tells apart, by its id."""
