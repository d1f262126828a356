"""A scenario over wires on which everything goes wrong that can: frames are lost, doubled, damaged and
overtaken in both directions, and now and then somebody pulls a cable."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import msgspec

from hil_rigs.simulate.scenario import Scenario
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.ptys import PtyLine
from hil_rigs.wire.line import Rate, Wire

CHAOS: Final = (
    Rate("drop-frame", 0.10),
    Rate("duplicate-frame", 0.05),
    Rate("flip-bit", 0.05),
    Rate("reorder-frames", 0.05),
)
"""What befalls each frame, whichever way it goes."""
EVERY_S: Final = 60.0
"""From one pulled cable to the next."""
AWAY_S: Final = (0.05, 0.6)
"""How long a cable is out, at least and at most."""


@dataclass
class Toll:
    """What chaos cost.

    `sent_again` counts the devices' frames as they left and the host's as they arrived. Recoveries are from
    the cable put in to the host's first word in the new session.
    """

    frames: int = 0
    injected: dict[str, int] = field(default_factory=Counter)
    sent_again: int = 0
    recoveries_ms: list[float] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    """Devices that carried a command out twice."""

    def add(self, other: "Toll") -> None:
        """Takes another toll to this one."""
        self.frames += other.frames
        self.injected = Counter(self.injected) + Counter(other.injected)
        self.sent_again += other.sent_again
        self.recoveries_ms += other.recoveries_ms
        self.twice += other.twice

    def written(self) -> str:
        """The same as JSON, for `read`."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def read(cls, text: str) -> "Toll":
        """What `written` gave."""
        return msgspec.json.decode(text, type=cls)

    def __str__(self) -> str:
        worst = f"{max(self.recoveries_ms):.0f} ms" if self.recoveries_ms else "none"
        done = ", ".join(f"{name} {count}" for name, count in sorted(self.injected.items()))
        return (
            f"{self.frames} frames; {done}; {self.sent_again} sent again; "
            f"{len(self.recoveries_ms)} recoveries, the worst {worst}"
        )


class Hand:
    """A hand that pulls a cable each `every_s` seconds on the average, and puts it in again soon.

    It may go from one table to the next. One cable at a time; the next only once the host has come back.
    """

    def __init__(self, seed: object, every_s: float = EVERY_S) -> None:
        self._dice = Random(f"chaos {seed}")
        self._every_s = every_s
        self._next_at = time.monotonic() + self._dice.uniform(0.0, every_s)
        self._pulled: PtyLine | None = None
        self._back_at: float | None = None
        self.recoveries_ms: list[float] = []

    def at(self, lines: Mapping[str, PtyLine]) -> None:
        """Does at a table what is due."""
        now, line = time.monotonic(), self._pulled
        if line is None:
            # A start waits for every device: whoever is away then is no loss but a fault of the start.
            if now >= self._next_at and all(line.link.joined for line in lines.values()):
                self._pulled = lines[self._dice.choice(sorted(lines))]
                self._pulled.unplug()
                self._next_at, self._back_at = now + self._dice.uniform(*AWAY_S), None
        elif self._back_at is None:
            if now >= self._next_at:
                line.link.joined = False
                line.replug()
                self._back_at = now
        elif line.link.joined:
            self.recoveries_ms.append(1000 * (now - self._back_at))
            self.leaves()

    def leaves(self) -> None:
        """The table is over: what it had pulled there does not matter any more."""
        if self._pulled is not None:
            self._pulled, self._next_at = (
                None,
                time.monotonic() + self._dice.uniform(0.5, 1.5) * self._every_s,
            )


class ChaosBench(WireBench):
    """A virtual table on ports behind bad wires, and the hand that pulls its cables."""

    def __init__(
        self,
        scenario: Scenario,
        seed: object,
        hand: Hand,
        *,
        rates: Sequence[Rate] = CHAOS,
        lateness: int | None = None,
    ) -> None:
        self._seed = seed
        self._rates = rates
        self._hand = hand
        self._recoveries = len(hand.recoveries_ms)
        self._wires: list[Wire] = []
        super().__init__(scenario, lateness=lateness)

    def _turn(self, deadline: float) -> bool:
        if not self._wires:
            for name, line in self.ptys.lines.items():
                line.from_host = Wire(f"{self._seed} {name} out", self._rates)
                line.to_host = Wire(f"{self._seed} {name} in", self._rates)
                self._wires += [line.from_host, line.to_host]
        self._hand.at(self.ptys.lines)
        return super()._turn(deadline)

    def close(self) -> None:
        """Lets everything go."""
        self._hand.leaves()
        super().close()

    @property
    def toll(self) -> Toll:
        """What it has cost so far."""
        links = {name: line.link for name, line in self.ptys.lines.items()}
        return Toll(
            frames=sum(wire.carried for wire in self._wires),
            injected=sum((wire.injected for wire in self._wires), Counter()),
            sent_again=sum(link.repeated + link.heard_repeats for link in links.values()),
            recoveries_ms=self._hand.recoveries_ms[self._recoveries :],
            twice=[
                name
                for name, device in self.table.devices.items()
                if any(times > 1 for times in device.carried_out.values())
            ],
        )
