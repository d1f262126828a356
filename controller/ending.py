"""How a hand ends: hands are shown or given up, pots are pushed, chips are paid."""

from controller.decisions import ChipsMoved
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Keyed
from controller.games import Game
from controller.hand_state import HandState
from controller.judge import Judge
from controller.leaving import Leaving
from controller.ledger import Evidence
from controller.paying import Paying
from controller.showdown import Showdown


class Ending:
    """The end of one hand after the other: a showdown, or the pot to the one who is left."""

    def __init__(
        self,
        state: HandState,
        desk: Desk,
        equipment: Equipment,
        game: Game,
        stacks: dict[int, int],
        judge: Judge,
        leaving: Leaving,
    ) -> None:
        self._state = state
        self._desk = desk
        self._equipment = equipment
        self._game = game
        self._judge = judge
        self._leaving = leaving
        self._paying = Paying(desk, stacks)
        self._showdown: Showdown | None = None
        self._declared_last = 0

    def begin(self) -> None:
        """A new hand has no end yet."""
        self._showdown = None
        self._declared_last = 0
        self._paying.begin()

    @property
    def shows(self) -> bool:
        """Whether the hand has come to its showdown."""
        return self._showdown is not None

    def waits_for(self, seat: int) -> bool:
        """Whether a seat has still to show or to muck."""
        return self._showdown is not None and seat in self._showdown.waiting

    def torn(self, seat: int) -> bool:
        """Whether a seat that has still to show, showed a card while another of its hand lies in the muck."""
        return self._showdown is not None and self._showdown.torn(seat)

    @property
    def touched(self) -> bool:
        """Whether a hand was shown or given up, or a pot is being pushed."""
        return self._paying.waits or (self._showdown is not None and self._showdown.touched)

    @property
    def to_push(self) -> bool:
        """Whether a pot has still to be pushed."""
        return self._paying.waits

    def one_left(self) -> None:
        """One player is left: the pot is his."""
        self._paying.settled(self._state.following.settle((), {}))
        self._desk.enter("one_left")
        self._pay()

    def show(self) -> None:
        """The last round is complete: the hands are shown."""
        self._desk.enter("showing")
        hole = {seat: tuple(cards) for seat, cards in self._state.deal.hole.items()}
        self._showdown = Showdown(
            self._desk, self._state.ledger, self._state.following, self._game, self._equipment, hole
        )
        self.look()

    def pays(self, final: ChipsMoved) -> None:
        """Who gets what is known by the dealer's word: the pots are pushed."""
        self._paying.settled(final)
        self._pay()

    def ask(self) -> None:
        """Asks once more for the pot that is to be pushed."""
        self._paying.ask()

    def call_off(self) -> None:
        """Nobody shows: the river's round is open again, or the dealer says who has won."""
        self._showdown = None

    def goes_on(self) -> None:
        """Something else was asked for meanwhile: asks for the next pot, or the next hand to be shown."""
        if self._paying.waits:
            self._paying.ask()
        else:
            self.look()

    def look(self) -> None:
        """Takes the hands that were shown, and settles the pots once nobody has to show any more."""
        if self._showdown is None or self._paying.waits:
            return
        self._showdown.look()
        if self._showdown.over:
            self._paying.settled(self._showdown.settle())
            self._pay()

    def mucked(self, seat: int) -> None:
        """All cards of a live hand lie in the muck."""
        if self._showdown is not None and self.waits_for(seat) and self._showdown.muck(seat):
            self._leaving.mucked_by_cards(seat)
            self.look()

    def _pay(self) -> None:
        """Asks for the next pot to be pushed; when the last one is, the hand is over."""
        if self._desk.phase == "done":
            self._paying.pay()
        if self._paying.waits:
            self._paying.ask()
        elif self._desk.phase == "showdown":
            # Whoever mucked without having declared the board has given up what it would have won.
            for seat in self._showdown.undeclared() if self._showdown is not None else ():
                self._judge.not_declared(seat)
            self._paying.pay()
            self._desk.enter("pots_pushed")

    def press(self, key: Keyed) -> bool:
        """Takes a key; False where it means nothing now."""
        self._declared_last = 0
        if key.key == "ack" and self._paying.waits:
            self._paying.pushed()
            self._pay()
            return True
        if key.key == "muck" and self._paying.waits:
            self._desk.refuse_key(key, self._why_no_muck(key.seat))
            return True
        if self._showdown is None or self._paying.waits or self._desk.phase != "showdown":
            return False
        match key.key:
            case "ack":
                if self._showdown.pressed_ack():
                    self.look()
            case "muck":
                if not self._leaving.said_already(key.seat) and self._showdown.muck(key.seat):
                    self._leaving.left(key.seat, Evidence.STATED)
                    self.look()
            case "plays-board" if not self._judge.board_is_declared:
                self._desk.refuse_key(key, "by these rules whoever plays the board tables all his cards")
            case "plays-board":
                if self._showdown.declare(key.seat):
                    self._declared_last = key.seat
            case _:
                return False
        return True

    def _why_no_muck(self, seat: int) -> str:
        """Why a hand cannot be mucked once the pots are being pushed."""
        if self._state.holders() == (seat,):
            return f"seat {seat} is the last to claim the pot and keeps it"
        return "the hands are judged and the pots are being pushed"

    def take_back(self) -> bool:
        """Takes back the key `plays-board`, if it was the last; False where it was not."""
        seat, self._declared_last = self._declared_last, 0
        return self._showdown is not None and bool(seat) and self._showdown.take_back(seat)
