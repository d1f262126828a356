"""The command itself, `cutcard run --config`, on real pseudo-terminals: devices come and go, and another
process wants the same ports."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from controller.decisions import Alert
from controller.door import DoorClient
from controller.events import DEVICES
from controller.notices import PromptShown
from tests.shell.running import CUTCARD, WITHIN_S, Running, write_table

CALLED: Final = {"zones": "zone reader"}


def run(folder: Path, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [str(CUTCARD), "run", "--config", str(write_table(folder, name))],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


class Table:
    """A table whose controller is the command."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.process = run(running.folder, "one")
        self.until(lambda: running.shown == 1 and running.ptys.quiet)
        self.door = DoorClient(running.folder / "one.door")

    def until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not reached():
            assert time.monotonic() < deadline, "it does not come to that"
            assert self.process.poll() is None
            self.running.ptys.pump(0.005)

    def told(self) -> list[object]:
        self.door.hear()
        return [notice.said for notice in self.door.notices]

    def texts(self) -> list[str]:
        return [said.text for said in self.told() if isinstance(said, Alert)]

    def asked(self) -> list[str]:
        return [said.code for said in self.told() if isinstance(said, PromptShown)]

    def end(self) -> None:
        self.door.close()
        self.process.kill()
        self.process.communicate(timeout=WITHIN_S)


@pytest.fixture
def table(running: Running) -> Iterator[Table]:
    table = Table(running)
    yield table
    table.end()


def test_every_device_may_go_and_come_and_the_dealer_and_the_feed_are_told_which(table: Table) -> None:
    running = table.running
    for count, name in enumerate(DEVICES, start=1):
        line = running.ptys.lines[name]
        line.unplug()
        table.until(lambda: len(table.texts()) == count)  # noqa: B023
        assert table.texts()[-1] == (
            f"{name} at {running.folder / name}: the device was unplugged or switched off; plug it in again"
        )
        if name != "prompts":
            table.until(lambda: running.shown == 21)
            display = running.table.prompts.display
            assert display is not None
            assert display.text.replace("\n", " ") == f"! Wait for the {CALLED.get(name, name)}"
        line.replug()
        table.until(lambda: table.asked() == ["deck-in", *["device-lost", "deck-in"] * count])  # noqa: B023
        table.until(lambda: running.shown == 1 and running.ptys.quiet)


def test_case_31_a_second_table_on_the_same_ports_ends_with_the_first_ones_name_and_harms_it_not(
    table: Table,
) -> None:
    with run(table.running.folder, "two") as second:
        table.until(lambda: second.poll() is not None)
        assert second.stderr is not None
        said = second.stderr.read()
    assert second.returncode != 0
    assert f"pid {table.process.pid}" in said
    assert said.count("\n") == 1, said
    assert table.texts() == []
    table.running.table.hands.press("floor")
    table.until(lambda: table.running.shown == 19)


@pytest.mark.case(27, 31)
def test_a_killed_tables_ports_are_free_for_the_next_and_what_it_left_on_the_lines_means_nothing(
    table: Table,
) -> None:
    table.running.table.hands.press("undo")
    table.process.kill()
    table.process.wait()
    for line in table.running.ptys.lines.values():
        line.blurt(b"\x01\x02half a fr")
    with run(table.running.folder, "two") as second:
        try:
            deadline = time.monotonic() + WITHIN_S
            while not (table.running.ptys.quiet and table.running.shown == 1):
                assert time.monotonic() < deadline
                assert second.poll() is None
                table.running.ptys.pump(0.005)
        finally:
            second.terminate()
            while second.poll() is None:
                table.running.ptys.pump(0.005)
