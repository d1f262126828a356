"""What goes wrong at a table, by name: every irregularity, in the phases in which it can come."""

import random
from collections.abc import Callable, Mapping
from typing import Final, cast

from controller.door import Wish
from controller.events import DeviceName
from controller.loading_steps import WASHING
from hil_rigs.virtual.codes import Fault, Lid
from hil_rigs.virtual.felt import DOWN, OFF_TABLE, UP, ZONES
from hil_rigs.virtual.hands import CannotDo
from hil_rigs.virtual.mishaps import MISHAPS
from hil_rigs.virtual.table import VirtualTable
from tests.anything.bench import FloorBench
from tests.anything.seen import Seen

KEYS: Final = (
    *("next", "exposed", "exposed", "misdeal", "floor", "plays-board", "muck", "undo", "undo", "ack"),
    *("yes", "no"),
)
ACTIONS: Final = ("fold", "check", "call", "raise", "all-in")
_NO_DECK: Final = ("foreign-card", "missing-card", "duplicate-card", "joker")
_WRONG_PACK: Final = tuple(what for what in MISHAPS if what[0] == "shoe" and what[1] in _NO_DECK)
_SLIPS: Final = ("misread", "double-feed")
_STREET_OF: Final = {"flop-deal": 3, "turn-deal": 4, "river-deal": 5}


