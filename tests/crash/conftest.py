"""What the tests of this folder have in common."""

import pytest

from firmware_bridge import link as host_link
from hil_rigs.virtual import link as device_link

_PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy with other things is no device that has fallen silent; forked controllers have
    the same patience."""
    monkeypatch.setattr(host_link, "SILENCE_S", _PATIENCE_S)
    monkeypatch.setattr(device_link, "LOST_S", _PATIENCE_S)
