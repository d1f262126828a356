"""The words of the betting: structures, streets, actions, what a seat may do and did."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import msgspec


class Structure(enum.Enum):
    """How much may be bet; the value is its name in files."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"


class Action(enum.Enum):
    """What a player's keypad says; what it amounts to (`Deed`) depends on the price."""

    FOLD = "fold"
    CHECK_OR_CALL = "check-or-call"
    BET_OR_RAISE = "bet-or-raise"
    ALL_IN = "all-in"


class Deed(enum.Enum):
    """What an action amounted to; a short all-in above the price is a bet or a raise."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


class Street(enum.Enum):
    """A betting round, in the order of play."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


class NoRaise(enum.Enum):
    """Why a seat may not bet or raise; the value stands in the sentence "seat 3 may not raise: ...; it may
    call 20 or fold"."""

    COVERED = "its stack does not go beyond a call"
    NOBODY = "nobody else could call it"
    CAPPED = "the round is capped at four bets"
    NOT_REOPENED = "the betting was not reopened to it"


@dataclass(frozen=True)
class Stakes:
    """The sizes of the bets, in chips.

    `min_bet` is the big blind, at least 1. `small_bet` (preflop and flop) and `big_bet` (turn and river)
    matter in fixed limit only; 0 stands for the big blind and for twice the small bet. `capped_heads_up`
    False lifts the cap of four bets for a fixed-limit round that two players are left to contest before it is
    reached. Raises ValueError for a negative size or a big blind of nothing.
    """

    structure: Structure
    min_bet: int
    small_bet: int = 0
    big_bet: int = 0
    capped_heads_up: bool = True

    def __post_init__(self) -> None:
        if self.min_bet < 1 or self.small_bet < 0 or self.big_bet < 0:
            raise ValueError(f"bets are whole chips, the big blind at least one: {self}")

    def bet(self, street: Street) -> int:
        """The least bet of a round in chips; in fixed limit also the only one."""
        if self.structure is not Structure.FIXED_LIMIT:
            return self.min_bet
        small = self.small_bet or self.min_bet
        return small if street in (Street.PREFLOP, Street.FLOP) else self.big_bet or 2 * small


class Options(msgspec.Struct, frozen=True):
    """What the seat to act may do; amounts in chips.

    `to_call` is what a call costs now, never more than the stack. `min_to` and `max_to` bound the total that
    a bet or raise makes the seat's in this round; both None where it may not raise, and `no_raise` then says
    why. An all-in of less than a full raise is within the bounds: they are then both the seat's last chip.
    `price` is what a seat must have in this round to stay in; 0 while nothing was bet.
    """

    seat: int
    price: int
    to_call: int
    can_check: bool
    min_to: int | None
    max_to: int | None
    no_raise: NoRaise | None = None

    def raising(self) -> str:
        """The sentence that tells the player what raise is his, or what else where none is."""
        verb = "raise" if self.price else "bet"
        if self.no_raise is not None:
            instead = "check" if self.can_check else f"call {self.to_call} or fold"
            return f"seat {self.seat} may not {verb}: {self.no_raise.value}; it may {instead}"
        if self.min_to == self.max_to:
            return f"seat {self.seat} may {verb} to {self.max_to}"
        return f"seat {self.seat} may {verb} to between {self.min_to} and {self.max_to}"


class Acted(msgspec.Struct, frozen=True):
    """An action carried out: `put` chips went in, the seat now has `total` in this round."""

    seat: int
    action: Action
    deed: Deed
    put: int
    total: int
    all_in: bool


class IllegalAct(ValueError):  # noqa: N818 - the name says more to a dealer than "error"
    """An act that the rules do not allow; nothing was changed.

    `seat` is whose act it was (None where no seat is concerned), `why` says what would be allowed.
    """

    def __init__(self, seat: int | None, why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.why = why
