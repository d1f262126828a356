"""The one table of what scenarios.md has and the table cannot play yet.

A file that needs one of these is refused by name instead of being played wrongly. Whoever makes the table
play a feature takes its line out; nothing else changes.
"""

from collections.abc import Callable
from typing import NamedTuple

from hil_rigs.simulate.errors import ScenarioError
from hil_rigs.simulate.scenario import (
    ANY_DEVICE,
    CARD_FAULTS,
    DEVICE_FAULTS,
    Fault,
    Scenario,
)
from hil_rigs.virtual.mishaps import MISHAPS


class Later(NamedTuple):
    """A feature of later work: its `name`, what it is in a sentence, and where a scenario needs it.

    `find` returns the place in the file that needs it, or None.
    """

    name: str
    what: str
    find: Callable[[Scenario], str | None]


def refuse_later(scenario: Scenario, file: str) -> None:
    """Let a scenario pass that can be played.

    Raises:
        ScenarioError: it needs a feature of `LATER`, which is named.
    """
    for later in LATER:
        place = later.find(scenario)
        if place is not None:
            raise ScenarioError(file, place, f"`{later.name}` is not played yet: {later.what}")


def _key(place: str, needs: Callable[[Scenario], bool]) -> Callable[[Scenario], str | None]:
    def find(scenario: Scenario) -> str | None:
        return place if needs(scenario) else None

    return find


def _fault(name: str) -> Callable[[Scenario], str | None]:
    def find(scenario: Scenario) -> str | None:
        faults = (act for act in scenario.acts if isinstance(act, Fault) and act.fault == name)
        return next((f"acts[{act.index}].fault" for act in faults if (act.device, name) not in MISHAPS), None)

    return find


LATER: tuple[Later, ...] = (
    *(
        Later(name, "this device is sound in that", _fault(name))
        for name in (*DEVICE_FAULTS, *CARD_FAULTS)
        if name not in ANY_DEVICE
    ),
)
