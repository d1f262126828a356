"""Who is in a room, and how PINs and badges are kept: what is refused, and what a file of them tells."""

import os
import stat
from pathlib import Path

import pytest

from controller import people as people_module
from controller.credentials import BENCH_COST, COST, Cost, Credential, new_badge, new_pin
from controller.errors import PeopleFileError, PeopleUnwrittenError, PersonError
from controller.people import People
from controller.people_file import one_at_a_time, read_people, write_people
from tests.docs.pages import blocks, section
from tests.shell.folk import (
    ANN_BADGE,
    ANN_PIN,
    BADGES,
    BOB_BADGE,
    BOB_PIN,
    CID_PIN,
    NOBODYS_PIN,
    PINS,
    badge,
    file_of,
    pin,
    room,
)

# PINs and badges


@pytest.mark.parametrize(
    "plain",
    [
        *("000000", "123456", "654321", "890123", "864208", "135791", "121212", "123123", "112211", "999990"),
        *("12345678", "0000000000", "12341234", "123412341234"),
    ],
)
def test_a_plain_pin_is_refused(plain: str) -> None:
    with pytest.raises(PersonError, match="too plain"):
        new_pin(plain)


@pytest.mark.parametrize(
    "wrong", ["", "48291", "4829135048291", "48291a", "4829 13", "48291\N{SUPERSCRIPT TWO}"]
)
def test_what_is_no_pin_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(PersonError) as caught:
        new_pin(wrong)
    assert str(caught.value) == "a PIN has 6 to 12 digits and nothing else"


@pytest.mark.parametrize("good", ["482913", "100203", "246813579024", "112233"])
def test_a_pin_that_is_not_plain_is_taken(good: str) -> None:
    assert new_pin(good) == Credential("pin", good)


@pytest.mark.parametrize("text", ["04A1B2C3", "04:a1:b2:c3", "04-A1-B2-C3", "04 a1 b2 c3"])
def test_a_badge_is_read_as_it_is_printed(text: str) -> None:
    assert new_badge(text) == Credential("badge", "04a1b2c3")


@pytest.mark.parametrize(
    "wrong", ["", "04a1b2", "04a1b2c3d4e5f60708", "rubbish!", "04a1b2c", "00000000", "ffffffff"]
)
def test_what_is_no_badge_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(PersonError) as caught:
        new_badge(wrong)
    assert not wrong or wrong not in str(caught.value)


def test_a_credential_shows_what_it_is_and_not_which() -> None:
    assert repr(pin(ANN_PIN)) == "Credential(by='pin')"
    assert repr(room()).count("Kept(by=") == 5
    assert all(digits not in repr(room()) for digits in PINS)


def test_a_pin_and_a_badge_of_the_same_digits_are_kept_differently() -> None:
    salt = bytes(16)
    assert pin("04112233").hashed(BENCH_COST, salt) != Credential("badge", "04112233").hashed(
        BENCH_COST, salt
    )


def test_a_hash_of_a_room_takes_sixty_four_megabytes() -> None:
    assert 128 * COST.n * COST.r == 64 << 20
    assert not COST.cheap
    assert BENCH_COST.cheap


# People


@pytest.mark.parametrize(
    ("shown", "who"),
    [
        (pin(ANN_PIN), "Ann"),
        (badge(ANN_BADGE), "Ann"),
        (pin(BOB_PIN), "Bob"),
        (badge(BOB_BADGE), "Bob"),
        (pin(CID_PIN), "Cid"),
        (pin(NOBODYS_PIN), None),
        (Credential("badge", ANN_PIN), None),
        (Credential("pin", ANN_BADGE.hex()), None),
    ],
)
def test_a_badge_or_a_pin_says_by_itself_whose_it_is(shown: Credential, who: str | None) -> None:
    person = room().whose(shown)
    assert (person.name if person else None) == who


def test_one_slow_hash_does_for_the_whole_room(monkeypatch: pytest.MonkeyPatch) -> None:
    people = room()
    made: list[Cost] = []
    hashed = Cost.hashed

    def counted(cost: Cost, secret: bytes, salt: bytes) -> bytes:
        made.append(cost)
        return hashed(cost, secret, salt)

    monkeypatch.setattr(Cost, "hashed", counted)
    people.whose(pin(NOBODYS_PIN))
    people.whose(pin(ANN_PIN))
    assert len(made) == 2


