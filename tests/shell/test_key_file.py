"""The key file: who may read it, what of it is refused, and that no key shows."""

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.errors import KeyFileError, KeyRefusedError, KeyUnwrittenError
from controller.key_book import KeyBook, KeyEntry
from controller.key_file import FileTrust, change_keys, read_keys, write_keys
from firmware_bridge.codes import DeviceKind
from firmware_bridge.secrecy import PairKey
from firmware_bridge.trust import HalfPaired, Plain, Withdrawn

KEY, OTHER = PairKey(bytes(range(64, 96))), PairKey(bytes(range(160, 192)))
SINCE = "2026-11-30T20:00:00Z"
SHOE = KeyEntry("shoe", "SH-0007", "paired", SINCE, "ann", KEY)
BOOK = KeyBook(
    (
        SHOE,
        KeyEntry("keypad", "KP-0001", "paired", SINCE, "ann", OTHER),
        KeyEntry("shuffler", "SF-0002", "revoked", SINCE, "bob", reason='stolen at "gunpoint", €'),
        KeyEntry("zones", "ZN-0003", "unfinished", SINCE, "bob"),
    )
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "keys.toml"
    write_keys(file, BOOK)
    return file


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_read_and_only_its_user_may_read_it(path: Path) -> None:
    assert read_keys(path) == BOOK
    assert _mode(path) == 0o600


def test_it_is_made_private_whatever_the_umask_and_is_never_there_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, bool]] = []
    file = tmp_path / "keys.toml"
    synced = os.fsync

    def watched(descriptor: int) -> None:
        fresh = tmp_path / "keys.toml.new"
        if fresh.exists():
            seen.append((_mode(fresh), file.exists()))
        synced(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    before = os.umask(0)
    try:
        write_keys(file, BOOK)
    finally:
        os.umask(before)
    assert seen == [(0o600, False)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.toml"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o666, 0o610, 0o602])
def test_one_that_others_can_read_or_write_is_refused_by_name(path: Path, mode: int) -> None:
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=rf"{path}: others can read or write the keys: chmod 600 {path}"):
        read_keys(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_one_of_another_user_is_refused_by_name(path: Path) -> None:
    os.chown(path, 12345, -1)
    with pytest.raises(KeyFileError, match="the keys belong to user 12345: give the file to the user"):
        read_keys(path)


def test_one_that_is_not_there_says_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(
        KeyFileError, match=r"keys\.toml: .* no device has been paired yet: `cutcard pair DEVICE"
    ):
        read_keys(tmp_path / "keys.toml")


def _cut(share: float) -> Callable[[str], str]:
    return lambda text: text[: int(len(text) * share)]


def _without_last(text: str) -> str:
    return text[: text.rindex("[[device]]")]


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_cut(0.97), "the keys are damaged|missing"),
        (_cut(0.6), "the keys are damaged|missing"),
        (_cut(0.2), "the keys are damaged|missing|does not belong"),
        (_without_last, "line 1: devices: 4 are said to be here, and 3 are: some are missing"),
        (lambda text: text.replace("devices = 4", "devices = 3"), "and 4 are: some were put in by hand"),
        (
            lambda text: text.replace("KP-0001", " KP"),
            "line 14: serial: expected a text of 1 to 12 printable",
        ),
        (
            lambda text: text.replace(SINCE, "today", 1),
            "line 6: since: expected a text that is a time, as 2026",
        ),
        (lambda text: text.replace('"ann"', '"à"', 1), "line 6: by: expected a text of printable letters"),
        (lambda text: "", "line 1: "),
        (lambda text: "rubbish", "the keys are damaged"),
        (lambda text: text.replace("format = 1", "format = 2"), "line 1: format"),
        (lambda text: text.replace('"paired"', '"happy"', 1), "line 6: state"),
        (lambda text: text.replace(KEY.reveal().hex(), "00"), "line 6: key: expected a text of 64 hex"),
        (lambda text: text.replace(OTHER.reveal().hex(), KEY.reveal().hex()), "line 14: key: two devices"),
        (lambda text: text.replace("KP-0001", "SH-0007"), "line 14: serial: SH-0007 is there twice"),
        (lambda text: text.replace('"revoked"', '"paired"'), "line 22: key: goes with the state paired"),
        (lambda text: text.replace('key = "', '"'), "the keys are damaged"),
        (lambda text: text.replace("key = ", f'"{KEY.reveal().hex()}" = '), "does not belong here"),
    ],
)
def test_one_that_is_torn_or_not_ours_is_refused_with_its_line_and_without_a_key(
    path: Path, harm: Callable[[str], str], words: str
) -> None:
    path.write_text(harm(path.read_text("utf-8")), "utf-8")
    with pytest.raises(KeyFileError, match=words) as refused:
        read_keys(path)
    said = f"{refused.value} {refused.value!r} {refused.value.__context__!r}"
    assert re.search(r"[0-9a-f]{12}", said) is None
    assert str(path) in said
    assert "regex" not in said
    assert said.count("move it away and pair every device again (cutcard pair DEVICE --config FILE)")


