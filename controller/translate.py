"""Between the wire and the core: messages with UIDs become events with cards, intentions become messages.

This is the only place where a UID and a card meet.
"""

from collections.abc import Callable, Mapping, Sequence
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

SLOT: Final = 0

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

What = Literal["card", "cut-card", "foreign"]


class Translator:
    """One table's deck in play. `indices_order` is the deck's tags in the order of the shuffler's table.

    The order of the table must tell nothing about a card: draw it at random, once a deck.
    """

    def __init__(self, registry: Registry, deck: Deck, indices_order: Sequence[bytes]) -> None:
        self._deck = deck
        self._cut_cards = registry.cut_cards
        self._tags = tuple(indices_order)
        self._index = {deck.cards[uid]: i for i, uid in enumerate(self._tags)}
        self._refs: dict[int, int] = {}

    def __repr__(self) -> str:
        return f"Translator({self._deck!r})"

    # Towards the devices

    def order(self, command: Command, command_id: int) -> wire.Message:
        """The message of a command, under its id of 64 bits."""
        self._refs[command_id] = command.ref
        match command.command:
            case "feed":
                expected = mask(self._index[card] for card in command.expected)
                return wire.Feed(command_id, SLOT, expected)
            case "unlock":
                return wire.Unlock(command_id, command.cards)
            case name:
                return _WITH_ID[name](command_id)

    def deck_table(self) -> list[wire.Order]:
        """The messages that give the shuffler the table of the deck in play."""
        return deck_table(SLOT, self._tags)

    def confirms(self, ready: wire.DeckReady) -> bool:
        """Whether the shuffler holds the whole table, unharmed."""
        return (ready.deck, ready.count, ready.crc) == (SLOT, len(self._tags), deck_crc(self._tags))

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
        card = self._deck.cards.get(uid)
        return ("card", card) if card is not None else ("foreign", None)

    def _drew(self, message: wire.Draw) -> Drew:
        named = [self._identify(uid) for uid in message.uids]
        what: Literal["card", "boxed", "cut-card", "foreign", "unread", "double", "reversed"]
        if message.flags & DrawFlags.REVERSED:
            what = "reversed"
        elif message.seen > 1 or len(named) > 1:
            what = "double"
        elif not named:
            what = "unread"
        else:
            what = named[0][0]
            if what == "card" and message.flags & DrawFlags.BOXED:
                what = "boxed"
        return Drew(
            time=message.time,
            number=message.number,
            what=what,
            way="burner" if message.way is Way.BURNER else "hand",
            cards=tuple(card for _, card in named if card is not None),
        )

    def _answer(self, message: wire.Fed | wire.Result) -> AnyEvent | None:
        ref = self._refs.get(message.id)
        if ref is None:
            return None
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
            missing=self._members(message.missing),
            surplus=self._members(message.surplus),
        )

    def _members(self, set_: bytes) -> tuple[Card, ...]:
        """The cards of a mask. Bits beyond the deck's table mean nothing."""
        return tuple(self._deck.cards[self._tags[i]] for i in sorted(indices(set_)) if i < len(self._tags))


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
