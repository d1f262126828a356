"""Whose a badge or a PIN is: looked up away from the table's thread, again where the file changed, and not at
all after too many wrong ones."""

import os
import select
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import checking
from controller.checking import (
    NICENESS,
    NO_PEOPLE,
    PAUSE_S,
    TRIES,
    InlineChecker,
    Known,
    Lookup,
    PeopleInFile,
    ThreadChecker,
    Tries,
    Unknown,
    Verdict,
)
from controller.credentials import Credential
from controller.errors import PeopleFileError
from controller.people import People
from controller.people_file import write_people
from tests.shell.folk import (
    ANN_BADGE,
    ANN_PIN,
    BOB_PIN,
    CID_PIN,
    NOBODYS_PIN,
    badge,
    file_of,
    pin,
    room,
)

WITHIN_S = 20.0


class Clock:
    """The host's clock, moved by the test."""

    def __init__(self) -> None:
        self.s = 1000.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lookup(clock: Clock) -> Lookup:
    people = room()
    return Lookup(lambda: people, Tries(clock))


def test_who_is_known_is_told_by_name_and_role(lookup: Lookup) -> None:
    assert lookup.verdict(pin(ANN_PIN), "keypad") == Known("Ann", "floor")
    assert lookup.verdict(pin(BOB_PIN), "door") == Known("Bob", "dealer")


def test_nobody_and_somebody_who_is_disabled_are_told_alike(lookup: Lookup) -> None:
    assert lookup.verdict(pin(NOBODYS_PIN), "keypad") == Unknown("unknown")
    assert lookup.verdict(pin(CID_PIN), "keypad") == Unknown("unknown")


def wrong(lookup: Lookup, times: int) -> list[Verdict]:
    return [lookup.verdict(pin(NOBODYS_PIN), "keypad") for _ in range(times)]


def test_after_five_wrong_ones_none_is_looked_at_right_or_wrong(lookup: Lookup) -> None:
    assert wrong(lookup, TRIES + 2) == [Unknown("unknown")] * TRIES + [Unknown("locked")] * 2
    assert lookup.verdict(pin(ANN_PIN), "keypad") == Unknown("locked")


def test_then_one_is_looked_at_each_five_minutes(lookup: Lookup, clock: Clock) -> None:
    wrong(lookup, TRIES)
    clock.s += PAUSE_S - 1
    assert wrong(lookup, 1) == [Unknown("locked")]
    clock.s += 1
    assert wrong(lookup, 2) == [Unknown("unknown"), Unknown("locked")]
    clock.s += 100 * PAUSE_S
    assert wrong(lookup, TRIES + 1)[-1] == Unknown("locked")


def test_right_ones_in_between_give_no_further_wrong_ones(lookup: Lookup) -> None:
    for _ in range(TRIES):
        wrong(lookup, 1)
        lookup.verdict(pin(BOB_PIN), "keypad")
    assert wrong(lookup, 1) == [Unknown("locked")]


def test_a_badge_is_still_good_where_pins_are_locked_and_so_is_the_door(lookup: Lookup) -> None:
    wrong(lookup, TRIES)
    assert lookup.verdict(badge(ANN_BADGE), "keypad") == Known("Ann", "floor")
    assert lookup.verdict(pin(ANN_PIN), "door") == Known("Ann", "floor")


