"""An evening at a table drawn from a seed: a dealer who obeys, mistakes of all kinds, a floor."""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, get_args

import msgspec

from controller.between_hands import NEEDS_TWO
from controller.decisions import Alert, ButtonMoved, ChipsMoved, FloorRuled, HandBegan, Refused, Ruled
from controller.door import Wish
from controller.events import FloorDecisionName
from controller.places import SHOE
from controller.rule_files import rulebook_of_name_or_file
from controller.rulesets.known import KNOWN
from controller.seating.positions import deal_order
from hil_rigs.virtual.codes import Fault, Lid, Prompt
from hil_rigs.virtual.felt import OFF_TABLE
from hil_rigs.virtual.hands import CannotDo
from tests.anything.bench import FloorBench, drawn_scenario
from tests.anything.checks import Watch
from tests.anything.mishaps import Mishaps
from tests.anything.seen import Seen
from tests.e2e.watching import Known

DECISIONS: Final[tuple[FloorDecisionName, ...]] = get_args(FloorDecisionName)
LEADING_OUT: Final[tuple[FloorDecisionName, ...]] = ("void", "by-hand", "pull-deck")
TOLD: Final = tuple(name for name, known in KNOWN.items() if known.told != "no")
"""What no device sees and the floor may have found."""
DECK_SIZE: Final = 52
_ACTS: Final = (Prompt.ACT_CHECK, Prompt.ACT_CALL)
_IS_FOUND: Final = 0.05
_STEPS_TO_A_HAND: Final = 600


