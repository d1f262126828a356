"""A door server and the loop that serves it, a turn at a time."""

import json
import select
import socket
from pathlib import Path

from msgspec.structs import replace

from controller.assembly import make_service
from controller.checking import Checker
from controller.decisions import Alert
from controller.door import DoorClient, DoorServer
from controller.journal import MemoryJournal
from controller.notices import Notice
from tests.shell import packs
from tests.shell.joined import ORDER, config


class Table:
    """A door server and the loop that serves it, a turn at a time."""

    def __init__(self, folder: Path, checker: Checker | None = None) -> None:
        self.path = folder / "door"
        plain = config(folder)
        self.service = make_service(
            replace(plain, decks=replace(plain.decks, play="red")),
            MemoryJournal(),
            ORDER,
            packs.registry(),
            checker,
        )
        self.tells_ledger = False
        self.rests = False
        self.doors: list[socket.socket | DoorClient] = []
        self.server = self.serve()
        self.said = 0

    def serve(self) -> DoorServer:
        return DoorServer(
            self.path, self.service, at_rest=lambda: self.rests, tells_ledger=lambda: self.tells_ledger
        )

    def tell(self, text: str = "") -> Notice:
        """Something happens."""
        self.said += 1
        notice = Notice(self.said, Alert(code="test", text=text or str(self.said)))
        self.server.keep(notice)
        return notice

    def turn(self) -> bool:
        """One turn as the loop does it; whether anything was to do."""
        self.server.publish()
        poller = select.poll()
        for fd, writes in self.server.interests().items():
            poller.register(fd, select.POLLIN | (select.POLLOUT if writes else 0))
        ready = poller.poll(0)
        for fd, what in ready:
            if what & ~select.POLLOUT:
                self.server.readable(fd)
            if what & select.POLLOUT:
                self.server.writable(fd)
        return bool(ready)

    def settle(self) -> None:
        for _ in range(2000):
            if not self.turn():
                return
        raise AssertionError("the doors never have enough")

    @property
    def connected(self) -> int:
        return len(self.server.interests()) - 1

    def client(self) -> DoorClient:
        client = DoorClient(self.path)
        self.doors.append(client)
        self.settle()
        return client

    def raw(self) -> socket.socket:
        raw = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        raw.connect(str(self.path))
        raw.setblocking(False)
        self.doors.append(raw)
        self.settle()
        return raw

    def asked(self, raw: socket.socket, line: bytes) -> list[dict[str, object]]:
        """What comes back to some bytes."""
        raw.send(line)
        self.settle()
        return heard(raw)

    def close(self) -> None:
        for door in self.doors:
            door.close()
        self.server.close()


def heard(raw: socket.socket) -> list[dict[str, object]]:
    """All lines that have come."""
    data = b""
    try:
        while more := raw.recv(1 << 20):
            data += more
    except BlockingIOError:
        pass
    return [json.loads(line) for line in data.splitlines()]


def is_let_go(raw: socket.socket) -> bool:
    """Whether the table has hung up."""
    try:
        while raw.recv(1 << 20):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True
