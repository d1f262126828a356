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
from controller.journal.reading import next_file, older_file

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
            self._finish_turning()
            if path.exists() and not path.is_file():
                raise JournalOpenError(f"{path}: this is no file that a journal can be")
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise unopened(path, error) from None
        try:
            self._lock()
        except BlockingIOError:
            os.close(self._fd)
            why = "another table writes it; stop that one or choose another file"
            raise JournalOpenError(f"{path}: {why}") from None
        except OSError as error:
            os.close(self._fd)
            raise unopened(path, error) from None

    def _finish_turning(self) -> None:
        """A crash came between the two names that a new file is given."""
        if self._next.exists() and not self._path.exists():
            os.replace(self._next, self._path)
        self._next.unlink(missing_ok=True)

    def _lock(self) -> None:
        """Keeps other tables out. Raises BlockingIOError where one is in already: whoever only looks whether
        there is one holds the lock for a moment, a table for good."""
        for _ in range(_LOCK_TRIES):
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            time.sleep(_LOCK_S)
        return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def keep(self, whole: int, torn: int) -> None:
        """What is there stays, but for a torn line: that was never durable, nothing was acknowledged or
        commanded on its word. Raises OSError."""
        if torn:
            os.ftruncate(self._fd, whole)
        self.size = whole
        keys.sync_folder(self._path.parent)

    def begin(self, first: bytes) -> None:
        """The first line of a new journal. Raises OSError: a table that is to start waits for nothing."""
        self._append(first)

    def append(self, lines: bytes) -> None:
        """Writes and syncs lines, when the disk takes them. Raises JournalError where the file is not this
        journal's any more, OSError where waiting does not help or nobody waits any more."""
        self._be_there()
        self.patiently(lambda: self._append(lines))

    def _append(self, lines: bytes) -> None:
        """All of it, or nothing: after an error it is unknown what of it reached the disk."""
        view = memoryview(lines)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
            os.fdatasync(self._fd)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self.size)
            raise
        self.size += len(lines)

    def turn(self, first: bytes, number: int, gone: Iterable[Path]) -> None:
        """File `number` begins with a first line; those that there is no room for any more are removed.
        Raises as `append` does."""
        self._be_there()
        fresh = self.patiently(lambda: self._begun(first, number))
        os.close(self._fd)
        self._fd, self.size = fresh, len(first)
        for file in gone:
            file.unlink(missing_ok=True)

    def _begun(self, first: bytes, number: int) -> int:
        self._next.unlink(missing_ok=True)
        fresh = os.open(self._next, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        try:
            fcntl.flock(fresh, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(fresh, first)
            os.fsync(fresh)
            os.replace(self._path, older_file(self._path, number - 1))
            os.replace(self._next, self._path)
            keys.sync_folder(self._path.parent)
        except OSError:
            os.close(fresh)
            raise
        return fresh

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
        return f"{self._path}: the journal cannot be written: {error.strerror}{room}"

    def _be_there(self) -> None:
        """Raises JournalError where somebody else has moved, changed or removed the file by now."""
        try:
            named = os.stat(self._path)
        except OSError:
            named = None
        opened = os.fstat(self._fd)
        other = named is None or (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino)
        if other or opened.st_size != self.size:
            raise JournalError(
                f"{self._path}: the journal was taken away or changed while it was written; start again"
            )

    def give_up(self) -> None:
        """Nobody waits any more: what cannot be written now is not tried again."""
        self._given_up.set()

    def close(self) -> None:
        """Lets the file go."""
        os.close(self._fd)


def unopened(path: Path, error: OSError) -> JournalOpenError:
    """A journal's file cannot be had, and why."""
    return JournalOpenError(f"{path}: the journal cannot be opened: {error.strerror}")
