"""`cutcard floor`: the floor decides about a table that is halted, or looks why it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from controller import narrate
from controller.cli.asking import put, socket_of, status_of
from controller.cli.typed import asked_for
from controller.config import Config, load_config
from controller.credentials import new_badge
from controller.decisions import Alert, HandBegan, PhaseEntered, Ruled, Withdrawn
from controller.door import Ruling
from controller.errors import PersonError, RuleNameError
from controller.events import CredentialName, FloorDecisionName
from controller.insecure import MARK
from controller.mistakes import no_such
from controller.notices import AnyNotice
from controller.rule_files import rulebook_of_name_or_file
from controller.rulesets.book import REMEDIES_LISTED

_LOOK_S: Final = 5.0
_DECIDE_S: Final = 60.0
"""Others may be looked up before, each of which takes a while."""


@dataclass(frozen=True)
class Decision:
    """What was said on the command line: everything but who says it, which is asked for."""

    decision: FloorDecisionName
    reason: str
    remedy: str
    by: CredentialName
    rule: str = ""
    seat: int = 0

    def ruling(self) -> Ruling:
        """With the badge or the PIN. PersonError where it cannot be one."""
        if self.by == "badge":
            badge = new_badge(asked_for("badge")).secret
            return Ruling(self.decision, self.reason, self.remedy, self.rule, self.seat, badge=badge)
        pin = asked_for("PIN")
        if not (pin.isascii() and pin.isdigit() and len(pin) <= 12):
            raise PersonError("a PIN has digits only, twelve at most")
        return Ruling(self.decision, self.reason, self.remedy, self.rule, self.seat, pin=pin)


def decide(decision: Decision | None, *, config: str | None, door: str) -> int:
    """Says a decision at a table's door, or, without one, what is halted; returns the exit status."""

    def say() -> None:
        socket = socket_of(config, door)
        if decision is None:
            told = put(socket, lambda client: client.ask("rest"), _LOOK_S)
            click.echo("\n".join(standing([notice.said for notice in told])))
            return
        if decision.remedy and config is not None:
            _refuse_unknown(decision.remedy, load_config(Path(config)))
        ruling = decision.ruling()
        put(socket, lambda client: client.decide(ruling), _DECIDE_S)

    return status_of("floor", say)


def _refuse_unknown(remedy: str, config: Config) -> None:
    """Before anybody types a PIN for a remedy that the table's rulebook has not. RuleNameError."""
    remedies = rulebook_of_name_or_file(config.table.rules).remedies
    if remedy not in remedies:
        raise RuleNameError(no_such(remedy, remedies, what="remedy", listed=REMEDIES_LISTED))


def standing(said: Sequence[AnyNotice]) -> list[str]:
    """What is halted, why, and what was ruled in this hand, as far as the feed tells."""
    phase, hand, why = "idle", 0, ""
    rulings: dict[int, Ruled] = {}
    last_alert = ""
    warnings: list[str] = []
    for notice in said:
        match notice:
            case HandBegan(number=number):
                hand, rulings = number, {}
            case Alert(code="insecure", text=text):
                warnings = [f"{MARK}: {text}"]
            case Alert(code=code, text=text):
                last_alert = f"{code}: {text}"
            case PhaseEntered(phase="halted"):
                phase, why = "halted", last_alert
            case PhaseEntered(phase=entered):
                phase = entered
            case Ruled(number=number):
                rulings[number] = notice
            case Withdrawn(number=number):
                rulings.pop(number, None)
    if phase != "halted":
        return [*warnings, f"the table is not halted: {phase}" + (f" of hand {hand}" if hand else "")]
    lines = [*warnings, f"halted in hand {hand}: {why}" if hand else f"halted: {why}"]
    lines += [f"ruling {number}: {narrate.ruling(ruled)}" for number, ruled in rulings.items()]
    return lines if rulings else [*lines, "nothing was ruled in this hand: no remedy is proposed"]
