"""A pack's way from the dealer's hands through the shuffler into the shoe (docs/procedures.md, "Loading").

The steps are a list made from what the machines can do; each has the prompt or the command that it begins
with and the one thing that proves it. What does not fit the step is left to the table.
"""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from controller.cards import DECK, Card
from controller.decisions import Command, StepDone
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Answered, DeviceName, Fed, Keyed, ShoeState, ShufflerState
from controller.irregularities import Fault
from controller.ledger import Evidence, Ledger
from controller.loading_steps import (
    AFTER_FEED,
    BEFORE_FEED,
    IN_HANDS,
    IN_ONE_PACK,
    LAYING_IN,
    OPENINGS,
    PARKING,
    STEP_MS,
    WASHING,
    Opening,
    Pack,
    Step,
    is_washed,
    prompt_of,
    steps,
)
from controller.places import CUT_PLATE, OUTPUT, SHOE, SHUFFLER, TRANSIT, Place
from controller.second_deck import SecondDeck, Stand
from controller.set_proof import SetProof
from controller.washing import Washing


class LoadingState(msgspec.Struct, frozen=True):
    """A whole pack on its way from the shuffler into the shoe, for a new hand.

    Its cards are the 52: `pack` leaves them out.
    """

    pack: Pack
    todo: tuple[Step, ...]
    step: Step
    lid_was_open: bool
    lid_was_free: bool
    deadline: int | None
    timed_by: DeviceName
    cut_was_doubted: bool
    proof: Evidence


