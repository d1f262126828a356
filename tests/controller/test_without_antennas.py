"""Where no antenna sees a card come to rest: what the order of the stub says, and what the dealer answers."""

import pytest

from controller.decisions import Alert, AnyDecision, Command, PlayedAfterAll, Refused, Ruled, Withdrawn
from controller.events import Acted, DeadlinePassed, Drew, Keyed, ShoeState
from controller.irregularities import StreetsSoFar
from controller.ledger import Evidence
from controller.natural_order import natural_place
from controller.places import ASIDE, BOARD, BURN, MUCK, TRANSIT, Place, at_seat
from controller.table import Table
from tests.controller.hands import ALL_PLACES, World, setup
from tests.controller.players import press


def blind(phase: str, **of_the_table: object) -> World:
    """A table without antennas at the beginning of a phase."""
    table = World(Table(setup(antennas=False, **of_the_table)), antennas=False)  # type: ignore[arg-type]
    table.power_up()
    table.play(phase)
    return table


def last_ruling(table: World) -> Ruled:
    return table.all_said(Ruled)[-1]


def rules(table: World) -> list[str]:
    """The rulings that were not taken back."""
    gone = {withdrawn.number for withdrawn in table.all_said(Withdrawn)}
    return [told.rule for told in table.all_said(Ruled) if told.number not in gone]


def acts(table: World, count: int) -> None:
    for _ in range(count):
        table.tell(Acted(seat=table.prompt.seat, action="check-or-call"))


# The order of the stub


def so_far(
    lying: int, early: int = 0, *, unspent: int = 0, acts: int = 0, since_last_ms: int = 9_999
) -> StreetsSoFar:
    return StreetsSoFar(
        phase="preflop",
        lying=lying,
        early=early,
        burned=unspent,
        unspent=unspent,
        acts=acts,
        betting_to_come=True,
        since_last_ms=since_last_ms,
    )


@pytest.mark.parametrize(
    ("found", "place"),
    [
        (so_far(0), BURN),
        (so_far(0, unspent=1), BOARD),
        (so_far(0, 1), BOARD),
        (so_far(0, 2), BOARD),
        (so_far(0, 3), BURN),
        (so_far(0, 3, since_last_ms=2_000), BOARD),
        (so_far(3), BURN),
        (so_far(3, unspent=1), BOARD),
        (so_far(3, since_last_ms=2_000), BOARD),
        (so_far(3, since_last_ms=2_001), BURN),
        (so_far(3, acts=1, since_last_ms=0), BURN),
        (so_far(3, 1), BURN),
        (so_far(4), BURN),
        (so_far(4, since_last_ms=0), BURN),
        (so_far(4, unspent=1), BOARD),
        (so_far(3, 2), None),
        (so_far(5), None),
    ],
)
def test_a_card_is_the_next_of_the_natural_order(found: StreetsSoFar, place: Place | None) -> None:
    assert natural_place(found, settle_ms=2_000) == place


def test_a_burn_and_a_flop_before_the_betting_is_over_are_ruled_on_as_inferred() -> None:
    table = blind("preflop")
    table.draw(BURN)
    assert rules(table) == []
    for _ in range(3):
        table.draw(BOARD)
    told = last_ruling(table)
    assert (told.rule, told.evidence, told.unseen) == ("premature-flop", "inferred", 3)
    assert table.table.ledger.where(table.at(BURN)[0]).evidence is Evidence.INFERRED


def test_a_card_of_which_it_is_inferred_that_it_lies_on_the_board_is_not_named() -> None:
    table = blind("flop")
    hidden = table.draw(at_seat(2))
    said: list[AnyDecision] = table.said
    assert last_ruling(table).rule == "overfull-flop"
    assert [made for made in said if hidden in repr(made)] == []


def test_where_no_rule_has_another_card_it_is_a_stray_that_lies_nobody_knows_where() -> None:
    table = blind("river")
    card = table.draw(MUCK)
    told = last_ruling(table)
    assert (told.rule, told.place, told.cards) == ("stray-card", TRANSIT, ())
    assert table.table.phase == "halted"
    assert table.table.ledger.where(card).place == TRANSIT


def test_after_the_hand_a_card_means_nothing() -> None:
    table = blind("done")
    table.draw(BOARD)
    assert rules(table) == ["card-after-hand-over"]
    assert table.table.phase == "done"


def test_where_one_place_lacks_an_antenna_a_card_that_none_has_seen_lies_there() -> None:
    places = tuple(place for place in ALL_PLACES if place != BURN)
    table = World(Table(setup()), places=places)
    table.power_up()
    table.play("flop")
    acts(table, 1)
    card = table.order[table.drawn]
    table.drawn += 1
    table.tell(Drew(time=0, number=table.drawn, what="card", way="hand", cards=(card,)))
    overdue = max(table.table.open_deadlines)
    table.tell(DeadlinePassed(token=overdue))
    assert table.table.ledger.where(card).place == BURN
    assert table.table.phase == "flop"


# The dealer says yes


