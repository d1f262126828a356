"""What no device sees: the floor says what happened, by the id of the rulebook, and that is ruled on."""

import pytest

from controller.decisions import Command, Prompt, Ruled
from controller.events import Acted, Drew, ShoeState
from controller.loading_steps import Step
from controller.places import ASIDE, BOARD, BURN, MUCK, SHOE, TRANSIT, at_seat
from controller.table import Table
from tests.controller.hands import setup
from tests.controller.remedied import Dealer, what_is_wrong
from tests.e2e.tables import Json
from tests.e2e.test_fault_acts import played, rules, until
from tests.floor.halts import codes, decided, found, halted, not_found, press, refused, table_at
from tests.rulebook.layout import accept, choose
from tests.rulebook.layout import found as said

WASH = choose("shuffle-stub", "nobody knows the order")


def dealer_at(phase: str, *, gate: bool = False, burner: bool = True) -> Dealer:
    """A hand that was brought to a phase by hands that obey every step."""
    table = Dealer(Table(setup()), gate=gate, burner=burner)
    table.power_up()
    while phase not in table.phases and table.goes_on():
        pass
    return table


def played_out(table: Dealer) -> Dealer:
    while table.table.phase not in ("done", "halted") and table.goes_on():
        pass
    assert (table.table.phase, what_is_wrong(table)) == ("done", [])
    return table


# What may be told


def test_what_was_found_is_a_ruling_as_of_the_phase_that_was_halted_and_waits_for_the_floor() -> None:
    table = halted(table_at("turn"))
    ruled = found(table, "stub-dropped")
    (told,) = table.all_said(Ruled)
    assert (told.rule, told.phase, told.remedy, told.seat) == ("stub-dropped", "turn", "restore-stub", None)
    assert (ruled.decided, ruled.ruling, ruled.code, ruled.who) == ("found", 1, "floor-called", "Ann")
    assert codes(table) == ["floor-called", "floor-decides"]
    assert (table.table.phase, table.prompt.code) == ("halted", "call-floor")


@pytest.mark.parametrize(
    ("rule", "seat", "why"),
    [
        ("no-such", 0, "it tells button-misplaced, missed-burn-acted"),
        ("overfull-flop", 0, "overfull-flop is not told by the floor"),
        ("stub-dropped", 2, "is about no seat"),
    ],
)
def test_what_is_not_for_a_person_to_say_is_refused(rule: str, seat: int, why: str) -> None:
    assert why in not_found(halted(table_at("flop")), rule, seat)


@pytest.mark.parametrize("phase", ["idle", "shuffle", "river", "showdown", "done"])
def test_where_no_card_comes_from_the_stub_any_more_it_does_not_matter_that_it_fell(phase: str) -> None:
    table = halted(table_at(phase))
    assert "stub" in not_found(table, "stub-dropped")


def test_where_nothing_is_halted_nothing_is_found() -> None:
    assert "not halted" in not_found(table_at("flop"), "stub-dropped")


def test_one_matter_is_decided_after_the_other() -> None:
    table = halted(table_at("flop"))
    found(table, "stub-dropped")
    assert "stub-dropped waits for its decision" in not_found(table, "stub-dropped")
    decided(table, "stand")
    assert table.table.phase == "flop"
    found(halted(table), "stub-dropped")
    assert [told.number for told in table.all_said(Ruled)] == [1, 2]


def test_what_becomes_of_a_card_that_was_moved_is_decided_before_anything_is_found() -> None:
    table = table_at("flop")
    stray = table.draw(MUCK)
    decided(table, "stand")
    table.carry(stray, BOARD)
    assert codes(table)[-1] == "card-moved"
    assert "decide first what becomes of that card" in not_found(table, "button-misplaced", 1)
    decided(table, "stand")
    assert table.table.ledger.count(BOARD) == 3


