"""The virtual table: cards, hands, a faultless dealer and five devices, all from one seed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.dealer import Dealer
from hil_rigs.virtual.device import Clock, Device, Identity
from hil_rigs.virtual.felt import (
    PLACES,
    TEXTS,
    Card,
    Felt,
    ShuffleRecord,
    print_deck,
    print_jokers,
    rank_order,
)
from hil_rigs.virtual.hands import Hands
from hil_rigs.virtual.keypad import Keypad
from hil_rigs.virtual.link import DeviceLink
from hil_rigs.virtual.prompts import Prompts, PromptsOptions
from hil_rigs.virtual.shoe import Shoe, ShoeOptions
from hil_rigs.virtual.shuffler import Shuffler, ShufflerOptions
from hil_rigs.virtual.zones import Zones, ZonesOptions

SERIALS = {
    "shoe": "SH-V001",
    "shuffler": "SF-V001",
    "zones": "ZN-V001",
    "prompts": "PR-V001",
    "keypad": "KP-V001",
}
_BACKS = ("red", "blue")
_LEAST_CUT = 10
_IN_PLAY = ("shoe", "board", "burn", "muck", "aside", "scrap", *(f"seat:{seat}" for seat in range(1, 12)))


@dataclass(frozen=True)
class Setup:
    """How a virtual table is set up.

    `first_order` are the 52 cards in the order in which they leave the shoe after the first shuffle and cut.
    `zones` None: no antennas, so no such device. `button` 0: the lowest seat. `timed`: motions take the
    model's time instead of ending at once. `boot_salt` goes into the boot nonces alone: a table that lives
    longer than one process must not boot with a nonce that a journal already knows. `lateness` seeds when the
    zones report, apart from every other choice; None: `seed` does. `keys` are the keys that devices hold from
    before, by the device's name; one that is not named is not paired.
    """

    seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    button: int = 0
    hole_cards: int = 2
    seed: int | str = 0
    first_order: tuple[str, ...] | None = None
    shoe: ShoeOptions = field(default_factory=ShoeOptions)
    shuffler: ShufflerOptions = field(default_factory=ShufflerOptions)
    zones: ZonesOptions | None = field(default_factory=ZonesOptions)
    prompts: PromptsOptions = field(default_factory=PromptsOptions)
    keypad_acts: bool = True
    decks: int = 1
    serials: Mapping[str, str] = field(default_factory=lambda: dict(SERIALS))
    firmware: tuple[int, int, int] = (1, 0, 0)
    timed: bool = False
    boot_salt: str = ""
    lateness: int | str | None = None
    keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def late_seed(self) -> int | str:
        """The seed of the zones' lateness."""
        return self.seed if self.lateness is None else self.lateness


class SetupError(ValueError):
    """A table cannot be set up so."""


