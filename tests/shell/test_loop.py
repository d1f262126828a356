"""The loop between a service and its sessions, with sessions that say what the test lets them say."""

import contextlib
from collections.abc import Iterator
from typing import Final, Literal, cast
from unittest.mock import NonCallableMagicMock

import pytest
from pytest_mock import MockerFixture

from controller import loop as loop_module
from controller.events import DEVICES, DeviceLost, DeviceName
from controller.loop import Startup, TableLoop
from firmware_bridge import events as bridge
from firmware_bridge import messages as wire
from firmware_bridge.codes import Cover, DeviceKind, Gate, Key, Lid, Mode, Stage
from firmware_bridge.errors import DeviceGone, LinkLost, PortBusy, WrongDevice
from firmware_bridge.session import Session
from tests.shell.bare import BOOT, CAPS, Bare

STATES: Final[dict[DeviceName, wire.Event]] = {
    "shoe": wire.ShoeState(60, Lid.LOCKED, True, Gate.SHUT, 0),
    "shuffler": wire.ShufflerState(60, False, False, Cover.SHUT, Mode.SHUFFLE, Stage.EMPTY, 0),
    "zones": wire.ZonesState(60, 0),
}
GONE = DeviceGone("/dev/x", "the device was unplugged", "plug it in again")


class Looped:
    """A loop over mocked sessions; `say` lets one of them tell something in the next turn."""

    def __init__(self, mocker: MockerFixture, *, begins: Literal["anew", "where-it-was"] = "anew") -> None:
        self.bare = Bare()
        self.now = 1.0
        self.said: dict[DeviceName, list[bridge.SessionEvent]] = {name: [] for name in DEVICES}
        self.sessions: dict[DeviceName, NonCallableMagicMock] = {}
        for name in DEVICES:
            session = cast(NonCallableMagicMock, mocker.create_autospec(Session, instance=True))
            session.fileno.return_value = None
            session.next_timer.return_value = 0.0
            session.on_readable.return_value = []
            session.unacknowledged.return_value = 0
            session.latency_ms = None
            session.on_timer.side_effect = lambda _now, name=name: self._taken(name)
            self.sessions[name] = session
        self.loop = TableLoop(
            self.bare.service, self.bare.journal, self.sessions, begins=begins, now=lambda: self.now
        )

    def _taken(self, name: DeviceName) -> list[bridge.SessionEvent]:
        said, self.said[name] = self.said[name], []
        return said

    def say(self, name: DeviceName, *events: bridge.SessionEvent) -> None:
        self.said[name] += events
        self.loop.turn()

    def all_up(self) -> None:
        for name in DEVICES:
            self.say(name, up(name))

    def orders(self, name: DeviceName) -> list[wire.Message]:
        return [call.args[0] for call in self.sessions[name].send.call_args_list]


def up(name: DeviceName, *, restarted: bool = False, lost: bool = False) -> bridge.Up:
    identity = bridge.Identity(DeviceKind.of(name), "X", "1.0.0", BOOT)
    return bridge.Up(identity, CAPS[name], restarted, lost)


@pytest.fixture
def looped(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Looped]:
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.0)
    looped = Looped(mocker)
    yield looped
    looped.loop.close()


def test_an_acknowledgement_that_falls_due_while_a_device_is_away_is_kept_by_its_session(
    looped: Looped,
) -> None:
    looped.all_up()
    looped.bare.journal.held = True
    looped.say("keypad", bridge.Received(7, wire.KeyPressed(5, Key.UNDO, 0), BOOT), bridge.Down(GONE))
    looped.sessions["keypad"].acknowledge.assert_not_called()
    looped.bare.journal.durable = looped.bare.journal.last
    looped.bare.service.settle()
    looped.loop.turn()
    looped.sessions["keypad"].acknowledge.assert_called_once_with(7, 1.0, boot=BOOT)


def test_nothing_is_sent_to_a_device_that_is_away(looped: Looped) -> None:
    looped.all_up()
    looped.say("prompts", bridge.Down(GONE))
    before = len(looped.orders("prompts"))
    looped.say("keypad", bridge.Received(1, wire.KeyPressed(5, Key.FLOOR, 0), BOOT))
    assert len(looped.orders("prompts")) == before
    looped.say("prompts", up("prompts"))
    assert len(looped.orders("prompts")) > before


