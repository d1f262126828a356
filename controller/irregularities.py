"""What went wrong: a card that was not due, or lay face up, is told apart here (docs/rules.md, "Told apart").

Pure functions of what is the case when the card comes to rest, in its place of the one sequence. What they do
not know they do not name: the table then halts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from controller.dealing import FLOP, WHOLE_BOARD
from controller.hand import BETTING_ROUNDS, STREETS_DEALT, PhaseName
from controller.ledger import Facing
from controller.places import BOARD, BURN, Place, seat_of


@dataclass(frozen=True)
class Fault:
    """An irregularity by its id in the rulebook, and the special case in which it was found, if any."""

    rule: str
    case: str = ""


@dataclass(frozen=True)
class DealSoFar:
    """The deal as it stands before the card in question.

    `first` is the first seat dealt, `holders` are the seats that hold hands, `order` all that were dealt in,
    the button last. Counts are of this deal: `given` of the cards that each seat was dealt in its turn, of
    `each` that it is to get. `begun` is whether any card lies by now.
    """

    first: int
    holders: tuple[int, ...]
    all_dealt: bool
    exposed: int
    replaced: int
    extra: int
    extra_seen: int
    order: tuple[int, ...]
    given: Mapping[int, int]
    each: int
    begun: bool


@dataclass(frozen=True)
class StreetsSoFar:
    """The board as it stands before the card in question.

    `lying` is how many cards are on it and in play, `early` how many were taken off it by rulings and are out
    still, `burned` how many burns were made for the next street, `unspent` those of them that no early card
    has cost. `acts` is how many players have acted on the
    street that lies, `betting_to_come` whether its betting is open or will be.
    `since_last_ms` is the shoe's time from the last board card's draw to this one's.
    """

    phase: PhaseName
    lying: int
    early: int
    burned: int
    unspent: int
    acts: int
    betting_to_come: bool
    since_last_ms: int


_TURN: Final = 4


def exposed_card(deal: DealSoFar, position: int, instant: int) -> Fault:
    """The dealer exposed a hole card; `position` is its place off the deck, from 0; -1 for an extra one.

    `instant` is how many cards off the deck are a misdeal at once.
    """
    case = ""
    if deal.extra:
        one_unseen = deal.extra == 1 and not deal.extra_seen and position >= 0
        case = "extra-unseen" if one_unseen else "extra-seen"
    if deal.exposed:
        return Fault("exposed-two-or-more", case)
    if position == 0:
        return Fault("exposed-first-hole-card", case)
    return Fault("exposed-second-hole-card" if 0 < position < instant else "exposed-later-hole-card", case)


def extra_hole_card(deal: DealSoFar, place: Place) -> Fault | None:
    """A card came to a seat when everybody has been dealt; None where it is another irregularity."""
    seat = seat_of(place)
    if seat is None or seat not in deal.holders or not deal.all_dealt:
        return None
    waits = deal.exposed > deal.replaced
    if deal.extra or deal.replaced:
        return Fault("extra-cards-two-plus", "exposed-waits" if waits else "")
    rule = "extra-card-first-player" if seat == deal.first else "extra-card-other-seat"
    return Fault(rule, "exposed-waits" if waits else "")


def out_of_order(deal: DealSoFar, place: Place) -> Fault | None:
    """A card went where the deal does not have it; None where it is another irregularity.

    Not for a card that was due.
    """
    seat = seat_of(place)
    if seat is None:
        return Fault("out-of-sequence") if place in (BOARD, BURN) and not deal.all_dealt else None
    if seat not in deal.order:
        return Fault("dealt-to-empty-seat")
    if deal.all_dealt:
        return None
    if seat in deal.holders and deal.given[seat] > min(deal.given.values()):
        return Fault("extra-card-mid-deal")
    if seat not in deal.holders:
        return Fault("dealt-to-empty-seat")
    return Fault("player-skipped" if deal.begun else "first-card-wrong-seat")


def missing_hole_cards(deal: DealSoFar) -> tuple[Fault, int] | None:
    """Play goes on in the last round of the deal: the fault and the first seat that is short; None where
    nobody is, or cards of an earlier round are due as well."""
    short = [seat for seat in deal.order if deal.given[seat] < deal.each]
    if not short or min(deal.given.values()) < deal.each - 1:
        return None
    only_button = short == [deal.order[-1]]
    return Fault("button-short-card" if only_button else "player-short-card"), short[0]


_DOUBLE_BURN: Final[dict[PhaseName, str]] = {
    "flop-deal": "flop-double-burn",
    "turn-deal": "turn-double-burn",
    "river-deal": "river-double-burn",
}


Burns = Literal["due", "made"]


def second_burn(phase: PhaseName, street: PhaseName, burns: Burns, lying: int) -> Fault | None:
    """A card came to the burn tray when the `burns` of `street`, the next one, were made; None where one is
    due, or no street follows the `lying` cards any more."""
    if burns == "due" or lying == WHOLE_BOARD or phase not in (*BETTING_ROUNDS, *STREETS_DEALT):
        return None
    return Fault(_DOUBLE_BURN[street])


def board_card(street: StreetsSoFar, settle_ms: int) -> Fault | None:
    """A card came to the board that was not due there; None where it is another irregularity."""
    if not street.betting_to_come and street.lying != FLOP:
        return None
    if street.phase == "preflop":
        return Fault("premature-flop") if street.betting_to_come else _too_many(street, settle_ms)
    if street.lying == FLOP and street.phase in ("flop-deal", "flop"):
        if not street.early and (fault := _too_many(street, settle_ms)):
            return fault
        if not street.betting_to_come:
            return None
        return Fault("premature-river", "flop-betting") if street.early else Fault("premature-turn")
    if street.lying == _TURN and street.phase in ("turn-deal", "turn"):
        return Fault("premature-river")
    return None


def _too_many(street: StreetsSoFar, settle_ms: int) -> Fault | None:
    """A fourth card at once is one too many on the flop: no burn between, and nobody acted on it."""
    at_once = street.since_last_ms <= settle_ms
    if street.lying >= FLOP and at_once and not street.burned and not street.acts:
        return Fault("overfull-flop", "four-cards" if street.lying == FLOP else "")
    return None


def lies_shown(place: Place, facing: Facing) -> bool:
    """Whether everybody may have seen a card: it lies face up, or on the board and not face down."""
    return facing is Facing.UP or (place == BOARD and facing is not Facing.DOWN)