def test_a_hand_that_is_finished_by_hand_has_no_ruling() -> None:
    table = halted(table_at("flop"))
    decided(table, "by-hand")
    assert "finished by hand" in not_found(halted(table), "stub-dropped")


def test_a_remedy_for_the_stub_puts_nothing_else_right() -> None:
    table = table_at("preflop")
    for _ in range(2):
        table.obey()
    table.turn_up(1)
    press(table, "exposed", 1)
    assert "is for the stub" in refused(table, "choose", "shuffle-stub")


# A stub that fell


@pytest.mark.parametrize("phase", ["deal", "preflop", "flop-deal", "flop", "turn-deal", "turn", "river-deal"])
@pytest.mark.parametrize("decision", ["accept", "choose"])
@pytest.mark.parametrize("burner", [True, False])
def test_what_was_due_comes_from_the_stub_once_it_is_in_the_shoe_again(
    phase: str, decision: str, burner: bool
) -> None:
    table = dealer_at(phase, gate=True, burner=burner)
    if phase in ("deal", "flop-deal"):
        table.draw(at_seat(4) if phase == "deal" else BOARD, facing="down" if phase == "deal" else "up")
    due = len(table.state.due)
    found(halted(table), "stub-dropped")
    decided(table, "accept") if decision == "accept" else decided(table, "choose", "shuffle-stub")
    assert table.state.due == []
    while table.table._loading.step is not None:
        assert table.goes_on()
    assert len(table.state.due) == due
    if due:
        last = [command for command in table.all_said(Command) if command.device == "shoe"][-1]
        assert (last.command, last.cards) == ("unlock", due)
    shuffles = [c for c in table.all_said(Command) if c.command == "shuffle"]
    assert len(shuffles) == (1 if decision == "accept" else 2)
    assert len(played_out(table).at(BURN)) == 3


@pytest.mark.parametrize("decision", ["accept", "choose"])
def test_a_stub_that_lies_about_under_an_open_lid_is_put_in_by_the_remedy(decision: str) -> None:
    table = dealer_at("flop")
    table.tell(ShoeState(lid="open", content="cards"))
    assert codes(table) == ["lid-open"]
    table.tell(ShoeState(lid="open", content="empty"))
    found(table, "stub-dropped")
    assert "lid is open" in refused(table, "stand")
    decided(table, "accept") if decision == "accept" else decided(table, "choose", "shuffle-stub")
    if decision == "accept":
        assert table.prompt.code == "restore-stub"
        table.tell(ShoeState(lid="locked", content="cards"))
        assert table.prompt.code == "act-check"
    else:
        assert table.prompt.code == "unload-shoe"
        table.tell(ShoeState(lid="locked", content="empty"))
        assert table.prompt.code == "gather-stub"
    played_out(table)


def test_a_lid_that_is_shut_over_nothing_is_freed_again() -> None:
    table = dealer_at("flop")
    found(halted(table), "stub-dropped")
    decided(table, "accept")
    table.tell(ShoeState(lid="open", content="empty"))
    table.tell(ShoeState(lid="locked", content="empty"))
    assert codes(table)[-1] == "shoe-empty"
    assert table.table._loading.step is Step.RESTORE
    played_out(table)


def test_a_halt_while_the_stub_is_put_back_changes_nothing() -> None:
    table = dealer_at("flop")
    found(halted(table), "stub-dropped")
    decided(table, "accept")
    table.tell(ShoeState(lid="open", content="empty"))
    halted(table)
    table.tell(ShoeState(lid="locked", content="cards"))
    decided(table, "stand")
    assert table.prompt.code == "act-check"
    played_out(table)


