"""A running table for any test, and what is told behind the tests of a run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import loop as loop_module
from hil_rigs.simulate.chaos import Toll
from tests.shell.joined import config
from tests.shell.running import Running

TOLL = "toll"


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A table on pseudo-terminals, not opened yet."""
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.002)  # the devices are turned by the same thread
    running = Running(tmp_path)
    yield running
    running.close()


@pytest.fixture
def started(running: Running) -> Running:
    """The same at rest behind its start."""
    loop = running.open(config(running.folder))
    running.until(lambda: loop.started)
    running.settle()
    return running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What chaos cost in all, where it was played (tests/e2e/test_chaos.py)."""
    total, hands = Toll(), 0
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", ()):
            if name == TOLL:
                total.add(Toll.read(value))
                hands += 1
    if hands:
        terminalreporter.write_line(f"chaos: {hands} hands, {total}")
