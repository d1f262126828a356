"""A table that takes devices without keys says so on every screen."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller import loop as loop_module
from controller.cli.floor import standing
from controller.decisions import Alert, HandBegan
from controller.door import DoorClient
from controller.events import DEVICES
from controller.insecure import MARK, SHORT_MARK, WARNING
from controller.prompt_files import catalogue
from controller.prompter import Prompter
from controller.prompts import LANGUAGES
from controller.prompts.spelling import CHARSETS
from firmware_bridge.capabilities import PromptsCaps
from firmware_bridge.codes import Charset
from firmware_bridge.messages import TextChunk
from firmware_bridge.trust import Plain
from tests.security.test_pair_command import Bench
from tests.shell.every_prompt import every_prompt
from tests.shell.joined import config
from tests.shell.running import CUTCARD, Running

_CHARSETS = {Charset.ASCII: "ascii", Charset.LATIN_1: "latin-1", Charset.UTF_8: "utf-8"}


def _lines(prompter: Prompter, charset: str, prompt: object) -> list[str]:
    orders = prompter.show(prompt)  # type: ignore[arg-type]
    text = b"".join(order.chunk for order in orders if isinstance(order, TextChunk))
    return text.decode(charset).split("\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("charset", list(_CHARSETS))
def test_every_prompt_has_the_mark_and_all_its_words_on_the_smallest_display(
    language: str, charset: Charset
) -> None:
    ring = PromptsCaps(leds=64, columns=20, rows=2, charset=charset)
    plain, marked = Prompter(catalogue(language)), Prompter(catalogue(language))
    marked.mark()
    for prompter in (plain, marked):
        prompter.ring_is(ring)
    assert set(_CHARSETS.values()) == set(CHARSETS)
    for prompt in every_prompt():
        words = _lines(plain, _CHARSETS[charset], prompt)
        lines = _lines(marked, _CHARSETS[charset], prompt)
        assert len(lines) <= 2
        assert all(len(line) <= 20 for line in lines)
        said, shown = " ".join(words), " ".join(lines)
        glyph, _, rest = said.partition(" ")
        assert shown in (f"{said} {MARK}".strip(), f"{SHORT_MARK}{rest}"), prompt.code
        assert len(glyph) <= 1


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(loop_module, "MOST_WAIT_S", 0.002)
    made = Running(tmp_path, paired=[name for name in DEVICES if name != "shoe"])
    yield made
    made.close()


def test_the_feed_says_so_at_the_start_with_each_hand_and_to_doors_that_come_later(running: Running) -> None:
    loop = running.open(config(running.folder), Plain.ALLOWED)
    running.until(lambda: loop.started)
    running.play_until("preflop")
    assert not running.ptys.lines["shoe"].link.sealed
    assert running.ptys.lines["keypad"].link.sealed, "who has a key must prove it all the same"
    told = [notice.said for notice in running.notices]
    assert told[0] == WARNING
    (begun,) = (place for place, said in enumerate(told) if isinstance(said, HandBegan))
    assert WARNING in told[begun:]
    assert told.count(WARNING) == 2
    assert (running.folder / "journal.jsonl").read_text("utf-8").count('"insecure"') >= 2
    client = DoorClient(running.folder / "door")
    try:
        running.until(lambda: _heard(client) == len(told))
        assert client.notices[0].said == WARNING
    finally:
        client.close()
    assert standing(told)[0] == f"{MARK}: {WARNING.text}"
    assert standing([Alert(code="card-moved", text="x")])[0] == "the table is not halted: idle"


def _heard(client: DoorClient) -> int:
    client.hear()
    return len(client.notices)


def test_the_dealers_display_says_so(running: Running) -> None:
    loop = running.open(config(running.folder), Plain.ALLOWED)
    running.until(lambda: loop.started)
    running.settle()
    display = running.table.prompts.display
    assert display is not None
    assert "!!Deck into" in display.text or MARK in display.text


def test_every_line_of_the_terminal_says_so_and_without_it_none(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    try:
        process = bench.start("run", "--insecure")
        bench.until(lambda: bench.ptys.quiet and bench.table.prompts.display is not None)
        process.send_signal(signal.SIGTERM)
        status, out, err = bench.ended()
        assert status == 0
        assert err.startswith(f"cutcard run: {MARK}: this table takes devices without keys")
        assert out
        assert all(line.startswith(MARK) for line in out.splitlines())
        assert f"ALERT insecure: {WARNING.text}" in out
        for name in DEVICES:
            bench.press(name)
            assert bench.run("pair", name)[0] == 0
        process = bench.start("run")
        bench.until(lambda: bench.ptys.quiet and bench.table.prompts.display is not None)
        process.send_signal(signal.SIGTERM)
        status, out, err = bench.ended()
        assert (status, err) == (0, "")
        assert MARK not in out
    finally:
        bench.close()


def test_a_quiet_table_still_says_so_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    try:
        process = bench.start("run", "--insecure", "--quiet")
        bench.until(lambda: bench.ptys.quiet and bench.table.prompts.display is not None)
        process.send_signal(signal.SIGTERM)
        status, out, err = bench.ended()
        assert (status, out) == (0, "")
        assert MARK in err
    finally:
        bench.close()


def test_insecure_goes_with_no_virtual_table() -> None:
    done = subprocess.run(
        [str(CUTCARD), "run", "--virtual", "--insecure"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "--insecure goes with --config" in done.stderr
