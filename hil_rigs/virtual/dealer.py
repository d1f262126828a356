"""The faultless dealer, and players who check or call: they do what the prompt asks, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.felt import UP, ZONES, Card
from hil_rigs.virtual.hands import CannotDo

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_BOARD = {Prompt.DEAL_FLOP: (3, "flop"), Prompt.DEAL_TURN: (4, "turn"), Prompt.DEAL_RIVER: (5, "river")}
_LOOSE = (*ZONES, "returned", "pack", "away")


@dataclass(frozen=True)
class Deed:
    """One physical step: its kind, whose seat (0 for none), how many cards it moved, words for a narrator."""

    kind: str
    seat: int
    cards: int
    words: str


class Dealer:
    """Obeys prompts. He looks at the display and at the felt, and knows who is dealt in.

    `seats` may be changed between hands. `wanted` is the set that the shuffler was last asked to prove: a
    remedy that asks for another than the whole deck sets it. `stopped` says why he could not do what was
    asked last.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.seats: tuple[int, ...] = tuple(sorted(table.setup.seats))
        self.wanted: frozenset[Card] = frozenset()
        self.stopped = ""
        self._finished = 0  # serial of the prompt whose last step is done
        self._half_done = 0  # serial of the prompt of which only the answer is still due
        self._steps: dict[int, Callable[[Shown], Deed | None]] = {
            Prompt.DECK_IN: self._deck_in,
            Prompt.WRONG_SET: self._wrong_set,
            Prompt.LIFT_PACK: self._lift_pack,
            Prompt.CUT_PACK: self._cut_pack,
            Prompt.CUT_CARD_UNDER: self._cut_card_under,
            Prompt.LOAD_SHOE: self._load_shoe,
            Prompt.DEAL_HOLE: self._deal_hole,
            Prompt.ACT_CHECK: self._act,
            Prompt.ACT_CALL: self._act,
            Prompt.BETTING: self._betting,
            Prompt.BURN: self._burn,
            Prompt.DEAL_FLOP: self._deal_board,
            Prompt.DEAL_TURN: self._deal_board,
            Prompt.DEAL_RIVER: self._deal_board,
            Prompt.SHOW_HAND: self._show_hand,
            Prompt.PUSH_POT: self._push_pot,
            Prompt.GATHER: self._gather,
        }

    def obey(self) -> Deed | None:
        """Do one step of what the prompt on display asks; None where there is nothing to do now."""
        shown = self._table.prompts.display
        if shown is None or shown.serial == self._finished or shown.code not in self._steps:
            return None
        self.stopped = ""
        try:
            return self._steps[shown.code](shown)
        except CannotDo as stopped:  # a gate, a lid or a cover is still shut: he waits
            self.stopped = stopped.why
            return None

    def deal_order(self, first: int) -> tuple[int, ...]:
        """Return the seats dealt in, clockwise from `first`."""
        return tuple(seat for seat in self.seats if seat >= first) + tuple(s for s in self.seats if s < first)

    def _deck_in(self, shown: Shown) -> Deed | None:
        cards = self._table.decks[self._deck_for_machine()]
        self.wanted = frozenset(card for card in cards if not card.is_cut_card)
        return self._lay_in_wanted(shown, "lays the deck into the shuffler")

    def _wrong_set(self, shown: Shown) -> Deed | None:
        if not self.wanted:
            cards = self._table.decks[self._deck_for_machine()]
            self.wanted = frozenset(card for card in cards if not card.is_cut_card)
        wrong = [card for card in self._table.felt.cards("returned") if card not in self.wanted]
        if wrong:
            for card in wrong:
                self._table.hands.put_back(card)
            return Deed("put-back", 0, len(wrong), f"puts {_cards(len(wrong))} back")
        return self._lay_in_wanted(shown, "lays the right set into the shuffler")

    def _lay_in_wanted(self, shown: Shown, words: str) -> Deed:
        felt = self._table.felt
        missing = [card for place in _LOOSE for card in felt.cards(place) if card in self.wanted]
        if missing:
            self._table.hands.lay_in_cards(tuple(missing))
            return Deed("lay-in", 0, len(missing), words)
        return self._ack(shown, "confirms that the cards are in")

    def _gather(self, shown: Shown) -> Deed | None:
        felt = self._table.felt
        places = [place for place in (*ZONES, "returned", "pack") if felt.cards(place)]
        if places or felt.cards("shoe"):
            cards = self._table.decks[self._table.deck_in_play]
            self.wanted = frozenset(card for card in cards if not card.is_cut_card)
        if places:
            moved = self._table.hands.lay_in(*places)
            return Deed("gather", 0, len(moved), f"gathers {_cards(len(moved))} into the shuffler")
        if felt.cards("shoe"):
            moved = self._table.hands.lay_in("shoe")
            return Deed("gather", 0, len(moved), f"lays the stub of {_cards(len(moved))} into the shuffler")
        return self._ack(shown, "confirms that every card is in")

    def _lift_pack(self, _shown: Shown) -> Deed | None:
        count = len(self._table.felt.cards("output"))
        if not count:
            return None
        self._table.hands.lift_pack()
        return Deed("lift-pack", 0, count, "lifts the pack out of the shuffler")

    def _cut_pack(self, shown: Shown) -> Deed | None:
        if self._half_done == shown.serial:
            return self._ack(shown, "confirms the cut")
        self._table.hands.cut_pack()
        self._half_done = shown.serial
        zones = self._table.zones
        if zones is not None and zones.reads("cut-plate"):
            self._finished = shown.serial
        return Deed("cut-pack", 0, 0, "cuts the pack")

    def _cut_card_under(self, shown: Shown) -> Deed | None:
        pack = self._table.felt.cards("pack")
        if pack and not pack[-1].is_cut_card:
            self._table.hands.cut_card_under()
            return Deed("cut-card-under", 0, 0, "lays the cut card under the pack")
        return self._ack(shown, "confirms that the cut card is under the pack")

    def _load_shoe(self, _shown: Shown) -> Deed | None:
        count = len(self._table.felt.texts("pack"))
        if not count:
            return None
        self._table.hands.load_shoe()
        return Deed("load-shoe", 0, count, "loads the shoe and closes its lid")

    def _deal_hole(self, shown: Shown) -> Deed | None:
        order = self.deal_order(shown.seat)
        held = {seat: len(self._table.felt.cards(f"seat:{seat}")) for seat in order}
        fewest = min(held.values())
        if fewest >= (shown.count or self._table.setup.hole_cards):
            return None
        seat = next(seat for seat in order if held[seat] == fewest)
        self._table.hands.draw(f"seat:{seat}")
        return Deed("deal-hole", seat, 1, f"deals a card to seat {seat}")

    def _deal_board(self, shown: Shown) -> Deed | None:
        full, street = _BOARD[Prompt(shown.code)]
        if len(self._table.felt.cards("board")) >= full:
            return None
        self._table.hands.draw("board", face=UP)
        return Deed(f"deal-{street}", 0, 1, f"deals a card of the {street}")

    def _burn(self, shown: Shown) -> Deed | None:
        self._table.hands.draw("burn")
        self._finished = shown.serial
        return Deed("burn", 0, 1, "burns a card")

    def _act(self, shown: Shown) -> Deed | None:
        self._table.hands.act(shown.seat, "check-or-call")
        self._finished = shown.serial
        word = "checks" if shown.code == Prompt.ACT_CHECK else "calls"
        return Deed("act", shown.seat, 0, f"seat {shown.seat} {word}")

    def _betting(self, shown: Shown) -> Deed | None:
        self._table.hands.press("next")
        self._finished = shown.serial
        return Deed("next", 0, 0, "says that the betting is complete")

    def _show_hand(self, shown: Shown) -> Deed | None:
        felt = self._table.felt
        cards = felt.cards(f"seat:{shown.seat}")
        if any(felt.face(card) != UP for card in cards):
            self._table.hands.turn_up(shown.seat)
            return Deed("show-hand", shown.seat, len(cards), f"seat {shown.seat} tables its cards")
        zones = self._table.zones
        seen = zones is not None and zones.able_to.facing and zones.reads(f"seat:{shown.seat}")
        if seen or not cards:
            return None
        return self._ack(shown, f"confirms that seat {shown.seat} has shown")

    def _push_pot(self, shown: Shown) -> Deed | None:
        to = f" to seat {shown.seat}" if shown.seat else ""
        return self._ack(shown, f"pushes the pot{to}", kind="push-pot")

    def _ack(self, shown: Shown, words: str, *, kind: str = "ack") -> Deed:
        self._table.hands.press("ack")
        self._finished = shown.serial
        return Deed(kind, shown.seat if kind == "push-pot" else 0, 0, words)

    def _deck_for_machine(self) -> str:
        """The deck that is on its way into the machine already, else the first that is not in play."""
        felt = self._table.felt
        for place in ("input", "returned", "pack"):
            for card in felt.cards(place):
                if card.deck in self._table.decks and not card.is_cut_card:
                    return card.deck
        for deck, cards in self._table.decks.items():
            if all(felt.where(card) == "away" for card in cards if not card.is_cut_card):
                return deck
        return self._table.deck_in_play


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"