@pytest.mark.parametrize("key", ["yes", "ack"])
def test_no_key_of_the_dealer_names_a_card_and_yes_says_that_it_is_so(key: str) -> None:
    table = blind("flop")
    acts(table, 1)
    table.draw(BURN)
    early = table.draw(BOARD)
    assert table.prompt.code == "early-aside"
    press(table, key)
    told = last_ruling(table)
    assert (told.evidence, told.cards) == ("stated" if key == "yes" else "inferred", ())
    assert [made for made in table.said if early in repr(made)] == []


def test_what_the_dealer_has_said_yes_to_he_does_not_say_no_to() -> None:
    table = blind("preflop")
    table.draw(BURN)
    table.draw(BOARD)
    press(table, "yes")
    press(table, "no")
    assert "nothing" in table.all_said(Refused)[-1].why


# The dealer says no


def test_no_makes_a_fourth_card_on_the_flop_the_burn_of_the_turn() -> None:
    table = blind("flop")
    table.draw(BURN)
    assert (table.table.phase, table.prompt.code) == ("flop-deal", "unload-shoe")
    press(table, "no")
    assert (table.table.phase, rules(table)) == ("flop", [])
    table.play("done")
    assert len(table.at(BURN)) == 3
    assert table.table.ledger.count(BOARD) == 5


def test_no_with_a_seat_makes_it_one_too_many_at_that_hand() -> None:
    table = blind("preflop")
    table.draw(at_seat(4))
    press(table, "no", 4)
    told = last_ruling(table)
    assert (told.rule, told.seat, told.evidence) == ("extra-card-first-player", 4, "stated")
    assert table.prompt.code == "extra-to-burn"


def test_no_where_a_burn_was_inferred_says_that_none_was_made() -> None:
    table = blind("flop")
    acts(table, 1)
    table.draw(BOARD)
    table.draw(BOARD)
    assert rules(table) == ["premature-turn"]
    press(table, "no")
    assert rules(table) == ["premature-turn", "premature-river"]
    assert table.table.ledger.count(BURN) == 1


def test_no_twice_leaves_nothing_that_the_order_could_say_and_the_floor_decides() -> None:
    table = blind("preflop")
    table.draw(at_seat(1))
    table.draw(MUCK)
    press(table, "no")
    press(table, "no")
    assert [alert.code for alert in table.all_said(Alert)][-1:] == ["card-not-seen"]
    assert table.table.phase == "halted"


def test_an_act_that_was_made_meanwhile_stands() -> None:
    table = blind("flop")
    acts(table, 1)
    table.draw(BOARD)
    table.draw(BOARD)
    acts(table, 1)
    asked = table.prompt
    press(table, "no")
    acts(table, 2)
    assert asked.code == "early-aside"
    assert table.table.phase == "flop"


def test_no_is_too_late_once_the_stub_is_out_of_the_shoe() -> None:
    table = blind("flop")
    table.draw(BURN)
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="empty"))
    press(table, "no")
    assert "the stub is out of the shoe already" in table.all_said(Refused)[-1].why
    assert rules(table) == ["overfull-flop"]


@pytest.mark.parametrize("key", ["yes", "no"])
def test_a_key_answers_nothing_where_nothing_was_ruled(key: str) -> None:
    table = blind("preflop")
    table.draw(BURN)
    before = len(table.said)
    press(table, key)
    assert [type(said) for said in table.said[before:]] == [Refused]


def test_what_the_dealer_says_no_to_is_dealt_on_by_the_rule() -> None:
    table = blind("flop-deal")
    for _ in range(3):
        table.draw(BOARD)
    table.draw(BURN)
    table.tell(Keyed(key="no"))
    table.play("done")
    assert table.phases[-1] == "done"
    assert [c.command for c in table.all_said(Command)].count("burn") == 2
    assert table.all_said(PlayedAfterAll) == []


def test_every_card_that_was_held_is_ruled_on_though_one_before_it_halts_the_hand() -> None:
    table = blind("turn", follow="dealer-key")
    for _ in range(4):
        table.draw(BOARD)
    press(table, "yes")
    assert (table.table.phase, rules(table)[-1], last_ruling(table).unseen) == ("halted", "stray-card", 2)
    assert table.table.ledger.count(BOARD) == 5


def test_a_card_that_joins_a_set_after_the_others_were_laid_aside_is_confirmed_by_ack() -> None:
    table = blind("turn")
    acts(table, 1)
    table.draw(BURN)
    table.draw(BOARD)
    press(table, "ack")
    acts(table, 3)
    assert table.prompt.code == "unload-shoe"
    joined = table.draw(BOARD)
    assert table.prompt.code == "early-aside"
    press(table, "ack")
    assert (table.prompt.code, table.table.ledger.where(joined).place) == ("unload-shoe", ASIDE)


def test_no_never_takes_a_set_away_that_another_ruling_waits_for() -> None:
    table = blind("preflop")
    press(table, "misdeal")
    table.draw(MUCK)
    press(table, "no", 4)
    assert table.all_said(Refused)[-1].why == "a set that another ruling wants is on its way: call the floor"
    assert (table.table.phase, table.prompt.code) == ("misdeal", "gather-misdeal")
    table.play("done")
    assert table.table.phase == "done"
