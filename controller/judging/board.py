"""The board and its burns: cards that came early, too many or too few, burns left out or doubled."""

from collections.abc import Sequence
from typing import Final

from controller.cards import Card
from controller.dealing import HAND, WHOLE_BOARD, street
from controller.hand import BETTING_ROUNDS, STREETS_DEALT, PhaseName
from controller.irregularities import Burns, Fault, StreetsSoFar, board_card, lies_shown, second_burn
from controller.judging.findings import Findings
from controller.ledger import Facing
from controller.natural_order import natural_place
from controller.places import BOARD, BURN, SHOE, Place, seat_of
from controller.remedies.walk import brings_burn
from controller.sequence import Flight

_EARLY: Final = frozenset({"premature-flop", "premature-turn", "premature-river"})
_NO_BURN: Final[dict[PhaseName, Fault]] = {
    "preflop": Fault("flop-no-burn"),
    "flop": Fault("turn-no-burn"),
    "turn": Fault("river-no-burn"),
}
_FLOP: Final = 3
_DEALS_ON: Final[frozenset[PhaseName]] = frozenset({*BETTING_ROUNDS, *STREETS_DEALT})
_MAY_BURN: Final[frozenset[PhaseName]] = frozenset({"preflop", "flop-deal", "flop", "turn-deal", "turn"})


