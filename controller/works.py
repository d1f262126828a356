"""What the steps of a remedy have done at this table: cards asked for, machines told, phases entered."""

from collections.abc import Callable, Container, Iterable
from typing import Final

from controller.cards import DECK, Card
from controller.dealing import WHOLE_BOARD
from controller.decisions import CardLay, PlayedAfterAll
from controller.desk import Desk
from controller.equipment import Equipment
from controller.hand import BETTING_ROUNDS, STREETS_DEALT, PhaseName
from controller.hand_state import HandState
from controller.ledger import Evidence, Facing
from controller.loading import Loading
from controller.loading_steps import Pack
from controller.places import ASIDE, BOARD, BURN, MUCK, SCRAP, SHOE, Place, seat_of
from controller.remedies.steps import BurnOf, ButtonOf, Move, NamedRemedy, Pool, Restore, Shuffle
from controller.remedies.under_way import Open
from controller.rulesets.book import TOO_LATE
from controller.street_works import StreetWorks

LEAST_CARDS: Final = 2
"""A pool of fewer cards cannot be shuffled."""


class TableWorks(StreetWorks):
    """One hand's works; `remedies.walk` drives them, and the hand's own procedure uses the same."""

    def __init__(
        self,
        state: HandState,
        desk: Desk,
        equipment: Equipment,
        loading: Loading,
        halt: Callable[[str, str], None],
        call_off: Callable[[], None],
        deal_again: Callable[[], None],
        move_button: Callable[[int, ButtonOf], None],
        remedies: Callable[[], list[Open]],
    ) -> None:
        super().__init__(state, desk, equipment, loading, remedies)
        self._halt = halt
        self.call_off = call_off
        self.deal_again = deal_again
        self.move_button = move_button

    # What is the case

    @property
    def hole_cards_are_dealt(self) -> bool:
        """Whether everybody has been dealt."""
        return self._state.deal.all_dealt

    @property
    def round_is_over(self) -> bool:
        """Whether the betting round of this phase is complete."""
        following = self._state.following
        several = len(following.contenders) > 1
        return several and self._desk.phase in BETTING_ROUNDS and following.complete

    def asked_is_done(self, *codes: str) -> None:
        """A step is done that asked the dealer by one of these prompts: the same may be asked for anew."""
        if self._desk.asked is not None and self._desk.asked.code in codes:
            self._desk.asked_is_done()

    @property
    def street_is_due(self) -> bool:
        """Whether the next street is being dealt, or nothing but its dealing follows the round. One whose
        cards all lie is not the next: its betting comes first."""
        phase = self._desk.phase
        return self.round_is_over or (phase in STREETS_DEALT and self._state.streets.missing(phase) > 0)

    @property
    def board_is_whole(self) -> bool:
        """Whether five cards lie, so that no street follows."""
        return len(self._state.streets.cards) == WHOLE_BOARD

    @property
    def round_is_open(self) -> bool:
        """Whether the betting round of this phase is open."""
        return self._desk.phase in BETTING_ROUNDS and not self._state.following.complete

    @property
    def works_on(self) -> bool:
        """Whether a machine or a card that is due must still finish what was begun, or the floor decides."""
        halted = self._desk.phase == "halted"
        return halted or bool(self._state.due) or self.burning or self._loading.step is not None

    def pool(self, pool: Pool) -> tuple[Card, ...]:
        """The cards of that name, in the order in which they came."""
        match pool:
            case "exposed":
                return tuple(self._state.deal.exposed)
            case "extra":
                return tuple(self._state.deal.extra)
            case "early":
                return tuple(self._state.streets.early)
            case "burnt":
                return tuple(self._state.streets.burnt)
            case "card" | "hand":
                raise ValueError(f"the cards of {pool} are a remedy's own")

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of a hand, and what else was dealt to its seat."""
        return tuple(dict.fromkeys((*self._state.deal.hole[seat], *self._state.deal.lying[seat])))

    def kill(self, seat: int) -> None:
        """The hand of a seat is dead: it is folded, whatever the turn; the last hand of all keeps the pot."""
        contenders = self._state.following.contenders
        if seat in contenders and len(contenders) > 1:
            self._state.following.fold_out(seat)

    def where(self, card: Card) -> Place:
        """Where a card lies, whatever it counts as."""
        return self._state.where(card)

    def which(self, card: Card) -> int:
        """Which of the cards lying at its seat a card is, from 1; 0 elsewhere."""
        seat = seat_of(self.where(card))
        return self._state.deal.which(card, seat) if seat is not None else 0

    def proved_by_ack(self, place: Place) -> bool:
        """Whether no antenna can see a card come to rest there."""
        return place not in self._equipment.antennas

    # What is asked of the dealer

    def ask_for(self, code: str, seat: int, count: int, seats: tuple[int, ...], place: Place | None) -> None:
        """Asks the dealer; `place` is where an antenna, or a key, will prove it."""
        by_key = place is not None and self.proved_by_ack(place)
        self._desk.ask(code, seat=seat, count=count, seats=seats, proof="ack" if by_key else "seen")

    def tell_of(self, code: str, count: int) -> None:
        """Has the dealer say that he knows of so many cards that they are void: nothing is to be moved."""
        self._desk.ask(code, count=count, proof="ack")

    def arrived(self, step: Move, cards: Iterable[Card], place: Place) -> None:
        """Cards of a remedy lie where a step wanted them: in the burn tray as burns, at a seat as its own, on
        the board as its street."""
        state = self._state
        for card in cards:
            source = state.where(card)
            if source != place:  # the dealer's key alone says so
                state.deal.carried(card, seat_of(source), seat_of(place))
                if card in state.out:
                    state.moved_out_of_play(card, place)
                facing = Facing.UP if place == BOARD else Facing.UNKNOWN
                state.ledger.move(card, place, Evidence.STATED, facing)
                if source == BURN and card in state.deal.extra:
                    state.streets.burn(-1)
            seat = seat_of(place)
            if place == BURN and card in state.out:
                state.put_in(card)
                state.streets.burn(street=self._burn_of(step.of))
                if step.cards == "early":
                    state.streets.early.remove(card)
            elif place in (SCRAP, MUCK):
                state.put_in(card)
            elif seat is not None and card not in state.deal.hole[seat]:
                if state.ledger.where(card).place == ASIDE:  # it lay there already, and was not moved
                    self._desk.tell(PlayedAfterAll(place=place))
                state.put_in(card)
                state.deal.takes(card, seat)
        if place == BOARD:
            self.back_on_board(cards)

    def _burn_of(self, of: BurnOf) -> PhaseName:
        streets = self._state.streets
        return streets.next if of == "this-street" else streets.after_next

    @property
    def sees_faces(self) -> bool:
        """Whether optics see which side of a board card is up."""
        return self._equipment.zones.facing and BOARD in self._equipment.antennas

    def lies_face_down(self, card: Card) -> bool:
        """Whether optics have seen a card lie face down on the board."""
        return self.where(card) == BOARD and self._state.ledger.where(card).facing is Facing.DOWN

    def lie_up(self, cards: Iterable[Card]) -> bool:
        """Whether optics have seen all these cards lie face up on the board."""
        ledger = self._state.ledger
        return self.sees_faces and all(
            self.where(card) == BOARD and ledger.where(card).facing is Facing.UP for card in cards
        )

    def picked(self, card: Card, of: BurnOf) -> None:
        """One of the cards that were taken off the board is the burn of their street, or of the one after."""
        streets = self._state.streets
        self._state.put_in(card)
        streets.early.remove(card)
        streets.burn(street=self._burn_of(of))

    def burns_stay(self) -> None:
        """Second burns, of which a ruling was to make something else, stay burns after all; one that was
        carried off stays out of play."""
        lying = [card for card in self._state.streets.burnt if self._state.where(card) == BURN]
        for card in lying:
            self._state.put_in(card)
            self._state.streets.burn()
            self._desk.tell(PlayedAfterAll(place=BURN))
        self._state.streets.burnt.clear()

    def back_on_board(self, cards: Iterable[Card]) -> None:
        """Cards that were taken off the board are in play there again: they are their street."""
        back = tuple(cards)
        for card in back:
            self._state.put_in(card)
            for pool in (self._state.streets.early, self._state.streets.burnt):
                if card in pool:
                    pool.remove(card)
            self._state.streets.cards.append(card)
            self._desk.tell(CardLay(place=BOARD, card=card))
        self._desk.tell(PlayedAfterAll(place=BOARD, cards=back))
        self._state.stands = len(self._state.streets.cards)  # whether a burn was made for them or not

    # Sets that are shuffled

    def shuffle(self, step: Shuffle, why: str, seat: int) -> None:
        """Has a set brought together, proved, shuffled, cut and loaded; `seat` is the ruling's."""
        if "everything" in step.cards:
            self._loading.call_for(Pack(prompt=step.prompt, why=why, seat=seat))
            return
        mixed = self._mixed(step)
        if step.before == "next-card" and self._loading.step is not None:
            self._loading.begins_again(mixed, step.prompt, step.by_hand)
            return
        self.leave_what_was_carried_off()
        lots = {"early": self._state.streets.early, "burnt": self._state.streets.burnt}
        taken = [*mixed, *(card for lot in step.cards for card in lots.get(lot, ()))]
        cards = (*taken, *self._state.ledger.cards(SHOE))
        if len(cards) < LEAST_CARDS:
            self._halt("too-few-cards", f"a set of {len(cards)} cannot be shuffled")
            return
        at_once = step.before == "next-card"
        if at_once:
            self._keep_what_is_due()
        else:
            if not taken:
                self.nothing_is_due()  # what was to leave the stub as it was leaves it shuffled
            self._enter_street()
        self._loading.call_for(Pack(cards, step.prompt, step.by_hand, why, of_stub=at_once or not taken))

    def _mixed(self, step: Shuffle) -> tuple[Card, ...]:
        """Cards of the muck and burns that the stub has met: nobody knows any more whose they were."""
        places = {"muck": MUCK, "burns": BURN}
        if "burns" in step.cards:
            self._second_burns_are_met()
        where = self._state.where
        mixed = tuple(
            card for lot in step.cards if lot in places for card in DECK if where(card) == places[lot]
        )
        for cards in (*self._state.deal.hole.values(), *self._state.deal.lying.values()):
            cards[:] = [card for card in cards if card not in mixed]
        self._state.looked_at.difference_update(mixed)
        return mixed

    def _second_burns_are_met(self) -> None:
        """A second burn that was to be something else is in the pack with the others, and is nothing more."""
        burnt = self._state.streets.burnt
        if any(self._state.where(card) == BURN for card in burnt):
            self.burns_stay()
            remedies = self._remedies()
            remedies[:] = [open_ for open_ in remedies if not open_.moves("burnt")]

    def restore(self, step: Restore, why: str) -> None:
        """Has the stub put back into the shoe as it was; a pack that is on its way goes on as it was."""
        if self._loading.step is not None:
            return
        self._keep_what_is_due()
        stub = self._state.ledger.cards(SHOE)
        self._loading.call_for(Pack(stub, step.prompt, why=why, restores=True))

    def _keep_what_is_due(self) -> None:
        due = list(self._state.due)
        self.nothing_is_due()
        self._due_before = due

    def what_was_due_is_again(self) -> None:
        """What was due before the stub was taken away leaves the shoe next."""
        if self._due_before:
            self.make_due(list(self._due_before))
            self.goes_on()

    def leave_what_was_carried_off(self) -> None:
        """A card that was carried elsewhere and that the floor let lie there is in no shuffle of the hand."""
        streets = self._state.streets
        self._leave(streets.early, {BOARD, ASIDE})
        self._leave(streets.burnt, {BURN, BOARD, ASIDE})

    def _leave(self, pool: list[Card], at_home: Container[Place]) -> None:
        for card in [card for card in pool if self._state.where(card) not in at_home]:
            pool.remove(card)
            self._loading.leaves(card)

    @property
    def set_is_open(self) -> bool:
        """Whether cards can still join the set that is on its way: nothing of it was fed."""
        return self._loading.is_open

    def ask_for_set(self) -> None:
        """Asks once more for what the set's way needs now."""
        self._loading.ask_again()

    def loaded(self) -> None:
        """The set that a remedy wanted is in the shoe: nothing of it is out of play any more."""
        for card in [card for card in self._state.out if self._state.ledger.where(card).place == SHOE]:
            del self._state.out[card]
        for pool in (self._state.streets.early, self._state.streets.burnt):
            pool[:] = [card for card in pool if card in self._state.out]
        self._state.streets.since_shuffle = False

    def call_floor(self, rule: str, named: NamedRemedy) -> None:
        """The table is halted for the floor."""
        if named.name == TOO_LATE:
            self._halt("ruling-too-late", f"{rule} was found too late to be put right at the table")
        else:
            self._halt("floor-decides", f"{rule}: the floor decides whether {named.name} is done")
