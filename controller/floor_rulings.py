"""What the floor may make of a ruling that was left to it: carry out a remedy, or let it stand."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from controller.cards import Card
from controller.hand import BETTING_ROUNDS, DEALING, IN_PLAY, PhaseName
from controller.irregularities import Fault
from controller.mistakes import no_such
from controller.parts import Parts
from controller.places import ASIDE, BOARD, BURN, MUCK, SEATS, Place, at_seat, seat_of
from controller.remedies.steps import (
    Await,
    BringBack,
    Burn,
    CallOff,
    Dead,
    Deal,
    Draw,
    Floor,
    Lot,
    Move,
    NamedRemedy,
    PullDeck,
    Shuffle,
    Step,
    Void,
)
from controller.remedies.under_way import Open
from controller.remedies.walk import wanted_by
from controller.rulesets.book import REMEDIES_LISTED, TOO_LATE
from controller.rulesets.known import KNOWN, Takes
from controller.rulesets.proof import unproved

_STREETS_LEFT: Final[dict[PhaseName, int]] = {
    "preflop": 3,
    "flop-deal": 3,
    "flop": 2,
    "turn-deal": 2,
    "turn": 1,
    "river-deal": 1,
}
_OF_HANDS: Final[frozenset[Takes]] = frozenset({"exposed", "extra"})
_LIE_WITH: Final[dict[Place, frozenset[Lot]]] = {
    BOARD: frozenset({"early"}),
    ASIDE: frozenset({"early"}),
    BURN: frozenset({"burns", "burnt"}),
    MUCK: frozenset({"muck"}),
}
"""Which cards of a set are taken from a place."""
_BOARD_HOLDS: Final[dict[PhaseName, int]] = {
    "preflop": 3,
    "flop-deal": 3,
    "flop": 5,
    "turn-deal": 4,
    "turn": 5,
    "river-deal": 5,
}
"""How many board cards can count in a phase, those of streets to come that lie already too."""


class FloorRulings:
    """The rulings of one hand after the other, as far as the floor decides them.

    `phase` is always the one that the table was halted in.
    """

    def __init__(self, parts: Parts) -> None:
        self._state = parts.state
        self._rulings = parts.rulings
        self._works = parts.works

    def proposed(self, remedy: Open) -> tuple[NamedRemedy, int] | None:
        """The remedy that goes on if the floor accepts, and from which step; None where there is none."""
        if isinstance(remedy.step, Void | PullDeck):
            return remedy.named, remedy.at
        plain = self._rulings.book.remedies.get(remedy.named.name)
        if plain is not None and remedy.at == 0 and remedy.named.remedy.steps[1:] == plain.remedy.steps:
            return plain, 0  # only the floor's own step stood before it
        if isinstance(remedy.step, Floor) and remedy.named.name != TOO_LATE:
            behind = remedy.at + 1
            return (remedy.named, behind) if behind < len(remedy.named.remedy.steps) else None
        fault = self._rulings.fault(remedy.number)
        return self._from_start(self._rulings.book.answer(fault.rule, fault.case).named)

    def chosen(self, name: str) -> tuple[NamedRemedy, int] | str:
        """A remedy of the rulebook by its name; why there is none to be carried out."""
        remedies = self._rulings.book.remedies
        named = remedies.get(name)
        if named is None:
            return no_such(name, remedies, what="remedy", listed=REMEDIES_LISTED)
        return self._from_start(named) or f"{name} does nothing: that is what `stand` decides"

    def _from_start(self, named: NamedRemedy) -> tuple[NamedRemedy, int] | None:
        """From the first step on that is not the floor's: it has decided."""
        steps = named.remedy.steps
        at = next((at for at, step in enumerate(steps) if not isinstance(step, Floor)), None)
        return None if at is None else (named, at)

    def unproved(self, remedy: Open, named: NamedRemedy, at: int) -> str:
        """Why a remedy that was chosen, from step `at` on, would lose a card of what happened; empty where it
        keeps them all. What was half put right already is judged by what is left."""
        if remedy.at:
            return ""
        fault = self._rulings.fault(remedy.number)
        steps = msgspec.structs.replace(named.remedy, steps=named.remedy.steps[at:])
        takes = self._rulings.takes(fault)
        refusal = unproved(KNOWN[fault.rule], takes, fault.case, NamedRemedy(named.name, steps))
        return f"{named.name} does not put {fault.rule} right: {refusal}" if refusal is not None else ""

    def why_not(self, remedy: Open, named: NamedRemedy, at: int, phase: PhaseName) -> str:
        """Why the hand cannot carry a remedy out any more, from step `at` on; empty where it can."""
        fault = self._rulings.fault(remedy.number)
        if why := _why_not_on(fault, phase):
            return why
        about = KNOWN[fault.rule].about
        foreign = sorted(named.remedy.about - about)
        if foreign:
            return f"{named.name} is for the {foreign[0]}, this happened to the {' and '.join(sorted(about))}"
        steps = named.remedy.steps[at:]
        if "deal" in named.remedy.about and phase not in DEALING:
            return f"{named.name} is for the deal, and the hand is in the phase {phase}"
        missing = next((why for step in steps if (why := self._lacks(step, remedy))), "")
        if missing or "board" not in about:
            return missing
        takes = self._rulings.takes(fault)
        return _why_not_on_board(
            steps, phase, takes, "complete" if self._state.following.complete else "open"
        )

    def _lacks(self, step: Step, remedy: Open) -> str:
        match step:
            case Move(cards="card") if not wanted_by(step, remedy, self._works):
                return "nobody knows where that card lies: let it stand, or void the hand"
            case Move() if step.cards != "hand" and not wanted_by(step, remedy, self._works):
                return f"there is no such card: {step.says}"
            case Dead() if tuple(self._state.holders()) == (remedy.owner,):
                return f"seat {remedy.owner} is the last to claim the pot and keeps it"
            case Move(to="owner") | Draw() | BringBack() if remedy.owner not in self._state.holders():
                return f"the seat that it is for holds no hand: {step.says}"
            case Shuffle() if "muck" in step.cards and not self._state.ledger.count(MUCK):
                return f"no card lies in the muck: {step.says}"
            case Shuffle() if "burns" in step.cards and not self._state.ledger.count(BURN):
                return f"no card lies in the burn tray: {step.says}"
            case CallOff() if self._state.streets.cards:
                return "board cards lie: the deal cannot be called off any more"
            case _:
                return ""

    def carries_out(self, remedy: Open, named: NamedRemedy, at: int) -> None:
        """Has a remedy carried out once the hand goes on."""
        self._rulings.decided(remedy, named, at)
        if any(isinstance(step, Dead) for step in named.remedy.steps[at:]):
            self._works.kill(remedy.owner)  # what was still asked about its cards is answered by that
        if self._rulings.calls_off:
            self._works.nothing_is_due()

    # Let it stand

    def why_not_stand(self, remedy: Open, phase: PhaseName) -> str:
        """Why what a ruling was about cannot be played on with; empty where it can."""
        fault = self._rulings.fault(remedy.number)
        if why := _why_not_on(fault, phase):
            return why
        if KNOWN[fault.rule].miscounted:
            return f"seat {remedy.owner} has the wrong number of cards: its hand is dead, or all is void"
        if KNOWN[fault.rule].told != "no":
            return ""  # it took no card, and nothing waits for it
        takes = self._rulings.takes(fault)
        if takes == "card" and self._buries(remedy):
            return "a card that has still to leave the burn tray lies under it: have it laid aside first"
        if takes == "card" and self._lies_with_a_set(remedy):
            return "cards that lie there are to be shuffled: accept, so that the dealer knows it from them"
        if takes == "nothing":
            return ""
        if takes not in _OF_HANDS:
            on_board = "board" in KNOWN[fault.rule].about
            return "the betting is over" if on_board and phase not in _BOARD_HOLDS else ""
        return self._why_not_held(remedy, takes) or ("" if phase == "deal" else self._why_short(remedy))

    def _why_not_held(self, remedy: Open, takes: Takes) -> str:
        """Why an exposed card cannot be played by its seat; empty where all can that a seat lacks."""
        deal = self._state.deal
        for card, seat in self._exposed().items():
            has_all, where = len(deal.hole[seat]) >= deal.each, self._state.where(card)
            if has_all and takes == "exposed" and seat == remedy.owner:
                return f"seat {seat} holds all its cards without the exposed one"
            if not has_all and where not in (at_seat(seat), MUCK):
                return f"the exposed card lies at {where}, not at seat {seat}"
        return ""

    def _why_short(self, remedy: Open) -> str:
        """Why a hand would be short of a card; empty where none is, or another remedy is there for it."""
        deal, exposed = self._state.deal, tuple(self._exposed().values())
        others = {other.owner for other in self._rulings.open if other is not remedy}
        for seat in self._state.holders():
            held = len(deal.hole.get(seat, ())) + exposed.count(seat)
            if held < deal.each and seat not in others:
                return f"seat {seat} would play with {held} of {deal.each} cards"
        return ""

    def _buries(self, remedy: Open) -> bool:
        """Whether a card that stays in the burn tray would lie on one that a remedy takes out of it: the last
        card of the tray would be another than the one asked for."""
        state = self._state
        waits = (*state.streets.burnt, *state.deal.extra)
        return any(state.where(card) == BURN for card in remedy.cards) and any(
            state.where(card) == BURN for card in waits
        )

    def _lies_with_a_set(self, remedy: Open) -> bool:
        """Whether other cards are to be taken from where such a card lies, and shuffled."""
        steps = (step for other in self._rulings.open for step in other.named.remedy.steps[other.at :])
        lots = {lot for step in steps if isinstance(step, Shuffle) for lot in step.cards}
        return any(lots & _LIE_WITH.get(self._state.where(card), frozenset()) for card in remedy.cards)

    def _exposed(self) -> dict[Card, int]:
        """The exposed cards that are out of play: what the floor lets stand of one ruling on hole cards, it
        lets stand of those that it has superseded."""
        return {card: seat for card, seat in self._state.deal.exposed.items() if card in self._state.out}

    def stands(self, remedy: Open, phase: PhaseName) -> tuple[Place, ...]:
        """What the ruling took out of play is in play again, as far as there is room for it; where a card
        lies that stays out."""
        fault = self._rulings.fault(remedy.number)
        takes = self._rulings.takes(fault)
        self._rulings.stands(remedy)
        if KNOWN[fault.rule].told != "no" or takes == "nothing":
            return ()
        if "board" in KNOWN[fault.rule].about:
            self._works.burns_stay()
            return self._board_counts(phase, at_most=3 if takes == "board" else 5)
        if takes == "card":
            return tuple(self._state.where(card) for card in remedy.cards if card in self._state.out)
        left = self._are_the_player_s_again(self._exposed())
        extra = [card for card in self._state.deal.extra if card not in self._state.deal.exposed]
        return (*left, *(self._state.where(card) for card in extra if card in self._state.out))

    def _are_the_player_s_again(self, exposed: Mapping[Card, int]) -> tuple[Place, ...]:
        """Exposed cards are played, those first that were exposed first; where one lies that is too many."""
        state, deal = self._state, self._state.deal
        too_many = []
        for card, seat in exposed.items():
            if len(deal.hole[seat]) >= deal.each:
                too_many.append(state.where(card))
                continue
            del deal.exposed[card]
            state.put_in(card)
            deal.takes_back(card, seat)
        return tuple(too_many)

    def _board_counts(self, phase: PhaseName, at_most: int) -> tuple[Place, ...]:
        """The early cards lie on the board and count, in their order; those too many stay out."""
        state, streets = self._state, self._state.streets
        room = min(_BOARD_HOLDS[phase], at_most) - len(streets.cards)
        back = [card for card in streets.early if state.where(card) == BOARD][: max(0, room)]
        for card in back:
            streets.early.remove(card)
            state.put_in(card)
            streets.cards.append(card)
        state.stands = len(streets.cards)
        return tuple(state.where(card) for card in streets.early)

    def left_lying(self) -> list[Card]:
        """Cards at seats and on the board that no hand and no board has; one that a ruling took out counts as
        aside, and was carried there since."""
        state, lying = self._state, []
        for card, place in self._at_places():
            seat = seat_of(place)
            if place == BOARD:
                known = card in state.streets.cards or card in state.streets.early
            elif seat in state.deal.lying:
                known = card in state.deal.lying[seat] or card in state.deal.hole[seat]
            else:
                known = False
            if not known or card in state.out:
                lying.append(card)
        return lying

    def _at_places(self) -> list[tuple[Card, Place]]:
        ledger = self._state.ledger
        places = (BOARD, *map(at_seat, SEATS))
        return [(card, place) for place in places for card in ledger.cards(place)]