class BoardCards:
    """Rules on the streets of one hand after the other."""

    def __init__(self, findings: Findings) -> None:
        self._found = findings

    # Burns

    def early_burn(self, flight: Flight, place: Place) -> bool:
        """A burn alone before the betting is complete is the next street's burn."""
        if not self._may_burn(flight, place) or not self._found.state.streets.unspent_is_due:
            return False
        self._found.state.streets.burn()
        if flight.facing is Facing.UP:
            self.burn_seen(flight.card)
        return True

    def _may_burn(self, flight: Flight, place: Place) -> bool:
        """Whether a card that came to the burn tray by hand can be the burn of the next street."""
        found = self._found
        street_lies = found.desk.phase in BETTING_ROUNDS or not found.state.due
        return (
            place == BURN
            and flight.way == HAND
            and found.loading.step is None
            and found.desk.phase in _MAY_BURN
            and street_lies
            and found.betting_to_come
            and not any(brings_burn(remedy) for remedy in found.rulings.open)
        )

    def second_burn(self, flight: Flight, place: Place) -> bool:
        """Takes a card in the burn tray where the street has its burn already; False where it has none, or a
        remedy is open."""
        found, streets = self._found, self._found.state.streets
        if place != BURN or found.rulings.open or found.loading.step is not None or found.works.burning:
            return False
        made: Burns = "due" if streets.unspent_is_due else "made"
        fault = second_burn(found.desk.phase, streets.next, made, len(streets.cards))
        if fault is None:
            return False
        shown = [flight.card] if flight.facing is Facing.UP else []
        if found.rulings.takes(fault) == "nothing":
            streets.burn()
            found.make(fault, seen=shown, place=BURN)
            return True
        streets.burnt.append(flight.card)
        found.make(fault, out=[flight.card], seen=shown, place=BURN)
        return True

    def burn_seen(self, card: Card) -> None:
        """A burn is seen: it stays the burn. Where optics see it face down it is not named; one that was seen
        before says nothing new."""
        if card in self._found.state.burns_seen:
            return
        self._found.state.burns_seen.add(card)
        down = self._found.state.ledger.where(card).facing is Facing.DOWN
        self._found.make(Fault("exposed-burn"), seen=[] if down else [card], place=BURN)

    def top_of_stub_seen(self) -> str | None:
        """The dealer says that a card was seen, and the last one off the shoe lies at no seat: it was the top
        of the stub. Why that is not ruled on, empty where it is; None where a card at a seat is meant, or
        nothing is dealt any more. Where the stub is to be shuffled for it already, it says nothing new."""
        found, fault = self._found, Fault("exposed-top-of-stub")
        last, left = found.state.last_drawn, len(found.state.streets.cards) < WHOLE_BOARD
        if last is None or seat_of(last[1]) is not None or found.desk.phase not in _DEALS_ON or not left:
            return None
        held = found.rulings.why_held("first-act")
        told = any(r.rule == fault.rule and r.shuffles_stub_first for r in found.rulings.open)
        if not held and not told:
            found.make(fault, place=SHOE)
        return held

    # Cards on the board

    def street_without_burn(self, flight: Flight, place: Place) -> bool:
        """Board cards where the dealer had to burn by hand: the street may lie without its burn."""
        due = self._found.state.due
        if place != BOARD or self._found.rulings.open:
            return False
        if len(due) != 1 or due[0].purpose != "burn" or due[0].way != HAND:
            return False
        self._found.works.rest_of_street(street(self._found.state.streets.next)[1:])
        self._found.state.streets.cards.append(flight.card)
        self._found.state.streets.last_ms = flight.time
        return True

    def street_lies_without_burn(self) -> bool:
        """Whether the next street lies already and no burn was made for it: then that is ruled on."""
        streets, phase = self._found.state.streets, self._found.desk.phase
        if not streets.ahead(phase):
            return False
        fault = _NO_BURN[phase]
        if not self._found.rulings.in_force(fault.rule):
            return False
        if phase == "preflop" and self._found.rulings.fell("overfull-flop"):
            # What is left of too many cards is the flop, whether a burn was made or not.
            self._found.state.stands = len(streets.cards)
            return True
        if phase == "preflop":
            ledger = self._found.state.ledger
            down = all(ledger.where(card).facing is Facing.DOWN for card in streets.cards)
            self._rule(Fault(fault.rule, "face-down" if down else ""), [])
        else:
            self._rule(fault, [streets.cards.pop()])
        return True

    def too_many(self, flight: Flight, place: Place) -> bool:
        """Takes a card that came to the board too early, or is one too many there; False where it is
        neither."""
        if place != BOARD:
            return False
        rulings = self._found.rulings
        if self._on_a_second_burn(flight):
            return True
        growing = next((r for r in rulings.open if rulings.grows_by_board(r)), None)
        fault = self._one_more(growing.rule) if growing is not None else self._on_board(flight)
        if fault is None or not rulings.in_force(fault.rule):
            return False
        self._found.state.streets.last_ms = flight.time
        self._rule(fault, [flight.card])
        return True

    def _one_more(self, rule: str) -> Fault:
        """One more card to a board that is out of play: of a flop without its burn it makes one too many."""
        streets = self._found.state.streets
        if rule != _NO_BURN["preflop"].rule:
            return Fault(rule)
        streets.cards[:], streets.early[:] = streets.early, ()
        return Fault("overfull-flop", "four-cards" if len(streets.cards) == _FLOP else "")

    def _on_a_second_burn(self, flight: Flight) -> bool:
        """A card of the street that is being dealt, which came although the second burn is to be it; of a
        further one no rule says what it is."""
        rulings, streets = self._found.rulings, self._found.state.streets
        open_ = next(
            (r for r in rulings.open if rulings.takes(Fault(r.rule)) == "burnt" and not r.begun), None
        )
        phase = self._found.desk.phase
        if open_ is None or phase not in STREETS_DEALT or len(streets.early) >= streets.missing(phase):
            return False
        streets.last_ms = flight.time
        self._rule(Fault(open_.rule, "street-lies"), [flight.card])
        return True

    def too_few(self) -> bool:
        """Play goes on though the flop has one or two cards: that is ruled on; False where it is not so."""
        found = self._found
        lying = len(found.state.streets.cards)
        if lying not in (1, 2) or found.rulings.open:
            return False
        found.make(Fault("underfull-flop"))
        return True

    def comes_early(self, flight: Flight) -> bool:
        """Whether a card on the board that was not due is an early one of the street that follows."""
        fault = self._on_board(flight)
        return fault is not None and fault.rule in _EARLY and self._found.rulings.in_force(fault.rule)

    def natural_place(self, time_ms: int) -> Place | None:
        """Where a card that was due nowhere and that no antenna saw went; None where the order of the stub
        does not say. `time_ms` is the shoe's when it was drawn."""
        found = self._found
        if not found.state.deal.all_dealt or found.desk.phase not in (*_DEALS_ON, "deal", "done"):
            return None
        return natural_place(self._so_far(time_ms), found.rulings.book.switches.settle_ms)

    def _on_board(self, flight: Flight) -> Fault | None:
        return board_card(self._so_far(flight.time), self._found.rulings.book.switches.settle_ms)

    def _so_far(self, time_ms: int) -> StreetsSoFar:
        streets = self._found.state.streets
        return StreetsSoFar(
            phase=self._found.desk.phase,
            lying=len(streets.cards),
            early=len(streets.early),
            burned=streets.burns,
            unspent=streets.unspent,
            acts=streets.acts,
            betting_to_come=self._found.betting_to_come,
            since_last_ms=time_ms - streets.last_ms,
        )

    def _rule(self, fault: Fault, cards: Sequence[Card]) -> None:
        """Takes the whole board or the one card out of play."""
        streets, rulings = self._found.state.streets, self._found.rulings
        out = list(cards)
        if rulings.takes(fault) == "board" or (fault.case == "street-lies" and streets.next == "flop-deal"):
            out = [*streets.cards, *cards]
            streets.cards.clear()
        ledger, inferred = self._found.state.ledger, self._found.state.inferred
        # Read before the cards are taken out of play: after that the ledger says no more how they lay.
        seen = [c for c in out if c not in inferred and lies_shown(BOARD, ledger.where(c).facing)]
        streets.early += out
        if rulings.takes(fault) != "burnt":
            self._found.works.burns_stay()
            streets.spend()
        again = fault.rule == "overfull-flop" and rulings.fell(fault.rule) and rulings.grows(fault) is None
        self._found.make(fault, out=out, seen=seen, place=BOARD)
        if again:
            self._found.desk.alert(
                "flop-overfull-again", "the flop was too many again after it was dealt anew"
            )
