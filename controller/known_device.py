"""What the table's service knows of one device: its boot, its clock and what is due by it, what it holds."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from controller.checkpoint import Answer, DeviceState
from firmware_bridge.capabilities import ShufflerCaps
from firmware_bridge.events import Mark

TIMES: Final = 1 << 32
"""A device's time wraps there, in ms."""


@dataclass
class KnownDevice:
    """One device. `time` is what it told last, in ms since its boot, None before it told any; `mark` is its
    last event that was taken.

    Deadlines by their token: `deadlines` are due at a time of the device, `spans` in so many ms from the
    first that it tells. `present`: the core was told that it answers, and not since that it is lost.
    """

    answer: Answer | None = None
    time: int | None = None
    mark: Mark | None = None
    present: bool = False
    restarted: bool = False
    deadlines: dict[int, int] = field(default_factory=dict)
    spans: dict[int, int] = field(default_factory=dict)
    waiting_for_decks: ShufflerCaps | None = None
    confirmed: set[int] = field(default_factory=set)
    holds_decks: bool = False
    tables_failed: int = 0

    @property
    def boot(self) -> int:
        """The nonce of its boot, 0 before the first."""
        return self.answer.boot if self.answer is not None else 0

    def boots_anew(self) -> None:
        """Another boot: its time and its numbers begin anew, and what it held is gone."""
        self.time, self.holds_decks, self.tables_failed = None, False, 0
        self.deadlines.clear()
        self.spans.clear()

    def due(self, ms: int) -> int | None:
        """When something is due that is due in `ms`; None before it has told a time."""
        return None if self.time is None else (self.time + ms) % TIMES

    def is_due(self, token: int, due: int | None, ms: int, still_open: Collection[int]) -> None:
        """A deadline is set; those that mean nothing any more are forgotten."""
        # Every card opens one, and most are settled long before their time has passed.
        self.deadlines = {known: at for known, at in self.deadlines.items() if known in still_open}
        if due is None:
            self.spans[token] = ms
        else:
            self.deadlines[token] = due

    def tells(self, time: int) -> list[int]:
        """It tells its time: tokens of the deadlines that have passed with it, in the order in which they
        were set. A time that is older than the last one says nothing."""
        if self.time is not None and (time - self.time) % TIMES >= TIMES // 2:
            return []
        self.time = time
        self.deadlines |= {token: (time + ms) % TIMES for token, ms in self.spans.items()}
        self.spans.clear()
        passed = [token for token, due in self.deadlines.items() if 0 < (time - due) % TIMES < TIMES // 2]
        for token in passed:
            del self.deadlines[token]
        return passed

    def state(self) -> DeviceState:
        """All of it that a start goes on with."""
        return DeviceState(
            answer=self.answer,
            time=self.time,
            mark=(self.mark.boot, self.mark.number) if self.mark is not None else None,
            present=self.present,
            deadlines=dict(self.deadlines),
            spans=dict(self.spans),
        )

    @classmethod
    def resumed(cls, state: DeviceState) -> "KnownDevice":
        """A device as it was known; which tables it holds is for the caller to say."""
        return cls(
            answer=state.answer,
            time=state.time,
            mark=Mark(*state.mark) if state.mark is not None else None,
            present=state.present,
            deadlines=dict(state.deadlines),
            spans=dict(state.spans),
        )
