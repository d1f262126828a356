"""What all five devices have in common: an outbox of events, commands with ids, faults, a power switch.

A device knows messages, no frames: a link (link.py) or a direct transport (direct.py) carries its outbox.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from hil_rigs.virtual.codes import COMMANDS, Fault, Kind, Outcome, Reason, Type
from hil_rigs.virtual.messages import Fields, pack, unpack

_MECHANICAL = frozenset({Fault.JAM, Fault.MOTOR_STALL, Fault.DOUBLE_FEED})


class Clock:
    """The model's time in milliseconds, and a count that says which of two events came first."""

    def __init__(self) -> None:
        self.ms = 0
        self._stamps = 0

    def stamp(self) -> int:
        """Return the next number of a count over all devices."""
        self._stamps += 1
        return self._stamps


@dataclass(frozen=True)
class Event:
    """A numbered message of a device that waits for its link. `stamp` orders events of all devices."""

    stamp: int
    type: int
    body: bytes


@dataclass(frozen=True)
class Done:
    """What became of a command; `count` is the number of cards moved, or the n of UNLOCK."""

    outcome: Outcome = Outcome.DONE
    reason: Reason = Reason.NONE
    count: int = 0


def refused(reason: Reason) -> Done:
    """Return the outcome of a command that was not carried out."""
    return Done(Outcome.REFUSED, reason)


@dataclass(frozen=True)
class Motion:
    """A command that runs: how long it takes, and what happens at its end."""

    lasts_ms: int
    finish: Callable[[], Done]


@dataclass
class _Job:
    command_id: int
    command: int
    due_ms: int
    finish: Callable[[], Done]


@dataclass
class _Known:
    command: int
    done: Done | None = None  # None while it runs


@dataclass
class Identity:
    """What HELLO says of a device besides its kind."""

    serial: str
    firmware: tuple[int, int, int] = (1, 0, 0)
    timed: bool = False  # whether motions take the model's time; else they end at once
    remembers: int = 64
    stalled: set[int] = field(
        default_factory=set
    )  # command types that do not come to their end (a test's switch)


