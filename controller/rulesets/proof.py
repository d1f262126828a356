"""The proof that a remedy loses no card and comes to its end, made for every rule before a table uses it.

A remedy is walked through on paper: which cards its irregularity has taken out of play, where each step puts
them, which street comes next and whether its betting is open, and whether at the end every card rests
somewhere or is in play again, with every hand and the board whole.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, assert_never

from controller.remedies.steps import (
    FLOORS,
    Await,
    BringBack,
    Burn,
    Burns,
    Button,
    CallOff,
    Dead,
    Deal,
    Draw,
    Floor,
    Holds,
    Move,
    NamedRemedy,
    Pick,
    Pool,
    PullDeck,
    Remedy,
    Restore,
    Shuffle,
    Step,
    Tell,
    TurnUp,
    Void,
)
from controller.rulesets.known import CASES, NO_CASE, Betting, Irregularity, Takes

_LOTS: Final[dict[Takes, frozenset[Pool]]] = {
    "exposed": frozenset({"exposed"}),
    "extra": frozenset({"extra"}),
    "card": frozenset({"card"}),
    "board": frozenset({"early"}),
    "burnt": frozenset({"burnt"}),
    "early": frozenset({"early"}),
    "nothing": frozenset(),
}
_FLOP: Final = 3
"""How many cards the flop has, and how many streets are still to be dealt when it comes next."""

Short = Literal["no", "maybe", "yes", "several"]
Found = Literal["open", "closed"]


@dataclass(frozen=True)
class Refusal:
    """Why a remedy may not be called for: at which of its steps, from 1; 0 for the remedy as a whole.

    `foreign` is whether it is for something else than what happened.
    """

    step: int
    why: str
    foreign: bool = False

    def __str__(self) -> str:
        return f"step {self.step}: {self.why}" if self.step else self.why


@dataclass
class _Paper:
    """What is where, as far as a remedy has come on paper.

    `out` are the cards out of play that no step has put anywhere yet, `resting` those that lie aside; of
    `several` there may be more than one seat's. `short` is whether a hand lacks a card, `dealt` whether
    everybody has been dealt. `streets` are still to be dealt, `street_due` is whether the next of them must
    be dealt by the remedy itself, `betting` whether the round before it is open. `lie` is how many cards were
    taken off the board, None where that is not sure. `gone` is what the floor has taken: the hand, which is
    void, or the deck with it. `of_stub` is whether the stub alone may be shuffled. `falls_back` is whether
    another remedy stands in its place where no antenna sees which card was picked. `thrown` is whether a live
    hand lies in the muck; `waited` once a step came that is not the floor's.
    """

    out: set[Pool]
    several: bool
    short: Short
    dealt: bool
    window: Found
    holds: Holds
    streets: int
    street_due: bool
    betting: Betting
    lie: int | None
    falls_back: bool
    resting: set[Pool] = field(default_factory=set)
    begun: bool = False
    called_off: bool = False
    shuffled_all: bool = False
    dealt_again: bool = False
    dead: bool = False
    laid: bool = False
    gone: Literal["", "hand", "deck"] = ""
    of_stub: bool = False
    thrown: bool = False
    miscounted: bool = False
    waited: bool = False


def unproved(
    known: Irregularity, takes: Takes, case: str, named: NamedRemedy, window: Found = "open"
) -> Refusal | None:
    """Why a remedy may not be called for by an irregularity that takes such cards; None where it may.

    `window` is whether the irregularity is found while its window is open.
    """
    remedy = named.remedy
    foreign = sorted(remedy.about - known.about)
    if "mixed stub" in foreign:
        met = "only where the stub has met the muck or the burns do these go into a shuffle"
        return Refusal(0, met, foreign=True)
    if foreign:
        about = " and the ".join(sorted(known.about))
        return Refusal(0, f"it is for the {foreign[0]}, this happens to the {about}", foreign=True)
    if known.betting == "void" and remedy.holds in ("nothing", "street") and not _calls_floor(remedy):
        return Refusal(0, f'nobody may act on a street that is void: with holds = "{remedy.holds}" all may')
    if known.fouled and not _calls_floor(remedy):
        return Refusal(0, "with such a deck nothing can be put right: the floor decides, or ends the hand")
    paper = _begin(known, takes, case, remedy, window)
    for number, step in enumerate(remedy.steps, start=1):
        why = _nothing_follows(step, paper) or _step(step, paper)
        if why:
            return Refusal(number, why)
        if isinstance(step, Floor) and number == len(remedy.steps):
            return None  # the floor decides, and every decision of its ends with 52 cards
        if isinstance(step, Void | PullDeck) and number == len(remedy.steps):
            return None  # all 52 are gathered, or leave the table together
        paper.begun = True
        paper.waited = paper.waited or not isinstance(step, Floor)
    lost = _end(paper)
    return Refusal(0, lost) if lost else None


def _calls_floor(remedy: Remedy) -> bool:
    return bool(remedy.steps) and isinstance(remedy.steps[0], FLOORS)


def _begin(known: Irregularity, takes: Takes, case: str, remedy: Remedy, window: Found) -> _Paper:
    special = CASES.get(case, NO_CASE)
    out = set(_LOTS[takes] | _LOTS[special.also]) if takes != "nothing" else set[Pool]()
    short: Short = "yes" if known.lacks else "no"
    if "exposed" in out:
        short = "maybe" if special.owner_has_all else "yes"
        if (known.several or special.several) and takes == "exposed":
            short = "several"
    return _Paper(
        out=out,
        several=known.several or special.several or special.owner_has_all,
        short=short,
        dealt="extra" in out or known.lacks or window == "closed",
        window=window,
        holds=remedy.holds,
        streets=known.streets if special.streets is None else special.streets,
        street_due=takes == "board",
        betting=special.betting or known.betting,
        lie=special.exactly or known.exactly,
        falls_back=remedy.unseen is not None,
        of_stub=known.of_stub,
        thrown=known.thrown,
        miscounted=known.miscounted,
    )


_WAITING: Final = (Await, Tell, Move, Draw, Pick, TurnUp, Button, Burn)
"""Steps that may take a while, in which the play goes on as far as nothing holds it."""


def _nothing_follows(step: Step, paper: _Paper) -> str:
    """Why no such step can follow those before it; empty where it can."""
    if paper.gone == "deck":
        return "the deck has left the table: nothing follows"
    if paper.gone == "hand" and not isinstance(step, PullDeck):
        return "the hand is void: nothing follows but that the deck leaves the table"
    if paper.dealt_again:
        return "the deal was begun anew: nothing follows"
    if paper.called_off and not isinstance(step, Shuffle | Deal | Tell | Button):
        return "after the deal was called off nothing follows but all 52 shuffled and dealt again"
    holds = getattr(step, "holds", None) or paper.holds
    if paper.laid and holds != "everything" and isinstance(step, _WAITING):
        return f'a card of the street lies: with holds = "{holds}" it would go on by itself before this step'
    return ""


def _step(step: Step, paper: _Paper) -> str:
    """Does one step on paper; what is wrong with it, empty where nothing is.

    A new kind of step needs its case here: mypy says so.
    """
    match step:
        case Await():
            return _await(step, paper)
        case Move():
            return _move(step, paper)
        case Draw():
            return _draw(paper)
        case CallOff():
            return _call_off(paper)
        case Button() | Burns():
            return _planned(step, paper)
        case Shuffle():
            return _shuffle(step, paper)
        case Deal():
            return _deal(step, paper)
        case Pick():
            return _pick(step, paper)
        case TurnUp():
            return _turn_up(step, paper)
        case Burn():
            return _before_a_street(paper)
        case Dead() | BringBack():
            return _of_the_hand(step, paper)
        case Void() | PullDeck():
            paper.gone = "hand" if isinstance(step, Void) else "deck"
            return ""
        case Tell() | Floor() | Restore():
            return ""
        case _:
            assert_never(step)


def _await(step: Await, paper: _Paper) -> str:
    if step.until == "hole-cards":
        paper.dealt = True
        return ""
    if step.until == "street" and paper.betting == "open":
        return "a street may count as due before its betting is finished: await the betting"
    if step.until == "betting" and paper.betting == "either":
        return "the street may be due already: await the street"
    if paper.betting not in ("open", "either"):
        return "no betting is open that could be finished"
    if paper.holds == "everything":
        return "nobody may act while the remedy holds everything: the betting would never be finished"
    paper.betting = "over"
    return ""


def _move(step: Move, paper: _Paper) -> str:
    if step.cards == "hand":
        return "" if paper.dead and step.to == "muck" else "only a dead hand is moved, and to the muck"
    if step.cards not in paper.out | paper.resting:
        return _no_such_cards(step)
    if step.to == "burn" and step.of == "next-street" and paper.streets <= 1:
        return "no street follows whose burn it could be"
    if step.which == "first":
        return _first_to_burn(step, paper)
    if step.to == "board" and (why := _to_board(step, paper)):
        return why
    if step.to == "owner":
        why = _to_owner(paper)
        if why:
            return why
    paper.out.discard(step.cards)
    # What became a burn, or a card of a hand, is in play as that, and no step may take it again.
    paper.resting.discard(step.cards)
    if step.to == "aside":
        paper.resting.add(step.cards)
    return ""


def _no_such_cards(step: Move | Pick) -> str:
    return f'nothing is out of play here that cards = "{step.cards}" could mean'


def _first_to_burn(step: Move, paper: _Paper) -> str:
    """The first of several cards becomes a burn; the others are still out of play."""
    if step.to != "burn" or step.cards != "early" or paper.lie is None or paper.lie <= 1:
        return "only of several board cards, where it is sure how many, the first becomes a burn"
    paper.lie -= 1
    return ""


def _to_board(step: Move, paper: _Paper) -> str:
    """A burn is to be a card of the next street; the remedy must deal what that lacks."""
    if step.cards != "burnt":
        return "only a burn is laid on the board; what lies there is turned up"
    if "nothing" in (paper.holds, step.holds):
        return 'the street would go on by itself: with holds = "nothing" no card of it is laid'
    why = _before_a_street(paper)
    paper.street_due = paper.laid = True
    return why


def _to_owner(paper: _Paper) -> str:
    """Gives the owner of the exposed card one card; why that cannot be, empty where it can."""
    if not paper.dealt:
        return "the owner gets a card only when everybody has been dealt: await the hole cards first"
    if paper.short == "no":
        return "no hand lacks a card: the owner would have one too many"
    if paper.several:
        return "there may be several cards, of several seats: none can be given to one owner"
    paper.short = "no"
    return ""


def _draw(paper: _Paper) -> str:
    if paper.short == "several":
        return "several hands lack a card, and one is drawn"
    if not paper.dealt:
        return "the owner gets a card only when everybody has been dealt: await the hole cards first"
    if paper.short == "no":
        return "no hand lacks a card"
    paper.short = "no"
    return ""


def _call_off(paper: _Paper) -> str:
    if paper.begun:
        # From the ruling on no hole card is due any more: what waits for one would wait for ever.
        return "a deal is called off at once: no step comes before"
    paper.called_off = True
    return "" if paper.window == "open" else "once its window has closed a deal cannot be called off"


def _planned(step: Button | Burns, paper: _Paper) -> str:
    """Something that counts for a deal or a street to come."""
    if isinstance(step, Burns):
        return "" if paper.streets else "no street follows any more"
    if step.of == "this-hand" and (not paper.called_off or paper.shuffled_all):
        return "the button moves in a hand whose deal was called off, before all 52 are shuffled"
    return ""


def _before_a_street(paper: _Paper) -> str:
    """Why neither a burn nor a street can be made now; empty where it can."""
    if not paper.streets:
        return "no street follows any more"
    if paper.betting == "either":
        return "the betting may not be finished: await the street first"
    return "the betting is not finished: await it first" if paper.betting == "open" else ""


def _shuffle(step: Shuffle, paper: _Paper) -> str:
    if step.before == "deal":
        if not paper.called_off:
            return "all 52 are shuffled only when the deal was called off"
        if paper.shuffled_all:
            return "all 52 are shuffled already"
        paper.shuffled_all = True
        paper.out.clear()
        paper.resting.clear()
        paper.short = "no"
        paper.street_due = False
        return ""
    if paper.called_off:
        return "when the deal was called off all 52 are shuffled"
    if paper.laid:
        return "a card of the street lies on the board: it is dealt to its end first"
    taken = [lot for lot in step.cards if lot in ("early", "burnt")]
    if step.before == "next-card":
        return f"what was taken out of play waits for its street: {taken[0]} cards stay out" if taken else ""
    if not taken and paper.of_stub and step.before == "next-street":
        paper.street_due = True
        return _before_a_street(paper)
    if not taken:
        return "nothing that was taken out of play goes into the set"
    for lot in taken:
        if lot not in paper.out | paper.resting:
            return f"there is no {lot} card that could go into the set"
    comes: Literal["flop", "next-street"] = "flop" if paper.streets == _FLOP else "next-street"
    if step.before != comes:
        return f'the street that comes is shuffled for with before = "{comes}"'
    paper.out.difference_update(taken)
    paper.resting.difference_update(taken)
    paper.street_due = True
    return _before_a_street(paper)


def _deal(step: Deal, paper: _Paper) -> str:
    if step.cards == "hole-cards":
        if not paper.shuffled_all:
            return "cards are dealt again only from all 52, shuffled"
        paper.dealt_again = True
        return ""
    if paper.called_off:
        return "when the deal was called off no street follows"
    why = _before_a_street(paper)
    _street_lies(paper)
    return why


def _street_lies(paper: _Paper) -> None:
    paper.streets -= 1
    paper.laid = False
    paper.street_due = False
    paper.betting = "open"


def _of_the_hand(step: Dead | BringBack, paper: _Paper) -> str:
    """What becomes of a hand as a whole."""
    if isinstance(step, Dead):
        paper.dead, paper.thrown, paper.miscounted = True, False, False
        return ""
    if paper.waited:
        return "a hand comes back from the muck before all else: no step stands before it"
    if not paper.thrown:
        return "no hand lies in the muck that could come back"
    paper.thrown = False
    return ""


def _pick(step: Pick, paper: _Paper) -> str:
    if step.cards not in paper.out:
        return _no_such_cards(step)
    if not paper.falls_back or paper.lie is None:
        return "where a card is picked it is sure how many lie there, and `unseen` says what else is done"
    if step.of == "next-street" and paper.streets <= 1:
        return "no street follows whose burn it could be"
    paper.lie -= 1
    return ""


def _turn_up(step: TurnUp, paper: _Paper) -> str:
    if step.cards not in paper.out:
        return f"there is no card {step.cards} that could be turned up on the board"
    if paper.streets != _FLOP or paper.lie is None or not 1 <= paper.lie <= _FLOP:
        return "it is not sure that what lies there is a flop, or a part of one"
    paper.out.discard(step.cards)
    if paper.lie == _FLOP:
        _street_lies(paper)
    return ""


def _end(paper: _Paper) -> str:
    """What is lost when all steps are done; empty where nothing is."""
    if paper.called_off and not paper.dealt_again:
        return "the deal is called off, and the 52 cards are never dealt again"
    if paper.out:
        lost = " and the ".join("card" if lot == "card" else f"{lot} card" for lot in sorted(paper.out))
        return f"the {lost} is out of play, and no step says where it goes: it is lost"
    if paper.short != "no":
        return "the hand whose card was exposed is left a card short"
    if paper.thrown:
        return "the hand lies in the muck, and no step brings it back or says that it is dead"
    if paper.miscounted:
        return "the hand keeps the wrong number of cards, and no step says that it is dead"
    if paper.street_due:
        return "the board is taken off, and the street is never dealt again"
    return ""
