"""Which cards leave the shoe next, and how: what is due, the burns, the streets."""

from collections.abc import Callable
from typing import Final

from controller.dealing import BURNER, HAND, WHOLE_BOARD, Due, burn, replacement, street
from controller.desk import Desk
from controller.equipment import Equipment
from controller.hand import BETTING_ROUNDS, STREETS_DEALT, PhaseName
from controller.hand_state import HandState
from controller.loading import Loading
from controller.places import BURN
from controller.remedies.steps import Deal, Made
from controller.remedies.under_way import Open

_DEAL_PROMPT: Final[dict[PhaseName, str]] = {
    "flop-deal": "deal-flop",
    "turn-deal": "deal-turn",
    "river-deal": "deal-river",
}
BURN_BY_HAND: Final = "burn"
BURN_AGAIN: Final = "burn-again"


class StreetWorks:
    """One hand's cards to come; remedies have them dealt too (`works`)."""

    def __init__(
        self,
        state: HandState,
        desk: Desk,
        equipment: Equipment,
        loading: Loading,
        remedies: Callable[[], list[Open]],
    ) -> None:
        self._state = state
        self._desk = desk
        self._equipment = equipment
        self._loading = loading
        self._remedies = remedies
        self._street = ("", 0)
        self._due_before: list[Due] = []
        """What was due when the stub was taken away."""

    @property
    def burning(self) -> bool:
        """Whether a burn was begun and is not made."""
        return self.burn_is_ordered or any(due.purpose == "burn" for due in self._state.due)

    @property
    def burn_is_ordered(self) -> bool:
        """Whether a machine was told to burn and has not answered."""
        return any(command.command == "burn" for command in self._desk.unanswered.values())

    def lets_go(self) -> bool:
        """Nothing is dealt, burned or shuffled any more: whether no machine has still to finish something."""
        ejects = any(due.way == BURNER for due in self._state.due)
        return self._loading.gives_up_set() and not self.burn_is_ordered and not ejects

    def goes_on(self) -> None:
        """The table was halted: a burn that failed is made."""
        if any(due.way == BURNER for due in self._state.due) and not self.burn_is_ordered:
            self._desk.order("shoe", "burn")

    @property
    def _shuffles_first(self) -> bool:
        """Whether a remedy has the street dealt later, by a step of its own."""
        return any(r.holds("street") and not isinstance(r.step, Deal) for r in self._remedies())

    def begins_with_what_stands(self) -> bool:
        """Begins the next street with cards that lie already and count as it, by a remedy or by the floor's
        word; False where none do."""
        streets = self._state.streets
        if not streets.ahead(self._desk.phase) or len(streets.cards) > self._state.stands:
            return False
        self.begin_street()
        self.let_out_rest()
        if self._state.due:
            self.ask_for_street()
        return True

    def make_due(self, cards: list[Due]) -> None:
        """These cards are to leave the shoe next."""
        self._state.due[:] = cards
        self._due_before.clear()

    def nothing_is_due(self) -> None:
        """What was due is not any more."""
        self._state.due.clear()
        self._due_before.clear()

    def no_street_is_due(self) -> None:
        """Neither board cards nor a burn by hand are due any more; a burn that the machine was told of is."""
        due = self._state.due[0] if self._state.due else None
        if due is not None and due.purpose in ("street", "burn") and due.way == HAND:
            self.nothing_is_due()

    def due_again(self, cards: list[Due]) -> None:
        """What was due before a ruling that is taken back is due again."""
        if cards == self._state.due:
            return
        self.nothing_is_due()
        if cards:
            self.make_due(cards)

    def has_all(self, seat: int) -> bool:
        """Whether a seat holds all the cards that it plays."""
        return len(self._state.deal.hole[seat]) == self._state.deal.each

    def draw_for(self, seat: int) -> None:
        """The next card off the shoe replaces the exposed card of a seat."""
        self.make_due(replacement(seat))

    def burn_is_made(self, unless: Made) -> bool:
        """Whether a burn was made for the next street; `made-since`: one that no early card has spent;
        `made-since-shuffle`: off the stub as it was shuffled last."""
        streets = self._state.streets
        match unless:
            case "made-for-street":
                return not streets.burn_is_due
            case "made-since":
                return not streets.unspent_is_due
            case "made-since-shuffle":
                return streets.since_shuffle

    def burn(self, prompt: str = BURN_BY_HAND) -> None:
        """One card into the burn tray, by the machine where it can; else `prompt` asks for it."""
        if self._equipment.shoe.burner:
            self.make_due(burn(BURNER, self._state.streets.next))
            self._desk.order("shoe", "burn")
        else:
            self.make_due(burn(HAND, self._state.streets.next))
            self.ask_for_burn(prompt)

    def ask_for_burn(self, prompt: str = BURN_BY_HAND) -> None:
        """Asks for the burn that is due by hand, if one is."""
        due = self._state.due[0] if self._state.due else None
        if due is not None and (due.purpose, due.way) == ("burn", HAND):
            self._desk.ask(self.burn_by_hand if prompt == BURN_BY_HAND else prompt)

    @property
    def burn_by_hand(self) -> str:
        """The prompt that asks for a burn, or for one more."""
        streets = self._state.streets
        several = streets.next in streets.planned and streets.burns
        return BURN_AGAIN if several else BURN_BY_HAND

    @property
    def burns_are_unseen(self) -> bool:
        """Whether only the order of the shoe says that a card was burned."""
        return not self._equipment.shoe.burner and BURN not in self._equipment.antennas

    def plan_burns(self, count: int) -> None:
        """The next street is to have so many burns; its card, if it is due already, comes after them."""
        streets, due = self._state.streets, self._state.due
        if len(streets.cards) == WHOLE_BOARD:
            return
        streets.plan(count)
        if due and due[0].purpose == "street" and streets.burn_is_due:
            self.no_street_is_due()

    def deal_street(self) -> None:
        """The next street is due."""
        self.begin_street()
        if self._state.due:
            self.let_out_rest()
            self.ask_for_street()

    def begin_street(self) -> None:
        """The next street begins; its first cards may lie already."""
        self._enter_street()
        self._state.streets.acts = 0
        self._state.due[:] = self._rest_of_street()

    def _enter_street(self) -> None:
        """The next street is what follows: the flop once more, where it was taken off in its own betting."""
        if self._desk.phase == "flop" and self._state.streets.next == "flop-deal":
            self._desk.enter("flop_again")
        elif self._desk.phase in BETTING_ROUNDS:
            self._desk.enter("street_due")

    def street_goes_on(self) -> None:
        """What is left of a street that was begun, and of which nothing is due any more, is due again."""
        phase, under_way = self._desk.phase, self._loading.step is not None
        if phase not in STREETS_DEALT or self._state.due or under_way or self._shuffles_first:
            return
        if self._state.streets.next in self._state.streets.planned and self._state.streets.burn_is_due:
            self.burn()
            return
        self._state.due[:] = self._rest_of_street()
        self.let_out_rest()
        self.ask_for_street()

    def begin_without_burn(self) -> None:
        """The next street's cards come though its burn is not made: it is ruled on once it lies."""
        self._state.due[:] = self._rest_of_street()

    def _rest_of_street(self) -> list[Due]:
        """What the street that is being dealt lacks: some of its cards may lie already."""
        phase = self._desk.phase if self._desk.phase in STREETS_DEALT else self._state.streets.next
        return street(phase)[: self._state.streets.missing(phase)]

    def let_out_rest(self) -> None:
        """What is left of a street that was begun leaves the shoe next."""
        due = self._state.due
        if due and due[0].purpose == "street":
            self._street = (_DEAL_PROMPT[self._state.streets.next], len(due))

    def rest_of_street(self, cards: list[Due]) -> None:
        """A street was begun where a burn was due: what is left of it is due."""
        self.nothing_is_due()
        self._state.due[:] = cards
        self.let_out_rest()

    def ask_for_street(self) -> None:
        """Asks for the cards of the street."""
        code, count = self._street
        self._desk.ask(code, count=count)
