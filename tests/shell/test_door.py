"""The local socket: what doors are told, and that no door can hold the table up."""

import errno
import json
import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.door import DoorClient
from controller.errors import DoorError
from controller.feed import NOTICES_KEPT
from controller.notices import LedgerDigest, Rest
from controller.service import digest
from tests.shell.doors import Table, heard, is_let_go


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


# The feed


def test_the_feed_tells_everything_from_the_beginning_and_goes_on(table: Table) -> None:
    before = [table.tell() for _ in range(3)]
    client = table.client()
    client.hear()
    assert client.notices == before
    after = table.tell()
    table.settle()
    client.hear()
    assert client.notices == [*before, after]


@pytest.mark.parametrize(
    ("since", "numbers"),
    [(1, [1, 2, 3, 4]), (3, [3, 4]), (0, [1, 2, 3, 4]), (-9, [1, 2, 3, 4]), (4, [4]), (5, [])],
)
def test_the_feed_goes_on_from_any_number(table: Table, since: int, numbers: list[int]) -> None:
    raw = table.raw()
    for _ in range(3):
        table.tell()
    lines = table.asked(raw, b'{"ask":"feed","since":%d}\n' % since)
    table.tell()
    table.settle()
    assert [line["number"] for line in lines + heard(raw)] == numbers


def test_every_door_has_its_own_place_in_the_feed(table: Table) -> None:
    table.tell()
    first = table.client()
    table.tell()
    second = table.client()
    table.tell()
    table.settle()
    for client in (first, second):
        client.hear()
        assert [notice.number for notice in client.notices] == [1, 2, 3]


def test_the_oldest_notices_are_forgotten_and_the_numbers_say_so(table: Table) -> None:
    for _ in range(NOTICES_KEPT + 5):
        table.tell("x")
    raw = table.raw()
    raw.send(b'{"ask":"feed"}\n')
    lines: list[dict[str, object]] = []
    rest = b""
    for _ in range(10_000):
        table.turn()
        try:
            *whole, rest = (rest + raw.recv(1 << 20)).split(b"\n")
        except BlockingIOError:
            break
        lines += map(json.loads, whole)
    assert [line["number"] for line in lines] == list(range(6, NOTICES_KEPT + 6))


# Questions


def test_rest_tells_whether_nothing_is_under_way_and_how_far_the_feed_is(table: Table) -> None:
    raw = table.raw()
    table.tell()
    table.service.ticked("shoe", 4711)
    (answer,) = table.asked(raw, b'{"ask":"rest"}\n')
    times = {"shoe": 4711, "shuffler": 0, "zones": 0, "prompts": 0, "keypad": 0}
    assert answer == {"answer": "rest", "rest": False, "notices": 1, "times": times}
    table.rests = True
    assert table.asked(raw, b'{"ask":"rest"}\n')[0]["rest"] is True


def test_an_answer_comes_behind_all_that_was_told_before_it(table: Table) -> None:
    raw = table.raw()
    table.tell()
    lines = table.asked(raw, b'{"ask":"feed"}\n{"ask":"rest"}\n')
    assert [next(iter(line)) for line in lines] == ["number", "answer"]


def test_the_ledger_is_told_on_a_bench_alone_and_as_digests(table: Table) -> None:
    raw = table.raw()
    (answer,) = table.asked(raw, b'{"ask":"ledger","nonce":"00ff"}\n')
    assert answer["answer"] == "denied"
    assert "only a bench" in str(answer["why"])
    table.tells_ledger = True
    (answer,) = table.asked(raw, b'{"ask":"ledger","nonce":"00ff"}\n')
    assert answer["answer"] == "ledger"
    zones = answer["zones"]
    assert isinstance(zones, dict)
    assert zones["board"] == list(digest(b"\x00\xff", ()))
    assert zones == {place: list(told) for place, told in table.service.ledger_digest(b"\0\xff").items()}


def test_a_door_gives_any_nonce_and_gets_the_ledger_under_it(table: Table) -> None:
    table.tells_ledger = True
    client = table.client()
    nonce = bytes(range(120, 136))
    client.ask("ledger", nonce=nonce)
    table.settle()
    answer = client.answer()
    assert isinstance(answer, LedgerDigest)
    assert answer.zones == table.service.ledger_digest(nonce)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"rubbish", "this is no question"),
        (b"", "this is no question"),
        (b"\xff\xfe", "this is no question"),
        (b'{"ask":"rest\xff"}', "this is no question"),
        (b'{"ask":5}', "this is no question"),
        (b'{"since":5}', "this is no question"),
        (b'{"ask":"rest","more":1}', "this is no question"),
        (b'{"ask":"cards"}', "no question 'cards'; there are feed, rest, ledger, seat and floor"),
        (b'{"ask":"ledger","nonce":"xyz"}', "not written in hexadecimal"),
        (b"[" * 4000, "this is no question"),
    ],
)
def test_what_is_no_question_is_answered_and_the_door_stays_open(
    table: Table, line: bytes, words: str
) -> None:
    table.tells_ledger = True
    raw = table.raw()
    (answer,) = table.asked(raw, line + b"\n")
    assert answer["answer"] == "denied"
    assert words in str(answer["why"])
    assert table.asked(raw, b'{"ask":"rest"}\n')[0]["answer"] == "rest"


def test_a_question_may_come_in_pieces_and_several_at_once(table: Table) -> None:
    raw = table.raw()
    assert table.asked(raw, b'{"ask":') == []
    answers = table.asked(raw, b'"rest"}\n{"ask":"rest"}\n{"ask"')
    assert [answer["answer"] for answer in answers] == ["rest", "rest"]


