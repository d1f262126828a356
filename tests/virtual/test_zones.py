"""What the zone reader promises: one word for a stay, late and out of order, but true."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.felt import DOWN, UP
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.hosts import DirectHost
from tests.virtual.script import Script


def _table(options: ZonesOptions | None = None, seed: int = 0) -> Script:
    table = VirtualTable(Setup(seed=seed, zones=options or ZonesOptions()))
    for card in table.decks["deck-1"]:
        table.felt.move(card, "shoe")
    script = Script(DirectHost(table))
    script.host.settle()
    script.host.log.clear()
    return script


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(0, 4), min_size=1, max_size=20))
def test_every_arrival_and_turn_is_told_once_and_those_of_one_tag_in_their_order(
    seed: int, deeds: list[int]
) -> None:
    script = _table(seed=seed)
    table = script.table
    truth: dict[bytes, list[tuple[int, int, int]]] = {}
    for deed in deeds:
        if deed < 3:
            card = table.hands.draw(f"seat:{deed + 1}")[0]
            truth[card.uid] = [(Type.ARRIVED, deed + 1, 1)]
        elif deed == 3:
            for card in table.felt.cards("seat:1"):
                if table.felt.face(card) == DOWN:
                    truth[card.uid].append((Type.TURNED, 1, 2))
            if table.felt.cards("seat:1"):
                table.hands.turn_up(1)
        else:
            for card in table.felt.cards("seat:2"):
                truth[card.uid].append((Type.ARRIVED, 18, 1))
            if table.felt.cards("seat:2"):
                table.hands.muck(2)
    script.host.settle()
    told: dict[bytes, list[tuple[int, int, int]]] = {}
    for _, type_, fields in script.host.log:
        if type_ in (Type.ARRIVED, Type.TURNED):
            word = (type_, fields.num("zone"), fields.num("facing"))
            told.setdefault(fields.raw("uid"), []).append(word)
    assert told == truth


def test_words_come_out_of_order_in_a_way_that_the_seed_decides() -> None:
    orders = []
    for seed in (1, 1, 2, 3):
        script = _table(seed=seed)
        cards = script.table.hands.draw("board", count=5, face=UP)
        script.host.settle()
        told = [fields.raw("uid") for fields in script.events(Type.ARRIVED)]
        assert sorted(told) == sorted(card.uid for card in cards)
        orders.append([[card.uid for card in cards].index(uid) for uid in told])
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 1


def test_the_cards_of_one_draw_leave_the_shoe_before_a_zone_tells_of_one() -> None:
    script = _table()
    script.table.hands.draw("board", count=4, face=UP)
    script.host.settle()
    kinds = [type_ for _, type_, _ in script.host.log]
    assert kinds.index(Type.ARRIVED) > max(at for at, kind in enumerate(kinds) if kind == Type.DRAW)


def test_without_optics_facing_is_unknown_and_no_turn_is_told() -> None:
    script = _table(ZonesOptions(facing=False))
    script.table.hands.draw("seat:1")
    script.table.hands.turn_up(1)
    script.host.settle()
    assert [fields["facing"] for fields in script.events(Type.ARRIVED)] == [0]
    assert script.events(Type.TURNED) == []


def test_a_place_without_an_antenna_says_nothing() -> None:
    script = _table(ZonesOptions(antennas=frozenset({"board"})))
    assert script.table.zones is not None
    assert script.table.zones.data == (1 << 16).to_bytes(4, "little")
    script.table.hands.draw("seat:1")
    script.table.hands.draw("scrap")
    script.table.hands.draw("board")
    script.host.settle()
    assert [fields["zone"] for fields in script.events(Type.ARRIVED)] == [16]


def test_asked_it_says_which_antennas_have_a_tag_in_their_field() -> None:
    script = _table()
    script.table.hands.draw("seat:4")
    script.table.hands.draw("burn")
    script.send("zones", Type.ASK)
    script.host.settle()
    assert script.events(Type.ZONES_STATE)[-1]["occupied"] == 1 << 4 | 1 << 17


def test_a_word_is_not_told_before_its_lateness_has_passed() -> None:
    script = _table(ZonesOptions(late_ms=1_500), seed=4)
    table = script.table
    assert table.zones is not None
    table.hands.draw("board", count=5)
    early = list(iter(table.release_report, False))
    assert len(early) < 5
    table.advance(1_500)
    assert len(early) + len(list(iter(table.release_report, False))) == 5
    assert table.zones.waiting == 0


def test_a_pack_in_the_output_is_a_stack_and_its_tags_are_not_read() -> None:
    script = Script(DirectHost(VirtualTable(Setup())))
    script.proved_pack()
    for type_ in (Type.SHUFFLE, Type.CUT, Type.OPEN_COVER):
        script.command("shuffler", type_)
    script.send("zones", Type.ASK)
    script.host.settle()
    assert script.events(Type.ARRIVED) == []
    assert script.events(Type.ZONES_STATE)[-1]["occupied"] == 1 << 21


def test_a_tag_that_lies_there_is_told_again_after_a_boot() -> None:
    script = _table()
    card = script.table.hands.draw("board", face=UP)[0]
    script.host.settle()
    assert script.table.zones is not None
    script.table.zones.power_cycle()
    script.host.settle()
    assert [(f["uid"], f["facing"]) for f in script.events(Type.ARRIVED)] == [(card.uid, 2)] * 2
