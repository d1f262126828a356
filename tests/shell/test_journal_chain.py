"""A journal's chain, its signatures, its keys from hand to hand and its files."""

from pathlib import Path

import msgspec
import pytest

from controller.errors import JournalOpenError
from controller.journal import Bounds, Stop, keys
from controller.journal.chain import FIRST, close, link, open_line
from controller.journal.reading import JournalDamagedError, Reading, files_of, older_file
from controller.journal.records import File
from controller.journal.whole import Whole
from tests.shell.test_journal import ACK, DREW, STATE, Files, record

SMALL = Bounds(file_bytes=1)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def _three_hands(files: Files, bounds: Bounds | None = None) -> None:
    journal = files.open(bounds=bounds)
    for hand in (1, 2, 3):
        journal.append(record(DREW))
        journal.keep(STATE, hand)
        journal.append(record(ACK))
    files.shut(journal, Stop("told to stop"))


def test_a_line_is_written_in_one_way_alone() -> None:
    body = b'{"n":1,"heard":"SHOWN"}'
    chain = link(FIRST, body)
    for signature in (None, bytes(range(64))):
        line = close(body, chain, signature)
        assert open_line(line) == (body, chain, signature)
        for at in range(len(line)):
            for bit in range(8):
                flipped = line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]
                other = open_line(flipped)
                assert other is None or link(FIRST, other.body) != other.chain or other.signature != signature


def test_every_flipped_bit_of_a_journal_keeps_it_from_being_read(files: Files) -> None:
    _three_hands(files)
    whole = files.path.read_bytes()
    ends = {at for at, byte in enumerate(whole) if byte == ord("\n")}
    for at in range(0, len(whole), 7):
        bit = at % 8
        files.path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        if at == max(ends):
            continue
        with pytest.raises(JournalDamagedError, match=r"journal\.jsonl, line \d+: "):
            list(Reading(files.path))
    files.path.write_bytes(whole[:-1] + b"\x0b")
    reading = Reading(files.path)
    assert len(list(reading)) == whole.count(b"\n") - 1
    assert reading.torn, "the last line without its end is a torn one"


@pytest.mark.parametrize("line", [2, 5, 9])
def test_a_line_that_is_taken_out_or_put_elsewhere_breaks_the_chain(files: Files, line: int) -> None:
    _three_hands(files)
    lines = files.path.read_bytes().splitlines(keepends=True)
    without = [*lines[:line], *lines[line + 1 :]]
    swapped = [*lines[:line], lines[line + 1], lines[line], *lines[line + 2 :]]
    for spoiled in (without, swapped):
        files.path.write_bytes(b"".join(spoiled))
        with pytest.raises(JournalDamagedError, match=f"line {line + 1}: "):
            list(Reading(files.path))


def test_whoever_makes_the_chain_anew_cannot_sign_it(files: Files) -> None:
    _three_hands(files)
    before, made = FIRST, []
    for raw in files.path.read_bytes().splitlines(keepends=True):
        closed = open_line(raw)
        assert closed is not None
        body = closed.body.replace(b'"key":"ack"', b'"key":"yes"')
        before = link(before, body)
        made.append(close(body, before, closed.signature))
    files.path.write_bytes(b"".join(made))
    with pytest.raises(JournalDamagedError, match="does not bear the table's signature"):
        list(Reading(files.path))


def test_the_key_that_signed_a_hand_is_gone_with_it(files: Files) -> None:
    journal = files.open()
    first = files.secrets()
    journal.keep(STATE, 1)
    files.shut(journal)
    second = files.secrets()
    signers = [read.line.keys.sign for read in files.read() if read.line.keys is not None]
    assert signers == [keys.public_of(first.sign[0]), keys.public_of(second.sign[0])]
    assert first.sign[0] not in second.sign
    assert first.hand[0] not in second.hand
    assert first.order == second.order, "the decks' tables stay as the shuffler has them"


@pytest.mark.parametrize("written", ["not yet", "already"])
def test_a_crash_while_keys_are_changed_leaves_those_that_the_journal_names(
    files: Files, written: str
) -> None:
    journal = files.open()
    journal.append(record(DREW))
    files.shut(journal)
    old = files.secrets()
    if written == "already":
        journal = files.open()
        journal.keep(STATE, 1)
        files.shut(journal)
    new = files.secrets() if written == "already" else keys.fresh()
    both = keys.Secrets((old.hand[0], new.hand[0]), (old.sign[0], new.sign[0]), old.order)
    keys.write_secrets(files.keys, both)
    journal = files.open()
    named = new if written == "already" else old
    assert journal.hand_key == named.hand[0]
    journal.append(record(DREW))
    journal.keep(STATE, 2)
    files.shut(journal)
    assert len(files.read()) > 4, "and what is signed then holds"


def test_a_start_that_goes_on_is_signed_with_the_key_of_before(files: Files) -> None:
    _three_hands(files)
    files.shut(files.open())
    chain = Reading(files.path)
    list(chain)
    assert chain.chain.roots == [1], "nobody begins to sign but the first"


# Files


def test_a_hand_that_begins_in_a_large_file_begins_another_and_the_chain_goes_on(files: Files) -> None:
    _three_hands(files, SMALL)
    names = [file.name for file in files_of(files.path)]
    assert names == ["journal.0001.jsonl", "journal.0002.jsonl", "journal.0003.jsonl", "journal.jsonl"]
    numbers = [read.line.n for read in files.read() if read.line.n is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    last = [read.line for read in Reading(files.path)]
    assert last[1].checkpoint is not None, "a start needs the last file alone"
    for file in files_of(files.path):
        assert file.stat().st_mode & 0o777 == 0o600


def test_no_more_older_files_stay_than_a_room_wants(files: Files) -> None:
    _three_hands(files, Bounds(file_bytes=1, older_files=1))
    assert [file.name for file in files_of(files.path)] == ["journal.0003.jsonl", "journal.jsonl"]
    first = next(iter(Reading(files.path))).line.file
    assert first == File(4, first.follows if first else "", ("journal.0002.jsonl",))
    assert files.read(), "what is left still holds"


def test_a_file_that_is_missing_in_the_middle_is_noticed(files: Files) -> None:
    _three_hands(files, SMALL)
    older_file(files.path, 2).unlink()
    with pytest.raises(JournalDamagedError, match="file 2 of the journal is missing"):
        list(Whole(files.path))


def test_a_file_that_was_begun_and_never_named_is_forgotten(files: Files) -> None:
    _three_hands(files)
    turned = files.path.with_name("journal.jsonl.next")
    turned.write_bytes(b"{}\n")
    files.shut(files.open())
    assert not turned.exists()


def test_another_format_is_refused_by_its_number(files: Files) -> None:
    files.shut(files.open())
    body = b'{"file":{"number":1,"follows":"' + FIRST.hex().encode() + b'"},"format":9}'
    files.path.write_bytes(close(body, link(FIRST, body)))
    with pytest.raises(JournalOpenError, match="the journal has format 9, this version reads 2"):
        files.open()


def test_a_journal_of_the_time_before_chains_is_refused_by_its_first_line(files: Files) -> None:
    files.path.write_bytes(msgspec.json.encode({"n": 1, "event": {"event": "keyed", "key": "ack"}}) + b"\n")
    with pytest.raises(JournalOpenError, match=r"journal\.jsonl, line 1: this is no line of a journal"):
        files.open()
