"""Board cards that come before `next`, where the key alone is followed: the dealer is asked first."""

import random

import pytest

from controller.decisions import Alert, CardLay, Command, Deadline, LateNext, Prompt, Refused, Ruled
from controller.events import (
    Arrived,
    DeadlinePassed,
    DeviceLost,
    KeypadReady,
    ShoeReady,
    ShoeState,
    Turned,
)
from controller.ledger import Facing
from controller.places import ASIDE, BOARD, BURN, MUCK, at_seat
from tests.controller.hands import World
from tests.controller.players import in_round, press, throw_one


def asked(phase: str = "preflop", *, cards: int = 1, burned: bool = True, **of_the_table: object) -> World:
    """Cards came to the board in the round; a burn lay before them or none."""
    table = in_round(phase, World, **of_the_table)
    if burned:
        table.draw(BURN)
    for _ in range(cards):
        table.draw(BOARD, facing="up")
    assert table.prompt.code == "betting-complete"
    return table


def rules(table: World) -> list[tuple[str, str, int]]:
    """The rulings as they were told last: rule, phase and how many cards."""
    told = {ruled.number: ruled for ruled in table.all_said(Ruled)}
    return [(ruled.rule, ruled.phase, len(ruled.cards)) for ruled in told.values()]


def last_refusal(table: World) -> str:
    return table.all_said(Refused)[-1].why


EARLY = [("preflop", 3, "premature-flop"), ("flop", 1, "premature-turn"), ("turn", 1, "premature-river")]


@pytest.mark.parametrize(("phase", "cards", "rule"), EARLY)
def test_the_dealer_is_asked_before_anything_is_ruled(phase: str, cards: int, rule: str) -> None:
    table = asked(phase, cards=cards)
    assert rules(table) == []
    assert table.phases[-1] == phase
    assert ("shoe", 10_000) in [(d.device, d.ms) for d in table.all_said(Deadline)]


@pytest.mark.parametrize("answer", ["yes", "next"])
@pytest.mark.parametrize(("phase", "cards", "rule"), EARLY)
def test_a_late_next_is_the_ordinary_street(phase: str, cards: int, rule: str, answer: str) -> None:
    table = asked(phase, cards=cards)
    board = table.at(BOARD)
    press(table, answer)
    street = {"preflop": "flop", "flop": "turn", "turn": "river"}[phase]
    assert table.phases[-2:] == [f"{street}-deal", street]
    assert table.all_said(LateNext) == [LateNext(phase=phase)]  # type: ignore[arg-type]
    assert list(table.table.ledger.cards(BOARD)) == board
    assert table.prompt.code == "betting"
    table.play("done")
    assert (rules(table), table.all_said(Refused), table.all_said(Alert)) == ([], [], [])
    assert len(table.at(BOARD)) == 5
    assert len(table.at(BURN)) == 3


@pytest.mark.parametrize(("phase", "cards", "rule"), EARLY)
def test_no_is_ruled_on_in_the_round_that_was_open(phase: str, cards: int, rule: str) -> None:
    table = asked(phase, cards=cards)
    press(table, "no")
    assert rules(table) == [(rule, phase, cards)]
    assert table.phases[-1] == phase
    assert not table.all_said(LateNext)


def test_silence_is_no() -> None:
    answered, silent = asked(cards=2), asked(cards=2)
    press(answered, "no")
    (token,) = silent.table.open_deadlines
    silent.tell(DeadlinePassed(token=token))
    assert silent.said == answered.said
    silent.tell(DeadlinePassed(token=token))
    assert silent.said == answered.said


def test_an_answer_in_time_counts_though_a_card_before_it_is_seen_late() -> None:
    table = asked()
    (token,) = table.table.open_deadlines
    table.shuffle_reports = random.Random(0)
    table.draw(BOARD, facing="up")
    press(table, "next")
    table.tell(DeadlinePassed(token=token))
    assert not table.all_said(LateNext)
    table.flush()
    assert len(table.all_said(LateNext)) == 1
    assert rules(table) == []


