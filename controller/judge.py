"""What is ruled on: a card that was not due, or was exposed, becomes a ruling, joins an open one, or is none.

`irregularities` tells faults apart; here their cards are taken out of play and their rulings made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from controller.cards import Card
from controller.dealing import HAND, STREET_CARDS, Due, street
from controller.decisions import CardLay, Joined
from controller.desk import Desk
from controller.events import Keyed
from controller.hand import BETTING_ROUNDS, PhaseName
from controller.hand_state import HandState
from controller.irregularities import (
    Fault,
    StreetsSoFar,
    board_card,
    exposed_card,
    extra_hole_card,
    lies_shown,
)
from controller.ledger import Facing
from controller.loading import Loading
from controller.places import BOARD, BURN, Place, seat_of
from controller.remedies.steps import Shuffle
from controller.remedies.walk import brings_burn
from controller.rulesets.book import DealWindow
from controller.rulings import Rulings
from controller.sequence import Flight
from controller.works import TableWorks

_DEALING: Final[frozenset[PhaseName]] = frozenset({"deal", "preflop"})
_TO_EXPOSE: Final[frozenset[PhaseName]] = frozenset({"deal", *BETTING_ROUNDS, *STREET_CARDS})
_TWO_ACTS: Final = 2
_THREE_ACTS: Final = 3
_LYING: Final[dict[PhaseName, int]] = {"preflop": 0, "flop": 3, "turn": 4}
_EARLY: Final = frozenset({"premature-flop", "premature-turn", "premature-river"})
_NO_BURN: Final[dict[PhaseName, Fault]] = {
    "preflop": Fault("flop-no-burn"),
    "flop": Fault("turn-no-burn"),
    "turn": Fault("river-no-burn"),
}


@dataclass(frozen=True)
class _Pressed:
    """The key `exposed` as it was pressed last: its ruling, its card, what was due, whether the card was
    played."""

    number: int
    card: Card = field(repr=False)
    due: tuple[Due, ...]
    played: bool


class Judge:
    """Rules on one hand after the other."""

    def __init__(
        self, state: HandState, desk: Desk, rulings: Rulings, works: TableWorks, loading: Loading
    ) -> None:
        self._state = state
        self._desk = desk
        self._rulings = rulings
        self._works = works
        self._loading = loading
        self._undo: _Pressed | None = None

    # A card that was not due

    def not_due(self, flight: Flight, place: Place) -> bool:
        """Takes a card that was not due and came to rest; False where no rule has it."""
        card = flight.card if place == BOARD and lies_shown(BOARD, flight.facing) else None
        self._desk.tell(CardLay(place=place, card=card))
        return (
            self._joins(flight, place, card)
            or self._early_burn(flight, place)
            or self._too_many_at_a_seat(flight, place)
            or self._too_many_on_the_board(flight, place)
            or self._street_without_burn(flight, place)
            or self._flew_into_a_misdeal(flight, place, card)
        )

    def _joins(self, flight: Flight, place: Place, shown: Card | None) -> bool:
        """A card drawn when a remedy's set is being brought together goes in as well, with an alert."""
        remedy = next((r for r in self._rulings.open if r.under_way and isinstance(r.step, Shuffle)), None)
        if remedy is None or not isinstance(remedy.step, Shuffle):
            return False
        whole = "everything" in remedy.step.cards
        if (not whole and place != BOARD) or not self._loading.joins(flight.card):
            return False
        if not whole:
            self._state.streets.early.append(flight.card)
        self._state.take_out([flight.card])
        self._desk.tell(Joined(number=remedy.number, place=place, card=shown))
        self._desk.alert("card-joins", f"a card was drawn to {place} while {remedy.named.name} was under way")
        return True

    def _flew_into_a_misdeal(self, flight: Flight, place: Place, shown: Card | None) -> bool:
        """A card that had left the shoe before anything was asked for the misdeal belongs to it."""
        remedy = next((r for r in self._rulings.open if not r.begun), None)
        if remedy is None or not self._rulings.calls_off:
            return False
        seat = seat_of(place)
        if seat is not None and seat in self._state.holders() and flight.facing is Facing.UP:
            self.exposed(flight.card, seat)
            return True
        self._state.take_out([flight.card])
        self._desk.tell(Joined(number=remedy.number, place=place, card=shown))
        return True

    def _early_burn(self, flight: Flight, place: Place) -> bool:
        """A burn alone before the betting is complete is the next street's burn."""
        streets = self._state.streets
        street_lies = self._desk.phase in BETTING_ROUNDS or not self._state.due
        if (
            place != BURN
            or flight.way != HAND
            or flight.facing is Facing.UP
            or self._loading.step is not None
            or self._desk.phase not in ("preflop", "flop-deal", "flop", "turn-deal", "turn")
            or not (street_lies and self._betting_to_come)
            or streets.unspent
            or any(brings_burn(remedy) for remedy in self._rulings.open)
        ):
            return False
        streets.burn()
        return True

    def _street_without_burn(self, flight: Flight, place: Place) -> bool:
        """Board cards where the dealer had to burn by hand: the street may lie without its burn."""
        due = self._state.due
        if place != BOARD or self._rulings.open:
            return False
        if len(due) != 1 or due[0].purpose != "burn" or due[0].way != HAND:
            return False
        self._works.rest_of_street(street(self._state.streets.next)[1:])
        self._on_the_board(flight)
        return True

    def street_lies_without_burn(self) -> bool:
        """Whether the next street lies already and no burn was made for it: then that is ruled on."""
        streets, phase = self._state.streets, self._desk.phase
        if len(streets.cards) <= _LYING[phase]:
            return False
        fault = _NO_BURN[phase]
        if not self._rulings.in_force(fault.rule):
            return False
        self._rule_on_board(fault, [] if phase == "preflop" else [streets.cards.pop()])
        return True

    def _too_many_at_a_seat(self, flight: Flight, place: Place) -> bool:
        deal = self._state.deal
        fault = extra_hole_card(deal.so_far(self._state.holders()), place)
        seat = seat_of(place)
        if fault is None or seat is None or self._desk.phase not in _DEALING:
            return False
        if not self._rulings.in_force(fault.rule):
            return False
        deal.too_many(flight.card, seat)
        void = self._rulings.calls_off_by(fault) or self._rulings.calls_off
        shown = flight.facing is Facing.UP and not void
        self._rule(fault, seat, [] if shown else [flight.card], seen=())
        if shown:
            self.exposed(flight.card, seat)
        return True

    def _too_many_on_the_board(self, flight: Flight, place: Place) -> bool:
        if place != BOARD:
            return False
        streets = self._state.streets
        growing = next((r for r in self._rulings.open if self._rulings.grows_by_board(r)), None)
        fault = Fault(growing.rule) if growing is not None else self._on_board(flight)
        if fault is None or not self._rulings.in_force(fault.rule):
            return False
        streets.last_ms = flight.time
        self._rule_on_board(fault, [flight.card])
        return True

    def _on_board(self, flight: Flight) -> Fault | None:
        so_far = self._streets_so_far(flight.time - self._state.streets.last_ms)
        return board_card(so_far, self._rulings.book.switches.settle_ms)

    def comes_early(self, flight: Flight) -> bool:
        """Whether a card on the board that was not due is an early one of the street that follows."""
        fault = self._on_board(flight)
        return fault is not None and fault.rule in _EARLY and self._rulings.in_force(fault.rule)

    def _on_the_board(self, flight: Flight) -> None:
        self._state.streets.cards.append(flight.card)
        self._state.streets.last_ms = flight.time

    @property
    def _betting_to_come(self) -> bool:
        following = self._state.following
        if self._desk.phase in BETTING_ROUNDS:
            return not following.complete
        return following.betting_to_come

    def _streets_so_far(self, since_last_ms: int) -> StreetsSoFar:
        streets = self._state.streets
        return StreetsSoFar(
            phase=self._desk.phase,
            lying=len(streets.cards),
            early=len(streets.early),
            burned=streets.burns,
            acts=streets.acts,
            betting_to_come=self._betting_to_come,
            seen=not self._works.proved_by_ack(BOARD) and not self._works.proved_by_ack(BURN),
            since_last_ms=since_last_ms,
        )

    def _rule_on_board(self, fault: Fault, cards: Sequence[Card]) -> None:
        """Takes the whole board or the one card out of play."""
        streets = self._state.streets
        out = list(cards)
        if self._rulings.takes(fault) == "board":
            out = [*streets.cards, *cards]
            streets.cards.clear()
        ledger = self._state.ledger
        # Read before the cards are taken out of play: after that the ledger says no more how they lay.
        seen = [card for card in out if lies_shown(BOARD, ledger.where(card).facing)]
        self._works.no_street_is_due()
        streets.early += out
        streets.spend()
        again = fault.rule == "overfull-flop" and self._rulings.fell(fault.rule)
        grown = self._rulings.grows(fault)
        self._state.take_out(out)
        if grown is not None:
            self._rulings.grow(grown.number, fault, seen=seen, unseen=len(out) - len(seen))
            return
        self._rulings.rule(
            fault,
            seat=None,
            seen=seen,
            unseen=len(out) - len(seen),
            window=self._window(fault),
        )
        if again:
            self._desk.alert("flop-overfull-again", "the flop was too many again after it was dealt anew")

    def not_declared(self, seat: int) -> None:
        """A seat gave up its claim: it mucked at showdown and had not declared that it plays the board."""
        fault = Fault("board-not-declared")
        if not self._rulings.in_force(fault.rule):
            return
        self._rulings.rule(fault, seat=seat, seen=(), unseen=0, window=self._window(fault))

    def _window(self, fault: Fault) -> Literal["open", "closed"]:
        """Whether the fault can still be put right. On a street it is found with the card, before any act on
        it."""
        book = self._rulings.book
        if book.rules[fault.rule].window != "deal":
            return "open"
        in_time = self._desk.phase in _DEALING and not self._deal_is_played(book.switches.deal_window)
        return "open" if in_time else "closed"

    def _deal_is_played(self, window: DealWindow) -> bool:
        """Whether enough has been acted before the flop to close the window `deal`."""
        deal = self._state.deal
        substantial = window == "substantial-action" and not deal.chips_went_in
        return deal.acts >= (_THREE_ACTS if substantial else _TWO_ACTS)

    @property
    def board_is_declared(self) -> bool:
        """Whether it is enough to say that one plays the board; else all cards have to be tabled."""
        return self._rulings.book.switches.play_board == "declare"

    # Exposed cards

    def exposed(self, card: Card, seat: int) -> int:
        """The dealer exposed a hole card; the number of the ruling."""
        deal = self._state.deal
        instant = self._rulings.book.switches.instant_misdeal_cards
        fault = exposed_card(deal.so_far(self._state.holders()), deal.position(card), instant)
        deal.exposed[card] = seat
        if card in deal.hole[seat]:
            deal.hole[seat].remove(card)
        # Where optics see it face down, the dealer's word alone must not name it: a key is soon mispressed.
        hidden = self._state.ledger.where(card).facing is Facing.DOWN
        return self._rule(fault, seat, [card], seen=[] if hidden else [card])

    def _rule(self, fault: Fault, seat: int, out: Sequence[Card], seen: Sequence[Card]) -> int:
        state = self._state
        if state.due and state.due[0].purpose == "replacement":
            self._works.nothing_is_due()
        self._works.no_street_is_due()
        state.take_out(out)
        grown = self._rulings.grows(fault)
        if grown is not None:
            self._rulings.grow(grown.number, fault, seen=seen, unseen=len(out) - len(seen))
            return grown.number
        waits = fault.case == "exposed-waits"
        opened = self._rulings.rule(
            fault,
            seat=seat,
            owner=next(reversed(state.deal.exposed.values())) if waits else seat,
            seen=seen,
            unseen=len(out) - len(seen),
            window=self._window(fault),
        )
        if self._rulings.calls_off:
            self._works.nothing_is_due()
        return opened.number

    def press_exposed(self, key: Keyed) -> str:
        """The key `exposed`; why it was not taken, empty where it was."""
        if self._desk.phase not in _TO_EXPOSE:
            return f"the key means nothing in the phase {self._desk.phase}"
        found = self._meant(key.seat)
        if found is None and key.seat:
            return f"no card that was dealt lies at seat {key.seat}"
        if found is None:
            return "the last card off the shoe lies at no seat: press it with the seat"
        card, seat = found
        if card in self._state.deal.exposed:
            return ""  # the antenna saw it lie face up: both say the same
        if self._rulings.calls_off:
            return "the deal is void already"
        due, played = tuple(self._state.due), card in self._state.deal.hole[seat]
        self._undo = _Pressed(self.exposed(card, seat), card, due, played)
        return ""

    def _meant(self, seat: int) -> tuple[Card, int] | None:
        """With a seat: the card that was turned there, else the last dealt there. Without: the last card off
        the shoe."""
        state = self._state
        if seat:
            lying = state.deal.lying.get(seat, ())
            found = (state.turned.get(seat, lying[-1]), seat) if lying else None
        else:
            found = self._last_off_the_shoe()
        return found if found is not None and found[1] in state.holders() else None

    def _last_off_the_shoe(self) -> tuple[Card, int] | None:
        if self._state.last_drawn is None:
            return None
        card, place = self._state.last_drawn
        seat = seat_of(place)
        return (card, seat) if seat is not None and self._state.where(card) == place else None

    def forget_key(self) -> None:
        """A card was drawn, or another key was pressed: the last key cannot be taken back any more."""
        self._undo = None

    @property
    def can_take_back(self) -> bool:
        """Whether the last key was `exposed`, and no card, act or key has come since."""
        return self._undo is not None

    def take_back(self) -> None:
        """Takes the key `exposed` back, where that can be: its card is in play again."""
        if self._undo is None:
            return
        pressed, self._undo = self._undo, None
        card = pressed.card
        self._works.due_again(list(pressed.due))
        deal = self._state.deal
        seat = deal.exposed.pop(card)
        self._rulings.take_back(pressed.number)
        if pressed.played:
            self._state.put_in(card)
            deal.takes_back(card, seat)
