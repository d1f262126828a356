"""`cutcard audit verify`: a journal that is not what its table wrote is shown, by name."""

import json
import os
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.audit.verifying import Verifying
from controller.errors import JournalError
from controller.journal import Bounds, FileJournal, Start, Stop
from controller.journal.chain import Mark, mark_in, open_line
from controller.journal.reading import Chain, Reading
from controller.journal.records import Line, decode_line, encode_line
from controller.journal.whole import Whole
from tests.audit.made import Direct, Made, by_wire, cutcard, of_files, rechained

OVERFULL = "overfull-flop-holdem"


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A journal of one hand in one file, for whoever changes it."""
    return by_wire(OVERFULL).copied(tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> Made:
    """A journal of three files."""
    return of_files().copied(tmp_path)


def faults(made: Made, *noted: Mark, first_key: str = "") -> list[str]:
    """What does not hold."""
    return Verifying(made.path, noted=noted, first_key=first_key).verify().faults


def mark_of(line: bytes) -> Mark:
    """An entry as it is noted."""
    closed = open_line(line)
    assert closed is not None
    return Mark(json.loads(line)["n"], closed.chain.hex())


@pytest.mark.parametrize("name", [OVERFULL, "the floor decides", "a misdeal", "two decks, hand after hand"])
def test_what_a_table_wrote_holds(name: str) -> None:
    made = by_wire(name)
    done = cutcard("audit", "verify", made.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "it holds" in done.stdout.splitlines()
    assert "it ends with the stop of its table" in done.stdout


def test_a_journal_of_several_files_holds_from_the_first_to_the_last() -> None:
    made = of_files()
    assert len(made.older()) == 2
    found = Verifying(made.path).verify()
    assert (found.faults, found.ended) == ([], "stopped")
    assert [file.number for file in found.files] == [1, 2, 3]
    ends = [(file.first, file.last) for file in found.files]
    assert ends[0][0] == 1
    assert [first for first, _ in ends[1:]] == [last + 1 for _, last in ends[:-1]]


def test_what_is_to_be_noted_is_printed_and_found_again(made: Made) -> None:
    said = cutcard("audit", "verify", made.path).stdout
    noted = re.search(r"to be noted elsewhere: (\S+)$", said, re.MULTILINE)
    key = re.search(r"first key: ([0-9a-f]{64})", said)
    assert noted is not None
    assert key is not None
    done = cutcard("audit", "verify", made.path, "--expect", noted[1], "--first-key", key[1])
    assert (done.returncode, done.stderr) == (0, "")
    assert mark_in(noted[1]) == mark_of(made.lines()[-1])


# What somebody makes of it


def _cut_out(made: Made) -> None:
    lines = made.lines()
    del lines[60]
    made.write(lines)


def _swapped(made: Made) -> None:
    lines = made.lines()
    lines[60], lines[61] = lines[61], lines[60]
    made.write(lines)


def _other_bet(made: Made) -> None:
    lines = made.lines()
    at = made.find(b'"action":"call"')
    lines[at] = lines[at].replace(b'"put_in":10', b'"put_in":20')
    made.write(lines)


def _other_bet_rechained(made: Made) -> None:
    _other_bet(made)
    made.write(rechained(made.lines()))


def _cut_out_rechained(made: Made) -> None:
    lines = made.lines()
    del lines[60]
    for at in range(60, len(lines)):
        lines[at] = re.sub(rb'^\{"n":\d+', b'{"n":%d' % at, lines[at])
    made.write(rechained(lines))


def _without_signature(made: Made) -> None:
    lines = made.lines()
    at = made.find(b'"checkpoint"')
    lines[at] = re.sub(rb',"sig":"[0-9a-f]+"', b"", lines[at])
    made.write(lines)


def _unsigned(made: Made) -> list[bytes]:
    """All that bears a signature taken out, and what is left counted and chained anew."""
    lines = [line for line in made.lines() if b'"sig":' not in line]
    for at in range(1, len(lines)):
        lines[at] = re.sub(rb'^\{"n":\d+', b'{"n":%d' % at, lines[at])
    return lines


def _without_what_is_signed(made: Made) -> None:
    made.write(rechained(_unsigned(made)))


def _with_the_key_in_its_first_line(made: Made) -> None:
    key = Verifying(made.path).verify().key.encode()
    first, *lines = _unsigned(made)
    first = first.replace(b'"format"', b'"keys":{"sign":"%s","hand":""},"format"' % key)
    assert key in first
    made.write(rechained([first, *lines]))


@pytest.mark.parametrize("change", [_without_what_is_signed, _with_the_key_in_its_first_line])
def test_a_journal_without_a_signature_is_none_that_a_table_wrote(
    made: Made, change: Callable[[Made], None]
) -> None:
    key = Verifying(made.path).verify().key
    change(made)
    for first_key in ("", key, "0" * 64):
        assert faults(made, first_key=first_key), f"with the first key {first_key!r}"
    done = cutcard("audit", "explain", made.path, "--hand", "1")
    assert (done.returncode, done.stdout) == (2, "")


def test_a_journal_that_was_cut_to_its_first_line_bears_no_key(made: Made) -> None:
    key = Verifying(made.path).verify().key
    made.write(made.lines()[:1])
    assert faults(made, first_key=key) == [f"nothing in it is signed, by {key} or by another key"]


def test_a_further_file_without_its_checkpoint_is_shown(files: Made) -> None:
    first, checkpoint, *rest = files.lines()
    assert b'"checkpoint"' in checkpoint
    for lines, words in (([first], "ends behind its first line"), ([first, *rest], "is missing")):
        files.write(rechained(lines))
        (fault,) = faults(files)
        assert words in fault
    renumbered = [re.sub(rb'^\{"n":(\d+)', lambda n: b'{"n":%d' % (int(n[1]) - 1), line) for line in rest]
    files.write(rechained([first, *renumbered]))
    (fault,) = faults(files)
    assert "is not the checkpoint with which a further file begins" in fault


def test_what_was_not_read_is_not_told(made: Made) -> None:
    _other_bet(made)
    said = cutcard("audit", "verify", made.path).stdout
    assert "end: not known: what stands behind what does not hold was not read" in said
    assert "to be noted elsewhere" not in said, "nobody is to note an entry of a journal that does not hold"
    assert "it does not hold: 1 fault; keep all its files as they are" in said


def test_noted_entries_vouch_for_a_journal_whose_first_files_were_removed(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000, older_files=1))
    table.play()
    made = table.stop()
    found = Verifying(made.path).verify()
    assert found.files[0].number == 2
    assert found.signed is not None
    early, key = Mark(2, "0" * 64), "1" * 64
    assert len(faults(made, early, first_key=key)) == 2, "nothing vouches for what is left"
    assert faults(made, found.signed, early, first_key=key) == []
    assert len(faults(made, Mark(found.signed.number, "0" * 64), early, first_key=key)) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_cut_out, r"line 61: entry 60 is missing: entry 61 stands in its place"),
        (_swapped, r"line 61: entry 60 is missing: entry 61 stands in its place"),
        (_other_bet, r"line \d+: entry \d+ does not follow what stands before it: one of them was changed"),
        (_other_bet_rechained, r"line \d+: entry \d+ does not bear the table's signature"),
        (_cut_out_rechained, r"line \d+: entry \d+ does not bear the table's signature"),
        (_without_signature, r"line \d+: entry \d+ does not bear the table's signature"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_a_changed_journal_is_shown_with_the_line_that_does_not_hold(
    made: Made, change: Callable[[Made], None], words: str
) -> None:
    change(made)
    done = cutcard("audit", "verify", made.path)
    assert done.returncode == 1
    assert re.fullmatch(rf"cutcard audit verify: {re.escape(str(made.path))}, {words}\n", done.stderr)
    assert "it does not hold: 1 fault" in done.stdout


def _made_anew(folder: Path) -> Made:
    """A journal that somebody makes all anew, with keys of his own."""
    folder.mkdir()
    table = Direct(folder)
    table.play()
    return table.stop()


def test_another_root_key_is_shown_where_the_first_was_noted(tmp_path: Path) -> None:
    known = Verifying(by_wire(OVERFULL).path).verify().key
    other = _made_anew(tmp_path / "other")
    assert faults(other) == [], "it holds in itself"
    (fault,) = faults(other, first_key=known)
    assert fault.endswith(f"and not with {known}: another journal was put in its place")
    done = cutcard("audit", "verify", other.path, "--first-key", known)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


def test_a_journal_made_anew_is_shown_where_an_entry_was_noted(tmp_path: Path) -> None:
    noted = mark_of(by_wire(OVERFULL).lines()[50])
    assert faults(_made_anew(tmp_path / "other"), noted) == [
        f"entry {noted.number} is not the one that was noted: the journal was made anew"
    ]


def test_a_key_for_which_no_key_before_it_vouches_is_shown(made: Made) -> None:
    start = made.find(b'"start"')
    made.write(made.lines()[: made.find(b'"checkpoint"')])
    (made.folder / "journal.jsonl.keys").unlink()
    other = _Forger(made.path)
    other.start(_start_in(made.lines()[start]))
    other.close()
    (fault,) = faults(made)
    assert re.fullmatch(r"entry \d+ begins with a key for which no key before it vouches", fault)


class _Forger(FileJournal):
    """Goes on with a journal whose keys it has not."""

    def _secrets_for(self, hand: str):  # type: ignore[no-untyped-def]
        self._chain.signer = ""
        return super()._secrets_for(hand)


def _start_in(line: bytes) -> Start:
    closed = open_line(line)
    assert closed is not None
    start = decode_line(closed.body).start
    assert start is not None
    return start


# What is missing


@pytest.mark.parametrize("lines", [1, 2, 40])
def test_a_journal_without_its_end_is_said_to_have_none_and_refused_where_that_was_noted(
    made: Made, lines: int
) -> None:
    noted = mark_of(made.lines()[-1])
    made.write(made.lines()[:-lines])
    found = Verifying(made.path).verify()
    assert (found.faults, found.ended) == ([], "open")
    said = cutcard("audit", "verify", made.path)
    assert said.returncode == 0
    assert "it does not end with the stop of its table" in said.stdout
    done = cutcard("audit", "verify", made.path, "--expect", str(noted))
    fault = f"entry {noted.number}, which was noted, is missing: the journal was shortened"
    assert (done.returncode, done.stderr) == (1, f"cutcard audit verify: {fault}\n")


def test_what_is_not_signed_yet_is_said(made: Made) -> None:
    made.write(made.lines()[:-1])
    said = cutcard("audit", "verify", made.path).stdout
    signed, left = mark_of(made.lines()[made.find(b'"checkpoint"')]), mark_of(made.lines()[-1])
    unsigned = left.number - signed.number
    assert f"up to entry {signed.number} is signed; {unsigned} after it hang on the chain alone" in said
    assert f"to be noted elsewhere: {signed}\n" in said


def test_a_torn_last_line_is_said(made: Made) -> None:
    made.path.write_bytes(made.path.read_bytes()[:-30])
    found = Verifying(made.path).verify()
    assert (found.faults, found.ended) == ([], "torn")
    assert "it ends in the middle of a line" in cutcard("audit", "verify", made.path).stdout


def test_a_journal_that_a_table_writes_is_said_to_be_written(tmp_path: Path) -> None:
    table = Direct(tmp_path)
    table.play()
    table.flush()
    found = Verifying(table.made.path).verify()
    assert (found.faults, found.ended) == ([], "written")
    table.stop()
    assert Verifying(table.made.path).verify().ended == "stopped"


def test_a_table_can_be_started_while_somebody_verifies(made: Made) -> None:
    for _ in range(20):
        assert Verifying(made.path).verify().ended == "stopped"
    FileJournal(made.path).close(Stop("told to stop"))


def test_a_missing_file_in_the_middle_is_shown_by_name(files: Made) -> None:
    files.older()[1].unlink()
    (fault,) = faults(files)
    assert fault == f"{files.folder}/journal.0002.jsonl: file 2 of the journal is missing"


def test_missing_last_files_are_shown_by_name(files: Made) -> None:
    noted = mark_of(files.lines()[-1])
    files.path.unlink()
    done = cutcard("audit", "verify", files.path)
    assert done.returncode == 1
    assert done.stderr == (
        f"cutcard audit verify: {files.path}: the last file of the journal is missing, "
        "which goes on behind file 2\n"
    )
    files.older()[1].rename(files.path)
    assert faults(files) == [], "what is there holds: only who noted how far it had come knows more"
    assert Verifying(files.path).verify().ended == "open"
    assert faults(files, noted) == [
        f"entry {noted.number}, which was noted, is missing: the journal was shortened"
    ]


def test_a_missing_first_file_is_shown_unless_it_was_removed_for_want_of_room(
    files: Made, tmp_path: Path
) -> None:
    files.older()[0].unlink()
    first = files.folder / "journal.0001.jsonl"
    assert faults(files) == [f"{first}: file 1 of the journal is missing, and the journal does not say why"]
    (tmp_path / "bound").mkdir()
    table = Direct(tmp_path / "bound", bounds=Bounds(file_bytes=20_000, older_files=1))
    table.play()
    found = Verifying(table.stop().path).verify()
    assert found.faults == []
    assert found.files[0].number == 2
    assert found.notes == ["file 1 of the journal is not there: removed, because there were too many"]


def test_files_in_another_order_are_shown(files: Made) -> None:
    first, second = files.older()
    first.rename(files.folder / "x")
    second.rename(first)
    (files.folder / "x").rename(second)
    (fault,) = faults(files)
    assert "this is file 2 of the journal, not file 1" in fault


def test_an_emptied_file_is_shown(files: Made) -> None:
    os.truncate(files.older()[1], 0)
    assert faults(files) == [f"{files.older()[1]}: the file was emptied"]


# Every bit


def _sentences(path: Path) -> list[Line]:
    """What is accepted of a journal, until something is not."""
    return [read.line for read in Verifying(path)]


def _is_found(made: Made, whole: list[bytes], at: int, bit: int) -> None:
    raw = made.path.read_bytes()
    changed = bytearray(raw)
    changed[at] ^= 1 << bit
    made.path.write_bytes(changed)
    try:
        verifying = Verifying(made.path)
        accepted = [encode_line(read.line) for read in verifying]
        found = verifying.found
        assert accepted == whole[: len(accepted)], f"bit {bit} of byte {at}: a changed entry is accepted"
        torn = found.ended == "torn" and at == len(raw) - 1
        assert found.faults or torn, f"bit {bit} of byte {at} is not found"
        assert len(accepted) < len(whole)
    except JournalError:
        assert at < len(made.lines()[0]), "the first line alone says what this is"
    finally:
        made.path.write_bytes(raw)


def _small(tmp_path: Path) -> tuple[Made, list[bytes]]:
    made = by_wire("the floor decides").copied(tmp_path)
    return made, [encode_line(line) for line in _sentences(made.path)]


def test_a_flipped_bit_anywhere_is_found_and_no_changed_entry_is_accepted(tmp_path: Path) -> None:
    made, whole = _small(tmp_path)
    dice = random.Random(7)
    size = made.path.stat().st_size
    first = len(made.lines()[0])
    places = [*range(0, first, 7), *range(size - 40, size), *(dice.randrange(size) for _ in range(500))]
    for at in places:
        _is_found(made, whole, at, dice.randrange(8))


def _is_refused(reading: Reading, part: bytes) -> bool:
    """Whether what stands in the place of a line, and maybe of the next, is taken for no line."""
    lines = part.split(b"\n")
    if len(lines) == 1:
        return True  # without an end it waits for one, and is cut off where none comes
    chain = replace(reading.chain, roots=list(reading.chain.roots))
    fresh = Reading(reading.file, chain)
    fresh.lines, fresh.whole = reading.lines, reading.whole
    fresh._follows = reading._follows
    try:
        fresh.take(lines[0] + b"\n")
    except JournalError:
        return True
    return False


@pytest.mark.soak
@pytest.mark.timeout(5400)
def test_every_flipped_bit_of_every_byte_of_a_few_hands_is_found() -> None:
    made = of_files()
    chain = Chain()
    for file in (*made.older(), made.path):
        reading = Reading(file, chain)
        lines = file.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else b""
            for at in range(len(line)):
                for bit in range(8):
                    changed = bytearray(line)
                    changed[at] ^= 1 << bit
                    part = bytes(changed) + (following if at == len(line) - 1 else b"")
                    assert _is_refused(reading, part), f"{file.name}, line {number + 1}, byte {at}, bit {bit}"
            reading.take(line)
        chain = reading.chain


def test_a_file_that_is_turned_over_while_it_is_read_is_read_as_it_was(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000))
    table.flush()
    reading = iter(Whole(table.made.path))
    first = [next(reading)[1].line.n for _ in range(3)]
    table.play()
    table.flush()
    assert len(table.made.older()) == 2, "it was turned over twice meanwhile"
    rest = [read.line.n for _, read in reading]
    numbers = [number for number in (*first, *rest) if number is not None]
    assert numbers == list(range(1, numbers[-1] + 1))
    assert Verifying(table.made.path).verify().faults == []
    table.stop()


# What is no journal


def _nothing(_: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_nothing, "there is no journal there"),
        (Path.mkdir, "there is no journal there: this is no file"),
        (lambda path: path.write_bytes(b""), "there is no journal there: the file is empty"),
        (lambda path: path.write_bytes(b"hello\n"), "line 1: this is no line of a journal"),
        (lambda path: path.write_bytes(bytes(9_000_000)), "line 1: this is no line of a journal"),
        (lambda path: path.symlink_to(path), "the journal cannot be read: Too many levels of symbolic links"),
        (lambda path: os.mkfifo(path), "there is no journal there: this is no file"),
        (
            lambda path: path.write_bytes(
                b"".join(rechained([by_wire(OVERFULL).lines()[0].replace(b'"format":2', b'"format":3')]))
            ),
            "line 1: the journal has format 3, this version reads 2",
        ),
    ],
)
def test_what_is_no_journal_is_refused_in_one_line(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "journal.jsonl"
    make(path)
    done = cutcard("audit", "verify", path)
    assert done.returncode == 2
    assert re.fullmatch(rf"cutcard audit verify: \S+journal\.jsonl[:,] {words}\n", done.stderr)


def test_what_was_noted_wrongly_is_refused(made: Made) -> None:
    for option, said in (("--expect", "17"), ("--expect", "x:y"), ("--first-key", "abc")):
        done = cutcard("audit", "verify", made.path, option, said)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
