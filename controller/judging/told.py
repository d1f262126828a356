"""What no device can see and the floor has found: whether it can have happened, and the ruling on it."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.hand import BETTING_ROUNDS, STREETS_DEALT, PhaseName
from controller.irregularities import Fault
from controller.judging.findings import Findings
from controller.places import SHOE
from controller.remedies.walk import Open
from controller.rulesets.known import KNOWN

_DEALT_FROM: Final[frozenset[PhaseName]] = frozenset({"deal", *BETTING_ROUNDS, *STREETS_DEALT})
_WHOLE: Final = 5


class ToldMatters:
    """Rules on what the floor says of one hand after the other.

    `phase` is always the one that the table was halted in.
    """

    def __init__(self, findings: Findings) -> None:
        self._found = findings
        self._why_not: Mapping[str, Callable[[PhaseName, int], str]] = {
            "stub-dropped": self._why_no_stub,
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
        return "out-of-shoe" if rule == "stub-dropped" and self._found.loading.is_in_hands else ""

    # The stub

    def _why_no_stub(self, phase: PhaseName, _seat: int) -> str:
        """Why it does not matter any more what happened to the stub."""
        if phase not in _DEALT_FROM:
            return f"no stub is dealt from in the phase {phase}"
        if len(self._found.state.streets.cards) == _WHOLE:
            return "the board is whole: nothing is dealt from the stub any more"
        if len(self._found.state.holders()) < 2:
            return "one player is left: nothing is dealt from the stub any more"
        if self._found.loading.step is not None and not self._found.loading.is_in_hands:
            return "the stub lies in the shuffler"
        return ""
