"""What is ruled on: a card that was not due, or was exposed, becomes a ruling, joins an open one, or is none.

`irregularities` tells faults apart; in `judging` their cards are taken out of play and their rulings made.
"""

from collections.abc import Sequence
from typing import Final

from controller.cards import Card
from controller.decisions import CardLay, Joined
from controller.desk import Desk
from controller.events import Keyed
from controller.hand import IN_PLAY
from controller.hand_state import HandState
from controller.irregularities import Fault, lies_shown
from controller.judging.board import BoardCards
from controller.judging.deck import DeckMatters
from controller.judging.findings import Findings, WindowNow
from controller.judging.hole_cards import HoleCards
from controller.judging.pack import PackMatters
from controller.judging.told import ToldMatters
from controller.ledger import Facing
from controller.loading import Loading
from controller.places import BOARD, BURN, TRANSIT, Place, seat_of
from controller.remedies.steps import Shuffle
from controller.rulings import Rulings
from controller.sequence import Flight
from controller.works import TableWorks

_VOID: Final = "the deal is void already"


class Judge:
    """Rules on one hand after the other."""

    def __init__(
        self, state: HandState, desk: Desk, rulings: Rulings, works: TableWorks, loading: Loading
    ) -> None:
        found = Findings(state, desk, rulings, works, loading)
        self._found = found
        self._hole = HoleCards(found)
        self._board = BoardCards(found)
        self._deck = DeckMatters(found)
        self._pack = PackMatters(found)
        self.told = ToldMatters(found)
        """What no device sees, and the floor has found."""

    # A card that was not due

    def not_due(self, flight: Flight, place: Place) -> None:
        """Takes a card that was not due and came to rest."""
        guessed = flight.card in self._found.state.inferred
        shown = place == BOARD and lies_shown(BOARD, flight.facing) and not guessed
        card = flight.card if shown else None
        if place != TRANSIT:
            self._found.desk.tell(CardLay(place=place, card=card))
        over = self._found.desk.phase == "done"
        scrap = flight.boxed and not self._found.rulings.calls_off
        if not over and not scrap and self._joins(flight, place, card):
            return
        self._found.loading.leaves(flight.card)
        if over:
            self._deck.after_hand_over(flight, place)
        elif scrap:
            self._deck.boxed(flight, place)
        elif not (
            self._flew_into_a_misdeal(flight, place, card)
            or self._board.early_burn(flight, place)
            or self._hole.out_of_order(flight, place)
            or self._hole.too_many(flight, place)
            or self._board.too_many(flight, place)
            or self._board.second_burn(flight, place)
            or self._board.street_without_burn(flight, place)
        ):
            self._deck.stray(flight, place)

    def _joins(self, flight: Flight, place: Place, shown: Card | None) -> bool:
        """A card drawn when a remedy's set is being brought together goes in as well, with an alert."""
        rulings, state = self._found.rulings, self._found.state
        remedy = next((r for r in rulings.open if r.under_way and isinstance(r.step, Shuffle)), None)
        if remedy is None or not isinstance(remedy.step, Shuffle):
            return False
        whole = "everything" in remedy.step.cards
        if (not whole and place != BOARD) or not self._found.loading.joins(flight.card):
            return False
        if not whole:
            state.streets.early.append(flight.card)
        state.take_out([flight.card])
        self._found.desk.tell(Joined(number=remedy.number, place=place, card=shown))
        said = f"a card was drawn to {place} while {remedy.named.name} was under way"
        self._found.desk.alert("card-joins", said)
        return True

    def _flew_into_a_misdeal(self, flight: Flight, place: Place, card: Card | None) -> bool:
        """A card that had left the shoe before anything was asked for the misdeal belongs to it."""
        rulings, state = self._found.rulings, self._found.state
        remedy = next((r for r in rulings.open if not r.begun), None)
        if remedy is None or not rulings.calls_off:
            return False
        seat = seat_of(place)
        shown = seat is not None and seat in state.holders() and flight.facing is Facing.UP
        if shown and seat is not None and self._hole.is_misdeal_exposed(flight.card):
            self.exposed(flight.card, seat)
            return True
        state.take_out([flight.card])
        self._found.desk.tell(Joined(number=remedy.number, place=place, card=card))
        return True

    def place_inferred(self, time_ms: int) -> Place | None:
        """Where a card went that was due nowhere and that no antenna saw; None where nothing says it. What is
        drawn while a set is brought together goes in with it. `time_ms` is the shoe's when it was drawn."""
        rulings = self._found.rulings
        if rulings.calls_off:
            return None
        if any(remedy.under_way and isinstance(remedy.step, Shuffle) for remedy in rulings.open):
            return BOARD
        return self._board.natural_place(time_ms)

    def comes_early(self, flight: Flight) -> bool:
        """Whether a card on the board that was not due is an early one of the street that follows."""
        return self._board.comes_early(flight)

    # What is found without a card

    def street_lies_without_burn(self) -> bool:
        """Whether the next street lies already and no burn was made for it: then that is ruled on."""
        return self._board.street_lies_without_burn()

    def goes_on_too_soon(self) -> bool:
        """Play goes on though cards that are due do not lie: whether hole cards or flop are too few for it,
        which is ruled on."""
        match self._found.desk.phase:
            case "deal":
                return self._hole.too_few()
            case "flop-deal":
                return self._board.too_few()
            case _:
                return False

    def hand_killed(self, seat: int) -> int:
        """The dealer says that cards of a live hand, which lie in the muck, were not folded. Returns the
        number of the ruling."""
        return self._deck.hand_killed(seat)

    def joker(self) -> None:
        """A joker left the shoe in the place of a card."""
        self._pack.joker()

    def pack_is_wrong(self, fault: Fault, place: Place, seen: Sequence[Card], window: WindowNow) -> None:
        """The pack is no pack to play with, as was found at `place`; `window` is that of the pot."""
        self._pack.is_wrong(fault, place, seen, window)

    def burn_seen(self, card: Card) -> None:
        """A burn is seen: it stays the burn."""
        self._board.burn_seen(card)

    def not_declared(self, seat: int) -> None:
        """A seat gave up its claim: it mucked at showdown and had not declared that it plays the board."""
        fault = Fault("board-not-declared")
        if self._found.rulings.in_force(fault.rule):
            self._found.make(fault, seat=seat)

    @property
    def board_is_declared(self) -> bool:
        """Whether it is enough to say that one plays the board; else all cards have to be tabled."""
        return self._found.rulings.book.switches.play_board == "declare"

    # What the dealer says by a key

    def exposed(self, card: Card, seat: int) -> int:
        """The dealer exposed a hole card; the number of the ruling."""
        return self._hole.exposed(card, seat)

    def press_exposed(self, key: Keyed) -> str:
        """The key `exposed`; why it was not taken, empty where it was. Without a seat it may mean a burn, or
        the top of the stub."""
        burn = self._last_is_a_burn()
        if burn is not None and not key.seat and self._found.desk.phase in IN_PLAY:
            if self._found.rulings.calls_off:
                return _VOID
            self.burn_seen(burn)
            return ""
        top = None if key.seat else self._board.top_of_stub_seen()
        if top is not None:
            return top
        return self._hole.press_exposed(key)

    def _last_is_a_burn(self) -> Card | None:
        """The last card off the shoe, where it lies in the burn tray and is a burn."""
        state = self._found.state
        card, place = state.last_drawn or (None, None)
        lies = card is not None and place == BURN and state.where(card) == BURN and card not in state.out
        return card if lies else None

    def press_misdeal(self, key: Keyed) -> str:
        """The key `misdeal`; why it was not taken, empty where it was."""
        if self._found.desk.phase not in IN_PLAY:
            return f"the key means nothing in the phase {self._found.desk.phase}"
        if self._found.rulings.calls_off:
            return _VOID
        self._hole.declared(key)
        return ""

    def forget_key(self) -> None:
        """A card was drawn, or another key was pressed: the last key cannot be taken back any more."""
        self._hole.forget_key()

    @property
    def can_take_back(self) -> bool:
        """Whether the last key led to a ruling, and no card, act or key has come since."""
        return self._hole.can_take_back

    def take_back(self) -> None:
        """Takes the last key back, where that can be: what its ruling took is in play again."""
        self._hole.take_back()
