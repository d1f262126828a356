"""The phases of a hand follow each other as the table says, and in no other way."""

import pytest
from transitions import MachineError

from controller.hand import BACK_IN, PHASES, TRANSITIONS, Phases


def at(phase: str) -> Phases:
    phases = Phases()
    phases.machine.set_state(phase)
    return phases


@pytest.mark.parametrize(("fact", "sources", "target"), TRANSITIONS)
def test_a_fact_leads_to_its_phase_from_where_it_may_and_nowhere_else(
    fact: str, sources: tuple[str, ...], target: str
) -> None:
    for phase in PHASES:
        phases = at(phase)
        others = {t for f, s, t in TRANSITIONS if f == fact and phase in s}
        if phase in sources:
            assert phases.establish(fact) == target  # type: ignore[arg-type]
        elif not others:
            with pytest.raises(MachineError):
                phases.establish(fact)  # type: ignore[arg-type]
            assert phases.name == phase


def test_only_the_floor_leads_out_of_a_halted_table() -> None:
    out = {fact: target for fact, sources, target in TRANSITIONS if "halted" in sources}
    assert out == {back: phase for phase, back in BACK_IN.items()} | {"voided": "done", "deck_pulled": "idle"}


def test_a_halted_hand_can_go_back_to_every_phase() -> None:
    assert set(BACK_IN) == set(PHASES) - {"halted"}


def test_every_phase_can_be_reached() -> None:
    reached = {"idle"}
    for _ in PHASES:
        reached |= {target for _, sources, target in TRANSITIONS if reached & set(sources)}
    assert reached == set(PHASES)


def test_an_attribute_that_hides_a_fact_is_found_when_the_table_starts() -> None:
    class Hiding(Phases):
        def street_due(self) -> bool:
            return True

    with pytest.raises(TypeError, match="street_due"):
        Hiding()
