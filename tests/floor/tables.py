"""Tables drawn from a seed at which everything goes wrong, and a floor that decides.

The devices are the virtual ones, without the wire; hands, machines and the floor do what they like, and what
comes of it is the controller's to bear.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast, get_args

import msgspec

from controller.between_hands import NEEDS_TWO
from controller.decisions import Alert, ButtonMoved, ChipsMoved, FloorRuled, HandBegan, PhaseEntered, Refused
from controller.door import Wish
from controller.events import DeviceName, FloorDecided, FloorDecisionName
from controller.notices import PromptShown
from controller.places import SHOE
from controller.rule_files import rulebook
from controller.rulesets.known import KNOWN
from controller.seating.positions import deal_order
from controller.service import Service
from firmware_bridge import messages as wire
from firmware_bridge.capabilities import capabilities
from hil_rigs.simulate.direct import DirectBench, _caps
from hil_rigs.simulate.load import read_scenario
from hil_rigs.virtual.codes import Fault, Lid
from hil_rigs.virtual.felt import DOWN, UP, ZONES
from hil_rigs.virtual.hands import CannotDo

DECISIONS: Final[tuple[FloorDecisionName, ...]] = get_args(FloorDecisionName)
LEADING_OUT: Final[tuple[FloorDecisionName, ...]] = ("void", "by-hand", "pull-deck")
REMEDIES: Final = tuple(rulebook("roberts").remedies)
KEYS: Final = ("next", "exposed", "misdeal", "floor", "plays-board", "muck", "undo", "ack", "yes", "no")
ACTIONS: Final = ("fold", "check", "call", "raise", "all-in")
TOLD: Final = tuple(name for name, known in KNOWN.items() if known.told != "no")
DECK_SIZE: Final = 52


class FloorBench(DirectBench):
    """A table without a wire whose floor decides, and whose devices can be lost or begin anew."""

    @property
    def service(self) -> Service:
        return self._service

    def rules(
        self,
        decision: FloorDecisionName,
        remedy: str = "",
        reason: str = "so it is",
        rule: str = "",
        seat: int = 0,
    ) -> None:
        decided = FloorDecided(decision, "Ann", reason, remedy, rule, seat)
        self._service._take(decided)
        self._service.settle()

    def answers(self, name: str, *, restarted: bool) -> None:
        """A device is there again, from a new boot or the same."""
        device = self.table.devices[name]
        caps = wire.decode(wire.Caps.TYPE, _caps(device))
        assert isinstance(caps, wire.Caps)
        device.session_opened()
        self._service.answers(
            cast(DeviceName, name), device.boots + 1, capabilities(caps), restarted=restarted
        )

    def few(self, turns: int) -> None:
        """Hands over a little of what there is to say, in the middle of things."""
        for _ in range(turns):
            self._to_devices()
            for name, type_, body in self._direct.take():
                self._hear(cast(DeviceName, name), wire.decode(type_, body))


def drawn_scenario(dice: random.Random) -> dict[str, object]:
    seats = sorted(dice.sample(range(1, 12), dice.randint(2, 5)))
    follow = dice.choice(("tracked", "tracked", "dealer-key"))
    return {
        "table": {
            "game": dice.choice(("holdem", "holdem", "omaha")),
            "seats": {str(seat): dice.choice((50, 1000, 1000)) for seat in seats},
            "button": dice.choice((*seats, "draw")),
            "ante": dice.choice((0, 0, 2)),
            "follow": follow,
            "zones": dice.random() < 0.8,
            "decks": dice.choice((1, 2)),
            "shoe": {"gate": dice.random() < 0.4, "burner": dice.random() < 0.5},
            "shuffler": {
                "cuts": dice.random() < 0.6,
                "identifies": dice.random() < 0.7,
                "min_cards": dice.choice((1, 1, 40)),
            },
        },
        "seed": dice.randint(0, 10**6),
        "acts": [],
    }


@dataclass
class Evening:
    """One table, its bench, and what was done."""

    dice: random.Random
    bench: FloorBench
    chips: int
    told: list[str] = field(default_factory=list)
    _read: int = 0
    phase: str = "idle"
    hands: int = 0
    at_begin: dict[int, int] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    halts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    decided: list[FloorRuled] = field(default_factory=list)
    asked: str = ""
    begun: HandBegan | None = None
    void: HandBegan | None = None
    bought: bool = False
    said: list[object] = field(default_factory=list)

    # What was said

    def read(self) -> None:
        notices = self.bench.notices
        for notice in notices[self._read :]:
            said = notice.said
            self.said.append(said)
            match said:
                case PhaseEntered(phase=phase):
                    self.phase = phase
                case HandBegan(stacks=stacks):
                    self.hands += 1
                    self.at_begin = dict(stacks)
                    if self.void is not None and not self.bought:
                        assert (said.button, said.seats) == (self.void.button, self.void.seats)
                    self.begun, self.void, self.bought = said, None, False
                case ButtonMoved(button=button) if self.begun is not None:
                    order = deal_order(self.begun.seats, button)
                    self.begun = msgspec.structs.replace(self.begun, button=button, seats=order)
                case ChipsMoved(stacks=stacks):
                    self.stacks = dict(stacks)
                case Alert(code=code, text=text):
                    self.halts.append(f"{code}: {text}")
                case Refused(what=what, why=why):
                    self.refused.append(f"{what}: {why}")
                case FloorRuled():
                    self.decided.append(said)
                case PromptShown(code=code):
                    self.asked = code
                case _:
                    pass
        self._read = len(notices)

    def rest(self) -> None:
        self.bench.rest()
        self.read()

    # What goes wrong

    def anything(self) -> None:
        """One deed, good or bad, and perhaps only a little of what follows from it."""
        dice = self.dice
        deed = self.obey if dice.random() < 0.85 else dice.choice(self.bad)
        if self.phase == "halted" and dice.random() < 0.5:
            deed = self.floor
        self.told.append(f"{self.phase}/{self.asked}: {deed.__name__}")
        try:
            deed()
        except CannotDo as stopped:
            self.told.append(f"  cannot: {stopped.why}")
        if dice.random() < 0.15:
            self.bench.few(dice.randint(0, 3))
            self.read()
        else:
            self.rest()

    @property
    def bad(self) -> tuple[Callable[[], object], ...]:
        return (
            *(self.draw, self.draw, self.carry, self.press, self.press, self.act, self.expose, self.lid),
            *(self.restart, self.lose, self.jam, self.wait, self.wait, self.slip, self.unreadable),
            *(self.floor, self.floor, self.floor),
        )

    def obey(self) -> None:
        self.bench.table.dealer.obey()

    def draw(self) -> None:
        place = self.dice.choice(("board", "board", "burn", "muck", "aside", *self.seats))
        count, face = self.dice.choice((1, 1, 2, 4)), self.dice.choice((UP, DOWN))
        self.told.append(f"  {count} to {place} {face}")
        self.bench.table.hands.draw(place, count=count, face=face)

    @property
    def seats(self) -> list[str]:
        return [f"seat:{seat}" for seat in self.bench.table.dealer.seats]

    def carry(self) -> None:
        felt = self.bench.table.felt
        lying = [card for place in ZONES for card in felt.cards(place)]
        if lying:
            card, to = self.dice.choice(lying), self.dice.choice(("muck", "board", "aside", *self.seats))
            self.told.append(f"  from {felt.where(card)} to {to}")
            self.bench.table.hands.lay((card,), to)

    def press(self) -> None:
        key, seat = self.dice.choice(KEYS), self.dice.choice((0, *self.bench.table.dealer.seats))
        self.told.append(f"  {key} {seat}")
        self.bench.table.hands.press(key, seat)

    def act(self) -> None:
        seat = self.dice.choice(self.bench.table.dealer.seats)
        self.bench.table.hands.act(seat, self.dice.choice(ACTIONS), self.dice.randint(1, 100))

    def expose(self) -> None:
        seat = self.dice.choice(self.bench.table.dealer.seats)
        self.bench.table.hands.turn_up(seat, card=1)
        if self.dice.random() < 0.7:
            self.bench.table.hands.press("exposed", seat)

    def lid(self) -> None:
        hands, shoe = self.bench.table.hands, self.bench.table.shoe
        if shoe.lid == Lid.OPEN:
            hands.close_lid()
        elif shoe.lid == Lid.RELEASED or self.dice.random() < 0.5:
            shoe.open_lid()  # by force
            if self.dice.random() < 0.5:
                hands.close_lid()

    def restart(self) -> None:
        name = self.dice.choice(tuple(self.bench.table.devices))
        self.told.append(f"  {name}")
        self.bench.table.devices[name].power_cycle()
        self.bench.answers(name, restarted=True)

    def lose(self) -> None:
        name = self.dice.choice(tuple(self.bench.table.devices))
        self.told.append(f"  {name}")
        self.bench.service.lost(cast(DeviceName, name), "silent")
        self.bench.answers(name, restarted=False)

    def jam(self) -> None:
        device = self.dice.choice((self.bench.table.shoe, self.bench.table.shuffler))
        device.end_fault(Fault.JAM) if device.jammed else device.begin_fault(Fault.JAM)

    def wait(self) -> None:
        self.bench.table.advance(self.dice.choice((1_000, 3_500, 11_000, 31_000)))

    def slip(self) -> None:
        self.bench.table.dealer.mistake = self.dice.choice(("keep-card", "add-burn", "skip-cut"))

    def unreadable(self) -> None:
        top = self.bench.table.felt.cards("shoe")[:1]
        self.bench.table.shoe.unreadable.update(top)

    def floor(self) -> None:
        if self.phase != "halted" and self.dice.random() < 0.7:
            self.bench.table.hands.press("floor")
            if self.dice.random() < 0.5:
                return
            self.rest()
        decision = self.dice.choice((*DECISIONS, "found", "found", "stand", "stand", "stand"))
        remedy = self.dice.choice(REMEDIES) if decision == "choose" else ""
        rule = self.dice.choice(TOLD) if decision == "found" else ""
        seat = 0
        if rule and KNOWN[rule].told == "with-seat":
            seat = self.dice.choice(self.bench.table.dealer.seats)
        self.told.append(f"  {decision} {remedy}{rule} {seat}")
        self.bench.rules(decision, remedy, rule=rule, seat=seat)

    # The way out

    def repair(self) -> None:
        """Whoever comes puts the machines right; a lid that stands open is closed."""
        table = self.bench.table
        for device in table.devices.values():
            device.end_fault(Fault.JAM)
        table.shoe.unreadable.clear()
        table.dealer.mistake = None
        if table.shoe.lid == Lid.OPEN:
            table.shoe.close_lid()
        self.rest()

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
        for decision in (*self.dice.sample(LEADING_OUT, 3),):
            before = len(self.decided)
            self.told.append(f"finally {decision}")
            self.bench.rules(decision)
            self.rest()
            if len(self.decided) > before:
                self.check(self.decided[-1])
                return
        raise AssertionError("no decision led out")

    def check(self, ruled: FloorRuled) -> None:
        """A void hand leaves everybody with the chips, and the table with the button, that it began with."""
        hand_goes = ruled.phase not in ("idle", "button-draw") and self.begun is not None
        if ruled.decided == "void" and hand_goes and self.stacks:
            assert self.stacks == self.at_begin
        self.void = self.begun if ruled.decided == "void" and hand_goes else None

    def comes_to_a_new_hand(self) -> None:
        """A faultless dealer obeys: a new hand is dealt from 52 cards that were proved, and nothing halts."""
        hands, alerts = self.hands, len(self.halts)
        idle = 0
        for _ in range(400):
            if self.phase == "deal" and self.hands > hands:
                break
            if self.phase == "button-draw" and self.bench.service._core.ledger.count(SHOE) == DECK_SIZE:
                break
            assert self.phase != "halted", self.halts[alerts:]
            self.told.append(f"{self.phase}/{self.asked}")
            did = self.bench.table.dealer.obey()
            self.rest()
            if self.refused and NEEDS_TWO in self.refused[-1]:
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
        core = self.bench.service._core
        assert core.ledger.count(SHOE) == DECK_SIZE
        assert len(self.bench.table.felt.texts("shoe")) == DECK_SIZE
        self.bench.table.felt.check()
        assert sum(self.at_begin.values() or [self.chips]) == self.chips

    def buy_in(self) -> None:
        self.refused.clear()
        for seat in self.bench.table.setup.seats:
            self.bench.wish(Wish(at=seat, change="add", chips=100))
            self.chips += 100
        self.bought = True
        self.rest()


def evening(seed: str) -> Evening:
    dice = random.Random(seed)
    made = drawn_scenario(dice)
    scenario = read_scenario(json.dumps(made), file="floor", name="floor")
    bench = FloorBench(scenario, lateness=dice.randint(0, 10**6))
    chips = sum(cast(dict[str, int], cast(dict[str, object], made["table"])["seats"]).values())
    return Evening(dice, bench, chips)


def play(seed: str) -> Evening:
    """One evening: anything may happen, then the floor leads out; the same table, several times."""
    table = evening(seed)
    table.rest()
    try:
        for _ in range(table.dice.randint(1, 3)):
            for _ in range(table.dice.randint(5, 120)):
                table.anything()
            table.lead_out()
            table.comes_to_a_new_hand()
    except Exception as error:
        error.add_note("\n".join(table.told[-60:]))
        error.add_note(f"alerts {table.halts[-6:]}")
        error.add_note(f"refused {table.refused[-6:]}")
        error.add_note(f"seed {seed}")
        raise
    return table
