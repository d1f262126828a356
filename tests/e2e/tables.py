"""Tables and hands drawn from a seed: a scenario file's JSON, made act by act on a table that plays along."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from controller.decisions import ChipsMoved
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.deck import DECK
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.report import as_line, report
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.virtual.codes import Prompt
from tests.rulings.showdown import strength

Json = dict[str, Any]
"""A scenario's file or a report, as JSON has it."""

BOARDS = {"flop-deal": 3, "turn-deal": 4, "river-deal": 5}
"""Board cards at the end of a street's deal."""

ROUNDS = ("preflop", "flop", "turn", "river")
CLEAN = (
    *("idle", "shuffle", "deal", "preflop", "flop-deal", "flop", "turn-deal", "turn"),
    *("river-deal", "river", "showdown", "done"),
)
"""The phases of a hand that goes to its end without a mistake."""

_TO_ACT = (Prompt.ACT_CHECK, Prompt.ACT_CALL, Prompt.ACT_FIRST)
_MOST_ACTS = 120
_MOODS = (
    ("fold", "check", "call", "check", "call", "bet", "raise", "raise", "all-in"),
    ("fold", "fold", "fold", "bet", "raise", "call"),
    ("check", "call", "call", "bet", "raise", "raise"),
    ("all-in", "all-in", "call", "fold", "raise"),
)
"""How the players of a hand are minded: the acts to choose from."""

_KEYS_WITHOUT_MEANING = ("next", "ack", "undo", "plays-board", "muck")


def scenario_of(file: Mapping[str, object], name: str = "drawn") -> Scenario:
    """The scenario that a file's JSON describes."""
    return read_scenario(json.dumps(file), file=name, name=name)


def reported(made: Scenario, bench: Bench) -> bytes:
    """The report's line of a scenario, played on a bench that is let go."""
    try:
        player = Player(bench)
        player.play(made)
        return as_line(report(made, bench, player))
    finally:
        bench.close()


def played_directly(file: Mapping[str, object], lateness: int | None = None) -> Json:
    """The report of a file's JSON, without a wire."""
    made = scenario_of(file)
    read: Json = json.loads(reported(made, DirectBench(made, lateness=lateness)))
    return read


def drawn_table(dice: random.Random) -> Json:
    """The `table` of a scenario: any seats, stacks, blinds and machines."""
    game = dice.choice(("holdem", "omaha"))
    seats = sorted(dice.sample(range(1, 12), dice.randint(2, 11 if game == "holdem" else 10)))
    table: Json = {
        "game": game,
        "betting": dice.choice(("no-limit", "pot-limit", "fixed-limit")),
        "seats": {str(seat): _stack(dice) for seat in seats},
        "button": dice.choice(seats),
        "ante": dice.choice((0, 0, 1, 5)),
        "zones": dice.random() < 0.75,
        "shoe": {"gate": dice.random() < 0.5, "burner": dice.random() < 0.5},
        "shuffler": {"cuts": dice.random() < 0.6, "identifies": dice.random() < 0.7},
    }
    kind = dice.random()
    if kind < 0.5:
        table |= {"small_blind": dice.choice((1, 5, 10)), "big_blind": dice.choice((10, 20))}
    elif kind < 0.9:
        table["blinds"] = [dice.choice((0, 5, 10, 20)) for _ in range(dice.randint(1, min(4, len(seats))))]
        if table["betting"] == "fixed-limit":
            table |= {"small_bet": 10, "big_bet": 20}
    return table


def _stack(dice: random.Random) -> int:
    return dice.choice((dice.randint(1, 20), dice.randint(20, 200), 1000, dice.randint(200, 5000)))


def drawn_file(dice: random.Random) -> Json:
    """A scenario without acts: a drawn table, deck and seed."""
    named = dice.sample(DECK, dice.choice((0, 7, 52)))
    return {"table": drawn_table(dice), "deck": " ".join(named), "seed": dice.randint(0, 2**31), "acts": []}


