"""`cutcard pair` over real pseudo-terminals, and what becomes of both sides where it is broken off."""

import os
import re
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.events import DEVICES
from controller.key_file import read_keys
from controller.pair_device import PairDevice
from hil_rigs.keys import KEY_FILE
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.ptys import PtyTable
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.security.line import OTHER_KEY, frames_of, payload_of
from tests.shell.running import CUTCARD, write_table
from tests.through import Through

WITHIN_S = 30.0
NOBODY = (
    r"keys\.toml: there is no such file, no device has been paired yet: `cutcard pair DEVICE --config FILE`"
)


class Bench:
    """Five devices on ports, none of them paired but those named in `held`, and commands that are run."""

    def __init__(self, folder: Path, held: dict[str, bytes] | None = None) -> None:
        self.folder = folder
        self.table = VirtualTable(Setup(seats=(2, 5, 9), seed=4, keys=held or {}))
        self.table.write_registry(folder / "decks.json")
        self.ptys = PtyTable(self.table, folder)
        self.process: subprocess.Popen[str] | None = None
        write_table(folder, "one")
        self.types: list[int] = []
        self.stop_at: Callable[[int], None] = lambda type_: None
        shoe = self.ptys.lines["shoe"]
        shoe.from_host = shoe.to_host = Through(self._seen)

    def _seen(self, data: bytes) -> bytes:
        for frame in frames_of(data):
            type_ = payload_of(frame)[0]
            self.types.append(type_)
            self.stop_at(type_)
        return data

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        self.process = subprocess.Popen(
            [str(CUTCARD), *arguments, "--config", "one.toml"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        return self.process

    def until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not reached():
            assert time.monotonic() < deadline, f"it does not come to that: {self._said()}"
            self.ptys.pump(0.005)

    def _said(self) -> str:
        if self.process is None:
            return "nothing was started"
        self.process.kill()
        return "".join(self.process.communicate())

    def ended(self) -> tuple[int, str, str]:
        process = self.process
        assert process is not None
        self.until(lambda: process.poll() is not None)
        out, err = process.communicate(timeout=WITHIN_S)
        return process.returncode, out, err

    def run(self, *arguments: str) -> tuple[int, str, str]:
        self.start(*arguments)
        return self.ended()

    def press(self, name: str = "shoe") -> None:
        self.ptys.lines[name].link.hold_button(time.monotonic())

    def holds(self, name: str = "shoe") -> bytes:
        return self.ptys.lines[name].link._keeper._pair_key

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.ptys.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def _key_of(bench: Bench, serial: str) -> bytes:
    entry = read_keys(bench.folder / KEY_FILE).find(serial)
    assert entry is not None
    assert entry.key is not None
    return entry.key.reveal()


def test_a_device_is_paired_once_somebody_holds_its_button(bench: Bench) -> None:
    process = bench.start("pair", "shoe")
    bench.until(lambda: Type.CAPS in bench.types and Type.GREET in bench.types)
    assert process.poll() is None
    bench.press()
    status, out, err = bench.ended()
    assert (status, err) == (0, "")
    assert "hold its pairing button for 3 s" in out
    assert "shoe SH-V001 is paired: it has proved its key, which is in keys.toml" in out
    assert _key_of(bench, "SH-V001") == bench.holds()
    assert stat.S_IMODE((bench.folder / KEY_FILE).stat().st_mode) == 0o600
    assert [type_ for type_ in bench.types if type_ == Type.PROOF]
    assert bench.holds().hex() not in out
    status, out, err = bench.run("pair", "--list")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"shoe SH-V001: paired, 20\S+Z by \S.*\n", out)


def test_all_devices_paired_make_a_table_that_runs_and_seals_everything(bench: Bench) -> None:
    for name in DEVICES:
        bench.press(name)
        status, _, err = bench.run("pair", name)
        assert (status, err) == (0, "")
    process = bench.start("run")
    bench.until(lambda: bench.ptys.quiet and bench.table.prompts.display is not None)
    assert all(line.link.sealed for line in bench.ptys.lines.values())
    process.send_signal(signal.SIGTERM)
    status, out, err = bench.ended()
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "the table is stopped"
    for held in (bench.holds(name) for name in DEVICES):
        for where in (out, (bench.folder / "one.jsonl").read_text("utf-8")):
            assert held.hex() not in where


def test_no_physical_act_within_the_time_changes_nothing(bench: Bench) -> None:
    status, _, err = bench.run("pair", "shoe", "--within", "1")
    assert status == 1
    assert err.startswith(
        "cutcard pair: shoe SH-V001: nobody held its button within 1 s; nothing was changed"
    )
    assert err.count("\n") == 1
    assert not (bench.folder / KEY_FILE).exists()
    assert bench.holds() == b""
    assert Type.PAIR not in bench.types


def test_pairing_again_replaces_the_key_on_both_sides(bench: Bench) -> None:
    for _ in range(2):
        before = bench.holds()
        bench.press()
        assert bench.run("pair", "shoe")[0] == 0
        assert bench.holds() != before
        assert _key_of(bench, "SH-V001") == bench.holds()


def _must_be_paired_anew(bench: Bench) -> None:
    """The key file says so, a table takes no such device, and pairing it again puts it right."""
    status, out, _ = bench.run("pair", "--list")
    assert "shoe SH-V001: pairing not finished, pair it again" in out
    status, _, err = bench.run("run")
    assert status == 2
    assert "cutcard run: " in err
    assert "SH-V001" in err or "this table has no key of" in err
    bench.stop_at = lambda type_: None
    bench.press()
    assert bench.run("pair", "shoe")[0] == 0
    assert _key_of(bench, "SH-V001") == bench.holds()


@pytest.mark.parametrize("at", [Type.PAIR, Type.PAIRED, Type.OPEN, Type.OPENED, Type.PROOF])
def test_a_device_unplugged_in_the_middle_leaves_nobody_in_doubt(bench: Bench, at: Type) -> None:
    pulled: list[int] = []

    def pulls(type_: int) -> None:
        if type_ == at and not pulled:
            pulled.append(type_)

    bench.stop_at = pulls
    bench.press()
    process = bench.start("pair", "shoe")
    bench.until(lambda: bool(pulled) or process.poll() is not None)
    assert pulled
    bench.ptys.lines["shoe"].unplug()
    status, _, err = bench.ended()
    if at == Type.PROOF and status == 0:
        assert _key_of(bench, "SH-V001") == bench.holds()  # the proof was through before the plug was out
        return
    assert status == 1
    assert err.count("\n") == 1
    assert "the pairing of shoe SH-V001 was not finished, and nobody knows which key it holds" in err
    assert "hold its button and pair it again" in err
    bench.ptys.lines["shoe"].replug()
    _must_be_paired_anew(bench)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_pairing_that_is_killed_in_the_middle_leaves_nobody_in_doubt(bench: Bench, how: int) -> None:
    ended: list[int] = []

    def kills(type_: int) -> None:
        if type_ == Type.PAIR and not ended and bench.process is not None:
            ended.append(type_)
            os.kill(bench.process.pid, how)

    bench.stop_at = kills
    bench.press()
    bench.start("pair", "shoe")
    status, _, err = bench.ended()
    assert ended
    if how != signal.SIGKILL:
        assert status == 130
        assert "interrupted; the pairing of shoe SH-V001 was not finished" in err
        assert "Traceback" not in err
    _must_be_paired_anew(bench)


def test_a_pairing_that_is_broken_off_before_the_key_left_keeps_the_old_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    try:
        bench.press()
        assert bench.run("pair", "shoe")[0] == 0
        old = (bench.folder / KEY_FILE).read_bytes()
        bench.types.clear()
        process = bench.start("pair", "shoe")
        bench.until(lambda: Type.CAPS in bench.types)
        process.send_signal(signal.SIGINT)
        status, _, err = bench.ended()
        assert (status, err) == (130, "cutcard pair: interrupted; nothing was changed\n")
        assert (bench.folder / KEY_FILE).read_bytes() == old
        assert _key_of(bench, "SH-V001") == bench.holds()
    finally:
        bench.close()


def test_a_revoked_device_is_refused_by_pair_and_by_run(bench: Bench) -> None:
    bench.press()
    assert bench.run("pair", "shoe")[0] == 0
    status, out, _ = bench.run("pair", "--revoke", "SH-V001", "--reason", "stolen")
    assert status == 0
    assert "shoe SH-V001: revoked" in out
    assert bench.holds().hex() not in (bench.folder / KEY_FILE).read_text("utf-8")
    assert "shoe SH-V001: revoked" in bench.run("pair", "--list")[1]
    bench.press()
    held = bench.holds()
    status, _, err = bench.run("pair", "shoe")
    assert status == 2
    assert "shoe SH-V001 was revoked" in err
    assert "a revoked device is not paired again" in err
    assert bench.holds() == held


def test_one_that_was_revoked_without_a_reason_is_listed_so(bench: Bench) -> None:
    bench.press()
    assert bench.run("pair", "shoe")[0] == 0
    for command in (("--revoke", "SH-V001"), ("--list",)):
        _, out, _ = bench.run("pair", *command)
        assert re.match(r"shoe SH-V001: revoked, 20\S+Z by \S.*, no reason was given(;|$)", out)


@pytest.mark.parametrize("noted", ["unfinished", "paired", ""])
def test_what_an_interruption_leaves_is_told_as_the_key_file_has_it(tmp_path: Path, noted: str) -> None:
    pairing = PairDevice("shoe", tmp_path / KEY_FILE, by="ann", say=lambda text: None)
    pairing._serial = "SH-1"
    if noted == "unfinished":
        pairing._note("unfinished")
    elif noted:
        pairing.began = True
        pairing._note("paired")
    said = {
        "unfinished": "the pairing of shoe SH-1 was not finished",
        "paired": "shoe SH-1 had proved its key before, and is paired",
        "": "nothing was changed",
    }
    assert pairing.broken_off().startswith(said[noted])


def test_another_device_than_the_one_configured_gets_no_key(bench: Bench) -> None:
    config = bench.folder / "one.toml"
    config.write_text(config.read_text("utf-8").replace('port = "shoe"', 'port = "shoe"\nserial = "SH-1"'))
    bench.press()
    status, _, err = bench.run("pair", "shoe")
    assert status == 1
    assert "wrong device: wanted shoe SH-1, found shoe SH-V001" in err
    assert "nothing was changed" in err
    assert bench.holds() == b""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "say one thing: a DEVICE, --list or --revoke SERIAL"),
        (("shoe", "--list"), "say one thing"),
        (("shoe", "--reason", "x"), "--reason goes with --revoke"),
        (("spoon",), "'spoon' is not one of"),
        (("--list",), NOBODY),
        (("--revoke", "SH-1"), NOBODY),
    ],
)
def test_a_wrong_command_line_is_told(bench: Bench, arguments: tuple[str, ...], words: str) -> None:
    status, _, err = bench.run("pair", *arguments)
    assert status == 2
    assert re.search(words, err)
    assert not (bench.folder / KEY_FILE).exists()


