"""`cutcard audit`: what a journal's readers may know, and how they can be sure of it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from controller.audit.listing import short_time
from controller.audit.opening import Opener, Wish, faces, lines_of, opener_for, survey, write_down
from controller.audit.verifying import Ended, FileFound, Verified, Verifying
from controller.audit.words import words
from controller.cli.journal import KEEP, Hand, say, status_of
from controller.cli.status import FAILED, WRONG_INPUT
from controller.errors import AuditorKeyError, JournalError
from controller.journal.chain import mark_in
from controller.journal.hands import Stored
from controller.journal.openings import openings_file, read_openings
from controller.journal.seal import write_auditor_keys

_KEY: Final = re.compile("[0-9a-f]{64}")
_ENDED: Final[dict[Ended, str]] = {
    "stopped": "it ends with the stop of its table",
    "written": "a running table writes it",
    "open": "it does not end with the stop of its table: the table was cut off, or lines behind are missing",
    "unread": "not known: what stands behind what does not hold was not read",
    "torn": "it ends in the middle of a line: the table was cut off, or the file was",
}


def make_keys(private: str, public: str) -> int:
    """Makes an auditor's keys; returns the exit status."""
    there = next((file for file in (private, public) if Path(file).exists()), None)
    if there is not None:
        click.echo(f"cutcard audit keys: {there}: a file is there already; choose another name", err=True)
        return WRONG_INPUT
    try:
        auditor = write_auditor_keys(Path(private), Path(public))
    except AuditorKeyError as error:
        click.echo(f"cutcard audit keys: {error}", err=True)
        return WRONG_INPUT
    click.echo(f"auditor {auditor.name}: {private} opens what is sealed, keep it away from the tables")
    click.echo(f'for table.toml: [journal] auditor = "{Path(public).name}"')
    return 0


def print_verified(journal: str, first_key: str, expected: Sequence[str]) -> int:
    """Verifies a journal and prints what was found; returns the exit status."""
    key = first_key.strip().lower()
    if key and not _KEY.fullmatch(key):
        raise click.UsageError("--first-key is a key in hexadecimal, 64 digits, as this command prints it")
    marks = [(said, mark_in(said)) for said in expected]
    wrong = next((said for said, mark in marks if mark is None), None)
    if wrong is not None:
        raise click.UsageError(f"--expect {wrong!r} is no N:CHAIN as this command prints it")

    def verify() -> int:
        noted = [mark for _, mark in marks if mark is not None]
        found = Verifying(Path(journal), noted=noted, first_key=key).verify()
        for line in verified_lines(found):
            click.echo(line)
        for fault in found.faults:
            click.echo(f"cutcard audit verify: {fault}", err=True)
        held = "what was noted elsewhere is there" if noted else ""
        faults = f"it does not hold: {len(found.faults)} fault{'s' * (len(found.faults) != 1)}"
        click.echo(f"{faults}; {KEEP}" if found.faults else f"it holds{'; ' * bool(held)}{held}")
        return FAILED if found.faults else 0

    return status_of("audit verify", verify)


def verified_lines(found: Verified) -> Iterator[str]:
    """What was found, in lines, without the faults."""
    for file in found.files:
        yield f"file {file.number}: {file.path}, {_entries(file)}"
    last, signed = found.last, found.signed
    if found.key:
        first = found.files[0].number == 1
        why = "which must be the one that was noted when the table was set up"
        later = f"named by file {found.files[0].number}: what was before it is not there to vouch for it"
        yield f"first key: {found.key}, {why if first else later}"
    if last is not None and signed is not None:
        unsigned = last.number - signed.number
        behind = (
            f"; {unsigned} after it hang on the chain alone until the table signs again" if unsigned else ""
        )
        yield f"signatures: {found.signatures}; all up to entry {signed.number} is signed{behind}"
    elif last is not None:
        yield "signatures: none"
    for start in {(start.version, start.software): None for _, start in found.starts}:
        yield f"written by: cutcard {start[0]}, program {start[1][:16]}"
    if found.openings is None:
        yield "opened by an auditor: not known"
    else:
        yield f"opened by an auditor: {found.openings} time{'s' * (found.openings != 1)}"
    yield f"end: {_ENDED[found.ended]}"
    for note in dict.fromkeys(found.notes):
        yield f"note: {note}"
    if found.signed is not None and not found.faults:
        yield f"to be noted elsewhere: {found.signed}"


def _entries(file: FileFound) -> str:
    return f"entries {file.first} to {file.last}" if file.first else "no entries"


def print_opened(journal: str, key: str, who: str, hand: Hand | None) -> int:
    """Shows what is sealed of hands that are over; returns the exit status."""

    def do() -> int:
        path = Path(journal)
        surveyed = survey(path, None)
        must_hold(surveyed.verified)
        hands = (
            [surveyed.wanted(*hand)] if hand is not None else [each for each in surveyed.hands if each.over]
        )
        if not hands:
            raise JournalError(f"{path}: no hand of this journal is over yet")
        wish = Wish(who, Path(key), "opened")
        opener = opener_for(wish, hands)
        opening = write_down(path, wish, opener, hands, surveyed.verified.last)
        say(
            f"opened for {who} with the auditor's key {opener.name}; written down as opening {opening.number}"
        )
        for stored in lines_of(path, hands):
            if stored.line.sealed:
                say(_opened_row(opener, stored))
        left = [each for each in surveyed.hands if not each.over] if hand is None else []
        for each in left:
            say(f"hand {each.at.number} is not over: what it hides is opened once it is")
        return 0

    return status_of("audit open", do)


def must_hold(found: Verified) -> None:
    """Raises JournalError where a journal is not what its table wrote."""
    if found.faults:
        raise JournalError(f"{found.faults[0]}; nothing is shown of a journal that does not hold")


def _opened_row(opener: Opener, stored: Stored) -> str:
    record = opener.record(stored)
    shown = "; ".join(words_ + " ".join(cards) for words_, cards in faces(record))
    happened = words().event(record.event) if record.event is not None else record.heard
    line = stored.line
    source = line.source.device if line.source is not None else ""
    return f"{line.n:>7} {short_time(line.at)} {source:<8} {happened}: {shown}"


def print_openings(journal: str) -> int:
    """Lists who opened what; returns the exit status."""

    def do() -> int:
        path = Path(journal)
        found = Verifying(path).verify()  # there is such a journal
        openings = read_openings(openings_file(path))
        for opening, mark in openings:
            say(
                f"{mark.number:>4} {short_time(opening.at)} {opening.who} {opening.how} {opening.hands} "
                f"(entries {opening.first} to {opening.last}) with the key {opening.auditor}"
            )
        if not openings:
            say("nobody has opened anything that is sealed in this journal")
        for fault in found.faults:
            click.echo(f"cutcard audit opened: {fault}", err=True)
        return FAILED if found.faults else 0

    return status_of("audit opened", do)
