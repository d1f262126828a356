"""A prompt as the frames that put it on display as a whole (docs/protocol.md, section 9)."""

from collections.abc import Sequence
from typing import Final

from firmware_bridge.codes import PromptCode
from firmware_bridge.framing import crc16
from firmware_bridge.messages import Leds, Order, Show, Span, TextChunk

SPANS_MAX: Final = 255
TEXT_MAX: Final = 255
"""Spans and bytes of text of the longest prompt: SHOW counts them in a byte each."""
_SPANS_IN_A_FRAME = 9
_TEXT_IN_A_FRAME = 38


def prompt_crc(spans: Sequence[Span], text: bytes) -> int:
    """The CRC that SHOW carries: over each span's four bytes in order, then the text."""
    return crc16(b"".join(map(bytes, spans)) + text)


def show(
    number: int,
    code: PromptCode,
    *,
    seat: int = 0,
    count: int = 0,
    spans: Sequence[Span] = (),
    text: bytes = b"",
) -> list[Order]:
    """The messages of one prompt: spans first, then the text, then SHOW.

    ``number`` is the host's, 0 to 65535; ``text`` is in the device's character set, lines parted by ``0A``.
    Raises `ValueError` where spans or text are more than a prompt can have.
    """
    if len(spans) > SPANS_MAX or len(text) > TEXT_MAX:
        raise ValueError(
            f"a prompt has {SPANS_MAX} spans and {TEXT_MAX} bytes of text at most, "
            f"not {len(spans)} and {len(text)}"
        )
    leds = [
        Leds(number, tuple(spans[first : first + _SPANS_IN_A_FRAME]))
        for first in range(0, len(spans), _SPANS_IN_A_FRAME)
    ]
    chunks = [
        TextChunk(number, offset, text[offset : offset + _TEXT_IN_A_FRAME])
        for offset in range(0, len(text), _TEXT_IN_A_FRAME)
    ]
    shown = Show(number, code, seat, count, len(spans), len(text), prompt_crc(spans, text))
    return [*leds, *chunks, shown]
