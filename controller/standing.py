"""Where a table stands between its devices and its doors: the core and all that goes with it, put down once a
hand and taken up again after a crash (docs/journal.md, "Checkpoints" and "Going on").

The same decisions have the same consequences here whether they are made now or were made before a crash; what
leaves for the devices is the service's.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from controller.checkpoint import Answer, Checkpoint, tables_digest
from controller.decisions import AnyDecision, Command, Deadline, HandBegan, Prompt
from controller.decks import Registry
from controller.errors import ReplayError
from controller.events import AnyEvent, AnyReady, DeviceLost, DeviceName
from controller.feed import Feed
from controller.journal import Record
from controller.known_device import KnownDevice
from controller.notices import Lit, PromptShown, told
from controller.orders import Orders, Send
from controller.prompter import Prompter
from controller.table import Table
from controller.table_setup import TableSetup
from controller.translate import DeckInUse, Translator
from firmware_bridge.capabilities import PromptsCaps
from firmware_bridge.events import Mark
from firmware_bridge.messages import Order


class Standing:
    """One table: its `core`, its `translator`, `prompter`, `orders`, `feed`, and what is known of its
    `devices`. `tables` is the digest of the decks' tables, `hand` the number of the hand, 0 before the first.
    """

    def __init__(
        self,
        name: str,
        setup: TableSetup,
        registry: Registry,
        decks: Sequence[DeckInUse],
        prompter: Prompter,
        send: Send,
    ) -> None:
        self._setup = setup
        self._kept_hand = 0
        self.core = Table(setup)
        self.translator = Translator(registry, decks)
        self.prompter = prompter
        self.orders = Orders(name, self.translator, send)
        self.feed = Feed()
        self.devices: dict[DeviceName, KnownDevice] = {device: KnownDevice() for device in setup.devices}
        self.tables = tables_digest(deck.indices_order for deck in decks)
        self.hand = 0

    @property
    def marks(self) -> Mapping[DeviceName, Mark]:
        """The last event of each device that was taken."""
        return {name: known.mark for name, known in self.devices.items() if known.mark is not None}

    def decide(self, event: AnyEvent) -> tuple[AnyDecision, ...]:
        """What follows from an event."""
        decisions = self.core.handle(event)
        for decision in decisions:
            if isinstance(decision, HandBegan):
                self.hand = decision.number
                self.translator.in_play = decision.deck
        return decisions

    def due(self, decisions: Iterable[AnyDecision]) -> dict[int, int]:
        """When the deadlines that were set are due, in the times of their devices, as far as these are
        known."""
        due = {}
        for decision in decisions:
            if isinstance(decision, Deadline):
                at = self.devices[decision.device].due(decision.ms)
                if at is not None:
                    due[decision.token] = at
        return due

    def follows(self, decision: AnyDecision, due: Mapping[int, int], entry: int) -> None:
        """What follows from a decision of an entry but for what leaves to a device."""
        if isinstance(decision, Deadline):
            known = self.devices[decision.device]
            known.is_due(decision.token, due.get(decision.token), decision.ms, self.core.open_deadlines)
        elif (notice := told(decision)) is not None:
            self.feed.tell(notice, after=entry)

    def shows(self, prompt: Prompt, entry: int) -> list[Order]:
        """A prompt of an entry: the messages that show it, none where it is on display already, was
        acknowledged, and was calm before."""
        if self.prompter.is_on_display(prompt):
            return []
        messages = self.prompter.show(prompt)
        worded, spans = self.prompter.word(prompt)
        self.feed.tell(
            PromptShown(
                code=prompt.code,
                seat=prompt.seat or None,
                count=prompt.count,
                text=worded.text,
                glyph=worded.glyph,
                colour=worded.colour,
                lit=tuple(Lit(span.first, span.last, span.colour, span.pattern) for span in spans),
                acknowledged=prompt.acknowledged,
            ),
            after=entry,
        )
        return messages

    # Put down

    def put_down(self) -> bytes | None:
        """Once a hand the table as it stands, as JSON, and it goes on from what was put down; else None.

        So whoever goes on after a crash begins with no more and no less than this table did.
        """
        if self._kept_hand == self.hand or not self.core.stands_at_pack:
            return None
        self._kept_hand = self.hand
        checkpoint = Checkpoint(
            table=self.core.state(),
            notices=self.feed.last,
            prompt=self.prompter.current,
            prompt_number=self.prompter.number,
            orders=self.orders.ids(self.core.unanswered),
            devices={name: known.state() for name, known in self.devices.items()},
        )
        said = msgspec.json.encode(checkpoint)
        self.core = Table(self._setup, msgspec.json.decode(said, type=Checkpoint).table)
        return said

    # Taken up

    def retell(self, checkpoint: Checkpoint | None, records: Iterable[Record]) -> None:
        """Tells once more what followed from entries before a checkpoint, from another one on or from the
        start: a door may not have heard it. To be called before `resume`."""
        if checkpoint is not None:
            self.feed.resume(checkpoint.notices)
            self._prompts_as_in(checkpoint)
        for record in records:
            if record.answer is not None:
                self._answered_before(record.answer)
            for decision in record.decisions:
                if isinstance(decision, Prompt):
                    self.shows(decision, 0)
                elif (notice := told(decision)) is not None:
                    self.feed.tell(notice, after=0)

    def resume(self, checkpoint: Checkpoint) -> None:
        """Begins where a table was put down; `repeat` then takes what was written since. Raises KeyError
        where it does not fit this table."""
        self.core = Table(self._setup, checkpoint.table)
        self.hand = self._kept_hand = checkpoint.table.hand
        self.translator.in_play = checkpoint.table.second.in_play
        self.feed.resume(checkpoint.notices)
        for name, state in checkpoint.devices.items():
            self.devices[name] = KnownDevice.resumed(state)
        for ref, id_ in checkpoint.orders.items():
            self.orders.resume(self.core.command(ref), id_)
        self._prompts_as_in(checkpoint)

    def _prompts_as_in(self, checkpoint: Checkpoint) -> None:
        self.prompter.resume(checkpoint.prompt, checkpoint.prompt_number)
        for state in checkpoint.devices.values():
            if state.answer is not None:
                self._answered_before(state.answer)

    def repeat(self, number: int, record: Record) -> None:
        """Takes an entry that was written before a crash. Raises ReplayError where something else would
        follow from it now."""
        if record.source is not None:
            known = self.devices[record.source.device]
            known.mark = Mark(record.source.boot, record.source.number)
            known.time = record.source.time
        if record.answer is not None:
            self._is_there(record.answer, record.event)
        if record.event is None:
            return
        if isinstance(record.event, DeviceLost):
            self.devices[record.event.device].present = False
        decisions = self.decide(record.event)
        if decisions != record.decisions:
            raise ReplayError(number)
        for place, decision in enumerate(decisions):
            match decision:
                case Command():
                    self.orders.decided(decision, self.hand, number, place)
                case Prompt():
                    self.shows(decision, 0)
                case _:
                    self.follows(decision, record.due, 0)

    def _is_there(self, answer: Answer, event: AnyEvent | None) -> None:
        known = self.devices[answer.device]
        if known.boot != answer.boot or (isinstance(event, AnyReady) and event.restarted):
            known.boots_anew()
            self.orders.forget(answer.device)
        known.answer, known.present = answer, True
        self._answered_before(answer)

    def _answered_before(self, answer: Answer) -> None:
        """Of what a device said of itself only the ring's words matter for those of its prompts."""
        caps = answer.capabilities()
        if isinstance(caps, PromptsCaps):
            self.prompter.ring_is(caps)

    def goes_on(self) -> None:
        """All that was written is taken: what the devices do not know yet is told to them once they
        answer."""
        self.orders.all_may_have_left(self.core.unanswered)
        self.prompter.ring_comes_later()
        self.feed.settle(0)
        for known in self.devices.values():
            known.holds_decks = known.answer is not None and known.answer.tables == self.tables