def test_two_rooms_have_different_hashes_of_the_same_pin() -> None:
    one, other = room().named("Ann").credentials[0], room().named("Ann").credentials[0]
    assert one.salt != other.salt
    assert one.hash != other.hash


@pytest.mark.parametrize("has", [pin(ANN_PIN), pin(CID_PIN), badge(ANN_BADGE)])
def test_what_somebody_else_has_is_refused_without_saying_who(has: Credential) -> None:
    give = room().with_pin if has.by == "pin" else room().with_badge
    with pytest.raises(PersonError, match="somebody has this") as caught:
        give("Bob", has, "2026-01-31")
    assert not any(name in str(caught.value) for name in ("Ann", "Bob", "Cid", *PINS))


def test_a_new_pin_stands_in_the_place_of_the_last_and_a_badge_beside_the_others() -> None:
    people = (
        room()
        .with_pin("Ann", pin(NOBODYS_PIN), "2026-02-01")
        .with_badge("Ann", badge(b"12345"), "2026-02-01")
    )
    assert people.whose(pin(ANN_PIN)) is None
    ann = people.whose(pin(NOBODYS_PIN))
    assert ann is not None
    assert (ann.has("pin"), ann.has("badge")) == (1, 2)


def test_a_pin_may_be_chosen_again_by_whoever_has_it() -> None:
    assert room().with_pin("Ann", pin(ANN_PIN), "2026-02-01").named("ann").has("pin") == 1


def test_who_is_revoked_or_removed_is_known_by_nothing() -> None:
    assert room().revoked("Ann").whose(pin(ANN_PIN)) is None
    assert room().revoked("Ann").named("Ann").credentials == ()
    assert room().removed("ann").whose(badge(ANN_BADGE)) is None
    with pytest.raises(PersonError, match="nobody of the name 'Ann'"):
        room().removed("Ann").named("Ann")


@pytest.mark.parametrize("name", ["", " Ann", "A\nB", "x" * 41, "Ann", "ANN"])
def test_a_name_that_cannot_be_or_is_there_is_refused(name: str) -> None:
    with pytest.raises(PersonError):
        room().added(name, "floor")


# The file


def test_people_come_back_from_their_file_as_they_were(tmp_path: Path) -> None:
    people = room().added('Ørnulf "Ø" \\ Ågård', "dealer")
    assert read_people(file_of(tmp_path, people), use="bench") == people


def test_the_file_is_for_its_user_alone_and_tells_no_pin(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        path = file_of(tmp_path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert not any(digits in text for digits in PINS)
    assert not any(uid.hex() in text.lower() for uid in BADGES)
    assert [file.name for file in tmp_path.iterdir()] == ["people.toml"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o644])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = file_of(tmp_path)
    path.chmod(mode)
    with pytest.raises(PeopleFileError, match=f"others can read or write the people: chmod 600 {path}"):
        read_people(path, use="bench")


def test_a_file_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(tmp_path)
    before = path.read_text()

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PeopleUnwrittenError, match="No space left on device"):
        write_people(path, room().removed("Ann"))
    assert path.read_text() == before


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(PeopleUnwrittenError, match="No such file"),
        one_at_a_time(tmp_path / "no" / "people.toml"),
    ):
        pass


def test_a_bench_s_people_may_not_decide_at_a_table(tmp_path: Path) -> None:
    with pytest.raises(PeopleFileError, match="line 4: use: a bench's people"):
        read_people(file_of(tmp_path))


GOOD = """\
format = 1

[[person]]
name = "Ann"
role = "floor"

[[person]]
name = "Bob"
role = "dealer"

[[person.credential]]
by = "pin"
given = "2026-01-31"
scrypt = [65536, 8, 2]
salt = "7d1f0c5a9e3b48d2a6f4c1e08b57d93a"
hash = "0b7c1a4e9d2f6385c0e1b7a49f3d5268417e0c9ba3d5f2816e4c7b09d1a3f5e8"
"""
HASH = GOOD.splitlines()[-1]

