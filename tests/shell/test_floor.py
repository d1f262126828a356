"""What the floor decides, said at the door or by `cutcard floor`: taken for whoever proves who he is."""

import os
import pty
import select
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.cli.floor import standing
from controller.decisions import Alert, HandBegan, PhaseEntered, Ruled, Withdrawn
from controller.door import Ask, Ruling
from controller.events import CredentialRefused, FloorDecided
from controller.journal import MemoryJournal, Record
from controller.notices import Denied, Notice, Rest, Taken
from controller.service import Service
from tests.shell.doors import Table, heard
from tests.shell.folk import ANN_BADGE, ANN_PIN, BOB_PIN, CID_PIN, NOBODYS_PIN, PINS, Slow, known_at_once
from tests.shell.test_cli import CONFIG, CUTCARD
from tests.simulate.puppet import ruled

NOT_HALTED = "the table is not halted"
WITHIN_S = 30.0


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """What goes into the journal."""
    kept: list[Record] = []
    append = MemoryJournal.append

    def appended(journal: MemoryJournal, record: Record) -> int:
        kept.append(record)
        return append(journal, record)

    monkeypatch.setattr(MemoryJournal, "append", appended)
    return kept


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, known_at_once())
    yield table
    table.close()


def halt(service: Service) -> None:
    """The table is halted: by what is no business of the door's."""
    service._core._floor.halted("floor-called")


def answer(table: Table, ruling: Ruling) -> object:
    door = table.client()
    door.decide(ruling)
    table.settle()
    return door.answer()


def test_a_decision_of_a_floor_is_taken_and_stands_in_the_record(table: Table, records: list[Record]) -> None:
    halt(table.service)
    pulled = Ruling("pull-deck", "the stub was touched", badge=ANN_BADGE.hex().upper())
    assert answer(table, pulled) == Taken()
    halt(table.service)
    assert answer(table, Ruling("by-hand", " all agree ", pin=ANN_PIN)) == Taken()
    assert [record.event for record in records] == [
        FloorDecided("pull-deck", "Ann", "the stub was touched"),
        FloorDecided("by-hand", "Ann", "all agree"),
    ]


def test_a_decision_that_cannot_be_carried_out_is_denied_with_the_reason(
    table: Table, records: list[Record]
) -> None:
    halt(table.service)
    chosen = Ruling("choose", "the stub was touched", "redeal-flop", pin=ANN_PIN)
    assert answer(table, chosen) == Denied(
        "no ruling was left to the floor: there is nothing that a remedy could put right"
    )
    assert [record.event for record in records] == [
        FloorDecided("choose", "Ann", "the stub was touched", "redeal-flop")
    ]


@pytest.mark.parametrize(
    ("ruling", "why"),
    [
        (Ruling("found", "it fell", pin=ANN_PIN), "a rule goes with found, and found needs one"),
        (Ruling("stand", "it fell", rule="stub-dropped", pin=ANN_PIN), "a rule goes with found"),
        (Ruling("stand", "it fell", seat=3, pin=ANN_PIN), "a seat goes with found"),
    ],
)
def test_what_was_found_goes_with_found_alone(table: Table, ruling: Ruling, why: str) -> None:
    halt(table.service)
    denied = answer(table, ruling)
    assert isinstance(denied, Denied)
    assert why in denied.why


def test_what_was_found_reaches_the_record_with_its_seat(table: Table, records: list[Record]) -> None:
    halt(table.service)
    answer(table, Ruling("found", "it fell", rule="stub-dropped", seat=3, pin=ANN_PIN))
    assert [record.event for record in records] == [
        FloorDecided("found", "Ann", "it fell", rule="stub-dropped", seat=3)
    ]


def test_where_nothing_is_halted_a_decision_is_denied(table: Table, records: list[Record]) -> None:
    assert answer(table, Ruling("stand", "seen", pin=ANN_PIN)) == Denied(NOT_HALTED)
    assert [record.event for record in records] == [FloorDecided("stand", "Ann", "seen")]


