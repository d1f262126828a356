"""Where a card lies is seen, inferred or stated, and what fits nowhere halts the table."""

from controller.decisions import Alert, Deadline, Ruled
from controller.events import AnyEvent, Arrived, DeadlinePassed, Drew, Keyed, Turned
from controller.ledger import Evidence
from controller.places import BOARD, BURN, MUCK, SHOE, Place, at_seat
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


class BurnTrayHeard(World):
    """A table that keeps how it was known where a burn lies just before the burn tray said so."""

    before: tuple[Place, Evidence] | None = None

    def report(self, event: AnyEvent) -> None:
        """The burn tray's word comes."""
        if isinstance(event, Arrived) and event.place == BURN and event.card is not None:
            held = self.table.ledger.where(event.card)
            self.before = held.place, held.evidence
        super().report(event)


def test_the_burners_card_is_inferred_until_the_burn_tray_has_seen_it() -> None:
    table = BurnTrayHeard(Table(setup()))
    table.power_up()
    table.play("flop-deal")
    assert table.before == (BURN, Evidence.INFERRED)
    assert evidence(table, BURN) == {Evidence.SEEN}


def test_a_card_of_the_burner_that_nobody_asked_for_is_the_floors() -> None:
    table = playing("preflop")
    card = table.draw(BURN, way="burner")
    assert halted_by(table) == ["floor-decides"]
    assert [said.rule for said in table.all_said(Ruled)] == ["stray-card"]
    assert table.table.ledger.where(card).place == BURN


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


def test_a_card_carried_off_and_back_while_another_is_on_its_way_lies_where_it_was_seen_last() -> None:
    table = playing("deal")
    first, second = table.order[:2]
    for number, card in enumerate((first, second), start=1):
        table.tell(Drew(time=0, number=number, what="card", way="hand", cards=(card,)))
    for place in (at_seat(1), MUCK, at_seat(1)):
        table.tell(Arrived(time=0, place=place, facing="down", what="card", card=second))
    table.tell(Arrived(time=0, place=at_seat(4), facing="down", what="card", card=first))
    held = table.table.ledger.where(second)
    assert (held.place, held.evidence) == (at_seat(1), Evidence.SEEN)


def test_a_burn_that_is_turned_face_up_stays_the_burn_and_the_dealer_announces_it() -> None:
    table = playing("flop")
    (burn,) = table.at(BURN)
    table.tell(Turned(time=0, place=BURN, facing="up", card=burn))
    (ruled,) = table.all_said(Ruled)
    assert (ruled.rule, ruled.cards, ruled.remedy) == ("exposed-burn", (burn,), "burn-stays")
    assert table.prompt.code == "burn-seen"
    table.tell(Keyed(key="ack", seat=0))
    table.play("done")
    assert (table.phases[-1], table.at(BURN)[0], table.all_said(Alert)) == ("done", burn, [])


def test_the_cut_card_at_the_shoes_lip_halts_the_table() -> None:
    table = playing("flop-deal")
    table.tell(Drew(time=0, number=9, what="cut-card", way="hand"))
    assert halted_by(table) == ["cut-card-drawn"]
