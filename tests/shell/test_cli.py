"""The command as a person and a shell meet it: the real program in a process of its own."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from pytest_mock import MockerFixture

from controller.cli import main as cli
from controller.cli.run import run_table
from controller.events import DEVICES
from firmware_bridge.trust import Plain
from hil_rigs.keys import draw_keys, keep_keys
from tests.shell import packs

CUTCARD = Path(sys.executable).with_name("cutcard")
COMMANDS = (
    "audit",
    "bench",
    "completion",
    "demo",
    "floor",
    "journal",
    "pair",
    "people",
    "rules",
    "run",
    "seat",
    "simulate",
)

CONFIG = """\
[table]
name = "one"
game = "holdem"
[table.seats]
1 = 100
2 = 100
[device.shoe]
port = "shoe"
[device.shuffler]
port = "shuffler"
[device.prompts]
port = "prompts"
[device.keypad]
port = "keypad"
[decks]
registry = "decks.json"
play = "red"
[journal]
file = "journal.jsonl"
[door]
socket = "door"
[security]
keys = "keys.toml"
"""


def _cutcard(
    *arguments: str, folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(CUTCARD), *arguments],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(CONFIG, "utf-8")
    (tmp_path / "decks.json").write_bytes(packs.as_file(packs.entry()))
    keep_keys(tmp_path, draw_keys(DEVICES))
    return tmp_path


def test_help_names_every_command_and_the_exit_statuses() -> None:
    done = _cutcard("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", done.stdout, re.MULTILINE)
    for status in ("0 done", "1 something failed", "2 the input is wrong", "130 interrupted"):
        assert status in " ".join(done.stdout.split())
    assert _cutcard("-h").stdout == done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_ends_with_an_example_that_calls_it(command: str) -> None:
    done = _cutcard(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(rf"Examples?: cutcard {command}\b", " ".join(done.stdout.split()))


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_the_demo_tells_two_rulings_and_how_both_are_put_right(game: str) -> None:
    done = _cutcard("demo", "--fast", "--game", game)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"  ruling   ([\w-]+) \(", done.stdout) == ["overfull-flop", "premature-turn"]
    for remedy in ("redeal-flop", "natural-river"):
        assert f"proved exactly the cards that {remedy} wants" in done.stdout
    assert done.stdout.count("dealer   pushes the pot") == 2
    assert not re.search("ALERT|refused", done.stdout)


def test_the_version_is_the_distributions() -> None:
    done = _cutcard("--version")
    assert re.fullmatch(r"cutcard, version \d+\.\d+\.\d+\n", done.stdout)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_each_shell(shell: str) -> None:
    done = _cutcard("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_CUTCARD_COMPLETE={shell}_complete" in done.stdout
    assert "cutcard" in done.stdout


def test_the_completion_offers_the_commands_of_all_houses() -> None:
    done = _cutcard(_CUTCARD_COMPLETE="bash_complete", COMP_WORDS="cutcard ", COMP_CWORD="1")
    assert {line.split(",")[-1] for line in done.stdout.split()} >= set(COMMANDS)


def test_another_shell_is_refused_with_those_that_there_are() -> None:
    done = _cutcard("completion", "csh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr


@pytest.mark.parametrize("words", ["cutcard simulate ", "cutcard run --config "])
def test_the_names_of_files_complete(words: str) -> None:
    done = _cutcard(COMP_WORDS=words, COMP_CWORD=str(len(words.split())), _CUTCARD_COMPLETE="bash_complete")
    assert done.stdout.startswith("file,")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run",), "say which table: --config FILE or --virtual"),
        (("run", "--virtual", "--config", "table.toml"), "not both"),
        (("run", "--virtual", "--hands", "0"), "--hands"),
        (("run", "--virtual", "--language", "de"), "--language"),
        (("run", "--config", "table.toml", "--language", "it"), "a configuration names its language"),
        (("run", "--nonsense"), "No such option"),
        (("nonsense",), "No such command"),
        (("simulate",), "Missing argument"),
    ],
)
def test_a_wrong_command_line_is_told_and_ends_with_2(arguments: tuple[str, ...], words: str) -> None:
    done = _cutcard(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("table.toml", "1 = 100", "12 = 100", r"table\.toml, line 5: table\.seats\.12: "),
        ("table.toml", "[door]", "[door", r"table\.toml, line 20: "),
        (
            "table.toml",
            'play = "red"',
            'play = "blue"',
            r"table\.toml, line 17: decks\.play: .*decks\.json: there is no deck blue",
        ),
        (
            "table.toml",
            '"decks.json"',
            '"none.json"',
            r"table\.toml, line 16: decks\.registry: .*none\.json: the deck reg",
        ),
        ("table.toml", '"shoe"', '"decks.json"', r"decks\.json: it cannot be used as a serial port"),
        (
            "decks.json",
            '"2s"',
            '"joker"',
            r"table\.toml, line 16: decks\.registry: .*decks\.json: deck 'red': entry 1: no card",
        ),
        (
            "table.toml",
            'name = "one"',
            'name = "one"\npeople = "no.toml"',
            r"line 3: table\.people: .*no\.toml: no such file: `cutcard people add` makes it",
        ),
        (
            "table.toml",
            'name = "one"',
            'people = "table.toml"\nname = "one"',
            r"table\.toml: others can read",
        ),
    ],
)
def test_a_file_that_is_wrong_is_told_in_one_line_and_ends_with_2(
    folder: Path, file: str, old: str, new: str, words: str
) -> None:
    path = folder / file
    source = path.read_text("utf-8")
    assert old in source
    path.write_text(source.replace(old, new, 1), "utf-8")
    done = _cutcard("run", "--config", str(folder / "table.toml"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(rf"cutcard run: .*{words}.*\n", done.stderr)
    assert not (folder / "door").exists()


def test_a_configuration_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    done = _cutcard("run", "--config", "none.toml", folder=tmp_path)
    assert done.returncode == 2
    said = "cutcard run: none.toml: the configuration cannot be read: No such file or directory: "
    assert done.stderr == f"{said}docs/configuration.md tells what stands in one\n"


def test_a_journal_that_cannot_be_used_ends_with_2(folder: Path) -> None:
    (folder / "journal.jsonl").write_text("rubbish\n")
    done = _cutcard("run", "--config", "table.toml", folder=folder)
    assert done.returncode == 2
    assert done.stderr == (
        "cutcard run: table.toml, line 19: journal.file: journal.jsonl, line 1: this is no line of a "
        "journal; keep the file as it is, for whoever looks into it, and move it away\n"
    )


def test_the_program_runs_as_a_module_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("cutcard, version ")


def test_whoever_interrupts_a_table_before_it_runs_is_told_so(
    folder: Path, mocker: MockerFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    mocker.patch("controller.cli.run.serve", autospec=True, side_effect=KeyboardInterrupt)
    status = run_table(str(folder / "table.toml"), "anew", plain=Plain.REFUSED, hands=None, quiet=False)
    assert status == 130
    assert capsys.readouterr() == ("", "cutcard run: interrupted before the table was started\n")


# What nobody foresaw

FAULT = """\
import sys
from controller.cli import main as cli
@cli.cutcard.command()
def fail():
    {statement}
