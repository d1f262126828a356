"""A table's configuration file (docs/configuration.md has every key, commented)."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller import tomlfile
from controller.betting import RakeRow, Structure
from controller.errors import ConfigError, RuleFileError
from controller.events import DEVICES, DeviceName
from controller.games import Game, most_seats
from controller.mistakes import advice, mistake, no_such
from controller.prompts import LANGUAGES
from controller.prompts.layout import DEALER_SIDE, Layout
from controller.rule_files import FILE_SAID, names_file, rulebook_of_name_or_file
from controller.rulesets import RULESETS
from controller.rulesets.book import ButtonRule
from controller.table_setup import AnteBy, Follow, Special, TableSetup

Chips = Annotated[int, Meta(ge=0, le=2**32 - 1)]
UsbId = Annotated[str, Meta(pattern=r"^[0-9A-Fa-f]{1,4}$")]
Name = Annotated[str, Meta(min_length=1)]
SeatNumber = Annotated[int, Meta(ge=1, le=11)]
_MOST_BYTES = 1 << 20
_LIT = (*(f"seat:{seat}" for seat in range(1, 12)), *DEALER_SIDE)


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class TableSection(_Section, frozen=True):
    """The game, the seats and the stakes."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    game: Literal["holdem", "omaha"]
    seats: dict[SeatNumber, Chips]
    betting: Literal["no-limit", "pot-limit", "fixed-limit"] = "no-limit"
    rules: str = "roberts"
    button: SeatNumber | Literal["draw"] | None = None
    button_rule: ButtonRule | None = None
    blinds: Annotated[tuple[Chips, ...], Meta(min_length=1)] = (5, 10)
    small_bet: Chips | None = None
    big_bet: Chips | None = None
    big_blind: Chips | None = None
    ante: Chips = 0
    ante_by: AnteBy = "all"
    antes: dict[SeatNumber, Chips] = {}
    posts: dict[SeatNumber, Chips] = {}
    rake: tuple[RakeRow, ...] = ()
    language: str = "en"
    follow: Follow = "tracked"
    special: Special | None = None
    people: Name | None = None
    require_sign_in: bool = False


class Match(_Section, frozen=True):
    """A USB serial adapter by what does not change: ids in hex, its serial number, or where it is plugged
    in."""

    vid: UsbId | None = None
    pid: UsbId | None = None
    serial: str | None = None
    location: str | None = None


class DeviceSection(_Section, frozen=True):
    """Where a device hangs and which one it must be."""

    port: Name | None = None
    match: Match | None = None
    serial: str | None = None
    baud: Annotated[int, Meta(ge=1200, le=4_000_000)] = 115200


class DecksSection(_Section, frozen=True):
    """The deck registry and the deck in play, or the two that alternate: `play` is dealt first."""

    registry: Name
    play: str
    other: str | None = None

    @property
    def in_use(self) -> tuple[str, ...]:
        """The ids of the table's decks, that of the first hand first."""
        return (self.play,) if self.other is None else (self.play, self.other)


class JournalSection(_Section, frozen=True):
    """Where the journal is kept, who may open what is sealed in it, and how large it grows.

    `auditor` is a file with his public key. A hand that begins when a file has `file_mb` megabytes begins
    another; `older_files` of them stay, 0 for all.
    """

    file: Name
    auditor: Name | None = None
    file_mb: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 64
    older_files: Annotated[int, msgspec.Meta(ge=0, le=9_999)] = 0


class DoorSection(_Section, frozen=True):
    """The local socket for the doors."""

    socket: Name


class LedsSection(_Section, frozen=True):
    """The ring: which LEDs, both ends included, stand for what."""

    count: Annotated[int, Meta(ge=24, le=64)]
    spans: dict[str, tuple[int, int]]


class SecuritySection(_Section, frozen=True):
    """The file with the keys of the devices. Nothing here can switch security off: only --insecure can."""

    keys: Name


class BenchSection(_Section, frozen=True):
    """What only a bench may have: its deck's cards told, its made-up people taken."""

    ledger: bool = False
    people: bool = False


