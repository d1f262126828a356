"""The journal: what is durable, what is sealed, and how it says that it cannot be written or read."""

import base64
import errno
import json
import os
import re
import select
import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag

from controller.cards import DECK, Card
from controller.decisions import AnyDecision, Command, HandBegan, PhaseEntered, Prompt
from controller.errors import JournalError
from controller.events import AnyEvent, Arrived, Drew, Fed, Keyed
from controller.journal import FileJournal, MemoryJournal, Record, Source
from controller.places import Place
from controller.seal import HandKeySeal
from tests.shell.joined import Joined

ACK = Keyed(key="ack")
DREW = Drew(time=3, number=1, what="card", way="hand", cards=(Card("As"),))
BEGAN = HandBegan(number=1, button=2, stacks={2: 100}, seats=(2, 3))


class Files:
    """A journal file, its key and how they are opened again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"
        self.key = folder / "journal.jsonl.key"
        self.opened: list[FileJournal] = []

    def open(self) -> FileJournal:
        journal = FileJournal(self.path, HandKeySeal(self.key), now=lambda: datetime(2026, 1, 2, tzinfo=UTC))
        self.opened.append(journal)
        return journal

    def shut(self, journal: FileJournal) -> None:
        self.opened.remove(journal)
        journal.close()

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    files = Files(tmp_path)
    yield files
    for journal in files.opened:
        journal.close()


def _record(event: AnyEvent = ACK, *decisions: AnyDecision, number: int | None = None) -> Record:
    source = None if number is None else Source(device="shoe", boot=77, number=number)
    return Record(event, decisions, source)


def _wait(journal: FileJournal) -> None:
    """Until the journal has something to say."""
    assert _says_something(journal, 10)


def _says_something(journal: FileJournal, wait_s: float) -> bool:
    fd = journal.wake_fd()
    assert fd is not None
    return bool(select.select([fd], [], [], wait_s)[0])


# What is durable


def test_an_entry_is_durable_only_once_it_was_synced(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, go = threading.Event(), threading.Event()
    synced: list[bytes] = []

    def fdatasync(fd: int) -> None:
        entered.set()
        assert go.wait(10)
        synced.append(files.path.read_bytes())

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    journal = files.open()
    try:
        assert journal.append(_record()) == 1
        assert entered.wait(10)
        assert journal.append(_record()) == 2
        assert (journal.last, journal.durable) == (2, 0), "written, and yet not durable"
        assert not _says_something(journal, 0)
    finally:
        go.set()
    _wait(journal)
    journal.drain_wake()
    assert journal.durable >= 1
    files.shut(journal)
    assert journal.durable == 2
    assert b'"n":1' in synced[0]


def test_whoever_appends_does_not_wait_for_the_disk(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[str] = set()
    sync, data_sync = os.fsync, os.fdatasync

    def noted(real: object) -> object:
        def syncing(fd: int) -> None:
            threads.add(threading.current_thread().name)
            sync(fd) if real is sync else data_sync(fd)

        return syncing

    journal = files.open()
    monkeypatch.setattr(os, "fsync", noted(sync))
    monkeypatch.setattr(os, "fdatasync", noted(data_sync))
    journal.append(_record(ACK, BEGAN))
    journal.append(_record(DREW))
    files.shut(journal)
    assert threads == {"journal"}


def test_closing_waits_until_everything_is_durable(files: Files) -> None:
    journal = files.open()
    for _ in range(200):
        journal.append(_record())
    files.shut(journal)
    assert journal.durable == 200
    assert [line["n"] for line in files.lines()] == list(range(1, 201))


def test_a_table_without_files_is_never_behind() -> None:
    journal = MemoryJournal()
    assert [journal.append(_record()) for _ in range(3)] == [1, 2, 3]
    assert (journal.durable, journal.last, journal.wake_fd()) == (3, 3, None)


# Over restarts


def test_numbers_and_marks_go_on_after_a_restart(files: Files) -> None:
    journal = files.open()
    journal.append(_record(number=8))
    journal.append(_record(number=9))
    journal.append(_record())
    files.shut(journal)
    again = files.open()
    assert (again.last, again.durable) == (3, 3)
    assert again.marks == {"shoe": Source(device="shoe", boot=77, number=9)}
    assert again.append(_record()) == 4
    files.shut(again)
    assert [line["n"] for line in files.lines()] == [1, 2, 3, 4]


def test_a_torn_last_line_is_survived_by_every_restart_after_it(files: Files) -> None:
    journal = files.open()
    journal.append(_record(number=8))
    journal.append(_record(number=9))
    files.shut(journal)
    whole = files.path.read_bytes()
    for torn in (whole[:-1], whole[:-20], whole + b"{", whole + bytes(300)):
        files.path.write_bytes(torn)
        kept = torn[: torn.rindex(b"\n") + 1].count(b"\n")
        for more in range(1, 4):
            again = files.open()
            assert again.last == kept + more - 1
            again.append(_record())
            files.shut(again)
        assert [line["n"] for line in files.lines()] == list(range(1, kept + 4))


def test_what_was_torn_off_counts_for_nothing(files: Files) -> None:
    journal = files.open()
    journal.append(_record(number=8))
    journal.append(_record(number=9))
    files.shut(journal)
    files.path.write_bytes(files.path.read_bytes()[:-1])
    assert files.open().marks["shoe"].number == 8, "the device is asked for event 9 again"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"rubbish", "no journal entry"),
        (b"", "no journal entry"),
        (b"{}", "no journal entry"),
        (b'{"n":"2"}', "no journal entry"),
        (b'{"n":0}', "no journal entry"),
        (b'{"n":2,"source":{"device":"\xff","boot":1,"number":1}}', "no journal entry"),
        (b'{"n":1}', "entry 1 stands behind entry 1"),
        (b'{"n":4}', "entry 4 stands behind entry 1"),
    ],
)
def test_a_line_that_is_no_entry_is_named_by_its_number(files: Files, line: bytes, words: str) -> None:
    journal = files.open()
    journal.append(_record())
    files.shut(journal)
    before = files.path.read_bytes() + line + b'\n{"n":2}\n'
    files.path.write_bytes(before)
    key = files.key.read_bytes()
    with pytest.raises(JournalError, match=rf"journal\.jsonl, line 2: {words}; move the file away"):
        files.open()
    assert files.path.read_bytes() == before
    assert files.key.read_bytes() == key


# What cannot be used


def test_a_journal_that_another_table_writes_is_refused_and_its_key_left_alone(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW))
    key = files.key.read_bytes()
    with pytest.raises(JournalError, match="another table writes it"):
        files.open()
    assert files.key.read_bytes() == key
    files.shut(journal)
    assert files.open().last == 1


def test_a_journal_that_cannot_be_opened_is_told_by_name(files: Files) -> None:
    files.path.mkdir()
    with pytest.raises(JournalError, match=r"journal\.jsonl: this is no file that a journal can be"):
        files.open()


def test_a_key_that_cannot_be_had_is_told_by_name(files: Files) -> None:
    files.key.mkdir()
    with pytest.raises(JournalError, match=r"journal\.jsonl\.key: the hand's key cannot be read: "):
        files.open()


def _fail(monkeypatch: pytest.MonkeyPatch, files: Files, code: int, call: str) -> None:
    """From now on the journal's own file cannot be written."""
    write, sync = os.write, os.fdatasync

    def is_journal(fd: int) -> bool:
        return os.path.realpath(f"/proc/self/fd/{fd}") == str(files.path)

    def failing_write(fd: int, data: bytes) -> int:
        if call == "write" and is_journal(fd):
            raise OSError(code, os.strerror(code))
        return write(fd, data)

    def failing_sync(fd: int) -> None:
        if call == "fdatasync":
            raise OSError(code, os.strerror(code))
        sync(fd)

    monkeypatch.setattr(os, "write", failing_write)
    monkeypatch.setattr(os, "fdatasync", failing_sync)


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("write", errno.ENOSPC, r"No space left on device; make room$"),
        ("fdatasync", errno.ENOSPC, r"No space left on device; make room$"),
        ("fdatasync", errno.EIO, r"Input/output error$"),
    ],
)
def test_a_write_that_fails_is_told_to_whoever_waits_for_it_and_to_whoever_appends(
    files: Files, monkeypatch: pytest.MonkeyPatch, call: str, code: int, words: str
) -> None:
    journal = files.open()
    _fail(monkeypatch, files, code, call)
    journal.append(_record())
    _wait(journal)
    told = rf"journal\.jsonl: the journal cannot be written: {words}"
    with pytest.raises(JournalError, match=told):
        journal.drain_wake()
    with pytest.raises(JournalError, match=told):
        journal.append(_record())
    assert journal.durable == 0, "nothing may be acknowledged on its word"
    with pytest.raises(JournalError, match=told):
        files.shut(journal)


