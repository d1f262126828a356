"""A table with its device unplugged, and one with its device up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.session import Up
from tests.bridge.session_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "shoe")
    yield made
    made.session.close(made.now)
    if made.pty is not None:
        made.pty.unplug()


@pytest.fixture
def up(table: Table) -> Table:
    table.plug()
    table.until(Up)
    table.run(0.1)
    return table
