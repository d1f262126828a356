"""Whose turn it is, and whose the pot is when one player is left: checks, calls, folds and one kind of
raise, everything at once."""

from collections.abc import Iterable

from tests.rulings.setup import Table
from tests.rulings.words import Undetermined


class Betting:
    """The chips of a hand; the blinds are posted and the round before the flop is open."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._order = table.order
        self._stacks = dict(table.stacks)
        self._bets = dict.fromkeys(table.order, 0)
        self.paid = dict.fromkeys(table.order, 0)
        self.folded: list[int] = []
        self.acted: list[int] = []
        """Who has acted in this round, an entry an act."""
        for seat in self._order:
            self._pay(seat, table.ante)
        self._bets = dict.fromkeys(table.order, 0)
        small, big = self._order[0], self._order[1]
        if len(self._order) == 2:  # heads-up the button has the small blind
            small, big = self._order[1], self._order[0]
        self._pay(small, table.small_blind)
        self._pay(big, table.big_blind)
        self._price = table.big_blind
        self.pending = self._able([*self._after(big), big])
        self._close()

    @property
    def left(self) -> list[int]:
        """The seats that have not folded, in the order of the deal."""
        return [seat for seat in self._order if seat not in self.folded]

    @property
    def can_go_on(self) -> bool:
        """Whether there will be betting in a later round."""
        return len(self.left) > 1 and len(self._able(self.left)) > 1

    def next_round(self) -> None:
        """Opens the next round; it is complete at once where nobody can bet."""
        self._bets = dict.fromkeys(self._order, 0)
        self._price = 0
        self.acted = []
        self.pending = self._able(self.left)
        self._close()

    def facing(self, seat: int) -> bool:
        """Whether the seat has something to call."""
        return self._price > self._bets[seat]

    def passive(self, seat: int) -> None:
        """A check or a call, as far as the stack goes."""
        self._turn(seat)
        self._pay(seat, self._price - self._bets[seat])
        self._close()

    def fold(self, seat: int) -> None:
        """The seat gives up its hand."""
        self._turn(seat)
        self.folded.append(seat)
        self._close()

    def all_in(self, seat: int) -> None:
        """Everything: a call, or a full bet or raise of no limit; any other is not read here."""
        total = self._bets[seat] + self._stacks[seat]
        if total <= self._price:
            self.passive(seat)
            return
        if not self._table.no_limit or total < 2 * self._price + self._table.big_blind:
            raise Undetermined("a raise that may not be one")
        self._turn(seat)
        self._pay(seat, total)
        self._price = total
        self.pending = self._able(other for other in self._after(seat) if other not in self.folded)
        self._close()

    def won_alone(self) -> dict[int, int]:
        """What the only player left wins: all that was called."""
        (winner,) = self.left
        most = max(paid for seat, paid in self.paid.items() if seat != winner)
        return {winner: sum(self.paid.values()) - max(0, self.paid[winner] - most)}

    def _turn(self, seat: int) -> None:
        if not self.pending or seat != self.pending[0]:
            raise Undetermined(f"seat {seat} is not to act")
        self.pending.pop(0)
        self.acted.append(seat)

    def _pay(self, seat: int, amount: int) -> None:
        amount = min(amount, self._stacks[seat])
        self._stacks[seat] -= amount
        self._bets[seat] += amount
        self.paid[seat] += amount

    def _after(self, seat: int) -> list[int]:
        at = self._order.index(seat) + 1
        return self._order[at:] + self._order[: at - 1]

    def _able(self, seats: Iterable[int]) -> list[int]:
        return [seat for seat in seats if self._stacks[seat] > 0]

    def _close(self) -> None:
        # Nobody bets against himself: the last one with chips acts only where he has something to call.
        left = self.left
        able = self._able(left)
        if len(left) < 2 or not able or (len(able) == 1 and self._owes_nothing(able[0])):
            self.pending = []

    def _owes_nothing(self, seat: int) -> bool:
        return self._bets[seat] >= max(self._bets[other] for other in self.left if other != seat)
