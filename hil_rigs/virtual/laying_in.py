"""Cards on their way into the shuffler: which belong, what came back, and what a dealer may get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.deeds import Deed, Slip, Standing, in_words
from hil_rigs.virtual.felt import OFF_TABLE, ZONES, Card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_LOOSE = (*ZONES, "returned", "pack", "away", OFF_TABLE)
_AT_HAND = ("input", "returned", "pack", "away")
_KEPT_FROM = (*ZONES, "pack", "returned", "away", OFF_TABLE)


class LayingIn:
    """The steps that end in the shuffler's input.

    `wanted` is the set that the shuffler was last asked to prove. It is fixed when a prompt first stands, so
    that the same set is laid in again whatever came back.
    """

    def __init__(self, table: VirtualTable, standing: Standing, slip: Slip) -> None:
        self._table = table
        self._felt = table.felt
        self._standing = standing
        self._slip = slip
        self.wanted: frozenset[Card] = frozenset()
        self._fixed_under = 0
        self._kept: Card | None = None
        self._kept_under = 0
        self.steps: dict[int, Callable[[Shown], Deed | None]] = {
            Prompt.DECK_IN: self._deck_in,
            Prompt.OTHER_DECK_IN: self._other_deck_in,
            Prompt.PARKED_DECK_IN: self._parked_deck_in,
            Prompt.PARK_DECK: self._park_deck,
            Prompt.WRONG_SET: self._set_again,
            Prompt.SET_MISSING: self._set_again,
            Prompt.SET_TOO_MANY: self._set_too_many,
            Prompt.GATHER: self._gather,
            Prompt.GATHER_MISDEAL: self._gather,
            Prompt.GATHER_BOARD: self._gather_board,
            Prompt.GATHER_ASIDE: self._gather_aside,
            Prompt.GATHER_BURN_BOARD: self._gather_burn_board,
            Prompt.GATHER_STUB: self._gather_stub,
            Prompt.GATHER_WITH_MUCK: lambda shown: self._gather_mixed(shown, "muck"),
            Prompt.GATHER_WITH_BURNS: lambda shown: self._gather_mixed(shown, "burn"),
            Prompt.GATHER_WITH_BOTH: lambda shown: self._gather_mixed(shown, "muck", "burn"),
        }

    def _deck_in(self, shown: Shown) -> Deed:
        """The first deck of which no card is in the machine, wherever it lies."""
        inside = set(self._felt.cards("machine")) | set(self._felt.cards("output"))
        free = [deck for deck in self._table.decks if not inside & self._members(deck)]
        self.wanted = self._members(free[0] if free else self._deck_for_machine())
        return self._lay_deck_in(shown)

    def _other_deck_in(self, shown: Shown) -> Deed:
        self.wanted = self._members(self._deck_for_machine())
        return self._lay_deck_in(shown)

    def _lay_deck_in(self, shown: Shown) -> Deed:
        """A stub that is in the way, or belongs to the deck, comes out of the shoe before it."""
        self._free_hands()
        stub = set(self._felt.cards("shoe"))
        if stub and (shown.code == Prompt.DECK_IN or stub & self.wanted):
            in_hand = [card for card in self._felt.cards("pack") if not card.is_cut_card]
            if in_hand:  # the second of two that left at once: he needs his hands for the stub
                self._table.hands.lay_in_cards(tuple(in_hand))
            self._table.hands.unload_shoe()
            self._free_hands()
        return self._lay_in_wanted(shown, "lays the deck into the shuffler")

    def _free_hands(self) -> None:
        """What does not belong to the deck that is asked for is put into its tray, out of hand and input."""
        held = [card for card in self._felt.cards("pack") if not card.is_cut_card]
        if held and not self.wanted.intersection(held):
            self._table.hands.park_pack()
        if not self.wanted.intersection(self._felt.cards("input")):
            for card in self._felt.cards("input"):
                self._felt.move(card, "away")

    def _parked_deck_in(self, shown: Shown) -> Deed:
        """The deck that was parked or never came into play, whatever of the other lies in his hands."""
        whole = [
            deck
            for place in ("away", "input")
            for deck in self._table.decks
            if set(self._felt.cards(place)) >= self._members(deck)
        ]
        self.wanted = self._members(whole[0] if whole else self._deck_for_machine())
        return self._lay_deck_in(shown)

    def _park_deck(self, shown: Shown) -> Deed:
        """The other deck out of the machine and covered into its tray; of what it gave back the key must
        tell."""
        hands, waiting = self._table.hands, len(self._felt.cards("output"))
        given_back = len(self._felt.cards("returned"))
        if not waiting and not given_back:
            return self._standing.ack(shown, "confirms that the other deck is parked")
        if waiting:
            hands.lift_pack()
            self._standing.finished = shown.serial
        else:
            hands.take_up("returned")
        hands.park_pack()
        return Deed("park-deck", 0, waiting or given_back, "parks the other deck in its tray")

    def _set_again(self, shown: Shown) -> Deed:
        unwanted = self._unwanted()
        if unwanted:
            return self._put_back(unwanted)
        return self._lay_in_wanted(shown, "lays the right set into the shuffler")

    def _set_too_many(self, shown: Shown) -> Deed:
        if self._standing.half_done == shown.serial:
            return self._standing.ack(shown, "confirms that the cards are back where they lay")
        unwanted = self._unwanted()
        if not unwanted:
            return self._standing.ack(shown, "confirms that no card too many is there")
        # Where antennas prove it the prompt is another by then; where it still stands, it waits for the key.
        self._standing.half_done = shown.serial
        return self._put_back(unwanted)

    def _unwanted(self) -> list[Card]:
        """What the shuffler gave back and what does not belong to the set."""
        if not self.wanted:
            self.wanted = self._members(self._deck_for_machine())
        return [card for card in self._felt.cards("returned") if card not in self.wanted]

    def _put_back(self, cards: list[Card]) -> Deed:
        for card in cards:
            self._table.hands.put_back(card)
        return Deed("put-back", 0, len(cards), f"puts {in_words(len(cards))} back")

    def _gather(self, shown: Shown) -> Deed:
        if self._fixed_under != self._standing.first(shown):
            self._fixed_under = self._standing.first(shown)
            self.wanted = self._members(self._table.deck_in_play)
        loose = [
            card
            for place in _LOOSE
            for card in self._felt.cards(place)
            if card in self.wanted or (card.is_cut_card and place != "away")
        ]
        deed = self._lay_in(shown, loose, "gathers {} into the shuffler", kind="gather")
        if deed is None and self._felt.cards("shoe"):
            self._table.hands.unload_shoe()
            stub = self._felt.cards("pack")
            deed = self._lay_in(shown, stub, "lays the stub of {} into the shuffler", kind="gather")
        return deed or self._standing.ack(shown, "confirms that every card is in")

    def _gather_board(self, shown: Shown) -> Deed:
        self._fix(shown, "board", "aside")  # a void board card may have been laid aside
        return self._lay_in_wanted(shown, "lays the board and the stub into the shuffler")

    def _gather_stub(self, shown: Shown) -> Deed:
        self._fix(shown)
        return self._lay_in_wanted(shown, "lays the stub into the shuffler")

    def _gather_mixed(self, shown: Shown, *places: str) -> Deed | None:
        self._fix(shown, *places)
        return self._lay_in_wanted(shown, "lays the stub and what it has met into the shuffler")

    def _gather_aside(self, shown: Shown) -> Deed:
        self._fix(shown, "aside")
        return self._lay_in_wanted(shown, "lays the cards set aside and the stub into the shuffler")

    def _gather_burn_board(self, shown: Shown) -> Deed:
        self._fix(shown, "board", "aside", last_of="burn")
        return self._lay_in_wanted(shown, "lays the board, the last burn and the stub into the shuffler")

    def _fix(self, shown: Shown, *places: str, last_of: str | None = None) -> None:
        """The set is what lies in these places, the last card of another, and the stub in hand, wherever its
        cards were laid since."""
        if self._fixed_under == self._standing.first(shown):
            return
        self._fixed_under = self._standing.first(shown)
        lying = [card for place in (*places, "pack") for card in self._standing.lying(place)]
        lying += self._felt.cards(last_of)[-1:] if last_of is not None else ()
        on_the_way = [card for way in ("input", "returned", "away") for card in self._felt.cards(way)]
        played = self._table.deck_in_play  # the other deck may be parked
        belong = [
            card
            for card in on_the_way
            if card.deck == played and self._felt.fed_from(card) in (*places, "pack")
        ]
        self.wanted = frozenset(card for card in (*lying, *belong) if not card.is_cut_card)

    def _lay_in_wanted(self, shown: Shown, words: str) -> Deed:
        missing = [card for place in _LOOSE for card in self._felt.cards(place) if card in self.wanted]
        deed = self._lay_in(shown, missing, words)
        return deed or self._standing.ack(shown, "confirms that the cards are in")

    def _lay_in(
        self, shown: Shown, cards: Iterable[Card], words: str, *, kind: str = "lay-in"
    ) -> Deed | None:
        """Lay cards in, but for what he is to get wrong; None where nothing is left to lay in."""
        first = self._standing.first(shown)
        if self._kept_under != first:
            self._kept = None
        chosen = [card for card in cards if card != self._kept]
        if chosen and self._slip.take("keep-card"):
            kept = min(chosen, key=lambda card: _KEPT_FROM.index(self._felt.where(card)))
            chosen.remove(kept)
            self._kept, self._kept_under = kept, first
        if chosen and self._slip.take("add-burn"):
            chosen += self._burn_too_many()
        if not chosen:
            return None
        self._table.hands.lay_in_cards(tuple(chosen))
        moved = sum(not card.is_cut_card for card in chosen)
        return Deed(kind, 0, moved, words.format(in_words(moved)))

    def _burn_too_many(self) -> tuple[Card, ...]:
        burn = self._felt.cards("burn")[-1:]
        if not burn:
            self._slip.why_not = "the burn tray is empty"
        elif burn[0] in self.wanted:
            self._slip.why_not = "the burn belongs to the set"
            return ()
        return burn

    def _members(self, deck: str) -> frozenset[Card]:
        return frozenset(card for card in self._table.decks[deck] if not card.is_cut_card)

    def _deck_for_machine(self) -> str:
        """The deck that is on its way into the machine already, else the one that is off the table."""
        for place in ("input", "returned", "pack"):
            for card in self._felt.cards(place):
                if card.deck in self._table.decks and not card.is_cut_card:
                    return card.deck
        if any(card.deck in self._table.decks for card in self._felt.cards("away") if not card.is_cut_card):
            return self._table.deck_most_in("away")
        return self._table.deck_in_play