def test_a_port_that_a_running_table_holds_is_named(bench: Bench) -> None:
    for name in DEVICES:
        bench.press(name)
        assert bench.run("pair", name)[0] == 0
    table = bench.start("run")
    bench.until(lambda: bench.ptys.quiet and bench.table.prompts.display is not None)
    bench.press()
    held = bench.holds()
    status, _, err = bench.run("pair", "shoe")
    assert status == 1
    assert f"pid {table.pid}" in err
    assert "nothing was changed" in err or "holds it" in err
    assert bench.holds() == held
    table.terminate()
    bench.process = table
    assert bench.ended()[0] == 0


# What a table does with devices that are not what they say


def _refused(bench: Bench, *options: str) -> str:
    status, out, err = bench.run("run", *options)
    assert status == 2
    assert out == ""
    assert err.startswith("cutcard run: ")
    assert not (bench.folder / "one.door").exists()
    return err


def test_a_table_without_a_key_file_is_refused_with_what_to_do(bench: Bench) -> None:
    err = _refused(bench)
    assert re.fullmatch(rf"cutcard run: one\.toml, line \d+: security\.keys: {NOBODY} .*\n", err)
    config = bench.folder / "one.toml"
    config.write_text(config.read_text("utf-8").split("[security]")[0])
    err = _refused(bench)
    assert 'add [security] with keys = "keys.toml"' in err
    assert "--insecure" in err


