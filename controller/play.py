"""A hand from the first hole card to the pot: what is due, whose turn it is, and which phase follows.

A card or an act that this procedure does not have is never dropped and never guessed at: the hand is halted.
"""

from collections.abc import Callable
from typing import Final

from controller.cards import Card
from controller.dealing import BURNER, HAND, Due, burn, deal_order, hole_cards, street
from controller.decisions import CardLay, ChipsMoved
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Acted, Keyed
from controller.following import ByActs, ByKey, Following
from controller.games import hole_count
from controller.hand import BETTING_ROUNDS, PhaseName
from controller.ledger import Evidence, Facing, Ledger
from controller.places import BOARD, BURN, MUCK, Place, at_seat, seat_of
from controller.sequence import Flight
from controller.showdown import Showdown
from controller.table_setup import TableSetup

IN_PLAY: Final[frozenset[PhaseName]] = frozenset(
    {"deal", *BETTING_ROUNDS, "flop-deal", "turn-deal", "river-deal", "showdown"}
)

_DEAL_PROMPT: Final[dict[PhaseName, str]] = {
    "flop-deal": "deal-flop",
    "turn-deal": "deal-turn",
    "river-deal": "deal-river",
}


class HandPlay:
    """One hand after the other at one table."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        equipment: Equipment,
        setup: TableSetup,
        halt: Callable[[str, str], None],
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._equipment = equipment
        self._setup = setup
        self._halt = halt
        self._due: list[Due] = []
        self._burning = False
        self._in_muck: set[int] = set()
        self._mucked_by_cards: set[int] = set()
        self._showdown: Showdown | None = None
        self._to_push: list[tuple[int, int, tuple[int, ...]]] = []
        self._final: ChipsMoved | None = None
        self._hole: dict[int, list[Card]] = {}
        self._posts = setup.posts
        self._following: Following
        self.order: tuple[int, ...] = ()
        self.stacks: dict[int, int] = dict(setup.stacks)

    # From the loaded shoe to the first act

    def begin(self, button: int) -> None:
        """A new hand is shuffled: nothing is due yet."""
        self.order = deal_order([seat for seat, chips in self.stacks.items() if chips > 0], button)
        self._due.clear()
        self._burning = False
        self._in_muck.clear()
        self._mucked_by_cards.clear()
        self._showdown = None
        self._to_push.clear()
        self._hole = {seat: [] for seat in self.order}

    def deal(self) -> None:
        """The pack is loaded: blinds are posted and the hole cards are due."""
        if self._equipment.keypad.acts:
            self._following = ByActs(self._desk, self._setup, self.stacks, self.order, self._posts)
            self._posts = {}
        else:
            self._following = ByKey(self._desk, self.stacks, self.order)
        self._desk.enter("pack_loaded")
        each = hole_count(self._setup.game)
        self._make_due(hole_cards(self.order, each))
        self._desk.ask("deal-hole", seat=self.order[0], count=each)
        self._desk.tell(self._following.standing())

    def _make_due(self, cards: list[Due]) -> None:
        self._due = cards
        if self._equipment.shoe.gate and cards[0].way == HAND:
            self._desk.order("shoe", "unlock", cards=len(cards))

    def stop(self) -> None:
        """The table is halted: nothing is due any more."""
        self._due.clear()
        self._burning = False

    # Cards

    def place_due(self, ahead: int, way: str) -> Place | None:
        """Where the card is due that comes `ahead` cards after the next one, None where none is due."""
        if ahead < len(self._due) and self._due[ahead].way == way:
            return self._due[ahead].place
        return None

    def lay(self, flight: Flight, place: Place) -> None:
        """A card came to rest: it is the one that was due, or the hand is halted."""
        if self._desk.phase == "halted":
            return
        if not self._due or not self._due[0].fits(place, flight.way, flight.facing):
            self._halt("not-ruled-yet", _unfit(self._desk.phase, place, flight.facing))
            return
        if self._unexplained():
            return
        self._due.pop(0)
        seat = seat_of(place)
        if seat is not None:
            self._hole[seat].append(flight.card)
        self._desk.tell(CardLay(place=place, card=flight.card if place == BOARD else None))
        if not self._due:
            self._all_lie()

    def _all_lie(self) -> None:
        phase = self._desk.phase
        if phase == "deal":
            self._desk.enter("hole_cards_dealt")
            self._go_on()
        elif self._burning:
            self.burn_made()
        else:
            self._desk.enter("street_lies")
            self._following.open_street()
            self._go_on()

    def burn_made(self) -> None:
        """The street's burn is made once its card lies in the burn tray and the machine says that it is
        done."""
        ordered = any(command.command == "burn" for command in self._desk.unanswered.values())
        if self._due or ordered or not self._burning:
            return
        self._burning = False
        phase = self._desk.enter("burned")
        cards = street(phase)
        self._make_due(cards)
        self._desk.ask(_DEAL_PROMPT[phase], count=len(cards))

    # Betting

    def _go_on(self) -> None:
        """Asks the next seat to act, or ends the round."""
        if self._following.complete:
            self._round_is_over()
        else:
            self._following.ask()

    def _round_is_over(self) -> None:
        if self._unexplained():
            return
        if len(self._following.contenders) == 1:
            self._settled(self._following.settle((), {}))
            self._desk.enter("one_left")
            self._pay()
        elif self._desk.phase == "river":
            self._desk.enter("showing")
            self._show()
        else:
            self._burning = True
            if self._equipment.shoe.burner:
                self._make_due(burn(BURNER))
                self._desk.order("shoe", "burn")
            else:
                self._make_due(burn(HAND))
                self._desk.ask("burn")

    def act(self, event: Acted) -> None:
        """A player's act, in its sequence."""
        what = f"{event.action} of seat {event.seat}"
        if self._desk.phase not in BETTING_ROUNDS or self._burning:
            self._desk.refuse(what, "no betting round is open")
        elif self._following.act(event):
            if event.action == "fold":
                self._left(event.seat)
            self._go_on()

    def _left(self, seat: int, evidence: Evidence = Evidence.INFERRED) -> None:
        """A hand is out: its cards belong in the muck, and lie there where no antenna can say so."""
        self._in_muck.discard(seat)
        if MUCK not in self._equipment.antennas:
            self._ledger.move_all(self._ledger.cards(at_seat(seat)), MUCK, evidence)

    def moved(self, source: Place, to: Place) -> None:
        """A card that lay somewhere lies somewhere else now."""
        if self._desk.phase not in IN_PLAY:
            return
        seat = seat_of(source)
        if seat is None or to != MUCK:
            self._halt("not-ruled-yet", f"a card was moved from {source} to {to}")
        elif seat in self._following.contenders:
            self._in_muck.add(seat)
            self._followed_by_cards(seat)

    def _followed_by_cards(self, seat: int) -> None:
        """A live hand's cards go to the muck. Where acts are told, a fold must be told too."""
        if self._ledger.cards(at_seat(seat)):
            return
        if self._showdown is not None:
            if seat in self._showdown.waiting and self._showdown.muck(seat):
                self._mucked_by_cards.add(seat)
                self._left(seat)
                self._look(self._showdown)
        elif not self._equipment.keypad.acts and self._desk.phase in BETTING_ROUNDS:
            self._leave(seat)

    def _unexplained(self) -> bool:
        """Whether cards of a live hand lie in the muck though nobody said that it was folded: then halts."""
        if self._showdown is None and (seats := self._in_muck & set(self._following.contenders)):
            self._halt("not-ruled-yet", f"cards of seat {min(seats)} lie in the muck and no fold was told")
            return True
        return False

    def _leave(self, seat: int) -> None:
        why = self._following.leave(seat)
        if why is not None:
            self._desk.refuse(f"muck of seat {seat}", why)
            return
        self._left(seat)
        if len(self._following.contenders) == 1:
            self._round_is_over()

    # Showdown and pots

    def _show(self) -> None:
        hole = {seat: tuple(cards) for seat, cards in self._hole.items()}
        self._showdown = Showdown(
            self._desk, self._ledger, self._following, self._setup.game, self._equipment, hole
        )
        self._look(self._showdown)

    def _look(self, showdown: Showdown) -> None:
        if self._to_push:
            return
        showdown.look()
        if showdown.over:
            self._settled(showdown.settle())
            self._pay()

    def _muck_key_at_showdown(self, seat: int, showdown: Showdown) -> None:
        """The key says what the antennas may have said before: one muck, not two."""
        if seat in self._mucked_by_cards:
            self._mucked_by_cards.discard(seat)
        elif showdown.muck(seat):
            self._left(seat, Evidence.STATED)
            self._look(showdown)

    def turned(self, place: Place, facing: Facing) -> None:
        """A card was turned over where it lies: a hand is shown at showdown; a burn must not be seen."""
        if place == BURN and facing is Facing.UP and self._desk.phase in IN_PLAY:
            self._halt("not-ruled-yet", "a burn was turned face up")
        elif self._showdown is not None and self._desk.phase == "showdown":
            self._look(self._showdown)

    def _settled(self, final: ChipsMoved) -> None:
        self._final = final
        self._to_push = [
            (min(pot.winners) if len(pot.winners) == 1 else 0, pot.amount, tuple(sorted(pot.winners)))
            for pot in final.pots
        ]

    def _pay(self) -> None:
        """Asks for the next pot to be pushed; when the last one is, the hand is over."""
        if self._desk.phase == "done":
            self._chips_are_paid()
        if self._to_push:
            seat, chips, winners = self._to_push[0]
            self._desk.ask("push-pot", seat=seat, count=chips, seats=winners)
            return
        if self._desk.phase == "showdown":
            self._chips_are_paid()
            self._desk.enter("pots_pushed")

    def _chips_are_paid(self) -> None:
        if self._final is not None:
            self.stacks.update(self._final.stacks)
            self._desk.tell(self._final)
            self._final = None

    @property
    def paid(self) -> bool:
        """Whether the hand is over and every pot pushed."""
        return self._desk.phase == "done" and not self._to_push

    # Keys

    def press(self, key: Keyed) -> None:
        """A key of the dealer's, in its sequence, from the deal to the last pot."""
        what = key.key if not key.seat else f"{key.key} of seat {key.seat}"
        match key.key:
            case "ack" if self._to_push:
                self._to_push.pop(0)
                self._desk.asked_is_done()
                self._pay()
            case "ack" if self._showdown is not None and self._desk.phase == "showdown":
                if self._showdown.pressed_ack():
                    self._look(self._showdown)
            case "next" if self._desk.phase in BETTING_ROUNDS and not self._burning:
                if self._following.press_next():
                    self._round_is_over()
            case "muck" | "plays-board" if key.seat not in self._hole:
                self._desk.refuse(what, "this key needs the number of a seat that holds a hand")
            case "muck" if self._showdown is not None and not self._to_push:
                self._muck_key_at_showdown(key.seat, self._showdown)
            case "muck" if self._desk.phase in BETTING_ROUNDS and not self._burning:
                if self._equipment.keypad.acts:
                    self.act(Acted(seat=key.seat, action="fold"))
                else:
                    self._leave(key.seat)
            case "plays-board" if self._showdown is not None and not self._to_push:
                self._showdown.declare(key.seat)
            case "misdeal" | "exposed":
                self._halt("not-ruled-yet", f"the dealer pressed {key.key}")
            case _:
                self._desk.refuse(what, f"the key means nothing in the phase {self._desk.phase}")


def _unfit(phase: PhaseName, place: Place, facing: Facing) -> str:
    lies = " face up" if facing is Facing.UP and seat_of(place) is not None else ""
    return f"in the phase {phase} a card came{lies} to {place}, where none is due"
