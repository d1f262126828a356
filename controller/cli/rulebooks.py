"""The command line of `cutcard rules`; what it does is loaded only when it is called."""

from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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


def rulesets(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list["CompletionItem"]:
    """What a word for a ruleset may go on to: a name, or a file."""
    from click.shell_completion import CompletionItem

    from controller.rulesets import RULESETS

    found = [CompletionItem(name) for name in RULESETS if name.startswith(incomplete)]
    return [*found, CompletionItem(incomplete, type="file")]


_JSON: Final = click.option(
    "--json", "as_json", is_flag=True, help="For a machine: one JSON object, remedies included."
)


@click.group(
    cls=Rulebooks,
    invoke_without_command=True,
    subcommand_metavar="[NAME|FILE] [ID]",
    epilog="Examples: cutcard rules; cutcard rules premature-turn; cutcard rules tda overfull-flop; "
    "cutcard rules check house.toml. docs/rules.md tells the whole in words.",
)
@_JSON
@click.option(
    "--table",
    "config",
    metavar="CONFIG",
    help="List for a table which irregularities it sees, which only a key reports, which stay unseen.",
)
@click.pass_context
def rules(ctx: click.Context, as_json: bool, config: str | None) -> None:  # noqa: FBT001
    """Print a rulebook: what is ruled on, by which remedy, after which source.

    NAME is roberts, which is printed where none is named, or tda; FILE is a card room's own. With the ID of a
    rule or a remedy: until when it can be put right, what it holds, and its steps one by one.
    """
    from controller.cli.rules import print_rules

    ctx.obj = as_json
    if config is not None:
        from controller.cli.sights import print_sights

        if ctx.invoked_subcommand is not None:
            raise click.UsageError("--table stands alone: it lists every irregularity", ctx)
        raise SystemExit(print_sights(config, as_json=as_json))
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
@click.argument("one", metavar="NAME|FILE", shell_complete=rulesets)
@click.argument("other", metavar="NAME|FILE", shell_complete=rulesets)
@click.option("--json", "as_json", is_flag=True, help="For a machine: one JSON object.")
@click.pass_context
def diff(ctx: click.Context, one: str, other: str, as_json: bool) -> None:  # noqa: FBT001
    """Print where two rulebooks part: switches, rules, remedies, texts."""
    from controller.cli.rule_diff import print_difference

    raise SystemExit(print_difference(one, other, as_json=as_json or bool(ctx.obj)))


@rules.command(epilog="Example: cutcard rules check house.toml.")
@click.argument("file", metavar="FILE", shell_complete=rulesets)
def check(file: str) -> None:
    """Say what is wrong in a card room's rulebook, line by line, before a table has it."""
    from controller.cli import rule_diff

    raise SystemExit(rule_diff.check(file))