@pytest.mark.parametrize("digits", [NOBODYS_PIN, CID_PIN])
def test_a_pin_of_nobody_is_denied_and_the_floor_is_told(
    table: Table, records: list[Record], digits: str
) -> None:
    halt(table.service)
    assert answer(table, Ruling("stand", "seen", pin=digits)) == Denied("nobody here has this badge or PIN")
    assert [record.event for record in records] == [CredentialRefused("pin", "door", "unknown")]
    told = Alert("credential-unknown", "a PIN that nobody has was tried over the door")
    assert records[0].decisions[-1] == told


def test_a_dealer_decides_nothing(table: Table, records: list[Record]) -> None:
    halt(table.service)
    denied = answer(table, Ruling("stand", "seen", pin=BOB_PIN))
    assert denied == Denied("Bob is no floor: only a floor decides")
    assert records == []


def test_after_five_wrong_pins_the_right_one_has_to_wait(table: Table) -> None:
    halt(table.service)
    for _ in range(5):
        answer(table, Ruling("stand", "seen", pin=NOBODYS_PIN))
    denied = answer(table, Ruling("stand", "seen", pin=ANN_PIN))
    assert denied == Denied("too many wrong badges or PINs: wait, and try again")


def test_a_table_without_people_denies_every_decision(tmp_path: Path) -> None:
    table = Table(tmp_path)
    halt(table.service)
    denied = answer(table, Ruling("stand", "seen", pin=ANN_PIN))
    assert denied == Denied("the table's configuration names no people")
    table.close()


@pytest.mark.parametrize(
    ("ruling", "why"),
    [
        (Ruling("stand", "", pin=ANN_PIN), "a decision needs its reason"),
        (Ruling("stand", "  ", pin=ANN_PIN), "a decision needs its reason"),
        (Ruling("stand", "a\nb", pin=ANN_PIN), "a reason is one line of printable letters"),
        (Ruling("choose", "seen", pin=ANN_PIN), "a remedy goes with choose, and choose needs one"),
        (Ruling("stand", "seen", "redeal-flop", pin=ANN_PIN), "a remedy goes with choose"),
        (Ruling("stand", "seen"), "say who decides: by either pin or badge"),
        (Ruling("stand", "seen", pin=ANN_PIN, badge=ANN_BADGE.hex()), "by either pin or badge"),
        (Ruling("stand", "x" * 201, pin=ANN_PIN), "this is no question"),
        (Ruling("stand", "seen", pin="x"), "this is no question"),
        (Ruling("stand", "seen", badge="04a1b2"), "this is no question"),
    ],
)
def test_what_is_no_decision_is_denied_before_anybody_is_looked_up(
    tmp_path: Path, ruling: Ruling, why: str
) -> None:
    slow = Slow()
    table = Table(tmp_path, slow)
    denied = answer(table, ruling)
    assert isinstance(denied, Denied)
    assert why in denied.why
    assert ANN_PIN not in denied.why
    assert slow.waiting == []
    table.close()


def test_a_question_without_a_decision_says_what_it_lacks(table: Table) -> None:
    (denied,) = table.asked(table.raw(), b'{"ask":"floor"}\n')
    assert denied == {"answer": "denied", "why": "a decision says what and why: decision, reason"}


def test_a_question_shows_no_pin() -> None:
    for ruling in (Ruling("stand", "seen", pin=ANN_PIN), Ruling("stand", "seen", badge=ANN_BADGE.hex())):
        text = repr(Ask(ask="floor", floor=ruling)) + repr(ruling.wish())
        assert "seen" in text
        assert ANN_PIN not in text
        assert ANN_BADGE.hex() not in text


# While somebody is looked up


LINE = b'{"ask":"floor","floor":{"decision":"stand","reason":"seen","pin":"482913"}}\n'


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def waiting(tmp_path: Path, slow: Slow) -> Iterator[Table]:
    table = Table(tmp_path, slow)
    yield table
    table.close()