@dataclass
class Evening:
    """One table, its bench, and what was done."""

    dice: random.Random
    bench: FloorBench
    watch: Watch
    mishaps: Mishaps
    told: list[str]
    wild: float
    tournament: bool
    hands: int = 0
    at_begin: dict[int, int] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    halts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    decided: list[FloorRuled] = field(default_factory=list)
    rulings: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    begun: HandBegan | None = None
    void: HandBegan | None = None
    wishes: bool = False

    def __post_init__(self) -> None:
        self.mishaps.rest = self.rest

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.watch.seen.phase

    @property
    def asked(self) -> str:
        """What the dealer was asked last."""
        return self.watch.seen.asked

    def read(self) -> None:
        """Looks at what was said since."""
        for notice in self.watch.look():
            match said := notice.said:
                case HandBegan(stacks=stacks):
                    self.hands += 1
                    self.at_begin = dict(stacks)
                    if self.void is not None and not self.wishes:
                        assert (said.button, said.seats) == (self.void.button, self.void.seats)
                    self.begun, self.void, self.wishes = said, None, False
                case ButtonMoved(button=button) if self.begun is not None:
                    order = deal_order(self.begun.seats, button)
                    self.begun = msgspec.structs.replace(self.begun, button=button, seats=order)
                case ChipsMoved(stacks=stacks):
                    self.stacks = dict(stacks)
                case Alert(code=code, text=text):
                    self.halts.append(f"{code}: {text}")
                case Refused(what=what, why=why):
                    self.refused.append(f"{what}: {why}")
                case Ruled(rule=rule):
                    self.rulings[rule] += 1
                case FloorRuled():
                    self.decided.append(said)
                case _:
                    pass

    def rest(self) -> None:
        """Comes to rest and looks at everything."""
        self.bench.rest()
        self.read()
        self.watch.rest()

    def anything(self) -> None:
        """One deed, good or bad, and perhaps only a little of what follows from it."""
        dice = self.dice
        if dice.random() < _IS_FOUND:
            self.bring_back()
        deed = self.mishaps.pick(self.phase) if dice.random() < self.wild else self.obey
        if deed == self.mishaps.wish:
            self.wishes = True
        if self.phase == "halted" and dice.random() < 0.6:
            deed = self.floor
        self.told.append(f"{self.phase}/{self.asked}: {deed.__name__}")
        self.done[deed.__name__] += 1
        try:
            deed()
        except CannotDo as stopped:
            self.told.append(f"  cannot: {stopped.why}")
        if dice.random() < self.wild:
            self.bench.few(dice.randint(0, 3))
            self.read()
        else:
            self.rest()

    def obey(self) -> None:
        """What the prompt asks; a player who is to act does what he likes."""
        shown = self.bench.table.prompts.display
        if shown is None or shown.code not in _ACTS or self.dice.random() < 0.75:
            self.bench.table.dealer.obey()
            return
        hands, action = self.bench.table.hands, self.dice.choice(("fold", "fold", "raise", "all-in"))
        self.told.append(f"  seat {shown.seat} {action}")
        if action == "fold":
            hands.fold(shown.seat)
        else:
            hands.act(shown.seat, action, shown.count + self.dice.choice((10, 20, 40)))

    def floor(self) -> None:
        """The floor decides anything."""
        dice = self.dice
        decision = dice.choice((*DECISIONS, "accept", "found", "stand", "stand", "stand"))
        remedy = dice.choice(tuple(self.watch.seen.book.remedies)) if decision == "choose" else ""
        rule = dice.choice(TOLD) if decision == "found" else ""
        seat = dice.choice(self.bench.table.dealer.seats) if rule and KNOWN[rule].told == "with-seat" else 0
        self.told.append(f"  {decision} {remedy}{rule} {seat or ''}")
        self.bench.rules(decision, remedy, rule, seat)

    # The way out

    def repair(self) -> None:
        """Whoever comes puts the machines right, shuts the lid and brings what was lost."""
        table = self.bench.table
        for device in table.devices.values():
            device.end_fault(Fault.JAM)
        table.shoe.unreadable.clear()
        table.shoe.slips.clear()
        table.dealer.mistake = None
        if table.shoe.lid == Lid.OPEN:
            table.shoe.close_lid()
        self.bring_back()
        self.bench.rest()
        self.read()

    def bring_back(self) -> None:
        """What is of no deck and lies on the table is taken away, what was lost in its place is found."""
        table = self.bench.table
        felt = table.felt
        strange = {card for card in felt.all_cards() if card.deck not in table.decks}
        in_hand = not strange.issuperset(felt.cards("pack"))
        inside = ("machine", "output", *(("pack",) if in_hand else ()))
        for card in strange:
            if felt.where(card) not in (*inside, "lost"):
                felt.move(card, "lost")
        unseen = {card.text for card in strange if felt.where(card) in inside}
        for card in felt.all_cards():
            if felt.where(card) == "lost" and card not in strange and card.text not in unseen:
                felt.move(card, OFF_TABLE)

    def lead_out(self) -> None:
        """The floor is called, unless it is there, and decides until it has taken the table out of this."""
        self.repair()
        if self.phase != "halted":
            self.told.append(f"{self.phase}/{self.asked}: the floor is called")
            self.bench.table.hands.press("floor")
            self.rest()
        if self.phase == "idle" and self.asked == "table-not-empty":
            return
        assert self.phase == "halted", self.phase
        for decision in self.dice.sample(LEADING_OUT, 3):
            before = len(self.decided)
            self.told.append(f"finally {decision}")
            self.bench.rules(decision)
            self.rest()
            if len(self.decided) > before:
                self.check(self.decided[-1])
                return
        raise AssertionError(f"no decision led out: {self.refused[-3:]}")

    def check(self, ruled: FloorRuled) -> None:
        """A void hand leaves everybody with the chips, and the table with the button, that it began with."""
        hand_goes = ruled.phase not in ("idle", "button-draw") and self.begun is not None
        if ruled.decided == "void" and hand_goes and self.stacks and not self.wishes:
            assert self.stacks == self.at_begin
        self.void = self.begun if ruled.decided == "void" and hand_goes else None

    def comes_to_a_new_hand(self) -> None:
        """A faultless dealer obeys: a new hand is dealt from 52 cards that were proved, and nothing halts."""
        hands, alerts = self.hands, len(self.halts)
        idle = 0
        for _ in range(_STEPS_TO_A_HAND):
            if self.phase == "deal" and self.hands > hands:
                break
            if self.phase == "button-draw" and self.bench.core.ledger.count(SHOE) == DECK_SIZE:
                break
            assert self.phase != "halted", self.halts[alerts:]
            self.told.append(f"{self.phase}/{self.asked}")
            self.bring_back()
            did = self.bench.table.dealer.obey()
            self.rest()
            if self.refused and NEEDS_TWO in self.refused[-1]:
                if self.tournament:
                    return  # one player has all the chips
                self.buy_in()
            if did is None:
                idle += 1
                self.bench.table.advance(500)
                self.rest()
                assert idle < 5, f"the dealer has nothing to do: {self.bench.table.dealer.stopped}"
            else:
                idle = 0
        else:
            raise AssertionError("no new hand came")
        assert self.bench.core.ledger.count(SHOE) == DECK_SIZE
        assert len(lying := self.bench.table.felt.texts("shoe")) == DECK_SIZE, len(lying)

    def buy_in(self) -> None:
        """Everybody who is broke buys chips, and who was away comes back."""
        self.refused.clear()
        for seat in range(1, 12):
            self.bench.wish(Wish(at=seat, change="add", chips=100))
            self.bench.wish(Wish(at=seat, change="back"))
        if sum(chips > 0 for chips in self.bench.core.stacks.values()) < 2:
            for seat in range(1, 12):
                self.bench.wish(Wish(at=seat, change="sit", chips=100, entry="post"))
        self.refused.clear()
        self.wishes = True
        self.rest()


def evening(seed: str, bench_of: type[FloorBench] = FloorBench) -> Evening:
    """The table of a seed, before anything was done."""
    dice = random.Random(seed)
    made = drawn_scenario(dice)
    bench = bench_of(made, lateness=dice.randint(0, 10**6))
    told = [f"{made.table}"]
    book = rulebook_of_name_or_file(made.table.rules)
    seen = Seen(bench, book, made.table.hole_cards, Known(bench.table))
    wild = dice.choice((0.01, 0.03, 0.06, 0.12, 0.25))
    mishaps = Mishaps(dice, bench, seen, told)
    return Evening(dice, bench, Watch(seen), mishaps, told, wild, tournament=made.table.button == "draw")


def play(seed: str, bench_of: type[FloorBench] = FloorBench) -> Evening:
    """One evening: anything may happen, then the floor leads out; the same table, several times."""
    table = evening(seed, bench_of)
    try:
        table.rest()
        for _ in range(table.dice.randint(1, 3)):
            for _ in range(table.dice.randint(10, 250)):
                table.anything()
            table.lead_out()
            table.comes_to_a_new_hand()
    except Exception as error:
        error.add_note(f"{table.told[0]}\n" + "\n".join(table.told[1:][-60:]))
        error.add_note(f"alerts {table.halts[-6:]}")
        error.add_note(f"refused {table.refused[-6:]}")
        error.add_note(f"rulings {dict(table.rulings)}")
        error.add_note(f"seed {seed}")
        raise
    return table
