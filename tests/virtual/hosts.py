"""Hosts of three kinds, written from the document: direct, over links in memory, over real ports."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.direct import DirectTable
from hil_rigs.virtual.frames import NUMBERED, REPEAT, Frame, Receiver, encode
from hil_rigs.virtual.messages import Fields, pack, unpack
from hil_rigs.virtual.ptys import PtyTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hil_rigs.virtual.link import DeviceLink
    from hil_rigs.virtual.table import VirtualTable

_TURNS = 20_000


class DirectHost:
    """Takes events and gives messages without a wire."""

    def __init__(self, table: VirtualTable) -> None:
        self.table = table
        self.direct = DirectTable(table)
        self.log: list[tuple[str, int, Fields]] = []

    def give(self, device: str, type_: int, body: bytes) -> None:
        self.direct.give(device, type_, body)

    def settle(self) -> None:
        for _ in range(_TURNS):
            if self.direct.quiet:
                return
            for name, type_, body in self.direct.take():
                if type_ != Type.TICK:
                    self.log.append((name, type_, unpack(type_, body)))
        raise AssertionError("the table does not come to rest")


class HostEnd:
    """The host's end of one line: greets, opens, numbers, repeats, takes each event once and in order."""

    def __init__(self, on_event: Callable[[int, Fields], None], session: int = 7) -> None:
        self.on_event = on_event
        self.receiver = Receiver()
        self.session = session
        self.hello: Fields | None = None
        self.caps: Fields | None = None
        self.opened: Fields | None = None
        self.durable = 0
        self.acknowledges = True
        self.taken = 0
        self.ticks: list[Fields] = []
        self.frames: list[Frame] = []
        self._nonce = 100 + session
        self._number = 0
        self._unacked: deque[Frame] = deque()
        self._queue: deque[tuple[int, bytes]] = deque()
        self._said_s = -1.0
        self._repeat_s = 0.0
        self._ack_due = False

    @property
    def idle(self) -> bool:
        return self.opened is not None and not self._queue and not self._unacked

    def send(self, type_: int, body: bytes) -> None:
        self._queue.append((type_, body))

    def reopen(self, session: int) -> HostEnd:
        """A host that was started anew and knows what it has stored."""
        host = HostEnd(self.on_event, session)
        host.durable = self.taken
        return host

    def receive(self, data: bytes) -> None:
        for frame in self.receiver.feed(data):
            self.frames.append(frame)
            fields = unpack(frame.type, frame.body)
            if frame.type == Type.HELLO:
                if fields.num("host_nonce") == self._nonce:
                    self.hello = fields
            elif frame.type == Type.CAPS:
                self.caps = fields
            elif frame.session == self.session:
                self._take(frame, fields)

    def outgoing(self, now_s: float) -> bytes:
        if self.opened is None:
            return self._greeting(now_s)
        out = b""
        while self._queue and len(self._unacked) < 4:
            type_, body = self._queue.popleft()
            self._number = self._number % 0xFFFF + 1
            frame = Frame(type_, NUMBERED, self.session, self._number, self.taken, body)
            self._unacked.append(frame)
            self._repeat_s = now_s + 0.05
            out += encode(frame)
        if self._unacked and now_s >= self._repeat_s:
            self._repeat_s = now_s + 0.1
            for frame in self._unacked:
                again = Frame(
                    frame.type, NUMBERED | REPEAT, self.session, frame.seq, self._said_ack, frame.body
                )
                out += encode(again)
        if not out and (self._ack_due or now_s - self._said_s >= 0.2):
            out = encode(Frame(Type.ACK, session=self.session, ack=self._said_ack))
        if out:
            self._said_s = now_s
            self._ack_due = False
        return out

    @property
    def _said_ack(self) -> int:
        return self.taken if self.acknowledges else self.durable

    def _greeting(self, now_s: float) -> bytes:
        if self._said_s >= 0 and now_s - self._said_s < 0.2 and not self._ack_due:
            return b""
        self._said_s = now_s
        self._ack_due = False
        if self.hello is None or self.caps is None:
            return b"\0" + encode(
                Frame(Type.GREET, body=pack(Type.GREET, lowest=1, highest=1, host_nonce=self._nonce))
            )
        body = pack(Type.OPEN, session=self.session, boot=self.hello.num("boot"), durable=self.durable)
        return encode(Frame(Type.OPEN, body=body))

    def _take(self, frame: Frame, fields: Fields) -> None:
        if frame.type == Type.OPENED:
            if self.opened is None:
                self.opened = fields
                assert self.hello is not None
                # What is still kept follows; without a hole before it only if nothing was lost.
                self.taken = (self.hello.num("oldest") - 2) % 0xFFFF + 1 if not self.durable else self.durable
                if self.hello.num("oldest") == 1 and not self.durable:
                    self.taken = 0
            return
        if self.opened is None:
            return  # before OPENED nothing of the session counts
        while self._unacked and (frame.ack - self._unacked[0].seq) % 0xFFFF < 0x7FFF and frame.ack:
            self._unacked.popleft()
        if frame.type == Type.TICK:
            self.ticks.append(fields)
        if frame.numbered:
            self._ack_due = True
            if frame.seq == self.taken % 0xFFFF + 1:
                self.taken = frame.seq
                self.on_event(frame.type, fields)


