"""Whose turn it is in a hand history: enough to name a missing act, and no judge of amounts.

How much a player may bet is the controller's to say; here only the order of the acts is followed (the order
of play, without prices, caps and reopening). Amounts are chips.
"""

from collections.abc import Iterable, Mapping

from hil_rigs.simulate.scenario import Action


class TurnError(ValueError):
    """An act that cannot be; the text names the seat and says why."""


class Betting:
    """The betting of one hand whose seats are 1 to n, the last with the button."""

    def __init__(
        self,
        stacks: Mapping[int, int],
        antes: Mapping[int, int],
        blinds: Mapping[int, int],
        posts: Mapping[int, int],
    ) -> None:
        """Post what is due from each seat, and open the round before the flop."""
        self._stacks = {seat: stack - min(stack, antes.get(seat, 0)) for seat, stack in stacks.items()}
        self._bets = dict.fromkeys(stacks, 0)
        self._folded = set[int]()
        live = {seat: blinds.get(seat, 0) + posts.get(seat, 0) for seat in stacks}
        for seat, amount in live.items():
            self._pay(seat, min(amount, self._stacks[seat]))
        # A blind that its owner cannot pay in full still costs the others a full one.
        self._price = max(live.values())
        last = self._last_before_the_flop(blinds, live)
        self._pending = self._able((*self._after(last), last))
        self._pass_over()

    @property
    def left(self) -> list[int]:
        """The seats that have not folded, in order."""
        return [seat for seat in self._stacks if seat not in self._folded]

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, or None when the round is complete."""
        return self._pending[0] if self._pending else None

    @property
    def closed(self) -> bool:
        """Whether nobody can act any more, in this round or a later one."""
        return not self._pending and (len(self.left) < 2 or len(self._able(self.left)) < 2)

    def idle(self, seat: int) -> bool:
        """Whether a seat that could bet has nothing to call and nobody who could call it: it is not asked."""
        able = self._able(self.left)
        others = [other for other in able if other != seat]
        owed = self._price
        if not others:
            # What nobody put in need not be called, as when a big blind was short.
            owed = min(owed, max(bet for other, bet in self._bets.items() if other != seat))
        reach = max((self._bets[other] + self._stacks[other] for other in others), default=0)
        return seat in able and len(self.left) > 1 and self._bets[seat] >= owed and reach <= self._price

    def next_street(self) -> None:
        """Open the next round: the first seat left of the button that can bet is first."""
        self._bets = dict.fromkeys(self._stacks, 0)
        self._price = 0
        self._pending = self._able(self.left)
        self._pass_over()

    def fold(self, seat: int) -> None:
        """Let a seat fold.

        Raises:
            TurnError: it is not its turn.
        """
        self._turn(seat)
        self._folded.add(seat)
        self._pending = self._pending[1:]
        self._pass_over()

    def check_or_call(self, seat: int) -> Action:
        """Let a seat check, or call as far as its stack goes; return which of the two it was.

        Raises:
            TurnError: it is not its turn.
        """
        self._turn(seat)
        owed = self._price - self._bets[seat]
        self._pay(seat, max(0, min(owed, self._stacks[seat])))
        self._pending = self._pending[1:]
        self._pass_over()
        return "call" if owed > 0 else "check"

    def bet_to(self, seat: int, total: int) -> Action:
        """Let a seat bring its total in this round to `total`; return the act that this is.

        Raises:
            TurnError: it is not its turn, the total is no bet, or the stack is too small for it.
        """
        self._turn(seat)
        stack, price = self._stacks[seat], self._price
        added = total - self._bets[seat]
        if added > stack:
            raise TurnError(f"seat {seat} cannot bet to that amount: the stack is too small")
        everything = added == stack
        if total <= price and not everything:
            raise TurnError(f"seat {seat} cannot bet to that amount: it is no more than the present bet")
        self._pay(seat, added)
        if total <= price:
            self._pending = self._pending[1:]
        else:
            self._price = total
            self._pending = self._able(self._after(seat))
        self._pass_over()
        if everything:
            return "all-in"
        return "raise" if price else "bet"

    def _last_before_the_flop(self, blinds: Mapping[int, int], live: Mapping[int, int]) -> int:
        seats = list(self._stacks)
        if len(seats) == 2:
            # The button is first unless it alone has laid the most.
            other, button = seats
            return button if live[button] > live[other] else other
        largest = max(blinds.values(), default=0)
        # Nobody's turn moves for a post, and the first of two equal blinds is the small one.
        big = next((seat for seat in seats if largest and blinds.get(seat) == largest), seats[-1])
        return seats[1] if big == seats[0] and blinds.get(seats[1]) == largest > 0 else big

    def _turn(self, seat: int) -> None:
        if seat not in self._stacks:
            raise TurnError(f"seat {seat} is not in the hand")
        if not self._pending:
            if len(self.left) < 2:
                raise TurnError(f"seat {seat} acts after the hand: only seat {self.left[0]} is left")
            raise TurnError(f"seat {seat} acts when the round is complete")
        if seat != self._pending[0]:
            raise TurnError(f"seat {seat} acts out of turn: seat {self._pending[0]} has not acted")

    def _pay(self, seat: int, amount: int) -> None:
        self._stacks[seat] -= amount
        self._bets[seat] += amount

    def _after(self, seat: int) -> list[int]:
        order = list(self._stacks)
        at = order.index(seat) + 1
        return order[at:] + order[: at - 1]

    def _able(self, seats: Iterable[int]) -> list[int]:
        return [seat for seat in seats if seat not in self._folded and self._stacks[seat] > 0]

    def _pass_over(self) -> None:
        # Nobody raises himself: a seat acts only where it has something to call, or somebody to bet against.
        over = len(self.left) < 2
        self._pending = [seat for seat in self._pending if not over and not self.idle(seat)]
