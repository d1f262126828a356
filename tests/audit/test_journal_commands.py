"""`cutcard journal`: what stands in a journal, in lines that a person reads, beside a running table."""

import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, get_args

import msgspec
import pytest

from controller.audit.words import words
from controller.cli.main import cutcard as cutcard_group
from controller.decisions import AnyDecision, Command, CommandName
from controller.events import AnyEvent
from controller.hand import PhaseName
from controller.journal import Bounds
from controller.journal.following import Following
from controller.journal.reading import Reading
from controller.loading_steps import Step
from controller.prompt_files import catalogue
from tests.audit.made import Direct, Made, by_wire, cutcard, of_files, rechained

TWO_DECKS = "two decks, hand after hand"
_CARD = re.compile(r"\b[2-9TJQKA][shdc]\b")


def test_every_entry_is_listed_in_one_line_with_number_time_source_and_words() -> None:
    made = by_wire("overfull-flop-holdem")
    done = cutcard("journal", "list", made.path)
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert len(told) == len(made.lines())
    for number, line in enumerate(told[1:], start=1):
        assert re.match(rf" *{number} \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{{3}}Z [a-z ]{{8}} \S", line)
    (ruling,) = (line for line in told if "RULING 1: overfull-flop" in line)
    assert "zones" in ruling
    assert "card 1 left the shoe" in done.stdout
    assert "a card came to lie at seat 4, face down => a card, face down, at seat 4" in done.stdout


def test_the_files_of_a_journal_are_listed_as_one() -> None:
    told = cutcard("journal", "list", of_files().path).stdout
    assert re.findall(r"file (\d) of the journal begins", told) == ["1", "2", "3"]
    numbers = [int(line.split()[0]) for line in told.splitlines() if not line.startswith("        ")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_one_hand_is_listed_and_exported_from_its_first_entry_to_its_last() -> None:
    made = of_files()
    told = cutcard("journal", "list", made.path, "--hand", "2").stdout.splitlines()
    assert "hand 2: the button is at" in told[0]
    assert not any("hand 3: " in line or "hand 1: " in line for line in told)
    lines = cutcard("journal", "export", made.path, "--hand", "2").stdout.splitlines()
    assert [json.loads(line)["n"] for line in lines] == [int(line.split()[0]) for line in told]


def test_no_card_is_listed_that_not_everybody_saw() -> None:
    made = by_wire("overfull-flop-holdem")
    seen = set(_CARD.findall("".join(_open_parts(made))))
    told = set(_CARD.findall(cutcard("journal", "list", made.path).stdout))
    assert told <= seen
    assert len(seen) < 40


def _open_parts(made: Made) -> Iterator[str]:
    for line in made.lines():
        said = json.loads(line)
        yield json.dumps([said.get("event"), said.get("decisions")])


def test_an_export_is_the_journal_as_it_stands_and_sealed_as_it_is(tmp_path: Path) -> None:
    made = by_wire("overfull-flop-holdem")
    to = tmp_path / "export.jsonl"
    done = cutcard("journal", "export", made.path, "--output", to)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert to.read_bytes() == made.path.read_bytes()
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    again = cutcard("journal", "export", made.path, "--output", to)
    assert again.returncode == 2
    assert again.stderr.endswith("export.jsonl: a file is there already; choose another name\n")
    assert to.read_bytes() == made.path.read_bytes()


# Following


def _following(path: Path) -> subprocess.Popen[str]:
    program = "from controller.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, "journal", "follow", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _said_until(follower: subprocess.Popen[str], words: str) -> list[str]:
    """What it says, up to the line with these words."""
    assert follower.stdout is not None
    said = b""
    while words.encode() not in said or not said.endswith(b"\n"):
        assert select.select([follower.stdout], [], [], 30)[0], said.decode()
        more = os.read(follower.stdout.fileno(), 1 << 16)
        assert more, f"it ended: {follower.stderr.read() if follower.stderr else ''}"
        said += more
    return said.decode().splitlines()


def test_entries_are_followed_as_they_come_through_every_file_until_ctrl_c(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000))
    follower = _following(table.made.path)
    try:
        first = _said_until(follower, "answers")
        table.play()
        table.stop()
        told = [*first, *_said_until(follower, "the table stops: told to stop")]
        numbers = [int(line.split()[0]) for line in told if not line.startswith("        ")]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "each once, in its order"
        assert len(table.made.older()) == 2
        follower.send_signal(signal.SIGINT)
        _, said = follower.communicate(timeout=30)
        assert (follower.returncode, said) == (0, "")
    finally:
        follower.kill()
        follower.communicate()