def test_what_an_event_caused_reaches_the_sessions_before_its_acknowledgement(looped: Looped) -> None:
    looped.all_up()
    order: list[str] = []
    looped.sessions["shoe"].send.side_effect = lambda *_: order.append("lock")
    looped.sessions["prompts"].send.side_effect = lambda *_: order.append("prompt")
    looped.sessions["keypad"].acknowledge.side_effect = lambda *_, **__: order.append("ack")
    looped.say("keypad", bridge.Received(1, wire.KeyPressed(5, Key.FLOOR, 0), BOOT))
    assert order[0] == "lock"
    assert order.index("ack") == len(order) - 1


def test_a_device_that_goes_after_the_start_is_told_once_and_ends_nothing(looped: Looped) -> None:
    looped.all_up()
    for _ in range(3):
        looped.say("zones", bridge.Down(GONE))
    lost = [record.event for record in looped.bare.journal.records if isinstance(record.event, DeviceLost)]
    assert lost == [DeviceLost(device="zones", why=f"zones at {GONE}")]
    assert looped.loop.away == ("zones",)


def test_what_keeps_a_device_away_is_told_where_it_is_found_to_be_something_else(looped: Looped) -> None:
    looped.all_up()
    busy = PortBusy("/dev/x", "pid 7 (modem) holds it", "end that program")
    looped.say("zones", bridge.Down(GONE), bridge.Down(busy))
    wrong = WrongDevice("zones", "zones ZN-1", "zones ZN-2")
    looped.say("zones", bridge.Down(wrong))
    lost = [record.event for record in looped.bare.journal.records if isinstance(record.event, DeviceLost)]
    assert [event.why for event in lost] == [f"zones at {GONE}", f"zones at {busy}", str(wrong)]


def test_a_device_that_cannot_be_had_ends_the_start_with_its_own_words(looped: Looped) -> None:
    looped.say("shoe", up("shoe"))
    error = LinkLost("zones", "it does not answer", "switch it on")
    with pytest.raises(Startup, match="zones: it does not answer; switch it on") as caught:
        looped.say("zones", bridge.Down(error))
    assert caught.value.error is error


def _rests(looped: Looped) -> bool:
    return looped.loop.at_rest


@pytest.mark.parametrize("ending", ["stopped", "not started"])
def test_every_session_takes_leave_whatever_ends_the_loop(looped: Looped, ending: str) -> None:
    if ending == "stopped":
        looped.loop.stop()
        looped.loop.run()
    else:
        looped.said["shoe"] = [bridge.Down(GONE)]
        with contextlib.suppress(Startup):
            looped.loop.run()
    for session in looped.sessions.values():
        session.close.assert_called_once()


def test_the_table_is_not_at_rest_while_a_device_is_away_or_has_not_confirmed_an_order(
    looped: Looped,
) -> None:
    looped.bare.service.outbox.clear()
    looped.all_up()
    bare = looped.bare
    bare.sent = [(name, order) for name in DEVICES for order in looped.orders(name)]
    bare.confirm_deck()
    looped.loop.turn()
    assert _rests(looped)
    looped.sessions["shoe"].unacknowledged.return_value = 1
    assert not _rests(looped)
    looped.sessions["shoe"].unacknowledged.return_value = 0
    looped.loop.turn()
    assert _rests(looped)
    looped.said["shoe"] = [bridge.Down(GONE)]
    looped.loop.turn()
    assert not _rests(looped)


def test_no_deadline_counts_after_a_restart_before_each_device_has_told_what_it_kept(
    mocker: MockerFixture,
) -> None:
    looped = Looped(mocker, begins="where-it-was")
    passed = mocker.patch.object(looped.bare.service, "_passes")
    looped.all_up()
    looped.bare.service._devices["zones"].is_due(7, 50, 50, ())
    looped.say("zones", bridge.Ticked(60))
    for name, state in STATES.items():
        passed.assert_not_called()
        looped.say(name, bridge.Received(1, state, BOOT))
    passed.assert_called_once_with(7)


def test_a_device_that_does_not_come_back_is_not_waited_for(mocker: MockerFixture) -> None:
    looped = Looped(mocker, begins="where-it-was")
    passed = mocker.patch.object(looped.bare.service, "_passes")
    looped.say("zones", up("zones"))
    looped.bare.service._devices["zones"].is_due(7, 50, 50, ())
    looped.say("zones", bridge.Ticked(60))
    looped.now += loop_module.RETURN_S
    looped.loop.turn()
    passed.assert_called_once_with(7)
