"""The file that a journal is written to: one table's alone, appended to and synced, turned into the next one
(docs/journal.md, "Order").

Where the disk takes nothing more it is tried again and again: what is not durable was acknowledged to no
device.
"""

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from controller.errors import JournalError, JournalOpenError
from controller.journal import keys
from controller.journal.openings import openings_file
from controller.journal.reading import next_file, older_file, older_files_of

RETRY_S: Final = 0.5
"""How long it waits before it tries again to write."""
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_MAY_PASS: Final = _NO_ROOM | {errno.EIO, errno.EROFS, errno.ENOMEM, errno.EINTR}
_LOCK_TRIES: Final = 5
_LOCK_S: Final = 0.02
_T = TypeVar("_T")


class Disk:
    """A journal's last file, open and locked. `troubled` is told why nothing can be written, and with an
    empty text that it can again; it is called by whoever writes.

    Raises JournalOpenError where the file cannot be had, or another table has it.
    """

    def __init__(self, path: Path, troubled: Callable[[str], None]) -> None:
        self._path = path
        self._next = next_file(path)
        self._troubled = troubled
        self._in_trouble = False
        self._given_up = threading.Event()
        self.size = 0
        """Bytes that were written whole."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():
                raise JournalOpenError(f"{path}: this is a link to another file; name that file itself")
            if path.exists() and not path.is_file():
                raise JournalOpenError(f"{path}: this is no file that a journal can be")
            if not path.exists():
                must_be_new(path)
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise unopened(path, error) from None
        try:
            self._lock()
            if not _is_at(self._fd, path):  # a table turned it over to the next one meanwhile
                raise BlockingIOError
            self._next.unlink(missing_ok=True)  # what a crash left of a turn
        except BlockingIOError:
            os.close(self._fd)
            why = "another table writes it; stop that one or choose another file"
            raise JournalOpenError(f"{path}: {why}") from None
        except OSError as error:
            os.close(self._fd)
            raise unopened(path, error) from None

    def _lock(self) -> None:
        """Keeps other tables out. Raises BlockingIOError where one is in already: whoever only looks whether
        there is one holds the lock for a moment, a table for good."""
        for _ in range(_LOCK_TRIES):
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            time.sleep(_LOCK_S)
        return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def keep(self, whole: int, number: int) -> None:
        """What is there of file `number` stays, and is durable. What stands behind is a torn line: that never
        was, nothing was acknowledged or commanded on its word.

        Raises OSError, and JournalOpenError where a file with the name of a later one is there already.
        """
        for later, file in older_files_of(self._path).items():
            if number and _is_at(self._fd, file):  # a crash came between the two names of a turn
                file.unlink()
            elif later >= number:
                raise JournalOpenError(
                    f"{file}: this is no older file of {self._path.name}, which is file {number}; "
                    "move away what is of another journal"
                )
        os.ftruncate(self._fd, whole)
        os.fsync(self._fd)
        self.size = whole
        keys.sync_folder(self._path.parent)

    def begin(self, first: bytes) -> None:
        """The first line of a new journal. Raises OSError: a table that is to start waits for nothing.

        A file gets its second name here for once, because a turn needs that and comes in play.
        """
        os.link(self._path, self._next)
        self._next.unlink()
        self._append(first)

    def append(self, lines: bytes) -> None:
        """Writes and syncs lines, when the disk takes them. Raises JournalError where the file is not this
        journal's any more, OSError where waiting does not help or nobody waits any more."""
        self._be_there()
        self.patiently(lambda: self._append(lines))

    def _append(self, lines: bytes) -> None:
        """All of it, or nothing: after an error it is unknown what of it reached the disk."""
        try:
            _write_all(self._fd, lines)
            os.fdatasync(self._fd)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self.size)
            raise
        self.size += len(lines)

    def turn(self, begins: bytes, number: int, gone: Iterable[Path]) -> None:
        """File `number` begins with its first lines, durably; those that there is no room for any more are
        removed. Raises as `append` does.

        The file has its name at every moment, and under it all that a start needs: the older one gets a
        second name first, and loses the one that the new one takes.
        """
        self._be_there()
        fresh = self.patiently(lambda: self._begun(begins))
        older = older_file(self._path, number - 1)
        self.patiently(lambda: self._named(fresh, older))
        os.close(self._fd)
        self._fd, self.size = fresh, len(begins)
        for file in gone:
            file.unlink(missing_ok=True)

    def _begun(self, begins: bytes) -> int:
        self._next.unlink(missing_ok=True)
        fresh = os.open(self._next, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        try:
            fcntl.flock(fresh, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write_all(fresh, begins)
            os.fsync(fresh)
        except OSError:
            os.close(fresh)
            raise
        return fresh

    def _named(self, fresh: int, older: Path) -> None:
        """Each step is done once, however often all of them are tried."""
        if not _is_at(self._fd, older):
            try:
                os.link(self._path, older)
            except FileExistsError:
                why = "another file has the name that the journal's last one is to have; move it away"
                raise JournalError(f"{older}: {why}") from None
        if not _is_at(fresh, self._path):
            os.replace(self._next, self._path)
        keys.sync_folder(self._path.parent)

    def patiently(self, write: Callable[[], _T]) -> _T:
        """Tries to write until the disk takes it, and says meanwhile why it does not.

        Raises OSError where waiting does not help, or nobody waits any more.
        """
        while True:
            try:
                done = write()
            except OSError as error:
                if error.errno not in _MAY_PASS or self._given_up.is_set():
                    raise
                if not self._in_trouble:
                    self._in_trouble = True
                    self._troubled(self.why(error))
                self._given_up.wait(RETRY_S)
                continue
            if self._in_trouble:
                self._in_trouble = False
                self._troubled("")
            return done

    def why(self, error: OSError) -> str:
        """Why nothing can be written, for people."""
        room = "; make room" if error.errno in _NO_ROOM else ""
        return f"{error.filename or self._path}: the journal cannot be written: {error.strerror}{room}"

    def _be_there(self) -> None:
        """Raises JournalError where somebody else has moved, changed or removed the file by now."""
        if not _is_at(self._fd, self._path) or os.fstat(self._fd).st_size != self.size:
            raise JournalError(
                f"{self._path}: the journal was taken away or changed while it was written; put back what "
                "was there and start again"
            )

    def give_up(self) -> None:
        """Nobody waits any more: what cannot be written now is not tried again."""
        self._given_up.set()

    def close(self) -> None:
        """Lets the file go."""
        os.close(self._fd)


def must_be_new(path: Path) -> None:
    """Raises JournalOpenError where a journal was begun under a name, and its last file is not there or has
    nothing in it: a hand may be under way in it, which nobody has given up."""
    beside = [*older_files_of(path).values(), keys.key_file_of(path), openings_file(path)]
    left = ", ".join(file.name for file in beside if file.exists())
    if left:
        raise JournalOpenError(
            f"{path}: this journal is missing or empty, and there is still {left}; bring the journal back, "
            "or move these away too to begin another"
        )


def _is_at(opened: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(opened), os.stat(path))
    except FileNotFoundError:
        return False


def _write_all(opened: int, what: bytes) -> None:
    view = memoryview(what)
    while view:
        view = view[os.write(opened, view) :]


def unopened(path: Path, error: OSError) -> JournalOpenError:
    """A journal's file cannot be had, and why."""
    return JournalOpenError(f"{path}: the journal cannot be opened: {error.strerror}")
