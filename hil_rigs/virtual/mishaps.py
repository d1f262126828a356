"""What goes wrong in the mechanism by a scenario's act: each fault by its device and name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.codes import Fault
from hil_rigs.virtual.felt import Card
from hil_rigs.virtual.hands import CannotDo

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.table import VirtualTable

_STRANGE: Final = "stranger"


def _misread(table: VirtualTable) -> None:
    _next_card(table)
    table.shoe.slips.append("misread")


def _double_feed(table: VirtualTable) -> None:
    _next_card(table)
    table.shoe.slips.append("double-feed")


def _foreign_card(table: VirtualTable) -> None:
    """The next card is another one, of no deck: the true one is lost."""
    felt, true = table.felt, _next_card(table)
    number = sum(card.deck == _STRANGE for card in felt.all_cards())
    uid = b"\xe0\x04\x02" + drawn("stranger", "uid", number).randbytes(5)
    stranger = Card(true.text, uid, _STRANGE, true.back)
    felt.introduce(stranger)
    felt.move(true, "lost")
    felt.move(stranger, "shoe", on_top=True)


def _missing_card(table: VirtualTable) -> None:
    """The last card of the pack is lost; what leaves the shoe before it is as it was."""
    _next_card(table)
    cards = [card for card in table.felt.cards("shoe") if not card.is_cut_card]
    table.felt.move(cards[-1], "lost")


def _next_card(table: VirtualTable) -> Card:
    cards = table.felt.cards("shoe")
    if not cards or cards[0].is_cut_card:
        raise CannotDo("no card lies in the shoe")
    return cards[0]


MISHAPS: Final[dict[tuple[str, str], Callable[[VirtualTable], None]]] = {
    ("shoe", "misread"): _misread,
    ("shoe", "double-feed"): _double_feed,
    ("shoe", "foreign-card"): _foreign_card,
    ("shoe", "missing-card"): _missing_card,
    ("shuffler", "jam"): lambda table: table.shuffler.begin_fault(Fault.JAM),
    ("shuffler", "clear-jam"): lambda table: table.shuffler.end_fault(Fault.JAM),
}
"""Every fault that a table can have, by its device and its name. Each raises CannotDo where it cannot be."""
