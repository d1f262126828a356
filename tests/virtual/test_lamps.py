"""The virtual ring says which LEDs are lit at a device time: shapes, rates and the device's own clock."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hil_rigs.virtual.codes import Colour, Pattern, Prompt, Type
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.lamps import Lamp, lit
from hil_rigs.virtual.prompts import Prompts, PromptsOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.docs.pages import rows, section
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script

MINUTE_MS = 60_000
STEP_MS = 10
CALM = (Pattern.STEADY, Pattern.ENDS, Pattern.CHASE)


def _ring(*spans: tuple[int, int, int, int], leds: int = 48, after_ms: int = 0) -> VirtualTable:
    """A table on whose ring these spans are on display since its clock showed `after_ms`."""
    script = Script(DirectHost(VirtualTable(Setup(prompts=PromptsOptions(leds=leds)))))
    script.table.advance(after_ms)
    raw = b"".join(map(bytes, spans))
    script.send("prompts", Type.LEDS, prompt=1, spans=spans)
    fields = {"seat": 0, "count": 0, "spans": len(spans), "length": 0, "crc": crc16(raw)}
    script.send("prompts", Type.SHOW, prompt=1, code=Prompt.CALL_FLOOR, **fields)
    script.host.settle()
    return script.table


def _film(table: VirtualTable, ms: int = MINUTE_MS) -> list[dict[int, Lamp]]:
    """What the ring shows each hundredth of a second of its own time."""
    seen = []
    for _ in range(0, ms, STEP_MS):
        seen.append(table.prompts.lamps)
        table.advance(STEP_MS)
    return seen


def _per_second(film: list[dict[int, Lamp]], led: int) -> float:
    """How often in a second an LED goes on: its rising edges over the device's time."""
    on = [led in lamps for lamps in film]
    rising = sum(later and not earlier for earlier, later in pairwise(on))
    return rising / (len(film) * STEP_MS / 1000)


@pytest.mark.parametrize(
    ("pattern", "low", "high"),
    [(Pattern.BLINK, 0.4, 0.8), (Pattern.URGENT, 1.4, 2.8)],
    ids=["blink", "urgent"],
)
def test_a_flash_keeps_its_rate_and_is_lit_for_half_of_the_time(
    pattern: Pattern, low: float, high: float
) -> None:
    film = _film(_ring((4, 7, Colour.RED, pattern), after_ms=12_345))
    assert all(set(lamps) in ({4, 5, 6, 7}, set()) for lamps in film), "all together"
    assert low <= _per_second(film, 4) <= high
    assert sum(map(bool, film)) * 2 == len(film)
    assert film[0], "what is asked for anew is seen at once"


@pytest.mark.parametrize("leds_of_span", [1, 2, 3, 4, 48])
@pytest.mark.parametrize("pattern", CALM, ids=lambda pattern: pattern.name.lower())
def test_a_calm_pattern_never_goes_dark_and_no_led_of_it_is_faster_than_a_slow_blink(
    pattern: Pattern, leds_of_span: int
) -> None:
    film = _film(_ring((0, leds_of_span - 1, Colour.WHITE, pattern)))
    assert all(film)
    assert len({len(lamps) for lamps in film}) == 1, "always as bright"
    assert all(_per_second(film, led) <= 0.5 for led in range(leds_of_span))


FORMULAS = {
    name: condition.split(",")[0].replace("`", "")
    for name, condition, *_ in rows(section("docs/protocol.md", "LED patterns"))
    if name != "lost"
}
_SIGNS = {"always": "True", " mod ": " % ", "×": "*", "/": "//", " = ": " == "}


@pytest.mark.parametrize("pattern", [p for p in Pattern if p != Pattern.LOST], ids=lambda p: p.name.lower())
def test_the_ring_is_lit_as_the_document_writes_it(pattern: Pattern) -> None:
    condition = FORMULAS[pattern.name.lower()]
    for written, meant in _SIGNS.items():
        condition = condition.replace(written, meant)
    for n in (1, 2, 3, 5, 48):
        for t in range(0, 5_000, 7):
            meant_lit = {i for i in range(n) if eval(condition, {}, {"i": i, "n": n, "t": t})}
            assert set(lit(48, [(0, n - 1, Colour.RED, pattern)], t)) == meant_lit


def test_shapes_are_told_apart_without_colours() -> None:
    films = [
        _film(_ring((8, 10, Colour.WHITE, pattern)), 4_000) for pattern in Pattern if pattern != Pattern.LOST
    ]
    shapes = [tuple(frozenset(lamps) for lamps in film) for film in films]
    assert len(set(shapes)) == 5


def test_ends_are_two_points_and_steady_is_a_bar() -> None:
    lamps = _ring((8, 11, Colour.BLUE, Pattern.ENDS), (20, 22, Colour.AMBER, Pattern.STEADY)).prompts.lamps
    assert lamps == {
        **dict.fromkeys((8, 11), Lamp(Colour.BLUE)),
        **dict.fromkeys((20, 21, 22), Lamp(Colour.AMBER)),
    }


def test_a_chase_runs_from_the_first_led_to_the_last_over_the_ring_s_end() -> None:
    film = _film(_ring((46, 1, Colour.GREEN, Pattern.CHASE)), 4_000)
    runs = [next(iter(lamps)) for lamps in film if len(lamps) == 1]
    assert len(runs) == len(film)
    steps = [runs[0], *(after for before, after in pairwise(runs) if after != before)]
    assert steps == [46, 47, 0, 1] * 2


def test_of_spans_that_share_leds_the_last_one_has_them() -> None:
    ring = _ring(
        (0, 5, Colour.RED, Pattern.STEADY),
        (2, 4, Colour.BLUE, Pattern.ENDS),
        (5, 5, Colour.OFF, Pattern.STEADY),
    )
    assert {led: lamp.colour for led, lamp in ring.prompts.lamps.items()} == {
        **dict.fromkeys((0, 1), Colour.RED),
        **dict.fromkeys((2, 4), Colour.BLUE),
    }


def test_a_pattern_begins_when_its_prompt_is_shown_and_a_clock_that_comes_round_does_not_disturb_it() -> None:
    wrap = 1 << 32
    film = _film(_ring((0, 0, Colour.RED, Pattern.URGENT), after_ms=wrap - 1_130), 4_000)
    assert [bool(lamps) for lamps in film] == [(at * STEP_MS) % 500 < 250 for at in range(len(film))]


def test_a_ring_whose_host_is_silent_shows_every_fourth_led_dim_and_a_ring_that_starts_is_dark() -> None:
    ring: Prompts = _ring((0, 47, Colour.RED, Pattern.URGENT)).prompts
    ring.go_safe()
    assert ring.lamps == dict.fromkeys(range(0, 48, 4), Lamp(Colour.WHITE, dim=True))
    ring.session_opened()
    assert ring.lamps == dict.fromkeys(range(48), Lamp(Colour.RED))
    ring.power_cycle()
    assert ring.lamps == {}
