"""One table between its devices, its journal and its doors. Sans-IO: what arrives is put in, what must leave
is taken out.

The order of things is the promise of docs/protocol.md and docs/journal.md: an event is acknowledged only once
it is durable and what it caused was handed on; a command that moves a card leaves only after the events that
led to it are durable; what is safe and can be repeated leaves at once.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.checking import Checker, Known, Verdict
from controller.credentials import Credential
from controller.decisions import AnyDecision, Ask, Command, Deadline, HandBegan, Prompt, Refused
from controller.decks import Registry
from controller.events import (
    OVERTAKEN,
    Answered,
    AnyEvent,
    CauseName,
    CredentialRefused,
    DeadlinePassed,
    DeviceLost,
    DeviceName,
    EventsLost,
    Faulted,
    FloorDecided,
    FloorDecisionName,
    PromptNotShown,
    SeatChange,
)
from controller.journal import Journal, Record, Source
from controller.notices import AnyNotice, Lit, Notice, PromptShown, told
from controller.places import PLACES
from controller.prompter import Prompter
from controller.reception import Reception
from controller.table import Table
from controller.table_setup import TableSetup
from controller.translate import DeckInUse, Translator
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import Capabilities, PromptsCaps, ShufflerCaps
from firmware_bridge.codes import Outcome
from firmware_bridge.events import Mark

SAFE_AT_ONCE: Final = frozenset({"lock"})
DECK_TABLES: Final = 3
"""How often the decks' tables are sent to a shuffler that does not confirm them."""
NOTICES_KEPT: Final = 20_000
_WHY_UNKNOWN: Final[Mapping[CauseName, str]] = {
    "unknown": "nobody here has this badge or PIN",
    "locked": "too many wrong badges or PINs: wait, and try again",
    "unusable": "",
}
_TIMES: Final = 1 << 32


@dataclass
class _Device:
    """What the service knows of one device: its boot, 0 before the first, and the time that it last told.

    Deadlines that are set before it has told a time are kept as a span in `spans`.
    """

    boot: int = 0
    time: int | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    deadlines: list[tuple[int, int]] = field(default_factory=list)
    waiting_for_decks: Capabilities | None = None
    restarted: bool = False
    confirmed: set[int] = field(default_factory=set)
    holds_decks: bool = False
    tables_failed: int = 0


@dataclass(frozen=True)
class FloorWish:
    """What somebody who shows a credential wants decided about a halted table, and why."""

    decision: FloorDecisionName
    reason: str
    shown: Credential
    remedy: str = ""
    rule: str = ""
    seat: int = 0

    def by(self, who: str) -> FloorDecided:
        """The decision, once it is known whose it is."""
        return FloorDecided(
            decision=self.decision,
            who=who,
            reason=self.reason,
            remedy=self.remedy,
            rule=self.rule,
            seat=self.seat,
        )


