"""Exactly once: a machine's cable is pulled at a frame, before or behind it, in one direction or the other,
at every frame of a hand in turn. Whatever was on its way, the hand ends as on a sound wire, and every command
is carried out once.

`make test` takes some of these frames, `make soak` all.
"""

import json
import time
from functools import cache
from itertools import product
from typing import Final

import pytest

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.simulate.wire import WireBench
from tests.e2e.tables import Json, reported, scenario_of
from tests.e2e.test_chaos import but_for_losses

AWAY_S: Final = 0.03
LAST: Final = 70
"""More frames than either machine says or is told in the hand, ticks and acknowledgements included."""
PLACES: Final = list(product(("shoe", "shuffler"), ("to", "from"), ("before", "behind")))
SAMPLE: Final = 17


class Cut:
    """A way that ends at a frame, with it or before it, until the cable is in again; `at` -1: never."""

    due_s = float("inf")
    idle = True

    def __init__(self, at: int, side: str) -> None:
        self._left = at
        self._side = side
        self.over = self._dead = False

    def takes(self, now_s: float) -> bool:
        return True

    def carry(self, data: bytes, now_s: float) -> bytes:
        out = b""
        while data and not self._dead:
            frame, end, data = data.partition(b"\0")
            self._dead = bool(end) and self._left == 0
            self._left -= bool(end)
            if not self._dead or self._side == "behind":
                out += frame + end
        self.over = self.over or self._dead
        return out

    def cut(self) -> None:
        self._dead = False


class CutBench(WireBench):
    """Once the table is at rest for the first time the cable is in danger."""

    def __init__(self, scenario: Scenario, device: str, way: str, side: str, at: int) -> None:
        self._device = device
        self._ways = [Cut(at if way == name else -1, side) for name in ("to", "from")]
        self._in_danger = False
        self._back_s: float | None = None
        super().__init__(scenario)

    @property
    def pulled(self) -> bool:
        """Whether the hand came to that frame."""
        return any(way.over for way in self._ways)

    def rest(self) -> None:
        super().rest()
        if not self._in_danger:
            self._in_danger = True
            line = self.ptys.lines[self._device]
            line.from_host, line.to_host = self._ways

    def _turn(self, deadline: float) -> bool:
        line = self.ptys.lines[self._device]
        if self.pulled and self._back_s is None:
            line.unplug()
            self._back_s = time.monotonic() + AWAY_S
        elif not line.plugged and self._back_s is not None and time.monotonic() >= self._back_s:
            line.replug()
        return super()._turn(deadline)


FOUR: Final = {"do": "draw", "to": "board", "count": 4, "face": "up"}
HANDS: Final = {"gate": [], "remedy": [{"do": "play", "until": "flop-deal"}, FOUR]}
"""One with a gate that is opened for each street, one with a remedy, so with two feeds and shuffles."""


@cache
def hand(kind: str) -> tuple[Scenario, Json]:
    """A hand, and its report on a sound wire."""
    table = {"game": "holdem", "seats": {"1": 1000, "2": 1000, "3": 1000}, "shoe": {"gate": kind == "gate"}}
    acts = [*HANDS[kind], {"do": "play", "until": "done"}]
    made = scenario_of({"table": table, "seed": 5, "acts": acts})
    clean: Json = json.loads(reported(made, DirectBench(made)))
    assert [shuffle["why"] for shuffle in clean["shuffles"]] == ["redeal-flop"] * (kind == "remedy")
    return made, clean


def play(device: str, way: str, side: str, at: int) -> bool:
    """Whether the hand came to that frame at all."""
    made, clean = hand("gate" if at % 2 else "remedy")
    bench = CutBench(made, device, way, side, at)
    said = json.loads(reported(made, bench))
    assert but_for_losses(said) == but_for_losses(clean), (device, way, side, at)
    for name, virtual in bench.table.devices.items():
        assert set(virtual.carried_out.values()) <= {1}, (name, at)
    return bench.pulled


@pytest.mark.parametrize(("device", "way", "side"), PLACES)
def test_a_cable_that_is_pulled_at_a_frame_costs_no_command_and_doubles_none(
    device: str, way: str, side: str
) -> None:
    first = PLACES.index((device, way, side))
    reached = [play(device, way, side, at) for at in range(first, LAST, SAMPLE)]
    assert any(reached)


@pytest.mark.soak
@pytest.mark.parametrize(("device", "way", "side"), PLACES)
def test_so_at_every_frame(device: str, way: str, side: str) -> None:
    reached = [play(device, way, side, at) for at in range(LAST)]
    assert any(reached)