class _Turned(Following):
    """A journal that goes on, and is turned over, right before it is looked whether it was."""

    def __init__(self, table: Direct) -> None:
        self._turns = [table.play, table.flush]
        super().__init__(table.made.path, lambda: False)

    def _following(self, file: BinaryIO, reading: Reading) -> BinaryIO | None:
        while self._turns:
            self._turns.pop(0)()
        return super()._following(file, reading)


def test_what_came_right_before_another_file_was_begun_is_followed_too(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000))
    table.flush()
    numbers = [read.line.n for read in _Turned(table) if read.line.n is not None]
    assert numbers == list(range(1, table.journal.last + 1))
    assert len(table.made.older()) == 2
    table.stop()


def test_a_half_written_last_line_is_waited_for(tmp_path: Path) -> None:
    made = by_wire("overfull-flop-holdem").copied(tmp_path)
    whole = made.lines()
    made.write([*whole[:-1], whole[-1][:50]])
    follower = _following(made.path)
    try:
        _said_until(follower, json.loads(whole[-2])["at"][11:19])
        with made.path.open("ab") as file:
            file.write(whole[-1][50:])
        assert "the table stops" in _said_until(follower, "the table stops")[-1]
    finally:
        follower.kill()
        follower.communicate()


def test_a_journal_that_is_taken_away_or_changed_ends_the_following_in_one_line(tmp_path: Path) -> None:
    made = by_wire("overfull-flop-holdem").copied(tmp_path)
    follower = _following(made.path)
    try:
        _said_until(follower, "the table stops")
        os.truncate(made.path, 100)
        _, said = follower.communicate(timeout=30)
        assert follower.returncode == 2
        assert re.fullmatch(r"cutcard journal follow: .* was taken away or changed while it was read\n", said)
    finally:
        follower.kill()
        follower.communicate()


# What cannot be read


@pytest.mark.parametrize("command", ["list", "export"])
def test_what_does_not_hold_is_told_up_to_there_and_refused(tmp_path: Path, command: str) -> None:
    made = by_wire("overfull-flop-holdem").copied(tmp_path)
    lines = made.lines()
    made.write([*lines[:50], *rechained(lines)[51:]])
    done = cutcard("journal", command, made.path)
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 50
    assert re.fullmatch(r"cutcard journal \w+: \S+, line 51: .*; see cutcard audit verify\n", done.stderr)


@pytest.mark.parametrize("hand", ["9", "9@5", "0"])
def test_a_hand_that_there_is_not_is_told(hand: str) -> None:
    done = cutcard("journal", "list", of_files().path, "--hand", hand)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no such hand; the last ones are 1, 2, 3" in done.stderr


def test_where_a_hand_begins_is_told_to_whoever_names_another_entry() -> None:
    made = of_files()
    done = cutcard("journal", "list", made.path, "--hand", "2@5")
    assert (done.returncode, done.stdout) == (2, "")
    said = re.search(
        r"hand 2: it does not begin with entry 5: it begins with entry (\d+) \(--hand 2@(\d+)\)\n",
        done.stderr,
    )
    assert said is not None
    assert said[1] == said[2]
    assert cutcard("journal", "list", made.path, "--hand", f"2@{said[1]}").stdout.split()[0] == said[1]


@pytest.mark.parametrize("hand", ["x", "1@", "@3", "-1", "1@x", "²"])
def test_what_is_no_hand_is_a_wrong_command_line(hand: str) -> None:
    done = cutcard("journal", "list", of_files().path, "--hand", hand)
    assert done.returncode == 2
    assert "is no hand: say its number, N or N@ENTRY" in done.stderr


