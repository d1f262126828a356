"""What the steps of a remedy need a table for."""

from collections.abc import Iterable
from typing import Protocol

from controller.cards import Card
from controller.places import Place
from controller.remedies.steps import BurnOf, ButtonOf, Made, Move, NamedRemedy, Pool, Restore, Shuffle


class Works(Protocol):
    """What the steps of a remedy can have done at a table."""

    def asked_is_done(self, *codes: str) -> None:
        """A step is done that asked the dealer by one of these prompts: the same may be asked for anew."""

    @property
    def hole_cards_are_dealt(self) -> bool:
        """Whether everybody has been dealt."""

    @property
    def round_is_over(self) -> bool:
        """Whether a betting round is open no more and no next street has begun."""

    @property
    def street_is_due(self) -> bool:
        """Whether the next street is being dealt, or nothing but its dealing follows the round."""

    @property
    def board_is_whole(self) -> bool:
        """Whether five cards lie, so that no street follows."""

    @property
    def works_on(self) -> bool:
        """Whether a machine, or a card that is due, has still to finish what a step began."""

    def pool(self, pool: Pool) -> tuple[Card, ...]:
        """The cards of that name, in the order in which they came."""

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of a hand, and what else was dealt to its seat."""

    def kill(self, seat: int) -> None:
        """The hand of a seat is dead."""

    def where(self, card: Card) -> Place:
        """Where a card lies, whatever it counts as."""

    def proved_by_ack(self, place: Place) -> bool:
        """Whether no antenna can see a card come to rest there."""

    def ask_for(self, code: str, seat: int, count: int, seats: tuple[int, ...], place: Place | None) -> None:
        """Asks the dealer; `place` is where an antenna, or a key, will prove it."""

    def tell_of(self, code: str, count: int) -> None:
        """Has the dealer say that he knows of so many cards that they are void: nothing is to be moved."""

    def which(self, card: Card) -> int:
        """Which of the cards lying at its seat a card is, from 1."""

    def arrived(self, step: Move, cards: Iterable[Card], place: Place) -> None:
        """Cards of a remedy lie where a step of it wanted them."""

    @property
    def sees_faces(self) -> bool:
        """Whether optics see which side of a board card is up."""

    def lies_face_down(self, card: Card) -> bool:
        """Whether optics have seen a card lie face down on the board."""

    def lie_up(self, cards: Iterable[Card]) -> bool:
        """Whether optics have seen all these cards lie face up on the board."""

    def picked(self, card: Card, of: BurnOf) -> None:
        """One of the cards that were taken off the board is the burn of their street, or of the one after."""

    def back_on_board(self, cards: Iterable[Card]) -> None:
        """Cards that were taken off the board are in play there again: they are their street."""

    def has_all(self, seat: int) -> bool:
        """Whether a seat holds all the cards that it plays."""

    def draw_for(self, seat: int) -> None:
        """The next card off the shoe is due at a seat, to replace another."""

    def call_off(self) -> None:
        """The deal is void."""

    def shuffle(self, step: Shuffle, why: str, seat: int) -> None:
        """Begins to have a set shuffled, for the remedy `why`; `seat` is the ruling's, 0 for none."""

    def restore(self, step: Restore, why: str) -> None:
        """Begins to have the stub put back into the shoe as it was, for the remedy `why`."""

    def what_was_due_is_again(self) -> None:
        """What was due before the stub was taken away leaves the shoe next."""

    @property
    def set_is_open(self) -> bool:
        """Whether cards can still join the set that is on its way: nothing of it was fed."""

    def ask_for_set(self) -> None:
        """Asks once more for what the set's way needs now."""

    def burn_is_made(self, unless: Made) -> bool:
        """Whether a burn was made for the next street; `made-since`: one that no early card has spent."""

    def burn(self, prompt: str) -> None:
        """Has one card burned; `prompt` asks for it where no machine can."""

    def ask_for_burn(self, prompt: str) -> None:
        """Asks for the burn that is due by hand, if one is."""

    def move_button(self, seat: int, of: ButtonOf) -> None:
        """The button belongs at a seat, in this hand or from the next on."""

    def plan_burns(self, count: int) -> None:
        """The next street is to have so many burns."""

    def deal_again(self) -> None:
        """Begins the deal anew."""

    def deal_street(self) -> None:
        """Has the next street dealt."""

    def call_floor(self, rule: str, named: NamedRemedy) -> None:
        """Halts the table; behind the floor's step of the remedy stands what is proposed to it."""
