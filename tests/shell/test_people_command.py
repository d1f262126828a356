"""`cutcard people` as a person meets it: what it keeps, what it refuses, and that a PIN is never shown."""

import os
import pty
import select
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from controller.credentials import Credential
from controller.people_file import read_people
from tests.shell.folk import ANN_BADGE, ANN_PIN, BOB_PIN
from tests.shell.test_cli import CONFIG, CUTCARD

WITHIN_S = 30.0


def people(folder: Path, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    """The command's exit status, and what it says."""
    done = subprocess.run(
        [str(CUTCARD), "people", *arguments, "--file", "people.toml"],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file as the command makes it."""
    folder = tmp_path_factory.mktemp("room")
    assert people(folder, "add", "Ann", "--role", "floor") == (0, "", "")
    assert people(folder, "add", "Bob", "--role", "dealer") == (0, "", "")
    assert people(folder, "pin", "Ann", typed=f"{ANN_PIN}\n") == (0, "", "")
    return folder / "people.toml"


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Path:
    shutil.copy2(made, tmp_path)
    return tmp_path


def test_a_room_is_kept_and_listed(room: Path) -> None:
    assert people(room, "badge", "ann", typed="04:A1:B2:C3:D4:E5:F6\n") == (0, "", "")
    assert people(room, "disable", "Bob") == (0, "", "")
    assert people(room, "list") == (
        0,
        "Ann: floor, a PIN, 1 badge\nBob: dealer, no PIN, no badges, disabled\n",
        "",
    )
    assert people(room, "enable", "Bob") == (0, "", "")
    kept = read_people(room / "people.toml")
    for shown in (Credential("pin", ANN_PIN), Credential("badge", ANN_BADGE.hex())):
        found = kept.whose(shown)
        assert found is not None
        assert found.name == "Ann"
    assert stat.S_IMODE((room / "people.toml").stat().st_mode) == 0o600


def test_a_badge_that_was_lost_is_revoked_and_who_leaves_is_removed(room: Path) -> None:
    assert people(room, "revoke", "Ann") == (0, "", "")
    assert people(room, "remove", "Bob") == (0, "", "")
    assert people(room, "list")[1] == "Ann: floor, no PIN, no badges\n"


@pytest.mark.parametrize(
    ("arguments", "typed", "why"),
    [
        (("pin", "Bob"), "112211\n", "cutcard people: this PIN is too plain"),
        (("pin", "Bob"), f"{ANN_PIN}\n", "cutcard people: somebody has this PIN already"),
        (("pin", "Bob"), "", "cutcard people: standard input ends before the PIN"),
        (("pin", "Cid"), f"{BOB_PIN}\n", "cutcard people: there is nobody of the name 'Cid'"),
        (("pin", "Bobb"), f"{BOB_PIN}\n", "nobody of the name 'Bobb': did you mean Bob? There are Ann, Bob"),
        (("badge", "Bob"), "rubbish\n", "cutcard people: a badge's id is written in hexadecimal"),
        (("add", "ann", "--role", "dealer"), "", "cutcard people: ann is there already"),
        (("add", "Cid"), "", "--role goes with add, and add needs it"),
        (("pin", "Ann", "--role", "floor"), "", "--role goes with add, and add needs it"),
        (("list", "Ann"), "", "NAME goes with every action but list"),
        (("pin",), "", "NAME goes with every action but list"),
        (("pin", "Bob", BOB_PIN), "", "unexpected extra argument"),
        (("fly", "Bob"), "", "'fly' is not one of"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    room: Path, arguments: tuple[str, ...], typed: str, why: str
) -> None:
    before = (room / "people.toml").read_text()
    status, out, error = people(room, *arguments, typed=typed)
    assert (status, out) == (2, "")
    assert why in error
    assert not typed.strip() or typed.strip() not in error
    assert (room / "people.toml").read_text() == before


def test_a_file_that_cannot_be_used_is_one_line(room: Path) -> None:
    (room / "people.toml").chmod(0o644)
    status, _, error = people(room, "list")
    assert (status, error.count("\n")) == (2, 1)
    assert error.startswith("cutcard people: people.toml: others can read or write the people")


def test_the_people_of_a_table_are_those_that_its_configuration_names(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    add = [str(CUTCARD), "people", "add", "Ann", "--role", "floor", "--config", str(table)]
    table.write_text(CONFIG)
    done = subprocess.run(add, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert 'this table names no people: add people = "people.toml" to [table]' in done.stderr
    table.write_text(CONFIG.replace('name = "one"', 'name = "one"\npeople = "folk.toml"'))
    subprocess.run(add, check=True, timeout=60)
    assert read_people(tmp_path / "folk.toml").named("Ann").role == "floor"


def test_a_pin_that_is_typed_at_a_terminal_is_asked_for_twice_and_never_shown(room: Path) -> None:
    shown = typed_at_a_terminal(room, BOB_PIN, BOB_PIN)
    assert "PIN again" in shown
    assert BOB_PIN not in shown
    found = read_people(room / "people.toml").whose(Credential("pin", BOB_PIN))
    assert found is not None
    assert found.name == "Bob"


def test_a_pin_that_is_typed_differently_the_second_time_is_refused(room: Path) -> None:
    shown = typed_at_a_terminal(room, BOB_PIN, "730165")
    assert "not typed twice alike" in shown
    assert read_people(room / "people.toml").named("Bob").credentials == ()


def typed_at_a_terminal(folder: Path, *answers: str) -> str:
    """What a terminal shows while somebody sets Bob's PIN there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(str(CUTCARD), ["cutcard", "people", "pin", "Bob", "--file", "people.toml"])
    shown = b""
    left = list(zip((b"PIN:", b"PIN again:"), answers, strict=True))
    while select.select([terminal], [], [], WITHIN_S)[0]:
        try:
            said = os.read(terminal, 1024)
        except OSError:  # so a terminal ends on Linux
            break
        if not said:
            break
        shown += said
        if left and left[0][0] in shown:
            os.write(terminal, f"{left.pop(0)[1]}\n".encode())
    os.close(terminal)
    os.waitpid(pid, 0)
    assert not left, shown
    return shown.decode()