def test_hands_of_one_number_are_told_apart_by_their_first_entries(tmp_path: Path) -> None:
    table = Direct(tmp_path)
    table.play()
    table.stop()
    again = Direct(tmp_path)
    again.play()
    again.stop()
    done = cutcard("journal", "list", again.made.path, "--hand", "1")
    assert done.returncode == 2
    found = re.search(r"2 hands have this number, say which: 1@(\d+), 1@(\d+)\n", done.stderr)
    assert found is not None
    one = cutcard("journal", "list", again.made.path, "--hand", f"1@{found[2]}")
    assert (one.returncode, one.stdout.split()[0]) == (0, found[2])
    neither = cutcard("journal", "list", again.made.path, "--hand", "1@3").stderr
    begins = f"begins with entry {found[1]} (--hand 1@{found[1]}) and again with entry {found[2]} (--hand "
    assert begins in neither


def test_an_extract_of_a_hand_is_said_to_be_verified_in_the_whole_journal_only() -> None:
    said = " ".join(cutcard("journal", "export", "--help").stdout.split())
    assert "With --hand it is an extract, which no command here reads" in said
    assert "verified in the whole journal only, with cutcard audit verify" in said


def test_a_prompt_of_a_code_that_this_version_does_not_know_is_told_by_its_code(tmp_path: Path) -> None:
    made = by_wire("overfull-flop-holdem").copied(tmp_path)
    known = re.compile(rb'("decision":"prompt","code":)"[a-z-]+"')
    lines = [known.sub(rb'\1"of-another-version"', line) for line in made.lines()]
    at = made.find(b'"decision":"prompt"')
    made.write(rechained(lines[: at + 1]))
    done = cutcard("journal", "list", made.path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[at].endswith("prompt: of-another-version")
    made.write(lines)
    done = cutcard("audit", "explain", made.path, "--hand", "1", "--anyway")
    assert (done.returncode, done.stderr) == (1, "")
    assert "Of-another-version." in done.stdout or "asked: of-another-version" in done.stdout


@pytest.mark.parametrize(
    "command", ["journal list", "journal replay", "audit verify", "audit opened", "audit explain --hand 1"]
)
def test_a_journal_that_may_not_be_read_is_told_in_one_line_of_ours(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = by_wire("overfull-flop-holdem").copied(tmp_path)
    made.path.chmod(0)
    open_, access = Path.open, os.access

    def denied(path: Path, mode: str = "r") -> IO[bytes]:
        if path == made.path:
            raise PermissionError(13, "Permission denied", str(path))
        assert mode == "rb"
        return open_(path, "rb")

    monkeypatch.setattr(Path, "open", denied)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(made.path) and access(path, mode))
    name, what, *more = command.split()
    with pytest.raises(SystemExit) as ended:
        cutcard_group.main(args=[name, what, str(made.path), *more], standalone_mode=False)
    assert ended.value.code == 2
    assert capsys.readouterr() == (
        "",
        f"cutcard {name} {what}: {made.path}: the journal cannot be read: Permission denied\n",
    )


# Words


def test_there_are_words_for_everything_that_happens() -> None:
    texts = words().file
    for event in get_args(AnyEvent):
        text = texts.event[event.__struct_config__.tag]
        if isinstance(text, dict):
            (field,) = (found for found in msgspec.structs.fields(event) if found.name == text["by"])
            values = {"yes", "no"} if field.type is bool else set(map(str, get_args(field.type)))
            assert set(text) - {"by"} == values, event
    assert len(texts.event) == len(get_args(AnyEvent))
    assert set(texts.command) == set(get_args(CommandName))
    assert set(texts.heading) == set(get_args(PhaseName))
    assert set(texts.step) == {"feed-inferred", *(step.value for step in Step)}
    assert set(texts.ordinary["prompts"]) <= set(catalogue("en").looks)
    assert Command in get_args(AnyDecision)
