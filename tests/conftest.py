"""What a run of the tests shares: the seed of the long random ones."""

import os
import secrets

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed of a long run where none is given, before workers are started that must share it."""
    if config.option.markexpr == "soak":
        os.environ["CUTCARD_SEED"] = os.environ.get("CUTCARD_SEED") or str(secrets.randbelow(2**32))


def pytest_report_header() -> str | None:
    """The seed, so that whoever saw a failure can repeat it."""
    seed = os.environ.get("CUTCARD_SEED")
    return f"CUTCARD_SEED={seed}" if seed else None
