"""The files of a journal: turned over, killed while they are, missing, another's, or none at all."""

import errno
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from controller.audit.verifying import Verifying
from controller.errors import JournalError, JournalOpenError
from controller.journal import Bounds, FileJournal, keys
from controller.journal.disk import Disk
from controller.journal.reading import Reading, files_of, next_file, older_file
from tests.shell.test_journal import DREW, STATE, Files, files, record, wait_until

__all__ = ["files"]
SMALL = Bounds(file_bytes=1)
CALLS = ("write", "fsync", "fdatasync", "link", "replace", "ftruncate")
"""By what a journal changes what a disk has."""
MOST_CALLS = 200


def play(files: Files, hands: int, told: Callable[[int], object] = lambda _: None) -> None:
    """A journal is begun, or goes on, with a file for each hand; how much is durable is told."""
    journal = files.open(bounds=SMALL)
    told(journal.durable)
    for hand in range(hands):
        journal.append(record(DREW))
        _wait_for(journal, journal.keep(STATE, hand + 1))
        told(journal.durable)
    files.shut(journal)


def _wait_for(journal: FileJournal, number: int) -> None:
    wait_until(journal, lambda: journal.durable >= number)


def killed(files: Files, point: int) -> tuple[bool, int]:
    """Whether a table was killed before that call, counted from 1, and what it knew to be durable by then."""
    read, write = os.pipe()
    table = os.fork()
    if not table:
        with suppress(BaseException):
            os.close(read)
            _dies_before(point)
            play(files, 2, lambda number: os.writev(write, [bytes((number,))]))
            os._exit(0)
        os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    status = os.waitpid(table, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status), told[-1] if told else 0


def _dies_before(point: int) -> None:
    made = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*given: object, **named: object) -> object:
            nonlocal made
            made += 1
            if made == point:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **named)

        return call

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))


def test_a_journal_goes_on_wherever_its_table_was_killed(tmp_path: Path) -> None:
    for point in range(1, MOST_CALLS):
        folder = tmp_path / str(point)
        folder.mkdir()
        files = Files(folder)
        was_killed, durable = killed(files, point)
        journal = files.open()
        assert journal.last >= durable, f"call {point}: an entry that was durable is gone"
        files.shut(journal)
        secrets = files.secrets()
        assert (len(secrets.hand), len(secrets.sign)) == (1, 1), (
            f"call {point}: a key of before is still there"
        )
        play(files, 1)
        assert Verifying(files.path).verify().faults == [], f"call {point}"
        if not was_killed:
            assert point > 2 * len(CALLS)
            return
    pytest.fail("the table was killed in every run")


def test_what_comes_after_a_turn_needs_no_file_but_the_last(files: Files) -> None:
    play(files, 2)
    for file in files_of(files.path)[:-1]:
        file.unlink()
    files.shut(files.open())


@pytest.mark.parametrize(
    ("call", "at"), [("link", "older"), ("replace", "next"), ("open", "folder"), ("open", "next")]
)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_turn_is_made_once_however_often_it_is_tried(
    files: Files, monkeypatch: pytest.MonkeyPatch, call: str, at: str, code: int
) -> None:
    journal = files.open(bounds=SMALL)
    where = {"older": files.path, "next": next_file(files.path), "folder": files.path.parent}[at]
    real, fails = getattr(os, call), 2

    def failing(path: Path, *given: object, **named: object) -> object:
        nonlocal fails
        if path == where and fails and (at != "folder" or older_file(files.path, 1).exists()):
            fails -= 1
            raise OSError(code, os.strerror(code))
        return real(path, *given, **named)

    monkeypatch.setattr("controller.journal.disk.RETRY_S", 0.01)
    monkeypatch.setattr(os, call, failing)
    for _ in range(3):
        journal.append(record(DREW))
    _wait_for(journal, journal.keep(STATE, 1))
    files.shut(journal)
    assert fails == 0
    assert [read.line.n for read in files.read()] == [None, 1, 2, 3, 4, None, 5]
    assert len(files_of(files.path)) == 2


def test_a_further_file_is_never_written_over_another(files: Files) -> None:
    journal = files.open(bounds=SMALL)
    other = older_file(files.path, 1)
    other.write_text("mine")
    journal.keep(STATE, 1)
    with pytest.raises(
        JournalError, match=r"journal\.0001\.jsonl: another file has the name .*; move it away"
    ):
        wait_until(journal, lambda: journal.durable == 2)
    assert other.read_text() == "mine"
    files.opened.remove(journal)
    with pytest.raises(JournalError):
        journal.close()
    with pytest.raises(
        JournalOpenError, match=r"journal\.0001\.jsonl: this is no older file of journal\.jsonl"
    ):
        files.open()
    other.unlink()
    files.shut(files.open())


