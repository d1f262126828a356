"""The report of a played scenario: the controller's own words, and the cards as they lie on the table."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from controller.decisions import (
    Alert,
    CarriedOut,
    ChipsMoved,
    FloorRuled,
    HandBegan,
    Ruled,
    StepDone,
    Withdrawn,
)
from controller.notices import AnyNotice, Notice, PromptShown
from controller.remedies.steps import PullDeck, Void
from controller.rule_files import rulebook_of_name_or_file
from controller.rulesets.book import Rulebook
from controller.service import digest
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.chips import Chips
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.scenario import Scenario
from hil_rigs.virtual.felt import LOST, OFF_TABLE, rank_order

_OUTCOMES: Final = {"done": "completed", "halted": "halted", "misdeal": "misdeal"}
_OFF_THE_MACHINES: Final = ("void", "pull-deck", "by-hand")
"""Decisions after which the cards lie where the dealer has them, and the ledger does not follow."""
_SHUFFLES: Final = {"shuffle": "machine", "scramble": "hand", "scramble-mixed": "hand"}
_LYING: Final = ("board", "burn", "muck", "aside", "scrap", "shoe")
_IN_HANDS: Final = ("pack", "away", "returned", "cut-plate", OFF_TABLE)
_BEFORE_THE_DEAL: Final = ("idle", "shuffle")

Report = dict[str, object]


def report(scenario: Scenario, bench: Bench, player: Player) -> Report:
    """Everything that scenarios.md asks for, in its order."""
    said = [notice.said for notice in bench.notices]
    truth = player.lying
    chips = next((s for s in reversed(said) if isinstance(s, ChipsMoved)), None)
    purse = Chips(scenario.table.seats, said)
    phase = player.phases[-1]
    alerts = [{"code": s.code, "text": bench.plain(s.text)} for s in said if isinstance(s, Alert)]
    return {
        "scenario": scenario.name,
        "outcome": _outcome(player.phases, said, rulebook_of_name_or_file(scenario.table.rules)),
        "phase": phase,
        "board": truth["board"],
        "hole": {str(seat): truth[f"seat:{seat}"] for seat in scenario.seats},
        "burns": truth["burn"],
        "muck": truth["muck"],
        "aside": truth["aside"],
        "scrap": (*truth["scrap"], *player.jokers),
        "stub": len(truth["shoe"]),
        "rulings": _rulings(bench.notices, scenario.hands),
        "shuffles": _shuffles(bench, scenario.hands),
        "commands": _commands(bench.notices),
        "prompts": _prompts(bench.notices),
        "phases": player.phases,
        "pots": _pots(chips, scenario.scale),
        "stacks": _by_seat({seat: purse.stack(seat) for seat in scenario.seats}, scenario.scale),
        **_returned(chips, scenario.scale),
        **_taken_away(purse, scenario),
        "alerts": alerts + ([] if player.gathers else _differences(scenario, bench, phase, truth)),
        "refused": [{"act": r.act, "what": r.what, "why": r.why} for r in player.refused],
        **_other(truth),
    }


def _outcome(phases: Sequence[str], said: Sequence[AnyNotice], book: Rulebook) -> str:
    """How far the last hand came; the shuffle after a misdeal still belongs to the misdeal."""
    phase = phases[-1]
    if phase in ("done", "idle") and any(_voids(ruled, book) for ruled in _decided(said)):
        return "void"
    if "done" in phases[:-1]:
        phases = phases[len(phases) - 1 - phases[-2::-1].index("done") :]
        if phase == "idle" and "shuffle" not in phases:
            return "completed"  # the hand was over when its deck left the table
    if phase == "shuffle" and "misdeal" in phases:
        since = phases[::-1].index("misdeal")
        return "open" if "deal" in phases[-since:] else "misdeal"
    return _OUTCOMES.get(phase, "open")


def _decided(said: Sequence[AnyNotice]) -> list[FloorRuled]:
    """What the floor decided about the last hand."""
    since = next((at for at in reversed(range(len(said))) if isinstance(said[at], HandBegan)), 0)
    return [ruled for ruled in said[since:] if isinstance(ruled, FloorRuled)]


def _voids(ruled: FloorRuled, book: Rulebook) -> bool:
    """Whether a hand was void by this; a deck may be pulled between two hands as well."""
    done = _done(ruled, book)
    return done == "void" or (done == "pull-deck" and ruled.phase not in ("idle", "done"))


def _done(ruled: FloorRuled, book: Rulebook) -> str:
    """What the floor's decision comes to: a remedy may be to void the hand, or to pull its deck."""
    named = book.remedies.get(ruled.remedy)
    steps = named.remedy.steps if named is not None else ()
    if any(isinstance(step, PullDeck) for step in steps):
        return "pull-deck"
    return "void" if any(isinstance(step, Void) for step in steps) else ruled.decided


def _rulings(notices: Sequence[Notice], hands: int) -> list[dict[str, object]]:
    """Every ruling that was not taken back, as it was told last; its hand where several are played."""
    standing: dict[tuple[int, int], Ruled] = {}
    hand = 0
    for said in (notice.said for notice in notices):
        if isinstance(said, HandBegan):
            hand = said.number
        elif isinstance(said, Ruled):
            standing[hand, said.number] = said
        elif isinstance(said, Withdrawn):
            standing.pop((hand, said.number), None)
    return [
        {
            **_of_hand(hand, hands),
            "rule": ruled.rule,
            "rules": ruled.rules,
            "phase": ruled.phase,
            "seat": ruled.seat,
            "cards": ruled.cards,
            "remedy": ruled.remedy,
            "source": ruled.source,
            **({"ours": ruled.ours} if ruled.ours else {}),
            **({"evidence": ruled.evidence} if ruled.evidence != "seen" else {}),
        }
        for (hand, _), ruled in standing.items()
    ]


