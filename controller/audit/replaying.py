"""Every event of a journal handled once more by this version, and its decisions held against those that were
made then. Nothing is overwritten: what differs is told."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from controller.audit.opening import Opener
from controller.checkpoint import Checkpoint
from controller.config import Config
from controller.errors import RuleFileError
from controller.journal.hands import HandAt, Walk
from controller.journal.keys import hand_key_id
from controller.journal.records import Keys, Line, Start, bytes_in, record_of
from controller.journal.seal import unseal
from controller.recovery import basis_of
from controller.table import Table
from controller.table_setup import TableSetup
from controller.table_state import TableState

NO_KEY: Final = "what it hides is sealed, and no key opens it"
_NO_START: Final = "how the table was set up stands in a file that is not there"
_NO_CONFIG: Final = "the table's configuration is none that this version knows"
_OTHER_STATE: Final = "where the table stood is written as another version does it"
_BEFORE: Final = "what came before it was not compared"


class HandKeys(Protocol):
    """Where the keys of hands are."""

    def hand_key(self, keys: Keys) -> bytes | None:
        """The key of a hand, None where it is not there."""

    def should_open(self, keys: Keys) -> bool:
        """Whether the key of a hand must be there, if its box is what was written."""


class KnownKeys:
    """The keys that a reader has: of the table's own file of keys, and those that the auditor's opens."""

    def __init__(self, own: Iterable[bytes], opener: Opener | None) -> None:
        self._own = {hand_key_id(key): key for key in own}
        self._opener = opener

    def hand_key(self, keys: Keys) -> bytes | None:
        """The key of a hand, None where neither has it."""
        own = self._own.get(keys.hand)
        return own if own is not None or self._opener is None else self._opener.hand_key(keys)

    def should_open(self, keys: Keys) -> bool:
        """Whether the box of a hand's key is for the auditor whose key this is."""
        return self._opener is not None and self._opener.is_for(keys)


@dataclass
class Replayed:
    """A hand handled once more: how many entries led to the `same`, the first that did not, the first that
    was `changed` (what it hides does not open, and its key is there), and why some were not compared."""

    at: HandAt | None
    first: int
    last: int = 0
    same: int = 0
    differs: int = 0
    changed: int = 0
    left_out: int = 0
    why: str = ""


class Replaying:
    """Handles the lines of a journal once more, one after the other. `wanted` is the only hand that counts,
    None for all. `software` and `other_rules` say by whom, and under what, they were decided."""

    def __init__(self, keys: HandKeys, wanted: HandAt | None = None) -> None:
        self._keys = keys
        self._wanted = wanted
        self._walk = Walk()
        self._setup: TableSetup | None = None
        self._core: Table | None = None
        self._why = _NO_START
        self._hand: Replayed | None = None
        self.software: dict[str, str] = {}
        """Versions by the digests of their programs, as the journal names them."""
        self.other_rules = False

    def replay(self, lines: Iterable[Line]) -> Iterator[Replayed]:
        """The hands in their order, as soon as each is through; the first is what came before any."""
        for line in lines:
            self._walk.take(line)
            if self._hand is None or self._hand.at != self._walk.hand:
                yield from self._through()
                self._hand = Replayed(self._walk.hand, line.n or 0)
            self._hand.last = line.n or self._hand.last
            self._take(line, self._hand)
            self._walk.announce(line)
        yield from self._through()

    def _through(self) -> Iterator[Replayed]:
        hand = self._hand
        if hand is not None and (self._wanted is None or hand.at == self._wanted):
            yield hand

    def _take(self, line: Line, hand: Replayed) -> None:
        if line.start is not None:
            self._begin(line.start)
        elif line.checkpoint is not None:
            self._goes_on(line.checkpoint.state, line.n or 0, hand)
        elif line.event is not msgspec.UNSET:
            self._handle(line, hand)

    def _begin(self, start: Start) -> None:
        self.software[start.software] = start.version
        try:
            self._setup = msgspec.json.decode(start.config, type=Config).setup()
        except msgspec.DecodeError:
            self._setup, self._core, self._why = None, None, _NO_CONFIG
            return
        except RuleFileError as error:
            self._setup, self._core, self._why = None, None, str(error)
            return
        self.other_rules = self.other_rules or basis_of(self._setup).setup != start.setup
        if start.anew:
            self._core = Table(self._setup) if self._concerns() else None

    def _concerns(self) -> bool:
        """Whether the hand that counts may begin before the next checkpoint."""
        wanted, hand = self._wanted, self._walk.hand
        return wanted is None or hand is None or hand.number in (wanted.number - 1, wanted.number)

    def _goes_on(self, state: msgspec.Raw, number: int, hand: Replayed) -> None:
        """At a checkpoint a table goes on from what was written, and so does this one."""
        if self._setup is None or not self._concerns():
            self._core = None
            return
        try:
            table = msgspec.json.decode(state, type=Checkpoint).table
        except msgspec.DecodeError:
            self._core, self._why = None, _OTHER_STATE
            return
        if self._core is not None and not _stands_as(self._core, table):
            hand.differs = hand.differs or number
        self._core = Table(self._setup, table)

    def _handle(self, line: Line, hand: Replayed) -> None:
        if self._core is None:
            hand.left_out += 1
            hand.why = hand.why or self._why
            return None
        number, hidden = line.n or 0, None
        if line.sealed:
            keys = self._walk.keys
            key = None if keys is None else self._keys.hand_key(keys)
            hidden = None if key is None else unseal(key, number, bytes_in(line.sealed))
            if hidden is None and keys is not None and (key is not None or self._keys.should_open(keys)):
                hand.changed = hand.changed or number
                self._core, self._why = None, _BEFORE
                return None
            if hidden is None:
                self._core, self._why = None, NO_KEY
                return self._handle(line, hand)
        if self._leads_to_the_same(self._core, line, hidden):
            hand.same += 1
            return None
        hand.differs = hand.differs or number
        self._core, self._why = None, _BEFORE
        return None

    def _leads_to_the_same(self, core: Table, line: Line, hidden: bytes | None) -> bool:
        try:
            record = record_of(line, hidden)
        except msgspec.DecodeError:
            return False
        return record.event is None or core.handle(record.event) == record.decisions


def _stands_as(core: Table, written: TableState) -> bool:
    """Whether a table stands where it is written that it stood; sets are written in any order."""
    if not core.stands_at_pack:
        return False
    return msgspec.json.decode(msgspec.json.encode(core.state()), type=TableState) == written
