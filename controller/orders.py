"""Commands on their way to the machines: their ids, those that wait for the disk, those without an answer.

A command's id follows from its cause, so that the same command always has the same one, however often it is
sent and whoever sends it: a machine does nothing twice (docs/protocol.md, section 6).
"""

import hashlib
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final

from controller.decisions import Command
from controller.events import DeviceName
from controller.translate import Translator
from firmware_bridge import messages as wire

SAFE_AT_ONCE: Final = frozenset({"lock"})
"""Commands that move no card and may be repeated: they wait for no disk."""

Send = Callable[[DeviceName, wire.Message], None]


@dataclass(frozen=True)
class _Order:
    """A command as it is sent, once entry `after` is durable."""

    after: int
    id: int
    ref: int
    device: DeviceName
    message: wire.Message


class Orders:
    """The commands of one table. `send` hands a message to the links."""

    def __init__(self, table: str, translator: Translator, send: Send) -> None:
        self._table = table
        self._translator = translator
        self._send = send
        self._held: deque[_Order] = deque()
        self._sent: dict[int, _Order] = {}
        self._shut_by: dict[DeviceName, int] = {}  # the reference of what shuts it last
        self._moot: set[int] = set()

    @property
    def wait(self) -> bool:
        """Whether a command waits for the disk."""
        return bool(self._held)

    def gives(self, command: Command, hand: int, entry: int, place: int, open_: Collection[int]) -> list[int]:
        """A command that entry `entry` decided, as its decision number `place`; `open_` are references
        without an answer.

        What is safe leaves at once, all else once the entry is durable. References of orders that it
        overtakes, and that are given no more: what was to open a gate must not come behind what shuts it.
        """
        order = self._order(command, hand, entry, place)
        if command.command not in SAFE_AT_ONCE:
            self._held.append(order)
            return []
        self._shut_by[command.device] = command.ref
        opens = [o for o in self._held if o.device == command.device and isinstance(o.message, wire.Unlock)]
        self._held = deque(o for o in self._held if o not in opens)
        self._leaves(order, open_)
        return [o.ref for o in reversed(opens)]

    def _order(self, command: Command, hand: int, entry: int, place: int) -> _Order:
        """A new attempt needs a new event, which is another entry, and so has an id of its own."""
        cause = f"{self._table}/{hand}/{entry}/{place}/{command.device}/{command.command}"
        id_ = int.from_bytes(hashlib.sha256(cause.encode()).digest()[:8], "little")
        return _Order(entry, id_, command.ref, command.device, self._translator.order(command, id_))

    def settle(self, durable: int, open_: Collection[int]) -> None:
        """Lets go what waited for entries that are durable by now, in their order."""
        while self._held and self._held[0].after <= durable:
            self._leaves(self._held.popleft(), open_)

    def _leaves(self, order: _Order, open_: Collection[int]) -> None:
        self._sent = {ref: sent for ref, sent in self._sent.items() if ref in open_}
        self._sent[order.ref] = order
        self._send(order.device, order.message)

    def repeat(self, device: DeviceName, open_: Collection[int]) -> None:
        """The same boot answers again: what it may not have got is sent again under the same ids."""
        for order in [sent for sent in self._sent.values() if sent.device == device and sent.ref in open_]:
            self._send(device, order.message)

    def forget(self, device: DeviceName) -> None:
        """Another boot: what the last one was told is unknown, and is asked for by nobody any more."""
        self._held = deque(order for order in self._held if order.device != device)
        self._sent = {ref: sent for ref, sent in self._sent.items() if sent.device != device}

    # After a crash

    def ids(self, open_: Collection[int]) -> dict[int, int]:
        """The ids of all commands without an answer, by their references."""
        orders = (*self._sent.values(), *self._held)
        return {order.ref: order.id for order in orders if order.ref in open_}

    def resume(self, command: Command, id_: int) -> None:
        """A command of before the crash, without an answer: it may have left."""
        message = self._translator.order(command, id_)
        self._sent[command.ref] = _Order(0, id_, command.ref, command.device, message)

    def decided(self, command: Command, hand: int, entry: int, place: int) -> None:
        """A command that a durable entry of before the crash decided."""
        self._sent[command.ref] = self._order(command, hand, entry, place)
        if command.command in SAFE_AT_ONCE:
            self._shut_by[command.device] = command.ref

    def all_may_have_left(self, open_: Collection[int]) -> None:
        """It is unknown which of the commands left: those without an answer are sent again once their device
        answers, in the order in which they would have left. One that was to open what was shut since is only
        asked about: it may have been overtaken."""
        orders = sorted(self._sent.values(), key=lambda order: (order.after, not _is_safe(order.message)))
        kept = {order.ref: order for order in orders if order.ref in open_}
        self._moot = {
            ref
            for ref, order in kept.items()
            if isinstance(order.message, wire.Unlock) and ref < self._shut_by.get(order.device, 0)
        }
        self._sent = {
            ref: replace(order, message=wire.Recall(order.id)) if ref in self._moot else order
            for ref, order in kept.items()
        }

    def was_overtaken(self, ref: int) -> bool:
        """Whether a command of which its device knows nothing was never to leave."""
        return ref in self._moot


def _is_safe(message: wire.Message) -> bool:
    """Whether a command leaves at once, before those of the same entry that wait for the disk."""
    return isinstance(message, wire.Lock)
