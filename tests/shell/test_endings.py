"""Whatever is taken away under a command, it ends with one plain line, a status, and nothing left behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CUTCARD = Path(sys.executable).with_name("cutcard")
SCENARIO = Path(__file__).parents[1] / "scenarios" / "clean-holdem.json"


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder of temporary files of the test's own; its name is short, for the sockets in it."""
    folder = Path("/tmp") / f"cc-{os.getpid()}-{tmp_path.name[-12:]}"
    folder.mkdir()
    return folder


def run(arguments: list[str], scratch: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [str(CUTCARD), *arguments],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **options,
    )


def test_a_full_disk_under_the_output_is_told_in_a_line(scratch: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(["simulate", "--direct", str(SCENARIO)], scratch, stdout=full)
    scratch.rmdir()
    assert done.returncode == 1
    assert done.stderr == "cutcard: No space left on device: the output\n"


def test_a_closed_output_is_told_in_a_line(scratch: Path) -> None:
    done = run(["simulate", "--direct", str(SCENARIO)], scratch, stdout=None, preexec_fn=lambda: os.close(1))
    scratch.rmdir()
    assert done.returncode == 1
    assert done.stderr == "cutcard: standard output or standard error is closed\n"


def test_a_folder_of_temporary_files_that_is_too_deep_is_told_and_left_empty(scratch: Path) -> None:
    deep = scratch / ("d" * 90)
    deep.mkdir()
    done = run(["simulate", str(SCENARIO)], deep, stdout=subprocess.PIPE)
    left = list(deep.iterdir())
    deep.rmdir()
    scratch.rmdir()
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "choose a shorter path" in done.stderr
    assert not left


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_virtual_table_that_is_ended_leaves_nothing_behind(scratch: Path, ending: signal.Signals) -> None:
    process = subprocess.Popen(
        [str(CUTCARD), "run", "--virtual", "--hands", "9"],
        env={**os.environ, "TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("the door of this table:")
    assert (
        process.stdout.readline() == "no floor can decide at this table: its configuration names no people\n"
    )
    started = children(process.pid)
    process.send_signal(ending)
    process.communicate()
    left = list(scratch.iterdir())
    scratch.rmdir()
    assert process.returncode == 130
    assert not left
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_a_run_ends_with_its_virtual_table(scratch: Path) -> None:
    process = subprocess.Popen(
        [str(CUTCARD), "run", "--virtual", "--hands", "9"],
        env={**os.environ, "TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("the door of this table:")
    (table,) = children(process.pid)
    os.kill(table, signal.SIGKILL)
    _, errors = process.communicate()
    left = list(scratch.iterdir())
    scratch.rmdir()
    assert process.returncode == 1
    assert errors == "cutcard run: the virtual table has ended\n"
    assert not left


def test_a_simulation_whose_controller_is_killed_says_so_and_plays_the_next_file(
    scratch: Path, tmp_path: Path
) -> None:
    long = tmp_path / "long.json"
    waits = ",".join(['{"do":"wait","ms":1}'] * 3000)
    long.write_text(f'{{"table":{{"game":"holdem","seats":{{"1":9,"2":9}}}},"acts":[{waits}]}}')
    process = subprocess.Popen(
        [str(CUTCARD), "simulate", str(long), str(SCENARIO)],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (started := children(process.pid)):
        assert process.poll() is None
    os.kill(started[0], signal.SIGKILL)
    output, errors = process.communicate()
    left = list(scratch.iterdir())
    scratch.rmdir()
    assert process.returncode == 1
    assert len(errors.splitlines()) == 1
    assert str(long) in errors
    assert output.startswith('{"scenario":"clean-holdem"')
    assert not left


def test_a_pipe_without_a_writer_is_an_empty_file(tmp_path: Path, scratch: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    done = run(["simulate", "--direct", str(pipe), str(SCENARIO)], scratch, stdout=subprocess.PIPE)
    scratch.rmdir()
    assert done.returncode == 2
    assert done.stderr == f"cutcard simulate: {pipe}: is empty\n"
    assert done.stdout.startswith('{"scenario":"clean-holdem"')