def test_the_door_that_asked_waits_and_the_others_do_not(waiting: Table, slow: Slow) -> None:
    raw = waiting.raw()
    assert waiting.asked(raw, LINE + b'{"ask":"rest"}\n') == []
    other = waiting.client()
    other.ask("rest")
    waiting.settle()
    assert isinstance(other.answer(), Rest)
    slow.deliver()
    waiting.settle()
    denied, rest = heard(raw)
    assert denied == {"answer": "denied", "why": NOT_HALTED}
    assert rest["answer"] == "rest"


def test_a_door_that_hangs_up_has_decided_nevertheless(
    waiting: Table, slow: Slow, records: list[Record]
) -> None:
    raw = waiting.raw()
    waiting.asked(raw, LINE)
    raw.close()
    waiting.settle()
    assert waiting.connected == 0
    slow.deliver()
    assert [record.event for record in records] == [FloorDecided("stand", "Ann", "seen")]


def test_a_door_that_goes_on_talking_while_it_waits_is_let_go(waiting: Table) -> None:
    raw = waiting.raw()
    waiting.asked(raw, LINE)
    waiting.asked(raw, b'{"ask":"rest"}\n' * 400)
    waiting.settle()
    assert waiting.connected == 0


def test_very_many_decisions_at_once_are_answered_one_by_one(table: Table) -> None:
    raw = table.raw()
    raw.setblocking(True)
    wrong = b'{"ask":"floor","floor":{"decision":"stand","reason":"s","pin":"1"}}\n' * 900
    raw.sendall(wrong)
    raw.setblocking(False)
    table.settle()
    answers = heard(raw)
    assert len(answers) == 900
    assert {answer["answer"] for answer in answers} == {"denied"}


# The command


