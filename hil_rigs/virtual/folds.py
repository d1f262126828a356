"""What the dealer does about a hand of which cards lie in the muck: he says whether it folded, or brings it
back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed, Standing, in_words
from hil_rigs.virtual.felt import DOWN, UP, Card, Change

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable


class Folds:
    """He has seen from which seat each card came into the muck.

    A hand folded, says he, unless the display says that it is all-in or cannot fold.
    """

    def __init__(self, table: VirtualTable, standing: Standing) -> None:
        self._table = table
        self._felt = table.felt
        self._hands = table.hands
        self._standing = standing
        self._thrown: dict[Card, str] = {}
        self._felt.listeners.append(self._changed)
        self.steps: dict[int, Callable[[Shown], Deed | None]] = {
            Prompt.FOLDED: self._folded,
            Prompt.HAND_BACK: self._hand_back,
        }

    def thrown(self, seat: int) -> tuple[Card, ...]:
        """Return the cards in the muck that came there from a seat."""
        return tuple(card for card in self._felt.cards("muck") if self._thrown.get(card) == f"seat:{seat}")

    def _changed(self, change: Change) -> None:
        if change.target == "muck" and not change.turned:
            self._thrown[change.card] = change.source
        elif change.source == "muck" and not change.turned:
            self._thrown.pop(change.card, None)

    def _folded(self, shown: Shown) -> Deed | None:
        seat = shown.seat
        if shown.count:
            return self._answer(shown, "no", f"says that seat {seat} did not fold")
        rest = self._rest(seat)
        if rest:
            self._hands.lay(rest, "muck", face=DOWN)
            return Deed("muck", seat, len(rest), f"lays the rest of the hand of seat {seat} into the muck")
        return self._answer(shown, "yes", f"says that seat {seat} folded")

    def _answer(self, shown: Shown, key: str, words: str) -> Deed:
        self._hands.press(key)
        self._standing.finished = shown.serial
        return Deed(key, shown.seat, 0, words)

    def _rest(self, seat: int) -> tuple[Card, ...]:
        """What a hand still lacks in the muck: a card too many, dealt last, and one shown stay where they
        are."""
        lacking = self._table.setup.hole_cards - len(self.thrown(seat))
        lying = sorted(self._felt.cards(f"seat:{seat}"), key=lambda card: self._felt.face(card) == UP)
        return tuple(lying[: max(0, lacking)])

    def _hand_back(self, shown: Shown) -> Deed | None:
        seat = shown.seat
        cards = self.thrown(seat)[-shown.count :]
        if cards:
            self._hands.lay(cards, f"seat:{seat}", face=DOWN)
            return Deed("hand-back", seat, len(cards), f"brings {in_words(len(cards))} back to seat {seat}")
        if self._standing.sees(f"seat:{seat}"):
            return None
        return self._standing.ack(shown, f"confirms that seat {seat} has its cards again")
