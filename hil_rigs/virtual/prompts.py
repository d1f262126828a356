"""The prompts: a ring of LEDs and lines of text, shown to the dealer as a whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hil_rigs.virtual.codes import Colour, Kind, Outcome, Pattern, Reason, Type
from hil_rigs.virtual.crc import crc16
from hil_rigs.virtual.device import Clock, Device, Identity
from hil_rigs.virtual.lamps import Lamp, lit, lost
from hil_rigs.virtual.messages import Fields, Span, pack

if TYPE_CHECKING:
    from collections.abc import Callable

CHARSETS = ("ascii", "latin-1", "utf-8")
_HIGHEST_SEAT = 11


@dataclass(frozen=True)
class PromptsOptions:
    """LEDs 24 to 64, columns 20 at least, rows 2 at least, character set 0 ASCII, 1 Latin-1, 2 UTF-8."""

    leds: int = 48
    columns: int = 40
    rows: int = 2
    charset: int = 2


@dataclass(frozen=True)
class Shown:
    """A prompt as it was put on display. `serial` counts what was shown, from 1."""

    serial: int
    number: int
    code: int
    seat: int
    count: int
    text: str
    spans: tuple[Span, ...]


class Prompts(Device):
    """docs/protocol.md section 9, Prompts."""

    kind = Kind.PROMPTS

    def __init__(self, identity: Identity, clock: Clock, options: PromptsOptions) -> None:
        super().__init__(identity, clock)
        self.able_to = options
        self.history: list[Shown] = []
        self.lost = False
        self.watchers: list[Callable[[Shown], None]] = []
        self._on_display: Shown | None = None
        self._shown_ms = 0
        self._number = 0
        self._spans: list[Span] = []
        self._text: dict[int, int] = {}
        self._complete = False  # a SHOW has come: what comes now under its number begins anew

    @property
    def data(self) -> bytes:
        """LEDs, columns, rows, character set."""
        able = self.able_to
        return bytes([able.leds, able.columns, able.rows, able.charset])

    @property
    def display(self) -> Shown | None:
        """What the dealer sees now; None where it is dark or shows `lost`."""
        return None if self.lost else self._on_display

    @property
    def lamps(self) -> dict[int, Lamp]:
        """The LEDs that are lit now, by the device's own time."""
        if self.lost:
            return lost(self.able_to.leds)
        spans = self._on_display.spans if self._on_display is not None else ()
        return lit(self.able_to.leds, spans, (self.time_ms - self._shown_ms) & 0xFFFFFFFF)

    def heard(self, type_: int, fields: Fields) -> None:
        """Collect spans and text; put a prompt on display."""
        if type_ not in (Type.LEDS, Type.TEXT, Type.SHOW):
            return
        number = fields.num("prompt")
        if number != self._number or (self._complete and type_ != Type.SHOW):
            self._forget(number)  # only the last prompt is remembered
        self._complete = type_ == Type.SHOW
        if type_ == Type.LEDS:
            self._spans += fields.spans("spans")
        elif type_ == Type.TEXT:
            self._text.update(enumerate(fields.raw("chunk"), start=fields.num("offset")))
        else:
            self._show(fields)

    def session_opened(self) -> None:
        """The host is there again: what was on display is, what was half sent is not."""
        self.lost = False
        self._forget(0)

    def go_safe(self) -> None:
        """Show the pattern `lost`."""
        self.lost = True

    def booted(self) -> None:
        """Dark, and nothing remembered."""
        self.lost = False
        self._on_display = None
        self._forget(0)

    def _forget(self, number: int) -> None:
        self._number = number
        self._spans = []
        self._text = {}
        self._complete = False

    def _show(self, fields: Fields) -> None:
        raw = bytes(self._text[offset] for offset in sorted(self._text))
        whole = (
            len(self._spans) == fields.num("spans")
            and sorted(self._text) == list(range(fields.num("length")))
            and crc16(b"".join(bytes(span) for span in self._spans) + raw) == fields.num("crc")
        )
        if not whole:
            self._answer(Outcome.REFUSED, Reason.INCOMPLETE)
            return
        text = self._readable(raw)
        if text is None or fields.num("seat") > _HIGHEST_SEAT or not all(map(self._can_light, self._spans)):
            self._answer(Outcome.REFUSED, Reason.BAD_VALUE)
            return
        shown = Shown(
            serial=len(self.history) + 1,
            number=self._number,
            code=fields.num("code"),
            seat=fields.num("seat"),
            count=fields.num("count"),
            text=text,
            spans=tuple(self._spans),
        )
        self._on_display = shown
        self._shown_ms = self.time_ms
        self.lost = False
        self.history.append(shown)
        self._answer(Outcome.DONE, Reason.NONE)
        for watcher in self.watchers:
            watcher(shown)

    def _readable(self, raw: bytes) -> str | None:
        """Return the text, or None where it is not of the character set or has no room on the display."""
        try:
            text = raw.decode(CHARSETS[self.able_to.charset])
        except UnicodeDecodeError:
            return None
        lines = text.split("\n")
        fits = len(lines) <= self.able_to.rows and all(len(line) <= self.able_to.columns for line in lines)
        return text if fits else None

    def _can_light(self, span: Span) -> bool:
        first, last, colour, pattern = span
        return (
            max(first, last) < self.able_to.leds
            and colour in Colour.__members__.values()
            and pattern in Pattern.__members__.values()
            and pattern != Pattern.LOST
        )

    def _answer(self, outcome: Outcome, reason: Reason) -> None:
        body = pack(Type.SHOWN, time=self.time_ms, prompt=self._number, outcome=outcome, reason=reason)
        self.emit(Type.SHOWN, body)
