"""A dealer who obeys the steps of any remedy, whatever its prompts say, and ways to bring faults about."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from controller.cards import DECK, Card
from controller.dealing import HAND
from controller.decisions import Ruled
from controller.events import Acted, Arrived, Drew, Fed, Keyed, ShoeState, Turned
from controller.hand_state import HandState
from controller.loading_steps import WASHING
from controller.loading_steps import Step as LoadingStep
from controller.places import ASIDE, BOARD, BURN, SHOE, Place, at_seat
from controller.remedies.steps import Button, Draw, Move, NamedRemedy, Pick, Remedy, Tell, TurnUp
from controller.remedies.under_way import Open
from controller.remedies.walk import target, wanted_by
from controller.rule_files import rulebook
from controller.rulesets.book import Case, Rulebook
from controller.rulesets.known import KNOWN
from controller.table import Table
from tests.controller.hands import ALL_PLACES, Side, World, setup

ROUNDS: Final = 400
ORDER: Final = (4, 1, 2, 3)
"""The seats in the order in which they are dealt: seat 3 has the button."""


@dataclass
class Dealer(World):
    """A world whose hands do what the step under way wants, not what its prompt says."""

    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def state(self) -> HandState:
        """What is the case in the hand."""
        return self.table._play._state

    @property
    def asking(self) -> Open | None:
        """The remedy whose step hands must do now."""
        return self.table._play.asking

    def goes_on(self) -> bool:
        """One thing is done that the hand waits for; False where it waits for nothing that hands can do."""
        loading = self.table._loading
        due = self.state.due
        if loading.step is LoadingStep.UNLOAD:
            self._takes_the_stub_out()
        elif loading.step in (LoadingStep.LAY_IN, LoadingStep.LAY_MIXED_IN):
            if self.table._equipment.shoe_state.content == "cards":
                self._takes_the_stub_out()
            self.tell(self._shuffler(input_=True))
            self.tell(Keyed(key="ack"))
        elif loading.step in WASHING:
            self.tell(Keyed(key="ack"))
        elif loading.step is LoadingStep.RESTORE:
            self.tell(ShoeState(lid="open", content="cards"))
            self.tell(ShoeState(lid="locked", content="cards"))
        elif loading.step is LoadingStep.LOAD and not loading._pack.whole:
            self._loads(loading._pack.cards)
        elif loading.step is None and self.asking is not None and self._does_step(self.asking):
            pass
        elif loading.step is None and due and due[0].way == HAND:
            self.draw(due[0].place, facing="up" if due[0].place == BOARD else "down")
        else:
            return self.obey()
        self.flush()
        return True

    def _does_step(self, asking: Open) -> bool:
        match asking.step:
            case Tell() | Button():
                self.tell(Keyed(key="ack"))
            case Draw():
                self.draw(at_seat(asking.owner))
            case Move() as step:
                self._carries(wanted_by(step, asking, self.table._play._works), target(step, asking))
            case Pick():
                self.carry(self.chance.choice(self.state.streets.early), BURN)
            case TurnUp():
                for card in self.state.streets.early:
                    self.report(Turned(time=0, place=BOARD, facing="up", card=card))
            case _:
                return False
        return True

    def _carries(self, cards: tuple[Card, ...], place: Place) -> None:
        """One card goes where the step wants it; where nothing sees it come to rest, all do, and the key says
        so."""
        left = [card for card in cards if self.table._play._works.where(card) != place]
        if place in self.places:
            self.carry(left[0], place, facing="up" if place == BOARD else "down")
            return
        for card in left:
            self.lies[card] = place
        self.tell(Keyed(key="ack"))

    def _takes_the_stub_out(self) -> None:
        self.tell(ShoeState(lid="open", content="cards"))
        self.tell(ShoeState(lid="locked", content="empty"))

    def _loads(self, cards: tuple[Card, ...]) -> None:
        self.order = self.chance.sample(cards, len(cards))
        self.drawn = 0
        for card in cards:
            self.lies.pop(card, None)
        self.tell(ShoeState(lid="open", content="cards"))
        self.tell(ShoeState(lid="locked", content="cards"))


def with_remedy(rule: str, case: str, remedy: Remedy, *, late: bool = False) -> Rulebook:
    """Robert's rules, where one irregularity in one case has this remedy, or has it once its window has
    closed. Whatever else is ruled on in the deal only waits, so that a further fault can follow."""
    book = rulebook("roberts")
    change = msgspec.structs.replace
    waits = Remedy(says="Waits.", holds="nothing", steps=(Tell(says="Waits.", prompt="burn", proof="ack"),))
    rules = {
        name: change(each, remedy="waits", cases=()) if "deal" in KNOWN[name].about else each
        for name, each in book.rules.items()
    }
    given = book.rules[rule]
    if late:
        rules[rule] = change(given, late="tried")
    elif case:
        rules[rule] = change(given, cases=(Case("tried", case=case),))
    else:
        rules[rule] = change(given, remedy="tried", by="table", cases=())
    tried = {"tried": NamedRemedy("tried", remedy), "waits": NamedRemedy("waits", waits)}
    # The second card off the deck is told apart only by this switch.
    second = rule == "exposed-second-hole-card" or case == "second"
    switches = change(book.switches, instant_misdeal_cards=2 if second else 1)
    return replace(book, rules=rules, remedies={**book.remedies, **tried}, switches=switches)


# Faults


def _deals(dealer: Dealer, up: tuple[int, ...] = ()) -> None:
    """Everybody is dealt; those cards, counted from 0 as they leave the deck, arrive face up."""
    dealer.play("deal")
    for number in range(2 * len(ORDER)):
        facing: Side = "up" if number in up else "down"
        dealer.draw(at_seat(ORDER[number % len(ORDER)]), facing=facing)


def _is_shown(dealer: Dealer, number: int) -> None:
    """The dealer says that he has exposed a card that lies at its seat."""
    seat = ORDER[number % len(ORDER)]
    card = dealer.state.deal.off_deck[number]
    dealer.report(Turned(time=0, place=at_seat(seat), facing="up", card=card))
    dealer.tell(Keyed(key="exposed", seat=seat))


def _exposed(*numbers: int) -> Callable[[Dealer], None]:
    return lambda dealer: _deals(dealer, numbers)


def _exposed_at_once(number: int) -> Callable[[Dealer], None]:
    """The card is exposed and the rest of the deal is still to come."""

    def bring_about(dealer: Dealer) -> None:
        dealer.play("deal")
        for dealt in range(number + 1):
            dealer.draw(at_seat(ORDER[dealt % len(ORDER)]), facing="up" if dealt == number else "down")

    return bring_about


def _extra_then_exposed(*numbers: int) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _deals(dealer)
        dealer.draw(at_seat(ORDER[0]))
        for number in numbers:
            _is_shown(dealer, number)

    return bring_about


def _extra_shown(*numbers: int) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _deals(dealer)
        dealer.draw(at_seat(ORDER[0]), facing="up")
        for number in numbers:
            _is_shown(dealer, number)

    return bring_about


def _extra(*seats: int, up: tuple[int, ...] = ()) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _deals(dealer, up)
        for seat in seats:
            dealer.draw(at_seat(seat))

    return bring_about


def _to(dealer: Dealer, phase: str) -> None:
    while phase not in dealer.phases and dealer.goes_on():
        pass


def _too_many(count: int) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, "flop-deal")
        for _ in range(count):
            dealer.draw(BOARD, facing="up")

    return bring_about


def _early(phase: str, count: int = 1, acts: int = 1, *, burned: bool = False) -> Callable[[Dealer], None]:
    """Board cards in the betting of a phase, after some acts."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        for _ in range(acts):
            dealer.obey()
        if burned:
            dealer.draw(BURN)
        for _ in range(count):
            dealer.draw(BOARD, facing="up")

    return bring_about


