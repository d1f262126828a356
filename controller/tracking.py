"""Following every card: what the shoe and the antennas say becomes the ledger and the one sequence.

Nothing is decided here: cards and keys are handed to the procedure in their sequence, and what no procedure
has is handed to `halt`.
"""

from collections.abc import Callable
from typing import Final, Protocol

from controller.cards import Card
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Acted, Arrived, DeadlinePassed, Drew, Keyed, Turned
from controller.gate import Gate
from controller.irregularities import Fault, lies_shown
from controller.ledger import Evidence, Facing, Ledger
from controller.misread import Misread
from controller.places import ASIDE, BURN, CUT_PLATE, OUTPUT, SCRAP, SHOE, TRANSIT, Place
from controller.sequence import Flight, Passage, Sequence

TRANSIT_MS: Final = 3_000

_FOREIGN: Final = Fault("foreign-card")
_DUPLICATE: Final = Fault("duplicate-card")


class Procedure(Protocol):
    """Whoever decides what a card or a key means."""

    @property
    def plays(self) -> bool:
        """Whether cards are in play: no deck but theirs is on the table."""

    @property
    def follows_draws(self) -> bool:
        """Whether every card that leaves the shoe means something now."""

    def place_due(self, ahead: int, way: str) -> Place | None:
        """Where the card is due that comes `ahead` cards after the next one, None where none is due."""

    def pack_is_wrong(self, fault: Fault, place: Place, seen: tuple[Card, ...]) -> bool:
        """The pack is no pack to play with, as was found at `place`; whether that was ruled on."""

    def place_inferred(self, flight: Flight) -> Place | None:
        """Where a card went that is due nowhere and that no antenna sees; None where nothing says it."""

    def joker(self) -> None:
        """A joker left the shoe in the place of a card."""

    def lay(self, flight: Flight, place: Place) -> None:
        """A card came to rest, in its sequence; the ledger has it already."""

    def press(self, key: Keyed) -> None:
        """A key, in its sequence."""

    def act(self, event: Acted) -> None:
        """A player's act, in its sequence."""

    def passed(self, token: int) -> None:
        """A deadline has passed, in its sequence."""

    def moved(self, card: Card, source: Place, to: Place) -> None:
        """A card that lay somewhere came to rest again, there or elsewhere."""

    def turned(self, card: Card, place: Place, facing: Facing) -> None:
        """A card that lay somewhere was turned over."""

    def settled(self) -> None:
        """What came is laid, and the next in the sequence, if any, is no card in flight."""