def test_a_write_that_fails_while_closing_is_told_too(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = files.open()
    _fail(monkeypatch, files, errno.ENOSPC, "write")
    journal.append(_record())
    with pytest.raises(JournalError, match="make room"):
        files.shut(journal)


def test_a_key_that_cannot_be_written_later_stops_the_journal(files: Files) -> None:
    journal = files.open()
    files.key.unlink()
    files.key.mkdir()
    journal.append(_record(ACK, BEGAN))
    _wait(journal)
    with pytest.raises(JournalError, match="the hand's key cannot be written"):
        journal.drain_wake()
    assert files.path.read_bytes() == b"", "what nobody could open again is not written"
    with pytest.raises(JournalError):
        files.shut(journal)


# What is sealed


def _sealed(line: dict[str, object]) -> bytes:
    sealed = line["sealed"]
    assert isinstance(sealed, str)
    return base64.b64decode(sealed)


def test_hidden_fields_stand_sealed_and_open_with_the_key(files: Files) -> None:
    journal = files.open()
    feed = Command(ref=6, device="shuffler", command="feed", phase="shuffle", expected=DECK)
    journal.append(_record(DREW, Prompt(code="burn"), feed))
    files.shut(journal)
    (line,) = files.lines()
    assert line["event"] == {
        "event": "drew",
        "time": 3,
        "number": 1,
        "what": "card",
        "way": "hand",
        "seen": 1,
    }
    hidden = json.loads(HandKeySeal.open(files.key, 1, _sealed(line)))
    assert hidden == {"event": {"cards": ["As"]}, "decisions": [{"ref": 6, "expected": list(DECK)}]}


def test_an_entry_without_anything_hidden_has_no_sealed_part(files: Files) -> None:
    journal = files.open()
    journal.append(_record(ACK, Prompt(code="burn")))
    journal.append(_record(Arrived(time=1, place=Place("board"), facing="up", what="foreign")))
    files.shut(journal)
    assert all("sealed" not in line for line in files.lines())


def test_a_sealed_part_opens_with_the_key_of_its_hand_and_under_its_own_number_only(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW))
    files.shut(journal)
    first = files.key.read_bytes()
    journal = files.open()
    journal.append(_record(ACK, BEGAN))
    journal.append(_record(DREW))
    files.shut(journal)
    old, _, new = (line for line in files.lines())
    assert HandKeySeal.open(files.key, 3, _sealed(new))
    with pytest.raises(InvalidTag):
        HandKeySeal.open(files.key, 1, _sealed(old))
    with pytest.raises(InvalidTag):
        HandKeySeal.open(files.key, 1, _sealed(new))
    assert files.key.read_bytes() != first


