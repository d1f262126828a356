"""Two decks that alternate: which is in play, and the other's way through the shuffler while it is not.

The deck that was gathered is fed, proved, shuffled and cut while the other is dealt and played, and waits
behind the shut cover. Nothing is asked of the dealer meanwhile: what is wrong with it is put right when the
hand is over (`loading`).
"""

from enum import Enum
from typing import Final

import msgspec

from controller.cards import DECK
from controller.decisions import CommandName, StepDone
from controller.desk import Desk
from controller.equipment import Equipment
from controller.events import Answered, Fed
from controller.ledger import Evidence, Ledger
from controller.wrong_set import in_words


class Stand(Enum):
    """How it stands with the deck that is not in play."""

    AWAY = "away"  # in its tray or in the dealer's hands; at a table with one deck always
    LAID_IN = "laid-in"  # in the input, until the pack before it is out of the machine
    RUNNING = "running"
    WAITS = "waits"  # proved, shuffled and cut, behind the shut cover
    WRONG = "wrong"  # inside, and no pack to play: it is not proved, or the machine stopped


class SecondState(msgspec.Struct, frozen=True):
    """Which deck is in play, and how it stands with the other: laid in, on its way, or waiting."""

    in_play: int
    stand: Stand
    proof: Evidence
    ref: int | None


_AFTER: Final[dict[CommandName, CommandName]] = {"feed": "shuffle", "shuffle": "cut"}


class SecondDeck:
    """The deck that is not in play. Decks are numbered 1 and 2; deck 1 is the first to be played."""

    def __init__(self, desk: Desk, equipment: Equipment, decks: int) -> None:
        self._desk = desk
        self._equipment = equipment
        self._ref: int | None = None
        self.alternates = decks > 1
        """Whether there are two decks at all."""
        self.in_play = 1
        """The number of the deck in play."""
        self.stand = Stand.AWAY
        self.proof = Evidence.INFERRED
        """How the set is known, where it waits."""
        self.wrong: Fed | None = None
        """What the feed found, where it did not prove the set."""

    def state(self) -> SecondState:
        """All of it, as long as nothing was found wrong with the other deck."""
        return SecondState(in_play=self.in_play, stand=self.stand, proof=self.proof, ref=self._ref)

    def resume(self, state: SecondState) -> None:
        """Goes on from there."""
        self.in_play, self.stand, self.proof = state.in_play, state.stand, state.proof
        self._ref = state.ref

    @property
    def number(self) -> int:
        """The number of the deck that is not in play; of the only deck where there is one."""
        return 3 - self.in_play if self.alternates else self.in_play

    def comes_into_play(self) -> None:
        """The decks change over: what was played is the second deck now."""
        self.in_play = self.number

    def is_laid_in(self) -> None:
        """The dealer has laid it into the input."""
        self.stand = Stand.LAID_IN

    def is_away(self) -> None:
        """The dealer has it: what was proved is void."""
        self.stand, self.wrong = Stand.AWAY, None

    def begins_anew(self) -> None:
        """No deck is on the table: the first is asked for first, as at power-up."""
        self.is_away()
        self._ref = None
        self.in_play = 1

    def cover_is_shut(self) -> None:
        """The pack before it is out of the machine: it is drawn in, if it was laid in."""
        if self.stand is Stand.LAID_IN:
            self.stand = Stand.RUNNING
            self._ref = self._desk.order("shuffler", "feed", expected=DECK, deck=self.number)

    @property
    def is_busy(self) -> bool:
        """Whether the machine works on it."""
        return self.stand is Stand.RUNNING and self._ref in self._desk.unanswered

    def awaits(self, ref: int) -> bool:
        """Whether this is the command that it has under way."""
        return self._ref == ref

    def answered(self, event: Fed | Answered, command: CommandName) -> None:
        """The machine did what it was told, and is told the next."""
        if isinstance(event, Fed):
            if not event.proves(len(DECK)):
                # Of a deck that is not in play nobody has to know a card: the empty ledger names none.
                self._desk.alert("shuffle-incomplete", in_words(event, DECK, Ledger()))
                self.wrong = event
                self._comes_to(Stand.WRONG)
                return
            self.proof = Evidence.SEEN if event.verdict == "proved" else Evidence.INFERRED
            self._proved(command, self.proof)
        else:
            self._proved(command, Evidence.SEEN)
        following = _AFTER.get(command)
        if following is None or (following == "cut" and not self._equipment.shuffler.cuts):
            self._comes_to(Stand.WAITS)
        else:
            self._ref = self._desk.order("shuffler", following)

    def failed(self) -> None:
        """The machine could not do what it was told: the hand goes on, the deck is fed anew after it."""
        inside = self._equipment.shuffler_state.held
        self._comes_to(Stand.WRONG if inside else Stand.AWAY)

    def _proved(self, step: str, evidence: Evidence) -> None:
        self._desk.tell(StepDone(step=step, evidence=evidence.value, deck=self.number))

    def _comes_to(self, stand: Stand) -> None:
        self._ref = None
        self.stand = stand