def _why_not_on(fault: Fault, phase: PhaseName) -> str:
    """Two cards that no reader tells apart cannot be followed: of one of them nobody knows where it lies."""
    if fault.rule != "duplicate-card" or phase not in IN_PLAY:
        return ""
    return "one card is there twice: void the hand, pull the deck, or finish it by hand"


def _why_not_on_board(
    steps: Sequence[Step], phase: PhaseName, takes: Takes, betting: Literal["open", "complete"]
) -> str:
    """Follows the steps through the streets: each must find the hand where it can be done.

    `takes` is what is out of play, the whole board or an early card of it; `betting` is that of the phase.
    """
    left, whole = _STREETS_LEFT.get(phase, 0), takes == "board"
    between = betting == "complete" or phase not in BETTING_ROUNDS
    for step in steps:
        match step:
            case Await(until="betting") if between and phase not in BETTING_ROUNDS:
                return "there is no betting that it could wait for"
            case Await(until="betting" | "street"):
                between = True
            case Shuffle(before="next-card"):
                pass
            case Shuffle(before="flop") if not whole or left < 3 - (phase == "flop"):
                return "the flop lies and is in play"
            case Shuffle(before="flop"):
                between, left = True, 3
            case Shuffle() | Burn() | Deal() if whole and left < 3:
                return "the whole board is out of play: it deals no flop"
            case Shuffle() | Burn() | Deal() if not between or not left:
                return f"the betting is not over: {step.says}" if left else f"no street is left: {step.says}"
            case Deal():
                between, left = False, left - 1
            case _:
                pass
    return ""
