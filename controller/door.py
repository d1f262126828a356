"""The local socket for the doors: lines of JSON, questions in, notices and answers out (docs/door.md).

What is told here is what everybody may know. The socket's file is for the user who runs the table alone.
"""

import errno
import os
import socket
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.credentials import Credential
from controller.decisions import Alert
from controller.errors import DoorError
from controller.events import EntryName, FloorDecisionName, SeatChange, SeatChangeName
from controller.floor_wish import FloorWish
from controller.hiding import Hiding
from controller.notices import AnyAnswer, Denied, LedgerDigest, Notice, Rest, Taken
from controller.remedies.steps import NAME_LETTERS
from controller.service import Service

_READ_BYTES: Final = 65536
_QUESTION_BYTES: Final = 4096
_UNSENT_BYTES: Final = 8_000_000
_MOST_GUESTS: Final = 32
REASON_LETTERS: Final = 200
_QUESTIONS: Final = "feed, rest, ledger, seat and floor"


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player wants at which seat (`SeatChange`); chips up to what the keypad's message can say."""

    at: Annotated[int, Meta(ge=1, le=11)]
    change: SeatChangeName
    chips: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    entry: EntryName = "wait"
    by: Annotated[str, Meta(max_length=40)] = ""

    def event(self) -> SeatChange:
        """The wish as the core takes it."""
        return SeatChange(seat=self.at, change=self.change, chips=self.chips, entry=self.entry, by=self.by)


