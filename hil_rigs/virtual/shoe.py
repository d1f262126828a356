"""The shoe: one pack, a lip with a reader, a lid that locks itself; as options a gate and a burner."""

from dataclasses import dataclass
from typing import Literal

from hil_rigs.virtual.chance import drawn
from hil_rigs.virtual.codes import Kind, Lid, Reason, Type
from hil_rigs.virtual.device import Clock, Device, Done, Identity, Motion, refused
from hil_rigs.virtual.felt import DOWN, Card, Change, Felt
from hil_rigs.virtual.messages import Fields, pack

BY_HAND = 0
BY_BURNER = 1
RELEASED_MS = 30_000
_BURN_MS = 200
_NO_GATE = 255
Slip = Literal["misread", "double-feed"]
"""What may go wrong at the lip: the tag is not read, or two cards leave at once."""
_BOXED = 1
_REVERSED = 2


@dataclass(frozen=True)
class ShoeOptions:
    """What this shoe can do."""

    gate: bool = False
    burner: bool = True
    facing: bool = True
    holds: int = 60


class Shoe(Device):
    """docs/protocol.md section 9, Shoe. The stack is the felt's place `shoe`, next card first."""

    kind = Kind.SHOE
    commands = frozenset({Type.BURN, Type.LOCK, Type.UNLOCK, Type.RELEASE_LID})

    def __init__(
        self, identity: Identity, clock: Clock, felt: Felt, options: ShoeOptions, seed: int | str = 0
    ) -> None:
        super().__init__(identity, clock)
        self.felt = felt
        self.able_to = options
        self.lid = Lid.LOCKED
        self.gate_open = False
        self.left = 0
        self.number = 0
        self.unreadable: set[Card] = set()  # tags that never answer (a test's switch)
        self.slips: list[Slip] = []  # what goes wrong with the next cards, one after the other
        self.held: Card | None = None  # the second of two that left at once: still in the dealer's hand
        self.boxed: list[Card] = []  # those that lay face up in the pack, as they left
        self._seed = seed
        self._passages = 0
        self._released_ms = 0
        self._was_empty = True
        felt.listeners.append(self._changed)

    @property
    def options(self) -> int:
        """Bit 0 gate, bit 1 burner, bit 2 facing sensor."""
        return self.able_to.gate | self.able_to.burner << 1 | self.able_to.facing << 2

    @property
    def data(self) -> bytes:
        """How many cards it holds."""
        return bytes([self.able_to.holds])

    @property
    def empty(self) -> bool:
        """Whether nothing lies in it, a cut card neither."""
        return not self.felt.cards("shoe")

    def why_no_draw(self) -> str:
        """Return what keeps a hand from pulling the next card out, or nothing."""
        if self.held is not None:
            return ""  # it is out of the shoe already
        if self.lid == Lid.OPEN:
            return "the shoe's lid is open"
        if self.empty:
            return "the shoe is empty"
        if self.able_to.gate and not self.gate_open:
            return "the gate is shut"
        return ""

    def let_out(self, to: str, *, face: str = DOWN, way: int = BY_HAND, boxed: bool = False) -> Card:
        """The next card leaves: it is read at the lip, then lies at `to`. The caller saw that it can."""
        if self.held is not None:
            return self._lay_held(self.held, to, face)
        card = self.felt.cards("shoe")[0]
        self.number += 1
        slip = self.slips.pop(0) if self.slips else None
        at_once = self.felt.cards("shoe")[: 2 if slip == "double-feed" and way == BY_HAND else 1]
        flags = _BOXED if boxed and self.able_to.facing else 0
        self._emit_draw(at_once, self.number, way, flags, slip)
        for second in at_once[1:]:
            self.felt.move(second, "pack")
            self.held = second
        if boxed:
            self.boxed.append(card)
        self.felt.move(card, to, face=face)
        if way == BY_HAND and self.gate_open:
            self.left -= 1
            if self.left == 0:
                self._set_gate(0)
        return card

    def _lay_held(self, card: Card, to: str, face: str) -> Card:
        """The dealer has a second card in his hand already: that is the next one that he lays down."""
        self.held = None
        self.felt.move(card, to, face=face)
        return card

    def push_back(self) -> None:
        """The next card shows at the lip and goes back in. The caller saw that there is one."""
        self._emit_draw(self.felt.cards("shoe")[:1], self.number + 1, BY_HAND, _REVERSED)

    def open_lid(self) -> None:
        """A hand opens the lid, which must have been released."""
        self._set_lid(Lid.OPEN)

    def close_lid(self) -> None:
        """A hand closes the lid: it locks itself, the gate shuts, cards count from 1 again."""
        self.number = 0
        self._shut_gate_silently()
        self._set_lid(Lid.LOCKED)

    def work(self) -> None:
        """A released lid locks again after 30 s."""
        super().work()
        if self.lid == Lid.RELEASED and self.clock.ms - self._released_ms >= RELEASED_MS:
            self._set_lid(Lid.LOCKED)

    def go_safe(self) -> None:
        """Shut the gate."""
        if self.gate_open:
            self._set_gate(0)

    def no_room(self) -> None:
        """Shut the gate."""
        self.go_safe()

    def booted(self) -> None:
        """The gate is shut at power-up; a lid that was released is locked."""
        self._shut_gate_silently()
        self.number = 0
        if self.lid == Lid.RELEASED:
            self.lid = Lid.LOCKED

    def emit_state(self) -> None:
        """Say the sensors."""
        gate = int(self.gate_open) if self.able_to.gate else _NO_GATE
        body = pack(
            Type.SHOE_STATE,
            time=self.time_ms,
            lid=self.lid,
            empty=int(self.empty),
            gate=gate,
            left=self.left,
        )
        self.emit(Type.SHOE_STATE, body)

    def able(self, command: int) -> bool:
        """BURN, LOCK, UNLOCK, RELEASE_LID, as far as it has the parts."""
        if command == Type.BURN:
            return self.able_to.burner
        if command in (Type.LOCK, Type.UNLOCK):
            return self.able_to.gate
        return super().able(command)

    def begin(self, command: int, fields: Fields) -> Done | Motion:
        """Carry a command out."""
        if command == Type.LOCK:
            self._set_gate(0)
            return Done()
        if command == Type.RELEASE_LID:
            if self.lid != Lid.OPEN:  # an open lid is free already
                self._released_ms = self.clock.ms
                self._set_lid(Lid.RELEASED)
            return Done()
        reason = self._why_refused()
        if command == Type.BURN:
            return refused(reason) if reason else Motion(_BURN_MS, self._burn)
        cards = fields.num("cards")
        if not 1 <= cards <= 52:
            return refused(Reason.BAD_VALUE)
        if reason:
            return refused(reason)
        self._set_gate(cards)
        return Done(count=cards)

    def _why_refused(self) -> Reason:
        if self.lid == Lid.OPEN:
            return Reason.LID_OPEN
        return Reason.EMPTY if self.empty else Reason.NONE

    def _burn(self) -> Done:
        reason = self._why_refused()  # the lid may have been opened, the last card drawn, meanwhile
        if reason:
            return refused(reason)
        self.let_out("burn", way=BY_BURNER)
        return Done(count=1)

    def _emit_draw(
        self, cards: tuple[Card, ...], number: int, way: int, flags: int, slip: Slip | None = None
    ) -> None:
        self._passages += 1
        took = drawn(self._seed, "passage", self._passages).randint(150, 250)
        read = () if slip == "misread" else tuple(card for card in cards if card not in self.unreadable)
        uids = tuple(card.uid for card in read)
        body = pack(
            Type.DRAW,
            time=self.time_ms,
            number=number,
            way=way,
            flags=flags,
            took=took,
            seen=max(len(uids), len(cards) if len(cards) > 1 else 0),
            uids=uids,
        )
        self.emit(Type.DRAW, body)

    def _set_gate(self, cards: int) -> None:
        was = self.gate_open
        self.gate_open = cards > 0
        self.left = cards
        if was != self.gate_open:
            self.emit_state()

    def _shut_gate_silently(self) -> None:
        self.gate_open = False
        self.left = 0

    def _set_lid(self, lid: Lid) -> None:
        if lid != self.lid:
            self.lid = lid
            self.emit_state()

    def _changed(self, change: Change) -> None:
        if change.card == self.held and change.source == "pack":
            self.held = None  # laid down with other cards: it is no card that is drawn next
        if "shoe" in (change.source, change.target) and self.empty != self._was_empty:
            self._was_empty = self.empty
            self.emit_state()
