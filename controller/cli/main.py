"""`cutcard`: the commands that come with the controller, and those that other houses add by entry points.

Exit status: 0 it was done; 1 something failed on the way; 2 the input or the command line is wrong; 130
interrupted.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib.metadata import EntryPoints, entry_points, version
from types import TracebackType
from typing import TYPE_CHECKING, Final

import click

from controller.prompts import LANGUAGES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from controller.events import FloorDecisionName, RoleName, SeatChangeName

COMMANDS_GROUP: Final = "cutcard.commands"
FAILED: Final = 1
WRONG_INPUT: Final = 2
INTERRUPTED: Final = 130
MOST_LETTERS: Final = 40
MOST_REASON: Final = 200


class Commands(click.Group):
    """The commands, each loaded only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, those of entry points too."""
        return sorted({*super().list_commands(ctx), *(entry.name for entry in _entries())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None where there is none."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        for entry in _entries():
            if entry.name == cmd_name:
                loaded = entry.load()
                return loaded if isinstance(loaded, click.Command) else None
        return None


def _entries() -> EntryPoints:
    return entry_points(group=COMMANDS_GROUP)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Exit status: 0 done, 1 something failed on the way, 2 the input is wrong, 130 interrupted. "
        "Example: cutcard demo"
    ),
)
@click.version_option(version("cutcard"), prog_name="cutcard")
def cutcard() -> None:
    """The controller of a smart poker table.

    It follows every hand of hold'em and Omaha by the cards themselves and tells the dealer each next step.
    """


@cutcard.command(epilog="Example: cutcard completion bash > cutcard.bash, then source that file.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is not None:
        click.echo(found(cutcard, {}, "cutcard", "_CUTCARD_COMPLETE").source())


class Rulebooks(click.Group):
    """`cutcard rules`: what is none of its commands is a ruleset to print, or a rule."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of that name; without one, the words are what `show` prints."""
        if args and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return "show", _show, args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Commands and options, and the names of rulesets, rules and remedies."""
        from click.shell_completion import CompletionItem

        from controller.cli.rules import names

        found = [CompletionItem(name) for name in names() if name.startswith(incomplete)]
        return [*super().shell_complete(ctx, incomplete), *found, CompletionItem(incomplete, type="file")]


def _ids(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    from controller.cli.rules import ids_of

    words = ctx.params.get("words") or ()
    return [name for name in ids_of(words[0] if words else None) if name.startswith(incomplete)]


def _rulesets(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list["CompletionItem"]:
    from click.shell_completion import CompletionItem

    from controller.rule_files import RULESETS

    found = [CompletionItem(name) for name in RULESETS if name.startswith(incomplete)]
    return [*found, CompletionItem(incomplete, type="file")]


_JSON: Final = click.option(
    "--json", "as_json", is_flag=True, help="For a machine: one JSON object, remedies included."
)


@cutcard.group(
    cls=Rulebooks,
    invoke_without_command=True,
    subcommand_metavar="[NAME|FILE] [ID]",
    epilog="Examples: cutcard rules; cutcard rules premature-turn; cutcard rules tda overfull-flop; "
    "cutcard rules check house.toml. docs/rules.md tells the whole in words.",
)
@_JSON
@click.pass_context
def rules(ctx: click.Context, as_json: bool) -> None:  # noqa: FBT001
    """Print a rulebook: what is ruled on, by which remedy, after which source.

    NAME is roberts, which is printed where none is named, or tda; FILE is a card room's own. With the ID of a
    rule or a remedy: until when it can be put right, what it holds, and its steps one by one.
    """
    from controller.cli.rules import print_rules

    ctx.obj = as_json
    if ctx.invoked_subcommand is None:
        raise SystemExit(print_rules((), as_json=as_json))


@click.command("show", add_help_option=False)
@click.argument("words", nargs=-1, shell_complete=_ids)
@_JSON
@click.pass_context
def _show(ctx: click.Context, words: tuple[str, ...], as_json: bool) -> None:  # noqa: FBT001
    from controller.cli.rules import print_rules

    if len(words) > 2:
        raise click.UsageError("one ruleset and one id at most", ctx.parent)
    raise SystemExit(print_rules(words, as_json=as_json or bool(ctx.obj)))


@rules.command(epilog="Examples: cutcard rules diff roberts tda; cutcard rules diff tda house.toml.")
@click.argument("one", metavar="NAME|FILE", shell_complete=_rulesets)
@click.argument("other", metavar="NAME|FILE", shell_complete=_rulesets)
@click.option("--json", "as_json", is_flag=True, help="For a machine: one JSON object.")
@click.pass_context
def diff(ctx: click.Context, one: str, other: str, as_json: bool) -> None:  # noqa: FBT001
    """Print where two rulebooks part: switches, rules, remedies, texts."""
    from controller.cli.rule_diff import print_difference

    raise SystemExit(print_difference(one, other, as_json=as_json or bool(ctx.obj)))


@rules.command(epilog="Example: cutcard rules check house.toml.")
@click.argument("file", metavar="FILE", shell_complete=_rulesets)
def check(file: str) -> None:
    """Say what is wrong in a card room's rulebook, line by line, before a table has it."""
    from controller.cli import rule_diff

    raise SystemExit(rule_diff.check(file))


