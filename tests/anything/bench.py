"""A table without a wire whose floor decides, and whose devices can be lost or begin anew."""

import random
from typing import Final, cast

import msgspec

from controller.decisions import AnyDecision
from controller.events import DeviceName, FloorDecided, FloorDecisionName
from controller.service import Service
from controller.table import Table
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import capabilities
from hil_rigs.simulate.direct import DirectBench, _caps
from hil_rigs.simulate.scenario import Scenario
from tests.e2e.tables import Json, scenario_of

HOUSES: Final = tuple(f"tests/rulesets/good/{name}.toml" for name in ("riverside", "aside", "plain"))
"""Rulesets of card rooms, from the folder in which the tests run."""


class FloorBench(DirectBench):
    """The floor decides here without a badge; `rules` may name a file of a card room's own."""

    @property
    def service(self) -> Service:
        """The running table."""
        return self._service

    @property
    def core(self) -> Table:
        """The core of the running table."""
        return self._service._core

    def rules(
        self, decision: FloorDecisionName, remedy: str = "", rule: str = "", seat: int = 0
    ) -> tuple[AnyDecision, ...]:
        """The floor decides."""
        decided = FloorDecided(decision, "Ann", "so it is", remedy, rule, seat)
        made = self._service._take(decided)
        self._service.settle()
        return made

    def answers(self, name: str, *, restarted: bool) -> None:
        """A device is there again, from a new boot or the same."""
        device = self.table.devices[name]
        caps = wire.decode(wire.Caps.TYPE, _caps(device))
        assert isinstance(caps, wire.Caps)
        device.session_opened()
        self._service.answers(
            cast(DeviceName, name), device.boots + 1, capabilities(caps), restarted=restarted
        )

    def few(self, turns: int) -> None:
        """Hands over a little of what there is to say, in the middle of things."""
        for _ in range(turns):
            self._to_devices()
            for name, type_, body in self._direct.take():
                self._hear(cast(DeviceName, name), wire.decode(type_, body))


def drawn_scenario(dice: random.Random) -> Scenario:
    """Any table: game, betting, ruleset, machines, antennas or none, one deck or two, 2 to 11 seats."""
    game = dice.choice(("holdem", "omaha"))
    most = dice.choice((3, 4, 6, 11 if game == "holdem" else 10))
    seats = sorted(dice.sample(range(1, 12), dice.randint(2, most)))
    rules = dice.choice(("roberts", "roberts", "tda", "tda", "house"))
    table: Json = {
        "game": game,
        "betting": dice.choice(("no-limit", "pot-limit", "fixed-limit")),
        "rules": "roberts" if rules == "house" else rules,
        "seats": {str(seat): dice.choice((50, 1000, 1000)) for seat in seats},
        "button": dice.choice((*seats, *seats, "draw")),
        "ante": dice.choice((0, 0, 2)),
        "follow": dice.choice(("tracked", "tracked", "dealer-key")),
        "zones": dice.random() < 0.75,
        "decks": dice.choice((1, 1, 2)),
        "shoe": {"gate": dice.random() < 0.4, "burner": dice.random() < 0.5},
        "shuffler": {
            "cuts": dice.random() < 0.6,
            "identifies": dice.random() < 0.7,
            "min_cards": dice.choice((1, 1, 1, 40, 52)),
        },
    }
    made = scenario_of({"table": table, "seed": dice.randint(0, 10**6), "acts": []}, "any")
    if rules == "house":
        made = replace_rules(made, dice.choice(HOUSES))
    return made


def replace_rules(made: Scenario, rules: str) -> Scenario:
    """The same table under other rules."""
    return msgspec.structs.replace(made, table=msgspec.structs.replace(made.table, rules=rules))
