"""`cutcard journal replay`: a journal leads to the same decisions again; where it does not that is told."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from controller.audit.opening import Opener
from controller.audit.replaying import KnownKeys, Replaying
from controller.config import Config
from controller.journal import Bounds
from controller.journal.records import Line
from controller.journal.seal import read_auditor_key, write_auditor_keys
from controller.journal.whole import Whole
from controller.recovery import Basis, basis_of
from controller.table_setup import TableSetup
from hil_rigs.simulate.load import Wiring, load
from tests.audit import made as making
from tests.audit.made import Direct, Made, by_wire, cutcard, of_files, rechained, restarted
from tests.crash.files import FOLDER, HANDED, MADE, scenario

OVERFULL = "overfull-flop-holdem"


@dataclass(frozen=True)
class Placed:
    """A journal that may not be there."""

    path: Path


def replayed(made: Made | Placed, *more: str | Path) -> tuple[int, list[str], str]:
    """What the command ends with, and says."""
    done = cutcard("journal", "replay", made.path, *more)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("name", [OVERFULL, *sorted(MADE)])
def test_the_same_follows_from_what_a_real_table_wrote(name: str) -> None:
    made = by_wire(name)
    status, said, error = replayed(made, "--key", made.key)
    assert (status, error, said[-1]) == (0, "", "the same follows")
    assert said[1].startswith("hand 1 (entries ")
    assert not any("not compared" in line for line in said)


def test_the_same_follows_over_a_restart_in_the_middle_of_a_hand() -> None:
    made = restarted()
    status, said, _ = replayed(made, "--key", made.key)
    assert (status, said[-1]) == (0, "the same follows")


@pytest.mark.soak
@pytest.mark.parametrize("name", HANDED)
def test_the_same_follows_after_every_ruling(tmp_path: Path, name: str) -> None:
    table = Direct(tmp_path, scenario(name))
    table.play()
    made = table.stop()
    assert replayed(made, "--key", made.key)[0] == 0


def test_every_hand_of_every_file_is_told_with_its_entries() -> None:
    made = of_files()
    status, said, _ = replayed(made, "--key", made.key)
    assert status == 0
    ends = [tuple(map(int, found)) for found in re.findall(r"\(entries (\d+) to (\d+)\)", "\n".join(said))]
    assert [first for first, _ in ends[1:]] == [last + 1 for _, last in ends[:-1]]
    assert [line.split(" (")[0] for line in said[:-1]] == ["before a hand", "hand 1", "hand 2", "hand 3"]


def test_one_hand_alone_is_replayed_from_the_checkpoint_before_it() -> None:
    made = of_files()
    status, said, _ = replayed(made, "--key", made.key, "--hand", "2")
    assert status == 0
    assert [line.split(" (")[0] for line in said] == ["hand 2", "the same follows"]
    assert "not compared" not in said[0]


def test_the_hand_under_way_is_replayed_with_the_tables_own_keys_and_what_is_sealed_is_said() -> None:
    made = of_files()
    status, said, _ = replayed(made)
    assert status == 0
    sealed = "not compared: what it hides is sealed, and no key opens it"
    assert sealed in said[2]
    assert re.search(r"hand 3 .*: 1\d\d entries the same; 1 entry not compared", said[3])
    assert re.fullmatch(r"the same follows; \d+ entries could not be compared: see above why", said[-1])


def test_keys_that_may_not_be_read_are_said_and_done_without(tmp_path: Path) -> None:
    made = of_files().copied(tmp_path)
    (made.folder / "journal.jsonl.keys").chmod(0o644)
    status, said, error = replayed(made)
    assert status == 0
    assert "the hand under way is not opened: " in error
    assert "give it mode 0600" in error
    assert "no key opens it" in said[3]


def test_another_auditors_key_opens_nothing(tmp_path: Path) -> None:
    made = of_files().copied(tmp_path)
    write_auditor_keys(tmp_path / "other.key", tmp_path / "other.pub")
    _, said, _ = replayed(made, "--key", tmp_path / "other.key")
    assert "no key opens it" in said[2]


def test_no_card_is_told_of_a_replay() -> None:
    made = of_files()
    _, said, _ = replayed(made, "--key", made.key)
    assert not re.search(r"\b[2-9TJQKA][shdc]\b", "\n".join(said))


# Where something else follows


def _richer(config: Config) -> Config:
    """Blinds that this table never played by."""
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, blinds=(7, 14)))


def test_a_difference_is_told_by_its_entry_and_the_next_hand_is_compared_all_the_same(tmp_path: Path) -> None:
    table = Direct(tmp_path, says=_richer)
    table.play()
    made = table.stop()
    before = made.path.read_bytes()
    status, said, _ = replayed(made, "--key", made.key)
    assert (status, said[-1]) == (1, "something else follows now than followed then")
    for hand in (1, 2, 3):
        (line,) = (line for line in said if line.startswith(f"hand {hand} "))
        found = re.search(r"DIFFERENT from entry (\d+) on; (\d+) entries the same", line)
        assert found is not None, line
        assert b'"uncalled"' in made.lines()[int(found[1])] or b'"checkpoint"' in made.lines()[int(found[1])]
    assert made.path.read_bytes() == before, "nothing is overwritten"


def _by_other_rules(config: Config) -> Config:
    """A rulebook by which this table did not rule."""
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, rules="tda"))


def test_another_ruling_is_a_difference_at_the_entry_that_led_to_it(tmp_path: Path) -> None:
    table = Direct(tmp_path, load(FOLDER / f"{OVERFULL}.json", wire=Wiring.PORTS), says=_by_other_rules)
    table.play()
    made = table.stop()
    ruled = made.find(b'"decision":"ruling"')
    status, said, _ = replayed(made, "--key", made.key)
    assert status == 1
    assert f"DIFFERENT from entry {ruled} on; " in said[1]
    assert re.search(r"; \d+ entries not compared: what came before it was not compared$", said[1])


def test_a_rulebook_that_is_gone_is_said(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('name = "house"\ntitle = "House"\nextends = "roberts"\n')

    def house(config: Config) -> Config:
        return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, rules=str(file)))

    table = Direct(tmp_path, says=house)
    table.play()
    made = table.stop()
    file.unlink()
    status, said, error = replayed(made, "--key", made.key)
    assert status == 2
    assert "house.toml: the ruleset cannot be read" in "\n".join(said)
    assert error == "cutcard journal replay: no hand could be compared: see above why\n"


def test_a_journal_whose_beginning_was_removed_is_said_to_have_none(tmp_path: Path) -> None:
    table = Direct(tmp_path, bounds=Bounds(file_bytes=20_000, older_files=1))
    table.play()
    made = table.stop()
    status, said, _ = replayed(made, "--key", made.key)
    assert status == 2
    assert "how the table was set up stands in a file that is not there" in said[0]


def test_another_program_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    basis = basis_of

    def other(setup: TableSetup) -> Basis:
        return replace(basis(setup), software="f" * 64)

    monkeypatch.setattr(making, "basis_of", other)
    table = Direct(tmp_path)
    table.play()
    made = table.stop()
    status, said, _ = replayed(made, "--key", made.key)
    assert status == 0
    note = f"decided by another program than this: cutcard {version('cutcard')}, program {'f' * 16}"
    assert any(note in line for line in said)


# Where what is sealed was changed


def _with_two_sealed_parts_exchanged(made: Made) -> int:
    """The two are in the hand under way, behind all that the table signed of it, and the chain was made anew;
    the first one's entry."""
    lines = made.lines()[:-1]
    one, two = [at for at, line in enumerate(lines) if b'"sealed":"' in line][:2]
    parts = [json.loads(lines[at])["sealed"].encode() for at in (one, two)]
    lines[one] = lines[one].replace(parts[0], parts[1])
    lines[two] = lines[two].replace(parts[1], parts[0])
    made.write(rechained(lines))
    return int(json.loads(lines[one])["n"])


