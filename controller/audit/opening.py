"""What is sealed in a journal, opened with the auditor's key, once it is written down who opens it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from controller.audit.verifying import Verified, Verifying
from controller.cards import Card
from controller.decisions import Command
from controller.errors import AuditorKeyError, JournalError
from controller.events import Arrived, Drew, Fed, Turned
from controller.journal.chain import Mark
from controller.journal.hands import HandAt, HandLines, Stored, hand_named, hands_in
from controller.journal.keys import hand_key_id
from controller.journal.openings import How, Opening, write_opening
from controller.journal.records import Keys, Record, bytes_in, moment, record_of
from controller.journal.seal import Auditor, AuditorKey, read_auditor_key, unseal
from controller.journal.whole import Whole

_NO_AUDITOR: Final = "no auditor's key was set at this table when hand {} was played: nobody can open it"
_CHANGED: Final = (
    "hand {}: the box of its key is this auditor's, and his key does not open it: it was changed; see "
    "cutcard audit verify"
)
_OTHER: Final = "the key in {} is {}; what hand {} hides is sealed for the auditor's key {}"


class Opener:
    """Opens the hidden fields of entries with an auditor's key."""

    def __init__(self, key: AuditorKey) -> None:
        self._key = key
        self.name: Final = Auditor(key.public).name
        """By what the key is known in a journal."""
        self._hands: dict[str, bytes | None] = {}

    def hand_key(self, keys: Keys) -> bytes | None:
        """The key of a hand, None where its box is another auditor's or no box of it."""
        if keys.hand not in self._hands:
            key = self._key.unbox(bytes_in(keys.box)) if self.is_for(keys) else None
            self._hands[keys.hand] = key if key is not None and hand_key_id(key) == keys.hand else None
        return self._hands[keys.hand]

    def is_for(self, keys: Keys) -> bool:
        """Whether the box of a hand's key was made for this auditor."""
        return bool(keys.box) and keys.auditor == self.name

    def record(self, stored: Stored) -> Record:
        """An entry with what it hides. Raises JournalError where that cannot be opened, or is nothing that
        this version knows."""
        line, number = stored.line, stored.line.n or 0
        hidden = None
        if line.sealed:
            key = None if stored.keys is None else self.hand_key(stored.keys)
            hidden = None if key is None else unseal(key, number, bytes_in(line.sealed))
            if hidden is None:
                raise JournalError(f"entry {number}: what it hides cannot be opened with this key")
        try:
            return record_of(line, hidden)
        except msgspec.DecodeError:
            raise JournalError(f"entry {number} is nothing that this version knows") from None


@dataclass(frozen=True)
class Wish:
    """Who wants to see what is sealed, with which key, and how."""

    who: str
    key: Path
    how: How


def opener_for(wish: Wish, hands: Sequence[HandLines]) -> Opener:
    """Who opens these hands. Raises AuditorKeyError where the key is not the one they are sealed for,
    JournalError where one of them is not over."""
    opener = Opener(read_auditor_key(wish.key))
    for hand in hands:
        if not hand.over:
            raise JournalError(f"hand {hand.at.number} is not over: what it hides is opened once it is")
        for keys in hand.keys:
            if not keys.box:
                raise AuditorKeyError(_NO_AUDITOR.format(hand.at.number))
            if opener.hand_key(keys) is None:
                if opener.is_for(keys):
                    raise JournalError(_CHANGED.format(hand.at.number))
                said = _OTHER.format(wish.key, opener.name, hand.at.number, keys.auditor)
                raise AuditorKeyError(said)
    return opener


def write_down(
    journal: Path, wish: Wish, opener: Opener, hands: Sequence[HandLines], upto: Mark | None
) -> Mark:
    """Writes, durably, who opens which hands: before anything of them is shown. Raises JournalError."""
    opening = Opening(
        at=moment(datetime.now(UTC)),
        who=wish.who,
        how=wish.how,
        hands=_named(hands),
        first=min(hand.first for hand in hands),
        last=max(hand.last for hand in hands),
        auditor=opener.name,
        upto="" if upto is None else str(upto),
    )
    return write_opening(journal, opening)


def _named(hands: Sequence[HandLines]) -> str:
    """Which hands, in few letters: the record's lines are short."""
    if len(hands) == 1:
        return f"hand {hands[0].at}"
    return f"{len(hands)} hands, {hands[0].at} to {hands[-1].at}"


@dataclass
class Surveyed:
    """A journal that was read through: what was found, its hands, and the lines of those that were wanted."""

    verified: Verified
    hands: list[HandLines]

    def wanted(self, number: int, entry: int) -> HandLines:
        """The hand of a number. Raises JournalError where there is none, or are several."""
        return hand_named(self.hands, number, entry)


def survey(journal: Path, number: int | None) -> Surveyed:
    """Reads a journal through, and keeps the lines of the hands of a number, None for none.

    Raises JournalError where there is none.
    """
    verifying = Verifying(journal)

    def wanted(at: HandAt) -> bool:
        return number == at.number

    hands = list(hands_in((read.line for read in verifying), wanted))
    return Surveyed(verifying.found, hands)


def faces(record: Record) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """What an opened entry hid, with words for it."""
    match record.event:
        case Drew(cards=cards) if cards:
            yield "", cards
        case Arrived(card=str() as card) | Turned(card=str() as card):
            yield "", (Card(card),)
        case Fed(missing=missing, surplus=surplus):
            yield from (("missing: ", missing),) * bool(missing)
            yield from (("too many: ", surplus),) * bool(surplus)
        case _:
            pass
    for decision in record.decisions:
        if isinstance(decision, Command) and decision.expected:
            yield f"asked for were {len(decision.expected)}: ", decision.expected


def lines_of(journal: Path, hands: Sequence[HandLines]) -> Iterator[Stored]:
    """The lines of hands of a journal, read once more."""
    wanted = {hand.at: hand for hand in hands}
    for hand in hands_in((read.line for _, read in Whole(journal)), wanted.__contains__):
        if hand.at in wanted:
            last = wanted[hand.at].last
            yield from (stored for stored in hand.lines if (stored.line.n or 0) <= last)
