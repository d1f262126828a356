"""The host's link and the device's, each written from the document alone, over wires with every fault by its
name: what is said is heard once and in order, both ways."""

import random

import pytest

from firmware_bridge.codes import DeviceKind
from firmware_bridge.events import Expect, LinkEvent, LinkUp, Received
from firmware_bridge.link import Link
from firmware_bridge.messages import KeyPressed, Recall, Result
from firmware_bridge.trust import NO_KEYS
from hil_rigs.virtual.link import DeviceLink
from hil_rigs.virtual.table import Setup, VirtualTable
from hil_rigs.wire.faults import NAMES, STALL
from hil_rigs.wire.line import Rate, Wire

KEYS = 120
KEPT_AT_MOST = 60
TURN_S = 0.002
WITHIN_S = 120


class Sides:
    """A keypad and its host, with a wire for each direction, under a clock that is turned by hand."""

    def __init__(self, seed: str, rates: tuple[Rate, ...]) -> None:
        self.table = VirtualTable(Setup(seed=seed))
        self.device: DeviceLink = self.table.link("keypad")
        self.now = 10.0
        self.host = Link(
            "keypad",
            Expect(DeviceKind.KEYPAD),
            now=self.now,
            random=random.Random(seed).getrandbits,
            trust=NO_KEYS,
        )
        self.up, self.down = Wire(f"{seed} up", rates), Wire(f"{seed} down", rates)
        self.events: list[LinkEvent] = []

    def turn(self) -> None:
        self.now += TURN_S
        if self.down.takes(self.now):
            self.device.receive(self.down.carry(self.host.outgoing(self.now), self.now), self.now)
        if self.up.takes(self.now):
            told = self.host.receive(self.up.carry(self.device.outgoing(self.now), self.now), self.now)
            self.events += told
            for event in told:
                if isinstance(event, Received):
                    self.host.acknowledge(event.number)
        self.events += self.host.expire(self.now)

    def until_open(self) -> None:
        while not self.host.is_open:
            assert self.now < WITHIN_S
            self.turn()


@pytest.mark.parametrize("share", [0.05, 0.2])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_over_a_wire_with_a_fault_is_heard_once_and_in_order(name: str, share: float) -> None:
    sides = Sides(f"{name} {share}", (Rate(name, share),) if name != STALL else ())
    sides.until_open()
    for number in range(KEYS):
        if name == STALL and number % 40 == 0:
            sides.up.once(STALL)
            sides.down.once(STALL)
        sides.table.hands.press("exposed", number % 11 + 1)
        sides.host.send(Recall(number + 1))
        for _ in range(3):
            sides.turn()
        while sides.device.kept > KEPT_AT_MOST:  # beyond what it has room for a device drops, and says so
            sides.turn()
    while sides.host.window or not sides.device.quiet or not (sides.up.idle and sides.down.idle):
        assert sides.now < WITHIN_S, "it never comes to rest"
        sides.turn()
    heard = [event.message for event in sides.events if isinstance(event, Received)]
    assert [said.seat for said in heard if isinstance(said, KeyPressed)] == [n % 11 + 1 for n in range(KEYS)]
    answers = [said.id for said in heard if isinstance(said, Result)]
    assert answers == list(range(1, KEYS + 1))
    assert sum(isinstance(event, LinkUp) for event in sides.events) == 1, "the session never broke"
    assert sides.up.injected[name] + sides.down.injected[name] > (1 if name == STALL else KEYS * share / 2)
