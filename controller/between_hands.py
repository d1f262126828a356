"""From one hand to the next: who is dealt in, whose button it is, which deck comes, who comes and goes."""

from typing import Final

from controller.decisions import ChipsMoved, HandBegan, SeatChanged, SeatLeft
from controller.desk import Desk
from controller.events import SeatChange
from controller.loading import Loading
from controller.loading_steps import Pack, next_pack
from controller.play import HandPlay
from controller.seating import HandSeats, Seating
from controller.second_deck import SecondDeck
from controller.table_setup import Special, TableSetup
from controller.tracking import Tracking

NEEDS_TWO: Final = "a hand needs two players with chips"
_SPECIAL: Final[dict[Special, str]] = {
    "kill": "a kill pot",
    "bomb-pot": "a bomb pot",
    "run-it-twice": "running it twice",
}
_NO_STRADDLE: Final = (
    "only the seat left of the big blind straddles, if it posts nothing else: with three players, and chips "
    "for twice the big blind"
)


class BetweenHands:
    """What happens once a hand is over, and before the first."""

    def __init__(
        self,
        setup: TableSetup,
        desk: Desk,
        seating: Seating,
        loading: Loading,
        second: SecondDeck,
        play: HandPlay,
        tracking: Tracking,
    ) -> None:
        self._setup = setup
        self._desk = desk
        self._seating = seating
        self._loading = loading
        self._second = second
        self._play = play
        self._tracking = tracking
        self._hand = 0

    @property
    def hand(self) -> int:
        """The number of the hand, 0 before the first."""
        return self._hand

    def resume(self, hand: int) -> None:
        """Goes on in that hand."""
        self._hand = hand

    def can_play(self) -> bool:
        """Whether a hand can begin; else the key that was to begin it is refused."""
        if self._seating.can_play:
            return True
        self._desk.refuse("ack", NEEDS_TWO)
        return False

    def begin(self) -> None:
        """The deck is laid in: for the next hand, or for the draw for the first button."""
        self._tracking.new_hand()
        if self._seating.draw_is_due:
            self._seating.begin_draw()
            self._desk.enter("deck_laid_in")
            return
        seats = self._seating.begin_hand()
        self._begin_hand(seats)
        self._desk.enter("deck_laid_in")
        self._say_what_is_not_followed(seats)

    def _begin_hand(self, seats: HandSeats) -> None:
        self._hand += 1
        self._play.begin(seats)
        self._desk.tell(
            HandBegan(
                number=self._hand,
                button=seats.button,
                stacks=dict(self._seating.stacks),
                seats=seats.order,
                deck=self._loading.comes_into_play(),
            )
        )
        for seat in seats.no_straddle:
            self._desk.refuse(f"straddle of seat {seat}", _NO_STRADDLE)

    def _say_what_is_not_followed(self, seats: HandSeats) -> None:
        setup = self._setup
        if setup.special is not None:
            self._desk.alert("not-followed", f"{_SPECIAL[setup.special]} is played and not followed")
        if self._play.acts_are_told:
            return
        amounts = {
            "antes": setup.ante or any(setup.antes.values()),
            f"what seats {', '.join(map(str, seats.posters))} post": seats.posters,
            f"the straddle of seat {seats.straddler}": seats.straddler is not None,
            "the rake": setup.rake,
        }
        if due := [what for what, amount in amounts.items() if amount]:
            self._desk.alert("not-tracked", f"chips are not followed here: {', '.join(due)} are the dealer's")

    def dealt(self) -> None:
        """The pack is loaded: the hole cards are dealt, or a card each for the first button."""
        if self._seating.draw_is_due:
            self._play.draw_button(self._seating.draws)
        else:
            self._play.deal()

    def button_drawn(self, seat: int) -> None:
        """The draw gave the first button to a seat: the cards are gathered for the first hand."""
        self._seating.button_drawn(seat)
        self._tell_who_left()
        self._loading.ask_for_deck(next_pack(self._second))

    def seat_changes(self, asked: SeatChange) -> None:
        """A player comes, goes or buys chips, or is told why he cannot."""
        could_play = self._seating.can_play
        why = self._seating.take(asked)
        if why:
            self._desk.refuse(f"{asked.change} of seat {asked.seat}", why)
            return
        self._desk.tell(SeatChanged(seat=asked.seat, change=asked.change, chips=asked.chips))
        self._tell_who_left()
        if self._seating.can_play and not could_play:
            self._desk.ask_again()  # the key that was to begin a hand was refused till now

    def _tell_who_left(self) -> None:
        for seat, chips in self._seating.gone:
            self._desk.tell(SeatLeft(seat=seat, chips=chips))
        self._seating.gone.clear()

    def ask_for_next_deck(self, pack: Pack) -> None:
        """Once the last pot is pushed, and the hand is over, the cards of the next are asked for."""
        if self._play.paid and self._loading.step is None:
            self.hand_is_over()
            self._loading.ask_for_deck(pack)

    def hand_is_over(self) -> None:
        """Bought chips come, and whoever wanted to leave is gone."""
        self._seating.hand_is_over()
        self._tell_who_left()

    def hand_is_void(self) -> None:
        """Every chip goes back to where it was when the hand began, and the next has its button and
        blinds."""
        if self._seating.hand_is_void():
            self._desk.tell(ChipsMoved(pots=(), stacks=dict(self._seating.stacks)))

    @property
    def draws(self) -> bool:
        """Whether the cards are out for the draw for the first button."""
        return self._seating.draws_now