sys.argv = ["cutcard", "fail"]
cli.main()
"""


def _failing(statement: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", FAULT.format(statement=statement)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_fault_of_the_program_is_told_in_one_line_without_what_it_held() -> None:
    done = _failing('raise KeyError("E00401500000000B")')
    assert done.returncode == 1
    assert re.fullmatch(r"cutcard: a fault of the program \(KeyError\); .*CUTCARD_TRACE=1\n", done.stderr)


def test_whoever_asks_for_the_trace_of_a_fault_gets_it() -> None:
    done = _failing('raise KeyError("x")', CUTCARD_TRACE="1")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert done.stderr.endswith("CUTCARD_TRACE=1\n")


def test_an_interrupted_command_ends_with_130() -> None:
    done = _failing("raise KeyboardInterrupt")
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("pass", 0),
        ("raise SystemExit(1)", 1),
        ("import click; raise click.ClickException('no')", 1),
        ("import click; raise click.UsageError('no')", 2),
        ("import click; click.get_current_context().exit(3)", 3),
    ],
)
def test_a_command_ends_with_the_status_that_it_names(statement: str, status: int) -> None:
    assert _failing(statement).returncode == status


def test_a_reader_that_goes_away_is_no_fault_of_the_program() -> None:
    done = _failing(f"raise OSError({errno.EPIPE}, 'Broken pipe')")
    assert done.returncode == 1
    assert "fault of the program" not in done.stderr


def test_what_an_entry_point_names_must_be_a_command(mocker: MockerFixture) -> None:
    entry = mocker.Mock()
    entry.name = "strange"
    entry.load.return_value = "no command"
    mocker.patch.object(cli, "_entries", return_value=[entry])
    context = click.Context(cli.cutcard)
    assert "strange" in cli.cutcard.list_commands(context)
    assert cli.cutcard.get_command(context, "strange") is None
    assert cli.cutcard.get_command(context, "none") is None