class VirtualTable:
    """The physical table. Raises SetupError for seats, decks or an order that cannot be."""

    def __init__(self, setup: Setup) -> None:
        _check(setup)
        self.setup = setup
        self.clock = Clock()
        self.decks: dict[str, tuple[Card, ...]] = {
            f"deck-{n + 1}": print_deck(setup.seed, f"deck-{n + 1}", _BACKS[n]) for n in range(setup.decks)
        }
        self.jokers: dict[str, tuple[Card, ...]] = {
            deck: print_jokers(setup.seed, deck, cards[0].back) for deck, cards in self.decks.items()
        }
        self.felt = Felt(card for cards in self.decks.values() for card in cards)
        self.shoe = Shoe(self._identity("shoe"), self.clock, self.felt, setup.shoe, setup.seed)
        self.shuffler = Shuffler(
            self._identity("shuffler"),
            self.clock,
            self.felt,
            setup.shuffler,
            permute=self._permuted,
            cut=self._cut,
        )
        self.zones: Zones | None = None
        if setup.zones is not None:
            self.zones = Zones(self._identity("zones"), self.clock, self.felt, setup.zones, setup.late_seed)
        self.prompts = Prompts(self._identity("prompts"), self.clock, setup.prompts)
        self.keypad = Keypad(self._identity("keypad"), self.clock, acts=setup.keypad_acts)
        self.devices: dict[str, Device] = {
            "shoe": self.shoe,
            "shuffler": self.shuffler,
            **({"zones": self.zones} if self.zones is not None else {}),
            "prompts": self.prompts,
            "keypad": self.keypad,
        }
        self.hands = Hands(self)
        self.dealer = Dealer(self)
        self._releases = 0
        self._picks = 0
        self._shuffle_of: dict[str, int] = {}  # by deck: which shuffle was its last

    @property
    def clock_ms(self) -> int:
        """The model's time in milliseconds."""
        return self.clock.ms

    @property
    def idle(self) -> bool:
        """No device runs a command or has something still to report."""
        return all(device.idle for device in self.devices.values())

    @property
    def deck_in_play(self) -> str:
        """The deck of which most cards lie on the table or in the shoe, else in the dealer's hands or away;
        the first deck where none does."""
        on_the_table = any(not card.is_cut_card for place in _IN_PLAY for card in self.felt.cards(place))
        return self.deck_most_in(*(_IN_PLAY if on_the_table else ("returned", "pack", "away")))

    def deck_most_in(self, *places: str) -> str:
        """The deck of which most cards lie in these places; the first deck where none does."""
        lying = [card.deck for place in places for card in self.felt.cards(place) if not card.is_cut_card]
        return max(self.decks, key=lying.count)

    def advance(self, ms: int) -> None:
        """Let the model's time pass, and what is due happen."""
        self.clock.ms += ms
        self.work()

    def work(self) -> None:
        """Let every device do what is due."""
        for device in self.devices.values():
            device.work()

    def link(self, name: str) -> DeviceLink:
        """Return a new link for a device, as after its power-up. Raises KeyError for no such device."""
        setup = self.setup
        rng = drawn(setup.seed, f"nonce:{name}", setup.boot_salt)
        pair_key = setup.keys.get(name, b"")
        return DeviceLink(self.devices[name], lambda: rng.getrandbits(64), pair_key=pair_key)

    def release_report(self) -> bool:
        """Let the zone reader say one of the things that it still has to say, chosen from the seed."""
        if self.zones is None or not self.zones.waiting:
            return False
        released = self.zones.release(drawn(self.setup.late_seed, "release", self._releases))
        self._releases += released
        return released

    def zones_of_truth(self, deck: str = "") -> dict[str, tuple[str, ...]]:
        """Return what lies in every place, of one deck or of all; cut cards are left out."""
        return {
            place: tuple(
                card.text
                for card in self.felt.cards(place)
                if not card.is_cut_card and deck in ("", card.deck)
            )
            for place in PLACES
        }

    def registry(self) -> bytes:
        """Return the decks as a registry file: JSON, UIDs in upper-case hex, most significant byte first."""
        decks = [
            {
                "id": deck,
                "name": f"Virtual {cards[0].back} deck",
                "back": cards[0].back,
                "tech": "iso15693",
                "cards": {card.uid.hex().upper(): card.text for card in cards if not card.is_cut_card},
                "cut_cards": [card.uid.hex().upper() for card in cards if card.is_cut_card],
                "jokers": [card.uid.hex().upper() for card in self.jokers[deck]],
            }
            for deck, cards in self.decks.items()
        ]
        return (json.dumps({"format": 1, "decks": decks}, indent=1) + "\n").encode()

    def write_registry(self, path: Path) -> None:
        """Print the decks into a registry file."""
        path.write_bytes(self.registry())

    def cut_stack(self, place: str) -> None:
        """A hand cuts the stack in a place."""
        self.felt.reorder(place, self._cut(self.felt.cards(place)))

    def permute_stack(self, place: str) -> None:
        """A hand scrambles the stack in a place."""
        self.felt.reorder(place, self._permuted(self.felt.cards(place), by="hand"))

    def pick_one(self, count: int) -> int:
        """A hand picks one of `count` things that nobody can tell apart; its place among them, from 0."""
        self._picks += 1
        return drawn(self.setup.seed, "picks", self._picks).randrange(count)

    def _identity(self, name: str) -> Identity:
        setup = self.setup
        return Identity(setup.serials.get(name, SERIALS[name]), setup.firmware, setup.timed)

    def _permuted(
        self, cards: Sequence[Card], by: Literal["machine", "hand"] = "machine"
    ) -> tuple[Card, ...]:
        """Return the cards in the order of the next shuffle, and record it as still uncut."""
        n = len(self.felt.shuffles)
        first = self.setup.first_order
        if n == 0 and first is not None and sorted(card.text for card in cards) == sorted(first):
            by_text = {card.text: card for card in cards}
            at = self._cut_at(n, len(cards))
            arranged = [by_text[text] for text in first]
            order = arranged[len(first) - at :] + arranged[: len(first) - at]
        else:
            order = sorted(cards, key=lambda card: card.uid)  # however the hands gathered them
            drawn(self.setup.seed, "shuffle", n).shuffle(order)
        texts = tuple(card.text for card in order if not card.is_cut_card)
        self.felt.shuffles.append(ShuffleRecord(rank_order(texts), texts, cut=False, by=by))
        self._shuffle_of |= {card.deck: n for card in order}
        return tuple(order)

    def _cut(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards cut once, and record the last shuffle of their deck as cut so."""
        n = max((self._shuffle_of.get(card.deck, -1) for card in cards), default=-1)
        at = self._cut_at(n, len(cards))
        order = (*cards[at:], *cards[:at])
        texts = tuple(card.text for card in order if not card.is_cut_card)
        if n >= 0 and set(self.felt.shuffles[n].order) == set(texts):
            self.felt.shuffles[n] = replace(self.felt.shuffles[n], order=texts, cut=True)
        return order

    def _cut_at(self, shuffle: int, cards: int) -> int:
        """Where the cut of a shuffle falls: 10 cards at least on each side of a full deck, 1 of a stub."""
        least = _LEAST_CUT if cards >= len(TEXTS) else 1
        if cards < 2 * least:
            return 0  # one card cannot be cut
        return drawn(self.setup.seed, "cut", shuffle).randint(least, cards - least)


def _check(setup: Setup) -> None:
    if len(setup.seats) < 2 or len(set(setup.seats)) < len(setup.seats):
        raise SetupError("two different seats at least")
    if not set(setup.seats) <= set(range(1, 12)):
        raise SetupError("seats are 1 to 11")
    if not 1 <= setup.decks <= len(_BACKS):
        raise SetupError("one deck or two")
    if setup.first_order is not None and sorted(setup.first_order) != sorted(TEXTS):
        raise SetupError("the first order is of 52 different cards")
