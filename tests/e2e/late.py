"""Antennas that report late, early and in another order, for tests that this changes no report."""

import random
from collections.abc import Iterator

from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.direct import DirectTable
from hil_rigs.virtual.table import VirtualTable
from tests.e2e.tables import reported

LATENESS = (1, 77)


class HastyTable(DirectTable):
    """Hands over what the antennas say before or after what others say of the same moment.

    Cards that leave the shoe together all leave it before an antenna sees one of them.
    """

    def __init__(self, table: VirtualTable) -> None:
        super().__init__(table)
        self._dice = random.Random(table.setup.late_seed)

    def take(self) -> list[tuple[str, int, bytes]]:
        """All that is said, the antennas' words at random among the others."""
        said: list[tuple[str, int, bytes]] = []
        while more := super().take():
            said += more
        others = [word for word in said if word[0] != "zones"]
        if sum(type_ == Type.DRAW for _, type_, _ in others) > 1:
            return said
        zones = [word for word in said if word[0] == "zones"]
        queues = {"zones": zones, "others": others}
        mixed = []
        while names := [name for name, words in queues.items() if words]:
            mixed.append(queues[self._dice.choice(names)].pop(0))
        return mixed


def differing(made: Scenario, lateness: tuple[int, ...] = LATENESS) -> Iterator[str]:
    """Which ways to play a scenario give another report than the plain one."""
    plain = reported(made, DirectBench(made))
    for seed in lateness:
        if reported(made, DirectBench(made, lateness=seed)) != plain:
            yield f"late {seed}"
        if reported(made, DirectBench(made, lateness=seed, direct=HastyTable)) != plain:
            yield f"hasty {seed}"
