"""Where a card lies is seen, inferred or stated, and what fits nowhere halts the table."""

from controller.decisions import Alert, Deadline
from controller.events import Arrived, DeadlinePassed, Drew, Turned
from controller.ledger import Evidence
from controller.places import BOARD, BURN, SHOE, Place, at_seat
from controller.table import Table
from tests.controller.hands import World, setup


def playing(until: str, *, antennas: bool = True, burner: bool = True) -> World:
    """A table in the phase `until`."""
    table = World(Table(setup(antennas=antennas)), antennas=antennas, burner=burner)
    table.power_up()
    table.play(until)
    return table


def halted_by(table: World) -> list[str]:
    """The alerts of a table that is halted."""
    assert table.phases[-1] == "halted"
    return [alert.code for alert in table.all_said(Alert)]


def evidence(table: World, place: Place) -> set[Evidence]:
    """How it is known that cards lie at a place."""
    ledger = table.table.ledger
    return {ledger.where(card).evidence for card in ledger.cards(place)}


def test_a_pack_in_the_shoe_is_inferred_and_a_card_on_an_antenna_is_seen() -> None:
    table = playing("flop")
    assert evidence(table, SHOE) == {Evidence.INFERRED}
    assert evidence(table, at_seat(4)) == {Evidence.SEEN}
    assert evidence(table, BOARD) == {Evidence.SEEN}


def test_without_antennas_every_card_lies_by_inference() -> None:
    table = playing("flop", antennas=False)
    for place in (SHOE, at_seat(4), BOARD, BURN):
        assert evidence(table, place) == {Evidence.INFERRED}


def test_the_burners_card_is_inferred_until_the_burn_tray_has_seen_it() -> None:
    table = playing("preflop")
    card = table.order[table.drawn]
    table.tell(Drew(time=0, number=9, what="card", way="burner", cards=(card,)))
    # Not asked for in this phase: the ledger follows it all the same.
    assert table.table.ledger.where(card).place == BURN
    assert table.table.ledger.where(card).evidence is Evidence.INFERRED
    table.tell(Arrived(time=0, place=BURN, facing="down", what="card", card=card))
    assert table.table.ledger.where(card).evidence is Evidence.SEEN


def test_a_card_that_no_antenna_sees_lies_by_inference_after_3_seconds_of_the_shoes_time() -> None:
    table = playing("deal")
    card = table.order[0]
    table.tell(Drew(time=0, number=1, what="card", way="hand", cards=(card,)))
    deadline = table.all_said(Deadline)[-1]
    assert (deadline.device, deadline.ms) == ("shoe", 3_000)
    table.tell(DeadlinePassed(token=deadline.token))
    assert table.table.ledger.where(card).place == at_seat(4)
    assert table.table.ledger.where(card).evidence is Evidence.INFERRED
    assert [alert.code for alert in table.all_said(Alert)] == ["card-not-seen"]
    assert table.phases[-1] == "deal"


def test_a_burn_that_is_turned_face_up_halts_the_table() -> None:
    table = playing("flop")
    table.tell(Turned(time=0, place=BURN, facing="up", card=table.at(BURN)[0]))
    assert halted_by(table) == ["not-ruled-yet"]


def test_the_cut_card_at_the_shoes_lip_halts_the_table() -> None:
    table = playing("flop-deal")
    table.tell(Drew(time=0, number=9, what="cut-card", way="hand"))
    assert halted_by(table) == ["cut-card-drawn"]
