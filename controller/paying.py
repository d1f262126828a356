"""Pots on their way to their winners: the rake, then one prompt a pot, and the chips once the last is
pushed."""

from controller.decisions import ChipsMoved
from controller.desk import Desk


class Paying:
    """The pots of one hand that are still to be pushed."""

    def __init__(self, desk: Desk, stacks: dict[int, int]) -> None:
        self._desk = desk
        self._stacks = stacks
        self._rake = 0
        self._to_push: list[tuple[int, int, tuple[int, ...]]] = []
        self._final: ChipsMoved | None = None

    def begin(self) -> None:
        """A new hand has no pot yet."""
        self._rake = 0
        self._to_push.clear()
        self._final = None

    @property
    def waits(self) -> bool:
        """Whether a pot has still to be pushed."""
        return bool(self._to_push)

    def settled(self, final: ChipsMoved) -> None:
        """Who gets what is settled."""
        self._final = final
        self._to_push = [
            (
                min(pot.winners) if len(pot.winners) == 1 else 0,
                pot.amount - pot.rake,
                tuple(sorted(pot.winners)),
            )
            for pot in final.pots
        ]
        self._rake = sum(pot.rake for pot in final.pots)

    def ask(self) -> None:
        """Asks for the rake to be taken, or for the next pot to be pushed."""
        if self._rake:
            self._desk.ask("take-rake", count=self._rake)
            return
        seat, chips, winners = self._to_push[0]
        self._desk.ask("push-pot", seat=seat, count=chips, seats=winners)

    def pushed(self) -> None:
        """What was asked for is done: the rake is taken, or the pot pushed."""
        if self._rake:
            self._rake = 0
        else:
            self._to_push.pop(0)
        self._desk.asked_is_done()

    def pay(self) -> None:
        """The chips are told and everybody's own."""
        if self._final is not None:
            self._stacks.update(self._final.stacks)
            self._desk.tell(self._final)
            self._final = None