class Config(_Section, frozen=True):
    """A table's configuration; relative paths are from the file's folder."""

    table: TableSection
    device: dict[DeviceName, DeviceSection]
    decks: DecksSection
    journal: JournalSection
    door: DoorSection
    security: SecuritySection | None = None
    leds: LedsSection | None = None
    bench: BenchSection = BenchSection()

    def layout(self) -> Layout | None:
        """The ring as configured, None for an even one."""
        return Layout(self.leds.count, self.leds.spans) if self.leds else None

    def setup(self) -> TableSetup:
        """The table as the core wants it."""
        table = self.table
        rules = rulebook_of_name_or_file(table.rules)
        big_blind = table.big_blind if table.big_blind is not None else max(table.blinds)
        small_bet = table.small_bet if table.small_bet is not None else big_blind
        return TableSetup(
            game=Game(table.game),
            structure=Structure(table.betting),
            stacks=table.seats,
            button=table.button,
            button_rule=table.button_rule or rules.switches.button_rule,
            blinds=table.blinds,
            min_bet=max(1, big_blind),
            small_bet=small_bet,
            big_bet=table.big_bet if table.big_bet is not None else 2 * small_bet,
            ante=table.ante,
            ante_by=table.ante_by,
            antes=table.antes,
            posts=table.posts,
            rake=table.rake,
            rules=rules,
            follow=table.follow,
            special=table.special,
            devices=frozenset(self.device),
            decks=len(self.decks.in_use),
            require_sign_in=table.require_sign_in,
        )