class Device:
    """Base of the five devices (docs/protocol.md sections 5, 6 and 9)."""

    kind: ClassVar[Kind]
    commands: ClassVar[frozenset[int]] = frozenset()

    def __init__(self, identity: Identity, clock: Clock) -> None:
        self.identity = identity
        self.clock = clock
        self.faults: set[Fault] = set()
        self.dark = False
        """Whether the power has just failed: whoever carries its words has it boot before anything else."""
        self.fails_in: set[int] = set()
        """Commands in which the power will fail, each once, when it has begun with it."""
        self.boots = 0
        self.carried_out: Counter[int] = Counter()
        """How often each command's id was begun, over all boots: more than once would be once too often."""
        self._booted_ms = clock.ms
        self._outbox: list[Event] = []
        self._known: OrderedDict[int, _Known] = OrderedDict()
        self._job: _Job | None = None

    @property
    def serial(self) -> str:
        """The serial number, 1 to 12 characters."""
        return self.identity.serial

    @property
    def options(self) -> int:
        """CAPS: bits by kind."""
        return 0

    @property
    def data(self) -> bytes:
        """CAPS: bytes by kind."""
        return b""

    @property
    def time_ms(self) -> int:
        """Device time: milliseconds since its boot, 32 bits."""
        return (self.clock.ms - self._booted_ms) & 0xFFFFFFFF

    @property
    def idle(self) -> bool:
        """No command runs and nothing is still to report."""
        return self._job is None and not self._outbox

    @property
    def has_events(self) -> bool:
        """Whether an event waits to be taken."""
        return bool(self._outbox)

    def handle(self, type_: int, body: bytes) -> None:
        """Take a message of the host. Raises BodyError for a body that does not fit its type."""
        fields = unpack(type_, body)
        if type_ == Type.ASK:
            self.emit_state()
        elif type_ == Type.RECALL:
            self._recall(fields.num("id"))
        elif type_ in COMMANDS:
            self._command(type_, fields)
        else:
            self.heard(type_, fields)

    def emit(self, type_: int, body: bytes) -> None:
        """Put an event into the outbox."""
        self._outbox.append(Event(self.clock.stamp(), type_, body))

    def take(self) -> list[Event]:
        """Empty the outbox, first event first."""
        events, self._outbox = self._outbox, []
        return events

    def work(self) -> None:
        """Let time-bound things happen that are due: the end of a motion."""
        job = self._job
        if job is None or self.clock.ms < job.due_ms or job.command in self.identity.stalled:
            return
        self._job = None
        self._end(job.command_id, job.command, job.finish())

    def session_opened(self) -> None:
        """The host opened a session: say the STATE, where this kind has one."""
        self.emit_state()

    def go_safe(self) -> None:
        """The host is lost: do what is safe. Motions come to their end."""

    def no_room(self) -> None:
        """An event had to be dropped: no more of them, where the device can see to that."""

    def emit_state(self) -> None:
        """Emit the STATE event, where this kind has one."""

    def heard(self, type_: int, fields: Fields) -> None:
        """Take a message that is no command; one of another kind means nothing."""

    def begin(self, command: int, fields: Fields) -> Done | Motion:
        """Start a command: return its outcome, or the motion that leads to it."""
        raise NotImplementedError

    def able(self, command: int) -> bool:
        """Whether the command is one of this kind of device."""
        return command in self.commands

    def power_cycle(self) -> None:
        """Lose power and boot: ids, events and the running command are forgotten, the cards stay."""
        self.boots += 1
        self._booted_ms = self.clock.ms
        self._outbox.clear()
        self._known.clear()
        self._job = None
        self.dark = False
        self.booted()

    def booted(self) -> None:
        """Set what a boot sets."""

    def begin_fault(self, fault: Fault, detail: int = 0) -> None:
        """Something breaks. With a jam, a double feed or a stalled motor, motions fail until it has ended."""
        if fault not in self.faults:
            self.faults.add(fault)
            self._say_fault(fault, 0, detail)

    def end_fault(self, fault: Fault, detail: int = 0) -> None:
        """Somebody put it right."""
        if fault in self.faults:
            self.faults.remove(fault)
            self._say_fault(fault, 1, detail)

    @property
    def jammed(self) -> bool:
        """Whether a fault keeps the mechanism from moving."""
        return bool(self.faults & _MECHANICAL)

    def answer(self, command_id: int, command: int, done: Done) -> None:
        """Emit the RESULT of a command."""
        self.emit(
            Type.RESULT,
            pack(
                Type.RESULT,
                time=self.time_ms,
                id=command_id,
                command=command,
                outcome=done.outcome,
                reason=done.reason,
                count=min(done.count, 255),
            ),
        )

    def _say_fault(self, fault: Fault, ended: int, detail: int) -> None:
        self.emit(Type.FAULT, pack(Type.FAULT, time=self.time_ms, fault=fault, ended=ended, detail=detail))

    def _recall(self, command_id: int) -> None:
        known = self._known.get(command_id)
        if known is None:
            self._result(command_id, 0, Done(Outcome.UNKNOWN))
        else:
            self._result(command_id, known.command, known.done or Done(Outcome.RUNNING))

    def _result(self, command_id: int, command: int, done: Done) -> None:
        # RECALL is answered by RESULT for every command, FEED too.
        Device.answer(self, command_id, command, done)

    def _command(self, command: int, fields: Fields) -> None:
        command_id = fields.num("id")
        known = self._known.get(command_id)
        if known is not None:
            if known.done is not None:
                self.answer(command_id, known.command, known.done)
            return
        self._remember(command_id, command)
        if not self.able(command):
            self._end(command_id, command, refused(Reason.NOT_ABLE))
        elif self._job is not None and command != Type.LOCK:
            self._end(command_id, command, refused(Reason.BUSY))
        elif self.jammed and command != Type.LOCK:
            self._end(command_id, command, Done(Outcome.FAILED, Reason.JAM))
        else:
            self._start(command_id, command, fields)

    def _start(self, command_id: int, command: int, fields: Fields) -> None:
        self.carried_out[command_id] += 1
        begun = self.begin(command, fields)
        if isinstance(begun, Done):
            self._end(command_id, command, begun)
            return
        if command in self.fails_in:
            self.fails_in.discard(command)
            self.dark = True
            return
        lasts_ms = begun.lasts_ms if self.identity.timed else 0
        self._job = _Job(command_id, command, self.clock.ms + lasts_ms, begun.finish)
        self.work()

    def _end(self, command_id: int, command: int, done: Done) -> None:
        self._known[command_id].done = done
        self.answer(command_id, command, done)

    def _remember(self, command_id: int, command: int) -> None:
        running = self._job.command_id if self._job is not None else None
        while len(self._known) >= self.identity.remembers:
            oldest = next(known for known in self._known if known != running)
            del self._known[oldest]
        self._known[command_id] = _Known(command)
