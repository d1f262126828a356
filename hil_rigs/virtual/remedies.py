"""What the dealer's hands do where a remedy asks: the prompts that no faultless hand has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hil_rigs.virtual.codes import Fault, Lid, Prompt
from hil_rigs.virtual.deeds import Deed, Standing, in_words
from hil_rigs.virtual.felt import DOWN, OFF_TABLE, UP, ZONES, Card, Change
from hil_rigs.virtual.hands import CannotDo

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.prompts import Shown
    from hil_rigs.virtual.table import VirtualTable

_LAST = slice(-1, None)
_STRAYS_LIE = ("board", "scrap", OFF_TABLE)


class Carried(NamedTuple):
    """A card that was laid from one place to another; `under` is the serial of the prompt on display."""

    card: Card
    source: str
    under: int


class Remedies:
    """The steps of remedies but for those that end in the shuffler.

    A prompt that is shown again (a key was refused, the ring came back) has no card moved twice.
    """

    def __init__(self, table: VirtualTable, standing: Standing) -> None:
        self._table = table
        self._felt = table.felt
        self._hands = table.hands
        self._standing = standing
        self._done_under = 0  # first serial of the prompt whose cards are moved, or washed
        self._moved_under = 0  # first serial of the prompt under which the last burn was laid to the board
        self._shoe = table.shoe
        self._drawn: list[Card] = []  # all that left the shoe
        self._carried: list[Carried] = []
        self._unloaded_under = 0  # first serial of the prompt under which the stub came out last
        self._felt.listeners.append(self._changed)
        self.steps: dict[int, Callable[[Shown], Deed | None]] = {
            Prompt.UNLOAD_SHOE: self._unload_shoe,
            Prompt.EARLY_FLOP: self._early_flop,
            Prompt.EARLY_ASIDE: self._early_aside,
            Prompt.REPLACE_EXPOSED: self._replace_exposed,
            Prompt.EXPOSED_TO_BURN: self._seat_to_burn,
            Prompt.EXTRA_TO_BURN: self._seat_to_burn,
            Prompt.EXTRA_TO_SEAT: self._extra_to_seat,
            Prompt.BURN_TO_SEAT: self._burn_to_seat,
            Prompt.WRONG_CARD: self._wrong_card,
            Prompt.SCRAMBLE_BOARD: lambda shown: self._scramble(shown, "board", "aside"),
            Prompt.SCRAMBLE_ASIDE: lambda shown: self._scramble(shown, "aside"),
            Prompt.BOARD_TO_BURN: self._board_to_burn,
            Prompt.SCRAMBLE_FLOP: self._scramble_flop,
            Prompt.PICK_BURN: self._pick_burn,
            Prompt.TURN_UP_BOARD: self._turn_up_board,
            Prompt.CARD_TO_SCRAP: self._card_to_scrap,
            Prompt.BURN_TO_BOARD: self._burn_to_board,
            Prompt.ASIDE_TO_BURN: self._aside_to_burn,
            Prompt.HAND_DEAD: self._hand_dead,
            Prompt.CARD_ASIDE: self._card_aside,
            Prompt.BURN_ASIDE: lambda shown: self._last_aside(shown, "burn", "the burn tray"),
            Prompt.MUCK_ASIDE: lambda shown: self._last_aside(shown, "muck", "the muck"),
            Prompt.BURN_SEEN: lambda shown: self._standing.ack(shown, "announces that the burn was seen"),
            Prompt.CARD_UNREAD: lambda shown: self._standing.ack(shown, "confirms where the card lies"),
            Prompt.TWO_AT_ONCE: self._two_at_once,
            Prompt.CARD_BACK_IN: lambda shown: self._standing.ack(shown, "confirms that the card is back in"),
            Prompt.CARD_STUCK: self._card_stuck,
            Prompt.JOKER_AWAY: self._joker_away,
            Prompt.RESTORE_STUB: self._restore_stub,
            Prompt.BUTTON_TO_SEAT: lambda shown: self._standing.ack(shown, "moves the button"),
            Prompt.BUTTON_NEXT_HAND: lambda shown: self._standing.ack(
                shown, "notes where the button belongs"
            ),
            Prompt.SCRAMBLE_WITH_MUCK: lambda shown: self._scramble(shown, "muck"),
            Prompt.SCRAMBLE_WITH_BURNS: lambda shown: self._scramble(shown, "burn"),
            Prompt.SCRAMBLE_WITH_BOTH: lambda shown: self._scramble(shown, "muck", "burn"),
            Prompt.TWO_BURNS_NEXT: lambda shown: self._standing.ack(shown, "announces that the card stands"),
            Prompt.NO_BURN_NEXT: lambda shown: self._standing.ack(shown, "announces that the card stands"),
            Prompt.SCRAMBLE_STUB: lambda shown: self._scramble(shown),
            Prompt.FIRST_TO_BURN: self._first_to_burn,
            Prompt.SCRAMBLE_BURN_BOARD: lambda shown: self._scramble(shown, "board", "aside", last_of="burn"),
        }

    def _two_at_once(self, shown: Shown) -> Deed:
        """The second card is still in hand: it goes where the next one belongs."""
        held, lying = self._shoe.held, self._drawn[-1:]
        if held is None or not lying:
            return self._standing.ack(shown, "confirms where the cards lie")
        place = self._felt.where(lying[0])
        if place.startswith("seat:") and (dealt := self._table.dealer.deal_on(shown)) is not None:
            return dealt
        place = "board" if place == "burn" else place
        self._hands.draw(place, face=UP if place == "board" else DOWN)
        return Deed("second-card", 0, 1, f"lays the second card down at {place}")

    def _card_stuck(self, shown: Shown) -> Deed:
        self._shoe.end_fault(Fault.CARD_TIMEOUT)  # the card is pushed back: the lip's sensor is free again
        return self._standing.ack(shown, "confirms that the lip is free")

    def _joker_away(self, shown: Shown) -> Deed:
        self._hands.put_away(tuple(c for place in ZONES for c in self._felt.cards(place) if c.is_joker))
        return self._standing.ack(shown, "lays the joker away")

    def _unload_shoe(self, shown: Shown) -> Deed | None:
        self._unloaded_under = self._standing.first(shown)
        if not self._felt.cards("shoe"):
            return None
        count = len(self._felt.texts("shoe"))
        self._hands.unload_shoe()
        words = f"takes the stub of {in_words(count)} out of the shoe" if count else "empties the shoe"
        return Deed("unload-shoe", 0, count, words)

    def _restore_stub(self, shown: Shown) -> Deed | None:
        """What fell is in hand, or lies where it belongs already: the lid is opened and closed over it."""
        if self._done_under == self._standing.first(shown):
            return None
        if not self._felt.cards("pack") and self._felt.cards("shoe"):
            if self._shoe.lid != Lid.OPEN:
                self._hands.open_lid()
            self._hands.close_lid()
        else:
            self._hands.cut_card_under()
            self._hands.load_shoe()
        self._done_under = self._standing.first(shown)
        self._standing.finished = shown.serial
        count = len(self._felt.texts("shoe"))
        return Deed("restore-stub", 0, count, f"puts the stub of {in_words(count)} back in its order")

    def _early_flop(self, shown: Shown) -> Deed:
        return self._standing.ack(shown, "confirms that the flop is void")

    def _early_aside(self, shown: Shown) -> Deed | None:
        count = shown.count or 1
        words = f"lays {in_words(count)} of the board aside, face up"
        return self._carry(shown, "board", "aside", words, which=slice(-count, None), face=UP)

    def _replace_exposed(self, shown: Shown) -> Deed:
        self._hands.draw(f"seat:{shown.seat}")
        self._standing.finished = shown.serial
        return Deed("replace-exposed", shown.seat, 1, f"deals a card to seat {shown.seat} in its place")

    def _seat_to_burn(self, shown: Shown) -> Deed | None:
        words = f"lays a card of seat {shown.seat} into the burn tray"
        if fallen := self._felt.cards(OFF_TABLE):
            return self._lay(shown, fallen[_LAST], "burn", words)
        which = slice(shown.count - 1, shown.count) if shown.count else _LAST
        return self._carry(shown, f"seat:{shown.seat}", "burn", words, which=which)

    def _extra_to_seat(self, shown: Shown) -> Deed | None:
        words = f"gives the last card of seat {shown.count} to seat {shown.seat}"
        return self._carry(shown, f"seat:{shown.count}", f"seat:{shown.seat}", words)

    def _burn_to_seat(self, shown: Shown) -> Deed | None:
        words = f"gives the last card of the burn tray to seat {shown.seat}"
        return self._carry(shown, "burn", f"seat:{shown.seat}", words)

    def _board_to_burn(self, shown: Shown) -> Deed | None:
        return self._carry(shown, "board", "burn", "lays the last card of the board into the burn tray")

    def _scramble_flop(self, shown: Shown) -> Deed:
        board = self._felt.cards("board")
        if any(self._felt.face(card) == UP for card in board):
            self._hands.lay(board, "board", face=DOWN)
            return Deed("turn-down", 0, len(board), "turns the board face down and scrambles it")
        return self._standing.ack(shown, "confirms that the board is scrambled")

    def _pick_burn(self, shown: Shown) -> Deed | None:
        """Face down and scrambled, one is as good as another: what the floor points at is chance."""
        board = self._felt.cards("board")
        picked = self._hands.point_at(board)
        words = "lays the card that the floor points at into the burn tray"
        return self._carry(shown, "board", "burn", words, which=slice(picked, picked + 1))

    def _turn_up_board(self, shown: Shown) -> Deed | None:
        board = self._felt.cards("board")
        if any(self._felt.face(card) == DOWN for card in board):
            self._hands.lay(board, "board", face=UP)
            return Deed("turn-up", 0, len(board), f"turns {in_words(len(board))} of the board face up")
        return None if self._standing.sees("board") else self._standing.ack(shown, "confirms that it is done")

    def _card_to_scrap(self, shown: Shown) -> Deed | None:
        boxed = [card for card in self._shoe.boxed if self._felt.where(card) in ZONES]
        cards = tuple(card for card in boxed if self._felt.where(card) != "scrap")
        if not boxed and shown.seat:
            cards = self._felt.cards(f"seat:{shown.seat}")[_LAST]  # a house rule has another card scrapped
        return self._lay(shown, cards, "scrap", "lays the card that lay face up in the pack away", face=UP)

    def _card_aside(self, shown: Shown) -> Deed | None:
        words = "lays the card that came last aside"
        if "ACK" in shown.text and self._standing.sees("aside"):
            self._standing.void.update(self._felt.cards("aside")[_LAST])
            return self._standing.ack(shown, "notes that the card which came to lie aside is void")
        if shown.seat:
            return self._is_void(shown, self._felt.cards(f"seat:{shown.seat}")[_LAST], words)
        known = (*self._shoe.boxed, *(card for card in self._drawn if card.is_joker))
        # What lies in the muck is asked for from there, where an antenna sees it.
        lie = _STRAYS_LIE if self._standing.sees("muck") else (*_STRAYS_LIE, "muck")
        came = [card for card in self._drawn if card not in known and self._felt.where(card) in lie]
        return self._is_void(shown, self._loose(came), words)

    def _last_aside(self, shown: Shown, source: str, named: str) -> Deed | None:
        count = shown.count or 1
        words = f"lays the last {in_words(count)} of {named} aside"
        return self._is_void(shown, self._felt.cards(source)[-count:], words)

    def _is_void(self, shown: Shown, cards: tuple[Card, ...], words: str) -> Deed | None:
        """What no rule has is laid aside, apart from what was set aside for a shuffle."""
        if self._done_under != self._standing.first(shown):
            self._standing.void.update(cards)
        return self._lay(shown, cards, "aside", words)

    def _loose(self, cards: list[Card]) -> tuple[Card, ...]:
        """The last of these that lies on the felt."""
        lying = [card for card in cards if self._felt.where(card) in ZONES]
        return tuple(lying[-1:])

    def _burn_to_board(self, shown: Shown) -> Deed | None:
        if down := tuple(card for card in self._felt.cards("board") if self._felt.face(card) == DOWN):
            self._hands.lay(down, "board", face=UP)
            return Deed("turn-up", 0, len(down), "turns the card on the board face up")
        return self._carry(shown, "burn", "board", "lays the last burn face up on the board", face=UP)

    def _aside_to_burn(self, shown: Shown) -> Deed | None:
        return self._carry(shown, "aside", "burn", "lays the card set aside into the burn tray")

    def _hand_dead(self, shown: Shown) -> Deed | None:
        words = f"lays the dead hand of seat {shown.seat} into the muck"
        return self._carry(shown, f"seat:{shown.seat}", "muck", words, which=slice(None))

    def _first_to_burn(self, shown: Shown) -> Deed | None:
        words = "lays the first card of the board into the burn tray"
        return self._carry(shown, "board", "burn", words, which=slice(0, 1))

    def _carry(
        self, shown: Shown, source: str, to: str, words: str, *, which: slice = _LAST, face: str = DOWN
    ) -> Deed | None:
        """Carry cards from one place to another, and say so where no antenna does."""
        if "seat:0" in (source, to):
            raise CannotDo("the display does not say at which seat")
        return self._lay(shown, self._felt.cards(source)[which], to, words, face=face)

    def _lay(
        self, shown: Shown, cards: tuple[Card, ...], to: str, words: str, *, face: str = DOWN
    ) -> Deed | None:
        """Lay cards somewhere, and say so where no antenna does."""
        first = self._standing.first(shown)
        seen = self._standing.sees(to)
        if self._done_under == first:
            return None if seen else self._standing.ack(shown, "confirms that it is done")
        self._hands.lay(cards, to, face=face)
        self._done_under = first
        if seen:
            self._standing.finished = shown.serial
        return Deed("carry", shown.seat, len(cards), words)

    def _wrong_card(self, shown: Shown) -> Deed | None:
        first = self._standing.first(shown)
        if self._done_under == first:
            return None
        cards, source = self._felt.cards("burn")[_LAST], ""
        last = self._carried[-1] if self._carried else None
        if last is not None and self._felt.where(last.card) in ZONES:
            cards, source = (last.card,), last.source
        to = f"seat:{shown.seat}" if shown.seat else source
        if not to:
            raise CannotDo("the display does not say where the card belongs")
        self._hands.lay(cards, to, face=UP if to in ("board", "aside") else DOWN)
        self._done_under = first
        self._standing.finished = shown.serial
        return Deed("take-back", shown.seat, 1, "takes the card back to where it belongs")

    def _scramble(self, shown: Shown, *places: str, last_of: str | None = None) -> Deed:
        first = self._standing.first(shown)
        if last_of is not None and self._moved_under != first:
            self._moved_under = first
            self._hands.lay(self._felt.cards(last_of)[-1:], "board")
        cards = [card for place in places for card in self._standing.lying(place)]
        if cards:
            self._hands.take_up(*places, leaving=self._standing.void)
            return Deed("take-up", 0, len(cards), f"takes {in_words(len(cards))} up to the stub")
        if self._done_under != first:
            count = len(self._felt.texts("pack"))
            self._hands.scramble()
            self._done_under = first
            return Deed("scramble", 0, count, f"washes {in_words(count)} face down")
        was_refused = self._standing.finished >= first
        if was_refused and (strays := self._strays(self._unloaded_under or first, places)):
            for card, source in strays.items():
                self._hands.lay((card,), source, face=DOWN)
            self._done_under = 0
            return Deed("take-back", 0, len(strays), f"brings {in_words(len(strays))} back to the others")
        return self._standing.ack(shown, "confirms that the cards are washed")

    def _strays(self, since: int, places: tuple[str, ...]) -> dict[Card, str]:
        """Cards that were to be washed and were carried off since a prompt; where they lay."""
        homes: dict[Card, str] = {}
        for carried in self._carried:
            if carried.under >= since:
                homes.setdefault(carried.card, carried.source)
        away = frozenset(ZONES) - frozenset(places)
        return {
            card: home for card, home in homes.items() if home in places and self._felt.where(card) in away
        }

    def _changed(self, change: Change) -> None:
        if change.source == "aside" and not change.turned:
            self._standing.void.discard(change.card)
        if change.source == "shoe" and change.target in ZONES:
            self._drawn.append(change.card)
        if change.source == "shoe" and change.target == "aside":
            self._standing.void.add(change.card)  # it was not set aside for a shuffle
        if change.target == "machine" and change.card in self._shoe.boxed:
            self._shoe.boxed.remove(change.card)  # it is a card like others again
        by_hand = change.source in ZONES and change.target in ZONES and not change.turned
        if by_hand:
            self._carried.append(Carried(change.card, change.source, len(self._table.prompts.history)))
