"""The floor of a scenario: whoever its file names is of the bench's floor, with a PIN that is made up."""

from collections.abc import Mapping
from typing import Final

from controller.credentials import Credential
from controller.door import Ruling
from controller.people import People
from hil_rigs.simulate.scenario import Floor, Scenario

NOBODY: Final = "floor"
"""Who decides where a file does not say who."""
NO_REASON: Final = "none given"
_FIRST_PIN: Final = 100_000
_GIVEN: Final = "2026-01-01"


class Floors:
    """The floors of one scenario. A name is one person, whatever its capital letters."""

    def __init__(self, scenario: Scenario) -> None:
        named = (act.who or NOBODY for act in scenario.acts if isinstance(act, Floor))
        by_name: dict[str, str] = {}
        for name in named:
            by_name.setdefault(name.casefold(), name)
        self._names = tuple(by_name.values())
        self._pins: Mapping[str, str] = {name: str(pin) for pin, name in enumerate(by_name, start=_FIRST_PIN)}

    def __bool__(self) -> bool:
        return bool(self._names)

    def people(self) -> People:
        """Who a bench's table knows."""
        people = People(use="bench")
        for name in self._names:
            pin = Credential("pin", self._pins[name.casefold()])
            people = people.added(name, "floor").with_pin(name, pin, _GIVEN)
        return people

    def ruling(self, act: Floor) -> Ruling:
        """What an act says at the door."""
        return Ruling(
            decision=act.decision,
            reason=act.reason or NO_REASON,
            remedy=act.remedy or "",
            rule=act.rule or "",
            seat=act.seat or 0,
            pin=self._pins[(act.who or NOBODY).casefold()],
        )
