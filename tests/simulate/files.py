"""Files that the tests of the scenario reader share."""

import copy
import json
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
SCENARIOS = sorted(path for path in TESTS.glob("scenarios/*.json") if not path.name.endswith(".expect.json"))
HISTORIES = sorted(TESTS.glob("hands/*.phh"))

EVERYTHING: dict[str, object] = {
    "name": "everything",
    "table": {
        "game": "omaha",
        "betting": "fixed-limit",
        "rules": "tda",
        "seats": {"2": 1000, "11": 500, "7": 800},
        "button": 7,
        "button_rule": "dead",
        "small_blind": 1,
        "big_blind": 2,
        "ante": 3,
        "ante_by": "big-blind",
        "posts": {"2": 9},
        "rake": [{"players": 3, "percent": 2.5, "cap": 4}],
        "small_bet": 4,
        "big_bet": 8,
        "zones": False,
        "follow": "dealer-key",
        "special": "bomb-pot",
        "shoe": {"gate": True, "burner": False},
        "shuffler": {
            "cuts": False,
            "identifies": False,
            "min_cards": 8,
            "max_cards": 51,
            "has_reject": False,
            "shuffle_s": 5,
        },
        "decks": 2,
        "language": "el",
    },
    "deck": "As Kd",
    "seed": 7,
    "hands": 3,
    "acts": [
        {"do": "play", "until": "halted"},
        {"do": "draw", "to": "seat:11", "count": 2, "face": "up", "boxed": True},
        {"do": "bet", "seat": 2, "action": "raise", "amount": 40},
        {"do": "bet", "seat": 7, "action": "all-in"},
        {"do": "check_around"},
        {"do": "key", "key": "exposed", "seat": 7},
        {"do": "key", "key": "next"},
        {"do": "wait", "ms": 3000},
        {"do": "expose", "seat": 2, "card": 3, "by": "player"},
        {"do": "move", "cards": "Ah Kd", "to": "scrap"},
        {"do": "comply"},
        {"do": "comply", "wrong": "add-burn"},
        {"do": "floor", "decision": "choose", "remedy": "redeal-flop", "who": "Ann", "reason": "seen"},
        {"do": "floor", "decision": "stand"},
        {"do": "fault", "device": "shoe", "fault": "drop-byte"},
        {"do": "restart"},
        {"do": "seat", "seat": 4, "wish": "sit", "chips": 300, "entry": "post"},
        {"do": "seat", "seat": 2, "wish": "leave"},
    ],
}
"""Every key and every act of scenarios.md, none at its default."""

SMALL: dict[str, object] = {
    "table": {"game": "holdem", "seats": {"1": 1000, "2": 1000, "3": 1000}},
    "acts": [{"do": "play", "until": "done"}],
}
"""The least that a scenario says."""

HISTORY = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [500, 500, 500]
actions = [
  "d dh p1 AhAd",
  "d dh p2 ????",
  "d dh p3 KsKc",
  "p3 cbr 30",
  "p1 cc",
  "p2 f",
  "d db 2c3c4c",
  "p1 cc",
  "p3 cbr 60",
  "p1 cc",
  "d db 5s",
  "p1 cc",
  "p3 cc",
  "d db 6s",
  "p1 cc",
  "p3 cc",
  "p1 sm AhAd",
  "p3 sm",
]
"""


def changed(scenario: dict[str, object], place: str, value: object) -> str:
    """Return the JSON of `scenario` with `value` at a dotted `place` (`table.seats`, `acts.0`)."""
    whole = copy.deepcopy(scenario)
    *way, last = place.split(".")
    at: object = whole
    for step in way:
        if isinstance(at, list):
            at = at[int(step)]
        else:
            assert isinstance(at, dict)
            at = at.setdefault(step, {})
    if isinstance(at, list):
        at[int(last)] = value
    else:
        assert isinstance(at, dict)
        at[last] = value
    return json.dumps(whole)


def acting(*acts: dict[str, object]) -> str:
    """Return the JSON of the small scenario with other acts."""
    return changed(SMALL, "acts", list(acts))


def told(*actions: str, **keys: str) -> str:
    """Return the text of a history of three with other keys (in TOML) or actions."""
    lines = dict(line.split(" = ", 1) for line in HISTORY.split("actions")[0].splitlines())
    lines |= keys
    if actions:
        lines["actions"] = str(list(actions))
    else:
        lines["actions"] = HISTORY.split("actions = ")[1]
    return "\n".join(f"{key} = {value}" for key, value in lines.items())
