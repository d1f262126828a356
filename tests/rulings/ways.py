"""Hands in which a remedy is interrupted, obeyed wrongly, late, taken back: what is promised of each."""

from dataclasses import dataclass, field

from tests.e2e.tables import Json, played_directly

SEATS = {"1": 1000, "2": 1000, "3": 1000, "4": 1000}


@dataclass(frozen=True)
class Way:
    """A hand and what is promised of it: how it ends, its rulings, alerts and burns, and what is refused."""

    acts: list[Json]
    rulings: list[str]
    outcome: str = "completed"
    alerts: list[str] = field(default_factory=list)
    burns: int = 3
    refused: int = 0
    table: Json = field(default_factory=dict)


def until(phase: str) -> Json:
    """The hand is brought to a phase."""
    return {"do": "play", "until": phase}


def draw(to: str, count: int = 1, face: str = "up") -> Json:
    """Cards leave the shoe."""
    return {"do": "draw", "to": to, "count": count, "face": face}


def key(name: str, seat: int | None = None) -> Json:
    """The dealer presses a key."""
    return {"do": "key", "key": name} | ({"seat": seat} if seat else {})


def comply(wrong: str | None = None) -> Json:
    """The dealer obeys, or makes one mistake."""
    return {"do": "comply"} | ({"wrong": wrong} if wrong else {})


def expose(seat: int, card: int = 1) -> Json:
    """The dealer exposes a card that was dealt."""
    return {"do": "expose", "seat": seat, "card": card, "by": "dealer"}


DONE = until("done")
FOUR_ON_THE_FLOP = [until("flop-deal"), draw("board", 4)]
ONE_SHOWN_AND_THE_DEAL_COMPLETE = [
    until("deal"),
    draw("seat:2", face="down"),
    draw("seat:3"),
    *[draw(f"seat:{seat}", face="down") for seat in (4, 1, 2, 3, 4, 1)],
]

