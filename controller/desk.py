"""The core's outgoing tray: decisions in order, commands still to be answered, deadlines still open."""

from typing import Literal

import msgspec

from controller.acknowledging import AcknowledgedState, Acknowledging
from controller.cards import DECK, Card
from controller.decisions import (
    Alert,
    AnyDecision,
    CarriedOut,
    Command,
    CommandName,
    Deadline,
    PhaseEntered,
    Prompt,
    ProofName,
    Refused,
)
from controller.events import DeviceName, Keyed
from controller.hand import Fact, PhaseName, Phases

Over = Literal["check", "question"]
"""What stands over all that is asked, the first over the second."""


class DeskState(msgspec.Struct, frozen=True):
    """A desk with an empty tray, at which the floor is not called and no question stands.

    Whatever is being fed is a whole deck, so no command says its cards.
    """

    refs: int
    tokens: int
    unanswered: tuple[Command, ...]
    orphans: frozenset[int]
    deadlines: frozenset[int]
    asked: Prompt | None
    prompts: AcknowledgedState
    dealer_sees: bool


class Desk:
    """Collects what one event leads to. Numbers are counted from the table's first event, so a replay repeats
    them."""

    def __init__(self, phases: Phases) -> None:
        self._phases = phases
        self._tray: list[AnyDecision] = []
        self._refs = 0
        self._tokens = 0
        self.unanswered: dict[int, Command] = {}
        self.orphans: set[int] = set()
        """Commands without an answer whose procedure was given up: what they lead to means nothing."""
        self.deadlines: set[int] = set()
        self._call: Prompt | None = None
        self._over: dict[Over, Prompt] = {}
        self._covered = False
        self._acknowledging = Acknowledging()
        self.asked: Prompt | None = None
        """What the dealer is asked for now, or will be once he has answered what stands over it."""
        self.dealer_sees = True
        """Whether the ring answers: a key that is pressed in the dark acknowledges nothing."""

    @property
    def is_calm(self) -> bool:
        """Whether the dealer is asked for one thing at most, nothing stands over it, and no set is fed but a
        whole deck."""
        feeds = (command for command in self.unanswered.values() if command.command == "feed")
        whole = all(len(command.expected) == len(DECK) for command in feeds)
        return whole and self._call is None and not self._over and not self._covered

    def state(self) -> DeskState:
        """All of it, between two events, while it is calm."""
        return DeskState(
            refs=self._refs,
            tokens=self._tokens,
            unanswered=tuple(msgspec.structs.replace(c, expected=()) for c in self.unanswered.values()),
            orphans=frozenset(self.orphans),
            deadlines=frozenset(self.deadlines),
            asked=self.asked,
            prompts=self._acknowledging.state(),
            dealer_sees=self.dealer_sees,
        )

    def resume(self, state: DeskState) -> None:
        """Goes on from there."""
        self._refs, self._tokens = state.refs, state.tokens
        self.unanswered = {command.ref: _of_whole_deck(command) for command in state.unanswered}
        self.orphans, self.deadlines = set(state.orphans), set(state.deadlines)
        self.asked, self.dealer_sees = state.asked, state.dealer_sees
        self._acknowledging.resume(state.prompts)

    @property
    def phase(self) -> PhaseName:
        """The phase that decisions are made in."""
        return self._phases.name

    def enter(self, fact: Fact) -> PhaseName:
        """Takes a fact that leads to another phase, and tells of it."""
        phase = self._phases.establish(fact)
        self.tell(PhaseEntered(phase=phase))
        return phase

    def tell(self, decision: AnyDecision) -> None:
        """Adds a decision to the tray."""
        self._tray.append(self._acknowledging.shown(decision) if isinstance(decision, Prompt) else decision)

    def order(
        self,
        device: DeviceName,
        command: CommandName,
        *,
        cards: int = 0,
        expected: tuple[Card, ...] = (),
        deck: int = 1,
    ) -> int:
        """Orders a machine to do something; returns the reference that its answer will carry."""
        self._refs += 1
        made = Command(
            ref=self._refs,
            device=device,
            command=command,
            phase=self.phase,
            cards=cards,
            expected=expected,
            deck=deck,
        )
        self.unanswered[self._refs] = made
        self.tell(made)
        return self._refs

    def carried_out(self, ref: int, count: int) -> None:
        """Tells that a machine did what it was told; `count` cards were moved."""
        command = self.unanswered.pop(ref)
        self.orphans.discard(ref)
        self.tell(
            CarriedOut(device=command.device, command=command.command, count=count, phase=command.phase)
        )

    def awaits(self, device: DeviceName, command: CommandName) -> bool:
        """Whether such a command has no answer yet, and one is awaited."""
        return any(
            (made.device, made.command) == (device, command)
            for ref, made in self.unanswered.items()
            if ref not in self.orphans
        )

    def give_up(self) -> None:
        """Nothing follows any more from the commands that have no answer yet."""
        self.orphans = set(self.unanswered)

    def forget(self, device: DeviceName) -> None:
        """No answer of this device is awaited any more."""
        self.unanswered = {ref: made for ref, made in self.unanswered.items() if made.device != device}

    def ask(
        self,
        code: str,
        *,
        seat: int = 0,
        count: int = 0,
        seats: tuple[int, ...] = (),
        proof: ProofName = "seen",
    ) -> None:
        """Asks the dealer for something; the same thing is not asked for twice in a row."""
        wanted = Prompt(code=code, seat=seat, count=count, seats=seats, proof=proof)
        asked, self.asked = self.asked, wanted
        if wanted != asked:
            self._acknowledging.stands_no_more(asked)
        if self._call is not None:
            return
        if self._first is None and (wanted != asked or self._covered):
            self._covered = False
            self.tell(wanted)

    @property
    def _first(self) -> Prompt | None:
        """What stands over all that is asked for."""
        return self._over.get("check") or self._over.get("question")

    def ask_first(
        self, code: str, *, seat: int, count: int, proof: ProofName = "seen", over: Over = "question"
    ) -> None:
        """Asks the dealer a question that stands over all else until it is answered."""
        wanted, asked = Prompt(code=code, seat=seat, count=count, proof=proof), self._over.get(over)
        if wanted != asked:
            self._acknowledging.stands_no_more(asked)
            self._over[over], self._covered = wanted, True
            if self._call is None and self._first == wanted:
                self.tell(wanted)

    def first_is_answered(self, over: Over = "question") -> None:
        """No such question stands over what is asked for: that is shown again, or what follows instead of
        it."""
        answered = self._over.pop(over, None)
        self._acknowledging.stands_no_more(answered)
        if answered is not None and self._first is not None and self._call is None:
            self.tell(self._first)

    def call_floor(self) -> None:
        """Calls the floor: that stands over all that is asked, until it has decided."""
        self._call = Prompt(code="call-floor")
        self.tell(self._call)

    def floor_has_decided(self) -> None:
        """What was asked for before the floor was called is asked again, or what follows instead of it."""
        self._call, self._covered = None, True
        if self._first is not None:
            self.tell(self._first)

    def ask_nothing(self) -> None:
        """Whatever was asked for is not any more."""
        self.asked = None
        self._over.clear()

    def asked_is_done(self) -> None:
        """What was asked for is done: the same may be asked for anew."""
        self._acknowledging.stands_no_more(self.asked)
        self.asked = None

    def ask_for_rest(self, code: str, *, count: int) -> None:
        """Asks for what is left of the same thing; what the dealer has acknowledged stays so."""
        if self.asked is not None and self.asked.code == code:
            self._acknowledging.follows(self.asked, Prompt(code=code, count=count))
        self.ask(code, count=count)

    def acknowledge(self) -> None:
        """The dealer has seen what is on display."""
        if self.dealer_sees:
            self._acknowledging.says_seen()

    def flashes(self, code: str) -> bool:
        """Whether the dealer sees a prompt of this code and has still to acknowledge it."""
        return self.dealer_sees and self._acknowledging.flashes(code)

    def ask_again(self) -> None:
        """Asks once more for what is asked for: it is to be acknowledged anew."""
        self._acknowledging.stands_no_more(self._call or self._first or self.asked)
        self.show_again()

    def show_again(self) -> None:
        """Shows what is asked for after something else was on display."""
        self._acknowledging.only_these_stand((self._call, *self._over.values(), self.asked))
        standing = self._call or self._first or self.asked
        if standing is not None:
            self.tell(standing)

    def deadline(self, device: DeviceName, ms: int) -> int:
        """Opens a deadline in a device's time; returns the token that its passing will carry."""
        self._tokens += 1
        self.deadlines.add(self._tokens)
        self.tell(Deadline(token=self._tokens, device=device, ms=ms))
        return self._tokens

    def alert(self, code: str, text: str) -> None:
        """Tells the floor or a technician."""
        self.tell(Alert(code=code, text=text))

    def refuse(self, what: str, why: str) -> None:
        """Says that a key or an act was not taken; an `ack` tells that the dealer has seen the prompt."""
        self.tell(Refused(what=what, why=why))
        if what == "ack":
            self.acknowledge()

    def refuse_key(self, key: Keyed, why: str) -> None:
        """Says that a key was not taken."""
        self.refuse(key.key if not key.seat else f"{key.key} of seat {key.seat}", why)

    def take(self) -> tuple[AnyDecision, ...]:
        """Empties the tray."""
        if self._covered and self._call is None and self._first is None:
            self._covered = False
            if self.asked is None:
                self.tell(Prompt(code="nothing"))
            else:
                self.show_again()
        if (seen := self._acknowledging.seen_now()) is not None:
            self.tell(seen)
        taken = tuple(self._tray)
        self._tray.clear()
        return taken


def _of_whole_deck(command: Command) -> Command:
    return msgspec.structs.replace(command, expected=DECK) if command.command == "feed" else command
