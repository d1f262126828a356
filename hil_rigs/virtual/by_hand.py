"""What the dealer does once the floor has taken a hand off the machines, or a deck off the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Lid, Prompt
from hil_rigs.virtual.deeds import Deed, Standing, in_words
from hil_rigs.virtual.felt import OFF_TABLE, ZONES
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.ring import lit_seats

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_IN_REACH = (*ZONES, "returned", "pack", "input", OFF_TABLE)


class ByHand:
    """He deals from a deck that no machine sees, and the first hand that contests a pot wins it."""

    def __init__(self, table: VirtualTable, standing: Standing) -> None:
        self._table = table
        self._felt = table.felt
        self._hands = table.hands
        self._standing = standing
        self._said_at: tuple[int, ...] = ()  # what the machines showed when he said that all is cleared
        self.steps: dict[int, Callable[[Shown], Deed | None]] = {
            Prompt.TABLE_NOT_EMPTY: self._clear_table,
            Prompt.DEAL_BY_HAND: self._deal,
            Prompt.NAME_WINNERS: self._name_winners,
        }

    def _clear_table(self, shown: Shown) -> Deed | None:
        """Every card in reach goes into its box, the cut card onto its plate; then he says so, and again when
        a machine has let something go since."""
        table, felt = self._table, self._felt
        if felt.cards("shoe") and table.shoe.lid != Lid.LOCKED and not felt.cards("pack"):
            self._hands.unload_shoe()
        if felt.cards("output") and table.shuffler.cover_open and not felt.cards("pack"):
            self._hands.lift_pack()
        cards = [card for place in _IN_REACH for card in felt.cards(place)]
        for card in cards:
            felt.move(card, "cut-plate" if card.is_cut_card else "away")
        if cards:
            return Deed("clear", 0, len(cards), f"puts {in_words(len(cards))} away")
        shows = (shown.serial, table.shoe.lid, table.shuffler.stage, len(felt.cards("shoe")))
        if shows == self._said_at:
            return None
        self._said_at = shows
        self._hands.press("ack")
        return Deed("ack", 0, 0, "says that the table is cleared")

    def _deal(self, shown: Shown) -> Deed:
        self._hands.press("next")
        self._standing.finished = shown.serial
        return Deed("deal-by-hand", 0, 0, f"deals {in_words(shown.count)} by hand")

    def _name_winners(self, shown: Shown) -> Deed:
        if shown.seat:
            return self._standing.ack(shown, f"says that seat {shown.seat} has won", kind="name-winners")
        lit = lit_seats(self._table.prompts.able_to.leds, shown.spans)
        if not lit:
            raise CannotDo("the display does not say who contests the pot")
        self._hands.press("yes", lit[0])
        self._standing.finished = shown.serial
        return Deed("name-winners", lit[0], 0, f"names seat {lit[0]} as a winner")
