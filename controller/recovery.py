"""A start after a crash: the hand under way is taken up from the journal, and goes on where it was.

From the hand's checkpoint on every event is handled once more and has to lead to what it led to then: so a
table that goes on is the table that stopped (docs/journal.md, "Going on").
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import msgspec

from controller.checkpoint import Checkpoint
from controller.config import Config
from controller.errors import JournalError, JournalOpenError, ReplayError
from controller.journal import Start
from controller.journal.reading import Reading, older_file
from controller.journal.records import Line, record_of, sealed_bytes
from controller.journal.seal import unseal
from controller.standing import Standing
from controller.table_setup import TableSetup

_HOUSES: Final = ("controller", "firmware_bridge")
_DECIDE: Final = (".py", ".toml")
_ANEW: Final = "begin anew with --begin-anew: the hand is given up, and chips are as table.toml says"


@dataclass(frozen=True)
class Basis:
    """What decisions follow from beside events, as digests: the program's files; the table's setup and
    rules."""

    software: str
    setup: str


@dataclass
class Found:
    """What a journal says of the hand under way: on which basis it was begun, where it stood when its pack
    was proved (None: since the table was started), and the entries since. `before` is the same of the hand
    before it, of which a door may still have something to hear; `file` the number of the journal's file."""

    basis: Basis = field(default_factory=lambda: Basis("", ""))
    checkpoint: Checkpoint | None = None
    entries: list[Line] = field(default_factory=list)
    file: int = 0
    before: "Found | None" = None


def basis_of(setup: TableSetup) -> Basis:
    """The basis of this program for a table."""
    said = msgspec.json.encode(msgspec.to_builtins(setup, str_keys=True, order="deterministic"))
    return Basis(program(), hashlib.sha256(said).hexdigest())


def program() -> str:
    whole = hashlib.sha256()
    for house in _HOUSES:
        for name, file in sorted(_files(files(house), house)):
            whole.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def _files(folder: Traversable, at: str) -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        name = f"{at}/{file.name}"
        if file.is_dir():
            yield from _files(file, name)
        elif file.name.endswith(_DECIDE):
            yield name, file


def start_of(config: Config, basis: Basis, *, anew: bool) -> Start:
    """What a journal says of a start of this table."""
    return Start(
        anew=anew,
        version=version("cutcard"),
        software=basis.software,
        setup=basis.setup,
        config=msgspec.Raw(msgspec.json.encode(config)),
    )


def find(journal: Path) -> Found | None:
    """The hand under way in a journal's last file, None where no table was ever started on it.

    Raises JournalOpenError where the file is not as it was written.
    """
    found = _find(journal)
    if found is not None and found.checkpoint is not None and found.before is None:
        older = older_file(journal, found.file - 1)
        found.before = _find(older) if older.exists() else None
    return found


def _find(file: Path) -> Found | None:
    reading = Reading(file)
    found: Found | None = None
    for read in reading:
        line = read.line
        if line.start is not None and (line.start.anew or found is None):
            found = Found(Basis(line.start.software, line.start.setup), file=reading.chain.file)
        elif line.checkpoint is not None:
            kept = line.checkpoint
            try:
                state = msgspec.json.decode(kept.state, type=Checkpoint)
            except msgspec.DecodeError:
                what = f"the checkpoint of hand {kept.hand} was written by another version"
                raise JournalOpenError(f"{file}: {what}; {_ANEW}") from None
            before = replace(found, before=None) if found is not None else None
            found = Found(Basis(kept.software, kept.setup), state, file=reading.chain.file, before=before)
        elif found is not None and (line.event is not msgspec.UNSET or line.heard):
            found.entries.append(line)
    return found


def take_up(standing: Standing, found: Found, basis: Basis, hand_key: bytes, journal: Path) -> None:
    """Brings a table to where the table stood when it stopped.

    Raises JournalOpenError where the hand was begun on another basis and cannot go on on this one, or cannot
    be read.
    """
    if found.basis.setup != basis.setup:
        raise JournalOpenError(
            f"{journal}: the hand under way was begun with another table.toml or rulebook; start with "
            f"that one again, or {_ANEW}"
        )
    try:
        if found.before is not None:
            before = (record_of(line, None) for line in found.before.entries)
            standing.retell(found.before.checkpoint, before)
        if found.checkpoint is not None:
            standing.resume(found.checkpoint)
        for line in found.entries:
            _repeat(standing, line, hand_key, journal)
        standing.goes_on()
    except ReplayError as error:
        why = "" if found.basis.software == basis.software else " by the version that wrote it"
        raise JournalOpenError(f"{journal}: {error}{why}; {_ANEW}") from None
    except (msgspec.DecodeError, KeyError):
        raise JournalOpenError(f"{journal}: what was put down of the hand does not fit; {_ANEW}") from None


def _repeat(standing: Standing, line: Line, hand_key: bytes, journal: Path) -> None:
    number = line.n or 0
    hidden = None
    if line.sealed:
        hidden = unseal(hand_key, number, sealed_bytes(line))
        if hidden is None:
            raise JournalError(f"{journal}: entry {number} cannot be opened with the hand's key; {_ANEW}")
    try:
        record = record_of(line, hidden)
    except msgspec.DecodeError:
        why = "is nothing that this version knows"
        raise JournalOpenError(f"{journal}: entry {number} {why}; {_ANEW}") from None
    standing.repeat(number, record)
