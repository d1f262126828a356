"""What the doors are told, in its order: nothing that could still be forgotten."""

from collections import deque
from typing import Final

from controller.notices import AnyNotice, Notice

NOTICES_KEPT: Final = 20_000


class Feed:
    """The notices of one table, numbered from 1. `notices` are those that may be told: whoever serves doors
    takes them out."""

    def __init__(self) -> None:
        self._last = 0
        self._waiting: deque[tuple[int, Notice]] = deque()
        self.notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)

    @property
    def last(self) -> int:
        """The number of the last notice, told or not."""
        return self._last

    @property
    def waits(self) -> bool:
        """Whether something waits to be told."""
        return bool(self._waiting)

    def resume(self, last: int) -> None:
        """Goes on behind a notice of before a crash; where that was not the last one told, those are void."""
        if self._last != last:
            self._waiting.clear()
            self.notices.clear()
            self._last = last

    def tell(self, said: AnyNotice, *, after: int) -> None:
        """Something is to be told once entry `after` is durable."""
        self._last += 1
        self._waiting.append((after, Notice(self._last, said)))

    def settle(self, durable: int) -> None:
        """Entries up to `durable` are on the disk."""
        while self._waiting and self._waiting[0][0] <= durable:
            self.notices.append(self._waiting.popleft()[1])
