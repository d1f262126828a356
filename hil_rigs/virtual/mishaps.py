"""What goes wrong in the mechanism or with the pack by a scenario's act: each fault by device and name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.codes import Fault, Lid, Type
from hil_rigs.virtual.felt import JOKERS, LOST, ZONES, Card
from hil_rigs.virtual.hands import CannotDo

if TYPE_CHECKING:
    from collections.abc import Callable

    from hil_rigs.virtual.table import VirtualTable

_STRANGE: Final = "stranger"
_FED_FROM: Final = ("shoe", "input", "pack", "away")
"""Where cards lie that the shuffler is fed with next; where a stub lies in the shoe, it is that."""


# At the lip


def _misread(table: VirtualTable) -> None:
    _next_card(table)
    table.shoe.slips.append("misread")


def _double_feed(table: VirtualTable) -> None:
    _next_card(table)
    table.shoe.slips.append("double-feed")


def _reversed_card(table: VirtualTable) -> None:
    """The next card shows at the lip and goes back in."""
    table.hands.push_back()


def _card_timeout(table: VirtualTable) -> None:
    """The next card is half drawn and stays so until the dealer has freed the lip."""
    _next_card(table)
    table.shoe.begin_fault(Fault.CARD_TIMEOUT)


# In the pack


def _foreign_card(table: VirtualTable) -> None:
    """The next card is another one, of no deck: the true one is lost."""
    _comes_first(table, _stranger_for(table, _next_card(table)))


def _duplicate_card(table: VirtualTable) -> None:
    """The next card is a second one of the card that was the first to come onto the table; the true one is
    lost."""
    true = _next_card(table)
    played = table.deck_in_play
    lying = [card for place in ZONES for card in table.felt.cards(place) if card.deck == played]
    if not lying:
        raise CannotDo("no card lies on the table")
    copy = table.felt.introduce_copy(lying[0])
    table.felt.move(true, LOST)
    _comes_first(table, copy)


def _joker(table: VirtualTable) -> None:
    """A joker lies on top of the pack, one card too many."""
    _next_card(table)
    known = set(table.felt.all_cards())
    jokers = [card for card in table.jokers[table.deck_in_play] if card not in known]
    if not jokers:
        raise CannotDo(f"the deck has {JOKERS} jokers")
    table.felt.introduce(jokers[0])
    _comes_first(table, jokers[0])


def _comes_first(table: VirtualTable, card: Card) -> None:
    table.felt.move(card, "shoe", on_top=True)


def _missing_card(table: VirtualTable) -> None:
    """The last card of the pack is lost; what leaves the shoe before it is as it was."""
    _next_card(table)
    cards = [card for card in table.felt.cards("shoe") if not card.is_cut_card]
    table.felt.move(cards[-1], LOST)


# In what the shuffler is fed with


def _fed_short(table: VirtualTable) -> None:
    """The last card of what is laid in next is lost."""
    table.felt.move(_last_to_be_fed(table), LOST)


def _fed_foreign(table: VirtualTable) -> None:
    """The last card of the stub is one of no deck: the true one is lost."""
    _next_card(table)
    table.felt.move(_stranger_for(table, _last_to_be_fed(table)), "shoe")
    stub = table.felt.cards("shoe")
    table.felt.reorder("shoe", sorted(stub, key=lambda card: card.is_cut_card))


# On the table


def _foreign_card_lies(table: VirtualTable) -> None:
    """A card of no deck comes to lie in the muck, that never was in the shoe."""
    _reads_the_muck(table)
    table.felt.move(_new_stranger(table, "As", table.decks[table.deck_in_play][0].back), "muck")


def _duplicate_card_lies(table: VirtualTable) -> None:
    """A second one of the last card in the shoe comes to lie in the muck."""
    _reads_the_muck(table)
    _next_card(table)
    last = [card for card in table.felt.cards("shoe") if not card.is_cut_card][-1]
    table.felt.move(table.felt.introduce_copy(last), "muck")


def _reads_the_muck(table: VirtualTable) -> None:
    if table.zones is None or not table.zones.reads("muck"):
        raise CannotDo("no antenna is under the muck")


def _stranger_for(table: VirtualTable, true: Card) -> Card:
    """A card of no deck, still away from the table; the card in whose place it comes is lost."""
    table.felt.move(true, LOST)
    return _new_stranger(table, true.text, true.back)


def _new_stranger(table: VirtualTable, text: str, back: str) -> Card:
    number = sum(card.deck == _STRANGE for card in table.felt.all_cards())
    uid = b"\xe0\x04\x02" + drawn(_STRANGE, "uid", number).randbytes(5)
    stranger = Card(text, uid, _STRANGE, back)
    table.felt.introduce(stranger)
    return stranger


def _next_card(table: VirtualTable) -> Card:
    cards = table.felt.cards("shoe")
    if not cards or cards[0].is_cut_card:
        raise CannotDo("no card lies in the shoe")
    return cards[0]


def _last_to_be_fed(table: VirtualTable) -> Card:
    played = table.deck_in_play
    for place in _FED_FROM:
        members = [c for c in table.felt.cards(place) if c.deck == played and not c.is_cut_card]
        if members:
            return members[-1]
    raise CannotDo("no card of the deck lies where it would be fed from")


# In the machines


def _brown_out(table: VirtualTable) -> None:
    """The power fails while the next shuffle goes on, and is back at once."""
    table.shuffler.fails_in.add(Type.SHUFFLE)


def _stuck_sensor(table: VirtualTable) -> None:
    """The sensor of the shuffler's input goes on saying what it says now, and the machine notices it."""
    table.shuffler.stuck = True
    table.shuffler.begin_fault(Fault.STUCK_SENSOR)


