"""What the feed pass has said of the set on its way, and what follows where it is no deck of 52
(docs/procedures.md, "Loading")."""

from collections.abc import Callable

from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Fed
from controller.irregularities import Fault
from controller.ledger import Ledger
from controller.loading_steps import Pack
from controller.places import SHUFFLER, Place
from controller.wrong_set import PutBack, in_words


class SetProof:
    """The last wrong feed of a set. `halt` is called with code and text where the floor must see what is
    wrong, `pack_is_wrong` where the deck itself is none: it says whether that was ruled on."""

    def __init__(
        self,
        desk: Desk,
        equipment: Equipment,
        halt: Callable[[str, str], None],
        pack_is_wrong: Callable[[Fault, Place], bool],
    ) -> None:
        self._desk = desk
        self._equipment = equipment
        self._halt = halt
        self._pack_is_wrong = pack_is_wrong
        self._last: PutBack | None = None
        self.to_put_back: PutBack | None = None
        """What of a wrong set has still to be put back; None once the right one is asked for."""

    @property
    def holds(self) -> bool:
        """Whether the last set was not wrong."""
        return self._last is None and self.to_put_back is None

    def begins_anew(self) -> None:
        """A set was proved, or another is asked for: nothing is held against it."""
        self._last = None

    def was_wrong(self, fed: Fed, pack: Pack, known: Ledger) -> None:
        """The set was fed before it is asked for, and was wrong."""
        self.to_put_back = self._last = PutBack(fed, pack.cards, known, self._equipment)

    def is_wrong(self, fed: Fed, pack: Pack, known: Ledger) -> Fault | None:
        """The feed did not prove the set, which is told; what is wrong with the deck where this is the
        second time."""
        self._desk.alert("shuffle-incomplete", in_words(fed, pack.cards, known))
        before = self._last
        self.was_wrong(fed, pack, known)
        return None if self._last is None else self._last.lost_since(before)

    def asks_again(self) -> int:
        """The right set is asked for; returns how many cards the last one lacked."""
        missing = 0 if self.to_put_back is None else self.to_put_back.missing
        self.to_put_back = None
        return missing

    @property
    def lacked(self) -> bool:
        """Whether the set fed last lacked a card."""
        return self._last is not None and self._last.missing > 0

    @property
    def not_found(self) -> Fault | None:
        """What is wrong with the deck if what it lacked cannot be found; None where nothing was wrong."""
        return None if self._last is None else self._last.not_found

    def deck_is_wrong(self, fault: Fault | None, pack: Pack) -> None:
        """What was fed is no deck of 52: that is ruled on, or the table is halted.

        In the middle of a hand a strange card is in play. What a stub lacks there may lie anywhere: nothing
        is ruled on, the floor is called.
        """
        if fault is not None and pack.why:
            fault = Fault(fault.rule)
            if fault.rule == "missing-card" and not pack.whole:
                self._halt(fault.rule, "a card of the set for the shuffle is not found; the hand is not over")
                return
        if fault is None or self._pack_is_wrong(fault, SHUFFLER):
            return
        if fault.rule == "foreign-card":
            self._halt("foreign-card", "a card that is not of this deck was fed twice")
        else:
            self._halt("missing-card", "a card of the deck is not found")
