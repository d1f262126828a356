"""Scenarios in which a controller is killed: the rulings, and what they leave out."""

import json
from pathlib import Path
from typing import Final

from hil_rigs.simulate.load import Wiring, load
from hil_rigs.simulate.scenario import Scenario
from tests.e2e.tables import Json, scenario_of

FOLDER: Final = Path(__file__).parent.parent / "scenarios"
_SEATS: Final = {"2": 500, "5": 400, "7": 900, "9": 60}

HANDED: Final = tuple(
    sorted(file.stem for file in FOLDER.glob("*.json") if not file.name.endswith(".expect.json"))
)
"""The rulings, each in both games."""

MADE: Final[dict[str, Json]] = {
    "a gate, and no machine burns": {
        "table": {"game": "holdem", "seats": _SEATS, "shoe": {"gate": True, "burner": False}, "zones": False},
        "seed": 11,
        "acts": [
            {"do": "play", "until": "flop"},
            {"do": "bet", "seat": 5, "action": "bet", "amount": 40},
            {"do": "check_around"},
            {"do": "play", "until": "done"},
        ],
    },
    "two decks, hand after hand": {
        "table": {"game": "omaha", "seats": _SEATS, "decks": 2, "shoe": {"gate": True}},
        "seed": 12,
        "hands": 3,
        "acts": [{"do": "play", "until": "done"}],
    },
    "the floor decides": {
        "table": {"game": "holdem", "seats": _SEATS, "rules": "tda"},
        "seed": 13,
        "acts": [
            {"do": "play", "until": "turn"},
            {"do": "draw", "to": "board", "face": "up"},
            {"do": "key", "key": "floor"},
            {"do": "floor", "decision": "stand", "who": "Ann", "reason": "seen"},
            {"do": "play", "until": "done"},
        ],
    },
    "by the key alone, counted only": {
        "table": {
            "game": "holdem",
            "seats": _SEATS,
            "follow": "dealer-key",
            "shuffler": {"cuts": False, "identifies": False},
        },
        "seed": 14,
        "acts": [
            {"do": "play", "until": "flop-deal"},
            {"do": "draw", "to": "board", "count": 4, "face": "up"},
            {"do": "comply"},
            {"do": "play", "until": "done"},
        ],
    },
    "a misdeal": {
        "table": {"game": "omaha", "seats": _SEATS, "shoe": {"gate": True}},
        "seed": 15,
        "acts": [
            {"do": "play", "until": "deal"},
            {"do": "draw", "to": "seat:5", "face": "up"},
            {"do": "comply"},
            {"do": "play", "until": "done"},
        ],
    },
}
"""What the rulings leave out: gates, hands that burn, two decks, the floor, keys alone, counts alone."""

NAMES: Final = (*HANDED, *MADE)

WHOLE: Final = (*HANDED[::2], *MADE)
"""Those in which a controller is killed at every point there is."""


def scenario(name: str) -> Scenario:
    """A scenario by its name."""
    if name in MADE:
        return scenario_of({"name": name, **json.loads(json.dumps(MADE[name]))})
    return load(FOLDER / f"{name}.json", wire=Wiring.PORTS)
