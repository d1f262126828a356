"""Playing a scenario: the hands do what its acts say, one after the other, each begun when the table is at
rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from controller.between_hands import NEEDS_TWO
from controller.decisions import HandBegan, PhaseEntered, Refused
from controller.door import Wish
from controller.following import NOT_TRACKED
from controller.hand import BETTING_ROUNDS
from hil_rigs.simulate.bench import Bench
from hil_rigs.simulate.names import name_of
from hil_rigs.simulate.out_of_play import OutOfPlay
from hil_rigs.simulate.scenario import (
    PHASES,
    Act,
    Bet,
    CheckAround,
    Comply,
    Draw,
    Expose,
    Fault,
    Floor,
    Key,
    Mistake,
    Move,
    Play,
    Restart,
    Scenario,
    Seat,
    Wait,
)
from hil_rigs.virtual.codes import Prompt
from hil_rigs.virtual.hands import MOVABLE, CannotDo
from hil_rigs.virtual.mishaps import MISHAPS
from hil_rigs.virtual.prompts import Shown

_PRICED = (Prompt.ACT_CHECK, Prompt.ACT_CALL)
_TO_ACT = (*_PRICED, Prompt.ACT_FIRST)
_BETTING = (*_TO_ACT, Prompt.BETTING)
_NOT_IN_THE_WAY = (Prompt.EARLY_FLOP, Prompt.EARLY_ASIDE, Prompt.EXPOSED_TO_BURN)
_ORDINARY = frozenset(
    {
        *(Prompt.NOTHING, Prompt.DECK_IN, Prompt.GATHER, Prompt.DEAL_HOLE, Prompt.DEAL_ON),
        *_BETTING,
        *(Prompt.OTHER_DECK_IN, Prompt.PARKED_DECK_IN, Prompt.DRAW_BUTTON),
        *(Prompt.BURN, Prompt.BURN_AGAIN, Prompt.DEAL_FLOP, Prompt.DEAL_TURN, Prompt.DEAL_RIVER),
        *(Prompt.SHOW_HAND, Prompt.TAKE_RAKE, Prompt.PUSH_POT, Prompt.DEAL_BY_HAND, Prompt.NAME_WINNERS),
        *(Prompt.CALL_FLOOR, Prompt.TABLE_NOT_EMPTY, Prompt.DEVICE_LOST),
    }
)
"""Prompts at which nothing is left to comply with: ordinary play, or the floor's."""

Lying = Mapping[str, Sequence[str]]
"""Cards by place, in the order in which they came there."""

_IN_ORDER = PHASES[: PHASES.index("done") + 1]
_PATIENCE = 20
"""How often in a row a step may be refused before the hands give up."""
_MOST_STEPS = 600
"""How many steps one act may take: three times those of the longest hand with a misdeal in it."""


@dataclass(frozen=True)
class Refusal:
    """An act, or a command, that was refused: the act's place in the file, what, and why."""

    act: int
    what: str
    why: str