def load_config(path: Path) -> Config:
    """The configuration in a file, checked, and its rules. ConfigError names file, line and key."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: the configuration cannot be read: this is no file")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise ConfigError(f"{path}: the configuration is larger than {_MOST_BYTES} bytes")
        source = content.decode("utf-8")
    except OSError as error:
        hint = ": docs/configuration.md tells what stands in one" if error.errno == errno.ENOENT else ""
        raise ConfigError(f"{path}: the configuration cannot be read: {error.strerror}{hint}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: the configuration is not UTF-8 text") from None
    try:
        tables = tomlfile.parse(source)
    except tomlfile.TomlError as error:
        raise ConfigError(f"{path}, line {error.line}: {error}") from None
    try:
        config = msgspec.convert(tables, Config, str_keys=True, strict=True)
    except msgspec.ValidationError as error:
        wrong = mistake(error, tables, Config)
        keys = ".".join(key for key in wrong.path if isinstance(key, str)) or "table"
        line = tomlfile.line_at(source, wrong.path)
        raise ConfigError(f"{path}, line {line}: {keys}: {wrong.why}") from None
    for at, why in _wrong(config):
        raise ConfigError(f"{path}, line {tomlfile.line_of(source, *at)}: {'.'.join(at)}: {why}")
    found = _from_folder(config, path.parent)
    try:
        rulebook_of_name_or_file(found.table.rules)  # read now, before there is a journal
    except RuleFileError as error:
        line = tomlfile.line_of(source, "table", "rules")
        raise ConfigError(f"{path}, line {line}: table.rules: {error}") from None
    return found


def place_of(path: Path, *keys: str) -> str:
    """Where a configuration says something: its file, the line and the key."""
    try:
        source = path.read_text("utf-8", "replace")
    except OSError:
        return f"{path}: {'.'.join(keys)}"
    return f"{path}, line {tomlfile.line_of(source, *keys)}: {'.'.join(keys)}"


def _wrong(config: Config) -> list[tuple[tuple[str, ...], str]]:
    """What a configuration says that cannot be, with the keys that say it."""
    wrong = [
        *((("table", key), why) for key, why in _wrong_seats(config.table)),
        *((("table", key), why) for key, why in _wrong_game(config.table)),
        *((("table", key), why) for key, why in _wrong_people(config.table)),
        *_wrong_files(config),
    ]
    missing = [name for name in DEVICES if name not in config.device and name != "zones"]
    if missing:
        wrong.append((("device",), f"a table needs a {missing[0]}"))
    for name, device in config.device.items():
        if (device.port is None) == (device.match is None):
            wrong.append((("device", name), "say where it hangs, by either port or match"))
        if device.match == Match():
            wrong.append((("device", name, "match"), "say which adapter: vid, pid, serial or location"))
    if config.leds is not None:
        wrong += _wrong_leds(config.leds)
    return wrong


def _wrong_seats(table: TableSection) -> Iterator[tuple[str, str]]:
    most = most_seats(Game(table.game))
    if len(table.seats) > most:
        yield "seats", f"{table.game} has cards for {most} seats"
    if table.button not in (None, "draw", *table.seats):
        yield "button", f"seat {table.button} is not among the seats"
    for key, by_seat in (("antes", table.antes), ("posts", table.posts)):
        for seat in by_seat:
            if seat not in table.seats:
                yield key, f"seat {seat} is not among the seats"
    if table.seats and len(table.blinds) > len(table.seats):
        yield "blinds", f"{len(table.blinds)} blinds for {len(table.seats)} seats"


def _wrong_game(table: TableSection) -> Iterator[tuple[str, str]]:
    if table.button_rule == "dead" and len(table.blinds) != 2:
        yield "button_rule", "the dead button needs two blinds"
    if table.antes and table.ante_by != "all":
        yield "ante_by", "goes with ante, not with antes by seat"
    for row in table.rake:
        if row.wrong:
            yield "rake", row.wrong
    if table.language not in LANGUAGES:
        yield "language", no_such(table.language, LANGUAGES, what="language")
    if table.rules not in RULESETS and not names_file(table.rules):
        yield "rules", f"{no_such(table.rules, RULESETS, what='ruleset')}; {FILE_SAID}"
    if table.special is not None and table.follow == "tracked":
        yield "special", f'{table.special} cannot be followed to the chip: set follow = "dealer-key"'


def _wrong_people(table: TableSection) -> Iterator[tuple[str, str]]:
    if table.require_sign_in and table.people is None:
        yield "require_sign_in", "goes with people: without them no dealer could sign in"


def _wrong_files(config: Config) -> list[tuple[tuple[str, ...], str]]:
    if config.decks.other == config.decks.play:
        return [(("decks", "other"), "the other deck must be another than the one in play")]
    names: dict[tuple[str, ...], str] = {
        ("decks", "registry"): config.decks.registry,
        ("journal", "file"): config.journal.file,
        ("journal", "auditor"): config.journal.auditor or "",
        ("door", "socket"): config.door.socket,
        ("security", "keys"): config.security.keys if config.security else "",
        ("table", "name"): config.table.name,
        ("table", "people"): config.table.people or "",
        **{("device", name, "port"): device.port or "" for name, device in config.device.items()},
    }
    return [(at, "a name has no control characters") for at, name in names.items() if not name.isprintable()]


def _wrong_leds(leds: LedsSection) -> list[tuple[tuple[str, ...], str]]:
    wrong: list[tuple[tuple[str, ...], str]] = []
    for name, (first, last) in leds.spans.items():
        if name not in _LIT:
            wrong.append((("leds", "spans", name), f"{name} is nothing that lights up{advice(name, _LIT)}"))
        if not (0 <= first < leds.count and 0 <= last < leds.count):
            wrong.append((("leds", "spans", name), f"the ring has LEDs 0 to {leds.count - 1}"))
    return wrong


def _from_folder(config: Config, folder: Path) -> Config:
    replace = msgspec.structs.replace
    devices = {
        name: device
        if device.port is None or "://" in device.port
        # A pyserial URL is no path.
        else replace(device, port=str(folder / device.port))
        for name, device in config.device.items()
    }
    people, rules, auditor = config.table.people, config.table.rules, config.journal.auditor
    return replace(
        config,
        table=replace(
            config.table,
            people=None if people is None else str(folder / people),
            rules=rules if rules in RULESETS else str(folder / rules),
        ),
        device=devices,
        decks=replace(config.decks, registry=str(folder / config.decks.registry)),
        journal=replace(
            config.journal,
            file=str(folder / config.journal.file),
            auditor=None if auditor is None else str(folder / auditor),
        ),
        door=replace(config.door, socket=str(folder / config.door.socket)),
        security=config.security and replace(config.security, keys=str(folder / config.security.keys)),
    )
