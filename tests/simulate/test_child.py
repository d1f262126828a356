"""A forked child never comes back into the code of the process that it was forked from."""

import os

import pytest

from hil_rigs.child import leave


def forked(failing: type[BaseException] | None, *, pipe: str) -> int:
    """The exit status of a child that leaves, perhaps after a failure, through a pipe nobody may read."""
    read, write = os.pipe()
    os.close(read)
    quiet = os.open(os.devnull, os.O_WRONLY)
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(quiet, 2)
            if failing is not None:
                raise failing
        finally:
            leave(7, write if pipe == "broken" else None)
    os.close(write)
    os.close(quiet)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize("failing", [None, ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("pipe", ["broken", "none"])
def test_a_child_leaves_with_its_status_whatever_failed(
    failing: type[BaseException] | None, pipe: str
) -> None:
    assert forked(failing, pipe=pipe) == 7
