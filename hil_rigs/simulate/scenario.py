"""A scenario as values: how the table is set up and what the hands do (scenarios.md, "The file").

Every default of the document is already applied, so that whoever plays a scenario asks for nothing that its
file left out. Chips are whole numbers, in units of the file's smallest unit (`Scenario.scale`); times are
milliseconds; seats are numbered 1 to 11.
"""

from typing import Literal, NewType, TypeAlias, get_args

from msgspec import Struct

from controller.betting import RakeRow
from controller.events import EntryName, SeatChangeName
from controller.rulesets.book import ButtonRule
from controller.table_setup import AnteBy, Follow, Special
from hil_rigs.virtual.felt import OFF_TABLE

MAX_SEAT = 11
MAX_OMAHA_SEATS = 10
MAX_CHIPS = 2**32 - 1
"""The largest amount: what the keypad's message can say of a seat's total."""
MAX_WAIT_MS = 24 * 60 * 60 * 1000
MAX_SEED = 2**63 - 1

Game: TypeAlias = Literal["holdem", "omaha"]
Betting: TypeAlias = Literal["no-limit", "pot-limit", "fixed-limit"]
Language: TypeAlias = Literal["en", "it", "el"]
Phase: TypeAlias = Literal[
    "idle",
    "shuffle",
    "button-draw",
    "deal",
    "preflop",
    "flop-deal",
    "flop",
    "turn-deal",
    "turn",
    "river-deal",
    "river",
    "showdown",
    "done",
    "misdeal",
    "halted",
]
Action: TypeAlias = Literal["fold", "check", "call", "bet", "raise", "all-in"]
Face: TypeAlias = Literal["down", "up"]
DealerKey: TypeAlias = Literal[
    "next", "exposed", "misdeal", "floor", "plays-board", "muck", "undo", "ack", "yes", "no"
]
Exposer: TypeAlias = Literal["dealer", "player"]
Mistake: TypeAlias = Literal["keep-card", "add-burn", "skip-cut"]
Decision: TypeAlias = Literal["accept", "choose", "found", "stand", "void", "pull-deck", "by-hand"]
DeviceName: TypeAlias = Literal["shoe", "shuffler", "prompts", "zones", "keypad"]

GAMES: tuple[Game, ...] = get_args(Game)
BETTINGS: tuple[Betting, ...] = get_args(Betting)
BUTTON_RULES: tuple[ButtonRule, ...] = get_args(ButtonRule)
ANTE_BYS: tuple[AnteBy, ...] = get_args(AnteBy)
SEAT_WISHES: tuple[SeatChangeName, ...] = get_args(SeatChangeName)
ENTRIES: tuple[EntryName, ...] = get_args(EntryName)
FOLLOWS: tuple[Follow, ...] = get_args(Follow)
SPECIALS: tuple[Special, ...] = get_args(Special)
LANGUAGES: tuple[Language, ...] = get_args(Language)
PHASES: tuple[Phase, ...] = get_args(Phase)
ACTIONS: tuple[Action, ...] = get_args(Action)
FACES: tuple[Face, ...] = get_args(Face)
DEALER_KEYS: tuple[DealerKey, ...] = get_args(DealerKey)
EXPOSERS: tuple[Exposer, ...] = get_args(Exposer)
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)
DECISIONS: tuple[Decision, ...] = get_args(Decision)
DEVICES: tuple[DeviceName, ...] = get_args(DeviceName)

WIRE_FAULTS = (
    *("drop-byte", "insert-byte", "flip-bit"),
    *("corrupt-crc", "truncate-frame", "drop-frame", "duplicate-frame", "reorder-frames", "garbage-burst"),
    *("delay", "jitter", "stall-reader", "slow-baud", "partial-write", "split-frame"),
    *("unplug", "replug", "replug-as-other-port", "replug-other-device", "port-busy", "permission-denied"),
)
"""Faults of the layers wire and link: they need a wire."""
DEVICE_FAULTS = (
    *("brown-out-mid-shuffle", "reset", "watchdog"),
    *("jam", "double-feed", "misread", "missing-card", "foreign-card", "stuck-sensor", "sensor-flicker"),
    *("door-open", "motor-stall", "led-dead", "lying-firmware", "wrong-version", "babble"),
    "clear-jam",
)
"""Faults of the layers power, mechanism and logic, and `clear-jam`, which ends one."""
CARD_FAULTS = ("joker", "duplicate-card", "reversed-card", "card-timeout")
"""What is wrong with a card, or with how it leaves the shoe."""
ANY_DEVICE = (*WIRE_FAULTS, "reset", "watchdog", "wrong-version", "babble")
"""Faults that every device may have."""
NEEDS_WIRE = (*WIRE_FAULTS, "wrong-version", "babble")
"""Faults that cannot be without one."""
FAULTS = (*WIRE_FAULTS, *DEVICE_FAULTS, *CARD_FAULTS)

Zone = NewType("Zone", str)
"""A place for cards, as a scenario names it: `seat:N`, `board`, `burn`, `aside`, `muck`, `scrap`."""
_FELT_ZONES = ("board", "burn", "aside", "muck")
DRAW_ZONES = (*_FELT_ZONES, OFF_TABLE)
MOVE_ZONES = (*_FELT_ZONES, "scrap")

_SEAT_PREFIX = "seat:"


def seat_zone(seat: int) -> Zone:
    """Return the zone of the cards of a seat."""
    return Zone(f"{_SEAT_PREFIX}{seat}")


