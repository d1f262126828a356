"""A pack's way into the shoe that a halt of the table interrupts, and that goes on from there."""

from dataclasses import replace

from controller.ledger import Evidence
from controller.loading import Loading
from controller.loading_steps import OPENINGS, WASHING, Opening, Step
from controller.second_deck import Stand


class HaltedLoading(Loading):
    """Loading that can stand still while the floor decides."""

    def stands_still(self) -> None:
        """The table is halted: the step under way has no time meanwhile."""
        self._close_deadline()

    def goes_on(self) -> None:
        """The step under way goes on after a halt: it is proved by what the machines show now, or begins
        anew.

        A command that failed is given again; one that still has no answer is not.
        """
        step, shoe = self.step, self._equipment.shoe_state
        if step is None:
            return
        opening = OPENINGS.get(step, Opening())
        if step in (Step.LOAD, Step.UNLOAD, Step.RESTORE) and shoe.lid != "locked":
            self._lid_was_free = True
            self._lid_was_open = self._lid_was_open or shoe.lid == "open"
        if step in WASHING:
            self._goes_on_without_strays()
        elif step is Step.WAIT:
            if self._second.stand is not Stand.RUNNING:
                self.ask_for_deck(self._pack)
        elif step in (Step.PARK, Step.LIFT) and self._equipment.shuffler_state.output == "none":
            self.shuffler_is(self._equipment.shuffler_state)
        elif step is Step.UNLOAD and (shoe.lid, shoe.content) == ("locked", "empty"):
            self._lid_was_open = True
            self._unloaded(shoe)
        elif step is Step.LOAD and shoe.lid == "locked" and shoe.content == "empty":
            self._todo = [Step.LOAD]
            self._enter(Step.RELEASE_LID, "shoe")
        elif step in (Step.UNLOAD, Step.RESTORE) and shoe.lid != "locked":
            pass  # it is free already
        elif opening.command is not None and not self._desk.awaits(opening.device, opening.command):
            self._enter(step, self._timed_by)
        elif opening.limit_ms is not None:
            self._deadline = self._desk.deadline(self._timed_by, opening.limit_ms)

    def _goes_on_without_strays(self) -> None:
        """The floor lets the hand go on with a washed set: what an antenna saw elsewhere stays there."""
        strays = self._washing.strays
        self._pack = replace(self._pack, cards=tuple(c for c in self._pack.cards if c not in strays))
        for card in strays:
            self._washing.leaves(card)
        self.ask_again()

    def loaded_meanwhile(self) -> bool:
        """Whether the pack came into the shoe while the table was halted; it counts as loaded then."""
        shoe = self._equipment.shoe_state
        if (shoe.lid, shoe.content) != ("locked", "cards"):
            return False
        if self.step is Step.RESTORE:
            return self._restored(shoe) if self._lid_was_open else False
        if self.step is not Step.LOAD:
            return False
        self._lid_was_open = True
        return self._loaded(shoe)

    def counts_as_cut(self) -> None:
        """The floor says that the pack is cut, whatever the plate has read."""
        if self.step is Step.CUT_BY_HAND:
            self._proved(Evidence.STATED, "keypad")
