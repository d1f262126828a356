"""A pack's ways through the machines: what the dealer does, and what shoe and shuffler are told after it."""

from typing import Final

from hil_rigs.virtual.felt import TEXTS
from tests.shell.wires import Deed

ALL_52: Final = frozenset(TEXTS)
PROVED: Final = ["shuffler FEED", "shuffler SHUFFLE", "shuffler CUT", "shuffler OPEN_COVER"]
LOADED: Final[list[Deed]] = [
    ("lift-pack", ["shuffler CLOSE_COVER"]),
    ("cut-card-under", []),
    ("ack", ["shoe RELEASE_LID"]),
    ("load-shoe", []),
]
ROUND: Final[list[Deed]] = [("act", [])] * 3
"""A round of betting in which nobody folds and no machine moves."""
FLOP: Final[list[Deed]] = [("deal-flop", [])] * 3
RESHUFFLED: Final[list[Deed]] = [("unload-shoe", []), ("lay-in", []), ("ack", PROVED), *LOADED]
"""A set in the middle of a hand, from the freed lid to the loaded shoe."""
MISDEALT: Final[list[Deed]] = [("gather", []), ("gather", []), ("ack", PROVED), *LOADED]
"""All that lies on the felt, then the stub, from the freed lid to the loaded shoe."""


def with_orders(deeds: list[Deed]) -> list[Deed]:
    """Only those deeds after which something was written to a machine."""
    return [deed for deed in deeds if deed[1]]


def ending(way: list[Deed], *orders: str) -> list[Deed]:
    """A way after whose last deed these orders leave."""
    return [*way[:-1], (way[-1][0], list(orders))]
