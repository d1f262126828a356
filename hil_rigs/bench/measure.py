"""The whole run, one thing after the other."""

import gc
import os
import platform
from collections.abc import Callable
from importlib.metadata import version

from hil_rigs.bench.betting import betting
from hil_rigs.bench.core import codec, hands, transitions
from hil_rigs.bench.disk import journal
from hil_rigs.bench.figures import SCHEMA, Report, Result
from hil_rigs.bench.plan import FULL, QUICK
from hil_rigs.bench.reaction import reactions
from hil_rigs.bench.recovery import recovery
from hil_rigs.bench.replay import replays
from hil_rigs.bench.start import start


def measure(*, quick: bool, say: Callable[[str], None]) -> Report:
    """Measures everything; `say` is told what comes next. Raises BenchError."""
    plan = QUICK if quick else FULL
    results: list[Result] = []
    # First, and without what other measurements leave behind: the controllers are forked from this process.
    say("reaction, beside a bare echo")
    gc.collect()
    results += reactions(plan)
    say("codec, machine, betting, journal")
    results += codec(plan)
    results += transitions(plan)
    results += betting(plan)
    results += journal(plan)
    say("hands")
    results += hands(plan, journal_us=results[-1].figure)
    say("cables pulled and put in again")
    results += recovery(plan)
    say("long journals")
    results += replays(plan)
    say("start of the command line")
    results += start(plan)
    return Report(
        schema=SCHEMA,
        cutcard=version("cutcard"),
        python=platform.python_version(),
        cpus=os.cpu_count() or 1,
        quick=quick,
        results=tuple(results),
    )
