"""Whoever writes to the line: nothing is believed that was not sent, and nothing twice, both ways."""

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest

from firmware_bridge.errors import BridgeError, SecurityError
from firmware_bridge.events import LinkEvent, LinkUp, Lost, Received, Ticked
from firmware_bridge.messages import Ask, Burn
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.felt import UP
from tests.security.line import Said, SealedLine, framed, frames_of, opened, payload_of, ring

_MENDED = "with a CRC that is right again"
_RAW = "as the line would turn it"


def _played(line: SealedLine) -> SealedLine:
    """A session with commands, cards, acknowledgements, ticks and challenges."""
    line.send(Burn(7))
    line.run(0.1)
    line.table.hands.draw("seat:1")
    line.table.hands.draw("board", face=UP)
    line.run(0.3)
    line.send(Ask())
    line.link.challenge(line.now)
    line.run(0.3)
    assert line.up
    return line


def _turned(frame: bytes, how: str) -> Iterator[bytes]:
    """The frame with each of its bits turned, one at a time."""
    of = frame[:-1] if how == _RAW else payload_of(frame)
    for bit in range(len(of) * 8):
        turned = bytearray(of)
        turned[bit // 8] ^= 1 << bit % 8
        yield bytes(turned) + b"\0" if how == _RAW else framed(bytes(turned))


def _state(line: SealedLine) -> tuple[object, ...]:
    """What the device believes, and how far either side has come."""
    device = line.device_link
    return (
        list(line.fed),
        device.session,
        device._taken,
        device.kept,
        device.paired,
        line.link.is_open,
        len(line.link.window),
        line.link._guard.proved,
    )


@pytest.mark.parametrize("how", [_RAW, _MENDED])
@pytest.mark.parametrize("to_device", [True, False], ids=("to the device", "to the host"))
def test_no_one_bit_flip_of_any_frame_of_a_session_is_believed(*, to_device: bool, how: str) -> None:
    """Each flipped frame arrives in the place of the one that was sent, and before it."""
    line = SealedLine()
    tried = 0

    def checked(said: object) -> bytes:
        nonlocal tried
        frame = line.said[-1].frame
        if line.said[-1].to_device is not to_device or line.said[-1].type <= Type.CAPS:
            return frame
        for turned in _turned(frame, how):
            tried += 1
            before, heard_at = _state(line), line.link._heard_at
            if to_device:
                device_heard = line.device_link._heard_s
                line.give(turned)
                assert line.device_link._heard_s == device_heard
            else:
                assert line.take(turned) == []
            assert _state(line) == before
            assert line.link._heard_at == heard_at
        return frame

    line.wire = checked
    line.run(0.2)
    _played(line)
    assert tried > 1500
    # And the real frames behind them were all taken.
    assert [type_ for type_, _ in line.fed] == [Type.BURN, Type.ASK]
    assert line.device_link.kept == 0


@pytest.mark.parametrize("how", [_RAW, _MENDED])
@pytest.mark.parametrize("type_", [Type.GREET, Type.HELLO, Type.CAPS])
def test_no_one_bit_flip_of_the_greeting_leads_to_a_falsehood(type_: int, how: str) -> None:
    """The greeting is not sealed: a flip of it opens no session, or the very one that was meant."""
    sample = SealedLine()
    sample.run(0.2)
    (first, *_) = (said.frame for said in sample.said if said.type == type_ and said.frame.count(0) == 1)
    for number, _ in enumerate(_turned(first, how)):
        line = SealedLine()
        done = 0

        def flips(said: object, number: int = number, line: SealedLine = line) -> bytes:
            nonlocal done
            now = line.said[-1]
            flips_now = now.type == type_ and now.to_device is (type_ == Type.GREET) and line.now > 100.0
            if not flips_now or done:
                return now.frame
            done += 1
            return list(_turned(now.frame, how))[number] if number < _bits(now.frame, how) else now.frame

        line.wire = flips
        line.run(0.3 if number % 16 else 3.3)
        _believes_nothing_false(line.believed, sample.believed)
        assert line.fed in ([], sample.fed)


def _bits(frame: bytes, how: str) -> int:
    return len(frame[:-1] if how == _RAW else payload_of(frame)) * 8


def _believes_nothing_false(found: list[LinkEvent], true: list[LinkEvent]) -> None:
    """What was told is a beginning of the truth, or an error that ends it."""
    told = [_timeless(event) for event in found if not isinstance(event, Lost)]
    assert told == [_timeless(event) for event in true][: len(told)]
    assert all(isinstance(event.error, BridgeError) for event in found if isinstance(event, Lost))


def _timeless(event: LinkEvent) -> object:
    """A session that opens later says a later time."""
    if isinstance(event, Received):
        return event.number, event.boot, msgspec.structs.replace(event.message, time=0)
    return event


def test_a_replayed_session_moves_nothing_in_the_device_that_it_was_recorded_of() -> None:
    """The session is over; all that the host ever sent is written to the line again."""
    line = _played(opened())
    host = line.recorded(to_device=True)
    fed = list(line.fed)
    line.device_link.close()
    for frame in host:
        line.give(frame)
        line.device_link.outgoing(line.now)
    assert line.fed == fed
    assert not line.device_link.session
    assert line.device_link.receiver.dropped["mac"] > 0


def test_a_replayed_session_moves_nothing_in_a_device_that_booted_anew_or_was_never_there() -> None:
    old = _played(opened())
    for fresh in (_booted(old), SealedLine()):
        kept = fresh.device_link.kept
        for frame in old.recorded(to_device=True):
            fresh.give(frame)
            fresh.device_link.outgoing(fresh.now)
        assert fresh.device_link.kept == kept
        assert not fresh.device_link.session
    assert old.fed == [pair for pair in old.fed if pair[0] in (Type.BURN, Type.ASK)]


def _booted(line: SealedLine) -> SealedLine:
    line.device_link.power_cycle()
    return line


def test_a_replayed_session_opens_nothing_at_a_host() -> None:
    old = _played(opened())
    fresh = SealedLine()
    fresh.random = lambda bits: 77 % (1 << bits)
    fresh.new_link()
    fresh.link.outgoing(fresh.now)
    told: list[LinkEvent] = []
    for frame in old.recorded(to_device=False):
        told += fresh.take(frame)
    assert told == []
    assert not fresh.up


def test_a_replayed_session_opens_nothing_at_a_host_that_draws_the_same_numbers_again() -> None:
    """Chance is broken on one side alone: the other side's nonce still parts the sessions."""
    old = _played(opened())
    again = SealedLine()
    again.random = random.Random(7).getrandbits
    again.new_link()
    for frame in old.recorded(to_device=True):
        again.give(frame)
    assert not again.device_link.session
    assert again.fed == []


def test_an_old_open_does_not_make_a_device_forget_events() -> None:
    line = opened()
    line.link.acknowledge(1)
    line.run(0.1)
    opens = [said.frame for said in line.said if said.type == Type.OPEN]
    line.device_link.close()
    line.table.hands.draw("board", count=3)
    line.device_link.outgoing(line.now)
    kept = line.device_link.kept
    assert kept >= 3
    greets = [said.frame for said in line.said if said.type == Type.GREET]
    for frame in [*greets, *opens, *opens]:
        line.give(frame)
        line.device_link.outgoing(line.now)
    assert line.device_link.kept == kept
    assert not line.device_link.session


def test_an_open_that_was_held_back_opens_nothing_once_its_session_is_over() -> None:
    """It was sent, it is newer than all that the device has taken, and it never arrived."""
    line = SealedLine()
    held: list[bytes] = []

    def holds_back(said: Said) -> bytes:
        if said.type in (Type.GREET, Type.OPEN) and line.device_link.session:
            held.extend([said.frame] if said.type == Type.OPEN else [])
            return b""
        return b"" if said.type == Type.OPENED else said.frame

    line.wire = holds_back
    line.run(0.1)
    assert line.device_link.session
    while line.device_link.session:
        line.step()
    assert len(held) > 3
    line.give(held[-1])
    assert not line.device_link.session


def test_every_frame_of_a_session_written_again_at_once_is_dropped_as_replayed() -> None:
    line = SealedLine()
    line.wire = lambda said: said.frame * 2
    line.run(0.2)
    _played(line)
    assert [type_ for type_, _ in line.fed] == [Type.BURN, Type.ASK]
    numbers = [event.number for event in line.events if isinstance(event, Received)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert line.link.counts.replayed > 10
    assert line.device_link.receiver.dropped["replay"] > 5


def _splices() -> dict[str, Callable[[SealedLine, SealedLine], list[bytes]]]:
    return {
        "of another session with the same device": lambda line, other: (
            other.recorded(to_device=False)
            and [*other.recorded(to_device=False), *other.recorded(to_device=True)]
        ),
        "of the other direction": lambda line, other: [
            said.frame for said in line.said if said.type > Type.CAPS and said.type != Type.OPEN
        ],
        "with the header of another": lambda line, other: [
            framed(payload_of(one)[:7] + payload_of(two)[7:])
            for one, two in zip(_sealed(line), _sealed(line)[1:], strict=False)
        ],
        "with the body of another": lambda line, other: [
            framed(payload_of(one)[:-12] + payload_of(two)[-12:])
            for one, two in zip(_sealed(line), _sealed(line)[1:], strict=False)
        ],
        "half of one and half of the next": lambda line, other: [
            one[: len(one) // 2] + two[len(two) // 2 :]
            for one, two in zip(_sealed(line), _sealed(line)[1:], strict=False)
        ],
    }


def _sealed(line: SealedLine) -> list[bytes]:
    return [said.frame for said in line.said if payload_of(said.frame)[1] & 0x80]


@pytest.mark.parametrize("which", list(_splices()))
def test_spliced_frames_are_refused(which: str) -> None:
    other = _played(opened())
    line = _played(opened())
    spliced = _splices()[which](line, other)
    assert spliced
    before, told = _state(line), len(line.believed)
    for data in spliced:
        for frame in frames_of(data):
            line.give(frame)
            assert all(isinstance(event, Lost) for event in line.take(frame))
    after = _state(line)
    if which == "of another session with the same device":
        # An unauthenticated HELLO may say that it has booted: that ends a session, and tells nothing else.
        before, after = before[:5], after[:5]
        assert all(isinstance(event, Lost) for event in line.believed[told:])
    assert after == before


def test_a_sealed_frame_without_its_seal_is_dropped_and_keeps_no_session_alive() -> None:
    line = opened()
    tick = next(said.frame for said in reversed(line.said) if not said.to_device)
    payload = bytearray(payload_of(tick))
    payload[1] &= 0x7F
    heard_at = line.link._heard_at
    line.wire = lambda said: b""
    for _ in range(90):
        line.now += 0.01
        assert line.take(framed(bytes(payload[:-12]))) == []
    assert line.link._heard_at == heard_at
    assert line.link.counts.unsealed == 90
    line.run(0.3)
    assert not isinstance(line.error, SecurityError)


@pytest.mark.parametrize("type_", list(Type), ids=lambda type_: type_.name)
def test_no_plain_frame_acknowledges_anything_or_keeps_a_session_alive(type_: Type) -> None:
    line = opened()
    line.wire = lambda said: b"" if said.to_device else said.frame
    line.send(Burn(7))
    line.step()
    before, heard_at = _state(line), line.link._heard_at
    for session in (0, line.link.session):
        for flags, seq in ((0, 0), (1, 1), (1, 2)):
            for size in (0, 4, 6, 8, 16, 40):
                head = bytes([type_, flags, session]) + seq.to_bytes(2, "little") + b"\1\0"
                assert line.take(framed(head + bytes(size))) == []
    assert _state(line) == before
    assert line.link._heard_at == heard_at


@pytest.mark.parametrize("with_session", [True, False])
def test_a_paired_device_takes_no_plain_frame_but_the_greeting(*, with_session: bool) -> None:
    line = opened()
    if not with_session:
        line.device_link.close()
        line.device_link.outgoing(line.now)
    session = line.device_link.session
    fed = list(line.fed)
    for type_ in Type:
        for numbers in ((0, 0), (1, 0)):
            flags = 1 if numbers[0] else 0
            for body in (b"", bytes(8), bytes([session or 9]) + bytes(10), bytes(40)):
                head = bytes([type_, flags, session]) + numbers[0].to_bytes(2, "little") + bytes(2)
                line.give(framed(head + body))
    assert line.fed == fed
    assert line.device_link.session == session
    assert line.device_link.paired


def test_a_greeting_by_somebody_else_ends_no_session() -> None:
    line = opened()
    stranger = SealedLine()
    greet = stranger.link.outgoing(stranger.now)
    line.give(greet)
    line.run(0.3)
    assert line.up
    line.send(Burn(9))
    line.run(0.2)
    assert [type_ for type_, _ in line.fed] == [Type.BURN]


def test_a_device_without_a_key_takes_no_sealed_frame() -> None:
    recorded = _played(opened()).recorded(to_device=True)
    line = SealedLine(key=b"", trust=ring())
    for frame in recorded:
        line.give(frame)
    assert line.fed == []
    assert line.device_link.receiver.dropped["sealed"] > 5


def test_what_is_told_is_told_once_whatever_the_line_does() -> None:
    """Lost, doubled, late and turned frames: the numbers still come in order, and each once."""
    chance = random.Random(11)
    line = SealedLine()
    late: list[bytes] = []

    def dreadful(said: object) -> bytes:
        frame = line.said[-1].frame
        if line.said[-1].type <= Type.CAPS:
            return frame
        luck = chance.random()
        if luck < 0.1:
            return b""
        if luck < 0.2:
            return frame + frame
        if luck < 0.3:
            late.append(frame)
            return b""
        if luck < 0.4:
            turned = bytearray(frame)
            turned[chance.randrange(len(frame) - 1)] ^= 1 << chance.randrange(8)
            return bytes(turned)
        return frame

    line.wire = dreadful
    line.run(0.3)
    assert line.up
    for id_ in range(1, 13):
        line.send(Burn(id_))
        line.run(0.4)
        while late:
            frame = late.pop()
            line.give(frame)
            line.take(frame)
    line.wire = lambda said: said.frame
    line.run(1.5)
    assert line.up
    burns = [int.from_bytes(body, "little") for type_, body in line.fed if type_ == Type.BURN]
    assert burns == list(range(1, 13))
    numbers = [event.number for event in line.events if isinstance(event, Received)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert not [e for e in line.events if not isinstance(e, LinkUp | Received | Ticked)]
