"""Which of the things that are said of a card that came to lie tell of one and the same card.

An antenna says that a card came to rest, and the table that a card lies where it was due. Either may come
first, and which card it was is sealed: so the two are matched by the place, and each card is told once.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from controller.events import AnyEvent, Arrived, Drew, FacingName, Turned

_L = TypeVar("_L")


@dataclass(frozen=True)
class Matched(Generic[_L]):
    """What an antenna had said of a card that the table has laid: its face where that was opened, how it
    lies, and the line in which it was told, None for one that was not told yet."""

    face: str
    facing: FacingName
    line: _L | None


@dataclass(frozen=True)
class Laid:
    """A card that the table has laid before any antenna spoke: its face where that was opened, and whether it
    was told by name to everybody."""

    face: str
    named: bool


@dataclass
class _At(Generic[_L]):
    """What waits at a place for its other half."""

    arrived: list[tuple[Matched[_L], bool]] = field(default_factory=list)
    """Cards that an antenna told of and the table has not laid, and whether one was on its way then."""
    lain: list[Laid] = field(default_factory=list)
    """Cards that the table laid before any antenna spoke."""


class Once(Generic[_L]):
    """Matches the two halves, entry by entry; `_L` is a line in which something was told."""

    def __init__(self) -> None:
        self._at: defaultdict[str, _At[_L]] = defaultdict(_At)
        self._on_their_way = 0
        self._own: Arrived | None = None

    def forget(self) -> None:
        """Another pack is dealt from: what still waits belongs to the one before."""
        self._at.clear()
        self._on_their_way = 0

    def happens(self, event: AnyEvent) -> None:
        """The event of the next entry. A card that came to lie while none was on its way was carried there,
        unless the shoe tells of it right behind: an antenna may be quicker than the shoe."""
        self._own = None
        if isinstance(event, Drew) and event.what in ("card", "boxed"):
            self._on_their_way += 1
        elif isinstance(event, Drew) and event.what == "reversed":
            self._on_their_way = max(0, self._on_their_way - 1)
        elif not isinstance(event, Drew | Arrived | Turned):
            for at in self._at.values():
                at.arrived = [waiting for waiting in at.arrived if waiting[1]]

    def is_laid_now(self, event: Arrived) -> None:
        """What followed from this event lays a card at its place: the first of them is this one."""
        self._own = event

    def was_laid(self, event: Arrived) -> Laid | None:
        """The card that the table has laid already, if this is the antenna's late word on it."""
        lain = self._at[event.place].lain
        for laid in lain:
            if not (laid.face and event.card) or laid.face == event.card:
                lain.remove(laid)
                return laid
        return None

    def came(self, event: Arrived, line: _L) -> None:
        """A card came to lie that the table has not laid: it was told in this line."""
        waiting = Matched(event.card or "", event.facing, line), self._on_their_way > 0
        self._at[event.place].arrived.append(waiting)

    def lies(self, place: str, laid: Laid) -> Matched[_L] | None:
        """The table lays a card: what an antenna had said of it, None where none has spoken so far."""
        self._on_their_way = max(0, self._on_their_way - 1)
        own, at = self._own, self._at[place]
        if own is not None and own.place == place:
            self._own = None
            return Matched(own.card or "", own.facing, None)
        if at.arrived:
            return at.arrived.pop(0)[0]
        at.lain.append(laid)
        return None
