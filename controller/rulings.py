"""The rulings of a hand: which rule, by which remedy, what was seen; told, grown, superseded, taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from controller.cards import Card
from controller.decisions import EvidenceName, Ruled, Withdrawn
from controller.desk import Desk
from controller.hand import PhaseName
from controller.irregularities import Fault
from controller.places import BOARD, Place, at_seat
from controller.remedies.steps import FLOORS, CallOff, Holds, NamedRemedy
from controller.remedies.under_way import Open
from controller.rulesets.book import Answer, GameName, Rulebook
from controller.rulesets.known import Takes

_WEAKEST_FIRST: Final[tuple[EvidenceName, ...]] = ("inferred", "stated", "seen")
_SAME_MATTER: Final[tuple[frozenset[Takes], ...]] = (
    frozenset({"exposed", "extra"}),
    frozenset({"board", "early", "burnt"}),
)


@dataclass(frozen=True)
class Ruling:
    """A ruling as it was told last. `seen` may be named, `unseen` is how many more it took out of play."""

    number: int
    fault: Fault
    phase: PhaseName
    seat: int | None
    place: Place
    seen: tuple[Card, ...]
    unseen: int
    answer: Answer
    evidence: EvidenceName = "seen"


@dataclass(frozen=True)
class _Before:
    """What was open before a ruling, so that it can be taken back."""

    ruling: Ruling
    open: tuple[Open, ...] = field(repr=False)


class Rulings:
    """The rulings of one hand at one table, and the remedies that are open.

    `sees_picks` tells whether antennas see the board and the burn tray.
    """

    def __init__(self, desk: Desk, book: Rulebook, game: GameName, sees_picks: Callable[[], bool]) -> None:
        self._sees_picks = sees_picks
        self._desk = desk
        self._game = game
        self.book = book
        self._last = 0
        self._told: dict[int, Ruling] = {}
        self._before: _Before | None = None
        self.open: list[Open] = []

    def new_hand(self) -> None:
        """A new hand has no ruling; numbers begin anew."""
        self._last = 0
        self._told.clear()
        self.close()

    @property
    def none_yet(self) -> bool:
        """Whether nothing was ruled on in this hand."""
        return not self._last and not self._told and not self.open and self._before is None

    def close(self) -> None:
        """No remedy is open any more: the hand is over, or the floor has it."""
        self.open.clear()
        self._before = None

    def takes(self, fault: Fault) -> Takes:
        """Which cards a fault takes out of play."""
        return self.book.rules[fault.rule].takes

    def in_force(self, rule: str) -> bool:
        """Whether the rulebook has this rule for the game that is played."""
        return self._game in self.book.rules[rule].games

    def grows(self, fault: Fault) -> Open | None:
        """The open remedy of the same fault, if no command of it was given yet: the ruling then grows. One
        that takes no cards stands alone."""
        if self.takes(fault) == "nothing":
            return None
        return next((o for o in self.open if o.rule == fault.rule and not o.begun), None)

    def under_way(self, number: int) -> Open | None:
        """The open remedy of a ruling, None where nothing is done about it any more."""
        return next((remedy for remedy in self.open if remedy.number == number), None)

    def is_open(self, rule: str) -> bool:
        """Whether a remedy of this rule is under way."""
        return any(remedy.rule == rule for remedy in self.open)

    def grows_by_board(self, remedy: Open) -> bool:
        """Whether a further card on the board belongs to the same fault as this remedy's."""
        return self.takes(Fault(remedy.rule)) == "board" and not remedy.begun

    @property
    def newest(self) -> int:
        """The number of the last ruling of this hand, taken back or not; 0 before the first."""
        return self._last

    def fell(self, rule: str) -> bool:
        """Whether this hand had such a ruling before."""
        return any(told.fault.rule == rule for told in self._told.values())

    @property
    def calls_off(self) -> bool:
        """Whether an open remedy makes the deal void."""
        return any(_is_misdeal(remedy.named) for remedy in self.open)

    @property
    def end_play(self) -> bool:
        """Whether an open remedy leaves nothing to be played: the deal is void, or the floor decides."""
        return self.calls_off or any(isinstance(remedy.step, FLOORS) for remedy in self.open)

    def calls_off_by(self, fault: Fault) -> bool:
        """Whether the remedy of this fault makes the deal void."""
        return _is_misdeal(self.book.answer(fault.rule, fault.case).named)

    def rule(
        self,
        fault: Fault,
        *,
        seat: int | None,
        seen: Sequence[Card],
        unseen: int,
        window: Literal["open", "closed"],
        owner: int = 0,
        place: Place | None = None,
        evidence: EvidenceName = "seen",
        phase: PhaseName | None = None,
    ) -> Open:
        """A fault was found: it is told, and its remedy opened in the place of those that it supersedes.

        `owner` is the seat whose card was exposed or where one too many lies, 0 for none; `place` is where
        the unseen cards lie, if not at the seat or on the board. A `closed` window leaves it to the floor.
        `phase` is the one in which it happened, if not the present one.
        """
        self._last += 1
        answer = self._answer(fault, window)
        named = answer.named
        place = place or (BOARD if seat is None else at_seat(seat))
        made = Ruling(
            self._last,
            fault,
            phase or self._desk.phase,
            seat,
            place,
            tuple(seen),
            unseen,
            answer,
            evidence,
        )
        self._before = _Before(made, tuple(replace(remedy) for remedy in self.open))
        self.open = [
            o for o in self.open if not _is_misdeal(named) and not self._same_matter(o.rule, fault.rule)
        ]
        opened = Open(made.number, fault.rule, named, owner)
        self.open.append(opened)
        self._tell(made)
        return opened

    def _answer(self, fault: Fault, window: Literal["open", "closed"]) -> Answer:
        """What the rulebook says; what only an antenna could tell is not done where there is none."""
        answer = self.book.answer(fault.rule, fault.case, window)
        instead = answer.named.remedy.unseen
        if not answer.named.remedy.picks or instead is None or self._sees_picks():
            return answer
        ours = "no antenna here could tell which card was picked"
        return replace(answer, named=self.book.remedies[instead], ours=ours)

    def grow(
        self,
        number: int,
        fault: Fault,
        *,
        seen: Sequence[Card],
        unseen: int,
        place: Place | None = None,
        evidence: EvidenceName = "seen",
    ) -> None:
        """More cards of the same fault, at `place` if not where the others lie: the ruling is told again with
        them, and its remedy begins anew; in another case by now it is another."""
        told = self._told[number]
        answer = self._answer(fault, "open") if fault != told.fault else told.answer
        for remedy in self.open:
            if remedy.number == number:
                remedy.named = answer.named
                remedy.at, remedy.under_way, remedy.acked = 0, False, False
        self._tell(
            replace(
                told,
                fault=fault,
                seen=(*told.seen, *seen),
                unseen=told.unseen + unseen,
                place=place or told.place,
                answer=answer,
                evidence=min(told.evidence, evidence, key=_WEAKEST_FIRST.index),
            )
        )

    def confirm(self, number: int) -> None:
        """The dealer says that it is so: the ruling is told again."""
        self._tell(replace(self._told[number], evidence="stated"))

    def left_to_floor(self) -> Open | None:
        """The open remedy whose step is the floor's."""
        return next((remedy for remedy in self.open if isinstance(remedy.step, FLOORS)), None)

    def fault(self, number: int) -> Fault:
        """What a ruling was about; KeyError for one that was not told."""
        return self._told[number].fault

    def decided(self, remedy: Open, named: NamedRemedy, at: int) -> None:
        """The floor has a remedy carried out, from its step `at` on: the ruling is told again with it."""
        remedy.named, remedy.at = named, at
        remedy.under_way = remedy.acked = remedy.begun = False
        self._before = None
        if _is_misdeal(named):
            self.open = [remedy]
        told = self._told[remedy.number]
        if told.answer.named.name != named.name:
            self._tell(replace(told, answer=replace(told.answer, named=named)))

    def stands(self, remedy: Open) -> None:
        """The floor lets stand what a ruling was about: nothing is done about it."""
        self.open.remove(remedy)
        self._before = None

    def can_take_back(self, number: int) -> bool:
        """Whether this ruling is the last one, and nobody but the table has decided about it."""
        return self._before is not None and self._before.ruling.number == number

    def take_back(self, number: int) -> None:
        """Takes the last ruling back; what was open before it is open again. KeyError for any other."""
        before = self._before
        if before is None or not self.can_take_back(number):
            raise KeyError(number)
        self.open = list(before.open)
        self._before = None
        del self._told[number]
        self._desk.tell(Withdrawn(number=number))

    def holds(self, kind: Holds) -> Open | None:
        """The remedy that keeps something from being taken as play."""
        return next((remedy for remedy in self.open if remedy.holds(kind)), None)

    def why_held(self, kind: Holds) -> str:
        """Why something is not taken as play; empty where no remedy keeps it from that."""
        holding = self.holds(kind)
        return f"{holding.rule} has first to be put right: {holding.says}" if holding is not None else ""

    def _same_matter(self, one: str, other: str) -> bool:
        takes = {self.book.rules[one].takes, self.book.rules[other].takes}
        return any(takes <= matter for matter in _SAME_MATTER)

    def _tell(self, ruling: Ruling) -> None:
        self._told[ruling.number] = ruling
        rule = self.book.rules[ruling.fault.rule]
        self._desk.tell(
            Ruled(
                number=ruling.number,
                rule=ruling.fault.rule,
                rules=self.book.name,
                phase=ruling.phase,
                seat=ruling.seat,
                cards=ruling.seen,
                unseen=ruling.unseen,
                takes=rule.takes,
                place=ruling.place,
                says=rule.trigger,
                remedy=ruling.answer.named.name,
                steps=ruling.answer.named.words,
                source=ruling.answer.source,
                ours=ruling.answer.ours,
                evidence=ruling.evidence,
            )
        )


def _is_misdeal(named: NamedRemedy) -> bool:
    return any(isinstance(step, CallOff) for step in named.remedy.steps)