def _without_burn(phase: str, count: int) -> Callable[[Dealer], None]:
    """The betting of a phase is complete, the dealer would burn by hand, and lays the street at once."""

    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        while dealer.prompt.code != "burn" and dealer.goes_on():
            pass
        for _ in range(count):
            dealer.draw(BOARD, facing="up")

    return bring_about


def _mucks_the_board(dealer: Dealer) -> None:
    """The board is a royal flush, and the first to show lets his cards go."""
    royal: list[Card] = [card for card in DECK if card in ("As", "Ks", "Qs", "Js", "Ts")]
    rest = [card for card in dealer.order if card not in royal]
    flop, turn, river = royal[:3], royal[3], royal[4]
    dealer.order = [*rest[:9], *flop, rest[9], turn, rest[10], river, *rest[11:]]
    _to(dealer, "showdown")
    dealer.muck(dealer.prompt.seat)


def _shown_late(phase: str, acts: int, number: int) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        for _ in range(acts):
            dealer.obey()
        _is_shown(dealer, number)

    return bring_about


# The pack


def _joker(phase: str) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        dealer.tell(Drew(time=0, number=1, what="joker", way="hand"))

    return bring_about


def _top_seen(phase: str) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        dealer.tell(Keyed(key="exposed"))

    return bring_about