def test_none_is_hashed_while_none_is_looked_at(lookup: Lookup, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong(lookup, TRIES)
    monkeypatch.setattr(People, "whose", lambda *_: pytest.fail("it was looked up"))
    assert wrong(lookup, 1) == [Unknown("locked")]


def test_a_machine_without_memory_for_the_hash_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(_people: People, _shown: Credential) -> None:
        raise MemoryError

    monkeypatch.setattr(People, "whose", no_memory)
    verdict = Lookup(room).verdict(pin(ANN_PIN), "door")
    assert isinstance(verdict, Unknown)
    assert (verdict.cause, "memory" in verdict.text) == ("unusable", True)


def test_a_table_without_people_says_so() -> None:
    told: list[Verdict] = []
    InlineChecker().check(pin(ANN_PIN), "door", told.append)
    assert told == [Unknown("unusable", NO_PEOPLE)]


# The file


def test_a_changed_file_is_read_at_the_next_badge_or_pin(tmp_path: Path) -> None:
    path = file_of(tmp_path)
    lookup = Lookup(PeopleInFile(path, "bench"))
    assert lookup.verdict(pin(ANN_PIN), "door") == Known("Ann", "floor")
    write_people(path, room().revoked("Ann"))
    assert lookup.verdict(pin(ANN_PIN), "door") == Unknown("unknown")
    path.chmod(0o644)
    broken = lookup.verdict(pin(BOB_PIN), "door")
    assert isinstance(broken, Unknown)
    assert broken.text.startswith(f"{path}: others can read")
    path.unlink()
    assert "no such file" in str(lookup.verdict(pin(BOB_PIN), "door"))
    file_of(tmp_path)
    assert lookup.verdict(pin(ANN_PIN), "door") == Known("Ann", "floor")


def test_a_file_that_cannot_be_used_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(PeopleFileError, match="no such file"):
        PeopleInFile(tmp_path / "people.toml", "bench")
    with pytest.raises(PeopleFileError, match="a bench's people"):
        PeopleInFile(file_of(tmp_path), "room")


# The thread


@pytest.fixture
def checker(lookup: Lookup) -> Iterator[ThreadChecker]:
    checker = ThreadChecker(lookup)
    yield checker
    checker.close()


def delivered(checker: ThreadChecker, told: list[Verdict], number: int) -> list[Verdict]:
    """What was told once so many were."""
    while len(told) < number:
        fd = checker.wake_fd()
        assert fd is not None
        assert select.select([fd], [], [], WITHIN_S)[0], "nothing is delivered"
        checker.deliver()
    return told


def test_whoever_asks_goes_on_at_once_and_is_told_later_in_his_own_thread(checker: ThreadChecker) -> None:
    told: list[Verdict] = []
    threads: set[int] = set()

    def then(verdict: Verdict) -> None:
        threads.add(threading.get_ident())
        told.append(verdict)

    for shown in (pin(ANN_PIN), pin(NOBODYS_PIN), badge(ANN_BADGE)):
        checker.check(shown, "keypad", then)
    assert told == []
    known = Known("Ann", "floor")
    assert delivered(checker, told, 3) == [known, Unknown("unknown"), known]
    assert threads == {threading.get_ident()}


def test_it_is_looked_up_in_another_thread_that_stands_back(
    monkeypatch: pytest.MonkeyPatch, checker: ThreadChecker
) -> None:
    threads: list[tuple[str, int]] = []
    whose = People.whose

    def watched(people: People, shown: Credential) -> object:
        niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        threads.append((threading.current_thread().name, niceness))
        return whose(people, shown)

    monkeypatch.setattr(People, "whose", watched)
    checker.check(pin(ANN_PIN), "keypad", lambda _: None)
    checker.close()
    assert threads == [("people", NICENESS)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) < NICENESS


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ends_leaves_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, checker: ThreadChecker
) -> None:
    def broken(_people: People, _shown: Credential) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(People, "whose", broken)
    told: list[Verdict] = []
    checker.check(pin(ANN_PIN), "keypad", told.append)
    delivered(checker, told, 1)
    checker._thread.join(WITHIN_S)
    checker.check(pin(ANN_PIN), "keypad", told.append)
    assert delivered(checker, told, 2) == [Unknown("unusable", checking._FAILED)] * 2


def test_closing_twice_is_closing_once(lookup: Lookup) -> None:
    checker = ThreadChecker(lookup)
    fd = checker.wake_fd()
    assert fd is not None
    checker.close()
    checker.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)