def test_an_answer_too_late_answers_nothing_though_a_card_before_the_deadline_is_seen_late() -> None:
    table = asked()
    (token,) = table.table.open_deadlines
    table.shuffle_reports = random.Random(0)
    table.draw(BOARD, facing="up")
    table.tell(DeadlinePassed(token=token))
    press(table, "yes")
    table.flush()
    assert rules(table) == [("premature-flop", "preflop", 2)]
    assert last_refusal(table) == "nothing was asked that this key answers"


def test_where_a_part_of_the_flop_lies_the_rest_is_due() -> None:
    table = asked(cards=1, gate=True)
    press(table, "yes")
    assert table.prompt == Prompt(code="deal-flop", count=2)
    assert table.phases[-1] == "flop-deal"
    commands = [(d.command, d.cards) for d in table.all_said(Command)]
    assert commands[-2:] == [("lock", 0), ("unlock", 2)]
    table.draw(BOARD, facing="up")
    table.draw(BOARD, facing="up")
    assert table.phases[-1] == "flop"
    assert rules(table) == []


def test_only_the_cards_that_are_missing_are_asked_for() -> None:
    table = asked(cards=2)
    press(table, "yes")
    assert [prompt.count for prompt in table.all_said(Prompt) if prompt.code == "deal-flop"] == [1]


@pytest.mark.parametrize("burner", [True, False])
@pytest.mark.parametrize(("cards", "asks"), [(3, "unload-shoe"), (2, "deal-flop")])
def test_a_late_flop_that_no_burn_was_made_for_lies_without_burn(burner: bool, cards: int, asks: str) -> None:
    table = asked(cards=cards, burned=False, burner=burner)
    press(table, "yes")
    assert table.prompt.code == asks
    if cards == 2:
        assert (rules(table), table.prompt.count) == ([], 1)
        table.draw(BOARD, facing="up")
    assert rules(table) == [("flop-no-burn", "preflop", 3)]


def test_a_late_turn_that_no_burn_was_made_for_lies_without_burn() -> None:
    table = in_round("turn")
    table.draw(BOARD, facing="up")
    press(table, "yes")
    assert rules(table) == [("river-no-burn", "turn", 1)]


def test_what_was_drawn_after_a_late_street_is_held_against_that_street() -> None:
    table = asked(cards=4)
    press(table, "yes")
    assert [rule for rule, *_ in rules(table)] == ["overfull-flop"]


def test_one_late_street_after_the_other_is_asked_about_twice() -> None:
    table = asked(cards=3)
    table.draw(BURN)
    table.draw(BOARD, facing="up")
    press(table, "yes")
    assert table.phases[-1] == "flop"
    assert table.prompt.code == "betting-complete"
    press(table, "yes")
    assert table.phases[-1] == "turn"
    assert [late.phase for late in table.all_said(LateNext)] == ["preflop", "flop"]
    assert rules(table) == []


def test_a_further_card_after_no_grows_the_ruling_without_another_question() -> None:
    table = asked(cards=2)
    press(table, "no")
    table.draw(BOARD, facing="up")
    assert rules(table) == [("premature-flop", "preflop", 3)]
    assert table.codes().count("betting-complete") == 1


def test_a_fourth_card_at_once_is_too_many_without_a_question() -> None:
    table = in_round("flop")
    table.draw(BOARD, facing="up")
    assert [rule for rule, *_ in rules(table)] == ["overfull-flop"]
    assert "betting-complete" not in table.codes()


def test_where_a_remedy_holds_the_street_no_card_can_be_its_first() -> None:
    table = asked("flop")
    press(table, "no")
    table.draw(BOARD, facing="up")
    assert [rule for rule, *_ in rules(table)] == ["premature-turn", "premature-river"]
    assert table.codes().count("betting-complete") == 1


def test_a_hand_that_is_mucked_leaves_and_the_question_stands() -> None:
    table = asked(cards=3)
    table.muck(2)
    press(table, "muck", 1)
    assert table.prompt.code == "betting-complete"
    assert rules(table) == []
    press(table, "yes")
    assert table.phases[-1] == "flop"
    for _ in range(2):  # the key may say once what the cards have said
        press(table, "muck", 2)
    assert last_refusal(table) == "seat 2 holds no hand"


