"""The key `exposed` without a seat, when the last card off the shoe is a burn: it was seen, and stays one."""

from controller.decisions import CardLay, Refused, Ruled
from controller.events import Arrived, Drew, Keyed, Turned
from controller.places import BOARD, BURN
from controller.table import Table
from tests.controller.hands import World, setup
from tests.controller.remedied import Dealer


def burned(facing: str) -> World:
    """The dealer has burned before the flop, and the flop is due."""
    table = World(Table(setup()), burner=False)
    table.power_up()
    while table.prompt.code != "burn" and table.obey():
        pass
    card = table.order[table.drawn]
    table.drawn += 1
    table.lies[card] = BURN
    table.tell(Drew(time=0, number=9, what="card", way="hand", cards=(card,)))
    table.tell(Arrived(time=0, place=BURN, facing=facing, what="card", card=card))  # type: ignore[arg-type]
    return table


def test_the_key_says_that_the_burn_was_seen_and_optics_that_see_it_face_down_keep_it_unnamed() -> None:
    for facing, named in (("down", False), ("unknown", True)):
        table = burned(facing)
        table.tell(Keyed(key="exposed"))
        (told,) = table.all_said(Ruled)
        assert (told.rule, told.place, bool(told.cards)) == ("exposed-burn", BURN, named)
        assert table.prompt.code == "burn-seen"
        table.tell(Keyed(key="ack"))
        assert table.prompt.code == "deal-flop"
        table.play("done")
        assert table.phases[-1] == "done"


def test_a_second_burn_is_its_street_and_named_once_it_lies_face_up_on_the_board() -> None:
    table = Dealer(Table(setup()))
    table.power_up()
    table.play("turn-deal")
    second = table.draw(BURN)
    assert table.prompt.code == "burn-to-board"
    table.carry(second, BOARD, facing="down")
    assert (table.table.phase, table.prompt.code) == ("turn-deal", "burn-to-board")
    assert second not in str(table.said)
    table.report(Turned(time=0, place=BOARD, facing="up", card=second))
    table.flush()
    assert (table.table.phase, table.all_said(CardLay)[-1].card) == ("turn", second)


def test_with_a_seat_it_means_a_card_there() -> None:
    table = burned("down")
    table.tell(Keyed(key="exposed", seat=9))
    assert (table.all_said(Ruled), table.all_said(Refused)[-1].what) == ([], "exposed of seat 9")
