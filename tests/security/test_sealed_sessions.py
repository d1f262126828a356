"""Sessions under keys: who is taken, who is refused and by which name, and what a challenge asks for."""

import pytest

from firmware_bridge.errors import LinkLost, ProofFailed, Revoked, Unpaired, WrongKey
from firmware_bridge.events import LinkUp, Received
from firmware_bridge.guard import CHALLENGE_AFTER_S, CHALLENGE_EVERY_S, CHALLENGE_TRIES
from firmware_bridge.messages import Burn, Result
from firmware_bridge.secrecy import COUNTER_MAX, PairKey
from firmware_bridge.trust import HalfPaired, KeyRing, Plain, Withdrawn
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.messages import pack, unpack
from tests.security.line import KEY, OTHER_KEY, Said, SealedLine, framed, opened, payload_of, ring


def _types(line: SealedLine) -> list[int]:
    return [said.type for said in line.said]


def _challenges(line: SealedLine) -> int:
    return _types(line).count(Type.CHALLENGE)


def test_a_paired_device_is_up_and_every_frame_from_open_on_is_sealed() -> None:
    line = opened()
    line.send(Burn(7))
    line.run(0.2)
    results = [e.message for e in line.believed if isinstance(e, Received) and isinstance(e.message, Result)]
    assert [result.id for result in results] == [7]
    for said in line.said:
        payload = payload_of(said.frame)
        assert bool(payload[1] & 0x80) is (payload[0] > Type.CAPS)
        assert len(said.frame) <= 64
    assert line.link.counts.forged == line.link.counts.replayed == line.link.counts.unsealed == 0
    assert not line.device_link.receiver.dropped


def test_no_tag_crosses_the_line_in_clear() -> None:
    line = opened()
    line.send(Burn(7))
    line.run(0.2)
    (burned,) = line.table.felt.cards("burn")
    assert any(isinstance(event, Received) and event.message.TYPE == Type.DRAW for event in line.events)
    assert all(burned.uid not in payload_of(said.frame) for said in line.said)


def test_the_device_is_challenged_at_the_opening_of_a_session() -> None:
    line = opened()
    assert _challenges(line) == 1
    assert _types(line).index(Type.CHALLENGE) > _types(line).index(Type.OPENED)
    assert line.link.is_open


def test_it_is_challenged_again_whenever_that_is_asked_for() -> None:
    """A deck was changed while an older proof is still under way: that one does not count for it."""
    line = opened()
    line.link.challenge(line.now)
    line.link.challenge(line.now)
    line.run(0.1)
    assert _challenges(line) == 3
    assert line.up


def test_it_is_challenged_at_random_between_30_and_90_seconds() -> None:
    gaps = []
    for word in (0, 1, 0x8000, 0xFFFF):
        line = SealedLine()
        line.random = lambda bits, word=word: word if bits == 16 else 12345 + bits  # type: ignore[misc]
        line.new_link()
        line.run(0.2)
        gaps.append(line.link._guard.due_at() - line.now)
        assert line.link.due_at() <= line.link._guard.due_at()
        assert line.link._guard.take(line.now + gaps[-1] - 0.01) is None
        assert line.link._guard.take(line.now + gaps[-1] + 0.01) is not None
    least, most = CHALLENGE_AFTER_S
    assert all(least - 0.3 <= gap <= most for gap in gaps)
    assert gaps == sorted(gaps)
    assert gaps[-1] - gaps[0] > 59


@pytest.mark.parametrize("lost", range(6))
def test_a_lost_frame_of_the_challenge_is_repeated(lost: int) -> None:
    line = SealedLine()
    seen = 0

    def loses(said: Said) -> bytes:
        nonlocal seen
        of_it = said.type in (Type.CHALLENGE, Type.PROOF)
        seen += of_it
        return b"" if of_it and seen <= lost else said.frame

    line.wire = loses
    line.run(3)
    assert line.up


def test_a_late_proof_ends_the_session_by_name() -> None:
    line = opened()
    line.wire = lambda said: b"" if said.type == Type.PROOF else said.frame
    line.link.challenge(line.now)
    line.run(CHALLENGE_TRIES * CHALLENGE_EVERY_S - 0.1)
    assert line.up
    line.run(0.2)
    assert isinstance(line.error, ProofFailed)
    assert "shoe SH-V001 gave no proof within 2 s of its key and stays refused" in str(line.error)


