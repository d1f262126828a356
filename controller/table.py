"""The core: an event in, decisions out. A pure function of the setup and of the events before.

Devices, keys and deadlines come as events (`events`), what follows leaves as decisions (`decisions`). Nothing
here knows bytes, tags, clocks or files, so that the same events give the same decisions on any machine.
"""

from collections.abc import Collection

from controller.between_hands import BetweenHands
from controller.cards import DECK
from controller.decisions import AnyDecision, Command
from controller.desk import Desk
from controller.devices import WRITTEN_AGAIN, Devices
from controller.equipment import Equipment
from controller.events import (
    OVERTAKEN,
    Acted,
    Answered,
    AnyEvent,
    Arrived,
    CredentialRefused,
    DeadlinePassed,
    DeviceLost,
    DeviceRefused,
    Drew,
    EventsLost,
    Faulted,
    Fed,
    FloorDecided,
    Insecure,
    JournalStalled,
    Keyed,
    KeypadReady,
    PromptNotShown,
    PromptsReady,
    SeatChange,
    ShoeReady,
    ShoeState,
    ShufflerReady,
    ShufflerState,
    SignedIn,
    Turned,
    ZonesReady,
)
from controller.floor import TheFloor
from controller.gate import Gate
from controller.halted_loading import HaltedLoading
from controller.hand import IN_PLAY, PhaseName, Phases
from controller.keys import NOTHING_ASKED
from controller.ledger import Evidence, Ledger
from controller.loading_steps import LAYING_IN
from controller.places import SHUFFLER, TRANSIT
from controller.play import HandPlay
from controller.seating import Seating
from controller.second_deck import SecondDeck, Stand
from controller.signing_in import NOBODY_DEALS, SigningIn
from controller.table_setup import TableSetup
from controller.table_state import TableState
from controller.tracking import Tracking
from controller.watched import Watched


