"""The shuffler: it feeds, proves a set, permutes, cuts, delivers or gives back. It never tells an order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hil_rigs.virtual.codes import Kind, Outcome, Reason, Stage, Type, Verdict
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.device import Clock, Device, Done, Identity, Motion, refused
from hil_rigs.virtual.felt import Card, Change, Felt
from hil_rigs.virtual.messages import Fields, pack

SLOTS = 2
MASK_BYTES = 7
_MOST_TAGS = 56
_CARD_MS = 200
_MOTOR_MS = 1_000
_MODE_SHUFFLE = 0


@dataclass(frozen=True)
class ShufflerOptions:
    """What this shuffler can do. `shuffle_s` is the time of a shuffle in seconds."""

    cuts: bool = True
    identifies: bool = True
    min_cards: int = 1
    max_cards: int = 52
    has_reject: bool = True
    shuffle_s: int = 22


@dataclass(frozen=True)
class Fed(Done):
    """What a feed pass found."""

    verdict: Verdict = Verdict.WRONG
    strangers: int = 0
    missing: bytes = bytes(MASK_BYTES)
    surplus: bytes = bytes(MASK_BYTES)


class _Table:
    """The tags of one slot, by index."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.tags: dict[int, bytes] = {}
        self.confirmed = False

    def in_order(self) -> tuple[bytes, ...]:
        return tuple(self.tags[index] for index in sorted(self.tags))

    def complete(self) -> bool:
        return sorted(self.tags) == list(range(self.count)) and len(set(self.tags.values())) == self.count


