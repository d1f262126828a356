"""What the core decides: commands to machines, prompts to the dealer, and what the doors are told.

Nothing here holds a card that was not lawfully exposed, `Command.expected` excepted: it goes to the shuffler
alone, and whoever stores or prints a decision leaves out or seals the fields named in `HIDDEN`.
"""

from typing import Literal

import msgspec

from controller.cards import Card
from controller.events import CredentialName, DeviceName, FloorDecisionName, RoleName, SeatChangeName
from controller.hand import PhaseName
from controller.hiding import Hiding

CommandName = Literal[
    "burn", "lock", "unlock", "release-lid", "feed", "shuffle", "cut", "open-cover", "close-cover", "return"
]


EvidenceName = Literal["seen", "inferred", "stated"]
ProofName = Literal["seen", "ack"]
"""What proves that a prompt was obeyed where a card had to move: an antenna, or the key alone."""


class Decision(Hiding, frozen=True, tag_field="decision"):
    """One thing that follows from an event."""


class Command(Decision, frozen=True, tag="command"):
    """Order a machine to do something. `ref` is what its answer will carry; `cards` is the n of unlock, else
    0; `deck` is the number of the deck that is to be fed."""

    HIDDEN = ("expected",)

    ref: int
    device: DeviceName
    command: CommandName
    phase: PhaseName
    cards: int = 0
    expected: tuple[Card, ...] = ()
    deck: int = 1


class Prompt(Decision, frozen=True, tag="prompt"):
    """Ask the dealer for something. `count` means what the table of prompt codes says; `seats` are lit.

    One that he has `acknowledged` is shown again, calm.
    """

    code: str
    seat: int = 0
    count: int = 0
    seats: tuple[int, ...] = ()
    proof: ProofName = "seen"
    acknowledged: bool = False


class Deadline(Decision, frozen=True, tag="deadline"):
    """Tell the core when this device's time has passed `ms` from the event that led here, if it still wants
    to know."""

    token: int
    device: DeviceName
    ms: int


class Ask(Decision, frozen=True, tag="ask"):
    """Have a device say in what state it is."""

    device: DeviceName


class StepDone(Decision, frozen=True, tag="step"):
    """A step of loading is proved: seen by a device, inferred from a count, or only stated by a key.

    `why` is the remedy for which the pack is made, empty for the first of a hand. `deck` is 2 where it is the
    second of two.
    """

    step: str
    evidence: EvidenceName
    why: str = ""
    deck: int = 1


class Ruled(Decision, frozen=True, tag="ruling"):
    """An irregularity was ruled on (docs/rules.md). Told again under the same number when it grew.

    `cards` are those that it took out of play (`takes` says of which kind, "nothing" for none) or that caused
    it, as far as they were lawfully seen; `unseen` is how many others, the last at `place`, it took out of
    play that nobody may know. It is `inferred` where no reader saw how these cards lie. `steps`
    is what will be done, in words, `source` where it stands, and `ours` what in it no source has: that is
    this table's own choice.
    """

    number: int
    rule: str
    rules: str
    phase: PhaseName
    seat: int | None
    cards: tuple[Card, ...]
    unseen: int
    takes: str
    place: str
    says: str
    remedy: str
    steps: tuple[str, ...]
    source: str
    ours: str = ""
    evidence: EvidenceName = "seen"


class Joined(Decision, frozen=True, tag="joined"):
    """A card drawn while the remedy of a ruling was under way goes into its set: it is out of play where it
    lies. The card itself only where everybody may see it."""

    number: int
    place: str
    card: Card | None = None


class PlayedAfterAll(Decision, frozen=True, tag="played-after-all"):
    """Cards that a ruling took out of play are in play where they lie: those that are named, else the last
    one there that nobody saw."""

    place: str
    cards: tuple[Card, ...] = ()


class TakenBack(Decision, frozen=True, tag="taken-back"):
    """The dealer took back the last act or key, `what` of a seat or of none: what followed is undone."""

    what: str
    seat: int | None


class Withdrawn(Decision, frozen=True, tag="withdrawn"):
    """A ruling was taken back with the key that had led to it: its cards are in play again."""

    number: int


class FloorRuled(Decision, frozen=True, tag="floor"):
    """The floor decided about a halted table, and the decision was carried out: who, why, and about what.

    `code` is the alert that had halted the table, `phase` the one that it was halted in, `ruling` the number
    of the ruling that was left to the floor, or of the one on what it has found. `remedy` is carried out now.
    `left_out` are places at which one card each, the last that lay there, stays out of play.
    """

    decided: FloorDecisionName
    who: str
    reason: str
    code: str
    phase: PhaseName
    ruling: int | None = None
    remedy: str = ""
    left_out: tuple[str, ...] = ()


