"""The host's end of one session, without any input or output of its own.

Sections 3 to 5 and 10 of docs/protocol.md. A `Link` is fed with bytes and the time (monotonic seconds), gives
events, and is asked for the bytes that are to leave now. It owns no port and no clock, so that it can be
tried against any line. It is used once: after `Lost` a new one is made. Nothing is encoded before it leaves,
so a port that takes nothing makes nothing grow but the queue of orders.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final

from firmware_bridge.capabilities import Capabilities, capabilities
from firmware_bridge.diagnostics import UPDATE, FrameTrace, LinkCounts, Recorder, why_no_hello
from firmware_bridge.errors import (
    BadMessage,
    BridgeError,
    DeviceRestarted,
    LinkLost,
)
from firmware_bridge.events import Expect, Identity, LinkEvent, LinkUp, Lost, Mark, Received, Ticked
from firmware_bridge.framing import DELIMITER, Decoder, encode
from firmware_bridge.guard import Guard
from firmware_bridge.header import NUMBERED, RESERVED, Header, other_session, unpack
from firmware_bridge.messages import (
    Ack,
    Caps,
    Close,
    Event,
    Greet,
    Hello,
    Message,
    Open,
    Opened,
    Order,
    Proof,
    Sender,
    Tick,
    decode,
)
from firmware_bridge.messages import encode as encode_body
from firmware_bridge.trust import Trust
from firmware_bridge.window import ReceiveWindow, SendWindow, Step

VERSION: Final = 1
"""The protocol version that the host speaks."""
GREET_EVERY_S: Final = 0.100
"""Between GREETs, and between OPENs."""
ANSWER_WITHIN_S: Final = 3.0
"""From the opening of a port to the session; some devices boot when their port is opened."""
KEEPALIVE_S: Final = 0.100
"""The host sends something at least that often."""
SILENCE_S: Final = 1.000
"""Without a valid frame of the session for so long the other side is lost."""
STUCK_S: Final = 3.000
"""For so long a device may answer without anything numbered getting through, to it or from it."""
UNREADABLE_MAX: Final = 3
"""Times that the very next event may come unreadable with a good CRC before the session is given up."""

_NEVER = float("inf")
_BARE = frozenset({Greet.TYPE, Hello.TYPE, Caps.TYPE})
_HANDSHAKE = _BARE | {Open.TYPE}


class _Phase(Enum):
    GREETING = "greeting"
    OPENING = "opening"
    OPEN = "open"
    OVER = "over"


class Link:
    """One session with one device, which ``trust`` knows or not.

    ``mark`` is the last event that is durable, ``delivered`` the last that was already received in this
    process (neither is received again); ``random`` gives a number of so many bits; ``last_session`` is the
    session byte not to be used again, 0 for none; ``now`` is when the port was opened.
    """

    def __init__(
        self,
        name: str,
        expect: Expect,
        *,
        trust: Trust,
        now: float,
        random: Callable[[int], int],
        mark: Mark | None = None,
        delivered: Mark | None = None,
        last_session: int = 0,
    ) -> None:
        self._name = name
        self._mark = mark
        self._delivered = delivered
        self._nonce = random(64) or 1  # 0 stands for "unasked" in HELLO
        self._session = other_session(random(16), last_session)
        self._phase = _Phase.GREETING
        self._decoder = Decoder()
        self._window = SendWindow()
        self._hello: Hello | None = None
        self._capabilities: Capabilities | None = None
        self._events: ReceiveWindow | None = None
        self._ack_due = False
        self._greeted = False
        self._next_handshake = now
        self._heard_at = now
        self._sent_at = self._answered_at = now
        self._lacks_since = _NEVER
        self._unreadable_in_a_row = 0
        self._record = Recorder()
        self._guard = Guard(name, expect, trust, random)
        self._greet = encode_body(Greet(VERSION, VERSION, self._nonce))[1]
        self._hello_body = b""
        self._device_nonce = 0
        self._tried = False

    # What is known of it

    @property
    def session(self) -> int:
        """The session's byte, 1 to 255."""
        return self._session

    @property
    def is_open(self) -> bool:
        """Whether orders can be sent."""
        return self._phase is _Phase.OPEN

    @property
    def proved(self) -> int:
        """How many challenges the device has answered."""
        return self._guard.proved

    @property
    def window(self) -> SendWindow:
        """Orders that are queued or under way."""
        return self._window

    @property
    def counts(self) -> LinkCounts:
        """What was dropped so far, and why."""
        return self._record.counts(self._decoder.counts, self._window.repeated)

    def trace(self) -> list[FrameTrace]:
        """The last frames of both directions in order of time, without their bodies."""
        return self._record.trace()

    # In

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """What the bytes that came tell."""
        events: list[LinkEvent] = []
        for payload in self._decoder.feed(data):
            if self._phase is _Phase.OVER:
                break
            event = self._frame(payload, now)
            if event is not None:
                events.append(event)
        return events

    def _frame(self, payload: bytes, now: float) -> LinkEvent | None:
        header, body = unpack(payload)
        self._record.came(now, header.type, header.seq, len(body))
        if header.flags & RESERVED:
            return self._drop("flags")
        handshake = header.type in _HANDSHAKE
        if header.session != (0 if handshake or self._phase is _Phase.GREETING else self._session):
            return self._drop("foreign")
        opened = self._guard.body(header, payload, body, bare=header.type in _BARE)
        if isinstance(opened, str):
            return self._drop(opened)
        body = opened
        try:
            message = decode(header.type, body)
        except BadMessage as bad:
            return self._unreadable(header, bad)
        if message.SENDER is Sender.HOST:
            return self._drop("misdirected")
        if message.NUMBERED is not bool(header.flags & NUMBERED) or message.NUMBERED is not bool(header.seq):
            return self._drop("flags")
        if isinstance(message, Hello):
            return self._on_hello(message, body, now)
        if isinstance(message, Caps):
            return self._on_caps(message, body, now)
        if isinstance(message, Opened) and self._phase is _Phase.OPENING:
            return self._on_opened(message, now)
        if self._phase is not _Phase.OPEN:
            return self._drop("untimely")
        return self._of_session(header, message, now)

    def _drop(self, cause: str) -> LinkEvent | None:
        self._record.count(cause)
        return None

    def _unreadable(self, header: Header, bad: BadMessage) -> LinkEvent | None:
        self._drop("unreadable")
        events = self._events
        if (
            self._phase is _Phase.OPEN
            and events
            and header.flags & NUMBERED
            and events.step(header.seq) is Step.NEXT
        ):
            # Its CRC is right and it is never acknowledged: the device would repeat it for ever.
            self._unreadable_in_a_row += 1
            if self._unreadable_in_a_row >= UNREADABLE_MAX:
                return self._over(BadMessage(f"{self._name}, {bad.where}", bad.what, UPDATE))
        return None

    def _on_hello(self, hello: Hello, body: bytes, now: float) -> LinkEvent | None:
        if self._phase is not _Phase.GREETING:
            self._answered_at = now
            if self._hello is not None and hello.boot != self._hello.boot:
                return self._over(DeviceRestarted.found(self._name))
            return self._drop("untimely")
        if hello.host_nonce != self._nonce:
            self._hello = None  # it has just booted: what it said before is void
            return self._drop("untimely")
        wrong = self._guard.unexpected(hello, VERSION)
        if wrong is not None:
            return self._over(wrong)
        self._hello, self._hello_body = hello, body
        return None

    def _on_caps(self, caps: Caps, body: bytes, now: float) -> LinkEvent | None:
        hello = self._hello
        if (
            self._phase is not _Phase.GREETING
            or hello is None
            or caps.kind is not hello.kind
            or not caps.device_nonce
        ):
            return self._drop("untimely")
        try:
            self._capabilities = capabilities(caps)
        except BadMessage as bad:
            return self._over(BadMessage(f"{self._name}, {bad.where}", bad.what, bad.remedy))
        refused = self._guard.admit(hello, caps, (self._greet, self._hello_body, body))
        if refused is not None:
            return self._over(refused)
        self._device_nonce = caps.device_nonce
        self._events = ReceiveWindow(hello, self._mark, self._delivered)
        self._phase = _Phase.OPENING
        self._next_handshake = now
        return None

    def _on_opened(self, opened: Opened, now: float) -> LinkEvent | None:
        hello, events, able = self._hello, self._events, self._capabilities
        nonces = (opened.host_nonce, opened.device_nonce)
        if nonces != (self._nonce, self._device_nonce) or hello is None or events is None or able is None:
            return self._drop("untimely")
        self._phase = _Phase.OPEN
        self._heard_at = now
        self._ack_due = True  # a sign of life at once
        self._guard.challenge(now)
        identity = Identity(hello.kind, hello.serial, ".".join(map(str, hello.firmware)), hello.boot)
        return LinkUp(identity, able, events.lost_events, events.reborn, self._guard.sealed)

    def _of_session(self, header: Header, message: Message, now: float) -> LinkEvent | None:
        self._heard_at = now
        if not self._window.acknowledge(header.ack, now):
            self._drop("bad_acks")
        assert self._events is not None
        if isinstance(message, Event):
            return self._on_event(header.seq, message, self._events)
        if isinstance(message, Tick):
            self._lacks(message.last, self._events, now)
            # An event on its way may be older than this time.
            return Ticked(message.time) if self._events.has(message.last) else None
        if isinstance(message, Proof):
            found = self._guard.proves(message, now)
            if isinstance(found, BridgeError):
                return self._over(found)
            return self._drop(found) if found else None
        if isinstance(message, Close):
            why = message.reason.label.replace("-", " ")
            return self._over(
                LinkLost(self._name, f"the device ended the session: {why}", "it is greeted again")
            )
        return None

    def _lacks(self, last: int, events: ReceiveWindow, now: float) -> None:
        if not events.lacks(last):
            self._lacks_since = _NEVER
        elif self._lacks_since == _NEVER:
            self._lacks_since = now

    def _on_event(self, seq: int, message: Event, events: ReceiveWindow) -> LinkEvent | None:
        step = events.step(seq)
        if step is not Step.NEXT:
            self._ack_due = True
            return self._drop(step.value)
        events.take(seq)
        self._lacks_since = _NEVER
        self._unreadable_in_a_row = 0
        assert self._hello is not None
        return Received(seq, message, self._hello.boot)

    # Out

    def send(self, order: Order) -> None:
        """Queues an order, while the session is open; raises `BadMessage` where its values do not fit."""
        self._window.put(order)

    def challenge(self, now: float) -> None:
        """The device has to prove its key; nothing without one, and where no session is open."""
        if self._phase is _Phase.OPEN:
            self._guard.challenge(now)

    def acknowledge(self, number: int) -> None:
        """The event ``number`` and all before it are durable; `ValueError` if it was never received."""
        if self._events is not None and self._events.acknowledge(number):
            self._ack_due = True

    def outgoing(self, now: float) -> bytes:
        """The bytes that leave now; nothing when asked again at once."""
        if self._phase is _Phase.OPEN:
            return self._session_bytes(now)
        if self._phase is _Phase.OVER or now < self._next_handshake:
            return b""
        self._next_handshake = now + GREET_EVERY_S
        greet = self._plain(Greet(VERSION, VERSION, self._nonce), now)
        if self._hello is not None and self._events is not None:
            # Whether it is still there at all is told by its answer to the greeting that is repeated.
            asked = greet if self._guard.sealed and self._tried else b""
            self._tried = True
            return asked + self._plain(Open(self._session, self._hello.boot, self._events.durable), now)
        # The first byte on a line ends whatever garbage lies before it.
        first = b"" if self._greeted else DELIMITER
        self._greeted = True
        return first + greet

    def _ack(self) -> int:
        return self._events.ack if self._events else 0

    def _session_bytes(self, now: float) -> bytes:
        ack = self._ack()
        frames = [
            self._bytes(Header(out.type, out.flags, self._session, out.seq, ack), out.body, now)
            for out in self._window.take(now)
        ]
        if (challenge := self._guard.take(now)) is not None:
            frames.append(self._plain(challenge, now))
        if not frames and (self._ack_due or now >= self._sent_at + KEEPALIVE_S):
            frames.append(self._plain(Ack(), now))
        self._ack_due = self._ack_due and not frames
        return b"".join(frames)

    def _plain(self, message: Message, now: float) -> bytes:
        type_, body = encode_body(message)
        header = Header(type_) if type_ in _HANDSHAKE else Header(type_, 0, self._session, 0, self._ack())
        return self._bytes(header, body, now)

    def _bytes(self, header: Header, body: bytes, now: float) -> bytes:
        self._sent_at = now
        self._record.left(now, header.type, header.seq, len(body))
        return encode(self._guard.payload(header, body, bare=header.type in _BARE))

    # Time

    def due_at(self) -> float:
        """When `outgoing` has something; ``-inf`` for now, ``inf`` for never."""
        if self._phase is _Phase.OPEN:
            due = min(self._window.due_at(), self._sent_at + KEEPALIVE_S, self._guard.due_at())
            return -_NEVER if self._ack_due else due
        return _NEVER if self._phase is _Phase.OVER else self._next_handshake

    def lost_at(self) -> float:
        """When the other side counts as lost unless something comes before."""
        if self._phase is _Phase.OVER:
            return _NEVER
        if self._phase is not _Phase.OPEN:
            return self._heard_at + ANSWER_WITHIN_S
        if self._guard.spent:
            return -_NEVER
        return min(self._heard_at + SILENCE_S, self._guard.late_at(), self._stuck_at())

    def _stuck_at(self) -> float:
        return min(self._window.waits_since, self._lacks_since) + STUCK_S

    def expire(self, now: float) -> list[LinkEvent]:
        """`Lost` where the other side was silent for too long. Feed what has come first."""
        if now < self.lost_at():
            return []
        if self._phase is _Phase.OPEN:
            return [self._over(self._end(now))]
        if self._guard.sealed and self._hello and now < self._answered_at + SILENCE_S:
            return [self._over(self._guard.wrong_key(self._hello))]
        what, remedy = why_no_hello(self._decoder.counts)
        if self._hello is not None:
            what, remedy = "the device answers but opens no session", UPDATE
        return [self._over(LinkLost(self._name, what, remedy))]

    def _end(self, now: float) -> BridgeError:
        if now >= self._heard_at + SILENCE_S:
            return LinkLost(self._name, "the device has fallen silent", "see to its power")
        if self._guard.spent:
            return LinkLost(self._name, "the counters of this session are used up", "it is greeted again")
        if now < self._stuck_at():
            return self._guard.late()
        lacks = self._lacks_since + STUCK_S <= now
        what = "what it has to tell does not arrive" if lacks else "it acknowledges nothing that it is told"
        return LinkLost(self._name, f"the device answers, but {what}", "look what hangs on its cable")

    def close(self, reason: Close, now: float) -> bytes:
        """Ends the session; the bytes that say so, nothing where none is open."""
        farewell = self._plain(reason, now) if self._phase is _Phase.OPEN else b""
        self._phase = _Phase.OVER
        return farewell

    def _over(self, error: BridgeError) -> Lost:
        self._phase = _Phase.OVER
        return Lost(error)
