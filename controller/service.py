"""One table between its devices, its journal and its doors. Sans-IO: what arrives is put in, what must leave
is taken out.

The order of things is the promise of docs/protocol.md and docs/journal.md: an event is acknowledged only once
it is durable and what it caused was handed on; a command that moves a card leaves only after the events that
led to it are durable; what is safe and can be repeated leaves at once.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from controller.checking import Checker, Verdict
from controller.checkpoint import Answer, caps_as_said
from controller.decisions import AnyDecision, Ask, Command, HandBegan, Prompt, Refused
from controller.decks import Registry
from controller.events import (
    OVERTAKEN,
    Answered,
    AnyEvent,
    CredentialRefused,
    DeadlinePassed,
    DeviceLost,
    DeviceName,
    DeviceRefused,
    EventsLost,
    Faulted,
    Insecure,
    JournalStalled,
    PromptNotShown,
    SeatChange,
)
from controller.floor_wish import FloorWish, why_refused
from controller.journal import Journal, Record, Source
from controller.known_device import KnownDevice
from controller.places import PLACES
from controller.prompter import Prompter
from controller.reception import Reception
from controller.standing import Standing
from controller.table import Table
from controller.table_setup import TableSetup
from controller.translate import DeckInUse
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import Capabilities, PromptsCaps, ShufflerCaps
from firmware_bridge.codes import Outcome
from firmware_bridge.events import Identity, Mark

DECK_TABLES: Final = 3
"""How often the decks' tables are sent to a shuffler that does not confirm them."""


