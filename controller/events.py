"""What the core is told: one frozen value for each kind of thing that can happen at a table.

Events speak of cards and places, never of tags or bytes. `HIDDEN` names the fields of a class that may tell a
card which nobody may know yet; whoever stores or prints an event leaves those fields out or seals them. Times
are milliseconds of the device that reports (docs/procedures.md, "One sequence").
"""

from typing import Final, Literal

from controller.cards import Card
from controller.hiding import Hiding
from controller.places import Place

DeviceName = Literal["shoe", "shuffler", "zones", "prompts", "keypad"]
FacingName = Literal["unknown", "down", "up"]
OutcomeName = Literal["done", "refused", "failed", "unknown", "running"]
VerdictName = Literal["proved", "counted", "wrong"]
SeatChangeName = Literal["sit", "leave", "out", "back", "add", "straddle"]
EntryName = Literal["wait", "post"]
ActionName = Literal["fold", "check-or-call", "bet-or-raise", "all-in"]
DrawnName = Literal["card", "boxed", "cut-card", "joker", "foreign", "unread", "double", "reversed"]
LidName = Literal["locked", "released", "open"]
RoleName = Literal["dealer", "floor"]
CredentialName = Literal["badge", "pin"]
ShownAtName = Literal["keypad", "door"]
CauseName = Literal["unknown", "locked", "unusable"]
FloorDecisionName = Literal["accept", "choose", "found", "stand", "void", "pull-deck", "by-hand"]
DEVICES: tuple[DeviceName, ...] = ("shoe", "shuffler", "zones", "prompts", "keypad")


class Event(Hiding, frozen=True, tag_field="event"):
    """Something that happened, in the order in which the core must take it."""


class ShoeReady(Event, frozen=True, tag="shoe-ready"):
    """The shoe answers; what it can do."""

    gate: bool
    burner: bool
    restarted: bool = False


class ShufflerReady(Event, frozen=True, tag="shuffler-ready"):
    """The shuffler answers and holds the table of every deck."""

    cuts: bool
    identifies: bool
    min_cards: int
    max_cards: int
    restarted: bool = False


class ZonesReady(Event, frozen=True, tag="zones-ready"):
    """The antennas answer; `places` have one."""

    facing: bool
    places: tuple[Place, ...]
    restarted: bool = False


class PromptsReady(Event, frozen=True, tag="prompts-ready"):
    """The LED ring and the text line answer."""

    restarted: bool = False


class KeypadReady(Event, frozen=True, tag="keypad-ready"):
    """The keypad answers; with `acts` it reports every player's act."""

    acts: bool
    restarted: bool = False


class PromptNotShown(Event, frozen=True, tag="prompt-not-shown"):
    """The ring could not put a prompt on display."""

    reason: str


class DeviceLost(Event, frozen=True, tag="device-lost"):
    """A device does not answer any more."""

    device: DeviceName
    why: str


class DeviceRefused(Event, frozen=True, tag="device-refused"):
    """A device was not taken for what it says that it is; nothing that it said was taken either."""

    device: DeviceName
    why: str


class Insecure(Event, frozen=True, tag="insecure"):
    """The table takes devices without keys; told at its start and again with each hand."""


class EventsLost(Event, frozen=True, tag="events-lost"):
    """A device had to drop events, or kept fewer than were missing: alignment is required."""

    device: DeviceName
    count: int


class Faulted(Event, frozen=True, tag="faulted"):
    """A device reports that something in it is wrong, or no more."""

    device: DeviceName
    fault: str
    state: Literal["begun", "ended"]


class ShoeState(Event, frozen=True, tag="shoe-state"):
    """Lid and emptiness of the shoe."""

    lid: LidName
    content: Literal["cards", "empty"]


class ShufflerState(Event, frozen=True, tag="shuffler-state"):
    """The shuffler's sensors; `held` cards are inside, `stage` is how far it is with them."""

    input: Literal["cards", "none"]
    output: Literal["cards", "none"]
    cover: Literal["open", "shut"]
    mode: str
    held: int
    stage: str = "empty"


class Occupied(Event, frozen=True, tag="occupied"):
    """The places whose antenna has a tag in its field."""

    places: tuple[Place, ...]


class Drew(Event, frozen=True, tag="drew"):
    """Something left the shoe. `cards` are those of the deck in play that were read, as a rule one; `seen`
    is how many tags the shoe saw at once."""

    HIDDEN = ("cards",)

    time: int
    number: int
    what: DrawnName
    way: Literal["hand", "burner"]
    cards: tuple[Card, ...] = ()
    seen: int = 1


