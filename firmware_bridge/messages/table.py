"""Every message of the wire, once (docs/protocol.md, section 7). Times are in ms since the device's boot."""

from typing import Annotated

from firmware_bridge.codes import (
    Action,
    CloseReason,
    Cover,
    DeviceKind,
    DrawFlags,
    Facing,
    Fault,
    Gate,
    Key,
    Lid,
    Mode,
    Outcome,
    Pairing,
    PromptCode,
    Reason,
    Stage,
    Verdict,
    Way,
    Zone,
)
from firmware_bridge.messages.base import Command, Event, Message, Order, Sender
from firmware_bridge.messages.wire import (
    U8,
    U16,
    U32,
    U64,
    Check,
    Digits,
    Flag,
    Mask,
    Proven,
    Rest,
    Secret,
    Spans,
    Tag,
    Text,
    UpToFourTags,
    UpToThreeTags,
    Version,
    u8,
)


class Greet(Message, frozen=True, gc=False):
    """Who are you?"""

    TYPE, NAME, SENDER, NUMBERED = 0x01, "GREET", Sender.HOST, False
    lowest: U8
    highest: U8
    host_nonce: U64


class Hello(Message, frozen=True, gc=False):
    """Who the device is, which boot this is and which events it keeps. ``version`` 0: none in common."""

    TYPE, NAME, SENDER, NUMBERED = 0x02, "HELLO", Sender.DEVICE, False
    version: U8
    kind: Annotated[DeviceKind, u8]
    boot: U64
    host_nonce: U64
    oldest: U16
    next: U16
    firmware: Version
    serial: Text


class Caps(Message, frozen=True, gc=False):
    """What the device can do; `firmware_bridge.capabilities` reads ``options`` and ``data``."""

    TYPE, NAME, SENDER, NUMBERED = 0x03, "CAPS", Sender.DEVICE, False
    kind: Annotated[DeviceKind, u8]
    keeps: U16
    remembers: U8
    options: U16
    pairing: Annotated[Pairing, u8]
    device_nonce: U64
    data: Rest


class Open(Message, frozen=True, gc=False):
    """Begins a session. ``durable``: the last event of this boot that the host has stored, 0 for none."""

    TYPE, NAME, SENDER, NUMBERED = 0x04, "OPEN", Sender.HOST, False
    session: U8
    boot: U64
    durable: U16


class Opened(Message, frozen=True, gc=False):
    """The session is open."""

    TYPE, NAME, SENDER, NUMBERED = 0x05, "OPENED", Sender.DEVICE, False
    host_nonce: U64
    device_nonce: U64


class Ack(Message, frozen=True, gc=False):
    """Nothing but the header's acknowledgement."""

    TYPE, NAME, SENDER, NUMBERED = 0x06, "ACK", Sender.BOTH, False


class Tick(Message, frozen=True, gc=False):
    """Sign of life and the device's time, to be ignored until the event ``last`` was taken."""

    TYPE, NAME, SENDER, NUMBERED = 0x07, "TICK", Sender.DEVICE, False
    time: U32
    last: U16


class Close(Message, frozen=True, gc=False):
    """Ends the session."""

    TYPE, NAME, SENDER, NUMBERED = 0x08, "CLOSE", Sender.BOTH, False
    reason: Annotated[CloseReason, u8]


class Challenge(Message, frozen=True, gc=False):
    """Prove that you still hold the key."""

    TYPE, NAME, SENDER, NUMBERED = 0x09, "CHALLENGE", Sender.HOST, False
    nonce: U64


class Proof(Message, frozen=True, gc=False):
    """The answer to the CHALLENGE with this nonce."""

    TYPE, NAME, SENDER, NUMBERED = 0x0A, "PROOF", Sender.DEVICE, False
    nonce: U64
    proof: Proven


class Pair(Message, frozen=True, gc=False):
    """Take this key, while you wait to be paired."""

    TYPE, NAME, SENDER, NUMBERED = 0x0B, "PAIR", Sender.HOST, False
    host_nonce: U64
    key: Secret


