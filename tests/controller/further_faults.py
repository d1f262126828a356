"""Further ways to bring faults about: cards out of the deal's order, boxed and stray ones, short hands and
flops, second burns."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.decisions import CarriedOut
from controller.events import Acted, Arrived, DeadlinePassed, Drew, Keyed, Turned
from controller.places import BOARD, BURN, SCRAP, Place, at_seat
from tests.controller.hands import Side
from tests.controller.remedied import ORDER, Dealer, Way, _deals, _to

Brings = Callable[[Dealer], None]


def _in_the_deal(*places: Place, up: bool = False) -> Brings:
    """Cards that go to these places, one after the other, instead of where the deal has them."""

    def bring_about(dealer: Dealer) -> None:
        dealer.play("deal")
        for number, place in enumerate(places):
            last = number == len(places) - 1
            dealer.draw(place, facing="up" if up and last else "down")

    return bring_about


def _goes_on_without(cards: int) -> Brings:
    """The deal stops so many cards before its end, and a player acts."""

    def bring_about(dealer: Dealer) -> None:
        dealer.play("deal")
        for number in range(2 * len(ORDER) - cards):
            dealer.draw(at_seat(ORDER[number % len(ORDER)]))
        dealer.tell(Acted(seat=2, action="check-or-call"))

    return bring_about


def _boxed(dealer: Dealer, place: Place) -> None:
    card = dealer.order[dealer.drawn]
    dealer.drawn += 1
    dealer.lies[card] = place
    dealer.tell(Drew(time=0, number=dealer.drawn, what="boxed", way="hand", cards=(card,)))
    dealer.report(Arrived(time=0, place=place, facing="up", what="card", card=card))


def _boxed_in(phase: str, place: Place, *, before: Place | None = None) -> Brings:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        if before is not None:
            _boxed(dealer, before)
            dealer.lies[dealer.order[dealer.drawn - 1]] = SCRAP
            dealer.tell(Keyed(key="ack"))
        _boxed(dealer, place)

    return bring_about


def _off_table(number: int, *, up: tuple[int, ...] = (), extra: Side | None = None) -> Brings:
    """No antenna ever sees a hole card, and the dealer says that it was exposed."""

    def bring_about(dealer: Dealer) -> None:
        dealer.play("deal")
        for dealt in range(2 * len(ORDER)):
            seat = ORDER[dealt % len(ORDER)]
            if dealt != number:
                dealer.draw(at_seat(seat), facing="up" if dealt in up else "down")
                continue
            card = dealer.order[dealer.drawn]
            dealer.drawn += 1
            dealer.lies[card] = at_seat(seat)
            before = dealer.table.open_deadlines
            dealer.tell(Drew(time=0, number=dealer.drawn, what="card", way="hand", cards=(card,)))
            for token in dealer.table.open_deadlines - before:
                dealer.tell(DeadlinePassed(token))
            if extra is None:
                dealer.tell(Keyed(key="exposed", seat=seat))
        if extra is not None:
            dealer.draw(at_seat(ORDER[0]), facing=extra)
            dealer.tell(Keyed(key="exposed", seat=ORDER[number % len(ORDER)]))

    return bring_about


def _late_extra(dealer: Dealer) -> None:
    _deals(dealer)
    dealer.obey()
    dealer.obey()
    dealer.draw(at_seat(ORDER[0]))


def _short_flop(count: int) -> Brings:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, "flop-deal")
        for _ in range(count):
            dealer.draw(BOARD, facing="up")
        dealer.tell(Acted(seat=4, action="check-or-call"))

    return bring_about


def _burned_by_the_shoe(dealer: Dealer) -> int:
    return sum(isinstance(said, CarriedOut) and said.command == "burn" for said in dealer.said)


def _second_burn(phase: str, then: int = 0) -> Brings:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        dealer.draw(BURN)
        burned = _burned_by_the_shoe(dealer)
        for _ in range(then):
            if _burned_by_the_shoe(dealer) == burned:
                dealer.draw(BOARD, facing="up")

    return bring_about


def _early_second_burn(phase: str) -> Brings:
    def bring_about(dealer: Dealer) -> None:
        _to(dealer, phase)
        dealer.draw(BURN)
        dealer.draw(BURN)

    return bring_about


def _seen_burn(dealer: Dealer) -> None:
    _to(dealer, "flop")
    card = dealer.at(BURN)[0]
    dealer.report(Turned(time=0, place=BURN, facing="up", card=card))


def _face_down_flop(dealer: Dealer) -> None:
    _to(dealer, "preflop")
    while dealer.prompt.code != "burn" and dealer.goes_on():
        pass
    for _ in range(3):
        dealer.draw(BOARD, facing="down")


def _stray(dealer: Dealer) -> None:
    _to(dealer, "river")
    dealer.draw(BURN)


def _after_the_hand(dealer: Dealer) -> None:
    _to(dealer, "flop")
    for _ in range(3):
        dealer.fold(dealer.prompt.seat)
        dealer.flush()
    dealer.draw(BOARD, facing="up")


def _declared(dealer: Dealer) -> None:
    _deals(dealer)
    dealer.tell(Keyed(key="misdeal"))


FURTHER: Final[Mapping[tuple[str, str], tuple[Way, ...]]] = {
    ("card-off-table", ""): (Way(_off_table(5)),),
    ("card-off-table", "first"): (Way(_off_table(0)),),
    ("card-off-table", "second"): (Way(_off_table(1)),),
    ("card-off-table", "again"): (Way(_off_table(5, up=(3,))),),
    ("card-off-table", "extra-unseen"): (Way(_off_table(5, extra="down")),),
    ("card-off-table", "extra-seen"): (),
    ("declared-misdeal", ""): (Way(_declared),),
    ("extra-card-mid-deal", ""): (Way(_in_the_deal(at_seat(4), at_seat(4))),),
    ("dealt-to-empty-seat", ""): (Way(_in_the_deal(at_seat(7))),),
    ("first-card-wrong-seat", ""): (Way(_in_the_deal(at_seat(2), up=True)),),
    ("player-skipped", ""): (Way(_in_the_deal(at_seat(4), at_seat(2))),),
    ("out-of-sequence", ""): (Way(_in_the_deal(at_seat(4), BOARD)), Way(_in_the_deal(at_seat(4), BURN))),
    ("player-short-card", ""): (Way(_goes_on_without(3)),),
    ("button-short-card", ""): (Way(_goes_on_without(1)),),
    ("wrong-count-after-action", ""): (Way(_late_extra),),
    ("boxed-card", ""): (Way(_boxed_in("deal", at_seat(4))), Way(_boxed_in("turn-deal", BOARD))),
    ("boxed-cards-two-plus", ""): (Way(_boxed_in("deal", at_seat(4), before=at_seat(4))),),
    ("underfull-flop", ""): (Way(_short_flop(1)), Way(_short_flop(2))),
    ("flop-no-burn", "face-down"): (Way(_face_down_flop, burner=False),),
    ("flop-double-burn", ""): (Way(_second_burn("flop-deal")), Way(_early_second_burn("preflop"))),
    ("flop-double-burn", "street-lies"): (Way(_second_burn("flop-deal", 3)),),
    ("turn-double-burn", ""): (Way(_second_burn("turn-deal")), Way(_early_second_burn("flop"))),
    ("turn-double-burn", "street-lies"): (Way(_second_burn("turn-deal", 1)),),
    ("river-double-burn", ""): (Way(_second_burn("river-deal")), Way(_early_second_burn("turn"))),
    ("river-double-burn", "street-lies"): (Way(_second_burn("river-deal", 1)),),
    ("exposed-burn", ""): (Way(_seen_burn),),
    ("stray-card", ""): (Way(_stray),),
    ("card-after-hand-over", ""): (Way(_after_the_hand),),
}
"""As `remedied.FAULTS`."""