class Tracking:
    """Cards in flight and at rest."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        equipment: Equipment,
        gate: Gate,
        procedure: Procedure,
        halt: Callable[[str, str], None],
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._equipment = equipment
        self._gate = gate
        self._procedure = procedure
        self._halt = halt
        self._sequence = Sequence()
        self._misread = Misread(desk, ledger, equipment, procedure, self._sequence, halt)

    def new_hand(self) -> None:
        """Forgets what was in flight."""
        self._sequence.clear()
        self._misread.forget()

    @property
    def quiet(self) -> bool:
        """Whether nothing is in flight and nothing waits behind it."""
        return self._sequence.empty

    def begins_anew(self) -> None:
        """The table was halted: what waits to be seen has the whole time once more."""
        gone = self._sequence.begin_anew(
            lambda: self._desk.deadline("shoe", TRANSIT_MS), lambda: self._desk.deadline("zones", TRANSIT_MS)
        )
        self._desk.deadlines.difference_update(gone)

    def give_up_overdue(self) -> None:
        """A card whose time to be seen has passed is not waited for any more."""
        for flight in self._sequence.unseen():
            if flight.deadline is None:
                self._sequence.give_up(flight)

    @property
    def asks(self) -> bool:
        """Whether the dealer has first to confirm what the shoe could not read."""
        return self._misread.asks

    def _press(self, key: Keyed) -> None:
        if self._misread.press(key):
            self.settle()

    def timed_out(self) -> None:
        """A card was half drawn for too long."""
        self._misread.timed_out()

    def _is_foreign(self, place: Place, said: str) -> None:
        """A card of no deck in play; where no hand is there to rule in, the table is halted."""
        if not self._procedure.pack_is_wrong(_FOREIGN, place, ()):
            self._halt("foreign-card", said)

    def _is_twice(self, place: Place, said: str, seen: tuple[Card, ...] = ()) -> None:
        """A card lies in two places; where no hand is there to rule in, the table is halted."""
        if not self._procedure.pack_is_wrong(_DUPLICATE, place, seen):
            self._halt("duplicate-card", said)

    @property
    def burned_unread(self) -> bool:
        """Whether the machine has burned a card that was not read, and the dealer has still to say so."""
        passage = self._sequence.passage()
        return passage is not None and passage.way == "burner" and passage.count > 0

    @property
    def drawn_by_hand(self) -> int:
        """How many cards have left the shoe by hand and are not laid yet."""
        return self._sequence.drawn_by_hand

    def waits_for(self, card: Card) -> bool:
        """Whether a card has left the shoe and has still to be laid: in flight, or with others that the
        dealer has to confirm."""
        return self._sequence.in_flight(card) is not None or self._sequence.is_known_to_pass(card)

    def drew(self, event: Drew) -> None:
        """Something left the shoe."""
        match event.what:
            case "unread" | "double" | "reversed":
                for card in event.cards if event.what == "double" else ():
                    self._was_in_the_shoe(card)
                self._misread.drew(event)
                return
            case "foreign":
                self._ledger.move_all(event.cards, TRANSIT, Evidence.SEEN)
                self._is_foreign(SHOE, "a card that is not of this deck left the shoe")
                return
            case "joker":
                self._joker()
                return
            case "cut-card":
                self._halt("cut-card-drawn", "the cut card is at the shoe's lip: the stub is used up")
                return
            case _:
                pass
        for card in event.cards:
            self._was_in_the_shoe(card)
            self._ledger.move(card, TRANSIT, Evidence.SEEN)
            flight = Flight(card, event.way, event.time, boxed=event.what == "boxed")
            if event.way == "burner":
                flight.place, flight.evidence = BURN, Evidence.INFERRED
            self._sequence.drew(flight)
            self._shut_gate_if_undue(flight)
            if flight.place is None and self._equipment.antennas:
                flight.deadline = self._desk.deadline("shoe", TRANSIT_MS)
            self._heard_before(card)
        self.settle()

    def _was_in_the_shoe(self, card: Card) -> None:
        if self._ledger.where(card).place != SHOE:
            self._is_twice(SHOE, "a card left the shoe that was known to lie elsewhere")

    def _joker(self) -> None:
        """A joker is no card of the deck: it is in no ledger, and the next card takes its place."""
        if self._procedure.follows_draws:
            self._procedure.joker()
        else:
            self._desk.alert("joker", "a joker left the shoe: it never goes into the shuffler")

    def _shut_gate_if_undue(self, flight: Flight) -> None:
        """A card that was not due may be the first of several: what is safe is done on the bare draw."""
        undue = self._procedure.place_due(self._sequence.position(flight), flight.way) is None
        if undue:
            self._gate.shut()

    def _heard_before(self, card: Card) -> None:
        """What an antenna said of a card before the shoe did counts from now."""
        said, deadline = self._sequence.take_early(card)
        if deadline is not None:
            self._desk.deadlines.discard(deadline)
        for event in said:
            self._hear(event)

    def _hear(self, event: Arrived | Turned) -> None:
        if isinstance(event, Arrived):
            self.arrived(event)
        else:
            self.turned(event)

    def arrived(self, event: Arrived) -> None:
        """An antenna reports a tag."""
        waiting = event.what == "other-deck" and event.place not in (CUT_PLATE, OUTPUT)
        if event.what == "foreign" or (waiting and self._procedure.plays):
            self._is_foreign(event.place, f"a card that is not of this deck lies at {event.place}")
        card = event.card
        if event.what == "joker" and self._procedure.plays:
            self._desk.alert("joker", f"a joker lies at {event.place}: it is no card of the deck")
        if card is None or event.place in (CUT_PLATE, OUTPUT):
            return
        flight = self._sequence.in_flight(card)
        if flight is not None and flight.came_to_rest_first(event):
            flight.place, flight.evidence, flight.facing = event.place, Evidence.SEEN, Facing(event.facing)
            self.settle()
        elif flight is not None:
            flight.later.append(event)
        elif self._sequence.is_early(card):
            self._sequence.more_early(card, event)
        elif self._ledger.where(card).place == SHOE or self._sequence.is_known_to_pass(card):
            self._sequence.arrived_early(card, event, self._desk.deadline("zones", TRANSIT_MS))
        else:
            self._in_its_turn(event)

    def turned(self, event: Turned) -> None:
        """An antenna reports that a card was turned over where it lies."""
        card = event.card
        if card is None:
            return
        flight = self._sequence.in_flight(card)
        if flight is not None:
            flight.later.append(event)
        elif self._sequence.is_early(card):
            self._sequence.more_early(card, event)
        else:
            self._in_its_turn(event)

    def _in_its_turn(self, event: Arrived | Turned) -> None:
        """The word of a card that lay before counts behind the draws, keys and acts that came before it.

        A fold that waits for a card in flight so comes before its cards reach the muck.
        """
        if self._sequence.waiting:
            self._sequence.waits(event)
        else:
            self._changed(event)

    def _changed(self, event: Arrived | Turned) -> None:
        """A card that lay somewhere lies elsewhere, or was turned over."""
        card, facing = event.card, Facing(event.facing)
        if card is None:
            return
        if isinstance(event, Turned):
            self._ledger.turn(card, facing)
            self._procedure.turned(card, event.place, facing)
            return
        held = self._ledger.where(card)
        if held.place == event.place:
            self._ledger.confirm(card, facing)
        else:
            self._ledger.move(card, event.place, Evidence.SEEN, facing)
        self._procedure.moved(card, held.place, event.place)

    def waits(self, event: Keyed | Acted | DeadlinePassed) -> None:
        """A key, an act or a deadline takes its place behind the cards drawn before it; a key that is to
        confirm what the shoe could not read is heard at once."""
        if isinstance(event, Keyed) and self.asks:
            self._press(event)
            return
        self._sequence.waits(event)
        self.settle()

    def passed(self, event: DeadlinePassed) -> None:
        """A deadline has passed: a card's, or one that the procedure has set."""
        stray = self._sequence.never_drawn(event.token)
        flight = self._sequence.overdue(event.token)
        if stray is not None and (self._misread.names() or not self._equipment.shoe_has_told):
            # What the shoe has read and could not tell yet may still say that this card left it.
            self._sequence.renew(stray, self._desk.deadline("zones", TRANSIT_MS))
        elif stray is not None:
            self._lies_without_a_draw(stray)
        elif flight is not None:
            self._overdue(flight)
        else:
            self.waits(event)

    def _overdue(self, flight: Flight) -> None:
        """No antenna has reported a card in time: it lies where it was due, or the floor looks."""
        due = self._procedure.place_due(self._sequence.position(flight), flight.way)
        if flight.boxed:
            due = SCRAP  # the dealer saw it at the lip and laid it away
        if due is None:
            due = self._procedure.place_inferred(flight)
            if due in self._equipment.antennas:
                due = None  # its antenna would have seen it
        if due is None:
            flight.deadline = None  # it has no time any more: only the floor can give it up
            self._halt("card-not-seen", "a card left the shoe, was not due and was not seen anywhere")
            return
        self._desk.alert("card-not-seen", f"no antenna saw the card that was due at {due}")
        flight.place, flight.evidence = due, Evidence.INFERRED
        self.settle()

    def _lies_without_a_draw(self, card: Card) -> None:
        said, _ = self._sequence.take_early(card)
        arrived = [event for event in said if isinstance(event, Arrived)]
        for event in arrived:
            self._ledger.move(card, event.place, Evidence.SEEN, Facing(event.facing))
        place = arrived[-1].place
        seen = (card,) if lies_shown(place, Facing(arrived[-1].facing)) else ()
        self._is_twice(place, f"a card lies at {place} that the shoe did not report", seen)

    def settle(self) -> None:
        """Hands on, in their sequence, all cards whose place is known and the keys between them."""
        while (item := self._sequence.front()) is not None:
            if isinstance(item, Flight):
                place = item.place or self._inferred(item)
                if place is None:
                    return
                self._sequence.step()
                self._lay(item, place)
                if not isinstance(self._sequence.front(), Flight):
                    self._procedure.settled()
                continue
            if isinstance(item, Passage):
                return  # nothing goes on before the dealer has confirmed it
            self._sequence.step()
            match item:
                case Keyed():
                    self._procedure.press(item)
                case Acted():
                    self._procedure.act(item)
                case DeadlinePassed():
                    self._procedure.passed(item.token)
                case _:
                    self._changed(item)

    def _inferred(self, flight: Flight) -> Place | None:
        """Where a card must be that no antenna can report."""
        due = self._procedure.place_due(0, flight.way)
        if due is None and flight.boxed and not self._equipment.antennas:
            due = ASIDE  # the dealer saw it at the lip: he is asked to lay it away
        if due is not None and due not in self._equipment.antennas:
            flight.evidence = Evidence.INFERRED
            return due
        if not self._equipment.antennas:
            flight.evidence = Evidence.INFERRED
            return self._procedure.place_inferred(flight) or TRANSIT
        return None

    def _lay(self, flight: Flight, place: Place) -> None:
        if flight.deadline is not None:
            self._desk.deadlines.discard(flight.deadline)
        self._ledger.move(flight.card, place, flight.evidence, flight.facing)
        self._procedure.lay(flight, place)
        for event in flight.later:
            self._hear(event)
