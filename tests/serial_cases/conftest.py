"""A running table for the cases on real pseudo-terminals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import loop as loop_module
from tests.shell.joined import config
from tests.shell.running import Running


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.002)  # the devices are turned by the same thread
    running = Running(tmp_path)
    yield running
    running.close()


@pytest.fixture
def started(running: Running) -> Running:
    loop = running.open(config(running.folder))
    running.until(lambda: loop.started)
    running.settle()
    return running
