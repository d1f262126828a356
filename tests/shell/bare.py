"""A service without a table: devices answer what they are told, when they are told to."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from msgspec.structs import replace

from controller.assembly import make_service
from controller.checking import Checker
from controller.decisions import AnyDecision
from controller.events import DeviceName
from controller.journal import Record
from controller.notices import AnyNotice, PromptShown
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import (
    Capabilities,
    KeypadCaps,
    PromptsCaps,
    ShoeCaps,
    ShufflerCaps,
    ZonesCaps,
)
from firmware_bridge.codes import (
    Charset,
    Cover,
    Gate,
    Key,
    Lid,
    Mode,
    Outcome,
    Reason,
    Stage,
    Verdict,
    Zone,
)
from firmware_bridge.devices.shuffler import deck_crc
from tests.shell import packs
from tests.shell.joined import ORDER, config

M = TypeVar("M", bound=wire.Message)
BOOT: Final = 77
CAPS: Final[dict[DeviceName, Capabilities]] = {
    "shoe": ShoeCaps(gate=True, burner=True, facing=True, holds=52),
    "shuffler": ShufflerCaps(
        cuts=True, identifies=True, has_reject=False, min_cards=10, max_cards=52, shuffle_s=1, slots=2
    ),
    "zones": ZonesCaps(facing=True, antennas=frozenset(Zone)),
    "prompts": PromptsCaps(leds=64, columns=20, rows=2, charset=Charset.ASCII),
    "keypad": KeypadCaps(acts=True, badge=False, digits=False),
}


class HandJournal:
    """Keeps its records, those of messages that mean nothing apart. `durable` follows at once, or, once it is
    `held`, is moved by the test."""

    trouble = ""

    def __init__(self, last: int = 0) -> None:
        self.records: list[Record] = []
        self.heard: list[Record] = []
        self.kept: list[bytes] = []
        self.last = self.durable = last
        self.held = False

    def append(self, record: Record) -> int:
        (self.heard if record.event is None else self.records).append(record)
        return self._counts()

    def keep(self, state: bytes, hand: int) -> int:
        self.kept.append(state)
        return self._counts()

    def _counts(self) -> int:
        self.last += 1
        if not self.held:
            self.durable = self.last
        return self.last

    def wake_fd(self) -> int | None:
        return None

    def drain_wake(self) -> None:
        pass

    def close(self) -> None:
        pass


class Bare:
    """The service and what it has sent. Devices tell `time`; their events are numbered from 1.

    `other` is the id of a second deck, where there is one.
    """

    def __init__(
        self,
        *,
        name: str = "joined",
        journal: HandJournal | None = None,
        time: int = 1000,
        other: str | None = None,
        checker: Checker | None = None,
        require_sign_in: bool = False,
    ) -> None:
        self.journal = journal or HandJournal()
        plain = config(Path("."))
        named = replace(
            plain,
            table=replace(plain.table, name=name, require_sign_in=require_sign_in),
            decks=replace(plain.decks, play="red", other=other),
        )
        self.service = make_service(
            named, self.journal, ORDER, packs.both() if other else packs.registry(), checker
        )
        self.time: dict[DeviceName, int] = dict.fromkeys(CAPS, time)
        self.numbers: dict[DeviceName, int] = dict.fromkeys(CAPS, 0)
        self.sent: list[tuple[DeviceName, wire.Message]] = []
        self.told: list[AnyNotice] = []

    # From the devices

    def answers(
        self, device: DeviceName, *, boot: int = BOOT, restarted: bool = False, lost: int = 0
    ) -> None:
        self.service.answers(device, boot, CAPS[device], restarted=restarted, lost=lost)

    def say(self, device: DeviceName, make: Callable[[int], wire.Message]) -> int:
        """An event at the device's time; its number."""
        self.numbers[device] += 1
        self.service.received(device, self.numbers[device], make(self.time[device]))
        return self.numbers[device]

    def press(self, key: Key) -> int:
        return self.say("keypad", lambda time: wire.KeyPressed(time, key, 0))

    def shuffler_is(self, *, cards_in_input: bool = False, cards_in_output: bool = False) -> None:
        cover = Cover.OPEN if cards_in_output else Cover.SHUT
        self.say(
            "shuffler",
            lambda time: wire.ShufflerState(
                time, cards_in_input, cards_in_output, cover, Mode.SHUFFLE, Stage.EMPTY, 0
            ),
        )

    def shoe_is(self, lid: Lid, *, empty: bool) -> None:
        self.say("shoe", lambda time: wire.ShoeState(time, lid, empty, Gate.SHUT, 0))

    def confirm_deck(self, slot: int = 0, *, wrong: bool = False) -> None:
        tags = [uid for m in self.taken(wire.DeckTags) if m.deck == slot for uid in m.uids][-52:]
        crc = deck_crc(tags) ^ wrong
        self.say("shuffler", lambda time: wire.DeckReady(time, slot, 52, crc))

    # To the devices

    def take(self) -> list[tuple[DeviceName, wire.Message]]:
        """What lies in the outbox, taken out of it."""
        taken = list(self.service.outbox)
        self.service.outbox.clear()
        self.sent += taken
        self.told += [notice.said for notice in self.service.notices]
        self.service.notices.clear()
        return taken

    def taken(self, kind: type[M]) -> list[M]:
        """All messages of a kind that were ever sent."""
        self.take()
        return [message for _, message in self.sent if isinstance(message, kind)]

    def waiting(self) -> list[tuple[DeviceName, wire.Command]]:
        """The commands in the outbox."""
        return [(name, m) for name, m in self.service.outbox if isinstance(m, wire.Command)]

    def carry_out(self) -> None:
        """The devices do all that they are told, and show what they are shown."""
        while taken := self.take():
            for device, message in taken:
                self.obey(device, message)

    def obey(self, device: DeviceName, message: wire.Message) -> None:
        match message:
            case wire.Feed():
                self.say(
                    device,
                    lambda time: wire.Fed(
                        time,
                        message.id,
                        Outcome.DONE,
                        Reason.NONE,
                        Verdict.PROVED,
                        52,
                        0,
                        bytes(7),
                        bytes(7),
                    ),
                )
            case wire.Command():
                self.say(
                    device,
                    lambda time: wire.Result(time, message.id, message.TYPE, Outcome.DONE, Reason.NONE, 0),
                )
            case wire.Show():
                self.say(device, lambda time: wire.Shown(time, message.prompt, Outcome.DONE, Reason.NONE))
            case wire.DeckEnd():
                self.confirm_deck(message.deck)
            case _:
                pass

    # Further on

    def power_up(self) -> None:
        """Every device answers and the table is empty: the deck is asked for."""
        for device in CAPS:
            self.answers(device)
        self.shoe_is(Lid.LOCKED, empty=True)
        self.shuffler_is()
        self.say("zones", lambda time: wire.ZonesState(time, 0))
        self.carry_out()
        assert self.prompt == "deck-in"

    def begin_hand(self) -> None:
        """The deck lies in the input and the dealer says so: FEED lies in the outbox."""
        self.shuffler_is(cards_in_input=True)
        self.press(Key.ACK)

    def deliver(self) -> None:
        """The shuffler has done all of it: the dealer is asked to lift the pack."""
        self.begin_hand()
        self.carry_out()
        self.shuffler_is(cards_in_output=True)
        self.carry_out()
        assert self.prompt == "lift-pack"

    @property
    def prompt(self) -> str:
        """The code of the standing prompt."""
        self.take()
        return next(said.code for said in reversed(self.told) if isinstance(said, PromptShown))

    @property
    def decisions(self) -> list[AnyDecision]:
        """All that the core has decided."""
        return [decision for record in self.journal.records for decision in record.decisions]
