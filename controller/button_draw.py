"""The draw for the first button: one card face up to each seat, and the highest has it."""

from collections.abc import Callable

from controller.dealing import button_cards
from controller.dealt import Deal
from controller.decisions import ButtonDrawn
from controller.following import ByKey
from controller.ledger import Facing
from controller.parts import Parts
from controller.seating import highest
from controller.streets import Streets


class ButtonDraw:
    """One draw; `drawn` is told the seat that has the button."""

    def __init__(self, parts: Parts, drawn: Callable[[int], None]) -> None:
        self._state = parts.state
        self._desk = parts.desk
        self._works = parts.works
        self._drawn = drawn

    def begin(self, order: tuple[int, ...]) -> None:
        """The pack is loaded: a card each is due."""
        self._state.begin(Deal(order, 1), ByKey(self._desk, {}, order), Streets())
        self._desk.enter("draw_begins")
        self._works.make_due(button_cards(order))
        self.ask()

    def ask(self) -> None:
        """Asks for the cards that are due."""
        order = self._state.deal.order
        self._desk.ask("draw-button", seat=order[0], seats=order)

    def look(self) -> None:
        """Everybody has a card; it counts once it lies face up, where optics can tell."""
        cards = {seat: held[0] for seat, held in self._state.deal.hole.items()}
        down = (s for s, card in cards.items() if self._state.ledger.where(card).facing is Facing.DOWN)
        if seat := next(down, 0):
            self._desk.ask("turn-up", seat=seat)
            return
        button = highest(cards)
        self._desk.tell(ButtonDrawn(button=button, cards=cards))
        self._drawn(button)
