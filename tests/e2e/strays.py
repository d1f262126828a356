"""Hands in which one thing happens that the hand does not have, and what their reports say."""

from tests.e2e.tables import CLEAN, Json, cards_lost

SEATS = {"2": 500, "5": 500, "9": 700}
LIVE = CLEAN[2:]
"""The phases in which a card can leave the shoe."""

PLACES = ("seat:2", "seat:5", "seat:9", "board", "burn", "muck", "aside")
SIDES: dict[str, Json] = {
    "down": {"face": "down"},
    "up": {"face": "up"},
    "boxed": {"face": "down", "boxed": True},
}


def hand(*acts: Json, gate: bool = False, burner: bool = True, zones: bool = True) -> Json:
    """A scenario of three players, the button on seat 5: seat 9 is dealt first."""
    table = {"game": "holdem", "seats": SEATS, "button": 5, "zones": zones}
    return {"table": {**table, "shoe": {"gate": gate, "burner": burner}}, "seed": 3, "acts": list(acts)}


def until(phase: str) -> Json:
    """The hand is brought to a phase."""
    return {"do": "play", "until": phase}


def draw(to: str, count: int = 1, face: str = "down", **more: object) -> Json:
    """Cards leave the shoe."""
    return {"do": "draw", "to": to, "count": count, "face": face, **more}


def fold(seat: int) -> Json:
    """A seat folds."""
    return {"do": "bet", "seat": seat, "action": "fold"}


def codes(said: Json) -> list[str]:
    """The codes of the alerts."""
    return [alert["code"] for alert in said["alerts"]]


def rulings(said: Json) -> list[str]:
    """The rules that were ruled on."""
    return [ruling["rule"] for ruling in said["rulings"]]


def through(phase: str) -> tuple[str, ...]:
    """The phases of a hand without a fault as far as this one."""
    return CLEAN[: CLEAN.index(phase) + 1]


def halted_by(said: Json, alert: str, *ruled: str) -> None:
    """A hand that is halted with one alert, after these rulings, every card accounted for."""
    assert (said["outcome"], said["phase"], codes(said)) == ("halted", "halted", [alert])
    assert (rulings(said), said["prompts"][-1]["code"]) == (list(ruled), "call-floor")
    assert cards_lost(said) == []
