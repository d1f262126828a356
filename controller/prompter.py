"""Prompts on their way to the ring: worded, lit, numbered, and shown again whenever the ring comes back."""

from typing import Final

import msgspec

from controller.decisions import Prompt
from controller.insecure import marked
from controller.prompts.catalogue import Catalogue, Worded
from controller.prompts.layout import Layout, Span, even_layout
from controller.prompts.spelling import Charset as CharsetName
from firmware_bridge.capabilities import PromptsCaps
from firmware_bridge.codes import Charset, Colour, Pattern, PromptCode, Reason
from firmware_bridge.devices.prompts import TEXT_MAX, show
from firmware_bridge.messages import Order, Shown
from firmware_bridge.messages import Span as WireSpan

_CHARSETS: Final[dict[Charset, CharsetName]] = {
    Charset.ASCII: "ascii",
    Charset.LATIN_1: "latin-1",
    Charset.UTF_8: "utf-8",
}
_NUMBERS: Final = 0x10000
_PASSED_OVER: Final = 0x400
_CHIPS_SHOWN: Final = 0xFFFFFFFF


class Prompter:
    """One table's prompts. Without a ring that answers, the last prompt waits for one."""

    def __init__(self, catalogue: Catalogue, layout: Layout | None = None) -> None:
        self._catalogue = catalogue
        self._given_layout = layout
        self._layout: Layout | None = layout
        self._caps: PromptsCaps | None = None
        self._number = 0
        self._current: Prompt | None = None
        self._awaited: int | None = None
        self._again = False
        self._marked = False

    @property
    def current(self) -> Prompt | None:
        """The standing prompt."""
        return self._current

    @property
    def number(self) -> int:
        """The number under which a prompt was sent last."""
        return self._number

    def resume(self, current: Prompt | None, number: int) -> None:
        """Goes on with a standing prompt, which a ring that answers is shown again."""
        self._current, self._number = current, number

    @property
    def settled(self) -> bool:
        """Whether the ring has confirmed the last prompt, or there is none."""
        return self._awaited is None

    def mark(self) -> None:
        """Every prompt from now on says on the display that the table is not secure."""
        self._marked = True

    def ring_is(self, caps: PromptsCaps) -> list[Order]:
        """The ring answers: the messages that show the standing prompt on it."""
        self._caps = caps
        self._layout = self._given_layout or even_layout(caps.leds)
        return self._messages()

    def ring_comes_later(self) -> None:
        """A start after a crash: the ring may still have to tell of prompts that were sent and not written
        down, so their numbers are passed over."""
        self._number = (self._number + _PASSED_OVER) % _NUMBERS
        self.ring_is_gone()

    def ring_is_gone(self) -> None:
        """Nothing can be shown until the ring is back."""
        self._caps = None
        self._awaited = None

    def word(self, prompt: Prompt) -> tuple[Worded, tuple[Span, ...]]:
        """The words of a prompt and the LEDs that it lights, none while no ring is known."""
        worded = self._catalogue.word(prompt)
        return worded, self._layout.light(prompt, worded) if self._layout else ()

    def is_on_display(self, prompt: Prompt) -> bool:
        """Whether this is only the prompt on display, acknowledged, and looks no other than it did."""
        shown = self._current
        if shown is None or not prompt.acknowledged or shown.acknowledged:
            return False
        same = msgspec.structs.replace(shown, acknowledged=True) == prompt
        return same and self._catalogue.word(shown) == self._catalogue.word(prompt)

    def show(self, prompt: Prompt) -> list[Order]:
        """The messages that show a prompt; none while the ring does not answer."""
        self._current = prompt
        self._again = False
        return self._messages()

    def shown(self, answer: Shown) -> list[Order]:
        """The ring shows a prompt, or what it got was damaged: then the messages that show it again."""
        if answer.prompt != self._awaited:
            return []
        self._awaited = None
        if answer.reason is not Reason.INCOMPLETE or self._again:
            return []
        self._again = True
        return self._messages()

    def _messages(self) -> list[Order]:
        prompt, caps = self._current, self._caps
        if prompt is None or caps is None:
            return []
        worded, spans = self.word(prompt)
        self._number = (self._number + 1) % _NUMBERS
        self._awaited = self._number
        charset = _CHARSETS[caps.charset]
        size = caps.columns, caps.rows, charset
        lines = marked(worded, *size) if self._marked else worded.lines(*size)
        return show(
            self._number,
            PromptCode.of(prompt.code),
            seat=prompt.seat,
            count=min(prompt.count, _CHIPS_SHOWN),
            spans=[
                WireSpan(span.first, span.last, Colour.of(span.colour), Pattern.of(span.pattern))
                for span in spans
            ],
            text=_bytes_of("\n".join(lines), charset),
        )


def _bytes_of(text: str, charset: CharsetName) -> bytes:
    """A text as its bytes, no more than a prompt can have and no letter cut in two."""
    encoded = text.encode(charset)
    while len(encoded) > TEXT_MAX:
        text = text[:-1]
        encoded = text.encode(charset)
    return encoded