@dataclass(frozen=True)
class _Held:
    """A command that waits until entry `after` is durable."""

    after: int
    ref: int
    device: DeviceName
    message: wire.Message


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
        self._name = name
        self._core = Table(setup)
        self._translator = Translator(registry, decks)
        self._prompter = prompter
        self._journal = journal
        self.checker = checker
        """Knows whose a badge or a PIN is; whoever runs the table has it deliver."""
        self._reception = Reception(
            checker,
            lambda number, message, event: self._hear("keypad", number, message, event),
            lambda: self._core.phase == "halted",
        )
        self._hand = 0
        self._devices: dict[DeviceName, _Device] = {device: _Device() for device in setup.devices}
        self._held: deque[_Held] = deque()
        self._overtaken: list[_Held] = []
        self._sent: dict[int, tuple[DeviceName, wire.Message]] = {}
        self._owed: deque[tuple[int, DeviceName, Mark]] = deque()
        self.outbox: deque[tuple[DeviceName, wire.Message]] = deque()
        self.acks: deque[tuple[DeviceName, Mark]] = deque()
        self.notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        self._last_notice = 0

    # What arrives

    def answers(
        self, device: DeviceName, boot: int, caps: Capabilities, *, restarted: bool = False, lost: int = 0
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
            self._repeat(device)
        known.boot = boot
        if isinstance(caps, ShufflerCaps) and caps.identifies and not known.holds_decks:
            known.waiting_for_decks = caps
            if caps.slots < len(self._translator.slots):
                self._take(Faulted(device=device, fault="deck-table", state="begun"))
            self._send_tables(known)
        if isinstance(caps, PromptsCaps):
            self.outbox.extend((device, message) for message in self._prompter.ring_is(caps))
        if known.waiting_for_decks is None:
            self._take(self._translator.ready(caps, restarted=known.restarted))
        if lost:
            self._take(EventsLost(device=device, count=lost))
        self.settle()

    def _forget(self, device: DeviceName) -> None:
        """Another boot: what the last one was told is unknown, and its numbers mean other events."""
        known = self._devices[device]
        if device == "keypad":
            self._reception.forget()
        known.time, known.spans, known.deadlines, known.holds_decks = None, [], [], False
        known.tables_failed = 0
        self._held = deque(held for held in self._held if held.device != device)
        self._sent = {ref: sent for ref, sent in self._sent.items() if sent[0] != device}
        self._owed = deque(owed for owed in self._owed if owed[1] != device)
        self.acks = deque(ack for ack in self.acks if ack[0] != device)

    def _repeat(self, device: DeviceName) -> None:
        """The same boot answers again: what it may not have got is sent again under the same ids."""
        again = [(ref, sent) for ref, sent in self._sent.items() if sent[0] == device]
        self.outbox.extend(sent for ref, sent in again if self._core.awaits(ref))

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
        if isinstance(message, wire.Shown):
            self._is_shown(message)
        event = means or self._decks_are_ready(known, message) or self._translator.event(device, message)
        if event is not None:
            self._take(event, Source(device=device, boot=known.boot, number=number))
        self._owed.append((self._journal.last, device, Mark(known.boot, number)))

    def _is_shown(self, answer: wire.Shown) -> None:
        again = self._prompter.shown(answer)
        self.outbox.extend(("prompts", order) for order in again)
        if answer.outcome is not Outcome.DONE and not again:
            self._take(PromptNotShown(reason=answer.reason.label))

    def _send_tables(self, known: _Device) -> None:
        known.confirmed.clear()
        self.outbox.extend(("shuffler", message) for message in self._translator.deck_tables())

    def _decks_are_ready(self, known: _Device, message: wire.Message) -> AnyEvent | None:
        caps = known.waiting_for_decks
        if caps is None or not isinstance(message, wire.DeckReady):
            return None
        if not self._translator.confirms(message):
            known.tables_failed += 1
            if known.tables_failed == DECK_TABLES:
                return Faulted(device="shuffler", fault="deck-table", state="begun")
            if known.tables_failed < DECK_TABLES:
                self._send_tables(known)
            return None
        known.confirmed.add(message.deck)
        if len(known.confirmed) < len(self._translator.slots):
            return None
        known.waiting_for_decks = None
        known.holds_decks = True
        return self._translator.ready(caps, restarted=known.restarted)

    def ticked(self, device: DeviceName, time: int) -> None:
        """A device says its time, in ms since its boot."""
        if device != "keypad" or not self._reception.waits:  # what it said before was not taken yet
            self._time_is(device, time)
        self.settle()

    def lost(self, device: DeviceName, why: str) -> None:
        """A device does not answer any more."""
        self._devices[device].waiting_for_decks = None
        if device == "prompts":
            self._prompter.ring_is_gone()
        self._take(DeviceLost(device=device, why=why))
        self.settle()

    def line_is_slow(self, device: DeviceName) -> None:
        """The driver of a device's port holds bytes back."""
        self._take(Faulted(device=device, fault="slow-line", state="begun"))
        self.settle()

    def _time_is(self, device: DeviceName, time: int) -> None:
        known = self._devices[device]
        if known.time is not None and (time - known.time) % _TIMES >= _TIMES // 2:
            return
        known.time = time
        known.deadlines += [((time + ms) % _TIMES, token) for ms, token in known.spans]
        known.spans = []
        passed = [token for due, token in known.deadlines if 0 < (time - due) % _TIMES < _TIMES // 2]
        if not passed:
            return
        known.deadlines = [(due, token) for due, token in known.deadlines if token not in passed]
        for token in passed:
            if token in self._core.open_deadlines:
                self._take(DeadlinePassed(token=token))

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
        if not isinstance(verdict, Known):
            refused = CredentialRefused(by=wish.shown.by, at="door", cause=verdict.cause, text=verdict.text)
            self._take(refused)
            return _WHY_UNKNOWN[verdict.cause] or verdict.text
        if verdict.role != "floor":
            return f"{verdict.who} is no floor: only a floor decides"
        decisions = self._take(wish.by(verdict.who))
        return next((said.why for said in decisions if isinstance(said, Refused)), "")

    # What follows

    def _take(self, event: AnyEvent, source: Source | None = None) -> tuple[AnyDecision, ...]:
        decisions = self._core.handle(event)
        if self._core.phase != "halted":
            self._reception.halt_is_over()
        for decision in decisions:
            if isinstance(decision, HandBegan):
                self._hand = decision.number
                self._translator.in_play = decision.deck
        entry = self._journal.append(Record(event, decisions, source))
        for place, decision in enumerate(decisions):
            self._carry_out(decision, entry, place)
        while self._overtaken:
            held = self._overtaken.pop()
            self._take(Answered(ref=held.ref, outcome="refused", reason=OVERTAKEN, count=0))
        return decisions

    def _carry_out(self, decision: AnyDecision, entry: int, place: int) -> None:
        match decision:
            case Command():
                message = self._translator.order(decision, self._command_id(entry, place))
                if decision.command in SAFE_AT_ONCE:
                    self._is_shut(decision.device)
                    self._send(decision.ref, decision.device, message)
                else:
                    self._held.append(_Held(entry, decision.ref, decision.device, message))
            case Prompt() if self._prompter.is_on_display(decision):
                pass  # it was acknowledged, and was calm before
            case Prompt():
                self.outbox.extend(("prompts", order) for order in self._prompter.show(decision))
                self._tell(self._worded(decision))
            case Ask():
                self.outbox.append((decision.device, wire.Ask()))
            case Deadline():
                known = self._devices[decision.device]
                # Every card opens one, and most are settled long before their time has passed.
                still_open = self._core.open_deadlines
                known.deadlines = [kept for kept in known.deadlines if kept[1] in still_open]
                if known.time is None:
                    known.spans.append((decision.ms, decision.token))
                else:
                    known.deadlines.append(((known.time + decision.ms) % _TIMES, decision.token))
            case _:
                if (notice := told(decision)) is not None:
                    self._tell(notice)

    def _is_shut(self, device: DeviceName) -> None:
        """What was to open it, and waits for the disk, must not come behind what shuts it at once."""
        opens = [
            held for held in self._held if held.device == device and isinstance(held.message, wire.Unlock)
        ]
        self._held = deque(held for held in self._held if held not in opens)
        self._overtaken += opens

    def _send(self, ref: int, device: DeviceName, message: wire.Message) -> None:
        self._sent = {sent: order for sent, order in self._sent.items() if self._core.awaits(sent)}
        self._sent[ref] = (device, message)
        self.outbox.append((device, message))

    def _command_id(self, entry: int, place: int) -> int:
        """The same command always has the same id: it follows from its cause.

        A new attempt needs a new event, which is another entry, and so has an id of its own.
        """
        cause = f"{self._name}/{self._hand}/{entry}/{place}"
        return int.from_bytes(hashlib.sha256(cause.encode()).digest()[:8], "little")

    def _worded(self, prompt: Prompt) -> PromptShown:
        worded, spans = self._prompter.word(prompt)
        return PromptShown(
            code=prompt.code,
            seat=prompt.seat or None,
            count=prompt.count,
            text=worded.text,
            glyph=worded.glyph,
            colour=worded.colour,
            lit=tuple(Lit(span.first, span.last, span.colour, span.pattern) for span in spans),
            acknowledged=prompt.acknowledged,
        )

    def _tell(self, said: AnyNotice) -> None:
        self._last_notice += 1
        self.notices.append(Notice(self._last_notice, said))

    def settle(self) -> None:
        """Lets go what waited for entries that are durable by now: commands first, then acknowledgements."""
        durable = self._journal.durable
        while self._held and self._held[0].after <= durable:
            held = self._held.popleft()
            self._send(held.ref, held.device, held.message)
        while self._owed and self._owed[0][0] <= durable:
            _, device, mark = self._owed.popleft()
            self.acks.append((device, mark))

    # What a door may ask

    @property
    def at_rest(self) -> bool:
        """Whether everything that arrived was handled, stored and answered, and every command has its
        answer."""
        return self.rests_but_for(())

    def rests_but_for(self, devices: Sequence[DeviceName]) -> bool:
        """The same, but for the answers of some devices."""
        waiting = (self._held, self._owed, self.outbox, self.acks, self._reception.waits)
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
