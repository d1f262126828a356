"""The journal: what is durable, what is sealed, and how it says that it cannot be written or read."""

import errno
import json
import os
import re
import select
import stat
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from controller.cards import DECK, Card
from controller.decisions import AnyDecision, Command, Prompt
from controller.errors import JournalError, JournalOpenError
from controller.events import AnyEvent, Arrived, Drew, Fed, Keyed
from controller.journal import Bounds, FileJournal, MemoryJournal, Record, Source, Start, Stop, keys
from controller.journal.reading import Read, Reading
from controller.journal.records import Line, encode_line, record_of, sealed_bytes
from controller.journal.seal import Auditor, AuditorKey, unseal
from controller.journal.whole import Whole
from controller.places import Place
from tests.shell.joined import Joined

ACK = Keyed(key="ack")
DREW = Drew(time=3, number=1, what="card", way="hand", cards=(Card("As"),))
START = Start(anew=True, version="0", software="s", setup="t", config=msgspec.Raw(b"{}"))
STATE = b'{"a":"state"}'


class Files:
    """A journal file, its keys and how they are opened again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"
        self.keys = folder / "journal.jsonl.keys"
        self.opened: list[FileJournal] = []

    def open(self, *, auditor: Auditor | None = None, bounds: Bounds | None = None) -> FileJournal:
        """The journal; a new one is started."""
        journal = FileJournal(
            self.path, auditor=auditor, bounds=bounds, now=lambda: datetime(2026, 1, 2, tzinfo=UTC)
        )
        self.opened.append(journal)
        if not journal.last:
            journal.start(START)
            wait_until(journal, lambda: journal.durable == 1)
        return journal

    def shut(self, journal: FileJournal, stop: Stop | None = None) -> None:
        self.opened.remove(journal)
        journal.close(stop)

    def read(self) -> list[Read]:
        """Every line, the first of each file too."""
        return [read for _, read in Whole(self.path)]

    def entries(self) -> list[Line]:
        """The entries of events."""
        return [read.line for read in self.read() if read.line.event is not msgspec.UNSET]

    def secrets(self) -> keys.Secrets:
        found = keys.read_secrets(self.keys)
        assert found is not None
        return found

    def opens(self, line: Line, key: bytes | None = None) -> bytes | None:
        """What is sealed in an entry, by the hand's key of now or by another."""
        return unseal(key or self.secrets().hand[-1], line.n or 0, sealed_bytes(line))


def wait_until(journal: FileJournal, come: Callable[[], bool]) -> None:
    """Until the journal has come so far."""
    while not come():
        _wait(journal)
        journal.drain_wake()


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    files = Files(tmp_path)
    yield files
    for journal in files.opened:
        journal.close()


def record(event: AnyEvent = ACK, *decisions: AnyDecision, number: int | None = None) -> Record:
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

    journal = files.open()
    monkeypatch.setattr(os, "fdatasync", fdatasync)
    try:
        assert journal.append(record()) == 2
        assert entered.wait(10)
        assert journal.append(record()) == 3
        assert (journal.last, journal.durable) == (3, 1), "written, and yet not durable"
        assert not _says_something(journal, 0)
    finally:
        go.set()
    _wait(journal)
    journal.drain_wake()
    assert journal.durable >= 2
    files.shut(journal)
    assert journal.durable == 3
    assert b'"n":2' in synced[0]


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
    journal.keep(STATE, 1)
    journal.append(record(DREW))
    files.shut(journal)
    assert threads == {"journal"}


def test_closing_waits_until_everything_is_durable(files: Files) -> None:
    journal = files.open()
    for _ in range(200):
        journal.append(record())
    files.shut(journal)
    assert journal.durable == 201
    assert [read.line.n for read in files.read()[1:]] == list(range(1, 202))


def test_a_table_without_files_is_never_behind() -> None:
    journal = MemoryJournal()
    assert [journal.append(record()) for _ in range(3)] == [1, 2, 3]
    assert (journal.durable, journal.last, journal.wake_fd()) == (3, 3, None)


# Over restarts


def test_numbers_and_the_chain_go_on_after_a_restart(files: Files) -> None:
    journal = files.open()
    journal.append(record(number=8))
    journal.append(record())
    files.shut(journal)
    again = files.open()
    assert (again.last, again.durable) == (3, 3)
    assert again.append(record()) == 4
    files.shut(again)
    assert [read.line.n for read in files.read()[1:]] == [1, 2, 3, 4]


def test_a_torn_last_line_is_survived_by_every_restart_after_it(files: Files) -> None:
    journal = files.open()
    journal.append(record(number=8))
    journal.append(record(number=9))
    files.shut(journal)
    whole = files.path.read_bytes()
    for torn in (whole[:-1], whole[:-20], whole + b"{", whole + bytes(300)):
        files.path.write_bytes(torn)
        kept = torn[: torn.rindex(b"\n") + 1].count(b"\n") - 1
        for more in range(1, 4):
            again = files.open()
            assert again.last == kept + more - 1
            again.append(record())
            files.shut(again)
        assert [read.line.n for read in files.read()[1:]] == list(range(1, kept + 4))