def test_the_key_says_after_the_cards_that_a_hand_left_and_nothing_is_refused() -> None:
    table = asked(cards=3)
    table.muck(2)
    press(table, "muck", 2)
    assert (table.prompt.code, table.all_said(Refused)) == ("betting-complete", [])


def test_a_seat_that_is_out_already_leaves_nobody_alone() -> None:
    table = asked(cards=3)
    table.muck(4)
    table.muck(1)
    for _ in range(2):
        press(table, "muck", 4)
    assert last_refusal(table) == "seat 4 holds no hand"
    assert (table.prompt.code, rules(table)) == ("betting-complete", [])


@pytest.mark.parametrize("by", ["cards", "key"])
def test_with_one_hand_left_the_cards_are_ruled_on_and_the_hand_is_over(by: str) -> None:
    table = asked(cards=3)
    for seat in (4, 1, 2):
        table.muck(seat) if by == "cards" else press(table, "muck", seat)
    assert rules(table) == [("premature-flop", "preflop", 3)]
    assert table.phases[-1] == "done"
    assert table.prompt == Prompt(code="push-pot", seat=3, seats=(3,))
    assert not table.table.open_deadlines


def test_a_yes_to_a_part_of_a_hand_that_leaves_one_has_the_cards_ruled_on_first() -> None:
    table = asked()
    table.muck(4)
    table.muck(1)
    throw_one(table, 2)
    table.draw(BOARD, facing="up")
    assert (table.prompt.code, rules(table)) == ("folded", [])
    press(table, "yes")
    assert rules(table) == [("premature-flop", "preflop", 2)]
    assert (table.phases[-1], table.prompt) == ("done", Prompt(code="push-pot", seat=3, seats=(3,)))


@pytest.mark.parametrize("thrown", ["whole", "part"])
def test_what_was_held_until_a_hand_left_may_be_the_floors(thrown: str) -> None:
    table = asked()
    table.muck(4)
    table.muck(1)
    if thrown == "part":
        throw_one(table, 2)
    table.draw(ASIDE)
    if thrown == "part":
        assert table.prompt.code == "folded"
        press(table, "yes")
    else:
        table.muck(2)
    assert (table.phases[-1], table.prompt.code) == ("halted", "call-floor")
    assert rules(table) == [("premature-flop", "preflop", 1), ("stray-card", "preflop", 0)]
    assert table.all_said(Refused) == []


@pytest.mark.parametrize("seed", range(400))
def test_whatever_comes_while_the_dealer_is_asked_the_hand_goes_on_or_is_won_or_the_floors(seed: int) -> None:
    chance = random.Random(seed)
    table = in_round(chance.choice(("preflop", "flop", "turn")))
    table.draw(BOARD, facing=chance.choice(("up", "down")))
    for _ in range(chance.randint(2, 9)):
        if table.phases[-1] not in ("done", "halted"):
            anything(table, chance)
    ends = {"done": ["push-pot"], "halted": ["call-floor"]}.get(table.phases[-1], [])
    assert [code for code in table.codes() if code in ("push-pot", "call-floor")] == ends


def anything(table: World, chance: random.Random) -> None:
    """A card is drawn or carried somewhere, a hand or a part of it is thrown away, or a key is pressed."""
    seat = chance.randint(1, 4)
    places = (BOARD, BURN, ASIDE, MUCK, at_seat(seat))
    match chance.choice(("draw", "carry", "throw", "throw", "part", "key")):
        case "draw":
            table.draw(chance.choice(places), facing=chance.choice(("up", "down")))
        case "carry":
            cards = table.at(chance.choice(places[:-1]))
            if cards:
                table.carry(chance.choice(cards), chance.choice(places), facing=chance.choice(("up", "down")))
        case "throw":
            table.muck(seat)
        case "part" if table.at(at_seat(seat)):
            throw_one(table, seat)
        case _:
            press(table, chance.choice(("yes", "no", "next", "undo", "ack", "muck", "exposed")), seat)


