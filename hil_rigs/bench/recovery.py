"""How long a table is without a device after its cable is put in again, with the real controller process."""

import time
from typing import Final

from hil_rigs.bench.figures import Bound, Result, spread_result
from hil_rigs.bench.plan import Plan
from hil_rigs.bench.tables import persistently, table
from hil_rigs.simulate.bench import BenchError
from hil_rigs.simulate.wire import WireBench

BACK_MS: Final = 1_000.0
SOON_S: Final = 0.3
LATE_S: Final = 3.5
"""Longer than a device is looked for each 100 ms."""
LOOK_S: Final = 0.5
"""The longest time between two looks for a device that is away."""
_GOLDEN: Final = 0.618
_PATIENCE_S: Final = 10.0
_TURN_S: Final = 0.001


def recovery(plan: Plan) -> list[Result]:
    """From the cable put in to the host's first word in the new session, each device in turn."""
    return [
        _result("recovery-replug", "a cable that was out for 0.3 to 0.8 s", SOON_S, plan.replugs),
        _result("recovery-replug-late", "a cable that was out for 3.5 to 4 s", LATE_S, plan.late_replugs),
    ]


def _result(name: str, what: str, away_s: float, count: int) -> Result:
    samples = persistently(lambda: _replugged(away_s, count))
    about = f"{what}: put in, until the host speaks in a new session"
    return spread_result(name, about, "ms", samples, bound=Bound(p99_max=BACK_MS))


def _replugged(away_s: float, count: int) -> list[float]:
    bench = WireBench(table("holdem"))
    try:
        bench.rest()
        # Spread over the time between two looks of the host, or all would meet the same moment of it.
        return [_one(bench, number, away_s + number * _GOLDEN % 1 * LOOK_S) for number in range(count)]
    finally:
        bench.close()


def _one(bench: WireBench, number: int, away_s: float) -> float:
    lines = bench.ptys.lines
    line = lines[sorted(lines)[number % len(lines)]]
    line.unplug()
    out_until = time.monotonic() + away_s
    while time.monotonic() < out_until:
        bench.ptys.pump(_TURN_S)
    line.link.joined = False
    line.replug()
    began = time.monotonic()
    while not line.link.joined:
        bench.ptys.pump(_TURN_S)
        if time.monotonic() > began + _PATIENCE_S:
            raise BenchError("a device that was put in again is not found")
    took = (time.monotonic() - began) * 1000
    bench.rest()
    return took