def test_what_was_torn_off_counts_for_nothing(files: Files) -> None:
    journal = files.open()
    journal.append(record(number=8))
    journal.append(record(number=9))
    files.shut(journal)
    files.path.write_bytes(files.path.read_bytes()[:-1])
    reading = Reading(files.path)
    numbers = [read.line.source.number for read in reading if read.line.source is not None]
    assert numbers == [8], "the device is asked for event 9 again"
    assert reading.torn > 0


@pytest.mark.parametrize(
    "line", [b"rubbish", b"", b"{}", b'{"n":"2"}', b'{"n":0}', b'{"n":2}', b'{"n":3,"chain":"00"}']
)
def test_a_line_that_is_no_entry_is_named_by_its_number_and_nothing_is_touched(
    files: Files, line: bytes
) -> None:
    journal = files.open()
    files.shut(journal)
    before = files.path.read_bytes() + line + b"\n" + line + b"\n"
    files.path.write_bytes(before)
    key = files.keys.read_bytes()
    with pytest.raises(JournalOpenError, match=r"journal\.jsonl, line 3: this is no line of a journal; keep"):
        files.open()
    assert files.path.read_bytes() == before
    assert files.keys.read_bytes() == key


# What cannot be used


def test_a_journal_that_another_table_writes_is_refused_and_its_key_left_alone(files: Files) -> None:
    journal = files.open()
    journal.append(record(DREW))
    key = files.keys.read_bytes()
    with pytest.raises(JournalError, match="another table writes it"):
        files.open()
    assert files.keys.read_bytes() == key
    files.shut(journal)
    assert files.open().last == 2


def test_a_journal_that_cannot_be_opened_is_told_by_name(files: Files) -> None:
    files.path.mkdir()
    with pytest.raises(JournalError, match=r"journal\.jsonl: this is no file that a journal can be"):
        files.open()


def test_keys_that_cannot_be_had_are_told_by_name(files: Files) -> None:
    files.keys.with_name("journal.jsonl.keys.new").mkdir()
    with pytest.raises(JournalError, match=r"journal\.jsonl\.keys: the journal's keys cannot be written: "):
        files.open()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda file: file.unlink(), "the keys of this journal are not there"),
        (lambda file: file.write_bytes(b"{}"), "these are no keys of a journal"),
        (lambda file: keys.write_secrets(file, keys.fresh()), "the keys of this journal are not there"),
        (lambda file: file.chmod(0o640), "others may read this file of keys; give it mode 0600"),
    ],
)
def test_a_journal_goes_on_with_its_own_keys_alone(
    files: Files, spoil: Callable[[Path], object], words: str
) -> None:
    files.shut(files.open())
    spoil(files.keys)
    with pytest.raises(JournalOpenError, match=words):
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


