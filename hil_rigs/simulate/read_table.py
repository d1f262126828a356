"""The `table` of a scenario file: every key of scenarios.md, with its default."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from controller.betting import RakeRow
from controller.errors import RuleFileError
from controller.rule_files import FILE_SAID, names_file, rulebook_of_name_or_file
from controller.rulesets import RULESETS
from controller.rulesets.book import ButtonRule
from controller.table_setup import Follow, Special
from hil_rigs.simulate.errors import quoted
from hil_rigs.simulate.fields import Fields, nearest
from hil_rigs.simulate.scenario import (
    ANTE_BYS,
    BETTINGS,
    BUTTON_RULES,
    FOLLOWS,
    GAMES,
    LANGUAGES,
    MAX_CHIPS,
    MAX_OMAHA_SEATS,
    MAX_SEAT,
    SPECIALS,
    Betting,
    Game,
    ShoeSetup,
    ShufflerSetup,
    TableSetup,
)

TABLE_KEYS = (
    *("game", "betting", "rules", "seats", "button", "button_rule"),
    *("small_blind", "big_blind", "ante", "ante_by", "small_bet", "big_bet", "blinds", "posts", "rake"),
    *("zones", "follow", "special", "shoe", "shuffler", "decks", "language"),
)
SHOE_KEYS = ("gate", "burner")
SHUFFLER_KEYS = ("cuts", "identifies", "min_cards", "max_cards", "has_reject", "shuffle_s")

_SMALL_BLIND, _BIG_BLIND = 5, 10
_MOST_SHUFFLE_S = 255  # a byte of its capabilities


def read_table(fields: Fields) -> TableSetup:
    """Return the table's setup.

    Raises:
        ScenarioError: a value is of a wrong type or out of its range, or does not go with the others.
    """
    game = fields.word("game", GAMES)
    betting = fields.word("betting", BETTINGS, "no-limit")
    rules = _rules(fields)
    seats = _seats(fields.inner("seats", None), game)
    button = _button(fields, seats)
    blinds = _blinds(fields, len(seats))
    ante = fields.whole("ante", 0, low=0, high=MAX_CHIPS)
    # Of a list of blinds the largest is what the others must match; a lone one has no smaller beside it.
    big_blind = max(blinds) if "blinds" in fields else blinds[1]
    small_bet, big_bet = _bets(fields, big_blind, betting)
    follow = fields.word("follow", FOLLOWS, "tracked")
    return TableSetup(
        game=game,
        betting=betting,
        rules=rules,
        seats=seats,
        button=button,
        button_rule=_button_rule(fields, blinds),
        blinds=blinds,
        small_blind=blinds[0] if len(blinds) > 1 else 0,
        big_blind=big_blind,
        ante=ante,
        posts=_posts(fields.inner("posts", None, default=True), seats),
        rake=_rake(fields),
        ante_by=fields.word("ante_by", ANTE_BYS, "all"),
        small_bet=small_bet,
        big_bet=big_bet,
        zones=fields.flag("zones", default=True),
        follow=follow,
        special=_special(fields, follow),
        shoe=_shoe(fields.inner("shoe", SHOE_KEYS, default=True)),
        shuffler=_shuffler(fields.inner("shuffler", SHUFFLER_KEYS, default=True)),
        decks=fields.whole("decks", 1, low=1, high=2),
        language=fields.word("language", LANGUAGES, "en"),
    )


def _rules(fields: Fields) -> str:
    """The name of a ruleset that the product has, or the path of a card room's own, which can be used."""
    said = fields.text("rules", "roberts")
    if said in RULESETS:
        return said
    if not names_file(said):
        raise fields.error(f"unknown rules {quoted(said)}; {nearest(said, RULESETS)}; {FILE_SAID}", "rules")
    file = str(fields.path("rules"))
    try:
        rulebook_of_name_or_file(file)
    except RuleFileError as error:
        raise fields.error(str(error), "rules") from None
    return file


def seat_of(fields: Fields, key: str, seats: Iterable[int]) -> int:
    """Return the seat at `key`, which must be 1 to 11 and one of `seats`."""
    seat = fields.whole(key, low=1, high=MAX_SEAT)
    if seat not in seats:
        raise fields.error(f"seat {seat} is not in `seats` ({listed(seats)})", key)
    return seat


def listed(seats: Iterable[int]) -> str:
    """Return seats for a message."""
    return ", ".join(str(seat) for seat in seats)


def _special(fields: Fields, follow: Follow) -> Special | None:
    special = fields.word("special", SPECIALS) if "special" in fields else None
    if special is not None and follow == "tracked":
        why = f'{special} cannot be followed to the chip: set "follow" to "dealer-key"'
        raise fields.error(why, "special")
    return special