def _lying_firmware(table: VirtualTable) -> None:
    """The next shuffle is said to be done at once, and is not."""
    table.shuffler.lies = True


def _put_right(table: VirtualTable) -> None:
    """Somebody puts the shuffler right, whatever is wrong with it."""
    table.shuffler.stuck = False
    for fault in sorted(table.shuffler.faults):
        table.shuffler.end_fault(fault)
    table.shuffler.look()


def _lid_forced(table: VirtualTable) -> None:
    """Somebody opens the shoe's lid, locked or not."""
    if table.shoe.lid == Lid.OPEN:
        raise CannotDo("the lid is open")
    table.shoe.open_lid()


def _lamp_out(table: VirtualTable) -> None:
    """The first LED of the ring stays dark, and the ring says so."""
    table.prompts.begin_fault(Fault.LED_DEAD)


MISHAPS: Final[dict[tuple[str, str], Callable[[VirtualTable], None]]] = {
    ("shoe", "misread"): _misread,
    ("shoe", "double-feed"): _double_feed,
    ("shoe", "reversed-card"): _reversed_card,
    ("shoe", "card-timeout"): _card_timeout,
    ("shoe", "foreign-card"): _foreign_card,
    ("shoe", "duplicate-card"): _duplicate_card,
    ("shoe", "joker"): _joker,
    ("shoe", "missing-card"): _missing_card,
    ("shuffler", "missing-card"): _fed_short,
    ("shuffler", "foreign-card"): _fed_foreign,
    ("shuffler", "jam"): lambda table: table.shuffler.begin_fault(Fault.JAM),
    ("shuffler", "motor-stall"): lambda table: table.shuffler.begin_fault(Fault.MOTOR_STALL),
    ("shuffler", "stuck-sensor"): _stuck_sensor,
    ("shuffler", "sensor-flicker"): lambda table: table.shuffler.flicker(),
    ("shuffler", "clear-jam"): _put_right,
    ("shuffler", "brown-out-mid-shuffle"): _brown_out,
    ("shuffler", "lying-firmware"): _lying_firmware,
    ("shoe", "door-open"): _lid_forced,
    ("prompts", "led-dead"): _lamp_out,
    ("zones", "foreign-card"): _foreign_card_lies,
    ("zones", "duplicate-card"): _duplicate_card_lies,
}
"""Every fault that a table can have, by its device and its name. Each raises CannotDo where it cannot be."""