WRONG = {
    "no TOML": ("format = 1", "format : 1", 1, "line 1"),
    "another format": ("format = 1", "format = 2", 1, "format"),
    "no format": ("format = 1", "", 1, "format: object missing|format: it is missing"),
    "unknown key": ("format = 1", "format = 1\nsize = 4", 2, "size: there is no such key"),
    "a PIN for a key": ("format = 1", "format = 1\n482913 = 4", 1, "there is no such key"),
    "unknown role": ('role = "dealer"', 'role = "boss"', 9, "role: there is no 'boss'"),
    "no role": ('role = "dealer"', "", 7, "role: it is missing"),
    "no name": ('name = "Bob"', "", 7, "name: it is missing"),
    "a name twice": ('name = "Bob"', 'name = "ann"', 8, "name: ann is there twice"),
    "a name of a control character": ('name = "Bob"', 'name = "B\\u0007b"', 8, "printable"),
    "unknown kind": ('by = "pin"', 'by = "word"', 12, "by: there is no 'word'"),
    "no date": ('"2026-01-31"', '"today"', 13, "given"),
    "a quick hash": ("[65536, 8, 2]", "[1024, 8, 1]", 14, "scrypt: its hash is tried too quickly"),
    "no power of two": ("[65536, 8, 2]", "[65535, 8, 2]", 14, "scrypt: N is a power of two"),
    "a hash without end": ("[65536, 8, 2]", "[1048576, 8, 2]", 14, "scrypt: it would take more than 256 MB"),
    "two figures": ("[65536, 8, 2]", "[65536, 8]", 14, "scrypt"),
    "a short salt": ("7d1f0c5a9e3b48d2a6f4c1e08b57d93a", "7d1f", 15, "salt: 16 bytes at least"),
    "a salt that is none": ("7d1f0c5a", "7d1f0c5z", 15, "salt"),
    "a short hash": (HASH, 'hash = "0b7c"', 16, "hash: 32 bytes"),
    "a hash twice": (
        HASH,
        HASH + "\n" + "\n".join(GOOD.splitlines()[-6:]),
        22,
        "hash: this pin is there twice",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_bad_file_is_one_line_with_file_line_and_reason(tmp_path: Path, what: str) -> None:
    good, bad, line, words = WRONG[what]
    assert good in GOOD
    path = tmp_path / "people.toml"
    path.write_text(GOOD.replace(good, bad, 1))
    path.chmod(0o600)
    with pytest.raises(PeopleFileError, match=words) as caught:
        read_people(path)
    told = str(caught.value)
    assert told.startswith(f"{path}, line {line}: ")
    assert "\n" not in told
    assert "482913" not in told
    assert caught.value.__suppress_context__


def test_a_good_file_is_read(tmp_path: Path) -> None:
    for text in (GOOD, blocks(section("docs/people.md", "The file"), "toml")[0]):
        path = tmp_path / "people.toml"
        path.write_text(text)
        path.chmod(0o600)
        people = read_people(path)
        assert people.named("Ann").role == "floor"
        assert sum(person.has("pin") for person in people.persons) == 1


@pytest.mark.parametrize("what", ["missing", "folder", "pipe", "not UTF-8", "too large"])
def test_what_is_no_file_of_people_is_told(tmp_path: Path, what: str) -> None:
    path = tmp_path / "people.toml"
    match what:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path, 0o600)
        case "not UTF-8":
            path.write_bytes(b"\xff\xfe")
        case "too large":
            path.write_bytes(b"#" * (1 << 20) + b"\n")
    if path.is_file():
        path.chmod(0o600)
    with pytest.raises(PeopleFileError, match=str(path)):
        read_people(path)


def test_what_is_kept_for_a_room_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cost, "hashed", lambda *_: bytes(32))
    (kept,) = (
        People().added("Ann", "floor").with_pin("Ann", pin(ANN_PIN), "2026-01-31").named("Ann").credentials
    )
    assert kept.cost == COST
    assert people_module._COSTS == {"room": COST, "bench": BENCH_COST}
