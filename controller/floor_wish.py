"""What somebody wants decided about a halted table, before it is known who he is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.checking import Known, Verdict
from controller.credentials import Credential
from controller.events import CauseName, CredentialRefused, FloorDecided, FloorDecisionName

_WHY_UNKNOWN: Final[Mapping[CauseName, str]] = {
    "unknown": "nobody here has this badge or PIN",
    "locked": "too many wrong badges or PINs: wait, and try again",
    "unusable": "",
}


@dataclass(frozen=True)
class FloorWish:
    """What somebody who shows a credential wants decided about a halted table, and why."""

    decision: FloorDecisionName
    reason: str
    shown: Credential
    remedy: str = ""
    rule: str = ""
    seat: int = 0

    def by(self, verdict: Verdict) -> FloorDecided | CredentialRefused | str:
        """What the core is told, once it is known whose decision it is; why it is told nothing, where whoever
        it is may not decide."""
        if not isinstance(verdict, Known):
            return CredentialRefused(by=self.shown.by, at="door", cause=verdict.cause, text=verdict.text)
        if verdict.role != "floor":
            return f"{verdict.who} is no floor: only a floor decides"
        return FloorDecided(
            decision=self.decision,
            who=verdict.who,
            reason=self.reason,
            remedy=self.remedy,
            rule=self.rule,
            seat=self.seat,
        )


def why_refused(refused: CredentialRefused) -> str:
    """Why a credential is that of nobody, as whoever showed it is told."""
    return _WHY_UNKNOWN[refused.cause] or refused.text
