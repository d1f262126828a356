"""Files that one user alone may read: read whole or refused by name, and replaced in one step."""

import fcntl
import os
import pwd
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.journal.keys import sync_folder
from controller.regular_file import open_regular

MODE: Final = 0o600
_MOST_BYTES: Final = 1 << 20

Wrong = Callable[[str], Exception]
"""Makes the error that is raised, of what it says."""


def read_private(path: Path, what: str, wrong: Wrong) -> str:
    """The text of a file that nobody else may read or write; ``what`` names in the plural what it holds.

    Raises what ``wrong`` makes of the reason, with the path in it and nothing of the content.
    """
    try:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if status.st_uid not in (0, os.geteuid()):
                owner = _name_of(status.st_uid)
                raise wrong(f"{path}: the {what} belong to {owner}: give the file to the user of the table")
            if status.st_mode & ~MODE & 0o777:
                raise wrong(f"{path}: others can read or write the {what}: chmod 600 {path}")
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise wrong(f"{path}: the {what} cannot be read: {error.strerror}") from None
    if len(content) > _MOST_BYTES:
        raise wrong(f"{path}: the file is larger than {_MOST_BYTES} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise wrong(f"{path}: the {what} are not UTF-8 text") from None


def write_private(path: Path, text: str, what: str, wrong: Wrong) -> None:
    """Puts the file in the place of the one before, in one step and for good."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
        sync_folder(path.parent)
    except OSError as error:
        raise wrong(f"{path}: the {what} cannot be written: {error.strerror}") from None


@contextmanager
def one_writer(path: Path, what: str, wrong: Wrong) -> Iterator[None]:
    """Whoever else would change the file waits until this is over."""
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise wrong(f"{path}: the {what} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _name_of(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
