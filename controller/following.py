"""Two ways to follow a betting round: by every player's act, or by the dealer's key `next` alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from controller.betting import Action, Betting, IllegalAct, Stakes, Street, rake
from controller.decisions import BetMade, ChipsMoved, Mucked, PotWon
from controller.desk import Desk
from controller.events import Acted
from controller.seating import HandSeats
from controller.table_setup import TableSetup

NOT_TRACKED: Final = "acts and chips are not followed here: next ends a round, a fold is cards in the muck"
"""Why an act is refused at a table that is followed by the key alone."""


class Following(Protocol):
    """What the table needs to know of the betting, whichever way it is followed."""

    @property
    def told(self) -> bool:
        """Whether every act is told, so that chips are followed."""

    @property
    def complete(self) -> bool:
        """Whether the round is over."""

    @property
    def contenders(self) -> tuple[int, ...]:
        """Seats that still hold a hand."""

    @property
    def betting_to_come(self) -> bool:
        """Whether somebody may still act, in the round that is open or on the streets to come."""

    @property
    def shares(self) -> tuple[tuple[int, ...], ...]:
        """Of every pot, main pot first, the seats that contest it."""

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None where nobody's is, or where turns are not followed."""

    @property
    def all_in(self) -> frozenset[int]:
        """Seats that hold a hand and have no chips left to bet; none where chips are not followed."""

    def ask(self) -> None:
        """Asks for what the round needs next."""

    def act(self, event: Acted) -> int | None:
        """Takes a player's act: the chips that he put in with it. None where it was refused, with the
        reason."""

    @property
    def why_not_complete(self) -> str:
        """Why the dealer cannot say that the round is complete; empty where he can."""

    def close_round(self) -> None:
        """The dealer says that the round is complete. RuntimeError where he cannot."""

    @property
    def changes(self) -> int:
        """How often something was done: with the next act, key or fold it is another number."""

    def remember(self) -> Callable[[], None]:
        """What brings the betting back to how it is now."""

    def leave(self, seat: int) -> str | None:
        """A hand's cards went to the muck; the reason where its claim cannot be given up."""

    def fold_out(self, seat: int) -> None:
        """Folds a hand, whatever the turn, and tells of it. Raises IllegalAct where it holds none or is the
        last."""

    def open_street(self) -> None:
        """Opens the next street's round."""

    def showdown_order(self) -> tuple[int, ...]:
        """Seats that hold hands, in the order in which they show."""

    def settle(self, hands: Sequence[frozenset[int]], names: Mapping[int, str]) -> ChipsMoved:
        """Who gets what; `hands` strongest first, `names` what was shown by whom."""

    def standing(self) -> ChipsMoved:
        """Pots and stacks of the open hand."""


