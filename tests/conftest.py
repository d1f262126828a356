"""What is told behind the tests of a run."""

import pytest

from hil_rigs.simulate.chaos import Toll

TOLL = "toll"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What chaos cost in all, where it was played (tests/e2e/test_chaos.py)."""
    total, hands = Toll(), 0
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", ()):
            if name == TOLL:
                total.add(Toll.read(value))
                hands += 1
    if hands:
        terminalreporter.write_line(f"chaos: {hands} hands, {total}")
