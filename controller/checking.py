"""Whose a badge or a PIN is: looked up slowly, in a thread of its own, so that no port waits for it.

A hash takes a third of a second by design. Whoever asks goes on at once and is told later, by the thread that
calls `deliver`: the table's own.
"""

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Protocol

from controller.credentials import Credential
from controller.errors import PeopleFileError
from controller.events import CauseName, CredentialName, RoleName, ShownAtName
from controller.people import People, UseName
from controller.people_file import read_people, unreadable

TRIES: Final = 5
"""Wrong tries of a kind at a place that are looked at one after the other."""
PAUSE_S: Final = 300.0
"""After those: one more in so many seconds."""
NO_PEOPLE: Final = "the table's configuration names no people"
NICENESS: Final = 5
"""How much the lookup stands back where the table's own thread wants the same processor."""
_FAILED: Final = "badges and PINs cannot be looked up any more: start the table again"


@dataclass(frozen=True)
class Known:
    """Somebody of the room."""

    who: str
    role: RoleName


@dataclass(frozen=True)
class Unknown:
    """Nobody, and why."""

    cause: CauseName
    text: str = ""


Verdict = Known | Unknown
Then = Callable[[Verdict], None]


class Checker(Protocol):
    """Looks up whose a badge or a PIN is."""

    def check(self, shown: Credential, at: ShownAtName, then: Then) -> None:
        """Looks it up; `then` is told, now or when `deliver` is called later."""

    def wake_fd(self) -> int | None:
        """A descriptor that becomes readable when there is something to deliver."""

    def deliver(self) -> None:
        """Tells those whose turn has come."""

    def close(self) -> None:
        """Lets everything go; whoever waits is told nothing more."""


class Tries:
    """Wrong tries, counted a kind and a place: a prankster at the keypad keeps no floor from the door.

    `now` is the host's clock, in seconds; no rule of the game depends on it.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left: dict[tuple[ShownAtName, CredentialName], tuple[float, float]] = {}

    def _count(self, at: ShownAtName, by: CredentialName) -> float:
        left, since = self._left.get((at, by), (float(TRIES), 0.0))
        return min(float(TRIES), left + (self._now() - since) / PAUSE_S)

    def is_locked(self, at: ShownAtName, by: CredentialName) -> bool:
        """Whether none is looked at now. Right ones count for nothing: they would open it for wrong ones."""
        return self._count(at, by) < 1

    def was_wrong(self, at: ShownAtName, by: CredentialName) -> None:
        """One more."""
        self._left[at, by] = self._count(at, by) - 1, self._now()


class Lookup:
    """The lookup itself. `people` gives those who are known now, or raises PeopleFileError."""

    def __init__(self, people: Callable[[], People], tries: Tries | None = None) -> None:
        self._people = people
        self._tries = tries or Tries()

    def verdict(self, shown: Credential, at: ShownAtName) -> Verdict:
        """Whose it is. Slow."""
        if self._tries.is_locked(at, shown.by):
            return Unknown("locked")
        try:
            person = self._people().whose(shown)
        except PeopleFileError as error:
            return Unknown("unusable", str(error))
        except (ValueError, MemoryError):
            return Unknown("unusable", "there is not enough memory to look up a badge or a PIN")
        if person is None or person.state == "disabled":
            self._tries.was_wrong(at, shown.by)
            return Unknown("unknown")
        return Known(person.name, person.role)


class PeopleInFile:
    """The people of a file as it is now: it is read again whenever it has changed."""

    def __init__(self, path: Path, use: UseName) -> None:
        """Reads the file. PeopleFileError."""
        self._path = path
        self._use = use
        self._stamp = self._stamped()
        self._people = read_people(path, use=use)

    def __call__(self) -> People:
        """The people. PeopleFileError."""
        stamp = self._stamped()
        if stamp != self._stamp:
            self._people = read_people(self._path, use=self._use)
            self._stamp = stamp
        return self._people

    def _stamped(self) -> tuple[int, ...]:
        try:
            status = self._path.stat()
        except OSError as error:
            raise unreadable(self._path, error) from None
        return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def _nobody() -> People:
    raise PeopleFileError(NO_PEOPLE)


class InlineChecker:
    """Looks up at once: for a table without people, and for a bench whose hashes are quick."""

    def __init__(self, people: Callable[[], People] = _nobody) -> None:
        self._lookup = Lookup(people)

    def check(self, shown: Credential, at: ShownAtName, then: Then) -> None:
        """Looks it up and tells."""
        then(self._lookup.verdict(shown, at))

    def wake_fd(self) -> int | None:
        """None: nothing is ever to be delivered."""
        return None

    def deliver(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to let go."""


class ThreadChecker:
    """Looks up in a thread, one after the other."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._asked: SimpleQueue[tuple[Credential, ShownAtName, Then] | None] = SimpleQueue()
        self._found: deque[tuple[Then, Verdict]] = deque()
        self._closed = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._look_up, name="people", daemon=True)
        self._thread.start()

    def check(self, shown: Credential, at: ShownAtName, then: Then) -> None:
        """Hands it to the thread."""
        if self._thread.is_alive():
            self._asked.put((shown, at, then))
        else:
            self._tell(then, Unknown("unusable", _FAILED))

    def _look_up(self) -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (asked := self._asked.get()) is not None:
            shown, at, then = asked
            verdict: Verdict = Unknown("unusable", _FAILED)
            try:
                verdict = self._lookup.verdict(shown, at)
            finally:  # nobody foresaw why, but nobody must wait for it
                self._tell(then, verdict)

    def _tell(self, then: Then, verdict: Verdict) -> None:
        self._found.append((then, verdict))
        with contextlib.suppress(BlockingIOError):  # full: it is readable anyway
            os.write(self._wake_write, b"\0")

    def wake_fd(self) -> int | None:
        """Readable when somebody was found, or nobody."""
        return self._wake_read

    def deliver(self) -> None:
        """Tells those whose turn has come."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake_read, 4096):
                pass
        while self._found:
            then, verdict = self._found.popleft()
            then(verdict)

    def close(self) -> None:
        """Waits for the lookup under way; nothing the second time."""
        if self._closed:
            return
        self._closed = True
        self._asked.put(None)
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)