class ShoeSetup(Struct, frozen=True):
    """Options of the shoe: a `gate` that locks, a `burner` that ejects into the burn tray."""

    gate: bool = False
    burner: bool = True


class ShufflerSetup(Struct, frozen=True):
    """Capabilities of the shuffler; `shuffle_s` is in seconds, cards are 1 to 52."""

    cuts: bool = True
    identifies: bool = True
    min_cards: int = 1
    max_cards: int = 52
    has_reject: bool = True
    shuffle_s: int = 22


class TableSetup(Struct, frozen=True):
    """How the table is set up. Amounts are chips in the scenario's unit, none below zero.

    `seats` is each dealt-in seat's stack, in ascending order of seats. `blinds` is what is posted from the
    first seat left of the button on; with two seats the button pays the first entry (small) and the other the
    second (big); a straddle is a further, larger one. `antes` are by seat, in the place of `ante`. `posts`
    are live posts, by seat. The first to act before the flop is left of the first seat with the largest of
    `blinds`. `rules` is a ruleset's name, or the path of its file.
    `big_blind` is the least bet of a no-limit or pot-limit round, `small_bet` and `big_bet` the bets of a
    fixed-limit one.
    """

    game: Game
    seats: dict[int, int]
    button: int | Literal["draw"]
    blinds: tuple[int, ...]
    antes: dict[int, int] = {}
    betting: Betting = "no-limit"
    rules: str = "roberts"
    small_blind: int = 5
    big_blind: int = 10
    ante: int = 0
    ante_by: AnteBy = "all"
    button_rule: ButtonRule | None = None
    small_bet: int = 10
    big_bet: int = 20
    posts: dict[int, int] = {}
    rake: tuple[RakeRow, ...] = ()
    zones: bool = True
    follow: Follow = "tracked"
    special: Special | None = None
    shoe: ShoeSetup = ShoeSetup()
    shuffler: ShufflerSetup = ShufflerSetup()
    decks: int = 1
    language: Language = "en"

    @property
    def hole_cards(self) -> int:
        """How many hole cards a seat is dealt."""
        return 4 if self.game == "omaha" else 2


class ActBase(Struct, frozen=True, tag_field="do"):
    """What every act has: `index`, its place in the file's `acts`, from 0."""

    index: int


class Play(ActBase, frozen=True, tag="play"):
    """A faultless dealer, and players who check or call, bring the hand to the start of `until`."""

    until: Phase


class Draw(ActBase, frozen=True, tag="draw"):
    """The dealer pulls `count` cards (1 to 52) out of the shoe by hand and puts them in `to`."""

    to: Zone
    count: int = 1
    face: Face = "down"
    boxed: bool = False


class Bet(ActBase, frozen=True, tag="bet"):
    """A player acts; `amount` is his total in this round, always there for `bet` and `raise`."""

    seat: int
    action: Action
    amount: int | None = None


class CheckAround(ActBase, frozen=True, tag="check_around"):
    """Everybody still to act checks or calls until the round ends."""


class Key(ActBase, frozen=True, tag="key"):
    """A key of the dealer's keypad, with the seat that was keyed in with it, if any."""

    key: DealerKey
    seat: int | None = None


class Wait(ActBase, frozen=True, tag="wait"):
    """Nothing happens for `ms` milliseconds of the simulation's own time (0 to a day)."""

    ms: int


class Expose(ActBase, frozen=True, tag="expose"):
    """The seat's hole card number `card` (from 1) is shown by the dealer or by its owner."""

    seat: int
    card: int = 1
    by: Exposer = "dealer"


class Move(ActBase, frozen=True, tag="move"):
    """The dealer's hand moves cards that lie on the table."""

    cards: tuple[str, ...]
    to: Zone


class Comply(ActBase, frozen=True, tag="comply"):
    """The dealer does what the prompts ask until ordinary play, with one mistake if `wrong` is set."""

    wrong: Mistake | None = None


class Floor(ActBase, frozen=True, tag="floor"):
    """The floor decides; `remedy` is there for `choose` only, `rule` and perhaps `seat` for `found`."""

    decision: Decision
    who: str = ""
    reason: str = ""
    remedy: str | None = None
    rule: str | None = None
    seat: int | None = None


class Fault(ActBase, frozen=True, tag="fault"):
    """A fault of `FAULTS`, or the end of one, on a device."""

    device: DeviceName
    fault: str


class Seat(ActBase, frozen=True, tag="seat"):
    """A player comes, goes, buys `chips` or straddles; `entry` is how he who comes or comes back is dealt
    in."""

    seat: int
    wish: SeatChangeName
    chips: int = 0
    entry: EntryName = "wait"


class Restart(ActBase, frozen=True, tag="restart"):
    """The controller is killed and started again on the same journal."""


Act: TypeAlias = (
    Play | Draw | Bet | CheckAround | Key | Wait | Expose | Move | Comply | Floor | Fault | Restart | Seat
)


class Scenario(Struct, frozen=True):
    """A file that can be played.

    `deck` is all 52 cards in the order in which they leave the shoe after the first shuffle and cut. `hands`
    is how many hands are played (1 or more). `scale` is how many of the scenario's chips make one of the
    file's (1, but for histories with fractions): a report divides its amounts by it.
    """

    name: str
    table: TableSetup
    deck: tuple[str, ...]
    seed: int
    acts: tuple[Act, ...]
    hands: int = 1
    scale: int = 1

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat at which somebody sits in the course of it, in ascending order."""
        sat_down = {act.seat for act in self.acts if isinstance(act, Seat) and act.wish == "sit"}
        return tuple(sorted({*self.table.seats, *sat_down}))
