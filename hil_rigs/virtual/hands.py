"""The hands of dealer and players: one action each, and CannotDo where the table does not let them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Action, Key, Lid, named
from hil_rigs.virtual.felt import DOWN, OFF_TABLE, UP, ZONES, Card

if TYPE_CHECKING:
    from collections.abc import Container

    from hil_rigs.virtual.table import VirtualTable

_ACTIONS = {
    "fold": Action.FOLD,
    "check": Action.CHECK_OR_CALL,
    "call": Action.CHECK_OR_CALL,
    "check-or-call": Action.CHECK_OR_CALL,
    "bet": Action.BET_OR_RAISE,
    "raise": Action.BET_OR_RAISE,
    "bet-or-raise": Action.BET_OR_RAISE,
    "all-in": Action.ALL_IN,
}
MOVABLE = (*ZONES, "returned", "pack", OFF_TABLE)
"""Where cards lie that a hand finds by their names."""
_IN_REACH = (*MOVABLE, "away")


class CannotDo(Exception):  # noqa: N818 - it is no error of the program: a hand meets a shut gate
    """The table does not let a hand do that. `moved` is how many cards it had moved before it was stopped."""

    def __init__(self, why: str, moved: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.moved = moved


class Hands:
    """Elementary actions. Each raises CannotDo when it is physically or mechanically impossible."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._felt = table.felt

    def draw(self, to: str, *, count: int = 1, face: str = DOWN, boxed: bool = False) -> tuple[Card, ...]:
        """Pull the next cards out of the shoe and put them at `to`; return them.

        `boxed`: the card lay face up inside the pack. Raises CannotDo with the cards that came out before
        the shoe stopped the hand.
        """
        if to not in (*ZONES, OFF_TABLE):
            raise CannotDo(f"no card is dealt to {to}")
        drawn: list[Card] = []
        for _ in range(count):
            why = self._table.shoe.why_no_draw()
            if why:
                raise CannotDo(why, len(drawn))
            drawn.append(self._table.shoe.let_out(to, face=face, boxed=boxed))
        return tuple(drawn)

    def push_back(self) -> None:
        """Begin to draw a card and push it back into the shoe. Raises CannotDo."""
        why = self._table.shoe.why_no_draw()
        if why:
            raise CannotDo(why)
        self._table.shoe.push_back()

    def lay_in(self, *places: str) -> tuple[Card, ...]:
        """Gather the cards of places, face down, into the shuffler's input; return them.

        Of `shoe` the released lid is opened and closed, of `output` the cover must be open. The cut card is
        laid on its plate instead. Raises CannotDo, before a card is moved, where one cannot be reached or
        where there is none.
        """
        for place in places:
            self._reach(place)
        if not any(self._felt.cards(place) for place in places):
            raise CannotDo("no card there")
        if "shoe" in places and self._felt.cards("shoe"):
            self.unload_shoe()
            places = ("pack", *(place for place in places if place not in ("shoe", "pack")))
        return self._gather([card for place in places for card in self._felt.cards(place)])

    def lay_in_cards(self, cards: tuple[Card, ...]) -> None:
        """Lay these cards, which lie in reach, into the shuffler's input. Raises CannotDo."""
        if not cards:
            raise CannotDo("no card there")
        for card in cards:
            if self._felt.where(card) not in _IN_REACH:
                raise CannotDo("the card is not in reach")
        self._gather(list(cards))

    def lift_pack(self) -> None:
        """Lift the pack out of the shuffler's output. Raises CannotDo."""
        if not self._felt.cards("output"):
            raise CannotDo("nothing lies in the output")
        self._reach("output")
        if self._felt.cards("pack"):
            raise CannotDo("there is a pack in hand already")
        for card in self._felt.cards("output"):
            self._felt.move(card, "pack")

    def cut_pack(self) -> None:
        """Cut the pack onto the cut card on its plate, which is read there; it then lies under the pack."""
        if not self._felt.texts("pack"):
            raise CannotDo("there is no pack in hand")
        cut_cards = self._cut_cards()
        for card in cut_cards:  # picked up before the cut, so that what is cut are playing cards
            if self._felt.where(card) != "away":
                self._felt.move(card, "away")
        self._table.cut_stack("pack")
        for card in cut_cards:
            self._felt.move(card, "cut-plate")
            self._felt.move(card, "pack")

    def cut_card_under(self) -> None:
        """Lay the cut card under the pack. Raises CannotDo where there is no pack or no cut card."""
        if not self._felt.texts("pack"):
            raise CannotDo("there is no pack in hand")
        cards = self._cut_cards()
        if not cards:
            raise CannotDo("there is no cut card in reach")
        for card in cards:
            if self._felt.where(card) == "pack":
                self._felt.move(card, "away")
            self._felt.move(card, "pack")

    def load_shoe(self) -> None:
        """Open the released lid, put the pack in, close the lid. Raises CannotDo."""
        if not self._felt.cards("pack"):
            raise CannotDo("there is no pack in hand")
        if self._felt.cards("shoe"):
            raise CannotDo("the shoe is not empty")
        self._open_lid()
        for card in self._felt.cards("pack"):
            self._felt.move(card, "shoe")
        self._table.shoe.close_lid()

    def unload_shoe(self) -> None:
        """Open the released lid, take the pack out, close the lid; the cut card goes onto its plate."""
        if not self._felt.cards("shoe"):
            raise CannotDo("the shoe is empty")
        if self._felt.cards("pack"):
            raise CannotDo("there is a pack in hand already")
        self._open_lid()
        for card in self._felt.cards("shoe"):
            self._felt.move(card, "cut-plate" if card.is_cut_card else "pack")
        self._table.shoe.close_lid()

    def open_lid(self) -> None:
        """Open the released lid and leave it so. Raises CannotDo."""
        self._open_lid()

    def close_lid(self) -> None:
        """Close the open lid. Raises CannotDo."""
        if self._table.shoe.lid != Lid.OPEN:
            raise CannotDo("the lid is closed")
        self._table.shoe.close_lid()

    def park_pack(self) -> None:
        """Put the pack in hand covered into its tray, away from the table. Raises CannotDo."""
        if not self._felt.cards("pack"):
            raise CannotDo("there is no pack in hand")
        for card in self._felt.cards("pack"):
            self._felt.move(card, "away")

    def take_up(self, *places: str, leaving: Container[Card] = ()) -> tuple[Card, ...]:
        """Take the cards of places up, but for some, face down, under the pack in hand; return them. Raises
        CannotDo.

        Nothing is moved where a place is out of reach or where there is no card.
        """
        for place in places:
            if place not in (*ZONES, "returned"):
                raise CannotDo(f"{place} is out of reach")
        cards = tuple(card for place in places for card in self._felt.cards(place) if card not in leaving)
        if not cards:
            raise CannotDo("no card there")
        for card in cards:
            self._felt.move(card, "cut-plate" if card.is_cut_card else "pack")
        return cards

    def scramble(self) -> None:
        """Wash the cards in hand face down, where they are too few for the machine. Raises CannotDo."""
        if not self._felt.texts("pack"):
            raise CannotDo("there is no pack in hand")
        self._table.permute_stack("pack")

    def point_at(self, cards: tuple[Card, ...]) -> int:
        """Pick one of several that nobody can tell apart; its place among them. Raises CannotDo for none."""
        if not cards:
            raise CannotDo("no card there")
        return self._table.pick_one(len(cards))

    def press(self, key: str, seat: int = 0) -> None:
        """Press a key of the dealer's keypad, spelled as in the document. Raises CannotDo."""
        try:
            code = Key(named(Key, key))
        except KeyError:
            raise CannotDo(f"there is no key {key}") from None
        self._table.keypad.press(code, seat)

    def act(self, seat: int, action: str, amount: int = 0) -> None:
        """A player's act at the keypad; `amount` is the total in this round after a bet or a raise.

        Raises CannotDo for an unknown action and where the keypad takes no acts.
        """
        if action not in _ACTIONS:
            raise CannotDo(f"there is no action {action}")
        if not self._table.keypad.acts:
            raise CannotDo("the keypad takes no acts")
        code = _ACTIONS[action]
        self._table.keypad.act(seat, code, amount if code == Action.BET_OR_RAISE else 0)

    def turn_up(self, seat: int, *, card: int = 0) -> None:
        """Turn a seat's cards face up, or only the `card`-th, from 1. Raises CannotDo."""
        cards = self._felt.cards(f"seat:{seat}")
        if not cards or card > len(cards):
            raise CannotDo("no card there")
        for turned in cards[card - 1 : card] if card else cards:
            self._felt.turn(turned, UP)

    def move(self, texts: tuple[str, ...], to: str, *, face: str | None = None) -> None:
        """Move cards that lie on the table; they keep their face unless told. Raises CannotDo."""
        if to not in ZONES:
            raise CannotDo(f"no card is laid on {to}")
        cards = []
        for text in texts:
            card = self._felt.find(text, MOVABLE)
            if card is None:
                raise CannotDo("no such card lies there")
            cards.append(card)
        self.lay(tuple(cards), to, face=face)

    def lay(self, cards: tuple[Card, ...], to: str, *, face: str | None = None) -> None:
        """Lay cards that are in reach somewhere on the felt; they keep their face unless told.

        Raises CannotDo, before a card is moved, where one is out of reach or where there is none.
        """
        if to not in ZONES:
            raise CannotDo(f"no card is laid on {to}")
        if not cards:
            raise CannotDo("no card there")
        for card in cards:
            if self._felt.where(card) not in _IN_REACH:
                raise CannotDo("the card is not in reach")
        for card in cards:
            if self._felt.where(card) != to:
                self._felt.move(card, to, face=face or self._felt.face(card))
            elif face:
                self._felt.turn(card, face)

    def put_away(self, cards: tuple[Card, ...]) -> None:
        """Take cards that are in reach off the table for good. Raises CannotDo, before a card is moved."""
        for card in cards:
            if self._felt.where(card) not in MOVABLE:
                raise CannotDo("the card is not in reach")
        for card in cards:
            self._felt.move(card, "away")

    def put_back(self, card: Card) -> None:
        """Lay a card that the shuffler gave back where it lay before. Raises CannotDo."""
        if self._felt.where(card) != "returned":
            raise CannotDo("the shuffler did not give that card back")
        place = self._felt.fed_from(card)
        self._felt.move(card, place if place in ZONES else "away")

    def muck(self, seat: int) -> None:
        """A seat's cards go to the muck, face down. Raises CannotDo."""
        cards = self._felt.cards(f"seat:{seat}")
        if not cards:
            raise CannotDo("no card there")
        for card in cards:
            self._felt.move(card, "muck")

    def fold(self, seat: int) -> None:
        """A player folds, at the keypad where it takes acts; the cards are mucked. Raises CannotDo."""
        if not self._felt.cards(f"seat:{seat}"):
            raise CannotDo("no card there")
        if self._table.keypad.acts:
            self.act(seat, "fold")
        self.muck(seat)

    def _gather(self, cards: list[Card]) -> tuple[Card, ...]:
        for card in cards:
            if not card.is_cut_card:
                self._felt.move(card, "input")
            elif self._felt.where(card) != "cut-plate":
                self._felt.move(card, "cut-plate")
        return tuple(card for card in cards if not card.is_cut_card)

    def _reach(self, place: str) -> None:
        if place == "shoe":
            if self._felt.cards("shoe") and self._table.shoe.lid == Lid.LOCKED:
                raise CannotDo("the shoe's lid is locked")
        elif place == "output":
            if not self._table.shuffler.cover_open:
                raise CannotDo("the cover is shut")
        elif place not in _IN_REACH:
            raise CannotDo(f"{place} is out of reach")

    def _open_lid(self) -> None:
        if self._table.shoe.lid == Lid.LOCKED:
            raise CannotDo("the shoe's lid is locked")
        self._table.shoe.open_lid()

    def _cut_cards(self) -> list[Card]:
        """The cut card that belongs to the pack in hand, where it is in reach."""
        decks = {card.deck for card in self._felt.cards("pack") if not card.is_cut_card}
        places = ("cut-plate", "away", "pack", *ZONES)
        cards = [card for place in places for card in self._felt.cards(place) if card.is_cut_card]
        return [card for card in cards if card.deck in decks][:1]
