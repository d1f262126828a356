"""Tables of the core with a floor: halted, decided, and played on by hands that obey."""

from collections.abc import Callable

from controller.decisions import Alert, FloorRuled, Prompt, Refused
from controller.events import (
    Acted,
    FloorDecided,
    FloorDecisionName,
    Keyed,
    Occupied,
    ShoeState,
    ShufflerState,
)
from controller.table import Table
from controller.table_setup import TableSetup
from tests.controller.hands import World, setup

EMPTY = ShufflerState(input="none", output="none", cover="shut", mode="shuffle", held=0)


def table_at(until: str, made: TableSetup | None = None, **of_the_world: bool) -> World:
    """A table played until a phase is entered; `idle` is before the first deck."""
    table = World(Table(made or setup()), **of_the_world)  # type: ignore[arg-type]
    table.power_up()
    if until != "idle":
        table.play(until)
    return table


def asked_for(code: str, made: TableSetup | None = None) -> World:
    """A table whose dealer is asked for `code`."""
    table = table_at("idle", made)
    while table.prompt.code != code and table.obey():
        pass
    assert table.prompt.code == code
    return table


def press(table: World, key: str, seat: int = 0) -> None:
    table.tell(Keyed(key=key, seat=seat))


def halted(table: World) -> World:
    """The dealer calls the floor."""
    press(table, "floor")
    assert (table.table.phase, table.prompt.code) == ("halted", "call-floor")
    return table


def decide(
    table: World, decision: FloorDecisionName, remedy: str = "", rule: str = "", seat: int = 0
) -> FloorRuled | str:
    """The floor decides; what was told of it, or why it was refused."""
    before = len(table.all_said(FloorRuled))
    table.tell(FloorDecided(decision, "Ann", "as it is", remedy, rule, seat))
    ruled = table.all_said(FloorRuled)
    return ruled[-1] if len(ruled) > before else table.all_said(Refused)[-1].why


def decided(table: World, decision: FloorDecisionName, remedy: str = "") -> FloorRuled:
    """The floor decides, and it is carried out."""
    ruled = decide(table, decision, remedy)
    assert isinstance(ruled, FloorRuled), ruled
    return ruled


def refused(table: World, decision: FloorDecisionName, remedy: str = "") -> str:
    """The floor decides, and it is refused without a change."""
    phase, stood = table.table.phase, table.prompt
    why = decide(table, decision, remedy)
    assert isinstance(why, str), why
    assert (table.table.phase, table.prompt) == (phase, stood)
    return why


def found(table: World, rule: str, seat: int = 0) -> FloorRuled:
    """The floor says what happened, and that is ruled on."""
    ruled = decide(table, "found", rule=rule, seat=seat)
    assert isinstance(ruled, FloorRuled), ruled
    return ruled


def not_found(table: World, rule: str, seat: int = 0) -> str:
    """The floor says what happened, and it cannot have happened: why."""
    phase, stood = table.table.phase, table.prompt
    why = decide(table, "found", rule=rule, seat=seat)
    assert isinstance(why, str), why
    assert (table.table.phase, table.prompt) == (phase, stood)
    return why


def codes(table: World) -> list[str]:
    return [alert.code for alert in table.all_said(Alert)]


def clear(table: World) -> None:
    """The dealer clears the table of everything, and the devices say so."""
    table.lies.clear()
    table.loaded, table.stage = False, "empty"
    table.tell(ShoeState(lid="locked", content="empty"))
    table.tell(EMPTY)
    if table.antennas:
        table.tell(Occupied(places=()))


def by_hand(table: World, winners: Callable[[Prompt], tuple[int, ...]] | None = None) -> None:
    """Plays a hand out that is off the machines: everybody checks or calls, `winners` are named."""
    while (asked := table.prompt).code not in ("gather", "wait-machine", "lift-pack", "deck-in"):
        match asked.code:
            case "deal-by-hand" | "betting":
                press(table, "next")
            case "act-check" | "act-call":
                table.tell(Acted(seat=asked.seat, action="check-or-call"))
            case "name-winners":
                for seat in winners(asked) if winners is not None else asked.seats[:1]:
                    press(table, "yes", seat)
                press(table, "ack")
            case "push-pot" | "take-rake":
                press(table, "ack")
            case code:
                raise AssertionError(code)
