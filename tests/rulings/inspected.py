"""A bench on which everything is looked at whenever it comes to rest: what must hold whatever hands do."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from controller.decisions import (
    BetMade,
    CarriedOut,
    Joined,
    Mucked,
    PhaseEntered,
    Ruled,
    StepDone,
    Withdrawn,
)
from controller.door import Wish
from controller.notices import Notice, PromptShown
from controller.service import digest
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.out_of_play import OutOfPlay
from hil_rigs.simulate.scenario import Floor
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.felt import ZONES, Card, Change
from hil_rigs.virtual.table import VirtualTable
from tests.e2e.tables import Json
from tests.e2e.watching import CARD, Known

HALTING: Final = frozenset(
    {
        *("alignment-required", "card-not-seen", "command-failed", "duplicate-card", "extra-card-seen"),
        *("flop-overfull-again",),
        *(
            "floor-called",
            "lid-open",
            "floor-decides",
            "card-moved",
            "pack-uncut",
            "ruling-too-late",
            "step-late",
        ),
        *("too-few-cards",),
    }
)
"""Alerts of which one is there when a hand is halted."""

IN_PLAY: Final = (
    *("deal", "preflop", "flop-deal", "flop", "turn-deal", "turn", "river-deal", "river", "showdown"),
)
_STREETS: Final = {"preflop": "flop", "flop-deal": "flop", "flop": "turn", "turn-deal": "turn"}
_SHUFFLED_BEFORE: Final = {
    "misdeal": "deal",
    "redeal-flop": "flop",
    "finish-then-redeal-flop": "flop",
    "natural-river": "river",
    "reshuffle-river": "river",
    "reshuffle-turn-and-river": "turn",
    "reshuffle-turn": "turn",
    "redeal-flop-and-burn": "flop",
}
"""By the name of a remedy: the phase that may not begin before its set was shuffled."""
_ON_THE_WAY: Final = ("pack", "input", "machine", "output", "returned", "away")
_BOARD: Final = {"preflop": 0, "flop": 3, "turn": 4, "river": 5, "showdown": 5}
_NONCE: Final = b"rest"


class BrokenError(AssertionError):
    """Something that must hold does not; what, in words."""


class Inspected:
    """Another bench, inspected."""

    def __init__(self, inner: Bench, hole_cards: int) -> None:
        self._inner = inner
        self._felt = inner.table.felt
        self._each = hole_cards
        self._sees = inner.table.zones is not None
        self._proves = inner.table.shuffler.able_to.identifies
        self._read = 0
        self._shuffles = 0
        self._phase = "idle"
        self._begun = ""
        self._out_of_play = OutOfPlay(self._felt)
        self._known = Known(inner.table)
        self._lay: dict[Card, str] = {}
        self._thrown: dict[Card, str] = {}
        self._owed: dict[int, str] = {}
        self._burns = Counter[str]()
        self._spent: set[int] = set()
        self._second_burn = False
        self._asked = False
        self._which_is_open = False
        self._machine: list[str] = []
        self._moved = False
        self._folded: set[int] = set()
        self.counts = Counter[str]()
        """How often each thing was looked at."""
        self._felt.listeners.append(self._changed)

    @property
    def table(self) -> VirtualTable:
        """The physical table."""
        return self._inner.table

    @property
    def notices(self) -> Sequence[Notice]:
        """All that the controller has told so far."""
        return self._inner.notices

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger, digested."""
        return self._inner.ledger(nonce)

    def wish(self, wish: Wish) -> None:
        """A player comes, goes or buys chips."""
        self._inner.wish(wish)

    def decide(self, act: Floor) -> str:
        """The floor decides."""
        return self._inner.decide(act)

    def restart(self) -> None:
        """The controller is killed, and started again."""
        self._inner.restart()

    def fault(self, device: str, name: str) -> None:
        """Something goes wrong with a line, a port or the power."""
        self._inner.fault(device, name)

    def plain(self, text: str) -> str:
        """A text without what is another one in each run."""
        return self._inner.plain(text)

    def close(self) -> None:
        """Lets everything go."""
        self._inner.close()

    def hears(self, act: Json) -> None:
        """What the hands do next."""
        self._moved = self._moved or act["do"] == "move"
        self._known.hears(act)

    def rest(self) -> None:
        """Comes to rest and inspects. Raises BrokenError."""
        self._inner.rest()
        self._felt.check()
        self._shuffled()
        for notice in self._inner.notices[self._read :]:
            self.look_at(notice)
        self._read = len(self._inner.notices)
        self._street_lies()
        self._shuffled()
        self._known.forget_shuffled()
        self._compare_ledgers()
        self._folded_or_asked()

    # Where cards lie

    def _changed(self, change: Change) -> None:
        if len(self._felt.shuffles) > self._shuffles:
            self._shuffled()
        if change.target == "muck" and not change.turned:
            self._thrown[change.card] = change.source
        if change.target in (*ZONES, "shoe"):
            self._lay[change.card] = change.target

    def _shuffled(self) -> None:
        """A set was shuffled: in the middle of a hand no burn, no mucked card and no live hand."""
        records = self._felt.shuffles
        for record in records[self._shuffles :]:
            self._shuffles += 1
            if len(record.included) == 52:
                continue
            self.counts["shuffle"] += 1
            lay = {card.text: self._lay.get(card, "") for card in self._felt.all_cards()}
            wrong = [
                f"from {lay[text]}"
                for text in record.included
                if lay[text] not in ("board", "aside", "shoe", *(("burn",) if self._second_burn else ()))
            ]
            if wrong and (self._sees or self._proves):
                raise BrokenError(f"shuffled in the middle of a hand: {wrong}")

    def _compare_ledgers(self) -> None:
        """Each card is in one zone of the ledger and, with antennas, in the one where it lies."""
        ledger = self._inner.ledger(_NONCE)
        if sum(count for count, _ in ledger.values()) != 52:
            raise BrokenError(f"the ledger does not hold 52 cards: {ledger}")
        truth = self.table.zones_of_truth()
        loading = any(truth[place] for place in _ON_THE_WAY)
        scrap = truth["scrap"] or ledger["scrap"][0]  # of it the dealer's word alone is known
        unknown = loading or scrap or self._which_is_open
        if not self._sees or unknown or self._phase not in (*IN_PLAY, "done", "halted"):
            return
        self.counts["ledger"] += 1
        counted = self._out_of_play.counted(truth)
        for place in (*ZONES, "shoe"):
            if tuple(ledger[place]) != digest(_NONCE, counted[place]):
                raise BrokenError(f"{place}: {len(counted[place])} there, the ledger has {ledger[place][0]}")

    def _folded_or_asked(self) -> None:
        """A whole hand in the muck is folded, or the dealer is asked about it."""
        shown = self.table.prompts.display
        asked = shown is not None and shown.code in (Prompt.FOLDED, Prompt.HAND_BACK)
        if not self._sees or asked or self._phase not in IN_PLAY[:-1]:
            return
        for seat in set(self.table.dealer.seats) - self._folded:
            thrown = [card for card in self._felt.cards("muck") if self._thrown[card] == f"seat:{seat}"]
            if len(thrown) == self._each:
                raise BrokenError(
                    f"the hand of seat {seat} lies in the muck and is neither folded nor asked about"
                )
            self.counts["in the muck"] += bool(thrown)

    # What the controller says

    def look_at(self, notice: Notice) -> None:
        """Inspects one thing that the controller says. Raises BrokenError."""
        said = notice.said
        self._known.told(notice)
        self._out_of_play.hears(said)
        match said:
            case PromptShown(code=code):
                self._asked = self._asked or code in ("betting-complete", "folded")
            case PhaseEntered(phase=phase):
                self._enters(phase)
            case Ruled():
                self._ruled(said)
            case Joined():
                self.counts["joined"] += 1
            case Withdrawn(number=number):
                self._owed.pop(number, None)
            case StepDone(step="shuffle" | "scramble" | "scramble-mixed", why=why):
                self._owed = {n: remedy for n, remedy in self._owed.items() if remedy != why}
            case CarriedOut():
                self._carried_out(said)
            case BetMade():
                self._bet(said)
            case Mucked(seat=seat):
                self._folded.add(seat)
            case _:
                pass
        self._tells(notice)

    def _tells(self, notice: Notice) -> None:
        hidden = set(CARD.findall(repr(notice))) - self._known.cards
        if hidden:
            raise BrokenError(f"{sorted(hidden)} told in {notice}")

    def _enters(self, phase: str) -> None:
        resumed, self._phase = self._phase == "misdeal", phase
        owed = [remedy for remedy in self._owed.values() if _SHUFFLED_BEFORE[remedy] == phase]
        if owed:
            raise BrokenError(f"{phase} begins before the set of {owed} was shuffled")
        if phase in ("misdeal", "done", "halted"):
            self._burns.clear()
            self._spent.clear()
        if phase in ("done", "halted"):
            self._owed.clear()
        if phase == "deal":
            self._asked = self._which_is_open = False
            self._folded.clear()
            self._moved = False
        self._begun = phase if phase in _BOARD and not resumed else ""  # resumed, a card may be owed still

    def _everybody_holds(self, when: str) -> None:
        """No hand that is in plays more or fewer cards than the game has, as far as hands moved none."""
        if not self._sees or self._moved:
            return
        self.counts["hands"] += 1
        counted = self._out_of_play.counted(self.table.zones_of_truth())
        for seat in self.table.dealer.seats:
            held = len(counted[f"seat:{seat}"])
            if seat not in self._folded and held != self._each:
                raise BrokenError(f"{when}, and seat {seat} plays {held} cards")

    def _street_lies(self) -> None:
        """A phase has begun: by now all is said of the cards that came with it."""
        begun, self._begun = self._begun, ""
        if not begun:
            return
        self._everybody_holds(f"{begun} begins")
        lying = len(self._out_of_play.counted(self.table.zones_of_truth())["board"])
        if self._sees and not self._moved and lying != _BOARD[begun]:
            raise BrokenError(f"{begun} begins with {lying} board cards")

    def _ruled(self, ruled: Ruled) -> None:
        self.counts[ruled.rule] += 1
        if ruled.remedy == "natural-river" and ruled.number not in self._spent:
            # "The burn before the early card is spent": the turn proper has one of its own.
            self._spent.add(ruled.number)
            self._burns["turn"] = 0
        # What was held until a question was answered is ruled on late: cards may have moved since, and which
        # of several unseen ones it took is not told.
        self._which_is_open = self._which_is_open or (self._asked and ruled.unseen > 0)
        self._second_burn = ruled.remedy == "redeal-flop-and-burn"
        if ruled.remedy in _SHUFFLED_BEFORE:
            # A misdeal supersedes all, and of board cards the last ruling says what is done.
            self._owed = {ruled.number: ruled.remedy}

    def _carried_out(self, done: CarriedOut) -> None:
        if done.command == "burn":
            street = _STREETS.get(done.phase, "river")
            self._burns[street] += 1
            if self._burns[street] > 1:
                raise BrokenError(f"the machine burned twice for the {street}")
        if done.device != "shuffler":
            return
        self._machine.append(done.command)
        if done.command == "open-cover":
            before = ["feed", "shuffle", *(["cut"] if self.table.shuffler.able_to.cuts else []), "open-cover"]
            if self._machine[-len(before) :] != before:
                raise BrokenError(f"a pack is delivered after {self._machine}")
            self.counts["delivered"] += 1

    def _bet(self, bet: BetMade) -> None:
        """An act is taken: everybody who is in holds his cards. A hand in the muck may be folded any time."""
        if bet.action == "fold":
            self._folded.add(bet.seat)
        self._everybody_holds(f"seat {bet.seat} acts")
        if bet.action == "fold":
            return
        if any(remedy in ("misdeal", "redeal-flop") for remedy in self._owed.values()):
            raise BrokenError(f"seat {bet.seat} acts although {self._owed} is open")