def test_a_host_that_stood_still_accuses_nobody() -> None:
    """The challenge had not left yet, and the device has given the session up meanwhile."""
    line = opened()
    line.link.challenge(line.now)
    line.device_link.close()
    late = line.device_link.outgoing(line.now)
    line.now += 5
    assert late
    line.run(1.5)
    assert isinstance(line.error, LinkLost)


def test_a_wrong_proof_ends_the_session_by_name() -> None:
    """Whoever has the keys of a session, and not the pair's, comes no further than the next challenge."""
    line = opened()
    keeper = line.device_link._keeper
    keeper._pair_key = OTHER_KEY
    line.link.challenge(line.now)
    line.run(0.1)
    assert isinstance(line.error, ProofFailed)
    assert "gave a wrong proof of its key" in str(line.error)


def test_a_silent_device_is_lost_and_not_accused() -> None:
    line = opened()
    line.link.challenge(line.now)
    line.wire = lambda said: said.frame if said.to_device else b""
    line.run(1.1)
    assert isinstance(line.error, LinkLost)
    assert "fallen silent" in str(line.error)


def test_a_device_without_a_key_is_refused_as_unpaired_where_the_table_has_one_for_it() -> None:
    line = SealedLine(key=b"")
    line.run(0.1)
    assert isinstance(line.error, Unpaired)
    assert "shoe SH-V001 says that it holds no key" in str(line.error)
    assert Type.OPEN not in _types(line)


def test_a_device_of_which_the_table_has_no_key_is_refused_as_unpaired() -> None:
    for key in (b"", KEY):
        line = SealedLine(key=key, trust=KeyRing())
        line.run(0.1)
        assert isinstance(line.error, Unpaired)
        assert "unpaired device: this table has no key of shoe SH-V001" in str(line.error)
        assert "cutcard pair shoe" in str(line.error)
        assert Type.OPEN not in _types(line)


def test_a_pairing_that_was_not_finished_is_no_pairing() -> None:
    line = SealedLine(trust=ring(standing=HalfPaired("2026-11-30")))
    line.run(0.1)
    assert isinstance(line.error, Unpaired)
    assert "the pairing of shoe SH-V001, begun 2026-11-30, was not finished" in str(line.error)


def test_a_revoked_device_is_refused_by_name_whatever_key_it_holds() -> None:
    line = SealedLine(trust=ring(standing=Withdrawn("2026-11-30", "stolen")))
    line.run(0.1)
    assert isinstance(line.error, Revoked)
    assert "shoe SH-V001 was revoked 2026-11-30 (stolen)" in str(line.error)
    assert Type.OPEN not in _types(line)


def test_a_device_that_is_revoked_meanwhile_is_refused_at_its_next_challenge() -> None:
    held = dict(ring().held)
    line = opened(trust=KeyRing(held))
    held.update(ring(standing=Withdrawn("2026-11-30")).held)
    line.link.challenge(line.now)
    line.run(0.1)
    assert isinstance(line.error, Revoked)


@pytest.mark.parametrize("name", ["shoe", "shuffler"])
def test_an_exchanged_device_with_the_right_serial_number_is_refused_by_name(name: str) -> None:
    """A fake shoe; a shuffler that holds the key that it had before it was paired anew."""
    line = SealedLine(name=name, key=OTHER_KEY, trust=ring(name))
    line.run(3.2)
    assert isinstance(line.error, WrongKey)
    serial = {"shoe": "SH-V001", "shuffler": "SF-V001"}[name]
    assert f"exchanged device: it answers as {name} {serial}" in str(line.error)
    assert not line.fed
    assert [event for event in line.events if isinstance(event, LinkUp | Received)] == []


def test_a_device_that_goes_away_before_it_opens_is_not_called_exchanged() -> None:
    line = SealedLine(key=OTHER_KEY)
    line.run(0.05)
    assert Type.OPEN in _types(line)
    line.wire = lambda said: said.frame if said.to_device else b""
    line.run(3.2)
    assert isinstance(line.error, LinkLost)