def _foreign(phase: str) -> Callable[[Dealer], None]:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        dealer.tell(Arrived(time=0, place=BOARD, facing="down", what="foreign"))

    return bring_about


def _twice(dealer: Dealer) -> None:
    _to(dealer, "flop")
    card = next(iter(dealer.lies))
    dealer.tell(Drew(time=0, number=1, what="card", way="hand", cards=(card,)))


def _fed_wrong(*feeds: Fed) -> Callable[[Dealer], None]:
    """A deck is laid in that the feed does not prove, again and again."""

    def bring_about(dealer: Dealer) -> None:
        dealer.wrong_feeds += feeds
        while dealer.wrong_feeds:
            if not dealer.goes_on():
                dealer.tell(Keyed(key="ack"))  # what lay on top is put back

    return bring_about


_SHORT: Final = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=51, strangers=0)
_STRANGE: Final = Fed(ref=0, outcome="done", reason="none", verdict="wrong", count=52, strangers=1)


def _killed(dealer: Dealer) -> None:
    """A hand that is all-in reaches the muck, and the dealer says that it was not folded."""
    _to(dealer, "flop")
    seat = dealer.prompt.seat
    dealer.tell(Acted(seat=seat, action="all-in"))
    dealer.muck(seat)
    dealer.tell(Keyed(key="no"))


@dataclass(frozen=True)
class Way:
    """A way to bring a fault about, at a table whose shoe burns by itself or not, with antennas at places."""

    brings_about: Callable[[Dealer], None]
    burner: bool = True
    places: tuple[Place, ...] = ALL_PLACES


NO_BURN_ANTENNA: Final = tuple(place for place in ALL_PLACES if place != BURN)

FAULTS: Final[Mapping[tuple[str, str], tuple[Way, ...]]] = {
    ("exposed-first-hole-card", ""): (Way(_exposed(0)), Way(_exposed_at_once(0))),
    ("exposed-first-hole-card", "extra-unseen"): (Way(_extra_then_exposed(0)),),
    ("exposed-second-hole-card", ""): (Way(_exposed(1)), Way(_exposed_at_once(1))),
    ("exposed-second-hole-card", "extra-unseen"): (Way(_extra_then_exposed(1)),),
    ("exposed-later-hole-card", ""): (Way(_exposed(5)), Way(_exposed_at_once(3))),
    ("exposed-later-hole-card", "extra-unseen"): (Way(_extra_then_exposed(6)),),
    ("exposed-later-hole-card", "extra-seen"): (Way(_extra_shown()),),
    ("exposed-two-or-more", ""): (Way(_exposed(3, 5)), Way(_exposed(2, 6))),
    ("exposed-two-or-more", "extra-unseen"): (Way(_extra_then_exposed(4, 5)),),
    ("exposed-two-or-more", "extra-seen"): (Way(_extra_shown(5)),),
    ("extra-card-first-player", ""): (Way(_extra(4)),),
    ("extra-card-first-player", "exposed-waits"): (Way(_extra(4, up=(6,))), Way(_extra(4, up=(4,)))),
    ("extra-card-other-seat", ""): (Way(_extra(2)),),
    ("extra-card-other-seat", "exposed-waits"): (Way(_extra(2, up=(4,))), Way(_extra(2, up=(6,)))),
    ("extra-cards-two-plus", ""): (Way(_extra(4, 2)), Way(_extra(2, 2))),
    ("extra-cards-two-plus", "exposed-waits"): (Way(_extra(4, 2, up=(5,))),),
    ("overfull-flop", ""): (Way(_too_many(4), places=NO_BURN_ANTENNA),),
    ("overfull-flop", "four-cards"): (Way(_too_many(4)),),
    ("premature-flop", ""): (
        Way(_early("preflop", 3)),
        Way(_early("preflop", 1, 0)),
        Way(_early("preflop", 5, 2)),
    ),
    ("flop-no-burn", ""): (Way(_without_burn("preflop", 3), burner=False),),
    ("turn-no-burn", ""): (Way(_without_burn("flop", 1), burner=False),),
    ("river-no-burn", ""): (Way(_without_burn("turn", 1), burner=False),),
    ("premature-turn", ""): (Way(_early("flop")), Way(_early("flop", burned=True))),
    ("premature-river", ""): (Way(_early("turn")), Way(_early("turn", acts=0, burned=True))),
    ("premature-river", "flop-betting"): (Way(_early("flop", 2)), Way(_early("flop", 2, burned=True))),
    ("joker", ""): (Way(_joker("deal")), Way(_joker("preflop"))),
    ("exposed-top-of-stub", ""): (Way(_top_seen("flop")), Way(_top_seen("turn"), burner=False)),
    ("duplicate-card", ""): (Way(_twice),),
    ("foreign-card", ""): (Way(_foreign("deal")), Way(_foreign("turn"))),
    ("foreign-card", "unused-stub"): (Way(_fed_wrong(_STRANGE, _STRANGE)),),
    ("missing-card", ""): (Way(_fed_wrong(_SHORT, _SHORT)),),
    ("hand-killed-by-dealer", ""): (Way(_killed),),
    ("board-not-declared", ""): (Way(_mucks_the_board),),
}
"""How each irregularity is brought about, in each of its cases, in one way or several."""

