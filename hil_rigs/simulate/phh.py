"""Hand histories in the PHH format as scenarios (scenarios.md; variants NT, FT and PO).

A history is a TOML file a hand. Here its keys are read and checked; what its actions say is followed in
`phh_actions`. The reader is our own: a library's would judge the betting by its own rules.
"""

import re
import tomllib
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import lcm

from controller.tomlfile import TomlError, refuse_long_keys
from hil_rigs.simulate.errors import ScenarioError, described, quoted
from hil_rigs.simulate.fields import Fields
from hil_rigs.simulate.phh_actions import Told, follow, ways_of
from hil_rigs.simulate.scenario import (
    MAX_CHIPS,
    MAX_OMAHA_SEATS,
    MAX_SEAT,
    Betting,
    Game,
    Scenario,
    TableSetup,
)

SEED = 0
"""The seed of every history (scenarios.md)."""

VARIANTS: dict[str, tuple[Game, Betting]] = {
    "NT": ("holdem", "no-limit"),
    "FT": ("holdem", "fixed-limit"),
    "PO": ("omaha", "pot-limit"),
}

_NEEDED = ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions")
_BETS = ("min_bet", "small_bet", "big_bet")
_RESULTS = ("finishing_stacks", "winnings")
_ABOUT = (
    *("ante_trimming_status", "author", "event", "url", "venue", "address", "city", "region", "postal_code"),
    *("country", "time", "time_zone", "time_zone_abbreviation", "day", "month", "year", "hand", "level"),
    *("seats", "seat_count", "table", "players", "currency", "currency_symbol", "time_limit", "time_banks"),
)
_KEYS = (*_NEEDED, *_BETS, *_RESULTS, *_ABOUT)

_UNRECORDED = Decimal("Infinity")
_FINEST = 6
"""Decimal places that an amount may have."""


def read_history(text: str, *, file: str, name: str) -> Scenario:
    """Return the scenario that plays a history again, act for act.

    Raises:
        ScenarioError: the text is not TOML, of another variant or no history that can be; an act is
            missing (its seat is named), or a card stands twice.
    """
    fields = _fields(text, file)
    game, betting = _variant(fields)
    purse = _Purse(fields)
    antes = purse.each("antes")
    blinds = purse.each("blinds_or_straddles", low=-MAX_CHIPS)
    seats = _seats(fields, game, len(fields.items("starting_stacks")))
    for key, amounts in (("antes", antes), ("blinds_or_straddles", blinds)):
        if len(amounts) != seats:
            raise fields.error(f"must be {seats} amounts, one a player, not {len(amounts)}", key)
    small_bet, big_bet, least_bet = _bets(purse, betting, blinds)
    actions = _actions(fields)
    # Nobody puts in more than all that is ever bet to, posted and laid, and two bets beside it.
    cover = sum(map(abs, (*_totals(actions), *blinds, *antes)), 2 * big_bet)
    stacks = purse.stacks(cover)
    scale = purse.scale(actions)
    order = range(1, seats + 1)
    listed, posts = _forced(blinds, scale)
    setup = TableSetup(
        game=game,
        betting=betting,
        seats={seat: int(stacks[seat - 1] * scale) for seat in order},
        button=seats,
        blinds=listed,
        posts=posts,
        small_blind=listed[0],
        big_blind=int(least_bet * scale),
        antes={seat: int(ante * scale) for seat, ante in zip(_listed_seats(seats), antes, strict=True)},
        small_bet=int(small_bet * scale),
        big_bet=int(big_bet * scale),
    )
    _check_size(fields, setup)
    told = follow(Told(file=file, actions=actions, table=setup, scale=scale, seed=SEED))
    return Scenario(name=name, table=setup, deck=told.deck, seed=SEED, acts=told.acts, scale=scale)


