"""Files opened so that nothing else in their place is waited for: no pipe, no device, no terminal."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

NO_FILE: Final = "this is no file"


def open_regular(path: Path) -> BinaryIO:
    """A file, to be read. OSError, also where something that is no file has its name."""
    return os.fdopen(descriptor_of(path, os.O_RDONLY), "rb")


def descriptor_of(path: Path, flags: int, mode: int = 0o600) -> int:
    """The descriptor of a file that was opened with these flags, and made with this mode. OSError, also where
    something that is no file has its name."""
    try:
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device with nothing behind it
            raise OSError(errno.ENXIO, NO_FILE, str(path)) from None
        raise
    # As it was opened, so that nothing can be put in its place meanwhile.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, NO_FILE, str(path))
    return descriptor
