"""What hangs on the table and in what state it is, as far as the devices have said."""

from dataclasses import dataclass, field

import msgspec

from controller.events import (
    DEVICES,
    AnyEvent,
    DeviceLost,
    DeviceName,
    KeypadReady,
    Occupied,
    PromptsReady,
    ShoeReady,
    ShoeState,
    ShufflerReady,
    ShufflerState,
    ZonesReady,
)
from controller.places import CUT_PLATE, Place

WITH_STATE: tuple[DeviceName, ...] = ("shoe", "shuffler", "zones")
"""Devices that say in what state they are."""

RUNNING_STAGES = frozenset({"feeding", "shuffling"})
"""Stages in which the shuffler moves cards: what it was told before a restart may still be going on."""

NO_SHOE = ShoeReady(gate=False, burner=False)
NO_SHUFFLER = ShufflerReady(cuts=False, identifies=False, min_cards=1, max_cards=52)
NO_ZONES = ZonesReady(facing=False, places=())
NO_KEYPAD = KeypadReady(acts=False)


class EquipmentState(msgspec.Struct, frozen=True):
    """What each device can do, and what it said last."""

    shoe: ShoeReady
    shuffler: ShufflerReady
    zones: ZonesReady
    keypad: KeypadReady
    shoe_state: ShoeState
    shuffler_state: ShufflerState
    occupied: tuple[Place, ...]
    answering: frozenset[DeviceName]
    told_state: frozenset[DeviceName]


@dataclass
class Equipment:
    """Capabilities and last known state of each device. Nothing is assumed: what was not declared is not
    there."""

    wanted: frozenset[DeviceName] = frozenset(DEVICES)
    shoe: ShoeReady = NO_SHOE
    shuffler: ShufflerReady = NO_SHUFFLER
    zones: ZonesReady = NO_ZONES
    keypad: KeypadReady = NO_KEYPAD
    shoe_state: ShoeState = field(default_factory=lambda: ShoeState(lid="locked", content="empty"))
    shuffler_state: ShufflerState = field(
        default_factory=lambda: ShufflerState(
            input="none", output="none", cover="shut", mode="shuffle", held=0
        )
    )
    occupied: tuple[Place, ...] = ()
    _answering: set[DeviceName] = field(default_factory=set)
    _told_state: set[DeviceName] = field(default_factory=set)

    def state(self) -> EquipmentState:
        """All of it."""
        return EquipmentState(
            shoe=self.shoe,
            shuffler=self.shuffler,
            zones=self.zones,
            keypad=self.keypad,
            shoe_state=self.shoe_state,
            shuffler_state=self.shuffler_state,
            occupied=self.occupied,
            answering=frozenset(self._answering),
            told_state=frozenset(self._told_state),
        )

    def resume(self, state: EquipmentState) -> None:
        """Goes on from there."""
        self.shoe, self.shuffler, self.zones = state.shoe, state.shuffler, state.zones
        self.keypad, self.shoe_state, self.shuffler_state = (
            state.keypad,
            state.shoe_state,
            state.shuffler_state,
        )
        self.occupied = state.occupied
        self._answering, self._told_state = set(state.answering), set(state.told_state)

    @property
    def antennas(self) -> frozenset[Place]:
        """Places where a card's arrival is reported."""
        return frozenset(self.zones.places)

    @property
    def missing(self) -> tuple[DeviceName, ...]:
        """Devices that the table needs and that do not answer."""
        return tuple(name for name in DEVICES if name in self.wanted - self._answering)

    @property
    def shoe_has_told(self) -> bool:
        """Whether the shoe has said in what state it is since it answers: what it had kept came before."""
        return "shoe" in self._told_state

    @property
    def known(self) -> bool:
        """Whether every device answers and has said in what state it is."""
        return not self.missing and (self.wanted & set(WITH_STATE)) <= self._told_state

    @property
    def in_the_way(self) -> tuple[str, ...]:
        """Where cards lie that a power-up must not find; the cut card belongs on its plate."""
        found = []
        if self.shoe_state.content == "cards" or self.shoe_state.lid == "open":
            found.append("shoe")
        shuffler = self.shuffler_state
        cards = shuffler.held or shuffler.output == "cards" or shuffler.stage in RUNNING_STAGES
        if cards or shuffler.cover == "open":
            found.append("shuffler")
        return (*found, *(place for place in self.occupied if place != CUT_PLATE))

    def asked_anew(self) -> None:
        """What the devices said of their state counts no more: they are asked again."""
        self._told_state.clear()

    def note(self, event: AnyEvent) -> None:
        """Takes what an event says about a device."""
        match event:
            case ShoeReady():
                self.shoe = event
                self._answers("shoe")
            case ShufflerReady():
                self.shuffler = event
                self._answers("shuffler")
            case ZonesReady():
                self.zones = event
                self._answers("zones")
            case PromptsReady():
                self._answers("prompts")
            case KeypadReady():
                self.keypad = event
                self._answers("keypad")
            case DeviceLost():
                self._answering.discard(event.device)
                self._told_state.discard(event.device)
            case ShoeState():
                self.shoe_state = event
                self._told_state.add("shoe")
            case ShufflerState():
                # What is said again is no further word of the machine: whoever waits for one has had it.
                self.shuffler_state = self.shuffler_state if event == self.shuffler_state else event
                self._told_state.add("shuffler")
            case Occupied():
                self.occupied = tuple(place for place in event.places if place in self.antennas)
                self._told_state.add("zones")
            case _:
                pass

    def _answers(self, device: DeviceName) -> None:
        self._answering.add(device)
