"""What no device can see and the floor has found: whether it can have happened, and the ruling on it."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.dealing import WHOLE_BOARD
from controller.decisions import CardLay
from controller.hand import BETTING_ROUNDS, IN_PLAY, STREETS_DEALT, PhaseName
from controller.irregularities import Fault
from controller.judging.findings import Findings
from controller.ledger import Evidence, Facing
from controller.places import BOARD, BURN, MUCK, SHOE
from controller.remedies.steps import FLOORS
from controller.remedies.under_way import Open
from controller.rulesets.known import KNOWN
from controller.streets import Streets

_DEALT_FROM: Final[frozenset[PhaseName]] = frozenset({"deal", *BETTING_ROUNDS, *STREETS_DEALT})
_LAST_STREET: Final[dict[int, PhaseName]] = {3: "flop-deal", 4: "turn-deal", 5: "river-deal"}
"""By how many cards lie on the board."""
_TWO: Final = 2


class ToldMatters:
    """Rules on what the floor says of one hand after the other.

    `phase` is always the one that the table was halted in.
    """

    def __init__(self, findings: Findings) -> None:
        self._found = findings
        self._why_not: Mapping[str, Callable[[PhaseName, int], str]] = {
            "button-misplaced": self._why_no_button,
            "stub-dropped": self._why_no_stub,
            "stub-mixed": self._why_not_mixed,
            "missed-burn-acted": self._why_no_missed_burn,
            "double-burn-acted": self._why_no_double_burn,
        }

    def why_not(self, rule: str, seat: int, phase: PhaseName) -> str:
        """Why such a thing cannot have happened, or is not for a person to say; empty where it can."""
        known = KNOWN.get(rule)
        if known is None or known.told == "no":
            told = ", ".join(name for name, each in KNOWN.items() if each.told != "no")
            return f"{rule} is not told by the floor: it tells {told}"
        if not self._found.rulings.in_force(rule):
            return f"the rulebook has no {rule} in this game"
        if (known.told == "with-seat") != bool(seat):
            return f"{rule} needs a seat" if not seat else f"{rule} is about no seat"
        if self._found.rulings.calls_off:
            return "the deal is void already"
        return self._why_not[rule](phase, seat)

    def find(self, rule: str, seat: int, phase: PhaseName) -> Open:
        """Rules on what the floor has found."""
        if rule == "missed-burn-acted" and self._counts_as_burn(phase):
            self._card_is_the_street()
        fault = Fault(rule, self._case(rule))
        return self._found.rulings.rule(
            fault,
            seat=seat or None,
            seen=(),
            unseen=0,
            window=self._found.window(fault, phase),
            owner=seat,
            place=None if seat else SHOE,
            phase=phase,
        )

    def _case(self, rule: str) -> str:
        """In which special case of its rule it happened."""
        match rule:
            case "stub-dropped" if self._found.loading.is_in_hands:
                return "out-of-shoe"
            case "stub-mixed" if not self._found.state.ledger.count(BURN):
                return "muck-alone"
            case "stub-mixed" if not self._found.state.ledger.count(MUCK):
                return "burns-alone"
            case "missed-burn-acted" | "double-burn-acted" if len(self._streets.cards) == WHOLE_BOARD:
                return "river-lies"
            case _:
                return ""

    def waits_for_floor(self, rule: str, phase: PhaseName) -> bool:
        """Whether what the rulebook says of it begins with the floor."""
        fault = Fault(rule, self._case(rule))
        named = self._found.rulings.book.answer(rule, fault.case, self._found.window(fault, phase)).named
        return isinstance(next(iter(named.remedy.steps), None), FLOORS)

    @property
    def _streets(self) -> Streets:
        return self._found.state.streets

    # The button

    def _why_no_button(self, phase: PhaseName, seat: int) -> str:
        order = self._found.state.deal.order
        if phase not in IN_PLAY:
            return f"no hand is dealt in the phase {phase}"
        if seat not in order:
            return f"seat {seat} is not dealt in: the button cannot belong there"
        return f"the button is at seat {seat} already" if seat == order[-1] else ""

    # Burns

    def _why_no_missed_burn(self, phase: PhaseName, _seat: int) -> str:
        if self._counts_as_burn(phase):
            return ""
        street = self._last_street
        if street is not None and self._streets.burned.get(street):
            return f"a burn was made in the phase {street}, as the shoe and its reader tell"
        return self._why_not_acted(phase)

    def _why_no_double_burn(self, phase: PhaseName, _seat: int) -> str:
        street = self._last_street
        if street is not None and self._streets.burned.get(street, 0) < _TWO and not self._found.state.out:
            return f"no second card was burned in the phase {street}, as the shoe and its reader tell"
        return self._why_not_acted(phase)

    def _why_not_acted(self, phase: PhaseName) -> str:
        """Why nobody has acted on the street that lies."""
        if self._last_street is None:
            return "no street lies yet"
        open_round = phase in BETTING_ROUNDS and not self._found.state.following.complete
        return "nobody has acted on the street yet" if open_round and not self._streets.acts else ""

    @property
    def _last_street(self) -> PhaseName | None:
        """The street that was dealt last, None before the flop lies."""
        return _LAST_STREET.get(len(self._streets.cards))

    def _counts_as_burn(self, phase: PhaseName) -> bool:
        """Whether only the order of the shoe took the first card of a street for its burn, so that the street
        seems to lack one card."""
        streets = self._streets
        if phase not in STREETS_DEALT or not self._found.works.burns_are_unseen:
            return False
        return streets.next == phase and streets.missing(phase) == 1 and streets.burns == 1

    def _card_is_the_street(self) -> None:
        """That card lies on the board, before the others of its street."""
        state, streets = self._found.state, self._streets
        street, card = streets.next, state.ledger.cards(BURN)[-1]
        streets.burn(-1, street)
        self._found.works.nothing_is_due()
        state.ledger.move(card, BOARD, Evidence.STATED, Facing.UP)
        streets.cards.insert(0 if street == "flop-deal" else len(streets.cards), card)
        self._found.desk.tell(CardLay(place=BOARD, card=card))

    # The stub

    def _why_no_stub(self, phase: PhaseName, _seat: int) -> str:
        """Why it does not matter any more what happened to the stub."""
        if phase not in _DEALT_FROM:
            return f"no stub is dealt from in the phase {phase}"
        if len(self._found.state.streets.cards) == WHOLE_BOARD:
            return "the board is whole: nothing is dealt from the stub any more"
        if len(self._found.state.holders()) < 2:
            return "one player is left: nothing is dealt from the stub any more"
        if self._found.loading.step is not None and not self._found.loading.is_in_hands:
            return "the stub lies in the shuffler"
        return ""

    def _why_not_mixed(self, phase: PhaseName, seat: int) -> str:
        """Why the stub cannot have met the muck or the burns."""
        state = self._found.state
        muck = state.ledger.cards(MUCK)
        live = next((seat for seat in state.holders() if set(muck) & set(state.deal.hole[seat])), None)
        if live is not None:
            return f"cards of seat {live}, which plays, lie in the muck: they have first to come back"
        if not muck and not state.ledger.count(BURN):
            return "no card lies in the muck or the burn tray"
        return self._why_no_stub(phase, seat)
