"""Two decks alternate: while one is played the other is shuffled, and it is out of the way where a hand needs
the machine."""

import json
import random
from pathlib import Path
from typing import Final

import pytest

from controller.decisions import Alert, CarriedOut, HandBegan, PhaseEntered, Ruled, StepDone
from controller.notices import PromptShown
from controller.service import digest
from hil_rigs.simulate.direct import DirectBench
from hil_rigs.simulate.play import Player
from hil_rigs.simulate.wire import WireBench
from hil_rigs.virtual.codes import COMMANDS, Prompt
from hil_rigs.virtual.deeds import Mistake
from hil_rigs.virtual.direct import DirectTable
from hil_rigs.virtual.messages import unpack
from tests.e2e.late import differing
from tests.e2e.tables import Json, cards_lost, played_directly, reported, scenario_of
from tests.rulings.random_dealers import RandomDealer, drawn_table
from tests.rulings.random_hands import drawn_hand

SCENARIOS: Final = sorted(Path("tests/scenarios").glob("*[a-z].json"))
EXAMPLES: Final = [path for path in SCENARIOS if not path.name.endswith(".expect.json")]
NONCE: Final = b"two decks"
ON_THE_TABLE: Final = (*(f"seat:{seat}" for seat in range(1, 12)), "board", "burn", "muck", "aside", "shoe")
MOST_DEEDS: Final = 400
RANDOM: Final = 12

MACHINES: dict[str, Json] = {
    "cuts": {},
    "is cut by hand": {"shuffler": {"cuts": False}},
    "only counts": {"shuffler": {"identifies": False}},
    "only counts, is cut by hand": {"shuffler": {"identifies": False, "cuts": False}},
    "gate, no burner": {"shoe": {"gate": True, "burner": False}},
    "no antennas": {"zones": False},
    "no antennas, is cut by hand": {"zones": False, "shuffler": {"cuts": False}},
    "omaha": {"game": "omaha"},
}
OPEN_TO_MISTAKES: Final = {
    name: options for name, options in MACHINES.items() if "shoe" not in options and "zones" not in options
}
"""Tables whose shoe lets a card too many out, and whose antennas see where it lies."""

TO_FLOP: Final[list[Json]] = [{"do": "play", "until": "flop-deal"}]
MISTAKES: dict[str, list[Json]] = {
    "overfull-flop": [*TO_FLOP, {"do": "draw", "to": "board", "count": 4, "face": "up"}],
    "premature-flop": [
        {"do": "play", "until": "preflop"},
        {"do": "draw", "to": "board", "count": 3, "face": "up"},
    ],
    "premature-turn": [
        {"do": "play", "until": "flop"},
        {"do": "bet", "seat": 2, "action": "check"},
        {"do": "draw", "to": "board", "face": "up"},
    ],
    "premature-river": [
        {"do": "play", "until": "turn"},
        {"do": "draw", "to": "board", "face": "up"},
    ],
    "exposed-first-hole-card": [
        {"do": "play", "until": "deal"},
        {"do": "draw", "to": "seat:2", "face": "up"},
    ],
    "exposed-two-or-more": [
        {"do": "play", "until": "preflop"},
        {"do": "expose", "seat": 3},
        {"do": "expose", "seat": 1},
    ],
}
"""Mistakes whose remedy shuffles, the button being on seat 1."""


def file(acts: list[Json], **table: object) -> Json:
    """A scenario with two decks and three seats."""
    seats = {"1": 1000, "2": 1000, "3": 1000}
    return {
        "table": {"game": "holdem", "seats": seats, "decks": 2, **table},
        "seed": 11,
        "acts": acts,
    }


class Carrying(DirectTable):
    """Keeps the ids of the commands that it hands over."""

    commands: list[int]

    def give(self, device: str, type_: int, body: bytes) -> None:
        if type_ in COMMANDS:
            vars(self).setdefault("commands", []).append(unpack(type_, body).num("id"))
        super().give(device, type_, body)