class Player:
    """The hands of one scenario."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._hands = bench.table.hands
        self._dealer = bench.table.dealer
        self._act = 0
        self._read = 0
        self._refused_in_a_row = 0
        self._steps = 0
        self._hands_left = 0
        self._first_phase = 0
        self._played_out = False  # a play until `done` has ended at the end of this hand
        self._deck = "deck-1"
        self._gathered: Lying | None = None
        self._lacks_players = False
        self._out_of_play = OutOfPlay(bench.table.felt)
        self.phases: list[str] = ["idle"]
        self.refused: list[Refusal] = []

    def play(self, scenario: Scenario) -> None:
        """Plays every act, noting what is refused, then the hands that are left as long as one can begin."""
        self._hands_left = scenario.hands - 1
        self._rest()
        for act in scenario.acts:
            self._plays(act)
        left, refused = 0, len(self.refused)
        while self._phase == "done" and self._hands_left not in (0, left):
            left, self._played_out = self._hands_left, True
            self._plays(Play(len(scenario.acts), "done"))
        if self._lacks_players:
            del self.refused[refused:]  # no act of the file was refused: there is no further hand

    def _plays(self, act: Act) -> None:
        self._act = act.index
        self._refused_in_a_row = self._steps = 0
        try:
            self._do(act)
        except CannotDo as stopped:
            self._refuse(name_of(act), stopped.why)
        self._rest()

    def _do(self, act: Act) -> None:
        match act:
            case Play():
                self._play(act.until)
            case Draw():
                self._draw(act)
            case Bet():
                self._bet(act)
            case CheckAround():
                self._check_around()
            case Key():
                self._key(act)
            case Wait():
                self._bench.table.advance(act.ms)
            case Comply():
                self._comply(act.wrong)
            case Expose():
                self._expose(act)
            case Move():
                self._move(act)
            case Seat():
                self._bench.wish(Wish(at=act.seat, change=act.wish, chips=act.chips, entry=act.entry))
            case Floor():
                self._floor(act)
            case Restart() | Fault():
                self._goes_wrong(act)
            case _:
                raise CannotDo("this act is not played yet")

    def _goes_wrong(self, act: Restart | Fault) -> None:
        match act:
            case Restart():
                self._bench.restart()
            case Fault(device=device, fault=fault) if (device, fault) in MISHAPS:
                MISHAPS[device, fault](self._bench.table)
            case Fault(device=device, fault=fault):
                self._bench.fault(device, fault)

    # What lies on the table

    @property
    def lying(self) -> Lying:
        """The cards of the deck in play as they lie; while they are gathered, as they lay before."""
        return self._on_the_table() if self._gathered is None else self._gathered

    @property
    def gathers(self) -> bool:
        """Whether the cards of the last hand are being gathered, and no hand has begun since."""
        return self._gathered is not None

    @property
    def jokers(self) -> Sequence[str]:
        """Jokers that left the shoe in this hand: each is scrap from then on, wherever it lies."""
        return self._out_of_play.jokers

    def _on_the_table(self) -> Lying:
        return self._out_of_play.counted(self._bench.table.zones_of_truth(self._deck))

    # What the controller said

    def _rest(self) -> bool:
        """Comes to rest and reads what was said meanwhile; True when something was refused."""
        self._bench.rest()
        refused = False
        notices = self._bench.notices
        for notice in notices[self._read :]:
            match notice.said:
                case PhaseEntered(phase=phase):
                    self.phases.append(phase)
                    self._gathered, self._lacks_players = None, False
                case HandBegan(deck=deck):
                    self._deck = f"deck-{deck}"
                    self._out_of_play.begins()
                case Refused(what=what, why=why):
                    self._refuse(what, why)
                    self._lacks_players = self._lacks_players or why == NEEDS_TWO
                    refused = True
                case said:
                    self._out_of_play.hears(said)
        self._read = len(notices)
        return refused

    def _refuse(self, what: str, why: str) -> None:
        self.refused.append(Refusal(self._act, what, why))

    @property
    def _phase(self) -> str:
        return self.phases[-1]

    @property
    def _asked(self) -> Shown | None:
        return self._bench.table.prompts.display

    def _obey(self) -> bool:
        """One step of what the prompt asks for, and rest; False where there is nothing to do.

        Raises CannotDo where the dealer is kept from it.
        """
        if self._dealer.obey() is None:
            if self._dealer.stopped:
                raise CannotDo(self._dealer.stopped)
            return False
        self._steps += 1
        self._refused_in_a_row = self._refused_in_a_row + 1 if self._rest() else 0
        if self._refused_in_a_row > _PATIENCE or self._steps > _MOST_STEPS:
            raise CannotDo("the prompt asks for the same again and again")
        return True

    # Acts

    def _play(self, until: str) -> None:
        if self._deck_was_pulled:
            if not self._hands_left:
                raise CannotDo("the hand is over: its deck was pulled")
            self._next_hand_begins()
        goes_on = self._phase == "done" and self._hands_left and (until != "done" or self._played_out)
        if goes_on and not self._begin_next_hand():
            return
        if _is_past(until, self.phases[self._first_phase :]):
            raise CannotDo("the hand is halted" if self._phase == "halted" else f"the phase {until} is past")
        begun, refused = len(self.phases), len(self.refused)
        while until not in self.phases[begun - 1 :] and self._phase not in ("done", "halted"):
            if not self._obey():
                if len(self.refused) == refused:
                    raise CannotDo("nothing is left for the dealer to do here")
                return
        self._played_out = until == "done"

    def _begin_next_hand(self) -> bool:
        """The cards are gathered and the next hand begins; False where the table refuses it.

        Raises CannotDo where the dealer finds nothing to do for it.
        """
        refused = len(self.refused)
        if self._gathered is None:
            self._gathered = self._on_the_table()
        while self._phase == "done" and len(self.refused) == refused and self._obey():
            pass
        if self._phase != "done":
            self._next_hand_begins()
            return True
        if len(self.refused) == refused:
            raise CannotDo("the next hand does not begin")
        return False

    def _next_hand_begins(self) -> None:
        self._hands_left -= 1
        self._first_phase = len(self.phases) - 1
        self._played_out = False

    @property
    def _deck_was_pulled(self) -> bool:
        """Whether the hand has ended by that, and a new deck is asked for."""
        return self._phase == "idle" and any(phase != "idle" for phase in self.phases[self._first_phase :])

    def _comply(self, wrong: Mistake | None) -> None:
        impossible = self._cannot_be_done_wrong(wrong)
        if impossible:
            raise CannotDo(impossible)
        self._dealer.mistake = wrong
        try:
            while self._asked is not None and self._asked.code not in _ORDINARY and self._obey():
                pass
        finally:
            why_not = self._dealer.give_up_mistake()
        if why_not:
            raise CannotDo(why_not)

    def _cannot_be_done_wrong(self, wrong: Mistake | None) -> str:
        """Why a mistake cannot be made here, as far as it can be seen before; empty where it may."""
        if wrong == "skip-cut" and self._bench.table.setup.shuffler.cuts:
            return "the machine cuts"
        if wrong == "add-burn" and self._phase == "misdeal":
            return "at a misdeal every burn belongs in"
        if wrong == "add-burn" and not self._bench.table.felt.cards("burn"):
            return "no card lies in the burn tray"
        return ""

    def _expose(self, act: Expose) -> None:
        self._hands.turn_up(act.seat, card=act.card)
        self._rest()
        if act.by == "dealer":
            self._hands.press("exposed", act.seat)

    def _move(self, act: Move) -> None:
        """Cards are moved in their order, those from one place at once, and heard of before the next."""
        felt = self._bench.table.felt
        found = [felt.find(text, MOVABLE) for text in act.cards]
        if None in found:
            self._hands.move(act.cards, act.to)  # says which it lacks, before a card is moved
        places = [felt.where(card) for card in found if card is not None]
        for _, cards in groupby(zip(places, act.cards, strict=True), key=lambda lying: lying[0]):
            self._hands.move(tuple(text for _, text in cards), act.to)
            self._rest()

    def _clear_the_way(self) -> None:
        """What players need not wait for: void and exposed cards are out of the way before the next act."""
        while self._asked is not None and self._asked.code in _NOT_IN_THE_WAY and self._obey():
            pass

    def _players_go_on(self) -> None:
        """The betting goes on: whoever asks whether it is complete is told that it is not."""
        if self._asked is not None and self._asked.code == Prompt.BETTING_COMPLETE:
            self._obey()
        self._clear_the_way()

    def _draw(self, act: Draw) -> None:
        left = len(self._bench.table.felt.texts("shoe"))
        if act.count > left:
            raise CannotDo(f"the shoe holds {left} card{'s' * (left != 1)}")
        try:
            self._hands.draw(act.to, count=act.count, face=act.face, boxed=act.boxed)
        except CannotDo as stopped:
            if not stopped.moved:
                raise
            why = f"{stopped.why} after {stopped.moved} of {act.count} cards"
            raise CannotDo(why, stopped.moved) from None

    def _bet(self, act: Bet) -> None:
        self._players_go_on()
        if not self._bench.table.keypad.acts:
            self._fold_unsaid(act)
            return
        priced = self._price_of(act.seat)
        if priced is not None:
            why = self._cannot_be(act, priced)
            if why:
                raise CannotDo(why)
        self._hands.act(act.seat, act.action, act.amount or 0)
        if not self._rest() and act.action == "fold" and self._bench.table.felt.cards(f"seat:{act.seat}"):
            self._hands.muck(act.seat)

    def _fold_unsaid(self, act: Bet) -> None:
        """Where no act is told, a fold is cards in the muck; without an antenna there the dealer presses
        muck."""
        if act.action != "fold":
            raise CannotDo(NOT_TRACKED)
        if self._asked is None or self._asked.code != Prompt.BETTING:
            raise CannotDo("no betting round is open")
        if self._bench.table.zones is None:
            self._key(Key(act.index, "muck", act.seat))
        else:
            self._hands.muck(act.seat)

    def _price_of(self, seat: int) -> Shown | None:
        """The prompt that told a seat's price in this turn; None where it is not the seat's turn."""
        asked = self._asked
        if asked is None or asked.seat != seat or asked.code not in _TO_ACT:
            return None
        turns = (shown for shown in reversed(self._bench.table.prompts.history) if shown.code in _PRICED)
        priced = next(turns, None)
        return priced if priced is not None and priced.seat == seat else None

    def _cannot_be(self, act: Bet, asked: Shown) -> str:
        """Why an act cannot be what its name says, which the keypad's keys do not tell apart; empty if it
        can."""
        facing = asked.code == Prompt.ACT_CALL
        if act.action == "check" and facing:
            return f"seat {act.seat} cannot check: {asked.count} to call"
        if act.action == "call" and not facing:
            return f"seat {act.seat} has nothing to call: it may check"
        if act.action == "bet" and facing:
            return f"seat {act.seat} faces a bet: it may raise"
        if act.action == "raise" and not facing and self._phase != "preflop":
            return f"seat {act.seat} faces no bet: it may bet"
        return ""

    def _check_around(self) -> None:
        self._players_go_on()
        phase = self._phase
        if phase not in BETTING_ROUNDS or not self._somebody_is_to_act():
            raise CannotDo("no betting round is open")
        while self._phase == phase and self._somebody_is_to_act():
            if not self._obey():
                return

    def _somebody_is_to_act(self) -> bool:
        return self._asked is not None and self._asked.code in _BETTING

    def _floor(self, act: Floor) -> None:
        why = self._bench.decide(act)
        if not self._rest() and why:
            raise CannotDo(why)

    def _key(self, act: Key) -> None:
        if act.key == "next":
            self._clear_the_way()
        seat = act.seat or 0
        self._hands.press(act.key, seat)
        taken = not self._rest()
        if taken and act.key == "muck" and seat and self._bench.table.felt.cards(f"seat:{seat}"):
            self._hands.muck(seat)


def _is_past(phase: str, phases: Sequence[str]) -> bool:
    """Whether a hand cannot come to a phase any more; after a misdeal or a redeal it comes to some again."""
    now = phases[-1]
    if phase == now:
        return False
    if now == "halted":
        return True
    if phase not in _IN_ORDER:
        return now == "done" and phase in phases
    return _IN_ORDER.index(phase) < _IN_ORDER.index("shuffle" if now == "misdeal" else now)
