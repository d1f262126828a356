"""The steps of a pack from the dealer's hands into the shoe: what each begins with, and their order."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.cards import DECK, Card
from controller.decisions import CommandName
from controller.equipment import Equipment
from controller.events import DeviceName

STEP_MS: Final = 30_000


class Step(Enum):
    """One step of loading."""

    UNLOAD = "unload"
    LAY_IN = "lay-in"
    SCRAMBLE = "scramble"
    FEED = "feed"
    GIVE_BACK = "give-back"
    PUT_BACK = "put-back"
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


@dataclass(frozen=True)
class Pack:
    """A set that is to be shuffled, cut and loaded.

    `prompt` asks the dealer to lay it in, `by_hand` to wash it where it is too small for the machine (None:
    it never is). `why` is the remedy that wants it, empty for the first pack of a hand.
    """

    cards: tuple[Card, ...] = field(default=DECK, repr=False)
    prompt: str = "gather"
    by_hand: str | None = None
    why: str = ""

    @property
    def whole(self) -> bool:
        """Whether it is all 52."""
        return len(self.cards) == len(DECK)


OPENINGS: Final[dict[Step, Opening]] = {
    Step.UNLOAD: Opening(prompt="unload-shoe", device="shoe", command="release-lid"),
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


def steps(equipment: Equipment, pack: Pack) -> tuple[Step, ...]:
    """The steps that bring a pack into the shoe, for these machines; of a whole deck those after it was laid
    in."""
    washed = pack.by_hand is not None and len(pack.cards) < equipment.shuffler.min_cards
    cuts = equipment.shuffler.cuts and not washed
    machine = (
        *(() if pack.whole else (Step.LAY_IN,)),
        Step.FEED,
        Step.SHUFFLE,
        *((Step.CUT,) if cuts else ()),
        Step.OPEN_COVER,
        Step.LIFT,
        Step.CLOSE_COVER,
    )
    return (
        *(() if pack.whole else (Step.UNLOAD,)),
        *((Step.SCRAMBLE,) if washed else machine),
        *(() if cuts else (Step.CUT_BY_HAND,)),
        Step.CUT_CARD,
        Step.RELEASE_LID,
        Step.LOAD,
    )
