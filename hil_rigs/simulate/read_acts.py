"""The `acts` of a scenario file, one reader a kind (scenarios.md, "Acts")."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from controller.door import REASON_LETTERS
from controller.people import NAME_LETTERS
from hil_rigs.simulate.deck import DECK
from hil_rigs.simulate.errors import quoted
from hil_rigs.simulate.fields import Fields, nearest
from hil_rigs.simulate.read_table import listed, seat_of
from hil_rigs.simulate.scenario import (
    ACTIONS,
    DEALER_KEYS,
    DECISIONS,
    DEVICES,
    DRAW_ZONES,
    ENTRIES,
    EXPOSERS,
    FACES,
    FAULTS,
    MAX_CHIPS,
    MAX_SEAT,
    MAX_WAIT_MS,
    MISTAKES,
    MOVE_ZONES,
    PHASES,
    SEAT_WISHES,
    Act,
    Bet,
    CheckAround,
    Comply,
    Draw,
    Expose,
    Fault,
    Floor,
    Key,
    Move,
    Play,
    Restart,
    Seat,
    Wait,
    Zone,
    seat_zone,
)

_MAX_CARDS = 52


class Known(NamedTuple):
    """What the acts of a file may name: seats at which somebody sits, remedies and rules of the table's
    rulebook."""

    seats: Collection[int]
    remedies: Collection[str]
    rules: Collection[str]


def read_act(file: str, index: int, value: object, table: Known) -> Act:
    """Return the act number `index` of a file.

    Raises:
        ScenarioError: it is no act, or one that names what the table has not.
    """
    place = f"acts[{index}]"
    do = Fields(file, place, value, None).word("do", tuple(_READERS), what="act")
    reader = _READERS[do]
    return reader.read(Fields(file, place, value, ("do", *reader.keys)), index, table)


def cards_of(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the cards of a string such as `As Kd`: each of the deck, none twice."""
    cards = tuple(fields.text(key).split())
    for i, card in enumerate(cards):
        if card not in DECK:
            raise fields.error(
                f"{quoted(card)} is no card of the deck; a card is rank then suit, as in As", key
            )
        if card in cards[:i]:
            raise fields.error(f"the card {card} stands twice", key)
    return cards


def _zone(fields: Fields, zones: tuple[str, ...], seats: Collection[int]) -> Zone:
    name = fields.text("to")
    if name in zones:
        return Zone(name)
    for seat in range(1, MAX_SEAT + 1):
        if name == seat_zone(seat):
            if seat not in seats:
                raise fields.error(f"seat {seat} is not in `seats` ({listed(seats)})", "to")
            return seat_zone(seat)
    known = (*(seat_zone(seat) for seat in seats), *zones)
    # For a seat out of range the nearest name would be a guess at another seat; say what there is.
    advice = f"known: {', '.join(known)}" if name.startswith("seat") else nearest(name, known)
    raise fields.error(f"unknown zone {quoted(name)}; {advice}", "to")


def _play(fields: Fields, index: int, _table: Known) -> Act:
    return Play(index, fields.word("until", PHASES, what="phase"))


def _draw(fields: Fields, index: int, table: Known) -> Act:
    return Draw(
        index,
        to=_zone(fields, DRAW_ZONES, table.seats),
        count=fields.whole("count", 1, low=1, high=_MAX_CARDS),
        face=fields.word("face", FACES, "down"),
        boxed=fields.flag("boxed", default=False),
    )


def _bet(fields: Fields, index: int, table: Known) -> Act:
    seat = seat_of(fields, "seat", table.seats)
    action = fields.word("action", ACTIONS)
    amount = fields.maybe_whole("amount", low=0, high=MAX_CHIPS)
    if amount is None and action in ("bet", "raise"):
        raise fields.error(f'the key "amount" is missing: a {action} says the total in this round')
    return Bet(index, seat, action, amount)


def _check_around(_fields: Fields, index: int, _table: Known) -> Act:
    return CheckAround(index)


def _key(fields: Fields, index: int, table: Known) -> Act:
    key = fields.word("key", DEALER_KEYS)
    return Key(index, key, seat_of(fields, "seat", table.seats) if "seat" in fields else None)


def _wait(fields: Fields, index: int, _table: Known) -> Act:
    return Wait(index, fields.whole("ms", low=0, high=MAX_WAIT_MS))


