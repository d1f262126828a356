"""Keys, seals and proofs of the host's side: what section 10 of the document says, to the byte."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import framing, secrecy
from firmware_bridge.header import SEALED, Header, unpack
from firmware_bridge.messages import Pair, Paired, PinTyped, Proof, decode
from firmware_bridge.secrecy import COUNTER_MAX, Opener, PairKey, Refusal, Sealer
from tests.bridge.protocol_document import SECTIONS, counters, vectors

VECTORS = vectors()
KEY = PairKey(VECTORS["pair key"])
BODIES = VECTORS["GREET"], VECTORS["HELLO"], VECTORS["CAPS"]
EXAMPLES = {section.name: section for section in SECTIONS}
OF_THE_HOST = ("OPEN", "CHALLENGE", "BURN")


def _keys(name: str) -> secrecy.DirectionKeys:
    return secrecy.direction_keys(KEY, *BODIES, "host" if name in OF_THE_HOST else "device")


def _payload(frame: bytes) -> bytes:
    (payload,) = framing.Decoder().feed(frame)
    return payload


def test_the_keys_of_a_session_are_the_documents() -> None:
    for who in ("host", "device"):
        keys = secrecy.direction_keys(KEY, *BODIES, who)
        assert keys == (VECTORS[f'E("{who}")'], VECTORS[f'M("{who}")'])


@pytest.mark.parametrize("name", list(counters()))
def test_a_sealed_frame_is_the_documents(name: str) -> None:
    header, body = unpack(_payload(EXAMPLES[name].frame))
    sealer = Sealer(*_keys(name), used=counters()[name] - 1)
    assert framing.encode(sealer.seal(header, body)) == VECTORS[name]


@pytest.mark.parametrize("name", list(counters()))
def test_the_documents_sealed_frame_is_opened_once(name: str) -> None:
    payload = _payload(VECTORS[name])
    opener = Opener(*_keys(name))
    assert opener.open(payload) == unpack(_payload(EXAMPLES[name].frame))[1]
    assert opener.open(payload) is Refusal.REPLAYED


def test_proof_and_check_are_the_documents() -> None:
    told = decode(*_type_and_body("PROOF"))
    assert isinstance(told, Proof)
    hello = EXAMPLES["HELLO"].values
    boot, serial = hello["boot"], hello["serial"]
    assert isinstance(boot, int)
    assert isinstance(serial, str)
    assert told.proof == secrecy.proof(KEY, told.nonce, boot, b"\1\2\3", serial)
    paired = decode(*_type_and_body("PAIRED"))
    assert isinstance(paired, Paired)
    device_nonce = EXAMPLES["CAPS"].values["device_nonce"]
    assert isinstance(device_nonce, int)
    assert paired.check == secrecy.paired_check(KEY, paired.host_nonce, device_nonce, serial)


def _type_and_body(name: str) -> tuple[int, bytes]:
    header, body = unpack(_payload(EXAMPLES[name].frame))
    return header.type, body


@given(st.binary(max_size=41), st.integers(0, 60 * 8 - 1))
def test_a_frame_with_any_bit_turned_is_refused(body: bytes, bit: int) -> None:
    keys = _keys("OPEN")
    payload = bytearray(Sealer(*keys).seal(Header(0x21, 1, 23, 5, 2), body))
    bit %= len(payload) * 8
    payload[bit // 8] ^= 1 << bit % 8
    assert Opener(*keys).open(bytes(payload)) is Refusal.FORGED


@given(st.binary(max_size=60))
def test_whatever_is_no_frame_of_the_session_is_refused(noise: bytes) -> None:
    assert Opener(*_keys("OPEN")).open(noise) is Refusal.FORGED


def test_a_hole_between_counters_is_no_fault_and_what_is_older_is_refused() -> None:
    keys = _keys("OPEN")
    sealer, opener = Sealer(*keys), Opener(*keys)
    one, two, three = (sealer.seal(Header(6, 0, 23, 0, 0), b"") for _ in range(3))
    assert opener.open(two) == b""
    assert opener.open(one) is Refusal.REPLAYED
    assert opener.open(two) is Refusal.REPLAYED
    assert opener.open(three) == b""


def test_what_was_refused_moves_no_counter() -> None:
    keys = _keys("OPEN")
    good = Sealer(*keys).seal(Header(6, 0, 23, 0, 0), b"")
    forged = bytearray(Sealer(*keys, used=1000).seal(Header(6, 0, 23, 0, 0), b""))
    forged[-1] ^= 1
    opener = Opener(*keys)
    assert opener.open(bytes(forged)) is Refusal.FORGED
    assert opener.open(good) == b""


def test_the_same_message_is_never_the_same_bytes() -> None:
    sealer = Sealer(*_keys("OPEN"))
    header = Header(0x21, 1, 23, 5, 2)
    assert len({sealer.seal(header, bytes(12))[7:19] for _ in range(300)}) == 300


def test_no_counter_is_used_twice_and_the_end_is_seen_in_time() -> None:
    sealer = Sealer(*_keys("OPEN"), used=COUNTER_MAX - 1)
    assert sealer.spent
    assert sealer.seal(Header(6), b"")[1 + 6 : 11] == b"\xff" * 4
    with pytest.raises(OverflowError):
        sealer.seal(Header(6), b"")
    assert not Sealer(*_keys("OPEN")).spent


@pytest.mark.parametrize("altered", range(3), ids=("GREET", "HELLO", "CAPS"))
def test_any_bit_of_the_greeting_parts_the_keys(altered: int) -> None:
    for bit in range(len(BODIES[altered]) * 8):
        bodies = [bytearray(body) for body in BODIES]
        bodies[altered][bit // 8] ^= 1 << bit % 8
        greet, hello, caps = map(bytes, bodies)
        other = secrecy.direction_keys(KEY, greet, hello, caps, "host")
        assert not set(other) & set(_keys("OPEN"))


def test_a_sealed_header_says_so() -> None:
    assert Sealer(*_keys("OPEN")).seal(Header(6, 1), b"")[1] == 1 | SEALED


def test_a_key_shows_nowhere() -> None:
    secret = bytes(range(200, 232))
    key = PairKey(secret)
    shown = f"{key} {key!r} {[key]} {Pair(1, secret)!r} {_keys('OPEN')!r}"
    assert "key>" in shown
    for piece in (secret.hex(), repr(secret)[2:-1], repr(list(secret))[1:20], _keys("OPEN").mac.hex()):
        assert piece not in shown
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(ValueError, match="32 bytes") as wrong:
        PairKey(secret[:31])
    assert secret[:31].hex() not in str(wrong.value)
    assert repr(PinTyped(1, "1234")).count("<digits>") == 1


def test_a_key_is_equal_to_itself_alone() -> None:
    assert PairKey(bytes(32)) == PairKey(bytes(32))
    assert PairKey(bytes(32)) != PairKey(bytes(31) + b"\1")
    assert len({PairKey(bytes(32)), PairKey(bytes(32))}) == 1