@dataclass
class Composer:
    """Makes the acts of a hand one after the other, each on the table as the acts before left it.

    The hand is one without a fault: bets, lawful or not, keys with and without a meaning, cards pulled one by
    one where they are due. `after_each` is called after every act.
    """

    dice: random.Random
    file: Json
    bench: Bench
    after_each: Callable[[], None] = lambda: None
    acts: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._base = scenario_of(self.file)
        self._player = Player(self.bench)
        self._player.play(self._base)
        self._seats = [int(seat) for seat in self.file["table"]["seats"]]
        self._mood = self.dice.choice(_MOODS)

    @property
    def phase(self) -> str:
        """The phase now."""
        return self._player.phases[-1]

    @property
    def _somebody_is_asked(self) -> bool:
        shown = self.bench.table.prompts.display
        return shown is not None and shown.code in _TO_ACT

    @property
    def refusals(self) -> int:
        """How many acts were refused so far."""
        return len(self._player.refused)

    def do(self, **act: object) -> None:
        """Does one act more."""
        self.acts.append({key: value for key, value in act.items() if value is not None})
        made = scenario_of({**self.file, "acts": self.acts})
        before, refused = self._standing(), self.refusals
        self._player.play(msgspec.structs.replace(made, acts=made.acts[-1:]))
        if (
            self.refusals > refused
            and act["do"] in ("bet", "key", "check_around")
            and self._standing() != before
        ):
            raise AssertionError(f"the act {act} was refused and changed the table")
        self.after_each()

    def _standing(self) -> object:
        """All that an act can change: the cards, the phase, what is asked for or who is to act, the chips."""
        chips = [notice.said for notice in self.bench.notices if isinstance(notice.said, ChipsMoved)]
        table = self.bench.table
        shown = table.prompts.display
        asked = shown.seat if shown is not None and shown.code in _TO_ACT else shown
        return table.zones_of_truth(), self.phase, asked, chips[-1:]

    def written(self) -> Json:
        """The whole scenario so far."""
        return {**self.file, "acts": list(self.acts)}

    def report(self) -> Json:
        """The report of what was played so far."""
        read: Json = json.loads(as_line(report(self._base, self.bench, self._player)))
        return read

    def play_out(self) -> None:
        """Act after act to the end of the hand."""
        while self.phase not in ("done", "halted") and len(self.acts) < _MOST_ACTS:
            self._any_act()
        if self.phase != "done":
            self.do(do="play", until="done")

    def _any_act(self) -> None:
        luck = self.dice.random()
        if luck < 0.04:
            self.do(do="wait", ms=self.dice.choice((1, 500, 2000, 5000)))
        elif luck < 0.09:
            self._key_without_meaning()
        elif self.phase in ROUNDS:
            self._in_a_round()
        elif self.phase in BOARDS and luck < 0.5:
            left = BOARDS[self.phase] - len(self.bench.table.felt.cards("board"))
            count = left if luck < 0.35 else 1
            self.do(do="draw", to="board", count=count, face="up")
        elif self.phase == "deal" and luck < 0.5:
            self._deal_a_card()
        elif self.phase == "showdown" and luck < 0.6:
            # Without antennas `ack` says that the hand was shown, and here nobody turned it up.
            keys = ("muck", "plays-board", "ack") if self.file["table"]["zones"] else ("muck", "plays-board")
            self.do(do="key", key=self.dice.choice(keys), seat=self._seat())
        else:
            self.do(do="play", until=self._next_phase())

    def _next_phase(self) -> str:
        at = CLEAN.index(self.phase)
        return self.dice.choice((CLEAN[at + 1], CLEAN[at + 1], CLEAN[min(at + 2, len(CLEAN) - 1)]))

    def _seat(self) -> int:
        shown = self.bench.table.prompts.display
        if shown is not None and shown.seat and self.dice.random() < 0.8:
            return shown.seat
        return self.dice.choice(self._seats)

    def _key_without_meaning(self) -> None:
        key = self.dice.choice(_KEYS_WITHOUT_MEANING)
        if key == "ack" and not self.file["table"]["zones"]:
            key = "undo"
        seat = self.dice.choice((None, self.dice.choice(self._seats)))
        shuffling = self.phase in ("idle", "shuffle") and key == "ack"
        self.do(do="key", key="next" if shuffling else key, seat=seat)

    def _deal_a_card(self) -> None:
        felt = self.bench.table.felt
        button = self.file["table"]["button"]
        order = [s for s in self._seats if s > button] + [s for s in self._seats if s <= button]
        held = {seat: len(felt.cards(f"seat:{seat}")) for seat in order}
        seat = next(seat for seat in order if held[seat] == min(held.values()))
        self.do(do="draw", to=f"seat:{seat}")

    def _in_a_round(self) -> None:
        luck = self.dice.random()
        if luck < 0.12:
            self.do(do="check_around")
        elif luck < 0.2 or (not self._somebody_is_asked and luck < 0.9):
            self.do(do="play", until=self._next_phase())
        else:
            action = self.dice.choice(self._mood)
            amount = None
            if action in ("bet", "raise"):
                shown = self.bench.table.prompts.display
                owed = shown.count if shown is not None else 0
                step = self.dice.choice((10, 20, 40))
                amount = self.dice.choice((owed + step, 2 * owed, self.dice.randint(0, 200), owed + 60, step))
            self.do(do="bet", seat=self._seat(), action=action, amount=amount)


