"""The dealer, and players who check or call: they do what the prompt asks, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.by_hand import ByHand
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed, Mistake, Slip, Standing
from hil_rigs.virtual.felt import DOWN, UP, Card, Change
from hil_rigs.virtual.folds import Folds
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.laying_in import LayingIn
from hil_rigs.virtual.remedies import Remedies
from hil_rigs.virtual.ring import lit_seats

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_ACTS = {
    Prompt.ACT_CHECK: "checks",
    Prompt.ACT_CALL: "calls",
    Prompt.ACT_FIRST: "checks or calls",
}
_STREETS = {Prompt.DEAL_FLOP: "flop", Prompt.DEAL_TURN: "turn", Prompt.DEAL_RIVER: "river"}


class Dealer:
    """Obeys prompts. He looks at the display and at the felt.

    `seats` are dealt in: those that were lit when a deal was asked for, all until one was.
    `stopped` says why he could not do what was asked last. Without a `mistake` he is faultless.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.seats: tuple[int, ...] = tuple(sorted(table.setup.seats))
        self.stopped = ""
        self._standing = Standing(table)
        self._slip = Slip()
        self._laying_in = LayingIn(table, self._standing, self._slip)
        self._folds = Folds(table, self._standing)
        self._street_under = 0  # first serial of the prompt under which board cards are counted
        self._street_dealt = 0
        self._uncut_under = 0  # first serial of the prompt whose cut he only said
        table.felt.listeners.append(self._changed)
        self._steps: dict[int, Callable[[Shown], Deed | None]] = {
            **self._laying_in.steps,
            **Remedies(table, self._standing).steps,
            **self._folds.steps,
            **ByHand(table, self._standing).steps,
            Prompt.LIFT_PACK: self._lift_pack,
            Prompt.CUT_PACK: self._cut_pack,
            Prompt.CUT_CARD_UNDER: self._cut_card_under,
            Prompt.LOAD_SHOE: self._load_shoe,
            Prompt.DRAW_BUTTON: self._draw_button,
            Prompt.TURN_UP: self._turn_up,
            Prompt.DEAL_HOLE: self._deal_hole,
            Prompt.DEAL_ON: self.deal_on,
            Prompt.ACT_CHECK: self._act,
            Prompt.ACT_CALL: self._act,
            Prompt.ACT_FIRST: self._act,
            Prompt.BETTING: self._betting,
            Prompt.BETTING_COMPLETE: self._betting_complete,
            Prompt.BURN: self._burn,
            Prompt.BURN_AGAIN: self._burn,
            Prompt.DEAL_FLOP: self._deal_board,
            Prompt.DEAL_TURN: self._deal_board,
            Prompt.DEAL_RIVER: self._deal_board,
            Prompt.SHOW_HAND: self._show_hand,
            Prompt.TAKE_RAKE: self._take_rake,
            Prompt.PUSH_POT: self._push_pot,
        }

    @property
    def wanted(self) -> frozenset[Card]:
        """The set that the shuffler was last asked to prove."""
        return self._laying_in.wanted

    @property
    def mistake(self) -> Mistake | None:
        """The one mistake that he is to make, at the first step that it fits; None once it is made."""
        return self._slip.due

    @mistake.setter
    def mistake(self, mistake: Mistake | None) -> None:
        self._slip.due = mistake
        self._slip.why_not = ""

    def give_up_mistake(self) -> str:
        """Forget the mistake; return why it could not be made, nothing where it was or none was asked for."""
        why_not = self._slip.why_not
        if self._slip.due == "skip-cut":
            why_not = "the machine cuts" if self._table.shuffler.able_to.cuts else "no cut was asked for"
        elif self._slip.due is not None:
            why_not = "no card was asked for in the shuffler"
        self.mistake = None
        return why_not

    def obey(self) -> Deed | None:
        """Do one step of what the prompt on display asks; None where there is nothing to do now."""
        self.stopped = ""
        shown = self._table.prompts.display
        if shown is None or shown.serial == self._standing.finished or shown.code not in self._steps:
            return None
        try:
            return self._steps[shown.code](shown)
        except CannotDo as stopped:  # a gate, a lid or a cover is still shut: he waits
            self.stopped = stopped.why
            return None

    def deal_order(self, first: int) -> tuple[int, ...]:
        """Return the seats dealt in, clockwise from `first`."""
        return tuple(seat for seat in self.seats if seat >= first) + tuple(s for s in self.seats if s < first)

    def _lift_pack(self, _shown: Shown) -> Deed | None:
        count = len(self._table.felt.cards("output"))
        if not count:
            return None
        if self._table.felt.cards("pack"):
            self._table.hands.park_pack()  # what he still holds is another pack
        self._table.hands.lift_pack()
        return Deed("lift-pack", 0, count, "lifts the pack out of the shuffler")

    def _cut_pack(self, shown: Shown) -> Deed | None:
        standing = self._standing
        if standing.half_done == shown.serial:
            return standing.ack(shown, "confirms the cut")
        if self._slip.take("skip-cut"):
            uncut = self._skip_cut(shown)
            if uncut is not None:
                return uncut
        elif self._uncut_under == standing.first(shown):
            self._uncut_under = 0
            return standing.ack(shown, "confirms once more a cut that he did not make")
        self._table.hands.cut_pack()
        if standing.sees("cut-plate"):
            standing.finished = shown.serial
        else:
            standing.half_done = shown.serial
        return Deed("cut-pack", 0, 0, "cuts the pack")

    def _skip_cut(self, shown: Shown) -> Deed | None:
        """Say what the plate will not bear out; where no antenna could contradict, load the pack uncut."""
        if self._standing.sees("cut-plate"):
            self._uncut_under = self._standing.first(shown)
            return self._standing.ack(shown, "confirms a cut that he did not make")
        count = len(self._table.felt.texts("pack"))
        try:
            self._table.hands.load_shoe()
        except CannotDo as stopped:
            self._slip.why_not = stopped.why
            return None
        return Deed("load-shoe", 0, count, "loads the shoe without a cut")

    def _cut_card_under(self, shown: Shown) -> Deed | None:
        pack = self._table.felt.cards("pack")
        if pack and not pack[-1].is_cut_card:
            self._table.hands.cut_card_under()
            return Deed("cut-card-under", 0, 0, "lays the cut card under the pack")
        return self._standing.ack(shown, "confirms that the cut card is under the pack")

    def _load_shoe(self, _shown: Shown) -> Deed | None:
        count = len(self._table.felt.texts("pack"))
        if not count:
            return None
        self._table.hands.load_shoe()
        return Deed("load-shoe", 0, count, "loads the shoe and closes its lid")

    def _draw_button(self, shown: Shown) -> Deed | None:
        self._see_who_is_lit(shown)
        return self._deal_round(shown.seat, 1, face=UP)

    def _turn_up(self, shown: Shown) -> Deed:
        self._table.hands.turn_up(shown.seat)
        return Deed("turn-up", shown.seat, 1, f"turns the card of seat {shown.seat} face up")

    def _deal_hole(self, shown: Shown) -> Deed | None:
        self._see_who_is_lit(shown)
        return self._deal_round(shown.seat, shown.count or self._table.setup.hole_cards)

    def _see_who_is_lit(self, shown: Shown) -> None:
        self.seats = lit_seats(self._table.prompts.able_to.leds, shown.spans) or self.seats

    def deal_on(self, _shown: Shown) -> Deed | None:
        """A card counts as exposed and stays where it is: the deal goes on as it was."""
        history = reversed(self._table.prompts.history)
        asked = next((past for past in history if past.code == Prompt.DEAL_HOLE), None)
        return self._deal_round(asked.seat if asked else 0, self._table.setup.hole_cards)

    def _deal_round(self, first: int, each: int, *, face: str = DOWN) -> Deed | None:
        order = self.deal_order(first)
        played = self._table.deck_in_play
        dealt = {seat: self._table.felt.cards(f"seat:{seat}") + self._folds.thrown(seat) for seat in order}
        held = {seat: sum(card.deck == played for card in cards) for seat, cards in dealt.items()}
        fewest = min(held.values())
        if fewest >= each:
            return None
        seat = next(seat for seat in order if held[seat] == fewest)
        self._table.hands.draw(f"seat:{seat}", face=face)
        return Deed("deal-hole", seat, 1, f"deals a card to seat {seat}")

    def _deal_board(self, shown: Shown) -> Deed | None:
        # Void cards may still lie on the board, so what counts is what was dealt since this was asked for.
        dealt = self._street_dealt if self._street_under == self._standing.first(shown) else 0
        if dealt >= shown.count:
            return None
        self._table.hands.draw("board", face=UP)
        street = _STREETS[Prompt(shown.code)]
        return Deed(f"deal-{street}", 0, 1, f"deals a card of the {street}")

    def _changed(self, change: Change) -> None:
        """Count a street's cards, whoever deals them; a joker is none."""
        history = self._table.prompts.history
        if not history or (change.source, change.target) != ("shoe", "board"):
            return
        if change.card.is_joker:
            return
        first = self._standing.first(history[-1])
        if self._street_under != first:
            self._street_under, self._street_dealt = first, 0
        self._street_dealt += 1

    def _burn(self, shown: Shown) -> Deed | None:
        self._table.hands.draw("burn")
        self._standing.finished = shown.serial
        return Deed("burn", 0, 1, "burns a card")

    def _act(self, shown: Shown) -> Deed | None:
        self._table.hands.act(shown.seat, "check-or-call")
        self._standing.finished = shown.serial
        word = _ACTS[Prompt(shown.code)]
        return Deed("act", shown.seat, 0, f"seat {shown.seat} {word}")

    def _betting(self, shown: Shown) -> Deed | None:
        self._table.hands.press("next")
        self._standing.finished = shown.serial
        return Deed("next", 0, 0, "says that the betting is complete")

    def _betting_complete(self, shown: Shown) -> Deed:
        """He is faultless: a betting that was complete he would have said to be."""
        self._table.hands.press("no")
        self._standing.finished = shown.serial
        return Deed("no", 0, 0, "says that the betting is not complete")

    def _show_hand(self, shown: Shown) -> Deed | None:
        felt = self._table.felt
        cards = felt.cards(f"seat:{shown.seat}")
        if any(felt.face(card) != UP for card in cards):
            self._table.hands.turn_up(shown.seat)
            return Deed("show-hand", shown.seat, len(cards), f"seat {shown.seat} tables its cards")
        zones = self._table.zones
        seen = zones is not None and zones.able_to.facing and self._standing.sees(f"seat:{shown.seat}")
        if seen or not cards:
            return None
        return self._standing.ack(shown, f"confirms that seat {shown.seat} has shown")

    def _take_rake(self, shown: Shown) -> Deed | None:
        return self._standing.ack(shown, f"takes {shown.count} for the house")

    def _push_pot(self, shown: Shown) -> Deed | None:
        to = f" to seat {shown.seat}" if shown.seat else ""
        return self._standing.ack(shown, f"pushes the pot{to}", kind="push-pot", seat=shown.seat)