class Evening:
    """A table that plays the acts of a file and then hand after hand."""

    def __init__(self, made: Json) -> None:
        self.handed: list[DirectTable] = []
        self.bench = DirectBench(scenario_of(made), direct=self._direct)
        self.table = self.bench.table
        self.player = Player(self.bench)
        self.player.play(scenario_of(made))

    def _direct(self, table: object) -> DirectTable:
        self.handed.append(Carrying(table))  # type: ignore[arg-type]
        return self.handed[-1]

    def said(self, kind: type) -> list:  # type: ignore[type-arg]
        """All notices of a kind."""
        return [notice.said for notice in self.bench.notices if isinstance(notice.said, kind)]

    @property
    def codes(self) -> list[str]:
        """The prompts that were shown, by code."""
        return [shown.code for shown in self.said(PromptShown)]

    @property
    def alerts(self) -> list[str]:
        return [alert.code for alert in self.said(Alert)]

    @property
    def phases(self) -> list[str]:
        return [entered.phase for entered in self.said(PhaseEntered)]

    @property
    def decks(self) -> list[int]:
        """The deck of each hand so far."""
        return [began.deck for began in self.said(HandBegan)]

    @property
    def shown(self) -> Prompt:
        display = self.table.prompts.display
        return Prompt(display.code if display is not None else 0)

    def obey(self) -> None:
        assert self.table.dealer.obey() is not None, (self.shown, self.table.dealer.stopped)
        self.bench.rest()
        self.table.felt.check()

    def obey_until_shown(self, code: Prompt) -> None:
        for _ in range(MOST_DEEDS):
            if self.shown is code:
                return
            self.obey()
        raise AssertionError(f"{code.name} is not shown")

    def play_out(self, hands: int = 1) -> None:
        """Plays on to the end of so many hands; at each the ledger is the truth about the deck in play."""
        for _ in range(hands):
            begun = len(self.phases)
            for _ in range(MOST_DEEDS):
                if "done" in self.phases[begun:]:
                    break
                self.obey()
            self.look()

    def look(self) -> None:
        """The ledger is what lies on the table, and no card of the other deck lies there."""
        assert self.phases[-1] == "done"
        ledger = self.bench.ledger(NONCE)
        truth = self.table.zones_of_truth(f"deck-{self.decks[-1]}")
        other = self.table.zones_of_truth(f"deck-{3 - self.decks[-1]}")
        for place in ON_THE_TABLE:
            assert tuple(ledger[place]) == digest(NONCE, truth[place]), place
            assert not other[place]

    def waits(self) -> int:
        """How many cards of the deck not in play wait in the machine."""
        return len(self.table.zones_of_truth(f"deck-{3 - self.decks[-1]}")["machine"])


@pytest.mark.parametrize("options", MACHINES.values(), ids=MACHINES)
def test_the_decks_alternate_hand_by_hand_and_the_ledger_is_that_of_the_deck_in_play(options: Json) -> None:
    evening = Evening(file([{"do": "play", "until": "done"}], **options))
    evening.look()
    for _ in range(5):
        assert evening.waits() == 52
        evening.play_out()
    assert evening.decks == [1, 2, 1, 2, 1, 2]
    assert evening.alerts == []


def test_a_hand_begins_with_the_waiting_deck_and_the_played_one_is_shuffled_behind_it() -> None:
    evening = Evening(file([{"do": "play", "until": "done"}]))
    evening.obey_until_shown(Prompt.GATHER)
    begun, shown = len(evening.said(CarriedOut)), len(evening.codes)
    evening.obey_until_shown(Prompt.DEAL_HOLE)
    moved = [(done.command, done.phase) for done in evening.said(CarriedOut)[begun:]]
    assert moved == [
        *((command, "shuffle") for command in ("open-cover", "close-cover", "feed", "shuffle", "cut")),
        ("release-lid", "shuffle"),
    ]
    assert evening.codes[shown:] == ["lift-pack", "cut-card-under", "load-shoe", "deal-hole"]


def test_the_deck_of_the_draw_for_the_button_is_gathered_and_the_first_hand_dealt_from_the_other() -> None:
    evening = Evening(file([{"do": "play", "until": "done"}], button="draw"))
    assert "button-draw" in evening.phases
    evening.look()
    evening.play_out(2)
    assert evening.decks == [2, 1, 2]
    assert evening.alerts == []


def test_the_deck_of_the_file_is_the_order_of_the_first_shuffle_alone() -> None:
    made = file([{"do": "play", "until": "done"}]) | {"deck": "As Ks Qs Js Ts 9s"}
    evening = Evening(made)
    first, second, *_ = evening.table.felt.shuffles
    assert first.order[:6] == ("As", "Ks", "Qs", "Js", "Ts", "9s")
    assert second.order != first.order