def test_a_folder_and_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(KeyFileError, match="not UTF-8"):
        read_keys(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(KeyFileError, match="this is no file"):
        read_keys(path)
    path.rmdir()
    os.mkfifo(path, 0o600)
    with pytest.raises(KeyFileError, match="this is no file"):
        read_keys(path)


def test_no_key_shows_in_a_repr() -> None:
    shown = f"{BOOK!r} {BOOK.entries[0]} {BOOK.ring(Plain.REFUSED)!r}"
    assert KEY.reveal().hex() not in shown
    assert repr(KEY.reveal())[2:-1] not in shown


def test_a_change_keeps_all_others_and_a_folder_that_takes_none_is_told(path: Path) -> None:
    new = KeyEntry("prompts", "PR-0001", "paired", SINCE, "ann", PairKey(bytes(32)))
    assert change_keys(path, lambda book: book.with_entry(new)).entries == (*BOOK.entries, new)
    assert read_keys(path).find("PR-0001") == new
    with pytest.raises(KeyUnwrittenError, match="the keys cannot be written"):
        change_keys(path.parent / "no" / "keys.toml", lambda book: book)


def test_pairing_again_replaces_the_key_and_leaves_one_entry() -> None:
    again = KeyEntry("shoe", "SH-0007", "paired", SINCE, "bob", OTHER)
    book = BOOK.with_entry(again)
    assert [entry for entry in book.entries if entry.serial == "SH-0007"] == [again]
    assert book.ring(Plain.REFUSED).of(DeviceKind.SHOE, "SH-0007") == OTHER


def test_a_revoked_device_stays_listed_loses_its_key_and_is_never_paired_again() -> None:
    book = BOOK.revoked("SH-0007", since=SINCE, by="bob", reason="lost")
    gone = book.find("SH-0007")
    assert gone is not None
    assert (gone.state, gone.key, gone.reason) == ("revoked", None, "lost")
    with pytest.raises(KeyRefusedError, match="a revoked device is not paired again"):
        book.with_entry(SHOE)
    with pytest.raises(KeyRefusedError, match=r"was revoked .* already"):
        book.revoked("SH-0007", since=SINCE, by="bob", reason="")
    with pytest.raises(KeyRefusedError, match="no device has the serial number XX; there are SH-"):
        BOOK.revoked("XX", since=SINCE, by="bob", reason="")


def test_links_are_told_what_the_file_says(path: Path) -> None:
    trust = FileTrust(path, Plain.REFUSED)
    assert trust.plain is Plain.REFUSED
    assert trust.of(DeviceKind.SHOE, "SH-0007") == KEY
    assert trust.of(DeviceKind.SHOE, "KP-0001") is None
    assert isinstance(trust.of(DeviceKind.SHUFFLER, "SF-0002"), Withdrawn)
    assert trust.of(DeviceKind.ZONES, "ZN-0003") == HalfPaired(SINCE)


def test_a_table_that_runs_hears_of_a_revocation_and_of_nothing_that_cannot_be_read(path: Path) -> None:
    trust = FileTrust(path, Plain.REFUSED)
    change_keys(path, lambda book: book.revoked("SH-0007", since=SINCE, by="bob", reason="stolen"))
    assert trust.of(DeviceKind.SHOE, "SH-0007") == Withdrawn(SINCE, "stolen")
    path.chmod(0o644)
    assert trust.of(DeviceKind.KEYPAD, "KP-0001") == OTHER
    path.unlink()
    assert trust.of(DeviceKind.SHOE, "SH-0007") == Withdrawn(SINCE, "stolen")