LATE: Final[Mapping[str, tuple[Way, ...]]] = {
    "exposed-first-hole-card": (Way(_shown_late("preflop", 2, 0)), Way(_shown_late("flop", 0, 0))),
    "exposed-later-hole-card": (
        Way(_shown_late("preflop", 3, 5)),
        Way(_shown_late("flop-deal", 0, 5)),
        Way(_shown_late("turn", 1, 6)),
        Way(_shown_late("river", 2, 7)),
    ),
}
"""Irregularities that are found once their window has closed."""


def played(book: Rulebook, way: Way) -> Dealer:
    """A hand in which a fault is brought about, and all that follows is obeyed until nothing is left."""
    dealer = Dealer(Table(replace(setup(), rules=book)), burner=way.burner, places=way.places)
    dealer.power_up()
    way.brings_about(dealer)
    for _ in range(ROUNDS):
        if dealer.table.phase in ("done", "halted") or not dealer.goes_on():
            break
    return dealer


def what_is_wrong(dealer: Dealer) -> list[str]:
    """What of 52 cards is not where the table has it, or is not whole, when a hand is over."""
    state, ledger = dealer.state, dealer.table.ledger
    wrong = [
        f"{place} is held to lie at {state.where(card)}"
        for card, place in dealer.lies.items()
        if state.where(card) != place
    ]
    in_shoe = set(ledger.cards(SHOE))
    if in_shoe != set(dealer.order[dealer.drawn :]):
        wrong.append("the shoe holds other cards")
    if len(in_shoe) + len(dealer.lies) != 52:
        wrong.append(f"{len(in_shoe)} in the shoe and {len(dealer.lies)} on the table are not 52")
    if dealer.table.phase != "done":
        return wrong
    wrong += [f"a card at {place} counts for nothing" for place in state.out.values() if place != ASIDE]
    deal = state.deal
    for seat in state.holders():
        if len(deal.hole[seat]) != deal.each or any(dealer.lies[c] != at_seat(seat) for c in deal.hole[seat]):
            wrong.append(f"the hand of seat {seat} is not whole")
    board = state.streets.cards
    if len(state.holders()) == 1:
        return wrong
    if len(set(board)) != 5 or any(dealer.lies[card] != BOARD for card in board):
        wrong.append(f"the board has {len(board)} cards")
    return wrong


def rulings(dealer: Dealer) -> list[tuple[str, str]]:
    """The rulings told: rule and remedy."""
    return [(told.rule, told.remedy) for told in dealer.all_said(Ruled)]
