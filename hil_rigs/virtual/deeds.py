"""What the dealer does, and how far he is with what the display asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hil_rigs.virtual.codes import Prompt

if TYPE_CHECKING:
    from hil_rigs.virtual.felt import Card
    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_QUESTIONS = (Prompt.FOLDED, Prompt.HAND_BACK)

Mistake = Literal["keep-card", "add-burn", "skip-cut"]
"""A card of the set is left out, a card of the burn tray is laid in too, the pack is not cut."""


@dataclass(frozen=True)
class Deed:
    """One physical step: its kind, whose seat (0 for none), how many cards it moved, words for a narrator."""

    kind: str
    seat: int
    cards: int
    words: str


class Standing:
    """How far the dealer is with the prompt on display.

    `finished` is the serial of the prompt whose last step is done, `half_done` of the one of which only the
    answer is still due. `void` are cards that were laid aside because no rule has them: they lie apart from
    those that were set aside for a shuffle.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.finished = 0
        self.half_done = 0
        self.void: set[Card] = set()

    def lying(self, place: str) -> tuple[Card, ...]:
        """Return the cards in a place, without those that lie there void."""
        return tuple(card for card in self._table.felt.cards(place) if card not in self.void)

    def first(self, shown: Shown) -> int:
        """Return under which serial this was asked first, however often the same was shown again since.

        A question that stood over it meanwhile does not make it another.
        """
        first = shown.serial
        for earlier in reversed(self._table.prompts.history[: shown.serial - 1]):
            if earlier.code in _QUESTIONS:
                continue
            if (earlier.code, earlier.seat, earlier.count) != (shown.code, shown.seat, shown.count):
                break
            first = earlier.serial
        return first

    def sees(self, place: str) -> bool:
        """Whether an antenna tells what lies there, so that no key has to."""
        zones = self._table.zones
        return zones is not None and zones.reads(place)

    def ack(self, shown: Shown, words: str, *, kind: str = "ack", seat: int = 0) -> Deed:
        """Say by the key that what was asked for is done."""
        self._table.hands.press("ack")
        self.finished = shown.serial
        return Deed(kind, seat, 0, words)


class Slip:
    """The one mistake that the dealer is to make, and why he could not make it."""

    def __init__(self) -> None:
        self.due: Mistake | None = None
        self.why_not = ""

    def take(self, mistake: Mistake) -> bool:
        """Whether this mistake is to be made here; it is then used up."""
        if self.due != mistake:
            return False
        self.due = None
        return True


def in_words(count: int) -> str:
    """Return a number of cards as a narrator says it."""
    return "a card" if count == 1 else f"{count} cards"
