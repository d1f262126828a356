"""The command lines of `cutcard journal` and `cutcard audit`; what they do is loaded only when they are
called."""

from typing import Final

import click

MOST_LETTERS: Final = 40


def _hand(_ctx: click.Context, _param: click.Parameter, said: str | None) -> tuple[int, int] | None:
    """A hand by its number, or by number and first entry (else 0) where a journal has several of one
    number."""
    if said is None:
        return None
    number, _, entry = said.partition("@")
    if not (said.isascii() and number.isdecimal() and (entry or "0").isdecimal()) or said.endswith("@"):
        raise click.BadParameter(f"{said!r} is no hand: say its number, N or N@ENTRY")
    return int(number), int(entry or 0)


def _name(_ctx: click.Context, _param: click.Parameter, said: str | None) -> str | None:
    """Who somebody is, as it is written down."""
    if said is None:
        return None
    if not said.strip():
        raise click.BadParameter("the name is empty: say who it is, as it is to be written down")
    if not said.isprintable():
        raise click.BadParameter("all letters of a name must be printable")
    if len(said.strip()) > MOST_LETTERS:
        raise click.BadParameter(
            f"a name has {MOST_LETTERS} letters at most, this one has {len(said.strip())}"
        )
    return said.strip()


_JOURNAL: Final = click.argument("journal", type=click.Path(readable=False), metavar="JOURNAL")


_HAND: Final = click.option(
    "--hand",
    callback=_hand,
    metavar="N",
    help="Of one hand only; N@ENTRY, by its first entry, where a journal has several of this number.",
)


@click.group(
    epilog="Examples: cutcard journal list journal.jsonl --hand 12; cutcard journal follow journal.jsonl. "
    "docs/journal.md tells the whole in words."
)
def journal() -> None:
    """Read a journal: list it, follow it, export it, handle it once more. Nothing is written to it."""


@journal.command("list", epilog="Example: cutcard journal list journal.jsonl --hand 12.")
@_JOURNAL
@_HAND
def list_(journal: str, hand: tuple[int, int] | None) -> None:
    """Print one line an entry: when, from where, what happened, what followed."""
    from controller.cli.journal import list_entries

    raise SystemExit(list_entries(journal, hand))


@journal.command(epilog="Example: cutcard journal follow journal.jsonl. Ctrl-C ends it.")
@_JOURNAL
def follow(journal: str) -> None:
    """Print the last entries, and then each as it comes, from file to file."""
    from controller.cli.journal import follow as follow_journal

    raise SystemExit(follow_journal(journal))


@journal.command(epilog="Example: cutcard journal export journal.jsonl --hand 12 --output hand12.jsonl.")
@_JOURNAL
@_HAND
@click.option(
    "--output", type=click.Path(readable=False), metavar="FILE", help="A new file. [default: standard output]"
)
def export(journal: str, hand: tuple[int, int] | None, output: str | None) -> None:
    """Write entries as they stand, in JSON Lines; what is sealed stays sealed.

    For other programs, and to show what stands there. With --hand it is an extract, which no command here
    reads: whether its lines hold is verified in the whole journal only, with cutcard audit verify.
    """
    from controller.cli.journal import export as export_journal

    raise SystemExit(export_journal(journal, hand, output))


@journal.command(
    epilog="Exit status: 0 the same follows, 1 something else does or what is sealed was changed, 2 nothing "
    "could be compared. Example: cutcard journal replay journal.jsonl --key auditor.key."
)
@_JOURNAL
@_HAND
@click.option(
    "--key",
    type=click.Path(readable=False),
    metavar="FILE",
    help="The auditor's private key, for hands that are over.",
)
def replay(journal: str, hand: tuple[int, int] | None, key: str | None) -> None:
    """Handle every event once more by this version, and tell where it decides otherwise than was decided.

    The hand under way is opened with the table's own keys, where they may be read, those that are over with
    the auditor's. No card is shown.
    """
    from controller.cli.replay import replay as replay_journal

    raise SystemExit(replay_journal(journal, hand, key))


