"""Antennas report late, early and in any order, and the table decides the same."""

import random

from controller.cards import Card, in_order
from controller.decisions import Alert, AnyDecision, Deadline, PhaseEntered, Ruled
from controller.events import Acted, ActionName, Arrived, DeadlinePassed, Drew, Turned
from controller.places import BOARD, BURN, MUCK, SHOE, Place, at_seat
from controller.table import Table
from tests.controller.hands import World, setup

ACTS: tuple[tuple[tuple[int, ActionName, int], ...], ...] = (
    ((2, "fold", 0), (3, "check-or-call", 0), (4, "check-or-call", 0), (1, "check-or-call", 0)),
    ((4, "fold", 0), (1, "bet-or-raise", 20), (3, "check-or-call", 0)),
    ((1, "check-or-call", 0), (3, "check-or-call", 0)),
    ((1, "bet-or-raise", 20), (3, "fold", 0)),
)
"""The players' acts of a hand of four with the button on seat 3, street by street."""


class Hurried(World):
    """A dealer and players who wait for no antenna: its words come whenever the dice let them."""

    dice: random.Random | None = None

    def now_and_then(self) -> None:
        """Some of the words that wait, a tag's own in their order; all of them where there are no dice."""
        while self.held_back and (self.dice is None or self.dice.random() < 0.4):
            chosen = self.dice.choice(self.held_back) if self.dice else self.held_back[0]
            card = getattr(chosen, "card", None)
            first = next(event for event in self.held_back if getattr(event, "card", None) == card)
            self.held_back.remove(first)
            self.tell(first)


def at_the_deal(dice: random.Random | None = None, **of_the_table: object) -> Hurried:
    made = Hurried(Table(setup()), burner=False, shuffle_reports=random.Random(0))
    for name, value in of_the_table.items():
        setattr(made, name, value)
    made.power_up()
    made.play("deal")
    made.dice = dice
    return made


def hand_of_four(dice: random.Random | None) -> tuple[list[AnyDecision], list[tuple[Card, ...]]]:
    table = at_the_deal(dice)
    for seat in (4, 1, 2, 3) * 2:
        table.draw(at_seat(seat))
        table.now_and_then()
    for street, acts in enumerate(ACTS):
        for _ in range((0, 3, 1, 1)[street]):
            table.draw(BOARD, facing="up")
            table.now_and_then()
        for seat, action, amount in acts:
            table.tell(Acted(seat=seat, action=action, amount=amount))
            if action == "fold":
                table.muck(seat)
            table.now_and_then()
        if street < 3:
            table.draw(BURN)
            table.now_and_then()
    table.dice = None
    table.now_and_then()
    said: list[AnyDecision] = [decision for decision in table.said if not isinstance(decision, Deadline)]
    return said, [in_order(table.table.ledger.cards(place)) for place in (BOARD, BURN, MUCK, SHOE)]


def test_nobody_waits_for_the_antennas_and_every_decision_is_the_same() -> None:
    at_once, lies = hand_of_four(None)
    assert [d.phase for d in at_once if isinstance(d, PhaseEntered)][-1] == "done"
    assert not [d for d in at_once if isinstance(d, Alert)]
    for seed in range(150):
        assert hand_of_four(random.Random(seed)) == (at_once, lies)


def test_a_fold_waits_for_the_last_card_of_the_deal_and_its_cards_in_the_muck_wait_for_the_fold() -> None:
    table = at_the_deal()
    for seat in (4, 1, 2, 3, 4, 1, 2):
        table.draw(at_seat(seat))
    table.flush()
    last = table.draw(at_seat(3))
    late = table.held_back.pop()
    table.fold(2)
    table.flush()
    assert table.phases[-1] == "deal"
    assert table.table.ledger.count(MUCK) == 0
    table.tell(late)
    assert table.phases[-1] == "preflop"
    assert table.prompt.seat == 3
    assert table.table.ledger.cards(at_seat(3))[-1] == last
    assert table.table.ledger.count(MUCK) == 2
    assert not table.all_said(Alert)


def drew(table: World, card: Card) -> Drew:
    table.drawn += 1
    return Drew(time=0, number=table.drawn, what="card", way="hand", cards=(card,))


def lies(card: Card, place: Place) -> Arrived:
    return Arrived(time=0, place=place, facing="down", what="card", card=card)


def test_an_antenna_that_is_quicker_than_the_shoe_changes_nothing() -> None:
    table = at_the_deal()
    first = table.order[0]
    table.tell(lies(first, at_seat(4)))
    table.tell(Turned(time=0, place=at_seat(4), facing="up", card=first))
    assert table.table.ledger.where(first).place == SHOE
    table.tell(drew(table, first))
    assert table.table.ledger.cards(at_seat(4)) == (first,)
    assert not table.all_said(Alert)
    for token in [d.token for d in table.all_said(Deadline) if d.device == "zones"]:
        table.tell(DeadlinePassed(token=token))
    assert table.phases[-1] == "deal"


def test_a_card_that_lies_on_the_table_and_never_left_the_shoe_halts_the_hand() -> None:
    table = at_the_deal()
    stray = table.order[30]
    table.tell(lies(stray, BOARD))
    assert table.phases[-1] == "deal"
    opened = [d for d in table.all_said(Deadline) if d.device == "zones"]
    table.tell(DeadlinePassed(token=opened[-1].token))
    assert table.phases[-1] == "halted"
    assert [told.rule for told in table.all_said(Ruled)] == ["duplicate-card"]
    assert table.table.ledger.cards(BOARD) == (stray,)


def test_a_card_in_flight_that_moves_on_before_it_counts_is_followed_to_where_it_lies() -> None:
    table = at_the_deal()
    first, second = table.order[:2]
    table.tell(drew(table, first))
    table.tell(drew(table, second))
    table.tell(lies(second, at_seat(1)))
    table.tell(lies(second, at_seat(2)))
    assert table.phases[-1] == "deal"
    table.tell(lies(first, at_seat(4)))
    assert table.phases[-1] == "halted"
    assert table.table.ledger.cards(at_seat(4)) == (first,)
    assert table.table.ledger.cards(at_seat(2)) == (second,)
