"""Between the wire and the core: messages with UIDs become events with cards, intentions become messages.

This is the only place where a UID and a card meet.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from controller.cards import Card
from controller.decisions import Command, CommandName
from controller.decks import Deck, Registry
from controller.events import (
    Acted,
    ActionName,
    Answered,
    AnyEvent,
    Arrived,
    DeviceName,
    DrawnName,
    Drew,
    EventsLost,
    FacingName,
    Faulted,
    Fed,
    Keyed,
    KeypadReady,
    LidName,
    Occupied,
    OutcomeName,
    PromptsReady,
    ShoeReady,
    ShoeState,
    ShufflerReady,
    ShufflerState,
    Turned,
    VerdictName,
    ZonesReady,
)
from controller.places import Place
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import (
    Capabilities,
    KeypadCaps,
    PromptsCaps,
    ShoeCaps,
    ShufflerCaps,
    ZonesCaps,
)
from firmware_bridge.codes import DrawFlags, Way
from firmware_bridge.devices.shuffler import deck_crc, deck_table, indices, mask
from firmware_bridge.devices.zones import occupied

_WITH_ID: Final[Mapping[CommandName, Callable[[int], wire.Message]]] = {
    "burn": wire.Burn,
    "lock": wire.Lock,
    "release-lid": wire.ReleaseLid,
    "shuffle": wire.Shuffle,
    "cut": wire.Cut,
    "open-cover": wire.OpenCover,
    "close-cover": wire.CloseCover,
    "return": wire.Return,
}

What = Literal["card", "other-deck", "cut-card", "joker", "foreign"]
_DRAWN: Final[Mapping[What, DrawnName]] = {
    "card": "card",
    "other-deck": "foreign",
    "cut-card": "cut-card",
    "joker": "joker",
    "foreign": "foreign",
}
"""What a tag at the shoe's lip is: whatever is not of the deck in play is foreign there."""


@dataclass(frozen=True)
class DeckInUse:
    """A deck of the table, and its tags in the order of the shuffler's table.

    The order of the table must tell nothing about a card: draw it at random, once a deck.
    """

    deck: Deck
    indices_order: tuple[bytes, ...] = field(repr=False)


