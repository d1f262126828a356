"""`cutcard bench`: its form, never its figures, which are the machine's."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hil_rigs.bench.figures import Bound, beside, spread, spread_result, value_result
from hil_rigs.bench.plan import FULL
from hil_rigs.bench.replay import REPLAY_ENTRIES, replay_results

NAMES = [
    "reaction-card-led",
    "reaction-card-gate",
    "reaction-fourth-gate",
    "reaction-fourth-led",
    "reaction-act-led",
    "reaction-act-burn",
    "group-commit",
    "codec-encode",
    "codec-decode",
    "codec-seal",
    "codec-frames",
    "transition",
    "betting-acts",
    "journal-append",
    "journal-entry",
    "hands-direct-holdem",
    "hands-direct-omaha",
    "hands-wire-holdem",
    "events-direct",
    "tables-per-core",
    "journal-replay-200",
    "journal-replay-memory-200",
    "recovery-200",
    "recovery-memory-200",
    "start-help",
]
WITH_BASELINE = {
    "reaction-card-led": "bare pyserial echo",
    "reaction-card-gate": "bare pyserial echo",
    "reaction-fourth-gate": "bare pyserial echo",
    "reaction-fourth-led": "bare pyserial echo",
    "reaction-act-led": "bare pyserial echo",
    "reaction-act-burn": "bare pyserial echo and one group commit",
    "codec-encode": "COBS and CRC alone",
    "codec-decode": "COBS and CRC alone",
    "codec-seal": "header and body alone",
    "transition": "lookup in a dict",
    "betting-acts": "PokerKit's State, dealing left out",
    "journal-append": "bare write of as many bytes, not synced",
    "journal-entry": "bare write of as many bytes, not synced",
    "hands-wire-holdem": "without a wire",
    "start-help": "bare Python",
}
BOUNDS = {
    "reaction-card-led": {"difference_max": 1000, "p99_max": 5000},
    "reaction-card-gate": {"difference_max": 1000, "p99_max": 5000},
    "reaction-fourth-gate": {"difference_max": 1000, "p99_max": 5000},
    "reaction-fourth-led": {"difference_max": 1000, "p99_max": 5000},
    "reaction-act-led": {"difference_max": 1000, "p99_max": 5000},
    "reaction-act-burn": {"difference_max": 1000},
    "betting-acts": {"ratio_min": 3},
    "tables-per-core": {"value_min": 50},
    "start-help": {"value_max": 300},
}


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from controller.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, "bench", *arguments], capture_output=True, text=True, check=False
    )


def test_quick_json_has_every_result() -> None:
    ran = _run("--json", "--quick")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert report["schema"] == 1
    assert report["quick"] is True
    assert {"cutcard", "python", "cpus"} <= report.keys()
    results = {result["name"]: result for result in report["results"]}
    assert list(results) == NAMES
    for result in results.values():
        assert result["unit"]
        assert result["about"]
        assert result["n"] > 0
        assert "value" in result or {"p50", "p99"} <= result.keys()
    baselines = {name: r["baseline"]["name"] for name, r in results.items() if "baseline" in r}
    assert baselines == WITH_BASELINE
    assert all("ratio" in results[name] and "difference" in results[name] for name in WITH_BASELINE)
    assert {name: r["bound"] for name, r in results.items() if "bound" in r} == BOUNDS
    assert {name for name, r in results.items() if isinstance(r.get("within"), bool)} == BOUNDS.keys()


def test_quick_table_names_every_result() -> None:
    ran = _run("--quick")
    assert ran.returncode == 0, ran.stderr
    assert all(f"{name}:" in ran.stdout for name in NAMES)


def test_help_says_that_a_missed_bound_is_no_failure() -> None:
    ran = _run("--help")
    assert ran.returncode == 0
    assert "whether a bound was kept or not" in " ".join(ran.stdout.split())


def test_a_journal_of_a_hundred_thousand_entries_is_to_be_replayed_in_ten_seconds() -> None:
    assert max(FULL.journals) == REPLAY_ENTRIES
    bounds = {
        result.name: result.bound.value_max
        for entries in FULL.journals
        for result in replay_results(entries, entries, (9.0, 60.0), (1.0, 60.0))
        if result.bound is not None
    }
    assert bounds == {"journal-replay-100000": 10.0}


def test_spread_takes_the_median_and_the_nearest_rank() -> None:
    of = spread([float(n) for n in range(1, 101)])
    assert (of.p50, of.p99, of.n) == (50.5, 99.0, 100)
    assert (spread([7.0]).p50, spread([7.0]).p99) == (7.0, 7.0)


@pytest.mark.parametrize(
    ("samples", "bound", "kept"),
    [
        ([150.0] * 3, Bound(difference_max=50), True),
        ([151.0] * 3, Bound(difference_max=50), False),
        ([110.0, 110.0, 900.0], Bound(difference_max=50, p99_max=800), False),
        ([], Bound(difference_max=50), False),
    ],
)
def test_a_bound_of_a_spread(samples: list[float], bound: Bound, kept: bool) -> None:
    result = spread_result("", "", "us", samples, baseline=beside("bare", [100.0]), bound=bound)
    assert result.within is kept


def test_a_bound_of_a_value_and_no_bound() -> None:
    assert value_result("", "", "", 50.0, n=1, bound=Bound(value_min=50)).within is True
    assert value_result("", "", "", 49.0, n=1, bound=Bound(value_min=50)).within is False
    assert value_result("", "", "", 301.0, n=1, bound=Bound(value_max=300)).within is False
    assert value_result("", "", "", 1.0, n=1).within is None


@pytest.mark.parametrize(("figure", "kept"), [(300.0, True), (299.0, False)])
def test_a_bound_of_a_ratio(figure: float, kept: bool) -> None:
    result = value_result("", "", "", figure, n=1, baseline=beside("bare", [100.0]), bound=Bound(ratio_min=3))
    assert result.within is kept
