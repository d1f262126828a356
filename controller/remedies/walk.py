"""The engine that walks remedies, whatever they are: one step after the other, each proved before the next.

It knows steps, not rules. What a step needs done it asks of the table's `Works`; no step of any remedy has
code elsewhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from controller.cards import Card
from controller.places import ASIDE, BOARD, BURN, MUCK, SCRAP, Place, at_seat, seat_of
from controller.remedies.steps import (
    FLOORS,
    Await,
    BringBack,
    Burn,
    BurnOf,
    Burns,
    Button,
    ButtonOf,
    CallOff,
    Dead,
    Deal,
    Draw,
    Floor,
    Holds,
    Made,
    Move,
    NamedRemedy,
    Pick,
    Pool,
    PullDeck,
    Restore,
    Shuffle,
    Step,
    Tell,
    TurnUp,
    Void,
)

_TARGETS: Final[dict[str, Place]] = {
    "aside": ASIDE,
    "burn": BURN,
    "board": BOARD,
    "muck": MUCK,
    "scrap": SCRAP,
}
_HOLDING: Final[tuple[Holds, ...]] = ("nothing", "street", "first-act", "everything")


@dataclass
class Open:
    """A remedy under way for ruling `number`.

    `owner` is the seat whose card was exposed, or where one too many lies. The step under way is `at`;
    `under_way` once it was begun, `acked` once the dealer pressed ack for it. `begun` once a first command
    was given. `astray` while a card that joined the set is not with its others. `stray` is a card that was
    laid down in the place of the one asked for, and the seat that it belongs to. `cards` are those that its
    ruling took out of play, or of the hand that is dead.
    """

    number: int
    rule: str
    named: NamedRemedy
    owner: int
    at: int = 0
    under_way: bool = False
    acked: bool = False
    begun: bool = False
    stray: tuple[Card, int] | None = field(default=None, repr=False)
    astray: bool = False
    cards: tuple[Card, ...] = field(default=(), repr=False)

    @property
    def says(self) -> str:
        """The step under way in words."""
        return self.step.says if self.step is not None else self.named.remedy.says

    @property
    def step(self) -> Step | None:
        """The step under way, None when all are done."""
        steps = self.named.remedy.steps
        return steps[self.at] if self.at < len(steps) else None

    def moves(self, pool: Pool) -> bool:
        """Whether a step to come moves cards of this pool."""
        steps = self.named.remedy.steps[self.at :]
        return any(isinstance(step, Move) and step.cards == pool for step in steps)

    def holds(self, kind: Holds) -> bool:
        """Whether it keeps this from being taken as play now; one that waits for the play holds no act."""
        holds = self.named.remedy.holds
        if holds == "first-act" and isinstance(self.step, Await):
            holds = "nothing"
        elif isinstance(self.step, Move) and self.step.holds is not None:
            holds = self.step.holds
        return _HOLDING.index(holds) >= _HOLDING.index(kind)


class Works(Protocol):
    """What the steps of a remedy can have done at a table."""

    def asked_is_done(self, *codes: str | None) -> None:
        """A step is done that asked the dealer by one of these prompts: the same may be asked for anew."""

    @property
    def hole_cards_are_dealt(self) -> bool:
        """Whether everybody has been dealt."""

    @property
    def round_is_over(self) -> bool:
        """Whether a betting round is open no more and no next street has begun."""

    @property
    def street_is_due(self) -> bool:
        """Whether the next street is being dealt, or nothing but its dealing follows the round."""

    @property
    def works_on(self) -> bool:
        """Whether a machine, or a card that is due, has still to finish what a step began."""

    def pool(self, pool: Pool) -> tuple[Card, ...]:
        """The cards of that name, in the order in which they came."""

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of a hand, and what else was dealt to its seat."""

    def kill(self, seat: int) -> None:
        """The hand of a seat is dead."""

    def where(self, card: Card) -> Place:
        """Where a card lies, whatever it counts as."""

    def proved_by_ack(self, place: Place) -> bool:
        """Whether no antenna can see a card come to rest there."""

    def ask_for(self, code: str, seat: int, count: int, seats: tuple[int, ...], place: Place | None) -> None:
        """Asks the dealer; `place` is where an antenna, or a key, will prove it."""

    def which(self, card: Card) -> int:
        """Which of the cards lying at its seat a card is, from 1."""

    def arrived(self, step: Move, cards: Iterable[Card], place: Place) -> None:
        """Cards of a remedy lie where a step of it wanted them."""

    @property
    def sees_faces(self) -> bool:
        """Whether optics see which side of a board card is up."""

    def lie_up(self, cards: Iterable[Card]) -> bool:
        """Whether optics have seen all these cards lie face up on the board."""

    def picked(self, card: Card, of: BurnOf) -> None:
        """One of the cards that were taken off the board is the burn of their street, or of the one after."""

    def back_on_board(self, cards: Iterable[Card]) -> None:
        """Cards that were taken off the board are in play there again: they are their street."""

    def has_all(self, seat: int) -> bool:
        """Whether a seat holds all the cards that it plays."""

    def draw_for(self, seat: int) -> None:
        """The next card off the shoe is due at a seat, to replace another."""

    def call_off(self) -> None:
        """The deal is void."""

    def shuffle(self, step: Shuffle, why: str, seat: int) -> None:
        """Begins to have a set shuffled, for the remedy `why`; `seat` is the ruling's, 0 for none."""

    def restore(self, step: Restore, why: str) -> None:
        """Begins to have the stub put back into the shoe as it was, for the remedy `why`."""

    def what_was_due_is_again(self) -> None:
        """What was due before the stub was taken away leaves the shoe next."""

    def ask_for_set(self) -> None:
        """Asks once more for what the set's way needs now."""

    def burn_is_made(self, unless: Made) -> bool:
        """Whether a burn was made for the next street; `made-since`: one that no early card has spent."""

    def burn(self, prompt: str) -> None:
        """Has one card burned; `prompt` asks for it where no machine can."""

    def move_button(self, seat: int, of: ButtonOf) -> None:
        """The button belongs at a seat, in this hand or from the next on."""

    def plan_burns(self, count: int) -> None:
        """The next street is to have so many burns."""

    def deal_again(self) -> None:
        """Begins the deal anew."""

    def deal_street(self) -> None:
        """Has the next street dealt."""

    def call_floor(self, rule: str, named: NamedRemedy) -> None:
        """Halts the table; behind the floor's step of the remedy stands what is proposed to it."""


