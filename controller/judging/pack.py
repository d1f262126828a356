"""What is wrong with the pack itself: a card twice, a card of another deck, one that is missing."""

from collections.abc import Sequence

from controller.cards import Card
from controller.irregularities import Fault
from controller.judging.findings import Findings, WindowNow
from controller.places import SHOE, Place
from controller.remedies.steps import FLOORS


class PackMatters:
    """Rules on what no deck of 52 can be, whoever has dealt from it."""

    def __init__(self, findings: Findings) -> None:
        self._found = findings

    def is_wrong(self, fault: Fault, place: Place, seen: Sequence[Card], window: WindowNow) -> None:
        """The pack is no pack to play with; `place` is where that was found, `seen` may be named.

        What the floor has to decide halts the table at once: cards may still be in flight, and nothing that
        they lead to can be trusted.
        """
        found = self._found
        if found.rulings.book.rules[fault.rule].window != "pot":
            window = "open"
        opened = found.make(fault, seen=seen, place=place, window=window)
        if isinstance(opened.step, FLOORS):
            found.works.call_floor(opened.rule, opened.named)

    def joker(self) -> None:
        """A joker left the shoe: it is laid away, and the next card takes its place."""
        self._found.make(Fault("joker"), place=SHOE)
