"""What goes over the wire to the shoe and the shuffler, byte by byte, over a start and a street.

The ports are mocks of `SerialPort`; behind them are real sessions and a real loop on this side, and the
virtual table's devices on the other.
"""

from collections.abc import Iterator

import pytest
from pytest_mock import MockerFixture

from controller.decisions import PhaseEntered
from controller.decks import parse_registry
from controller.events import DEVICES
from firmware_bridge.codes import Key
from hil_rigs.virtual.codes import Prompt, Type
from hil_rigs.virtual.frames import encode
from hil_rigs.virtual.shoe import ShoeOptions
from hil_rigs.virtual.table import Setup
from tests.shell.joined import SEATS
from tests.shell.wires import Wires, wired, written_in


@pytest.fixture
def wires(mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wires]:
    with wired(mocker, monkeypatch) as wires:
        yield wires


def test_the_first_byte_to_any_device_ends_whatever_garbage_lies_before_it(wires: Wires) -> None:
    wires.settle()
    for name in DEVICES:
        assert wires.written[name][0].startswith(b"\0")
        assert [Type(frame.type) for frame in wires.frames(name)[:2]] == [Type.GREET, Type.OPEN]


def test_at_power_up_the_shuffler_gets_its_table_and_the_shoe_nothing_that_moves(wires: Wires) -> None:
    wires.settle()
    assert wires.commands("shoe") == []
    assert wires.commands("shuffler") == [Type.DECK_BEGIN, *[Type.DECK_TAGS] * 13, Type.DECK_END]
    assert wires.commands("keypad") == wires.commands("zones") == []
    assert wires.commands("prompts")[-1] == Type.SHOW


def test_the_table_of_tags_tells_no_order_of_cards(wires: Wires) -> None:
    wires.settle()
    bodies = [frame.body for frame in wires.frames("shuffler") if frame.type == Type.DECK_TAGS]
    tags = [body[i : i + 8] for body in bodies for i in range(3, len(body), 9)]
    registry = parse_registry(wires.table.registry(), "registry").deck("deck-1").cards
    assert set(tags) == set(registry)
    assert tags not in (list(registry), sorted(tags), sorted(tags, reverse=True))
    begin = next(frame for frame in wires.frames("shuffler") if frame.type == Type.DECK_BEGIN)
    assert begin.body == bytes((0, 52))


def test_a_pack_goes_through_the_machines_in_one_order(wires: Wires) -> None:
    wires.settle()
    wires.sent()
    assert written_in(wires.play_until("deal")) == [
        "shuffler FEED",
        "shuffler SHUFFLE",
        "shuffler CUT",
        "shuffler OPEN_COVER",
        "shuffler CLOSE_COVER",
        "shoe RELEASE_LID",
    ]


def test_nothing_goes_to_the_shoe_before_the_betting_round_is_complete(wires: Wires) -> None:
    wires.play_until("preflop")
    wires.settle()
    before = len(wires.commands("shoe"))
    assert Type.BURN not in wires.commands("shoe")
    acts = 0
    while not any(n.said == PhaseEntered(phase="flop-deal") for n in wires.notices):
        assert len(wires.commands("shoe")) == before, f"after {acts} acts"
        deed = wires.table.dealer.obey()
        assert deed is not None
        acts += 1
        wires.settle()
    assert acts == len(SEATS)
    assert wires.commands("shoe")[before:] == [Type.BURN]


def test_a_key_that_says_nothing_of_the_betting_burns_nothing(wires: Wires) -> None:
    wires.play_until("preflop")
    for key in (Key.ACK, Key.UNDO, Key.YES, Key.NO):
        wires.table.hands.press(key.label)
        wires.settle()
    assert Type.BURN not in wires.commands("shoe")


def test_a_burn_is_one_frame_of_these_bytes_and_is_sent_once(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    (burn,) = [frame for frame in wires.frames("shoe") if frame.type == Type.BURN]
    assert burn.flags == 1
    assert len(burn.body) == 8
    assert burn.seq == len(wires.commands("shoe"))
    raw = encode(burn)
    assert raw.endswith(b"\0")
    assert len(raw) <= 64
    assert b"".join(wires.written["shoe"]).count(raw) == 1
    assert len(wires.table.felt.cards("burn")) == 1


def test_the_prompt_for_the_flop_follows_the_burn_and_both_the_last_act(wires: Wires) -> None:
    wires.play_until("flop-deal")
    wires.settle()
    order = [order.type for order in wires.orders if order.type in (Type.BURN, Type.SHOW)]
    assert order[-2:] == [Type.BURN, Type.SHOW]
    shown = wires.table.prompts.display
    assert shown is not None
    assert (shown.code, shown.count) == (13, 3)


def test_a_gate_is_shut_before_the_prompt_of_the_misdeal_is_lit(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wired(mocker, monkeypatch, Setup(seats=SEATS, seed=8, shoe=ShoeOptions(gate=True))) as table:
        table.obey_until_shown(Prompt.DEAL_HOLE)
        table.obey(2)
        before = len(table.orders)
        table.lay("board", face="up")
        written = [order.type for order in table.orders[before:]]
        assert written[0] == Type.LOCK
        assert Type.LEDS in written
