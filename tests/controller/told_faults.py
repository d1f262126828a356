"""Ways to bring about what no device sees, and the floor says."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.events import Drew, FloorDecided, Keyed
from controller.loading_steps import Step as LoadingStep
from controller.places import ASIDE, BOARD, Place, at_seat
from tests.controller.remedied import NO_BURN_ANTENNA, Dealer, Way, _to, _too_many


def _halts(dealer: Dealer, rule: str, seat: int = 0) -> None:
    dealer.tell(Keyed(key="floor"))
    dealer.tell(FloorDecided(decision="found", who="Ann", reason="told", rule=rule, seat=seat))


def _told(
    rule: str, phase: str, draws: tuple[Place, ...] = (), acts: int = 0, folds: int = 0
) -> Callable[[Dealer], None]:
    """The floor says what happened, after so many acts and folds in a phase and cards drawn in it."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        for place in draws:
            dealer.draw(place, facing="up" if place == BOARD else "down")
        for _ in range(acts):
            dealer.obey()
        for _ in range(folds):
            dealer.fold(dealer.prompt.seat)
        _halts(dealer, rule)

    return bring_about


def _button_told(phase: str, acts: int = 0) -> Callable[[Dealer], None]:
    """The button is at seat 3 and belongs at seat 1, as the floor says."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        for _ in range(acts):
            dealer.obey()
        _halts(dealer, "button-misplaced", 1)

    return bring_about


def _unseen_without_burn(phase: str, rule: str) -> Callable[[Dealer], None]:
    """The dealer burns by hand, nothing sees that he has not, and the floor says so."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        while dealer.prompt.code != "burn" and dealer.goes_on():
            pass
        card = dealer.order[dealer.drawn]
        dealer.drawn += 1
        dealer.lies[card] = BOARD
        dealer.tell(Drew(time=0, number=dealer.drawn, what="card", way="hand", cards=(card,)))
        _halts(dealer, rule)

    return bring_about


def _burned_aside(before: str, betting: str, rule: str) -> Callable[[Dealer], None]:
    """A second burn lay aside, the floor let that stand, and says after an act what it was."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, before)
        dealer.draw(ASIDE)
        dealer.tell(FloorDecided(decision="stand", who="Ann", reason="told"))
        _to(dealer, betting)
        dealer.obey()
        _halts(dealer, rule)

    return bring_about


def _told_on_the_way(rule: str) -> Callable[[Dealer], None]:
    """The floor says what happened to a pack that is on its way through a shuffle."""

    def bring_about(dealer: Dealer) -> None:
        _too_many(4)(dealer)
        while dealer.table._loading.step is not LoadingStep.LOAD and dealer.goes_on():
            pass
        _halts(dealer, rule)

    return bring_about


TOLD: Final[Mapping[tuple[str, str], tuple[Way, ...]]] = {
    ("button-misplaced", ""): (
        Way(_button_told("deal")),
        Way(_button_told("preflop", acts=1)),
    ),
    ("missed-burn-acted", ""): (
        Way(_unseen_without_burn("flop", "missed-burn-acted"), burner=False, places=NO_BURN_ANTENNA),
    ),
    ("missed-burn-acted", "river-lies"): (
        Way(_unseen_without_burn("turn", "missed-burn-acted"), burner=False, places=NO_BURN_ANTENNA),
    ),
    ("double-burn-acted", ""): (
        Way(_burned_aside("turn-deal", "turn", "double-burn-acted")),
        Way(_burned_aside("turn-deal", "turn", "double-burn-acted"), burner=False),
    ),
    ("double-burn-acted", "river-lies"): (Way(_burned_aside("river-deal", "river", "double-burn-acted")),),
    ("stub-dropped", ""): (
        Way(_told("stub-dropped", "deal")),
        Way(_told("stub-dropped", "deal", (at_seat(4),))),
        Way(_told("stub-dropped", "flop-deal", (BOARD,))),
        Way(_told("stub-dropped", "turn", acts=1), burner=False),
    ),
    ("stub-dropped", "out-of-shoe"): (Way(_told_on_the_way("stub-dropped")),),
    ("stub-mixed", ""): (
        Way(_told("stub-mixed", "flop", folds=1)),
        Way(_told("stub-mixed", "turn", acts=1, folds=2), burner=False),
    ),
    ("stub-mixed", "muck-alone"): (Way(_told("stub-mixed", "preflop", folds=2)),),
    ("stub-mixed", "burns-alone"): (
        Way(_told("stub-mixed", "flop-deal", (BOARD,))),
        Way(_told("stub-mixed", "turn"), burner=False),
    ),
}
"""As `remedied.FAULTS`."""
