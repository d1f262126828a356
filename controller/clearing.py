"""Freeing the machines of cards when a hand is void or was finished by hand, so that all 52 can be gathered.

Only what frees cards is commanded: a pack inside comes back through the return slot, an open cover over an
empty output is shut. What the machines are busy with they finish.
"""

from typing import Final, Literal

from controller.desk import Desk
from controller.equipment import RUNNING_STAGES, Equipment
from controller.events import ShufflerState
from controller.second_deck import SecondDeck, Stand

InTheWay = Literal["", "busy", "pack", "other-deck"]
"""What keeps the machine from taking the cards: nothing, its own work, a pack in the output, the other deck
there."""

Keeps = Literal["other-deck", "nothing"]

_INSIDE: Final = frozenset({"held", "refused", "shuffled", "cut"})
_READY: Final = frozenset({"shuffled", "cut"})


class Clearing:
    """One clearing at a time. `under_way` as long as cards in a machine keep the dealer from gathering."""

    def __init__(self, desk: Desk, equipment: Equipment, second: SecondDeck) -> None:
        self._desk = desk
        self._equipment = equipment
        self._second = second
        self._tried: ShufflerState | None = None
        self._keeps: Keeps = "other-deck"
        self.under_way = False
        self.decks_apart = False
        """Whether neither of two decks waits in the machine: both are asked for, as at power-up."""

    def begin(self, keeps: Keeps = "other-deck") -> None:
        """The cards are to be gathered; the deck that is not in play may stay in the machine."""
        self.under_way = True
        self._keeps = keeps
        self._tried = None

    def stop(self) -> None:
        """Nothing has to be freed any more, or everything is cleared by hand."""
        self.under_way = self.decks_apart = False

    def try_again(self) -> None:
        """What a machine did not do is commanded anew."""
        self._tried = None

    def look(self) -> None:
        """Goes on with what the machines show now; asks the dealer for what only hands can do."""
        match self.frees():
            case "busy":
                self._desk.ask("wait-machine")
            case "pack":
                self._desk.ask("lift-pack")
            case "other-deck":
                self._desk.ask("park-deck")
            case _:
                self.under_way = False
                self.decks_apart = self._second.alternates and self._second.stand is Stand.AWAY

    def frees(self) -> InTheWay:
        """Commands what frees the shuffler; what is still in the way, empty where nothing is.

        The deck that is not in play is left where it is, as long as it waits there as it should.
        """
        state, second = self._equipment.shuffler_state, self._second
        if self._keeps == "other-deck" and (second.is_busy or self._other_waits(state)):
            return ""
        of_other = second.stand in (Stand.RUNNING, Stand.WAITS, Stand.WRONG)
        if state.stage in RUNNING_STAGES or self._is_told():
            return "busy"
        if state.output == "cards" and state.cover == "open":
            return "other-deck" if of_other else "pack"
        if of_other or second.stand is Stand.LAID_IN:
            second.is_away()
        if state.cover == "open":
            self._order("close-cover", state)
        elif state.stage in _INSIDE:
            self._order("return", state)
        else:
            return ""
        return "busy"

    def _other_waits(self, state: ShufflerState) -> bool:
        """Whether the other deck waits behind the shut cover, or was found wrong, and nothing moves it."""
        if self._is_told() or state.cover == "open":
            return False
        match self._second.stand:
            case Stand.WAITS:
                return state.stage in _READY
            case Stand.WRONG:
                return state.stage in _INSIDE
            case _:
                return False

    def _is_told(self) -> bool:
        return any(command.device == "shuffler" for command in self._desk.unanswered.values())

    def _order(self, command: Literal["close-cover", "return"], state: ShufflerState) -> None:
        """Commands it once for what the machine shows: it may show the same until it has done it."""
        if state is not self._tried:
            self._tried = state
            self._desk.order("shuffler", command)
