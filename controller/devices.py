"""The devices of a table: the power-up until all answer and nothing is in the way; those that come and go.

See docs/procedures.md, "Power-up" and "A device is lost".
"""

from collections.abc import Callable
from typing import Final

from controller.decisions import Ask, Prompt
from controller.desk import Desk
from controller.equipment import RUNNING_STAGES, WITH_STATE, Equipment
from controller.events import (
    DEVICES,
    DeviceLost,
    DeviceName,
    DeviceRefused,
    Event,
    EventsLost,
    Faulted,
    Insecure,
    KeypadReady,
    PromptsReady,
    ShoeReady,
    ShufflerReady,
    ZonesReady,
)
from controller.loading import Loading
from controller.loading_steps import first_pack
from controller.table_setup import TableSetup

INSECURE: Final = (
    "this table takes devices without keys (--insecure): whoever is on a cable can read and forge what they "
    "say; no game may be played on it"
)
"""What is told of a table that does."""
_CARRYING_CARDS: Final = (ShoeReady, ShufflerReady, ZonesReady)
_DEVICE_OF: Final[dict[type[Event], DeviceName]] = {
    ShoeReady: "shoe",
    ShufflerReady: "shuffler",
    ZonesReady: "zones",
    PromptsReady: "prompts",
    KeypadReady: "keypad",
}
_SHUFFLING: Final = "shuffle"
WRITTEN_AGAIN: Final = "the journal can be written again"


class Devices:
    """What follows from what devices say of themselves. `halt` is called with code and text."""

    def __init__(
        self,
        desk: Desk,
        equipment: Equipment,
        setup: TableSetup,
        loading: Loading,
        halt: Callable[[str, str], None],
    ) -> None:
        self._desk = desk
        self._equipment = equipment
        self._setup = setup
        self._loading = loading
        self._halt = halt
        self._mode = _SHUFFLING
        self.started = False
        """Whether the table was found empty since it powered up: what happens means something."""

    @property
    def mode(self) -> str:
        """The shuffler's mode, as it told it last."""
        return self._mode

    def resume(self, mode: str) -> None:
        """Goes on in the middle of an evening."""
        self._mode, self.started = mode, True

    # Power-up

    def power_up(self) -> None:
        """Shoe and zones empty, nothing in the shuffler: then the deck is asked for. Anything else is for
        hands."""
        if self.started or not self._equipment.known or self._desk.phase != "idle":
            return
        in_the_way = self._equipment.in_the_way
        if in_the_way:
            asked = self._desk.asked
            if asked is None or asked.code != "table-not-empty":
                self._desk.alert(
                    "table-not-empty", "cards lie where a table must be empty: " + ", ".join(in_the_way)
                )
            self._desk.ask_for_rest("table-not-empty", count=len(in_the_way))
            return
        self.started = True
        if self._setup.follow == "tracked" and not self._equipment.keypad.acts:
            self._desk.alert(
                "acts-not-told", "the keypad has no acts: betting is followed by the key next, chips are not"
            )
        self._loading.ask_for_deck(first_pack(self._setup.decks))

    def begin_anew(self) -> None:
        """The table is cleared by hand and asks for its decks as at power-up."""
        self.started = False
        self._equipment.asked_anew()
        self._ask_for_states()

    def clear_the_way(self) -> None:
        """The dealer clears the table: what holds cards lets them go, and every device says what it sees."""
        equipment = self._equipment
        self._desk.acknowledge()
        self._loading.free_stub()
        if equipment.shuffler_state.held and equipment.shuffler_state.stage not in RUNNING_STAGES:
            self._desk.order("shuffler", "return")
        if equipment.shuffler_state.cover == "open" and equipment.shuffler_state.output == "none":
            self._desk.order("shuffler", "close-cover")
        self._ask_for_states()

    def _ask_for_states(self) -> None:
        for device in WITH_STATE:
            if device in self._equipment.wanted:
                self._desk.tell(Ask(device=device))

    # Devices that come and go

    def answers(self, event: ShoeReady | ShufflerReady | ZonesReady | PromptsReady | KeypadReady) -> None:
        """A device is there, for the first time or again."""
        if event.restarted:
            # What it had been told is unknown now: it never finishes an interrupted command.
            self._desk.forget(_DEVICE_OF[type(event)])
        if event.restarted and isinstance(event, _CARRYING_CARDS) and self._desk.phase != "idle":
            self._halt("alignment-required", "a device was restarted in the middle of a hand")
        self._show_what_stands()

    def _show_what_stands(self) -> None:
        """The device that is missing still, or what the dealer is asked for."""
        missing = self._equipment.missing
        self._desk.dealer_sees = "prompts" not in missing
        if self._desk.asked is None:
            return
        if missing:
            self._desk.tell(Prompt(code="device-lost", count=DEVICES.index(missing[0]) + 1))
        else:
            self._desk.show_again()

    def fails(self, event: DeviceLost | EventsLost | Faulted) -> None:
        """A device is gone, has lost what it had to tell, or says what is wrong with it."""
        match event:
            case DeviceLost():
                self._desk.alert("device-lost", event.why)
                self._show_what_stands()
            case EventsLost() if not self.started:
                pass  # what the devices say of themselves at power-up settles it
            case EventsLost():
                self._halt("alignment-required", f"events of the {event.device} are lost")
            case Faulted():
                self._desk.alert("device-fault", f"{event.device}: {event.fault} {event.state}")

    def warns(self, event: DeviceRefused | Insecure) -> None:
        """A device was refused for its key, or the table takes some without any."""
        match event:
            case DeviceRefused():
                self._desk.alert("device-refused", event.why)
            case Insecure():
                self._desk.alert("insecure", INSECURE)

    def mode_is(self, mode: str) -> None:
        """Only the mode `shuffle` delivers to play; any other is shown."""
        if mode not in (self._mode, _SHUFFLING):
            self._desk.alert("shuffler-mode", f"the shuffler is set to {mode}: it delivers no pack to play")
        self._mode = mode