class _Purse:
    """The amounts of a file, and the smallest unit that they use."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._seen = list[Fraction]()
        for key in _RESULTS:
            for i, item in enumerate(fields.items(key) if key in fields else ()):
                amount = self._number(item, f"{key}[{i}]", 0)
                # Where the history recorded halves, it split chips into halves: results count as use. A
                # finer one was divided on paper.
                if _is_fine(amount):
                    self._seen.append(Fraction(amount))

    def each(self, key: str, low: int | None = 0) -> list[Fraction]:
        items = self._fields.items(key)
        return [self._amount(item, f"{key}[{i}]", low) for i, item in enumerate(items)]

    def stacks(self, cover: Fraction) -> list[Fraction]:
        """Return the stacks; one that the history did not record (`inf`) is `cover`."""
        key = "starting_stacks"
        return [
            cover if item == _UNRECORDED else self._amount(item, f"{key}[{i}]", None)
            for i, item in enumerate(self._fields.items(key))
        ]

    def one(self, key: str) -> Fraction:
        return self._amount(self._fields.raw(key), key, None)

    def scale(self, actions: list[str]) -> int:
        return lcm(*(amount.denominator for amount in (*self._seen, *_totals(actions))))

    def _amount(self, value: object, key: str, low: int | None) -> Fraction:
        number = self._number(value, key, low)
        if not _is_fine(number):
            raise self._fields.error(f"must have {_FINEST} decimal places at most", key)
        amount = Fraction(number)
        self._seen.append(amount)
        return amount

    def _number(self, value: object, key: str, low: int | None) -> int | Decimal:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self._fields.error(f"must be a number, not {described(value)}", key)
        # The size comes first: a fraction of 1e999999 would have a million digits.
        if isinstance(value, Decimal) and not value.is_finite():
            raise self._fields.error("must be a number that is finite", key)
        if value > MAX_CHIPS:
            raise self._fields.error(f"must be at most {MAX_CHIPS}", key)
        if low is None and value <= 0:
            raise self._fields.error("must be above 0", key)
        if low is not None and value < low:
            raise self._fields.error(f"must be at least {low}", key)
        return value


def _totals(actions: list[str]) -> list[Fraction]:
    return [Fraction(way.amount) for way in ways_of(actions) if way.amount is not None]


def _is_fine(number: int | Decimal) -> bool:
    return isinstance(number, int) or number == round(number, _FINEST)


def _fields(text: str, file: str) -> Fields:
    try:
        refuse_long_keys(text)
        values = tomllib.loads(text, parse_float=_decimal)
    except TomlError as error:
        raise ScenarioError(file, f"line {error.line}", str(error)) from None
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(
            r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL
        )
        what = found[1] if found else str(error)
        place = f"line {found[2]}, column {found[3]}" if found and found[2] else "end of document"
        # The reader quotes the file here and there, whatever characters that may be.
        what = what if what.isprintable() else ascii(what)[1:-1]
        raise ScenarioError(file, place, f"is not TOML: {what}") from None
    except RecursionError:
        raise ScenarioError(file, "", "is nested too deep to be a hand history") from None
    except ValueError:
        # Whole numbers of thousands of digits, and dates that no calendar has.
        raise ScenarioError(file, "", "is not TOML: a number or a date cannot be") from None
    # A leading underscore marks what the format leaves to the writer of the file.
    fields = Fields(file, "", {key: values[key] for key in values if not key.startswith("_")}, _KEYS)
    for key in _NEEDED:
        fields.raw(key)
    return fields


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


def _variant(fields: Fields) -> tuple[Game, Betting]:
    variant = fields.text("variant")
    if variant not in VARIANTS:
        raise fields.error(
            f"the variant {quoted(variant)} is not played; {', '.join(VARIANTS)} are", "variant"
        )
    return VARIANTS[variant]


def _seats(fields: Fields, game: Game, seats: int) -> int:
    most = MAX_OMAHA_SEATS if game == "omaha" else MAX_SEAT
    if not 2 <= seats <= most:
        raise fields.error(f"must be 2 to {most} players, not {seats}", "starting_stacks")
    return seats


def _bets(purse: _Purse, betting: Betting, blinds: list[Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    if betting == "fixed-limit":
        small_bet, big_bet = purse.one("small_bet"), purse.one("big_bet")
        return small_bet, big_bet, max(blinds[1], Fraction(0)) or small_bet
    least = purse.one("min_bet")
    return least, 2 * least, least


def _actions(fields: Fields) -> list[str]:
    actions = list[str]()
    for i, action in enumerate(fields.items("actions")):
        if not isinstance(action, str):
            raise fields.error(f"must be a string, not {described(action)}", f"actions[{i}]")
        actions.append(action)
    return actions


def _listed_seats(seats: int) -> Sequence[int]:
    """The seats to which lists of blinds and antes belong: heads-up they stay small blind, big blind, while
    player 1 has the big one."""
    return (2, 1) if seats == 2 else range(1, seats + 1)


def _forced(blinds: list[Fraction], scale: int) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return the blinds (later ones are straddles or posts, and live all the same), and negative entries as
    posts by seat."""
    amounts = [int(amount * scale) for amount in blinds]
    seats = _listed_seats(len(amounts))
    posts = {seat: -amount for seat, amount in zip(seats, amounts, strict=True) if amount < 0}
    return tuple(max(amount, 0) for amount in amounts), posts


def _check_size(fields: Fields, setup: TableSetup) -> None:
    amounts = (*setup.seats.values(), *setup.blinds, *setup.antes.values(), *setup.posts.values())
    if max(*amounts, setup.big_blind, setup.big_bet) > MAX_CHIPS:
        raise fields.error(f"an amount is more than {MAX_CHIPS} of the smallest unit that the file uses")
