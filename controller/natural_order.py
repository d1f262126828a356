"""Where a card went that was due nowhere and that no antenna saw (docs/rules.md, "Without antennas").

With everybody dealt in, the stub is a burn, the flop, a burn, the turn, a burn, the river: what the dealer's
hand draws is taken for the next card of that order. A pure function of what is the case; what the order does
not say is not guessed.
"""

from controller.dealing import FLOP, WHOLE_BOARD
from controller.irregularities import StreetsSoFar
from controller.places import BOARD, BURN, Place


def natural_place(street: StreetsSoFar, settle_ms: int) -> Place | None:
    """The place of the next card off the stub; None once the river is out.

    A card that follows the flop at once, before anybody acts on it, came with it to the board.
    """
    out = street.lying + street.early
    if out >= WHOLE_BOARD:
        return None
    in_the_flop = 0 < out < FLOP
    with_the_flop = (
        max(street.lying, street.early) >= FLOP
        and street.lying <= FLOP
        and not street.acts
        and street.since_last_ms <= settle_ms
    )
    return BOARD if street.unspent or in_the_flop or with_the_flop else BURN
