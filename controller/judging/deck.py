"""Cards that are no matter of the deal or of a street: boxed ones, strays, cards of a hand that is over."""

from controller.cards import Card
from controller.irregularities import Fault, lies_shown
from controller.judging.findings import Findings
from controller.places import MUCK, TRANSIT, Place, seat_of
from controller.remedies.steps import FLOORS
from controller.sequence import Flight


class DeckMatters:
    """Rules on what the pack itself did wrong, and on cards that nobody can account for."""

    def __init__(self, findings: Findings) -> None:
        self._found = findings

    def boxed(self, flight: Flight, place: Place) -> None:
        """A card lay face up in the pack: it is scrap, wherever it came to rest; everybody has seen it."""
        deal, dealing = self._found.state.deal, self._found.desk.phase == "deal"
        deal.boxed += dealing
        rule = "boxed-cards-two-plus" if dealing and deal.boxed > 1 else "boxed-card"
        seat = seat_of(place)
        if seat is not None:
            deal.carried(flight.card, None, seat)
        self._found.make(
            Fault(rule), seat=seat, out=[flight.card], seen=[flight.card], place=place, evidence="seen"
        )

    def stray(self, flight: Flight, place: Place) -> None:
        """A card where no rule has one, wherever that is."""
        seat = seat_of(place)
        shown = self._shown(flight, place)
        lies = [flight.card] if place != TRANSIT else []
        self._found.make(Fault("stray-card"), seat=seat, out=lies, seen=shown, place=place)

    def hand_killed(self, seat: int) -> int:
        """The dealer says that a live hand went to the muck unfolded: its tags prove which cards it has.
        Returns the number of the ruling."""
        opened = self._found.make(Fault("hand-killed-by-dealer"), seat=seat, place=MUCK)
        if isinstance(opened.step, FLOORS):
            # The question about these cards stands over all else, so nothing else comes to this step.
            self._found.works.call_floor(opened.rule, opened.named)
        return opened.number

    def after_hand_over(self, flight: Flight, place: Place) -> None:
        """A card left the shoe when the hand was over: it means nothing, and is gathered with the rest."""
        self._found.make(Fault("card-after-hand-over"), seen=self._shown(flight, place), place=place)

    def _shown(self, flight: Flight, place: Place) -> list[Card]:
        """The card, where everybody may see it."""
        shown = lies_shown(place, flight.facing) and flight.card not in self._found.state.inferred
        return [flight.card] if shown else []