class Service:
    """The running table. `outbox` and `acks` are for whoever carries bytes; `notices` for whoever serves
    doors."""

    def __init__(
        self,
        name: str,
        setup: TableSetup,
        registry: Registry,
        decks: Sequence[DeckInUse],
        prompter: Prompter,
        journal: Journal,
        checker: Checker,
    ) -> None:
        self.outbox: deque[tuple[DeviceName, wire.Message]] = deque()
        self.standing = Standing(
            name, setup, registry, decks, prompter, lambda to, message: self.outbox.append((to, message))
        )
        """Where the table stands; a start after a crash brings it there before anything arrives."""
        self._translator = self.standing.translator
        self._prompter = prompter
        self._orders = self.standing.orders
        self._devices = self.standing.devices
        self._journal = journal
        self.checker = checker
        """Knows whose a badge or a PIN is; whoever runs the table has it deliver."""
        self._reception = Reception(
            checker,
            lambda number, message, event: self._hear("keypad", number, message, event),
            lambda: self._core.phase == "halted",
        )
        self._overtaken: list[int] = []
        self._owed: deque[tuple[int, DeviceName, Mark]] = deque()
        self.acks: deque[tuple[DeviceName, Mark]] = deque()
        self.notices = self.standing.feed.notices
        self._insecure = False
        self._held: list[int] | None = None

    @property
    def _core(self) -> Table:
        """Another one from each checkpoint on."""
        return self.standing.core

    # What arrives

    def answers(
        self,
        device: DeviceName,
        boot: int,
        caps: Capabilities,
        *,
        identity: Identity | None = None,
        restarted: bool = False,
        lost: int = 0,
    ) -> None:
        """A session with a device is open; `lost` events could not be had any more.

        `restarted`: the device has booted anew, whatever its nonce says.
        """
        known = self._devices[device]
        anew = restarted or known.boot != boot
        known.restarted = restarted or known.boot not in (0, boot)
        if anew:
            self._forget(device)
        else:
            self._orders.repeat(device, self._core.unanswered)
        said = caps_as_said(caps)
        goes_on = known.present and not anew and known.answer is not None and known.answer.caps == said
        known.answer = Answer(
            device=device,
            boot=boot,
            caps=said,
            serial=identity.serial if identity is not None else "",
            firmware=identity.firmware if identity is not None else "",
            tables=self.standing.tables if known.holds_decks else "",
        )
        if isinstance(caps, ShufflerCaps) and caps.identifies and not known.holds_decks:
            goes_on = False
            known.waiting_for_decks = caps
            if caps.slots < len(self._translator.slots):
                self._take(Faulted(device=device, fault="deck-table", state="begun"))
            self._send_tables(known)
        if isinstance(caps, PromptsCaps):
            self.outbox.extend((device, message) for message in self._prompter.ring_is(caps))
        if known.waiting_for_decks is None and not goes_on:
            self._is_ready(known, caps)
        if lost:
            self._take(EventsLost(device=device, count=lost))
        self.settle()

    def _is_ready(self, known: KnownDevice, caps: Capabilities, source: Source | None = None) -> None:
        known.present = True
        event = self._translator.ready(caps, restarted=known.restarted)
        self._take(event, source, answer=known.answer)

    def _forget(self, device: DeviceName) -> None:
        """Another boot: what the last one was told is unknown, and its numbers mean other events."""
        if device == "keypad":
            self._reception.forget()
        self._devices[device].boots_anew()
        self._orders.forget(device)
        self._owed = deque(owed for owed in self._owed if owed[1] != device)
        self.acks = deque(ack for ack in self.acks if ack[0] != device)

    def received(self, device: DeviceName, number: int, message: wire.Message) -> None:
        """A numbered event of a device, in its order."""
        if device == "keypad":
            self._reception.comes(number, message)
        else:
            self._hear(device, number, message)
        self.settle()

    def _hear(
        self, device: DeviceName, number: int, message: wire.Message, means: AnyEvent | None = None
    ) -> None:
        """Takes a device's event; `means` is what it means where a message alone does not say it."""
        known = self._devices[device]
        if isinstance(message, wire.Event):
            self._time_is(device, message.time)
        known.mark = Mark(known.boot, number)
        source = Source(device=device, boot=known.boot, number=number, time=known.time)
        event = means or self._means(known, device, message)
        caps = known.waiting_for_decks
        if caps is not None and isinstance(message, wire.DeckReady) and known.holds_decks:
            known.waiting_for_decks = None
            self._is_ready(known, caps, source)
        elif event is None:
            self._journal.append(Record(None, (), source, heard=message.NAME))
        else:
            self._take(event, source)
        self._owed.append((self._journal.last, device, known.mark))

    def _means(self, known: KnownDevice, device: DeviceName, message: wire.Message) -> AnyEvent | None:
        match message:
            case wire.Shown():
                return self._is_shown(message)
            case wire.DeckReady():
                return self._decks_are_ready(known, message)
            case wire.Result(outcome=Outcome.UNKNOWN):
                return self._is_unknown(message)
            case _:
                return self._translator.event(device, message)

    def _is_shown(self, answer: wire.Shown) -> AnyEvent | None:
        again = self._prompter.shown(answer)
        self.outbox.extend(("prompts", order) for order in again)
        if answer.outcome is not Outcome.DONE and not again:
            return PromptNotShown(reason=answer.reason.label)
        return None

    def _is_unknown(self, answer: wire.Result) -> AnyEvent | None:
        """A device knows nothing of a command; that is as it should be where it was never to be given."""
        event = self._translator.event("shoe", answer)
        if isinstance(event, Answered) and self._orders.was_overtaken(event.ref):
            return Answered(ref=event.ref, outcome="refused", reason=OVERTAKEN, count=0)
        return event

    def _send_tables(self, known: KnownDevice) -> None:
        known.confirmed.clear()
        self.outbox.extend(("shuffler", message) for message in self._translator.deck_tables())

    def _decks_are_ready(self, known: KnownDevice, message: wire.DeckReady) -> AnyEvent | None:
        if known.waiting_for_decks is None:
            return None
        if not self._translator.confirms(message):
            known.tables_failed += 1
            if known.tables_failed == DECK_TABLES:
                return Faulted(device="shuffler", fault="deck-table", state="begun")
            if known.tables_failed < DECK_TABLES:
                self._send_tables(known)
            return None
        known.confirmed.add(message.deck)
        if len(known.confirmed) == len(self._translator.slots) and known.answer is not None:
            known.holds_decks = True
            known.answer = msgspec.structs.replace(known.answer, tables=self.standing.tables)
        return None

    def ticked(self, device: DeviceName, time: int) -> None:
        """A device says its time, in ms since its boot."""
        if device != "keypad" or not self._reception.waits:  # what it said before was not taken yet
            self._time_is(device, time)
        self.settle()

    def lost(self, device: DeviceName, why: str) -> None:
        """A device does not answer any more."""
        known = self._devices[device]
        known.waiting_for_decks, known.present = None, False
        if device == "prompts":
            self._prompter.ring_is_gone()
        self._take(DeviceLost(device=device, why=why))
        self.settle()

    def journal_is_in(self, trouble: str) -> None:
        """The journal cannot be written for now, and why; or it can again, if that is empty.

        Nothing is acknowledged meanwhile, and no card is moved.
        """
        self._take(JournalStalled(state="begun" if trouble else "ended", why=trouble))
        self.settle()

    def refused(self, device: DeviceName, why: str) -> None:
        """A device is not taken for what it says that it is."""
        self._take(DeviceRefused(device=device, why=why))

    def is_insecure(self) -> None:
        """The table takes devices without keys: every screen shows it from now on."""
        self._insecure = True
        self._prompter.mark()
        self._take(Insecure())

    def line_is_slow(self, device: DeviceName) -> None:
        """The driver of a device's port holds bytes back."""
        self._take(Faulted(device=device, fault="slow-line", state="begun"))
        self.settle()

    def _time_is(self, device: DeviceName, time: int) -> None:
        for token in self._devices[device].tells(time):
            if self._held is not None:
                self._held.append(token)
            else:
                self._passes(token)

    def _passes(self, token: int) -> None:
        if token in self._core.open_deadlines:
            self._take(DeadlinePassed(token=token))

    def hold_deadlines(self) -> None:
        """Deadlines do not count from now on: a device may have kept what ends them, and tell it yet."""
        self._held = []

    def release_deadlines(self) -> None:
        """What was kept is told: deadlines that have passed meanwhile, and still mean something, count."""
        held, self._held = self._held or [], None
        for token in held:
            self._passes(token)
        self.settle()

    def seat_changes(self, wanted: SeatChange) -> str:
        """A player comes, goes or buys chips; why that cannot be, empty where it was taken."""
        decisions = self._take(wanted)
        self.settle()
        return next((said.why for said in decisions if isinstance(said, Refused)), "")

    def floor_decides(self, wish: FloorWish, then: Callable[[str], None]) -> None:
        """Somebody wants something decided; `then` is told why it cannot be, empty where it was taken.

        It is told once it is known who that is: now, or by `Checker.deliver`.
        """

        def known(verdict: Verdict) -> None:
            then(self._floor_is(wish, verdict))
            self.settle()

        self.checker.check(wish.shown, "door", known)

    def _floor_is(self, wish: FloorWish, verdict: Verdict) -> str:
        event = wish.by(verdict)
        if isinstance(event, str):
            return event
        decisions = self._take(event)
        if isinstance(event, CredentialRefused):
            return why_refused(event)
        return next((said.why for said in decisions if isinstance(said, Refused)), "")

    # What follows

    def _take(
        self, event: AnyEvent, source: Source | None = None, answer: Answer | None = None
    ) -> tuple[AnyDecision, ...]:
        standing = self.standing
        decisions = standing.decide(event)
        if self._core.phase != "halted":
            self._reception.halt_is_over()
        due = standing.due(decisions)
        entry = self._journal.append(Record(event, decisions, source, answer=answer, due=due))
        for place, decision in enumerate(decisions):
            match decision:
                case Command():
                    waits = self._core.unanswered
                    self._overtaken += self._orders.gives(decision, standing.hand, entry, place, waits)
                case Prompt():
                    self.outbox.extend(("prompts", order) for order in standing.shows(decision, entry))
                case Ask():
                    self.outbox.append((decision.device, wire.Ask()))
                case _:
                    standing.follows(decision, due, entry)
        if (put_down := standing.put_down()) is not None:
            self._journal.keep(put_down, standing.hand)
        if self._insecure and any(isinstance(decision, HandBegan) for decision in decisions):
            self._take(Insecure())  # doors that come later have lost what was told long ago
        while self._overtaken:
            ref = self._overtaken.pop(0)
            self._take(Answered(ref=ref, outcome="refused", reason=OVERTAKEN, count=0))
        return decisions

    def settle(self) -> None:
        """Lets go what waited for entries that are durable by now: commands first, then acknowledgements.

        The doors are told nothing either that could still be forgotten.
        """
        durable = self._journal.durable
        self._orders.settle(durable, self._core.unanswered)
        while self._owed and self._owed[0][0] <= durable:
            _, device, mark = self._owed.popleft()
            self.acks.append((device, mark))
        self.standing.feed.settle(durable)

    # What a door may ask

    @property
    def at_rest(self) -> bool:
        """Whether everything that arrived was handled, stored and answered, and every command has its
        answer."""
        return self.rests_but_for(())

    def rests_but_for(self, devices: Sequence[DeviceName]) -> bool:
        """The same, but for the answers of some devices."""
        waiting = (
            self._orders.wait,
            self._owed,
            self.standing.feed.waits,
            self.outbox,
            self.acks,
            self._reception.waits,
        )
        decks = any(known.waiting_for_decks is not None for known in self._devices.values())
        owed = self._core.unanswered_by - frozenset(devices)
        return not any(waiting) and not decks and not owed and self._prompter.settled

    @property
    def times(self) -> dict[str, int]:
        """The time that each device last told, in ms since its boot."""
        return {name: known.time or 0 for name, known in self._devices.items()}

    def ledger_digest(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """Of every zone its count and a digest of its cards, for comparison on a bench."""
        return {place: digest(nonce, self._core.ledger.cards(place)) for place in PLACES}


def digest(nonce: bytes, cards: Iterable[str]) -> tuple[int, str]:
    """How many cards, and a digest of which, in whatever order, under a nonce."""
    held = sorted(cards)
    return len(held), hashlib.sha256(nonce + "".join(held).encode()).hexdigest()
