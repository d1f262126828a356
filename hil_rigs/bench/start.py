"""How long the command line takes to answer."""

import subprocess
import sys
import time
from typing import Final

from hil_rigs.bench.figures import Bound, Result, beside, spread_result
from hil_rigs.bench.plan import Plan

HELP_MS: Final = 300.0
_HELP: Final = "from controller.cli.main import main; main(['--help'])"


def start(plan: Plan) -> list[Result]:
    """`cutcard --help`, beside an interpreter that does nothing."""
    helped: list[float] = []
    bare: list[float] = []
    for round_ in range(plan.starts + 1):
        pair = (_ms("pass"), _ms(_HELP))
        if round_ > 0:  # the first fetches files from the disk
            bare.append(pair[0])
            helped.append(pair[1])
    return [
        spread_result(
            "start-help",
            "cutcard --help, from the start of the process to its end",
            "ms",
            helped,
            baseline=beside("bare Python", bare),
            bound=Bound(value_max=HELP_MS),
        )
    ]


def _ms(program: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000
