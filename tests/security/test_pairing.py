"""Pairing, without a port: no key without a physical act, and no key that did not arrive whole."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.codes import DeviceKind
from firmware_bridge.errors import LinkLost, WrongDevice, WrongKey
from firmware_bridge.events import Expect
from firmware_bridge.pairing import Failed, KeyGiver, Met, PairingEvent, Taken
from firmware_bridge.secrecy import PairKey
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.link import DeviceLink
from hil_rigs.virtual.messages import pack
from hil_rigs.virtual.table import Setup, VirtualTable
from tests.security.line import KEY, OTHER_KEY, SealedLine, framed, frames_of, payload_of, ring

SHOE = Expect(DeviceKind.SHOE, "SH-V001")


@dataclass
class Bench:
    """A device and somebody who wants to give it a key; `wire` alters what crosses."""

    key: bytes = b""
    new: bytes = KEY
    expect: Expect = SHOE
    now: float = 50.0
    wire: Callable[[bytes], bytes] = lambda frame: frame
    told: list[PairingEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        keys = {"shoe": self.key} if self.key else {}
        self.device: DeviceLink = VirtualTable(Setup(keys=keys)).link("shoe")
        self._nonces = 0
        self.giver = KeyGiver("shoe", self.expect, PairKey(self.new), now=self.now, random=self._nonce)
        self.gives = True

    def _nonce(self, bits: int) -> int:
        self._nonces += 1
        return self._nonces

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            self.now += 0.01
            self._carry()

    def _carry(self) -> None:
        to_device = self.giver.outgoing(self.now)
        self.device.receive(b"".join(map(self.wire, frames_of(to_device))), self.now)
        to_host = b"".join(map(self.wire, frames_of(self.device.outgoing(self.now))))
        for event in self.giver.receive(to_host, self.now) + self.giver.expire(self.now):
            self.told.append(event)
            if isinstance(event, Met) and event.waits and self.gives:
                self.giver.give(self.now)

    @property
    def holds(self) -> bytes:
        return self.device._keeper._pair_key


def test_without_a_physical_act_no_key_is_given_and_none_is_taken() -> None:
    for key in (b"", OTHER_KEY):
        bench = Bench(key=key)
        bench.run(5)
        assert bench.told
        assert all(event == Met("SH-V001", waits=False, paired=bool(key)) for event in bench.told)
        bench.giver.give(bench.now)  # as somebody would who does not care
        bench.run(1)
        assert bench.holds == key
        assert bench.device.receiver.dropped["pair"] > 2
        assert Taken() not in bench.told


def test_while_somebody_holds_its_button_a_device_takes_a_key() -> None:
    for key in (b"", OTHER_KEY):
        bench = Bench(key=key)
        bench.run(0.5)
        bench.device.hold_button(bench.now)
        bench.run(0.5)
        assert bench.told[-1] == Taken()
        assert bench.holds == KEY


def test_the_button_counts_for_a_minute() -> None:
    bench = Bench()
    bench.device.hold_button(bench.now)
    bench.now += 60.1
    bench.run(1)
    assert bench.holds == b""


def test_a_lost_pair_or_paired_is_made_good() -> None:
    for lost in (Type.PAIR, Type.PAIRED):
        bench = Bench()
        seen: list[int] = []

        def loses(frame: bytes, lost: int = lost, seen: list[int] = seen) -> bytes:
            type_ = payload_of(frame)[0]
            if type_ == lost and len(seen) < 3:
                seen.append(type_)
                return b""
            return frame

        bench.wire = loses
        bench.device.hold_button(bench.now)
        bench.run(1.5)
        assert bench.told[-1] == Taken()
        assert bench.holds == KEY
        assert len(seen) == 3


def test_a_key_that_was_altered_on_the_way_is_found_out() -> None:
    bench = Bench()

    def alters(frame: bytes) -> bytes:
        payload = bytearray(payload_of(frame))
        if payload[0] == Type.PAIR:
            payload[-1] ^= 1
        return framed(bytes(payload))

    bench.wire = alters
    bench.device.hold_button(bench.now)
    bench.run(0.5)
    (failed,) = [event for event in bench.told if isinstance(event, Failed)]
    assert isinstance(failed.error, WrongKey)
    assert "did not arrive whole" in str(failed.error)


def test_a_device_that_does_not_answer_or_is_another_one_gets_no_key() -> None:
    bench = Bench()
    bench.wire = lambda frame: b""
    bench.run(3.1)
    assert isinstance(bench.told[-1], Failed)
    assert isinstance(bench.told[-1].error, LinkLost)
    for expect in (Expect(DeviceKind.SHOE, "SH-0815"), Expect(DeviceKind.KEYPAD)):
        bench = Bench(expect=expect)
        bench.device.hold_button(bench.now)
        bench.run(0.2)
        assert isinstance(bench.told[-1], Failed)
        assert isinstance(bench.told[-1].error, WrongDevice)
        assert bench.holds == b""


def test_a_device_that_falls_silent_with_the_key_under_way_is_told() -> None:
    bench = Bench()
    bench.device.hold_button(bench.now)
    bench.wire = lambda frame: b"" if payload_of(frame)[0] == Type.PAIRED else frame
    bench.run(4)
    assert isinstance(bench.told[-1], Failed)
    assert "does not say that it has the key" in str(bench.told[-1].error)
    assert bench.holds == KEY


def test_a_key_is_tied_to_its_greeting() -> None:
    """A PAIR that was recorded, or is meant for another greeting, changes nothing."""
    line = SealedLine()
    line.device_link.hold_button(line.now)
    line.run(0.2)
    line.give(framed(bytes([Type.PAIR]) + bytes(6) + pack(Type.PAIR, host_nonce=12345, key=OTHER_KEY)))
    line.run(0.3)
    assert line.up
    assert line.device_link._keeper._pair_key == KEY


def test_pairing_anew_ends_the_session_and_the_old_key_opens_none() -> None:
    line = SealedLine()
    line.run(0.2)
    assert line.up
    line.device_link.hold_button(line.now)
    giver = KeyGiver("shoe", SHOE, PairKey(OTHER_KEY), now=line.now, random=lambda bits: 99)
    line.give(giver.outgoing(line.now))
    giver.receive(line.device_link.outgoing(line.now), line.now)
    giver.give(line.now)
    line.give(giver.outgoing(line.now))
    assert giver.receive(line.device_link.outgoing(line.now), line.now) == [Taken()]
    assert not line.device_link.session
    line.new_link()
    line.events.clear()
    line.run(3.2)
    assert isinstance(line.error, WrongKey)
    line.trust = ring(standing=PairKey(OTHER_KEY))
    line.events.clear()
    line.new_link()
    line.run(0.3)
    assert line.up


def test_the_first_session_under_the_new_key_ends_the_waiting() -> None:
    bench = Bench()
    bench.device.hold_button(bench.now)
    bench.run(0.3)
    assert bench.holds == KEY
    line = SealedLine()
    line.device_link = bench.device
    line.now = bench.now
    line.new_link()
    line.run(0.3)
    assert line.up
    again = Bench(new=OTHER_KEY)
    again.device = bench.device
    again.now = line.now
    again.giver.give(again.now)
    again.run(1)
    assert again.holds == KEY


def test_a_key_outlives_a_loss_of_power() -> None:
    bench = Bench(key=KEY)
    bench.device.power_cycle()
    assert bench.holds == KEY
    assert bench.device.paired
