"""Where a card can be: the zones of a deck as the table's procedures name them."""

from typing import NewType

Place = NewType("Place", str)

SHOE = Place("shoe")
TRANSIT = Place("transit")
BOARD = Place("board")
BURN = Place("burn")
MUCK = Place("muck")
ASIDE = Place("aside")
SCRAP = Place("scrap")
SHUFFLER = Place("shuffler")
OUTPUT = Place("output")
AWAY = Place("away")
CUT_PLATE = Place("cut-plate")

SEATS = tuple(range(1, 12))
"""Seat numbers that a table can have, clockwise from the dealer's left."""


def at_seat(seat: int) -> Place:
    """The place in front of a seat, 1 to 11."""
    return Place(f"seat:{seat}")


def seat_of(place: Place) -> int | None:
    """The seat whose place this is, None for the board, the burn tray and the like."""
    return int(place[5:]) if place.startswith("seat:") else None


PLACES: tuple[Place, ...] = (
    AWAY,
    SHUFFLER,
    OUTPUT,
    SHOE,
    TRANSIT,
    *(at_seat(seat) for seat in SEATS),
    BOARD,
    BURN,
    MUCK,
    ASIDE,
    SCRAP,
)
"""Every zone in which the ledger may hold a card."""
