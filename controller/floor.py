"""The floor's decisions about a halted table: what halted it, what happened meanwhile, what may be decided,
what follows (docs/procedures.md, "Halted").
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, Protocol

from controller.between_hands import BetweenHands
from controller.by_hand import ByHand
from controller.cards import DECK
from controller.clearing import Clearing
from controller.decisions import Command, FloorRuled
from controller.events import Answered, Drew, Fed, FloorDecided, Keyed
from controller.floor_rulings import FloorRulings
from controller.halt import Halt, Meanwhile, StubNow
from controller.halted_loading import HaltedLoading
from controller.hand import BACK_IN, IN_PLAY, PhaseName
from controller.ledger import Evidence
from controller.loading_steps import Pack, first_pack, next_pack
from controller.parts import Parts
from controller.places import AWAY, TRANSIT, Place
from controller.play import HandPlay
from controller.remedies.steps import FLOORS, NamedRemedy, PullDeck, Restore, Shuffle, Step, Void
from controller.remedies.under_way import Open
from controller.second_deck import SecondDeck
from controller.tracking import Tracking
from controller.watched import Mode, Watched

NOT_HALTED: Final = "the table is not halted"
_NOT_READ: Final = frozenset({"unread", "double", "foreign"})
_UNKNOWN: Final = "alignment-required"
_OF_CARDS: Final = frozenset({"card-moved", "card-not-seen"})
"""Halts at which it has to be decided about a card before anything else is."""


class TableSide(Protocol):
    """What only the table itself can do for the floor."""

    def machine_did(self, event: Fed | Answered, command: Command) -> None:
        """A machine did what it was told; that was kept while the table was halted."""

    def pack_is_loaded(self) -> None:
        """The pack came into the shoe while the table was halted."""

    def powers_up(self) -> None:
        """The table is cleared by hand and asks for its decks as at power-up."""


class TheFloor:
    """Whoever decides about a halted table."""

    def __init__(
        self,
        play: HandPlay,
        table: TableSide,
        second: SecondDeck,
        watched: Watched,
        tracking: Tracking,
        between: BetweenHands,
        loading: HaltedLoading,
    ) -> None:
        self._parts: Parts = play.parts
        self._desk = play.parts.desk
        self._loading = loading
        self._state = play.parts.state
        self._rulings = FloorRulings(play.parts)
        self._meanwhile = Meanwhile(play.parts, loading, watched)
        self._play = play
        self._table = table
        self._second = second
        self._watched = watched
        self._tracking = tracking
        self._between = between
        self._halt: Halt | None = None
        self.clearing = Clearing(self._desk, play.parts.equipment, second)
        self.by_hand = ByHand(play.parts)

    # Halting

    def takes_off(self, code: str) -> bool:
        """Whether such a thing halts nothing: the cards are off the machines, or are about to be proved
        anew."""
        return self.by_hand.active or (self.clearing.under_way and code == _UNKNOWN)

    @property
    def off_the_machines(self) -> bool:
        """Whether the cards mean nothing: the hand is void, or is finished by hand."""
        return self._watched.mode is Mode.IGNORES

    def press(self, key: Keyed) -> None:
        """A key while the machines are freed of cards: `ack` has done again what one did not do."""
        if key.key == "ack":
            self.clearing.try_again()
            self._desk.ask_again()
        else:
            self._desk.refuse_key(key, "the machines are freed of cards first")

    def halted(self, code: str) -> None:
        """The table is halted: everything stands still where it is until the floor decides."""
        if self._halt is not None:
            self._halt.unknown = self._halt.unknown or code == _UNKNOWN
            return
        left = self._parts.rulings.left_to_floor()
        self._halt = Halt(code, self._desk.phase, left, unknown=code == _UNKNOWN)
        self._loading.stands_still()
        self._desk.deadlines.clear()
        if self._watched.mode is Mode.FOLLOWS:
            self._watched.is_in(Mode.KEEPS)
        self._desk.enter("halt")
        self._desk.call_floor()

    def drew(self, event: Drew, phase: PhaseName) -> None:
        """Something left the shoe; `phase` was the one before it did."""
        if self._halt is not None:
            self._halt.drawn = self._halt.drawn or (phase == "halted" and event.way == "hand")
            self._halt.unread = self._halt.unread or event.what in _NOT_READ

    def keeps(self, event: Fed | Answered, command: Command) -> bool:
        """Keeps what a machine did until the floor has decided; False where the table is not halted."""
        if self._halt is None:
            return False
        self._halt.answers.append((event, command))
        return True

    # Deciding

    def decides(self, event: FloorDecided) -> None:
        """The floor decided: it is carried out, or refused with the reason and changes nothing."""
        halt = self._halt
        if halt is None:
            why = self._at_power_up(event)
        else:
            decide: dict[str, Callable[[FloorDecided, Halt], str]] = {
                "accept": self._accept,
                "choose": self._choose,
                "found": self._found,
                "stand": self._stand,
                "void": self._void,
                "pull-deck": self._pull_deck,
                "by-hand": self._by_hand,
            }
            why = decide[event.decision](event, halt)
        if why:
            self._desk.refuse(f"floor: {event.decision}", why)

    def _at_power_up(self, event: FloorDecided) -> str:
        """With cards on the table at power-up the prompt asks for nothing but what the floor decides."""
        asked = self._desk.asked
        if asked is None or asked.code != "table-not-empty" or event.decision != "by-hand":
            return NOT_HALTED
        self._tell(event, Halt("table-not-empty", self._desk.phase, None, unknown=True))
        return ""

    def _tell(
        self, event: FloorDecided, halt: Halt, *, remedy: str = "", left_out: tuple[Place, ...] = ()
    ) -> None:
        self._desk.tell(
            FloorRuled(
                decided=event.decision,
                who=event.who,
                reason=event.reason,
                code=halt.code,
                phase=halt.phase,
                ruling=halt.ruling.number if halt.ruling is not None else None,
                remedy=remedy,
                left_out=left_out,
            )
        )

    # A remedy, or none

    def _why_not_on(self, halt: Halt, stub: StubNow = "in-shoe") -> str:
        return "" if self.by_hand.active else self._meanwhile.why_not_on(halt, stub)

    def _accept(self, event: FloorDecided, halt: Halt) -> str:
        proposal = self._rulings.proposed(halt.ruling) if halt.ruling is not None else None
        if halt.ruling is None or proposal is None:
            return "nothing is proposed: choose a remedy, let it stand, void the hand or finish it by hand"
        return self._carry_out(event, halt, halt.ruling, *proposal)

    def _choose(self, event: FloorDecided, halt: Halt) -> str:
        chosen = self._rulings.chosen(event.remedy)
        if isinstance(chosen, str):
            return chosen
        if halt.ruling is None:
            return "no ruling was left to the floor: there is nothing that a remedy could put right"
        why = self._rulings.unproved(halt.ruling, *chosen)
        return self._carry_out(event, halt, halt.ruling, *chosen, why)

    def _carry_out(
        self, event: FloorDecided, halt: Halt, ruling: Open, named: NamedRemedy, at: int, unproved: str = ""
    ) -> str:
        steps = named.remedy.steps[at:]
        if any(isinstance(step, Void | PullDeck) for step in steps[:1]):
            pulls = any(isinstance(step, PullDeck) for step in steps)
            return (self._pull_deck if pulls else self._void)(event, halt, named.name)
        stub: StubNow = "goes-in-anew" if _handles_stub(steps[:1]) else "in-shoe"
        why = self._why_not_on(halt, stub) or self._rulings.why_not(ruling, named, at, halt.phase) or unproved
        shuffles = any(isinstance(step, Shuffle) for step in steps)
        if not why and shuffles and stub == "in-shoe" and self._loading.step is not None:
            why = "a pack is on its way already"
        if not why:
            self._tell(event, halt, remedy=named.name)
            self._rulings.carries_out(ruling, named, at)
            self._go_on(halt)
        return why

    def _found(self, event: FloorDecided, halt: Halt) -> str:
        """Something that no device saw is ruled on, as of the phase in which the table was halted."""
        told = self._parts.judge.told
        if self.by_hand.active:
            return "the hand is finished by hand: no ruling is made in it"
        if halt.ruling is not None:
            fault = self._parts.rulings.fault(halt.ruling.number)
            return f"{fault.rule} waits for its decision: let it stand first, if it did not happen"
        if self._tracking.asks:
            return "what the shoe could not read is confirmed first: let it stand, and be called again"
        if halt.code in _OF_CARDS:
            return f"{halt.code}: decide first what becomes of that card, then have the floor called again"
        why = told.why_not(event.rule, event.seat, halt.phase)
        if not why and not told.waits_for_floor(event.rule, halt.phase):
            why = self._why_not_on(halt)
        if why:
            return why
        ruling = told.find(event.rule, event.seat, halt.phase)
        halt.ruling = ruling
        self._tell(event, halt)
        if isinstance(ruling.step, FLOORS):
            self._parts.works.call_floor(ruling.rule, ruling.named)
        else:
            self._go_on(halt)
        return ""

    def _stand(self, event: FloorDecided, halt: Halt) -> str:
        why = self._why_not_on(halt)
        if not why and halt.ruling is not None:
            why = self._rulings.why_not_stand(halt.ruling, halt.phase)
        if why:
            return why
        if halt.code == "card-not-seen":
            self._tracking.give_up_overdue()
        left_out = self._rulings.stands(halt.ruling, halt.phase) if halt.ruling is not None else ()
        left_out += self._leave_out() if halt.phase in IN_PLAY else ()
        self._tell(event, halt, left_out=left_out)
        if halt.code == "pack-uncut":
            self._loading.counts_as_cut()
        self._go_on(halt)
        return ""

    def _leave_out(self) -> tuple[Place, ...]:
        """Cards that no rule has stay out of play where they lie; of one that nobody saw nothing is told."""
        lost = [
            card
            for card in self._state.ledger.cards(TRANSIT)
            if not self._tracking.waits_for(card) and not self._loading.carries(card)
        ]
        state, heard_of_later = self._state, self._watched.to_be_laid
        lying = [
            card
            for card in self._rulings.left_lying()
            if card not in heard_of_later and state.displaced.get(card) != state.ledger.where(card).place
        ]
        places = tuple(state.ledger.where(card).place for card in lying)
        for card, place in zip(lying, places, strict=True):
            if card in state.out:
                state.moved_out_of_play(card, place)
        state.take_out([*lost, *lying])
        for card in lying:
            self._loading.leaves(card)
        return places

    def _go_on(self, halt: Halt) -> None:
        """Everything goes on from where it stood still, with what came meanwhile."""
        self._decided(halt.phase)
        self.clearing.try_again()
        if self.by_hand.active:
            return
        carried = self._meanwhile.carried()
        self._tracking.begins_anew()
        self._play.begins_anew()
        if self._watched.mode is Mode.KEEPS:
            self._watched.goes_on()
        for at, (event, command) in enumerate(halt.answers):
            if self._halt is not None:
                self._halt.answers += halt.answers[at:]
                return
            self._table.machine_did(event, command)
        if self._halt is None and self._loading.loaded_meanwhile():
            self._table.pack_is_loaded()
        elif self._halt is None:
            if self._loading.unloads:
                self._parts.works.leave_what_was_carried_off()
            self._loading.goes_on()
        for what in carried:
            what()
        if self._halt is None:
            if not self._tracking.burned_unread:
                self._play.goes_on()
            self._play.settled()

    def _decided(self, phase: PhaseName) -> None:
        self._halt = None
        self._desk.floor_has_decided()
        self._desk.enter(BACK_IN[phase])

    # No hand any more

    def _is_over(self, halt: Halt) -> bool:
        return halt.phase == "done" and not self._parts.ending.to_push

    def _void(self, event: FloorDecided, halt: Halt, remedy: str = "") -> str:
        if halt.phase == "idle":
            return "no hand is played: there is nothing to void"
        if self._is_over(halt):
            return "the hand is over: its pots are pushed"
        self._tell(event, halt, remedy=remedy)
        self._between.hand_is_void()
        self._gives_up(halt)
        self._parts.ending.begin()
        self._desk.enter("voided")
        # The draw is made with the first of two decks: it begins with both of them, as at power-up.
        self.clearing.begin(keeps="nothing" if self._between.draws else "other-deck")
        return ""

    def _pull_deck(self, event: FloorDecided, halt: Halt, remedy: str = "") -> str:
        self._tell(event, halt, remedy=remedy)
        if halt.phase != "idle":
            if not self._is_over(halt):
                self._between.hand_is_void()
            self._between.hand_is_over()
        self._gives_up(halt)
        self._parts.ending.begin()
        self._desk.enter("deck_pulled")
        self._start_anew()
        return ""

    def _start_anew(self) -> None:
        """No deck is on the table: everything is cleared by hand, and the decks are asked for."""
        self.clearing.stop()
        self._second.begins_anew()
        self._state.ledger.move_all(DECK, AWAY, Evidence.INFERRED)
        self._table.powers_up()

    def _by_hand(self, event: FloorDecided, halt: Halt) -> str:
        if halt.phase == "button-draw" or (halt.phase == "shuffle" and self._between.draws):
            return "nobody has a hand yet: void the draw, or pull the deck"
        self._tell(event, halt)
        if self.by_hand.active and halt.phase != "done":
            self._go_on(halt)
            return ""
        over = self._is_over(halt)
        self._gives_up(halt)
        self._desk.enter(BACK_IN["deal" if halt.phase in ("shuffle", "misdeal") else halt.phase])
        if halt.phase == "idle":
            self._start_anew()
        elif over:
            self.clearing.begin()
        else:
            self._loading.free_stub()
            self.by_hand.begin()
        return ""

    def _gives_up(self, halt: Halt) -> None:
        """The cards of the hand are followed no more; what the machines have begun they finish."""
        self._halt = None
        self._loading.stop()
        self._play.stop()
        self.by_hand.stop()
        self._tracking.new_hand()
        self._watched.is_in(Mode.IGNORES)
        self._desk.deadlines.clear()
        self._desk.give_up()
        self._desk.ask_nothing()
        self._desk.floor_has_decided()
        for event, command in halt.answers:
            if self._second.awaits(event.ref):
                self._table.machine_did(event, command)

    # What follows from every event

    def look(self) -> Literal["goes on", "clears"]:
        """After every event: a hand that is over by hand is cleared; whether cards are still in the way."""
        if self.by_hand.active and self._desk.phase in IN_PLAY:
            self.clearing.frees()
        if self.by_hand.active and self._desk.phase == "done" and not self._parts.ending.to_push:
            self.by_hand.stop()
            self.clearing.begin()
        if self.clearing.under_way and self._desk.phase == "done":
            self.clearing.look()
        return "clears" if self.clearing.under_way else "goes on"

    @property
    def next_pack(self) -> Pack:
        """What is asked for after a hand; where neither of two decks waits in the machine, both."""
        return first_pack(decks=2) if self.clearing.decks_apart else next_pack(self._second)

    def new_hand(self) -> None:
        """All 52 are laid in: the cards are followed again."""
        self._watched.is_in(Mode.FOLLOWS)
        self.clearing.stop()


def _handles_stub(first: Sequence[Step]) -> bool:
    """Whether a remedy that begins so has the stub put into the shoe anew before any card leaves it."""
    return any(
        isinstance(step, Restore) or (isinstance(step, Shuffle) and step.before == "next-card")
        for step in first
    )