@pytest.mark.parametrize("options", OPEN_TO_MISTAKES.values(), ids=OPEN_TO_MISTAKES)
@pytest.mark.parametrize("rule", MISTAKES)
def test_a_shuffle_in_a_hand_parks_the_waiting_deck_which_is_proved_again_and_played_next(
    rule: str, options: Json
) -> None:
    evening = Evening(file([*MISTAKES[rule], {"do": "play", "until": "done"}], **options))
    assert rule in {ruled.rule for ruled in evening.said(Ruled)}
    assert evening.codes.count("park-deck") == 1
    assert evening.waits() == 0
    evening.look()
    evening.obey_until_shown(Prompt.GATHER)
    evening.look()
    assert evening.decks == [1]
    evening.play_out(3)
    assert evening.decks == [1, 2, 1, 2]
    assert evening.codes.count("parked-deck-in") == 1
    feeds = [(step.deck, step.why) for step in evening.said(StepDone) if step.step == "feed"]
    assert [deck for deck, why in feeds if not why] == [1, 2, 2, 1, 2, 1]
    assert [deck for deck, why in feeds if why] == [1]
    assert set(evening.alerts) <= {"card-joins"}


@pytest.mark.parametrize("rule", ["overfull-flop", "premature-flop", "premature-river"])
def test_a_deck_that_was_played_before_is_parked_without_a_card_of_it_in_the_remedys_set(rule: str) -> None:
    done: Json = {"do": "play", "until": "done"}
    evening = Evening(file([done, *MISTAKES[rule], done]) | {"hands": 2})
    assert {ruled.rule for ruled in evening.said(Ruled)} == {rule}
    evening.look()
    evening.play_out()
    assert evening.decks == [1, 2, 1]
    assert evening.alerts == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_ruled_on_as_with_one_deck(path: Path) -> None:
    one = json.loads(path.read_text())
    two = one | {"table": one["table"] | {"decks": 2}}
    made = [scenario_of(one, path.stem), scenario_of(two, path.stem)]
    alone, beside = (json.loads(reported(scenario, DirectBench(scenario))) for scenario in made)
    for key in ("outcome", "phases", "rulings", "refused", "alerts"):
        assert alone[key] == beside[key], key
    for key in ("why", "included", "cut"):
        assert [shuffle[key] for shuffle in alone["shuffles"]] == [s[key] for s in beside["shuffles"]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_after_every_example_the_decks_alternate_on(path: Path) -> None:
    one = json.loads(path.read_text())
    evening = Evening(one | {"table": one["table"] | {"decks": 2}})
    evening.look()
    evening.play_out(2)
    assert evening.decks == [1, 2, 1]


def test_a_set_too_small_for_the_machine_is_washed_by_hand_and_the_waiting_deck_stays() -> None:
    acts = [*MISTAKES["premature-river"], {"do": "play", "until": "done"}]
    evening = Evening(file(acts, shuffler={"min_cards": 52}))
    assert "scramble-aside" in evening.codes
    assert "park-deck" not in evening.codes
    assert evening.waits() == 52
    evening.play_out(2)
    assert evening.decks == [1, 2, 1]


@pytest.mark.parametrize(
    ("mistake", "asked"), [("keep-card", Prompt.SET_MISSING), ("add-burn", Prompt.SET_TOO_MANY)]
)
@pytest.mark.parametrize("rule", ["overfull-flop", "premature-turn"])
def test_a_parked_deck_short_of_a_card_or_with_one_of_the_other_is_not_played(
    rule: str, mistake: Mistake, asked: Prompt
) -> None:
    evening = Evening(file([*MISTAKES[rule], {"do": "play", "until": "done"}]))
    evening.obey_until_shown(Prompt.PARKED_DECK_IN)
    shuffled = len(evening.table.felt.shuffles)
    evening.table.dealer.mistake = mistake
    evening.obey()
    evening.obey()
    assert evening.shown is asked
    assert evening.alerts == ["shuffle-incomplete"]
    assert len(evening.table.felt.shuffles) == shuffled
    evening.obey_until_shown(Prompt.GATHER)
    assert len(evening.table.felt.shuffles) == shuffled + 1
    evening.play_out(2)
    assert evening.decks == [1, 2, 1]


def wrong_behind(acts: list[Json], **table: object) -> Evening:
    """An evening on which the other deck went into the machine short of a card at power-up."""
    evening = Evening(file([], **table))
    evening.obey_until_shown(Prompt.OTHER_DECK_IN)
    evening.table.dealer.mistake = "keep-card"
    evening.obey_until_shown(Prompt.LOAD_SHOE)
    evening.player.play(scenario_of(file(acts, **table)))
    return evening


@pytest.mark.parametrize("options", MACHINES.values(), ids=MACHINES)
def test_a_wrong_set_behind_the_hand_is_told_at_once_and_put_right_when_the_hand_is_over(
    options: Json,
) -> None:
    evening = wrong_behind([], **options)
    assert evening.alerts == ["shuffle-incomplete"]
    assert len(evening.table.felt.shuffles) == 1
    (alert,) = evening.said(Alert)
    assert alert.text == "51 cards were fed, 52 cards were expected; 1 is missing"
    evening.play_out()
    assert evening.shown is Prompt.SET_MISSING
    evening.obey_until_shown(Prompt.GATHER)
    evening.play_out(2)
    assert evening.decks == [1, 2, 1]


def test_a_card_left_on_the_felt_is_missed_behind_the_next_hand_and_laid_in_after_it() -> None:
    evening = Evening(file([{"do": "play", "until": "done"}]))
    evening.obey_until_shown(Prompt.GATHER)
    evening.table.dealer.mistake = "keep-card"
    evening.obey_until_shown(Prompt.DEAL_HOLE)
    assert evening.alerts == ["shuffle-incomplete"]
    evening.obey_until_shown(Prompt.SET_MISSING)
    evening.obey_until_shown(Prompt.GATHER)
    evening.play_out(2)
    assert evening.decks == [1, 2, 1, 2]
    assert evening.alerts == ["shuffle-incomplete"]


@pytest.mark.parametrize("rule", MISTAKES)
def test_a_wrong_set_is_given_back_and_parked_where_the_hand_needs_the_machine(rule: str) -> None:
    evening = wrong_behind([*MISTAKES[rule], {"do": "play", "until": "done"}])
    commands = [done.command for done in evening.said(CarriedOut)]
    assert commands.count("return") == 1
    assert evening.codes.count("park-deck") == 1
    evening.look()
    evening.obey_until_shown(Prompt.PARKED_DECK_IN)
    evening.play_out(2)
    assert evening.decks == [1, 2, 1]


@pytest.mark.parametrize("rule", MISTAKES)
def test_no_command_is_told_twice(rule: str) -> None:
    evening = Evening(file([*MISTAKES[rule], {"do": "play", "until": "done"}]))
    evening.play_out(3)
    (handed,) = evening.handed
    assert isinstance(handed, Carrying)
    assert len(handed.commands) == len(set(handed.commands))
    assert len(handed.commands) >= len(evening.said(CarriedOut))


@pytest.mark.parametrize("rule", MISTAKES)
def test_no_delay_of_the_antennas_changes_the_report(rule: str) -> None:
    made = scenario_of(file([*MISTAKES[rule], {"do": "comply"}, {"do": "play", "until": "done"}]))
    assert list(differing(made)) == []


@pytest.mark.parametrize("rule", ["overfull-flop", "exposed-first-hole-card"])
def test_the_report_is_the_same_over_bytes_and_without(rule: str) -> None:
    made = scenario_of(file([*MISTAKES[rule], {"do": "comply"}, {"do": "play", "until": "done"}]))
    assert reported(made, WireBench(made)) == reported(made, DirectBench(made))


@pytest.mark.parametrize("number", range(RANDOM))
def test_hands_with_drawn_mistakes_are_played_as_with_one_deck_however_late_the_antennas_are(
    number: int,
) -> None:
    one: Json = drawn_hand(f"two decks {number}").file
    made = scenario_of(one | {"table": one["table"] | {"decks": 2}})
    beside = json.loads(reported(made, DirectBench(made)))
    alone = played_directly(one)
    for key in ("rule", "phase", "remedy"):
        assert [told[key] for told in beside["rulings"]] == [told[key] for told in alone["rulings"]]
    assert (beside["alerts"], cards_lost(beside)) == (alone["alerts"], [])
    assert list(differing(made, (number,))) == []


@pytest.mark.parametrize("number", range(RANDOM))
def test_whatever_happens_in_a_hand_the_ledger_of_the_deck_in_play_is_right(number: int) -> None:
    dice = random.Random(f"two decks {number}")
    drawn = drawn_table(dice)
    drawn["table"] |= {"decks": 2, "zones": True}
    dealer = RandomDealer(dice, drawn, DirectBench(scenario_of(drawn)))
    dealer.play_out()
    made = scenario_of(dealer.written() | {"hands": 3})
    said = json.loads(reported(made, DirectBench(made)))
    assert "ledger-differs" not in {alert["code"] for alert in said["alerts"]}
    assert cards_lost(said) == []
    assert list(differing(made, (number,))) == []
