"""The floor in a scenario: said at the controller's own door, by a person with a PIN and a name;
and no PIN and no badge anywhere."""

import json
from pathlib import Path

import pytest

from controller.events import AnyEvent, FloorDecided
from controller.journal import MemoryJournal, Record
from controller.people_file import read_people
from hil_rigs.simulate.command import played
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.floors import Floors
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import Json, played_directly, scenario_of
from tests.shell.folk import ANN_BADGE, NOBODYS_PIN

TABLE: Json = {"game": "holdem", "seats": {"1": 500, "2": 500, "3": 500}}
HALT: Json = {"do": "key", "key": "floor"}


def floor(decision: str, **more: str) -> Json:
    return {"do": "floor", "decision": decision, **more}


def file_of(*acts: Json) -> Json:
    return {"name": "floor", "table": TABLE, "acts": [{"do": "play", "until": "flop"}, *acts]}


class Kept(MemoryJournal):
    """Keeps every record."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[AnyEvent] = []

    def append(self, record: Record) -> int:
        if record.event is not None:
            self.events.append(record.event)
        return super().append(record)


def decided(*acts: Json) -> list[AnyEvent]:
    """What the journal of a table without a wire holds of the floor."""
    scenario = scenario_of(file_of(*acts))
    journal = Kept()
    Player(DirectBench(scenario, journal=journal)).play(scenario)
    return [event for event in journal.events if isinstance(event, FloorDecided)]


def test_a_decision_reaches_the_record_with_who_and_why() -> None:
    assert decided(HALT, floor("choose", remedy="redeal-flop", who="Ann Ø", reason="seen by two")) == [
        FloorDecided("choose", "Ann Ø", "seen by two", "redeal-flop")
    ]


def test_whoever_is_not_named_is_the_floor_and_gives_no_reason() -> None:
    assert decided(HALT, floor("stand"))[0] == FloorDecided("stand", "floor", "none given")


@pytest.mark.parametrize("direct", [True, False])
def test_a_decision_where_nothing_is_halted_is_refused(direct: bool) -> None:
    file = file_of(floor("accept", who="Ann", reason="seen"))
    report = json.loads(played(scenario_of(file), direct))
    assert report["refused"] == [{"act": 1, "what": "floor: accept", "why": "the table is not halted"}]


def test_the_wire_gives_the_same_report_as_none() -> None:
    file = file_of(floor("void"), HALT, floor("stand", who="Ann"), floor("by-hand", who="Bob", reason="late"))
    scenario = scenario_of(file)
    assert played(scenario, direct=False) == played(scenario, direct=True)


def test_whoever_a_file_names_is_a_floor_of_the_bench_by_one_pin_each() -> None:
    file = file_of(HALT, *(floor("stand", who=who) for who in ("Ann", "Bob", "ANN", "Bob")), floor("void"))
    people = Floors(scenario_of(file)).people()
    assert [(person.name, person.role) for person in people.persons] == [
        ("Ann", "floor"),
        ("Bob", "floor"),
        ("floor", "floor"),
    ]
    assert people.use == "bench"
    assert not Floors(scenario_of(file_of(HALT)))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("who", "x" * 41),
        ("who", " Ann"),
        ("who", "A\nB"),
        ("reason", "x" * 201),
        ("reason", "a\tb"),
    ],
)
def test_what_the_door_would_not_take_makes_a_file_no_scenario(key: str, value: str) -> None:
    text = json.dumps(file_of(floor("choose", **{"remedy": "redeal-flop", key: value})))
    with pytest.raises(ScenarioError, match=rf"acts\[1\]\.{key}: must be at most"):
        read_scenario(text, file="x.json", name="x")


def test_no_pin_and_no_badge_of_a_table_on_ports_is_anywhere(capfd: pytest.CaptureFixture[str]) -> None:
    acts = (HALT, floor("void", who="Ann", reason="seen"), floor("stand", who="Bob"))
    scenario = scenario_of(file_of(*acts))
    bench = WireBench(scenario)
    try:
        Player(bench).play(scenario)
        keypad = bench.table.keypad
        pins = (*("100000", "100001"), NOBODYS_PIN)
        for pin in pins:
            keypad.type_pin(pin)
        keypad.read_badge(ANN_BADGE)
        bench.rest()
        journal = (bench.folder / "journal.jsonl").read_text()
        feed = repr(list(bench.notices))
        people = (bench.folder / "people.toml").read_text()
        assert read_people(Path(bench.folder / "people.toml"), use="bench").named("Bob").has("pin") == 1
    finally:
        bench.close()
    for text in (journal, feed):
        assert text.count("credential-unknown") == 2
        assert "Ann" in text
    for text in (journal, feed, people, *capfd.readouterr()):
        assert not any(f'"{pin}"' in text or f"'{pin}'" in text for pin in pins)
        assert not any(pin in text for pin in (NOBODYS_PIN, "100001"))
        assert ANN_BADGE.hex() not in text.lower()
        assert repr(ANN_BADGE) not in text


@pytest.mark.parametrize(("hands", "outcome"), [(1, "void"), (2, "completed")])
def test_a_hand_whose_deck_was_pulled_is_over_and_another_begins_only_where_there_is_one(
    hands: int, outcome: str
) -> None:
    acts = (HALT, floor("pull-deck"), {"do": "play", "until": "done"})
    report = played_directly(file_of(*acts) | {"hands": hands})
    assert report["outcome"] == outcome
    assert [each["why"] for each in report["refused"]] == (
        ["the hand is over: its deck was pulled"] if hands == 1 else []
    )
