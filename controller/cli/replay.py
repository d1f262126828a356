"""`cutcard journal replay`: every event handled once more, and what follows held against what followed."""

from pathlib import Path

import click

from controller.audit.opening import Opener, survey
from controller.audit.replaying import KnownKeys, Replayed, Replaying
from controller.cli.journal import KEEP, Hand, say, status_of
from controller.cli.status import FAILED, WRONG_INPUT
from controller.errors import JournalError
from controller.journal.keys import key_file_of, read_secrets
from controller.journal.seal import read_auditor_key
from controller.journal.whole import Whole, open_journal
from controller.ranking import warm
from controller.recovery import program


def replay(journal: str, hand: Hand | None, key: str | None) -> int:
    """Replays a journal, or a hand of it; returns the exit status."""

    def do() -> int:
        path = Path(journal)
        open_journal(path).close()  # where there is none, nothing else is said
        opener = None if key is None else Opener(read_auditor_key(Path(key)))
        wanted = None if hand is None else survey(path, None).wanted(*hand).at
        replaying = Replaying(KnownKeys(_own_keys(path), opener), wanted)
        warm()
        found = []
        for replayed in replaying.replay(read.line for _, read in Whole(path)):
            found.append(replayed)
            if replayed.same or replayed.left_out or replayed.differs or replayed.changed:
                say(_row(replayed))
        for software, version in replaying.software.items():
            if software != program():
                say(f"note: decided by another program than this: cutcard {version}, program {software[:16]}")
        if replaying.other_rules:
            say("note: decided under another rulebook or setup than this version makes of its configuration")
        return _status(found)

    return status_of("journal replay", do)


def _own_keys(journal: Path) -> tuple[bytes, ...]:
    """The keys of the hand under way, none where they may not be read."""
    try:
        secrets = read_secrets(key_file_of(journal))
    except JournalError as error:
        click.echo(f"cutcard journal replay: the hand under way is not opened: {error}", err=True)
        return ()
    return () if secrets is None else secrets.hand


def _row(replayed: Replayed) -> str:
    """What became of a hand, in a line."""
    at = replayed.at
    name = f"hand {at.number}" if at is not None else "before a hand"
    left = ""
    if replayed.left_out:
        left = f"; {_entries(replayed.left_out)} not compared: {replayed.why}"
    said = f"{_entries(replayed.same)} the same"
    if replayed.changed:
        said = f"entry {replayed.changed} was CHANGED: what it hides does not open with its own key; {said}"
    if replayed.differs:
        said = f"DIFFERENT from entry {replayed.differs} on; {said}"
    return f"{name} (entries {replayed.first} to {replayed.last}): {said}{left}"


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _status(found: list[Replayed]) -> int:
    if any(replayed.changed for replayed in found):
        say(f"what is sealed in the journal is not what its table sealed; {KEEP}")
        return FAILED
    if any(replayed.differs for replayed in found):
        say("something else follows now than followed then")
        return FAILED
    if not any(replayed.same and replayed.at is not None for replayed in found):
        click.echo("cutcard journal replay: no hand could be compared: see above why", err=True)
        return WRONG_INPUT
    left = sum(replayed.left_out for replayed in found)
    say("the same follows" + (f"; {_entries(left)} could not be compared: see above why" if left else ""))
    return 0