class Paired(Message, frozen=True, gc=False):
    """The key is stored; ``check`` shows that it arrived whole."""

    TYPE, NAME, SENDER, NUMBERED = 0x0C, "PAIRED", Sender.DEVICE, False
    host_nonce: U64
    check: Check


class Ask(Order, frozen=True, gc=False):
    """Asks for the device's state."""

    TYPE, NAME = 0x10, "ASK"


class Recall(Order, frozen=True, gc=False):
    """Asks what became of a command, without carrying it out."""

    TYPE, NAME = 0x11, "RECALL"
    id: U64


class Result(Event, frozen=True, gc=False):
    """What became of a command. ``command`` is its message type, 0 where unknown; ``count`` cards moved."""

    TYPE, NAME = 0x12, "RESULT"
    id: U64
    command: U8
    outcome: Annotated[Outcome, u8]
    reason: Annotated[Reason, u8]
    count: U8


class Gap(Event, frozen=True, gc=False):
    """``lost`` events were dropped here: alignment required."""

    TYPE, NAME = 0x13, "GAP"
    lost: U16


class DeviceFault(Event, frozen=True, gc=False):
    """Something is wrong with the device, or no more. ``detail`` is the device's own."""

    TYPE, NAME = 0x14, "FAULT"
    fault: Annotated[Fault, u8]
    ended: Flag
    detail: U8


class ShoeState(Event, frozen=True, gc=False):
    """The shoe's sensors. ``left``: cards that the gate still lets pass."""

    TYPE, NAME = 0x20, "SHOE_STATE"
    lid: Annotated[Lid, u8]
    empty: Flag
    gate: Annotated[Gate, u8]
    left: U8


class Draw(Event, frozen=True, gc=False):
    """A card left the shoe: ``number`` since the lid was closed, from 1, after ``took`` ms in the passage.

    ``seen`` tags were there, of which ``uids`` were read, in that order.
    """

    TYPE, NAME = 0x21, "DRAW"
    number: U16
    way: Annotated[Way, u8]
    flags: Annotated[DrawFlags, u8]
    took: U16
    seen: U8
    uids: UpToThreeTags


class Burn(Command, frozen=True, gc=False):
    """Eject the next card into the burn tray."""

    TYPE, NAME = 0x28, "BURN"


class Lock(Command, frozen=True, gc=False):
    """Shut the gate; always taken."""

    TYPE, NAME = 0x29, "LOCK"


class Unlock(Command, frozen=True, gc=False):
    """Open the gate for ``cards`` cards, 1 to 52."""

    TYPE, NAME = 0x2A, "UNLOCK"
    cards: U8


class ReleaseLid(Command, frozen=True, gc=False):
    """Free the lid."""

    TYPE, NAME = 0x2B, "RELEASE_LID"


class ShufflerState(Event, frozen=True, gc=False):
    """The shuffler's sensors: cards lie in ``input``, in ``output``; ``held`` are inside."""

    TYPE, NAME = 0x30, "SHUFFLER_STATE"
    input: Flag
    output: Flag
    cover: Annotated[Cover, u8]
    mode: Annotated[Mode, u8]
    stage: Annotated[Stage, u8]
    held: U8


class Fed(Event, frozen=True, gc=False):
    """Answer to `Feed`: ``count`` cards, ``strangers`` of them not of the deck; two masks of its members."""

    TYPE, NAME = 0x31, "FED"
    id: U64
    outcome: Annotated[Outcome, u8]
    reason: Annotated[Reason, u8]
    verdict: Annotated[Verdict, u8]
    count: U8
    strangers: U8
    missing: Mask
    surplus: Mask


class DeckReady(Event, frozen=True, gc=False):
    """The table of a deck is complete; ``crc`` is over length and bytes of every tag in order of indices."""

    TYPE, NAME = 0x32, "DECK_READY"
    deck: U8
    count: U8
    crc: U16


class DeckBegin(Order, frozen=True, gc=False):
    """A new table for a slot, ``count`` tags (1 to 56); what the slot held is forgotten."""

    TYPE, NAME = 0x34, "DECK_BEGIN"
    deck: U8
    count: U8


