"""Who shows when, who gives up, and who wins: hands are ranked only once they are lawfully shown."""

from collections.abc import Mapping

from controller.cards import Card
from controller.decisions import ChipsMoved, Mucked, Tabled
from controller.desk import Desk
from controller.equipment import Equipment
from controller.following import Following
from controller.games import Game
from controller.ledger import Facing, Ledger
from controller.places import BOARD, MUCK, at_seat
from controller.ranking import Strength, groups, rank, unbeatable


class Showdown:
    """The hands that are left, each to be tabled or mucked in its turn."""

    def __init__(
        self,
        desk: Desk,
        ledger: Ledger,
        following: Following,
        game: Game,
        equipment: Equipment,
        hole: Mapping[int, tuple[Card, ...]],
    ) -> None:
        self._desk = desk
        self._ledger = ledger
        self._following = following
        self._game = game
        self._equipment = equipment
        self._hole = hole
        self._order = following.showdown_order()
        self._shares = following.shares
        self._shown: dict[int, Strength] = {}
        self._gone: set[int] = set()
        self._declared: set[int] = set()
        self._gave_up: list[int] = []

    @property
    def _board(self) -> tuple[Card, ...]:
        return self._ledger.cards(BOARD)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that have still to show, in their order."""
        return tuple(
            seat
            for seat in self._order
            if seat in self._following.contenders and seat not in self._shown and seat not in self._gone
        )

    @property
    def touched(self) -> bool:
        """Whether a hand was shown, given up or declared."""
        return bool(self._shown or self._gone or self._declared)

    @property
    def over(self) -> bool:
        """Whether nobody has to show any more."""
        return not self.waiting or len(self._following.contenders) == 1

    def look(self) -> None:
        """Takes the hands that lie face up, then asks the next seat to show."""
        for seat in self.waiting:
            cards = self._hole[seat]
            if all(self._ledger.where(card).facing is Facing.UP for card in cards):
                self._table(seat)
        if not self.over:
            self._desk.ask("show-hand", seat=self.waiting[0])

    def torn(self, seat: int) -> bool:
        """Whether a seat that has still to show, showed a card while another of its hand lies in the muck."""
        if seat not in self.waiting:
            return False
        held = [self._ledger.where(card) for card in self._hole[seat]]
        shown = any(at.place == at_seat(seat) and at.facing is Facing.UP for at in held)
        return shown and any(at.place == MUCK for at in held)

    def _table(self, seat: int) -> None:
        self._shown[seat] = rank(self._game, self._hole[seat], self._board)
        self._desk.tell(Tabled(seat=seat, cards=self._hole[seat]))

    def pressed_ack(self) -> bool:
        """The dealer says that the seat asked has shown: taken only where no reader can see it."""
        if self._equipment.zones.facing and at_seat(self.waiting[0]) in self._equipment.antennas:
            self._desk.refuse("ack", f"seat {self.waiting[0]} has not turned its cards up")
            return False
        self._table(self.waiting[0])
        return True

    def declare(self, seat: int) -> bool:
        """A seat says that it plays the board: hold'em only, before its cards are gone."""
        if self._game is not Game.HOLDEM:
            self._desk.refuse(f"plays-board of seat {seat}", "the board cannot be played alone in Omaha")
            return False
        if seat not in self.waiting:
            self._desk.refuse(f"plays-board of seat {seat}", f"seat {seat} has no hand to declare")
            return False
        self._declared.add(seat)
        return True

    def take_back(self, seat: int) -> bool:
        """Takes back what a seat declared; False where its cards are gone or shown already."""
        if seat not in self._declared or seat not in self.waiting:
            return False
        self._declared.discard(seat)
        return True

    def muck(self, seat: int) -> bool:
        """A hand is given up; refused for the last claim to a pot. A declared board keeps its claim."""
        if seat not in self.waiting:
            self._desk.refuse(f"muck of seat {seat}", f"seat {seat} has no hand to muck")
            return False
        if seat in self._declared:
            self._shown[seat] = rank(self._game, (), self._board)
        elif (why := self._following.leave(seat)) is not None:
            self._desk.refuse(f"muck of seat {seat}", why)
            return False
        if seat not in self._declared:
            self._gave_up.append(seat)
        self._gone.add(seat)
        self._desk.tell(Mucked(seat=seat))
        return True

    def settle(self) -> ChipsMoved:
        """Who gets what, and with which hand where one was shown."""
        claims = {seat: self._shown[seat] for seat in self._following.contenders if seat in self._shown}
        names = {seat: strength.text for seat, strength in claims.items()}
        return self._following.settle(groups(claims), names)

    def undeclared(self) -> tuple[int, ...]:
        """Seats that mucked undeclared though the board alone would have had a share of a pot.

        Only where saying so tells nothing of a hidden hand: no hand at all beats the board, or every other
        live hand was shown (docs/rules.md, `board-not-declared`).
        """
        if self._game is not Game.HOLDEM or not self._gave_up:
            return ()
        board = rank(self._game, (), self._board)
        live = self._following.contenders
        if not all(seat in self._shown for seat in live) and not unbeatable(self._board):
            return ()
        return tuple(seat for seat in self._gave_up if self._board_shares(seat, board, live))

    def _board_shares(self, seat: int, board: Strength, live: tuple[int, ...]) -> bool:
        """Whether the board would be among the best hands of some pot that the seat contested."""
        return any(
            all(board >= self._shown[other] for other in live if other in pot and other in self._shown)
            for pot in self._shares
            if seat in pot
        )