def command(
    folder: Path, *arguments: str, typed: str = "", meanwhile: Callable[[], object]
) -> tuple[int, str, str]:
    """The command's exit status and what it says."""
    (folder / "table.toml").write_text(CONFIG)
    whole = [str(CUTCARD), "floor", *arguments, "--config", str(folder / "table.toml")]
    pipe = subprocess.PIPE
    with subprocess.Popen(whole, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stdin is not None
        running.stdin.write(typed)
        running.stdin.close()
        while running.poll() is None:
            meanwhile()
        assert running.stdout is not None
        assert running.stderr is not None
        return running.returncode, running.stdout.read(), running.stderr.read()


def test_the_command_decides(table: Table, records: list[Record]) -> None:
    halt(table.service)
    folder = table.path.parent
    pull = ("pull-deck", "--reason", "seen")
    assert command(folder, *pull, typed=f"{ANN_PIN}\n", meanwhile=table.turn) == (0, "", "")
    halt(table.service)
    by_badge = ("by-hand", "--reason", "late", "--badge")
    assert command(folder, *by_badge, typed="04:a1:b2:c3:d4:e5:f6\n", meanwhile=table.turn) == (0, "", "")
    assert [record.event for record in records] == [
        FloorDecided("pull-deck", "Ann", "seen"),
        FloorDecided("by-hand", "Ann", "late"),
    ]


@pytest.mark.parametrize(
    ("arguments", "typed", "status", "why"),
    [
        (("stand", "--reason", "seen"), ANN_PIN, 1, f"cutcard floor: {NOT_HALTED}\n"),
        (("stand", "--reason", "seen"), NOBODYS_PIN, 1, "cutcard floor: nobody here has this badge or PIN\n"),
        (("stand", "--reason", "seen"), "", 2, "standard input ends before the PIN\n"),
        (("stand", "--reason", "seen"), "mother", 2, "a PIN has digits only"),
        (("stand",), ANN_PIN, 2, "a decision needs its --reason"),
        (("stand", "--reason", " "), ANN_PIN, 2, "a decision needs its --reason"),
        (("choose", "--reason", "seen"), ANN_PIN, 2, "NAME goes with choose, a remedy"),
        (("stand", "redeal-flop", "--reason", "seen"), ANN_PIN, 2, "NAME goes with choose"),
        (("found", "--reason", "seen"), ANN_PIN, 2, "or with found, an irregularity"),
        (("stand", "--seat", "2", "--reason", "seen"), ANN_PIN, 2, "--seat goes with found"),
        (("found", "stub-dropped", "--reason", "fell"), ANN_PIN, 1, f"cutcard floor: {NOT_HALTED}\n"),
        (
            ("choose", "misdael", "--reason", "seen"),
            "",
            2,
            "cutcard floor: there is no remedy misdael: did you mean misdeal or ",
        ),
        (("--reason", "seen"), ANN_PIN, 2, "--reason, --seat and --badge go with a decision"),
        (("fly", "--reason", "seen"), ANN_PIN, 2, "'fly' is not one of"),
    ],
)
def test_a_decision_that_cannot_be_is_told(
    table: Table, arguments: tuple[str, ...], typed: str, status: int, why: str
) -> None:
    returned, out, error = command(
        table.path.parent, *arguments, typed=f"{typed}\n" if typed else "", meanwhile=table.turn
    )
    assert (returned, out) == (status, "")
    assert why in error
    assert not any(digits in error for digits in PINS)


def test_a_table_that_does_not_run_is_told(tmp_path: Path) -> None:
    returned, _, error = command(tmp_path, meanwhile=lambda: None)
    assert (returned, error.count("\n")) == (1, 1)
    assert "no table answers" in error


def test_a_pin_that_is_typed_at_a_terminal_is_not_shown(table: Table, records: list[Record]) -> None:
    halt(table.service)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(
            str(CUTCARD),
            ["cutcard", "floor", "by-hand", "--reason", "seen", "--door", str(table.path)],
        )
    shown, typed = b"", False
    while True:
        table.turn()
        if not select.select([terminal], [], [], 0)[0]:
            continue
        try:
            said = os.read(terminal, 1024)
        except OSError:  # so a terminal ends on Linux
            break
        shown += said
        if not typed and b"PIN:" in shown:
            os.write(terminal, f"{ANN_PIN}\n".encode())
            typed = True
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0
    assert typed
    assert ANN_PIN.encode() not in shown
    assert [record.event for record in records] == [FloorDecided("by-hand", "Ann", "seen")]


def test_without_a_decision_the_command_tells_what_is_halted(table: Table) -> None:
    folder = table.path.parent
    assert command(folder, meanwhile=table.turn) == (0, "the table is not halted: idle\n", "")
    table.server.keep(Notice(1, Alert("lid-open", "the lid was opened")))
    table.server.keep(Notice(2, PhaseEntered("halted")))
    told = "halted: lid-open: the lid was opened\nnothing was ruled in this hand: no remedy is proposed\n"
    assert command(folder, meanwhile=table.turn) == (0, told, "")


def test_what_stands_is_told_as_far_as_the_feed_tells() -> None:
    hand = HandBegan(number=3, button=1, stacks={}, seats=())
    early: Ruled = ruled(1, "premature-flop", ("As",))
    late: Ruled = ruled(2, "extra-card", seat=4)
    halted = (Alert("floor-called", "the dealer called the floor"), PhaseEntered("halted"))
    assert standing([hand, PhaseEntered("flop")]) == ["the table is not halted: flop of hand 3"]
    lines = standing(
        [ruled(1, "old"), hand, early, late, Withdrawn(1), *halted, Alert("device-lost", "gone")]
    )
    assert lines[0] == "halted in hand 3: floor-called: the dealer called the floor"
    assert [line.split(" (")[0].split(":")[:2] for line in lines[1:]] == [
        ["ruling 2", " extra-card at seat 4"]
    ]
    assert "Remedy: remedy-of-extra-card" in lines[1]
