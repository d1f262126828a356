"""`cutcard`: the commands that come with the controller, and those that other houses add by entry points."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib.metadata import EntryPoints, entry_points, version
from types import TracebackType
from typing import Final

import click

from controller.cli.journals import audit, journal
from controller.cli.rulebooks import rules
from controller.cli.status import FAILED, INTERRUPTED
from controller.cli.tables import floor, pair, people, run, seat

COMMANDS_GROUP: Final = "cutcard.commands"


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


for _command in (rules, run, seat, floor, pair, people, journal, audit):
    cutcard.add_command(_command)


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


if __name__ == "__main__":
    main()
