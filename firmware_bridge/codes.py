"""The tables of codes (docs/protocol.md, section 8) and the small ones inside section 7's messages.

Every code has the document's name as its ``label`` and is found by it with ``of``:
``PromptCode.DECK_IN.label`` is ``"deck-in"`` and ``PromptCode.of("deck-in")`` is ``PromptCode.DECK_IN``.
"""

from enum import IntEnum, IntFlag
from functools import cache
from typing import Self, TypeVar


class Code(IntEnum):
    """A table of codes; its members' names are the document's in capitals, with ``_`` for ``-``."""

    @property
    def label(self) -> str:
        """The document's name."""
        return self.name.lower().replace("_", "-")

    @classmethod
    def of(cls, label: str) -> Self:
        """The code of that name; raises `ValueError` where the table has none."""
        known: dict[str, Self] = _by_label(cls)
        if label not in known:
            raise ValueError(f"{label!r} is no {cls.__name__}; there are {', '.join(known)}")
        return known[label]


_C = TypeVar("_C", bound=Code)


@cache
def _by_label(table: type[_C]) -> dict[str, _C]:
    return {code.label: code for code in table}


class DeviceKind(Code):
    """The five kinds of device."""

    SHOE = 1
    SHUFFLER = 2
    ZONES = 3
    PROMPTS = 4
    KEYPAD = 5


class Zone(Code):
    """A place with an antenna. Labels are ``seat:1`` to ``seat:11``, ``board``, ``burn`` and so on."""

    SEAT_1 = 1
    SEAT_2 = 2
    SEAT_3 = 3
    SEAT_4 = 4
    SEAT_5 = 5
    SEAT_6 = 6
    SEAT_7 = 7
    SEAT_8 = 8
    SEAT_9 = 9
    SEAT_10 = 10
    SEAT_11 = 11
    BOARD = 16
    BURN = 17
    MUCK = 18
    ASIDE = 19
    CUT_PLATE = 20
    OUTPUT = 21

    @property
    def label(self) -> str:
        """``seat:4``, ``cut-plate``."""
        return f"seat:{self.value}" if self.seat else super().label

    @property
    def seat(self) -> int:
        """The seat's number, 1 to 11; 0 where the zone is none."""
        return self.value if self.value <= self.SEAT_11.value else 0

    @classmethod
    def of_seat(cls, seat: int) -> Self:
        """The zone of a seat; raises `ValueError` where ``seat`` is not 1 to 11."""
        if not 1 <= seat <= cls.SEAT_11.value:
            raise ValueError(f"no seat {seat}; there are 1 to {cls.SEAT_11.value}")
        return cls(seat)


class Facing(Code):
    """How a card lies."""

    UNKNOWN = 0
    DOWN = 1
    UP = 2


class Outcome(Code):
    """What became of a command."""

    DONE = 0
    REFUSED = 1
    FAILED = 2
    UNKNOWN = 3
    RUNNING = 4


class Reason(Code):
    """Why a command was refused or failed."""

    NONE = 0
    WRONG_STAGE = 1
    LID_OPEN = 2
    EMPTY = 3
    JAM = 4
    COVER_OPEN = 5
    INPUT_EMPTY = 6
    OUTPUT_FULL = 7
    WRONG_SET = 8
    NO_DECK = 9
    NOT_ABLE = 10
    BUSY = 11
    TOO_FEW = 12
    TOO_MANY = 13
    WRONG_MODE = 14
    INCOMPLETE = 15
    BAD_VALUE = 16


class Verdict(Code):
    """What a feed proved of its set."""

    PROVED = 0
    COUNTED = 1
    WRONG = 2


class Fault(Code):
    """What is wrong with a device."""

    JAM = 1
    DOUBLE_FEED = 2
    CARD_TIMEOUT = 3
    STUCK_SENSOR = 4
    MOTOR_STALL = 5
    READER_DEAD = 6
    LED_DEAD = 7
    WATCHDOG = 8


class Key(Code):
    """Keys of a keypad."""

    NEXT = 1
    EXPOSED = 2
    MISDEAL = 3
    FLOOR = 4
    PLAYS_BOARD = 5
    MUCK = 6
    UNDO = 7
    ACK = 8
    YES = 9
    NO = 10


class Action(Code):
    """Acts of a player."""

    FOLD = 1
    CHECK_OR_CALL = 2
    BET_OR_RAISE = 3
    ALL_IN = 4


class Colour(Code):
    """Colours of LEDs."""

    OFF = 0
    WHITE = 1
    RED = 2
    AMBER = 3
    GREEN = 4
    BLUE = 5


class Pattern(Code):
    """How a span of LEDs is lit."""

    STEADY = 0
    BLINK = 1
    URGENT = 2
    ENDS = 3
    CHASE = 4
    LOST = 5


