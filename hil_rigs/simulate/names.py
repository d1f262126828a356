"""What an act is called where it is refused."""

from hil_rigs.simulate.scenario import (
    Act,
    Bet,
    CheckAround,
    Comply,
    Draw,
    Expose,
    Floor,
    Key,
    Move,
    Play,
    Seat,
)


def name_of(act: Act) -> str:
    """Its name, with what it is about."""
    match act:
        case Play():
            return f"play until {act.until}"
        case Draw():
            return f"draw to {act.to}"
        case Bet():
            return f"{act.action} of seat {act.seat}"
        case CheckAround():
            return "check_around"
        case Key():
            return act.key
        case Expose():
            return f"expose card {act.card} of seat {act.seat}"
        case Move():
            return f"move to {act.to}"
        case Floor():
            return f"floor: {act.decision}"
        case Seat():
            return f"{act.wish} of seat {act.seat}"
        case Comply(wrong=str()):
            return f"comply with {act.wrong}"
        case _:
            return type(act).__name__.lower()
