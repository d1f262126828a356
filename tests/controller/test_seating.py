"""Between hands: where the button and the blinds go, who is dealt in, and what he owes."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import Card
from controller.events import EntryName, SeatChangeName
from controller.games import Game
from controller.seating import HandSeats, Seating, highest
from tests.controller.seats import BIG, SMALL, hand, seating, wish


def buttons(table: Seating, hands: int) -> list[int]:
    return [hand(table).button for _ in range(hands)]


def big_blinds(table: Seating, hands: int) -> list[int]:
    return [max(begun.forced.live, key=begun.forced.live.__getitem__) for begun in _hands(table, hands)]


def _hands(table: Seating, hands: int) -> Iterator[HandSeats]:
    for _ in range(hands):
        yield hand(table)


# The button


def test_the_first_who_sat_down_has_the_first_button_and_it_moves_clockwise() -> None:
    assert buttons(seating(7, 2, 9), 5) == [7, 9, 2, 7, 9]


def test_a_first_button_at_a_seat_where_nobody_plays_goes_to_the_next_player() -> None:
    table = seating(2, 5, 9, button=5)
    table.stacks[5] = 0
    assert buttons(table, 1) == [9]


def test_the_button_passes_over_a_seat_without_chips() -> None:
    table = seating(1, 2, 3)
    assert buttons(table, 1) == [1]
    table.stacks[2] = 0
    assert buttons(table, 3) == [3, 1, 3]


def test_heads_up_the_button_has_the_small_blind() -> None:
    begun = hand(seating(4, 8, button=8))
    assert (begun.order, begun.button) == ((4, 8), 8)
    assert begun.forced.live == {4: BIG, 8: SMALL}
    assert begun.forced.opener == 8


def test_blinds_are_left_of_the_button_and_the_button_is_dealt_last() -> None:
    begun = hand(seating(1, 3, 5, 9, button=5))
    assert begun.order == (9, 1, 3, 5)
    assert (begun.forced.live, begun.forced.opener) == ({9: SMALL, 1: BIG}, 3)


@pytest.mark.parametrize(
    ("blinds", "live"),
    [((20,), {2: 20}), ((5, 10, 20), {2: 5, 3: 10, 4: 20}), ((5, 5, 10, 20), {2: 5, 3: 5, 4: 10, 1: 20})],
)
def test_one_three_or_more_blinds_are_laid_from_the_first_seat_left_of_the_button(
    blinds: tuple[int, ...], live: dict[int, int]
) -> None:
    assert hand(seating(1, 2, 3, 4, button=1, blinds=blinds)).forced.live == live


@given(st.sets(st.integers(1, 11), min_size=2), st.integers(2, 30))
@settings(max_examples=100)
def test_the_moving_button_never_skips_or_repeats_a_player(seats: set[int], hands: int) -> None:
    table = seating(*sorted(seats))
    seen = buttons(table, hands)
    assert seen == [sorted(seats)[i % len(seats)] for i in range(hands)]


@given(st.randoms(use_true_random=True))
@settings(max_examples=200)
def test_whoever_comes_and_goes_the_button_goes_to_the_next_player_dealt_in(chance: random.Random) -> None:
    table = seating(1, 4, 8, 11)
    before = hand(table)
    for _ in range(20):
        stayed = set(before.order)
        stayed.discard(_somebody_comes_or_goes(table, chance))
        if not table.can_play:
            return
        begun = hand(table)
        passed = {
            seat for seat in begun.order if _steps(before.button, seat) < _steps(before.button, begun.button)
        }
        # Whoever comes in with this hand was not there when the button moved.
        assert not passed & stayed
        assert begun.button != before.button
        assert begun.order[-1] == begun.button
        before = begun


def _steps(start: int, seat: int) -> int:
    return (seat - start - 1) % 11


def _somebody_comes_or_goes(table: Seating, chance: random.Random) -> int:
    """The seat at which it happens."""
    changes: tuple[SeatChangeName, ...] = ("sit", "leave", "out", "back", "add")
    change, seat = chance.choice(changes), chance.randint(1, 11)
    wish(table, seat, change, 500, chance.choice(("wait", "post")))
    return seat


@given(st.randoms(use_true_random=True), st.sampled_from(["moving", "dead"]))
@settings(max_examples=200)
def test_every_hand_has_its_blinds_and_nobody_without_chips_is_dealt_in(
    chance: random.Random, rule: str
) -> None:
    table = seating(2, 5, 6, button_rule=rule)
    for _ in range(25):
        _somebody_comes_or_goes(table, chance)
        if not table.can_play:
            return
        begun = table.begin_hand()
        assert len(begun.order) >= 2
        assert len(set(begun.order)) == len(begun.order)
        assert all(table.stacks[seat] for seat in begun.order)
        assert begun.forced.price == BIG
        assert sum(chips == BIG for chips in begun.forced.live.values()) >= 1
        assert begun.forced.opener in begun.order
        table.hand_is_over()
        if chance.random() < 0.2:
            table.stacks[chance.choice(begun.order)] = 0


# The dead button


def test_with_the_dead_button_nobody_pays_a_big_blind_twice_or_not_at_all() -> None:
    table = seating(1, 2, 3, 4, 5, button_rule="dead")
    assert big_blinds(table, 2) == [3, 4]
    wish(table, 4, "leave")
    assert big_blinds(table, 4) == [5, 1, 2, 3]


def test_the_small_blind_of_a_seat_that_is_empty_is_not_posted_and_then_the_button_is_dead() -> None:
    table = seating(1, 2, 3, 4, button_rule="dead")
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 3, "leave")
    begun = hand(table)
    assert (begun.button, begun.order, begun.forced.live) == (2, (4, 1, 2), {4: BIG})
    begun = hand(table)
    assert (begun.button, begun.order, begun.forced.live) == (3, (4, 1, 2), {4: SMALL, 1: BIG})


def test_when_two_are_left_the_next_big_blind_is_as_due_and_the_other_has_the_button() -> None:
    table = seating(1, 2, 3, button_rule="dead")
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 2, "leave")
    begun = hand(table)
    assert (begun.button, begun.forced.live) == (3, {1: BIG, 3: SMALL})


def test_with_the_dead_button_a_newcomer_comes_in_where_the_big_blind_reaches_him() -> None:
    table = seating(1, 2, 3, button_rule="dead")
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 5, "sit", 500)
    begun = hand(table)
    assert (begun.button, begun.order, begun.forced.live) == (2, (3, 5, 1, 2), {3: SMALL, 5: BIG})


# Coming, going, owing


def test_a_newcomer_waits_for_the_big_blind() -> None:
    table = seating(1, 2, 3)
    hand(table)  # button 1, big blind 3
    assert wish(table, 5, "sit", 500) == ""
    begun = hand(table)  # button 2, small blind 3: the big blind reaches seat 5
    assert (begun.order, begun.forced.live) == ((3, 5, 1, 2), {3: SMALL, 5: BIG})


def test_a_newcomer_who_posts_a_big_blind_is_dealt_in_with_the_next_hand() -> None:
    table = seating(1, 2, 3, 9)
    hand(table)  # button 1
    wish(table, 11, "sit", 500, "post")
    begun = hand(table)  # button 2, blinds 3 and 9
    assert begun.order == (3, 9, 11, 1, 2)
    assert begun.forced.live == {3: SMALL, 9: BIG, 11: BIG}
    assert begun.forced.opener == 11


def test_without_blinds_nobody_has_to_wait_for_one() -> None:
    table = seating(1, 2, 3, blinds=(0, 0), ante=1)
    hand(table)
    wish(table, 5, "sit", 500)
    assert hand(table).order == (3, 5, 1, 2)


def test_what_was_posted_is_not_owed_any_more() -> None:
    table = seating(1, 2, 3, 4, 9)
    hand(table)  # button 1
    wish(table, 11, "sit", 500, "post")
    assert 11 in hand(table).order  # button 2, blinds 3 and 4
    wish(table, 11, "out")
    wish(table, 11, "back")
    assert 11 in hand(table).order  # button 3, blinds 4 and 9


def test_nobody_posts_between_the_button_and_the_big_blind() -> None:
    table = seating(1, 2, 5, 9)
    hand(table)
    wish(table, 3, "sit", 500, "post")
    assert hand(table).order == (5, 9, 1, 2)  # button 2: seat 3 is before the big blind
    assert hand(table).order == (9, 1, 2, 3, 5)  # button 5 has passed


def test_blinds_missed_are_posted_the_big_one_live_and_the_small_one_dead() -> None:
    table = seating(1, 2, 3, 4, 5)
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 4, "out")
    for _ in range(2):
        assert 4 not in hand(table).order  # big and small blind pass seat 4
    wish(table, 4, "back", entry="post")
    begun = hand(table)  # button 5
    assert begun.forced.live == {1: SMALL, 2: BIG, 4: BIG}
    assert begun.forced.dead == {4: SMALL}


def test_a_small_blind_that_fell_on_his_empty_seat_is_owed_dead() -> None:
    table = seating(1, 2, 4, 6, 9, button_rule="dead")
    hand(table)  # button 1, blinds 2 and 4
    wish(table, 4, "out")
    begun = hand(table)  # button 2: nobody posts the small blind of seat 4
    assert (4 in begun.order, begun.forced.live) == (False, {6: BIG})
    wish(table, 4, "back", entry="post")
    begun = hand(table)  # button 4
    assert (begun.forced.live, begun.forced.dead) == ({6: SMALL, 9: BIG}, {4: SMALL})


def test_who_sits_out_until_the_blinds_reach_him_owes_nothing() -> None:
    table = seating(1, 2, 3, 4, 5, 6)
    hand(table)  # blinds 2 and 3
    wish(table, 6, "out")
    assert 6 not in hand(table).order  # blinds 3 and 4
    wish(table, 6, "back")
    begun = hand(table)
    assert 6 in begun.order
    assert (6 in begun.forced.live, begun.forced.dead) == (False, {})


def test_who_comes_back_and_does_not_post_waits_for_the_big_blind() -> None:
    table = seating(1, 2, 3, 4)
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 4, "out")
    hand(table)  # button 2, blinds 3 and 1
    wish(table, 4, "back")
    orders = [hand(table) for _ in range(4)]
    first = next(begun for begun in orders if 4 in begun.order)
    assert first.forced.live[4] == BIG
    assert first.forced.dead == {}


def test_who_lost_all_and_buys_chips_after_the_blinds_have_passed_comes_back_like_one_who_was_out() -> None:
    table = seating(1, 2, 3, 4)
    hand(table)  # button 1, blinds 2 and 3
    table.stacks[4] = 0
    hand(table)  # blinds 3 and 1: the big blind passes seat 4
    wish(table, 4, "add", 300)
    assert 4 not in hand(table).order  # button 3: seat 4 is before the big blind
    wish(table, 4, "back", entry="post")
    assert hand(table).forced.live.get(4) == BIG


def test_where_two_cannot_be_found_those_who_wait_are_dealt_in_and_owe_nothing() -> None:
    table = seating(1, 2)
    hand(table)
    wish(table, 2, "leave")
    possible = [table.can_play]
    wish(table, 6, "sit", 500)
    assert [*possible, table.can_play] == [False, True]
    begun = hand(table)
    assert (begun.order, begun.forced.dead) == ((6, 1)[:: 1 if begun.button == 1 else -1], {})


def test_what_concerns_a_player_in_the_hand_counts_when_it_is_over() -> None:
    table = seating(1, 2, 3)
    table.begin_hand()
    wish(table, 2, "add", 500)
    wish(table, 3, "leave")
    assert table.stacks == {1: 1000, 2: 1000, 3: 1000}
    table.hand_is_over()
    assert table.stacks == {1: 1000, 2: 1500}
    wish(table, 1, "add", 7)
    assert table.stacks == {1: 1007, 2: 1500}


def test_who_is_about_to_leave_has_no_further_wish() -> None:
    table = seating(1, 2, 3)
    table.begin_hand()
    wish(table, 3, "leave")
    assert wish(table, 3, "add", 500) == "nobody sits at seat 3"


@pytest.mark.parametrize(
    ("seat", "change", "chips", "why"),
    [
        (2, "sit", 100, "seat 2 is taken"),
        (5, "sit", 0, "seat 5 sits down without chips"),
        (12, "sit", 100, "there are seats 1 to 11"),
        (5, "leave", 0, "nobody sits at seat 5"),
        (5, "add", 100, "nobody sits at seat 5"),
        (2, "add", 0, "seat 2 adds no chips"),
        (2, "back", 0, "seat 2 is playing already"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    seat: int, change: SeatChangeName, chips: int, why: str
) -> None:
    assert wish(seating(1, 2, 3), seat, change, chips) == why


def test_omaha_has_cards_for_ten() -> None:
    table = seating(*range(1, 11), game=Game.OMAHA)
    assert wish(table, 11, "sit", 100) == "10 seats are taken: there are no cards for another"


# The draw for the button


def test_the_highest_card_of_the_draw_has_the_button_by_rank_then_spades_hearts_diamonds_clubs() -> None:
    drawn = {1: "Kd", 4: "Ah", 6: "As", 9: "Ad", 11: "Ac"}
    order = []
    cards = {seat: Card(card) for seat, card in drawn.items()}
    while cards:
        order.append(highest(cards))
        del cards[order[-1]]
    assert order == [6, 4, 9, 11, 1]


def test_a_tournament_draws_and_takes_nobody_afterwards() -> None:
    table = seating(1, 2, button="draw")
    assert wish(table, 3, "sit", 100) == ""
    table.begin_draw()
    assert table.draws == (1, 2, 3)
    due = [table.draw_is_due]
    table.button_drawn(3)
    assert [*due, table.draw_is_due] == [True, False]
    assert hand(table).button == 3
    assert "tournament" in wish(table, 5, "sit", 100)
    assert "tournament" in wish(table, 2, "out")


@pytest.mark.parametrize(
    ("blinds", "live"),
    [((5, 10, 20), {1: 20, 2: 10}), ((5, 5, 10), {1: 10, 2: 5}), ((5, 10), {1: 10, 2: 5})],
)
def test_where_fewer_play_than_there_are_blinds_the_largest_is_still_posted(
    blinds: tuple[int, ...], live: dict[int, int]
) -> None:
    begun = hand(seating(1, 2, button=2, blinds=blinds))
    assert (begun.forced.live, begun.forced.price) == (live, max(blinds))


def test_four_blinds_become_three_without_the_smallest_when_a_player_leaves() -> None:
    table = seating(1, 2, 3, 4, blinds=(2, 3, 5, 10))
    hand(table)
    wish(table, 4, "leave")
    assert sorted(hand(table).forced.live.values()) == [3, 5, 10]


# Tables that shrink and grow


def test_from_heads_up_the_dead_button_goes_to_the_seat_before_the_small_blind() -> None:
    table = seating(1, 2, 3, button_rule="dead")
    hand(table)  # button 1, blinds 2 and 3
    wish(table, 3, "out")
    assert hand(table).button == 2  # heads-up: the big blind is seat 1
    wish(table, 3, "back")
    begun = hand(table)
    assert (begun.button, begun.forced.live) == (3, {1: SMALL, 2: BIG})


@pytest.mark.parametrize("blinds", [(5, 10, 20), (2, 5, 10)])
def test_with_as_many_blinds_as_players_nobody_posts_his_way_in(blinds: tuple[int, ...]) -> None:
    table = seating(1, 2, 3, blinds=blinds)
    hand(table)
    wish(table, 5, "sit", 500, "post")
    begun = hand(table)
    assert sorted(begun.forced.live.values()) == sorted(blinds)
    assert begun.forced.price == max(blinds)


def test_with_three_blinds_and_two_players_a_third_comes_in_on_the_big_one() -> None:
    table = seating(3, 8, blinds=(2, 5, 10), button=3)
    assert hand(table).forced.live == {3: 5, 8: 10}
    wish(table, 5, "sit", 500)
    begun = hand(table)  # the button moves to 8; left of it is 3, then 5
    assert (begun.order, begun.forced.live) == ((3, 5, 8), {3: 5, 5: 10})


def test_of_two_equal_blinds_both_are_posted_and_the_second_is_the_big_one() -> None:
    for rule in ("moving", "dead"):
        begun = hand(seating(1, 2, 3, 4, blinds=(BIG, BIG), button_rule=rule))
        assert (begun.forced.live, begun.forced.opener) == ({2: BIG, 3: BIG}, 4)


def test_without_blinds_there_is_no_dead_button() -> None:
    assert buttons(seating(1, 2, 3, blinds=(0, 0), button_rule="dead"), 4) == [1, 2, 3, 1]


@given(st.randoms(use_true_random=True))
@settings(max_examples=300)
def test_whoever_comes_and_goes_the_big_blind_is_posted_and_nobody_posts_more(
    chance: random.Random,
) -> None:
    blinds = chance.choice([(5, 10), (10,), (5, 10, 20), (2, 3, 5, 10), (10, 10)])
    dead = len(blinds) == 2 and chance.random() < 0.5
    table = seating(2, 5, 6, 9, blinds=blinds, button_rule="dead" if dead else "moving")
    for _ in range(25):
        _somebody_comes_or_goes(table, chance)
        if not table.can_play:
            return
        begun = table.begin_hand()
        assert begun.forced.price == max(blinds)
        assert begun.forced.opener in begun.order
        assert max(begun.forced.live.values()) == max(blinds)
        assert set(begun.forced.live.values()) <= set(blinds)
        table.hand_is_over()


@pytest.mark.parametrize(
    ("seats", "newcomer", "entry"),
    [((1, 2, 3, 9), 11, "post"), ((1, 2, 5, 8), 7, "wait"), ((1, 2, 5, 8), 7, "post")],
)
def test_a_void_hand_whose_button_belonged_elsewhere_is_dealt_again_to_whoever_came_in_with_it(
    seats: tuple[int, ...], newcomer: int, entry: EntryName
) -> None:
    table = seating(*seats)
    hand(table)
    wish(table, newcomer, "sit", 500, entry)
    assert newcomer in table.begin_hand().order  # by a post, or the big blind reaches him
    belongs = table.button_belongs(newcomer)
    assert table.hand_is_void()
    table.hand_is_over()
    again = table.begin_hand()
    assert (again.button, again.order, again.forced) == (newcomer, belongs.order, belongs.forced)
