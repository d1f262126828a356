"""A hand as the rule book sees it: where the cards are, which remedies are open, what happens of itself."""

from dataclasses import dataclass, field

from tests.rulings.betting import Betting
from tests.rulings.setup import Table
from tests.rulings.words import (
    BOARD_CARDS,
    ENDED,
    MISDEAL,
    NEXT_STREET,
    ROUNDS,
    ExpectedRuling,
    ExpectedShuffle,
    Undetermined,
)


@dataclass
class Deal:
    """One deal of the hole cards: what is counted over the whole of it, and what is still due."""

    dealt: int = 0
    first: str | None = None
    last: str | None = None
    """The last card off the shoe, while it is a hole card."""
    lies: dict[int, list[str]] = field(default_factory=dict)
    """Every card that was dealt to a seat, in order, whatever became of it."""
    shown: list[str] = field(default_factory=list)
    shown_by_player: list[int] = field(default_factory=list)
    """Seats whose player showed a card since the last draw or act."""
    exposed: list[str] = field(default_factory=list)
    owner: int | None = None
    """Who is owed a replacement."""
    replaced: bool = False
    to_burn: str | None = None
    """The exposed card, until it lies in the burn tray."""
    extra: tuple[int, str] | None = None
    """The one card too many at the first seat, until it is put right."""
    extra_put_right: bool = False
    exposure_obeyed: bool = False
    """Prompts were obeyed since the exposure, so the exposed card may have been moved on its way."""