# Doors that misbehave


def test_a_question_without_an_end_closes_the_door(table: Table) -> None:
    raw = table.raw()
    raw.send(b"x" * 10_000)
    table.settle()
    assert is_let_go(raw)
    assert table.connected == 0


def test_a_door_that_never_reads_is_let_go_and_the_others_miss_nothing(table: Table) -> None:
    deaf = table.raw()
    deaf.send(b'{"ask":"feed"}\n')
    table.settle()
    good = table.client()
    for _ in range(100):
        table.tell("y" * 100_000)
        table.turn()
        good.hear()
    for _ in range(1000):
        if not table.turn():
            break
        good.hear()
    good.hear()
    assert [notice.number for notice in good.notices] == list(range(1, 101))
    assert table.connected == 1
    assert is_let_go(deaf)


def test_a_door_that_is_let_go_while_others_are_served_holds_nobody_up(table: Table) -> None:
    deaf = table.raw()
    deaf.send(b'{"ask":"feed"}\n')
    table.settle()
    for _ in range(200):
        table.tell("z" * 50_000)
    fds = [fd for fd in table.server.interests() if fd != next(iter(table.server.interests()))]
    deaf.send(b"x" * 5000)  # its bytes lie ready in the same turn in which it is let go
    table.server.publish()
    assert table.connected == 0
    for fd in fds:
        table.server.readable(fd)
        table.server.writable(fd)
    assert is_let_go(deaf)


def test_a_door_that_asks_the_feed_and_sends_rubbish_without_end_is_let_go_once(table: Table) -> None:
    for _ in range(200):
        table.tell("z" * 50_000)
    raw = table.raw()
    raw.send(b'{"ask":"feed"}\n' + b"x" * 5000)
    table.settle()
    assert table.connected == 0


def test_a_door_that_goes_without_a_word_is_forgotten(table: Table) -> None:
    raw = table.raw()
    raw.send(b'{"ask":"feed"}\n')
    table.settle()
    raw.close()
    table.tell()
    table.settle()
    assert table.connected == 0


def test_more_doors_than_a_table_can_serve_are_told_so_and_closed(table: Table) -> None:
    doors = [table.raw() for _ in range(40)]
    assert table.connected == 32
    (answer,) = heard(doors[-1])
    assert "32 doors are connected" in str(answer["why"])
    assert is_let_go(doors[-1])
    assert table.asked(doors[0], b'{"ask":"rest"}\n')[0]["answer"] == "rest"


def test_a_caller_for_whom_there_is_no_descriptor_does_not_end_the_table(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def accept(_self: socket.socket) -> tuple[socket.socket, object]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as patched:
        patched.setattr(socket.socket, "accept", accept)
        raw = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        table.doors.append(raw)
        raw.connect(str(table.path))
        table.turn()
    table.settle()
    raw.setblocking(False)
    assert table.asked(raw, b'{"ask":"rest"}\n')[0]["answer"] == "rest"


# The socket's file


def test_the_socket_is_for_its_owner_alone(table: Table) -> None:
    assert stat.S_IMODE(table.path.stat().st_mode) == 0o600


def test_the_folder_of_the_socket_is_made_and_can_be_entered(tmp_path: Path) -> None:
    table = Table(tmp_path / "run" / "cutcard")
    try:
        table.client()
        assert stat.S_IMODE((tmp_path / "run").stat().st_mode) & 0o700 == 0o700
    finally:
        table.close()


def test_a_socket_that_nobody_serves_any_more_is_replaced(tmp_path: Path) -> None:
    stale = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    stale.bind(str(tmp_path / "door"))
    stale.close()
    table = Table(tmp_path)
    try:
        table.tell()
        client = table.client()
        client.hear()
        assert [notice.number for notice in client.notices] == [1]
    finally:
        table.close()


def test_a_socket_that_another_table_serves_is_refused_and_left_alone(table: Table) -> None:
    with pytest.raises(DoorError, match="another table answers there"):
        table.serve()
    table.settle()
    table.client()
    assert table.path.exists()


def test_a_socket_whose_table_is_too_busy_to_answer_is_refused_too(tmp_path: Path) -> None:
    busy = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    busy.bind(str(tmp_path / "door"))
    busy.listen(0)
    waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    waiting.connect(str(tmp_path / "door"))
    try:
        with pytest.raises(DoorError, match="another table answers there"):
            Table(tmp_path)
    finally:
        waiting.close()
        busy.close()


def _a_file(path: Path) -> None:
    path.write_text("a note")


def _a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [_a_file, _a_folder])
def test_what_is_no_socket_is_left_alone(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "door")
    with pytest.raises(DoorError, match="door: the local socket cannot be opened: Address already in use"):
        Table(tmp_path)
    assert not (tmp_path / "door").is_socket()


def test_a_path_that_is_too_long_for_a_socket_is_told(tmp_path: Path) -> None:
    with pytest.raises(DoorError, match="the local socket cannot be opened: AF_UNIX path too long"):
        Table(tmp_path / ("x" * 120))


def test_closing_takes_the_socket_away_and_hangs_up(table: Table) -> None:
    client = table.client()
    table.server.close()
    assert not table.path.exists()
    with pytest.raises(DoorError, match="the table is gone"):
        client.hear()


def test_a_door_without_a_table_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(DoorError, match="door: no table answers: No such file"):
        DoorClient(tmp_path / "door")


def test_the_client_gets_the_answer_to_its_last_question(table: Table) -> None:
    client = table.client()
    client.ask("rest")
    assert client.answer() is None
    table.settle()
    assert isinstance(client.answer(), Rest)
    client.ask("rest")
    assert client.answer() is None