def _of_hand(hand: int, hands: int) -> dict[str, object]:
    """In which hand it was, said where several are played."""
    return {"hand": hand} if hands > 1 else {}


def _shuffles(bench: Bench, hands: int) -> list[dict[str, object]]:
    """Every shuffle after the first of its hand, with the remedy that the controller proved it for.

    The machine's are proved one by one; of those by hand the dealer may have said too much, or too little.
    """
    hand = 0
    known: dict[str, list[tuple[int, str | None]]] = {"machine": [], "hand": []}
    for said in (notice.said for notice in bench.notices):
        if isinstance(said, HandBegan):
            hand = said.number
        elif isinstance(said, StepDone) and said.step in _SHUFFLES:
            known[_SHUFFLES[said.step]].append((hand, said.why or None))
    told = []
    for record in bench.table.felt.shuffles:
        of_hand, why = known[record.by].pop(0) if known[record.by] else (hand, "")
        told.append((record, of_hand, why))
    return [
        {
            **_of_hand(of_hand, hands),
            "why": why,
            "included": record.included,
            "order": record.order,
            "cut": record.cut,
        }
        for record, of_hand, why in told[1:]
        if why is not None
    ]


def _commands(notices: Sequence[Notice]) -> list[dict[str, object]]:
    return [
        {"device": s.device, "command": s.command, "count": s.count, "phase": s.phase}
        for s in (notice.said for notice in notices)
        if isinstance(s, CarriedOut)
    ]


def _prompts(notices: Sequence[Notice]) -> list[dict[str, object]]:
    """Every prompt in its order; one that is shown on, calm, once it was acknowledged is no second one."""
    shown = [notice.said for notice in notices if isinstance(notice.said, PromptShown)]
    before = [None, *((s.code, s.seat, s.count) for s in shown)]
    return [
        {"code": s.code, "seat": s.seat, "text": s.text, "colour": s.colour}
        for s, last in zip(shown, before, strict=False)
        if not (s.acknowledged and last == (s.code, s.seat, s.count))
    ]


def _pots(chips: ChipsMoved | None, scale: int) -> list[dict[str, object]]:
    return [
        {
            "amount": _amount(pot.amount, scale),
            "winners": _by_seat(pot.winners, scale),
            "hand": pot.hand,
        }
        for pot in (chips.pots if chips else ())
    ]


def _returned(chips: ChipsMoved | None, scale: int) -> Report:
    """What nobody called and went back in the last hand, where anything did."""
    if chips is None or not chips.returned:
        return {}
    return {"returned": _by_seat(chips.returned, scale)}


def _taken_away(chips: Chips, scenario: Scenario) -> Report:
    """What left the table: with players who left, and to the house where it takes anything."""
    taken: Report = {}
    if chips.left:
        taken["left"] = _by_seat(chips.left, scenario.scale)
    if scenario.table.rake and scenario.table.follow == "tracked":
        taken["rake"] = _amount(chips.rake, scenario.scale)
    return taken


def _by_seat(chips: Mapping[int, int], scale: int) -> dict[str, int | float]:
    return {str(seat): _amount(amount, scale) for seat, amount in sorted(chips.items())}


def _amount(chips: int, scale: int) -> int | float:
    """Chips in the unit of the file."""
    return chips // scale if chips % scale == 0 else chips / scale


def _other(truth: Mapping[str, Sequence[str]]) -> Report:
    """Cards that lie in no zone of the table: in hands, lost, in the shuffler, in its output; nothing where
    there are none."""
    transit = rank_order([card for place in (*_IN_HANDS, LOST) for card in truth[place]])
    shuffler = len(truth["input"]) + len(truth["machine"])
    output = len(truth["output"])
    if not (transit or shuffler or output):
        return {}
    return {"other": {"transit": transit, "shuffler": shuffler, "output": output}}


def _differences(
    scenario: Scenario, bench: Bench, phase: str, truth: Mapping[str, Sequence[str]]
) -> list[dict[str, str]]:
    """Where the controller's ledger does not say what lies on the table; how many cards, never which.

    Without antennas a halted table cannot know where a card went that was due nowhere; cards that are on
    their way into the shuffler or out of it are known to have gone only once they are proved.
    """
    book, said = rulebook_of_name_or_file(scenario.table.rules), [notice.said for notice in bench.notices]
    if any(_done(ruled, book) in _OFF_THE_MACHINES for ruled in _decided(said)):
        return []
    if phase in _BEFORE_THE_DEAL or (phase == "halted" and not scenario.table.zones):
        return []
    if _other({**truth, LOST: ()}):  # of a lost card nothing is known: it is missed where it should lie
        return []
    nonce = hashlib.sha256(scenario.name.encode()).hexdigest().encode()
    ledger = bench.ledger(nonce)
    places = [*(f"seat:{seat}" for seat in scenario.seats), *_LYING]
    return [
        {
            "code": "ledger-differs",
            "text": _differ(place, len(truth[place]), ledger[place][0]),
        }
        for place in places
        if tuple(ledger[place]) != digest(nonce, truth[place])
    ]


def _differ(place: str, lying: int, known: int) -> str:
    """In what the ledger and the table differ, without a card's name."""
    cards = "1 card lies" if lying == 1 else f"{lying} cards lie"
    if lying == known:
        return f"{place}: {cards} there, as many as the ledger has, but not the same"
    return f"{place}: {cards} there, the ledger has {known}"


def as_line(made: Report) -> bytes:
    """The report as one line of JSON."""
    return msgspec.json.encode(made)