def test_a_sealed_part_that_does_not_open_with_its_own_key_is_a_fault_of_the_journal(tmp_path: Path) -> None:
    made = of_files().copied(tmp_path)
    number = _with_two_sealed_parts_exchanged(made)
    for more in ((), ("--key", made.key), ("--hand", "3")):
        status, said, error = replayed(made, *more)
        assert (status, error) == (1, "")
        (hand,) = (line for line in said if line.startswith("hand 3 "))
        assert f"entry {number} was CHANGED: what it hides does not open with its own key; " in hand
        assert said[-1].startswith("what is sealed in the journal is not what its table sealed; keep all its")


def test_a_box_that_is_the_auditors_and_does_not_open_is_one_too() -> None:
    made = of_files()
    opener = Opener(read_auditor_key(made.key))

    def lines() -> Iterator[Line]:
        for _, read in Whole(made.path):
            keys = read.line.keys
            if keys is not None:
                read.line.keys = msgspec.structs.replace(keys, box=b64encode(bytes(80)).decode())
            yield read.line

    hands = list(Replaying(KnownKeys((), opener)).replay(lines()))
    assert [bool(hand.changed) for hand in hands] == [False, True, True, True]


# What cannot be replayed


def test_what_cannot_be_replayed_is_told_in_one_line(tmp_path: Path) -> None:
    made = of_files().copied(tmp_path)
    for more, words in (
        (("--hand", "9"), "there is no such hand"),
        (("--key", tmp_path / "nowhere"), "the auditor's key cannot be read"),
    ):
        status, said, error = replayed(made, *more)
        assert (status, said, error.count("\n")) == (2, [], 1)
        assert words in error
    for journal in (tmp_path / "none.jsonl", tmp_path / f"{'n' * 300}.jsonl", tmp_path):
        status, said, error = replayed(Placed(journal))
        assert (status, said, error.count("\n")) == (2, [], 1)
        assert str(journal) in error
    made.write(made.lines()[:5] + made.lines()[6:])
    status, _, error = replayed(made)
    assert status == 2
    assert error.count("\n") == 1
    assert "; see cutcard audit verify" in error
