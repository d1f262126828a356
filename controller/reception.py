"""What the keypad says, in its order: behind a badge or a PIN it waits until it is known whose that is."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from controller.checking import Checker, Known, Verdict
from controller.credentials import Credential
from controller.events import (
    AnyEvent,
    CredentialName,
    CredentialRefused,
    FloorDecided,
    FloorDecisionName,
    SignedIn,
)
from firmware_bridge import messages as wire

FLOOR_KEYS: Final[dict[str, FloorDecisionName]] = {"yes": "accept", "no": "stand"}
"""The keys by which a floor decides at the table; everything else is said over the door."""
FLOOR_MS: Final = 60_000
"""How long, in the keypad's time, such a key may follow the floor's badge or PIN."""
KEYPAD_REASON: Final = "decided at the keypad, where no reason can be typed"
_TIMES: Final = 1 << 32


class Desk(Protocol):
    """Where events go."""

    def __call__(self, number: int, message: wire.Message, event: AnyEvent | None) -> None:
        """Takes a numbered message; `event` is what it means, None where its own translation does."""


@dataclass(frozen=True)
class _Floor:
    """A floor who has shown who he is at a halted table, at a time of the keypad."""

    who: str
    time: int

    def may_decide_at(self, time: int) -> bool:
        return (time - self.time) % _TIMES <= FLOOR_MS


class Reception:
    """The keypad of one table. `is_halted` says whether the floor has something to decide."""

    def __init__(self, checker: Checker, take: Desk, is_halted: Callable[[], bool]) -> None:
        self._checker = checker
        self._take = take
        self._is_halted = is_halted
        self._waiting: deque[tuple[int, wire.Message]] = deque()
        self._visit = 0
        self._floor: _Floor | None = None

    @property
    def waits(self) -> bool:
        """Whether somebody is still being looked up, and all that the keypad said since waits for it."""
        return bool(self._waiting)

    def comes(self, number: int, message: wire.Message) -> None:
        """A numbered message of the keypad."""
        self._waiting.append((number, message))
        if len(self._waiting) == 1:
            self._go_on()

    def forget(self) -> None:
        """The keypad has booted anew: nobody knows what it would say now of what it said before."""
        self._waiting.clear()
        self._visit += 1
        self._floor = None

    def halt_is_over(self) -> None:
        """There is nothing to decide any more: whoever showed himself to decide does so again next time."""
        self._floor = None

    def _go_on(self) -> None:
        while self._waiting:
            number, message = self._waiting[0]
            shown = credential(message)
            if shown is not None:
                self._checker.check(shown, "keypad", partial(self._known, self._visit, shown.by))
                return
            self._waiting.popleft()
            self._take(number, message, self._decision(message))

    def _known(self, visit: int, by: CredentialName, verdict: Verdict) -> None:
        if visit != self._visit:
            return
        number, message = self._waiting.popleft()
        self._take(number, message, self._signs_in(message, by, verdict))
        self._go_on()

    def _signs_in(self, message: wire.Message, by: CredentialName, verdict: Verdict) -> AnyEvent:
        if not isinstance(verdict, Known):
            return CredentialRefused(by=by, at="keypad", cause=verdict.cause, text=verdict.text)
        if verdict.role == "floor" and self._is_halted() and isinstance(message, wire.Event):
            self._floor = _Floor(verdict.who, message.time)
        return SignedIn(who=verdict.who, role=verdict.role, by=by)

    def _decision(self, message: wire.Message) -> FloorDecided | None:
        """The floor's decision by a key, if it is one: it may decide once."""
        if not isinstance(message, wire.KeyPressed) or message.key.label not in FLOOR_KEYS:
            return None
        floor, self._floor = self._floor, None
        if floor is None or not self._is_halted() or not floor.may_decide_at(message.time):
            return None
        return FloorDecided(decision=FLOOR_KEYS[message.key.label], who=floor.who, reason=KEYPAD_REASON)


def credential(message: wire.Message) -> Credential | None:
    """The badge or the PIN that a message tells of, None for any other."""
    match message:
        case wire.BadgeRead():
            return Credential("badge", message.uid.hex())
        case wire.PinTyped():
            return Credential("pin", message.digits)
        case _:
            return None