class _Progress(Enum):
    DONE = "done"
    WAITS = "waits for the play"
    ASKS = "waits for hands or machines"


_ASKS_BY: Final = ("prompt", "from_burn")


def walk(remedies: list[Open], works: Works) -> Open | None:
    """Takes every open remedy as far as it goes, in the order of their rulings; drops those that are done.

    Returns the one whose step hands or machines must do now, None where the play may go on.
    """
    for remedy in sorted(remedies, key=_urgency):
        while remedy in remedies and (step := remedy.step) is not None:
            progress = _do(step, remedy, works)
            if progress is _Progress.ASKS:
                return remedy
            if progress is _Progress.WAITS:
                break
            works.asked_is_done(*(getattr(step, field, None) for field in _ASKS_BY))
            remedy.at += 1
            remedy.under_way = remedy.acked = False
        if remedy.step is None and remedy in remedies:
            remedies.remove(remedy)
            if any(other.under_way and isinstance(other.step, Shuffle | Restore) for other in remedies):
                works.ask_for_set()  # what was asked for it stood in the way
    return None


def _urgency(remedy: Open) -> int:
    """What nobody can put right halts the table whatever else is under way; a card that must not come among
    others is laid away before those are brought together, and so is what the dealer has only to be told. What
    happened to a set on its way comes before what the set is for."""
    if isinstance(remedy.step, FLOORS):
        return 0
    if isinstance(remedy.step, Move) and remedy.step.cards == "card":
        return 1
    if isinstance(remedy.step, Restore) or (
        isinstance(remedy.step, Shuffle) and remedy.step.before == "next-card"
    ):
        return 1
    return 1 if all(isinstance(step, Tell) for step in remedy.named.remedy.steps) else 2