class Translator:
    """The decks of one table, the first in slot 0 of the shuffler. Deck 1 is in play until another is said to
    be."""

    def __init__(self, registry: Registry, decks: Sequence[DeckInUse]) -> None:
        self._decks = tuple(decks)
        self._cut_cards = registry.cut_cards
        self._jokers = registry.jokers
        self._index = [
            {used.deck.cards[uid]: i for i, uid in enumerate(used.indices_order)} for used in self._decks
        ]
        self._asked: dict[int, tuple[int, int]] = {}  # by a command's id: its reference, its deck
        self.in_play = 1
        """The number of the deck in play: 1 or 2."""

    def __repr__(self) -> str:
        return f"Translator({', '.join(repr(used.deck) for used in self._decks)})"

    # Towards the devices

    def order(self, command: Command, command_id: int) -> wire.Message:
        """The message of a command, under its id of 64 bits."""
        self._asked[command_id] = command.ref, command.deck
        match command.command:
            case "feed":
                slot = command.deck - 1
                expected = mask(self._index[slot][card] for card in command.expected)
                return wire.Feed(command_id, slot, expected)
            case "unlock":
                return wire.Unlock(command_id, command.cards)
            case name:
                return _WITH_ID[name](command_id)

    @property
    def slots(self) -> range:
        """The shuffler's slots that are in use, one a deck."""
        return range(len(self._decks))

    def deck_tables(self) -> list[wire.Order]:
        """The messages that give the shuffler the table of every deck."""
        tables = (deck_table(slot, self._decks[slot].indices_order) for slot in self.slots)
        return [message for table in tables for message in table]

    def confirms(self, ready: wire.DeckReady) -> bool:
        """Whether the shuffler holds the whole table of this slot, unharmed."""
        if ready.deck not in self.slots:
            return False
        tags = self._decks[ready.deck].indices_order
        return (ready.count, ready.crc) == (len(tags), deck_crc(tags))

    # Towards the core

    def ready(self, caps: Capabilities, *, restarted: bool) -> AnyEvent:
        """A device answers, with what it can do."""
        match caps:
            case ShoeCaps():
                return ShoeReady(gate=caps.gate, burner=caps.burner, restarted=restarted)
            case ShufflerCaps():
                return ShufflerReady(
                    cuts=caps.cuts,
                    identifies=caps.identifies,
                    min_cards=caps.min_cards,
                    max_cards=caps.max_cards,
                    restarted=restarted,
                )
            case ZonesCaps():
                places = tuple(Place(zone.label) for zone in sorted(caps.antennas))
                return ZonesReady(facing=caps.facing, places=places, restarted=restarted)
            case PromptsCaps():
                return PromptsReady(restarted=restarted)
            case KeypadCaps():
                return KeypadReady(acts=caps.acts, restarted=restarted)

    def event(self, device: DeviceName, message: wire.Message) -> AnyEvent | None:
        """What a message means to the core; None for one that concerns the link or the prompts alone."""
        match message:
            case wire.Draw():
                return self._drew(message)
            case wire.Arrived():
                what, card = self._identify(message.uid)
                return Arrived(
                    time=message.time,
                    place=Place(message.zone.label),
                    facing=cast(FacingName, message.facing.label),
                    what=what,
                    card=card,
                )
            case wire.Turned():
                _, card = self._identify(message.uid)
                return Turned(
                    time=message.time,
                    place=Place(message.zone.label),
                    facing=cast(FacingName, message.facing.label),
                    card=card,
                )
            case wire.KeyPressed():
                return Keyed(key=message.key.label, seat=message.seat)
            case wire.Act():
                return Acted(
                    seat=message.seat, action=cast(ActionName, message.action.label), amount=message.amount
                )
            case wire.Fed() | wire.Result():
                return self._answer(message)
            case wire.Gap():
                return EventsLost(device=device, count=message.lost)
            case wire.DeviceFault():
                state: Literal["begun", "ended"] = "ended" if message.ended else "begun"
                return Faulted(device=device, fault=message.fault.label, state=state)
            case _:
                return _state(message)

    def _identify(self, uid: bytes) -> tuple[What, Card | None]:
        if uid in self._cut_cards:
            return "cut-card", None
        if uid in self._jokers:
            return "joker", None
        for number, used in enumerate(self._decks, start=1):
            card = used.deck.cards.get(uid)
            if card is not None:
                return ("card", card) if number == self.in_play else ("other-deck", None)
        return "foreign", None

    def _drew(self, message: wire.Draw) -> Drew:
        named = [self._identify(uid) for uid in message.uids]
        what: DrawnName
        if message.flags & DrawFlags.REVERSED:
            what = "reversed"
        elif any(_DRAWN[named_as] == "foreign" for named_as, _ in named):
            what = "foreign"
        elif message.seen > 1 or len(named) > 1:
            what = "double"
        elif not named:
            what = "unread"
        else:
            what = _DRAWN[named[0][0]]
            if what == "card" and message.flags & DrawFlags.BOXED:
                what = "boxed"
        return Drew(
            time=message.time,
            number=message.number,
            what=what,
            way="burner" if message.way is Way.BURNER else "hand",
            cards=tuple(card for _, card in named if card is not None),
            seen=max(message.seen, len(named)),
        )

    def _answer(self, message: wire.Fed | wire.Result) -> AnyEvent | None:
        asked = self._asked.get(message.id)
        if asked is None:
            return None
        ref, deck = asked
        if isinstance(message, wire.Result):
            return Answered(
                ref=ref,
                outcome=cast(OutcomeName, message.outcome.label),
                reason=message.reason.label,
                count=message.count,
            )
        return Fed(
            ref=ref,
            outcome=cast(OutcomeName, message.outcome.label),
            reason=message.reason.label,
            verdict=cast(VerdictName, message.verdict.label),
            count=message.count,
            strangers=message.strangers,
            missing=_members(message.missing, self._decks[deck - 1]),
            surplus=_members(message.surplus, self._decks[deck - 1]),
        )


def _members(set_: bytes, used: DeckInUse) -> tuple[Card, ...]:
    """The cards of a mask over a deck's table. Bits beyond the table mean nothing."""
    tags = used.indices_order
    return tuple(used.deck.cards[tags[i]] for i in sorted(indices(set_)) if i < len(tags))


def _state(message: wire.Message) -> AnyEvent | None:
    match message:
        case wire.ShoeState():
            lid = cast(LidName, message.lid.label)
            return ShoeState(lid=lid, content="empty" if message.empty else "cards")
        case wire.ShufflerState():
            return ShufflerState(
                input="cards" if message.input else "none",
                output="cards" if message.output else "none",
                cover="open" if message.cover else "shut",
                mode=message.mode.label,
                held=message.held,
                stage=message.stage.label,
            )
        case wire.ZonesState():
            return Occupied(places=tuple(Place(z.label) for z in sorted(occupied(message.occupied))))
        case _:
            return None
