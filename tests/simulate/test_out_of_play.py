"""What a ruling takes out of play counts as aside from then on, until somebody moves it."""

import pytest

from hil_rigs.simulate.out_of_play import OutOfPlay
from hil_rigs.virtual.table import VirtualTable
from tests.simulate.puppet import Puppet, ruled


class Table:
    """A table of cards dealt from a full shoe, and what of them is out of play."""

    def __init__(self) -> None:
        self.table: VirtualTable = Puppet().table
        self.out = OutOfPlay(self.table.felt)

    def deal(self, to: str, count: int = 1) -> list[str]:
        return [card.text for card in self.table.hands.draw(to, count=count, face="up")]

    def move(self, *cards: str, to: str) -> None:
        self.table.hands.move(cards, to)

    def counted(self, place: str) -> list[str]:
        return list(self.out.counted(self.table.zones_of_truth())[place])


@pytest.fixture
def at() -> Table:
    return Table()


def test_a_card_is_aside_as_soon_as_it_is_ruled_on_and_is_counted_once(at: Table) -> None:
    one, two = at.deal("seat:2", 2)
    at.out.ruled(ruled(1, "exposed-later-hole-card", [two], seat=2))
    assert (at.counted("seat:2"), at.counted("aside")) == ([one], [two])
    truth = at.table.zones_of_truth()
    assert sum(map(len, at.out.counted(truth).values())) == sum(map(len, truth.values()))


def test_once_it_is_moved_it_lies_where_it_lies(at: Table) -> None:
    one, two = at.deal("seat:2", 2)
    at.out.ruled(ruled(1, "exposed-later-hole-card", [one], seat=2))
    at.move(one, to="burn")
    assert (at.counted("seat:2"), at.counted("aside"), at.counted("burn")) == ([two], [], [one])


def test_a_card_that_is_only_turned_over_is_still_out(at: Table) -> None:
    (one,) = at.deal("seat:2")
    at.out.ruled(ruled(1, "exposed-later-hole-card", [one], seat=2))
    at.table.hands.move((one,), "seat:2", face="down")
    assert at.counted("aside") == [one]


def test_the_last_cards_of_a_seat_go_out_without_being_named(at: Table) -> None:
    one, two, three, four = at.deal("seat:2", 4)
    at.out.ruled(ruled(1, "extra-card-first-player", seat=2, unseen=1))
    assert (at.counted("seat:2"), at.counted("aside")) == ([one, two, three], [four])
    at.out.ruled(ruled(2, "extra-cards-two-plus", seat=2, unseen=1))
    assert at.counted("seat:2") == [one, two]
    assert sorted(at.counted("aside")) == sorted([three, four])


def test_an_exposed_card_is_none_of_the_last_ones_that_nobody_may_know(at: Table) -> None:
    one, two, three = at.deal("seat:2", 3)
    at.out.ruled(ruled(1, "extra-card-first-player", [three], seat=2, unseen=1))
    assert (at.counted("seat:2"), at.counted("aside")) == ([one], [three, two])


def test_a_ruling_told_again_takes_out_what_is_new_and_not_what_came_back_into_play(at: Table) -> None:
    flop = at.deal("board", 4)
    at.out.ruled(ruled(1, "overfull-flop", flop))
    assert (at.counted("board"), at.counted("aside")) == ([], flop)
    at.move(flop[0], to="aside")
    at.move(flop[0], to="board")
    (fifth,) = at.deal("board")
    at.out.ruled(ruled(1, "overfull-flop", [*flop, fifth]))
    assert (at.counted("board"), at.counted("aside")) == ([flop[0]], [*flop[1:], fifth])


def test_a_ruling_told_again_with_one_more_that_nobody_may_know_takes_one_more_out(at: Table) -> None:
    one, two, three = at.deal("seat:2", 3)
    at.out.ruled(ruled(1, "extra-card-first-player", seat=2, unseen=1))
    at.move(three, to="burn")
    (four,) = at.deal("seat:2")
    at.out.ruled(ruled(1, "extra-card-first-player", seat=2, unseen=2))
    assert (at.counted("seat:2"), at.counted("aside"), at.counted("burn")) == ([one, two], [four], [three])


def test_another_ruling_on_a_card_that_came_back_takes_it_out_again(at: Table) -> None:
    flop = at.deal("board", 3)
    at.out.ruled(ruled(1, "premature-flop", flop))
    at.move(*flop, to="aside")
    at.move(*flop, to="board")
    at.out.ruled(ruled(2, "overfull-flop", flop))
    assert at.counted("aside") == flop


def test_a_ruling_that_is_withdrawn_puts_back_into_play_what_nobody_moved(at: Table) -> None:
    one, two = at.deal("seat:2", 2)
    at.out.ruled(ruled(1, "exposed-two-or-more", [one, two], seat=2))
    at.move(one, to="burn")
    at.out.withdrawn(1)
    assert (at.counted("seat:2"), at.counted("aside"), at.counted("burn")) == ([two], [], [one])
    at.out.withdrawn(1)


def test_what_another_ruling_took_out_as_well_stays_out(at: Table) -> None:
    (one,) = at.deal("seat:2")
    at.out.ruled(ruled(1, "exposed-later-hole-card", [one], seat=2))
    at.out.ruled(ruled(2, "exposed-two-or-more", [one], seat=2))
    at.out.withdrawn(2)
    assert at.counted("aside") == [one]
    at.out.withdrawn(1)
    assert at.counted("aside") == []


def test_a_hand_given_up_at_showdown_stays_where_it_lies(at: Table) -> None:
    cards = at.deal("muck", 2)
    at.out.ruled(ruled(1, "board-not-declared", cards, seat=2, unseen=2))
    assert (at.counted("muck"), at.counted("aside")) == (cards, [])
