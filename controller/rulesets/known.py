"""Every irregularity that the table tells apart: what it is about, and what a rule may say of it.

A ruleset says what is done about each (`book`); what stands here is the table's own doing, and no ruleset
changes it (docs/rules.md, "Told apart").
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

Window = Literal["deal", "button", "board", "pot", "any"]
Takes = Literal["exposed", "extra", "card", "board", "burnt", "early", "nothing"]
About = Literal["deal", "board", "claim", "deck", "stub", "mixed stub", "button"]
Told = Literal["no", "yes", "with-seat"]
Betting = Literal["open", "over", "either", "void"]

_EXTRA: Final = frozenset({"extra-unseen", "extra-seen"})
_DEAL: Final = frozenset[Window]({"deal", "button"})
_BOARD: Final = frozenset[Window]({"board"})
_POT: Final = frozenset[Window]({"pot", "any"})
_ANY: Final = frozenset[Window]({"any"})
_FLOP: Final = 3
_TURN: Final = 2
_RIVER: Final = 1


@dataclass(frozen=True)
class Irregularity:
    """What the table tells apart by itself.

    `takes` and `windows` are what a rule may say of it. `cases` are what else may be the case when it is
    found; `about` is what its remedies may put right. The rest is what the proof of a remedy begins with
    (`proof`): `several` is whether its cards may be of more than one seat, `lacks` whether a hand is a
    card short, `streets` how many streets at the least are still to be dealt once its cards are off the
    board, `exactly` how many cards are taken, where that is sure, `betting` whether the round before them
    is open or over, or may be `either`; `void`: a street lies on which nobody may act. `fouled`: the deck
    is none that could be played on with, and only the floor can end it. `of_stub`: the stub alone may be
    shuffled, whichever street comes next. `thrown`: a live hand lies in the muck. `miscounted`: a hand
    has the wrong number of cards. `told` is whether a person says that it happened, about a seat or none:
    no device sees it.
    """

    about: frozenset[About]
    takes: frozenset[Takes]
    windows: frozenset[Window]
    cases: frozenset[str] = frozenset()
    several: bool = False
    lacks: bool = False
    streets: int = 0
    exactly: int | None = None
    betting: Betting = "over"
    fouled: bool = False
    of_stub: bool = False
    thrown: bool = False
    miscounted: bool = False
    told: Told = "no"


@dataclass(frozen=True)
class Special:
    """What a case says of the cards.

    `also` are out of play as well; of `several` there may be more than one seat's. `owner_has_all` is whether
    the hand whose card was exposed may be whole all the same. `streets`, `exactly` and `betting` stand before
    the irregularity's.
    """

    also: Takes = "nothing"
    several: bool = False
    owner_has_all: bool = False
    streets: int | None = None
    exactly: int | None = None
    betting: Betting | None = None


NO_CASE: Final = Special()
CASES: Final[Mapping[str, Special]] = {
    "extra-unseen": Special(also="extra"),
    "extra-seen": Special(also="extra", owner_has_all=True),
    "exposed-waits": Special(also="exposed"),
    "first": NO_CASE,
    "second": NO_CASE,
    "again": Special(several=True),
    "four-cards": Special(exactly=4),
    "face-down": NO_CASE,
    "street-lies": Special(also="early", betting="over"),
    "unused-stub": NO_CASE,
    "flop-betting": Special(streets=_TURN),
    "out-of-shoe": NO_CASE,
    "muck-alone": NO_CASE,
    "burns-alone": NO_CASE,
    "river-lies": Special(streets=0),
}
"""Every case that an irregularity may be found in."""


def _one(about: About, takes: Takes, windows: frozenset[Window], *cases: str) -> Irregularity:
    return Irregularity(frozenset({about}), frozenset({takes}), windows, frozenset(cases))


def _deal(takes: Takes, *cases: str, several: bool = False, lacks: bool = False) -> Irregularity:
    found = _one("deal", takes, _DEAL, *cases)
    return replace(found, several=several, lacks=lacks)


def _board(takes: Takes, streets: int, *cases: str, betting: Betting = "over") -> Irregularity:
    return replace(_one("board", takes, _BOARD, *cases), streets=streets, betting=betting)


def _second_burn(streets: int) -> Irregularity:
    either = frozenset[Takes]({"burnt", "nothing"})
    return replace(_board("burnt", streets, "street-lies", betting="either"), takes=either)


def _burn_acted() -> Irregularity:
    found = _one("board", "nothing", _ANY, "river-lies")
    return replace(found, streets=_RIVER, betting="either", told="yes")


_EXPOSED_EARLY: Final = _deal("exposed", "extra-unseen")
_EXTRA_AT_A_SEAT: Final = _deal("extra", "exposed-waits")
_OUT_OF_ORDER: Final = _deal("card")

KNOWN: Final[Mapping[str, Irregularity]] = {
    "exposed-first-hole-card": _EXPOSED_EARLY,
    "exposed-second-hole-card": _EXPOSED_EARLY,
    "exposed-later-hole-card": _deal("exposed", *_EXTRA),
    "exposed-two-or-more": _deal("exposed", *_EXTRA, several=True),
    "card-off-table": _deal("exposed", *_EXTRA, "first", "second", "again"),
    "declared-misdeal": _deal("nothing"),
    "extra-card-mid-deal": _OUT_OF_ORDER,
    "dealt-to-empty-seat": _OUT_OF_ORDER,
    "first-card-wrong-seat": _OUT_OF_ORDER,
    "player-skipped": _OUT_OF_ORDER,
    "out-of-sequence": _OUT_OF_ORDER,
    "extra-card-first-player": _EXTRA_AT_A_SEAT,
    "extra-card-other-seat": _EXTRA_AT_A_SEAT,
    "extra-cards-two-plus": _deal("extra", "exposed-waits", several=True),
    "player-short-card": _deal("nothing", several=True),
    "button-short-card": _deal("nothing", lacks=True),
    "wrong-count-after-action": replace(_one("claim", "nothing", _ANY), miscounted=True),
    "button-misplaced": replace(_deal("nothing"), about=frozenset({"deal", "button"}), told="with-seat"),
    "boxed-card": _one("deck", "card", _ANY),
    "boxed-cards-two-plus": _OUT_OF_ORDER,
    "joker": _deal("nothing"),
    "overfull-flop": _board("board", _FLOP, "four-cards", betting="void"),
    "underfull-flop": _board("nothing", _FLOP),
    "premature-flop": _board("board", _FLOP, betting="open"),
    "premature-turn": _board("early", _TURN, betting="open"),
    "premature-river": _board("early", _RIVER, "flop-betting", betting="open"),
    "flop-no-burn": replace(_board("board", _FLOP, "face-down"), exactly=3),
    "turn-no-burn": _board("early", _TURN),
    "river-no-burn": _board("early", _RIVER),
    "flop-double-burn": _second_burn(_FLOP),
    "turn-double-burn": _second_burn(_TURN),
    "river-double-burn": _second_burn(_RIVER),
    "missed-burn-acted": _burn_acted(),
    "double-burn-acted": _burn_acted(),
    "exposed-burn": _one("deck", "nothing", _POT),
    "exposed-top-of-stub": Irregularity(
        frozenset({"board", "stub"}),
        frozenset({"nothing"}),
        _POT,
        streets=_RIVER,
        betting="either",
        of_stub=True,
    ),
    "stub-dropped": replace(_one("stub", "nothing", _POT, "out-of-shoe"), told="yes"),
    "stub-mixed": replace(
        _one("mixed stub", "nothing", _POT, "muck-alone", "burns-alone"),
        about=frozenset({"stub", "mixed stub"}),
        told="yes",
    ),
    "duplicate-card": replace(_one("deck", "nothing", _POT), fouled=True),
    "foreign-card": replace(_one("deck", "nothing", _POT, "unused-stub"), fouled=True),
    "missing-card": replace(_one("deck", "nothing", _ANY), fouled=True),
    "hand-killed-by-dealer": replace(_one("claim", "nothing", _POT), thrown=True),
    "stray-card": _one("deck", "card", _ANY),
    "card-after-hand-over": _one("claim", "nothing", _ANY),
    "board-not-declared": _one("claim", "nothing", _POT),
}
"""Every irregularity that the table tells apart, by its id."""
