"""docs/phases.md: its diagram is the machine's own, and every phase and fact is told in words."""

from controller.hand import PHASES, TRANSITIONS
from tests.docs.draw_phases import PAGE, drawn, in_page
from tests.docs.pages import rows, section


def test_the_diagram_is_drawn_from_the_machine() -> None:
    assert in_page() == drawn(), f"{PAGE} is behind the machine: run python -m tests.docs.draw_phases"


def test_the_page_tells_of_every_phase_in_their_order() -> None:
    assert [name for name, *_ in rows(section(PAGE, "Phases"))] == list(PHASES)


def test_the_page_tells_of_every_fact() -> None:
    told = [name.strip("`") for cell, *_ in rows(section(PAGE, "Facts")) for name in cell.split(", ")]
    assert sorted(told) == sorted({fact for fact, _, _ in TRANSITIONS})
