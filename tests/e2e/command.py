"""The real command, run as whoever installed it runs it."""

import os
import subprocess
import sys
from pathlib import Path

CUTCARD = Path(sys.executable).with_name("cutcard")


def simulate(*args: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run `cutcard simulate` to its end."""
    return subprocess.run(
        [str(CUTCARD), "simulate", *map(str, args)],
        capture_output=True,
        env={**os.environ, **environment},
        timeout=100,
        check=False,
    )
