"""The zone reader: an antenna under each place. Its word comes late and out of order."""

import random
from dataclasses import dataclass

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.codes import ZONES, Facing, Kind, Type
from hil_rigs.virtual.device import Clock, Device, Identity
from hil_rigs.virtual.felt import UP, Card, Change, Felt
from hil_rigs.virtual.messages import pack

# Cards in a stack do not read: what lies in the shuffler's output is sensed as "something is there" alone.
_STACKS = frozenset({"output"})


@dataclass(frozen=True)
class ZonesOptions:
    """The antennas, by the place's name, whether it sees how a card lies, and how late it may be (ms)."""

    antennas: frozenset[str] = frozenset(ZONES)
    facing: bool = True
    late_ms: int = 0


@dataclass(frozen=True)
class _Report:
    uid: bytes
    type: int
    zone: int
    facing: Facing
    ready_ms: int


class Zones(Device):
    """docs/protocol.md section 9, Zones."""

    kind = Kind.ZONES

    def __init__(
        self, identity: Identity, clock: Clock, felt: Felt, options: ZonesOptions, seed: int | str = 0
    ) -> None:
        super().__init__(identity, clock)
        self.felt = felt
        self.able_to = options
        self.unreadable: set[Card] = set()  # tags that never answer (a test's switch)
        self._seed = seed
        self._queued: list[_Report] = []
        self._count = 0
        felt.listeners.append(self._changed)

    @property
    def options(self) -> int:
        """Bit 0 facing."""
        return int(self.able_to.facing)

    @property
    def data(self) -> bytes:
        """Antennas, bit z for zone z."""
        return sum(1 << ZONES[place] for place in self.able_to.antennas).to_bytes(4, "little")

    @property
    def idle(self) -> bool:
        """Nothing is still to report."""
        return super().idle and not self._queued

    @property
    def waiting(self) -> int:
        """How many reports wait for their release."""
        return len(self._queued)

    def reads(self, place: str) -> bool:
        """Whether there is an antenna under that place."""
        return place in self.able_to.antennas

    def release(self, rng: random.Random) -> bool:
        """Report one of the things that wait and are due, chosen by `rng`. Returns whether there was one.

        Reports of one tag keep their order.
        """
        seen: set[bytes] = set()
        free: list[_Report] = []
        for report in self._queued:
            if report.uid not in seen and report.ready_ms <= self.clock.ms:
                free.append(report)
            seen.add(report.uid)
        if not free:
            return False
        report = rng.choice(free)
        self._queued.remove(report)
        body = pack(report.type, time=self.time_ms, zone=report.zone, facing=report.facing, uid=report.uid)
        self.emit(report.type, body)
        return True

    def emit_state(self) -> None:
        """Say which antennas have a tag in their field."""
        occupied = sum(1 << ZONES[place] for place in self.able_to.antennas if self.felt.cards(place))
        self.emit(Type.ZONES_STATE, pack(Type.ZONES_STATE, time=self.time_ms, occupied=occupied))

    def booted(self) -> None:
        """What was about to be said is forgotten; every tag that lies there begins a new stay."""
        self._queued.clear()
        for place in sorted(self.able_to.antennas - _STACKS):
            for card in self.felt.cards(place):
                self._queue(Type.ARRIVED, card, place, self.felt.face(card))

    def _changed(self, change: Change) -> None:
        if change.target not in self.able_to.antennas - _STACKS:
            return
        if not change.turned:
            self._queue(Type.ARRIVED, change.card, change.target, change.face)
        elif self.able_to.facing:
            self._queue(Type.TURNED, change.card, change.target, change.face)

    def _queue(self, type_: int, card: Card, place: str, face: str) -> None:
        if card in self.unreadable:
            return
        facing = Facing.UNKNOWN
        if self.able_to.facing:
            facing = Facing.UP if face == UP else Facing.DOWN
        self._count += 1
        late = drawn(self._seed, "late", self._count).randint(0, self.able_to.late_ms)
        self._queued.append(_Report(card.uid, type_, ZONES[place], facing, self.clock.ms + late))
