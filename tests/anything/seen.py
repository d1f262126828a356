"""What was seen of a table so far, from its physics and from what the controller said."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from controller.decisions import (
    CarriedOut,
    ChipsMoved,
    FloorRuled,
    HandBegan,
    PhaseEntered,
    Ruled,
    SeatChanged,
    SeatLeft,
)
from controller.hand import IN_PLAY
from controller.hand_state import HandState
from controller.notices import Notice, PromptShown
from controller.remedies.steps import Burn
from controller.rulesets.book import Rulebook
from hil_rigs.virtual.felt import ZONES, Card, Change
from tests.anything.bench import FloorBench
from tests.e2e.watching import Known

STREETS: Final = {"preflop": "flop", "flop-deal": "flop", "flop": "turn", "turn-deal": "turn"}
"""For which street a burn is made in a phase; in all later ones for the river."""
_QUESTIONS: Final = ("folded", "hand-back", "betting-complete")


@dataclass
class Seen:
    """What was seen of a table so far."""

    bench: FloorBench
    book: Rulebook
    hole_cards: int
    known: Known
    phase: str = "idle"
    halted_in: str = ""
    asked: str = ""
    deck: str = "deck-1"
    began: HandBegan | None = None
    chips: int = 0
    bought: Counter[int] = field(default_factory=Counter)
    machine: list[str] = field(default_factory=list)
    burns: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)
    spent: set[int] = field(default_factory=set)
    begun: Counter[int] = field(default_factory=Counter)
    shuffles: int = 0
    lay: dict[Card, str] = field(default_factory=dict)
    unread: set[Card] = field(default_factory=set)
    stood: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.bench.table.felt.listeners.append(self._changed)
        for device in self.bench.table.devices.values():
            self._counts_commands(device)
        self.chips = sum(self.bench.core.stacks.values())

    def _counts_commands(self, device: object) -> None:
        start = device._start  # type: ignore[attr-defined]

        def counted(command_id: int, command: int, fields: object) -> None:
            self.begun[command_id] += 1
            start(command_id, command, fields)

        device._start = counted  # type: ignore[attr-defined]

    def _changed(self, change: Change) -> None:
        if change.target in (*ZONES, "shoe") and not self._only_goes_astray(change):
            self.lay[change.card] = change.target

    def _only_goes_astray(self, change: Change) -> bool:
        """Whether a card that is to be gathered is laid in the tray or the muck: that makes none of it."""
        loading = self.bench.core._loading
        gathered = loading.gathers and change.card.text in loading._pack.cards
        return gathered and change.target in ("burn", "muck")

    @property
    def state(self) -> HandState:
        """What is the case in the hand, as the core has it."""
        return self.bench.core._play.parts.state

    @property
    def follows(self) -> bool:
        """Whether the cards of a hand are followed: it is played, and not off the machines."""
        core = self.bench.core
        phase = self.halted_in if self.phase == "halted" else self.phase
        return core._devices.started and not core._floor.off_the_machines and phase in IN_PLAY

    @property
    def waits(self) -> bool:
        """Whether something waits for a word of the dealer, the floor or an antenna, or a remedy is open."""
        tracking = self.bench.core._tracking
        held = tracking._sequence.waiting or tracking._sequence._early
        rulings = self.bench.core._play.parts.rulings
        return bool(held or rulings.open) or self.asked in _QUESTIONS or self.phase == "halted"

    def hears(self, notice: Notice) -> None:
        """Takes what the controller says, after it was checked."""
        match notice.said:
            case PromptShown(code=code):
                self.asked = code
            case PhaseEntered(phase=phase):
                self._enters(phase)
            case HandBegan():
                self.began = notice.said
                self.deck = f"deck-{notice.said.deck}"
                self.unread.clear()
                self.bought.clear()
                self.stood.clear()
            case SeatChanged(seat=seat, chips=chips):
                self.chips += chips
                self.bought[seat] += chips
            case SeatLeft(chips=chips):
                self.chips -= chips
            case ChipsMoved(pots=pots):
                self.chips -= sum(pot.rake for pot in pots)
            case Ruled():
                self.may_burn(notice.said.remedy, notice.said.number)
            case FloorRuled(decided=decided, code=code, remedy=remedy):
                self.asked = ""  # what stands now is shown next
                if decided == "stand":
                    self.stood.add(code)
                if remedy:
                    self.may_burn(remedy, -1)
            case CarriedOut() as done:
                if done.command == "burn":
                    self.burns[STREETS.get(done.phase, "river")] += 1
                if done.device == "shuffler":
                    self.machine.append(done.command)
            case _:
                pass

    def _enters(self, phase: str) -> None:
        if phase == "halted":
            self.halted_in = self.phase
        self.phase = phase
        if phase in ("misdeal", "done", "shuffle", "idle"):
            self.burns.clear()
            self.allowed.clear()
            self.spent.clear()

    def may_burn(self, remedy: str, number: int) -> None:
        """A remedy may burn one more for a street: it has a step that does, or lets the next street do it."""
        named = self.book.remedies[remedy]
        burns = sum(isinstance(step, Burn) for step in named.remedy.steps)
        if number not in self.spent or number < 0:
            self.spent.add(number)
            self.allowed["any"] += burns
