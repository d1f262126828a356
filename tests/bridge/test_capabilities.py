"""Capabilities: what CAPS may say and what may not."""

import pytest

from firmware_bridge.capabilities import (
    Capabilities,
    KeypadCaps,
    PromptsCaps,
    ShoeCaps,
    ShufflerCaps,
    ZonesCaps,
    capabilities,
)
from firmware_bridge.codes import Charset, DeviceKind, Pairing, Zone
from firmware_bridge.errors import BadMessage
from firmware_bridge.messages import Caps


def _caps(kind: DeviceKind, options: int, data: bytes) -> Caps:
    return Caps(kind, 128, 32, options, Pairing.NONE, 7, data)


@pytest.mark.parametrize(
    ("caps", "expected"),
    [
        (_caps(DeviceKind.SHOE, 0b011, b"\x34"), ShoeCaps(gate=True, burner=True, facing=False, holds=52)),
        (
            _caps(DeviceKind.SHUFFLER, 0b101, bytes([2, 54, 90, 2])),
            ShufflerCaps(True, False, True, min_cards=2, max_cards=54, shuffle_s=90, slots=2),
        ),
        (
            _caps(DeviceKind.ZONES, 1, (1 << 4 | 1 << 16).to_bytes(4, "little")),
            ZonesCaps(True, frozenset({Zone.SEAT_4, Zone.BOARD})),
        ),
        (_caps(DeviceKind.PROMPTS, 0, bytes([48, 20, 2, 1])), PromptsCaps(48, 20, 2, Charset.LATIN_1)),
        (_caps(DeviceKind.KEYPAD, 0b110, b""), KeypadCaps(acts=False, badge=True, digits=True)),
    ],
)
def test_each_kind_has_its_own_typed_capabilities(caps: Caps, expected: Capabilities) -> None:
    assert capabilities(caps) == expected


def test_an_option_that_is_not_specified_is_ignored() -> None:
    assert capabilities(_caps(DeviceKind.KEYPAD, 0b1000, b"")) == KeypadCaps(False, False, False)


@pytest.mark.parametrize(
    "caps",
    [
        Caps(DeviceKind.SHOE, 127, 32, 0, Pairing.NONE, 7, b"\x34"),
        Caps(DeviceKind.SHOE, 128, 31, 0, Pairing.NONE, 7, b"\x34"),
        _caps(DeviceKind.SHOE, 0, b""),
        _caps(DeviceKind.KEYPAD, 0, b"\x00"),
        _caps(DeviceKind.ZONES, 0, bytes([1, 0, 0, 0])),
        _caps(DeviceKind.PROMPTS, 0, bytes([23, 20, 2, 0])),
        _caps(DeviceKind.PROMPTS, 0, bytes([65, 20, 2, 0])),
        _caps(DeviceKind.PROMPTS, 0, bytes([24, 19, 2, 0])),
        _caps(DeviceKind.PROMPTS, 0, bytes([24, 20, 1, 0])),
        _caps(DeviceKind.PROMPTS, 0, bytes([24, 20, 2, 3])),
    ],
)
def test_capabilities_outside_the_protocols_bounds_are_refused(caps: Caps) -> None:
    with pytest.raises(BadMessage, match=caps.kind.label):
        capabilities(caps)
