"""One hand's betting, from the forced bets to the settlement."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.betting import pots as _pots
from controller.betting.pots import Pot, Settlement, Stake
from controller.betting.values import (
    Acted,
    Action,
    Deed,
    IllegalAct,
    NoRaise,
    Options,
    Stakes,
    Street,
    Structure,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from controller.betting.forced import Forced

_STREETS = tuple(Street)
_CAP = 4  # fixed limit: bet, raise, re-raise, cap


@dataclass(slots=True)
class _Chair:
    behind: int
    dead: int = 0
    before: int = 0  # live chips of earlier rounds
    bet: int = 0  # live chips of this round
    left: int | None = None
    mucked: bool = False  # it left at showdown
    acted_on: int | None = None  # the count of bets at its last act in this round

    @property
    def all_in(self) -> bool:
        return self.behind == 0

    @property
    def reach(self) -> int:
        return self.bet + self.behind

    def pay(self, amount: int) -> int:
        paid = min(amount, self.behind)
        self.behind -= paid
        return paid


class Betting:
    """The betting of one hand. All amounts are whole chips.

    Antes and blinds are taken when it is made, antes first. `order` has the seats as dealt, the first left of
    the button. Whatever raises changes nothing. A copy is cheap.
    """

    def __init__(
        self, stakes: Stakes, stacks: Mapping[int, int], order: Sequence[int], forced: Forced
    ) -> None:
        """Raises ValueError unless every seat of `order` has a stack of zero or more and forced bets are due
        from seats of `order` only."""
        self._order = tuple(order)
        if len(self._order) < 2 or len(set(self._order)) != len(self._order):
            raise ValueError(f"a hand needs two or more different seats, not {self._order}")
        for seat in self._order:
            if stacks.get(seat, -1) < 0:
                raise ValueError(f"seat {seat} has no stack")
        if not {forced.opener, *forced.live, *forced.dead} <= set(self._order):
            raise ValueError(f"a seat without a hand cannot post or open: {forced}")
        self._stakes = stakes
        self._chairs = {seat: _Chair(stacks[seat]) for seat in self._order}
        for seat, chair in self._chairs.items():
            chair.dead = chair.pay(forced.dead.get(seat, 0))
            chair.bet = chair.pay(forced.live.get(seat, 0))
        self._departures = 0
        self._pot = sum(self.total_in(seat) for seat in self._order)
        self._open(Street.PREFLOP, forced.opener, forced.price)

    def copy(self) -> Betting:
        """An independent copy."""
        twin = copy.copy(self)
        twin._chairs = {seat: replace(chair) for seat, chair in self._chairs.items()}
        return twin

    def _open(self, street: Street, opener: int, price: int) -> None:
        self._street = street
        self._bet = bet = self._stakes.bet(street)
        self._price = price
        self._aggressor: int | None = None
        # No limit and pot limit: the last full bet or raise. Blinds, straddles and posts beyond the least bet
        # are laid, not bet: they make the price and no larger raise.
        self._full = bet
        # Fixed limit: the level of the last bet that counted and how many did. The big
        # blind is the first, however short it was posted.
        self._level = price
        self._bets = max(1, price // bet) if price else 0
        self._capped = self._bets >= _CAP
        self._ask_from(self._order.index(opener))

    # What is the case

    @property
    def street(self) -> Street:
        """The betting round that is open or was completed last."""
        return self._street

    @property
    def price(self) -> int:
        """What a seat must have in this round to stay in."""
        return self._price

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; None when the round is complete or nobody can bet."""
        return self._to_act

    @property
    def round_complete(self) -> bool:
        """Whether nobody is left to act in this round."""
        return self.to_act is None

    def chips(self, seat: int) -> int:
        """Chips behind: in front of the player, not bet."""
        return self._chairs[seat].behind

    def in_round(self, seat: int) -> int:
        """Live chips that the seat has bet in this round, blinds included, antes not."""
        return self._chairs[seat].bet

    def total_in(self, seat: int) -> int:
        """All that the seat has put in in this hand, antes included."""
        chair = self._chairs[seat]
        return chair.dead + chair.before + chair.bet

    def contenders(self) -> tuple[int, ...]:
        """The seats that have not given up their hands, from the left of the button."""
        return tuple(seat for seat in self._order if self._chairs[seat].left is None)

    def can_still_bet(self) -> bool:
        """Whether somebody is to act now, or two can bet on the streets to come.

        False: the remaining rounds are passed through.
        """
        able = [seat for seat in self.contenders() if self._chairs[seat].behind]
        return len(able) >= 2 or self.to_act is not None

    def _ask_from(self, turn: int) -> None:
        """Finds whose turn it is, from that place in the order on; after every change."""
        self._turn = turn
        self._options: Options | None = None
        self._to_act: int | None = None
        able = 0
        for seat in self._order[turn:] + self._order[:turn]:
            chair = self._chairs[seat]
            if chair.left is None and chair.behind:
                able += 1
                if self._to_act is None and self._must_act(seat, chair):
                    self._to_act = seat
        if able == 1 and self._to_act is not None and not self._must_call(self._to_act):
            self._to_act = None

    def _must_act(self, seat: int, chair: _Chair) -> bool:
        # Who has nothing to call and nobody who could call a raise has nothing to say.
        return chair.bet < self._price or (chair.acted_on is None and self._can_raise_anybody(seat))

    def _must_call(self, seat: int) -> bool:
        # Nobody else can put in more: a price that no chips stand behind, that of a short big
        # blind, is owed to nobody, and more than the most put in would only go back.
        most = max(other.bet for s, other in self._chairs.items() if s != seat)
        return len(self.contenders()) > 1 and self._chairs[seat].bet < min(self._price, most)

    def _can_raise_anybody(self, seat: int) -> bool:
        for s, other in self._chairs.items():
            if s != seat and other.left is None and other.behind and other.bet + other.behind > self._price:
                return True
        return False

    # What may be done

    def options(self) -> Options:
        """What the seat to act may do. Raises IllegalAct where nobody is to act."""
        if self._options is None:
            self._options = self._find_options()
        return self._options

    def _find_options(self) -> Options:
        seat = self._to_act
        if seat is None:
            raise IllegalAct(None, f"nobody is to act: the {self._street.value} betting is complete")
        chair = self._chairs[seat]
        to_call = min(max(self._price - chair.bet, 0), chair.behind)
        no_raise = self._why_no_raise(seat)
        if no_raise is not None:
            return Options(seat, self._price, to_call, to_call == 0, None, None, no_raise)
        low, high = self._bounds(chair)
        return Options(seat, self._price, to_call, to_call == 0, low, high)

    def _why_no_raise(self, seat: int) -> NoRaise | None:
        chair = self._chairs[seat]
        if chair.reach <= self._price:
            return NoRaise.COVERED
        if not self._can_raise_anybody(seat):
            return NoRaise.NOBODY
        if self._stakes.structure is Structure.FIXED_LIMIT:
            if self._capped:
                return NoRaise.CAPPED
            reopened = chair.acted_on is None or self._bets > chair.acted_on
        else:
            # Several short all-ins since the seat's last act add up.
            reopened = chair.acted_on is None or self._price - chair.bet >= self._full
        return None if reopened else NoRaise.NOT_REOPENED

    def _bounds(self, chair: _Chair) -> tuple[int, int]:
        if self._stakes.structure is Structure.FIXED_LIMIT:
            # From the last bet that counted: over a lesser all-in this is the completion.
            low = high = self._level + self._bet
        else:
            low = self._price + self._full
            high = chair.reach
            if self._stakes.structure is Structure.POT_LIMIT:
                high = max(low, self._price + self._pot + self._price - chair.bet)
        return min(low, chair.reach), min(high, chair.reach)

    # What is done

    def act(self, seat: int, action: Action, amount: int | None = None) -> Acted:
        """Carries out the act of the seat whose turn it is.

        `amount` is the seat's total in this round after the act. It may be left out where there is only one
        (a check, a call, an all-in, a bet in fixed limit) and means nothing in a fold. A call for more than
        the stack is a call all-in. An all-in is what it amounts to: a call where the stack goes no further,
        where the round is capped and where nobody else could call more; a short raise is allowed. Raises
        IllegalAct for anything that the rules do not allow.
        """
        turn = self.to_act
        if turn is None:
            raise IllegalAct(seat, f"nobody is to act: the {self._street.value} betting is complete")
        if turn != seat:
            raise IllegalAct(seat, f"seat {turn} is to act, not seat {seat}")
        chair = self._chairs[seat]
        if action is Action.FOLD:
            self._leave(seat)
            self._ask_from(self._turn)
            return Acted(seat, action, Deed.FOLD, 0, chair.bet, chair.all_in)
        total = self._total(self.options(), action, amount)
        put = chair.pay(total - chair.bet)
        chair.bet = total
        self._pot += put
        deed = Deed.CALL if put else Deed.CHECK
        if total > self._price:
            deed = Deed.RAISE if self._price else Deed.BET
            self._raise_price(seat, total)
        chair.acted_on = self._bets
        self._ask_from((self._order.index(seat) + 1) % len(self._order))
        return Acted(seat, action, deed, put, total, chair.all_in)

    def _total(self, options: Options, action: Action, amount: int | None) -> int:
        chair = self._chairs[options.seat]
        call = chair.bet + options.to_call
        if action is Action.CHECK_OR_CALL:
            if amount is None or amount == call or (amount > call == chair.reach):
                return call
            what = "check" if options.can_check else f"call {options.to_call} for {call} in all"
            raise IllegalAct(options.seat, f"seat {options.seat} may {what}")
        if action is Action.ALL_IN:
            if amount not in (None, chair.reach):
                raise IllegalAct(options.seat, f"seat {options.seat} is all-in for {chair.reach}")
            amount = chair.reach
            if options.no_raise in (NoRaise.COVERED, NoRaise.CAPPED, NoRaise.NOBODY):
                return call
        if options.min_to is None or options.max_to is None:
            raise IllegalAct(options.seat, options.raising())
        if amount is None and options.min_to == options.max_to:
            amount = options.max_to
        if amount is None or not options.min_to <= amount <= options.max_to:
            raise IllegalAct(options.seat, options.raising())
        return amount

    def _raise_price(self, seat: int, total: int) -> None:
        if self._stakes.structure is Structure.FIXED_LIMIT:
            # Half a bet or more counts as a full one; less is left to be completed.
            if 2 * (total - self._level) >= self._bet:
                self._bets += 1
                self._level = total
                lifted = not self._stakes.capped_heads_up and len(self.contenders()) == 2
                self._capped = self._bets >= _CAP and not lifted
        else:
            self._full = max(self._full, total - self._price)
        self._price = total
        self._aggressor = seat

    def _leave(self, seat: int) -> None:
        self._departures += 1
        self._chairs[seat].left = self._departures

    def fold_out(self, seat: int) -> None:
        """Folds a hand that leaves by other ways (its cards are in the muck), whatever the turn.

        Its chips stay in; chips that no one matched go back to it. A pot that it alone still claims remains
        its own. Raises IllegalAct for a seat that holds no hand, and for the last hand of all: the last to
        claim a pot who mucks keeps that pot.
        """
        if seat not in self.contenders():
            raise IllegalAct(seat, f"seat {seat} holds no hand")
        if self.contenders() == (seat,):
            raise IllegalAct(seat, f"seat {seat} is the last to claim the pot and keeps it")
        self._leave(seat)
        self._ask_from(self._turn)

    def release(self, seat: int) -> None:
        """Gives up the claims of a hand mucked at showdown, but for pots that it alone claims.

        Raises IllegalAct as `fold_out` does.
        """
        self.fold_out(seat)
        self._chairs[seat].mucked = True

    def next_street(self) -> None:
        """Collects the bets and opens the next round, the first seat left of the button first.

        Raises IllegalAct while somebody is to act, when one hand is left, and after the river.
        """
        if (seat := self.to_act) is not None:
            raise IllegalAct(seat, f"seat {seat} is still to act")
        if len(self.contenders()) < 2:
            raise IllegalAct(None, "the hand is over: one seat is left")
        if self._street is Street.RIVER:
            raise IllegalAct(None, "the river is the last betting round")
        for chair in self._chairs.values():
            chair.before += chair.bet
            chair.bet = 0
            chair.acted_on = None
        self._open(_STREETS[_STREETS.index(self._street) + 1], self._order[0], 0)

    # Who gets what

    def _stake(self) -> dict[int, Stake]:
        return {
            seat: Stake(chair.before + chair.bet, chair.dead, chair.behind, chair.left, chair.mucked)
            for seat, chair in self._chairs.items()
        }

    def pots(self) -> tuple[Pot, ...]:
        """The pots so far, main first; uncalled chips are in none of them.

        In an open round a seat that can still bet counts among those who claim.
        """
        return _pots.build(self._stake())

    def uncalled(self) -> Mapping[int, int]:
        """The chips that nobody has called so far, by seat; they go back when the hand ends."""
        return _pots.uncalled(self._stake())

    def settle(self, order_of_hands: Sequence[frozenset[int]], rake: int = 0) -> Settlement:
        """What everybody gets, `rake` chips taken from the main pot first; the betting itself stays as it is.

        `order_of_hands`: groups of equal seats, strongest first; empty where every pot has one claim. Odd
        chips go one each from the first seat left of the button. Raises IllegalAct while somebody is to act,
        ValueError for a contested pot without hands.
        """
        if (seat := self.to_act) is not None:
            raise IllegalAct(seat, f"seat {seat} is still to act")
        returned = self.uncalled()
        results = []
        for pot in self.pots():
            taken = min(rake, pot.amount)
            rake -= taken
            results.append(_pots.share(pot, order_of_hands, self._order, taken))
        stacks = {
            seat: chair.behind + returned.get(seat, 0) + sum(pot.winners.get(seat, 0) for pot in results)
            for seat, chair in self._chairs.items()
        }
        return Settlement(tuple(results), returned, stacks)

    def showdown_order(self) -> tuple[int, ...]:
        """The seats that hold hands, in the order in which they show.

        The last to bet or raise in this round is first, else the first seat left of the button. Where he has
        mucked, the next hand clockwise from him is first.
        """
        start = 0 if self._aggressor is None else self._order.index(self._aggressor)
        turns = self._order[start:] + self._order[:start]
        return tuple(seat for seat in turns if self._chairs[seat].left is None)
