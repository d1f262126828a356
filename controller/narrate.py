"""The feed in plain words, for whoever follows a table in a terminal."""

from collections.abc import Iterable
from typing import Final

from controller.decisions import (
    Alert,
    BetMade,
    ButtonDrawn,
    ButtonMoved,
    CardLay,
    CarriedOut,
    ChipsMoved,
    FloorRuled,
    HandBegan,
    Joined,
    LateNext,
    Mucked,
    PersonSignedIn,
    PhaseEntered,
    Refused,
    Ruled,
    SeatChanged,
    SeatLeft,
    StepDone,
    Tabled,
    TakenBack,
    Withdrawn,
)
from controller.events import FloorDecisionName
from controller.notices import AnyNotice, Lit, PromptShown
from controller.places import Place, seat_of

_COMMANDS = {
    "burn": "burned the next card",
    "lock": "shut the gate",
    "unlock": "opened the gate for {count}",
    "release-lid": "freed the lid",
    "feed": "fed {count} cards past its reader",
    "shuffle": "shuffled them",
    "cut": "cut them",
    "open-cover": "delivered the pack and opened the cover",
    "close-cover": "shut the cover",
    "return": "gave all {count} cards back",
}
_CHANGES = {
    "sit": "sits down with {chips}",
    "leave": "wants to leave",
    "out": "wants to sit out",
    "back": "comes back",
    "add": "buys {chips}",
    "straddle": "wants to straddle",
}
_BY = {"badge": "badge", "pin": "PIN"}
_FED = {
    "seen": "exactly {what}, each card known by its tag",
    "inferred": "as many cards as {what}",
}


def place_words(place: str) -> str:
    """A place as a person says it."""
    seat = seat_of(Place(place))
    return f"seat {seat}" if seat is not None else {"burn": "the burn tray"}.get(place, f"the {place}")


def seen(said: AnyNotice) -> str | None:
    """What the table saw, None for a notice that is of another kind."""
    match said:
        case CardLay(place=place, card=None):
            return f"a card, face down, at {place_words(place)}"
        case CardLay(place=place, card=card):
            return f"{card} on {place_words(place)}"
        case Tabled(seat=seat, cards=cards):
            return f"seat {seat} shows {' '.join(cards)}"
        case Mucked(seat=seat):
            return f"seat {seat} mucks"
        case BetMade(seat=seat, action=action, put_in=put_in):
            return f"seat {seat}: {action}" + (f", {put_in} in" if put_in else "")
        case _:
            return None


def told_machine(said: AnyNotice) -> str | None:
    """What a machine was told and has done, None for another kind of notice."""
    if isinstance(said, StepDone) and said.step == "feed":
        what = f"the cards that {said.why} wants" if said.why else "the deck"
        return f"shuffler: proved {_FED[said.evidence].format(what=what)}"
    if not isinstance(said, CarriedOut):
        return None
    return f"{said.device}: {_COMMANDS[said.command].format(count=said.count)}"


_WHERE: Final = {"muck": " in the muck", "burn": " in the burn tray", "aside": " aside"}
"""Where it goes without saying, because rules tell of it, nothing is said."""


def ruling(said: Ruled) -> str:
    """A ruling in a line: what it is, where, which cards everybody saw and how many others it is about, how
    that is known, the remedy."""
    where = f" at seat {said.seat}" if said.seat is not None else _WHERE.get(said.place, "")
    named = [" ".join(said.cards)] if said.cards else []
    unnamed = [f"{said.unseen} unnamed"] if said.unseen else []
    cards = f" ({', '.join([*named, *unnamed])})" if named or unnamed else ""
    known = "" if said.evidence == "seen" else f" ({said.evidence}: no antenna saw it)"
    return f"{said.rule}{where}{cards}: {said.says}{known} Remedy: {said.remedy}"


def money(said: ChipsMoved) -> Iterable[str]:
    """Who won what; nothing while the hand is open."""
    for pot in said.pots:
        if pot.winners:
            shares = ", ".join(f"seat {seat} {chips}" for seat, chips in sorted(pot.winners.items()))
            pot_words = f"pot of {pot.amount}: {shares}" if pot.amount else f"the pot: {won_by(pot.winners)}"
            yield pot_words + (f", with {pot.hand}" if pot.hand else "")
        if pot.rake:
            yield f"the house takes {pot.rake}"
    for seat, chips in said.returned.items():
        yield f"{chips} that nobody called go back to seat {seat}"


