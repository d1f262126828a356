"""The phases of a hand, as a state machine. It knows when a phase may follow another and nothing else.

One thread touches it, its callbacks do no work, and its triggers are facts that the table has established:
what is due, who may act and what a card means is decided in `table` and its neighbours.
"""

from functools import partial
from typing import Final, Literal, cast, get_args

from transitions import EventData, Machine

PhaseName = Literal[
    "idle",
    "shuffle",
    "button-draw",
    "deal",
    "preflop",
    "flop-deal",
    "flop",
    "turn-deal",
    "turn",
    "river-deal",
    "river",
    "showdown",
    "done",
    "misdeal",
    "halted",
]

PHASES: Final[tuple[PhaseName, ...]] = get_args(PhaseName)

BETTING_ROUNDS: Final[tuple[PhaseName, ...]] = ("preflop", "flop", "turn", "river")

STREETS_DEALT: Final[tuple[PhaseName, ...]] = ("flop-deal", "turn-deal", "river-deal")

BEFORE_SHOWDOWN: Final[tuple[PhaseName, ...]] = ("deal", *BETTING_ROUNDS, *STREETS_DEALT)
"""The phases in which cards are dealt and bets are made: one player who is left wins the pot in them."""

DEALING: Final[tuple[PhaseName, ...]] = ("deal", "preflop")
"""The phases in which a deal can still be put right."""

IN_PLAY: Final[tuple[PhaseName, ...]] = (*BEFORE_SHOWDOWN, "showdown")
"""The phases in which a hand is played."""

Fact = Literal[
    "deck_laid_in",
    "draw_begins",
    "pack_loaded",
    "hole_cards_dealt",
    "street_due",
    "street_lies",
    "flop_again",
    "misdealt",
    "deal_resumed",
    "betting_resumed",
    "next_taken_back",
    "one_left",
    "showing",
    "pots_pushed",
    "halt",
    "back_in_idle",
    "back_in_shuffle",
    "back_in_button_draw",
    "back_in_deal",
    "back_in_preflop",
    "back_in_flop_deal",
    "back_in_flop",
    "back_in_turn_deal",
    "back_in_turn",
    "back_in_river_deal",
    "back_in_river",
    "back_in_showdown",
    "back_in_done",
    "back_in_misdeal",
    "voided",
    "deck_pulled",
]

BACK_IN: Final[dict[PhaseName, Fact]] = {
    "idle": "back_in_idle",
    "shuffle": "back_in_shuffle",
    "button-draw": "back_in_button_draw",
    "deal": "back_in_deal",
    "preflop": "back_in_preflop",
    "flop-deal": "back_in_flop_deal",
    "flop": "back_in_flop",
    "turn-deal": "back_in_turn_deal",
    "turn": "back_in_turn",
    "river-deal": "back_in_river_deal",
    "river": "back_in_river",
    "showdown": "back_in_showdown",
    "done": "back_in_done",
    "misdeal": "back_in_misdeal",
}
"""The floor's decision that a halted hand goes on, by the phase in which it does."""

TRANSITIONS: Final[tuple[tuple[Fact, tuple[PhaseName, ...], PhaseName], ...]] = (
    ("deck_laid_in", ("idle", "done", "misdeal", "button-draw"), "shuffle"),
    ("draw_begins", ("shuffle",), "button-draw"),
    ("pack_loaded", ("shuffle",), "deal"),
    ("hole_cards_dealt", ("deal",), "preflop"),
    ("street_due", ("preflop",), "flop-deal"),
    ("street_lies", ("flop-deal",), "flop"),
    ("street_due", ("flop",), "turn-deal"),
    ("street_lies", ("turn-deal",), "turn"),
    ("street_due", ("turn",), "river-deal"),
    ("street_lies", ("river-deal",), "river"),
    ("flop_again", ("flop",), "flop-deal"),
    ("misdealt", ("deal", "preflop"), "misdeal"),
    ("deal_resumed", ("misdeal",), "deal"),
    ("betting_resumed", ("misdeal",), "preflop"),
    ("next_taken_back", ("flop-deal",), "preflop"),
    ("next_taken_back", ("turn-deal",), "flop"),
    ("next_taken_back", ("river-deal",), "turn"),
    ("next_taken_back", ("showdown",), "river"),
    ("showing", ("river",), "showdown"),
    ("one_left", BEFORE_SHOWDOWN, "done"),
    ("pots_pushed", ("showdown",), "done"),
    ("halt", tuple(phase for phase in PHASES if phase != "halted"), "halted"),
    *((fact, ("halted",), phase) for phase, fact in BACK_IN.items()),
    ("voided", ("halted",), "done"),
    ("deck_pulled", ("halted",), "idle"),
)


class Phases:
    """Where a hand stands, by name. Every change is asserted on the state itself."""

    state: str

    def __init__(self) -> None:
        self.machine = Machine(
            model=self,
            states=list(PHASES),
            initial="idle",
            queued=True,
            auto_transitions=False,
            ignore_invalid_triggers=False,
            send_event=True,
            after_state_change=self._note,
        )
        for fact, sources, target in TRANSITIONS:
            self.machine.add_transition(fact, list(sources), target)
        for fact, _, _ in TRANSITIONS:
            # An attribute of that name would be called in the machine's place, and nothing would happen.
            if not isinstance(getattr(self, fact), partial):
                raise TypeError(f"the fact {fact} is not the machine's")
        self._entered: list[PhaseName] = []

    def _note(self, event: EventData) -> None:
        if event.transition is not None:
            self._entered.append(cast(PhaseName, event.transition.dest))

    @property
    def name(self) -> PhaseName:
        """The phase now."""
        return cast(PhaseName, self.state)

    def establish(self, fact: Fact) -> PhaseName:
        """Takes a fact that the table has established and returns the phase that it leads to.

        Raises MachineError when no phase follows from this fact here: a fault of the caller, never of a
        dealer.
        """
        self.machine.dispatch(fact)
        if self._entered[-1:] != [self.state]:
            raise RuntimeError(f"the fact {fact} did not lead to {self.state}")
        self._entered.clear()
        return self.name