class Ruling(Hiding, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the floor decides about a halted table, and why; by the `pin` or the `badge` (its id in hex) of
    whoever decides. `remedy` goes with `choose` alone, `rule` and `seat` with `found`."""

    HIDDEN = ("pin", "badge")

    decision: FloorDecisionName
    reason: Annotated[str, Meta(max_length=REASON_LETTERS)] = ""
    remedy: Annotated[str, Meta(max_length=NAME_LETTERS)] = ""
    rule: Annotated[str, Meta(max_length=NAME_LETTERS)] = ""
    seat: Annotated[int, Meta(ge=0, le=11)] = 0
    pin: Annotated[str, Meta(pattern="^[0-9]{1,12}$")] | None = None
    badge: Annotated[str, Meta(pattern="^([0-9A-Fa-f]{2}){4,8}$")] | None = None

    @property
    def wrong(self) -> str:
        """Why this is no decision, whoever says it; empty where it may be one."""
        if not self.reason.strip():
            return "a decision needs its reason"
        if not self.reason.isprintable():
            return "a reason is one line of printable letters"
        if (self.decision == "choose") != bool(self.remedy):
            return "a remedy goes with choose, and choose needs one"
        if (self.decision == "found") != bool(self.rule):
            return "a rule goes with found, and found needs one"
        if self.seat and self.decision != "found":
            return "a seat goes with found"
        if (self.pin is None) == (self.badge is None):
            return "say who decides: by either pin or badge"
        return ""

    def wish(self) -> FloorWish:
        """The decision as the service takes it."""
        shown = Credential("pin", self.pin) if self.pin is not None else Credential("badge", self._badge)
        return FloorWish(self.decision, self.reason.strip(), shown, self.remedy, self.rule, self.seat)

    @property
    def _badge(self) -> str:
        return (self.badge or "").lower()


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question: `feed` (all notices from number `since` on, and those to come), `rest`, `ledger` under a
    nonce in hex; or the wish of a player, `seat`, who comes, goes or buys chips; or what the `floor`
    decides."""

    ask: str
    since: int = 1
    nonce: str = ""
    seat: Wish | None = None
    floor: Ruling | None = None


class _Guest:
    """One door that is connected. It `waits` while whoever decides is looked up: its answers keep their
    order."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.unread = b""
        self.unsent = bytearray()
        self.next_notice: int | None = None
        self.waits = False


class DoorServer:
    """Serves doors from the table's own loop; a door that does not read is let go."""

    def __init__(
        self, path: Path, service: Service, *, at_rest: Callable[[], bool], tells_ledger: Callable[[], bool]
    ) -> None:
        self._path = path
        self._service = service
        self._at_rest = at_rest
        self._tells_ledger = tells_ledger
        self._guests: dict[int, _Guest] = {}
        self._told = 0
        self._history: deque[Notice] = deque(maxlen=service.notices.maxlen)
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Ask)
        self._listener = self._listen()

    def _listen(self) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            if self._path.is_socket():
                self._refuse_if_served()
                self._path.unlink()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            old = os.umask(0o177)
            try:
                listener.bind(str(self._path))
            finally:
                os.umask(old)
            listener.listen(8)
        except DoorError:
            listener.close()
            raise
        except OSError as error:
            listener.close()
            shorter = "" if error.errno else "; choose a shorter path"
            why = f"the local socket cannot be opened: {error.strerror or error}{shorter}"
            raise DoorError(f"{self._path}: {why}") from None
        listener.setblocking(False)
        return listener

    def _refuse_if_served(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.setblocking(False)
            # EAGAIN: somebody listens who is too busy to answer.
            if probe.connect_ex(str(self._path)) in (0, errno.EAGAIN):
                raise DoorError(
                    f"{self._path}: another table answers there; stop it or choose another socket"
                )

    def interests(self) -> dict[int, bool]:
        """Descriptors to poll, and whether each waits to write."""
        return {self._listener.fileno(): False} | {
            fd: bool(guest.unsent) for fd, guest in self._guests.items()
        }

    def readable(self, fd: int) -> None:
        """A door knocks, or says something."""
        if fd == self._listener.fileno():
            self._welcome()
            return
        guest = self._guests.get(fd)
        if guest is None:
            return  # let go since it was polled
        try:
            data = guest.connection.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._let_go(fd)
            return
        guest.unread += data
        self._read(fd, guest)

    def _read(self, fd: int, guest: _Guest) -> None:
        """Answers what a door has asked, as far as it does not wait for an answer."""
        while not guest.waits and b"\n" in guest.unread:
            line, _, guest.unread = guest.unread.partition(b"\n")
            self._answer(guest, line)
        if len(guest.unread) > _QUESTION_BYTES:
            self._let_go(fd)
        else:
            self.writable(fd)

    def _welcome(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # he has left again, or there is no descriptor for him now
        connection.setblocking(False)
        guest = _Guest(connection)
        self._guests[connection.fileno()] = guest
        if len(self._guests) > _MOST_GUESTS:
            self._say(guest, Denied(why=f"{_MOST_GUESTS} doors are connected; close one"))
            self.writable(connection.fileno())
            self._let_go(connection.fileno())

    def _answer(self, guest: _Guest, line: bytes) -> None:
        try:
            question = self._decoder.decode(line)
        except msgspec.DecodeError as error:
            self._say(guest, Denied(why=f"this is no question: {error}"))
            return
        if question.ask == "feed":
            guest.next_notice = max(1, question.since)
        self.publish()
        if question.ask == "floor":
            self._floor(guest, question.floor)
        elif question.ask != "feed":
            self._say(guest, self._reply(question))

    def _floor(self, guest: _Guest, ruling: Ruling | None) -> None:
        """The floor decides. It takes a while to know who that is; once asked it counts, whoever hangs up."""
        why = "a decision says what and why: decision, reason" if ruling is None else ruling.wrong
        if ruling is None or why:
            self._say(guest, Denied(why=why))
            return
        fd = guest.connection.fileno()
        guest.waits = True

        def told(why: str) -> None:
            guest.waits = False
            if self._guests.get(fd) is not guest:
                return
            self._say(guest, Denied(why=why) if why else Taken())
            if looked_up_later:
                self._read(fd, guest)

        looked_up_later = False
        self._service.floor_decides(ruling.wish(), told)
        looked_up_later = True

    def _reply(self, question: Ask) -> AnyAnswer:
        match question.ask:
            case "rest":
                return Rest(self._at_rest(), self._told, self._service.times)
            case "ledger" if self._tells_ledger():
                try:
                    nonce = bytes.fromhex(question.nonce)
                except ValueError:
                    return Denied(why="the nonce is not written in hexadecimal")
                return LedgerDigest(dict(self._service.ledger_digest(nonce)))
            case "ledger":
                return Denied(why="only a bench tells of its ledger")
            case "seat" if question.seat is not None:
                why = self._service.seat_changes(question.seat.event())
                return Denied(why=why) if why else Taken()
            case "seat":
                return Denied(why="a wish says at which seat, and what: at, change")
            case other:
                return Denied(why=f"there is no question {other!r}; there are {_QUESTIONS}")

    def _say(self, guest: _Guest, answer: AnyAnswer) -> None:
        guest.unsent += self._encoder.encode(answer) + b"\n"

    def keep(self, notice: Notice) -> None:
        """A new notice: doors that ask for the feed later get it too."""
        self._history.append(notice)
        self._told = notice.number

    def say_at_once(self, alert: Alert) -> None:
        """Tells what cannot wait to be written down: under the number 0, once, to doors that have the
        feed."""
        for fd, guest in list(self._guests.items()):
            if guest.next_notice is not None:
                guest.unsent += self._encoder.encode(Notice(0, alert)) + b"\n"
                self.writable(fd)

    def publish(self) -> None:
        """Hands new notices to every door that asked for the feed."""
        told = self._told
        for fd, guest in list(self._guests.items()):
            if guest.next_notice is None or guest.next_notice > told:
                continue
            for notice in self._history_from(guest.next_notice):
                guest.unsent += self._encoder.encode(notice) + b"\n"
            guest.next_notice = told + 1
            self.writable(fd)

    def _history_from(self, number: int) -> list[Notice]:
        return list(self._history)[-(self._told - number + 1) :]

    def writable(self, fd: int) -> None:
        """Writes what a door will take."""
        guest = self._guests.get(fd)
        if guest is None or not guest.unsent:
            return
        try:
            del guest.unsent[: guest.connection.send(guest.unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._let_go(fd)
            return
        if len(guest.unsent) > _UNSENT_BYTES:
            self._let_go(fd)

    def _let_go(self, fd: int) -> None:
        guest = self._guests.pop(fd, None)
        if guest is not None:
            guest.connection.close()

    def close(self) -> None:
        """Shuts every door and takes the socket's file away."""
        for fd in list(self._guests):
            self._let_go(fd)
        self._listener.close()
        self._path.unlink(missing_ok=True)


class DoorClient:
    """A door's side. `notices` grows as the feed comes in, from number `since` on; `urgent` is what could not
    wait to be written down. Raises DoorError when the table is gone."""

    def __init__(self, path: Path, *, since: int = 1) -> None:
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise DoorError(f"{path}: no table answers: {error.strerror}; is one running there?") from None
        self._unread = b""
        self._notices = msgspec.json.Decoder(Notice)
        self._answers = msgspec.json.Decoder(AnyAnswer)
        self._answer: AnyAnswer | None = None
        self.notices: list[Notice] = []
        self.urgent: list[Notice] = []
        self._ask(Ask(ask="feed", since=since))

    def fileno(self) -> int:
        """To be polled."""
        return self._socket.fileno()

    def _ask(self, question: Ask) -> None:
        try:
            self._socket.sendall(msgspec.json.encode(question) + b"\n")
        except OSError as error:
            raise DoorError(f"{self._path}: the table is gone: {error.strerror}") from None

    def ask(self, question: str, *, nonce: bytes = b"") -> None:
        """Asks; the answer is fetched with `answer`."""
        self._answer = None
        self._ask(Ask(ask=question, nonce=nonce.hex()))

    def wish(self, wish: Wish) -> None:
        """Says what a player wants; the answer is fetched with `answer`."""
        self._answer = None
        self._ask(Ask(ask="seat", seat=wish))

    def decide(self, ruling: Ruling) -> None:
        """Says what the floor decides; the answer is fetched with `answer`, and takes a moment."""
        self._answer = None
        self._ask(Ask(ask="floor", floor=ruling))

    def answer(self) -> AnyAnswer | None:
        """The answer to the last question, None while it has not come. Never waits."""
        self.hear()
        return self._answer

    def hear(self) -> None:
        """Takes in what has come. Never waits."""
        while True:
            try:
                data = self._socket.recv(_READ_BYTES, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError as error:
                raise DoorError(f"{self._path}: the table is gone: {error.strerror}") from None
            if not data:
                raise DoorError(f"{self._path}: the table is gone")
            *lines, self._unread = (self._unread + data).split(b"\n")
            for line in lines:
                if line.startswith(b'{"number"'):
                    notice = self._notices.decode(line)
                    (self.notices if notice.number else self.urgent).append(notice)
                else:
                    self._answer = self._answers.decode(line)

    def close(self) -> None:
        """Leaves."""
        self._socket.close()