@pytest.mark.parametrize("key", ["ack", "exposed", "undo", "misdeal", "plays-board"])
def test_any_other_key_is_refused_with_the_reason(key: str) -> None:
    table = asked()
    press(table, key, 1)
    assert last_refusal(table) == "the prompt asks whether the betting is complete: yes or no"
    assert table.prompt.code == "betting-complete"
    press(table, "yes")
    assert len(table.all_said(LateNext)) == 1


@pytest.mark.parametrize("key", ["yes", "no"])
@pytest.mark.parametrize("phase", ["deal", "preflop", "flop-deal", "showdown", "done"])
def test_where_nothing_is_asked_yes_and_no_are_refused(phase: str, key: str) -> None:
    table = in_round(phase)
    press(table, key)
    assert last_refusal(table) == "nothing was asked that this key answers"


def test_the_key_floor_halts_and_nothing_is_ruled() -> None:
    table = asked(cards=2)
    press(table, "floor")
    assert (table.phases[-1], table.prompt.code, rules(table)) == ("halted", "call-floor", [])
    assert list(table.table.ledger.cards(BOARD)) == table.at(BOARD)
    press(table, "yes")
    assert last_refusal(table) == "the table is halted: the floor decides"
    assert not table.table.open_deadlines


def test_a_shoe_that_restarts_halts_the_hand_and_nothing_is_ruled() -> None:
    table = asked()
    table.tell(ShoeReady(gate=False, burner=True, restarted=True))
    table.tell(ShoeState(lid="locked", content="cards"))
    assert [d.code for d in table.all_said(Alert)] == ["alignment-required"]
    assert (table.phases[-1], rules(table)) == ("halted", [])


def test_a_keypad_that_restarts_finds_the_question_again() -> None:
    table = asked()
    table.tell(DeviceLost(device="keypad", why="no word"))
    assert table.prompt.code == "device-lost"
    table.tell(KeypadReady(acts=False, restarted=True))
    assert table.prompt.code == "betting-complete"
    press(table, "next")
    assert len(table.all_said(LateNext)) == 1


@pytest.mark.parametrize(("answer", "phase"), [("no", "flop"), ("yes", "halted")])
def test_an_early_card_that_is_laid_aside_before_the_answer_lies_right_only_if_it_was_early(
    answer: str, phase: str
) -> None:
    table = asked("flop")
    card = table.at(BOARD)[-1]
    table.report(Arrived(time=0, place=ASIDE, facing="up", what="card", card=card))
    press(table, answer)
    assert table.phases[-1] == phase
    assert table.prompt.code == ("betting" if answer == "no" else "call-floor")


def test_a_late_card_that_lay_face_down_is_told_when_it_is_turned() -> None:
    table = in_round()
    table.draw(BURN)
    card = table.draw(BOARD)
    table.report(Turned(time=0, place=BOARD, facing="up", card=card))
    table.draw(BOARD, facing="up")
    table.draw(BOARD, facing="up")
    press(table, "yes")
    assert table.phases[-1] == "flop"
    assert table.table.ledger.where(card).facing is Facing.UP
    told = [(d.place, d.card) for d in table.all_said(CardLay) if d.place == BOARD]
    assert told[:2] == [(BOARD, None), (BOARD, card)]


def test_a_card_too_many_at_a_seat_is_held_behind_the_question() -> None:
    table = asked()
    table.draw(at_seat(4))
    assert rules(table) == []
    press(table, "no")
    assert [rule for rule, *_ in rules(table)] == ["premature-flop", "extra-card-first-player"]


@pytest.mark.parametrize("closed_by", ["next", "two mucked hands"])
def test_the_window_of_the_deal_closes_with_next_or_two_mucked_hands(closed_by: str) -> None:
    table = in_round(burner=False)
    press(table, "exposed", 4)
    press(table, "undo")
    if closed_by == "next":
        press(table, "next")
    else:
        press(table, "muck", 2)
        press(table, "exposed", 4)
        press(table, "undo")
        press(table, "muck", 1)
    assert table.phases[-1] == "preflop"
    press(table, "exposed", 4)
    assert (table.phases[-1], table.all_said(Alert)[-1].code) == ("halted", "ruling-too-late")