@pytest.mark.parametrize("left", ["nothing", "an empty file", "zeros"])
def test_a_journal_that_is_gone_is_not_begun_anew(files: Files, left: str) -> None:
    play(files, 1)
    older = older_file(files.path, 1).read_bytes()
    secrets = files.keys.read_bytes()
    if left == "nothing":
        files.path.unlink()
        next_file(files.path).write_bytes(b"what a crash left")
    else:
        files.path.write_bytes(b"" if left == "an empty file" else bytes(5000))
    with pytest.raises(
        JournalOpenError, match=r"missing or empty, and there is still .*; bring the journal back"
    ):
        files.open()
    assert files.keys.read_bytes() == secrets
    assert older_file(files.path, 1).read_bytes() == older
    older_file(files.path, 1).unlink()
    with pytest.raises(JournalOpenError, match=r"there is still journal\.jsonl\.keys; "):
        files.open()


@pytest.mark.parametrize(
    "content",
    [b"a note without an end of line", b"\xff" * 4_000_000, bytes(100), b'{"n":1,"x"', b'{"format":2\x00,'],
)
def test_a_file_that_is_no_journal_stays_as_it_is(files: Files, content: bytes) -> None:
    files.path.write_bytes(content)
    with pytest.raises(
        JournalOpenError, match="line 1: this is no line of a journal; keep the file as it is"
    ):
        files.open()
    assert files.path.read_bytes() == content


@pytest.mark.parametrize("content", [b"{", b'{"format":2,"at":"2026'])
def test_a_first_line_that_a_crash_cut_off_is_written_anew(files: Files, content: bytes) -> None:
    files.path.write_bytes(content)
    files.shut(files.open())
    assert files.read()


@pytest.mark.parametrize("torn", [b"{", b'{"n":2,"at":"20', b'{"n":2,"at":"20\0\0\0', bytes(4000)])
def test_an_entry_that_a_crash_cut_off_is_taken_away(files: Files, torn: bytes) -> None:
    files.shut(files.open())
    whole = files.path.read_bytes()
    files.path.write_bytes(whole + torn)
    files.shut(files.open())
    assert files.path.read_bytes() == whole


@pytest.mark.parametrize("behind", [b"garbage", b'{"n":2,\0"at"', b"\xff" * 3_000_000, b'{"m":'])
def test_what_no_crash_leaves_behind_the_last_entry_is_kept_and_named(files: Files, behind: bytes) -> None:
    files.shut(files.open())
    files.path.write_bytes(files.path.read_bytes() + behind)
    before = files.path.read_bytes()
    with pytest.raises(
        JournalOpenError, match="line 3: this is no line of a journal; keep the file as it is"
    ):
        files.open()
    assert files.path.read_bytes() == before


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.jsonl.keys"])
def test_what_is_no_file_is_named_and_not_waited_for(files: Files, name: str) -> None:
    files.shut(files.open())
    at = files.path.with_name(name)
    at.unlink()
    os.mkfifo(at)
    with pytest.raises(JournalOpenError, match=rf"{name}: .*this is no file"):
        files.open()


def test_a_journal_is_no_link_to_another_file(files: Files) -> None:
    play(files, 0)
    files.path.rename(files.path.with_name("other.jsonl"))
    files.path.symlink_to("other.jsonl")
    with pytest.raises(JournalOpenError, match="this is a link to another file; name that file itself"):
        files.open()


def test_a_second_table_takes_nothing_from_one_that_is_turning_its_journal_over(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = files.open(bounds=SMALL)
    refused: list[str] = []
    real = os.link

    def meanwhile(source: Path, target: Path) -> None:
        for place in ("before", "after"):
            with pytest.raises(JournalOpenError, match="another table writes it"):
                Disk(files.path, lambda _: None)
            refused.append(place)
            if place == "before":
                real(source, target)

    monkeypatch.setattr(os, "link", meanwhile)
    _wait_for(journal, journal.keep(STATE, 1))
    assert refused == ["before", "after"]
    files.shut(journal)
    assert keys.key_file_of(files.path) == files.keys
    assert [read.line.n for read in files.read()] == [None, 1, None, 2]


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_an_older_file_that_is_none_is_named_and_not_waited_for(
    files: Files, make: Callable[[Path], None]
) -> None:
    play(files, 1)
    older = older_file(files.path, 1)
    older.unlink()
    make(older)
    with pytest.raises(
        JournalOpenError, match=r"journal\.0001\.jsonl: the journal cannot be read: this is no file"
    ):
        list(Reading(older))


def test_an_extract_is_told_from_a_journal(files: Files) -> None:
    play(files, 0)
    files.path.write_bytes(b"".join(files.path.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(JournalOpenError, match="an extract is read and verified in its whole journal"):
        list(Reading(files.path))