def won_by(seats: Iterable[int]) -> str:
    """The winners of a pot whose chips are not followed."""
    return " and ".join(f"seat {seat}" for seat in sorted(seats))


def lit_words(lit: Iterable[Lit]) -> str:
    """The ring in words, for a terminal without colours."""
    return "; ".join(f"LEDs {span.first} to {span.last} {span.colour}, {span.pattern}" for span in lit)


def _begins(said: HandBegan) -> str:
    dealt_in = [f"{seat} ({said.stacks[seat]})" for seat in said.seats]
    away = [f"{seat} ({chips})" for seat, chips in sorted(said.stacks.items()) if seat not in said.seats]
    words = f"hand {said.number}: the button is at seat {said.button}; dealt in: {', '.join(dealt_in)}"
    return words + (f"; not dealt in: {', '.join(away)}" if away else "")


def _signs_in(said: AnyNotice) -> str | None:
    if not isinstance(said, PersonSignedIn):
        return None
    return f"{said.who} ({said.role}) signs in by {_BY[said.by]}"


_DECISIONS: Final[dict[FloorDecisionName, str]] = {
    "accept": "accepts {remedy}",
    "choose": "chooses {remedy}",
    "found": "says what was found",
    "stand": "lets it stand",
    "void": "voids the hand",
    "pull-deck": "takes the deck off the table",
    "by-hand": "has the hand finished by hand",
}


def _decided(said: FloorRuled) -> str:
    about = f"ruling {said.ruling}" if said.ruling is not None else said.code
    what = _DECISIONS[said.decided].format(remedy=said.remedy)
    return f"FLOOR {said.who} {what} ({about}, {said.phase}): {said.reason}"


def _ruled(said: Ruled | Joined | Withdrawn | FloorRuled) -> str:
    match said:
        case Ruled(number=number):
            return f"RULING {number}: {ruling(said)}"
        case Joined(number=number, place=place, card=card):
            return f"RULING {number}: {card or 'a card, face down,'} at {place_words(place)} goes in as well"
        case Withdrawn(number=number):
            return f"RULING {number} is taken back: its cards are in play again"
        case FloorRuled():
            return _decided(said)


def line(said: AnyNotice) -> list[str]:
    """A notice as lines of a log; none for one that says nothing new to a reader."""
    match said:
        case HandBegan():
            return [_begins(said)]
        case SeatChanged(seat=seat, change=change, chips=chips):
            return [f"seat {seat}: {_CHANGES[change].format(chips=chips)}"]
        case SeatLeft(seat=seat, chips=chips):
            return [f"seat {seat} is free: {chips} left with the player"]
        case ButtonDrawn(button=button, cards=cards):
            drawn = ", ".join(f"seat {seat} {card}" for seat, card in sorted(cards.items()))
            return [f"drawn for the button: {drawn}; seat {button} has it"]
        case ButtonMoved(button=button, seats=seats):
            when = "dealt anew from there" if seats else "the next hand counts from there"
            return [f"the button belongs at seat {button}: {when}"]
        case PhaseEntered(phase=phase):
            return [f"-- {phase}"]
        case TakenBack(what=what, seat=seat):
            return [f"taken back: {what}{f' of seat {seat}' if seat else ''}"]
        case LateNext(phase=phase):
            return [f"next came late: the betting of the phase {phase} was complete"]
        case PromptShown():
            return [f"{'acknowledged' if said.acknowledged else 'prompt'}: {said.glyph} {said.text}"]
        case ChipsMoved():
            return list(money(said))
        case Alert(code=code, text=text):
            return [f"ALERT {code}: {text}"]
        case Ruled() | Joined() | Withdrawn() | FloorRuled():
            return [_ruled(said)]
        case Refused(what=what, why=why):
            return [f"refused: {what}: {why}"]
        case _:
            words = seen(said) or told_machine(said) or _signs_in(said)
            return [words] if words else []
