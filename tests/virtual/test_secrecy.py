"""Keys, seals and proofs of the device's side: what section 10 of the document says, to the byte."""

import pytest

from hil_rigs.virtual import frames, secrecy
from hil_rigs.virtual.codes import Type
from hil_rigs.virtual.frames import Frame
from hil_rigs.virtual.messages import MESSAGES, unpack
from tests.virtual import document

VALUES, SEALED = document.vectors()
EXAMPLES = {told.name: told for told in document.MESSAGES}
_FRAMES = pytest.mark.parametrize("sealed", SEALED, ids=lambda sealed: sealed.name)


def _keys() -> secrecy.SessionKeys:
    return secrecy.session_keys(VALUES["pair key"], VALUES["GREET"], VALUES["HELLO"], VALUES["CAPS"])


def _way(name: str) -> secrecy.Direction:
    keys = _keys()
    return keys.from_host if MESSAGES[Type[name]].way == ">" else keys.from_device


def _clear(name: str) -> Frame:
    return frames.decode(EXAMPLES[name].wire[:-1])


def test_the_bodies_of_the_vectors_are_those_of_the_examples() -> None:
    for name in ("GREET", "HELLO", "CAPS"):
        assert _clear(name).body == VALUES[name]


def test_the_keys_of_a_session_are_the_documents() -> None:
    keys = _keys()
    for who, way in (("host", keys.from_host), ("device", keys.from_device)):
        assert (way.encrypting, way.authenticating) == (VALUES[f'E("{who}")'], VALUES[f'M("{who}")'])


@_FRAMES
def test_a_sealed_frame_is_the_documents(sealed: document.Sealed) -> None:
    way = _way(sealed.name)
    way.counter = sealed.counter - 1
    assert frames.encode(_clear(sealed.name), way) == sealed.wire


@_FRAMES
def test_the_documents_sealed_frame_is_taken_once(sealed: document.Sealed) -> None:
    way = _way(sealed.name)
    frame = frames.decode(sealed.wire[:-1])
    assert frames.opened(frame, way) == _clear(sealed.name)
    with pytest.raises(secrecy.SealError, match=r"^replay$"):
        frames.opened(frame, way)


@_FRAMES
def test_a_sealed_frame_with_any_bit_turned_is_refused(sealed: document.Sealed) -> None:
    frame = frames.decode(sealed.wire[:-1])
    payload = frame.header + frame.body
    for bit in range(len(payload) * 8):
        turned = bytearray(payload)
        turned[bit // 8] ^= 1 << bit % 8
        way = _way(sealed.name)
        with pytest.raises(secrecy.SealError, match=r"^mac$"):
            secrecy.unseal(way, bytes(turned))
        assert way.counter == 0


def test_proof_and_check_are_the_documents() -> None:
    hello = unpack(Type.HELLO, VALUES["HELLO"])
    boot, firmware, serial = hello.num("boot"), hello.raw("firmware"), hello.text("serial")
    said = unpack(Type.PROOF, _clear("PROOF").body)
    key = VALUES["pair key"]
    assert said.raw("proof") == secrecy.proof(key, said.num("nonce"), boot, firmware, serial)
    paired = unpack(Type.PAIRED, _clear("PAIRED").body)
    device_nonce = unpack(Type.CAPS, VALUES["CAPS"]).num("device_nonce")
    assert paired.raw("check") == secrecy.check(key, paired.num("host_nonce"), device_nonce, serial)


def test_no_counter_is_used_twice() -> None:
    way = _keys().from_device
    way.counter = secrecy.LAST_COUNTER
    with pytest.raises(secrecy.SealError):
        secrecy.seal(way, bytes(7), b"")


def test_keys_do_not_show() -> None:
    assert VALUES['M("host")'].hex() not in repr(_keys())
    assert repr(VALUES['M("host")']) not in repr(_keys())
