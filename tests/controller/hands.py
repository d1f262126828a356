"""A table without bytes for tests of the core: events in, decisions out, and hands that obey the prompts.

The world here is the least that makes a hand go on; a real table of motors and antennas is
`hil_rigs.virtual`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import msgspec

from controller.betting import Structure
from controller.cards import DECK, Card
from controller.decisions import AnyDecision, Command, Decision, PhaseEntered, Prompt
from controller.events import (
    DEVICES,
    Acted,
    Answered,
    AnyEvent,
    Arrived,
    Drew,
    Fed,
    Keyed,
    KeypadReady,
    Occupied,
    PromptsReady,
    ShoeReady,
    ShoeState,
    ShufflerReady,
    ShufflerState,
    Turned,
    ZonesReady,
)
from controller.games import Game
from controller.places import ASIDE, BOARD, BURN, CUT_PLATE, MUCK, OUTPUT, TRANSIT, Place, at_seat
from controller.rule_files import rulebook
from controller.table import Table
from controller.table_setup import Follow, TableSetup

D = TypeVar("D", bound=Decision)
Side = Literal["unknown", "down", "up"]

ALL_PLACES = (*(at_seat(seat) for seat in range(1, 12)), BOARD, BURN, MUCK, ASIDE, CUT_PLATE, OUTPUT)


def setup(
    *,
    seats: Sequence[int] = (1, 2, 3, 4),
    button: int = 3,
    game: Game = Game.HOLDEM,
    stack: int = 1000,
    structure: Structure = Structure.NO_LIMIT,
    antennas: bool = True,
    follow: Follow = "tracked",
    decks: int = 1,
) -> TableSetup:
    """A table with blinds 5 and 10."""
    return TableSetup(
        game=game,
        structure=structure,
        stacks=dict.fromkeys(seats, stack),
        button=button,
        blinds=(5, 10),
        min_bet=10,
        small_bet=10,
        big_bet=20,
        rules=rulebook("roberts"),
        follow=follow,
        devices=frozenset(name for name in DEVICES if antennas or name != "zones"),
        decks=decks,
    )


@dataclass
class World:
    """The least of a table: a pack, machines that obey at once, antennas whose words can be held back.

    While the shuffler is `slow` it feeds, shuffles and cuts only at `shuffler_goes_on`; a gate that `stalls`
    does not answer that it was opened. So many `jokers` lie where the machine burns next. A set of fewer than
    `min_cards` is washed by hand.
    """

    table: Table
    order: list[Card] = field(default_factory=lambda: list(DECK))
    burner: bool = True
    gate: bool = False
    cuts: bool = True
    min_cards: int = 1
    acts: bool = True
    antennas: bool = True
    places: tuple[Place, ...] = ALL_PLACES
    occupied: tuple[Place, ...] = ()
    first_shuffler_state: ShufflerState | None = None
    wrong_feeds: list[Fed] = field(default_factory=list)
    slow: bool = False
    stalls: bool = False
    jokers: int = 0
    unread_burns: int = 0
    stage: str = "empty"
    loaded: bool = False
    under_way: list[Command] = field(default_factory=list)
    shuffle_reports: random.Random | None = None
    said: list[AnyDecision] = field(default_factory=list)
    held_back: list[AnyEvent] = field(default_factory=list)
    drawn: int = 0
    lies: dict[Card, Place] = field(default_factory=dict)
    thrown: dict[Card, Place] = field(default_factory=dict)

    def tell(self, event: AnyEvent) -> None:
        """An event to the core; machines obey at once what it commands."""
        decisions = self.table.handle(event)
        self.said.extend(decisions)
        for decision in decisions:
            if isinstance(decision, Command):
                if self.slow and decision.command in ("feed", "shuffle", "cut"):
                    self.under_way.append(decision)
                elif self.stalls and decision.command == "unlock":
                    pass
                else:
                    self._obey(decision)

    def shuffler_goes_on(self) -> str:
        """The slow shuffler does what it was told; returns what that was."""
        command = self.under_way.pop(0)
        self._obey(command)
        return command.command

    def report(self, event: AnyEvent) -> None:
        """An antenna's word: it comes at once, or late and in any order."""
        self.held_back.append(event)
        if self.shuffle_reports is None:
            self.flush()

    def flush(self) -> None:
        """All that the antennas still have to say, a tag's own words in their order."""
        while self.held_back:
            index = self.shuffle_reports.randrange(len(self.held_back)) if self.shuffle_reports else 0
            chosen = self.held_back[index]
            card = getattr(chosen, "card", None)
            first = next(e for e in self.held_back if getattr(e, "card", None) == card)
            self.held_back.remove(first)
            self.tell(first)

    def power_up(self) -> None:
        self.tell(ShoeReady(gate=self.gate, burner=self.burner))
        self.tell(ShoeState(lid="locked", content="empty"))
        self.tell(ShufflerReady(cuts=self.cuts, identifies=True, min_cards=self.min_cards, max_cards=52))
        self.tell(self.first_shuffler_state or self._shuffler())
        if self.antennas:
            self.tell(ZonesReady(facing=True, places=self.places))
            self.tell(Occupied(places=self.occupied))
        self.tell(PromptsReady())
        self.tell(KeypadReady(acts=self.acts))

    def _shuffler(self, *, input_: bool = False, output: bool = False, cover: bool = False) -> ShufflerState:
        return ShufflerState(
            input="cards" if input_ else "none",
            output="cards" if output else "none",
            cover="open" if cover else "shut",
            mode="shuffle",
            held=52 if self.stage in ("held", "refused", "shuffled", "cut") else 0,
            stage=self.stage,
        )

    def _obey(self, command: Command) -> None:
        done = Answered(ref=command.ref, outcome="done", reason="none", count=0)
        match command.command:
            case "feed":
                count = len(command.expected)
                fed = Fed(ref=0, outcome="done", reason="none", verdict="proved", count=count, strangers=0)
                if self.wrong_feeds:
                    fed = self.wrong_feeds.pop(0)
                self.stage = "refused" if fed.verdict == "wrong" else "held"
                self.tell(self._shuffler())
                self.tell(msgspec.structs.replace(fed, ref=command.ref))
            case "open-cover":
                self.stage = "delivered"
                self.tell(done)
                self.tell(self._shuffler(output=True, cover=True))
            case "close-cover" | "return":
                laid_in_again = self.stage == "refused"
                self.stage = "empty"
                self.tell(self._shuffler(input_=laid_in_again))
                self.tell(done)
            case "shuffle" | "cut":
                self.stage = "shuffled" if command.command == "shuffle" else "cut"
                self.tell(self._shuffler())
                self.tell(done)
            case "burn" if self.unread_burns:
                self.unread_burns -= 1
                card = self.order[self.drawn]
                self.drawn += 1
                self.lies[card] = BURN
                self.tell(Drew(time=0, number=self.drawn, what="unread", way="burner"))
                self.tell(Answered(ref=command.ref, outcome="done", reason="none", count=1))
                self.report(Arrived(time=0, place=BURN, facing="down", what="card", card=card))
            case "burn" if self.jokers:
                self.jokers -= 1
                self.tell(Drew(time=0, number=1, what="joker", way="burner"))
                self.tell(Answered(ref=command.ref, outcome="done", reason="none", count=1))
            case "burn":
                self.draw(BURN, way="burner")
                self.tell(Answered(ref=command.ref, outcome="done", reason="none", count=1))
            case _:
                self.tell(done)

    @property
    def prompt(self) -> Prompt:
        """What the dealer is asked for now."""
        return next(d for d in reversed(self.said) if isinstance(d, Prompt))

    def all_said(self, kind: type[D]) -> list[D]:
        """Every decision of one kind so far."""
        return [d for d in self.said if isinstance(d, kind)]

    @property
    def phases(self) -> list[str]:
        """The phases entered, in order."""
        return [d.phase for d in self.all_said(PhaseEntered)]

    def codes(self) -> list[str]:
        """The prompts shown, in order, by code."""
        return [d.code for d in self.all_said(Prompt)]

    def draw(self, to: Place, *, way: Literal["hand", "burner"] = "hand", facing: Side = "down") -> Card:
        """A card leaves the shoe and comes to rest."""
        card = self.order[self.drawn]
        self.drawn += 1
        self.lies[card] = to
        self.tell(Drew(time=0, number=self.drawn, what="card", way=way, cards=(card,)))
        if self.antennas:
            self.report(Arrived(time=0, place=to, facing=facing, what="card", card=card))
        return card

    def at(self, place: Place) -> list[Card]:
        """The cards that lie somewhere, in the order in which they came."""
        return [card for card, where in self.lies.items() if where == place]

    def turn_up(self, seat: int) -> None:
        """A player tables his cards."""
        for card in self.at(at_seat(seat)):
            self.report(Turned(time=0, place=at_seat(seat), facing="up", card=card))

    def muck(self, seat: int) -> None:
        """A hand's cards are thrown into the muck."""
        for card in self.at(at_seat(seat)):
            self.carry(card, MUCK)

    def carry(self, card: Card, to: Place, *, facing: Side = "down") -> None:
        """A card that lies somewhere is laid down elsewhere."""
        if to == MUCK:
            self.thrown[card] = self.lies.get(card, TRANSIT)
        self.lies[card] = to
        if self.antennas:
            self.report(Arrived(time=0, place=to, facing=facing, what="card", card=card))

    def bring_back(self, seat: int) -> None:
        """What of a hand lies in the muck goes back to its seat."""
        for card in self.at(MUCK):
            if self.thrown[card] == at_seat(seat):
                self.carry(card, at_seat(seat))

    def fold(self, seat: int) -> None:
        """A player folds: the keypad says so and his cards go to the muck."""
        self.tell(Acted(seat=seat, action="fold"))
        self.muck(seat)

    def obey(self) -> bool:
        """One prompt obeyed by a faultless dealer and players who check or call; False when nothing is
        asked."""
        asked = self.prompt
        match asked.code:
            case "deck-in" | "other-deck-in" | "parked-deck-in" | "gather" | "gather-misdeal":
                self._lay_in(asked)
            case "lift-pack" | "park-deck":
                self.tell(self._shuffler(cover=True))
            case "cut-pack":
                self.report(
                    Arrived(time=0, place=CUT_PLATE, facing="down", what="cut-card")
                ) if self.antennas else self.tell(Keyed(key="ack"))
            case "cut-card-under" | "push-pot":
                self.tell(Keyed(key="ack"))
            case "load-shoe":
                self.lies.clear()
                self.drawn, self.loaded = 0, True
                self.tell(ShoeState(lid="open", content="cards"))
                self.tell(ShoeState(lid="locked", content="cards"))
            case "deal-hole":
                self._deal(asked)
            case "burn":
                self.draw(BURN)
            case "deal-flop" | "deal-turn" | "deal-river":
                for _ in range(asked.count):
                    self.draw(BOARD, facing="up")
            case "act-check" | "act-call" | "act-first":
                self.tell(Acted(seat=asked.seat, action="check-or-call"))
            case "betting":
                self.tell(Keyed(key="next"))
            case "show-hand":
                self.turn_up(asked.seat) if self.antennas else self.tell(Keyed(key="ack"))
            case _:
                return self._about_the_muck(asked)
        self.flush()
        return True

    def _about_the_muck(self, asked: Prompt) -> bool:
        if asked.code == "hand-back":
            self.bring_back(asked.seat)
        elif asked.code == "folded":
            self.tell(Keyed(key="no" if asked.count else "yes"))
        else:
            return False
        self.flush()
        return True

    def _lay_in(self, asked: Prompt) -> None:
        if asked.code.startswith("gather") or (self.loaded and asked.code == "deck-in"):
            self.tell(ShoeState(lid="open", content="cards"))
            self.tell(ShoeState(lid="locked", content="empty"))
            self.loaded = False
        self.tell(self._shuffler(input_=True))
        self.tell(Keyed(key="ack"))

    def _deal(self, asked: Prompt) -> None:
        for _ in range(asked.count):
            for seat in asked.seats:
                self.draw(at_seat(seat))

    def play(self, until: str) -> None:
        """Obeys prompts until the hand has entered a phase, or stands still."""
        begin = len(self.phases)
        while until not in self.phases[begin:] and self.obey():
            pass
