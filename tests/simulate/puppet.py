"""A bench whose controller is a list: what it shows next, and what it tells, is made up by the test."""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from controller.decisions import Ruled
from controller.door import Wish
from controller.notices import AnyNotice, Notice
from controller.service import digest
from hil_rigs.simulate.load import read_scenario
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.scenario import Floor, Scenario
from hil_rigs.virtual.codes import Key, Prompt, Type
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.simulate.files import acting
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script

SEATS = (1, 2, 3)


@dataclass(frozen=True)
class Ask:
    """A prompt; the next one is shown once `by` was said: a key, or any other message of that type."""

    code: int
    seat: int = 0
    count: int = 0
    by: Key | Type = Key.ACK


class Puppet:
    """A table of three seats whose shoe holds the whole deck."""

    def __init__(self, setup: Setup | None = None) -> None:
        self.table = VirtualTable(setup or Setup(seats=SEATS))
        for card in self.table.decks["deck-1"]:
            self.table.felt.move(card, "shoe")
        self.script = Script(DirectHost(self.table))
        self.script.host.settle()
        self.notices: list[Notice] = []
        self.known: dict[str, tuple[str, ...]] = {}
        """The controller's ledger where it is not what lies on the table."""
        self._asked: deque[Ask] = deque()
        self._heard = len(self.script.host.log)

    def show(self, *asked: Ask) -> None:
        """The first prompt is shown, the others follow when the one before is answered."""
        self._asked = deque(asked)
        self._show_next()

    def tell(self, *said: AnyNotice) -> None:
        """The controller tells this; a player hears it when it comes to rest."""
        self.notices += [Notice(len(self.notices) + i, it) for i, it in enumerate(said, start=1)]

    def rest(self) -> None:
        self.script.host.settle()
        while self._asked and self._answered(self._asked[0].by):
            self._asked.popleft()
            self._show_next()

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        return {
            place: digest(nonce, self.known.get(place, cards))
            for place, cards in self.table.zones_of_truth().items()
        }

    def wish(self, wish: Wish) -> None:
        """Nobody comes or goes."""

    def decide(self, act: Floor) -> str:
        """Nothing is ever decided."""
        return ""

    def restart(self) -> None:
        """The controller is killed, and started again."""

    def fault(self, device: str, name: str) -> None:
        """Nothing ever goes wrong."""

    def plain(self, text: str) -> str:
        """It is plain."""
        return text

    def close(self) -> None:
        """Nothing to let go."""

    def _show_next(self) -> None:
        if self._asked:
            self.script.show(self._asked[0].code, self._asked[0].seat, self._asked[0].count)
        else:
            self.script.show(Prompt.ACT_CHECK, 1, 10)
        self._heard = len(self.script.host.log)

    def _answered(self, by: Key | Type) -> bool:
        for _, type_, fields in self.script.host.log[self._heard :]:
            if type_ == by or (isinstance(by, Key) and type_ == Type.KEY and fields["key"] == by):
                return True
        return False


def scenario_of(*acts: dict[str, object]) -> Scenario:
    return read_scenario(acting(*acts), file="puppet", name="puppet")


def playing(bench: Puppet, *acts: dict[str, object]) -> Player:
    """A player that has played these acts."""
    player = Player(bench)
    player.play(scenario_of(*acts))
    return player


def whys(player: Player) -> list[str]:
    return [refusal.why for refusal in player.refused]


def ruled(
    number: int, rule: str, cards: Sequence[str] = (), *, seat: int | None = None, unseen: int = 0
) -> Ruled:
    """A ruling with its cards; what else it says is made up."""
    given = {
        "decision": "ruling",
        "number": number,
        "rule": rule,
        "rules": "roberts",
        "phase": "deal",
        "seat": seat,
        "cards": list(cards),
        "unseen": unseen,
        "takes": "nothing" if rule == "board-not-declared" else "card",
        "place": "board" if seat is None else f"seat:{seat}",
        "source": "a printed book",
        "says": "as it is told",
        "remedy": f"remedy-of-{rule}",
        "steps": [],
    }
    return msgspec.json.decode(json.dumps(given), type=Ruled)