class Hand:
    """The state of a hand, and what the table does by itself when it comes to rest."""

    def __init__(self, table: Table, deck: list[str]) -> None:
        self.table = table
        self.stock = list(deck)
        self.phases = ["idle"]
        self.board: list[str] = []
        self.burns: list[str] = []
        self.aside: list[str] = []
        self.muck: list[str] = []
        self.hole: dict[int, list[str]] = {seat: [] for seat in table.order}
        self.rulings: list[ExpectedRuling] = []
        self.shuffles: list[ExpectedShuffle] = []
        self.won: dict[int, int] | None = None
        self.clock = 0
        self.betting = Betting(table)
        self.deal = Deal()
        self.misdealt = False
        self.redeal: str | None = None
        """The street whose shuffle is due now; it holds everything."""
        self.burned = False
        """Whether the burn of the street to come is made."""
        self.no_burn: set[str] = set()
        """Streets that a remedy lets come without a burn."""
        self.going_in: dict[str, list[str]] = {}
        """Of each street that is dealt after a shuffle: the cards that go in with the stub."""
        self.burn_after_cut = False
        self.third_at = 0

    # What can be asked

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.phases[-1]

    @property
    def dealt_out(self) -> bool:
        """Whether the round of the deal that everybody gets is at its end."""
        return self.deal.dealt == self.table.hole_cards * len(self.table.order)

    @property
    def window_deal(self) -> bool:
        """Whether fewer than two acts were made before the flop."""
        return self.phase == "deal" or (self.phase == "preflop" and len(self.betting.acted) < 2)

    @property
    def deal_open(self) -> bool:
        """Whether a replacement, an exposed card or an extra card still has to go where it belongs."""
        deal = self.deal
        return deal.owner is not None or deal.to_burn is not None or deal.extra is not None

    @property
    def remedy_due(self) -> bool:
        """Whether the prompts ask for a step of a remedy now."""
        return self.misdealt or self.redeal is not None or (self.dealt_out and self.deal_open)

    @property
    def next_street(self) -> str:
        """The street after the betting round that is open."""
        return NEXT_STREET[self.phase]

    @property
    def early_flop(self) -> bool:
        """Whether board cards came before the flop was due."""
        return self.phase == "preflop" and "flop" in self.going_in

    @property
    def scrambled(self) -> bool:
        """Whether the shuffle that is due is too small for the machine."""
        return self.pool < self.table.min_cards

    @property
    def pool(self) -> int:
        """How many cards go into the shuffle that is due."""
        return 52 if self.misdealt else len(self._pool())

    # What happens

    def enter(self, phase: str) -> None:
        """A phase begins."""
        self.phases.append(phase)

    def rule(self, ruling: ExpectedRuling) -> None:
        """A ruling arises."""
        self.rulings.append(ruling)

    def misdeal(self) -> None:
        """Everything stops."""
        self.misdealt = True
        self.enter(MISDEAL)

    def burn(self) -> None:
        """The top card becomes the burn of the street to come."""
        self.burns.append(self.take())
        self.burned = True

    def take(self) -> str:
        """The top card leaves the shoe."""
        if not self.stock:
            raise Undetermined("the shoe is empty")
        return self.stock.pop(0)

    def give(self, seat: int, card: str) -> None:
        """A card is dealt to a seat."""
        self.hole[seat].append(card)
        self.deal.lies.setdefault(seat, []).append(card)
        self.deal.last = card
        if self.deal.first is None:
            self.deal.first = card

    def next_seat(self) -> int:
        """Who gets the next card of the deal."""
        return self.table.order[self.deal.dealt % len(self.table.order)]

    def settle(self) -> None:
        """What follows of itself until the table is at rest: phases, and the machine's burn."""
        while self._goes_on():
            pass

    def _goes_on(self) -> bool:
        phase = self.phase
        if phase in (*ENDED, "idle", "showdown") or self.misdealt or self.redeal is not None:
            return False
        if phase == "deal":
            if not self.dealt_out or self.deal.owner is not None:
                return False
            self.enter("preflop")
            return True
        if phase in ROUNDS:
            return self._round_goes_on()
        return self._street_goes_on(phase.removesuffix("-deal"))

    def _round_goes_on(self) -> bool:
        if self.deal_open:
            return False
        if len(self.betting.left) == 1:
            self.won = self.betting.won_alone()
            self.enter("done")
            return True
        if self.betting.pending:
            return False
        if self.phase == "river":
            self.enter("showdown")
            return True
        street = self.next_street
        if street in self.going_in:
            self.redeal = street
        elif street not in self.no_burn and not self.burned:
            if not self.table.burner:
                return False
            self.burn()
        self.enter(f"{street}-deal")
        return True

    def _street_goes_on(self, street: str) -> bool:
        if self.burn_after_cut:
            if not self.table.burner:
                return False
            self.burn()
            self.burn_after_cut = False
            return True
        if len(self.board) < BOARD_CARDS[street]:
            return False
        self.enter(street)
        self.burned = False
        self.third_at = self.clock
        self.betting.next_round()
        return True

    # Remedies

    def obey(self) -> None:
        """One step of the remedy that is due."""
        if self.misdealt:
            self._deal_again()
        elif self.redeal is not None:
            self._shuffle_for(self.redeal)
        else:
            self._put_the_deal_right()

    def _deal_again(self) -> None:
        everything = [*self.stock, *self.board, *self.burns, *self.aside, *self.muck]
        everything += [card for cards in self.hole.values() for card in cards]
        self.board, self.burns, self.aside, self.muck = [], [], [], []
        self.hole = {seat: [] for seat in self.table.order}
        self._shuffle(everything, misdeal=True)
        self.betting = Betting(self.table)
        self.deal = Deal()
        self.misdealt = self.burned = False
        self.going_in = {}
        self.enter("shuffle")
        self.enter("deal")

    def _pool(self) -> list[str]:
        return [*self.going_in.get(self.redeal or "", []), *self.stock]

    def _shuffle_for(self, street: str) -> None:
        pool = self._pool()
        if len(pool) < 2:
            raise Undetermined("the pool cannot be shuffled")
        for card in self.going_in.pop(street):
            self.aside.remove(card)
        self._shuffle(pool, misdeal=False)
        self.redeal = None
        self.burn_after_cut = street == "flop" and not self.burned

    def _shuffle(self, cards: list[str], *, misdeal: bool) -> None:
        out = [*self.burns, *self.muck, *self.board, *(c for held in self.hole.values() for c in held)]
        number = len(self.shuffles)
        self.shuffles.append(ExpectedShuffle(included=cards, out=out, misdeal=misdeal))
        self.stock = [f"@{number}.{k}" for k in range(len(cards))]

    def _put_the_deal_right(self) -> None:
        deal = self.deal
        if deal.owner is not None:
            if deal.extra is not None:  # nobody saw the extra card: it is the replacement
                seat, card = deal.extra
                self.hole[seat].remove(card)
                deal.extra = deal.last = None
                self.hole[deal.owner].append(card)
            else:
                self.give(deal.owner, self.take())
            deal.owner, deal.replaced = None, True
        elif deal.to_burn is not None:
            self.aside.remove(deal.to_burn)
            self._becomes_the_burn(deal.to_burn)
            deal.to_burn = None
        elif deal.extra is not None:
            seat, card = deal.extra
            self.hole[seat].remove(card)
            self._becomes_the_burn(card)
            deal.extra, deal.last, deal.extra_put_right = None, None, True

    def _becomes_the_burn(self, card: str) -> None:
        self.burns.append(card)
        self.burned = True
