"""The command lines of `cutcard run`, `seat`, `floor` and `people`; what they do is loaded only when they are
called."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

import click

from controller.cli.rulebooks import rulesets
from controller.prompts import LANGUAGES
from controller.rulesets import RULESETS

if TYPE_CHECKING:
    from controller.events import DeviceName, FloorDecisionName, RoleName, SeatChangeName
    from controller.serve import Begin

DEVICES: Final = ("shoe", "shuffler", "zones", "prompts", "keypad")
MOST_LETTERS: Final = 40
MOST_REASON: Final = 200

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _config_or(
    option: str, metavar: str, *, asked: str, config: str, other: str
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """The option --config and another that may stand in its place: one of the two is `asked` for.

    `config` and `other` are what --help says of them.
    """
    taken = option.removeprefix("--")

    def with_options(command: Callable[_P, _R]) -> Callable[_P, _R]:
        @click.option("--config", "config_file", type=click.Path(readable=False), metavar="FILE", help=config)
        @click.option(option, type=click.Path(readable=False), metavar=metavar, help=other)
        @wraps(command)
        def checked(*args: _P.args, **options: _P.kwargs) -> _R:
            if (options["config_file"] is None) == (options[taken] is None):
                raise click.UsageError(f"say {asked}: --config FILE or {option} {metavar}")
            return command(*args, **options)

        return checked

    return with_options


_at_table = _config_or(
    "--door",
    "SOCKET",
    asked="which table",
    config="The configuration of the table that runs.",
    other="Its local socket, instead of --config.",
)
_of_people = _config_or(
    "--file",
    "FILE",
    asked="whose people",
    config="The configuration of a table; it names the file of people.",
    other="The file of people, instead of --config.",
)


@click.command(
    epilog="Examples: cutcard run --config table.toml; cutcard run --virtual --hands 2. "
    "Ctrl-C or SIGTERM stops a table in good order."
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(readable=False),
    metavar="FILE",
    help="The table's configuration (docs/configuration.md).",
)
@click.option(
    "--virtual", is_flag=True, help="A virtual table whose dealer obeys the prompts, instead of real ports."
)
@click.option(
    "--decks",
    type=click.IntRange(1, 2),
    metavar="N",
    help="Decks of the virtual table, 1 or 2 that alternate. [default: 1]",
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of the virtual table's prompts; all else that is told stays English. "
    f"[default: {LANGUAGES[0]}]",
)
@click.option(
    "--rules",
    metavar="NAME|FILE",
    shell_complete=rulesets,
    help=f"Rulebook of the virtual table: {', '.join(RULESETS)} or a card room's own file. "
    f"[default: {RULESETS[0]}]",
)
@click.option(
    "--begin-anew",
    is_flag=True,
    help="Give up the hand that the journal has under way; chips are as the configuration says.",
)
@click.option(
    "--insecure",
    is_flag=True,
    help="For a bench: take devices that are not paired. Every screen shows it. Goes with --config.",
)
@click.option("--hands", type=click.IntRange(min=1), metavar="N", help="Stop after N hands. [default: go on]")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
def run(
    config_file: str | None,
    virtual: bool,  # noqa: FBT001
    decks: int | None,
    language: str | None,
    rules: str | None,
    begin_anew: bool,  # noqa: FBT001
    insecure: bool,  # noqa: FBT001
    hands: int | None,
    quiet: bool,  # noqa: FBT001
) -> None:
    """Run a table: what stands in the card room, or a virtual one."""
    from controller.cli.run import VirtualTable, run_table, run_virtual
    from firmware_bridge.trust import Plain

    if virtual and config_file is not None:
        raise click.UsageError("one table at a time: --config FILE or --virtual, not both")
    if not virtual and config_file is None:
        raise click.UsageError("say which table: --config FILE or --virtual")
    if config_file is not None:
        for option, said in (("decks", decks), ("language", language), ("rules", rules)):
            if said is not None:
                raise click.UsageError(f"--{option} is for --virtual: a configuration names its {option}")
        plain = Plain.ALLOWED if insecure else Plain.REFUSED
        begin: Begin = "anew" if begin_anew else "where-it-was"
        raise SystemExit(run_table(config_file, begin, plain=plain, hands=hands, quiet=quiet))
    if begin_anew:
        raise click.UsageError("--begin-anew is for --config: a virtual table always begins anew")
    if insecure:
        raise click.UsageError("--insecure goes with --config: the devices of a virtual table are paired")
    wanted = VirtualTable(decks or 1, language or LANGUAGES[0], rules or RULESETS[0])
    raise SystemExit(run_virtual(wanted, hands=hands, quiet=quiet))


@click.command(
    epilog="Examples: cutcard seat 5 sit --chips 1000 --config table.toml; "
    "cutcard seat 5 back --post --config table.toml."
)
@click.argument("at", type=click.IntRange(1, 11), metavar="SEAT")
@click.argument("change", type=click.Choice(["sit", "leave", "out", "back", "add", "straddle"]))
@_at_table
@click.option("--chips", type=click.IntRange(1, 2**32 - 1), metavar="N", help="Bought with sit and add.")
@click.option("--post", is_flag=True, help="With sit and back: post what is owed instead of waiting.")
@click.option("--by", default="", metavar="NAME", help="Who says so; it goes into the journal.")
def seat(
    at: int,
    change: "SeatChangeName",
    config_file: str | None,
    door: str | None,
    chips: int | None,
    post: bool,  # noqa: FBT001
    by: str,
) -> None:
    """A player sits down, leaves, sits out, comes back, buys chips or straddles.

    Whoever is dealt into the hand plays it first: it counts once that hand is over. What cannot be then (a
    straddle from another seat, say) is told in the table's own log.
    """
    from controller.cli.seat import tell_wish
    from controller.door import Wish

    if (chips is not None) != (change in ("sit", "add")):
        raise click.UsageError("--chips goes with sit and add, and they need it")
    if post and change not in ("sit", "back"):
        raise click.UsageError("--post goes with sit and back only")
    if not by.isprintable():
        raise click.UsageError("all letters of a name must be printable")
    if len(by) > MOST_LETTERS:
        raise click.UsageError(f"a name has {MOST_LETTERS} letters at most, this one has {len(by)}")
    wish = Wish(at=at, change=change, chips=chips or 0, entry="post" if post else "wait", by=by)
    raise SystemExit(tell_wish(wish, config=config_file, door=door or ""))


@click.command(
    epilog="Examples: cutcard floor --config table.toml; "
    "cutcard floor accept --reason 'seen by two players' --config table.toml; "
    "cutcard floor found stub-dropped --reason 'it slipped' --config table.toml."
)
@click.argument(
    "decision",
    required=False,
    type=click.Choice(["accept", "choose", "found", "stand", "void", "pull-deck", "by-hand"]),
    metavar="[DECISION]",
)
@click.argument("named", required=False, metavar="[NAME]")
@_at_table
@click.option("--reason", default="", metavar="TEXT", help="Why; it goes into the journal.")
@click.option(
    "--seat", type=click.IntRange(1, 11), metavar="N", help="With found: the seat that it is about, if any."
)
@click.option("--badge", is_flag=True, help="Ask for a badge's id instead of a PIN.")
def floor(
    decision: "FloorDecisionName | None",
    named: str | None,
    config_file: str | None,
    door: str | None,
    reason: str,
    seat: int | None,
    badge: bool,  # noqa: FBT001
) -> None:
    """The floor decides about a halted table; without DECISION: tells what is halted, and why.

    accept the proposed remedy, choose the remedy NAME instead, say that NAME, an irregularity, was found, let
    it stand, void the hand, pull-deck, or finish it by-hand. The floor's PIN is asked for without echo, or
    read from standard input.
    """
    from controller.cli.floor import Decision, decide

    if decision is None:
        if reason or badge or seat:
            raise click.UsageError("--reason, --seat and --badge go with a decision")
        raise SystemExit(decide(None, config=config_file, door=door or ""))
    if (decision in ("choose", "found")) != (named is not None):
        raise click.UsageError(
            "NAME goes with choose, a remedy, or with found, an irregularity: each needs it"
        )
    if seat and decision != "found":
        raise click.UsageError("--seat goes with found")
    if not reason.strip() or not reason.isprintable() or len(reason) > MOST_REASON:
        raise click.UsageError(f"a decision needs its --reason: one line, {MOST_REASON} letters at most")
    remedy, rule = (named or "", "") if decision == "choose" else ("", named or "")
    said = Decision(decision, reason, remedy, "badge" if badge else "pin", rule, seat or 0)
    raise SystemExit(decide(said, config=config_file, door=door or ""))


@click.command(
    epilog="Examples: cutcard pair shoe --config table.toml; cutcard pair --list --config table.toml; "
    "cutcard pair --revoke SH-0007 --reason stolen --config table.toml."
)
@click.argument("device", required=False, type=click.Choice(DEVICES), metavar="[DEVICE]")
@click.option(
    "--config",
    "config_file",
    type=click.Path(readable=False),
    required=True,
    metavar="FILE",
    help="The configuration of the table; it names the ports and the key file.",
)
@click.option("--list", "listed", is_flag=True, help="Tell all devices that are paired, or were.")
@click.option("--revoke", metavar="SERIAL", help="Take the key of a device back, for ever.")
@click.option("--reason", default="", metavar="TEXT", help="With --revoke: why.")
@click.option(
    "--within",
    type=click.IntRange(1, 3600),
    default=60,
    show_default=True,
    metavar="S",
    help="How many seconds there are to hold the device's button.",
)
def pair(
    device: "DeviceName | None",
    config_file: str,
    listed: bool,  # noqa: FBT001
    revoke: str | None,
    reason: str,
    within: int,
) -> None:
    """Give a device its key: on a bench, its whole cable in sight, while somebody holds its button.

    DEVICE is shoe, shuffler, zones, prompts or keypad. The key crosses the cable in clear, once. It is kept
    in the key file of the configuration, mode 0600, and shown nowhere.
    """
    from controller.cli import pair as pairs

    if (device is not None) + listed + (revoke is not None) != 1:
        raise click.UsageError("say one thing: a DEVICE, --list or --revoke SERIAL")
    if reason and revoke is None:
        raise click.UsageError("--reason goes with --revoke")
    if not reason.isprintable() or len(reason) > MOST_REASON:
        raise click.UsageError(f"a reason is one line, {MOST_REASON} letters at most")
    if device is not None:
        raise SystemExit(pairs.pair_device(device, config_file, act_within_s=float(within)))
    if revoke is not None:
        raise SystemExit(pairs.revoke(revoke, config_file, reason=reason))
    raise SystemExit(pairs.list_devices(config_file))


@click.command(
    epilog="Examples: cutcard people add Ann --role floor --config table.toml; "
    "cutcard people pin Ann --config table.toml; cutcard people list --file people.toml."
)
@click.argument(
    "action",
    type=click.Choice(["add", "list", "remove", "disable", "enable", "pin", "badge", "revoke"]),
    metavar="ACTION",
)
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--role", type=click.Choice(["dealer", "floor"]), help="With add: what the person is.")
@_of_people
def people(
    action: str, name: str | None, role: "RoleName | None", config_file: str | None, file: str | None
) -> None:
    """Keep the people of the room: who may deal, who is of the floor, by which badges and PINs.

    add and remove a person, list all; pin gives him a PIN in the place of the last, badge a badge more,
    revoke takes all of them away; disable and enable. PINs and badges are asked for without echo, or read
    from standard input: never on the command line.
    """
    from controller.cli.people import change_people

    if (name is None) != (action == "list"):
        raise click.UsageError("NAME goes with every action but list")
    if (role is None) != (action != "add"):
        raise click.UsageError("--role goes with add, and add needs it")
    raise SystemExit(change_people(action, name or "", role, file=file, config=config_file or ""))
