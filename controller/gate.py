"""The shoe's gate, where it has one: shut when no card may be drawn, else open for exactly those due.

What it was told last is known here, so it is told again only where something else is due by now.
"""

from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Answered, AnyEvent, Drew, Fed, ShoeReady


class Gate:
    """How many cards the gate still lets through, by what it was told and what has passed since."""

    def __init__(self, desk: Desk, equipment: Equipment) -> None:
        self._desk = desk
        self._equipment = equipment
        self._lets_through = 0

    @property
    def lets_through(self) -> int:
        """How many cards it still lets through, as far as is known."""
        return self._lets_through

    def resume(self, lets_through: int) -> None:
        """Goes on from there."""
        self._lets_through = lets_through

    def note(self, event: AnyEvent) -> None:
        """Takes what shuts a gate by itself: the cards that it was opened for, a boot, a lost link; and an
        order that was not carried out. What is told before the answer happened before the order, and says
        nothing of what follows from it."""
        match event:
            case ShoeReady(restarted=True):
                self._lets_through = 0
            case Drew(way="hand") if not self._is_to_be_opened:
                self._lets_through = max(0, self._lets_through - 1)
            case ShoeReady() if not self._is_to_be_opened:
                self._lets_through = 0
            case Fed() | Answered() if event.outcome != "done" and self._was_unlock(event.ref):
                self._lets_through = 0
            case _:
                pass

    @property
    def _is_to_be_opened(self) -> bool:
        return any(command.command == "unlock" for command in self._desk.unanswered.values())

    def _was_unlock(self, ref: int) -> bool:
        command = self._desk.unanswered.get(ref)
        return command is not None and command.command == "unlock"

    def shut(self) -> None:
        """Shuts it, whatever it was told before."""
        if self._equipment.shoe.gate:
            self._lets_through = 0
            self._desk.order("shoe", "lock")

    def lets(self, cards: int) -> None:
        """So many cards may be drawn by hand now, and no others.

        A shoe that comes back first tells of the cards that were drawn meanwhile, then in what state it is:
        opened before that it would let them through once more.
        """
        shoe = self._equipment.shoe_state
        if cards == self._lets_through or not self._equipment.shoe.gate:
            return
        if not cards:
            self.shut()
        elif self._equipment.shoe_has_told and shoe.lid != "open" and shoe.content == "cards":
            self._lets_through = cards
            self._desk.order("shoe", "unlock", cards=cards)