def _do(step: Step, remedy: Open, works: Works) -> _Progress:
    """Begins a step, or looks whether it is done."""
    match step:
        case Await():
            met = {
                "hole-cards": works.hole_cards_are_dealt,
                "betting": works.round_is_over,
                "street": works.street_is_due,
            }[step.until]
            return _Progress.DONE if met else _Progress.WAITS
        case Tell():
            return _asked(remedy, works, step.prompt, count=len(works.pool("early")))
        case Move():
            return _move(step, remedy, works)
        case Pick():
            return _pick(step, works)
        case TurnUp():
            return _turn_up(step, remedy, works)
        case Floor() | Void() | PullDeck():
            works.call_floor(remedy.rule, remedy.named)
            return _Progress.ASKS
        case CallOff():
            works.call_off()
            return _Progress.DONE
        case Button():
            return _button(step, remedy, works)
        case Burns():
            works.plan_burns(step.count)
            return _Progress.DONE
        case BringBack():
            return _Progress.DONE  # asked for before any remedy is walked, until the cards lie there
        case Dead():
            remedy.cards = works.hand(remedy.owner)
            works.kill(remedy.owner)
            return _Progress.DONE
        case _:
            return _machine(step, remedy, works)


def _machine(step: Draw | Shuffle | Restore | Burn | Deal, remedy: Open, works: Works) -> _Progress:
    """Steps that let cards leave the shoe or go into the shuffler."""
    if isinstance(step, Draw):
        return _draw(step, remedy, works)
    if not remedy.under_way:
        if isinstance(step, Burn) and works.burn_is_made(step.unless):
            return _Progress.DONE
        remedy.under_way = remedy.begun = True
        match step:
            case Shuffle():
                works.shuffle(step, remedy.named.name, remedy.owner)
            case Restore():
                works.restore(step, remedy.named.name)
            case Burn():
                works.burn(step.prompt)
            case Deal(cards="hole-cards"):
                works.deal_again()
                return _Progress.DONE
            case Deal():
                works.deal_street()
    if isinstance(step, Shuffle):
        _gather_what_joined(remedy, works)
    if not works.works_on:
        if isinstance(step, Shuffle | Restore):
            works.what_was_due_is_again()
        return _Progress.DONE
    return _Progress.WAITS if isinstance(step, Deal) else _Progress.ASKS


def _gather_what_joined(remedy: Open, works: Works) -> None:
    """A card that joined after the others were moved is asked for where they lie; then the set again."""
    step = _last_move(remedy)
    if step is None:
        return
    place = target(step, remedy)
    left = [card for card in wanted_by(step, remedy, works) if works.where(card) != place]
    if left and remedy.acked:
        works.arrived(step, left, place)
        left = []
    if left:
        remedy.astray = True
        _ask_to_move(step, remedy, works, left, place)
    elif remedy.astray:
        remedy.astray = remedy.acked = False
        works.ask_for_set()


def _last_move(remedy: Open) -> Move | None:
    done = remedy.named.remedy.steps[: remedy.at]
    return next((step for step in reversed(done) if isinstance(step, Move)), None)


def moving(remedy: Open) -> Move | None:
    """The move that hands are to make now: the step under way, or the one that a card which joined after it
    is to make as well."""
    if isinstance(remedy.step, Move):
        return remedy.step
    return _last_move(remedy) if remedy.astray else None


def _draw(step: Draw, remedy: Open, works: Works) -> _Progress:
    if works.has_all(remedy.owner):
        return _Progress.DONE
    remedy.begun = True
    if not works.works_on:
        works.draw_for(remedy.owner)
    works.ask_for(step.prompt, remedy.owner, 0, (), None)
    return _Progress.ASKS


def _asked(remedy: Open, works: Works, code: str, *, count: int) -> _Progress:
    if remedy.acked:
        return _Progress.DONE
    works.ask_for(code, 0, count, (), None)
    return _Progress.ASKS


def _button(step: Button, remedy: Open, works: Works) -> _Progress:
    if not remedy.acked:
        works.ask_for(step.prompt, remedy.owner, 0, (), None)
        return _Progress.ASKS
    works.move_button(remedy.owner, step.of)
    return _Progress.DONE


def target(step: Move, remedy: Open) -> Place:
    """Where the cards of a step go."""
    return at_seat(remedy.owner) if step.to == "owner" else _TARGETS[step.to]