@cutcard.command(
    epilog="Examples: cutcard run --config table.toml; cutcard run --virtual --hands 2. "
    "Ctrl-C or SIGTERM stops a table in good order."
)
@click.option(
    "--config",
    "config_file",
    type=click.Path(),
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
    help=f"Language of the virtual table's prompts. [default: {LANGUAGES[0]}]",
)
@click.option("--hands", type=click.IntRange(min=1), metavar="N", help="Stop after N hands. [default: go on]")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
def run(
    config_file: str | None,
    virtual: bool,  # noqa: FBT001
    decks: int | None,
    language: str | None,
    hands: int | None,
    quiet: bool,  # noqa: FBT001
) -> None:
    """Run a table: what stands in the card room, or a virtual one."""
    from controller.cli.run import run_table, run_virtual

    if virtual and config_file is not None:
        raise click.UsageError("one table at a time: --config FILE or --virtual, not both")
    if not virtual and config_file is None:
        raise click.UsageError("say which table: --config FILE or --virtual")
    if config_file is not None:
        if decks is not None:
            raise click.UsageError("--decks is for --virtual: a configuration names its decks")
        if language is not None:
            raise click.UsageError("--language is for --virtual: a configuration names its language")
        raise SystemExit(run_table(config_file, hands=hands, quiet=quiet))
    raise SystemExit(
        run_virtual(decks=decks or 1, language=language or LANGUAGES[0], hands=hands, quiet=quiet)
    )


@cutcard.command(
    epilog="Examples: cutcard seat 5 sit --chips 1000 --config table.toml; "
    "cutcard seat 5 back --post --config table.toml."
)
@click.argument("at", type=click.IntRange(1, 11), metavar="SEAT")
@click.argument("change", type=click.Choice(["sit", "leave", "out", "back", "add", "straddle"]))
@click.option(
    "--config",
    "config_file",
    type=click.Path(),
    metavar="FILE",
    help="The configuration of the table that runs.",
)
@click.option("--door", type=click.Path(), metavar="SOCKET", help="Its local socket, instead of --config.")
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

    if (config_file is None) == (door is None):
        raise click.UsageError("say which table: --config FILE or --door SOCKET")
    if (chips is not None) != (change in ("sit", "add")):
        raise click.UsageError("--chips goes with sit and add, and they need it")
    if post and change not in ("sit", "back"):
        raise click.UsageError("--post goes with sit and back only")
    if len(by) > MOST_LETTERS or not by.isprintable():
        raise click.UsageError(f"a name has {MOST_LETTERS} letters at most, all of them printable")
    wish = Wish(at=at, change=change, chips=chips or 0, entry="post" if post else "wait", by=by)
    raise SystemExit(tell_wish(wish, config=config_file, door=door or ""))


@cutcard.command(
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
@click.option(
    "--config",
    "config_file",
    type=click.Path(),
    metavar="FILE",
    help="The configuration of the table that runs.",
)
@click.option("--door", type=click.Path(), metavar="SOCKET", help="Its local socket, instead of --config.")
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

    if (config_file is None) == (door is None):
        raise click.UsageError("say which table: --config FILE or --door SOCKET")
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


@cutcard.command(
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
@click.option(
    "--config",
    "config_file",
    type=click.Path(),
    metavar="FILE",
    help="The configuration of a table; it names the file of people.",
)
@click.option("--file", type=click.Path(), metavar="FILE", help="The file of people, instead of --config.")
def people(
    action: str, name: str | None, role: "RoleName | None", config_file: str | None, file: str | None
) -> None:
    """Keep the people of the room: who may deal, who is of the floor, by which badges and PINs.

    add and remove a person, list all; pin gives him a PIN in the place of the last, badge a badge more,
    revoke takes all of them away; disable and enable. PINs and badges are asked for without echo, or read
    from standard input: never on the command line.
    """
    from controller.cli.people import change_people

    if (config_file is None) == (file is None):
        raise click.UsageError("say whose people: --config FILE or --file FILE")
    if (name is None) != (action == "list"):
        raise click.UsageError("NAME goes with every action but list")
    if (role is None) != (action != "add"):
        raise click.UsageError("--role goes with add, and add needs it")
    raise SystemExit(change_people(action, name or "", role, file=file, config=config_file or ""))


def _say_in_a_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody foresaw is told in one line too; its trace only to whoever asks for it."""
    import traceback

    if os.environ.get("CUTCARD_TRACE"):
        traceback.print_exception(kind, error, trace)
    sys.stderr.write(
        f"cutcard: a fault of the program ({kind.__name__}); "
        "please report it with the output of the same command under CUTCARD_TRACE=1\n"
    )


def _end_in_good_order() -> None:
    """A closed terminal and whoever ends the process are heard as Ctrl-C is: things are put away."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)


def _drop_output() -> None:
    """What is still to be written has nowhere to go; the interpreter must not try at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> None:
    """The command `cutcard`."""
    sys.excepthook = _say_in_a_line
    threading.excepthook = lambda failed: _say_in_a_line(
        failed.exc_type, failed.exc_value or failed.exc_type(), failed.exc_traceback
    )
    _end_in_good_order()
    if sys.stdout is None or sys.stderr is None:
        os.write(2, b"cutcard: standard output or standard error is closed\n")
        raise SystemExit(FAILED)
    try:
        status = cutcard.main(args=arguments, prog_name="cutcard", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        raise SystemExit(error.exit_code) from None
    except (click.Abort, KeyboardInterrupt):
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # whoever read the output has enough
        _drop_output()
        raise SystemExit(FAILED) from None
    except OSError as error:
        sys.stderr.write(f"cutcard: {error.strerror or error}: {error.filename or 'the output'}\n")
        _drop_output()
        raise SystemExit(FAILED) from None
    raise SystemExit(status if isinstance(status, int) else 0)
