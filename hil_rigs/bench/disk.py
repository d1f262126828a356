"""The journal's share: what an entry costs the table's thread, and how long it is on its way to the disk."""

import os
import select
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.cards import Card
from controller.decisions import Deadline
from controller.events import Drew
from controller.journal import FileJournal, Record, Source
from hil_rigs.bench.figures import Result, beside, spread_result
from hil_rigs.bench.plan import Plan
from hil_rigs.simulate.bench import BenchError

_WAIT_MS: Final = 5_000
_GROUP: Final = 100
_CARD: Final = Record(
    Drew(time=81_250, number=7, what="card", way="hand", cards=(Card("As"),)),
    (Deadline(token=7, device="shoe", ms=3_000),),
    Source(device="shoe", boot=1_157_726_452_361_532_951, number=12),
)
"""An entry of middle length, with a hidden card that is sealed."""


class Committer:
    """A journal of its own in a folder, for as long as the context lasts."""

    def __init__(self, folder: Path) -> None:
        self._journal = FileJournal(folder / "bench.jsonl")
        self._poller = select.poll()
        wake = self._journal.wake_fd()
        if wake is not None:
            self._poller.register(wake, select.POLLIN)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._journal.close()

    def append_us(self) -> float:
        """Microseconds that handing over an entry takes."""
        began = time.perf_counter_ns()
        self._journal.append(_CARD)
        return (time.perf_counter_ns() - began) / 1000

    def commit_us(self) -> float:
        """Microseconds from the hand-over of an entry until a loop is told that it is durable."""
        began = time.perf_counter_ns()
        number = self._journal.append(_CARD)
        self._wait(number)
        return (time.perf_counter_ns() - began) / 1000

    def entry_us(self) -> float:
        """Microseconds that an entry costs both threads and the disk, one of a whole group."""
        began = time.perf_counter_ns()
        for _ in range(_GROUP):
            self._journal.append(_CARD)
        self.settle()
        return (time.perf_counter_ns() - began) / 1000 / _GROUP

    def settle(self) -> None:
        """Waits until all is durable."""
        self._wait(self._journal.last)

    def _wait(self, number: int) -> None:
        while self._journal.durable < number:
            if not self._poller.poll(_WAIT_MS):
                raise BenchError("the journal does not become durable")
            self._journal.drain_wake()


def journal(plan: Plan) -> list[Result]:
    """What an entry costs beside a bare write of as many bytes; the last result is an entry's whole cost."""
    appended: list[float] = []
    whole: list[float] = []
    written: list[float] = []
    with tempfile.TemporaryDirectory(prefix="cutcard-") as name:
        folder = Path(name)
        with Committer(folder) as committer:
            committer.commit_us()
            line = b"x" * (folder / "bench.jsonl").stat().st_size
            bare = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                for _ in range(plan.commits):
                    appended.append(committer.append_us())
                    committer.settle()
                    written.append(_written_us(bare, line))
                for _ in range(max(1, plan.commits // _GROUP * 10)):
                    whole.append(committer.entry_us())
            finally:
                os.close(bare)
    return _results(appended, whole, written)


def _written_us(fd: int, line: bytes) -> float:
    began = time.perf_counter_ns()
    os.write(fd, line)
    return (time.perf_counter_ns() - began) / 1000


def _results(appended: Sequence[float], whole: Sequence[float], written: Sequence[float]) -> list[Result]:
    bare = beside("bare write of as many bytes, not synced", written)
    return [
        spread_result(
            "journal-append",
            "an entry handed to the writer, on the table's thread",
            "us",
            appended,
            baseline=bare,
        ),
        spread_result(
            "journal-entry",
            f"an entry handed over, worded, sealed, written and synced, one of a burst of {_GROUP}",
            "us",
            whole,
            baseline=bare,
        ),
    ]
