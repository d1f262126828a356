"""Which hand an entry belongs to, and under which key what it hides is sealed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from controller.decisions import AnyDecision, HandBegan, PhaseEntered
from controller.errors import JournalError
from controller.journal.records import Keys, Line

_BEGINS: Final = b'"decision":"hand"'
_IS_DONE: Final = b'"phase":"done"'
_DECISIONS: Final = msgspec.json.Decoder(tuple[AnyDecision, ...])


class HandAt(NamedTuple):
    """A hand of a journal: its number, and the entry with which it begins. A table that is begun anew counts
    its hands from 1 again, so that one number may stand for several."""

    number: int
    entry: int

    def __str__(self) -> str:
        return f"{self.number}@{self.entry}"


@dataclass
class Walk:
    """Where a journal has come to, entry after entry: the hand, whether that is decided (`done`), and the key
    that hidden fields are sealed under."""

    hand: HandAt | None = None
    done: bool = False
    keys: Keys | None = None

    def take(self, line: Line) -> None:
        """The next line. What it seals is sealed under the keys of before; it belongs to the hand of now.

        A line whose decisions this version does not know begins and ends no hand.
        """
        if line.start is not None and line.start.anew:
            self.hand, self.done = None, False
        if line.decisions is not msgspec.UNSET and _tells(line.decisions):
            for decision in _decoded(line.decisions):
                self._take(decision, line.n or 0)

    def _take(self, decision: AnyDecision, number: int) -> None:
        match decision:
            case HandBegan():
                again = self.hand is not None and self.hand.number == decision.number
                if self.hand is None or not again:  # dealt again after a misdeal, it is the same hand
                    self.hand = HandAt(decision.number, number)
                self.done = False
            case PhaseEntered(phase="done"):
                self.done = True
            case _:
                pass

    def announce(self, line: Line) -> None:
        """From behind this line on, hidden fields are sealed under the keys that it announces."""
        signed = line.start is not None or line.checkpoint is not None
        if signed and line.keys is not None and line.keys.hand:
            self.keys = line.keys


def _tells(decisions: msgspec.Raw) -> bool:
    said = bytes(decisions)
    return _BEGINS in said or _IS_DONE in said


def _decoded(decisions: msgspec.Raw) -> tuple[AnyDecision, ...]:
    try:
        return _DECISIONS.decode(decisions)
    except msgspec.DecodeError:
        return ()


class Stored(NamedTuple):
    """A line of a hand, and the keys under which its hidden fields are sealed."""

    line: Line
    keys: Keys | None


@dataclass
class HandLines:
    """A hand, from its `first` entry to its `last`, and its lines where they are kept. `over` says whether it
    is: it was decided, another began, or it was given up; `done`, whether it was decided. `keys` are those
    under which its entries hide something."""

    at: HandAt
    first: int = 0
    last: int = 0
    over: bool = False
    done: bool = False
    keys: set[Keys] = field(default_factory=set)
    lines: list[Stored] = field(default_factory=list)


def hands_in(lines: Iterable[Line], keep: Callable[[HandAt], bool]) -> Iterator[HandLines]:
    """The hands of a journal's lines in their order; `keep` says of which the lines are wanted."""
    walk = Walk()
    hand: HandLines | None = None
    for line in lines:
        walk.take(line)
        if hand is not None and walk.hand != hand.at:
            hand.over = True
            yield hand
            hand = None
        if walk.hand is not None and line.n is not None:
            hand = hand or HandLines(walk.hand, line.n)
            hand.last, hand.over = line.n, walk.done
            hand.done = walk.done
            if line.sealed and walk.keys is not None:
                hand.keys.add(walk.keys)
            if keep(walk.hand):
                hand.lines.append(Stored(line, walk.keys))
        walk.announce(line)
    if hand is not None:
        yield hand


def hand_named(hands: Sequence[HandLines], number: int, entry: int) -> HandLines:
    """The hand of a number that begins with an entry, 0 for the only one. Raises JournalError."""
    named = [hand for hand in hands if hand.at.number == number and entry in (0, hand.at.entry)]
    if len(named) == 1:
        return named[0]
    if named:
        several = ", ".join(str(hand.at) for hand in named)
        raise JournalError(f"hand {number}: {len(named)} hands have this number, say which: {several}")
    others = [f"{hand.at.entry} (--hand {hand.at})" for hand in hands if hand.at.number == number]
    if others:
        begins = f"it begins with entry {' and again with entry '.join(others)}"
        raise JournalError(f"hand {number}: it does not begin with entry {entry}: {begins}")
    if not hands:
        raise JournalError(f"hand {number}: no hand was begun in this journal")
    there = ", ".join(dict.fromkeys(str(hand.at.number) for hand in hands[-5:]))
    raise JournalError(f"hand {number}: there is no such hand; the last ones are {there}")
