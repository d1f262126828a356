"""A bench's forked processes end when they are told to, even those that cannot hear it."""

import os
import signal
import subprocess
import sys

import pytest

from hil_rigs.child import wait_for_end


@pytest.mark.parametrize("told", [signal.SIGSTOP, signal.SIGTERM])
def test_a_child_that_was_stopped_is_not_waited_for_without_end(told: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) as child:
        os.kill(child.pid, told)
        wait_for_end(child.pid, patience_s=0.2)
        with pytest.raises(ChildProcessError):
            os.waitpid(child.pid, 0)
        child.returncode = 0