class ByActs:
    """Every act is told: whose turn it is and what he may do is known to the chip."""

    def __init__(
        self,
        desk: Desk,
        setup: TableSetup,
        stacks: Mapping[int, int],
        seats: HandSeats,
    ) -> None:
        self._desk = desk
        self._order = seats.order
        self._rake = setup.rake
        stakes = Stakes(
            setup.structure,
            setup.min_bet,
            setup.small_bet,
            setup.big_bet,
            capped_heads_up=setup.rules.switches.limit_cap_heads_up == "capped",
        )
        self._betting = Betting(
            stakes, {seat: stacks[seat] for seat in seats.order}, seats.order, seats.forced
        )
        self._hasty: tuple[int, int] | None = None
        self._changes = 0

    @property
    def told(self) -> bool:
        return True

    @property
    def complete(self) -> bool:
        return self._betting.round_complete

    @property
    def contenders(self) -> tuple[int, ...]:
        return self._betting.contenders()

    @property
    def betting_to_come(self) -> bool:
        return self._betting.can_still_bet()

    @property
    def shares(self) -> tuple[tuple[int, ...], ...]:
        return tuple(pot.seats for pot in self._betting.pots())

    @property
    def turn(self) -> int | None:
        return self._betting.to_act

    @property
    def all_in(self) -> frozenset[int]:
        return frozenset(seat for seat in self.contenders if not self._betting.chips(seat))

    def ask(self) -> None:
        options = self._betting.options()
        hasty = self._waits_for(options.seat)
        if hasty is not None:
            self._desk.ask("act-first", seat=options.seat, count=hasty)
        elif options.can_check:
            self._desk.ask("act-check", seat=options.seat, count=options.min_to or 0)
        else:
            self._desk.ask("act-call", seat=options.seat, count=options.to_call)

    def _waits_for(self, seat: int) -> int | None:
        """The seat that acted while it was this one's turn, as long as it holds a hand."""
        turn, hasty = self._hasty or (None, 0)
        return hasty if turn == seat and hasty in self.contenders else None

    def act(self, event: Acted) -> int | None:
        action = Action(event.action)
        amount = event.amount if action is Action.BET_OR_RAISE else None
        turn = self._betting.to_act
        try:
            acted = self._betting.act(event.seat, action, amount)
        except IllegalAct as refusal:
            self._desk.refuse(f"{event.action} of seat {event.seat}", refusal.why)
            if turn not in (None, event.seat) and self._may_still_act(event.seat):
                self._hasty = turn, event.seat
            return None
        self._hasty = None
        self._changes += 1
        self._desk.tell(
            BetMade(seat=acted.seat, action=acted.deed.value, put_in=acted.put, total=acted.total)
        )
        self._desk.tell(self.standing())
        return acted.put

    def _may_still_act(self, seat: int) -> bool:
        return seat in self.contenders and seat not in self.all_in

    @property
    def why_not_complete(self) -> str:
        return (
            f"seat {self._betting.to_act} is still to act" if self._betting.to_act else "no betting is open"
        )

    def close_round(self) -> None:
        raise RuntimeError(self.why_not_complete)

    @property
    def changes(self) -> int:
        return self._changes

    def remember(self) -> Callable[[], None]:
        betting, hasty = self._betting.copy(), self._hasty

        def bring_back() -> None:
            self._betting, self._hasty = betting, hasty

        return bring_back

    def leave(self, seat: int) -> str | None:
        self._changes += 1
        try:
            self._betting.release(seat)
        except IllegalAct as refusal:
            return refusal.why
        return None

    def fold_out(self, seat: int) -> None:
        self._changes += 1
        self._betting.fold_out(seat)
        self._desk.tell(BetMade(seat=seat, action="fold", put_in=0, total=self._betting.in_round(seat)))
        self._desk.tell(self.standing())

    def open_street(self) -> None:
        self._changes += 1
        self._betting.next_street()

    def showdown_order(self) -> tuple[int, ...]:
        return self._betting.showdown_order()

    def settle(self, hands: Sequence[frozenset[int]], names: Mapping[int, str]) -> ChipsMoved:
        taken = rake(
            self._rake,
            sum(pot.amount for pot in self._betting.pots()),
            len(self._order),
            flop_lies=self._betting.street is not Street.PREFLOP,
        )
        settled = self._betting.settle(hands, taken)
        pots = tuple(
            PotWon(pot.amount, dict(pot.winners), names.get(min(pot.winners), ""), pot.rake)
            for pot in settled.pots
        )
        return ChipsMoved(pots=pots, stacks=dict(settled.stacks), returned=dict(settled.returned))

    def standing(self) -> ChipsMoved:
        pots = tuple(PotWon(pot.amount, {}, "") for pot in self._betting.pots())
        stacks = {seat: self._betting.chips(seat) for seat in self._order}
        return ChipsMoved(pots=pots, stacks=stacks, uncalled=dict(self._betting.uncalled()))


class ByKey:
    """Only `next` tells that a round is complete: chips are not followed, hands leave when they are
    mucked."""

    def __init__(self, desk: Desk, stacks: Mapping[int, int], order: Sequence[int]) -> None:
        self._desk = desk
        self._stacks = dict(stacks)
        self._holding = list(order)
        self._open = True
        self._changes = 0

    @property
    def told(self) -> bool:
        return False

    @property
    def complete(self) -> bool:
        return not self._open or len(self._holding) == 1

    @property
    def contenders(self) -> tuple[int, ...]:
        return tuple(self._holding)

    @property
    def betting_to_come(self) -> bool:
        return len(self._holding) > 1

    @property
    def shares(self) -> tuple[tuple[int, ...], ...]:
        return (self.contenders,)

    @property
    def turn(self) -> int | None:
        return None

    @property
    def all_in(self) -> frozenset[int]:
        return frozenset()

    def ask(self) -> None:
        self._desk.ask("betting")

    def act(self, event: Acted) -> int | None:
        self._desk.refuse(f"{event.action} of seat {event.seat}", NOT_TRACKED)
        return None

    @property
    def why_not_complete(self) -> str:
        return ""

    def close_round(self) -> None:
        self._changes += 1
        self._open = False

    @property
    def changes(self) -> int:
        return self._changes

    def remember(self) -> Callable[[], None]:
        holding, is_open = list(self._holding), self._open

        def bring_back() -> None:
            self._holding, self._open = holding, is_open

        return bring_back

    def leave(self, seat: int) -> str | None:
        if seat not in self._holding:
            return f"seat {seat} holds no hand"
        if len(self._holding) == 1:
            return f"seat {seat} is the last to claim the pot and keeps it"
        self._changes += 1
        self._holding.remove(seat)
        return None

    def fold_out(self, seat: int) -> None:
        if (why := self.leave(seat)) is not None:
            raise IllegalAct(seat, why)
        self._desk.tell(Mucked(seat=seat))

    def open_street(self) -> None:
        self._changes += 1
        self._open = True

    def showdown_order(self) -> tuple[int, ...]:
        return self.contenders

    def settle(self, hands: Sequence[frozenset[int]], names: Mapping[int, str]) -> ChipsMoved:
        best = [group & frozenset(self._holding) for group in hands] or [frozenset(self._holding)]
        winners = sorted(next(group for group in best if group))
        pot = PotWon(0, dict.fromkeys(winners, 0), names.get(winners[0], ""))
        return ChipsMoved(pots=(pot,), stacks=dict(self._stacks))

    def standing(self) -> ChipsMoved:
        return ChipsMoved(pots=(), stacks=dict(self._stacks))