@pytest.mark.parametrize("lost", [Type.CAPS, Type.HELLO, Type.OPEN, Type.OPENED])
def test_a_lost_frame_of_the_handshake_is_made_good(lost: int) -> None:
    line = SealedLine()
    gone: list[int] = []

    def loses(said: Said) -> bytes:
        type_ = said.type
        if type_ == lost and len(gone) < 2:
            gone.append(type_)
            return b""
        return said.frame

    line.wire = loses
    line.run(1.0)
    assert line.up
    assert line.link.is_open


def test_a_card_between_two_greetings_does_not_part_the_keys() -> None:
    """HELLO tells the next event's number, and is derived from: its repeat must say the same."""
    line = SealedLine()
    line.wire = lambda said: b"" if said.type == Type.CAPS else said.frame
    line.run(0.1)
    line.table.hands.draw("seat:1")
    line.wire = lambda said: said.frame
    line.run(0.5)
    assert line.up
    assert Type.DRAW in [e.message.TYPE for e in line.events if isinstance(e, Received)]


def _altered(type_: int, **values: int) -> "SealedLine":
    line = SealedLine()

    def alters(said: Said) -> bytes:
        payload = payload_of(said.frame)
        if payload[0] != type_:
            return said.frame
        fields = dict(unpack(type_, payload[7:])) | values
        return framed(payload[:7] + pack(type_, **fields))

    line.wire = alters
    line.run(3.3)
    return line


def test_capabilities_that_say_unpaired_on_the_way_do_not_open_a_plain_session() -> None:
    line = _altered(Type.CAPS, pairing=0)
    assert isinstance(line.error, Unpaired)
    assert not line.device_link.session
    assert Type.OPEN not in _types(line)


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (Type.CAPS, {"options": 0}),
        (Type.CAPS, {"device_nonce": 1}),
        (Type.HELLO, {"oldest": 3}),
        (Type.HELLO, {"boot": 5}),
        (Type.GREET, {"lowest": 0}),
    ],
)
def test_a_greeting_altered_on_the_way_opens_no_session(type_: int, values: dict[str, int]) -> None:
    line = _altered(type_, **values)
    assert isinstance(line.error, WrongKey)
    assert not line.device_link.session
    assert [event for event in line.events if isinstance(event, LinkUp | Received)] == []


def test_a_bench_takes_what_is_not_paired_and_still_seals_what_is() -> None:
    plain = SealedLine(key=b"", trust=KeyRing(plain=Plain.ALLOWED))
    plain.run(0.2)
    assert plain.up
    assert isinstance(plain.events[0], LinkUp)
    assert not plain.events[0].sealed
    held = ring().held
    opened(trust=KeyRing(held, Plain.ALLOWED))
    reset = SealedLine(key=b"", trust=KeyRing(held, Plain.ALLOWED))
    reset.run(0.1)
    assert isinstance(reset.error, Unpaired)
    strange = SealedLine(key=KEY, trust=KeyRing(plain=Plain.ALLOWED))
    strange.run(0.1)
    assert "shoe SH-V001 is paired, and this table does not have its key" in str(strange.error)


def test_a_session_whose_counters_run_out_ends_and_the_next_begins_anew() -> None:
    line = opened()
    assert line.link._guard._channel is not None
    line.link._guard._channel.sealer._counter = COUNTER_MAX - 100
    line.run(0.1)
    assert "the counters of this session are used up" in str(line.error)
    line.events.clear()
    line.new_link()
    line.run(0.3)
    assert line.up
    keys = line.device_link._keys
    assert keys is not None
    keys.from_device.counter = COUNTER_MAX - 100
    line.run(0.1)
    assert "the device ended the session" in str(line.error)


def test_neither_key_nor_tag_is_in_any_error_or_trace() -> None:
    line = SealedLine(key=OTHER_KEY)
    line.run(3.2)
    told = f"{line.error!r} {line.error} {line.link.trace()} {line.link.counts} {line.trust!r} {PairKey(KEY)}"
    assert KEY.hex() not in told
    assert repr(KEY)[2:-1] not in told