@click.group(
    epilog="Examples: cutcard audit verify journal.jsonl; cutcard audit explain journal.jsonl --hand 12. "
    "docs/journal.md tells the whole in words."
)
def audit() -> None:
    """Find out whether a journal holds, what happened in a hand, and who looked at what is sealed."""


@audit.command(epilog="Example: cutcard audit keys --private auditor.key --public auditor.pub.")
@click.option(
    "--private",
    required=True,
    type=click.Path(readable=False),
    metavar="FILE",
    help="New; the auditor keeps it.",
)
@click.option(
    "--public",
    required=True,
    type=click.Path(readable=False),
    metavar="FILE",
    help="New; for journal.auditor.",
)
def keys(private: str, public: str) -> None:
    """Make an auditor's pair of keys: with the private one what tables seal can be opened."""
    from controller.cli.audit import make_keys

    raise SystemExit(make_keys(private, public))


@audit.command(
    epilog="Exit status: 0 it holds, 1 it does not, 2 there is no journal to verify. Example: cutcard audit "
    "verify journal.jsonl --first-key HEX --expect N:CHAIN, with what was noted before."
)
@_JOURNAL
@click.option("--first-key", default="", metavar="HEX", help="The key with which it must begin.")
@click.option(
    "--expect",
    multiple=True,
    metavar="N:CHAIN",
    help="An entry that was noted before and must be there, as this command prints it; several are taken.",
)
def verify(journal: str, first_key: str, expect: tuple[str, ...]) -> None:
    """Hold a journal against itself and what was noted: chain, signatures, files, openings, how it ends."""
    from controller.cli.audit import print_verified

    raise SystemExit(print_verified(journal, first_key, expect))


_WHO: Final = click.option("--who", callback=_name, metavar="NAME", help="Who opens it; it is written down.")
_KEY: Final = click.option(
    "--key",
    type=click.Path(readable=False),
    metavar="FILE",
    help="The auditor's private key: shows what is sealed.",
)


@audit.command(
    "open", epilog="Example: cutcard audit open journal.jsonl --hand 12 --key auditor.key --who 'Ann Bell'."
)
@_JOURNAL
@_KEY
@_WHO
@_HAND
def open_(journal: str, key: str | None, who: str | None, hand: tuple[int, int] | None) -> None:
    """Show what is sealed of hands that are over, to whoever holds the auditor's key.

    Who opens what is written down beside the journal before anything is shown; else nothing is.
    """
    from controller.cli.audit import print_opened

    if key is None or who is None:
        raise click.UsageError("say with which --key, and --who opens it")
    raise SystemExit(print_opened(journal, key, who, hand))


@audit.command(epilog="Example: cutcard audit opened journal.jsonl.")
@_JOURNAL
def opened(journal: str) -> None:
    """List who opened what is sealed, and when."""
    from controller.cli.audit import print_openings

    raise SystemExit(print_openings(journal))


@audit.command(
    epilog="Examples: cutcard audit explain journal.jsonl --hand 12; cutcard audit explain journal.jsonl "
    "--hand 12 --html hand12.html --key auditor.key --who 'Ann Bell'."
)
@_JOURNAL
@click.option(
    "--hand",
    required=True,
    callback=_hand,
    metavar="N",
    help="Which hand; N@ENTRY, by its first entry, where a journal has several of this number.",
)
@click.option("--html", type=click.Path(readable=False), metavar="FILE", help="As one page, into a new file.")
@_KEY
@_WHO
@click.option(
    "--anyway", is_flag=True, help="Explain a hand of a journal that does not hold, and say so in red."
)
def explain(
    journal: str,
    hand: tuple[int, int],
    html: str | None,
    key: str | None,
    who: str | None,
    anyway: bool,  # noqa: FBT001
) -> None:
    """Tell in plain words what happened in a hand, and what of it is proved.

    Cards that lay face down are told without their faces; with the auditor's key with them, once the hand is
    over, and then who saw them is written down first.
    """
    from controller.cli.explain import Asked, explain_hand

    if (key is None) != (who is None):
        raise click.UsageError("--key and --who go together")
    raise SystemExit(explain_hand(Asked(journal, hand, html, key, who or "", anyway)))
