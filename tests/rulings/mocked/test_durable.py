"""What a ruling has a machine do leaves only when its cause is on the disk; what is safe leaves at once."""

from collections.abc import Callable

import pytest

from hil_rigs.virtual.codes import Prompt, Type
from tests.rulings.mocked.ways import PROVED
from tests.shell.wires import Wires

Moment = tuple[Callable[[Wires], None], Callable[[Wires], None], list[str]]


def deal(wires: Wires) -> None:
    wires.play_until("deal")


def first_exposed(wires: Wires) -> None:
    wires.table.shoe.let_out("seat:5", face="up")


def one_exposed(wires: Wires) -> None:
    wires.play_until("deal")
    wires.obey()
    wires.lay("seat:9", face="up")


def second_exposed(wires: Wires) -> None:
    wires.table.shoe.let_out("seat:2", face="up")


def dealt(wires: Wires) -> None:
    wires.play_until("preflop")


def extra_elsewhere(wires: Wires) -> None:
    wires.table.shoe.let_out("seat:9")


def one_extra(wires: Wires) -> None:
    wires.play_until("preflop")
    wires.table.shoe.let_out("seat:5")


def second_extra(wires: Wires) -> None:
    wires.table.shoe.let_out("seat:5")


def flop(wires: Wires) -> None:
    wires.play_until("flop")


def fourth_card(wires: Wires) -> None:
    wires.table.shoe.let_out("board", face="up")


def early_next_street(street: str) -> Callable[[Wires], None]:
    """The first card of the next street comes while the last player has yet to act."""

    def before(wires: Wires) -> None:
        wires.play_until(street)
        wires.obey(2)
        wires.table.shoe.let_out("board", face="up")
        wires.settle()
        wires.obey()

    return before


def last_act(wires: Wires) -> None:
    wires.table.hands.act(2, "check")


def last_act_before_the_flop(wires: Wires) -> None:
    wires.table.hands.act(9, "check")


FREED = ["shoe RELEASE_LID"]
MOMENTS: dict[str, Moment] = {
    "exposed-first-hole-card": (deal, first_exposed, FREED),
    "exposed-two-or-more": (one_exposed, second_exposed, FREED),
    "extra-card-other-seat": (dealt, extra_elsewhere, FREED),
    "extra-cards-two-plus": (one_extra, second_extra, FREED),
    "overfull-flop": (flop, fourth_card, FREED),
    "premature-flop": (early_next_street("preflop"), last_act_before_the_flop, FREED),
    "premature-turn": (early_next_street("flop"), last_act, ["shoe BURN"]),
    "premature-river": (early_next_street("turn"), last_act, FREED),
}


@pytest.mark.parametrize("rule", MOMENTS)
def test_the_first_command_of_a_ruling_waits_for_its_cause_to_be_on_the_disk(wires: Wires, rule: str) -> None:
    before, cause, orders = MOMENTS[rule]
    before(wires)
    wires.settle()
    wires.sent()
    wires.journal.held = True
    cause(wires)
    wires.pass_time()
    assert wires.decided[-1] == rule
    assert wires.sent() == []
    wires.let_go()
    assert wires.sent() == orders
    assert wires.ruled == wires.decided


def test_the_dealer_is_told_of_a_misdeal_before_its_cause_is_on_the_disk(wires: Wires) -> None:
    deal(wires)
    wires.settle()
    wires.journal.held = True
    first_exposed(wires)
    wires.pass_time()
    assert wires.shown is Prompt.GATHER_MISDEAL
    assert wires.sent() == []


def test_a_gate_is_locked_before_and_the_lid_freed_after_a_misdeal_is_on_the_disk(gated: Wires) -> None:
    deal(gated)
    gated.settle()
    gated.sent()
    gated.journal.held = True
    first_exposed(gated)
    gated.pass_time()
    assert gated.sent() == ["shoe LOCK"]
    gated.let_go()
    assert gated.sent() == FREED


def test_a_gate_is_locked_at_the_bare_draw_of_an_overfull_flop_with_nothing_on_the_disk(gated: Wires) -> None:
    flop(gated)
    gated.settle()
    gated.sent()
    gated.journal.held = gated.zones_wait = True
    fourth_card(gated)
    gated.pass_time()
    assert gated.sent() == ["shoe LOCK"]
    gated.zones_wait = False
    gated.pass_time()
    assert (gated.decided, gated.ruled) == (["overfull-flop"], []), "the doors hear when it is on the disk"
    assert gated.sent() == []
    gated.let_go()
    assert gated.sent() == FREED


def test_a_gate_opens_for_a_replacement_only_when_the_last_card_of_the_deal_is_on_the_disk(
    gated: Wires,
) -> None:
    one_exposed(gated)
    gated.obey(3)
    gated.sent()
    gated.journal.held = True
    gated.table.hands.draw("seat:2")
    gated.pass_time()
    assert gated.shown is Prompt.REPLACE_EXPOSED
    assert gated.sent() == []
    gated.let_go()
    assert gated.sent() == ["shoe UNLOCK"]


def test_a_gate_that_is_shut_is_not_opened_by_an_order_that_still_waited_for_the_disk(gated: Wires) -> None:
    one_exposed(gated)
    gated.obey(3)
    gated.sent()
    gated.journal.held = True
    gated.table.hands.draw("seat:2")
    gated.pass_time()
    gated.table.hands.press("floor")
    gated.pass_time()
    assert gated.sent() == ["shoe LOCK"]
    gated.let_go()
    assert gated.sent() == []
    assert not gated.table.shoe.gate_open


def test_the_draw_that_made_a_fault_is_acknowledged_behind_the_command_that_follows(wires: Wires) -> None:
    deal(wires)
    wires.settle()
    known = wires.frames("shoe")[-1].ack
    wires.journal.held = True
    first_exposed(wires)
    wires.pass_time()
    assert wires.frames("shoe")[-1].ack == known
    wires.let_go()
    frames = wires.frames("shoe")
    freed = next(
        at for at, frame in enumerate(frames) if frame.type == Type.RELEASE_LID and frame.ack == known
    )
    assert all(frame.ack <= known for frame in frames[: freed + 1])
    assert frames[-1].ack > known


def test_the_set_of_an_overfull_flop_is_fed_only_when_the_key_is_on_the_disk(wires: Wires) -> None:
    flop(wires)
    fourth_card(wires)
    wires.obey_until_shown(Prompt.GATHER_BOARD)
    wires.obey()
    wires.journal.held = True
    wires.table.hands.press("ack")
    wires.pass_time()
    assert wires.sent() == []
    wires.let_go()
    assert wires.sent() == PROVED


def test_every_command_of_a_reshuffle_waits_for_the_answer_before_it_to_be_on_the_disk(wires: Wires) -> None:
    flop(wires)
    fourth_card(wires)
    wires.obey_until_shown(Prompt.GATHER_BOARD)
    wires.obey()
    wires.journal.held = True
    wires.table.hands.press("ack")
    for order in PROVED:
        wires.pass_time()
        assert wires.sent() == []
        wires.journal.durable = wires.journal.last
        wires.pass_time()
        assert wires.sent() == [order]