def composed(seed: str) -> tuple[Json, Json]:
    """A scenario drawn from a seed, and the report of the table that it was made on."""
    dice = random.Random(seed)
    file = drawn_file(dice)
    composer = Composer(dice, file, DirectBench(scenario_of(file)))
    composer.play_out()
    return composer.written(), composer.report()


def without_what_was_taken_back(phases: Sequence[str]) -> list[str]:
    """Phases as if no act or key that ended a round had been taken back."""
    left: list[str] = []
    for phase in phases:
        if phase in left:
            del left[left.index(phase) + 1 :]
        else:
            left.append(phase)
    return left


def unsound(said: Json, file: Json) -> list[str]:
    """What is wrong with the report of a hand without a fault, whatever happened in it."""
    wrong = []
    if (said["outcome"], said["phase"]) != ("completed", "done"):
        wrong.append(f"ended {said['outcome']} in {said['phase']}")
    rulings = [ruling for ruling in said["rulings"] if not _gave_up_the_board(ruling, said, file)]
    if said["alerts"] or rulings or said["shuffles"] or "other" in said:
        wrong.append("an alert, a ruling, a shuffle or cards elsewhere")
    phases = without_what_was_taken_back(said["phases"])
    if phases != [*CLEAN[: len(phases) - 1], "done"]:
        wrong.append(f"phases {phases}")
    return wrong + cards_lost(said) + chips_lost(said, file)


def _gave_up_the_board(ruling: Json, said: Json, file: Json) -> bool:
    """Whether a ruling is what keys at random may lead to: a hand mucked by key at a showdown of hold'em,
    undeclared, where no hand that was tabled beats the board."""
    seat, board = ruling["seat"], said["board"]
    keys = [act for act in file["acts"] if act["do"] == "key" and act.get("seat") == seat]
    return (
        (ruling["rule"], ruling["phase"], file["table"]["game"])
        == ("board-not-declared", "showdown", "holdem")
        and said["hole"][str(seat)] == []
        and "muck" in [act["key"] for act in keys]
        and all(strength([*board, *hole]) == strength(board) for hole in said["hole"].values())
    )


def cards_lost(said: Json) -> list[str]:
    """Whether every one of the 52 is in exactly one place of a report."""
    cards = [card for hand in said["hole"].values() for card in hand]
    for place in ("board", "burns", "muck", "aside", "scrap"):
        cards += said[place]
    other = said.get("other", {"transit": [], "shuffler": 0, "output": 0})
    cards += other["transit"]
    count = len(cards) + said["stub"] + other["shuffler"] + other["output"]
    if count != 52 or len(set(cards)) < len(cards) or not set(cards) <= set(DECK):
        return [f"{len(set(cards))} different cards of {len(cards)}, {count} in all"]
    return []


def chips_lost(said: Json, file: Json) -> list[str]:
    """Whether chips are neither made nor lost, and pots, winners and stacks add up."""
    before = file["table"]["seats"]
    won = dict.fromkeys(before, 0)
    wrong = []
    for pot in said["pots"]:
        if sum(pot["winners"].values()) != pot["amount"]:
            wrong.append(f"a pot of {pot['amount']} is won as {pot['winners']}")
        for seat, chips in pot["winners"].items():
            won[seat] += chips
    paid = {seat: before[seat] + won[seat] - chips for seat, chips in said["stacks"].items()}
    if sum(said["stacks"].values()) != sum(before.values()):
        wrong.append("chips were made or lost")
    if min(paid.values()) < 0 or sum(paid.values()) != sum(pot["amount"] for pot in said["pots"]):
        wrong.append("pots, winners and stacks do not add up")
    return wrong
