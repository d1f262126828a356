"""What is the case in the hand: who was dealt what, the board, what is due, what is out of play."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.cards import Card
from controller.dealing import Due
from controller.dealt import Deal
from controller.following import Following
from controller.hand import PhaseName
from controller.ledger import Evidence, Ledger
from controller.places import ASIDE, Place, seat_of
from controller.streets import Streets


@dataclass
class HandState:
    """The hand now.

    `due` are the cards that are to leave the shoe next. `out` are cards that a ruling took out of play, each
    with the place where it lies: the ledger has them aside, moved or not (docs/rules.md). `turned` is the
    card that was turned up last at a seat, since the last card or act, `looked_at` are all that were.
    `last_drawn` is the last card off the shoe and where it came to rest. `betting_opened` is the last street
    whose betting was opened. `displaced` are cards that were carried off unasked, each with where it belongs.
    `stands` is how many board cards count although no street was dealt with them: by the floor's word,
    or because a remedy left them there. `inferred` are cards that were due nowhere and that no antenna saw:
    nobody may name them. `burns_seen` are burns of which that was told already.
    """

    ledger: Ledger
    deal: Deal
    following: Following
    streets: Streets = field(default_factory=Streets)
    due: list[Due] = field(default_factory=list)
    out: dict[Card, Place] = field(default_factory=dict, repr=False)
    turned: dict[int, Card] = field(default_factory=dict, repr=False)
    looked_at: set[Card] = field(default_factory=set, repr=False)
    last_drawn: tuple[Card, Place] | None = field(default=None, repr=False)
    betting_opened: str = ""
    displaced: dict[Card, Place] = field(default_factory=dict, repr=False)
    stands: int = 0
    inferred: set[Card] = field(default_factory=set, repr=False)
    burns_seen: set[Card] = field(default_factory=set, repr=False)

    def begin(self, deal: Deal, following: Following, streets: Streets) -> None:
        """A deal begins: nobody has a card, nothing is due, nothing is out of play."""
        self.deal = deal
        self.following = following
        self.streets = streets
        self.due.clear()
        self.out.clear()
        self.turned.clear()
        self.looked_at.clear()
        self.last_drawn = None
        self.betting_opened = ""
        self.displaced.clear()
        self.stands = 0
        self.inferred.clear()
        self.burns_seen.clear()

    def laid(self, due: Due, card: Card, time: int) -> None:
        """A card lies where it was due; `time` is the shoe's when it was drawn, in ms."""
        seat = seat_of(due.place)
        match due.purpose:
            case "burn":
                self.streets.burn(street=due.street)
            case "street":
                self.streets.cards.append(card)
                self.streets.last_ms = time
            case "hole" | "button" if seat is not None:
                self.deal.dealt(card, seat)
            case "replacement" if seat is not None:
                self.deal.takes(card, seat)
            case _:
                pass

    def open_street(self, phase: PhaseName) -> None:
        """A street begins. Its betting is opened once, though its cards may have been dealt anew."""
        if self.betting_opened != phase:
            self.betting_opened = phase
            self.following.open_street()

    def acted(self, phase: PhaseName, players: int = 1, chips: int = 0) -> None:
        """Players acted in this betting round; `chips` is more than 0 if any went in with it."""
        if phase == "preflop":
            self.deal.acts += players
            self.deal.chips_went_in = self.deal.chips_went_in or chips > 0
        else:
            self.streets.acts += players

    def where(self, card: Card) -> Place:
        """Where a card lies, whatever it counts as: what is out of play counts as aside, and lies there only
        where a reader has seen it."""
        held = self.ledger.where(card)
        return held.place if held.evidence is Evidence.SEEN else self.out.get(card, held.place)

    def take_out(self, cards: Iterable[Card]) -> None:
        """Takes cards out of play: they count as aside, wherever they lie."""
        for card in cards:
            held = self.ledger.where(card)
            self.out.setdefault(card, held.place)
            self.ledger.move(card, ASIDE, Evidence.INFERRED, held.facing)

    def put_in(self, card: Card) -> None:
        """A card that was out of play counts as lying where it lies again. One that a reader saw elsewhere
        meanwhile, which is still to be heard of, lies there."""
        place, held = self.out.pop(card, None), self.ledger.where(card)
        if place is not None and held.place == ASIDE != place and held.evidence is not Evidence.SEEN:
            self.ledger.move(card, place, held.evidence, held.facing)

    def moved_out_of_play(self, card: Card, to: Place) -> None:
        """A card that is out of play was moved."""
        self.out[card] = to

    def holders(self) -> Sequence[int]:
        """Seats that hold a hand."""
        return self.following.contenders
