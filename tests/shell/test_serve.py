"""A running table on real pseudo-terminals: how it starts, does not start, loses devices and ends."""

import errno
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial
from msgspec.structs import replace

from controller import loop as loop_module
from controller.config import Config
from controller.decisions import Alert, PhaseEntered
from controller.devices import WRITTEN_AGAIN
from controller.door import DoorClient
from controller.errors import DeckError, DoorError, JournalError
from controller.events import DeviceName
from controller.loop import Startup
from controller.notices import PromptShown
from controller.serve import open_table
from firmware_bridge import session as session_module
from firmware_bridge.errors import LinkLost, PortBusy, PortDenied, PortMissing, WrongDevice
from firmware_bridge.port import SerialPort
from hil_rigs.virtual.ptys import SoundWay
from tests.shell.joined import config
from tests.shell.running import CUTCARD, WITHIN_S, Running, write_table


def _heard(client: DoorClient) -> int:
    client.hear()
    return len(client.notices)


def _entries(folder: Path, journal: str = "journal.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / journal).read_bytes().splitlines()[1:]]


# The start


def test_a_table_whose_devices_all_answer_asks_for_the_deck(started: Running) -> None:
    assert started.shown == 1
    assert [said.code for n in started.notices if isinstance(said := n.said, PromptShown)][-1] == "deck-in"
    client = DoorClient(started.folder / "door")
    try:
        started.until(lambda: _heard(client) == len(started.notices))
        assert client.notices == started.notices
    finally:
        client.close()


def _not_started(running: Running, config_: Config) -> Exception:
    loop = running.open(config_)
    with pytest.raises(Startup) as caught:
        running.until(lambda: loop.started)
    assert "\n" not in str(caught.value)
    return caught.value.error


def test_a_missing_port_ends_the_start_by_its_name(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "PATIENCE_S", 0.02)
    running.ptys.lines["shoe"].unplug()
    error = _not_started(running, config(running.folder))
    assert isinstance(error, PortMissing)
    assert str(running.folder / "shoe") in str(error)


def test_a_device_that_is_only_a_little_late_is_waited_for(running: Running) -> None:
    running.ptys.lines["shoe"].unplug()
    loop = running.open(config(running.folder))
    for _ in range(50):
        running.turn()
    running.ptys.lines["shoe"].replug()
    running.until(lambda: loop.started)


def test_a_port_that_another_program_holds_ends_the_start_by_the_programs_name(running: Running) -> None:
    other = SerialPort.open(str(running.folder / "zones"))
    try:
        error = _not_started(running, config(running.folder))
    finally:
        other.close()
    assert isinstance(error, PortBusy)
    assert str(running.folder / "zones") in str(error)
    assert f"pid {os.getpid()}" in str(error)


def test_a_port_that_this_user_may_not_open_ends_the_start(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "PATIENCE_S", 0.02)
    real = serial.Serial.open

    def denied(self: serial.Serial) -> None:
        if str(self.port).endswith("keypad"):
            raise serial.SerialException(errno.EACCES, "Permission denied")
        real(self)

    monkeypatch.setattr(serial.Serial, "open", denied)
    error = _not_started(running, config(running.folder))
    assert isinstance(error, PortDenied)
    assert str(running.folder / "keypad") in str(error)
    assert "dialout" in str(error)


def _with_port(plain: Config, name: DeviceName, **changed: str) -> Config:
    device = dict(plain.device)
    device[name] = replace(device[name], **changed)
    return replace(plain, device=device)


def test_another_kind_of_device_at_a_port_ends_the_start(running: Running) -> None:
    plain = config(running.folder)
    shoe, keypad = str(running.folder / "shoe"), str(running.folder / "keypad")
    error = _not_started(running, _with_port(_with_port(plain, "shoe", port=keypad), "keypad", port=shoe))
    assert isinstance(error, WrongDevice)
    assert "wanted shoe SH-V001, found keypad KP-V001" in str(error) or (
        "wanted keypad KP-V001, found shoe SH-V001" in str(error)
    )


def test_another_serial_number_at_a_port_ends_the_start(running: Running) -> None:
    error = _not_started(running, _with_port(config(running.folder), "shuffler", serial="SF-0815"))
    assert isinstance(error, WrongDevice)
    assert "wanted shuffler SF-0815, found shuffler SF-V001" in str(error)


class Silent(SoundWay):
    """A way on which nothing ever arrives."""

    def carry(self, data: bytes, now_s: float) -> bytes:
        return b""


def test_a_device_that_says_nothing_ends_the_start(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    line = running.ptys.lines["prompts"]
    line.to_host = Silent()
    clock = iter(range(10**9))
    loop = running.open(config(running.folder))
    monkeypatch.setattr(loop, "_now", lambda: next(clock) / 500)
    with pytest.raises(Startup) as caught:
        running.until(lambda: loop.started)
    assert isinstance(caught.value.error, LinkLost)
    assert str(caught.value).startswith("prompts: ")


def test_a_start_that_takes_too_long_names_those_who_have_not_answered(running: Running) -> None:
    running.ptys.lines["prompts"].unplug()
    loop = running.open(config(running.folder))
    with pytest.raises(Startup, match=r"^.*prompts.*: no answer; is the device on"):
        loop.run(deadline=0.0)


# What keeps a table from being opened leaves nothing behind


def test_a_table_beside_a_running_one_is_refused_and_leaves_it_alone(started: Running) -> None:
    key = (started.folder / "journal.jsonl.keys").read_bytes()
    plain = config(started.folder)
    with pytest.raises(JournalError, match="another table writes it"):
        open_table(plain)
    other = replace(plain, journal=replace(plain.journal, file=str(started.folder / "other.jsonl")))
    for _ in range(2):
        with pytest.raises(DoorError, match="another table answers there"):
            open_table(other)  # the second time the journal is free again
    assert (started.folder / "journal.jsonl.keys").read_bytes() == key
    started.play_until("shuffle")


@pytest.mark.parametrize("key", ["play", "other"])
def test_a_deck_that_is_not_there_is_told_before_any_file_is_made(running: Running, key: str) -> None:
    plain = config(running.folder)
    with pytest.raises(DeckError, match="no deck blue"):
        open_table(replace(plain, decks=replace(plain.decks, **{key: "blue"})))
    assert not (running.folder / "journal.jsonl").exists()
    assert not (running.folder / "journal.jsonl.keys").exists()
    assert not (running.folder / "door").exists()


# Devices that come and go in a hand


def test_a_ring_that_is_unplugged_in_a_hand_shows_the_standing_prompt_when_it_is_back(
    started: Running,
) -> None:
    started.play_until("preflop")
    before = started.table.prompts.display
    assert before is not None
    started.ptys.lines["prompts"].unplug()
    started.until(lambda: "device-lost" in started.alerts())
    started.ptys.power_cycle("prompts")
    assert started.shown is None
    started.ptys.lines["prompts"].replug()
    started.settle()
    after = started.table.prompts.display
    assert after is not None
    assert (after.code, after.seat, after.count, after.text, after.spans) == (
        before.code,
        before.seat,
        before.count,
        before.text,
        before.spans,
    )
    started.play_until("flop")


def test_a_prompt_that_changed_while_the_ring_was_away_is_shown_when_it_is_back(started: Running) -> None:
    started.play_until("preflop")
    seat = started.table.prompts.display
    assert seat is not None
    started.ptys.lines["prompts"].unplug()
    started.until(lambda: "device-lost" in started.alerts())
    started.table.hands.act(seat.seat, "check-or-call")
    told = len(started.notices)
    started.until(lambda: len(started.notices) > told)
    started.ptys.lines["prompts"].replug()
    started.settle()
    after = started.table.prompts.display
    assert after is not None
    assert after.seat not in (0, seat.seat)


def test_a_keypad_that_is_unplugged_is_told_to_the_dealer_until_it_is_back(started: Running) -> None:
    started.play_until("preflop")
    asked = started.shown
    started.ptys.lines["keypad"].unplug()
    started.until(lambda: started.shown == 21)
    display = started.table.prompts.display
    assert display is not None
    assert display.text.replace("\n", " ") == "! Wait for the keypad"
    started.ptys.lines["keypad"].replug()
    started.until(lambda: started.shown == asked)
    started.play_until("flop")


def test_what_happened_while_a_device_was_unplugged_comes_once_when_it_is_back(started: Running) -> None:
    started.play_until("preflop")
    asked = started.table.prompts.display
    assert asked is not None
    started.ptys.lines["keypad"].unplug()
    started.until(lambda: started.shown == 21)
    started.table.hands.act(asked.seat, "check-or-call")
    started.ptys.lines["keypad"].replug()
    started.settle()
    display = started.table.prompts.display
    assert display is not None
    assert display.seat not in (0, asked.seat)
    assert sum("acted" in json.dumps(entry.get("event")) for entry in _entries(started.folder)) == 1


@pytest.mark.parametrize("nonce", ["another", "the same"])
def test_a_shoe_that_is_restarted_in_a_hand_halts_the_table(
    started: Running, monkeypatch: pytest.MonkeyPatch, nonce: str
) -> None:
    started.play_until("flop-deal")
    link = started.ptys.lines["shoe"].link
    if nonce == "the same":
        boot = link.boot
        monkeypatch.setattr(link, "_nonce", lambda: boot)
    started.ptys.power_cycle("shoe")
    started.until(lambda: "alignment-required" in started.alerts())
    started.settle()
    assert started.notices[-1].said != PhaseEntered(phase="flop")
    assert PhaseEntered(phase="halted") in [n.said for n in started.notices]
    assert started.shown == 19


# The end


def _pumped(running: Running, process: subprocess.Popen[str], reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not reached():
        assert time.monotonic() < deadline, "it does not come to that"
        assert process.poll() is None or reached()
        running.ptys.pump(0.005)


def test_sigterm_ends_a_table_in_good_order(running: Running) -> None:
    with subprocess.Popen(
        [str(CUTCARD), "run", "--config", str(write_table(running.folder, "one"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        _pumped(running, process, lambda: running.shown == 1 and running.ptys.quiet)
        running.table.hands.press("floor")
        _pumped(running, process, lambda: running.shown == 19)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)  # an impatient one sends it twice
        _pumped(running, process, lambda: process.poll() is not None)
        out, err = process.communicate(timeout=WITHIN_S)
    assert (process.returncode, err) == (0, "")
    assert "prompt: ! Stop. Call the floor\n" in out
    assert not (running.folder / "one.door").exists()
    running.ptys.pump(0)
    assert all(line.link.session == 0 for line in running.ptys.lines.values()), "CLOSE was sent"
    entries = _entries(running.folder, "one.jsonl")
    assert [entry["n"] for entry in entries] == list(range(1, len(entries) + 1))
    assert {"event": "keyed", "key": "floor", "seat": 0} in [entry.get("event") for entry in entries]
    assert "stop" in entries[-1]


def test_a_table_that_was_stopped_goes_on_with_its_numbers_and_takes_no_event_twice(
    running: Running,
) -> None:
    for _ in range(2):
        loop = running.open(config(running.folder))
        running.until(lambda: running.loop is not None and running.loop.started)
        running.settle()
        running.table.hands.press("undo")
        running.settle()
        loop.close()
        running.journal.close()
        running.loop = None
    entries = _entries(running.folder)
    assert [entry["n"] for entry in entries] == list(range(1, len(entries) + 1))
    sources = [json.dumps(entry["source"]) for entry in entries if "source" in entry]
    assert len(sources) == len(set(sources))
    assert [e.get("event") for e in entries].count({"event": "keyed", "key": "undo", "seat": 0}) == 2


def test_stopping_a_table_that_has_ended_harms_nothing(started: Running) -> None:
    loop = started.loop
    assert loop is not None
    loop.close()
    read, write = os.pipe()  # the numbers of the loop's own pipe, perhaps
    os.set_blocking(read, False)
    try:
        loop.stop()
        with pytest.raises(BlockingIOError):
            os.read(read, 1)
        loop.close()
    finally:
        os.close(read)
        os.close(write)


def test_a_full_disk_halts_the_table_until_there_is_room_and_nothing_is_lost(
    started: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    started.play_until("preflop")
    loop = started.loop
    assert loop is not None
    said: list[Alert] = []
    loop.in_trouble.append(said.append)
    client = DoorClient(started.folder / "door")
    started.until(lambda: _heard(client) == len(started.notices))
    asked = started.table.prompts.display
    assert asked is not None
    keypad = started.ptys.lines["keypad"].link
    with monkeypatch.context() as full:

        def no_room(fd: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        full.setattr(os, "fdatasync", no_room)
        started.table.hands.act(asked.seat, "check-or-call")
        started.until(lambda: started.shown == 19)
        assert [alert.code for alert in said] == ["journal-stalled"]
        assert said[0].text.endswith(
            "journal.jsonl: the journal cannot be written: No space left on device; make room"
        )
        started.until(lambda: _heard(client) >= 0 and bool(client.urgent))
        assert client.urgent[0].said == said[0]
        assert keypad.kept == 1, "the device still has what could not be written"
        assert "journal-stalled" not in started.alerts(), "what is told as a record is on the disk"
    started.settle()
    assert said[-1].text == WRITTEN_AGAIN
    assert keypad.kept == 0
    assert started.alerts()[-2:] == ["journal-stalled", "journal-stalled"]
    assert sum("acted" in json.dumps(entry.get("event")) for entry in _entries(started.folder)) == 1
    client.close()


def test_a_full_disk_at_the_start_is_told_by_name(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdatasync", no_room)
    with pytest.raises(JournalError, match=r"cannot be opened: No space left on device"):
        running.open(config(running.folder))


# Going on


def test_a_table_that_is_started_again_goes_on_where_it_was(started: Running) -> None:
    started.play_until("flop")
    before = started.table.prompts.display
    assert before is not None
    assert started.loop is not None
    started.loop.close()
    started.journal.close()
    told = list(started.notices)
    loop = started.open(config(started.folder))
    assert loop.begins == "where-it-was"
    started.settle()
    assert started.notices == told, "nothing is told a second time"
    after = started.table.prompts.display
    assert after is not None
    assert (after.code, after.seat, after.count) == (before.code, before.seat, before.count)
    started.play_until("done")
    assert not started.alerts()


def test_a_device_that_does_not_come_back_is_told_to_a_table_that_goes_on(
    started: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_module, "RETURN_S", 0.05)
    started.play_until("flop")
    assert started.loop is not None
    started.loop.close()
    started.journal.close()
    started.ptys.lines["keypad"].unplug()
    started.open(config(started.folder))
    started.until(lambda: "device-lost" in started.alerts())
    assert started.shown == 21
    started.ptys.lines["keypad"].replug()
    started.settle()
    started.play_until("done")


def test_a_device_that_booted_while_the_controller_was_away_halts_the_hand(started: Running) -> None:
    started.play_until("flop")
    assert started.loop is not None
    started.loop.close()
    started.journal.close()
    started.ptys.power_cycle("shuffler")
    started.open(config(started.folder))
    started.until(lambda: "alignment-required" in started.alerts())
    assert started.shown == 19


def test_a_hand_under_way_is_given_up_only_on_demand(started: Running) -> None:
    started.play_until("flop")
    assert started.loop is not None
    started.loop.close()
    started.journal.close()
    plain = config(started.folder)
    other = replace(plain, table=replace(plain.table, blinds=(10, 20)))
    with pytest.raises(JournalError, match=r"begun with another table\.toml or rulebook; .* --begin-anew"):
        open_table(other)
    started.loop, started.journal = open_table(other, "anew")
    assert started.loop.begins == "anew"
    started.loop.listeners.append(started.notices.append)
    started.until(lambda: "table-not-empty" in started.alerts())
