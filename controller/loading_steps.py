"""The steps of a pack from the dealer's hands into the shoe: what each begins with, and their order."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from controller.cards import DECK, Card
from controller.decisions import CommandName, Prompt, ProofName
from controller.equipment import Equipment
from controller.events import DeviceName
from controller.second_deck import SecondDeck, Stand

STEP_MS: Final = 30_000


class Step(Enum):
    """One step of loading."""

    WAIT = "wait"
    OPEN_TO_PARK = "open-to-park"
    PARK = "park"
    CLOSE_PARKED = "close-parked"
    RETURN_TO_PARK = "return-to-park"
    PARK_RETURNED = "park-returned"
    UNLOAD = "unload"
    LAY_IN = "lay-in"
    LAY_MIXED_IN = "lay-mixed-in"
    LAY_OTHER_IN = "lay-other-in"
    SCRAMBLE = "scramble"
    SCRAMBLE_MIXED = "scramble-mixed"
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
    RESTORE = "restore"


@dataclass(frozen=True)
class Opening:
    """How a step begins: what the dealer is asked for and what proves it, what a machine is told, and whether
    it has a time."""

    prompt: str | None = None
    proof: ProofName = "seen"
    device: DeviceName = "shuffler"
    command: CommandName | None = None
    limit_ms: int | None = None


@dataclass(frozen=True)
class Pack:
    """A set that is to be shuffled, cut and loaded.

    `prompt` asks the dealer to lay it in, `by_hand` to wash it where it is too small for the machine (None:
    it never is). `why` is the remedy that wants it, empty for the first pack of a hand; `seat` is lit, 0 for
    none. `deck` is the number of its deck; `other_prompt` asks for the other deck before the pack is taken
    out of the machine (None: only this one is laid in). `clears`: it is asked for with nothing in the shoe.
    `of_stub`: it lies in the shoe, and be it all 52. `restores`: it goes back there as it was, and nothing is
    shuffled. `mixed` are cards of it that it has met since: `mixed_prompt` asks to lay them in too,
    `mixed_by_hand` to wash all once more with them (None: there are none).
    """

    cards: tuple[Card, ...] = field(default=DECK, repr=False)
    prompt: str = "gather"
    by_hand: str | None = None
    why: str = ""
    seat: int = 0
    deck: int = 1
    other_prompt: str | None = None
    clears: bool = False
    of_stub: bool = False
    restores: bool = False
    mixed: tuple[Card, ...] = field(default=(), repr=False)
    mixed_prompt: str | None = None
    mixed_by_hand: str | None = None

    @property
    def whole(self) -> bool:
        """Whether it is all 52."""
        return len(self.cards) == len(DECK)

    @property
    def unmixed(self) -> int:
        """How many cards it has without those that it has met since."""
        return len(self.cards) - len(self.mixed)


PARKING: Final = (Step.OPEN_TO_PARK, Step.PARK, Step.CLOSE_PARKED, Step.RETURN_TO_PARK, Step.PARK_RETURNED)
"""The other deck's way out of the machine."""

BEFORE_FEED: Final = frozenset({Step.WAIT, *PARKING, Step.UNLOAD, Step.LAY_IN, Step.LAY_MIXED_IN})
"""Steps at which a card can still join the set of a remedy."""

AFTER_FEED: Final = frozenset({Step.SHUFFLE, Step.CUT, Step.LAY_OTHER_IN, Step.OPEN_COVER})
"""Steps at which a set that was proved is in the machine."""

LAYING_IN: Final = (Step.LAY_IN, Step.LAY_MIXED_IN, Step.LAY_OTHER_IN)
"""Steps that wait for cards in the input and for `ack`."""

OPENINGS: Final[dict[Step, Opening]] = {
    Step.WAIT: Opening(prompt="wait-machine"),
    Step.OPEN_TO_PARK: Opening(command="open-cover"),
    Step.PARK: Opening(prompt="park-deck"),
    Step.CLOSE_PARKED: Opening(command="close-cover"),
    Step.RETURN_TO_PARK: Opening(command="return"),
    Step.PARK_RETURNED: Opening(prompt="park-deck", proof="ack"),
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
    Step.RESTORE: Opening(device="shoe", command="release-lid"),
}

WASHING: Final = (Step.SCRAMBLE, Step.SCRAMBLE_MIXED)
"""Steps that wait for `ack` once cards are washed by hand."""

