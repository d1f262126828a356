"""A hand explained: what was verified, what happened, how it ended; as text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from controller.audit.opening import Opener
from controller.audit.telling import Chapter, Said, Teller
from controller.audit.verifying import Verified
from controller.audit.words import Words
from controller.config import Config
from controller.errors import JournalError
from controller.journal.chain import Mark
from controller.journal.hands import HandLines, Stored
from controller.journal.records import Record, Start, record_of
from controller.prompts.catalogue import Catalogue

_SHORT: Final = 16


@dataclass(frozen=True)
class Shown:
    """For whom faces were opened, by whose key, and where that was written down."""

    who: str
    opener: Opener
    opening: Mark


@dataclass(frozen=True)
class Account:
    """All that is told of a hand. `broken` is why its journal proves nothing, empty where it holds; `opened`
    for whom faces are told, empty where none are."""

    title: str
    when: str
    broken: tuple[str, ...]
    short: tuple[str, ...]
    verified: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    legend: tuple[str, ...]
    opened: str = ""


def account_of(
    hand: HandLines, found: Verified, words: Words, prompts: Catalogue, *, version: str, shown: Shown | None
) -> Account:
    """The account of a hand of a journal in which so much was found. Raises JournalError where an entry
    cannot be opened for whom it is to be shown."""
    teller = Teller(words, prompts)
    for stored in hand.lines:
        teller.take(stored.line, _record(stored, shown))
    starts = _starts_of(hand, found)
    name = _config(starts[0][1]).table.name if starts else found.journal.name
    return Account(
        title=words.page("title", hand=hand.at.number, table=name),
        when=_when(hand, words),
        broken=_broken(found, words),
        short=tuple(_short(teller, hand, words)),
        verified=tuple(_verified(teller, hand, found, words, starts)),
        chapters=tuple(chapter for chapter in teller.chapters if chapter.said),
        legend=tuple(_legend(found, words, version, shown)),
        opened=_faces("faces-on-top", words, shown) if shown is not None else "",
    )


def _record(stored: Stored, shown: Shown | None) -> Record | None:
    if shown is not None:
        return shown.opener.record(stored)
    try:
        return record_of(stored.line, None)
    except msgspec.DecodeError:
        return None


def _starts_of(hand: HandLines, found: Verified) -> list[tuple[int, Start]]:
    """Under which start a hand was begun, and those that came while it went on."""
    before = [(entry, start) for entry, start in found.starts if entry < hand.first]
    return [
        *before[-1:],
        *((entry, start) for entry, start in found.starts if hand.first <= entry <= hand.last),
    ]


def _config(start: Start) -> Config:
    try:
        return msgspec.json.decode(start.config, type=Config)
    except msgspec.DecodeError:
        raise JournalError(
            "the table's configuration in this journal is none that this version knows"
        ) from None


def _broken(found: Verified, words: Words) -> tuple[str, ...]:
    if not found.faults:
        return ()
    return (words.page("broken"), *(words.page("fault", fault=fault) for fault in found.faults))


def _short(teller: Teller, hand: HandLines, words: Words) -> Iterator[str]:
    if teller.insecure:
        yield words.page("insecure")
    if not teller.rulings:
        yield words.page("no-rulings")
    yield from teller.rulings.values()
    for who in teller.decided_by:
        yield words.page("floor-decided", who=who)
    if not hand.over:
        yield words.page("open")
    elif not hand.done:
        yield words.page("given-up")
    yield words.page("result", result=" ".join(teller.result)) if teller.result else words.page("no-result")


def _verified(
    teller: Teller, hand: HandLines, found: Verified, words: Words, starts: Sequence[tuple[int, Start]]
) -> Iterator[str]:
    if not found.faults and found.last is not None:
        entries = found.last.number - found.first + 1
        yield words.page(
            "holds", entries=entries, first=found.first, last=found.last.number, signatures=found.signatures
        )
        begins = found.files[0].number
        yield words.page("key" if begins == 1 else "key-later", key=found.key, file=begins)
    if found.faults:
        pass
    elif found.signed is None or found.signed.number < hand.first:
        yield words.page("unsigned", first=hand.first, last=hand.last)
    else:
        name = "signed" if found.signed.number >= hand.last else "part-signed"
        yield words.page(name, first=hand.first, last=hand.last, by=found.signed.number)
    if teller.insecure:
        yield words.page("insecure-proof")
    if not starts or starts[0][0] > hand.first:
        yield words.page("decided-unknown")
    told = None
    for entry, start in starts:
        decided = (start.version, start.software[:_SHORT], _config(start).table.rules)
        if decided != told:
            version, software, rules = decided
            name = "decided" if told is None else "again"
            yield words.page(name, entry=entry, version=version, software=software, rules=rules)
        told = decided


def _when(hand: HandLines, words: Words) -> str:
    """The day on which a hand began; empty where its journal has none that can be read."""
    at = local_time(hand.lines[0].line.at) if hand.lines else None
    return words.page("times", day=f"{at.day} {at:%B %Y}", zone=f"UTC{at:%z}") if at is not None else ""


def _legend(found: Verified, words: Words, version: str, shown: Shown | None) -> Iterator[str]:
    yield words.page("legend")
    if shown is None:
        yield words.page("no-faces")
    else:
        yield _faces("faces", words, shown)
    yield words.page("told", version=version, journal=found.journal.name)


def _faces(name: str, words: Words, shown: Shown) -> str:
    """For whom faces were opened, and by whose key."""
    return words.page(name, who=shown.who, auditor=shown.opener.name, opening=shown.opening.number)


def local_time(at: str) -> datetime | None:
    """A time of the journal as it is here; None where it is none."""
    try:
        return datetime.fromisoformat(at).astimezone()
    except ValueError:
        return None


def clock(said: Said) -> str:
    """When something happened, as a person reads it."""
    at = local_time(said.at)
    return f"{at:%H:%M:%S}" if at is not None else said.at


def text_of(account: Account, words: Words) -> Iterator[str]:
    """The account in lines of text."""
    yield account.title
    yield "=" * len(account.title)
    for line in account.broken:
        yield f"!! {line}"
    if account.opened:
        yield f"** {account.opened}"
    yield account.when
    yield ""
    yield from account.short
    yield ""
    yield words.page("not-proof" if account.broken else "proof")
    for line in account.verified:
        yield f"  - {line}"
    for chapter in account.chapters:
        yield ""
        yield chapter.heading
        for said in chapter.said:
            face = f" [{said.face}]" if said.face else ""
            proof = f" ({said.proof})" if said.proof else ""
            yield f"{said.entry:>7}  {clock(said)}  {said.text}{face}{proof}"
            for line in said.more:
                yield f"{'':>7}  {'':8}    {line}"
    yield ""
    yield from account.legend
