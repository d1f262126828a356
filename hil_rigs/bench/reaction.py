"""Reactions of the real controller process on pseudo-terminals, each beside a bare echo right after it."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hil_rigs.bench.disk import Committer
from hil_rigs.bench.echo import Echo
from hil_rigs.bench.figures import Baseline, Bound, Result, beside, spread, spread_result
from hil_rigs.bench.plan import Plan
from hil_rigs.bench.tables import SIX, THREE, persistently, table
from hil_rigs.bench.watch import Reaction, WatchedTable, watched
from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.felt import UP

OVER_ECHO_US: Final = 1_000.0
"""A reaction's median may be that much above the echo's."""
P99_US: Final = 5_000.0
_CARD: Final = frozenset({Type.DRAW, Type.ARRIVED, Type.TURNED})
_PROMPT: Final = frozenset({Type.LEDS, Type.TEXT, Type.SHOW})
_SPARE: Final = 10
"""How many more are tried where every sample so far left together with a TICK and could not be counted."""
_ECHO: Final = "bare pyserial echo"


@dataclass
class _Samples:
    """Reactions of one kind, and the bare things measured right before or after each, all in microseconds."""

    us: list[float] = field(default_factory=list)
    echo_us: list[float] = field(default_factory=list)
    commit_us: list[float] = field(default_factory=list)


class _Measure:
    """Sorts reactions by what caused what, and measures the bare things beside each."""

    def __init__(self, echo: Echo, pause_s: float) -> None:
        self._echo = echo
        self._pause_s = pause_s
        self.card_led = _Samples()
        self.act_led = _Samples()
        self.card_gate = _Samples()
        self.fourth_gate = _Samples()
        self.fourth_led = _Samples()
        self.disk = _Samples()

    def pause(self) -> None:
        """Lets everything fall asleep, as it is between two cards."""
        time.sleep(self._pause_s)

    def take(self, reactions: Sequence[Reaction], committer: Committer | None = None) -> None:
        """Sorts in what an event caused."""
        for reaction in reactions:
            samples = self._kind(reaction)
            if samples is None:
                continue
            self._add(samples, reaction)
            if samples is self.disk and committer is not None:
                self.pause()
                samples.commit_us.append(committer.commit_us())

    def take_fourth_card(self, reactions: Sequence[Reaction]) -> None:
        """Sorts in what a fourth card on the flop caused: its draw shuts the gate, its place is ruled on."""
        for reaction in reactions:
            if (reaction.cause, reaction.command) == (Type.DRAW, Type.LOCK):
                self._add(self.fourth_gate, reaction)
            elif reaction.cause == Type.ARRIVED and reaction.command in _PROMPT:
                self._add(self.fourth_led, reaction)

    def _add(self, samples: _Samples, reaction: Reaction) -> None:
        samples.us.append(reaction.us)
        self.pause()
        samples.echo_us.append(self._echo.reaction_us())

    def _kind(self, reaction: Reaction) -> _Samples | None:
        if reaction.command == Type.LOCK and reaction.cause in _CARD:
            return self.card_gate
        if reaction.command == Type.BURN and reaction.cause == Type.ACT:
            return self.disk
        if reaction.device == "prompts" and reaction.command in _PROMPT:
            if reaction.cause in _CARD:
                return self.card_led
            if reaction.cause == Type.ACT:
                return self.act_led
        return None


def reactions(plan: Plan) -> list[Result]:
    """Measures them. Raises BenchError."""
    echo = Echo()
    try:
        measure = _Measure(echo, plan.pause_s)
        persistently(lambda: _shut_a_gate(measure, plan.gate_cards))
        persistently(lambda: _rule_on_fourth_cards(measure, plan.fourth_cards))
        persistently(lambda: _play(measure, plan.reaction_hands))
    finally:
        echo.close()
    return _results(measure)


def _play(measure: _Measure, hands: int) -> None:
    """Hands of three seats: of all tables the one with the most prompts for its cards."""
    with (
        watched(table("holdem", THREE), measure.pause) as bench,
        tempfile.TemporaryDirectory(prefix="cutcard-") as folder,
        # After the controller's process: one with threads is not to be forked.
        Committer(Path(folder)) as committer,
    ):
        for hand in range(hands + 1):
            begun = False
            while not (begun and bench.asked == Prompt.GATHER):
                caused = bench.step()
                begun = begun or bench.asked == Prompt.DEAL_HOLE
                if hand > 0:  # the first warms up
                    measure.take(caused, committer)


def _shut_a_gate(measure: _Measure, cards: int) -> None:
    """A card lies where none is due while the gate is open: it must shut. The misdeal, obeyed, brings the
    next deal."""
    with watched(table("holdem", SIX, gate=True), measure.pause) as bench:
        for card in range(cards + 1 + _SPARE):
            if card > cards and measure.card_gate.us:
                return
            _deal(bench, cards=4)
            bench.table.hands.draw("board", face=UP)
            caused = bench.tell()
            if card > 0:  # the first warms up
                measure.take(caused)


def _rule_on_fourth_cards(measure: _Measure, cards: int) -> None:
    """A fourth card is forced out behind three on the flop. The redeal, obeyed, brings the next flop."""
    with watched(table("holdem", THREE, gate=True), measure.pause) as bench:
        for card in range(cards + 1 + _SPARE):
            if card > cards and measure.fourth_gate.us and measure.fourth_led.us:
                return
            _flop(bench)
            bench.table.shoe.let_out("board", face=UP)
            caused = bench.tell()
            if card > 0:  # the first warms up
                measure.take_fourth_card(caused)


def _flop(bench: WatchedTable) -> None:
    while bench.asked != Prompt.DEAL_FLOP:
        bench.step()
    while bench.asked == Prompt.DEAL_FLOP:
        bench.step()


def _deal(bench: WatchedTable, cards: int) -> None:
    while bench.asked != Prompt.DEAL_HOLE:
        bench.step()
    for _ in range(cards):
        bench.step()


def _results(measure: _Measure) -> list[Result]:
    bound = Bound(difference_max=OVER_ECHO_US, p99_max=P99_US)
    disk = measure.disk
    both = spread(disk.echo_us).p50 + spread(disk.commit_us).p50
    from_memory = [
        (
            "reaction-card-led",
            "last byte of a card event in, first byte of the prompt's LEDs out",
            measure.card_led,
        ),
        ("reaction-card-gate", "last byte of a card event in, first byte of LOCK out", measure.card_gate),
        (
            "reaction-fourth-gate",
            "last byte of a fourth flop card's draw in, first byte of LOCK out",
            measure.fourth_gate,
        ),
        (
            "reaction-fourth-led",
            "last byte of a fourth flop card's arrival in, first byte of the LEDs of its remedy out",
            measure.fourth_led,
        ),
        (
            "reaction-act-led",
            "last byte of a player's act in, first byte of the prompt's LEDs out",
            measure.act_led,
        ),
    ]
    return [
        *(
            spread_result(name, about, "us", taken.us, baseline=beside(_ECHO, taken.echo_us), bound=bound)
            for name, about, taken in from_memory
        ),
        spread_result(
            "reaction-act-burn",
            "last byte of the act that ends a round in, first byte of BURN out, which waits for the disk",
            "us",
            disk.us,
            baseline=Baseline("bare pyserial echo and one group commit", both, n=len(disk.commit_us)),
            bound=Bound(difference_max=OVER_ECHO_US),
        ),
        spread_result(
            "group-commit",
            "an entry handed to the journal, until it is durable",
            "us",
            disk.commit_us,
        ),
    ]