class PromptCode(Code):
    """What the dealer is asked for."""

    NOTHING = 0
    DECK_IN = 1
    WAIT_MACHINE = 2
    WRONG_SET = 3
    LIFT_PACK = 4
    CUT_PACK = 5
    CUT_CARD_UNDER = 6
    LOAD_SHOE = 7
    DEAL_HOLE = 8
    ACT_CHECK = 9
    ACT_CALL = 10
    BETTING = 11
    BURN = 12
    DEAL_FLOP = 13
    DEAL_TURN = 14
    DEAL_RIVER = 15
    SHOW_HAND = 16
    PUSH_POT = 17
    GATHER = 18
    CALL_FLOOR = 19
    TABLE_NOT_EMPTY = 20
    DEVICE_LOST = 21
    BETTING_COMPLETE = 22
    ACT_FIRST = 23
    FOLDED = 24
    HAND_BACK = 25
    OTHER_DECK_IN = 26
    PARK_DECK = 27
    PARKED_DECK_IN = 28
    DRAW_BUTTON = 29
    TURN_UP = 30
    TAKE_RAKE = 31
    UNLOAD_SHOE = 32
    GATHER_BOARD = 33
    GATHER_ASIDE = 34
    GATHER_MISDEAL = 35
    EARLY_FLOP = 36
    EARLY_ASIDE = 37
    REPLACE_EXPOSED = 38
    EXPOSED_TO_BURN = 39
    EXTRA_TO_BURN = 40
    EXTRA_TO_SEAT = 41
    BURN_TO_SEAT = 42
    WRONG_CARD = 43
    SET_TOO_MANY = 44
    SET_MISSING = 45
    SCRAMBLE_BOARD = 46
    SCRAMBLE_ASIDE = 47
    BOARD_TO_BURN = 48
    DEAL_ON = 49
    SCRAMBLE_FLOP = 50
    PICK_BURN = 51
    TURN_UP_BOARD = 52
    CARD_TO_SCRAP = 53
    BURN_TO_BOARD = 54
    GATHER_BURN_BOARD = 55
    HAND_DEAD = 56
    CARD_ASIDE = 57
    BURN_SEEN = 58
    FIRST_TO_BURN = 59
    SCRAMBLE_BURN_BOARD = 60
    ASIDE_TO_BURN = 61
    CARD_UNREAD = 62
    TWO_AT_ONCE = 63
    CARD_BACK_IN = 64
    CARD_STUCK = 65
    JOKER_AWAY = 66
    GATHER_STUB = 67
    SCRAMBLE_STUB = 68
    RESTORE_STUB = 69
    TWO_BURNS_NEXT = 70
    NO_BURN_NEXT = 71
    BURN_AGAIN = 72
    GATHER_WITH_MUCK = 73
    GATHER_WITH_BURNS = 74
    GATHER_WITH_BOTH = 75
    SCRAMBLE_WITH_MUCK = 76
    SCRAMBLE_WITH_BURNS = 77
    SCRAMBLE_WITH_BOTH = 78
    BUTTON_TO_SEAT = 79
    BUTTON_NEXT_HAND = 80
    BURN_ASIDE = 81
    MUCK_ASIDE = 82
    DEAL_BY_HAND = 96
    NAME_WINNERS = 97


class CloseReason(Code):
    """Why a side ends the session (CLOSE)."""

    GOING_DOWN = 0
    VERSION = 1
    WRONG_DEVICE = 2
    FAULT = 3


class Lid(Code):
    """The shoe's lid (SHOE_STATE)."""

    LOCKED = 0
    RELEASED = 1
    OPEN = 2


class Gate(Code):
    """The shoe's gate (SHOE_STATE)."""

    SHUT = 0
    OPEN = 1
    NO_GATE = 255


class Way(Code):
    """How a card left the shoe (DRAW)."""

    HAND = 0
    BURNER = 1


class Pairing(IntFlag):
    """What a device says of its key (CAPS); nothing of it is proved."""

    NONE = 0
    HOLDS_KEY = 1
    WAITS = 2


class DrawFlags(IntFlag):
    """What else is known of a card that left the shoe (DRAW)."""

    BOXED = 1
    REVERSED = 2


class Cover(Code):
    """The cover of the shuffler's output (SHUFFLER_STATE)."""

    SHUT = 0
    OPEN = 1


class Mode(Code):
    """What the shuffler is set to do (SHUFFLER_STATE)."""

    SHUFFLE = 0
    SORT = 1
    VERIFY = 2
    SERVICE = 3


class Stage(Code):
    """How far the shuffler is (SHUFFLER_STATE; the machine in section 9)."""

    EMPTY = 0
    FEEDING = 1
    HELD = 2
    REFUSED = 3
    SHUFFLING = 4
    SHUFFLED = 5
    CUT = 6
    DELIVERED = 7


class Charset(Code):
    """The character set of a prompt's text (CAPS of prompts)."""

    ASCII = 0
    LATIN_1 = 1
    UTF_8 = 2
