"""A host's link and a virtual device's on one line, with keys, and everything that crossed it kept."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from firmware_bridge.codes import DeviceKind
from firmware_bridge.events import Expect, LinkEvent, LinkUp, Lost, Mark, Received, Ticked
from firmware_bridge.link import Link
from firmware_bridge.messages import Order
from firmware_bridge.secrecy import PairKey
from firmware_bridge.trust import KeyRing, Standing, Trust
from hil_rigs.virtual import cobs
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.link import DeviceLink
from hil_rigs.virtual.table import SERIALS, Setup, VirtualTable

KEY = bytes(range(1, 33))
OTHER_KEY = bytes(range(101, 133))
STEP_S = 0.01


def ring(name: str = "shoe", standing: Standing | None = None) -> KeyRing:
    """What a table knows of one device; by default its key."""
    return KeyRing({(DeviceKind.of(name), SERIALS[name]): standing or PairKey(KEY)})


def payload_of(frame: bytes) -> bytes:
    """What a good frame carries, without its CRC."""
    return cobs.decode(frame[:-1])[:-2]


def framed(payload: bytes) -> bytes:
    """A payload as whoever is on the line would write it, with a CRC that is right."""
    return cobs.encode(payload + crc16(payload).to_bytes(2, "little")) + b"\0"


def frames_of(data: bytes) -> list[bytes]:
    """The frames in what was written, each with its closing zero."""
    return [part + b"\0" for part in data.split(b"\0") if part]


@dataclass
class Said:
    """A frame that crossed the line, which way, and its message's type."""

    to_device: bool
    frame: bytes

    def __post_init__(self) -> None:
        self.type = payload_of(self.frame)[0]


@dataclass
class SealedLine:
    """One device and one host. Turned by hand; what `wire` returns is what arrives of a frame."""

    name: str = "shoe"
    key: bytes = KEY
    trust: Trust = field(default_factory=ring)
    device: Device | None = None
    table: VirtualTable = field(init=False)
    now: float = 100.0
    wire: Callable[[Said], bytes] = lambda said: said.frame

    def __post_init__(self) -> None:
        keys = {self.name: self.key} if self.key else {}
        self.table = VirtualTable(Setup(keys=keys))
        for card in self.table.decks["deck-1"]:
            self.table.felt.move(card, "shoe")
        self.device_link: DeviceLink = self.table.link(self.name)
        self.said: list[Said] = []
        self.events: list[LinkEvent] = []
        self.fed: list[tuple[int, bytes]] = []
        self._listen()
        self.random: Callable[[int], int] = random.Random(7).getrandbits
        self.link = self.new_link()

    def _listen(self) -> None:
        device = self.device_link.device
        handle = device.handle

        def heard(type_: int, body: bytes) -> None:
            self.fed.append((type_, body))
            handle(type_, body)

        device.handle = heard  # type: ignore[method-assign]

    def new_link(self, mark: Mark | None = None) -> Link:
        self.link = Link(
            self.name,
            Expect(DeviceKind.of(self.name), SERIALS[self.name]),
            trust=self.trust,
            now=self.now,
            random=self.random,
            mark=mark,
            last_session=0 if not hasattr(self, "link") else self.link.session,
        )
        return self.link

    def step(self) -> None:
        self.now += STEP_S
        self.table.advance(round(STEP_S * 1000))
        self.give(self._carried(self.link.outgoing(self.now), to_device=True))
        self.take(self._carried(self.device_link.outgoing(self.now), to_device=False))
        self._note(self.link.expire(self.now))

    def _carried(self, data: bytes, *, to_device: bool) -> bytes:
        out = b""
        for frame in frames_of(data):
            said = Said(to_device, frame)
            self.said.append(said)
            out += self.wire(said)
        return out

    def give(self, data: bytes) -> None:
        """Bytes arrive at the device."""
        self.device_link.receive(data, self.now)

    def take(self, data: bytes) -> list[LinkEvent]:
        """Bytes arrive at the host."""
        return self._note(self.link.receive(data, self.now))

    def _note(self, events: list[LinkEvent]) -> list[LinkEvent]:
        for event in events:
            self.events.append(event)
            if isinstance(event, Received):
                self.link.acknowledge(event.number)
        return events

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.step()

    def send(self, order: Order) -> None:
        self.link.send(order)

    @property
    def believed(self) -> list[LinkEvent]:
        """What the host believes of the device, ticks aside."""
        return [event for event in self.events if not isinstance(event, Ticked)]

    @property
    def up(self) -> bool:
        return self.link.is_open

    @property
    def error(self) -> Exception:
        (lost,) = [event for event in self.events if isinstance(event, Lost)]
        return lost.error

    def recorded(self, *, to_device: bool) -> Sequence[bytes]:
        return [said.frame for said in self.said if said.to_device is to_device]


def opened(**options: object) -> SealedLine:
    """A line with a session under keys, challenged and proved."""
    line = SealedLine(**options)  # type: ignore[arg-type]
    line.run(0.2)
    assert line.up
    assert isinstance(line.events[0], LinkUp)
    assert line.events[0].sealed
    return line
