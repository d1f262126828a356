"""Players who come and go: said at the door or by the command, written to the journal, answered."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from controller.door import Wish
from controller.notices import Denied, Taken
from tests.shell.doors import Table
from tests.shell.test_cli import CONFIG, CUTCARD


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def answer(table: Table, wish: Wish) -> object:
    door = table.client()
    door.wish(wish)
    table.settle()
    return door.answer()


def test_a_player_sits_down_by_the_door_and_everybody_is_told(table: Table) -> None:
    wish = Wish(at=7, change="sit", chips=500, entry="post", by="Ann")
    assert answer(table, wish) == Taken()
    told = [json.loads(line) for line in said(table)]
    assert told == [{"decision": "seat", "seat": 7, "change": "sit", "chips": 500}]


def said(table: Table) -> list[str]:
    """What was told, as the doors get it."""
    return [msgspec.json.encode(notice.said).decode() for notice in table.service.notices]


def test_a_wish_that_cannot_be_is_denied_with_the_reason(table: Table) -> None:
    assert answer(table, Wish(at=2, change="sit", chips=500)) == Denied(why="seat 2 is taken")


@pytest.mark.parametrize(
    "line",
    [
        b'{"ask":"seat"}',
        b'{"ask":"seat","seat":{"at":12,"change":"sit","chips":5}}',
        b'{"ask":"seat","seat":{"at":3,"change":"fly"}}',
        b'{"ask":"seat","seat":{"at":3,"change":"sit","chips":-5}}',
        b'{"ask":"seat","seat":{"at":3,"change":"sit","chips":5,"who":"me"}}',
    ],
)
def test_what_is_no_wish_is_denied_and_changes_nothing(table: Table, line: bytes) -> None:
    (denied,) = table.asked(table.raw(), line + b"\n")
    assert denied["answer"] == "denied"
    assert said(table) == []


def command(folder: Path, *arguments: str, meanwhile: Callable[[], object]) -> tuple[int, str]:
    """The command's exit status and what it says."""
    file = folder / "table.toml"
    file.write_text(CONFIG)
    whole = [str(CUTCARD), "seat", *arguments, "--config", str(file)]
    with subprocess.Popen(whole, stderr=subprocess.PIPE, text=True) as running:
        while running.poll() is None:
            meanwhile()
        assert running.stderr is not None
        return running.returncode, running.stderr.read()


def test_the_command_says_what_a_player_wants(table: Table) -> None:
    folder = table.path.parent
    sit = ("7", "sit", "--chips", "400", "--post", "--by", "Ann")
    assert command(folder, *sit, meanwhile=table.turn) == (0, "")
    assert command(folder, "7", "leave", meanwhile=table.turn) == (0, "")
    told = [json.loads(line) for line in said(table)]
    assert [notice.get("change", notice["decision"]) for notice in told] == ["sit", "leave", "seat-left"]


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (("2", "sit", "--chips", "5"), 1, "cutcard seat: seat 2 is taken\n"),
        (("7", "sit"), 2, "--chips goes with sit and add, and they need it"),
        (("2", "out", "--post"), 2, "--post goes with sit and back only"),
        (("12", "out"), 2, "12 is not in the range 1<=x<=11"),
        (("2", "fly"), 2, "'fly' is not one of"),
    ],
)
def test_a_wish_that_cannot_be_is_one_line(
    table: Table, arguments: tuple[str, ...], status: int, why: str
) -> None:
    returned, words = command(table.path.parent, *arguments, meanwhile=table.turn)
    assert returned == status
    assert why in words


def test_a_table_that_does_not_run_is_told(tmp_path: Path) -> None:
    returned, words = command(tmp_path, "2", "out", meanwhile=lambda: None)
    assert (returned, words.count("\n")) == (1, 1)
    assert "no table answers" in words