def wanted_by(step: Move, remedy: Open, works: Works) -> tuple[Card, ...]:
    """The cards that a step moves."""
    match step.cards:
        case "card" | "hand":
            cards = remedy.cards
        case pool:
            cards = works.pool(pool)
    return cards if step.which == "all" else cards[:1]


def _move(step: Move, remedy: Open, works: Works) -> _Progress:
    place = target(step, remedy)
    if remedy.stray is not None:
        _, seat = remedy.stray
        works.ask_for("wrong-card", seat, 0, (), None)
        return _Progress.ASKS
    cards = wanted_by(step, remedy, works)
    left = [card for card in cards if works.where(card) != place]
    if not left or remedy.acked:
        works.arrived(step, cards, place)
        return _Progress.DONE
    _ask_to_move(step, remedy, works, left, place)
    return _Progress.ASKS


def _pick(step: Pick, works: Works) -> _Progress:
    picked = [card for card in works.pool(step.cards) if works.where(card) == BURN]
    if not picked:
        works.ask_for(step.prompt, 0, 0, (), BURN)
        return _Progress.ASKS
    works.picked(picked[0], step.of)
    return _Progress.DONE


def _turn_up(step: TurnUp, remedy: Open, works: Works) -> _Progress:
    cards = works.pool(step.cards)
    if works.lie_up(cards) or remedy.acked:
        works.back_on_board(cards)
        return _Progress.DONE
    works.ask_for(step.prompt, 0, len(cards), (), None if works.sees_faces else BOARD)
    return _Progress.ASKS


def _ask_to_move(step: Move, remedy: Open, works: Works, left: list[Card], place: Place) -> None:
    source = works.where(left[-1])
    seat = seat_of(source) or 0
    prompt = step.from_burn if step.from_burn is not None and source == BURN else step.prompt
    if step.to == "owner":
        works.ask_for(prompt, remedy.owner, seat, (seat, remedy.owner), place)
    elif step.to in ("aside", "board", "muck"):
        works.ask_for(prompt, seat, len([card for card in left if works.where(card) == source]), (), place)
    else:
        works.ask_for(prompt, seat, works.which(left[-1]) if seat else 0, (), place)


def lay_down(asking: Open | None, works: Works, card: Card, source: Place, to: Place) -> bool:
    """Takes a card that lay at `source` and was laid down; False where it does not concern the step that
    stands.

    Another card than the one asked for is a stray: the step then asks for it to go back, without naming it.
    """
    if asking is not None and isinstance(asking.step, Pick):
        return to == BURN and card in works.pool(asking.step.cards)
    if asking is None or not isinstance(asking.step, Move):
        return False
    if asking.stray is not None:
        stray, seat = asking.stray
        if card == stray and to == at_seat(seat):
            asking.stray = None
            return True
        return False
    if to != target(asking.step, asking):
        return False
    seat_it_left = seat_of(source)
    if card not in wanted_by(asking.step, asking, works):
        if seat_it_left is None:
            return False
        asking.stray = (card, seat_it_left)
    return True


def wanted(remedies: Iterable[Open], works: Works, card: Card, place: Place) -> bool:
    """Whether a step to come of some remedy wants this card there."""
    return any(
        isinstance(step, Move) and target(step, remedy) == place and card in wanted_by(step, remedy, works)
        for remedy in remedies
        for step in remedy.named.remedy.steps[remedy.at :]
    )


def takes_ack(asking: Open | None, works: Works) -> bool:
    """Whether the dealer's ack proves the step under way: it is told, or no antenna sees what was done."""
    step = (moving(asking) or asking.step) if asking is not None else None
    match step:
        case Tell() | Button():
            return True
        case TurnUp():
            return not works.sees_faces
        case Move() if asking is not None:
            return works.proved_by_ack(target(step, asking))
        case _:
            return False


def press_ack(asking: Open | None, works: Works) -> bool:
    """Takes the dealer's ack as the proof of the step under way; False where that waits for another."""
    if asking is None or not takes_ack(asking, works):
        return False
    asking.acked = True
    return True


def brings_burn(remedy: Open) -> bool:
    """Whether a card that this remedy moves will be the burn of the next street."""
    ahead = remedy.named.remedy.steps[remedy.at :]
    return any(isinstance(step, Move) and step.to == "burn" and step.of == "this-street" for step in ahead)
