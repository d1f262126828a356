"""A virtual table and a controller, joined one way or another, as whoever plays a scenario sees them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from controller.config import (
    BenchSection,
    Config,
    DecksSection,
    DeviceSection,
    DoorSection,
    JournalSection,
    SecuritySection,
    TableSection,
)
from controller.door import Wish
from controller.errors import RuleFileError
from controller.events import DeviceName
from controller.notices import Notice
from controller.rule_files import rulebook_of_name_or_file
from hil_rigs.simulate.floors import Floors
from hil_rigs.simulate.scenario import Floor, Scenario
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import SERIALS, Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions

PEOPLE: Final = "people.toml"


class BenchError(Exception):
    """The bench itself failed, not the table: what, and on what it waited."""


class Bench(Protocol):
    """What a scenario is played on."""

    @property
    def table(self) -> VirtualTable:
        """The physical table."""

    @property
    def notices(self) -> Sequence[Notice]:
        """All that the controller has told so far."""

    def rest(self) -> None:
        """Comes back when the table is at rest. Raises BenchError when it does not come to rest."""

    def ledger(self, nonce: bytes) -> Mapping[str, tuple[int, str]]:
        """The controller's ledger: of every zone its count and a digest under `nonce`."""

    def wish(self, wish: Wish) -> None:
        """A player comes, goes or buys chips: said at the controller's door. What is refused is told."""

    def decide(self, act: Floor) -> str:
        """The floor decides, said at the controller's door; why that cannot be, empty where it was taken."""

    def restart(self) -> None:
        """The controller is killed, and started again on what it had written."""

    def close(self) -> None:
        """Lets everything go."""


def virtual_table(
    scenario: Scenario, lateness: int | None = None, keys: Mapping[str, bytes] | None = None
) -> VirtualTable:
    """The physical table of a scenario, its deck stacked as the file says, its devices paired by `keys`.

    `lateness` seeds when the zones report; None: the scenario's seed does, as it does everything else.
    """
    table = scenario.table
    return VirtualTable(
        Setup(
            seats=tuple(table.seats),
            button=min(table.seats) if table.button == "draw" else table.button,
            hole_cards=table.hole_cards,
            seed=scenario.seed,
            first_order=scenario.deck,
            shoe=ShoeOptions(gate=table.shoe.gate, burner=table.shoe.burner),
            shuffler=ShufflerOptions(
                cuts=table.shuffler.cuts,
                identifies=table.shuffler.identifies,
                min_cards=table.shuffler.min_cards,
                max_cards=table.shuffler.max_cards,
                has_reject=table.shuffler.has_reject,
                shuffle_s=table.shuffler.shuffle_s,
            ),
            zones=ZonesOptions() if table.zones else None,
            keypad_acts=table.follow == "tracked",
            decks=table.decks,
            lateness=lateness,
            keys=keys or {},
        )
    )


def configuration(
    scenario: Scenario,
    ports: Mapping[DeviceName, str],
    folder: Path,
    decks: Iterable[str],
    security: SecuritySection | None = None,
) -> Config:
    """The controller's configuration for a scenario whose devices hang on `ports`, its one deck or two in the
    order in which they are dealt. Raises BenchError."""
    try:
        rulebook_of_name_or_file(scenario.table.rules)
    except RuleFileError as error:
        raise BenchError(str(error)) from None
    play, *other = decks
    return Config(
        table=_section(scenario, folder),
        device={name: DeviceSection(port=port, serial=SERIALS[name]) for name, port in ports.items()},
        decks=DecksSection(registry=str(folder / "decks.json"), play=play, other=other[0] if other else None),
        journal=JournalSection(file=str(folder / "journal.jsonl")),
        door=DoorSection(socket=str(folder / "door")),
        security=security,
        bench=BenchSection(ledger=True, people=True),
    )


def _section(scenario: Scenario, folder: Path) -> TableSection:
    table = scenario.table
    return TableSection(
        name=scenario.name,
        game=table.game,
        seats=table.seats,
        betting=table.betting,
        button=table.button,
        blinds=table.blinds,
        big_blind=table.big_blind,
        small_bet=table.small_bet,
        big_bet=table.big_bet,
        ante=table.ante,
        ante_by=table.ante_by,
        antes=table.antes,
        button_rule=table.button_rule,
        posts=table.posts,
        rake=table.rake,
        language=table.language,
        follow=table.follow,
        special=table.special,
        rules=table.rules,
        people=str(folder / PEOPLE) if Floors(scenario) else None,
    )
