"""The device's end of the wire, without a wire: bytes and the time go in, bytes come out.

docs/protocol.md sections 3 to 5. Times `now_s` are seconds of any clock that only goes forward; the device's
own time, in TICK and in every event, is the model's.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.frames import NUMBERED, REPEAT, Frame, Receiver, encode
from hil_rigs.virtual.messages import MESSAGES, Fields, Value, pack, unpack

VERSION = 1
KEEPS = 128
WINDOW = 16
REPEATS_S = (0.05, 0.1, 0.2, 0.4)
TICK_S = 0.1  # 250 ms at most: a line that loses frames must not be taken for a dead one
LOST_S = 1.0
_NUMBERS = 0xFFFF
_OLDER = 0x7FFF
_SESSIONLESS = frozenset({Type.GREET, Type.OPEN})


def after(number: int, steps: int = 1) -> int:
    """Return the number `steps` after another: 1, 2, … 65535, 1, …; 0 stands before 1."""
    return (number + steps - 1) % _NUMBERS + 1


def behind(number: int, other: int) -> int:
    """Return how many steps lead from `number` forward to `other`."""
    return (other - number) % _NUMBERS


@dataclass(frozen=True)
class _Kept:
    number: int
    type: int
    body: bytes


class DeviceLink:
    """Carries the outbox of a device to a host, and a host's messages to the device.

    `nonce` returns numbers of 64 bits: the boot nonce and a new device nonce for each session.
    """

    def __init__(self, device: Device, nonce: Callable[[], int]) -> None:
        self.device = device
        self.receiver = Receiver()
        self.boot = 0
        self.session = 0
        self.repeated = 0
        """Events that it had to send again."""
        self.heard_repeats = 0
        """Messages of the host that were sent again, as far as they arrived."""
        self.joined = False
        """Whether the host has said something in the session that is open."""
        self.version = VERSION
        """The protocol version that it speaks."""
        self._nonce = nonce
        self._out = bytearray()
        self._reset()

    @property
    def quiet(self) -> bool:
        """A session is open, every event is acknowledged, no byte is unsent and the device is idle."""
        settled = self.session != 0 and not self._kept and not self._lost and not self._out
        return settled and not self._ack_due and not self._time_jumped and self.device.idle

    @property
    def kept(self) -> int:
        """How many events wait for their acknowledgement."""
        return len(self._kept)

    @property
    def all_sent(self) -> bool:
        """Whether every event is under way, or there is no session in which it could be."""
        return not self.session or self._under_way == len(self._kept)

    @property
    def _time_jumped(self) -> bool:
        """Whether the model's time was moved on and the host was not told, all else being settled.

        Where motions take their time it flows by itself, and the beat of TICKs is enough.
        """
        moved = self._told_ms != self.device.time_ms
        return moved and not self._kept and not self.device.identity.timed

    def power_cycle(self) -> None:
        """The device loses its power and boots."""
        self.device.power_cycle()
        self._out.clear()
        self._reset()

    def receive(self, data: bytes, now_s: float) -> None:
        """Take bytes of the host."""
        for frame in self.receiver.feed(data):
            if self.device.dark:
                return  # it boots before it says another word
            if MESSAGES[frame.type].way == "<":
                self.receiver.dropped["way"] += 1
            elif frame.type in _SESSIONLESS:
                self._greeted(frame, now_s)
            elif not self.session or frame.session != self.session:
                self.receiver.dropped["session"] += 1
            else:
                self._heard_s = now_s
                self.joined = True
                self.heard_repeats += bool(frame.flags & REPEAT)
                self._take(frame, now_s)

    def outgoing(self, now_s: float) -> bytes:
        """Return what is to be sent now. Nothing of it is given back: what is not written is lost."""
        if self.device.dark:
            self.power_cycle()
        if self.session and now_s - self._heard_s > LOST_S:
            self._close()
        self._collect()
        if self.session:
            self._send_new(now_s)
            self._send_again(now_s)
            if now_s >= self._tick_s or self._time_jumped:
                self._tick(now_s)
            if self._ack_due:
                self._send(Type.ACK)
        data = bytes(self._out)
        self._out.clear()
        return data

    def close(self, reason: int = 0) -> None:
        """End the session from the device's side."""
        if self.session:
            self._send(Type.CLOSE, reason=reason)
            self._close()

    def _reset(self) -> None:
        self.boot = self._nonce()
        self.session = 0
        self.receiver = Receiver()
        self._host_nonce = 0
        self._device_nonce = 0
        self._kept: deque[_Kept] = deque()
        self._number = 0  # of the last event
        self._lost = 0
        self._under_way = 0  # how many of the kept ones were sent in this session
        self._taken = 0  # last number of the host
        self._ack_due = False
        self._heard_s = 0.0
        self._tick_s = 0.0
        self._told_ms = -1  # the last device time that the host must have taken
        self._repeat_s = 0.0
        self._repeats = 0
        self._out += b"\0"  # ends whatever garbage lies before
        self._hello(0)

    def _hello(self, host_nonce: int, version: int = VERSION) -> None:
        self._collect()
        device = self.device
        following = after(self._number)
        self._send_bare(
            Type.HELLO,
            version=version,
            kind=device.kind,
            boot=self.boot,
            host_nonce=host_nonce,
            oldest=self._kept[0].number if self._kept else following,
            next=following,
            firmware=bytes(device.identity.firmware),
            serial=device.serial,
        )
        self._send_bare(
            Type.CAPS,
            kind=device.kind,
            keeps=KEEPS,
            remembers=device.identity.remembers,
            options=device.options,
            data=device.data,
        )

    def _greeted(self, frame: Frame, now_s: float) -> None:
        fields = unpack(frame.type, frame.body)
        if frame.type == Type.GREET:
            self._host_nonce = fields.num("host_nonce")
            speaks = fields.num("lowest") <= self.version <= fields.num("highest")
            self._hello(self._host_nonce, self.version if speaks else 0)
        elif fields.num("boot") != self.boot:
            self._hello(0)
        elif fields.num("session"):
            self._open(fields, now_s)

    def _open(self, fields: Fields, now_s: float) -> None:
        self._heard_s = now_s
        if fields.num("session") == self.session:
            self._send_opened()
            return
        self.session = fields.num("session")
        self.joined = False
        self._device_nonce = self._nonce()
        self._collect()
        self._forget(fields.num("durable"))
        self._under_way = 0
        self._taken = 0
        self._ack_due = False
        self._repeats = 0
        self._tick_s = now_s + TICK_S
        self._told_ms = -1
        self._send_opened()
        self.device.session_opened()

    def _send_opened(self) -> None:
        self._send(Type.OPENED, host_nonce=self._host_nonce, device_nonce=self._device_nonce)

    def _close(self) -> None:
        self.session = 0
        self._under_way = 0
        self.device.go_safe()

    def _take(self, frame: Frame, now_s: float) -> None:
        self._acknowledged(frame.ack, now_s)
        if frame.type == Type.CLOSE:
            self._close()
        elif frame.numbered:
            self._ack_due = True  # an older one is acknowledged again, a later one brings the last again
            if frame.seq == after(self._taken):
                self._taken = frame.seq
                self.device.handle(frame.type, frame.body)

    def _acknowledged(self, ack: int, now_s: float) -> None:
        if ack and self._forget(ack, under_way=True):
            self._repeats = 0
            self._repeat_s = now_s + REPEATS_S[0]

    def _forget(self, number: int, *, under_way: bool = False) -> bool:
        """Forget the events up to `number`, if it is one of those that are kept (and under way)."""
        if not self._kept or not number:
            return False
        count = behind(self._kept[0].number, number) + 1
        if count > (self._under_way if under_way else len(self._kept)):
            return False
        for _ in range(count):
            self._kept.popleft()
        self._under_way = max(0, self._under_way - count)
        return True

    def _collect(self) -> None:
        """Number what the device has said. Where there is no room it is dropped, and counted for a GAP."""
        self.device.work()
        self._say_gap()
        while events := self.device.take():
            for event in events:
                if len(self._kept) < KEEPS and not self._lost:
                    self._keep(event.type, event.body)
                else:
                    self._lost = min(self._lost + 1, _NUMBERS)
                    self.device.no_room()

    def _say_gap(self) -> None:
        if self._lost and len(self._kept) < KEEPS:
            lost, self._lost = self._lost, 0
            self._keep(Type.GAP, pack(Type.GAP, time=self.device.time_ms, lost=lost))

    def _keep(self, type_: int, body: bytes) -> None:
        self._number = after(self._number)
        self._kept.append(_Kept(self._number, type_, body))

    def _send_new(self, now_s: float) -> None:
        while self._under_way < min(WINDOW, len(self._kept)):
            if self._under_way == 0:
                self._repeats = 0
                self._repeat_s = now_s + REPEATS_S[0]
            self._send_kept(self._kept[self._under_way], NUMBERED)
            self._under_way += 1

    def _send_again(self, now_s: float) -> None:
        if not self._under_way or now_s < self._repeat_s:
            return
        self._repeats += 1
        self.repeated += self._under_way
        self._repeat_s = now_s + REPEATS_S[min(self._repeats, len(REPEATS_S) - 1)]
        for place in range(self._under_way):
            self._send_kept(self._kept[place], NUMBERED | REPEAT)

    def _send_kept(self, kept: _Kept, flags: int) -> None:
        self._out += encode(Frame(kept.type, flags, self.session, kept.number, self._taken, kept.body))
        self._ack_due = False

    def _tick(self, now_s: float) -> None:
        # `last` is the last event that there is: one that still waits for the window makes this time
        # one to be ignored just as one that is under way does.
        self._send(Type.TICK, time=self.device.time_ms, last=self._number)
        self._tick_s = now_s + TICK_S
        if not self._kept:
            self._told_ms = self.device.time_ms

    def _send(self, type_: int, **values: Value) -> None:
        frame = Frame(type_, 0, self.session, 0, self._taken, pack(type_, **values))
        self._out += encode(frame)
        self._ack_due = False

    def _send_bare(self, type_: int, **values: Value) -> None:
        self._out += encode(Frame(type_, body=pack(type_, **values)))