class Loading:
    """The steps under way. `halt` is called with code and text where a step failed in a way that the floor
    must see, `pack_is_wrong` where the deck itself is none: it says whether that was ruled on."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        equipment: Equipment,
        second: SecondDeck,
        halt: Callable[[str, str], None],
        pack_is_wrong: Callable[[Fault, Place], bool],
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._equipment = equipment
        self._second = second
        self._halt = halt
        self._set = SetProof(desk, equipment, halt, pack_is_wrong)
        self._washing = Washing(ledger, ())
        self._todo: list[Step] = []
        self._pack = Pack()
        self._lid_was_open = self._lid_was_free = False
        self._deadline: int | None = None
        self._timed_by: DeviceName = "shoe"
        self._cut_was_doubted = False
        self._proof = Evidence.INFERRED
        self.step: Step | None = None
        """The step under way, None when no pack is on its way."""

    @property
    def brings_a_whole_pack(self) -> bool:
        """Whether it is all 52 for a new hand, and they are proved."""
        pack, step = self._pack, self.step
        return pack.whole and not (pack.why or pack.mixed) and step in AFTER_FEED and self._set.holds

    def state(self) -> LoadingState:
        """All of it, while it brings a whole pack."""
        assert self.step is not None
        return LoadingState(
            pack=replace(self._pack, cards=()),
            todo=tuple(self._todo),
            step=self.step,
            lid_was_open=self._lid_was_open,
            lid_was_free=self._lid_was_free,
            deadline=self._deadline,
            timed_by=self._timed_by,
            cut_was_doubted=self._cut_was_doubted,
            proof=self._proof,
        )

    def resume(self, state: LoadingState) -> None:
        """Goes on from there."""
        self._pack = replace(state.pack, cards=DECK)
        self._washing = Washing(self._known, self._pack.cards)
        self._todo, self.step = list(state.todo), state.step
        self._lid_was_open, self._lid_was_free = state.lid_was_open, state.lid_was_free
        self._deadline, self._timed_by = state.deadline, state.timed_by
        self._cut_was_doubted, self._proof = state.cut_was_doubted, state.proof

    @property
    def step_name(self) -> str:
        """The step under way as a person would call it; empty when there is none."""
        return self.step.value if self.step else ""

    def carries(self, card: Card) -> bool:
        """Whether a card is on its way in the pack."""
        return self.step is not None and card in self._pack.cards

    @property
    def unloads(self) -> bool:
        """Whether the stub has still to be taken out of the shoe."""
        return self.step in (Step.WAIT, *PARKING, Step.UNLOAD)

    @property
    def opens_shoe(self) -> bool:
        """Whether its lid may be open now."""
        lid_moves = (Step.LOAD, Step.UNLOAD, Step.RESTORE)
        return self.step in lid_moves or (self._takes_stub and self._pack.whole)

    @property
    def _takes_stub(self) -> bool:
        """Whether a stub in the shoe has to come out before the cards are in."""
        return self.gathers or (self._pack.clears and self.step in LAYING_IN)

    @property
    def only_parks(self) -> bool:
        """Whether nothing is on its way but the other deck out of the machine."""
        return self.step in PARKING and not self._pack.cards

    @property
    def gathers(self) -> bool:
        """Whether those are cards of the deck in play, to which a stub in the shoe belongs."""
        in_play = self._pack.deck == self._second.in_play
        return self.step is (Step.LAY_IN if in_play else Step.LAY_OTHER_IN)

    @property
    def why(self) -> str:
        """The remedy that wants the pack which is on its way; empty for the first of a hand."""
        return self._pack.why

    def ask_for_deck(self, pack: Pack) -> None:
        """Before a hand: the pack of which it is dealt, from the dealer's hands or out of the machine."""
        self._pack = pack
        self._washing = Washing(self._known, pack.cards)
        self._set.begins_anew()
        needs_machine = not pack.restores and not is_washed(self._equipment, pack)
        if self._second.stand is Stand.RUNNING and needs_machine:
            self._todo = [Step.WAIT]
        else:
            self._todo = list(steps(self._equipment, pack, self._second.stand))
            self._proof = self._second.proof
            if self._second.wrong is not None:
                self._set.was_wrong(self._second.wrong, pack, self._known)
        self._next("shoe")

    def call_for(self, pack: Pack) -> None:
        """In the middle of a hand: a set of the deck in play into the shuffler and back into the shoe."""
        self.ask_for_deck(replace(pack, deck=self._second.in_play))

    @property
    def is_in_hands(self) -> bool:
        """Whether a remedy's set is on its way, and no card of it in a machine."""
        return bool(self._pack.why) and self.step in IN_HANDS

    def begins_again(self, mixed: tuple[Card, ...], prompt: str, by_hand: str | None) -> None:
        """The set on its way was dropped, or `mixed` with other cards: it is brought together with these,
        proved and shuffled anew. `prompt` and `by_hand` ask for what is in hand, and for those."""
        pack = replace(self._pack, cards=(*self._pack.cards, *mixed))
        if self.step in IN_ONE_PACK:
            pack = replace(
                pack, prompt=prompt, by_hand=by_hand, mixed=(), mixed_prompt=None, mixed_by_hand=None
            )
        elif mixed:
            met = (*pack.mixed, *mixed)
            pack = replace(pack, mixed=met, mixed_prompt=prompt, mixed_by_hand=by_hand)
        self.ask_for_deck(pack)

    def machine_is_free(self) -> None:
        """The other deck is through: what waited for the machine sets out."""
        if self.step is Step.WAIT:
            self.ask_for_deck(self._pack)

    @property
    def _known(self) -> Ledger:
        """What is known of the pack's cards: nothing as long as its deck is not in play."""
        return self._ledger if self._pack.deck == self._second.in_play else Ledger()

    def comes_into_play(self) -> int:
        """A hand begins with this pack; returns its deck's number. With another deck the ledger begins anew:
        all its cards are in the shuffler."""
        if self._pack.deck != self._second.in_play:
            self._second.comes_into_play()
            self._ledger.move_all(self._pack.cards, SHUFFLER, self._proof)
        return self._pack.deck

    def joins(self, card: Card) -> bool:
        """Takes one more card into the set, as long as nothing of it was fed; False when it is too late, and
        for a set that is asked for as nothing but the stub."""
        if self.step not in BEFORE_FEED or self._pack.of_stub:
            return False
        if card not in self._pack.cards:
            self._pack = replace(self._pack, cards=(*self._pack.cards, card))
        self._washing.joins(card)
        return True

    @property
    def is_open(self) -> bool:
        """Whether nothing of the set on its way was fed."""
        return self.step in BEFORE_FEED

    def leaves(self, card: Card) -> None:
        """A card of the set left the shoe, or may lie elsewhere, and is no more of it, as long as nothing was
        fed."""
        stub = self.step is Step.RESTORE
        if stub or (self.step in (*BEFORE_FEED, *WASHING) and self._pack.why and not self._pack.whole):
            self._pack = replace(self._pack, cards=tuple(kept for kept in self._pack.cards if kept != card))
            self._washing.leaves(card)

    def taken_back(self) -> bool:
        """Gives up waiting for a deck of which nothing was moved yet; False where it is too late.

        The other deck, if it is on its way out of the machine, is parked nevertheless.
        """
        if self._only_parks_on():
            return True
        shoe = self._equipment.shoe_state
        laid_in = self.step in LAYING_IN and self._equipment.shuffler_state.input == "cards"
        if self.step not in BEFORE_FEED or shoe.content == "empty" or shoe.lid == "open" or laid_in:
            return False
        self.stop()
        return True

    def free_stub(self) -> None:
        """Frees the lid over cards that must come out."""
        if self._equipment.shoe_state.content == "cards" and self._equipment.shoe_state.lid == "locked":
            self._desk.order("shoe", "release-lid")

    def is_laid_in(self, key: Keyed) -> bool:
        """Whether this key says that the set lies in the input and it really may; else it is refused."""
        if key.key != "ack":
            self._desk.refuse(key.key, "only ack is expected: the cards go into the shuffler's input")
            return False
        why = ""
        if self._takes_stub and self._equipment.shoe_state.content == "cards":
            why = "the stub is still in the shoe"
        elif self._equipment.shoe_state.lid == "open":
            why = "the shoe's lid is open"
        elif self._equipment.shuffler_state.input != "cards":
            why = "nothing lies in the shuffler's input"
        if why:
            self._desk.refuse("ack", why)
            self._desk.ask_again()  # so that the dealer sees that his key was not taken
            if self._takes_stub:
                self.free_stub()
        return not why

    def begin(self) -> None:
        """What was asked for lies in the input: goes on from there."""
        if self.step is Step.LAY_OTHER_IN:
            self._second.is_laid_in()
        self._next("keypad")

    def gives_up_set(self) -> bool:
        """No set is wanted any more: whether nothing is on its way. What the machine was fed goes on, and the
        other deck, if it is on its way out of it, is parked."""
        if not self._only_parks_on() and self.step in BEFORE_FEED:
            self.stop()
        return self.step is None

    def _only_parks_on(self) -> bool:
        """Wants nothing more but the other deck out of the machine; False where it is not on its way."""
        if self.step not in PARKING:
            return False
        self._todo = [step for step in self._todo if step in PARKING]
        self._pack = replace(self._pack, cards=())
        return True

    def stop(self) -> None:
        """Gives the procedure up; nothing more is commanded."""
        self._todo.clear()
        self._close_deadline()
        self.step = None

    def _proved(self, evidence: Evidence, by: DeviceName) -> None:
        """The step under way is done, how that is known, and in whose time the next one begins."""
        if self.step is not None:
            why, deck = self._pack.why, self._pack.deck
            self._desk.tell(StepDone(step=self.step.value, evidence=evidence.value, why=why, deck=deck))
        self._next(by)

    def _next(self, by: DeviceName) -> None:
        self._close_deadline()
        if not self._todo:
            self.step = None
            return
        self._enter(self._todo.pop(0), by)

    def _enter(self, step: Step, by: DeviceName) -> None:
        self.step, self._timed_by = step, by
        self._cut_was_doubted = False
        self._lid_was_open = self._lid_was_free = False
        shoe = self._equipment.shoe_state
        if step in (Step.UNLOAD, Step.RESTORE):
            self._lid_was_open = shoe.lid == "open"
        if step is Step.UNLOAD and (shoe.lid, shoe.content) == ("locked", "empty"):
            self._lid_was_open = True
            self._unloaded(shoe)  # the stub is out of the shoe already
            return
        self.ask_again()
        if self._takes_stub:
            self.free_stub()
        opening = OPENINGS.get(step, Opening())
        if step is Step.FEED:
            self._desk.order("shuffler", "feed", expected=self._pack.cards, deck=self._pack.deck)
        elif opening.command is not None:
            self._desk.order(opening.device, opening.command)
        if opening.limit_ms is not None:
            self._deadline = self._desk.deadline(by, opening.limit_ms)

    def ask_again(self) -> None:
        """Asks the dealer for what the step needs."""
        asked = None if self.step is None else prompt_of(self.step, self._pack)
        if asked is not None:
            self._desk.ask(asked.code, seat=asked.seat, count=asked.count, proof=asked.proof)

    def _close_deadline(self) -> None:
        if self._deadline is not None:
            self._desk.deadlines.discard(self._deadline)
            self._deadline = None

    def fed(self, event: Fed) -> None:
        """The set in the shuffler was proved, or everything goes back."""
        if not event.proves(len(self._pack.cards)):
            fault = self._set.is_wrong(event, self._pack, self._known)
            self._enter(Step.GIVE_BACK, "shuffler")
            self._set.deck_is_wrong(fault, self._pack)
            return
        self._set.begins_anew()
        self._proof = Evidence.SEEN if event.verdict == "proved" else Evidence.INFERRED
        if self._pack.deck == self._second.in_play:
            self._ledger.move_all(self._pack.cards, SHUFFLER, self._proof)
        self._proved(self._proof, "shuffler")

    @property
    def may_be_lost(self) -> bool:
        """Whether the dealer is asked for a set that lacked a card, and may say that it is not found."""
        return self.step is Step.LAY_IN and self._set.lacked

    def is_lost(self) -> None:
        """The dealer says that a card of the set cannot be found."""
        self._set.deck_is_wrong(self._set.not_found, self._pack)

    def answered(self, event: Answered, command: Command) -> None:
        """A machine did what it was told: the step is proved if it was this step that told it."""
        if self.step is None or self.step not in OPENINGS:
            return
        opening = OPENINGS[self.step]
        if (opening.device, opening.command) != (command.device, command.command):
            return
        match self.step:
            case Step.UNLOAD | Step.RESTORE:
                return  # the lid is free: what proves it is the pack taken out, or put in, and the lid closed
            case Step.GIVE_BACK:
                self._given_back(event.count)
                return
            case Step.OPEN_COVER:
                self._ledger.move_all(self._pack.cards, OUTPUT, Evidence.INFERRED)
            case _:
                pass
        shut = self.step is Step.CLOSE_COVER
        self._proved(Evidence.SEEN, opening.device)
        if shut:
            self._second.cover_is_shut()

    def _given_back(self, count: int) -> None:
        """The dealer puts back what does not belong in, then lays the right set in."""
        self._second.is_away()
        wrong = self._set.to_put_back
        if wrong is not None and wrong.too_many:
            self.step = Step.PUT_BACK
            self._desk.ask("set-too-many", count=wrong.too_many, proof=wrong.proof)
            return
        self._lay_in_again(count)

    def _lay_in_again(self, count: int) -> None:
        missing = self._set.asks_again()
        self.step = Step.LAY_IN
        self._todo.insert(0, Step.FEED)
        if missing:
            self._desk.ask("set-missing", count=missing)
        else:
            self._desk.ask("wrong-set", count=count)

    def card_lies(self, card: Card, lay: Place, source: Place, to: Place) -> bool:
        """An antenna saw a card that lay somewhere, and of which the ledger had it at `source`; True where it
        is one of the set on its way, or was one too many in it.

        What happens to the set's own cards on the way means nothing where a feed proves the set. Where it is
        washed by hand, one that was carried off has to be brought back. One that was given back lies where it
        lay before, or it is another.
        """
        member = card in self._pack.cards
        if self.step is None or not (member or (self.step is Step.PUT_BACK and lay == to)):
            return False
        if self.step in WASHING or Step.SCRAMBLE in self._todo or (member and self.step in BEFORE_FEED):
            return True
        if source != to:
            self._ledger.move(card, source, Evidence.INFERRED)
        wrong = self._set.to_put_back
        if self.step is not Step.PUT_BACK or wrong is None:
            return True
        if member:
            self._desk.refuse("a card put back", f"it is not one of those that lay at {to}")
            self._desk.ask_again()
            return True
        wrong.seen_again(card)
        if wrong.done:
            self._lay_in_again(len(self._pack.cards))
        return True

    def shuffler_is(self, state: ShufflerState) -> None:
        """The pack was lifted, or the other deck parked, when the output is empty."""
        if state.output != "none":
            return
        if self.step is Step.PARK:
            self._second.is_away()
            self._proved(Evidence.SEEN, "shuffler")
        elif self.step is Step.LIFT:
            self._ledger.move_all(self._pack.cards, TRANSIT, Evidence.INFERRED)
            self._proved(Evidence.SEEN, "shuffler")

    def cut_card_read(self, place: str) -> None:
        """The cut card lies on the cut plate: the pack is being cut by hand."""
        if self.step is Step.CUT_BY_HAND and place == CUT_PLATE:
            self._proved(Evidence.SEEN, "zones")

    def pressed(self, key: Keyed) -> bool:
        """Takes an `ack` where this step is proved by one; False where a key means nothing here."""
        if key.key != "ack":
            return False
        match self.step:
            case Step.CUT_CARD:
                self._proved(Evidence.STATED, "keypad")
            case Step.CUT_BY_HAND:
                self._says_cut()
            case Step.PARK_RETURNED:
                self._second.is_away()
                self._proved(Evidence.STATED, "keypad")
            case Step.SCRAMBLE | Step.SCRAMBLE_MIXED if self._equipment.shoe_state.lid != "open":
                self._says_washed()
            case Step.PUT_BACK if (wrong := self._set.to_put_back) is not None and wrong.proof == "ack":
                self._lay_in_again(len(self._pack.cards))
            case _:
                return False
        return True

    def _says_washed(self) -> None:
        """The set is washed, unless a card of it is known to lie somewhere else."""
        if why_not := self._washing.why_not:
            self._desk.refuse("ack", why_not)
            self._desk.ask_again()
            return
        self._ledger.move_all(self._pack.cards, TRANSIT, Evidence.STATED)
        self._proved(Evidence.STATED, "keypad")

    def _says_cut(self) -> None:
        """Where the cut plate reads, its word counts and not the key; asked for once more, then halted."""
        if CUT_PLATE not in self._equipment.antennas:
            self._proved(Evidence.STATED, "keypad")
        elif self._cut_was_doubted:
            self._halt("pack-uncut", "the pack was not cut: no cut card was read on the cut plate")
        else:
            self._cut_was_doubted = True
            self._desk.ask_again()

    def shoe_is(self, state: ShoeState) -> bool:
        """Follows the lid while a pack is taken out or put in; True when the pack is loaded."""
        if self._takes_stub and self._pack.whole:
            self._frees_stub_again(state)
            return False
        if self.step not in (Step.LOAD, Step.UNLOAD, Step.RESTORE):
            if state.lid == "open":
                self._halt("lid-open", "the shoe's lid was opened while no pack was to be loaded")
            return False
        if state.lid != "locked":
            self._lid_was_free = True
            self._lid_was_open = self._lid_was_open or state.lid == "open"
            return False
        match self.step:
            case Step.UNLOAD:
                return self._unloaded(state)
            case Step.RESTORE:
                return self._restored(state)
            case _:
                return self._loaded(state)

    def _frees_stub_again(self, state: ShoeState) -> None:
        """A lid locks itself after a while: over a stub that belongs into the pack it is freed anew."""
        if state.lid != "locked":
            self._lid_was_free = True
        elif self._lid_was_free:
            self._lid_was_free = False
            self.free_stub()

    def _unloaded(self, state: ShoeState) -> bool:
        """The lid is locked again: over an empty shoe, or it must be freed once more."""
        if state.content == "cards" and self._lid_was_free:
            self._enter(Step.UNLOAD, "shoe")
        elif state.content == "empty" and self._lid_was_open:
            self._ledger.move_all(self._ledger.cards(SHOE), TRANSIT, Evidence.INFERRED)
            self._proved(Evidence.SEEN, "shoe")
        return False

    def _restored(self, state: ShoeState) -> bool:
        """The lid is locked again: over the stub, or it must be freed once more."""
        if self._lid_was_open and state.content == "cards":
            in_flight = set(self._ledger.cards(TRANSIT))  # drawn since: where they go is not told yet
            stub = [card for card in self._pack.cards if card not in in_flight]
            self._ledger.move_all(stub, SHOE, Evidence.INFERRED)
            self._proved(Evidence.SEEN, "shoe")
            return True
        if self._lid_was_open:
            self._desk.alert("shoe-empty", "the shoe's lid was closed without a pack in it")
        if self._lid_was_open or self._lid_was_free:
            self._enter(Step.RESTORE, "shoe")
        return False

    def _loaded(self, state: ShoeState) -> bool:
        if not self._lid_was_open:
            return False
        if state.content == "empty":
            self._desk.alert("shoe-empty", "the shoe's lid was closed without a pack in it")
            self._todo = [Step.LOAD]
            self._enter(Step.RELEASE_LID, "shoe")
            return False
        self._ledger.move_all(self._pack.cards, SHOE, Evidence.INFERRED)
        self._proved(Evidence.SEEN, "shoe")
        return True

    def passed(self, token: int) -> None:
        """The time of a step has passed: a pack out of the machine for too long may be another pack."""
        if token != self._deadline or self.step is None:
            return
        self._halt("step-late", f"the step {self.step.value} took longer than {STEP_MS // 1000} s")