class Mishaps:
    """Does one thing wrong at a time. Raises CannotDo where the table does not let it."""

    def __init__(self, dice: random.Random, bench: FloorBench, seen: Seen, told: list[str]) -> None:
        self.dice = dice
        self.bench = bench
        self.table: VirtualTable = bench.table
        self.felt = bench.table.felt
        self.hands = bench.table.hands
        self.seen = seen
        self.told = told
        self.rest: Callable[[], None] = bench.rest
        early = (self.early_board, self.early_board, self.burn_early, self.burn_early)
        hole = (self.exposed_by_key, self.turned_up, self.turned_up)
        street = (self.overfull, self.overfull, self.underfull, self.burn_early, self.face_down, self.boxed)
        self.by_phase: Mapping[str, tuple[Callable[[], object], ...]] = {
            "deal": (
                *(self.dealt_up, self.dealt_up, self.dealt_elsewhere, self.dealt_elsewhere, self.skips),
                *(self.off_table, self.boxed, self.boxed, self.press_misdeal, self.stops_short),
                *(*hole, *early),
            ),
            "preflop": (self.extra, self.extra, self.extra, self.press_misdeal, *hole, *early, *early),
            "flop-deal": street,
            "flop": (*early, *early, self.burn_seen, self.turned_up),
            "turn-deal": street,
            "turn": (*early, self.burn_seen),
            "river-deal": street,
            "river": (*early, self.burn_seen),
            "showdown": (self.give_up, self.give_up, self.plays_board, self.turned_up),
        }
        self.anywhere: tuple[Callable[[], object], ...] = (
            *(self.draw, self.draw, self.carry, self.carry, self.throw, self.press, self.press, self.press),
            *(self.act, self.wait, self.wait, self.slip, self.slip, self.wish),
        )
        self.machines: tuple[Callable[[], object], ...] = (
            *(self.lid, self.restart, self.lose, self.jam, self.push_back, self.half_drawn),
            *(self.misread, self.misread, self.wrong_pack, self.unreadable),
        )

    def pick(self, phase: str) -> Callable[[], object]:
        """Something that may go wrong in this phase."""
        luck = self.dice.random()
        if self.seen.asked == "burn" and luck < 0.5:
            return self.skip_burn
        if phase in self.by_phase and luck < 0.6:
            return self.dice.choice(self.by_phase[phase])
        return self.dice.choice(self.machines if luck > 0.85 else self.anywhere)

    # Seats

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats dealt in."""
        return self.table.dealer.seats

    def seat(self) -> int:
        """A seat, rather the one that the prompt names."""
        shown = self.table.prompts.display
        if shown is not None and shown.seat in self.dealt_in and self.dice.random() < 0.4:
            return shown.seat
        return self.dice.choice(self.dealt_in)

    def due_seat(self) -> int:
        """The seat whose card comes next in the deal."""
        shown = self.table.prompts.display
        order = self.table.dealer.deal_order(shown.seat if shown is not None else 0)
        return min(order, key=lambda seat: len(self.felt.cards(f"seat:{seat}")))

    # In the deal

    def dealt_up(self) -> None:
        """A hole card is exposed as it is dealt."""
        self._draw(f"seat:{self.due_seat()}", face=UP)

    def dealt_elsewhere(self) -> None:
        """To a seat that has its card, to one that is not dealt in, out of the deal's order."""
        self._draw(self.dice.choice((*(f"seat:{seat}" for seat in range(1, 12)), "board", "burn")))

    def skips(self) -> None:
        """Past the seat whose card it is."""
        order = self.table.dealer.deal_order(self.due_seat())
        self._draw(f"seat:{order[1]}")

    def off_table(self) -> None:
        """A card leaves the table."""
        self._draw(OFF_TABLE)
        if self.dice.random() < 0.6:
            self.rest()
            self.key("exposed", self.dice.choice((0, 0, self.seat())))

    def boxed(self) -> None:
        """A card lay face up in the pack."""
        board = "board" if self.felt.cards("board") else "scrap"
        place = self.dice.choice(("scrap", "aside", f"seat:{self.due_seat()}", board))
        self._draw(place, face=UP, boxed=True)

    def stops_short(self) -> None:
        """The deal is taken for over although cards are due: a burn, a flop, an act."""
        deeds = (lambda: self._draw("burn"), lambda: self._draw("board", 3, UP), self.act, self.next)
        self.dice.choice(deeds)()

    def press_misdeal(self) -> None:
        """The dealer declares a misdeal, and may take it back."""
        self.key("misdeal", 0)
        if self.dice.random() < 0.3:
            self.rest()
            self.key("undo", 0)

    def exposed_by_key(self) -> None:
        """A card is said to have been exposed, and may be taken back."""
        self.key("exposed", self.dice.choice((0, self.seat())))
        if self.dice.random() < 0.3:
            self.rest()
            self.key("undo", 0)

    def turned_up(self) -> None:
        """A card is turned over at its seat: by the player, or, says the key, by the dealer."""
        seat = self.seat()
        self.hands.turn_up(seat, card=self.dice.choice((1, 1, 2)))
        if self.dice.random() < 0.6:
            self.rest()
            self.key("exposed", seat)

    def extra(self) -> None:
        """Cards too many after the deal."""
        order = self.table.dealer.deal_order(min(self.dealt_in))
        seat = self.dice.choice((*order, self.due_seat()))
        self._draw(f"seat:{seat}", self.dice.choice((1, 1, 1, 2)), self.dice.choice((DOWN, DOWN, UP)))

    # On the streets

    def early_board(self) -> None:
        """Board cards before the betting is complete, one or several, at once or later."""
        if self.dice.random() < 0.3:
            self.table.advance(self.dice.choice((1_999, 2_001, 2_500)))
        count = 3 if not self.felt.cards("board") and self.dice.random() < 0.5 else 1
        self._draw("board", self.dice.choice((count, count, 2, 4)), UP)

    def burn_early(self) -> None:
        """A burn by hand, too early or once too often, face down or up; or one missing, as it were."""
        self._draw("burn", self.dice.choice((1, 1, 2)), self.dice.choice((DOWN, DOWN, DOWN, UP)))

    def skip_burn(self) -> None:
        """The street comes without its burn, and perhaps somebody acts on it."""
        street = 1 if self.felt.cards("board") else 3
        self._draw("board", street, self.dice.choice((UP, UP, DOWN)))
        if self.dice.random() < 0.3:
            self.rest()
            self.dice.choice((self.act, self.next))()

    def burn_seen(self) -> None:
        """A burn that lies is turned over."""
        burns = self.felt.cards("burn")
        if not burns:
            raise CannotDo("nothing is burned")
        self.felt.turn(burns[-1], UP)
        if self.dice.random() < 0.5:
            self.rest()
            self.key("exposed", 0)

    def overfull(self) -> None:
        """More than the street's cards, or the street without its burn."""
        left = _STREET_OF.get(self.seen.phase, 3) - len(self.felt.cards("board"))
        self._draw("board", max(1, left + self.dice.choice((0, 1, 1, 2))), UP)

    def underfull(self) -> None:
        """A street is left incomplete, and the betting goes on."""
        self._draw("board", self.dice.choice((1, 2)), UP)
        self.rest()
        self.dice.choice((self.act, self.next, lambda: self._draw("burn")))()

    def face_down(self) -> None:
        """Board cards that lie face down."""
        self._draw("board", self.dice.choice((1, 3)), DOWN)

    # At showdown

    def give_up(self) -> None:
        """A hand is mucked: by the key, by its cards, or half of it."""
        seat = self.seat()
        if self.dice.random() < 0.5:
            self.key("muck", seat)
            if self.dice.random() < 0.5:
                self.rest()
                self.hands.muck(seat)
        else:
            self.throw(seat)

    def plays_board(self) -> None:
        """A player declares that he plays the board, and lets his cards go or not."""
        seat = self.seat()
        self.key("plays-board", seat)
        if self.dice.random() < 0.6:
            self.rest()
            self.hands.muck(seat)

    # Anywhere

    def draw(self) -> None:
        """Cards from the shoe to anywhere."""
        place = self.dice.choice(
            ("board", "board", "burn", "muck", "aside", *(f"seat:{s}" for s in self.dealt_in))
        )
        self._draw(place, self.dice.choice((1, 1, 2, 4)), self.dice.choice((UP, DOWN)))

    def carry(self) -> None:
        """A card that lies is carried elsewhere; where nothing looks, only what hands may take."""
        lying = [card for place in ZONES for card in self.felt.cards(place) if card.deck == self.seen.deck]
        if not lying or self.table.zones is None:
            raise CannotDo("nothing lies there")
        card = self.dice.choice(lying)
        to = self.dice.choice(("muck", "board", "aside", "burn", *(f"seat:{seat}" for seat in self.dealt_in)))
        self.told.append(f"  from {self.felt.where(card)} to {to}")
        self.hands.lay((card,), to)

    def throw(self, seat: int = 0) -> None:
        """A hand, or a part of it, goes to the muck."""
        cards = self.felt.cards(f"seat:{seat or self.seat()}")
        if self.table.zones is None or not cards:
            raise CannotDo("nothing that an antenna sees lies there")
        thrown = cards if self.dice.random() < 0.6 else cards[: self.dice.randint(1, len(cards))]
        self.told.append(f"  {len(thrown)} of {len(cards)}")
        self.hands.lay(thrown, "muck", face=DOWN)

    def press(self) -> None:
        """A key, with a seat or none; but no `ack` for a set that is still to be washed by hand: nothing
        proves that one."""
        key, seat = self.dice.choice(KEYS), self.dice.choice((0, self.seat()))
        if key == "ack" and self.seen.bench.core._loading.step in WASHING:
            raise CannotDo("the set is not washed yet")
        self.key(key, seat)

    def next(self) -> None:
        """The dealer takes the betting for complete."""
        self.key("next", 0)

    def key(self, key: str, seat: int) -> None:
        """Presses a key."""
        self.told.append(f"  {key} {seat}")
        self.seen.known.hears({"do": "key", "key": key})
        self.hands.press(key, seat)

    def act(self) -> None:
        """A player's act, lawful or not."""
        seat, action = self.seat(), self.dice.choice(ACTIONS)
        self.told.append(f"  seat {seat} {action}")
        self.hands.act(seat, action, self.dice.choice((10, 20, 40, 100)))
        if action == "fold" and self.dice.random() < 0.7:
            self.rest()
            self.hands.muck(seat)

    def wait(self) -> None:
        """Time passes."""
        self.table.advance(self.dice.choice((1_000, 3_500, 9_999, 11_000, 31_000)))

    def slip(self) -> None:
        """The next set that is laid in will be wrong, or the next cut is not made."""
        self.table.dealer.mistake = self.dice.choice(("keep-card", "add-burn", "skip-cut"))

    def wish(self) -> None:
        """A player comes, goes or buys chips."""
        change = self.dice.choice(("out", "back", "add", "straddle", "leave", "sit"))
        chips = 100 if change in ("add", "sit") else 0
        entry = self.dice.choice(("wait", "post")) if change == "sit" else "wait"
        self.told.append(f"  {change}")
        self.bench.wish(Wish(at=self.dice.randint(1, 11), change=change, chips=chips, entry=entry))  # type: ignore[arg-type]

    # Machines

    def lid(self) -> None:
        """The shoe's lid is opened, by force, and perhaps shut."""
        shoe = self.table.shoe
        if shoe.lid == Lid.OPEN:
            self.hands.close_lid()
        else:
            shoe.open_lid()
            if self.dice.random() < 0.5:
                self.hands.close_lid()

    def restart(self) -> None:
        """A device loses its power for a moment."""
        name = self.dice.choice(tuple(self.table.devices))
        self.told.append(f"  {name}")
        self.table.devices[name].power_cycle()
        self.bench.answers(name, restarted=True)

    def lose(self) -> None:
        """A device does not answer for a moment."""
        name = self.dice.choice(tuple(self.table.devices))
        self.told.append(f"  {name}")
        self.bench.service.lost(cast(DeviceName, name), "silent")
        self.bench.answers(name, restarted=False)

    def jam(self) -> None:
        """A machine jams, or is freed."""
        device = self.dice.choice((self.table.shoe, self.table.shuffler))
        if device.jammed:
            device.end_fault(Fault.JAM)
        else:
            device.begin_fault(Fault.JAM)

    def push_back(self) -> None:
        """A card is half drawn and pushed back."""
        self.hands.push_back()

    def half_drawn(self) -> None:
        """A card is half drawn for too long."""
        self.table.shoe.begin_fault(Fault.CARD_TIMEOUT)
        self.table.shoe.end_fault(Fault.CARD_TIMEOUT)

    def misread(self) -> None:
        """The next card is not read, or leaves with another one."""
        what = self.dice.choice(_SLIPS)
        self.told.append(f"  {what}")
        MISHAPS["shoe", what](self.table)
        self.seen.unread.update(self.felt.cards("shoe")[:3])

    def unreadable(self) -> None:
        """The tag of the next card never answers at the lip."""
        top = self.felt.cards("shoe")[:1]
        self.table.shoe.unreadable.update(top)
        self.seen.unread.update(top)

    def wrong_pack(self) -> None:
        """The deck is no deck: a foreign card, one missing, whatever a table knows."""
        what = self.dice.choice(_WRONG_PACK)
        self.told.append(f"  {what[1]}")
        before = set(self.felt.cards("shoe"))
        MISHAPS[what](self.table)
        self.seen.unread.update(before - set(self.felt.cards("shoe")))

    def _draw(self, to: str, count: int = 1, face: str = DOWN, *, boxed: bool = False) -> None:
        self.told.append(f"  {count} to {to} {face}{' boxed' * boxed}")
        self.hands.draw(to, count=count, face=face, boxed=boxed)