class DeckTags(Order, frozen=True, gc=False):
    """Up to four tags, of the indices from ``first`` on."""

    TYPE, NAME = 0x35, "DECK_TAGS"
    deck: U8
    first: U8
    uids: UpToFourTags


class DeckEnd(Order, frozen=True, gc=False):
    """The table is complete: confirm it."""

    TYPE, NAME = 0x36, "DECK_END"
    deck: U8


class Feed(Command, frozen=True, gc=False):
    """Draw in all cards of the input and prove the set ``expected`` (a mask) of a deck."""

    TYPE, NAME = 0x38, "FEED"
    deck: U8
    expected: Mask


class Shuffle(Command, frozen=True, gc=False):
    """Shuffle what is held."""

    TYPE, NAME = 0x39, "SHUFFLE"


class Cut(Command, frozen=True, gc=False):
    """Cut what was shuffled."""

    TYPE, NAME = 0x3A, "CUT"


class OpenCover(Command, frozen=True, gc=False):
    """Deliver into the output and open the cover."""

    TYPE, NAME = 0x3B, "OPEN_COVER"


class CloseCover(Command, frozen=True, gc=False):
    """Shut the cover."""

    TYPE, NAME = 0x3C, "CLOSE_COVER"


class Return(Command, frozen=True, gc=False):
    """Give every card inside back through the return slot."""

    TYPE, NAME = 0x3D, "RETURN"


class Arrived(Event, frozen=True, gc=False):
    """A tag came to rest at an antenna; once for every stay."""

    TYPE, NAME = 0x40, "ARRIVED"
    zone: Annotated[Zone, u8]
    facing: Annotated[Facing, u8]
    uid: Tag


class Turned(Event, frozen=True, gc=False):
    """A tag that lies at an antenna was turned over; ``facing`` is what it is now."""

    TYPE, NAME = 0x41, "TURNED"
    zone: Annotated[Zone, u8]
    facing: Annotated[Facing, u8]
    uid: Tag


class ZonesState(Event, frozen=True, gc=False):
    """Which antennas have a tag in their field: bit z for zone z."""

    TYPE, NAME = 0x42, "ZONES_STATE"
    occupied: U32


class Leds(Order, frozen=True, gc=False):
    """Spans of LEDs of a prompt, nine at most; may come in several frames."""

    TYPE, NAME = 0x50, "LEDS"
    prompt: U16
    spans: Spans


class TextChunk(Order, frozen=True, gc=False):
    """A chunk (38 bytes at most) of the text of a prompt, in the device's character set."""

    TYPE, NAME = 0x51, "TEXT"
    prompt: U16
    offset: U8
    chunk: Rest


class Show(Order, frozen=True, gc=False):
    """Show the prompt as a whole, if ``spans`` spans and ``length`` bytes of text with that ``crc`` came."""

    TYPE, NAME = 0x52, "SHOW"
    prompt: U16
    code: Annotated[PromptCode, u8]
    seat: U8
    count: U32
    spans: U8
    length: U8
    crc: U16


class Shown(Event, frozen=True, gc=False):
    """Answer to `Show`."""

    TYPE, NAME = 0x53, "SHOWN"
    prompt: U16
    outcome: Annotated[Outcome, u8]
    reason: Annotated[Reason, u8]


class KeyPressed(Event, frozen=True, gc=False):
    """A key was pressed; ``seat`` where the key has one, else 0."""

    TYPE, NAME = 0x60, "KEY"
    key: Annotated[Key, u8]
    seat: U8


class Act(Event, frozen=True, gc=False):
    """A player's act. ``amount``: of a bet or raise, the seat's chips in this round after it; else 0."""

    TYPE, NAME = 0x61, "ACT"
    seat: U8
    action: Annotated[Action, u8]
    amount: U32


class BadgeRead(Event, frozen=True, gc=False):
    """A badge was held to the keypad's reader; once each time that it comes."""

    TYPE, NAME = 0x62, "BADGE"
    uid: Tag


class PinTyped(Event, frozen=True, gc=False):
    """A PIN was typed and entered."""

    TYPE, NAME = 0x63, "PIN"
    digits: Digits
