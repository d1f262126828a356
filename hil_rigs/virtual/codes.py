"""The tables of codes of docs/protocol.md section 8, and the types of section 7's messages."""

from enum import IntEnum


class Kind(IntEnum):
    """Device kinds."""

    SHOE = 1
    SHUFFLER = 2
    ZONES = 3
    PROMPTS = 4
    KEYPAD = 5


class Type(IntEnum):
    """Message types."""

    GREET = 0x01
    HELLO = 0x02
    CAPS = 0x03
    OPEN = 0x04
    OPENED = 0x05
    ACK = 0x06
    TICK = 0x07
    CLOSE = 0x08
    CHALLENGE = 0x09
    PROOF = 0x0A
    PAIR = 0x0B
    PAIRED = 0x0C
    ASK = 0x10
    RECALL = 0x11
    RESULT = 0x12
    GAP = 0x13
    FAULT = 0x14
    SHOE_STATE = 0x20
    DRAW = 0x21
    BURN = 0x28
    LOCK = 0x29
    UNLOCK = 0x2A
    RELEASE_LID = 0x2B
    SHUFFLER_STATE = 0x30
    FED = 0x31
    DECK_READY = 0x32
    DECK_BEGIN = 0x34
    DECK_TAGS = 0x35
    DECK_END = 0x36
    FEED = 0x38
    SHUFFLE = 0x39
    CUT = 0x3A
    OPEN_COVER = 0x3B
    CLOSE_COVER = 0x3C
    RETURN = 0x3D
    ARRIVED = 0x40
    TURNED = 0x41
    ZONES_STATE = 0x42
    LEDS = 0x50
    TEXT = 0x51
    SHOW = 0x52
    SHOWN = 0x53
    KEY = 0x60
    ACT = 0x61
    BADGE = 0x62
    PIN = 0x63


COMMANDS = frozenset(
    {
        *(Type.BURN, Type.LOCK, Type.UNLOCK, Type.RELEASE_LID),
        *(Type.FEED, Type.SHUFFLE, Type.CUT, Type.OPEN_COVER, Type.CLOSE_COVER, Type.RETURN),
    }
)
"""What carries a command id and is carried out once (section 6)."""


class Facing(IntEnum):
    """How a card lies."""

    UNKNOWN = 0
    DOWN = 1
    UP = 2


class Outcome(IntEnum):
    """What became of a command or of a SHOW."""

    DONE = 0
    REFUSED = 1
    FAILED = 2
    UNKNOWN = 3
    RUNNING = 4


class Reason(IntEnum):
    """Why."""

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


class Verdict(IntEnum):
    """What a feed pass proved."""

    PROVED = 0
    COUNTED = 1
    WRONG = 2


class Fault(IntEnum):
    """What is wrong with a device."""

    JAM = 1
    DOUBLE_FEED = 2
    CARD_TIMEOUT = 3
    STUCK_SENSOR = 4
    MOTOR_STALL = 5
    READER_DEAD = 6
    LED_DEAD = 7
    WATCHDOG = 8


class Key(IntEnum):
    """Keys of the dealer's keypad."""

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


class Action(IntEnum):
    """A player's act."""

    FOLD = 1
    CHECK_OR_CALL = 2
    BET_OR_RAISE = 3
    ALL_IN = 4


class Colour(IntEnum):
    """Colours of a span of LEDs."""

    OFF = 0
    WHITE = 1
    RED = 2
    AMBER = 3
    GREEN = 4
    BLUE = 5


class Pattern(IntEnum):
    """Patterns of a span of LEDs; LOST is the device's own."""

    STEADY = 0
    BLINK = 1
    URGENT = 2
    ENDS = 3
    CHASE = 4
    LOST = 5


class Prompt(IntEnum):
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


class Lid(IntEnum):
    """The shoe's lid, as SHOE_STATE says it."""

    LOCKED = 0
    RELEASED = 1
    OPEN = 2


class Stage(IntEnum):
    """The shuffler's stages, as SHUFFLER_STATE says them."""

    EMPTY = 0
    FEEDING = 1
    HELD = 2
    REFUSED = 3
    SHUFFLING = 4
    SHUFFLED = 5
    CUT = 6
    DELIVERED = 7


ZONES: dict[str, int] = {
    **{f"seat:{seat}": seat for seat in range(1, 12)},
    "board": 16,
    "burn": 17,
    "muck": 18,
    "aside": 19,
    "cut-plate": 20,
    "output": 21,
}
"""Places that can have an antenna, with their numbers on the wire."""


def word(code: IntEnum) -> str:
    """Return a code's name as the document spells it, such as `act-check`."""
    return code.name.lower().replace("_", "-")


def named(codes: type[IntEnum], name: str) -> int:
    """Return the value of a code by the document's spelling. Raises KeyError for an unknown one."""
    return codes[name.upper().replace("-", "_")].value
