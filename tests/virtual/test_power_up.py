"""A whole power-up, from the deck's table to the flop, over every transport and every kind of machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.felt import TEXTS, rank_order
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.shuffler import ShufflerOptions
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.virtual.zones import ZonesOptions
from tests.virtual.hosts import DirectHost, PtyHost, WireHost
from tests.virtual.script import Script

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.virtual.script import Host

_ORDER = tuple(TEXTS[(7 * place + 3) % 52] for place in range(52))
_SETUP = Setup(seats=(2, 5, 9), seed=11, first_order=_ORDER)


@pytest.fixture(params=["direct", "links in memory", "ports"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    table = VirtualTable(_SETUP)
    if request.param == "direct":
        yield DirectHost(table)
    elif request.param == "ports":
        ports = PtyHost(table, tmp_path)
        yield ports
        ports.close()
    else:
        yield WireHost(table)


def test_a_power_up_ends_with_the_flop_in_the_order_that_was_given(host: Host) -> None:
    Script(host).power_up()
    table = host.table
    truth = table.zones_of_truth()
    assert truth["seat:2"] == (_ORDER[0], _ORDER[3])
    assert truth["seat:5"] == (_ORDER[1], _ORDER[4])
    assert truth["seat:9"] == (_ORDER[2], _ORDER[5])
    assert truth["burn"] == _ORDER[6:7]
    assert truth["board"] == _ORDER[7:10]
    assert truth["shoe"] == _ORDER[10:]
    assert table.felt.shuffles[0].order == _ORDER
    assert table.felt.shuffles[0].included == rank_order(TEXTS)
    table.felt.check()


def test_what_each_device_says_is_the_same_over_every_transport(host: Host) -> None:
    script = Script(host)
    script.power_up()
    other = DirectHost(VirtualTable(_SETUP))
    Script(other).power_up()
    for name in host.table.devices:
        said = [(type_, dict(fields)) for device, type_, fields in host.log if device == name]
        expected = [(type_, dict(fields)) for device, type_, fields in other.log if device == name]
        if name == "zones":  # which of the late words comes first is the only thing that may differ
            said.sort(key=repr)
            expected.sort(key=repr)
        assert said == expected


def test_no_zone_reports_a_card_before_the_shoe_did(host: Host) -> None:
    Script(host).power_up()
    drawn: set[bytes] = set()
    for _, type_, fields in host.log:
        if type_ == Type.DRAW:
            drawn.update(fields.tags("uids"))
        elif type_ == Type.ARRIVED and fields["zone"] != 20:
            assert fields.raw("uid") in drawn


@pytest.mark.parametrize(
    "setup",
    [
        replace(_SETUP, shoe=ShoeOptions(gate=True)),
        replace(_SETUP, shoe=ShoeOptions(gate=True, burner=False)),
        replace(_SETUP, shuffler=ShufflerOptions(cuts=False)),
        replace(_SETUP, shuffler=ShufflerOptions(cuts=False), zones=None),
        replace(_SETUP, zones=ZonesOptions(facing=False)),
        replace(_SETUP, hole_cards=4, keypad_acts=False),
        replace(_SETUP, decks=2),
    ],
    ids=["gate", "gate, no burner", "cut by hand", "no antennas", "no facing", "four cards", "two decks"],
)
def test_every_kind_of_table_comes_to_its_flop_in_the_order_that_was_given(setup: Setup) -> None:
    table = VirtualTable(setup)
    Script(DirectHost(table)).power_up()
    truth = table.zones_of_truth()
    dealt = setup.hole_cards * len(setup.seats)
    assert truth["burn"] == _ORDER[dealt : dealt + 1]
    assert truth["board"] == _ORDER[dealt + 1 : dealt + 4]
    assert table.felt.shuffles[0].order == _ORDER
    assert table.felt.shuffles[0].cut
    assert table.felt.cards("shoe")[-1].is_cut_card
    table.felt.check()


def test_a_hand_cut_is_read_at_the_plate_or_said_by_a_key() -> None:
    by_hand = replace(_SETUP, shuffler=ShufflerOptions(cuts=False))
    with_plate = Script(DirectHost(VirtualTable(by_hand)))
    with_plate.power_up()
    cut_card = with_plate.table.decks["deck-1"][-1]
    assert [
        fields["zone"] for fields in with_plate.events(Type.ARRIVED) if fields["uid"] == cut_card.uid
    ] == [20]
    without = Script(DirectHost(VirtualTable(replace(by_hand, zones=None))))
    without.power_up()
    assert len(without.events(Type.KEY)) == len(with_plate.events(Type.KEY)) + 1


def test_a_machine_that_does_not_identify_counts() -> None:
    table = VirtualTable(replace(_SETUP, shuffler=ShufflerOptions(identifies=False)))
    script = Script(DirectHost(table))
    script.host.settle()
    script.obeyed(1)
    fed = script.command("shuffler", Type.FEED, deck=0, expected=b"\xff" * 6 + b"\x0f")
    assert (fed["outcome"], fed["verdict"], fed["count"], fed["strangers"]) == (0, 1, 52, 0)


def test_the_same_seed_gives_the_same_table_and_another_seed_another() -> None:
    orders = []
    for seed in (3, 3, 4):
        table = VirtualTable(Setup(seed=seed))
        Script(DirectHost(table)).power_up()
        orders.append(table.felt.shuffles[0].order)
    assert orders[0] == orders[1] != orders[2]


def test_a_cut_of_a_full_deck_leaves_ten_cards_on_each_side() -> None:
    for seed in range(200):
        table = VirtualTable(Setup(seed=seed))
        deck = [card for card in table.decks["deck-1"] if not card.is_cut_card]
        for card in deck:
            table.felt.move(card, "pack")
        table.hands.cut_pack()
        first = deck.index(table.felt.cards("pack")[0])
        assert 10 <= first <= 42