class HandBegan(Decision, frozen=True, tag="hand"):
    """A hand begins with its shuffle; everybody's stack in chips, before blinds.

    `seats` are dealt in, in that order; a dead button is at none of them. `deck` is the number of the deck
    that comes into play.
    """

    number: int
    button: int
    stacks: dict[int, int]
    seats: tuple[int, ...]
    deck: int = 1


class SeatChanged(Decision, frozen=True, tag="seat"):
    """A player came, went or bought chips; if he is dealt into a hand, it counts once that hand is over."""

    seat: int
    change: SeatChangeName
    chips: int = 0


class SeatLeft(Decision, frozen=True, tag="seat-left"):
    """A seat is free: who sat there has left with so many chips."""

    seat: int
    chips: int


class PersonSignedIn(Decision, frozen=True, tag="signed-in"):
    """Somebody is known by name now, by a badge or a PIN. A dealer deals until another one signs in."""

    who: str
    role: RoleName
    by: CredentialName


class ButtonDrawn(Decision, frozen=True, tag="button-drawn"):
    """The draw for the first button is over: who drew which card, and the seat that has the button."""

    button: int
    cards: dict[int, Card]


class ButtonMoved(Decision, frozen=True, tag="button-moved"):
    """The button was at a wrong seat: the hand is dealt anew with it here, to `seats` in that order; without
    seats only the next hand counts from here."""

    button: int
    seats: tuple[int, ...] = ()


class PhaseEntered(Decision, frozen=True, tag="phase"):
    """The hand is in this phase now."""

    phase: PhaseName


class LateNext(Decision, frozen=True, tag="late-next"):
    """The dealer said that this round was complete only when cards of the next street lay already."""

    phase: PhaseName


class CarriedOut(Decision, frozen=True, tag="command-done"):
    """A machine did what it was told; `phase` is the one in which it was told."""

    device: DeviceName
    command: CommandName
    count: int
    phase: PhaseName


class BetMade(Decision, frozen=True, tag="bet"):
    """A player's act was taken; `put_in` chips went in with it, `total` are his in this round."""

    seat: int
    action: str
    put_in: int
    total: int


class CardLay(Decision, frozen=True, tag="card"):
    """A card came to rest where it was due; the card itself only where everybody may see it."""

    place: str
    card: Card | None = None


class Tabled(Decision, frozen=True, tag="tabled"):
    """A hand was shown."""

    seat: int
    cards: tuple[Card, ...]


class Mucked(Decision, frozen=True, tag="mucked"):
    """A hand was given up: at showdown, or in a round of which no act is told."""

    seat: int


class PotWon(msgspec.Struct, frozen=True, omit_defaults=True):
    """One pot: chips, who won how many of them, with what where a hand was shown, and the house's rake."""

    amount: int
    winners: dict[int, int]
    hand: str
    rake: int = 0


class ChipsMoved(Decision, frozen=True, tag="chips"):
    """Pots and stacks as they are now; without winners while the hand is open. `returned` went back uncalled.

    `uncalled` is put in and not called so far: it is in no pot and in no stack.
    """

    pots: tuple[PotWon, ...]
    stacks: dict[int, int]
    returned: dict[int, int] = msgspec.field(default_factory=dict)
    uncalled: dict[int, int] = msgspec.field(default_factory=dict)


class Alert(Decision, frozen=True, tag="alert"):
    """What the floor or a technician should see."""

    code: str
    text: str


class Refused(Decision, frozen=True, tag="refused"):
    """A key or an act that was not taken, and why; it changed nothing."""

    what: str
    why: str


Told = (
    HandBegan
    | SeatChanged
    | SeatLeft
    | PersonSignedIn
    | ButtonDrawn
    | ButtonMoved
    | StepDone
    | Ruled
    | Joined
    | PlayedAfterAll
    | TakenBack
    | Withdrawn
    | FloorRuled
    | PhaseEntered
    | LateNext
    | CarriedOut
    | BetMade
    | CardLay
    | Tabled
    | Mucked
    | ChipsMoved
    | Alert
    | Refused
)
"""Decisions that the doors get as they are."""

AnyDecision = Command | Prompt | Deadline | Ask | Told
"""Commands under way, deadlines, questions and unworded prompts stay inside."""