IN_ONE_PACK: Final = (Step.CUT_BY_HAND, Step.CUT_CARD, Step.RELEASE_LID, Step.LOAD)
"""Steps at which all cards of the set are one pack in the dealer's hands."""

IN_HANDS: Final = frozenset({Step.UNLOAD, Step.LAY_IN, Step.LAY_MIXED_IN, *WASHING, *IN_ONE_PACK})
"""Steps at which no card of the set is in a machine."""


def prompt_of(step: Step, pack: Pack) -> Prompt | None:
    """What the dealer is asked for in a step, None where a machine works."""
    match step:
        case Step.LAY_IN:
            return Prompt(code=pack.prompt, seat=pack.seat, count=0 if pack.whole else pack.unmixed)
        case Step.LAY_MIXED_IN if pack.mixed_prompt is not None:
            return Prompt(code=pack.mixed_prompt, count=len(pack.cards))
        case Step.RESTORE:
            return Prompt(code=pack.prompt, count=len(pack.cards))
        case Step.LAY_OTHER_IN if pack.other_prompt is not None:
            return Prompt(code=pack.other_prompt)
        case Step.SCRAMBLE if pack.by_hand is not None:
            return Prompt(code=pack.by_hand, count=pack.unmixed)
        case Step.SCRAMBLE_MIXED if pack.mixed_by_hand is not None:
            return Prompt(code=pack.mixed_by_hand, count=len(pack.cards))
        case _:
            opening = OPENINGS.get(step, Opening())
            return None if opening.prompt is None else Prompt(code=opening.prompt, proof=opening.proof)


def first_pack(decks: int) -> Pack:
    """What is asked for at power-up, of one deck or two."""
    return Pack(prompt="deck-in", other_prompt="other-deck-in" if decks > 1 else None, clears=True)


def next_pack(second: SecondDeck) -> Pack:
    """What is asked for after a hand: the deck that was played, or that of the two which was not."""
    if not second.alternates:
        return Pack(prompt="gather")
    return Pack(prompt="parked-deck-in", deck=second.number, other_prompt="gather")


def steps(equipment: Equipment, pack: Pack, other: Stand) -> tuple[Step, ...]:
    """The steps that bring a pack into the shoe, for these machines and where the other deck is in the
    machine, or is not. A set that is given back has its feed from the way that it then goes."""
    if pack.restores:
        return (Step.RESTORE,)
    washed = is_washed(equipment, pack)
    cuts = equipment.shuffler.cuts and not washed
    by_hand = WASHING if pack.mixed_by_hand is not None else WASHING[:1]
    machine = (*_proving(equipment, pack, other), Step.OPEN_COVER, Step.LIFT, Step.CLOSE_COVER)
    return (
        *(_parking(other) if pack.why and not washed else ()),
        *(() if pack.whole and not pack.of_stub else (Step.UNLOAD,)),
        *(by_hand if washed else machine),
        *(() if cuts else (Step.CUT_BY_HAND,)),
        Step.CUT_CARD,
        Step.RELEASE_LID,
        Step.LOAD,
    )


def is_washed(equipment: Equipment, pack: Pack) -> bool:
    """Whether a set is too small for the machine and is washed by hand."""
    return pack.by_hand is not None and len(pack.cards) < equipment.shuffler.min_cards


def _parking(other: Stand) -> tuple[Step, ...]:
    """What frees the machine for a set in the middle of a hand."""
    match other:
        case Stand.WAITS:
            return Step.OPEN_TO_PARK, Step.PARK, Step.CLOSE_PARKED
        case Stand.WRONG:
            return Step.RETURN_TO_PARK, Step.PARK_RETURNED
        case _:
            return ()


def _proving(equipment: Equipment, pack: Pack, other: Stand) -> tuple[Step, ...]:
    """From the dealer's hands to the shuffled pack, and the other deck behind it; a deck that waits in the
    machine is proved already, one that was wrong comes back first and is laid in again."""
    laid_in = () if pack.other_prompt is None else (Step.LAY_OTHER_IN,)
    mixed_in = () if pack.mixed_prompt is None else (Step.LAY_MIXED_IN,)
    if laid_in and other is Stand.WAITS:
        return laid_in
    return (
        *((Step.GIVE_BACK,) if laid_in and other is Stand.WRONG else (Step.LAY_IN, *mixed_in, Step.FEED)),
        Step.SHUFFLE,
        *((Step.CUT,) if equipment.shuffler.cuts else ()),
        *laid_in,
    )