@pytest.mark.parametrize("lies", ["in flight", "out of play"])
def test_a_card_drawn_while_the_stub_is_to_be_put_back_is_not_put_back_with_it(lies: str) -> None:
    table = dealer_at("flop")
    found(halted(table), "stub-dropped")
    decided(table, "accept")
    stub = table.table.ledger.cards(SHOE)
    if lies == "in flight":
        card = table.order[table.drawn]
        table.tell(Drew(time=0, number=9, what="card", way="hand", cards=(card,)))
    else:
        card = table.draw(MUCK)
        assert (table.table.phase, table.all_said(Ruled)[-1].rule) == ("halted", "stray-card")
        decided(table, "stand")
    table.tell(ShoeState(lid="open", content="cards"))
    table.tell(ShoeState(lid="locked", content="cards"))
    assert table.table._loading.step is None
    assert table.table.ledger.cards(SHOE) == tuple(left for left in stub if left != card)
    assert table.table.ledger.where(card).place == (TRANSIT if lies == "in flight" else ASIDE)


@pytest.mark.parametrize("step", [Step.LAY_IN, Step.CUT_CARD, Step.LOAD])
def test_a_pack_that_fell_on_its_way_is_laid_in_once_more(step: Step) -> None:
    table = dealer_at("flop-deal")
    for _ in range(4):
        table.draw(BOARD, facing="up")
    while table.table._loading.step is not step:
        assert table.goes_on()
    found(halted(table), "stub-dropped")
    assert table.all_said(Ruled)[-1].remedy == "shuffle-stub"
    decided(table, "accept")
    assert table.table._loading.step is Step.LAY_IN
    assert len(table.table._loading._pack.cards) == 52 - 8 - 1  # the board is in, the burn is not
    played_out(table)
    assert len(table.table.ledger.cards(SHOE)) == 52 - 8 - 8


def test_a_pack_that_is_in_the_machine_cannot_have_fallen() -> None:
    table = dealer_at("flop-deal")
    table.slow = True
    for _ in range(4):
        table.draw(BOARD, facing="up")
    while table.table._loading.step is not Step.FEED:
        assert table.goes_on()
    assert "lies in the shuffler" in not_found(halted(table), "stub-dropped")


# A stub that met other cards


def mixed_after_a_fold() -> Dealer:
    """One hand is folded on the flop, and the stub has met muck and burns."""
    table = dealer_at("flop")
    table.fold(table.prompt.seat)
    found(halted(table), "stub-mixed")
    return table


def test_a_folded_hand_that_was_shuffled_in_is_nobodys_any_more() -> None:
    table = mixed_after_a_fold()
    folded = table.at(MUCK)
    decided(table, "accept")
    while table.table._loading.step is not None:
        assert table.goes_on()
    ledger, deal = table.table.ledger, table.state.deal
    assert (ledger.cards(MUCK), ledger.cards(BURN)) == ((), ())
    assert all(ledger.where(card).place == SHOE and deal.owner(card) is None for card in folded)
    assert len(ledger.cards(SHOE)) == 52 - 6 - 3
    assert len(played_out(table).at(BURN)) == 2  # the flop's burn was made, and is in the stub


def test_the_floor_may_let_the_burns_lie_and_shuffle_the_muck_alone() -> None:
    table = mixed_after_a_fold()
    burn = table.at(BURN)
    decided(table, "choose", "shuffle-with-muck")
    assert played_out(table).at(BURN)[:1] == burn


def test_what_a_stub_has_not_met_goes_into_no_shuffle() -> None:
    table = dealer_at("flop")
    found(halted(table), "stub-mixed")
    assert "no card lies in the muck" in refused(table, "choose", "shuffle-with-muck")
    decided(table, "stand")
    found(halted(table), "stub-dropped")
    assert "is for the mixed stub" in refused(table, "choose", "shuffle-with-burns")


def test_where_neither_muck_nor_burns_lie_there_is_nothing_to_meet() -> None:
    assert "no card lies in the muck or the burn tray" in not_found(halted(dealer_at("deal")), "stub-mixed")


