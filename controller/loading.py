"""A pack's way from the dealer's hands through the shuffler into the shoe (docs/procedures.md, "Loading").

The steps are a list made from what the machines can do; each has the prompt or the command that it begins
with and the one thing that proves it. What does not fit the step is left to the table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.cards import DECK
from controller.decisions import Command, CommandName, StepDone
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Answered, DeviceName, Fed, Keyed, ShoeState, ShufflerState
from controller.ledger import Evidence, Ledger
from controller.places import CUT_PLATE, OUTPUT, SHOE, SHUFFLER, TRANSIT

STEP_MS: Final = 30_000


class Step(Enum):
    """One step of loading."""

    LAY_IN = "lay-in"
    FEED = "feed"
    GIVE_BACK = "give-back"
    SHUFFLE = "shuffle"
    CUT = "cut"
    OPEN_COVER = "open-cover"
    LIFT = "lift"
    CLOSE_COVER = "close-cover"
    CUT_BY_HAND = "cut-by-hand"
    CUT_CARD = "cut-card"
    RELEASE_LID = "release-lid"
    LOAD = "load"


@dataclass(frozen=True)
class Opening:
    """How a step begins: what the dealer is asked for, what a machine is told, and whether it has a time."""

    prompt: str | None = None
    device: DeviceName = "shuffler"
    command: CommandName | None = None
    limit_ms: int | None = None


OPENINGS: Final[dict[Step, Opening]] = {
    Step.FEED: Opening(prompt="wait-machine", command="feed"),
    Step.GIVE_BACK: Opening(command="return"),
    Step.SHUFFLE: Opening(command="shuffle"),
    Step.CUT: Opening(command="cut"),
    Step.OPEN_COVER: Opening(command="open-cover"),
    Step.LIFT: Opening(prompt="lift-pack", limit_ms=STEP_MS),
    Step.CLOSE_COVER: Opening(command="close-cover"),
    Step.CUT_BY_HAND: Opening(prompt="cut-pack", limit_ms=STEP_MS),
    Step.CUT_CARD: Opening(prompt="cut-card-under", limit_ms=STEP_MS),
    Step.RELEASE_LID: Opening(device="shoe", command="release-lid"),
    Step.LOAD: Opening(prompt="load-shoe", limit_ms=STEP_MS),
}


def steps(equipment: Equipment) -> tuple[Step, ...]:
    """The steps from a pack in the input to a pack in the shoe, for these machines."""
    cuts = equipment.shuffler.cuts
    return (
        Step.FEED,
        Step.SHUFFLE,
        *((Step.CUT,) if cuts else ()),
        Step.OPEN_COVER,
        Step.LIFT,
        Step.CLOSE_COVER,
        *(() if cuts else (Step.CUT_BY_HAND,)),
        Step.CUT_CARD,
        Step.RELEASE_LID,
        Step.LOAD,
    )


class Loading:
    """The steps under way. `halt` is called with code and text where a step failed in a way that the floor
    must see."""

    def __init__(
        self, desk: Desk, ledger: Ledger, equipment: Equipment, halt: Callable[[str, str], None]
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._equipment = equipment
        self._halt = halt
        self._todo: list[Step] = []
        self._lid_was_open = False
        self._deadline: int | None = None
        self.step: Step | None = None
        """The step under way, None when no pack is on its way."""

    @property
    def step_name(self) -> str:
        """The step under way as a person would call it; empty when there is none."""
        return self.step.value if self.step else ""

    def ask_for_deck(self, prompt: str) -> None:
        """Waits for the deck in the shuffler's input; `prompt` says how the dealer is asked.

        A stub in the shoe belongs to it, so the lid is freed.
        """
        self.step = Step.LAY_IN
        self._desk.ask(prompt)
        self.free_stub()

    def free_stub(self) -> None:
        """Frees the lid over cards that must come out."""
        if self._equipment.shoe_state.content == "cards" and self._equipment.shoe_state.lid == "locked":
            self._desk.order("shoe", "release-lid")

    def deck_is_laid_in(self, key: Keyed) -> bool:
        """Whether this key says that the deck lies in the input and it really does; else it is refused."""
        if key.key != "ack":
            self._desk.refuse(key.key, "only ack is expected: the deck goes into the shuffler's input")
            return False
        if self._equipment.shoe_state.content == "cards":
            self._refuse_ack("the stub is still in the shoe")
            self.free_stub()
            return False
        if self._equipment.shoe_state.lid == "open":
            self._refuse_ack("the shoe's lid is open")
            return False
        if self._equipment.shuffler_state.input != "cards":
            self._refuse_ack("nothing lies in the shuffler's input")
            return False
        return True

    def _refuse_ack(self, why: str) -> None:
        """The prompt is shown anew, so that the dealer sees that his key was not taken."""
        self._desk.refuse("ack", why)
        self._desk.ask_again()

    def begin(self) -> None:
        """Feeds what lies in the input, all 52 expected, and goes on from there."""
        self._todo = list(steps(self._equipment))
        self._next("keypad")

    def stop(self) -> None:
        """Gives the procedure up; nothing more is commanded."""
        self._todo.clear()
        self._close_deadline()
        self.step = None

    def _proved(self, evidence: Evidence, by: DeviceName) -> None:
        """The step under way is done, how that is known, and in whose time the next one begins."""
        if self.step is not None:
            self._desk.tell(StepDone(step=self.step.value, evidence=evidence.value))
        self._next(by)

    def _next(self, by: DeviceName) -> None:
        self._close_deadline()
        if not self._todo:
            self.step = None
            return
        self._enter(self._todo.pop(0), by)

    def _enter(self, step: Step, by: DeviceName) -> None:
        self.step = step
        opening = OPENINGS[step]
        if opening.prompt is not None:
            self._desk.ask(opening.prompt)
        if opening.command is not None:
            expected = DECK if step is Step.FEED else ()
            self._desk.order(opening.device, opening.command, expected=expected)
        if opening.limit_ms is not None:
            self._deadline = self._desk.deadline(by, opening.limit_ms)

    def _close_deadline(self) -> None:
        if self._deadline is not None:
            self._desk.deadlines.discard(self._deadline)
            self._deadline = None

    def fed(self, event: Fed) -> None:
        """The set in the shuffler was proved, or everything goes back."""
        if event.verdict == "wrong":
            self._desk.alert("shuffle-incomplete", _wrong_set(event))
            self._enter(Step.GIVE_BACK, "shuffler")
            return
        proof = Evidence.SEEN if event.verdict == "proved" else Evidence.INFERRED
        self._ledger.move_all(DECK, SHUFFLER, proof)
        self._proved(proof, "shuffler")

    def answered(self, event: Answered, command: Command) -> None:
        """A machine did what it was told: the step is proved if it was this step that told it."""
        if self.step is None or self.step not in OPENINGS:
            return
        opening = OPENINGS[self.step]
        if (opening.device, opening.command) != (command.device, command.command):
            return
        if self.step is Step.GIVE_BACK:
            self.step = Step.LAY_IN
            self._desk.ask("wrong-set", count=event.count)
            return
        if self.step is Step.OPEN_COVER:
            self._ledger.move_all(DECK, OUTPUT, Evidence.INFERRED)
        if self.step is Step.RELEASE_LID:
            self._lid_was_open = False
        self._proved(Evidence.SEEN, opening.device)

    def shuffler_is(self, state: ShufflerState) -> None:
        """The pack was lifted when the output is empty."""
        if self.step is Step.LIFT and state.output == "none":
            self._ledger.move_all(DECK, TRANSIT, Evidence.INFERRED)
            self._proved(Evidence.SEEN, "shuffler")

    def cut_card_read(self, place: str) -> None:
        """The cut card lies on the cut plate: the pack is being cut by hand."""
        if self.step is Step.CUT_BY_HAND and place == CUT_PLATE:
            self._proved(Evidence.SEEN, "zones")

    def pressed(self, key: Keyed) -> bool:
        """Takes an `ack` where this step is proved by one; False where a key means nothing here."""
        if key.key != "ack":
            return False
        plate = CUT_PLATE in self._equipment.antennas
        if self.step is Step.CUT_CARD or (self.step is Step.CUT_BY_HAND and not plate):
            self._proved(Evidence.STATED, "keypad")
            return True
        return False

    def shoe_is(self, state: ShoeState) -> bool:
        """Follows the lid while the pack is put in; True when the pack is loaded."""
        if self.step is not Step.LOAD:
            if state.lid == "open":
                self._halt("lid-open", "the shoe's lid was opened while no pack was to be loaded")
            return False
        if state.lid == "open":
            self._lid_was_open = True
            return False
        if not (self._lid_was_open and state.lid == "locked"):
            return False
        if state.content == "empty":
            self._lid_was_open = False
            self._desk.alert("shoe-empty", "the shoe's lid was closed without a pack in it")
            self._todo = [Step.LOAD]
            self._enter(Step.RELEASE_LID, "shoe")
            return False
        self._ledger.move_all(DECK, SHOE, Evidence.INFERRED)
        self._proved(Evidence.SEEN, "shoe")
        return True

    def passed(self, token: int) -> None:
        """The time of a step has passed: a pack out of the machine for too long may be another pack."""
        if token != self._deadline or self.step is None:
            return
        self._halt("step-late", f"the step {self.step.value} took longer than {STEP_MS // 1000} s")


def _wrong_set(event: Fed) -> str:
    """What may be said of a set that was not proved: how many, never which."""
    missing = len(DECK) - event.count
    parts = [f"{event.count} cards were fed, {len(DECK)} were expected"]
    if event.missing:
        parts.append(f"{len(event.missing)} of the deck are missing")
    elif missing > 0:
        parts.append(f"{missing} are missing")
    if event.strangers:
        parts.append(f"{event.strangers} are not of this deck or do not read")
    return "; ".join(parts)