def _seats(fields: Fields, game: Game) -> dict[int, int]:
    stacks = dict[int, int]()
    names = {str(seat): seat for seat in range(1, MAX_SEAT + 1)}
    for name in fields.names():
        if name not in names:
            raise fields.error(f'{quoted(name)} is no seat; seats are "1" to "{MAX_SEAT}"')
        stacks[names[name]] = fields.whole(name, low=1, high=MAX_CHIPS)
    if len(stacks) < 2:
        raise fields.error(f"must be two seats or more, not {len(stacks)}")
    if game == "omaha" and len(stacks) > MAX_OMAHA_SEATS:
        raise fields.error(f"Omaha is dealt to at most {MAX_OMAHA_SEATS} seats, not {len(stacks)}")
    return dict(sorted(stacks.items()))


def _button(fields: Fields, seats: dict[int, int]) -> int | Literal["draw"]:
    if "button" not in fields:
        return min(seats)
    value = fields.raw("button")
    if value == "draw":
        return "draw"
    if isinstance(value, str):
        raise fields.error(f'must be a seat or "draw", not {quoted(value)}', "button")
    return seat_of(fields, "button", seats)


def _button_rule(fields: Fields, blinds: tuple[int, ...]) -> ButtonRule | None:
    if "button_rule" not in fields:
        return None
    rule = fields.word("button_rule", BUTTON_RULES)
    if rule == "dead" and len(blinds) != 2:
        raise fields.error(f"the dead button needs two blinds, not {len(blinds)}", "button_rule")
    return rule


def _blinds(fields: Fields, seats: int) -> tuple[int, ...]:
    if "blinds" not in fields:
        small = fields.whole("small_blind", _SMALL_BLIND, low=0, high=MAX_CHIPS)
        return small, fields.whole("big_blind", _BIG_BLIND, low=0, high=MAX_CHIPS)
    for key in ("small_blind", "big_blind"):
        if key in fields:
            raise fields.error(f"goes instead of `{key}`, not with it", "blinds")
    items = fields.items("blinds")
    blinds = [fields.number(item, f"blinds[{i}]", low=0, high=MAX_CHIPS) for i, item in enumerate(items)]
    if not 1 <= len(blinds) <= seats:
        raise fields.error(f"must be 1 to {seats} blinds, one a seat at most, not {len(blinds)}", "blinds")
    return tuple(blinds)


def _posts(fields: Fields, seats: dict[int, int]) -> dict[int, int]:
    posts = {}
    for name in fields.names():
        if name not in {str(seat) for seat in seats}:
            if name.isascii() and name.isdigit():
                raise fields.error(f"seat {name} is not in `seats` ({listed(seats)})", name)
            raise fields.error(f"{quoted(name)} is no seat of `seats` ({listed(seats)})")
        posts[int(name)] = fields.whole(name, low=0, high=MAX_CHIPS)
    return posts


def _rake(fields: Fields) -> tuple[RakeRow, ...]:
    rows = []
    for i, row in enumerate(fields.items("rake") if "rake" in fields else ()):
        told = fields.opened(row, f"rake[{i}]", tuple(_ROW))
        try:
            rows.append(msgspec.convert(row, RakeRow))
        except msgspec.ValidationError as error:
            raise told.error(_wrong_row(str(error))) from None
        if rows[-1].wrong:
            raise told.error(rows[-1].wrong)
    return tuple(rows)


_ROW = {
    "players": "must be a whole number from 2 to 11",
    "percent": "must be a number from 0 to 100",
    "cap": "must be a whole number of chips",
    "steps": "must be a list of pairs of chips: a pot, and what is taken from it on",
    "without_flop": "must be true or false",
}


def _wrong_row(error: str) -> str:
    """What is wrong with a row of the rake, from the words of whoever converted it."""
    key = next((key for key in _ROW if f"$.{key}" in error), "")
    return f"{key} {_ROW[key]}" if key else error


def _bets(fields: Fields, big_blind: int, betting: Betting) -> tuple[int, int]:
    # A fixed bet of nothing would be no bet at all; elsewhere these two are not used.
    low = 1 if betting == "fixed-limit" else 0
    small_bet = fields.whole("small_bet", big_blind, low=low, high=MAX_CHIPS)
    big_bet = fields.whole("big_bet", 2 * big_blind, low=low, high=MAX_CHIPS)
    if small_bet < low or big_bet < low:
        raise fields.error("fixed limit needs a `small_bet` and a `big_bet`, or a big blind, of at least 1")
    return small_bet, big_bet


def _shoe(fields: Fields) -> ShoeSetup:
    return ShoeSetup(gate=fields.flag("gate", default=False), burner=fields.flag("burner", default=True))


def _shuffler(fields: Fields) -> ShufflerSetup:
    setup = ShufflerSetup(
        cuts=fields.flag("cuts", default=True),
        identifies=fields.flag("identifies", default=True),
        min_cards=fields.whole("min_cards", 1, low=1, high=52),
        max_cards=fields.whole("max_cards", 52, low=1, high=52),
        has_reject=fields.flag("has_reject", default=True),
        shuffle_s=fields.whole("shuffle_s", 22, low=0, high=_MOST_SHUFFLE_S),
    )
    if setup.min_cards > setup.max_cards:
        raise fields.error(f"must be at most `max_cards` ({setup.max_cards})", "min_cards")
    return setup
