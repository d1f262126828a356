"""What a run of the tests shares: the seed of the long random ones, and how examples are drawn."""

import os
import secrets

import pytest
from hypothesis import settings

# The same examples in every run, and no limit of time for one: machines that run tests are shared.
settings.register_profile("gate", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=2_000)


def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed of a long run where none is given, before workers are started that must share it."""
    soak = config.option.markexpr == "soak"
    settings.load_profile("soak" if soak else "gate")
    if soak:
        os.environ["CUTCARD_SEED"] = os.environ.get("CUTCARD_SEED") or str(secrets.randbelow(2**32))


def pytest_report_header() -> str | None:
    """The seed, so that whoever saw a failure can repeat it."""
    seed = os.environ.get("CUTCARD_SEED")
    return f"CUTCARD_SEED={seed}" if seed else None
