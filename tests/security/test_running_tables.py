"""A table that runs, on real ports: devices that are exchanged, revoked or stop proving their key."""

from collections.abc import Callable

import pytest

from controller.decisions import Alert, PhaseEntered
from controller.events import DEVICES
from controller.key_file import change_keys
from controller.loop import Startup
from firmware_bridge import guard
from firmware_bridge import session as session_module
from hil_rigs.keys import KEY_FILE
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.link import DeviceLink
from tests.security.line import OTHER_KEY, frames_of, payload_of
from tests.shell.joined import config
from tests.shell.running import Running
from tests.through import Through


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "RETRY_LATER_S", 0.05)


def _alerts(running: Running) -> list[Alert]:
    return [notice.said for notice in running.notices if isinstance(notice.said, Alert)]


def _told(running: Running, words: str) -> Callable[[], bool]:
    return lambda: any(words in alert.text for alert in _alerts(running))


def _counted(running: Running) -> dict[str, list[int]]:
    """The types of all frames that the host writes to each device from now on."""
    seen: dict[str, list[int]] = {}
    for name, line in running.ptys.lines.items():
        heard = seen.setdefault(name, [])

        def noted(data: bytes, heard: list[int] = heard) -> bytes:
            heard.extend(payload_of(frame)[0] for frame in frames_of(data))
            return data

        line.from_host = Through(noted)
    return seen


def _exchange(running: Running, name: str, key: bytes) -> DeviceLink:
    """Another device of the same name is put in the place of one: its session is of another boot."""
    line = running.ptys.lines[name]
    line.unplug()
    line.link = DeviceLink(line.link.device, iter(range(900, 999)).__next__, pair_key=key)
    line.replug()
    return line.link


def test_every_device_is_challenged_when_a_deck_is_changed(started: Running) -> None:
    seen = _counted(started)
    started.play_until("preflop")
    for name in DEVICES:
        assert seen[name].count(Type.CHALLENGE) >= 1, name


@pytest.mark.parametrize("key", [OTHER_KEY, b""], ids=("with an old key", "with no key"))
def test_a_device_that_is_exchanged_while_a_table_runs_is_refused_by_name(
    started: Running, key: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.link.ANSWER_WITHIN_S", 0.3)
    true = started.ptys.lines["shoe"].link
    fake = _exchange(started, "shoe", key)
    began = len(started.notices)
    words = "exchanged device: it answers as shoe SH-V001" if key else "holds no key"
    started.until(_told(started, words))
    assert [alert.code for alert in _alerts(started)] == ["device-lost", "device-refused", "device-lost"]
    assert not fake.session
    for _ in range(100):
        started.turn()
    assert len(started.notices) - began < 8, "the refusal is told once, not in a loop"
    # The right one is put back: it proves itself, and the table goes on.
    line = started.ptys.lines["shoe"]
    line.unplug()
    line.link = true
    line.replug()
    started.settle()
    started.play_until("shuffle")


def test_a_device_that_was_exchanged_while_a_table_was_stopped_ends_its_start(
    started: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the hand that was under way is to go on."""
    monkeypatch.setattr("firmware_bridge.link.ANSWER_WITHIN_S", 0.3)
    started.play_until("preflop")
    loop = started.loop
    assert loop is not None
    loop.close()
    started.journal.close()
    true = started.ptys.lines["shoe"].link
    _exchange(started, "shoe", OTHER_KEY)
    again = started.open(config(started.folder))
    with pytest.raises(Startup, match="exchanged device: it answers as shoe SH-V001"):
        started.until(lambda: again.started)
    again.close()
    started.journal.close()
    line = started.ptys.lines["shoe"]
    line.unplug()
    line.link = true
    line.replug()
    resumed = started.open(config(started.folder))
    started.until(lambda: resumed.started)
    started.play_until("flop")


def test_a_device_that_gives_a_wrong_proof_stays_refused(started: Running) -> None:
    link = started.ptys.lines["shuffler"].link
    right = link._keeper._pair_key
    link._keeper._pair_key = OTHER_KEY
    started.table.dealer.obey()
    while not _told(started, "gave a wrong proof of its key and stays refused")():
        if not started.table.dealer.obey():
            break
        for _ in range(50):
            started.turn()
    started.until(_told(started, "shuffler SF-V001 gave a wrong proof of its key and stays refused"))
    assert {alert.code for alert in _alerts(started)} == {"device-refused", "device-lost"}
    # Neither the right key nor another plug brings it back: somebody has to start the table anew.
    link._keeper._pair_key = right
    line = started.ptys.lines["shuffler"]
    line.unplug()
    line.replug()
    started.until(lambda: not link.session)
    for _ in range(50):
        started.turn()
    assert not link.session
    loop = started.loop
    assert loop is not None
    assert loop._lines["shuffler"].next_timer() == float("inf")
    assert PhaseEntered(phase="preflop") not in [notice.said for notice in started.notices]


def test_a_device_that_is_revoked_while_a_table_runs_is_refused_at_its_next_challenge(
    started: Running,
) -> None:
    change_keys(
        started.folder / KEY_FILE,
        lambda book: book.revoked("KP-V001", since="2026-11-30T20:00:00Z", by="ann", reason="stolen"),
    )
    loop = started.loop
    assert loop is not None
    loop._challenge_all()
    started.until(_told(started, "keypad KP-V001 was revoked 2026-11-30T20:00:00Z (stolen)"))
    link = started.ptys.lines["keypad"].link
    started.until(lambda: not link.session)
    for _ in range(50):
        started.turn()
    assert not link.session


def test_a_late_proof_is_refused_though_the_device_goes_on_to_speak(
    started: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "CHALLENGE_TRIES", 2)
    line = started.ptys.lines["zones"]
    line.to_host = Through(
        lambda data: b"".join(frame for frame in frames_of(data) if payload_of(frame)[0] != Type.PROOF)
    )
    loop = started.loop
    assert loop is not None
    loop._challenge_all()
    started.until(_told(started, "zones ZN-V001 gave no proof within"))
    assert not any("fallen silent" in alert.text for alert in _alerts(started))


def test_no_key_is_in_the_journal_the_feed_or_any_file_but_its_own(started: Running) -> None:
    started.play_until("preflop")
    keys = [line.link._keeper._pair_key for line in started.ptys.lines.values()]
    assert len(set(keys)) == len(DEVICES)
    texts = [repr(started.notices)]
    for file in started.folder.iterdir():
        if file.is_file() and not file.is_symlink() and file.name != KEY_FILE:
            texts.append(file.read_bytes().decode("latin-1"))
    for key in keys:
        for text in texts:
            assert key.hex() not in text
            assert key.decode("latin-1") not in text
