"""docs/link.md: its table of faults is that of the code."""

import re

from hil_rigs.wire.faults import FAULTS, NAMES
from tests.docs.pages import rows, section

PAGE = "docs/link.md"


def test_the_faults_of_a_wire_are_those_of_the_code_and_last_as_long() -> None:
    told = rows(section(PAGE, "Faults of a wire, by name"))
    assert [row[0].strip("`") for row in told] == list(NAMES)
    lasts = {row[0].strip("`"): re.match(r"(\d+) frame", row[2]) for row in told}
    for name, fault in FAULTS.items():
        assert lasts[name] is not None
        assert int(lasts[name].group(1)) == fault.lasts  # type: ignore[union-attr]