def test_a_key_file_that_others_can_read_is_refused_by_name(bench: Bench) -> None:
    bench.press()
    bench.run("pair", "shoe")
    (bench.folder / KEY_FILE).chmod(0o644)
    for command in (("run",), ("pair", "shoe"), ("pair", "--list")):
        status, _, err = bench.run(*command)
        assert status == 2
        assert "keys.toml: others can read or write the keys: chmod 600 keys.toml" in err


def test_an_unpaired_device_is_refused_by_name(bench: Bench) -> None:
    for name in DEVICES[1:]:
        bench.press(name)
        assert bench.run("pair", name)[0] == 0
    err = _refused(bench)
    assert "unpaired device: this table has no key of shoe SH-V001" in err
    assert "cutcard pair shoe" in err


def test_a_fake_shoe_and_one_that_says_it_has_no_key_are_refused_by_name(bench: Bench) -> None:
    for name in DEVICES:
        bench.press(name)
        assert bench.run("pair", name)[0] == 0
    link = bench.ptys.lines["shoe"].link
    link._keeper._pair_key = OTHER_KEY
    assert "exchanged device: it answers as shoe SH-V001 and does not hold the key" in _refused(bench)
    link._keeper._pair_key = b""
    assert "shoe SH-V001 says that it holds no key, and this table has one for it" in _refused(bench)


def test_a_config_cannot_switch_security_off(bench: Bench) -> None:
    config = bench.folder / "one.toml"
    source = config.read_text("utf-8")
    for line in ("insecure = true", "plain = true", "enabled = false"):
        config.write_text(f"{source}{line}\n")
        assert "security" in _refused(bench)
    config.write_text(source.replace('keys = "keys.toml"', ""))
    assert "security" in _refused(bench)
