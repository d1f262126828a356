"""The proof that a remedy loses no card, made for every rule before a table uses it.

A remedy is walked through on paper: which cards its irregularity has taken out of play, where each step puts
them, and whether at the end every one of them rests somewhere or is in play again, with every hand whole.
"""

from dataclasses import dataclass, field
from typing import Final

from controller.remedies.steps import (
    Await,
    Burn,
    CallOff,
    Dead,
    Deal,
    Draw,
    Floor,
    Move,
    NamedRemedy,
    Pick,
    Pool,
    Shuffle,
    Step,
    Tell,
    TurnUp,
)
from controller.rulesets.known import Irregularity, Takes

_LOTS: Final[dict[Takes, frozenset[Pool]]] = {
    "exposed": frozenset({"exposed"}),
    "extra": frozenset({"extra"}),
    "card": frozenset({"card"}),
    "board": frozenset({"early"}),
    "burnt": frozenset({"burnt"}),
    "early": frozenset({"early"}),
    "nothing": frozenset(),
}
_BOTH: Final = frozenset({"extra-unseen", "extra-seen", "exposed-waits"})
"""Cases in which a card was exposed and another is too many."""


@dataclass
class _Paper:
    """What is where, as far as a remedy has come on paper.

    `out` are the cards out of play that no step has put anywhere yet. `short` is whether a hand lacks the
    card that was exposed, `street_due` whether a street was taken off the board and lies not again.
    """

    out: set[Pool]
    short: bool
    street_due: bool
    resting: set[Pool] = field(default_factory=set)
    called_off: bool = False
    dead: bool = False
    shuffled_all: bool = False
    dealt_again: bool = False


def unproved(known: Irregularity, takes: Takes, case: str, named: NamedRemedy) -> str:
    """Why a remedy may not be called for by an irregularity that takes such cards; empty where it may."""
    remedy = named.remedy
    foreign = sorted(remedy.about - known.about)
    if foreign:
        return f"it is for the {foreign[0]}, this happens to the {' and '.join(sorted(known.about))}"
    out = set(_LOTS[takes])
    if case in _BOTH:
        out = {"exposed", "extra"}
    if case == "street-lies" and takes == "burnt":
        out = {"burnt", "early"}
    paper = _Paper(out=out, short="exposed" in out, street_due=takes == "board")
    for number, step in enumerate(remedy.steps, start=1):
        if isinstance(step, Floor) and number == len(remedy.steps):
            return ""  # the floor decides, and every decision of its ends with 52 cards
        why = _step(step, paper)
        if why:
            return f"step {number}: {why}"
    return _end(paper)


def _step(step: Step, paper: _Paper) -> str:
    """Does one step on paper; what is wrong with it, empty where nothing is."""
    if paper.called_off and not isinstance(step, Shuffle | Deal):
        return "after the deal was called off nothing follows but all 52 shuffled and dealt again"
    match step:
        case Move():
            return _move(step, paper)
        case Draw():
            paper.short = False
        case CallOff():
            paper.called_off = True
        case Dead():
            paper.dead = True
        case Shuffle():
            return _shuffle(step, paper)
        case Deal():
            return _deal(step, paper)
        case Pick():
            if step.cards not in paper.out:
                return f"there is no card {step.cards} out of play here"
        case TurnUp():
            if step.cards not in paper.out:
                return f"there is no card {step.cards} that could be turned up on the board"
            paper.out.discard(step.cards)
            paper.street_due = False
        case Await() | Tell() | Burn() | Floor():
            pass
    return ""


def _move(step: Move, paper: _Paper) -> str:
    if step.cards == "hand":
        return "" if paper.dead and step.to == "muck" else "only a dead hand is moved, and to the muck"
    if step.cards not in paper.out | paper.resting:
        return f"there is no card {step.cards} out of play here"
    if step.which == "first":
        return "" if step.to == "burn" else "only a burn is the first of several cards"
    paper.out.discard(step.cards)
    paper.resting.add(step.cards)
    if step.to != "aside":
        # What became a burn, or a card of a hand, is in play as that, and no step may take it again.
        paper.resting.discard(step.cards)
    if step.to == "board":
        paper.street_due = False
    if step.to == "owner":
        paper.short = False
    return ""


def _shuffle(step: Shuffle, paper: _Paper) -> str:
    if step.before == "deal":
        if not paper.called_off:
            return "all 52 are shuffled only when the deal was called off"
        paper.shuffled_all = True
        paper.out.clear()
        paper.resting.clear()
        paper.short = paper.street_due = False
        return ""
    if paper.called_off:
        return "when the deal was called off all 52 are shuffled"
    for lot in step.cards:
        if lot == "stub" or lot == "everything":
            continue
        if lot not in paper.out | paper.resting:
            return f"there is no {lot} card that could go into the set"
        paper.out.discard(lot)
        paper.resting.discard(lot)
    return ""


def _deal(step: Deal, paper: _Paper) -> str:
    if step.cards == "hole-cards":
        if not paper.shuffled_all:
            return "cards are dealt again only from all 52, shuffled"
        paper.dealt_again = True
    elif paper.called_off:
        return "when the deal was called off no street follows"
    paper.street_due = False
    return ""


def _end(paper: _Paper) -> str:
    """What is lost when all steps are done; empty where nothing is."""
    if paper.called_off and not paper.dealt_again:
        return "the deal is called off, and the 52 cards are never dealt again"
    if paper.out:
        lost = " and the ".join(sorted(paper.out))
        return f"the {lost} card is out of play, and no step says where it goes: it is lost"
    if paper.short:
        return "the hand whose card was exposed is left a card short"
    if paper.street_due:
        return "the board is taken off, and the street is never dealt again"
    return ""