def test_the_event_that_begins_a_hand_is_sealed_under_the_new_hands_key(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW, BEGAN))
    files.shut(journal)
    assert HandKeySeal.open(files.key, 1, _sealed(files.lines()[0]))


def test_a_restart_in_the_middle_of_a_hand_can_still_open_what_was_sealed(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW, BEGAN))
    files.shut(journal)
    files.shut(files.open())
    assert HandKeySeal.open(files.key, 1, _sealed(files.lines()[0]))


def test_nothing_of_a_hand_can_be_opened_once_it_is_over(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW, BEGAN))
    journal.append(_record(ACK, PhaseEntered(phase="done")))
    files.shut(journal)
    with pytest.raises(InvalidTag):
        HandKeySeal.open(files.key, 1, _sealed(files.lines()[0]))


def test_the_same_hidden_part_is_never_sealed_to_the_same_bytes(files: Files) -> None:
    journal = files.open()
    journal.append(_record(DREW))
    journal.append(_record(DREW))
    files.shut(journal)
    one, two = files.lines()
    assert _sealed(one) != _sealed(two)


@pytest.mark.parametrize("taken", ["removed", "renamed", "emptied"])
def test_a_journal_that_somebody_takes_away_or_empties_stops_the_table(files: Files, taken: str) -> None:
    journal = files.open()
    journal.append(_record(ACK))
    _wait(journal)
    journal.drain_wake()
    match taken:
        case "removed":
            files.path.unlink()
        case "renamed":
            files.path.rename(files.path.with_name("elsewhere"))
        case "emptied":
            os.truncate(files.path, 0)
    journal.append(_record(ACK))
    _wait(journal)
    with pytest.raises(JournalError, match="taken away or changed"):
        journal.drain_wake()
    with pytest.raises(JournalError):
        files.shut(journal)


def test_key_and_journal_are_for_their_owner_alone(files: Files) -> None:
    stale = files.key.with_name(files.key.name + ".new")
    stale.write_bytes(b"")
    stale.chmod(0o644)
    journal = files.open()
    journal.append(_record(ACK, BEGAN))
    files.shut(journal)
    for path in (files.path, files.key):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not stale.exists()


_CARD = re.compile(r"\b[2-9TJQKA][shdc]\b")


def _cards_in_the_clear(value: object) -> set[str]:
    """Every card that a line names outside of its sealed part."""
    if isinstance(value, dict):
        return {card for key, part in value.items() if key != "sealed" for card in _cards_in_the_clear(part)}
    if isinstance(value, list):
        return {card for part in value for card in _cards_in_the_clear(part)}
    return set(_CARD.findall(str(value)))


def test_a_played_hand_leaves_no_hidden_card_and_no_uid_in_the_clear(files: Files) -> None:
    journal = files.open()
    joined = Joined(journal)
    joined.play_until("showdown")
    shown = set(joined.table.zones_of_truth()["board"])
    assert len(shown) == 5
    files.shut(journal)
    lines = files.lines()
    assert sum("sealed" in line for line in lines) > 20
    assert _cards_in_the_clear(lines) == shown
    raw = files.path.read_bytes()
    for cards in joined.table.decks.values():
        for card in cards:
            assert card.uid not in raw
            assert card.uid.hex().encode() not in raw.lower()


def test_a_fed_set_names_its_missing_cards_to_nobody(files: Files) -> None:
    journal = files.open()
    fed = Fed(
        ref=1, outcome="done", reason="none", verdict="wrong", count=51, strangers=0, missing=(Card("Qh"),)
    )
    journal.append(_record(fed))
    files.shut(journal)
    (line,) = files.lines()
    assert _cards_in_the_clear(line) == set()
    assert b"Qh" in HandKeySeal.open(files.key, 1, _sealed(line))