class Shuffler(Device):
    """docs/protocol.md section 9, Shuffler."""

    kind = Kind.SHUFFLER
    commands = frozenset({Type.FEED, Type.SHUFFLE, Type.CUT, Type.OPEN_COVER, Type.CLOSE_COVER, Type.RETURN})

    def __init__(
        self,
        identity: Identity,
        clock: Clock,
        felt: Felt,
        options: ShufflerOptions,
        permute: Callable[[Sequence[Card]], Sequence[Card]],
        cut: Callable[[Sequence[Card]], Sequence[Card]],
    ) -> None:
        super().__init__(identity, clock)
        self.felt = felt
        self.able_to = options
        self.mode = _MODE_SHUFFLE
        self.stage = Stage.EMPTY
        self.cover_open = False
        self.lies = False
        """Whether it will say of its next shuffle that it is done, and do nothing."""
        self.stuck = False
        """Whether the sensor of the input goes on saying what it last said."""
        self._permute = permute
        self._cut = cut
        self._tables: dict[int, _Table] = {}
        self._members: frozenset[bytes] = frozenset()  # the tags of the set that the last feed was to prove
        self._sensed = (False, False)
        felt.listeners.append(self._changed)

    @property
    def options(self) -> int:
        """Bit 0 cuts, bit 1 identifies, bit 2 has a reject slot."""
        return self.able_to.cuts | self.able_to.identifies << 1 | self.able_to.has_reject << 2

    @property
    def data(self) -> bytes:
        """min_cards, max_cards, shuffle_s, deck slots."""
        able = self.able_to
        return bytes([able.min_cards, able.max_cards, able.shuffle_s, SLOTS])

    def set_mode(self, mode: int) -> None:
        """A technician turns the mode switch: 0 shuffle, 1 sort, 2 verify, 3 service."""
        if mode != self.mode:
            self.mode = mode
            self.emit_state()

    def emit_state(self) -> None:
        """Say the sensors and the stage."""
        body = pack(
            Type.SHUFFLER_STATE,
            time=self.time_ms,
            input=int(self._input),
            output=int(bool(self.felt.cards("output"))),
            cover=int(self.cover_open),
            mode=self.mode,
            stage=self.stage,
            held=len(self.felt.cards("machine")),
        )
        self.emit(Type.SHUFFLER_STATE, body)

    @property
    def _input(self) -> bool:
        """What the sensor of the input says."""
        return self._sensed[0] if self.stuck else bool(self.felt.cards("input"))

    def flicker(self) -> None:
        """The sensor of the input says the contrary for a moment, several times."""
        for _ in range(3):
            for says in (not self._sensed[0], self._sensed[0]):
                self.stuck, self._sensed = True, (says, self._sensed[1])
                self.emit_state()
        self.stuck = False

    def booted(self) -> None:
        """Deck tables are gone. Cards that are still inside prove nothing, whatever was begun with them."""
        self._tables.clear()
        self._members = frozenset()
        if self.felt.cards("machine"):
            self.stage = Stage.REFUSED
        elif self.stage != Stage.DELIVERED:
            self.stage = Stage.EMPTY

    def able(self, command: int) -> bool:
        """All six, but CUT only where it cuts."""
        return super().able(command) and (command != Type.CUT or self.able_to.cuts)

    def heard(self, type_: int, fields: Fields) -> None:
        """Take a deck's table."""
        if type_ not in (Type.DECK_BEGIN, Type.DECK_TAGS, Type.DECK_END):
            return
        slot = fields.num("deck")
        if type_ == Type.DECK_BEGIN:
            if slot < SLOTS and 1 <= fields.num("count") <= _MOST_TAGS:
                self._tables[slot] = _Table(fields.num("count"))
        elif slot not in self._tables or self._tables[slot].confirmed:
            return
        elif type_ == Type.DECK_TAGS:
            for index, uid in enumerate(fields.tags("uids"), start=fields.num("first")):
                self._tables[slot].tags[index] = uid
        else:
            self._confirm(slot)

    def begin(self, command: int, fields: Fields) -> Done | Motion:
        """Carry a command out, if the machine stands at its step."""
        if self.mode != _MODE_SHUFFLE and command != Type.RETURN:
            return refused(Reason.WRONG_MODE)
        if command == Type.FEED:
            return self._begin_feed(fields.num("deck"), fields.raw("expected"))
        if command == Type.SHUFFLE:
            return self._begin_shuffle()
        if command == Type.CUT:
            reason = self._unless(Stage.SHUFFLED)
            return refused(reason) if reason else Motion(_MOTOR_MS, self._end_cut)
        if command == Type.OPEN_COVER:
            return self._begin_open()
        if command == Type.CLOSE_COVER:
            return self._begin_close()
        if self.stage not in (Stage.HELD, Stage.REFUSED, Stage.SHUFFLED, Stage.CUT):
            return refused(Reason.EMPTY if self.stage == Stage.EMPTY else Reason.WRONG_STAGE)
        return Motion(_CARD_MS * len(self.felt.cards("machine")), self._end_return)

    def answer(self, command_id: int, command: int, done: Done) -> None:
        """FEED is answered by FED, everything else by RESULT."""
        if command != Type.FEED:
            super().answer(command_id, command, done)
            return
        fed = done if isinstance(done, Fed) else Fed(done.outcome, done.reason, done.count)
        body = pack(
            Type.FED,
            time=self.time_ms,
            id=command_id,
            outcome=fed.outcome,
            reason=fed.reason,
            verdict=fed.verdict,
            count=min(fed.count, 255),
            strangers=min(fed.strangers, 255),
            missing=fed.missing,
            surplus=fed.surplus,
        )
        self.emit(Type.FED, body)

    def _confirm(self, slot: int) -> None:
        table = self._tables[slot]
        if not table.complete():
            return  # an incomplete table is not confirmed, and nothing else is said of it
        table.confirmed = True
        crc = crc16(b"".join(bytes([len(uid)]) + uid for uid in table.in_order()))
        body = pack(Type.DECK_READY, time=self.time_ms, deck=slot, count=table.count, crc=crc)
        self.emit(Type.DECK_READY, body)

    def _begin_feed(self, slot: int, expected: bytes) -> Done | Motion:
        indices = [index for index in range(8 * MASK_BYTES) if expected[index // 8] >> index % 8 & 1]
        table = self._tables.get(slot)
        reason = self._why_no_feed(len(indices))
        if not reason and self.able_to.identifies:
            if table is None or not table.confirmed:
                reason = Reason.NO_DECK
            elif indices[-1:] and indices[-1] >= table.count:
                reason = Reason.BAD_VALUE
        if reason:
            return refused(reason)
        tags = table.in_order() if table is not None and table.confirmed else ()
        self._set_stage(Stage.FEEDING)
        return Motion(_CARD_MS * len(self.felt.cards("input")), lambda: self._end_feed(tags, indices))

    def _why_no_feed(self, expected: int) -> Reason:
        checks = (
            (bool(self.felt.cards("output")), Reason.OUTPUT_FULL),
            (self.cover_open, Reason.COVER_OPEN),
            (self.stage != Stage.EMPTY, Reason.WRONG_STAGE),
            (not self.felt.cards("input"), Reason.INPUT_EMPTY),
            (expected < self.able_to.min_cards, Reason.TOO_FEW),
            (expected > self.able_to.max_cards, Reason.TOO_MANY),
        )
        return next((reason for wrong, reason in checks if wrong), Reason.NONE)

    def _end_feed(self, tags: tuple[bytes, ...], indices: list[int]) -> Done:
        for card in self.felt.cards("input"):
            self.felt.move(card, "machine")
        fed = self._proof(tags, indices)
        self._set_stage(Stage.REFUSED if fed.verdict == Verdict.WRONG else Stage.HELD)
        return fed

    def _proof(self, tags: tuple[bytes, ...], indices: list[int]) -> Fed:
        uids = [card.uid for card in self.felt.cards("machine")]
        if not self.able_to.identifies:
            self._members = frozenset()
            verdict = Verdict.COUNTED if len(uids) == len(indices) else Verdict.WRONG
            return Fed(Outcome.DONE, Reason.NONE, len(uids), verdict)
        index_of = {uid: index for index, uid in enumerate(tags)}
        found = {index_of[uid] for uid in uids if uid in index_of}
        strangers = sum(uid not in index_of for uid in uids)
        wanted = set(indices)
        self._members = frozenset(tags[index] for index in wanted)
        right = found == wanted and not strangers
        verdict = Verdict.PROVED if right else Verdict.WRONG
        missing, surplus = _mask(wanted - found), _mask(found - wanted)
        return Fed(Outcome.DONE, Reason.NONE, len(uids), verdict, strangers, missing, surplus)

    def _begin_shuffle(self) -> Done | Motion:
        held = len(self.felt.cards("machine"))
        reason = self._unless(Stage.HELD)
        if not reason and held < self.able_to.min_cards:
            reason = Reason.TOO_FEW
        if not reason and held > self.able_to.max_cards:
            reason = Reason.TOO_MANY
        if reason:
            return refused(reason)
        if self.lies:
            self.lies = False
            return Done(count=held)
        self._set_stage(Stage.SHUFFLING)
        return Motion(1_000 * self.able_to.shuffle_s, self._end_shuffle)

    def _end_shuffle(self) -> Done:
        self.felt.reorder("machine", self._permute(self.felt.cards("machine")))
        self._set_stage(Stage.SHUFFLED)
        return Done(count=len(self.felt.cards("machine")))

    def _end_cut(self) -> Done:
        self.felt.reorder("machine", self._cut(self.felt.cards("machine")))
        self._set_stage(Stage.CUT)
        return Done(count=len(self.felt.cards("machine")))

    def _begin_open(self) -> Done | Motion:
        reason = self._unless(Stage.CUT if self.able_to.cuts else Stage.SHUFFLED)
        if not reason and self.felt.cards("output"):
            reason = Reason.OUTPUT_FULL
        return refused(reason) if reason else Motion(_MOTOR_MS, self._end_open)

    def _end_open(self) -> Done:
        cards = self.felt.cards("machine")
        for card in cards:
            self.felt.move(card, "output")
        self.cover_open = True
        self._set_stage(Stage.DELIVERED)
        return Done(count=len(cards))

    def _begin_close(self) -> Done | Motion:
        if self.stage != Stage.DELIVERED:
            return refused(Reason.WRONG_STAGE)
        if self.felt.cards("output"):
            return refused(Reason.OUTPUT_FULL)
        return Motion(_MOTOR_MS, self._end_close)

    def _end_close(self) -> Done:
        self.cover_open = False
        self._set_stage(Stage.EMPTY)
        return Done()

    def _end_return(self) -> Done:
        """Members of the set first, all others last: these then lie on top."""
        cards = self.felt.cards("machine")
        for card in sorted(cards, key=lambda card: card.uid not in self._members):
            self.felt.move(card, "returned", on_top=True)
        self._set_stage(Stage.EMPTY)
        return Done(count=len(cards))

    def _unless(self, stage: Stage) -> Reason:
        if self.stage == Stage.REFUSED:
            return Reason.WRONG_SET
        return Reason.NONE if self.stage == stage else Reason.WRONG_STAGE

    def _set_stage(self, stage: Stage) -> None:
        self.stage = stage
        self.emit_state()

    def _changed(self, change: Change) -> None:
        if {"input", "output"} & {change.source, change.target}:
            self.look()

    def look(self) -> None:
        """Say what the sensors see, where that is not what they said last."""
        sensed = (self._input, bool(self.felt.cards("output")))
        if sensed != self._sensed:
            self._sensed = sensed
            self.emit_state()


def _mask(indices: set[int]) -> bytes:
    mask = bytearray(MASK_BYTES)
    for index in indices:
        mask[index // 8] |= 1 << index % 8
    return bytes(mask)
