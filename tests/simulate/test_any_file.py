"""Whatever stands in a file, the reader answers with a scenario or with one line."""

import json
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from hil_rigs.simulate.deck import DECK
from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.phh import read_history
from hil_rigs.simulate.scenario import Scenario
from tests.simulate.files import EVERYTHING, HISTORIES, HISTORY, SMALL

WORDS = st.sampled_from(
    ["do", "play", "until", "seats", "1", "12", "seat:2", "As", "raise", "deck", "", "\n", "\ud800"]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(), inner, max_size=4)
)
TEXTS = [path.read_text() for path in HISTORIES] + [HISTORY]
PIECES = st.sampled_from(
    [
        "?",
        "p1",
        "p2 f",
        "cc",
        "cbr",
        "sm",
        "d db",
        "Ah",
        "[",
        "]",
        '"',
        "'",
        "\n",
        "=",
        "-",
        ".5",
        "9" * 30,
        "inf",
        "#",
    ]
) | st.text(max_size=3)


def places(value: object, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, below in inner for place in places(below, (*way, key)))]


def mutated(value: object, way: tuple[str | int, ...], new: object, how: str) -> object:
    """Return a copy with the value at `way` replaced, its key gone, or its key renamed."""
    if not way:
        return new
    step, rest = way[0], way[1:]
    if isinstance(value, dict):
        whole = {key: below for key, below in value.items() if rest or key != step or how == "replace"}
        if rest or how == "replace":
            whole[step] = mutated(value[step], rest, new, how)
        elif how == "rename":
            whole[str(new)] = value[step]
        return whole
    assert isinstance(value, list)
    assert isinstance(step, int)
    if not rest and how == "remove":
        return value[:step] + value[step + 1 :]
    return [*value[:step], mutated(value[step], rest, new, how), *value[step + 1 :]]


def answered(read: Callable[[], Scenario]) -> None:
    """Hold that `read` returns a whole scenario or raises one printable line."""
    line = "x: "
    try:
        scenario = read()
    except ScenarioError as error:
        scenario, line = None, str(error)
    assert line.isprintable()
    assert line.startswith("x: ")
    if scenario is None:
        return
    assert sorted(scenario.deck) == sorted(DECK)
    assert scenario.table.button in (*scenario.table.seats, "draw")
    assert set(scenario.table.antes) <= set(scenario.table.seats)
    assert [act.index for act in scenario.acts] == list(range(len(scenario.acts)))
    json.dumps(scenario.name).encode()


@settings(deadline=None)
@given(VALUES)
def test_any_json_is_a_scenario_or_one_line(value: object) -> None:
    answered(lambda: read_scenario(json.dumps(value), file="x", name="x"))


@settings(deadline=None)
@given(st.text())
def test_any_text_is_a_scenario_or_one_line(text: str) -> None:
    answered(lambda: read_scenario(text, file="x", name="x"))
    answered(lambda: read_history(text, file="x", name="x"))


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_a_scenario_with_one_thing_changed_is_a_scenario_or_one_line(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([EVERYTHING, SMALL]))
    way = data.draw(st.sampled_from(places(whole)))
    how = data.draw(st.sampled_from(["replace", "remove", "rename"]))
    text = json.dumps(mutated(whole, way, data.draw(VALUES), how))
    answered(lambda: read_scenario(text, file="x", name="x"))


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_a_history_with_a_piece_changed_is_a_scenario_or_one_line(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 6)))
        text = text[:start] + data.draw(PIECES) + text[end:]
    answered(lambda: read_history(text, file="x", name="x"))