class WireHost:
    """A host over links in memory. `wire` says what becomes of each chunk; by default it arrives."""

    def __init__(self, table: VirtualTable, wire: Callable[[bytes], bytes] = bytes) -> None:
        self.table = table
        self.wire = wire
        self.now_s = 0.0
        self.log: list[tuple[str, int, Fields]] = []
        self.links: dict[str, DeviceLink] = {name: table.link(name) for name in table.devices}
        self.ends: dict[str, HostEnd] = {}
        for name in table.devices:
            self.ends[name] = HostEnd(self._logger(name))

    def give(self, device: str, type_: int, body: bytes) -> None:
        self.ends[device].send(type_, body)

    def turn(self, step_s: float = 0.01) -> None:
        self.now_s += step_s
        for name, link in self.links.items():
            self.ends[name].receive(self.wire(link.outgoing(self.now_s)))
            link.receive(self.wire(self.ends[name].outgoing(self.now_s)), self.now_s)
        self.table.release_report()

    def settle(self) -> None:
        for _ in range(_TURNS):
            if all(link.quiet for link in self.links.values()) and all(
                end.idle for end in self.ends.values()
            ):
                return
            self.turn()
        raise AssertionError("the table does not come to rest")

    def _logger(self, name: str) -> Callable[[int, Fields], None]:
        return lambda type_, fields: self.log.append((name, type_, fields))


class PtyHost:
    """A host with each device's port open, in the same thread as the table's pump."""

    def __init__(self, table: VirtualTable, directory: Path) -> None:
        self.table = table
        self.now_s = 1.0
        self.ports: dict[str, Path] = {}
        self.log: list[tuple[str, int, Fields]] = []
        self.ends: dict[str, HostEnd] = {}
        self.fds: dict[str, int] = {}
        self.begin(directory)
        for name in table.devices:
            self.ends[name] = HostEnd(self._logger(name))
            self.open(name)

    def begin(self, directory: Path) -> None:
        self.ptys = PtyTable(self.table, directory, now=lambda: self.now_s)
        self.ports = self.ptys.ports

    def pump(self) -> None:
        self.ptys.pump(0)

    @property
    def quiet(self) -> bool:
        return self.ptys.quiet

    def open(self, name: str) -> None:
        self.fds[name] = os.open(self.ports[name], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def shut(self, name: str) -> None:
        os.close(self.fds.pop(name))

    def give(self, device: str, type_: int, body: bytes) -> None:
        self.ends[device].send(type_, body)

    def turn(self, step_s: float = 0.01) -> None:
        self.now_s += step_s
        self.pump()
        for name, fd in self.fds.items():
            with contextlib.suppress(BlockingIOError):
                self.ends[name].receive(os.read(fd, 4096))
            out = self.ends[name].outgoing(self.now_s)
            if out:
                assert os.write(fd, out) == len(out)

    def settle(self) -> None:
        for _ in range(_TURNS):
            if self.quiet and all(self.ends[name].idle for name in self.fds):
                return
            self.turn()
        raise AssertionError("the table does not come to rest")

    def close(self) -> None:
        for name in list(self.fds):
            self.shut(name)
        self.ptys.close()

    def _logger(self, name: str) -> Callable[[int, Fields], None]:
        return lambda type_, fields: self.log.append((name, type_, fields))