class Arrived(Event, frozen=True, tag="arrived"):
    """A tag came to rest at an antenna; `other-deck`: of the deck that is not in play, which is not named."""

    HIDDEN = ("card",)

    time: int
    place: Place
    facing: FacingName
    what: Literal["card", "other-deck", "cut-card", "joker", "foreign"]
    card: Card | None = None


class Turned(Event, frozen=True, tag="turned"):
    """A card that lies there was turned over."""

    HIDDEN = ("card",)

    time: int
    place: Place
    facing: FacingName
    card: Card | None = None


class Fed(Event, frozen=True, tag="fed"):
    """The shuffler's answer to `feed`: what went in, held against the set that was asked for."""

    HIDDEN = ("missing", "surplus")

    ref: int
    outcome: OutcomeName
    reason: str
    verdict: VerdictName
    count: int
    strangers: int
    missing: tuple[Card, ...] = ()
    surplus: tuple[Card, ...] = ()

    def proves(self, cards: int) -> bool:
        """Whether the set of so many cards that was asked for went in. An answer that contradicts itself
        proves nothing, whatever its verdict."""
        others = self.strangers or self.missing or self.surplus
        return self.verdict != "wrong" and self.count == cards and not others


OVERTAKEN: Final = "overtaken"
"""The reason of an answer that no device gave: a gate was to be shut before it was told to open, and was not
told any more."""


class Answered(Event, frozen=True, tag="answered"):
    """A device's answer to any other command."""

    ref: int
    outcome: OutcomeName
    reason: str
    count: int


class Keyed(Event, frozen=True, tag="keyed"):
    """The dealer pressed a key; seat 0 for none."""

    key: str
    seat: int = 0


class Acted(Event, frozen=True, tag="acted"):
    """A player's act by the keypad; `amount` is the seat's total in the round, in chips, 0 where it needs
    none."""

    seat: int
    action: ActionName
    amount: int = 0


class SeatChange(Event, frozen=True, tag="seat-change"):
    """A player comes, goes, buys chips or straddles; `by` is who said so.

    `chips` are bought with `sit` and `add`. `entry` says how a player who comes or comes back is dealt in: he
    waits for the big blind, or posts what he owes.
    """

    seat: int
    change: SeatChangeName
    chips: int = 0
    entry: EntryName = "wait"
    by: str = ""


class SignedIn(Event, frozen=True, tag="signed-in"):
    """Somebody proved who he is, by a badge or a PIN: a dealer at the start of his down, or the floor."""

    who: str
    role: RoleName
    by: CredentialName


class CredentialRefused(Event, frozen=True, tag="credential-refused"):
    """A badge or a PIN was shown and told of nobody: nobody has it (`unknown`), so many wrong ones were tried
    that none is looked at (`locked`), or the file of people is `unusable`, for the reason in `text`."""

    by: CredentialName
    at: ShownAtName
    cause: CauseName
    text: str = ""


class FloorDecided(Event, frozen=True, tag="floor"):
    """The floor decided about a halted table: `who` proved to be of the floor, and said why.

    `remedy` is the name of the one chosen, with `choose` alone. With `found` alone `rule` is the irregularity
    that was found, and `seat` the one that it is about, 0 for none.
    """

    decision: FloorDecisionName
    who: str
    reason: str
    remedy: str = ""
    rule: str = ""
    seat: int = 0


class JournalStalled(Event, frozen=True, tag="journal-stalled"):
    """What happens cannot be written down, for the reason `why`, or can again."""

    state: Literal["begun", "ended"]
    why: str = ""


class DeadlinePassed(Event, frozen=True, tag="deadline-passed"):
    """The time of the device in which a deadline was set has passed it."""

    token: int


AnyReady = ShoeReady | ShufflerReady | ZonesReady | PromptsReady | KeypadReady
"""What a device says that answers."""

AnyEvent = (
    ShoeReady
    | ShufflerReady
    | ZonesReady
    | PromptsReady
    | KeypadReady
    | PromptNotShown
    | DeviceLost
    | DeviceRefused
    | Insecure
    | EventsLost
    | Faulted
    | ShoeState
    | ShufflerState
    | Occupied
    | Drew
    | Arrived
    | Turned
    | Fed
    | Answered
    | Keyed
    | Acted
    | SeatChange
    | SignedIn
    | CredentialRefused
    | FloorDecided
    | JournalStalled
    | DeadlinePassed
)