def test_cards_of_a_live_hand_come_back_out_of_the_muck_before() -> None:
    table = dealer_at("flop")
    seat = table.prompt.seat
    table.carry(table.at(at_seat(seat))[0], MUCK)
    assert f"cards of seat {seat}" in not_found(halted(table), "stub-mixed")


def test_a_folded_hand_that_reached_the_muck_while_the_floor_came_lies_there_when_it_is_mixed_in() -> None:
    table = dealer_at("flop")
    seat = table.prompt.seat
    table.tell(Acted(seat=seat, action="fold"))
    halted(table)
    hand = table.at(at_seat(seat))
    table.muck(seat)
    found(table, "stub-mixed")
    decided(table, "accept")
    assert table.table._loading.step is Step.UNLOAD
    assert {table.table.ledger.where(card).place for card in hand} == {MUCK}


def asked_once_mixed(table: Dealer, step: Step) -> list[str]:
    """Four cards on the flop: the set for the shuffle is at a step when it meets what lies about. Returns
    what the dealer is asked to bring together then, until the hand is played out."""
    for _ in range(4):
        table.draw(BOARD, facing="up")
    while table.table._loading.step is not step:
        assert table.goes_on()
    halted(table)
    before = len(table.codes())
    found(table, "stub-mixed")
    decided(table, "accept")
    played_out(table)
    asked = [code for code in table.codes()[before:] if code.startswith(("gather-", "scramble-"))]
    return list(dict.fromkeys(asked))


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (Step.CUT_BY_HAND, ["scramble-with-both"]),
        (Step.LOAD, ["scramble-with-both"]),
        (Step.SCRAMBLE, ["scramble-board", "scramble-with-both"]),
        (Step.UNLOAD, ["scramble-board", "scramble-with-both"]),
    ],
)
def test_a_pack_that_is_washed_by_hand_is_washed_with_what_it_met(step: Step, asked: list[str]) -> None:
    table = Dealer(Table(setup()), min_cards=52)
    table.power_up()
    while "flop-deal" not in table.phases:
        assert table.goes_on()
        if table.table.phase == "preflop" and not table.at(MUCK):
            table.fold(table.prompt.seat)
    assert asked_once_mixed(table, step) == asked
    assert len(table.at(BURN)) == 2


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (Step.CUT_CARD, ["gather-with-burns"]),
        (Step.LOAD, ["gather-with-burns"]),
        (Step.LAY_IN, ["gather-board", "gather-with-burns"]),
        (Step.UNLOAD, ["gather-board", "gather-with-burns"]),
    ],
)
def test_a_pack_that_is_laid_in_is_laid_in_with_what_it_met(step: Step, asked: list[str]) -> None:
    table = dealer_at("flop-deal")
    assert asked_once_mixed(table, step) == asked
    counts = {told.code: told.count for told in table.all_said(Prompt) if told.code in asked}
    assert counts["gather-with-burns"] == 52 - 8
    assert counts.get("gather-board", 43) == 43
    assert len(table.at(BURN)) == 2


MACHINES: tuple[Json, ...] = ({}, {"min_cards": 52}, {"cuts": False})


@pytest.mark.parametrize("phase", ["deal", "flop", "turn-deal"])
@pytest.mark.parametrize("shuffler", MACHINES)
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("decision", [accept("known"), WASH])
def test_every_shuffler_proves_the_stub_or_has_it_washed(
    phase: str, shuffler: Json, decks: int, decision: Json
) -> None:
    acts = (until(phase), *said("stub-dropped"), decision, until("done"))
    report = played(*acts, shuffler=shuffler, decks=decks)
    remedy = "shuffle-stub" if decision == WASH else "restore-stub"
    assert (report["outcome"], report["refused"]) == ("completed", [])
    assert rules(report) == [("stub-dropped", remedy)]
    assert [alert["code"] for alert in report["alerts"]] == ["floor-called", "floor-decides"]
    assert len(report["shuffles"]) == (decision == WASH)
    assert (len(report["board"]), len(report["burns"])) == (5, 3)