class Table:
    """One table, hand after hand; `state` is where it goes on, None at power-up."""

    def __init__(self, setup: TableSetup, state: TableState | None = None) -> None:
        self._setup = setup
        self._phases = Phases()
        self._desk = Desk(self._phases)
        self._equipment = Equipment(wanted=setup.devices)
        self._gate = Gate(self._desk, self._equipment)
        self._seating = Seating(setup)
        self._people = SigningIn(self._desk)
        self.ledger = Ledger()
        """Where every card is; for comparisons on a bench, never for a door."""
        self._second = SecondDeck(self._desk, self._equipment, setup.decks)
        self._loading = HaltedLoading(
            self._desk,
            self.ledger,
            self._equipment,
            self._second,
            self._halt_in_play,
            pack_is_wrong=lambda fault, place: self._play.pack_is_wrong(fault, place, ()),
        )
        self._devices = Devices(self._desk, self._equipment, setup, self._loading, self._halt)
        self._play = HandPlay(
            self._desk,
            self.ledger,
            self._equipment,
            setup,
            self._loading,
            self._halt_in_play,
            self._seating.stacks,
            button_drawn=lambda seat: self._between.button_drawn(seat),
            button_belongs=self._seating.button_belongs,
        )
        watched = Watched(self._play)
        self._tracking = Tracking(
            self._desk, self.ledger, self._equipment, self._gate, watched, self._halt_in_play
        )
        self._between = BetweenHands(
            setup, self._desk, self._seating, self._loading, self._second, self._play, self._tracking
        )
        self._floor = TheFloor(
            self._play, self, self._second, watched, self._tracking, self._between, self._loading
        )
        self._watched = watched
        if state is not None:
            self._resume(state)

    # From one hand to the next

    @property
    def stands_at_pack(self) -> bool:
        """Whether all that there is of a hand is a pack proved whole, and the evening before it: the moment
        for a `state`."""
        return (
            self.phase == "shuffle"
            and self._between.hand > 0
            and not self._seating.draws_now
            and self.ledger.count(SHUFFLER) == len(DECK)
            and self._loading.brings_a_whole_pack
            and self._second.wrong is None
            and self._desk.is_calm
            and self._tracking.quiet
            and self._watched.plainly_follows
            and self._play.nothing_happened
        )

    def state(self) -> TableState:
        """Where the table stands, while it `stands_at_pack`. What is in it is the table's own: encode it
        before the next event."""
        return TableState(
            hand=self._between.hand,
            seats=self._play.seats,
            proof=self.ledger.where(DECK[0]).evidence,
            dealer=self._people.dealer,
            mode=self._devices.mode,
            gate=self._gate.lets_through,
            desk=self._desk.state(),
            equipment=self._equipment.state(),
            seating=self._seating.state(),
            second=self._second.state(),
            loading=self._loading.state(),
        )

    def _resume(self, state: TableState) -> None:
        self._phases.establish("deck_laid_in")
        self.ledger.move_all(DECK, SHUFFLER, state.proof)
        self._equipment.resume(state.equipment)
        self._desk.resume(state.desk)
        self._seating.resume(state.seating)
        self._second.resume(state.second)
        self._loading.resume(state.loading)
        self._devices.resume(state.mode)
        self._gate.resume(state.gate)
        self._people.dealer = state.dealer
        self._between.resume(state.hand)
        self._play.begin(state.seats)

    @property
    def phase(self) -> PhaseName:
        """The phase of the hand now."""
        return self._phases.name

    @property
    def stacks(self) -> dict[int, int]:
        """Chips of every seat at the beginning of the hand, or after its pots were pushed."""
        return dict(self._seating.stacks)

    @property
    def unanswered(self) -> Collection[int]:
        """The references of commands that have no answer yet."""
        return self._desk.unanswered.keys()

    def command(self, ref: int) -> Command:
        """A command that has no answer yet. KeyError where there is none."""
        return self._desk.unanswered[ref]

    @property
    def open_deadlines(self) -> frozenset[int]:
        """Tokens of the deadlines that still mean something."""
        return frozenset(self._desk.deadlines)

    def handle(self, event: AnyEvent) -> tuple[AnyDecision, ...]:
        """Takes one event and returns, in order, what follows from it."""
        self._equipment.note(event)
        self._gate.note(event)
        only_parks = self._loading.only_parks
        match event:
            case ShoeReady() | ShufflerReady() | ZonesReady() | PromptsReady() | KeypadReady():
                self._devices.answers(event)
            case DeviceLost() | EventsLost() | Faulted() | JournalStalled() | PromptNotShown():
                self._fails(event)
            case DeviceRefused() | Insecure():
                self._devices.warns(event)
            case ShoeState() | ShufflerState():
                self._machine_shows(event)
            case Fed() | Answered():
                self._answered(event)
            case Drew() | Arrived() | Turned():
                self._card_is(event)
            case Keyed() | Acted():
                self._pressed(event)
            case SeatChange():
                self._between.seat_changes(event)
            case SignedIn() | CredentialRefused() | FloorDecided():
                self._person(event)
            case DeadlinePassed():
                self._passed(event)
            case _:
                pass
        if only_parks and self._loading.step is None and not self._floor.off_the_machines:
            self._play.settled()  # what a key had called off goes on
        self._devices.power_up()
        if self._floor.look() == "goes on":
            self._between.ask_for_next_deck(self._floor.next_pack)
        self._gate.lets(self._may_be_drawn)
        return self._desk.take()

    @property
    def _may_be_drawn(self) -> int:
        """How many cards may be drawn by hand now, those in flight taken off."""
        stands_still = self._loading.step is not None or self._tracking.asks or self._floor.off_the_machines
        return 0 if stands_still else max(0, self._play.may_be_drawn - self._tracking.drawn_by_hand)

    def _card_is(self, event: Drew | Arrived | Turned) -> None:
        """A card left the shoe, came to rest or was turned.

        Before the first deck it belongs to a hand finished by hand: the first feed proves all 52 anew.
        """
        if not self._devices.started:
            return
        phase = self.phase
        match event:
            case Drew() if self._floor.off_the_machines:
                self.ledger.move_all(event.cards, TRANSIT, Evidence.SEEN)
            case Drew():
                self._tracking.drew(event)
                self._floor.drew(event, phase)
            case Arrived(what="foreign") if self._floor.off_the_machines:
                pass
            case Arrived():
                if event.what == "cut-card":
                    self._loading.cut_card_read(event.place)
                self._tracking.arrived(event)
            case Turned():
                self._tracking.turned(event)

    # Devices

    def powers_up(self) -> None:
        """The table is cleared by hand and asks for its decks as at power-up."""
        self._devices.begin_anew()

    def _fails(self, event: DeviceLost | EventsLost | Faulted | JournalStalled | PromptNotShown) -> None:
        match event:
            case JournalStalled(state="begun"):
                self._halt_in_play("journal-stalled", event.why)
            case JournalStalled():
                self._desk.alert("journal-stalled", WRITTEN_AGAIN)
            case PromptNotShown():
                self._desk.alert("prompt-not-shown", f"the ring did not show the prompt: {event.reason}")
            case Faulted(device="shoe", fault="card-timeout", state="begun") if self._devices.started:
                self._tracking.timed_out()
            case Faulted(device="shoe", fault="card-timeout", state="ended") if self._devices.started:
                pass  # the dealer's word ends it
            case _:
                self._devices.fails(event)

    def _machine_shows(self, state: ShoeState | ShufflerState) -> None:
        """A machine's sensors; while the table is halted they count once the floor has decided."""
        if isinstance(state, ShufflerState):
            self._devices.mode_is(state.mode)
        if self.phase == "halted":
            return
        if isinstance(state, ShufflerState):
            self._loading.shuffler_is(state)
        else:
            self._shoe_is(state)

    def _shoe_is(self, state: ShoeState) -> None:
        if self._loading.step is not None:
            if self._loading.shoe_is(state):
                self.pack_is_loaded()
            elif self.phase in IN_PLAY:
                self._play.settled()  # a remedy may still have to ask for something beside the stub
        elif state.lid == "open" and self.phase in IN_PLAY:
            self._halt("lid-open", "the shoe's lid was opened in the middle of a hand")

    def pack_is_loaded(self) -> None:
        """The pack is in the shoe: the hand is dealt, or goes on."""
        if self._loading.why:
            self._play.loaded()
        else:
            self._between.dealt()

    # Commands and deadlines

    def _answered(self, event: Fed | Answered) -> None:
        command = self._desk.unanswered.get(event.ref)
        if command is None:
            return
        if isinstance(event, Answered) and event.reason == OVERTAKEN:
            del self._desk.unanswered[event.ref]
            return
        if event.outcome != "done":
            self._not_done(event, command)
            return
        orphan = event.ref in self._desk.orphans and not self._second.awaits(event.ref)
        self._desk.carried_out(event.ref, event.count)
        if not orphan and not self._floor.keeps(event, command):
            self.machine_did(event, command)

    def _not_done(self, event: Fed | Answered, command: Command) -> None:
        """A machine refused, or could not finish what it was told: the floor sees to it, if it matters."""
        orphan = event.ref in self._desk.orphans
        del self._desk.unanswered[event.ref]
        self._desk.orphans.discard(event.ref)
        said = f"{command.device} did not carry out {command.command}: {event.outcome}, {event.reason}"
        if self._second.awaits(event.ref):
            self._desk.alert("command-failed", said)
            self._second.failed()
            self._loading.machine_is_free()
        elif self._devices.started and not orphan:
            self._halt("command-failed", said)
        else:
            self._desk.alert("command-failed", said)

    def machine_did(self, event: Fed | Answered, command: Command) -> None:
        """A machine did what it was told."""
        if self._second.awaits(event.ref):
            self._second.answered(event, command.command)
            if self._second.stand is not Stand.RUNNING:
                self._loading.machine_is_free()
        elif command.command == "burn":
            self._play.burn_made()
        elif isinstance(event, Fed):
            self._loading.fed(event)
        else:
            self._loading.answered(event, command)

    def _passed(self, event: DeadlinePassed) -> None:
        if event.token in self._desk.deadlines and self.phase != "halted":
            self._desk.deadlines.discard(event.token)
            self._loading.passed(event.token)
            self._tracking.passed(event)

    # Keys

    def _pressed(self, event: Keyed | Acted) -> None:
        if isinstance(event, Acted):
            if self.phase == "halted":
                self._desk.refuse(f"{event.action} of seat {event.seat}", "the table is halted")
            elif self._floor.by_hand.active:
                self._floor.by_hand.act(event)
            else:
                self._tracking.waits(event)
        elif event.key == "ack" and self._desk.flashes("device-lost"):
            self._desk.acknowledge()  # what it covers cannot be read, so it is not answered
        elif event.key == "floor" and self.phase != "halted":
            self._halt("floor-called", "the dealer called the floor")
        elif self.phase == "halted":
            self._desk.refuse(event.key, "the table is halted: the floor decides")
        elif self._floor.by_hand.active:
            self._floor.by_hand.press(event)
        elif self._floor.clearing.under_way:
            self._floor.press(event)
        elif self._tracking.asks or self._play.asks:
            self._tracking.waits(event)
        elif event.key in ("yes", "no") and not self._in_play:
            self._answered_in_loading(event)
        elif self._loading.step is not None and not (event.key == "ack" and self._play.asks_for_ack):
            self._pressed_in_loading(event)
        elif self.phase == "idle" and event.key == "ack" and self._equipment.known:
            self._devices.clear_the_way()
        elif self.phase == "idle":
            self._desk.refuse(event.key, "the table is not ready")
        else:
            self._tracking.waits(event)

    @property
    def _in_play(self) -> bool:
        return self._loading.step is None and self.phase != "idle"

    def _answered_in_loading(self, event: Keyed) -> None:
        """Only a deck that lacked a card is asked for so that `no` answers: the card is not found."""
        if event.key == "no" and self._loading.may_be_lost:
            self._loading.is_lost()
        elif self._play.may_be_answered:
            self._play.press(event)
        else:
            self._desk.refuse(event.key, NOTHING_ASKED)

    def _pressed_in_loading(self, event: Keyed) -> None:
        if event.key == "undo" and self.phase != "idle":
            self._play.press(event)
        elif self._loading.step not in LAYING_IN:
            if not self._loading.pressed(event):
                self._desk.refuse(event.key, f"the key means nothing in the step {self._loading.step_name}")
        elif self._waits_for_a_dealer(event):
            self._desk.refuse(event.key, NOBODY_DEALS)
        elif self._loading.is_laid_in(event) and (self._loading.why or self._between.can_play()):
            if self.phase == "misdeal":
                self._play.forget_keys()
                self._tracking.new_hand()
                self._floor.new_hand()
                self._desk.enter("deck_laid_in")
            elif not self._loading.why and self._loading.gathers and self.phase != "shuffle":
                self._floor.new_hand()
                self._between.begin()
            self._loading.begin()

    # People

    def _person(self, event: SignedIn | CredentialRefused | FloorDecided) -> None:
        match event:
            case SignedIn():
                self._people.signs_in(event)
            case CredentialRefused():
                self._people.refuses(event)
            case FloorDecided():
                self._floor.decides(event)

    def _waits_for_a_dealer(self, event: Keyed) -> bool:
        """Whether this `ack` would begin a hand that nobody deals, at a table where somebody must sign in."""
        begins = event.key == "ack" and self.phase in ("idle", "done") and not self._loading.why
        return self._setup.require_sign_in and begins and not self._people.dealer

    # Halting

    def _halt_in_play(self, code: str, text: str) -> None:
        """Halts what is in play. Before the first deck nothing is: then it is only told."""
        if self._devices.started:
            self._halt(code, text)
        else:
            self._desk.alert(code, text)

    def _halt(self, code: str, text: str) -> None:
        """Stops everything until the floor decides; the ledger goes on."""
        self._desk.alert(code, text)
        if code == "floor-called" or not self._floor.takes_off(code):
            if self.phase != "halted":
                self._gate.shut()  # whatever it was told before
            self._floor.halted(code)