WAYS: dict[str, Way] = {
    # One irregularity on top of another.
    "a board card in the place of a replacement": Way(
        [until("preflop"), expose(3), draw("board"), DONE], ["exposed-later-hole-card", "premature-flop"]
    ),
    "a burn where the exposed card will be the burn": Way(
        [until("preflop"), expose(3), draw("burn", face="down")],
        ["exposed-later-hole-card", "stray-card"],
        outcome="halted",
        alerts=["floor-decides"],
        burns=0,
    ),
    "a board card in the place of a replacement, behind a gate": Way(
        [until("preflop"), expose(3), draw("board"), DONE],
        ["exposed-later-hole-card", "premature-flop"],
        table={"shoe": {"gate": True}},
    ),
    "a burn after an early river, and no other": Way(
        [until("turn"), draw("burn", face="down"), draw("board"), draw("burn", face="down"), DONE],
        ["premature-river"],
        burns=4,
    ),
    "a second burn after an early river": Way(
        [until("turn"), draw("board"), draw("burn", face="down"), draw("burn", face="down")],
        ["premature-river", "stray-card"],
        outcome="halted",
        alerts=["floor-decides"],
        burns=3,
    ),
    "an early river, its burn before it, after an early turn": Way(
        [
            until("flop"),
            draw("burn", face="down"),
            draw("board"),
            until("turn"),
            draw("burn", face="down"),
            draw("board"),
            DONE,
        ],
        ["premature-turn", "premature-river"],
        burns=4,
    ),
    "an extra card that its player has seen": Way(
        [
            until("preflop"),
            draw("seat:2", face="down"),
            {"do": "expose", "seat": 2, "card": 3, "by": "player"},
            comply(),
        ],
        ["extra-card-first-player"],
        outcome="halted",
        alerts=["extra-card-seen"],
        burns=1,
    ),
    "acts go on when the replacement lies": Way(
        [*ONE_SHOWN_AND_THE_DEAL_COMPLETE, until("preflop"), {"do": "check_around"}, DONE],
        ["exposed-later-hole-card"],
    ),
    "a declaration that was taken back": Way(
        [until("showdown"), key("plays-board", 2), key("undo"), key("muck", 2), key("muck", 3), DONE],
        ["board-not-declared"] * 2,
        table={"deck": "2h 3h 4h 5h 2s 3s 4s 5s 6c Th Jh Qh 7d Kh 7s Ah"},
    ),
    "a burn after an early turn is the one of the turn to come": Way(
        [
            until("flop"),
            {"do": "bet", "seat": 2, "action": "check"},
            draw("burn", face="down"),
            draw("board"),
            draw("burn", face="down"),
            DONE,
        ],
        ["premature-turn"],
    ),
    "a second card shown that flew already when the misdeal fell": Way(
        [until("deal"), draw("seat:2", 2), DONE], ["exposed-first-hole-card", "exposed-two-or-more"]
    ),
    "three extra cards in one movement": Way(
        [until("preflop"), draw("seat:2", 3, "down"), DONE],
        ["extra-card-first-player", "extra-cards-two-plus"],
    ),
    "an early flop that was laid aside": Way(
        [
            until("preflop"),
            draw("burn", face="down"),
            draw("board", 2),
            comply(),
            {"do": "move", "cards": "7d 8d", "to": "aside"},
            DONE,
        ],
        ["premature-flop"],
        table={"deck": "2h 3h 4h 5h 2s 3s 4s 5s 6c 7d 8d"},
    ),
    "an extra card in the place of a replacement goes to the owner": Way(
        [*ONE_SHOWN_AND_THE_DEAL_COMPLETE, draw("seat:2", face="down"), DONE],
        ["exposed-later-hole-card", "extra-card-first-player"],
    ),
    "an extra card replaces the exposed one where both lie": Way(
        [until("preflop"), draw("seat:2", face="down"), expose(2, 2), DONE],
        ["extra-card-first-player", "exposed-later-hole-card"],
    ),
    "an extra card that is the flop's burn already comes back as the replacement": Way(
        [until("preflop"), draw("seat:2", face="down"), comply(), expose(3), DONE],
        ["extra-card-first-player", "exposed-later-hole-card"],
    ),
    "an extra card that everybody saw, then": Way(
        [until("preflop"), draw("seat:2"), DONE],
        ["extra-card-first-player", "exposed-later-hole-card"],
    ),
    "a third early card is asked aside too": Way(
        [
            until("flop"),
            {"do": "bet", "seat": 2, "action": "check"},
            draw("board", 2),
            comply(),
            draw("board"),
            DONE,
        ],
        ["premature-turn", "premature-river"],
        burns=1,
    ),
    "a flop that is too many again, and once more": Way(
        [*FOUR_ON_THE_FLOP, comply(), draw("board", 5), comply(), draw("board", 4), DONE],
        ["overfull-flop"] * 3,
        alerts=["flop-overfull-again"] * 2,
    ),
    "a fifth card while the stub is taken out": Way(
        [*FOUR_ON_THE_FLOP, draw("board"), DONE], ["overfull-flop"], alerts=["card-joins"]
    ),
    "a card to the board while the river is shuffled for": Way(
        [until("turn"), draw("board"), until("river-deal"), draw("board"), DONE],
        ["premature-river"],
        alerts=["card-joins"],
        burns=2,
    ),
    "any card during a misdeal": Way(
        [until("deal"), draw("seat:2"), draw("seat:3"), draw("board"), DONE],
        ["exposed-first-hole-card"],
        alerts=["card-joins"] * 2,
    ),
    "a burn by hand while a set is brought together": Way(
        [until("preflop"), draw("board"), {"do": "check_around"}, draw("burn", face="down")],
        ["premature-flop", "stray-card"],
        outcome="halted",
        alerts=["floor-decides"],
        burns=0,
        table={"shoe": {"burner": False}},
    ),
    "a flop face down after two burns": Way(
        [until("flop-deal"), draw("burn", face="down"), draw("board", 3, "down"), DONE], ["flop-double-burn"]
    ),
    # Burns that were not made.
    "a flop of four without a burn has one after the cut": Way(
        [until("preflop"), {"do": "check_around"}, draw("board", 4), DONE],
        ["overfull-flop"],
        table={"shoe": {"burner": False}},
    ),
    "a flop begun without its burn": Way(
        [until("preflop"), {"do": "check_around"}, draw("board"), DONE],
        ["flop-no-burn"],
        table={"shoe": {"burner": False, "gate": True}},
    ),
    "a turn without a burn becomes it": Way(
        [until("flop"), {"do": "check_around"}, draw("board"), DONE],
        ["turn-no-burn"],
        table={"shoe": {"burner": False}},
    ),
    # Obeyed wrongly.
    "a card left out of the set": Way(
        [*FOUR_ON_THE_FLOP, comply("keep-card"), DONE], ["overfull-flop"], alerts=["shuffle-incomplete"]
    ),
    "a card left out of a misdeal": Way(
        [until("deal"), draw("seat:2"), comply("keep-card"), DONE],
        ["exposed-first-hole-card"],
        alerts=["shuffle-incomplete"],
    ),
    "a burn in the set": Way(
        [*FOUR_ON_THE_FLOP, comply("add-burn"), DONE], ["overfull-flop"], alerts=["shuffle-incomplete"]
    ),
    "a burn in a set that is only counted": Way(
        [*FOUR_ON_THE_FLOP, comply("add-burn"), DONE],
        ["overfull-flop"],
        alerts=["shuffle-incomplete"],
        table={"shuffler": {"identifies": False}},
    ),
    "a card left out of a set that is only counted": Way(
        [*FOUR_ON_THE_FLOP, comply("keep-card"), DONE],
        ["overfull-flop"],
        alerts=["shuffle-incomplete"],
        table={"shuffler": {"identifies": False}},
    ),
    "a pack that goes on uncut": Way(
        [*FOUR_ON_THE_FLOP, comply("skip-cut")],
        ["overfull-flop"],
        outcome="halted",
        alerts=["pack-uncut"],
        burns=1,
        table={"shuffler": {"cuts": False}},
    ),
    "a stub too small for the machine is washed by hand": Way(
        [*FOUR_ON_THE_FLOP, comply(), DONE], ["overfull-flop"], table={"shuffler": {"min_cards": 52}}
    ),
    # Too late, taken back, not yet.
    "a card exposed after two acts is for the floor": Way(
        [
            until("preflop"),
            {"do": "bet", "seat": 4, "action": "call"},
            {"do": "bet", "seat": 1, "action": "fold"},
            expose(3),
        ],
        ["exposed-later-hole-card"],
        outcome="halted",
        alerts=["ruling-too-late"],
        burns=0,
    ),
    "two extra cards after two acts, face up, and the hand is dead": Way(
        [
            until("preflop"),
            {"do": "bet", "seat": 4, "action": "call"},
            {"do": "bet", "seat": 1, "action": "call"},
            draw("seat:3", 2),
            DONE,
        ],
        ["wrong-count-after-action"],
    ),
    "a key that was taken back before the next card": Way(
        [until("deal"), draw("seat:2", face="down"), key("exposed"), key("undo"), DONE], []
    ),
    "a key that was taken back before the first act": Way(
        [until("preflop"), key("exposed", 2), key("undo"), DONE], []
    ),
    "a second exposure taken back leaves the first": Way(
        [
            until("deal"),
            draw("seat:2", face="down"),
            draw("seat:3"),
            draw("seat:4", face="down"),
            key("exposed"),
            key("undo"),
            DONE,
        ],
        ["exposed-later-hole-card"],
    ),
    "a key that is taken back too late": Way(
        [until("preflop"), key("exposed", 2), comply(), key("undo"), DONE],
        ["exposed-later-hole-card"],
        refused=1,
    ),
    "a key taken back once its card was carried off": Way(
        [until("preflop"), key("exposed", 2), {"do": "move", "cards": "2s", "to": "burn"}, key("undo"), DONE],
        ["exposed-later-hole-card"],
        refused=1,
        table={"deck": "2h 3h 4h 5h 2s"},
    ),
    "a second exposure before the replacement, taken back": Way(
        [until("preflop"), key("exposed", 2), key("exposed", 3), key("undo"), DONE],
        ["exposed-later-hole-card"],
    ),
    "the exposure of a replacement that was an extra card, taken back": Way(
        [
            *ONE_SHOWN_AND_THE_DEAL_COMPLETE,
            draw("seat:2", face="down"),
            comply(),
            key("exposed", 3),
            key("undo"),
            DONE,
        ],
        ["exposed-later-hole-card", "extra-card-first-player"],
    ),
    "a card that joined, and a lid that locked itself": Way(
        [until("turn"), draw("board"), until("river-deal"), draw("board"), {"do": "wait", "ms": 31000}, DONE],
        ["premature-river"],
        alerts=["card-joins"],
        burns=2,
    ),
    "undo where no key led to the misdeal": Way(
        [until("preflop"), draw("seat:3", face="down"), key("undo"), DONE],
        ["extra-card-other-seat"],
        refused=1,
    ),
    "an act before the extra card is gone waits": Way(
        [until("preflop"), draw("seat:2", face="down"), {"do": "bet", "seat": 4, "action": "call"}, DONE],
        ["extra-card-first-player"],
        refused=1,
    ),
    "a lid that locked itself again is freed anew": Way(
        [until("preflop"), draw("seat:3", face="down"), {"do": "wait", "ms": 31000}, DONE],
        ["extra-card-other-seat"],
    ),
    "a hand card moved onto the board while a set is brought together": Way(
        [until("flop-deal"), draw("board", 4), {"do": "move", "cards": "2h", "to": "board"}],
        ["overfull-flop"],
        outcome="halted",
        alerts=["card-moved"],
        burns=1,
        table={"deck": "2h 3h"},
    ),
    "a hand half in the muck at showdown": Way(
        [until("showdown"), {"do": "move", "cards": "2h", "to": "muck"}, DONE],
        [],
        table={"deck": "2h 3h"},
        refused=0,
    ),
    # A flop card that lies face down is out of play like the others, and is not named.
    "a fourth card face down": Way(
        [until("flop"), draw("board", face="down")], ["overfull-flop"], outcome="open", burns=1
    ),
}


def played(way: Way) -> Json:
    """The report of a hand."""
    table = {"game": "holdem", "seats": SEATS, "button": 1} | way.table
    deck = {"deck": table.pop("deck")} if "deck" in table else {}
    return played_directly({"table": table, "seed": 11, "acts": way.acts} | deck)
