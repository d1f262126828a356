"""Who looked at what is sealed, and when: a record beside the journal, chained as the journal is.

Its name is the journal's with `.opened.jsonl`. Whoever opens something is written there before he sees it;
what a table signs bears the number and hash of the record's last line (docs/journal.md, "Who opened what").
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from controller.errors import JournalError
from controller.journal.chain import FIRST, Mark, close, link, mark_in, open_line
from controller.journal.keys import sync_folder
from controller.journal.records import Opened
from controller.regular_file import descriptor_of, open_regular

FORMAT: Final = 1
_TAIL_BYTES: Final = 8192
"""Where a record ends: its last line is no longer than this."""

How = Literal["opened", "explained"]


class Opening(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of the record: who was shown what is sealed of which hands, between which entries, by which
    auditor's key; `upto` is the journal's last line then, as a mark. The first line has the `format` alone.
    """

    at: str
    n: int = 0
    who: str = ""
    how: How = "opened"
    hands: str = ""
    first: int = 0
    last: int = 0
    auditor: str = ""
    upto: str = ""
    format: int = 0

    @property
    def mark(self) -> Mark | None:
        """The journal's last line when this was opened."""
        return mark_in(self.upto)


class OpeningsDamagedError(JournalError):
    """The record of openings is not what was written there."""


_LINES: Final = msgspec.json.Decoder(Opening)


def openings_file(journal: Path) -> Path:
    """Where the record of a journal stands."""
    return journal.with_name(journal.name + ".opened.jsonl")


def read_openings(file: Path) -> list[tuple[Opening, Mark]]:
    """The lines of a record, held against its chain, with their marks; none where there is no record.

    Raises OpeningsDamagedError where it is not what was written, JournalError where it cannot be read.
    """
    try:
        with open_regular(file) as opened:
            return list(_held(file, opened.read()))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f"{file}: the record of openings cannot be read: {error.strerror}") from None


def _held(file: Path, content: bytes) -> Iterator[tuple[Opening, Mark]]:
    before, number = FIRST, 0
    # What stands behind the last end of a line was never durable, so nothing was shown on its word.
    for at_line, raw in enumerate(content.split(b"\n")[:-1], start=1):
        closed = open_line(raw + b"\n")
        opening = None
        with contextlib.suppress(msgspec.DecodeError):
            opening = None if closed is None else _LINES.decode(closed.body)
        first = at_line == 1
        if closed is None or opening is None or (opening.format == FORMAT) != first:
            raise OpeningsDamagedError(f"{file}, line {at_line}: this is no line of a record of openings")
        if link(before, closed.body) != closed.chain or opening.n != at_line - 1:
            why = "this line was changed, or what stood before it was"
            raise OpeningsDamagedError(f"{file}, line {at_line}: {why}")
        before, number = closed.chain, opening.n
        if not first:
            yield opening, Mark(number, before.hex())


def last_opening(journal: Path) -> Opened | None:
    """How far a journal's record has come, None where nobody ever opened anything.

    The last line is believed as it stands: whoever verifies holds all of them against the chain.
    """
    try:
        with open_regular(openings_file(journal)) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().split(b"\n")[:-1]
        closed = open_line(lines[-1] + b"\n") if lines else None
        opening = None if closed is None else _LINES.decode(closed.body)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Opened(0, "", error.strerror or "it cannot be read")
    except msgspec.DecodeError:
        opening = closed = None
    if closed is None or opening is None:
        return Opened(0, "", "this is no record of openings")
    return Opened(opening.n, closed.chain.hex())


def write_opening(journal: Path, opening: Opening) -> Mark:
    """Writes who opens what, durably; its mark. Raises JournalError where that cannot be: then nothing may be
    shown."""
    file = openings_file(journal)
    try:
        descriptor = descriptor_of(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "r+b", buffering=0) as opened:
            fcntl.flock(opened, fcntl.LOCK_EX)
            _belongs_to_owner(journal, descriptor)
            return _written(file, descriptor, opened.read() or b"", opening)
    except OSError as error:
        why = f"who opens this cannot be written down: {error.strerror}; nothing is shown"
        raise JournalError(f"{file}: {why}") from None


def _belongs_to_owner(journal: Path, descriptor: int) -> None:
    """The table has to read it, whoever writes it."""
    owner = journal.stat()
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _written(file: Path, descriptor: int, content: bytes, opening: Opening) -> Mark:
    whole = content[: content.rfind(b"\n") + 1]
    marks = [mark for _, mark in _held(file, whole)]
    os.ftruncate(descriptor, len(whole))
    before, lines = FIRST, b""
    if whole:
        before = bytes.fromhex(marks[-1].chain) if marks else _chain_of(whole)
    else:
        head = msgspec.json.encode(Opening(at=opening.at, format=FORMAT))
        before = link(FIRST, head)
        lines = close(head, before)
    number = len(marks) + 1
    body = msgspec.json.encode(msgspec.structs.replace(opening, n=number))
    chain = link(before, body)
    lines += close(body, chain)
    if os.write(descriptor, lines) != len(lines):
        raise OSError(None, "only a part of it was written")
    os.fsync(descriptor)
    sync_folder(file.parent)
    return Mark(number, chain.hex())


def _chain_of(line: bytes) -> bytes:
    closed = open_line(line)
    return FIRST if closed is None else closed.chain
