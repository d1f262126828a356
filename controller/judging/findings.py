"""What every ruling is made with: the case of the hand, the rules, and whether a fault is found in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from controller.cards import Card
from controller.decisions import EvidenceName
from controller.desk import Desk
from controller.hand import BETTING_ROUNDS, DEALING, PhaseName
from controller.hand_state import HandState
from controller.irregularities import Fault
from controller.ledger import Evidence
from controller.loading import Loading
from controller.places import Place
from controller.remedies.under_way import Open
from controller.rulesets.book import DealWindow
from controller.rulesets.known import Takes
from controller.rulings import Rulings
from controller.works import TableWorks

_LEAVES_DUE: Final[frozenset[Takes]] = frozenset({"nothing", "card"})
"""What can be taken out of play while the cards that are due stay due."""
_TWO_ACTS: Final = 2
_THREE_ACTS: Final = 3

WindowNow = Literal["open", "closed"]


@dataclass(frozen=True)
class Findings:
    """One hand's matters, and rulings made on them."""

    state: HandState
    desk: Desk
    rulings: Rulings
    works: TableWorks
    loading: Loading

    def window(self, fault: Fault, phase: PhaseName | None = None) -> WindowNow:
        """Whether a fault can still be put right now, or in the `phase` that it is of. On a street it is
        found with the card, before any act on it."""
        phase = phase or self.desk.phase
        match self.rulings.book.rules[fault.rule].window:
            case "deal":
                in_time = phase in DEALING and not self._deal_is_played
                return "open" if in_time else "closed"
            case "button":
                return "open" if phase in DEALING else "closed"
            case _:
                return "open"

    @property
    def _deal_is_played(self) -> bool:
        """Whether enough has been acted before the flop to close the window `deal`."""
        deal, window = self.state.deal, self.deal_window
        substantial = window == "substantial-action" and not deal.chips_went_in
        return deal.acts >= (_THREE_ACTS if substantial else _TWO_ACTS)

    @property
    def deal_window(self) -> DealWindow:
        """How the window `deal` closes."""
        return self.rulings.book.switches.deal_window

    @property
    def betting_to_come(self) -> bool:
        """Whether somebody may still act, in the round that is open or on the streets to come."""
        following = self.state.following
        if self.desk.phase in BETTING_ROUNDS:
            return not following.complete
        return following.betting_to_come

    def make(
        self,
        fault: Fault,
        *,
        seat: int | None = None,
        out: Sequence[Card] = (),
        seen: Sequence[Card] = (),
        owner: int | None = None,
        place: Place | None = None,
        window: WindowNow | None = None,
        evidence: EvidenceName | None = None,
    ) -> Open:
        """Rules on a fault that takes the cards `out` out of play, of which `seen` may be named; an open
        ruling on the same fault grows by them.

        What was due of the street is not any more, where cards of it are taken. `owner` is the seat that a
        remedy gives cards to, where it is another than the one of the fault. `window` is said where the
        phase alone does not tell it, `evidence` where it is not that of the place of the cards.
        """
        if self.rulings.takes(fault) not in _LEAVES_DUE:
            if self.state.due and self.state.due[0].purpose == "replacement":
                self.works.nothing_is_due()
            self.works.no_street_is_due()
        evidence = evidence or self._evidence(out)
        self.state.take_out(out)
        unseen = sum(card not in seen for card in out)
        grown = self.rulings.grows(fault)
        if grown is not None:
            grown.cards += tuple(out)
            self.rulings.grow(grown.number, fault, seen=seen, unseen=unseen, place=place, evidence=evidence)
            return grown
        opened = self.rulings.rule(
            fault,
            seat=seat,
            owner=(seat or 0) if owner is None else owner,
            seen=seen,
            unseen=unseen,
            window=window or self.window(fault),
            place=place,
            evidence=evidence,
        )
        opened.cards = tuple(out)
        if self.rulings.calls_off:
            self.works.nothing_is_due()
        return opened

    def _evidence(self, cards: Sequence[Card]) -> EvidenceName:
        """How well it is known where cards lie, all of them."""
        known = {self.state.ledger.where(card).evidence for card in cards}
        if Evidence.INFERRED in known:
            return "inferred"
        return "stated" if Evidence.STATED in known else "seen"