@pytest.mark.parametrize("call", ["write", "fdatasync"])
def test_a_full_disk_is_waited_for_and_nothing_is_lost(
    files: Files, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    journal = files.open()
    with monkeypatch.context() as full:
        _fail(full, files, errno.ENOSPC, call)
        journal.append(record(number=8))
        wait_until(journal, lambda: bool(journal.trouble))
        assert journal.trouble.endswith("cannot be written: No space left on device; make room")
        journal.append(record(number=9))
        assert journal.durable == 1, "nothing may be acknowledged on its word"
    wait_until(journal, lambda: journal.durable == 3)
    assert not journal.trouble
    files.shut(journal)
    assert [line.source.number for line in files.entries() if line.source is not None] == [8, 9]


@pytest.mark.parametrize("code", [errno.EBADF, errno.EPERM])
def test_a_write_that_fails_for_good_is_told_to_whoever_waits_and_to_whoever_appends(
    files: Files, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    journal = files.open()
    _fail(monkeypatch, files, code, "write")
    journal.append(record())
    _wait(journal)
    told = r"journal\.jsonl: the journal cannot be written: "
    with pytest.raises(JournalError, match=told):
        journal.drain_wake()
    with pytest.raises(JournalError, match=told):
        journal.append(record())
    assert journal.durable == 1
    with pytest.raises(JournalError, match=told):
        files.shut(journal)


def test_a_write_that_fails_while_closing_is_told_too(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = files.open()
    _fail(monkeypatch, files, errno.ENOSPC, "write")
    journal.append(record())
    with pytest.raises(JournalError, match="make room"):
        files.shut(journal)


def test_keys_that_cannot_be_written_later_stop_the_journal(files: Files) -> None:
    journal = files.open()
    files.keys.unlink()
    files.keys.mkdir()
    before = files.path.read_bytes()
    journal.keep(STATE, 1)
    _wait(journal)
    with pytest.raises(JournalError, match="cannot be written"):
        journal.drain_wake()
    assert files.path.read_bytes() == before, "what nobody could open again is not written"
    with pytest.raises(JournalError):
        files.shut(journal)


# What is sealed


def test_hidden_fields_stand_sealed_and_open_with_the_key(files: Files) -> None:
    journal = files.open()
    feed = Command(ref=6, device="shuffler", command="feed", phase="shuffle", expected=DECK)
    given = record(DREW, Prompt(code="burn"), feed)
    journal.append(given)
    files.shut(journal)
    (line,) = files.entries()
    assert line.event is not msgspec.UNSET
    assert json.loads(bytes(line.event)) == {
        "event": "drew",
        "time": 3,
        "number": 1,
        "what": "card",
        "way": "hand",
        "seen": 1,
    }
    hidden = files.opens(line)
    assert hidden is not None
    decisions = [{"ref": 6, "expected": list(DECK)}]
    assert json.loads(hidden) == {"event": {"cards": ["As"]}, "decisions": decisions}
    assert record_of(line, hidden) == given


def test_an_entry_without_anything_hidden_has_no_sealed_part(files: Files) -> None:
    journal = files.open()
    journal.append(record(ACK, Prompt(code="burn")))
    journal.append(record(Arrived(time=1, place=Place("board"), facing="up", what="foreign")))
    files.shut(journal)
    assert not any(line.sealed for line in files.entries())


def test_a_sealed_part_opens_under_its_own_number_only(files: Files) -> None:
    journal = files.open()
    journal.append(record(DREW))
    files.shut(journal)
    (line,) = files.entries()
    key = files.secrets().hand[-1]
    assert unseal(key, 2, sealed_bytes(line)) is not None
    assert unseal(key, 3, sealed_bytes(line)) is None


def test_a_restart_in_the_middle_of_a_hand_can_still_open_what_was_sealed(files: Files) -> None:
    journal = files.open()
    journal.append(record(DREW))
    files.shut(journal)
    files.shut(files.open())
    assert files.opens(files.entries()[0])


def test_nothing_of_a_hand_can_be_opened_once_the_pack_of_the_next_is_proved(files: Files) -> None:
    journal = files.open()
    journal.append(record(DREW))
    journal.keep(STATE, 1)
    journal.append(record(DREW))
    files.shut(journal)
    before, after = files.entries()
    assert len(files.secrets().hand) == len(files.secrets().sign) == 1
    assert files.opens(before) is None
    assert files.opens(after)


def test_the_auditor_opens_every_hand_with_his_key_and_nobody_elses_does(files: Files) -> None:
    key, other = AuditorKey(bytes(range(32))), AuditorKey(bytes(range(1, 33)))
    journal = files.open(auditor=Auditor(key.public))
    journal.append(record(DREW))
    journal.keep(STATE, 1)
    journal.append(record(DREW))
    files.shut(journal)
    boxes = [read.line.keys for read in files.read() if read.line.keys is not None]
    assert len(boxes) == 2
    for announced, line in zip(boxes, files.entries(), strict=True):
        box = msgspec.json.decode(f'"{announced.box}"', type=bytes)
        hand_key = key.unbox(box)
        assert hand_key is not None
        assert keys.hand_key_id(hand_key) == announced.hand
        assert files.opens(line, hand_key)
        assert other.unbox(box) is None


def test_the_same_hidden_part_is_never_sealed_to_the_same_bytes(files: Files) -> None:
    journal = files.open()
    journal.append(record(DREW))
    journal.append(record(DREW))
    files.shut(journal)
    one, two = files.entries()
    assert one.sealed != two.sealed


@pytest.mark.parametrize("taken", ["removed", "renamed", "emptied"])
def test_a_journal_that_somebody_takes_away_or_empties_stops_the_table(files: Files, taken: str) -> None:
    journal = files.open()
    journal.append(record(ACK))
    _wait(journal)
    journal.drain_wake()
    match taken:
        case "removed":
            files.path.unlink()
        case "renamed":
            files.path.rename(files.path.with_name("elsewhere"))
        case "emptied":
            os.truncate(files.path, 0)
    journal.append(record(ACK))
    _wait(journal)
    with pytest.raises(JournalError, match="taken away or changed"):
        journal.drain_wake()
    with pytest.raises(JournalError):
        files.shut(journal)


def test_key_and_journal_are_for_their_owner_alone(files: Files) -> None:
    stale = files.keys.with_name(files.keys.name + ".new")
    stale.write_bytes(b"")
    stale.chmod(0o644)
    journal = files.open()
    journal.keep(STATE, 1)
    files.shut(journal)
    for path in (files.path, files.keys):
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
    lines = [json.loads(read.closed.body) for read in files.read()]
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
    journal.append(record(fed))
    files.shut(journal)
    (line,) = files.entries()
    assert _cards_in_the_clear(json.loads(encode_line(line))) == set()
    assert b"Qh" in (files.opens(line) or b"")
