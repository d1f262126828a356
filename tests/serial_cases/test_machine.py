"""The state machine: what its library is known to do to those who trust it, and what is done here instead."""

import ast
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from transitions import Machine, MachineError

import controller
from controller import hand
from controller.decisions import PhaseEntered
from controller.events import DeadlinePassed
from controller.hand import TRANSITIONS, Phases
from controller.journal import MemoryJournal
from controller.table import Table
from tests.shell.bare import Bare
from tests.shell.joined import Joined

CODE: Final = Path(controller.__file__).parent


def trees() -> Iterator[tuple[Path, ast.AST]]:
    for path in CODE.rglob("*.py"):
        yield path, ast.parse(path.read_text("utf-8"))


def test_case_07_a_phase_is_believed_only_once_it_is_there() -> None:
    """A queued machine says True to what it has not done: here a fact returns the phase, or raises."""
    phases = Phases()
    assert phases.establish("deck_laid_in") == phases.name == "shuffle"

    def within(_event: object) -> None:
        phases.establish("pack_loaded")

    phases.machine.before_state_change.append(within)
    with pytest.raises(RuntimeError, match="did not lead"):
        phases.establish("draw_begins")


def test_case_08_a_fact_that_leads_nowhere_costs_no_other_fact() -> None:
    phases = Phases()
    phases.establish("deck_laid_in")
    with pytest.raises(MachineError):
        phases.establish("pots_pushed")
    assert phases.name == "shuffle"
    assert phases.establish("pack_loaded") == "deal"
    assert phases.establish("hole_cards_dealt") == "preflop"


def test_case_09_no_callback_of_the_machine_can_fail_behind_a_change() -> None:
    """The library does not roll back: so nothing hangs on a transition but the note of its end."""
    machine = Phases().machine
    for event in machine.events.values():
        for transitions in event.transitions.values():
            for transition in transitions:
                assert (transition.prepare, transition.before, transition.after) == ([], [], [])
                assert transition.conditions == []
    for state in machine.states.values():
        assert (state.on_enter, state.on_exit) == ([], [])
    hooks = (machine.prepare_event, machine.before_state_change, machine.finalize_event, machine.on_exception)
    assert all(hook == [] for hook in hooks)
    assert [getattr(callback, "__name__", "") for callback in machine.after_state_change] == ["_note"]


def test_case_10_one_thread_has_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    establish = Phases.establish

    def watched(self: Phases, fact: hand.Fact) -> hand.PhaseName:
        seen.add(threading.get_ident())
        return establish(self, fact)

    monkeypatch.setattr(Phases, "establish", watched)
    joined = Joined(MemoryJournal())
    joined.play_until("flop")
    assert seen == {threading.get_ident()}


def test_case_11_no_machine_runs_in_an_event_loop() -> None:
    """An asynchronous machine cancels what runs when another task speaks: there is none, and no lock."""
    assert type(Phases().machine) is Machine
    for path, tree in trees():
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not names & {"AsyncMachine", "LockedMachine", "HierarchicalMachine"}, path
        asynchronous = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
        assert not any(isinstance(node, asynchronous) for node in ast.walk(tree)), path


def test_case_12_a_transition_that_failed_leaves_a_machine_that_goes_on() -> None:
    phases = Phases()

    def fails(_event: object) -> None:
        phases.machine.before_state_change.clear()
        raise OSError("something else")

    phases.machine.before_state_change.append(fails)
    with pytest.raises(OSError, match="something else"):
        phases.establish("deck_laid_in")
    assert phases.name == "idle"
    assert phases.establish("deck_laid_in") == "shuffle"


def test_case_41_no_time_runs_in_the_machine() -> None:
    """A state's time-out races with what ends it: deadlines are events, and an old one means nothing."""
    threads = threading.active_count()
    joined = Joined(MemoryJournal())
    joined.play_until("preflop")
    assert threading.active_count() == threads
    core: Table = joined.service._core
    before = core.phase
    assert core.handle(DeadlinePassed(token=10**6)) == ()
    assert core.phase == before


def test_case_42_an_unknown_fact_is_no_silent_one() -> None:
    phases = Phases()
    assert phases.machine.ignore_invalid_triggers is False
    assert all(state.ignore_invalid_triggers is False for state in phases.machine.states.values())
    with pytest.raises(AttributeError):
        phases.establish("no_such_fact")  # type: ignore[arg-type]


@pytest.mark.parametrize("fact", sorted({fact for fact, _, _ in TRANSITIONS}))
def test_case_43_an_attribute_named_as_a_fact_is_found_at_the_start(fact: str) -> None:
    hiding = type("Hiding", (Phases,), {fact: lambda self: True})
    with pytest.raises(TypeError, match=fact):
        hiding()


def test_case_44_a_fact_within_a_fact_waits_for_its_end() -> None:
    """Unqueued the inner one would run before the outer one is through, and a chain would recurse."""
    phases = Phases()
    assert phases.machine.has_queue
    told: list[str] = []
    facts = iter(["pack_loaded", "hole_cards_dealt", "street_due"])

    def more(_event: object) -> None:
        told.append(phases.name)
        fact = next(facts, None)
        if fact is not None:
            phases.machine.dispatch(fact)
            assert phases.name == told[-1], "the inner fact has not run yet"

    phases.machine.after_state_change.append(more)
    phases.machine.dispatch("deck_laid_in")
    assert told == ["shuffle", "deal", "preflop", "flop-deal"]


def test_case_45_what_is_kept_of_a_phase_is_its_name() -> None:
    for path, tree in trees():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
        imported = {alias.name for node in imports for alias in node.names}
        assert not imported & {"pickle", "copyreg", "shelve", "marshal"}, path
    bare = Bare()
    bare.power_up()
    bare.begin_hand()
    phases = [decision.phase for decision in bare.decisions if isinstance(decision, PhaseEntered)]
    assert phases == ["shuffle"]
    assert all(type(phase) is str for phase in phases)
