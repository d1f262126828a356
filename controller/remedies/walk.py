"""The engine that walks remedies, whatever they are: one step after the other, each proved before the next.

It knows steps, not rules. What a step needs done it asks of the table's `Works`; no step of any remedy has
code elsewhere.
"""

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import Final

from controller.cards import Card
from controller.places import ASIDE, BOARD, BURN, MUCK, SCRAP, Place, at_seat, seat_of
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
    Move,
    Pick,
    PullDeck,
    Restore,
    Shuffle,
    Step,
    Tell,
    TurnUp,
    Void,
)
from controller.remedies.under_way import Open
from controller.remedies.works import Works

_TARGETS: Final[dict[str, Place]] = {
    "aside": ASIDE,
    "burn": BURN,
    "board": BOARD,
    "muck": MUCK,
    "scrap": SCRAP,
}


class _Progress(Enum):
    DONE = "done"
    WAITS = "waits for the play"
    ASKS = "waits for hands or machines"


_ASKS_BY: Final = ("prompt", "from_burn", "from_muck")


def asked_by(remedy: Open | None) -> list[str]:
    """The prompts by which the step under way may ask."""
    step = None if remedy is None else remedy.step
    return [code for field in _ASKS_BY if (code := getattr(step, field, None)) is not None]


def walk(remedies: list[Open], works: Works) -> Open | None:
    """Takes every open remedy as far as it goes, what is urgent first, else in the order of their rulings;
    drops those that are done.

    Returns the one whose step hands or machines must do now, None where the play may go on.
    """
    while True:
        for remedy in sorted(remedies, key=_turn):
            if remedy.step is None:
                _is_done(remedy, remedies, works)
                break
            progress = _do(remedy.step, remedy, works)
            if progress is _Progress.ASKS:
                return remedy
            if progress is _Progress.DONE:
                _step_is_done(remedy.step, remedy, remedies, works)
                break
        else:
            return None


def _step_is_done(step: Step, remedy: Open, remedies: list[Open], works: Works) -> None:
    works.asked_is_done(*asked_by(remedy))
    if isinstance(step, Shuffle) and remedy.under_way:
        for other in remedies:
            other.stub_is_shuffled = other is not remedy
    remedy.at += 1
    remedy.under_way = remedy.acked = False


def _is_done(remedy: Open, remedies: list[Open], works: Works) -> None:
    remedies.remove(remedy)
    if any(other.under_way and isinstance(other.step, Shuffle | Restore) for other in remedies):
        works.ask_for_set()  # what was asked for it stood in the way


class _Turn(IntEnum):
    """Which remedies come before others."""

    FLOOR = 0  # what nobody can put right halts the table whatever else is under way
    AWAY = 1  # what must not come among other cards, before those are brought together; what is only told
    SET = 2  # what happened to a set on its way, before what the set is for
    USUAL = 3
    SHUFFLE = 4  # every card that goes into the stub, before the stub alone: then it is shuffled once
    SHUFFLE_STUB = 5
    BURN = 6  # off the stub as it will be dealt from
    STREET = 7


def _turn(remedy: Open) -> _Turn:
    """When a remedy's step has its turn among those of others."""
    step = remedy.step
    if step is None or isinstance(step, FLOORS):
        return _Turn.FLOOR
    match step:
        case Move(cards="card"):
            return _Turn.AWAY
        case _ if all(isinstance(step, Tell) for step in remedy.named.remedy.steps):
            return _Turn.AWAY
        case Restore() | Shuffle(before="next-card"):
            return _Turn.SET
        case _ if remedy.under_way:
            return _Turn.USUAL
        case Shuffle(before="next-street", cards=("stub",)):
            return _Turn.SHUFFLE_STUB
        case Shuffle(before="next-street" | "flop"):
            return _Turn.SHUFFLE
        case Burn():
            return _Turn.BURN
        case Deal(cards="next-street"):
            return _Turn.STREET
        case _:
            return _Turn.USUAL


def _do(step: Step, remedy: Open, works: Works) -> _Progress:
    """Begins a step, or looks whether it is done."""
    match step:
        case Await() | Shuffle() if works.board_is_whole and _only_makes_ready(remedy):
            remedy.at = len(remedy.named.remedy.steps) - 1
            return _Progress.DONE  # no street follows any more
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


def _only_makes_ready(remedy: Open) -> bool:
    """Whether all that is left of a remedy is for a street to come, and no card of its own is to be moved."""
    return not remedy.under_way and all(map(_makes_ready, remedy.named.remedy.steps[remedy.at :]))


def _makes_ready(step: Step) -> bool:
    match step:
        case Await() | Burn() | Deal() | Shuffle(before="next-street", cards=("stub",)):
            return True
        case _:
            return False


def _machine(step: Draw | Shuffle | Restore | Burn | Deal, remedy: Open, works: Works) -> _Progress:
    """Steps that let cards leave the shoe or go into the shuffler."""
    if isinstance(step, Draw):
        return _draw(step, remedy, works)
    if not remedy.under_way:
        if isinstance(step, Burn) and works.burn_is_made(step.unless):
            return _Progress.DONE
        if _turn(remedy) is _Turn.SHUFFLE_STUB and remedy.stub_is_shuffled:
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
    if isinstance(step, Shuffle) and works.set_is_open:
        _gather_what_joined(remedy, works)
    if isinstance(step, Burn):
        works.ask_for_burn(step.prompt)
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
    left = [card for card in cards if works.where(card) != place or works.lies_face_down(card)]
    if not left and not remedy.acked and _is_to_be_told(step, remedy):
        works.tell_of(step.prompt, len(cards))
        return _Progress.ASKS
    if not left or remedy.acked:
        works.arrived(step, cards, place)
        return _Progress.DONE
    _ask_to_move(step, remedy, works, left, place)
    return _Progress.ASKS


def _is_to_be_told(step: Move, remedy: Open) -> bool:
    """Whether the dealer has never been asked for a card that is void: one that came to lie aside by itself
    he has to know from those that are set aside for a shuffle."""
    void = (step.cards, step.to) == ("card", "aside")
    return void and bool(remedy.cards) and not remedy.asked


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
    remedy.asked = True
    source = works.where(left[-1])
    seat = seat_of(source) or 0
    prompt = {BURN: step.from_burn, MUCK: step.from_muck}.get(source) or step.prompt
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
            return works.proved_by_ack(target(step, asking)) or _is_to_be_told(step, asking)
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
