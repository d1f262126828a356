"""The device's end of the wire, without a wire: bytes and the time go in, bytes come out.

docs/protocol.md sections 3 to 5 and 10. Times `now_s` are seconds of any clock that only goes forward; the
device's own time, in TICK and in every event, is the model's.
"""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from hil_rigs.virtual import secrecy
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.device import Device
from hil_rigs.virtual.frames import NUMBERED, REPEAT, Frame, FrameError, Receiver, encode, opened
from hil_rigs.virtual.messages import MESSAGES, Fields, Value, pack, unpack
from hil_rigs.virtual.pairing import Greeting, Keeper

VERSION = 1
KEEPS = 128
WINDOW = 16
REPEATS_S = (0.05, 0.1, 0.2, 0.4)
TICK_S = 0.2  # 250 ms at least: the rest is for whoever turns the loop
LOST_S = 1.0
_NUMBERS = 0xFFFF
_OLDER = 0x7FFF
_NEVER_SEALED = frozenset({Type.GREET, Type.PAIR})
_MOST_COUNTED = secrecy.LAST_COUNTER - 0x10000  # of a session's counters


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


def _fresh() -> int:
    return secrets.randbits(64) or 1


class DeviceLink:
    """Carries the outbox of a device to a host, and a host's messages to the device.

    `nonce` returns numbers of 64 bits, one for each boot, `fresh` those for greetings. `pair_key` is the key
    that the device holds from before; empty for none.
    """

    def __init__(
        self,
        device: Device,
        nonce: Callable[[], int],
        *,
        pair_key: bytes = b"",
        fresh: Callable[[], int] = _fresh,
    ) -> None:
        self.device = device
        self.receiver = Receiver()
        self.boot = 0
        self.session = 0
        self._nonce = nonce
        self._fresh = fresh
        self._keeper = Keeper(pair_key)
        self._out = bytearray()
        self._reset()

    @property
    def paired(self) -> bool:
        """Whether the device holds a key."""
        return self._keeper.paired

    @property
    def sealed(self) -> bool:
        """Whether the open session is one with keys."""
        return self._keys is not None

    def hold_button(self, now_s: float) -> None:
        """Somebody holds the button of the device: for a minute it takes a key."""
        self._keeper.hold_button(now_s)

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
            why_not = self._hear(frame, now_s)
            if why_not:
                self.receiver.dropped[why_not] += 1

    def _hear(self, frame: Frame, now_s: float) -> str:
        """Take a frame; return the word under which it is dropped, empty where it was taken."""
        if MESSAGES[frame.type].way == "<":
            return "way"
        if frame.sealed != (self.paired and frame.type not in _NEVER_SEALED):
            return "sealed" if frame.sealed else "plain"
        if frame.type == Type.CHALLENGE and not frame.sealed:
            return "plain"
        if frame.type == Type.OPEN:
            return self._hear_open(frame, now_s)
        if frame.type in _NEVER_SEALED:
            return self._hear_bare(frame, now_s)
        if not self.session or frame.session != self.session:
            return "session"
        if self._keys is not None:
            try:
                frame = opened(frame, self._keys.from_host)
            except (secrecy.SealError, FrameError) as error:
                return str(error)
        self._heard_s = now_s
        self._take(frame, now_s)
        return ""

    def _hear_open(self, frame: Frame, now_s: float) -> str:
        keys = None
        fields = unpack(frame.type, frame.body) if not frame.sealed else None
        if fields is None:
            try:
                fields, keys = self._keeper.unseal_open(frame, self._keys, self.session)
            except (secrecy.SealError, FrameError) as error:
                return str(error)
        if fields.num("boot") != self.boot:
            self._hello(0, now_s)
        elif fields.num("session"):
            self._open(fields, now_s, keys)
        return ""

    def outgoing(self, now_s: float) -> bytes:
        """Return what is to be sent now. Nothing of it is given back: what is not written is lost."""
        if self.session and now_s - self._heard_s > LOST_S:
            self._close()
        if self._keys is not None and self._keys.from_device.counter > _MOST_COUNTED:
            self.close()
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
        self._keeper.booted()
        self._opened_with = (0, 0)  # the nonces of the session
        self._keys: secrecy.SessionKeys | None = None
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
        self._hello(0, float("-inf"))

    def _hello(self, host_nonce: int, now_s: float, version: int = VERSION) -> tuple[int, bytes, bytes]:
        """Say who this is; return the device nonce and the two bodies."""
        self._collect()
        device = self.device
        following = after(self._number)
        device_nonce = self._fresh() if host_nonce else 0
        hello = pack(
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
        caps = pack(
            Type.CAPS,
            kind=device.kind,
            keeps=KEEPS,
            remembers=device.identity.remembers,
            options=device.options,
            pairing=self._keeper.said_of_it(now_s),
            device_nonce=device_nonce,
            data=device.data,
        )
        self._say_hello(hello, caps)
        return device_nonce, hello, caps

    def _say_hello(self, hello: bytes, caps: bytes) -> None:
        self._out += encode(Frame(Type.HELLO, body=hello)) + encode(Frame(Type.CAPS, body=caps))

    def _hear_bare(self, frame: Frame, now_s: float) -> str:
        fields = unpack(frame.type, frame.body)
        host_nonce = fields.num("host_nonce")
        if frame.type == Type.PAIR:
            check = self._keeper.pair(host_nonce, fields.raw("key"), self.device.serial, now_s)
            if not check:
                return "pair"
            if self.session:
                self._close()
            self._send_bare(Type.PAIRED, host_nonce=host_nonce, check=check)
            return ""
        again = self._keeper.same_again(host_nonce)
        if again is not None:
            self._say_hello(again.hello, again.caps)
            return ""
        speaks = fields.num("lowest") <= VERSION <= fields.num("highest")
        nonce, hello, caps = self._hello(host_nonce, now_s, VERSION if speaks else 0)
        self._keeper.greeting = Greeting(host_nonce, nonce, frame.body, hello, caps)
        return ""

    def _open(self, fields: Fields, now_s: float, keys: secrecy.SessionKeys | None) -> None:
        self._heard_s = now_s
        again = fields.num("session") == self.session and keys is self._keys
        if again and not self._keeper.greeted_anew:
            self._send_opened()
            return
        self.session = fields.num("session")
        self._keys = keys
        self._opened_with = self._keeper.session_opened()
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
        host_nonce, device_nonce = self._opened_with
        self._send(Type.OPENED, host_nonce=host_nonce, device_nonce=device_nonce)

    def _close(self) -> None:
        self.session = 0
        self._keys = None
        self._under_way = 0
        self.device.go_safe()

    def _take(self, frame: Frame, now_s: float) -> None:
        self._acknowledged(frame.ack, now_s)
        if frame.type == Type.CLOSE:
            self._close()
        elif frame.type == Type.CHALLENGE:
            self._prove(unpack(frame.type, frame.body).num("nonce"))
        elif frame.numbered:
            self._ack_due = True  # an older one is acknowledged again, a later one brings the last again
            if frame.seq == after(self._taken):
                self._taken = frame.seq
                self.device.handle(frame.type, frame.body)

    def _prove(self, nonce: int) -> None:
        firmware = bytes(self.device.identity.firmware)
        proof = self._keeper.prove(nonce, self.boot, firmware, self.device.serial)
        self._send(Type.PROOF, nonce=nonce, proof=proof)

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
        self._repeat_s = now_s + REPEATS_S[min(self._repeats, len(REPEATS_S) - 1)]
        for place in range(self._under_way):
            self._send_kept(self._kept[place], NUMBERED | REPEAT)

    def _send_kept(self, kept: _Kept, flags: int) -> None:
        self._put(Frame(kept.type, flags, self.session, kept.number, self._taken, kept.body))
        self._ack_due = False

    def _tick(self, now_s: float) -> None:
        # `last` is the last event that there is: one that still waits for the window makes this time
        # one to be ignored just as one that is under way does.
        self._send(Type.TICK, time=self.device.time_ms, last=self._number)
        self._tick_s = now_s + TICK_S
        if not self._kept:
            self._told_ms = self.device.time_ms

    def _send(self, type_: int, **values: Value) -> None:
        self._put(Frame(type_, 0, self.session, 0, self._taken, pack(type_, **values)))
        self._ack_due = False

    def _put(self, frame: Frame) -> None:
        self._out += encode(frame, None if self._keys is None else self._keys.from_device)

    def _send_bare(self, type_: int, **values: Value) -> None:
        self._out += encode(Frame(type_, body=pack(type_, **values)))