def _expose(fields: Fields, index: int, table: Known) -> Act:
    return Expose(
        index,
        seat=seat_of(fields, "seat", table.seats),
        card=fields.whole("card", 1, low=1, high=_MAX_CARDS),
        by=fields.word("by", EXPOSERS, "dealer"),
    )


def _move(fields: Fields, index: int, table: Known) -> Act:
    cards = cards_of(fields, "cards")
    if not cards:
        raise fields.error("must name one card or more", "cards")
    return Move(index, cards, _zone(fields, MOVE_ZONES, table.seats))


def _comply(fields: Fields, index: int, _table: Known) -> Act:
    return Comply(index, fields.word("wrong", MISTAKES, what="mistake") if "wrong" in fields else None)


def _floor(fields: Fields, index: int, table: Known) -> Act:
    decision = fields.word("decision", DECISIONS)
    for needs, key in (("choose", "remedy"), ("found", "rule")):
        if decision == needs and key not in fields:
            raise fields.error(f'the key "{key}" is missing: `{needs}` says which')
        if decision != needs and key in fields:
            raise fields.error(f"goes with the decision `{needs}` only", key)
    if decision != "found" and "seat" in fields:
        raise fields.error("goes with the decision `found` only", "seat")
    return Floor(
        index,
        decision,
        who=_said(fields, "who", NAME_LETTERS),
        reason=_said(fields, "reason", REASON_LETTERS),
        remedy=fields.word("remedy", sorted(table.remedies)) if "remedy" in fields else None,
        rule=fields.word("rule", sorted(table.rules)) if "rule" in fields else None,
        seat=seat_of(fields, "seat", table.seats) if "seat" in fields else None,
    )


def _said(fields: Fields, key: str, most: int) -> str:
    """A name or a reason, as the table's own door would take it; empty where it is left out."""
    text = fields.text(key, "")
    if text != text.strip() or not text.isprintable() or len(text) > most:
        raise fields.error(f"must be at most {most} printable characters, without spaces around them", key)
    return text


def _fault(fields: Fields, index: int, _table: Known) -> Act:
    return Fault(index, fields.word("device", DEVICES), fields.word("fault", FAULTS))


def _restart(_fields: Fields, index: int, _table: Known) -> Act:
    return Restart(index)


def _seat(fields: Fields, index: int, _table: Known) -> Act:
    wish = fields.word("wish", SEAT_WISHES)
    buys, enters = wish in ("sit", "add"), wish in ("sit", "back")
    if not buys and "chips" in fields:
        raise fields.error("goes with the wishes `sit` and `add` only", "chips")
    if not enters and "entry" in fields:
        raise fields.error("goes with the wishes `sit` and `back` only", "entry")
    return Seat(
        index,
        seat=fields.whole("seat", low=1, high=MAX_SEAT),
        wish=wish,
        chips=fields.whole("chips", low=1, high=MAX_CHIPS) if buys else 0,
        entry=fields.word("entry", ENTRIES, "wait"),
    )


def seats_sat_down_at(acts: Sequence[object]) -> set[int]:
    """The seats at which the acts of a file have somebody sit down, as far as they can be read."""
    wishes = [act for act in acts if isinstance(act, dict) and act.get("wish") == "sit"]
    return {act["seat"] for act in wishes if type(act.get("seat")) is int and 1 <= act["seat"] <= MAX_SEAT}


class _Reader(NamedTuple):
    keys: tuple[str, ...]
    read: Callable[[Fields, int, Known], Act]


_READERS = {
    "play": _Reader(("until",), _play),
    "draw": _Reader(("to", "count", "face", "boxed"), _draw),
    "bet": _Reader(("seat", "action", "amount"), _bet),
    "check_around": _Reader((), _check_around),
    "key": _Reader(("key", "seat"), _key),
    "wait": _Reader(("ms",), _wait),
    "expose": _Reader(("seat", "card", "by"), _expose),
    "move": _Reader(("cards", "to"), _move),
    "comply": _Reader(("wrong",), _comply),
    "floor": _Reader(("decision", "who", "reason", "remedy", "rule", "seat"), _floor),
    "fault": _Reader(("device", "fault"), _fault),
    "restart": _Reader((), _restart),
    "seat": _Reader(("seat", "wish", "chips", "entry"), _seat),
}
