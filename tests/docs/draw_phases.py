"""Draws the diagram of docs/phases.md from the machine itself.

`python -m tests.docs.draw_phases` writes it into the page.
"""

import re

from transitions.extensions import GraphMachine

from controller.hand import PHASES, Phases
from tests.docs.pages import ROOT, text_of

PAGE = "docs/phases.md"
_BLOCK = re.compile(r"(?<=^```mermaid\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_STYLING = ("classDef ", "Class ")


def drawn() -> str:
    """The machine as transitions' own mermaid engine draws it, without what is only styling.

    A phase's name is its label; an identifier must not have a hyphen. The arrows to `halted`, which lead
    there from everywhere, and those back are put together in a note.
    """
    machine = Phases().machine
    graph = GraphMachine(
        states=list(machine.states), initial=machine.initial, auto_transitions=False, graph_engine="mermaid"
    )
    for fact, event in machine.events.items():
        for ways in event.transitions.values():
            for way in ways:
                graph.add_transition(fact, way.source, way.dest)
    lines = str(graph.get_combined_graph().draw(None)).splitlines()
    said = [line for line in lines[lines.index("stateDiagram-v2") :] if not line.strip().startswith(_STYLING)]
    return "\n".join(_without_halts([_plain(line) for line in said if line.strip()])) + "\n"


def _plain(line: str) -> str:
    for phase in PHASES:
        if "-" in phase:
            line = re.sub(rf'(?<!["\w-]){phase}(?!["\w-])', phase.replace("-", "_"), line)
    return line


def _without_halts(lines: list[str]) -> list[str]:
    halts = [line for line in lines if line.endswith("--> halted: halt")]
    assert len(halts) == len(PHASES) - 1, "a phase that cannot be halted must show in the diagram"
    backs = re.compile(r": back_in_\w+(?: \| |$)")
    assert sum(bool(backs.search(line)) for line in lines) == len(halts), "a phase without a way back"
    plain = [backs.sub(": ", line) for line in lines if line not in halts]
    rest = [line for line in plain if not line.endswith(": ")]
    return [*rest, "  note right of halted: halt leads here from every other phase, back_in_… to it again"]


def in_page() -> str:
    """The diagram that stands in the page."""
    found = _BLOCK.search(text_of(PAGE))
    assert found is not None, f"{PAGE} has no mermaid block"
    return found[0]


def write() -> None:
    """Puts the diagram into the page."""
    page = ROOT / PAGE
    page.write_text(_BLOCK.sub(lambda _: drawn(), text_of(PAGE), count=1), "utf-8")


if __name__ == "__main__":
    write()
