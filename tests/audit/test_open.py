"""`cutcard audit open`: what is sealed is shown to the auditor, and never before that is written down."""

import json
import os
import re
import socket
import stat
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from controller.audit.opening import Wish, opener_for, survey
from controller.audit.verifying import Verifying
from controller.cli.audit import print_opened
from controller.errors import AuditorKeyError, JournalError
from controller.journal.chain import close, link, open_line
from controller.journal.openings import last_opening, read_openings
from controller.journal.seal import read_auditor, read_auditor_key, write_auditor_keys
from tests.audit.made import Direct, Made, cutcard, of_files

_FACE = re.compile(r"card (\d+) left the shoe(?:, burned by the machine)?: ([2-9TJQKA][shdc])$", re.MULTILINE)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A journal of three hands in three files."""
    return of_files().copied(tmp_path)


def _open(made: Made, *more: str | Path) -> tuple[int, str, str]:
    done = cutcard("audit", "open", made.path, "--key", made.key, "--who", "Ann Bell", *more)
    return done.returncode, done.stdout, done.stderr


def _faults(made: Made) -> list[str]:
    return Verifying(made.path).verify().faults


def test_a_pair_of_keys_is_made_once_the_private_one_for_its_owner_alone(tmp_path: Path) -> None:
    private, public = tmp_path / "a.key", tmp_path / "a.pub"
    done = cutcard("audit", "keys", "--private", private, "--public", public)
    assert (done.returncode, done.stderr) == (0, "")
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert read_auditor_key(private).public.hex() == public.read_text().split()[-1]
    assert read_auditor_key(private).public.hex().startswith(read_auditor(public).name)
    assert private.read_text().split()[-1] not in done.stdout
    kept = private.read_bytes(), public.read_bytes()
    for pair in ((private, tmp_path / "b.pub"), (tmp_path / "b.key", public), ("/nowhere/a", tmp_path / "c")):
        again = cutcard("audit", "keys", "--private", pair[0], "--public", pair[1])
        assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert (private.read_bytes(), public.read_bytes()) == kept
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.key", "a.pub"]


def test_the_auditor_sees_every_card_that_left_the_shoe(made: Made) -> None:
    status, said, error = _open(made, "--hand", "2")
    assert (status, error) == (0, "")
    drawn = _FACE.findall(said)
    assert [int(number) for number, _ in drawn] == list(range(1, len(drawn) + 1))
    assert len({card for _, card in drawn}) == len(drawn) == 16 + 3 + 5
    known = re.findall(r"came to lie at [^:]*: ([2-9TJQKA][shdc])$", said, re.MULTILINE)
    assert set(known) <= {card for _, card in drawn}


def test_every_hand_that_is_over_is_opened_where_none_is_named(made: Made) -> None:
    status, said, _ = _open(made)
    assert status == 0
    assert len(_FACE.findall(said)) == 3 * 24
    assert "opened 3 hands, 1@13 to 3@336 (entries 13 to 486)" in cutcard("audit", "opened", made.path).stdout


def test_who_opened_what_is_listed_and_the_journal_holds_with_it(made: Made) -> None:
    assert "nobody has opened" in cutcard("audit", "opened", made.path).stdout
    _open(made, "--hand", "2")
    _open(made, "--hand", "1")
    done = cutcard("audit", "opened", made.path)
    assert (done.returncode, done.stderr) == (0, "")
    one, two = done.stdout.splitlines()
    assert re.match(r" +1 \d{4}-\d\d-\d\d \S+Z Ann Bell opened hand 2@181 \(entries 181 to 335\)", one)
    assert re.match(r" +2 \d{4}-\d\d-\d\d \S+Z Ann Bell opened hand 1@\d+ ", two)
    assert stat.S_IMODE(made.openings.stat().st_mode) == 0o600
    assert _faults(made) == []


def test_no_card_stands_in_the_record(made: Made) -> None:
    _open(made)
    assert not re.search(rb'"[2-9TJQKA][shdc]"', made.openings.read_bytes())


# Where nothing is shown


def test_nothing_is_shown_where_it_cannot_be_written_down(made: Made) -> None:
    made.openings.mkdir()
    status, said, error = _open(made, "--hand", "2")
    assert (status, said) == (2, "")
    assert re.fullmatch(
        r"cutcard audit open: \S+\.opened\.jsonl: who opens this cannot be written down: .*; "
        r"nothing is shown\n",
        error,
    )


def test_nothing_is_shown_before_it_is_on_the_disk(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sync, synced = os.fsync, dict[str, str]()

    def fsync(descriptor: int) -> None:
        sync(descriptor)
        synced[os.readlink(f"/proc/self/fd/{descriptor}")] = capsys.readouterr().out

    monkeypatch.setattr(os, "fsync", fsync)
    assert print_opened(str(made.path), str(made.key), "Ann", (2, 0)) == 0
    assert synced == {str(made.openings): "", str(made.folder): ""}, "the record, and that it is there"
    assert _FACE.search(capsys.readouterr().out)


def test_nothing_is_shown_where_the_disk_does_not_take_it(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    assert print_opened(str(made.path), str(made.key), "Ann", (2, 0)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "No space left on device; nothing is shown" in said.err


def _other_key(made: Made) -> None:
    made.key.unlink()
    write_auditor_keys(made.key, made.folder / "other.pub")


def _open_to_all(made: Made) -> None:
    made.key.chmod(0o644)


def _no_key(made: Made) -> None:
    made.key.unlink()


def _damaged_key(made: Made) -> None:
    made.key.write_text("auditor-private 12\n")


def _public_key(made: Made) -> None:
    made.key.write_bytes((made.folder / "auditor.pub").read_bytes())


def _public_key_that_all_may_read(made: Made) -> None:
    _public_key(made)
    made.key.chmod(0o644)


def _other_file(made: Made) -> None:
    made.key.write_text("[table]\nname = 7\n")
    made.key.chmod(0o644)


def _hexadecimal(made: Made) -> None:
    made.key.write_text(made.key.read_text().split()[-1])


def _pipe(made: Made) -> None:
    made.key.unlink()
    os.mkfifo(made.key, 0o600)


def _folder(made: Made) -> None:
    made.key.unlink()
    made.key.mkdir()


def _changed(made: Made) -> None:
    lines = made.lines()
    del lines[20]
    made.write(lines)


def _record_changed(made: Made) -> None:
    made.openings.write_bytes(b"hello\n")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_other_key, r"the key in \S+ is [0-9a-f]{16}; what hand 2 hides is sealed for the auditor's key"),
        (_open_to_all, "others may read this private key; give it mode 0600"),
        (_no_key, "the auditor's key cannot be read: No such file"),
        (_damaged_key, "the auditor's key in it is damaged; put an unchanged copy in its place"),
        (_public_key, "this is the public key; the private one is needed"),
        (_public_key_that_all_may_read, "this is the public key; the private one is needed"),
        (_other_file, "this is no key of an auditor; cutcard audit keys makes a pair"),
        (_hexadecimal, "this is no key of an auditor"),
        (_pipe, "the auditor's key cannot be read: this is no file"),
        (_folder, "the auditor's key cannot be read: this is no file"),
        (_changed, "nothing is shown of a journal that does not hold"),
        (_record_changed, "this is no line of a record of openings; nothing is shown of a journal"),
    ],
)
def test_what_cannot_be_opened_is_told_in_one_line_and_nothing_is_written_down(
    made: Made, spoil: Callable[[Made], None], words: str
) -> None:
    spoil(made)
    before = made.openings.read_bytes() if made.openings.exists() else b""
    status, said, error = _open(made, "--hand", "2")
    assert (status, said, error.count("\n")) == (2, "", 1)
    assert re.search(words, error)
    assert (made.openings.read_bytes() if made.openings.exists() else b"") == before


def test_a_private_key_is_no_table_s_public_one(made: Made) -> None:
    with pytest.raises(AuditorKeyError, match="this is the private key, which the auditor keeps"):
        read_auditor(made.key)


def _socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(file))


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, _socket])
def test_a_record_of_openings_that_is_no_file_is_not_waited_for(
    made: Made, make: Callable[[Path], None]
) -> None:
    make(made.openings)
    for command in (("opened",), ("verify",), ("open", "--key", made.key, "--who", "Ann", "--hand", "2")):
        done = cutcard("audit", command[0], made.path, *command[1:])
        assert not _FACE.search(done.stdout)
        assert "jsonl.opened.jsonl: " in done.stderr + done.stdout
    found = last_opening(made.path)
    assert found is not None
    assert found.unread == "this is no file"


def test_a_changed_box_of_this_auditors_is_not_called_another_auditors(made: Made) -> None:
    (hand,) = (hand for hand in survey(made.path, None).hands if hand.at.number == 2)
    (keys,) = hand.keys
    hand.keys = {msgspec.structs.replace(keys, box=b64encode(bytes(80)).decode())}
    with pytest.raises(
        JournalError, match="hand 2: the box of its key is this auditor's, and his key does not"
    ):
        opener_for(Wish("Ann", made.key, "opened"), [hand])


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("", "the name is empty"),
        ("  ", "the name is empty"),
        ("a" * 41, "a name has 40 letters at most, this one has 41"),
        ("a\x1bb", "all letters of a name must be printable"),
    ],
)
def test_a_name_that_cannot_be_written_down_is_refused_with_the_reason(
    made: Made, who: str, why: str
) -> None:
    done = cutcard("audit", "open", made.path, "--key", made.key, "--who", who)
    assert (done.returncode, done.stdout) == (2, "")
    assert [reason for reason in ("empty", "at most", "printable") if reason in done.stderr] == [
        reason for reason in ("empty", "at most", "printable") if reason in why
    ]
    assert why in done.stderr


def test_a_table_without_an_auditor_leaves_nothing_to_open(tmp_path: Path) -> None:
    table = Direct(tmp_path, auditor=False)
    table.play()
    status, said, error = _open(table.stop(), "--hand", "2")
    assert (status, said) == (2, "")
    assert "no auditor's key was set at this table when hand 2 was played" in error


def test_a_hand_under_way_is_opened_for_nobody(made: Made) -> None:
    flop = next(at for at, line in enumerate(made.lines()) if b'"flop"' in line)
    made.write(made.lines()[:flop])
    status, said, error = _open(made, "--hand", "3")
    assert (status, said) == (2, "")
    assert error == "cutcard audit open: hand 3 is not over: what it hides is opened once it is\n"
    status, said, _ = _open(made)
    assert status == 0
    assert said.endswith("hand 3 is not over: what it hides is opened once it is\n")
    assert len(_FACE.findall(said)) == 2 * 24


def test_a_name_and_a_key_must_be_said(made: Made) -> None:
    for more in (("--key", made.key), ("--who", "Ann"), ("--key", made.key, "--who", "a\x1b[2Jb")):
        done = cutcard("audit", "open", made.path, *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


# What the table signs of it


@pytest.fixture
def anchored(tmp_path: Path) -> Made:
    """A journal whose table saw two openings before it stopped."""
    table = Direct(tmp_path)
    table.play()
    table.flush()
    for hand in ("1", "2"):
        assert _open(table.made, "--hand", hand)[0] == 0
    return table.stop()


def test_what_a_table_signs_bears_how_far_the_record_had_come(anchored: Made) -> None:
    assert json.loads(anchored.lines()[-1])["opened"] == {
        "number": 2,
        "chain": read_openings(anchored.openings)[-1][1].chain,
    }
    assert _faults(anchored) == []


def test_a_checkpoint_bears_it_too(tmp_path: Path) -> None:
    table = Direct(tmp_path)
    table.play()
    table.flush()
    _open(table.made, "--hand", "1")
    table.journal.keep(b"{}", 9)
    table.flush()
    (checkpoint,) = (line for line in table.made.lines() if b'"checkpoint":{"hand":9' in line)
    assert json.loads(checkpoint)["opened"]["number"] == 1
    table.stop()


def test_a_record_that_cannot_be_read_is_held_against_nothing(
    anchored: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(file: Path) -> None:
        raise JournalError(f"{file}: the record of openings cannot be read: Permission denied")

    monkeypatch.setattr("controller.audit.verifying.read_openings", denied)
    found = Verifying(anchored.path).verify()
    assert (found.faults, found.openings) == ([], None)
    assert "Permission denied; it was not held against the journal" in found.notes[-1]


def _taken_away(made: Made) -> None:
    made.openings.unlink()


def _shortened(made: Made) -> None:
    made.openings.write_bytes(b"".join(made.openings.read_bytes().splitlines(keepends=True)[:-1]))


def _rewritten(made: Made) -> None:
    before, lines = bytes(32), []
    for line in made.openings.read_bytes().splitlines(keepends=True):
        closed = open_line(line)
        assert closed is not None
        body = closed.body.replace(b"Ann Bell", b"Bob Bell")
        before = link(before, body)
        lines.append(close(body, before))
    made.openings.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            _taken_away,
            r"2 openings stood there at entry \d+, and 0 stand there now: the record was shortened",
        ),
        (_shortened, r"2 openings stood there at entry \d+, and 1 stand there now: the record was shortened"),
        (_rewritten, r"opening 2 is another one than at entry \d+"),
        (_record_changed, r"this is no line of a record of openings"),
    ],
)
def test_a_record_that_was_shortened_or_replaced_is_shown(
    anchored: Made, change: Callable[[Made], None], words: str
) -> None:
    change(anchored)
    done = cutcard("audit", "verify", anchored.path)
    assert done.returncode == 1
    (fault,) = done.stderr.splitlines()
    assert re.search(words, fault)


def test_every_flipped_bit_of_the_record_is_found(anchored: Made) -> None:
    whole = anchored.openings.read_bytes()
    for at in range(len(whole) - 1):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        anchored.openings.write_bytes(changed)
        with pytest.raises(JournalError, match=r"line \d"):
            read_openings(anchored.openings)
    anchored.openings.write_bytes(whole[:-1])
    assert any("was shortened" in fault for fault in _faults(anchored))


def test_a_journal_shortened_since_somebody_opened_it_is_shown_by_the_record(made: Made) -> None:
    _open(made, "--hand", "1")
    made.write(made.lines()[:-3])
    (fault,) = _faults(made)
    assert re.fullmatch(
        r"entry \d+, the last when Ann Bell opened it \(opening 1\), is missing: the journal was shortened",
        fault,
    )


def test_a_torn_line_of_the_record_is_cut_off_by_the_next_opening(made: Made) -> None:
    _open(made, "--hand", "1")
    with made.openings.open("ab") as file:
        file.write(b'{"at":"2026')
    assert [mark.number for _, mark in read_openings(made.openings)] == [1]
    assert _open(made, "--hand", "2")[0] == 0
    assert [mark.number for _, mark in read_openings(made.openings)] == [1, 2]
    assert _faults(made) == []


def test_a_record_that_the_table_cannot_read_does_not_stop_it(tmp_path: Path) -> None:
    table = Direct(tmp_path)
    table.made.openings.mkdir()
    table.play()
    assert (found := last_opening(table.made.path)) is not None
    assert found.unread
    done = Verifying(table.stop().path).verify()
    assert any("the table could not read it" in note for note in done.notes)
