"""Where a card went that was due nowhere and that no antenna saw (docs/rules.md, "Without antennas").

With everybody dealt in, the stub is a burn, the flop, a burn, the turn, a burn, the river: what the dealer's
hand draws is taken for the next card of that order. A pure function of what is the case; what the order does
not say is not guessed.
"""

from typing import Final

from controller.irregularities import StreetsSoFar
from controller.places import BOARD, BURN, Place

_FLOP: Final = 3
_WHOLE: Final = 5


def natural_place(street: StreetsSoFar, settle_ms: int) -> Place | None:
    """The place of the next card off the stub; None once the river is out.

    A card that follows the flop at once, before anybody acts on it, came with it to the board.
    """
    out = street.lying + street.early
    if out >= _WHOLE:
        return None
    in_the_flop = 0 < out < _FLOP
    with_the_flop = (
        max(street.lying, street.early) >= _FLOP
        and street.lying <= _FLOP
        and not street.acts
        and street.since_last_ms <= settle_ms
    )
    return BOARD if street.unspent or in_the_flop or with_the_flop else BURN
